"""The engine alone, without texts: moves per second in random games, and the cost of copying a state.

    .venv/bin/python benchmarks/engine.py --games 100 --seed 1

Listed: at every step all legal moves are listed, and a random one is played, all equally likely. Player: the
simulator's random player chooses a move, and the law judges it before it is played. A move is one word of a record or
the end of a turn. Times are processor time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Final, NamedTuple

from tironian import EDITION_NAMES, Edition, State, load_edition, start
from tironian.replay.engine.play import judge_move
from tironian.replay.rules.game.game import list_moves, make_move
from tironian.replay.rules.moves.move_list import MoveList
from tironian.replay.simulation.dice import Dice
from tironian.replay.simulation.player import next_move, style
from tironian.replay.simulation.simulator import openings

COPIES: Final = 20_000
MOST_MOVES: Final = 3000
"""The rules end no game in which nobody does anything (N9)."""
MIDDLE: Final = 100
"""The number of moves after which a state is copied, so that cards lie everywhere."""


class Figures(NamedTuple):
    """What was measured for one rule set."""

    listed: float
    """Moves per second, and how many were listed per step."""
    choices: float
    player: float
    copy: float
    """Microseconds."""


def listed(state: State, seed: int) -> tuple[int, int]:
    """Play a game in which all moves are listed at every step; return how many were played, and how many listed."""
    dice, found, moves, choices = Dice(seed), MoveList(), 0, 0
    while not state.over and moves < MOST_MOVES:
        list_moves(state, found)
        make_move(state, *found.pairs()[dice.below(found.count)])
        choices += found.count
        moves += 1
    return moves, choices


def played(state: State, seed: int) -> tuple[int, int]:
    """Play a game as the simulator does, judging each move by the law; return how many were played."""
    rng, moves, found = Random(seed), 0, []
    styles = (style(rng), style(rng))
    while not state.over and moves < MOST_MOVES:
        code, more = next_move(state, rng, styles)
        judge_move(state, code, more, found)
        if found:
            raise SystemExit(f"the law refuses {code}, which was drawn as a legal move")
        make_move(state, code, more)
        moves += 1
    return moves, 0


def copied(state: State) -> None:
    """Copy a state many times."""
    for _ in range(COPIES):
        state.copy()


# ------------------------------------------------------------------------------------------------------ measuring


def seconds(work: Callable[[], None]) -> float:
    """Return the processor time of some work."""
    began = process_time()
    work()
    return process_time() - began


def begun(edition: Edition, seed: int) -> State:
    """Return a game before its first turn."""
    return start(edition, *openings(edition, Random(seed)))


def figures(edition: Edition, games: int, seed: int) -> Figures:
    """Play this many games in every way, after a few untimed ones."""
    speeds: list[float] = []
    choices = 0.0
    for way in (listed, played):
        for number in range(seed, seed + 2):
            way(begun(edition, number), number)
        states = [begun(edition, number) for number in range(seed, seed + games)]
        counts: list[tuple[int, int]] = []
        took = seconds(lambda: counts.extend(map(way, states, range(seed, seed + games))))  # noqa: B023
        moves = sum(moves for moves, _ in counts)
        speeds.append(moves / took)
        choices = choices or sum(offered for _, offered in counts) / moves
    state = begun(edition, seed)
    rng = Random(seed)
    styles = (style(rng), style(rng))
    for _ in range(MIDDLE):
        make_move(state, *next_move(state, rng, styles))
    once = seconds(lambda: copied(state)) / COPIES
    return Figures(speeds[0], choices, *speeds[1:], once * 1e6)


def main() -> None:
    """Measure every rule set."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100, help="of each rule set, in each way")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{'':<8}{'listed, moves/s':>17}{'listed a step':>15}{'player, moves/s':>17}{'copy, µs':>10}")
    for name in EDITION_NAMES:
        found = figures(load_edition(name), options.games, options.seed)
        print(f"{name:<8}{found.listed:>17,.0f}{found.choices:>15.1f}", end="")
        print(f"{found.player:>17,.0f}{found.copy:>10.2f}")


if __name__ == "__main__":
    main()
