"""From where on a game could not be followed: every report says it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian import check, parse
from tironian.tools.cli.command_line import main

GAME = (Path(__file__).parents[2] / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
LINES = GAME.splitlines()


def turn(label: str) -> int:
    return next(place for place, line in enumerate(LINES) if line.startswith(f"{label} "))


def changed(label: str, *lines: str) -> str:
    """The game with other lines in place of a turn's."""
    at = turn(label)
    return "\n".join([*LINES[:at], *lines, *LINES[at + 1 :]]) + "\n"


SPOILT = {
    "followed": (GAME, None),
    "an unreadable word": (changed("3E", LINES[turn("3E")] + " zz"), "3E"),
    "an unreadable line": (changed("3E", LINES[turn("3E")], "5Q zz"), "3R"),
    "an unreadable line at the end": (GAME.replace("=", "=", 1).rstrip("\n").rpartition("\n")[0] + "\n5Q zz\n", ""),
    "a turn left out": (changed("3E"), "3R"),
    "no set-up": (changed("0R"), "0E"),
    "an unreadable set-up": (changed("0R", LINES[turn("0R")].replace("(", "[")), "0R"),
    "nothing but headers": ("\n".join(line for line in LINES if line.startswith("[")) + "\n", None),
    "taken back": (changed("3E", LINES[turn("3E")], "   % E back"), "3R"),
}


def test_behind_what_could_not_be_carried_out_nothing_is_called_legal(tmp_path: Path):
    text = changed("3E", LINES[turn("3E")].replace("3E ", "3E xK#9 "), "   % E stands")
    (game,) = parse(text)
    verdict = check(game)
    assert [each.code for each in verdict.diagnostics if each.severity == "note"] == ["C909"]
    assert (verdict.verdict, verdict.stopped) == ("possible", "3E")
    whole = tmp_path / "whole.tiro"
    done = CliRunner().invoke(main, ["check", "--witness", str(whole), "-"], input=text.encode())
    assert (done.exit_code, whole.read_text(encoding="utf-8")) == (0, "")


@pytest.mark.parametrize("name", SPOILT)
def test_the_verdict_names_the_turn(name: str):
    text, wanted = SPOILT[name]
    (game,) = parse(text)
    assert check(game).stopped == wanted


@pytest.mark.parametrize("name", SPOILT)
def test_the_reports_say_it(name: str):
    text, wanted = SPOILT[name]
    told = CliRunner().invoke(main, ["check", "-"], input=text.encode()).stdout
    if wanted is None:
        assert "could not be followed" not in told
    elif wanted:
        assert f"\n<stdin>, game 1: from {wanted} on the cards could not be followed; " in told
    else:
        assert "game 1: the cards could not be followed to the end" in told
    report = CliRunner().invoke(main, ["check", "--format", "json", "-"], input=text.encode()).stdout
    assert json.loads(report)["games"][0]["stopped"] == wanted


def test_a_game_whose_rules_nobody_knows_is_another_matter():
    (game,) = parse(GAME.replace('[Rules "2024"]', '[Rules "2023"]'))
    assert check(game).stopped is None
