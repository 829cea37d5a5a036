"""How players played over many games: what each lost per decision, with an interval, and how lucky he was.

Of each of his games a row of numbers is kept; sorted and added up at the end, they give the same to the last digit in
whatever order the games came.
"""

from __future__ import annotations

import csv
import math
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO

from ...notation.classes import dataclass
from ...notation.safe_text import cell, visible
from ..analysis.expectation import percent
from ..diagnostics.names import counted
from ..rules.scoring import DRAWN
from .analysis import FEW_DECISIONS, FEW_GAMES, LUCK, OPEN, SideReport, strength
from .analysis_text import signed
from .judgement import MARKS, student
from .net import load

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


RESAMPLES: Final = 2000
"""How often as many games as there are are drawn from them."""
NAMELESS: Final = ("", "?")


class GameSums(NamedTuple):
    """A player's game in numbers: what he lost, in chances of winning, in how many decisions of those that count; his
    marks; his luck by cause; and 1 for how it came out, where that is known."""

    loss: float
    decisions: float
    blunders: float
    mistakes: float
    dubious: float
    draws: float
    busts: float
    reveals: float
    won: float
    drawn: float
    lost: float


class PlayerLine(NamedTuple):
    """What is said of a player under a rule set: chances from 0 to 1, marks and luck of a game on average.

    His true loss per decision lies between ``low`` and ``high``, 19 times of 20. ``enough`` says whether there are so
    many decisions and games that this can be said; the two are None otherwise, and marks where none were given.
    """

    rules: str
    player: str
    games: int
    decisions: int
    loss_per_decision: float
    low: float | None
    high: float | None
    enough: bool
    blunders: float | None
    mistakes: float | None
    dubious: float | None
    draws: float
    busts: float
    reveals: float
    won: int
    drawn: int
    lost: int


def sums_of(report: SideReport, winner: int | None) -> GameSums:
    """Return a judged side in numbers, in a game that ``winner`` won (a side, DRAWN, or None where nobody knows)."""
    lost, decisions = strength([report])
    marks = Counter(each.mark for each in report.decisions)
    luck = [report.ledger[cause] for cause in LUCK]
    ends = [winner == report.side, winner == DRAWN, winner == 1 - report.side]
    return GameSums(lost * decisions, decisions, *(marks[mark] for mark, *_ in MARKS), *luck, *ends)


@dataclass
class PlayerSums:
    """What is known of the players of some games that were judged at ``level`` with ``seed``.

    ``games`` are those that were judged, ``nameless`` sides of them bear no player's name; ``left_out``: why other
    games were not judged, and how many.
    """

    level: str
    seed: int
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
                self._rows.setdefault((rules, player), array("d")).extend(sums)

    def rules(self) -> list[str]:
        """Return the rule sets of the players' games, sorted."""
        return sorted({rules for rules, _ in self._rows})

    def lines(self) -> list[PlayerLine]:
        """Return what is said of each player: by rule set, the smallest loss first, and those last of whom little is
        known."""
        lines = [self._line(*key, row) for key, row in self._rows.items()]
        return sorted(
            lines,
            key=lambda line: (
                line.rules, not line.enough, line.loss_per_decision if line.enough else -line.decisions, line.player,
            ),
        )  # fmt: skip

    def _line(self, rules: str, player: str, numbers: array[float]) -> PlayerLine:
        import numpy as np

        rows = np.array(numbers).reshape(-1, len(GameSums._fields))
        rows = rows[np.lexsort(rows.T)]
        total, mean = GameSums(*rows.sum(0).tolist()), GameSums(*np.round(rows.mean(0), 6).tolist())
        counted = rows[rows[:, 1] > 0]
        enough = total.decisions >= FEW_DECISIONS and len(counted) >= FEW_GAMES
        low, high = interval(counted[:, 0], counted[:, 1], self.seed) if enough else (None, None)
        marks = mean[2:5] if self.level != "quick" else (None, None, None)
        ends = (int(total.won), int(total.drawn), int(total.lost))
        loss = round(total.loss / max(1, total.decisions), 6)
        return PlayerLine(
            rules, player, len(rows), int(total.decisions), loss, low, high, enough, *marks, *mean[5:8], *ends
        )


