"""How players played over many games: what each lost per decision, where, with intervals, and how lucky they were.

Of each of their games a row of numbers is kept; sorted and added up at the end, they give the same to the last digit in
whatever order the games came.
"""

from __future__ import annotations

import csv
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from functools import reduce
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO, TypeAlias

from ...notation import tokens as t
from ...notation.cards import GROUP_LETTERS, GROUP_NAMES, GROUPS
from ...notation.classes import dataclass
from ...notation.record import Record, Turn
from ...notation.safe_text import cell, visible
from ..analysis.expectation import percent
from ..diagnostics.names import counted
from ..engine.headers import read_headers
from ..engine.run import run_record
from ..rules.scoring import DRAWN
from ..rules.state import State
from .analysis import FEW_DECISIONS, FEW_GAMES, LUCK, OPEN, SideReport, agreement, counting, strength
from .analysis_text import signed
from .judgement import MARKS, PRAISE, Judged, student
from .net import load
from .options import DECISION_WORDS, MOVE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


NAMELESS: Final = ("", "?")
PHASE, KIND, GROUP = "phase", "kind", "group"
"""By what decisions are divided."""
PHASES: Final = {"opening": 5 / 6, "middle": 1 / 2, "end": -1.0}
"""Phase of a game → the share of all patricians of which more are left."""
PLACING, ACTION, PASSING = "placing", "action", "passing"
KINDS: Final = (PLACING, ACTION, PASSING, *DECISION_WORDS[MOVE + 1 :])
"""Kinds of decisions, moves by what was chosen."""
PARTS: Final = (
    *((PHASE, name) for name in PHASES), *((KIND, name) for name in KINDS), *((GROUP, name) for name in GROUP_LETTERS),
)  # fmt: skip
"""The parts of all decisions."""
FEW_OF_A_PART: Final = 75
"""With fewer decisions nothing is said of a part."""
DOUBT: Final = 0.05
"""How likely a weakness may be named where there is none."""


class GameSums(NamedTuple):
    """A player's game in numbers: what they lost, in chances of winning, in how many decisions of those that count;
    their marks; their luck by cause; how many of all decisions with a choice were the engine's; 1 for how it came out,
    where that is known; and for each of PARTS the first two."""

    loss: float
    decisions: float
    blunders: float
    mistakes: float
    dubious: float
    only_moves: float
    draws: float
    busts: float
    reveals: float
    agreed: float
    choices: float
    won: float
    drawn: float
    lost: float
    parts: tuple[float, ...] = (0.0,) * (2 * len(PARTS))


class PlayerLine(NamedTuple):
    """What is said of a player under a rule set: chances from 0 to 1, marks and luck of a game on average.

    Their true loss per decision lies between ``low`` and ``high``, 19 times of 20. ``enough`` says whether there are so
    many decisions and games that this can be said; the two are None otherwise, and marks where none were given.
    ``agreement`` is the share of their ``choices``, all decisions with a choice, that are as the engine would decide.
    """

    rules: str
    player: str
    games: int
    decisions: int
    loss_per_decision: float
    low: float | None
    high: float | None
    enough: bool
    choices: int
    agreement: float | None
    blunders: float | None
    mistakes: float | None
    dubious: float | None
    only_moves: float | None
    draws: float
    busts: float
    reveals: float
    won: int
    drawn: int
    lost: int


class PartLine(NamedTuple):
    """What is said of a part of a player's decisions, divided ``by`` phase, kind or group: as of all of them.

    ``elsewhere`` is the loss per decision in the other parts, ``others`` that of other players in this one;
    ``expected`` follows from both. Each is None where there are too few decisions. ``weakness`` marks the part in
    which the player truly loses more than expected, of several the one in which that comes to most.
    """

    rules: str
    player: str
    by: str
    part: str
    decisions: int
    loss_per_decision: float
    low: float | None
    high: float | None
    elsewhere: float | None
    others: float | None
    expected: float | None
    weakness: bool


