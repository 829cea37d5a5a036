"""What the templates show of a judged game: marked decisions, and the curve of a side's chance of winning."""

from __future__ import annotations

from collections.abc import Sequence

from ...notation.basics import dataclass
from ...replay.diagnostics.api import Glyph


@dataclass(frozen=True)
class CurveMark:
    """A marked decision as a point on a curve: its sign, its place in pixels, its address, and what to say about it.

    ``below`` says that the sign is written below the point.
    """

    sign: str
    x: float
    y: float
    href: str
    words: str
    below: bool = False


@dataclass(frozen=True)
class ChartTurn:
    """A turn of a chart: its label (empty if there is no room for it), its left edge and width in pixels, its address,
    and whether it is a turn of the other side.
    """

    label: str
    x: float
    width: float
    href: str
    theirs: bool


ChartBar = tuple[str, float, float, float, float, str]
"""A part of a column: its kind, left and top edge, width and height, and words."""


@dataclass(frozen=True)
class InsightChart:
    """The chart of a judged side at one of its sizes, in pixels.

    ``spoken`` is the chart in words. ``grid`` has the height and the words of each line, ``bases`` the baselines of the
    bars, each with the height and the words of its caption. ``line`` and ``area`` are the points of the curve, which
    has ``left``, ``right`` and ``top`` beside and above it.
    """

    left, right, top = 46, 8, 12
    side: int
    spoken: str
    size: str
    width: int
    height: float
    labels: int
    grid: Sequence[tuple[float, str]]
    turns: Sequence[ChartTurn]
    line: str
    area: str
    marks: Sequence[CurveMark]
    bars: Sequence[ChartBar]
    bases: Sequence[tuple[float, float, str]]


@dataclass(frozen=True)
class MarkedDecision:
    """A marked decision in words: its turn, its address, its mark, what it cost, a better move (empty for praise), why
    it is better, its loss, and the address for trying the better move.
    """

    turn: str
    href: str
    mark: Glyph
    cost: str
    better: str
    why: str
    loss: float
    trial: str


@dataclass(frozen=True)
class InsightBlock:
    """What a report says about a side, for the page of its game.

    ``start`` and ``end`` are its chance of winning. ``course`` are the points of the curve beside the table, which ends
    at ``end_x`` and has the mistakes as ``dots``. It is ``width`` pixels wide, with 8 left free at each end, and goes
    from 4 to 80 in height.
    """

    width = 400
    number: int
    start: str
    end: str
    course: str
    end_x: float
    dots: Sequence[CurveMark]
    chart: InsightChart
    marked: Sequence[MarkedDecision]
    mistakes: Sequence[MarkedDecision]
