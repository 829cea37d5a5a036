"""How long timelines, trees and pages take: from a game that has been read to the finished text, on one core.

    python benchmarks/exports.py [--games 20] [--rounds 5]

Each number is the median over the games of the best of some rounds, in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from tironian import EDITION_NAMES, VIEWS, Game, load_edition, parse, replay_game, simulate, timeline, what_if, write
from tironian.notation.safe_text import json_lines
from tironian.replay.story.vote_tree import trees
from tironian.tools.render.data import timeline_data
from tironian.tools.render.page import page
from tironian.tools.render.page_what_if import WhatIf
from tironian.tools.render.picture import picture
from tironian.tools.render.vote_graph import graph


def timeline_json(game: Game) -> str:
    return json_lines(timeline_data(timeline(game)), "turns")


def votes_dot(game: Game) -> str:
    return "\n".join(map(graph, trees(timeline(game))))


def page_html(game: Game) -> str:
    """Return the page from every point of view."""
    played = replay_game(game)
    views = [timeline(game, view, played=played) for view in VIEWS]
    return page(views, trees(views[0]))


def page_with_what_if(game: Game) -> str:
    """Return the same page, with what else could have been played."""
    played = replay_game(game)
    views = [timeline(game, view, played=played) for view in VIEWS]
    return page(views, trees(views[0]), None, [WhatIf(what_if(game, view, played=played)) for view in VIEWS])


WORK: dict[str, Callable[[Game], object]] = {
    "replay, a snapshot a token": replay_game,
    "timeline, model": timeline,
    "timeline, json": timeline_json,
    "votes, model": lambda game: trees(timeline(game)),
    "votes, dot of all": votes_dot,
    "timeline, html": page_html,
    "timeline, html, what if": page_with_what_if,
    "timeline, svg": lambda game: picture(timeline(game)),
}


def best(work: Callable[[Game], object], games: list[Game], rounds: int) -> list[float]:
    """Return the shortest time for each game, in milliseconds. The rounds go through all games in turn, so that a
    machine that is slow for some seconds does not spoil every attempt at one of them.
    """
    times = [float("inf")] * len(games)
    for _ in range(rounds):
        for place, game in enumerate(games):
            began = time.perf_counter()
            work(game)
            times[place] = min(times[place], 1000 * (time.perf_counter() - began))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="how many games of each rule set")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'ms a game':<28}" + "".join(f"{name:>10}" for name in EDITION_NAMES))
    games = {
        name: [parse(write(simulate(load_edition(name), seed)))[0] for seed in range(1, options.games + 1)]
        for name in EDITION_NAMES
    }
    turns = {name: statistics.median(len(game.record.turns) for game in found) for name, found in games.items()}
    print(f"{'turns, median':<28}" + "".join(f"{turns[name]:>10.0f}" for name in EDITION_NAMES))
    for what, work in WORK.items():
        times = iter(best(work, [game for found in games.values() for game in found], options.rounds))
        medians = [statistics.median([next(times) for _ in games[name]]) for name in EDITION_NAMES]
        print(f"{what:<28}" + "".join(f"{each:>10.1f}" for each in medians))


if __name__ == "__main__":
    main()
