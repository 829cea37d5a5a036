"""What of a report is said first: the largest mistakes, the largest pieces of luck, and when it was lost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ...notation.record import Record
from .account import BUSTS, DRAWS, PLAY, REVEALS
from .analysis import Point, Report, SideReport
from .judgement import Judged

OPEN: Final = (0.1, 0.9)
"""Chances of winning between which a decision counts for a player's strength: who is lost can lose no more."""
FEW_DECISIONS, FEW_GAMES = 150, 3
"""With fewer decisions or games nothing is said of a player's strength."""
LUCK: Final = (DRAWS, BUSTS, REVEALS)


class Luck(NamedTuple):
    """An event of chance: after the token ``at`` of a turn (its place in the record), what it changed.

    ``others`` are what could have come in place of a vote, as in :class:`Point`, each with its change.
    """

    turn: int
    at: int
    cause: str
    change: float
    others: tuple[tuple[str, float], ...] = ()

    @property
    def contrast(self) -> tuple[str, float] | None:
        """Return the best of the others after bad luck, the worst of them after good luck; None where there is none."""
        furthest = min if self.change > 0 else max
        return furthest(self.others, key=lambda other: other[1], default=None)


def judged_sides(report: Report) -> list[tuple[SideReport, Record]]:
    """Return the sides that are judged, each with its log."""
    pairs = zip(report.sides, report.log, strict=True)
    return [(side, log) for side, log in pairs if side is not None and log is not None]


def mistakes(decisions: Sequence[Judged], most: int = 3) -> list[Judged]:
    """Return the decisions that cost most, of those that bear a mark; the largest first."""
    marked = [each for each in decisions if each.mark]
    return sorted(marked, key=lambda each: (-each.loss, each.turn, each.at))[:most]


def luck(curve: Sequence[Point], most: int = 3) -> list[Luck]:
    """Return the draws, busts and reveals that changed most; the largest first."""
    found: list[Luck] = []
    for before, after in pairwise(curve):
        if after.cause in LUCK:
            others = tuple((came, win - before.win) for came, win in after.others)
            found.append(Luck(after.turn, after.at, after.cause, after.win - before.win, others))
    return sorted(found, key=lambda each: (-abs(each.change), each.turn, each.at))[:most]


def last_even(curve: Sequence[Point]) -> Point | None:
    """Return the last moment before the end at which the chance was at least one half; None where it never was."""
    even = [point for point in curve[:-1] if point.win >= 0.5]
    return even[-1] if even else None


def chance_before(curve: Sequence[Point], judged: Judged) -> float:
    """Return the chance of winning that the curve has at a decision, with the best move."""
    for before, after in pairwise(curve):
        if after.cause == PLAY and (after.turn, after.at) == (judged.turn, judged.at):
            return before.win
    return judged.before


def strength(reports: Sequence[SideReport]) -> tuple[float, int]:
    """Return the chance of winning that a player lost per decision, and how many there were.

    Counted are decisions with a choice while the game was open. Losses that were measured by chance as gains are kept.
    """
    decisions = [each for report in reports for each in report.decisions if not each.is_forced]
    counted = [each for each in decisions if OPEN[0] < each.before < OPEN[1]]
    return (sum(each.loss for each in counted) / len(counted) if counted else 0.0), len(counted)
