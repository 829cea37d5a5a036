"""What is no record is told in one sentence; what is a record with slips, or with text around it, loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian import check, from_json, parse, to_json, write
from tironian.tools.cli.command_line import main

ROOT = Path(__file__).parents[2]
GAME = (ROOT / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
PROSE = "We meet on Thursdays.\nBring a friend.\nBring the game.\nThe door is around the corner.\n"


def codes(text: str) -> list[str]:
    return [each.code for game in parse(text) for each in game.problems]


@pytest.mark.parametrize("name", ["LICENSE", "pyproject.toml", "Makefile", "replay/checking/check.py"])
def test_another_file_is_told_in_one_sentence(name: str):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert codes(text) == ["N110"]
    done = CliRunner().invoke(main, ["check", str(ROOT / name)])
    assert done.exit_code == 1
    assert done.stdout.count("error[") == 1
    assert len(done.stdout.splitlines()) < 15


def test_a_document_with_a_record_in_it_is_that_record():
    done = CliRunner().invoke(main, ["check", str(ROOT / "README.md")])
    assert (done.exit_code, done.stdout.count("warning[N110]"), done.stdout.count("error[")) == (0, 1, 0)


def test_what_holds_nothing_of_a_record_is_no_game():
    (game,) = parse(PROSE)
    (problem,) = game.problems
    assert game.missing
    assert check(game).verdict == "nothing"
    assert problem.message == "this is not a record: none of its 4 lines is a header, a turn or a result"
    assert (problem.span.line, problem.span.start) == (0, 0)


def test_however_many_lines_there_are():
    (game,) = parse(PROSE * 1000)
    assert [each.message for each in game.problems] == [
        "this is not a record: none of its 4,000 lines is a header, a turn or a result"
    ]
    assert codes(GAME + PROSE * 1000) == ["N110"]


def test_a_game_among_other_text_is_still_a_game():
    (game,) = parse(PROSE * 20 + GAME)
    assert [each.code for each in game.problems] == ["N110"]
    assert not game.missing
    assert len(game.record.turns) == len(parse(GAME)[0].record.turns)
    written = len(GAME.splitlines()) - GAME.count("\n\n") + 80
    assert game.problems[0].message == f"this does not look like a record: 80 of its {written} lines can't be read"
    assert game.problems[0].help.endswith(": lines 1–80")


def test_the_lines_are_named_as_the_file_counts_them():
    text = GAME + "\n" + '[Rules "2024"]\n[Event "x"]\n\n' + "\n\n".join([PROSE] * 3)
    first, second = parse(text)
    assert not first.problems
    begins = GAME.count("\n") + 5
    assert second.problems[0].help.endswith(
        f"lines {begins}–{begins + 3}, {begins + 6}–{begins + 9} and {begins + 12}–{begins + 15}"
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (PROSE + GAME, ["N112"] * 4),  # fewer lines than can be read
        (PROSE.replace("\n", "\n; \n"), [*["N112"] * 4, "N107"]),
        ("Bring a friend.\nBring the game.\n5P\n", ["N112", "N112", "N104"]),  # few lines
        ("1X 5P\n2X 5P\n3X 5P\n4X 5P\n5Rome: 5P\n1-E 5P\n", ["N104"] * 6),  # turns with another label
        ("5P (1)A\n(3)A 4P +12\n" * 3, ["N104"] * 6),  # turns without any
        ("17:13\n" * 5, [*["N112"] * 5, "N107"]),
        ("Event: x\nRules: 2024\nCaesar: a\nCleopatra: b\n[Site x]\n", ["N112", "N104", *["N112"] * 3]),
    ],
)
def test_slips_are_told_one_by_one(text: str, found: list[str]):
    assert codes(text) == found


def test_whatever_else_is_wrong_is_told_as_well():
    game = '[Rules "2024"]\n[Event "x"]\n\n1E zz\n'
    assert codes(game + PROSE * 2) == ["N105", "N110"]
    assert codes(game + "1X 5P\n" + PROSE * 2) == ["N105", "N104", "N110"]


@pytest.mark.parametrize("text", [PROSE, PROSE * 20 + GAME, GAME + PROSE * 20])
def test_nothing_is_dropped(text: str, tmp_path: Path):
    (game,) = parse(text)
    again = write(from_json(to_json(game.record)))
    assert again == write(game.record)
    assert sorted(again.split()) == sorted(text.split())
    path = tmp_path / "a.tiro"
    path.write_text(text, encoding="utf-8")
    assert CliRunner().invoke(main, ["fmt", str(path)]).exit_code == 1
    assert path.read_text(encoding="utf-8") == text
    done = CliRunner().invoke(main, ["convert", str(path)])
    assert done.exit_code == (not game.record.turns)
    assert all(line in done.stdout for line in PROSE.splitlines())


@pytest.mark.parametrize("command", ["show", "timeline", "votes", "view"])
def test_every_command_says_it_in_a_sentence(command: str, tmp_path: Path):
    (tmp_path / "a.tiro").write_text(PROSE, encoding="utf-8")
    more = ["--as", "table"] if command == "view" else []
    done = CliRunner().invoke(main, [command, str(tmp_path / "a.tiro"), *more])
    assert done.exit_code != 0
    assert "not a record" in done.output
    assert "Traceback" not in done.output
