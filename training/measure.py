"""Measure what docs/judging.md says: each figure is a row of its table, with the bar that it must reach.

PYTHONPATH=.venv/compiled python training/measure.py all --write
PYTHONPATH=.venv/compiled python training/measure.py 2024 chances=1500 planted=50
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from tironian import EDITION_NAMES, Record, load_edition, replay_game
from tironian.notation import codes
from tironian.notation.cards import is_influence
from tironian.notation.codes import Codes
from tironian.notation.reader import as_game
from tironian.notation.tokens import Draw
from tironian.replay.editions.edition import Edition
from tironian.replay.engine.run import start
from tironian.replay.rules.core import MOVE, make_move
from tironian.replay.rules.state import State
from tironian.tools.insight import analysis
from tironian.tools.insight.account import COLUMNS, EVALUATOR, REVEALS, OwnChoice
from tironian.tools.insight.analysis import strength
from tironian.tools.insight.analysis_json import side_data
from tironian.tools.insight.judgement import MARKED, MARKS, Judge, Judged, Plan, Trial, is_placing, mark_of
from tironian.tools.insight.match import Match
from tironian.tools.insight.net import Evaluator, Net, load
from tironian.tools.insight.options import result, settle
from tironian.tools.insight.players import best, games, player
from tironian.tools.insight.position import inputs, left, readings, rows_of, slants
from tironian.tools.insight.snapshots import ACT, DRAWS, VOTES, Snapshots

FIRST_SEED = 6_200_000
"""The first seed of the games used for measuring: neither training nor the correction has used them."""
DOCUMENT = Path(__file__).parents[1] / "docs" / "judging.md"
TO_THE_END = 240
"""More turns than a game has."""
PLAYOUTS = 500


class Figure(NamedTuple):
    """A figure: the row of the table that it belongs to, its value, and half of its 95 % interval.

    ``bar`` is the most that its size may be, or with ``least`` the least. ``cell`` says it in other words.
    """

    row: str
    value: float
    half: float = 0.0
    bar: float | None = None
    least: bool = False
    cell: str = ""

    @property
    def told(self) -> str:
        """Return the cell: in bold if the bar is missed."""
        half = f" ± {_short(self.half)}" if self.half else ""
        cell = self.cell or _short(self.value) + half
        missed = self.bar is not None and (self.value < self.bar if self.least else abs(self.value) > self.bar)
        return f"**{cell}**" if missed else cell

    @property
    def limit(self) -> str:
        """Return the bar in words."""
        return "" if self.bar is None else f"{'≥' if self.least else '≤'} {_short(self.bar)}"


def _short(number: float) -> str:
    if 0 < abs(number) < 0.0005:
        return f"{number:.0e}"
    return re.sub(r"^(-?)0\.", r"\1.", f"{number:.3f}")


Measure = Callable[[Edition, Net, int], Iterator[Figure]]
"""Yields figures measured in this many games."""


def mean_of(values: Sequence[float], owners: Sequence[int] | None = None) -> tuple[float, float]:
    """Return a mean and half of its 95 % interval; values with the same owner, such as a game, are alike."""
    of = np.asarray(values, float)
    _, places = np.unique(np.arange(len(of)) if owners is None else np.asarray(owners), return_inverse=True)
    sums, sizes = np.bincount(places, of), np.bincount(places)
    mean = sums.sum() / sizes.sum()
    return float(mean), float(1.96 * np.sqrt(((sums - mean * sizes) ** 2).sum()) / sizes.sum())


def share_of(row: str, hits: Sequence[bool], bar: float | None = None) -> Figure:
    """Return how many of all are hits, as a figure."""
    rate = sum(hits) / len(hits) if len(hits) else 1.0
    return Figure(row, rate, bar=bar, least=True, cell=f"{sum(hits)} of {len(hits)}")


def step(one: int, other: int, bar: float) -> Measure:
    """Return a measure of how often one level beats another."""

    def lines(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
        value, won = Evaluator(net, readings(edition)), list[float]()
        for side in (0, 1):
            mine, theirs = player(one, value, 1), player(other, value, 2)
            picks = (mine, theirs) if side == 0 else (theirs, mine)
            seeds = range(FIRST_SEED, FIRST_SEED + count // 2)
            won += [result(match.state, side) / 2 for _, match in games(edition, seeds, net, picks)]
        yield Figure(f"level {one} beats level {other}", *mean_of(won), bar, least=True)

    return lines


QUARTERS = {"first": (0.75, 1.01), "second": (0.5, 0.75), "third": (0.25, 0.5), "last": (0.0, 0.25)}
"""Quarters of a game, by the share of the patricians that is left."""


def chances(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
    """Yield by how much the mean of W(Rome) + W(Egypt) differs from one, and how well W agrees with the results."""
    read, wins, over, came, game, seen = readings(edition), [], [], [], [], []
    for at in range(0, count, 250):
        rows, results, owners = event_rows(edition, net, range(FIRST_SEED + at, FIRST_SEED + min(at + 250, count)))
        found = net.wins(rows, read)
        wins.append(found)
        over.append(found.reshape(-1, 2).sum(1) - 1)
        came.append(results)
        game.append(owners + at)
        # Due, what was done in the turn, the share of patricians left, piles empty, and whether a side has no influence
        # cards; Rome's first.
        seen.append(np.column_stack([rows[:, 0], rows[:, 2:5].sum(1), left(rows), slants(rows)[:, 27:33]]))
    all_wins, results, owners = map(np.concatenate, (wins, came, game))
    of, sums = owners[::2], np.concatenate(over)
    due, under_way, rest, *empty = np.concatenate(seen)[::2].T
    first = np.r_[True, of[1:] != of[:-1]]
    parts = {"over all": due >= 0, "at the start": first, "in the last position": np.r_[first[1:], True]}
    parts |= {f"in the {name} quarter": (rest >= low) & (rest < high) for name, (low, high) in QUARTERS.items()}
    parts |= {f"before {name}": due == code for name, code in (("a move", ACT), ("a vote", VOTES), ("a draw", DRAWS))}
    parts |= {
        "an influence pile empty": (empty[0] + empty[2]) > 0,
        "an action pile empty": (empty[1] + empty[3]) > 0,
        "a side alone": (empty[4] + empty[5]) > 0,
    }
    for name, part in parts.items():
        bar = 0.005 if name == "over all" else 0.02
        yield Figure(f"mean of W(Rome) + W(Egypt) less one, {name}", *mean_of(sums[part], of[part]), bar)
    begun = np.repeat((due == ACT) & (under_way == 0), 2)
    yield Figure("Brier score, at the start of turns", float(np.mean((all_wins - results)[begun] ** 2)), bar=0.16)
    bins = np.minimum((all_wins * 10).astype(int), 9)
    off = [mean_of((all_wins - results)[bins == each], owners[bins == each]) for each in np.unique(bins)]
    yield Figure("W less the result, in the worst of ten bins of W", *max(off, key=lambda each: abs(each[0])), 0.025)


BY_CHANCE = (codes.VOTE, codes.NO_VOTE, codes.PUT_AWAY, codes.SPECIAL_VOTE, codes.DRAW)
"""What comes after the decisions of a turn."""


def event_rows(edition: Edition, net: Net, seeds: Sequence[int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return what both players know before each move, vote and draw of the net's games, Rome first; the results for
    them; and the number of each position's game.

    Where a player could have gone on but did not, the position before that was known is one more.
    """
    shots, came, owners = Snapshots(), [], []
    picks = player(4, Evaluator(net, readings(edition)), 1), player(4, Evaluator(net, readings(edition)), 2)
    for number, (_, match) in enumerate(games(edition, seeds, net, picks)):
        assert match.opening is not None
        state, ends = start(edition, *match.opening), [result(match.state, side) / 2 for side in (0, 1)]
        for place in range(0, len(match.moves), 2):
            code, more = match.moves[place], match.moves[place + 1]
            seen = dict[int, State]()
            for passed in (False, code & codes.KIND in BY_CHANCE):
                then = state.copy()
                seen[settle(then, passed)] = then
            for due in [each for each in (ACT, VOTES, DRAWS) if each in seen]:
                for viewer in (0, 1):
                    shots.add(seen[due], viewer, due)
                came += ends
                owners += [number, number]
            make_move(state, code, more)
    return rows_of(shots), np.array(came), np.array(owners)