TableLine: TypeAlias = PlayerLine | PartLine


def sums_of(report: SideReport, log: Record, winner: int | None, rules: str = "") -> GameSums:
    """Return a judged side with its log in numbers, in a game that ``winner`` won (a side, DRAWN, or None where nobody
    knows)."""
    lost, decisions = strength(report.decisions)
    as_engine, choices = agreement(report.decisions)
    marks = Counter(each.mark for each in report.decisions)
    luck = [report.ledger[cause] for cause in LUCK]
    ends = [winner == report.side, winner == DRAWN, winner == 1 - report.side]
    agreed = [round((as_engine or 0.0) * choices), choices]
    parts = _parts(counting(report.decisions), log, left_by_turn(log, rules))
    given = [marks[mark] for mark in (*(mark for mark, *_ in MARKS), PRAISE)]
    return GameSums(lost * decisions, decisions, *given, *luck, *agreed, *ends, parts=parts)


def left_by_turn(log: Record, rules: str = "") -> dict[str, float]:
    """Return by the label of each turn which share of all patricians was left when it began."""
    frame = read_headers(log, rules)
    assert frame.edition is not None
    whole, left, found = sum(frame.edition.groups.values()), 1.0, dict[str, float]()

    def watch(turn: Turn | None, _at: int, state: State) -> None:
        nonlocal left
        if turn is not None:
            found.setdefault(turn.label, left)
        left = sum(state.left) / whole

    run_record(log, frame, watch)
    return found


def _parts(decisions: Sequence[Judged], log: Record, left: dict[str, float]) -> tuple[float, ...]:
    """Return what was lost in each part of some decisions, and how many there were."""
    sums = [0.0] * (2 * len(PARTS))
    for each in decisions:
        turn = log.turns[each.turn]
        token = None if each.played == "/" else turn.tokens[each.at]
        for part in _parts_of(each, token, left[turn.label]):
            place = 2 * PARTS.index(part)
            sums[place] += each.loss
            sums[place + 1] += 1
    return tuple(sums)


def _parts_of(decision: Judged, token: t.Token | None, left: float) -> Iterator[tuple[str, str]]:
    yield PHASE, next(name for name, share in PHASES.items() if left > share)
    if decision.kind != DECISION_WORDS[MOVE]:
        yield KIND, decision.kind
    elif isinstance(token, t.Place | t.Action):
        yield KIND, PLACING if isinstance(token, t.Place) else ACTION
        groups = t.groups_of(token)
        if len(groups) == 1:
            yield GROUP, GROUP_LETTERS[groups[0]]
    else:
        yield KIND, PASSING


