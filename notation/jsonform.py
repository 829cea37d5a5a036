"""Records as JSON and back, without loss, as described by schemas/record.schema.json.

Names are the names of the classes' fields; cards, groups and sides are the letters of the notation; fields that were
not written are absent. JSON is valid only if :func:`to_json` could have written it and the notation can express it, so
text → JSON → text and JSON → text → JSON both return the original.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from functools import cache, partial
from itertools import zip_longest
from types import SimpleNamespace
from typing import Any, Final, get_args

from ..schemas import load_schema, whole_numbers
from . import tokens as t
from .classes import dataclass
from .language import Messages, phrase, sense
from .reader import parse
from .record import Comment, Follower, Game, Record, Result, Turn
from .safe_text import as_json
from .source import HEAD, foreign
from .tokens import LETTERED, Codec, FieldType, field_kinds
from .writer import write

FORMAT: Final = "tironian-record"
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class JsonProblem:
    """A problem in JSON that should be a record: where it is (``$.turns[3].tokens[0].card``), and what it is."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class InvalidJsonError(ValueError):
    """Raised if JSON is not a record; ``problems`` says why, each with its ``path`` and ``message``.

    >>> tironian.from_json({"format": "tironian-record", "version": 1, "headers": []})
    Traceback (most recent call last):
    ...
    InvalidJsonError: $: 'turns' is missing
    """

    def __init__(self, problems: list[JsonProblem]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "; ".join(map(str, self.problems))


def to_json(record: Record) -> dict[str, Any]:
    """Return a record as JSON values, as described in the JSON Schema ``record``.

    >>> tironian.to_json(record)["turns"][2]["number"]
    1
    """
    return {"format": FORMAT, "version": VERSION, **_values(record)}


def from_json(data: Any) -> Record:
    """Return the record that JSON values describe. Raise InvalidJsonError if they are not a record, or not one that can
    be written.

    >>> tironian.from_json(tironian.to_json(record)) == record
    True
    """
    problem = JsonProblem("$", phrase("this can't be written in the notation"))
    try:
        data = whole_numbers(data)
        record = _read(Record, data)
        games = parse(_through_bytes(write(record)))
        # They are compared as text too, since 0 and false are equal in Python.
        if [game.record for game in games] == [record] and _sorted(to_json(games[0].record)) == _sorted(data):
            return record
        problem = _first_difference(data, games)
    except UnicodeEncodeError:
        problem = JsonProblem("$", phrase("it holds a lone surrogate, which no text can hold"))
    except RecursionError:
        raise InvalidJsonError([JsonProblem("$", phrase("it is nested too deeply"))]) from None
    # Anything strange about the data makes some step fail; the schema then says what is wrong.
    except (LookupError, TypeError, ValueError, AttributeError):
        pass
    raise InvalidJsonError(problems_by_schema("record", data, "#/$defs/record") or [problem])


def problems_by_schema(name: str, data: Any, part: str = "#") -> list[JsonProblem]:
    """Return what is wrong with values according to the schema ``name``, or a part of it."""
    schema, data = load_schema(name), whole_numbers(data)
    if part != "#":
        schema = {"$ref": part, "$defs": schema["$defs"]}
    try:
        from jsonschema import Draft202012Validator  # late: this takes longer than everything else here

        errors: Iterator[Any] = Draft202012Validator(schema).iter_errors(data)
    except ImportError:  # as in a browser
        errors = _plain_errors(schema, data, schema["$defs"])
    return [JsonProblem(error.json_path, _schema_error_text(error)) for error in errors]


_TYPES_OF: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)
}  # fmt: skip
_BROKEN: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "type": lambda given, name: (
        not isinstance(given, _TYPES_OF[name]) or (name != "boolean" and isinstance(given, bool))
    ),
    "enum": lambda given, values: given not in values,
    "const": lambda given, value: given != value or isinstance(given, bool) != isinstance(value, bool),
    "pattern": lambda given, form: isinstance(given, str) and not re.search(form, given),
    "minLength": lambda given, least: isinstance(given, str) and len(given) < least,
    "maxLength": lambda given, most: isinstance(given, str) and len(given) > most,
    "maxItems": lambda given, most: isinstance(given, list) and len(given) > most,
    "minimum": lambda given, least: isinstance(given, int | float) and given < least,
    "maximum": lambda given, most: isinstance(given, int | float) and given > most,
}
"""Keyword of a schema → whether a value breaks it, for the keywords in the schema of an event."""


