"""A damaged record is shown as far as it goes; no command that shows it ends in a fault of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from corpus import spoilt
from scale import scaled
from tironian.tools.cli.command_line import main

CHUNKS = 2
GAMES = scaled(1, 300)
SHOWN = (
    "timeline {} --full",
    "timeline {} --format html -o out --force",
    "votes {} --folder votes --format svg --force",
    "show {} --format svg -o out --force",
)
EMPTY_TURNS = """[Rules "taylor"]

0R (3)S (4)P (5)Q (2)C (1)A
0E (1)S (5)P (4)Q (2)C (3)A
1E (1)P
1R +vy
2E 5P
2R
3E
3R
*
"""
NO_LANE_WITH_SUMS = """[Rules "taylor"]
[Setup "position"]
[Starts "Caesar"]

0R 1P pP 3P 4Q 4Q 1S 2S 5S h(p1234) b(PAoor)
0E 2P 1Q 3Q 4Q 4S h(11223)
12R 2S 4Q
13E (2)S
13R 1S 3P =P331p:2>E
14E
14R
15E
*
"""
"""The only vote cards that could still be drawn are of groups that are won, or of none."""


ONCE = (15, 105, 141, 222, 523, 831)
"""Points without penalties on one side; a winner whose sum is lower though nothing turned the vote; an alternative that
begins with an empty turn; an assassination of a card that is not there; a line of the set-up that is written twice.
"""


def shown(text: str) -> None:
    Path("game.tiro").write_text(text, encoding="utf-8")
    for command in SHOWN:
        result = CliRunner().invoke(main, command.format("game.tiro").split())
        assert "Usage:" not in result.output
        assert "T001" not in result.output, (command, result.output, text)
        assert not isinstance(result.exception, Exception), (command, text)


@pytest.mark.parametrize("text", [EMPTY_TURNS, NO_LANE_WITH_SUMS])
def test_a_record_that_once_was_not_shown(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    shown(text)


@pytest.mark.parametrize("number", ONCE)
def test_a_damaged_record_that_once_was_not_shown(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    shown(spoilt(number, seed=70 + (number == 831)).text)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_damaged_record_is_shown(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for number in range(GAMES):
        shown(spoilt(1_000 * chunk + number, seed=70).text)
