"""Measure what docs/judging.md says: each line is a figure and the bar that it must reach.

PYTHONPATH=.venv/compiled python training/measure.py 2024
PYTHONPATH=.venv/compiled python training/measure.py 2024 calibration=1200 planted=50
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import numpy as np
from tironian import Record, load_edition, replay_game, simulate
from tironian.notation import codes
from tironian.notation.cards import is_influence
from tironian.notation.codes import Codes
from tironian.notation.reader import as_game
from tironian.notation.tokens import Draw
from tironian.replay.editions.edition import Edition
from tironian.replay.engine.play import make_move
from tironian.replay.engine.run import start
from tironian.replay.insight import analysis
from tironian.replay.insight.account import COLUMNS, OwnChoice
from tironian.replay.insight.analysis import strength
from tironian.replay.insight.analysis_json import side_data
from tironian.replay.insight.duel import BLUR
from tironian.replay.insight.judgement import HORIZON, Judge, Judged, Trial, is_action, is_placing
from tironian.replay.insight.match import Match
from tironian.replay.insight.net import Evaluator, Net, load
from tironian.replay.insight.options import MOVE, TARGET, OptionBatch, result, settle
from tironian.replay.insight.players import Pick, advance, best, games, player
from tironian.replay.insight.position import (
    GROUP_INPUTS,
    PLACES,
    REST_INPUTS,
    WORDS,
    inputs,
    left,
    readings,
    rows_of,
    slants,
)
from tironian.replay.insight.snapshots import ACT, DRAWS, VOTES, Snapshots

FIRST_SEED = 1_000_000
"""The first seed of the games used for measuring: training has not used them."""
Measure = Callable[[Edition, Net, int], Iterator[str]]
"""Yields figures and their bars, measured in this many games."""


def share(edition: Edition, net: Net, one: int, other: int, count: int) -> tuple[float, float]:
    """Return how often a player of one level beats a player of another, and half of the 95 % interval."""
    read, won = readings(edition), 0.0
    for side in (0, 1):
        mine, theirs = player(one, Evaluator(net, read), 1), player(other, Evaluator(net, read), 2)
        picks = (mine, theirs) if side == 0 else (theirs, mine)
        seeds = range(FIRST_SEED, FIRST_SEED + count // 2)
        won += sum(result(match.state, side) / 2 for _, match in games(edition, seeds, net, picks))
    rate = won / (count // 2 * 2)
    return rate, 1.96 * float(np.sqrt(max(rate * (1 - rate), 0.01) / count))


def hand_made(read: np.ndarray) -> Pick:
    """Return a player who looks one move ahead with weights set by hand: points, votes that may come, cards in hand."""
    size = inputs(np.zeros((1, WORDS), np.float32), read).shape[1]
    weights, rest = np.zeros((size, 2), np.float32), PLACES * GROUP_INPUTS
    for group in range(PLACES):
        begin = group * GROUP_INPUTS
        weights[begin + 27, 0] = 0.12  # how likely a vote would be won
        weights[begin + 35, 0] = 0.12  # the same, where its bust may come or it is due
        weights[begin + 40, 0] = 0.04  # how far the own sum is ahead
    weights[rest + 54, 0] = 1.75  # points
    weights[rest + REST_INPUTS - 1, 0] = 0.35  # the hand's sum
    weights[rest, 0] = 0.21  # philosophers in hand
    weights[rest + 6 : rest + 12, 0] = 0.053
    weights[[rest + 85, rest + 99], 0] = 0.12  # fulfilled missions
    weights[[rest + 86, rest + 100], 0] = -0.14  # and missions that can no longer be fulfilled
    net = Net(((weights, np.zeros(2, np.float32)),))

    def pick(match: Match, _moves: list[Codes], _values: np.ndarray) -> int:
        batch = OptionBatch()
        match.list_options(batch, 2)
        return int(Evaluator(net, read).options(batch).argmax())

    return pick


def against_hand_made(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield how the net does against the hand-made player, and how that player does against the lowest level."""
    read = readings(edition)
    for name, one, other, bar in (
        ("the net beats the hand-made player", best, hand_made(read), 0.8),
        ("the hand-made player beats level 1", hand_made(read), player(1, Evaluator(net, read), 2), 0.8),
    ):
        won = 0.0
        for side in (0, 1):
            picks = (one, other) if side == 0 else (other, one)
            seeds = range(FIRST_SEED, FIRST_SEED + count // 2)
            won += sum(result(match.state, side) / 2 for _, match in games(edition, seeds, net, picks))
        yield f"{name}: {won / count:.3f} of {count} (bar {bar})"


QUARTERS = ((0.75, 1.01), (0.5, 0.75), (0.25, 0.5), (0.0, 0.25))


def calibration(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield how well the chances at the start of turns agree with how games ended."""
    wins, came, left = _chances(_matches(edition, range(FIRST_SEED, FIRST_SEED + count)), net, readings(edition))
    yield f"Brier score: {np.mean((wins - came) ** 2):.4f} (bar .16)"
    yield f"calibration error: {_error(wins, came):.4f} (bar .02)"
    for low, high in QUARTERS:
        part = (left >= low) & (left < high)
        if part.any():
            error = _error(wins[part], came[part])
            yield f"  with {low:.2f} to {high:.2f} of the patricians left: {error:.4f} (bar .03)"


def sum_of_chances(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield by how much the mean of W(Rome) + W(Egypt) differs from one, before moves, votes and draws."""
    chunks = [
        event_rows(edition, net, range(at, min(at + 250, FIRST + count))) for at in range(FIRST, FIRST + count, 250)
    ]
    over = np.concatenate([net.wins(rows, readings(edition)).reshape(-1, 2).sum(1) - 1 for rows, _, _ in chunks])
    game = np.concatenate([owners[::2] + number * 250 for number, (_, _, owners) in enumerate(chunks)])
    # Due, the share of patricians left, piles empty, and whether a side has no influence cards; Rome's first.
    seen = [np.column_stack([rows[:, :1], left(rows), slants(rows)[:, 27:33]])[::2] for rows, _, _ in chunks]
    due, share, *empty = np.concatenate(seen).T
    first = np.r_[True, game[1:] != game[:-1]]
    parts = {"over all": due >= 0, "at the start": first, "last position": np.r_[first[1:], True]}
    parts |= {
        f"{low:.2f} to {high:.2f} of the patricians left": (share >= low) & (share < high) for low, high in QUARTERS
    }
    parts |= {name: due == code for name, code in (("before a move", ACT), ("a vote", VOTES), ("a draw", DRAWS))}
    parts |= {
        "an influence pile empty": (empty[0] + empty[2]) > 0,
        "an action pile empty": (empty[1] + empty[3]) > 0,
        "a side alone": (empty[4] + empty[5]) > 0,
    }
    for name, part in parts.items():
        _, places = np.unique(game[part], return_inverse=True)
        sums, sizes = np.bincount(places, over[part]), np.bincount(places)
        mean = sums.sum() / sizes.sum()
        half = 1.96 * np.sqrt(((sums - mean * sizes) ** 2).sum()) / sizes.sum()  # positions of a game are alike
        yield f"chances of both, {name}: 1 {mean:+.4f} ± {half:.4f} in {len(sums)} games (bar .02, over all .005)"


FIRST = 6_200_000
"""The first seed of the games that measure the correction: nothing is fitted on them."""


def after_weak_play(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield how well chances agree with results in positions reached by weak players."""
    read, found = readings(edition), _matches(edition, range(FIRST_SEED, FIRST_SEED + count))
    weak = player(1, Evaluator(net, read), 1), player(1, Evaluator(net, read), 2)
    for number, match in enumerate(found):
        advance([match], Evaluator(net, read), 1 + number % 24, weak)
    wins, came, _ = _chances(found, net, read)
    yield f"calibration error after weak play: {_error(wins, came):.4f} (bar .03)"


def _chances(found: list[Match], net: Net, read: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play games on; return the chances at the start of turns, the results, and the share of patricians left."""
    rows, owners = _turn_rows(found, net, read)
    came = [result(match.state, viewer) / 2 for match in owners for viewer in (0, 1)]
    return net.wins(rows, read), np.array(came), left(rows)


def _turn_rows(found: list[Match], net: Net, read: np.ndarray) -> tuple[np.ndarray, list[Match]]:
    """Play games on; return the rows for the start of each turn, two per turn, and their matches."""
    shots, owners = Snapshots(), []
    for turn in range(240):
        live = [match for match in found if not match.is_over()]
        if not live:
            break
        for match in live:
            then = match.state.copy()
            due = settle(then)
            if due == ACT:
                for viewer in (0, 1):
                    shots.add(then, viewer, due)
                owners.append(match)
        advance(live, Evaluator(net, read), max(turn + 1, min(match.turns for match in live) + 1))
    return rows_of(shots), owners


BY_CHANCE = (codes.VOTE, codes.NO_VOTE, codes.PUT_AWAY, codes.SPECIAL_VOTE, codes.DRAW)
"""What comes after the decisions of a turn."""


def event_rows(edition: Edition, net: Net, seeds: Sequence[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what both players know before each move, vote and draw of the net's games, Rome first; the results for
    them; and the number of each position's game.
    """
    shots, came, owners = Snapshots(), [], []
    picks = player(4, Evaluator(net, readings(edition)), 1), player(4, Evaluator(net, readings(edition)), 2)
    for number, (_, match) in enumerate(games(edition, seeds, net, picks)):
        assert match.opening is not None
        state, ends = start(edition, *match.opening), [result(match.state, side) / 2 for side in (0, 1)]
        for place in range(0, len(match.moves), 2):
            code, more = match.moves[place], match.moves[place + 1]
            then = state.copy()
            due = settle(then, code & codes.KIND in BY_CHANCE)
            if due in (ACT, VOTES, DRAWS):
                for viewer in (0, 1):
                    shots.add(then, viewer, due)
                came += ends
                owners += [number, number]
            make_move(state, code, more)
    return rows_of(shots), np.array(came), np.array(owners)


def _matches(edition: Edition, seeds: Sequence[int]) -> list[Match]:
    from tironian.replay.simulation.simulator import openings

    return [Match(start(edition, *openings(edition, Random(seed))), seed) for seed in seeds]


def _error(wins: np.ndarray, came: np.ndarray) -> float:
    """Return the calibration error: the mean difference over ten bins, weighted by size."""
    bins = np.minimum((wins * 10).astype(int), 9)
    return float(
        sum(abs(wins[bins == b].mean() - came[bins == b].mean()) * (bins == b).mean() for b in set(bins.tolist()))
    )


def ledger(records: Sequence[Record], name: str) -> Iterator[str]:
    """Yield the means of the ledger's columns, and the largest residual."""
    parts, off = [], 0.0
    for record in records:
        for side in analysis.analyse(record).sides:
            if side is not None and side.ledger.complete:
                parts.append(side.ledger.parts)
                off = max(off, abs(side.ledger.start + sum(side.ledger.parts) - side.ledger.end))
    table = np.array(parts)
    errors = 1.96 * table.std(0) / np.sqrt(len(table))
    words = ", ".join(f"{n} {m:+.3f} ± {e:.3f}" for n, m, e in zip(COLUMNS, table.mean(0), errors, strict=True))
    yield f"ledger, {name}, {len(table)} sides: {words}; residual {off:.0e} (bar 1e-9)"
    yield "  bars: draws and busts ≤ .02, reveals ≤ .10 (aim .05), evaluator ≤ .10 (.25 of level 1)"


def levels(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield what players of different levels lose per decision."""
    read = readings(edition)
    for level in (1, 2, 3, 4):
        picks = player(level, Evaluator(net, read), 1), player(level, Evaluator(net, read), 2)
        seeds = range(FIRST_SEED, FIRST_SEED + count)
        found = [analysis.analyse(record, level="default") for record, _ in games(edition, seeds, net, picks)]
        sides = [side for report in found for side in report.sides if side is not None]
        per_side = np.array([strength(side.decisions)[0] for side in sides])
        lost, number = strength([each for side in sides for each in side.decisions])
        half = 1.96 * per_side.std() / np.sqrt(len(per_side))
        marks = sum(bool(each.mark) for side in sides for each in side.decisions) / len(sides)
        yield f"level {level}: loses {lost:.4f} ± {half:.4f} per decision ({number}), {marks:.1f} marks a side"


def strongest(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield what the judge says about games of the strongest level, which plays as the judge compares."""
    read, lost, noise, looked = readings(edition), [], 0, 0
    picks = player(5, Evaluator(net, read), 1), player(5, Evaluator(net, read), 2)
    for record, _ in games(edition, range(FIRST_SEED, FIRST_SEED + count), net, picks):
        lost += [0.0, 0.0]
        for judge, choice, judged in _decisions(record):
            lost[judge.account.side - 2] += judged.loss * (judged.level == 2)
            if choice.end - choice.first > 1 and choice.kind != TARGET:
                looked += 1
                noise += judge.look(choice, 12, 2).loss > 0.05
    half = 1.96 * np.std(lost) / np.sqrt(len(lost))
    yield f"level 5 loses {np.mean(lost):.3f} ± {half:.3f} wins a game by the judge (bar .1)"
    yield f"of its decisions seem to cost more than 5 points in 12 worlds: {noise / looked:.4f} of {looked} (bar .015)"


def regret(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield the cost of the moves that the net and the judge think best, measured over four turns in other worlds.

    Also yield the net's error in the difference between the best move and another, and how often the best one is better
    if the net sees little difference.
    """
    costs, errors, right = [], [], []
    for record, _ in games(edition, range(FIRST_SEED, FIRST_SEED + count), net):
        judge = _judge(record, count % 2)
        for choice in judge.account.choices[::6]:
            if choice.end - choice.first < 2 or choice.kind == TARGET:
                continue
            near, far = Trial(judge, choice, 2), Trial(judge, choice, 4)
            near.play(32)
            far.play(64)
            by_net = int(np.argmax([judge.values[option] for option in near.options]))
            for place, option in enumerate(far.options):
                told = judge.values[far.options[by_net]] - judge.values[option]
                if place != by_net:
                    gaps = far.reached[by_net] - far.reached[place]
                    errors.append((told - gaps.mean()) ** 2 - gaps.var(ddof=1) / len(gaps))
                    if told < BLUR:
                        right.append(gaps.mean() > 0)
            costs.append([_lost(far.reached, by_net), _lost(far.reached, int(near.reached.mean(1).argmax()))])
    means, halves = np.mean(costs, 0), 1.96 * np.std(costs, 0) / np.sqrt(len(costs))
    for name, bar, mean, half in zip(("the net", "the judge"), (0.03, 0.01), means, halves, strict=True):
        yield f"regret of {name} against four turns: {mean:.4f} ± {half:.4f} of {len(costs)} (bar {bar})"
    yield f"error of the net about the difference of two moves: {np.sqrt(np.mean(errors)):.3f} of {len(errors)}"
    yield f"of moves less than {BLUR} apart the better one by the net is better: {np.mean(right):.2f} of {len(right)}"


def _lost(reached: np.ndarray, option: int) -> float:
    """Return how much an option loses against the best one, which each half of the worlds chooses for the other
    half.
    """
    halves = ((0, 1), (1, 0))
    gaps = [reached[reached[:, one::2].mean(1).argmax(), two::2] - reached[option, two::2] for one, two in halves]
    return float(np.mean([gap.mean() for gap in gaps]))


def _judge(record: Record, side: int) -> Judge:
    account = analysis.account_of(analysis.logs_of(as_game(record))[1][side], side, "default", 0)
    assert account is not None
    return Judge(account, 77)


def sums(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield how far the net's answers differ from plain Python's."""
    read, shots = readings(edition), Snapshots()
    for match in _matches(edition, range(FIRST_SEED, FIRST_SEED + count)):
        advance([match], Evaluator(net, read), 5)
        shots.add(match.state, 0, ACT)
    rows = rows_of(shots)
    seen, off = inputs(rows, read), 0.0
    for place, win in enumerate(net.wins(rows, read)):
        numbers = [float(number) for number in seen[place]]
        for layer, (weights, bias) in enumerate(net.layers):
            numbers = [
                sum(number * float(weights[at, unit]) for at, number in enumerate(numbers)) + float(bias[unit])
                for unit in range(len(bias))
            ]
            if layer < len(net.layers) - 1:
                numbers = [max(number, 0.0) for number in numbers]
        off = max(off, abs(win - 1 / (1 + np.exp(-numbers[0]))))
    yield f"numpy against plain Python: {off:.0e} (bar 1e-5)"


Plant = Callable[[Match, list[Codes], np.ndarray, Random, Evaluator], list[Codes]]
"""Returns what to play in place of the best move, and then in the same turn; nothing if the best move should be
played.
"""


def worst_card(_match: Match, moves: list[Codes], values: np.ndarray, rng: Random, _: Evaluator) -> list[Codes]:
    """If the best move places a card, return from time to time the worst move that does."""
    places = [at for at, move in enumerate(moves) if is_placing(move)]
    if int(values.argmax()) not in places or rng.random() > 0.12:
        return []
    return [moves[min(places, key=lambda at: values[at])]]


def other_order(match: Match, _moves: list[Codes], _values: np.ndarray, rng: Random, by: Evaluator) -> list[Codes]:
    """Return what the net would play in a turn, with the action earlier or later among the cards."""
    own: list[Codes] = []

    def note(match: Match, moves: list[Codes], values: np.ndarray) -> int:
        if match.kind == MOVE:
            own.append(moves[int(values.argmax())])
        return best(match, moves, values)

    if not match.state.has_acted():
        advance([twin := match.copy()], by, twin.turns + 1, (note, note))
    cards, action = [*filter(is_placing, own)], next(filter(is_action, own), None)
    if not cards or not action:
        return []
    rng.shuffle(cards)
    at = rng.choice([at for at in range(len(cards) + 1) if at != own.index(action)])
    return [*cards[:at], action, *cards[at:]]


def _spoilt(edition: Edition, net: Net, seed: int, plant: Plant) -> tuple[Record, dict[tuple[int, int], list[Codes]]]:
    """Return a game of the net in which up to ten turns, given by number and side, are planted."""
    rng, spoilt, evaluator = Random(seed), {}, Evaluator(net, readings(edition))

    def pick(match: Match, moves: list[Codes], values: np.ndarray) -> int:
        turn = match.state.number, match.state.active
        if match.kind == MOVE and turn not in spoilt and len(spoilt) < 10:
            spoilt.update({turn: planned} if (planned := plant(match, moves, values, rng, evaluator)) else {})
        planned = spoilt.get(turn, []) if match.kind == MOVE else []
        if planned and planned[0] in moves:
            return moves.index(planned.pop(0))
        planned.clear()
        return best(match, moves, values)

    return games(edition, [seed], net, (pick, pick))[0][0], spoilt


def blunders(name: str, plant: Plant) -> Measure:
    """Return a measure of how many spoilt turns are found: turns in which a token costs more than 10 points.

    The cost is measured in many separate worlds, in the judge's way: a token counts as much as the best turn that
    begins with it. The first token that costs that much must have a mark. Other tokens marked ``??`` are real blunders
    if those worlds say so too, and otherwise false alarms.
    """

    def lines(edition: Edition, net: Net, count: int) -> Iterator[str]:
        planted, found, real = 0, [], []
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            record, spoilt = _spoilt(edition, net, seed, plant)
            planted, decisions = planted + len(spoilt), [*_decisions(record)]
            marked = {choice.turn for _, choice, judged in decisions if judged.is_mistake}
            for judge, choice, judged in decisions:
                turn = record.turns[choice.turn].number, record.turns[choice.turn].side
                if turn in spoilt and choice.kind == MOVE and _costs_ten(judge, choice):
                    found.append("there" if judged.is_mistake else "elsewhere" if choice.turn in marked else "nowhere")
                    del spoilt[turn]
                elif judged.mark == "??":
                    real.append(_costs_ten(judge, choice))
        where = ", ".join(f"{found.count(place)} {place}" for place in ("there", "elsewhere", "nowhere"))
        rate = found.count("there") / len(found) if found else 1
        yield f"planted {name}: {planted}, {len(found)} of more than 10 points; marked {where}: {rate:.2f} (bar .9)"
        yield f"other tokens marked ??: {len(real)} in {count} games, {real.count(False)} falsely (bar 2 in 100)"

    return lines


def _decisions(record: Record) -> Iterator[tuple[Judge, OwnChoice, Judged]]:
    """Yield the judged decisions of both sides, and a judge that can judge them again in new worlds."""
    for side, report in enumerate(analysis.analyse(record).sides):
        assert report is not None
        judge = _judge(record, side)
        for choice, judged in zip(judge.account.choices, report.decisions, strict=True):
            yield judge, choice, judged


def _costs_ten(judge: Judge, choice: OwnChoice) -> bool:
    """Return whether a decision costs more than ten points in 128 worlds; a few worlds are enough if it costs
    nothing.
    """
    return judge.look(choice, 16, HORIZON).loss > 0.04 and judge.look(choice, 128, HORIZON).loss > 0.10


def mixed(edition: Edition, net: Net, seed: int, highest: int) -> Record:
    """Return a game between two levels up to the highest; in this many seeds each level occurs twice."""
    levels, evaluator = (1 + seed % highest, 1 + (seed + 1) % highest), Evaluator(net, readings(edition))
    one, other = (player(level, evaluator, seed + at) for at, level in enumerate(levels))
    return games(edition, [seed], net, (one, other))[0][0]


def false_marks(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield how many marks are false: in 64 other worlds, a turn that begins this way can't be told from the best."""
    marks = false = 0
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        record = mixed(edition, net, seed, 5)
        for judge, choice, judged in _decisions(record):
            if judged.is_mistake:
                marks, seen = marks + 1, judge.look(choice, 64, HORIZON)
                if seen.loss <= 1.96 * seen.error:
                    false += 1
                    turn = f"{seed} {record.turns[choice.turn].label}, token {choice.at + 1}"
                    told = f"{judged.played}{judged.mark}, better {judged.best} {judged.then}: {judged.loss:.3f}"
                    yield f"  false: {turn}, {told}, is {seen.loss:.3f} ± {1.96 * seen.error:.3f}"
    yield f"marks: {marks} of {2 * count} sides, {false} of them false"


def pairs(edition: Edition, net: Net, count: int) -> Iterator[str]:
    """Yield how often a report differs between the full record, the player's own log, and a record with other hidden
    cards.

    Most reports are made at the level quick; in every 50th game, at default, and for the full record with two
    processes.
    """
    own = leaks = pairs = 0
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        record = mixed(edition, net, seed, 4)
        level, jobs = ("quick", 1) if seed % 50 else ("default", 2)
        whole = analysis.analyse(record, level=level, jobs=jobs)
        for side, log in enumerate(whole.log):
            swapped, swaps = _swapped(record, 1 - side)
            reports = whole, analysis.analyse(log, side, level), analysis.analyse(swapped, side, level)
            told, alone, changed = (json.dumps(side_data(report.sides[side], log)) for report in reports)
            own, leaks, pairs = own + (alone != told), leaks + (changed != told), pairs + swaps
    yield f"own logs whose report differs: {own} of {2 * count} (bar 0)"
    yield f"the same where {pairs} swaps of cards were made that the other side drew: {leaks} of {2 * count} (bar 0)"


def _swapped(record: Record, side: int) -> tuple[Record, int]:
    """Return a record with some of a side's draws swapped, legally and within the same piles, which nobody else can
    notice; also return how many.
    """
    drawn = [(at, turn.tokens[-1].cards) for at, turn in enumerate(record.turns) if isinstance(turn.tokens[-1], Draw)]
    places = [(at, place) for at, cards in drawn if record.turns[at].side == side for place in range(len(cards))]
    swaps = 0
    for two in combinations(places, 2):
        turns = [*record.turns]
        cards = [turns[at].tokens[-1].cards[place] for at, place in two]
        for (at, place), card in zip(two, reversed(cards), strict=True):
            *before, draw = turns[at].tokens
            draw = Draw((*draw.cards[:place], card, *draw.cards[place + 1 :]))
            turns[at] = replace(turns[at], tokens=(*before, draw))
        swapped = replace(record, turns=tuple(turns))
        alike = cards[0] != cards[1] and is_influence(cards[0]) == is_influence(cards[1])
        if alike and not replay_game(swapped).run.findings:
            record, swaps = swapped, swaps + 1
    return record, swaps


def played(edition: Edition, net: Net, count: int, opponent: str) -> Sequence[Record]:
    """Return games of the net, of level 1, or of random players, each against its like."""
    seeds = range(FIRST_SEED, FIRST_SEED + count)
    if opponent == "random players":
        return [simulate(edition, seed) for seed in seeds]
    read = readings(edition)
    weak = player(1, Evaluator(net, read), 1), player(1, Evaluator(net, read), 2)
    picks = (best, best) if opponent == "the net" else weak
    return [record for record, _ in games(edition, seeds, net, picks)]


def step(one: int, other: int, bar: float) -> Measure:
    """Return a measure of how often one level beats another."""

    def lines(edition: Edition, net: Net, count: int) -> Iterator[str]:
        rate, half = share(edition, net, one, other, count)
        yield f"level {one} beats level {other}: {rate:.3f} ± {half:.3f} of {count} (bar {bar})"

    return lines


def against(opponent: str) -> Measure:
    """Return a measure of the ledgers of players against an opponent."""
    return lambda edition, net, count: ledger(played(edition, net, count, opponent), opponent)


MEASURES: dict[str, tuple[Measure, int]] = {
    "sums": (sums, 20),
    "hand-made": (against_hand_made, 400),
    "net-1": (step(4, 1, 0.97), 400),
    "2-1": (step(2, 1, 0.6), 400),
    "3-2": (step(3, 2, 0.6), 400),
    "4-3": (step(4, 3, 0.6), 400),
    "5-4": (step(5, 4, 0.6), 24),
    "calibration": (calibration, 1200),
    "even": (sum_of_chances, 2000),
    "weak": (after_weak_play, 1200),
    "ledger": (against("the net"), 60),
    "ledger-1": (against("level 1"), 60),
    "ledger-random": (against("random players"), 60),
    "planted": (blunders("cards", worst_card), 14),
    "orders": (blunders("orders", other_order), 14),
    "false-marks": (false_marks, 5),
    "pairs": (pairs, 50),
    "levels": (levels, 5),
    "regret": (regret, 5),
    "strongest": (strongest, 4),
}
"""What can be measured, and how many games it takes."""


def main() -> None:
    """Measure a rule set: everything, or what is named."""
    global FIRST_SEED
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules")
    parser.add_argument("names", nargs="*", help=f"what to measure, NAME or NAME=GAMES: {', '.join(MEASURES)}")
    parser.add_argument("--first", type=int, default=FIRST_SEED, metavar="SEED", help="the seed of the first game")
    args = parser.parse_args()
    FIRST_SEED = args.first
    edition, net = load_edition(args.rules), load(args.rules)
    print(f"{args.rules}, net {net.name}", flush=True)
    for name in args.names or MEASURES:
        name, _, count = name.partition("=")
        measure, usual = MEASURES[name]
        for line in measure(edition, net, int(count or usual)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
