"""The parts of the JSON Schemas that follow from the tables of cards, from the classes of tokens and from editions.

Of a token's class follow its definition and its fields; what describes them for a reader stays as the file has it, and
so do conditions. A new class is described by its docstring.

``python tests/schema_parts.py`` writes them anew into ``schemas/``.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

from tironian import EDITION_NAMES, Edition, load_edition, tokens
from tironian.notation.cards import ACTION_CARDS, CARD_LETTERS, CARD_NAMES, MAY_BE, NUMBERS, PHILOSOPHER
from tironian.notation.tokens import FieldKind, FieldType, field_kinds, is_on_table
from tironian.replay.editions.choices import Choice
from tironian.replay.editions.edition import rule_fields
from tironian.schemas import load_schema
from tironian.tools.cli.rulebook import TITLES

CLOSED = ("record", "drill", "event")
"""The schemas that are published closed: what is written back from them may lose no field."""
FOLDER = Path(__file__).parents[1] / "schemas"
DERIVED = ("record", "timeline", "votes", "edition")
"""The schemas that have such parts."""
LETTERS = "".join([f"1-{max(NUMBERS)}", *[CARD_LETTERS[card] for card in (PHILOSOPHER, *ACTION_CARDS, *MAY_BE)]])
MOST = 99
"""The highest number of what is counted."""
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
            _fill_in_edition(schema["$defs"])
    return schema


def _fill_in_record(parts: dict[str, Any]) -> None:
    """Fill in the letters of cards, and the definitions of tokens."""
    parts["card"]["pattern"] = f"^[{LETTERS}]{END}"
    named = [f"{CARD_LETTERS[card]} {CARD_NAMES[card]}" for card in (PHILOSOPHER, *ACTION_CARDS)]
    some = [f"{CARD_LETTERS[card]} {CARD_NAMES[card].replace('unknown', 'some')}" for card in MAY_BE]
    parts["card"]["description"] = ", ".join([f"a card: 1–{max(NUMBERS)}", *named, *some])
    parts["cards"]["pattern"] = f"^[{LETTERS}]*{END}"
    classes = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower(): cls for cls in get_args(tokens.Token)}
    types = [*classes]
    for word, cls in classes.items():
        parts[word] = _definition(word, cls, parts.get(word, {}))
    token = parts["token"]
    token["properties"]["type"] = {"enum": types, "description": f"one of {', '.join(types)}"}
    token["allOf"] = [
        {
            "if": {"required": ["type"], "properties": {"type": {"const": word}}},
            "then": {"$ref": f"#/$defs/{word}"},
        }
        for word in types
    ]


def _definition(word: str, cls: type, written: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of a class of tokens; ``written`` is what the file has of it, whose conditions stay."""
    hints = get_type_hints(cls)
    kinds = field_kinds(cls)
    optional = [name for name in kinds if type(None) in get_args(hints[name])]
    old = written.get("properties", {})
    fields = {name: _property(cls, name, hints[name], old.get(name, {})) for name in kinds}
    made = {
        "description": written.get("description") or inspect.cleandoc(cls.__doc__ or "").replace("``", ""),
        "type": "object",
        "required": ["type", *[name for name in kinds if name not in optional]],
        "additionalProperties": False,
        "properties": {"type": {"const": word}, **fields},
    }
    if needs := {name: needed for name in optional if (needed := _needed(kinds, name, optional))}:
        made["dependentRequired"] = needs
    return made | {key: value for key, value in written.items() if key in ("if", "then")}


def _needed(kinds: dict[str, FieldKind], name: str, optional: list[str]) -> list[str]:
    """Return the fields without which one is never written: those like it, and the card in whose place one is drawn."""
    if name == "draw":
        return [other for other in optional if other == "card"]
    several = kinds[name].field_type in (FieldType.CARDS, FieldType.LAID)
    return [other for other in optional if several and other != name and kinds[other] == kinds[name]]


def _property(cls: type, name: str, hint: Any, written: dict[str, Any]) -> dict[str, Any]:
    """Return what a field of a token can be."""
    part = field_kinds(cls)[name]
    match part.field_type:
        case FieldType.CARD:
            return {"$ref": f"#/$defs/{'influence' if is_on_table(cls, name) else 'card'}"}
        case FieldType.CARDS | FieldType.HAND | FieldType.PILE:
            return {"$ref": f"#/$defs/{'shown' if is_on_table(cls, name) else 'cards'}"}
        case FieldType.DRAWN:
            return {"$ref": "#/$defs/cards", "minLength": 1}
        case FieldType.LAID:
            return {"$ref": "#/$defs/column"}
        case FieldType.MISSIONS:
            return {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/mission"}}
        case FieldType.TEXT:
            return {"$ref": "#/$defs/word"}
        case FieldType.FACE | FieldType.VALUE:
            described = {"description": written["description"]} if "description" in written else {}
            if bool in (hint, *get_args(hint)):
                return {"type": "boolean"} | described
            if part.most - part.least == 1:
                return {"enum": [part.least, part.most]} | described
            return {"type": "integer", "minimum": part.least, "maximum": min(part.most, MOST)} | described
        case FieldType.GROUP | FieldType.GROUPS | FieldType.SIDE | FieldType.WINNER:
            return {"$ref": f"#/$defs/{part.field_type.name.lower()}"}
        case _:
            raise ValueError(f"no schema is known of {part.sort}")


def _fill_in_edition(parts: dict[str, Any]) -> None:
    """Fill in the rules that an edition has, and the options of all editions with their values."""
    edition, hints = parts["edition"]["properties"], get_type_hints(Edition)
    rules = edition["rules"]
    rules["required"] = parts["differences"]["properties"]["differences"]["propertyNames"]["enum"] = rule_fields()
    rules["properties"] = {
        field: {
            "description": f"{section}: {title}.",
            "$ref": "#/$defs/rule",
            "properties": {"value": _value(hints[field]) or rules["properties"][field]["properties"]["value"]},
        }
        for section, titles in TITLES.items()
        for field, title in titles.items()
    }
    values: dict[str, dict[str, None]] = {}
    for name in EDITION_NAMES:
        for option, words in load_edition(name).options.items():
            values.setdefault(option, {}).update(dict.fromkeys(words))
    edition["options"]["properties"] = {option: _option([*words]) for option, words in values.items()}


def _value(hint: Any) -> dict[str, Any]:
    """Return what a rule's value can be; an empty dict where its type does not say it."""
    if hint is bool:
        return {"type": "boolean"}
    if hint is int:
        return {"type": "integer", "minimum": 0}
    if isinstance(hint, type) and issubclass(hint, Choice):
        return {"enum": [str(member) for member in hint]}
    return {}


def _option(words: list[str]) -> dict[str, Any]:
    one = {"enum": words}
    return {"allOf": [{"$ref": "#/$defs/option"}, {"properties": {"values": {"items": one}, "chosen": one}}]}


def schema_text(name: str) -> str:
    """Return the text of a schema's file."""
    return json.dumps(schema_with_parts(name), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for name in DERIVED:
        (FOLDER / f"{name}.schema.json").write_text(schema_text(name), encoding="utf-8")
