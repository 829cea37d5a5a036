"""Everything that a command writes as JSON is valid by the schema that ``tiro schema`` prints for it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from schema_parts import CLOSED, DERIVED, FOLDER, closed_schema, schema_text
from tironian import InvalidJsonError, from_json
from tironian.schemas import load_schema, schema_names
from tironian.tools.cli.command_line import main

ROOT = Path(__file__).parents[2]
GAME = (ROOT / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")


def written(*args: str, stdin: str = "") -> object:
    return json.loads(CliRunner().invoke(main, args, input=stdin.encode()).stdout)


@pytest.mark.parametrize("names", [(), ("fr",), ("1997", "fr")])
def test_rules(names: tuple[str, ...]):
    judge = Draft202012Validator(closed_schema("edition"))
    judge.check_schema(closed_schema("edition"))
    data = written("rules", *names, "--format", "json")
    judge.validate(data)
    some = data[0] if isinstance(data, list) else data
    assert isinstance(some, dict)
    some["luck"] = 1
    assert not judge.is_valid(data)
    assert not judge.is_valid("edition")


@pytest.mark.parametrize("games", [1, 3])
def test_records(games: int):
    judge = Draft202012Validator(load_schema("record"))
    data = written("convert", "-", stdin="\n".join([GAME] * games))
    judge.validate(data)
    some = data[-1] if isinstance(data, list) else data
    assert isinstance(some, dict)
    del some["headers"]
    assert not judge.is_valid(data)


@pytest.mark.parametrize("name", schema_names())
def test_a_schema_is_found_by_its_identifier(name: str):
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    assert re.fullmatch(f"urn:tironian:schema:{name}:[1-9]", schema["$id"])
    assert written("schema", schema["$id"]) == schema
    named = schema["properties"].get("$schema") if "properties" in schema else None
    assert named is None or named["const"] == schema["$id"]


@pytest.mark.parametrize("name", schema_names())
def test_readers_of_what_may_grow_pass_over_new_fields(name: str):
    """Only forms that are read back and written again are closed: there a field that is dropped is data lost."""
    published, closed = json.dumps(load_schema(name)), json.dumps(closed_schema(name))
    assert ('"additionalProperties": false' in published) == (name in CLOSED)
    assert '"additionalProperties": false' in closed
    Draft202012Validator.check_schema(closed_schema(name))


def test_a_report_with_a_new_field_is_valid_for_readers_alone():
    report = written("check", "-", "--format", "json", stdin=GAME)
    assert isinstance(report, dict)
    report["games"][0]["weather"] = "rain"
    assert Draft202012Validator(load_schema("report")).is_valid(report)
    assert not Draft202012Validator(closed_schema("report")).is_valid(report)


@pytest.mark.parametrize("name", DERIVED)
def test_cards_and_tokens_are_those_of_the_tables(name: str):
    assert (FOLDER / f"{name}.schema.json").read_text(encoding="utf-8") == schema_text(name), "run: make schemas"


def test_no_address_is_invented():
    """No address in the program is one of those that are reserved for examples."""
    invented = re.compile(r"://[\w.-]*\b(example|invalid|test)\b")
    for folder in ("grammar", "notation", "replay", "tools", "schemas", "library"):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix not in (".pyc", ".woff2", ".npz"):
                assert not invented.search(path.read_text(encoding="utf-8")), path


def test_one_record_is_no_array():
    with pytest.raises(InvalidJsonError) as refused:
        from_json([])
    assert [str(problem) for problem in refused.value.problems] == ["$: [] is not an object"]
