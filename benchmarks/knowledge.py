"""How long it takes to judge a log in which some cards are unknown: from a game that has been read to its verdict.

    python benchmarks/knowledge.py [--games 250] [--slowest 3]

Every game is simulated, and seen by both players and a spectator. The time for the same game with all cards known is
shown beside it, and the slowest logs are listed by rule set, seed and point of view.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import tironian
from tironian import EDITION_NAMES, Game, check, load_edition, parse, simulate, timeline, write
from tironian.replay.story.timeline import with_odds

VIEWS = ("caesar", "cleopatra", "table")


def taken(work: Callable[[], object], rounds: int = 1) -> float:
    """Return the shortest time of some rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - began))
    return min(times)


def read(text: str) -> Game:
    (game,) = parse(text)
    return game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=250, help="how many games of each rule set")
    parser.add_argument("--slowest", type=int, default=3, help="how many of the slowest logs to name")
    options = parser.parse_args()
    print(f"{'ms a log':<12}{'all known':>10}{'median':>10}{'99 of 100':>10}{'slowest':>10}{'with odds':>10}")
    slowest: list[tuple[float, str]] = []
    for name in EDITION_NAMES:
        edition = load_edition(name)
        whole, logs, odds = [], [], []
        for seed in range(options.games):
            game = read(write(simulate(edition, seed)))
            whole.append(taken(lambda game=game: check(game)))
            for view in VIEWS:
                log = read(write(tironian.view(game, view).record))
                logs.append(taken(lambda log=log: check(log)))
                slowest.append((logs[-1], f"{name}, seed {seed}, {view}"))
                if seed < 20:
                    odds.append(taken(lambda log=log: with_odds(timeline(log), log)))
        logs.sort()
        figures = (statistics.median(whole), statistics.median(logs), logs[len(logs) * 99 // 100], logs[-1])
        print(f"{name:<12}" + "".join(f"{each:>10.1f}" for each in (*figures, statistics.median(odds))))
    for each, which in sorted(slowest, reverse=True)[: options.slowest]:
        print(f"{each:>10.1f}  {which}")


if __name__ == "__main__":
    main()
