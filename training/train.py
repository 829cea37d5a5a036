"""Train the net of a rule set by self-play, with numpy alone.

Many games are played in lock-step: the options of all their decisions are valued at once. Some games begin with the
moves of a weak player, or of the net with slips, who only lead to positions; the net learns from how the game ended
after it took over. Everything is drawn from the seed, but how far training gets depends on the time; with ``--rounds``
it does not.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import sys
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tironian import load_edition
from tironian.replay.editions.edition import Edition
from tironian.replay.engine.run import start
from tironian.replay.rules.core import MOVE
from tironian.replay.rules.scoring import score
from tironian.replay.simulation.player import random_turn_codes, style
from tironian.replay.simulation.simulator import openings
from tironian.tools.insight.match import Match
from tironian.tools.insight.net import Evaluator, Net, read_net, save_net
from tironian.tools.insight.options import OptionBatch, result, settle
from tironian.tools.insight.position import WORDS, inputs, readings, rows_of
from tironian.tools.insight.snapshots import Snapshots

HIDDEN = (64, 32)
TABLES = 384
"""The number of games played at a time."""
LED = 0.45
"""The number of games that begin with another player's moves."""
MOST_LED = 26
"""The most turns played by the other player."""
OTHER_READINGS = 0.1
"""The number of games with other readings than the defaults."""
MOST_TURNS = 160
"""A longer game is not used for learning."""
KEPT = 1_200_000
"""The number of newest positions used for learning."""
SHARE = 0.6
"""The share of a game's positions used for learning."""
TRUSTED = 0.75
"""How far a position learns from later results instead of from the next position's value. With 1 (results alone), nets
overrate their own choices less, but become weaker: results say too little.
"""
RATE = 2e-3
"""The initial learning rate."""
WORLDS = 2
MARGIN_WEIGHT = 0.3
KEPT_OF_MEAN = 0.998
"""The share of the mean of the weights that is kept at each step. The net that plays and is saved is the mean, since
its errors are smaller: choosing the best of many moves would pick out errors.
"""


@dataclass
class Learner:
    """A net in training: its weights, their mean over the last steps, and Adam's means of their gradients."""

    arrays: list[NDArray[np.float32]]
    first: list[NDArray[np.float32]] = field(default_factory=list)
    second: list[NDArray[np.float32]] = field(default_factory=list)
    mean: list[NDArray[np.float32]] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        self.first = [np.zeros_like(array) for array in self.arrays]
        self.second = [np.zeros_like(array) for array in self.arrays]
        self.mean = [array.copy() for array in self.arrays]

    @property
    def net(self) -> Net:
        return Net(tuple(zip(self.mean[::2], self.mean[1::2], strict=True)))

    def learn(
        self, read: NDArray[np.float32], won: NDArray[np.float32], margin: NDArray[np.float32], rate: float
    ) -> float:
        """Take one step; return the mean squared error of the chance of winning."""
        w1, b1, w2, b2, w3, b3 = self.arrays
        one = np.maximum(read @ w1 + b1, 0)
        two = np.maximum(one @ w2 + b2, 0)
        out = two @ w3 + b3
        chance = 1 / (1 + np.exp(-out[:, 0]))
        wrong = np.stack([chance - won, MARGIN_WEIGHT * (out[:, 1] - margin)], 1) / np.float32(len(read))
        to_two = (wrong @ w3.T) * (two > 0)
        to_one = (to_two @ w2.T) * (one > 0)
        found = [read.T @ to_one, to_one.sum(0), one.T @ to_two, to_two.sum(0), two.T @ wrong, wrong.sum(0)]
        self.steps += 1
        scale = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for array, mean, first, second, slope in zip(
            self.arrays, self.mean, self.first, self.second, found, strict=True
        ):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            array -= (scale * first / (np.sqrt(second) + 1e-7)).astype(np.float32)
            mean += (1 - KEPT_OF_MEAN) * (array - mean)
        return float(np.mean((chance - won) ** 2))


