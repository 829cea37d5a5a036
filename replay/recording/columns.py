"""The columns of the score sheet: what was counted for each player, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from itertools import chain
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ...notation.cards import EGYPT, GROUP_NAMES, PLAYER_NAMES, ROME
from ...notation.record import Record
from ..analysis.telling import mission_words
from ..findings import Course
from ..report.safe import visible
from ..rules.scoring import Score, SideScore, counting_missions

WIDTH: Final = 75
"""Cells of a line at most: what fits a small terminal, with a border and a scrollbar, and a narrow sheet of paper."""
NARROW: Final = 53
"""Cells of a line at least: less the sheet can't be."""
_LABEL: Final = 12
_GAPS: Final = (" ", "  ")
"""What stands between the labels and the columns, and between the columns."""
_HEADINGS: Final = (("patricians", "majority", "all", "points"), ("patr", "maj", "all", "points"))
"""What the figures are, in full and where there is less room."""
_VERDICTS: Final = {True: "fulfilled", False: "not fulfilled", None: "not known whether fulfilled"}


class _Columns:
    """Two columns with their labels, as wide as fits."""

    def __init__(self, width: int) -> None:
        self.wide = (min(width, WIDTH) - _LABEL - sum(map(len, _GAPS))) // 2
        self.heading = next((each for each in _HEADINGS if len(" ".join(each)) <= self.wide), _HEADINGS[-1])

    def figures(self, *values: object) -> str:
        """Figures below their heading."""
        return " ".join(str(value).rjust(len(name)) for value, name in zip(values, self.heading, strict=True))

    def last(self, value: str) -> str:
        """A figure in the last column of them."""
        return value.rjust(len(" ".join(self.heading)))

    def row(self, label: str, rome: str, egypt: str) -> Iterator[str]:
        """A row of the sheet, in as many lines as its longer cell takes."""
        left, right = (list(wrapped(cell, self.wide)) for cell in (rome, egypt))
        for line in range(max(len(left), len(right), 1)):
            cells = [column[line] if line < len(column) else "" for column in ([label], left, right)]
            widths = (_LABEL, self.wide, self.wide)
            padded = [cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True)]
            yield "".join(chain.from_iterable(zip(padded, (*_GAPS, ""), strict=True))).rstrip()


def columns(record: Record, course: Course, counted: Score, width: int = WIDTH) -> Iterator[str]:
    """A row for each group, for missions, penalties and the points (O1–O5), in lines of that width at most."""
    rome, egypt = counted.sides
    paper = _Columns(width)

    def row(label: str, cell: Callable[[SideScore, int], str]) -> Iterator[str]:
        yield from paper.row(label, cell(rome, ROME), cell(egypt, EGYPT))

    yield from row("", lambda _, side: _player(record, side))
    yield from row("", lambda *_: paper.figures(*paper.heading))
    for place, group in enumerate(course.edition.groups):
        yield from row(GROUP_NAMES[group], lambda each, _, place=place: paper.figures(*each.rows[place][1:]))
    sums = [[*map(sum, zip(*[each[1:] for each in side.rows], strict=True))] for side in (rome, egypt)]
    yield from row("All groups", lambda _, side: paper.figures(*sums[side]))
    for place in range(max(len(rome.missions), len(egypt.missions))):
        yield from row("Mission", lambda each, side, place=place: _mission(course, each, side, place))
    if rome.missions or egypt.missions:
        yield from row("For missions", lambda each, _: paper.last(_either(_mission_points(course, each))))
    if rome.penalty or egypt.penalty:
        yield from row("Penalty", lambda each, _: paper.last(f"-{each.penalty}" if each.penalty else "0"))
    yield from row("Points", lambda each, _: paper.last(_either(each.possible_points(course.edition.mission_points))))


def _player(record: Record, side: int) -> str:
    name = record.header(PLAYER_NAMES[side]).strip()
    return f"{PLAYER_NAMES[side]}: {visible(name)}" if name.strip("?") else PLAYER_NAMES[side]


def _either(values: set[int]) -> str:
    return " or ".join(map(str, sorted(values)))


def _mission(course: Course, counted: SideScore, side: int, place: int) -> str:
    """A mission and whether it was fulfilled; nothing where that side has no more of them."""
    if course.state is None or place >= len(counted.missions):
        return ""
    mission = counting_missions(course.edition, course.state.sides[side])[place]
    verdict = counted.missions[place]
    words = visible(mission_words(mission))
    return words if mission.kind == "unknown" and verdict is None else f"{words}: {_VERDICTS[verdict]}"


def _mission_points(course: Course, counted: SideScore) -> set[int]:
    sure, more = counted.mission_points, counted.open_points
    return set(range(sure, sure + more + 1, course.edition.mission_points))


def wrapped(text: str, width: int) -> Iterator[str]:
    """A text that can be seen as it is, in lines of so many cells at most; one that fits stays as it is."""
    if cell_len(text) <= width:
        yield text
    else:
        yield from (line.plain.rstrip() for line in Text(text).wrap(Console(file=StringIO()), width, overflow="fold"))
