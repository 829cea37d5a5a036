"""What a schema accepts is read, or refused with its place and a reason; and what is read says the same."""

from __future__ import annotations

import copy
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
import tironian
from archives import tiro
from jsonschema import Draft202012Validator
from scale import scaled
from tironian.schemas import load_schema, parsed, schema_names
from tironian.tools.event.plan import plan_text, read_plan
from tironian.tools.recorder import journal
from tironian.tools.storage import CannotRun

STRINGS = [
    "", "?", "a\nb", "a\rb", "\0", " a", "a ", "a}b", "\ud800", "\udcfc", "\\", '"', "5A", '[A "b"]', "\u2028", "34",
    "*",
]  # fmt: skip
NUMBERS = [0, 1, 2, -1, 1.0, 2.0, 1e0, -0.0, 1.5, 1e300, 10**30, float("nan"), float("inf"), True, False]
OTHERS = [None, [], {}, [[]], {"type": "place"}]


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(load_schema(name))


def made(schema: Any, rng: Random, parts: dict[str, Any], depth: int = 0) -> Any:
    """Make a value that a schema may accept: most of it as described, some of it strange."""
    if rng.random() < 0.02:
        return rng.choice(STRINGS + NUMBERS + OTHERS)
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return made({**schema, word: [], **rng.choice(schema[word])}, rng, parts, depth) if schema[word] else 0
    if "$ref" in schema:
        return made(parts[schema["$ref"].rpartition("/")[2]], rng, parts, depth)
    if "const" in schema or "enum" in schema:
        return rng.choice(schema.get("enum", [schema.get("const")]))
    kind = schema.get("type", "object")
    kind = rng.choice(kind) if isinstance(kind, list) else kind
    if kind == "array":
        least = schema.get("minItems", 0)
        return [
            made(schema.get("items", {}), rng, parts, depth + 1)
            for _ in range(least + rng.randrange(3 if depth < 4 else 1))
        ]
    if kind == "object":
        needed = schema.get("required", [])
        names = [
            name
            for name in schema.get("properties", {})
            if name in needed or rng.random() < (0.5 if depth < 4 else 0.1)
        ]
        return {name: made(schema["properties"][name], rng, parts, depth + 1) for name in names}
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", 0), schema.get("maximum", 30)
        return rng.choice([low, high, rng.randint(int(low), int(high)), float(rng.randint(int(low), int(high)))])
    if kind == "boolean":
        return rng.random() < 0.5
    return text_of(schema.get("pattern", ""), rng)


LETTERS = [
    "", "R", "E", "1", "34", "A", "AQ", "5p", "543", "@0:04:10", "!", "$4", "R204", "Event", "a text", "0.5",
    "2026.03.12",
]  # fmt: skip


def text_of(pattern: str, rng: Random) -> str:
    fitting = [text for text in LETTERS + STRINGS if re.search(pattern, text)]
    return rng.choice(fitting or LETTERS)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value in a value."""
    yield path
    for name, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(one, (*path, name))


def changed(value: Any, rng: Random) -> Any:
    """Return a value with a strange value in one or two places, or a name too many or too few."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2))):
        *path, last = rng.choice([place for place in places(value) if place])
        within = value
        for step in path:
            within = within[step]
        old, roll = within[last], rng.random()
        if isinstance(old, int) and roll < 0.6:
            within[last] = rng.choice([float(old), bool(old), old + 0.5, *NUMBERS])
        elif roll < 0.1:
            del within[last]
        elif roll < 0.2 and isinstance(within, dict):
            within["surplus"] = rng.choice(OTHERS)
        else:
            within[last] = rng.choice(STRINGS + NUMBERS + OTHERS)
    return value


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same JSON, in which 1 and 1.0 are one number, but true is none."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other and isinstance(one, bool) == isinstance(other, bool)


GAMES = [
    tironian.to_json(record)
    for record in [
        tironian.simulate(tironian.load_edition("2024"), 3),
        tironian.simulate(tironian.load_edition("1997"), 4),
        *[
            game.record
            for game in tironian.parse(
                '[Rules "2024"]\n; why\n1R {a} 5A sQ(4) @0:04:10 !?\n   | 1R 5Q\n   % E penalty 2 R204: so\n'
                "17-13>E mR+- ; b\n"
            )
        ],
    ]
]
RECORD = {**load_schema("record")["$defs"]["record"]}


def record_value(seed: int) -> Any:
    rng = Random(seed)
    if seed % 2:
        return made(RECORD, rng, load_schema("record")["$defs"])
    value = copy.deepcopy(rng.choice(GAMES))
    del value["turns"][rng.randrange(1, len(value["turns"]) + 1) :]
    return changed(value, rng)