def _plain_errors(
    schema: dict[str, Any], given: Any, parts: dict[str, Any], path: str = "$"
) -> Iterator[SimpleNamespace]:
    """Yield what is wrong with a value according to a schema with simple keywords, as jsonschema does."""

    def error(keyword: str, value: Any, message: str = "") -> SimpleNamespace:
        about = {"validator": keyword, "validator_value": value, "instance": given, "schema": schema}
        return SimpleNamespace(json_path=path, message=message, **about)

    for keyword, value in schema.items():
        if keyword == "$ref":
            yield from _plain_errors(parts[value.rpartition("/")[2]], given, parts, path)
        elif keyword == "properties" and isinstance(given, dict):
            for name in [name for name in value if name in given]:
                step = f".{name}" if name.isidentifier() else f"['{name}']"
                yield from _plain_errors(value[name], given[name], parts, path + step)
        elif keyword == "items" and isinstance(given, list):
            for at, each in enumerate(given):
                yield from _plain_errors(value, each, parts, f"{path}[{at}]")
        elif keyword == "required" and isinstance(given, dict):
            yield from (error(keyword, value, f"{key!r} is a required property") for key in value if key not in given)
        elif keyword == "additionalProperties" and isinstance(given, dict):
            if given.keys() - schema["properties"]:
                yield error(keyword, value)
        elif keyword in _BROKEN and _BROKEN[keyword](given, value):
            yield error(keyword, value)


def _sorted(data: Any) -> str:
    return json.dumps(data, sort_keys=True)


def _through_bytes(text: str) -> str:
    """Return the text as it would be read back from a file. Raise ValueError if no file can hold it."""
    data = text.encode("utf-8", "surrogateescape")
    if b"\0" in data or foreign(data[:HEAD]):
        raise ValueError("a file that begins like this, or holds NUL bytes, is not read as text")
    return data.decode("utf-8", "surrogateescape")


def _values(thing: Any) -> dict[str, Any]:
    """Return the fields that have a value, of a token or of anything else in a record."""
    return {
        name: codec.write(value)
        for name, codec, default in _codecs(type(thing))
        if (value := getattr(thing, name)) is not None and (name in _ALWAYS or value != default)
    }


def _read(cls: Callable[..., Any], data: Any) -> Any:
    return cls(**{name: codec.read(data[name]) if name in data else default for name, codec, default in _codecs(cls)})


def _each(codec: Codec) -> Codec:
    return Codec(lambda values: list(map(codec.write, values)), lambda data: tuple(map(codec.read, data)))


def _object(cls: type) -> Codec:
    return Codec(_values, partial(_read, cls))


def _row(**codecs: Codec) -> Codec:
    """Return the codec for several values, each with its name in JSON."""
    return Codec(
        lambda row: {name: codec.write(value) for (name, codec), value in zip(codecs.items(), row, strict=True)},
        lambda data: tuple([codec.read(data[name]) for name, codec in codecs.items()]),
    )


_PLAIN: Final = Codec(lambda value: value, lambda value: value)
_SIDE: Final = LETTERED[FieldType.SIDE]
_TYPED: Final = Codec(
    lambda thing: {"type": _TYPE_NAMES[type(thing)], **_values(thing)}, lambda data: _read(_TYPES[data["type"]], data)
)
"""The codec for a value of one of several kinds."""