def ledger(level: str) -> Measure:
    """Return a measure of the means of the ledger's columns, in games of the net against itself."""

    def lines(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
        parts, off = [], 0.0
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            for side in analysis.analyse(played(edition, net, seed, 4, 4), level=level).sides:
                if side is not None and side.ledger.complete:
                    parts.append(side.ledger.parts)
                    off = max(off, abs(side.ledger.start + sum(side.ledger.parts) - side.ledger.end))
        table = dict(zip(COLUMNS, np.array(parts).T, strict=True))
        words = {REVEALS: "hidden cards", EVALUATOR: "not explained"}
        for name, column in table.items():
            bar = {"draws": 0.02, "busts": 0.02, REVEALS: 0.08, EVALUATOR: 0.08}.get(name)
            yield Figure(f"ledger, `{level}`: {words.get(name, name)}, mean of a side", *mean_of(column), bar)
        size = mean_of(np.abs(table[EVALUATOR]))
        yield Figure(f"ledger, `{level}`: not explained, mean size", *size, 0.15)
        yield Figure(f"ledger, `{level}`: the sum less the result", off, bar=1e-9)

    return lines


GUESSES = 60
"""Worlds among which the true one is guessed."""


def guessing(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
    """Yield how much likelier the true hidden cards are than others, if a world counts W / (1 − W), where W is the
    other side's own chance of winning in it: the mean of logarithms, against dealing evenly.
    """
    value = Evaluator(net, readings(edition))
    for level in (2, 3, 4):
        gains, owners = [], []
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            rng, record = Random(seed), played(edition, net, seed, level, level)
            steps = pairwise(replay_game(record).steps)
            true = {step.turn.label: last.state for last, step in reversed([*steps]) if step.turn is not None}
            for side in (0, 1):
                judge = _judge(record, side)
                begun = {each.turn: each for each in reversed(judge.account.choices) if each.kind == MOVE}
                labels = {place: record.turns[place].label for place in begun}
                for place in rng.sample([*begun], min(6, len(begun))):
                    worlds = [true[labels[place]].copy(), *begun[place].belief.deal(rng, GUESSES)]
                    wins = np.clip(value.states(worlds, 1 - side), 0.001, 0.999)
                    odds = wins / (1 - wins)
                    gains.append(np.log(odds[0] / odds[1:].mean()))
                    owners.append(seed)
        yield Figure(f"gain from guessing hidden cards of level {level}", *mean_of(gains, owners))


def _judge(record: Record, side: int) -> Judge:
    account = analysis.account_of(analysis.logs_of(as_game(record))[1][side], side, 0)
    assert account is not None
    return Judge(account, 77)


def sums(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
    """Yield how far the net's answers differ from plain Python's."""
    read = readings(edition)
    rows, _, _ = event_rows(edition, net, range(FIRST_SEED, FIRST_SEED + count))
    rows = rows[::100]
    seen, off = inputs(rows, read), 0.0
    for place, win in enumerate(net._replace(even=None).wins(rows, read)):
        numbers = [float(number) for number in seen[place]]
        for layer, (weights, bias) in enumerate(net.layers):
            numbers = [
                sum(number * float(weights[at, unit]) for at, number in enumerate(numbers)) + float(bias[unit])
                for unit in range(len(bias))
            ]
            if layer < len(net.layers) - 1:
                numbers = [max(number, 0.0) for number in numbers]
        off = max(off, abs(win - 1 / (1 + np.exp(-numbers[0]))))
    yield Figure("the net's answers against plain Python", off, bar=1e-5)


def played_out(judge: Judge, choice: OwnChoice, told: Judged | None = None) -> tuple[float, float]:
    """Return what a decision cost, and half of the 95 % interval, by playing games to their end.

    A few worlds say which way to go on after the move that was made, and which other move is the best; ``told`` names
    it. Other worlds measure both.
    """
    trial = Trial(judge, choice, 2)
    trial.play(MARKED)
    means = trial.reached.mean(1)
    own, *others = [[*places] for places in trial.by_option()]
    if told is not None:
        named = [at for at, line in enumerate(trial.lines) if judge.told(choice, line)[:2] == (told.best, told.then)]
        others = [named] if named else others
    if not others:
        return 0.0, 0.0
    other = max((at for places in others for at in places), key=lambda at: means[at])
    made = Plan(choice.played, tuple(judge.rest(choice)))
    lines = [*dict.fromkeys([made, trial.lines[max(own, key=lambda at: means[at])]])]
    long = Trial(judge, choice, TO_THE_END, [*lines, trial.lines[other]])
    long.rng = Random(f"{choice.turn} {choice.at} played out")
    long.play(PLAYOUTS)
    reached = long.reached
    return mean_of(reached[-1] - reached[int(reached[:-1].mean(1).argmax())])


def marks(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
    """Yield how many marks hold when games are played to their end: two of each game, of levels 2 to 5.

    A mark is wrong if the upper end of the interval is below what the mark claims.
    """
    claims, right = {mark: sure for mark, _, sure in MARKS}, list[bool]()
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        record = played(edition, net, seed, 2 + seed % 4, 2 + (seed + 1) % 4)
        found = [each for each in _decisions(record) if each[2].is_mistake]
        for judge, choice, judged in Random(seed).sample(found, min(2, len(found))):
            loss, half = played_out(judge, choice, judged)
            right.append(loss + half >= claims[judged.mark])
            if not right[-1]:
                place = record.turns[choice.turn].label
                print(f"  {seed} {place} {judged.played}{judged.mark}: {loss:.3f} ± {half:.3f}", flush=True)
    yield share_of(f"marks that {PLAYOUTS} games played to the end allow", right, 0.98)


def worst_cards(edition: Edition, net: Net, seed: int) -> tuple[Record, set[tuple[int, int, Codes]]]:
    """Return a game of the net in which some cards are placed in the worst way, and where: turn, side and move."""
    rng, planted = Random(seed), set[tuple[int, int, Codes]]()

    def pick(match: Match, moves: list[Codes], values: np.ndarray) -> int:
        places = [at for at, move in enumerate(moves) if is_placing(move)]
        if match.kind != MOVE or int(values.argmax()) not in places or rng.random() > 0.12:
            return best(match, moves, values)
        worst = min(places, key=lambda at: values[at])
        planted.add((match.state.number, match.state.active, moves[worst]))
        return worst

    return games(edition, [seed], net, (pick, pick))[0][0], planted


def planted(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
    """Yield how many planted cards are marked, of those that games played to the end prove to be blunders (what gets
    ``??``) or mistakes (what gets ``?``).
    """
    found = list[tuple[str, bool]]()
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        record, where = worst_cards(edition, net, seed)
        for judge, choice, judged in _decisions(record):
            turn = record.turns[choice.turn]
            if (turn.number, turn.side, judge.account.batch.move(choice.played)) in where:
                loss, half = played_out(judge, choice)
                proven, _ = mark_of(loss, half / 1.96, False)
                found.append((proven, judged.is_mistake))
                if proven in ("??", "?") and not judged.is_mistake:
                    told = f"{loss:.3f} ± {half:.3f}, judged {judged.loss:.3f} ± {judged.error:.3f}"
                    print(f"  {seed} {turn.label} {judged.played}{proven} not marked: {told}", flush=True)
    for word, mark, bar in (("blunders", "??", 0.95), ("mistakes", "?", None)):
        yield share_of(f"planted {word} that are marked", [marked for proven, marked in found if proven == mark], bar)


def _decisions(record: Record) -> Iterator[tuple[Judge, OwnChoice, Judged]]:
    """Yield the judged decisions of both sides, and a judge that can judge them again in new worlds."""
    for side, report in enumerate(analysis.analyse(record).sides):
        assert report is not None
        judge = _judge(record, side)
        for choice, judged in zip(judge.account.choices, report.decisions, strict=True):
            yield judge, choice, judged


def levels(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
    """Yield what players of different levels lose per decision."""
    for level in (1, 2, 3, 4, 5):
        each = []
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            sides = analysis.analyse(played(edition, net, seed, level, level)).sides
            each += [strength(side.decisions)[0] for side in sides if side is not None]
        yield Figure(f"loss per decision of level {level}", *mean_of(each))


def pairs(edition: Edition, net: Net, count: int) -> Iterator[Figure]:
    """Yield how often a report differs between the full record, the player's own log, and a record with other hidden
    cards.

    Most reports are made at the level quick; in every 50th game, at default, and for the full record with two
    processes.
    """
    own, leaks = [], []
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        record = played(edition, net, seed, 1 + seed % 4, 1 + (seed + 1) % 4)
        level, jobs = ("quick", 1) if seed % 50 else ("default", 2)
        whole = analysis.analyse(record, level=level, jobs=jobs)
        for side, log in enumerate(whole.log):
            swapped = _swapped(record, 1 - side)
            reports = whole, analysis.analyse(log, side, level), analysis.analyse(swapped, side, level)
            told, alone, changed = (json.dumps(side_data(report.sides[side], log)) for report in reports)
            own.append(alone == told)
            leaks.append(changed == told)
    yield share_of("reports on a player's own log that are the same", own, 1.0)
    yield share_of("the same where cards are swapped that the other side drew", leaks, 1.0)


def _swapped(record: Record, side: int) -> Record:
    """Return a record with some of a side's draws swapped, legally and within the same piles, which nobody else can
    notice.
    """
    drawn = [(at, turn.tokens[-1].cards) for at, turn in enumerate(record.turns) if isinstance(turn.tokens[-1], Draw)]
    places = [(at, place) for at, cards in drawn if record.turns[at].side == side for place in range(len(cards))]
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
            record = swapped
    return record


def played(edition: Edition, net: Net, seed: int, one: int, other: int) -> Record:
    """Return a game between players of two levels."""
    value = Evaluator(net, readings(edition))
    return games(edition, [seed], net, (player(one, value, seed), player(other, value, seed + 1)))[0][0]


MEASURES: dict[str, tuple[Measure, int]] = {
    "net-1": (step(4, 1, 0.97), 400),
    "2-1": (step(2, 1, 0.6), 400),
    "3-2": (step(3, 2, 0.6), 400),
    "4-3": (step(4, 3, 0.6), 400),
    "5-4": (step(5, 4, 0.6), 200),
    "chances": (chances, 1500),
    "sums": (sums, 2),
    "quick": (ledger("quick"), 100),
    "default": (ledger("default"), 100),
    "guessing": (guessing, 60),
    "marks": (marks, 15),
    "planted": (planted, 10),
    "levels": (levels, 5),
    "pairs": (pairs, 50),
}
"""What can be measured, and how many games it takes."""


def measured(rules: str, names: Sequence[str], first: int) -> list[tuple[Figure, int]]:
    """Measure a rule set; return each figure with the number of its games."""
    global FIRST_SEED
    FIRST_SEED, found = first, []
    edition, net = load_edition(rules), load(rules)
    for name in names or [*MEASURES]:
        name, _, count = name.partition("=")
        measure, usual = MEASURES[name]
        for figure in measure(edition, net, int(count or usual)):
            print(f"{rules} {figure.row}: {figure.told} {figure.limit}", flush=True)
            found.append((figure, int(count or usual)))
    return found


def write(found: dict[str, list[tuple[Figure, int]]], first: int) -> None:
    """Write figures to the table of docs/judging.md: a row for each, with games, first seed and commit."""
    commit = subprocess.run(["git", "describe", "--always", "--dirty=+"], capture_output=True, text=True, check=True)
    before, head, *rest = re.split(r"(?m)^(\| \| bar \|.*\n\|[-|]+\n)", DOCUMENT.read_text(encoding="utf-8"))
    body, after = re.split(r"(?m)^(?!\|)", rest[0], maxsplit=1)
    rows = {cells[0]: cells for cells in ([*map(str.strip, line[1:-1].split("|"))] for line in body.splitlines())}
    for rules, figures in found.items():
        for figure, count in figures:
            cells = rows.setdefault(figure.row, [figure.row, *[""] * (len(EDITION_NAMES) + 4)])
            cells[1], cells[-3:] = figure.limit, [str(count), str(first), commit.stdout.strip()]
            cells[2 + EDITION_NAMES.index(rules)] = figure.told
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in rows.values())
    DOCUMENT.write_text(before + head + table + after, encoding="utf-8")


def main() -> None:
    """Measure a rule set, or all: everything, or what is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", choices=[*EDITION_NAMES, "all"])
    parser.add_argument("names", nargs="*", help=f"what to measure, NAME or NAME=GAMES: {', '.join(MEASURES)}")
    parser.add_argument("--first", type=int, default=FIRST_SEED, metavar="SEED", help="the seed of the first game")
    parser.add_argument("--write", action="store_true", help="write the figures to docs/judging.md, too")
    args = parser.parse_args()
    every = EDITION_NAMES if args.rules == "all" else [args.rules]
    with ProcessPoolExecutor(min(len(every), os.cpu_count() or 1)) as pool:
        each = [pool.submit(measured, rules, args.names, args.first) for rules in every]
        found = {rules: job.result() for rules, job in zip(every, each, strict=True)}
    if args.write:
        write(found, args.first)


if __name__ == "__main__":
    main()
