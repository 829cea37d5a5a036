"""``tiro show`` where there is less to see than was asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian.tools.cli.command_line import main

GAME = (Path(__file__).parents[2] / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")


def show(text: str | bytes, *args: str):
    data = text.encode() if isinstance(text, str) else text
    return CliRunner().invoke(main, ["show", "-", *args], input=data)


@pytest.mark.parametrize("width", [200, 80, 60, 40, 20])
def test_nothing_is_lost_on_a_narrow_terminal(width: int, monkeypatch: pytest.MonkeyPatch):
    wide = show(GAME, "--at", "7E").stdout
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = show(GAME, "--at", "7E").stdout
    assert max(map(len, narrow.splitlines())) <= width
    assert "…" not in narrow
    assert not any(line != line.rstrip() for line in narrow.splitlines())
    for sign in "■()=":
        assert narrow.count(sign) == wide.count(sign)


def test_a_mission_in_free_words_does_not_steer_the_terminal():
    table = show(GAME.replace("m(K,C)", 'm("[red]\x1b[31m\u202e",C)'), "--at", "1E").stdout
    assert "[red]\\x1b[31m\\u202e" in table
    assert not {"\x1b", "\u202e"} & set(table)


def test_a_group_a_line_where_they_do_not_fit_side_by_side(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "70")
    table = show(GAME, "--at", "7E").stdout
    assert re.search(r"^Praetors P +■■■ +2 = 2 +0 +5 2 \(4\) = 11 +2$", table, re.MULTILINE)


VOTE = """[Rules "2024"]
[Setup "position"]
[Termination "unterminated"]

0R 5A (4)A pA h(122344)
0E 3A (2)A h(1122xs)
7E 1P 1Q =A54p:32>E
*
"""


def test_a_picture_of_a_vote_shows_its_cards_turned_up():
    up, before = (show(VOTE, "--at", at, "--as", "table", "--format", "svg") for at in ("7E.3v", "7E.2"))
    assert (up.exit_code, up.stderr) == (0, "")
    assert "7E, vote at the Aediles" in up.stdout
    assert up.stdout != before.stdout
