"""A game looked at on the desk is the page that ``tiro timeline`` writes, and shows nobody more than they saw."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pages import ANNOTATED, BROKEN, WHOLE
from scale import scaled
from tapping import begun, start_of, tapped, written_by
from tironian import load_edition, parse, simulate, view, write
from tironian.tools.cli.command_line import main
from tironian.tools.desk.desk import VERSION
from tironian.tools.desk.worker import DeskSession
from tironian.tools.recorder.draft import Draft
from tironian.tools.recorder.score_sheet import NARROW, score_sheet

answer = DeskSession().answer

LOGS = [ANNOTATED, *WHOLE[:: scaled(9, 1)], *BROKEN[:: scaled(12, 1)]]


def asked(**message: Any) -> dict[str, Any]:
    return json.loads(answer(json.dumps(message)))


def written(path: Path, *more: str) -> str:
    """The page that the command writes, which exits with 1 where the cards can be followed only part of the way."""
    result = CliRunner().invoke(main, ["timeline", str(path), "--format", "html", "-o", "-", *more])
    assert result.exit_code in (0, 1), result.stderr
    return result.stdout


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_page_is_that_of_the_command(path: Path):
    text = path.read_text(encoding="utf-8")
    seen = asked(ask="look", text=text)
    assert seen["page"] == written(path)
    assert seen["record"] == text
    assert seen["sheet"] == score_sheet(Draft.resumed(text), NARROW)


@pytest.mark.parametrize("viewpoint", ["arbiter", "caesar", "cleopatra", "table"])
def test_a_chosen_point_of_view_has_nothing_that_is_hidden_from_it(viewpoint: str):
    text = ANNOTATED.read_text(encoding="utf-8")
    seen = asked(ask="look", text=text, view=viewpoint)
    assert seen["page"] == written(ANNOTATED, "--as", viewpoint)
    assert parse(seen["record"])[0].record == view(parse(text)[0], viewpoint).record
    assert seen["sheet"] == score_sheet(Draft.resumed(seen["record"]), NARROW)


def test_only_those_who_saw_no_more_than_the_writer_can_look():
    log = write(view(simulate(load_edition("2024"), 3), "caesar").record)
    assert asked(ask="look", text=log)["views"] == ["caesar", "table"]
    refused = asked(ask="look", text=log, view="cleopatra")
    assert "did not see everything" in refused["fault"]
    assert "page" not in refused
    assert "fault" in asked(ask="look", text=log, view="nobody")


def test_what_has_no_page_says_why():
    assert "fault" in asked(ask="look", text="")


def test_of_a_record_that_names_no_rules_they_are_asked_for():
    bare = re.sub(r"\[Rules .*\]\n", "", ANNOTATED.read_text(encoding="utf-8"))
    assert asked(ask="look", text=bare) == {"page": None}
    assert asked(ask="look", text=bare, rules="2024")["page"]


def test_a_game_recorded_by_taps_is_looked_at_as_it_stands():
    record = written_by("caesar", "2024", 1)
    taps = [*tapped(begun(record, "caesar"), record)]
    journal = {"desk": VERSION, "start": start_of(record, "caesar"), "taps": taps}
    told = asked(ask="record", journal=journal)
    assert [game["verdict"] for game in told["games"]] == ["possible"]
    assert parse(told["text"])[0].record.turns == record.turns
    assert "page" in asked(ask="look", text=told["text"])


def test_in_tournament_mode_nothing_is_shown_until_the_game_is_over():
    start = {"rules": "2024", "view": "caesar", "headers": {}, "tournament": True}
    journal = {"desk": VERSION, "start": start, "taps": [{"tap": "text", "text": "0R 1P 2Q 3A 4K 5C"}]}
    refused = asked(ask="record", journal=journal)
    assert "tournament mode" in refused["fault"]
    assert refused.keys() == {"fault"}
    journal["taps"].append({"tap": "choice", "choice": "/end normal"})
    assert "text" in asked(ask="record", journal=journal)