@pytest.mark.parametrize("seed", range(scaled(150, 20_000)))
def test_what_the_schema_of_a_record_accepts_is_read_or_refused_with_its_place(seed: int):
    value = record_value(seed)
    before = copy.deepcopy(value)
    accepted = validator("record").is_valid([value]) if isinstance(value, dict) else False
    problems: list[Any] = []
    try:
        record = tironian.from_json(value)
    except tironian.InvalidJsonError as error:
        problems = error.problems
        record = tironian.Record()
    if problems:
        assert all(problem.path.startswith("$") and problem.message for problem in problems)
        whole = ("surrogate", "can't be written", "several games")  # what is wrong with the record as a whole
        assert not accepted or problems[0].path != "$" or any(why in problems[0].message for why in whole)
    else:
        assert accepted
        assert same(tironian.to_json(record), value)
        assert tironian.parse(tironian.write(record))[0].record == record
    assert str(before) == str(value)  # what was given is not changed


@pytest.mark.parametrize("number", ["1", "1.0", "1e0", "10e-1", "100E-2"])
def test_a_whole_number_may_be_written_in_any_way(number: str, tmp_path):
    text = (
        json.dumps(GAMES[0])
        .replace('"number": 1,', f'"number": {number},')
        .replace('"version": 1', f'"version": {number}')
    )
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    run = tiro("convert", path)
    assert (run.exit_code, run.stdout) == (0, tironian.write(tironian.from_json(GAMES[0])))
    path.write_bytes(text.replace(f'"number": {number},', '"number": 1.5,', 1).encode())
    run = tiro("convert", path)
    assert run.exit_code == 2
    assert "$.turns[2].number: 1.5 is not a whole number" in run.stderr


@pytest.mark.parametrize(
    "text",
    [
        '{"format": 1, "format": 2}', "[" * 100_000, '{"turns": NaN}', '"\\ud800"', "null", "1.0", "1" * 5000,
        '{"a": 1e999}',
    ],
    ids=range(8),
)  # fmt: skip
def test_json_that_is_no_record_is_refused_in_a_sentence(text: str, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    run = tiro("convert", path)
    assert (run.exit_code, run.stdout, run.stderr[:7], "T001" in run.stderr) == (2, "", "Error: ", False), run.stderr


def test_deep_nesting_is_refused_by_the_library():
    value: Any = []
    for _ in range(5_000):
        value = [value]
    with pytest.raises(tironian.InvalidJsonError, match="nested too deeply"):
        tironian.from_json({**GAMES[0], "headers": value})


EVENT = """format = "tironian-event"
version = 1
rounds = 2
players = [{ name = "Livia" }, { name = "Marcus", aliases = ["M."] }]
pairings = [{ round = 1, table = 1, caesar = "Livia", cleopatra = "Marcus" }]
[points]
draw = 0.5
"""


@pytest.mark.parametrize("seed", range(scaled(50, 4_000)))
@pytest.mark.parametrize("plain", [False, True], ids=["jsonschema", "browser"])
def test_what_the_schema_of_an_event_accepts_is_read_or_refused(
    seed: int, plain: bool, monkeypatch: pytest.MonkeyPatch
):
    if plain:
        monkeypatch.setitem(sys.modules, "jsonschema", None)
    value = tomllib.loads(EVENT)
    value = changed(value, Random(seed)) if seed else {**value, "rounds": 2.0, "version": 1.0}
    if re.search(r"\\ud", json.dumps(value)):
        return  # no TOML holds this
    monkeypatch.setattr("tironian.tools.event.plan.tomllib.loads", lambda _: value)
    accepted = validator("event").is_valid(value)
    try:
        plan = read_plan("")
    except CannotRun:
        pass
    else:
        assert accepted, value
        assert all(type(pairing.round) is type(pairing.table) is int for pairing in plan.pairings)
        monkeypatch.undo()
        assert same(tomllib.loads(plan_text(plan.data)), plan.data)


def test_a_trail_is_read_as_its_schema_says():
    at = "2026-03-12T19:30:00+01:00"
    texts = ["1E 5A\n", "1E 5Q\n", "1E 5C\n", "1E 5A\n"]
    values: list[dict[str, Any]] = [{"format": "tironian-trail", "version": 1.0, "at": at, "text": texts[0]}]
    for was, now in pairwise(texts):
        entry = {"at": at, "what": "word", "turn": "1E", "line": 1.0, "was": [was.rstrip()], "now": [now.rstrip()]}
        values.append({**entry, "sum": journal.digest(now)})
    values[-1] |= {"what": "undo", "steps": 2.0}
    assert all(map(validator("trail").is_valid, values))
    read, _, damage, _ = journal.read("".join(f"{json.dumps(value)}\n" for value in values).encode())
    assert read is not None
    assert (read.text, damage) == (texts[-1], "")


@pytest.mark.parametrize("name", schema_names())
def test_a_kept_file_is_read_or_not_taken_for_one(name: str):
    """Whatever stands in a file that is kept beside others, reading it never fails."""
    schema = load_schema(name)
    for seed in range(scaled(10, 300)):
        value = made(schema, Random(seed), schema.get("$defs", {}))
        value = json.loads(json.dumps(value), parse_constant=lambda _: None)
        data = parsed(name, json.dumps(value).encode())
        assert same(data, value if validator(name).is_valid(value) else None)