_SORTS: Final = {
    **LETTERED,
    FieldType.MISSIONS: _each(_object(t.Mission)),
    **dict.fromkeys((FieldType.FACE, FieldType.VALUE, FieldType.TEXT), _PLAIN),
}
"""Type of a token's field → its codec."""
_FIELDS: Final[dict[Any, Codec]] = {
    **dict.fromkeys(("number", "decision", "points", "text", "kind", "count", (Comment, "after")), _PLAIN),
    **dict.fromkeys(("side", "winner"), _SIDE),
    **dict.fromkeys(("marks", "codes"), _each(_PLAIN)),
    **dict.fromkeys(("tokens", "preface", "after"), _each(_TYPED)),
    "group": LETTERED[FieldType.GROUP],
    "notes": _each(_object(Comment)),
    "turn": _object(Turn),
    "turns": _each(_object(Turn)),
    "result": _object(Result),
    "headers": _each(_row(name=_PLAIN, value=_PLAIN)),
    "verdicts": _each(_row(side=_SIDE, fulfilled=_each(_PLAIN))),
    (Result, "points"): _row(rome=_PLAIN, egypt=_PLAIN),
}
"""The fields of everything else; with two exceptions, fields with the same name hold the same kind of value everywhere.
"""
_ALWAYS: Final = ("headers", "turns", "cards")
"""Fields that are written even if they are empty."""


@cache
def _codecs(cls: Any) -> tuple[tuple[str, Codec, Any], ...]:
    """Return the name of each field, its codec, and the value that it has if it is absent."""
    known = [(each.name, None if each.default is MISSING else each.default) for each in fields(cls) if each.compare]
    if cls in t.KINDS:
        return tuple((name, _SORTS[field_kinds(cls)[name].field_type], default) for name, default in known)
    return tuple((name, _FIELDS.get((cls, name)) or _FIELDS[name], default) for name, default in known)


_TYPES: Final = {
    re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__).lower(): cls for cls in (*get_args(t.Token), *get_args(Follower))
}
_TYPE_NAMES: Final = {cls: name for name, cls in _TYPES.items()}


def _schema_error_text(error: Any) -> str:
    """Return a schema's error in words. The schema describes each value, and a description says more than a pattern."""
    shown = _shown(error.instance)
    match error.validator:
        case "required":
            return phrase("{name} is missing", name=error.message.removesuffix(" is a required property"))
        case "dependentRequired":
            name, _, other = error.message.partition(" is a dependency of ")
            return phrase("{name} must be there along with {other}", name=name, other=other)
        case "additionalProperties":
            unknown = sorted(set(error.instance) - set(error.schema["properties"]))
            return phrase("unknown: {names}", names=", ".join(map(repr, unknown)))
        case "type":
            return phrase(_JSON_TYPES[error.validator_value], value=shown)
        case None:
            return phrase("this must not be here")
        case "minItems":
            return phrase("an empty list: leave it out")
    wanted = error.schema.get("description") or f"{error.validator} {error.validator_value}"
    return phrase("{value} does not belong here: {wanted}", value=shown, wanted=wanted)


_JSON_TYPES: Final[Messages] = {
    "object": "{value} is not an object",
    "array": "{value} is not a list",
    "string": "{value} is not a text",
    "integer": "{value} is not a whole number",
    "number": "{value} is not a number",
    "boolean": "{value} is not true or false",
}


def _shown(value: Any) -> str:
    if value is None:
        return sense("a value that is missing", "nothing")
    # A tuple with one text holds the words for what JSON lacks.
    said = value[0] if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], str) else ""
    text = said or as_json(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _first_difference(data: Any, games: list[Game]) -> JsonProblem:
    """Return the first place where JSON differs from the games that would be read from its text."""
    if games[0].too_large:
        return JsonProblem("$", games[0].problems[0].message)
    if len(games) > 1:
        return JsonProblem("$", phrase("the notation would read this as several games: a line begins like a header"))
    path, wanted, got = next(_differences("$", data, to_json(games[0].record)), ("$", data, None))
    if path.startswith("$.headers"):
        problem = phrase("headers must have the order and spelling given in docs/notation.md, known ones first")
        return JsonProblem(path, problem)
    fields = {"value": _shown(wanted), "other": _shown(got)}
    return JsonProblem(path, phrase("the notation can't write this: {value} would be read as {other}", **fields))


def _differences(path: str, one: Any, other: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            yield from _differences(f"{path}.{name}", one.get(name), other.get(name))
    elif isinstance(one, list) and isinstance(other, list):
        for place, (left, right) in enumerate(zip_longest(one, other)):
            yield from _differences(f"{path}[{place}]", left, right)
    elif one != other or type(one) is not type(other):
        yield path, one, other