def new_learner(size: int, seed: int) -> Learner:
    """Return a net that knows nothing."""
    rng = np.random.default_rng(seed)
    sizes = (size, *HIDDEN, 2)
    arrays: list[NDArray[np.float32]] = []
    for before, after in pairwise(sizes):
        scale = np.sqrt(2 / (60 if before == size else before)) if after != 2 else 0.05
        arrays += [(rng.standard_normal((before, after)) * scale).astype(np.float32), np.zeros(after, np.float32)]
    return Learner(arrays)


def any_edition(name: str, rng: Random) -> Edition:
    """Return a rule set, sometimes with other readings."""
    edition = load_edition(name)
    if rng.random() >= OTHER_READINGS:
        return edition
    return load_edition(name, tuple((option, rng.choice(values)) for option, values in edition.options.items()))


@dataclass
class Table:
    """A game in play, with the positions from which the net will learn."""

    match: Match
    read: NDArray[np.float32]
    led: int
    slips: float
    rows: list[tuple[int, int]] = field(default_factory=list)
    """The row and the viewer of each kept position."""


class School:
    """Self-play of one rule set."""

    def __init__(self, name: str, seed: int, trusted: float = TRUSTED) -> None:
        self.name, self.rng, self.trusted = name, Random(seed), trusted
        self.games = 0
        self.evaluations = 0

    def table(self) -> Table:
        """Return a new game."""
        rng = self.rng
        edition = any_edition(self.name, rng)
        starter, rome, egypt = openings(edition, rng)
        state = start(edition, starter, rome, egypt)
        led, slips = 0, 0.0
        if rng.random() < LED:
            led = rng.randrange(1, MOST_LED + 1)
            if rng.random() < 0.5:
                styles = style(rng), style(rng)
                for _turn in range(led):
                    if not state.over:
                        random_turn_codes(state, rng, styles)
                led = 0
            else:
                slips = rng.choice((0.05, 0.2, 0.6))
        return Table(Match(state, rng.getrandbits(60)), readings(edition), led, slips)

    def play(self, net: Net, games: int) -> tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.float32]]:
        """Play games; return positions as rows with their readings, and for each row the result and the margin."""
        rng, batch = self.rng, OptionBatch()
        found: list[NDArray[Any]] = []
        tables = [self.table() for _ in range(min(TABLES, games))]
        begun, ended = len(tables), 0
        while ended < games:
            live = []
            for table in tables:
                if table.match.turns <= MOST_TURNS and table.match.wait():
                    live.append(table)
                    continue
                ended += 1
                if table.match.is_over() and table.rows:
                    found.append(self.lesson(table, net))
                if begun < games:
                    fresh = self.table()
                    begun += 1
                    if fresh.match.wait():
                        live.append(fresh)
                    else:
                        ended += 1
            tables = live
            if not tables:
                break
            batch.clear()
            sizes = []
            for table in tables:
                before = batch.rows.count
                table.match.list_options(batch, WORLDS)
                sizes.append(batch.rows.count - before)
            self.evaluations += batch.rows.count
            read = np.repeat(np.stack([table.read for table in tables]), sizes, 0)
            values = Evaluator(net, read).options(batch)
            begins = [*batch.decisions, len(batch.vetoes)]
            keep([table for table in tables if table.match.turns >= table.led and begins_turn(table.match)])
            decided = []
            for number, table in enumerate(tables):
                first, end = begins[number], begins[number + 1]
                match = table.match
                if match.turns < table.led and rng.random() < table.slips:
                    at = first + rng.randrange(end - first)
                else:
                    at = first + int(np.argmax(values[first:end]))
                match.choose(batch.moves[2 * at], batch.moves[2 * at + 1])
                if match.turns >= table.led and not match.pending:
                    decided.append(table)
            keep(decided)
        self.games += games
        rows = np.concatenate(found)
        return rows[:, :-2].astype(np.int16), rows[:, -2], rows[:, -1]

    def lesson(self, table: Table, net: Net) -> NDArray[np.float32]:
        """Return the lesson of a game: rows, readings (in hundredths), result and margin.

        The result is mixed with the values of the following positions, nearer ones counting more (TD(λ)), which gives
        less noise.
        """
        state = table.match.state
        points = score(state).points
        rows = np.stack([row for row, _ in table.rows])
        wins = net.wins(rows, table.read)
        read = np.round(table.read * 100)
        lines = []
        for viewer in (0, 1):
            mine = [place for place, (_, viewpoint) in enumerate(table.rows) if viewpoint == viewer]
            margin = (points[viewer] - points[1 - viewer]) / 10
            target = result(state, viewer) / 2
            for number, place in enumerate(reversed(mine)):
                if number:
                    target = (1 - self.trusted) * wins[mine[-number]] + self.trusted * target
                if self.rng.random() < SHARE:
                    lines.append(np.concatenate([rows[place], read, [target, margin]]))
        return np.array(lines, np.float32).reshape(len(lines), rows.shape[1] + len(read) + 2)


