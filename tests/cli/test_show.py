"""``tiro show`` where there is less to see than was asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian.replay.cli.command_line import main

GAME = (Path(__file__).parents[2] / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")


def show(text: str | bytes, *args: str):
    data = text.encode() if isinstance(text, str) else text
    return CliRunner().invoke(main, ["show", "-", *args], input=data)


def spoilt(turn: str, word: str) -> str:
    """The game with one more word in a turn."""
    return "".join(f"{line} {word}\n" if line.startswith(f"{turn} ") else line + "\n" for line in GAME.splitlines())


def test_the_end_of_a_game():
    done = show(GAME)
    assert (done.exit_code, done.stderr) == (0, "")


def test_the_replay_stops_before_the_end():
    done = show(spoilt("3E", "zz"))
    assert done.exit_code == 1
    assert done.stdout.startswith("3E, after ")
    assert done.stderr == "<stdin>: the cards can't be followed beyond 3E; tiro check says why\n"


def test_a_turn_of_which_only_a_part_can_be_followed():
    text = spoilt("3E", "zz")
    done = show(text, "--at", "3E")
    assert done.exit_code == 1
    assert "to the end of 3E" in done.stderr
    assert show(text, "--at", "3E.1").exit_code == 0
    assert show(text, "--at", "2R").exit_code == 0
    assert show(text, "--at", "4E").exit_code == 2


def test_the_set_up_has_no_end_to_miss():
    assert show(GAME, "--at", "0R").exit_code == 0


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\x89PNG\0\0\0", "not a text file"),
        (GAME.encode("utf-16"), "UTF-16"),
        (b"", "there is no game in this text"),
        (b"; nothing yet\n", "there is no game in this text"),
    ],
)
def test_there_is_nothing_to_show(data: bytes, told: str):
    done = show(data)
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Rules header" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_moment_that_the_record_does_not_have():
    assert "there is no turn 99E in this record, which ends with" in show(GAME, "--at", "99E").stderr
    assert "3E has only" in show(GAME, "--at", "3E.99").stderr


def test_a_turn_may_be_written_as_the_notation_reads_it():
    assert show(GAME, "--at", "3 e").stdout == show(GAME, "--at", "3E").stdout


def test_before_the_first_token_of_a_turn():
    table = show(GAME, "--at", "3E.0").stdout
    assert table == show(GAME, "--at", "2R").stdout
    assert table != show(GAME, "--at", "3E").stdout


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


@pytest.mark.parametrize(("word", "hidden"), [("sA", "(5) (2)"), ("xP", "(3)")])
def test_an_action_with_which_the_record_breaks_off_may_still_be_vetoed(word: str, hidden: str):
    text = f"""[Rules "2024"]
[Setup "position"]
[Termination "unterminated"]

0R (5)A (2)A (3)P h(122344)
0E h(1122xs)
7E 1P 1Q {word}
*
"""
    assert hidden in show(text).stdout
    assert "discards  3" not in show(text).stdout
    for view in ("table", "cleopatra"):
        told = show(text, "--as", view).stdout
        assert hidden.replace("5", "?").replace("2", "?").replace("3", "?") in told
    told = CliRunner().invoke(main, ["timeline", "-", "--as", "table"], input=text.encode()).stdout
    assert hidden not in told


VOTE = """[Rules "2024"]
[Setup "position"]
[Termination "unterminated"]

0R 5A (4)A pA h(122344)
0E 3A (2)A h(1122xs)
7E 1P 1Q =A54p:32>E
*
"""


def test_a_vote_is_shown_in_two_steps():
    told = show(VOTE, "--at", "7E.3v").stdout
    assert told.startswith("7E, at =A54p:32>E · 2024 rules")
    assert (
        told.partition("\n\nVote ")[2]
        == """at the Aediles
▲ Rome: 9        ▼ Egypt: 5
┌───┬───┬───┐    ┌───┬───┐
│ 5 │(4)│ p │    │ 3 │(2)│
└───┴───┴───┘    └───┴───┘
( ) lay face down
Rome has more: 9 to 5.
Rome has one philosopher.
The lower sum wins, so Egypt wins.
"""
    )
    assert show(VOTE, "--at", "7E.3v", "--as", "table").stdout.partition("Vote ")[2] == told.partition("Vote ")[2]
    told = show(VOTE, "--at", "7E.3").stdout
    assert (
        told.partition("\n\nVote ")[2]
        == """at the Aediles
Egypt wins a patrician.
Rome discards a 5 and a philosopher, Egypt a 2.
The bust is out until all come back.
"""
    )
    assert "Vote " not in show(VOTE, "--at", "7E").stdout
    assert "Vote " not in show(VOTE, "--at", "7E.2").stdout


def test_a_side_without_cards_in_a_vote():
    told = show(VOTE.replace("0E 3A (2)A ", "0E ").replace("=A54p:32>E", "=A54p:>R"), "--at", "7E.3v").stdout
    assert "  no card" in told
    assert "Rome has more: 9 to 0." in told


def test_the_cards_of_a_vote_one_over_the_other_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "25")
    assert "│ 5 │(4)│ p │\n└───┴───┴───┘\n▼ Egypt: 5\n" in show(VOTE, "--at", "7E.3v").stdout


def test_a_picture_of_a_vote_shows_its_cards_turned_up():
    up, before = (show(VOTE, "--at", at, "--as", "table", "--format", "svg") for at in ("7E.3v", "7E.2"))
    assert (up.exit_code, up.stderr) == (0, "")
    assert "7E, vote at the Aediles" in up.stdout
    assert up.stdout != before.stdout


def test_only_a_vote_has_cards_to_turn_up():
    told = show(VOTE, "--at", "7E.2v")
    assert (told.exit_code, told.stdout) == (2, "")
    assert "7E.2 is no vote, so no cards are turned up there" in told.stderr
    told = show(VOTE, "--at", "7E.3v", "--as", "table", "--odds")
    assert told.exit_code == 2
    assert "--odds is for the moment before" in told.stderr
    assert "7E.2v for a vote" in show(VOTE, "--at", "7Ev").stderr
