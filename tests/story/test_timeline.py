"""``tiro timeline``: forms, points of view, filters, and ends."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from scale import FULL
from schema_parts import closed_schema
from tironian import VIEWS, parse
from tironian.replay.story.annotation_kinds import ANNOTATION_KINDS
from tironian.tools.cli.command_line import main

HOME = Path(__file__).parents[2] / "examples"
GAMES = sorted(HOME.glob("*/*.tiro"))
ANNOTATED = HOME / "2024" / "annotated.tiro"


def tiro(*args: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin.encode())


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    return Draft202012Validator(closed_schema("timeline"))


CASES = [
    (path, view)
    for number, path in enumerate(GAMES)
    for view in (VIEWS if FULL or path.stem == "annotated" else (VIEWS[number % len(VIEWS)],))
]
"""All points of view of one game of each rule set, and one of each other example."""


@pytest.mark.parametrize(("path", "view"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_json_is_valid_and_nothing_is_left_out(path: Path, view: str, schema: Draft202012Validator):
    result = tiro("timeline", path, "--format", "json", "--as", view)
    if result.exit_code == 2:
        assert "the set-up is incomplete or can't be followed" in result.stderr
        return
    data = json.loads(result.stdout)
    schema.validate(data)
    record = parse(path.read_text(encoding="utf-8"))[0].record
    assert [entry["turn"] for entry in data["turns"]] == [turn.label for turn in record.turns]
    remarks = sum(len(entry["remarks"]) for entry in data["turns"]) + len(data["preface"]) + len(data["epilogue"])
    written = sum(len(turn.notes) + len(turn.after) for turn in record.turns) + len(record.preface)
    written += len(record.result.after) if record.result else 0
    if data["withheld"]:
        written += len(record.result.notes) if record.result else 0
        written += len(record.headers) - len(data["headers"])
    else:
        assert len(record.headers) == len(data["headers"])
    assert remarks + data["withheld"] == written
    for entry, turn in zip(data["turns"], record.turns, strict=True):
        assert entry["marks"] == list(turn.marks)
        if entry["status"] == "played" and not data["stopped"]:
            assert len(entry["events"]) == len(turn.tokens)
        done = [event["token"] for event in entry["events"]]
        if entry["status"] != "set-up":
            assert entry["notation"] == " ".join(filter(None, [turn.label, *done, entry["rest"]]))


def test_only_some_annotations():
    whole = json.loads(tiro("timeline", ANNOTATED, "--format", "json").stdout)
    some = json.loads(tiro("timeline", ANNOTATED, "--format", "json", "--only", "veto", "--only", "tie").stdout)
    kinds = {each["kind"] for entry in some["turns"] for each in entry["annotations"]}
    assert kinds == {"veto", "tie"}
    everything = [each for entry in whole["turns"] for each in entry["annotations"]]
    left = [each for entry in some["turns"] for each in entry["annotations"]]
    assert left == [each for each in everything if each["kind"] in kinds]
    assert tiro("timeline", ANNOTATED, "--only", "luck").exit_code == 2


def test_strangers_text_is_only_text():
    hostile = ANNOTATED.read_text(encoding="utf-8").replace("Marta Lindqvist", "=HYPERLINK(1) # *b* <b>\x1b[31m")
    hostile = hostile.replace("; a tie: the cards stay", "; =cmd|x \u202e `code` | pipe")
    plain = tiro("timeline", "-", stdin=hostile).stdout
    assert "\x1b" not in plain
    assert "\u202e" not in plain
    marked = tiro("timeline", "-", "--format", "md", stdin=hostile).stdout
    assert "\\# \\*b\\* \\<b\\>" in marked
    assert "\\`code\\` \\| pipe" in marked
    rows = [*csv.DictReader(tiro("timeline", "-", "--format", "csv", stdin=hostile).stdout.splitlines())]
    assert any("=cmd" in row["remarks"] for row in rows)
    assert not any(row["remarks"].startswith("=") for row in rows)


def test_every_kind_is_explained():
    page = (HOME.parent / "docs" / "analysis.md").read_text(encoding="utf-8")
    assert all(f"`{kind}`" in page for kind in ANNOTATION_KINDS)
