"""The engine alone, without texts: moves a second of random games, and what a copy of a state costs.

    .venv/bin/python benchmarks/engine.py --games 100 --seed 1

Listed: at every step all legal moves are listed, and one of them is played, each as likely as any other. Drawn: the
random player of the simulator draws a move without listing the others, and the law is asked about it before it is
played. A move is one word of a record or the end of a turn. Timed is processor time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Final, NamedTuple

from tironian.replay import load_edition, start
from tironian.replay.edition import EDITION_NAMES, Edition
from tironian.replay.player import next_move
from tironian.replay.rules.engine import judge_move, make_move
from tironian.replay.rules.moves.listing import list_moves
from tironian.replay.rules.state import State
from tironian.replay.simulator import openings
from tironian.replay.styles import style

MOST_MOVES: Final = 3000
"""No rule ends a game in which nobody does anything."""
COPIES: Final = 20_000
MIDDLE: Final = 100
"""Moves after which a state is copied, so that cards lie everywhere."""


class Figures(NamedTuple):
    """What was measured by one rule set."""

    listed: float
    """Moves a second, and how many were listed a step."""
    choices: float
    drawn: float
    copy: float
    """Microseconds."""


# What is measured. An engine that plays a whole game by itself takes the place of a function's body.


def listed(state: State, rng: Random) -> tuple[int, int]:
    """Play a game in which all moves are listed at every step: how many were played, and how many listed."""
    moves = choices = 0
    random = rng.random
    while not state.over and moves < MOST_MOVES:
        found = list_moves(state)
        count = len(found) >> 1
        at = 2 * int(random() * count)
        make_move(state, found[at], found[at + 1])
        moves += 1
        choices += count
    return moves, choices


def drawn(state: State, rng: Random, most: int = MOST_MOVES) -> int:
    """Play a game in which each move is drawn and held against the law: how many were played."""
    styles = (style(rng), style(rng))
    moves = 0
    while not state.over and moves < most:
        code, more = next_move(state, rng, styles)
        if judge_move(state, code, more):
            raise SystemExit(f"the law refuses {code}, which was drawn as a legal move")
        make_move(state, code, more)
        moves += 1
    return moves


def copied(state: State) -> None:
    """Copy a state many times."""
    for _ in range(COPIES):
        state.copy()


# ------------------------------------------------------------------------------------------------------ measuring


def seconds(work: Callable[[], None]) -> float:
    """Processor time of some work."""
    began = process_time()
    work()
    return process_time() - began


def begun(edition: Edition, seed: int) -> State:
    """A game before its first turn."""
    return start(edition, *openings(edition, Random(seed)))


def figures(edition: Edition, games: int, seed: int) -> Figures:
    """Play so many games in both ways, after a few that nobody times."""
    counts = [0, 0, 0]

    def all_listed(first: int, last: int) -> None:
        for number in range(first, last):
            moves, choices = listed(begun(edition, number), Random(number))
            counts[0] += moves
            counts[1] += choices

    def all_drawn(first: int, last: int) -> None:
        for number in range(first, last):
            counts[2] += drawn(begun(edition, number), Random(number))

    all_listed(seed, seed + 2)
    all_drawn(seed, seed + 2)
    counts[:] = 0, 0, 0
    took = seconds(lambda: all_listed(seed, seed + games)), seconds(lambda: all_drawn(seed, seed + games))
    state = begun(edition, seed)
    drawn(state, Random(seed), MIDDLE)
    once = seconds(lambda: copied(state)) / COPIES
    return Figures(counts[0] / took[0], counts[1] / counts[0], counts[2] / took[1], once * 1e6)


def main() -> None:
    """Measure every rule set."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="of each rule set, in each way")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{'':<8}{'listed, moves/s':>17}{'listed a step':>15}{'drawn, moves/s':>16}{'copy, µs':>10}")
    for name in EDITION_NAMES:
        found = figures(load_edition(name), options.games, options.seed)
        print(f"{name:<8}{found.listed:>17,.0f}{found.choices:>15.1f}{found.drawn:>16,.0f}{found.copy:>10.2f}")


if __name__ == "__main__":
    main()
