"""Records as JSON and back, without loss: what schemas/record.schema.json describes.

Names are those of the classes' fields; cards, groups and sides are the letters of the notation; what was not written
is absent. Only that JSON is valid which :func:`to_json` could have written and which the notation can carry, so that
text → JSON → text and JSON → text → JSON both give back what was put in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from itertools import zip_longest
from typing import Any, Final, NamedTuple, get_args

from . import tokens as t
from .cards import CARD_LETTERS, CARDS, GROUP_LETTERS, GROUPS, SIDE_LETTERS, letters
from .foreign import HEAD, foreign
from .reader import parse
from .record import Alternative, BadLine, Comment, Follower, Record, Result, Ruling, Turn
from .writer import write

FORMAT: Final = "tironian-record"
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class JsonProblem:
    """What is wrong with JSON that should be a record: where (``$.turns[3].tokens[0].card``), and what."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class JsonInvalid(ValueError):
    """The JSON is no record; ``problems`` says why."""

    def __init__(self, problems: list[JsonProblem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def to_json(record: Record) -> dict[str, Any]:
    """A record as JSON values."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "headers": [{"name": name, "value": value} for name, value in record.headers],
        **_filled(preface=[_follower(entry) for entry in record.preface]),
        "turns": [_turn(turn) for turn in record.turns],
        **({} if record.result is None else {"result": _result(record.result)}),
    }


def from_json(data: Any) -> Record:
    """The record that JSON values describe. JsonInvalid where they are no record, or one that can't be written."""
    record = _record_of(data)
    if record is None:
        raise JsonInvalid(validate(data))
    return record


def validate(data: Any) -> list[JsonProblem]:
    """What is wrong with JSON values that should be a record; nothing where they are one."""
    from jsonschema import Draft202012Validator  # late: it takes longer than everything else here

    from ..schemas import load_schema

    schema = load_schema("record")
    found = Draft202012Validator({"$ref": "#/$defs/record", "$defs": schema["$defs"]}).iter_errors(data)
    problems = [JsonProblem(error.json_path, _tell(error)) for error in found]
    if problems or _record_of(data) is not None:
        return problems
    return [_first_difference(data)]


# ------------------------------------------------------------------------------------------ to JSON


def _filled(**lists: list[Any]) -> dict[str, Any]:
    return {name: entries for name, entries in lists.items() if entries}


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "number": turn.number,
        "side": SIDE_LETTERS[turn.side],
        "tokens": [_token(token) for token in turn.tokens],
        **_filled(marks=list(turn.marks), notes=_notes(turn.notes), after=[_follower(entry) for entry in turn.after]),
    }


def _result(result: Result) -> dict[str, Any]:
    points, winner = result.points, result.winner
    verdicts = [{"side": SIDE_LETTERS[side], "fulfilled": list(met)} for side, met in result.verdicts]
    return {
        **({} if points is None else {"points": {"rome": points[0], "egypt": points[1]}}),
        **({} if winner is None else {"winner": SIDE_LETTERS[winner]}),
        **_filled(verdicts=verdicts, notes=_notes(result.notes), after=[_follower(entry) for entry in result.after]),
    }


def _notes(notes: tuple[Comment, ...]) -> list[Any]:
    return [{"text": note.text, **({} if note.after is None else {"after": note.after})} for note in notes]


def _follower(follower: Follower) -> dict[str, Any]:
    match follower:
        case Comment(text):
            return {"type": "comment", "text": text}
        case Alternative(turn):
            return {"type": "alternative", "turn": _turn(turn)}
        case Ruling(side, decision, codes, points, text):
            return {
                "type": "ruling",
                "side": SIDE_LETTERS[side],
                "decision": decision,
                **_filled(codes=list(codes)),
                **({"points": points} if points else {}),
                **({"text": text} if text else {}),
            }
        case BadLine(text):
            return {"type": "bad_line", "text": text}


def _token(token: t.Token) -> dict[str, Any]:
    return {"type": _TYPE_NAMES[type(token)], **_values(token)}


def _values(token: t.Token | t.Mission) -> dict[str, Any]:
    return {
        name: codec.write(value) for name, codec in _codecs(type(token)) if (value := getattr(token, name)) is not None
    }


# ---------------------------------------------------------------------------------------- from JSON


def _record_of(data: Any) -> Record | None:
    """The record, where there is one that is written in just this way, in JSON as in the notation."""
    try:
        record = _build(data)
        again = [game.record for game in parse(_through_bytes(write(record)))]
        # Compared as text, for to Python 0 and false are equal.
        same = again == [record] and json.dumps(to_json(again[0]), sort_keys=True) == json.dumps(data, sort_keys=True)
    # Whatever is strange about the data makes some step of this fail; the schema then says what it was.
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return None
    return record if same else None


def _through_bytes(text: str) -> str:
    """The text as it comes back from a file. ValueError where no file can hold it."""
    data = text.encode("utf-8", "surrogateescape")
    if b"\0" in data or foreign(data[:HEAD]):
        raise ValueError("a file that begins so, or holds zero bytes, is not read as text")
    return data.decode("utf-8", "surrogateescape")


def _build(data: Any) -> Record:
    headers = tuple((header["name"], header["value"]) for header in data["headers"])
    preface = tuple(_read_remark(entry) for entry in data.get("preface", ()))
    result = _read_result(data["result"]) if "result" in data else None
    if data["format"] != FORMAT or data["version"] != VERSION:
        raise ValueError
    return Record(headers, preface, tuple(map(_read_turn, data["turns"])), result)


def _read_turn(data: Any) -> Turn:
    return Turn(
        data["number"],
        _SIDES[data["side"]],
        tuple(map(_read_token, data["tokens"])),
        tuple(data.get("marks", ())),
        tuple(map(_read_note, data.get("notes", ()))),
        tuple(map(_read_follower, data.get("after", ()))),
    )


def _read_result(data: Any) -> Result:
    points = data.get("points")
    return Result(
        None if points is None else (points["rome"], points["egypt"]),
        _SIDES[data["winner"]] if "winner" in data else None,
        tuple((_SIDES[verdict["side"]], tuple(verdict["fulfilled"])) for verdict in data.get("verdicts", ())),
        tuple(map(_read_note, data.get("notes", ()))),
        tuple(map(_read_remark, data.get("after", ()))),
    )


def _read_note(data: Any) -> Comment:
    return Comment(data["text"], data.get("after"))


def _read_remark(data: Any) -> Comment | BadLine:
    return {"comment": Comment, "bad_line": BadLine}[data["type"]](data["text"])


def _read_follower(data: Any) -> Follower:
    match data["type"]:
        case "alternative":
            return Alternative(_read_turn(data["turn"]))
        case "ruling":
            codes, points = tuple(data.get("codes", ())), data.get("points", 0)
            return Ruling(_SIDES[data["side"]], data["decision"], codes, points, data.get("text", ""))
        case _:
            return _read_remark(data)


def _read_token(data: Any) -> t.Token:
    return _read_values(_TYPES[data["type"]], data)


def _read_values(cls: Callable[..., Any], data: Any) -> Any:
    known = {name: codec.read(data[name]) for name, codec in _codecs(cls) if name in data}
    absent = {name: None for name, _ in _codecs(cls) if name not in data}
    return cls(**known, **absent)


# -------------------------------------------------------------------------------- fields of tokens


class _Codec(NamedTuple):
    """How the values of a field become JSON and come back."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


_SIDES: Final = {letter: side for side, letter in enumerate(SIDE_LETTERS)}
_PLAIN: Final = _Codec(lambda value: value, lambda value: value)
_SIDE: Final = _Codec(SIDE_LETTERS.__getitem__, _SIDES.__getitem__)
_CARD: Final = _Codec(CARD_LETTERS.__getitem__, CARDS.__getitem__)
_GROUP: Final = _Codec(GROUP_LETTERS.__getitem__, GROUPS.__getitem__)
_SOME_CARDS: Final = _Codec(letters, lambda text: tuple([CARDS[letter] for letter in text]))
_SOME_GROUPS: Final = _Codec(
    lambda groups: "".join([GROUP_LETTERS[group] for group in groups]),
    lambda text: tuple([GROUPS[letter] for letter in text]),
)
_MISSIONS: Final = _Codec(
    lambda missions: [_values(mission) for mission in missions],
    lambda missions: tuple(_read_values(t.Mission, mission) for mission in missions),
)

# One table for all tokens: a field of the same name holds the same kind of thing everywhere.
_FIELDS: Final = {
    **dict.fromkeys(("side", "winner"), _SIDE),
    **dict.fromkeys(("card", "draw"), _CARD),
    **dict.fromkeys(("group", "first", "second"), _GROUP),
    **dict.fromkeys(("cards", "cards_first", "cards_second", "seen", "hand", "rome", "egypt"), _SOME_CARDS),
    **dict.fromkeys(("hidden", "position", "reset", "kept", "blanks", "resets", "text", "kind", "count"), _PLAIN),
    "groups": _SOME_GROUPS,
    "missions": _MISSIONS,
}


@cache
def _codecs(cls: Any) -> tuple[tuple[str, _Codec], ...]:
    return tuple((field.name, _FIELDS[field.name]) for field in fields(cls))


_TYPES: Final = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower(): cls for cls in get_args(t.Token)}
_TYPE_NAMES: Final = {cls: name for name, cls in _TYPES.items()}


# ----------------------------------------------------------------------------------- what is wrong


def _tell(error: Any) -> str:
    """A schema's error for people. The schema describes each value; that says more than its patterns do."""
    shown = _shown(error.instance)
    match error.validator:
        case "required" | "dependentRequired":
            return error.message.replace(" is a required property", " is missing").replace(
                " is a dependency of ", " must be there along with "
            )
        case "additionalProperties":
            unknown = sorted(set(error.instance) - set(error.schema["properties"]))
            return f"unknown: {', '.join(map(repr, unknown))}"
        case "type":
            return f"{shown} is not {_JSON_TYPES[error.validator_value]}"
        case None:
            return "this must not be here"
        case "minItems":
            return "an empty list: leave it out"
    wanted = error.schema.get("description") or f"{error.validator} {error.validator_value}"
    return f"{shown} is not what belongs here: {wanted}"


_JSON_TYPES: Final = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
}


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"