class Evidence(NamedTuple):
    """What some games say of the losses per decision in all decisions (first) and in each of PARTS.

    Of each there are the number of games with such decisions, the sums of four numbers of a game, and those of their
    products with each other: loss and decisions there, loss and decisions in the other parts.
    """

    games: Floats
    sums: Floats
    products: Floats

    @classmethod
    def of(cls, rows: Floats) -> Evidence:
        """Return what rows of numbers say."""
        import numpy as np

        parts = rows[:, _HEAD:].reshape(len(rows), len(PARTS), 2)
        whole = np.stack([parts[:, [by == other for other, _ in PARTS]].sum(1) for by, _ in PARTS], 1)
        everything = np.concatenate([rows[:, :2], np.zeros((len(rows), 2))], 1)
        numbers = np.concatenate([everything[:, None], np.concatenate([parts, whole - parts], 2)], 1)
        products = np.einsum("gpi,gpj->pij", numbers, numbers)
        return cls((numbers[:, :, 1] > 0).sum(0), numbers.sum(0), products)

    def __add__(self, other: Evidence) -> Evidence:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return what the games of both say."""
        return Evidence(*(one + more for one, more in zip(self, other, strict=True)))

    def without(self, other: Evidence) -> Evidence:
        """Return what the games say that are not those of another."""
        return Evidence(*(one - less for one, less in zip(self, other, strict=True)))

    def rates(self) -> tuple[Floats, Floats]:
        """Return the losses per decision, and those in the other parts."""
        import numpy as np

        here, elsewhere = self.sums[:, :2], self.sums[:, 2:]
        return here[:, 0] / np.maximum(here[:, 1], 1), elsewhere[:, 0] / np.maximum(elsewhere[:, 1], 1)

    def enough(self, *, elsewhere: bool = False) -> NDArray[np.bool_]:
        """Return of what there are enough decisions and games to say something, and of the other parts too."""
        most = self.sums[:, 1::2].min(1) if elsewhere else self.sums[:, 1]
        return (most >= [FEW_DECISIONS, *(FEW_OF_A_PART for _ in PARTS)]) & (self.games >= FEW_GAMES)

    def error(self, of_rest: Floats | float = 0.0) -> Floats:
        """Return the standard error of the loss per decision, less ``of_rest`` times that in the other parts.

        Whole games differ, not decisions, since those of one game are alike.
        """
        import numpy as np

        (rate, rest), (count, others) = self.rates(), np.maximum(self.sums[:, 1::2], 1).T
        factors = np.stack([1 / count, -rate / count, -of_rest / others, of_rest * rest / others], 1)
        squares = np.einsum("pi,pij,pj->p", factors, self.products, factors)
        return np.sqrt(np.maximum(squares, 0) * self.games / np.maximum(self.games - 1, 1))


_HEAD: Final = len(GameSums._fields) - 1
_WIDTH: Final = _HEAD + 2 * len(PARTS)


@dataclass
class PlayerSums:
    """What is known of the players of some games that were judged at ``level`` with ``seed``.

    ``of`` are the players of whom it is said, all where there are none. ``games`` are those that were judged,
    ``nameless`` sides of them bear no player's name; ``left_out``: why other games were not judged, and how many.
    """

    level: str
    seed: int
    of: tuple[str, ...] = ()
    games: int = 0
    nameless: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    _rows: dict[tuple[str, str], array[float]] = field(default_factory=dict)

    def add(self, rules: str, players: Sequence[tuple[str, GameSums]]) -> None:
        """Count a game, given the names of the players of whom it says something."""
        self.games += 1
        for player, sums in players:
            if player.strip() in NAMELESS:
                self.nameless += 1
            else:
                self._rows.setdefault((rules, player), array("d")).extend((*sums[:-1], *sums.parts))

    def rules(self) -> list[str]:
        """Return the rule sets of the games of the players, sorted."""
        return sorted({rules for rules, player in self._rows if self._is_told(player)})

    def unknown(self) -> list[str]:
        """Return the names of whom something should be said, and nothing is known."""
        known = {player for _, player in self._rows}
        return [player for player in self.of if player not in known]

    def lines(self) -> list[PlayerLine]:
        """Return what is said of each player: by rule set, the smallest loss first, and those last of whom little is
        known."""

        def order(line: PlayerLine) -> tuple[str, bool, float, str]:
            rank = line.loss_per_decision if line.enough else -line.decisions
            return line.rules, not line.enough, rank, line.player

        return sorted((self._line(*key) for key in self._rows if self._is_told(key[1])), key=order)

    def parts(self) -> list[PartLine]:
        """Return what is said of the parts of each player's decisions that are not empty, players as in ``lines``."""
        lines, found = self.lines(), list[PartLine]()
        for rules in self.rules():
            known = {
                player: Evidence.of(self._games_of(rules, player)) for of, player in sorted(self._rows) if of == rules
            }
            whole = reduce(Evidence.__add__, known.values())
            for line in lines:
                if line.rules == rules:
                    own = known[line.player]
                    found += _part_lines(rules, line.player, own, whole.without(own))
        return found

    def _is_told(self, player: str) -> bool:
        return not self.of or player in self.of

    def _games_of(self, rules: str, player: str) -> Floats:
        """Return the rows of a player's games, sorted."""
        import numpy as np

        rows = np.array(self._rows[rules, player]).reshape(-1, _WIDTH)
        return rows[np.lexsort(rows.T)]

    def _line(self, rules: str, player: str) -> PlayerLine:
        import numpy as np

        rows = self._games_of(rules, player)
        total, mean = GameSums(*rows.sum(0)[:_HEAD].tolist()), GameSums(*np.round(rows.mean(0), 6)[:_HEAD].tolist())
        loss, low, high = intervals(Evidence.of(rows))[0]
        marks = mean[2:6] if self.level != "quick" else (None, None, None, None)
        ends = (int(total.won), int(total.drawn), int(total.lost))
        agreed = round(total.agreed / total.choices, 6) if total.choices else None
        return PlayerLine(
            rules, player, len(rows), int(total.decisions), loss, low, high, low is not None, int(total.choices),
            agreed, *marks, *mean[6:9], *ends,
        )  # fmt: skip


