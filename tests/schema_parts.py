"""The parts of the JSON Schemas that follow from the tables of cards and tokens.

``python tests/schema_parts.py`` writes them anew into ``schemas/``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

from tironian import tokens
from tironian.notation.cards import ACTION_CARDS, CARD_LETTERS, CARD_NAMES, MAY_BE, NUMBERS, PHILOSOPHER
from tironian.schemas import load_schema

CLOSED = ("record", "drill")
"""The schemas that are published closed: what is written back from them may lose no field."""
FOLDER = Path(__file__).parents[1] / "schemas"
DERIVED = ("record", "timeline", "votes", "edition")
"""The schemas that have such parts."""
LETTERS = "".join([f"1-{max(NUMBERS)}", *[CARD_LETTERS[card] for card in (PHILOSOPHER, *ACTION_CARDS, *MAY_BE)]])
END = r"(?![\s\S])"
"""A pattern's end: ``$`` would let a line end pass."""


def closed_schema(name: str) -> Any:
    """Return a schema by which a field that it does not name is wrong; readers get it open, since it may grow."""
    return load_schema(name) if name in CLOSED else _closed(load_schema(name))


def _closed(part: Any) -> Any:
    if isinstance(part, list):
        return [_closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    closed = {key: _closed(value) for key, value in part.items()}
    return {"additionalProperties": False} | closed if part.get("type") == "object" and "properties" in part else closed


def schema_with_parts(name: str) -> Any:
    """Return a schema with its derived parts as the tables have them now."""
    schema = load_schema(name)
    match name:
        case "record":
            _fill_in_record(schema["$defs"])
        case "timeline":
            schema["$defs"]["card_list"]["pattern"] = f"^[{LETTERS}]*{END}"
            kinds = {kind.event for kind in tokens.KINDS.values()}
            schema["$defs"]["event"]["properties"]["kind"]["enum"] = sorted(kinds)
        case "votes":
            schema["$defs"]["card_list"]["pattern"] = f"^[{LETTERS}]*{END}"
        case "edition":
            card = schema["$defs"]["cardCount"]["properties"]["card"]
            card["enum"] = [CARD_LETTERS[card] for card in ACTION_CARDS]
            card["description"] = f"{', '.join([CARD_NAMES[card] for card in ACTION_CARDS]).capitalize()}."
    return schema


def _fill_in_record(parts: dict[str, Any]) -> None:
    """Fill in the letters of cards, and the types of tokens, each of which must have its own definition."""
    parts["card"]["pattern"] = f"^[{LETTERS}]{END}"
    named = [f"{CARD_LETTERS[card]} {CARD_NAMES[card]}" for card in (PHILOSOPHER, *ACTION_CARDS)]
    some = [f"{CARD_LETTERS[card]} {CARD_NAMES[card].replace('unknown', 'some')}" for card in MAY_BE]
    parts["card"]["description"] = ", ".join([f"a card: 1–{max(NUMBERS)}", *named, *some])
    parts["cards"]["pattern"] = f"^[{LETTERS}]*{END}"
    types = [re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower() for cls in get_args(tokens.Token)]
    token = parts["token"]
    token["properties"]["type"] = {"enum": types, "description": f"one of {', '.join(types)}"}
    token["allOf"] = [
        {
            "if": {"required": ["type"], "properties": {"type": {"const": word}}},
            "then": {"$ref": f"#/$defs/{word}"},
        }
        for word in types
    ]


def schema_text(name: str) -> str:
    """Return the text of a schema's file."""
    return json.dumps(schema_with_parts(name), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in DERIVED:
        (FOLDER / f"{name}.schema.json").write_text(schema_text(name), encoding="utf-8")