def interval(losses: ArrayLike, decisions: ArrayLike, seed: int = 0) -> tuple[float, float]:
    """Return between what the loss per decision lies 19 times of 20, given the sums of at least two games.

    Whole games are drawn anew, not decisions, since those of one game are alike. What is drawn spreads too little
    where there are few games; hence Student's distribution, and the root.
    """
    import numpy as np

    lost, counted = np.asarray(losses, float), np.asarray(decisions, float)
    games = len(lost)
    means = np.empty(RESAMPLES)
    rng = np.random.RandomState(seed % 2**32)  # the only one whose numbers are the same in every version
    for place in range(RESAMPLES):
        drawn = rng.randint(games, size=games)
        means[place] = lost[drawn].sum() / counted[drawn].sum()
    middle = float(lost.sum() / counted.sum())
    margin = student(games - 1) * math.sqrt(games / (games - 1)) * float(means.std())
    return round(max(min(0.0, middle), middle - margin), 6), round(middle + margin, 6)  # nobody truly gains


SCHEMA: Final = "urn:tironian:schema:players:1"
TOO_FEW: Final = "too few"
PAPER, NARROWEST = 120, 80
"""Columns where there is no terminal, and those that a table needs."""


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
    }


def write_players_table(sums: PlayerSums, stream: TextIO) -> None:
    """Write a row for each player and rule set to a text stream; chances are from 0 to 1."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(PlayerLine._fields)
    for line in sums.lines():
        writer.writerow([cell(value) if isinstance(value, str) else value for value in line])


def write_players(sums: PlayerSums, stream: TextIO) -> None:
    """Write a table for people for each rule set, and what its columns mean."""
    from rich.console import Console

    console = Console(file=stream, markup=False, emoji=False, highlight=False)
    console.width = max(console.width, NARROWEST) if console.is_terminal else PAPER
    lines = sums.lines()
    with console.capture() as drawn:
        for rules in sums.rules():
            console.print(f"{rules} rules, net {load(rules).name}, level {sums.level}, seed {sums.seed}\n")
            console.print(_table([line for line in lines if line.rules == rules], marked=sums.level != "quick"))
            console.print()
        for sentence in _legend(lines):
            console.print(sentence)
    stream.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())


def _table(lines: list[PlayerLine], *, marked: bool) -> Any:
    from rich import box
    from rich.table import Column, Table

    marks = [mark for mark, *_ in MARKS] if marked else []
    luck = ["luck:\ndraws", "busts", "hidden"]
    heads = ["games", "deci-\nsions", "loss", "95 %", *marks, *luck, "won-\ndrawn-\nlost"]
    columns = [Column(head, justify="right", vertical="bottom", no_wrap=True) for head in heads]
    name = Column("player", vertical="bottom", overflow="fold")
    table = Table(name, *columns, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for line in lines:
        between = TOO_FEW if line.low is None or line.high is None else f"{_points(line.low)}–{_points(line.high)}"
        given = [f"{mark:.1f}" for mark in (line.blunders, line.mistakes, line.dubious) if mark is not None]
        luck = [signed(part) for part in (line.draws, line.busts, line.reveals)]
        head = [visible(line.player), str(line.games), str(line.decisions), _points(line.loss_per_decision)]
        table.add_row(*head, between, *given, *luck, f"{line.won}-{line.drawn}-{line.lost}")
    return table


def _legend(lines: list[PlayerLine]) -> Iterator[str]:
    if not lines:
        yield "No game says anything of a player with a name."
        return
    yield (
        f"loss: points of W, the chance of winning, lost per decision while W was between {percent(OPEN[0])} and "
        f"{percent(OPEN[1])}; less is better."
    )
    yield "95 %: where it truly lies, 19 times of 20. Where those of two players overlap, they may play equally well."
    if any(not line.enough for line in lines):
        yield (
            f"{TOO_FEW}: with fewer than {counted(FEW_DECISIONS, 'decision')} or {counted(FEW_GAMES, 'game')} nothing "
            "is said of how strong somebody plays."
        )
    marks = "; ".join([f"{mark}: from {100 * least:.0f} points" for mark, least, _ in MARKS])
    if lines[0].dubious is not None:
        yield f"Marks of a game: {marks}, where that is certain."
    yield "draws, busts, hidden: luck of a game in points of W, by cards drawn, what came up, and what lay hidden."


def _points(chance: float) -> str:
    return f"{100 * chance:.1f}"