def intervals(evidence: Evidence) -> list[tuple[float, float | None, float | None]]:
    """Return the loss per decision, of all and of each part, and between what it truly lies, 19 times of 20; None where
    there are too few decisions or games to say so.
    """
    found: list[tuple[float, float | None, float | None]] = []
    for loss, error, games, enough in zip(
        evidence.rates()[0].tolist(), evidence.error().tolist(), evidence.games.tolist(), evidence.enough(), strict=True
    ):
        low, high = None, None
        if enough:
            margin = student(games - 1) * error
            low, high = round(max(min(0.0, loss), loss - margin), 6), round(loss + margin, 6)  # nobody truly gains
        found.append((round(loss, 6), low, high))
    return found


def _part_lines(rules: str, player: str, own: Evidence, others: Evidence) -> Iterator[PartLine]:
    """Yield what is said of the parts of a player's decisions, given what the games of the other players say."""
    rest, theirs = own.rates()[1], others.rates()[0]
    has_rest, has_others = own.enough(elsewhere=True), others.enough()
    expected, tried, excess = _expected(own, others)
    worst = int(excess.argmax()) if excess.any() else -1
    compared = ((rest, has_rest), (theirs, has_others), (expected, tried))
    for place, ((by, part), (loss, low, high)) in enumerate(zip(PARTS, intervals(own)[1:], strict=True), 1):
        if count := int(own.sums[place, 1]):
            told = [round(float(value[place]), 6) if known[place] else None for value, known in compared]
            yield PartLine(rules, player, by, part, count, loss, low, high, *told, weakness=place == worst)


def _expected(own: Evidence, others: Evidence) -> tuple[Floats, NDArray[np.bool_], Floats]:
    """Return for each part the loss per decision that is expected of a player, where that can be said, and what their
    decisions cost more than that, and more than those of others, where that is certain; 0 elsewhere.

    A part may cost everybody more than the rest: expected is what it costs others, next to the rest of theirs. Without
    others only groups are compared, which are much alike.
    """
    import numpy as np

    (rate, rest), (theirs, their_rest) = own.rates(), others.rates()
    compared = others.enough(elsewhere=True) & (their_rest > 0)
    tried = own.enough(elsewhere=True) & (compared | [False, *(by == GROUP for by, _ in PARTS)])
    scale = np.where(compared, their_rest, 1.0)
    ratio = np.where(compared, theirs / scale, 1.0)
    more, error = rate - rest * ratio, np.where(compared, rest * others.error(ratio) / scale, 0.0)
    # Of many parts that are tried one would seem weak by chance.
    certain = more > _widened(own, DOUBT / max(1, int(tried.sum()))) * np.hypot(own.error(ratio), error)
    than_others = rate - theirs
    certain &= ~compared | (than_others > _widened(own, DOUBT) * np.hypot(own.error(), others.error()))
    excess = np.where(compared, np.minimum(more, than_others), more) * own.sums[:, 1]
    return rest * ratio, tried, np.where(tried & certain, excess, 0.0)


