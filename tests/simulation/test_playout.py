"""Games of any legal moves, each as likely: the law refuses none, they end, and a seed is the same in every build."""

from __future__ import annotations

from random import Random

import pytest
from tironian import EDITION_NAMES, Edition, State, load_edition, score, start
from tironian.notation.codes import SPY
from tironian.replay.engine.play import judge_move
from tironian.replay.rules.game.game import list_moves, make_move
from tironian.replay.rules.moves.move_list import MoveList
from tironian.replay.simulation.dice import Dice
from tironian.replay.simulation.simulator import openings

SETTINGS = [
    (name, setting)
    for name in EDITION_NAMES
    for setting in [
        (),
        *(((option, value),) for option, values in load_edition(name).options.items() for value in values[1:]),
    ]
]
PLAYED = {
    "2024": (8904, 113879, 573),
    "1997": (8009, 139590, 301),
    "fr": (7732, 134098, 269),
    "taylor": (7824, 135970, 278),
}
"""What comes of 40 games: moves, moves listed, and Rome's points."""


def played(edition: Edition, seed: int) -> tuple[State, int, int]:
    """Play a game; return its end, how many moves it had, and how many were listed."""
    state, dice, listed, moves, choices = start(edition, *openings(edition, Random(seed))), Dice(seed), MoveList(), 0, 0
    while not state.over:
        list_moves(state, listed)
        at = 2 * dice.below(listed.count)
        code, more = listed.codes[at], listed.codes[at + 1]
        judge_move(state, code, more, found := [])
        assert not found
        make_move(state, code, more)
        moves, choices = moves + 1, choices + listed.count
        assert moves < 3000
    return state, moves, choices


@pytest.mark.parametrize(("name", "setting"), SETTINGS, ids=lambda value: str(value) if value else "default")
def test_they_are_legal_and_end(name: str, setting: tuple[tuple[str, str], ...]) -> None:
    edition = load_edition(name, setting)
    for seed in range(8):
        state, moves, choices = played(edition, seed)
        assert state.ended
        assert choices > moves > 50


@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_seed_is_the_same_game_in_every_build(name: str) -> None:
    """Where a list is meant to have another order, the numbers change with it."""
    games = [played(load_edition(name), seed) for seed in range(40)]
    points = sum(score(state).points[0] for state, _, _ in games)
    assert (sum(moves for _, moves, _ in games), sum(choices for _, _, choices in games), points) == PLAYED[name]


def test_a_list_of_moves_grows() -> None:
    listed = MoveList()
    for code in range(2000):
        listed.add(code << 4 | SPY, code)
    assert listed.pairs() == [(code << 4 | SPY, code) for code in range(2000)]
