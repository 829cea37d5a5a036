"""The examples: what they promise is checked, and the reports of the broken logs are what ``tiro check`` says today.

``TIRO_UPDATE=1 pytest tests/test_examples.py`` writes the reports anew (examples/README.md).
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
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
    Record,
    Ruling,
    Turn,
    Verdict,
    check,
    from_json,
    parse,
    to_json,
    write,
    write_all,
)
from tironian import tokens as t
from tironian.notation.cards import SOME_ACTION, SOME_INFLUENCE, is_influence
from tironian.notation.diagnostic import ERROR, NOTE, RULED
from tironian.replay.cli.command_line import main
from tironian.replay.diagnostics.registry import LEGAL, POSSIBLE
from tironian.schemas import load_schema

ROOT = Path(__file__).parent.parent
HOME = ROOT / "examples"
GOOD = sorted(path for path in HOME.glob("*/*.tiro") if path.parent.name != "broken")
BROKEN = sorted(HOME.glob("broken/*.tiro"))
VIEWS = ("arbiter", "caesar", "cleopatra", "table")
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


# ----------------------------------------------------------------------------------- looking at every example


def moments(turns: Sequence[Turn]) -> list[str]:
    """The set-up, a turn in the middle and a token in it, and the last turn."""
    labels = [turn.label for turn in turns if turn.number]
    middle = labels[len(labels) // 2]
    return list(dict.fromkeys(["0R", middle, f"{middle}.1", labels[-1]]))


SHOWN = [(path, game.number) for path in GOOD for game in games(path)]


def shown_id(value: object) -> str:
    return named(value) if isinstance(value, Path) else str(value)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("path", "number"), SHOWN, ids=shown_id)
def test_show(path: Path, number: int, view: str):
    game = games(path)[number - 1]
    for at in moments(game.record.turns):
        heading, _, picture = tiro("show", str(path), "--game", str(number), "--at", at, "--as", view).partition("\n")
        assert f"seen by {view}" in heading
        if view == "table":
            assert not re.search(r"\([0-9pi]\)", picture), picture
            assert (
                len(re.findall(r"^(?:Caesar|Cleopatra) +hand +(?:empty|[ia]( [ia])*)$", picture, re.MULTILINE)) == 2
            ), picture
            assert len(re.findall(r"^ +missions +(?:none|\?(?:, \?)?)$", picture, re.MULTILINE)) == 2, picture


@pytest.mark.parametrize(("path", "number"), SHOWN, ids=shown_id)
def test_the_table_sees_nothing_that_only_the_players_know(path: Path, number: int, tmp_path: Path):
    """Take out of the record whatever a spectator could not know: he is shown the same as before.

    It goes to the first wrath of the gods: what it clears away lies open afterwards, and no token says what it was.
    """
    game = games(path)[number - 1]
    blurred = tmp_path / "blurred.tiro"
    blurred.write_text(write(as_a_spectator(game.record)), encoding="utf-8")
    cleared = [turn.label for turn in game.record.turns if _clears(turn)]
    for at in moments(list(takewhile(lambda turn: turn.label not in cleared, game.record.turns))):
        _, _, whole = tiro("show", str(path), "--game", str(number), "--at", at, "--as", "table").partition("\n")
        _, _, public = tiro("show", str(blurred), "--at", at, "--as", "table").partition("\n")
        assert public == whole, at


def test_the_heading_hides_what_the_picture_hides():
    game = str(HOME / "2024" / "tie-break.tiro")
    down, _, _ = tiro("show", game, "--at", "8R.2", "--as", "table").partition("\n")
    assert "8R" in down
    assert "(2)A" not in down
    drawn, _, _ = tiro("show", game, "--at", "1E.3", "--as", "caesar").partition("\n")
    assert "+ps" not in drawn


def _clears(turn: Turn) -> bool:
    pairs = pairwise((*turn.tokens, None))
    return any(isinstance(token, t.Wrath) and not isinstance(then, t.Veto) for token, then in pairs)


def as_a_spectator(record: Record) -> Record:
    """The record as somebody writes it who sees no hand and no face-down card."""
    headers = tuple(header for header in record.headers if header[0] != "View")
    position = bool(record.header("Setup"))
    turns = [replace(turn, tokens=tuple(_public(turn, position)), after=_rulings(turn)) for turn in record.turns]
    return Record((*headers, ("View", "table")), (), tuple(turns), record.result)


def _rulings(turn: Turn) -> tuple[Ruling, ...]:
    return tuple(follower for follower in turn.after if isinstance(follower, Ruling))


def _public(turn: Turn, position: bool) -> Iterator[t.Token]:
    for token in turn.tokens:
        match token:
            case t.Place(hidden=True):
                yield replace(token, card=SOME_INFLUENCE)
            case t.Draw() if turn.number or position:
                yield t.Draw(_kinds(token.cards))
            case t.Hand():
                yield t.Hand(_kinds(token.cards))
            case t.Veto(draw=int()) | t.Spy(draw=int()):
                yield replace(token, draw=_kinds((token.draw or 0,))[0])
            case t.Castle(cards_first=tuple(), cards_second=tuple()):
                first, second = _kinds(token.cards_first or ()), _kinds(token.cards_second or ())
                yield replace(token, cards_first=first, cards_second=second)
            case t.Missions():
                yield t.Missions((t.Mission("unknown"),) * len(token.missions))
            case t.ChooseMission():
                yield replace(token, kept=None)
            case t.ActionOrder():
                pass
            case _:
                yield token


def _kinds(cards: t.Cards) -> t.Cards:
    return tuple(SOME_INFLUENCE if is_influence(card) else SOME_ACTION for card in cards)