def _widened(own: Evidence, doubt: float) -> Floats:
    """Return how many standard errors a gap must exceed, so that chance alone does that as seldom as ``doubt`` says."""
    import numpy as np

    return np.array([student(max(1, games - 1), NormalDist().inv_cdf(1 - doubt)) for games in own.games.tolist()])


SCHEMA: Final = "urn:tironian:schema:players:1"
TOO_FEW: Final = "too few"
PAPER, NARROWEST = 120, 80
"""Columns where there is no terminal, and those that a table needs."""
PART_WORDS: Final = {
    "opening": "the opening",
    "middle": "the middle of a game",
    "end": "the end of a game",
    PLACING: "placing cards",
    ACTION: "playing actions",
    PASSING: "when to place and play nothing more",
    "veto": "when to veto",
    "castling": "how to lay out a castling",
    "spy": "what a spy takes",
    "pile": "which pile to draw from",
    "mission": "which mission to keep",
} | {letter: f"moves at the {GROUP_NAMES[group]}" for letter, group in GROUPS.items()}
"""The parts of decisions in words."""


def players_data(sums: PlayerSums) -> dict[str, Any]:
    """Return what is said of players as the schema's object."""
    return {
        "$schema": SCHEMA,
        "about": {
            "level": sums.level,
            "seed": sums.seed,
            "nets": {rules: load(rules).name for rules in sums.rules()},
        },
        "games": sums.games,
        "nameless": sums.nameless,
        "left_out": dict(sorted(sums.left_out.items())),
        "players": [line._asdict() for line in sums.lines()],
        "parts": [line._asdict() for line in sums.parts()],
    }


def write_players_table(lines: Iterable[TableLine], line: type[TableLine], stream: TextIO) -> None:
    """Write lines of a class as rows of a table to a text stream; chances are from 0 to 1."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(line._fields)
    for each in lines:
        writer.writerow([cell(value) if isinstance(value, str) else value for value in each])


def write_players(sums: PlayerSums, stream: TextIO, *, parts: bool = False) -> None:
    """Write a table for people for each rule set, and what its columns mean; with ``parts`` also what is said of the
    parts of each player's decisions."""
    from rich.console import Console

    console = Console(file=stream, markup=False, emoji=False, highlight=False)
    console.width = max(console.width, NARROWEST) if console.is_terminal else PAPER
    lines, told = sums.lines(), sums.parts() if parts else []
    with console.capture() as drawn:
        for rules in sums.rules():
            console.print(f"{rules} rules, net {load(rules).name}, level {sums.level}, seed {sums.seed}\n")
            gap = int(console.width >= PAPER)
            console.print(_table([line for line in lines if line.rules == rules], sums.level != "quick", gap))
            console.print()
            for line in lines if parts else ():
                if line.rules == rules:
                    of = [part for part in told if (part.rules, part.player) == (rules, line.player)]
                    console.print(f"{visible(line.player)}: {weakness_words(of)}\n")
                    console.print(_part_table(of))
                    console.print()
        for sentence in _legend(lines, parts=parts):
            console.print(sentence)
    stream.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())


def weakness_words(parts: Sequence[PartLine]) -> str:
    """Return what is a player's largest weakness, given all parts of their decisions, as sentences."""
    worst = next((part for part in parts if part.weakness), None)
    if worst is None or worst.expected is None:
        if all(part.expected is None for part in parts):
            return "there is not enough to compare the parts of their decisions."
        return "no part of their decisions is a weakness for certain."
    lost, expected = _points(worst.loss_per_decision), _points(worst.expected)
    said = f"the largest weakness is {PART_WORDS[worst.part]}. A decision costs {lost} points"
    if worst.others is None or worst.expected == worst.elsewhere:
        return f"{said}, one at the other groups {expected}."
    others = f"it costs other players {_points(worst.others)}"
    return f"{said}; {others}, and {expected} would be expected by the player's other decisions."