def begins_turn(match: Match) -> bool:
    """Return whether nothing has been done yet in a turn, so that its position follows no decision."""
    return match.kind == MOVE and not match.passed and not match.state.has_acted()


def keep(tables: list[Table]) -> None:
    """Keep the present position of each game, as both sides see it."""
    shots, places = Snapshots(), []
    for table in tables:
        after = table.match.state.copy()
        due = settle(after, table.match.passed)
        if not after.over:
            for viewer in (0, 1):
                shots.add(after, viewer, due)
                places.append((table, viewer))
    for row, (table, viewer) in zip(rows_of(shots).astype(np.int16), places, strict=True):
        table.rows.append((row, viewer))


def main() -> None:
    """Train a net."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules")
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--rounds", type=int, default=1 << 30)
    parser.add_argument("--games", type=int, default=1500, help="of a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--begin", help="file whose net is trained on")
    parser.add_argument("--rate", type=float, default=RATE, help="how fast it learns at first")
    parser.add_argument("--trusted", type=float, default=TRUSTED, help="how far it learns from the end")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    school = School(args.rules, args.seed, args.trusted)
    rng = np.random.default_rng(args.seed)
    size = readings(load_edition(args.rules))
    wide = inputs(np.zeros((1, WORDS), np.float32), size).shape[1]
    learner = new_learner(wide, args.seed)
    if args.begin:
        learner = Learner(begun(read_net(args.begin), wide))
    begin, total = time.monotonic(), 60 * args.minutes
    rows = np.zeros((0, WORDS + len(size)), np.int16)
    won = margin = np.zeros(0, np.float32)
    number = 0
    log = Path(args.out + ".log")
    while number < args.rounds and time.monotonic() - begin < total:
        spent = max((time.monotonic() - begin) / total, number / args.rounds)
        more, results, margins = school.play(learner.net, args.games)
        rows = np.concatenate([rows, more])[-KEPT:]
        won, margin = np.concatenate([won, results])[-KEPT:], np.concatenate([margin, margins])[-KEPT:]
        rate = args.rate * (1 - spent) + args.rate / 20
        errors = []
        for _step in range(3 * len(more) // 2048 + 1):
            at = rng.integers(0, len(rows), 2048)
            read = inputs(rows[at, :WORDS], rows[at, WORDS:].astype(np.float32) / 100)
            errors.append(learner.learn(read, won[at], margin[at], rate))
        number += 1
        line = {"round": number, "games": school.games, "evaluations": school.evaluations, "rate": round(rate, 6),
                "error": round(float(np.mean(errors)), 4), "seconds": round(time.monotonic() - begin)}  # fmt: skip
        log.write_text((log.read_text() if log.exists() else "") + json.dumps(line) + "\n")
        save_net(learner.net, args.out)
    print(
        json.dumps({"games": school.games, "evaluations": school.evaluations, "net": learner.net.name}), file=sys.stderr
    )


def begun(net: Net, size: int) -> list[NDArray[np.float32]]:
    """Return the weights of a net for this many inputs: other readings are separate inputs, and begin at zero."""
    arrays = [array.copy() for pair in net.layers for array in pair]
    first = np.zeros((size, arrays[0].shape[1]), np.float32)
    common = min(size, len(arrays[0]))
    first[:common] = arrays[0][:common]
    arrays[0] = first
    return arrays


if __name__ == "__main__":
    main()
