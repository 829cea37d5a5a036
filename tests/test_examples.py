"""The examples: what they promise is checked, and the reports of the broken logs are what ``tiro check`` says today.

``TIRO_UPDATE=1 pytest tests/test_examples.py`` writes the reports anew (examples/README.md).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from tironian import (
    EDITION_NAMES,
    Alternative,
    Comment,
    Diagnostic,
    Game,
    Ruling,
    Verdict,
    check,
    from_json,
    parse,
    to_json,
    write_all,
)
from tironian.notation.diagnostic import ERROR, NOTE, RULED
from tironian.replay.diagnostics.registry import LEGAL, POSSIBLE
from tironian.schemas import load_schema
from tironian.tools.cli.command_line import main

ROOT = Path(__file__).parent.parent
HOME = ROOT / "examples"
GOOD = sorted(path for path in HOME.glob("*/*.tiro") if path.parent.name != "broken")
BROKEN = sorted(HOME.glob("broken/*.tiro"))
NOT_CLEAN = {
    "2024/annotated.tiro": [(RULED, "R210")],
    "2024/mission-in-words.tiro": [(NOTE, "C910")],
}
"""What is found in good games nevertheless."""
ENDINGS = {
    "2024": {"patricians", "exhausted", "full"},
    "1997": {"patricians", "full"},
    "fr": {"patricians", "exhausted", "final_turn"},
    "taylor": {"patricians", "hand_played"},
}


def named(path: Path) -> str:
    """``2024/annotated.tiro``."""
    return path.relative_to(HOME).as_posix()


def games(path: Path) -> list[Game]:
    return parse(path.read_text(encoding="utf-8"), named(path))


def judged() -> Iterator[tuple[Path, Game, Verdict]]:
    """Every game of every good file."""
    for path in GOOD:
        for game in games(path):
            yield path, game, check(game)


def tiro(*args: str) -> str:
    """What a command that must not fail prints."""
    done = CliRunner().invoke(main, args)
    assert done.exit_code == 0, done.output
    return done.stdout


# ----------------------------------------------------------------------------------------------- good games


@pytest.mark.parametrize("path", GOOD, ids=named)
def test_good_games_are_legal(path: Path):
    found: list[Diagnostic] = []
    for game in games(path):
        verdict = check(game)
        known = game.record.header("View", "arbiter") == "arbiter"
        assert verdict.verdict == (LEGAL if known else POSSIBLE), verdict.diagnostics
        found += verdict.diagnostics
    assert [(each.severity, each.code) for each in found] == NOT_CLEAN.get(named(path), [])


@pytest.mark.parametrize("path", GOOD, ids=named)
def test_good_games_are_canonical(path: Path):
    text = path.read_text(encoding="utf-8")
    assert write_all(game.record for game in games(path)) == text
    tiro("fmt", "--check", str(path))
    tiro("check", "--strict", str(path))


@pytest.mark.parametrize("path", [*GOOD, *BROKEN], ids=named)
def test_json_and_back(path: Path):
    schema = Draft202012Validator(load_schema("record"))
    for game in games(path):
        data = to_json(game.record)
        schema.validate(data)
        assert from_json(data) == game.record


def test_every_rule_set_has_complete_games():
    complete: defaultdict[str, list[str]] = defaultdict(list)
    for path, game, verdict in judged():
        assert verdict.edition is not None
        assert verdict.state is not None
        if path.parent.name == "rulebook":
            continue
        assert path.parent.name == verdict.edition.name
        if verdict.state.ended and not game.record.header("Setup"):
            complete[verdict.edition.name].append(verdict.state.ended)
    assert set(complete) == set(EDITION_NAMES)
    for edition, endings in complete.items():
        assert len(endings) >= 2, edition
        assert set(endings) == ENDINGS[edition]


def test_each_rule_set_has_an_annotated_game():
    for edition in EDITION_NAMES:
        (game,) = games(HOME / edition / "annotated.tiro")
        assert any(turn.notes or turn.after for turn in game.record.turns)
        assert any(turn.marks for turn in game.record.turns)


def test_the_richly_annotated_game_shows_all_that_a_record_can_hold():
    (game,) = games(HOME / "2024" / "annotated.tiro")
    record = game.record
    turns = record.turns
    marks = [mark for turn in turns for mark in turn.marks]
    notes = [note for turn in turns for note in turn.notes]
    after = [follower for turn in turns for follower in turn.after]
    lines = [[each.turn.label for each in turn.after if isinstance(each, Alternative)] for turn in turns]
    assert {"!", "?", "!!", "??", "!?", "?!"} <= set(marks)
    assert any(mark.startswith("@") for mark in marks)
    assert any(mark.startswith("$") for mark in marks)
    assert any(note.after is None for note in notes)
    assert any(note.after is not None for note in notes)
    assert any(isinstance(follower, Comment) for follower in after)
    assert any(isinstance(follower, Ruling) and follower.decision == "stands" for follower in after)
    assert ["5R", "6E"] in lines
    assert record.header("Weather") == "thunder, twice"


def test_a_turn_that_was_taken_back():
    (game,) = games(HOME / "1997" / "annotated.tiro")
    labels = [turn.label for turn in game.record.turns]
    assert labels.count("14R") == 2
    back = game.record.turns[labels.index("14R")].after
    assert [ruling.decision for ruling in back if isinstance(ruling, Ruling)] == ["back"]


# ----------------------------------------------------------------------------------- what the rule books print


def rulebook(name: str) -> list[tuple[Game, Verdict]]:
    return [(game, check(game)) for game in games(HOME / "rulebook" / name)]


@pytest.mark.parametrize(
    ("name", "points"),
    [("scoring-2024", (17, 13)), ("nine-points-1997-fr", (14, 17)), ("three-quaestors-left-2024", (10, 12))],
)
def test_printed_scores(name: str, points: tuple[int, int]):
    for _, verdict in rulebook(f"{name}.tiro"):
        assert verdict.score is not None
        assert verdict.score.points == points


def test_scoring_example_row_by_row():
    ((_, verdict),) = rulebook("scoring-2024.tiro")
    assert verdict.score is not None
    rome, egypt = verdict.score.sides
    assert [row.points for row in rome.rows] == [4, 5, 0, 5, 1]
    assert [row.points for row in egypt.rows] == [2, 1, 7, 0, 3]
    assert (rome.mission_points, egypt.mission_points) == (2, 0)


def test_nine_points_from_one_group():
    for _, verdict in rulebook("nine-points-1997-fr.tiro"):
        assert verdict.score is not None
        egypt = verdict.score.sides[1]
        assert [row.points for row in egypt.rows][2] + egypt.mission_points == 9


@pytest.mark.parametrize(
    ("name", "lost"),
    [("vote-2024", ("4", "2")), ("vote-1997-fr", ("3", "3")), ("philosopher-1997-fr", ("3p", "5"))],
)
def test_printed_votes(name: str, lost: tuple[str, str]):
    for _, verdict in rulebook(f"{name}.tiro"):
        assert verdict.state is not None
        for side, cards in zip(verdict.state.sides, lost, strict=True):
            discards = "".join("p12345"[card] * side.discards.count(card) for card in (1, 2, 3, 4, 5, 0))
            assert discards == cards


# ---------------------------------------------------------------------------------------------- broken logs


def test_every_broken_log_has_a_report():
    reports = {path.stem for path in HOME.glob("broken/*.txt")}
    logs = {path.stem for path in BROKEN}
    if os.environ.get("TIRO_UPDATE"):
        for name in reports - logs:
            (HOME / "broken" / f"{name}.txt").unlink()
    else:
        assert reports == logs
    assert 15 <= len(logs) <= 25


@pytest.mark.parametrize("path", BROKEN, ids=named)
def test_broken_logs_are_reported_as_stored(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("NO_COLOR", "1")
    done = CliRunner().invoke(main, ["check", path.relative_to(ROOT).as_posix()])
    report = path.with_suffix(".txt")
    if os.environ.get("TIRO_UPDATE"):
        report.write_bytes(done.stdout_bytes)
    assert done.exit_code == 1
    assert done.stdout_bytes.decode() == report.read_bytes().decode()


@pytest.mark.parametrize("path", BROKEN, ids=named)
def test_broken_logs_say_what_happened(path: Path):
    (game,) = games(path)
    assert any(isinstance(note, Comment) and note.text for note in game.record.preface)
    assert any(each.severity == ERROR for each in check(game).diagnostics)


def test_broken_logs_show_different_faults():
    firsts: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for path in BROKEN:
        codes = tuple(each.code for each in check(games(path)[0]).diagnostics if each.severity == ERROR)
        firsts[codes].append(path.stem)
    assert len(firsts) >= 20, firsts


def test_the_heading_hides_what_the_picture_hides():
    game = str(HOME / "2024" / "tie-break.tiro")
    down, _, _ = tiro("show", game, "--at", "8R.2", "--as", "table").partition("\n")
    assert "8R" in down
    assert "(2)A" not in down
    drawn, _, _ = tiro("show", game, "--at", "1E.3", "--as", "caesar").partition("\n")
    assert "+ps" not in drawn


def test_a_fault_does_not_point_to_an_action_that_was_vetoed():
    """In this game the assassination of 10E is vetoed, so the Censors last changed in 9E."""
    text = (HOME / "1997" / "resigned.tiro").read_text(encoding="utf-8")
    (game,) = parse(text.replace("=C4221:32>R", "=C4222:32>R"))
    (found,) = check(game).diagnostics
    assert [label.text for label in found.labels] == ["these cards last changed here, 9E"]
