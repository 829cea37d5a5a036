"""``tiro drill``: sessions by pipes, whose mistakes they are, and the state that is left."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from drills import BEGINNING, state
from jsonschema import Draft202012Validator
from schema_parts import closed_schema
from tironian import parse, view, write
from tironian.tools.cli import common
from tironian.tools.cli import drill as command
from tironian.tools.cli.command_line import main


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    file = tmp_path / "state.json"
    file.write_text(state(), encoding="utf-8")
    return file


def drill(file: Path | str, *args: object, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["drill", "--state", str(file), *map(str, args)], input=typed)


def exercises(file: Path) -> list[dict[str, Any]]:
    data = json.loads(file.read_text(encoding="utf-8"))
    Draft202012Validator(closed_schema("drill")).validate(data)
    return [each for game in data["games"] for each in game["exercises"]]


def reviews(file: Path) -> list[tuple[str, str]]:
    return [(review["move"], review["rating"]) for each in exercises(file) for review in each["reviews"]]


def test_a_session(kept: Path):
    first, second, third = exercises(kept)
    done = drill(kept, typed=f"{first['best']}\nhint\n{second['best']}\n{third['played']}\n")
    assert (done.exit_code, done.stderr) == (0, "")
    assert reviews(kept) == [(first["best"], "good"), (second["best"], "hard"), (third["played"], "again")]
    for told in ("Right: ", "As in the game: ", "It cost about 20 points of W", "seen by cleopatra", "One of these is"):
        assert told in done.stdout
    assert "3 asked: 1 right, 1 nearly or with a hint, 1 wrong.\nNext: 2 tomorrow, 3 in all." in done.stdout
    again = drill(kept, "--due")
    assert again.stdout.splitlines()[1:] == ["Nothing is due.", "Next: 2 tomorrow, 3 in all."]


def test_what_the_other_side_holds_is_not_shown(kept: Path):
    done = drill(kept, typed="show\nshow\nshow\n")
    held = [line.split()[2:] for line in done.stdout.splitlines() if line.startswith("Caesar     hand")]
    assert len(held) == 3
    assert {card for cards in held for card in cards} <= {"i", "a"}


def test_what_strangers_wrote_is_harmless(kept: Path):
    kept.write_text(
        state().replace("Tobias", r"\u001b[2J\u202eTobias").replace("places", r"\u001b[2J"), encoding="utf-8"
    )
    for done in (drill(kept, typed="1\nshow\nhint\n\x1b[2J\n"), drill(kept, "--list")):
        assert done.exit_code == 0
        assert "Tobias" in done.stdout
        assert not {"\x1b", "\u202e"} & {*done.output}


def test_wrong_input_is_answered_and_asked_again(kept: Path):
    strange = ["", "0", "99", "zz", "1E", "-1", "²", "[x]", "hint me", "\x1b[2J", "(9)P", "5Q 5Q", "mE1"]
    done = drill(kept, typed="\n".join([*strange, "?", "list", "help", "table", "show", "quit"]))
    assert done.exit_code == 0
    assert done.stdout.count("is not a move here: ") == len(strange) - 1
    assert done.stdout.count("is not a move here: Cleopatra ") == 2
    assert done.stdout.count("\nType a number from 1 to") == 1
    assert "\x1b" not in done.stdout
    assert reviews(kept) == [("", "again")]
    assert done.stdout.endswith("1 asked: 0 right, 0 nearly or with a hint, 1 wrong.\nLeft for today: 2.\n")


@pytest.mark.parametrize("typed", ["", "quit\n", "\n\n", "/q"])
def test_the_end_of_the_input_leaves(kept: Path, typed: str):
    done = drill(kept, typed=typed)
    assert (done.exit_code, kept.read_text(encoding="utf-8")) == (0, state())
    assert "Left for today: 3." in done.stdout


def test_ctrl_c_keeps_what_was_answered(kept: Path, monkeypatch: pytest.MonkeyPatch):
    def lines() -> Iterator[str]:
        yield "show"
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "typed_lines", lines)
    assert drill(kept).exit_code == 130
    assert reviews(kept) == [("", "again")]


def test_at_a_terminal_the_next_table_waits(kept: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(command, "at_keyboard", lambda: True)
    for lines, asked in ((["show", "", "show", "q"], 2), (["show"], 1), (["show", "", ""], 1)):
        kept.write_text(state(), encoding="utf-8")
        monkeypatch.setattr(command, "typed_lines", lambda lines=lines: iter(lines))
        done = drill(kept)
        assert done.stdout.count("Enter: the next position") == len(reviews(kept)) == asked
        assert f"\n{asked} asked: " in done.stdout


def test_new_positions_are_limited_and_listed(kept: Path):
    assert "Position 1 of 2 ·" in drill(kept, "--new", 2).stdout
    assert drill(kept, "--new", 0).stdout == "\nLeft for today: 3.\n"
    assert [line.split()[:2] for line in drill(kept, "--list").stdout.splitlines()[1:]] == [["now", "new"]] * 3
    drill(kept, typed="show\n")
    assert "asked 1×, last wrong" in drill(kept, "--list").stdout
    assert "nothing to ask yet" in drill(kept, "--list", "--player", "Marta Lindqvist").stdout


# ---------------------------------------------------------------------------------------------------- the records


def test_a_game_is_judged_once_wherever_it_lies_and_whoever_wrote_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    judged: list[str] = []
    real = command.judged
    monkeypatch.setattr(command, "judged", lambda *args, **more: judged.append(args[0]) or real(*args, **more))
    file, whole, own = tmp_path / "new" / "state.json", tmp_path / "a.tiro", tmp_path / "b.tiro"
    whole.write_text(BEGINNING, encoding="utf-8")
    own.write_text(write(view(parse(BEGINNING)[0], "cleopatra").record), encoding="utf-8")
    for args in (
        (whole, "--as", "cleopatra"),
        (whole, "--player", "tobias  hallermann"),
        (own,),
        (tmp_path, "--as", "cleopatra"),
    ):
        done = drill(file, "--level", "quick", "--list", *args)
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith("Tobias Hallermann (Cleopatra) against Marta Lindqvist")
        assert done.stdout.count("against") == 1
    assert judged == [str(whole)]
    assert len(json.loads(file.read_text(encoding="utf-8"))["games"]) == 1


def test_with_due_other_games_are_asked_too(kept: Path, tmp_path: Path):
    own, other = "Marta Lindqvist (Caesar) against", "Tobias Hallermann (Cleopatra) against"
    record = tmp_path / "a.tiro"
    record.write_text(write(view(parse(BEGINNING)[0], "caesar").record), encoding="utf-8")
    for args, told in (((), [own]), (("--due",), [other, own]), (("--due", "--as", "cleopatra"), [other])):
        done = drill(kept, record, "--level", "quick", "--list", *args)
        assert [
            line.partition(" against")[0] + " against" for line in done.stdout.splitlines() if line[0] != " "
        ] == told


# ------------------------------------------------------------------------------------------------------ the state


@pytest.mark.parametrize(
    ("old", "new"),
    [('"rules": "2024"', '"rules": "fr"'), ('"turn": "', '"turn": "9'), ('"quick"', '"high"'), ("[Rules", "1E zz")],
)
def test_a_damaged_state_is_none(kept: Path, old: str, new: str):
    damaged = state().replace(old, new)
    assert damaged != state()
    kept.write_text(damaged, encoding="utf-8")
    done = drill(kept)
    assert (done.exit_code, kept.read_text(encoding="utf-8")) == (2, damaged)


def test_answers_of_another_program_are_not_overwritten(kept: Path, monkeypatch: pytest.MonkeyPatch):
    def lines() -> Iterator[str]:
        kept.write_text(state().replace('"settled": true', '"settled": false'), encoding="utf-8")
        yield "show"

    monkeypatch.setattr(command, "typed_lines", lines)
    done = drill(kept)
    assert done.exit_code == 2
    assert "another program has changed it in the meantime" in done.stderr
    assert reviews(kept) == []


def test_without_fsrs_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(common, "find_spec", lambda name: None if name == "fsrs" else name)
    done = drill(tmp_path / "state.json")
    assert done.exit_code == 2
    assert f"this needs fsrs: {sys.executable} -m pip install numpy fsrs" in done.stderr
