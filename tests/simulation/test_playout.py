"""Games played on at random by the engine alone: legal to the end, the same from the same seed, records like others."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from tironian import (
    EDITION_NAMES,
    Edition,
    Record,
    Result,
    State,
    Turn,
    check,
    load_edition,
    parse,
    score,
    start,
    write,
)
from tironian.notation.codes import ANNOUNCED_ONLY, KIND, SPY, TURN_END
from tironian.notation.movetext import Movetext
from tironian.replay.engine.play import judge_move, make_move
from tironian.replay.rules.moves.legal import list_moves
from tironian.replay.rules.moves.move_list import MoveList
from tironian.replay.simulation.dice import Dice
from tironian.replay.simulation.playout import MOST_MOVES, Playout, draw_move
from tironian.replay.simulation.simulator import openings, rulings

SETTINGS = [
    (name, setting)
    for name in EDITION_NAMES
    for setting in [
        (),
        *(((option, value),) for option, values in load_edition(name).options.items() for value in values[1:]),
    ]
]
settings = pytest.mark.parametrize(("name", "setting"), SETTINGS, ids=lambda value: str(value) if value else "default")


def begun(edition: Edition, seed: int) -> State:
    return start(edition, *openings(edition, Random(seed)))


@settings
def test_every_move_drawn_is_on_the_list_and_legal(name: str, setting: tuple[tuple[str, str], ...]) -> None:
    edition, listed, found = load_edition(name, setting), MoveList(), []
    for seed in range(3):
        state, dice, moves = begun(edition, seed), Dice(seed), 0
        while not state.over:
            move = draw_move(state, dice)
            list_moves(state, listed)
            assert move in listed.pairs()
            judge_move(state, *move, found)
            assert not found
            make_move(state, *move)
            moves += 1
            assert moves < MOST_MOVES


@settings
def test_they_end(name: str, setting: tuple[tuple[str, str], ...]) -> None:
    edition = load_edition(name, setting)
    for seed in range(8):
        drawn, listed = Playout(begun(edition, seed), seed), Playout(begun(edition, seed), seed)
        assert drawn.play()
        assert drawn.state.ended
        assert listed.play_listed()
        assert listed.choices > listed.moves > 50


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_all_that_can_happen_is_drawn(name: str) -> None:
    edition, listed = load_edition(name), MoveList()
    offered: set[tuple[int, int]] = set()
    drawn: set[tuple[int, int]] = set()
    for seed in range(60):
        state, dice = begun(edition, seed), Dice(seed)
        while not state.over:
            list_moves(state, listed)
            offered |= {(state.active, code & (KIND | ANNOUNCED_ONLY)) for code, _ in listed.pairs()}
            code, more = draw_move(state, dice)
            drawn.add((state.active, code & (KIND | ANNOUNCED_ONLY)))
            make_move(state, code, more)
    assert drawn == offered
    assert len(drawn) > 24


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_the_same_seed_plays_the_same_game(name: str) -> None:
    edition = load_edition(name)
    whole, pieces, other = (Playout(begun(edition, 5), seed) for seed in (7, 7, 8))
    assert whole.play()
    assert other.play()
    while not pieces.play(9):
        assert pieces.moves % 9 == 0
    assert pieces.moves == whole.moves
    assert list(pieces.state.cells) == list(whole.state.cells) != list(other.state.cells)


PLAYED = {
    "2024": (8425, 8904, 113879, 552, 573),
    "1997": (9486, 8009, 139590, 512, 301),
    "fr": (9115, 7732, 134098, 493, 269),
    "taylor": (9296, 7824, 135970, 515, 278),
}
"""What comes of 40 games: moves drawn, moves chosen from a list, moves listed, and Rome's points in both."""


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_seed_is_the_same_game_in_every_build(name: str) -> None:
    """Where players are meant to play otherwise, or a list to have another order, the numbers change with it."""
    edition = load_edition(name)
    drawn = [Playout(begun(edition, seed), seed) for seed in range(40)]
    listed = [Playout(begun(edition, seed), seed) for seed in range(40)]
    assert all(game.play() for game in drawn)
    assert all(game.play_listed() for game in listed)
    moves = sum(game.moves for game in drawn), sum(game.moves for game in listed)
    points = [sum(score(game.state).points[0] for game in games) for games in (drawn, listed)]
    assert (*moves, sum(game.choices for game in listed), *points) == PLAYED[name]


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_one_of_them_is_a_record_like_any_other(name: str) -> None:
    edition = load_edition(name)
    for seed in range(6):
        text = write(recorded(edition, seed))
        verdict = check(parse(text)[0])
        assert verdict.verdict == "legal", text
        assert {found.code[0] for found in verdict.diagnostics} <= {"H"}, text  # headers that a game at a table has


def recorded(edition: Edition, seed: int) -> Record:
    """The record of a playout."""
    starter, *lines = openings(edition, Random(seed))
    state, dice = start(edition, starter, *lines), Dice(seed)
    turns = Movetext.of([Turn(0, side, line) for side, line in enumerate(lines)])
    codes: list[int] = []
    while not state.over:
        number, side = state.number, state.active
        code, more = draw_move(state, dice)
        make_move(state, code, more)
        if code != TURN_END:
            codes += [code & ~ANNOUNCED_ONLY, more]
        if code == TURN_END or state.over:
            turns.add(number, side, codes)
            codes = []
    headers = [("Rules", edition.name), ("Rulings", rulings(edition)), ("Starts", "Caesar" if not starter else "")]
    final = score(state)
    result = Result(final.points, final.winner if final.by_tie_break else None)
    return Record(tuple(each for each in headers if each[1]), (), turns, result)


def test_dice_fall_alike_in_every_build() -> None:
    dice = Dice(1)
    assert [dice.below(1000) for _ in range(8)] == [871, 593, 93, 143, 649, 295, 285, 76]


def test_dice_are_fair() -> None:
    for seed in (0, 1, 2, -1, 1 << 70):
        dice = Dice(seed)
        counts = Counter(dice.below(12) for _ in range(12_000))
        assert sorted(counts) == list(range(12))
        assert all(850 < count < 1150 for count in counts.values())
    firsts = Counter(Dice(seed).below(12) for seed in range(12_000))
    assert all(850 < count < 1150 for count in firsts.values())


def test_dice_know_never_and_always() -> None:
    dice = Dice(1)
    assert not any(dice.chance(0) for _ in range(2_000))
    assert all(dice.chance(256) for _ in range(2_000))


def test_a_list_of_moves_grows() -> None:
    listed = MoveList()
    for code in range(2000):
        listed.add(code << 4 | SPY, code)
    assert listed.pairs() == [(code << 4 | SPY, code) for code in range(2000)]
