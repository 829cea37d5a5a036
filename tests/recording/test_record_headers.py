"""What ``/header`` answers: what was set or removed, which names there are, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from test_record_filled import SET_UP, recorder_at
from tironian import VIEWS, load_edition, parse
from tironian.replay.cli.command_line import main
from tironian.replay.recording.commands import Unheeded, obey
from tironian.replay.recording.questions import blank, faults, questions


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Site Cologne", ["Site is now “Cologne”"]),
        ("site Cologne", ["Site is now “Cologne”"]),
        ("Foo bar", ["Foo is now “bar”; Foo is no known header, /header alone lists them"]),
        ("Date tomorrow", ["Date is now “tomorrow”", "Date can't be “tomorrow” [H204]"]),
        ("View", ["View is removed"]),
    ],
)
def test_what_was_set_is_said(typed: str, said: list[str]):
    assert obey(recorder_at(SET_UP), f"/header {typed}") == said


def test_without_a_name_the_headers_are_listed():
    recorder = recorder_at(SET_UP)
    before = recorder.draft.text
    (said,) = obey(recorder, "/header")
    assert said.startswith("the headers are Rules, Event, Site, Date, Round, Caesar, Cleopatra, ")
    with pytest.raises(Unheeded, match="there is no header Foo to be removed; /header alone lists the names"):
        obey(recorder, "/header Foo")
    assert recorder.draft.text == before


def test_what_the_table_agrees_on_is_accepted_from_then_on():
    recorder = recorder_at(SET_UP + "1E (1)A\n")
    assert not recorder.enter("(2)Q")
    (told,) = obey(recorder, "/header HouseRules R210 R208: either card may lie face down")
    assert told == "HouseRules is now “R210 R208: either card may lie face down”"
    assert recorder.enter("(2)Q +12")
    assert not recorder.is_broken
    assert "\n1E (1)A (2)Q +12\n" in recorder.draft.text
    (said,) = obey(recorder_at(SET_UP), "/header HouseRules two cards")[1:]
    assert said == "HouseRules: “two cards” is not a code with a name [H215]"


def test_what_the_recorder_sees_is_asked_first():
    first = questions(load_edition("2024"), "2026.05.31")[0]
    assert (first.name, first.default) == ("View", "table")
    assert all(view in first.words for view in VIEWS)


@pytest.mark.parametrize(
    ("answer", "wanted"), [("", "table"), ("Caesar", "caesar"), ("arbiter", ""), ("table", "table")]
)
def test_the_answer_is_the_view(answer: str, wanted: str):
    text = blank("2024", {"View": answer}, "2026.05.31")
    assert parse(text)[0].record.header("View") == wanted
    assert not faults(text)


def test_another_answer_is_told_what_to_write():
    (told,) = faults(blank("2024", {"View": "spectator"}, "2026.05.31"))
    assert "use one of arbiter, caesar, cleopatra, table" in told


@pytest.mark.parametrize(
    ("said", "wanted"), [([], ""), (["--as", "table"], "table"), (["--header", "View=caesar"], "caesar")]
)
def test_who_can_not_be_asked_knows_all_cards_unless_told_otherwise(tmp_path: Path, said: list[str], wanted: str):
    there = tmp_path / "game.tiro"
    assert CliRunner().invoke(main, ["record", str(there), "--rules", "fr", "--plain", *said], input="").exit_code == 0
    assert parse(there.read_text())[0].record.header("View") == wanted
