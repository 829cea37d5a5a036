"""``tiro timeline``: forms, points of view, filters, and ends."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from scale import FULL
from schema_parts import closed_schema
from tironian import VIEWS, Comment, Timeline, Untold, parse, timeline
from tironian.replay.story.annotation_kinds import ANNOTATION_KINDS
from tironian.tools.cli.command_line import main

HOME = Path(__file__).parents[2] / "examples"
GAMES = sorted(HOME.glob("*/*.tiro"))
ANNOTATED = HOME / "2024" / "annotated.tiro"


def tiro(*args: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin.encode())


def told(path: Path, view: str = "") -> Timeline:
    return timeline(parse(path.read_text(encoding="utf-8"), path.name)[0], view)


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


@pytest.mark.parametrize("view", ["caesar", "cleopatra", "table"])
@pytest.mark.parametrize("form", ["text", "md", "json", "csv"])
def test_who_sees_less_is_told_less(form: str, view: str):
    """Missions and remarks of the arbiter's record; tests/property/test_views.py looks at everything else."""
    shown = tiro("timeline", ANNOTATED, "--format", form, "--as", view)
    assert shown.exit_code == 0
    assert ("a patrician of every group" in shown.stdout) is (view == "caesar")
    assert ("all Praetors" in shown.stdout) is (view == "cleopatra")
    assert "The scout shows him" not in shown.stdout


def test_only_some_annotations():
    whole = json.loads(tiro("timeline", ANNOTATED, "--format", "json").stdout)
    some = json.loads(tiro("timeline", ANNOTATED, "--format", "json", "--only", "veto", "--only", "tie").stdout)
    kinds = {each["kind"] for entry in some["turns"] for each in entry["annotations"]}
    assert kinds == {"veto", "tie"}
    everything = [each for entry in whole["turns"] for each in entry["annotations"]]
    left = [each for entry in some["turns"] for each in entry["annotations"]]
    assert left == [each for each in everything if each["kind"] in kinds]
    assert tiro("timeline", ANNOTATED, "--only", "luck").exit_code == 2


def test_csv_is_a_table_in_which_no_cell_is_a_formula():
    rows = [*csv.DictReader(tiro("timeline", ANNOTATED, "--format", "csv").stdout.splitlines())]
    assert len({len(row) for row in rows}) == 1
    events = sum(len(entry.events) or 1 for entry in told(ANNOTATED).entries)
    assert len(rows) == events
    assert not [cell for row in rows for cell in row.values() if cell[:1] in tuple("=+-@")]
    patricians = {name: int(rows[-1][f"{name}_patricians"]) for name in ("rome", "egypt")}
    assert sum(patricians.values()) <= 21
    assert (rows[-1]["rome_points"], rows[-1]["egypt_points"]) == ("16", "12")


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


def test_a_record_that_stops_is_told_as_far_as_it_goes_and_listed_to_its_end():
    path = HOME / "broken" / "missing-turn.tiro"
    result = tiro("timeline", path)
    assert result.exit_code == 1
    assert re.search(r"can't be followed beyond \d+[RE]; tiro check says why", result.stderr)
    statuses = [entry.status for entry in told(path).entries]
    assert statuses[:3] == ["set-up", "set-up", "played"]
    assert statuses[-1] == "not followed"
    assert sorted(statuses, key=["set-up", "played", "not followed"].index) == statuses


def test_a_page_offers_the_eyes_of_who_knew_no_more_than_the_recorder(tmp_path: Path):
    """With --as it holds one point of view, and nothing that is hidden from it."""
    target = tmp_path / "game.html"
    assert tiro("timeline", ANNOTATED, "--format", "html", "-o", target).exit_code == 0
    whole = target.read_text(encoding="utf-8")
    assert "a patrician of every group" in whole
    assert "Spectator" in whole
    table = tiro("timeline", ANNOTATED, "--format", "html", "--as", "table").stdout
    assert "a patrician of every group" not in table
    assert 'id="others"' in whole
    assert 'id="others"' not in table, "nothing is packed for other eyes"
    picture = tiro("timeline", ANNOTATED, "--format", "svg").stdout
    assert picture.startswith("<svg ")


def test_unknown_rules_and_missing_games():
    text = ANNOTATED.read_text(encoding="utf-8").replace('"2024"', '"1066"', 1)
    assert tiro("timeline", "-", stdin=text).exit_code == 2
    assert "--rules" in tiro("timeline", "-", stdin=text).stderr
    assert tiro("timeline", "-", "--rules", "2024", stdin=text).exit_code == 0
    assert tiro("timeline", ANNOTATED, "--game", "2").exit_code == 2
    with pytest.raises(Untold):
        timeline(parse(text)[0])


def test_remarks_of_one_s_own_point_of_view_are_shown():
    """A spectator's record holds nothing that a spectator may not see, so its comments stay."""
    path = HOME / "2024" / "seen-from-the-table.tiro"
    record = parse(path.read_text(encoding="utf-8"))[0].record
    comments = [note for turn in record.turns for note in (*turn.notes, *turn.after) if isinstance(note, Comment)]
    assert comments
    assert told(path).withheld == told(path, "caesar").withheld == 0


def test_every_kind_is_explained():
    page = (HOME.parent / "docs" / "analysis.md").read_text(encoding="utf-8")
    assert all(f"`{kind}`" in page for kind in ANNOTATION_KINDS)
