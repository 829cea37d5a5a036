"""``tiro play`` in a terminal of its own, interrupted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from terminals import terminal
from tironian import check, parse

pytestmark = pytest.mark.process

TIRO = [sys.executable, "-m", "tironian.tools.cli", "play"]
GAME = ["--seed", "3", "--level", "4"]


def label_of(file: Path) -> str:
    """The last turn of a record, which is legal."""
    (game,) = parse(file.read_text(encoding="utf-8"))
    assert check(game).verdict == "legal"
    return game.record.turns[-1].label


def test_line_by_line_before_a_terminal(tmp_path: Path):
    file = tmp_path / "game.tiro"
    with terminal(*TIRO, str(file), *GAME) as there:
        there.wait_for("> ")
        there.press("/\r")
        there.wait_for("1R, your turn")
        there.press("(1)P\r")
        there.wait_for("places a 1 face down at the Praetors")
        there.wait_for("(21 moves: ? lists them)\r\n> ")
        assert there.end(again="\x03") == 130  # typed before the program waits, it may be lost
    assert b"Traceback" not in there.output
    assert label_of(file) == "1R"
