"""What the templates show of a judged game: marked decisions, and the curve of a side's chance of winning."""

from __future__ import annotations

from collections.abc import Sequence

from ...notation.basics import dataclass
from ...replay.diagnostics.api import Glyph


@dataclass(frozen=True)
class CurveMark:
    """A marked decision as a point on a side's curve: its sign, its place in pixels, its address, and what to say about
    it.

    ``below`` says that the sign is written below the point.
    """

    sign: str
    side: int
    x: float
    y: float
    href: str
    words: str
    below: bool = False


@dataclass(frozen=True)
class ChartTurn:
    """A turn of a chart: its label (empty if there is no room for it), its left edge and width in pixels, its address,
    and whether it is ``shaded``.
    """

    label: str
    x: float
    width: float
    href: str
    shaded: bool


ChartBar = tuple[int, str, float, float, float, float, str]
"""A part of a column: its side and kind, left and top edge, width and height, and words."""


@dataclass(frozen=True)
class InsightChart:
    """The chart of the judged sides at one of its sizes, in pixels.

    ``spoken`` is the chart in words. ``grid`` has the height and the words of each line, ``bases`` the baselines of the
    bars, each with the height and the words of its caption. ``curves`` are the sides with the points of their curves,
    which have ``left``, ``right`` and ``top`` beside and above them; ``ends`` says how high each side is named there.
    """

    left, top = 46, 12
    spoken: str
    size: str
    width: int
    right: int
    height: float
    labels: int
    grid: Sequence[tuple[float, str]]
    turns: Sequence[ChartTurn]
    curves: Sequence[tuple[int, str]]
    ends: Sequence[tuple[int, float]]
    marks: Sequence[CurveMark]
    bars: Sequence[ChartBar]
    bases: Sequence[tuple[float, float, str]]


@dataclass(frozen=True)
class MarkedDecision:
    """A marked decision in words: its turn, its address, its mark, what it cost, a better move (empty for praise), why
    it is better, its loss in points, and the address for trying the better move.
    """

    turn: str
    href: str
    mark: Glyph
    cost: str
    better: str
    why: str
    loss: int
    trial: str


@dataclass(frozen=True)
class SideHead:
    """A side of a report in a few numbers, in words: its chance of winning at the ``start`` and at the ``end``, which
    is not the result unless the game is ``complete``; its ``change`` in points, and the ``parts`` that add up to it,
    each with details and its share of the largest in percent; and how many mistakes it made, by their ``marks``.
    """

    start: str
    end: str
    complete: bool
    change: str
    parts: Sequence[tuple[str, str, str, float]]
    marks: str


@dataclass(frozen=True)
class InsightBlock:
    """What a report says about a side, for the page of its game.

    ``course`` are the points of the curve beside the table, which ends at ``end_x`` and has the mistakes as ``dots``.
    It is ``width`` pixels wide, with 8 left free at each end, and goes from 4 to 80 in height.
    """

    width = 400
    number: int
    head: SideHead
    course: str
    end_x: float
    dots: Sequence[CurveMark]
    marked: Sequence[MarkedDecision]
    mistakes: Sequence[MarkedDecision]


@dataclass(frozen=True)
class Insight:
    """What a report says, for the page of its game: sentences to begin with, a chart, and the sides judged there."""

    lead: Sequence[str]
    chart: InsightChart
    sides: Sequence[InsightBlock]