def _table(lines: list[PlayerLine], marked: bool, gap: int) -> Any:
    marks = [*(mark for mark, *_ in MARKS), PRAISE] if marked else []
    luck = ["luck:\ndraws", "busts", "hidden"]
    heads = ["games", "deci-\nsions", "loss", "95 %", "en-\ngine", *marks, *luck, "won-\ndrawn-\nlost"]
    table = _grid(["player"], heads, gap)
    for line in lines:
        agreed = "" if line.agreement is None else percent(line.agreement)
        given = [line.blunders, line.mistakes, line.dubious, line.only_moves]
        luck = [signed(part) for part in (line.draws, line.busts, line.reveals)]
        head = [visible(line.player), str(line.games), str(line.decisions), _points(line.loss_per_decision)]
        marks = [f"{mark:.1f}" for mark in given if mark is not None]
        table.add_row(*head, _between(line), agreed, *marks, *luck, f"{line.won}-{line.drawn}-{line.lost}")
    return table


def _part_table(parts: Sequence[PartLine]) -> Any:
    table = _grid(["by", "part"], ["deci-\nsions", "loss", "95 %", "else-\nwhere", "others", "ex-\npected"])
    for place, line in enumerate(parts):
        by = "" if place and parts[place - 1].by == line.by else line.by
        name = GROUP_NAMES[GROUPS[line.part]] if line.by == GROUP else line.part
        compared = ["" if value is None else _points(value) for value in (line.elsewhere, line.others, line.expected)]
        head = [by, name, str(line.decisions), _points(line.loss_per_decision)]
        table.add_row(*head, _between(line), *compared)
    return table


def _grid(names: Sequence[str], heads: Sequence[str], gap: int = 1) -> Any:
    """Return an empty table with columns of names, and of numbers, and so much more than a space between them."""
    from rich import box
    from rich.table import Column, Table

    columns = [Column(head, justify="right", vertical="bottom", no_wrap=True) for head in heads]
    texts = [Column(name, vertical="bottom", overflow="fold") for name in names]
    return Table(*texts, *columns, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, gap, 0, 0))


def _between(line: TableLine) -> str:
    return TOO_FEW if line.low is None or line.high is None else f"{_points(line.low)}–{_points(line.high)}"


def _legend(lines: list[PlayerLine], *, parts: bool) -> Iterator[str]:
    if not lines:
        yield "No game says anything of a player with a name."
        return
    yield (
        f"loss: points of W, the chance of winning, lost per decision while W was between {percent(OPEN[0])} and "
        f"{percent(OPEN[1])}; less is better."
    )
    yield "95 %: where it truly lies, 19 times of 20. Where those of two players overlap, they may play equally well."
    if parts or any(not line.enough for line in lines):
        yield (
            f"{TOO_FEW}: with fewer than {counted(FEW_DECISIONS, 'decision')}"
            f"{f' ({FEW_OF_A_PART} of a part)' * parts} or {counted(FEW_GAMES, 'game')} nothing is said of how strong "
            "somebody plays."
        )
    yield "engine: how many of all decisions with a choice are as the engine would decide."
    marks = "; ".join([f"{mark}: from {100 * least:.0f} points" for mark, least, _ in MARKS])
    if lines[0].dubious is not None:
        yield f"Marks of a game: {marks}, where that is certain; {PRAISE}: the only good move."
    yield "draws, busts, hidden: luck of a game in points of W, by cards drawn, what came up, and what lay hidden."
    if parts:
        yield (
            "elsewhere: the loss in the player's other decisions; others: that of other players in such decisions; "
            "expected: what follows from both."
        )


def _points(chance: float) -> str:
    return f"{100 * chance:.1f}"