def _first_difference(data: Any) -> JsonProblem:
    """Where JSON that fits the schema says something else than the text that it becomes."""
    try:
        games = parse(_through_bytes(write(_build(data))))
    except UnicodeEncodeError:
        return JsonProblem("$", "it holds a lone surrogate, which no text can hold")
    except (LookupError, TypeError, ValueError, RecursionError):
        return JsonProblem("$", "this can't be written in the notation")
    if games[0].too_large:
        return JsonProblem("$", games[0].problems[0].message)
    if len(games) > 1:
        return JsonProblem("$", "the notation would read this as several games: a line begins as a header does")
    path, wanted, got = next(_differences("$", data, to_json(games[0].record)), ("$", data, None))
    if path.startswith("$.headers"):
        return JsonProblem(path, "headers stand in the order, and are spelt as in, docs/notation.md: known ones first")
    return JsonProblem(path, f"the notation can't write this: {_shown(wanted)} would be read as {_shown(got)}")


def _differences(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            yield from _differences(f"{path}.{name}", one.get(name), other.get(name))
    elif isinstance(one, list) and isinstance(other, list):
        for place, (left, right) in enumerate(zip_longest(one, other)):
            yield from _differences(f"{path}[{place}]", left, right)
    elif one != other or type(one) is not type(other):
        yield path, one, other
