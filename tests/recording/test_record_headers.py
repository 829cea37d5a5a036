"""What ``/header`` answers: what was set or removed, which names there are, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian import VIEWS, load_edition, parse
from tironian.replay.cli.command_line import main
from tironian.replay.recording.questions import blank, faults, questions


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
