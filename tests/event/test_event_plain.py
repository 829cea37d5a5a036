"""What is to do in plain words: what is promised of an acceptance comes true, and nobody needs the notation."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest
from events import PLANTS, Event
from imports import ROOT
from tironian.tools.event.changes import EventJournal
from tironian.tools.event.plain import clashes, plain, points_of
from tironian.tools.event.plan import event_text, read_plan
from tironian.tools.event.standings import figure, standings
from tironian.tools.event.todo import EventState, event_state
from tironian.tools.event.words import said

EVENTS = ["example", *PLANTS]


def state(folder: Path, refused: tuple[str, ...] = ()) -> EventState:
    return event_state(str(folder), read_plan(event_text(str(folder))), 1, refused)


def event(folder: Path, kind: str) -> Path:
    """An event with troubles of all kinds, or a trouble of one kind at two places."""
    if kind == "example":
        return Path(copytree(ROOT / "examples/event", folder))
    made = Event(folder, 6, 2)
    for place in (1, 4)[: 1 if kind == "rules" else 2]:
        PLANTS[kind](made, place)
    return made.written()


def told(state: EventState) -> dict[str, str]:
    """The points of all players, in the standings."""
    return {score.name: figure(score.points) for score in standings(state.plan, state.decided).scores}


def came(state: EventState) -> dict[object, object]:
    """How the games count, in whatever order they are listed."""
    return {(one.pairing.round, one.pairing.table, one.pairing.players, one.pairing.again): (one.winner, one.points)
            for one in state.decided if one.winner is not None}  # fmt: skip


@pytest.mark.parametrize("kind", EVENTS)
def test_what_is_promised_comes_true(tmp_path: Path, kind: str):
    before = state(event(tmp_path / "open", kind))
    assert before.to_do
    for number, one in enumerate(before.to_do):
        words = plain(before, one, points_of(before))
        assert bool(words.accepted) == bool(one.proposes)
        if not one.proposes:
            continue
        folder = Path(copytree(tmp_path / "open", tmp_path / f"copy{number}"))
        with EventJournal(str(folder)) as journal:
            journal.accept(one)
        after = state(folder)
        was, now = told(before), told(after)
        changed = {name for name in was if was[name] != now[name]}
        for name in changed:
            assert f"{name} {was[name]} → {now[name]} point" in words.accepted, (kind, words)
        assert words.accepted.count("→") == len(changed), (kind, words)
        assert ("no result and no points" in words.accepted) == (came(before) == came(after)), (kind, words)


@pytest.mark.parametrize("kind", EVENTS)
def test_whether_a_game_counts_while_it_is_left_is_said(tmp_path: Path, kind: str):
    before = state(event(tmp_path / "open", kind))
    for one in before.to_do:
        pairing = one.pairing
        if pairing and one.kind != "twice":
            counts = next(each.winner is not None for each in before.decided if each.pairing.players == pairing.players)
            assert plain(before, one, {}).left == f"the game still {'counts' if counts else 'does not count'}"


@pytest.mark.parametrize("kind", EVENTS)
def test_nobody_needs_the_notation(tmp_path: Path, kind: str):
    before = state(event(tmp_path / "open", kind))
    for one in before.to_do:
        words = " ".join(plain(before, one, points_of(before)))
        assert not re.search(r"\b\d+[RE]\b|\b[RHCN]\d{3}\b|\[\w+ \"|Traceback|\bNone\b|[{}]", words), words


def test_a_player_at_two_tables_is_told_and_so_is_the_other_one(tmp_path: Path):
    folder = event(tmp_path / "open", "example")
    before = state(folder)
    found = {pairing.table: words for pairing, words in clashes(before).items()}
    assert found == {
        2: ["Gaius is at tables 2 and 7"],
        5: ["Valeria is at tables 5 and 7"],
        7: ["Gaius is at tables 2 and 7", "Valeria is at tables 5 and 7"],
    }
    one = next(each for each in before.to_do if each.kind == "twice")
    words = plain(before, one, {})
    assert words.title == "Impossible: Gaius has two games in round 3"
    assert words.more == "Gaius is at tables 2 and 7; Valeria is at tables 5 and 7"
    assert not clashes(state(folder, (one.key,))), "the organiser has left it as it is"


def test_of_two_results_both_are_named(tmp_path: Path):
    before = state(event(tmp_path / "open", "example"))
    one = next(each for each in before.to_do if each.kind == "result")
    words = plain(before, one, points_of(before))
    assert words.title == "Which result is right: 15–14 or 14–15?"
    assert words.accepted == "Gaius wins 15–14 against Tullia; Gaius 1 → 2 points and Tullia stays at 0"


def test_the_players_names_stand_for_their_sides(tmp_path: Path):
    before = state(event(tmp_path / "open", "example"))
    one = next(each for each in before.to_do if each.kind == "illegal")
    assert "R203" in said(one.problem), "the command says it with its code"
    assert plain(before, one, {}).more == "turn 13 of Cornelia: Cornelia has no 1 in hand"
