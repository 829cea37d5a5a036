"""A line of a record as it is shown: cropped to what matters, and where its columns come to stand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ...notation.safe_text import shown

ELLIPSIS = "…"
TAB = "    "
_STEP = 4
"""By how many characters the context around a place grows at a time."""


@lru_cache(maxsize=4096)
def _piece(char: str) -> tuple[str, int]:
    """Return how a character is shown, and its width in cells of a terminal."""
    text = TAB if char == "\t" else shown(char)
    return text, _width(text)


def _width(text: str) -> int:
    """Return the width in cells of a text without invisible characters."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _cells(text: str) -> int:
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(_piece(char)[1] for char in text)


def _shown(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join([_piece(char)[0] for char in text])


class Excerpt:
    """A line as shown in ``text``: all of it if it fits ``width`` cells, else what is near ``columns``."""

    def __init__(self, line: str, columns: Iterable[int], width: int) -> None:
        self._line = line
        self._kept = _kept(line, sorted({min(max(column, 0), len(line)) for column in columns}), width)
        self._offsets: list[int] = []
        parts: list[str] = []
        cell = end = 0
        for start, stop in self._kept:
            if start > end:
                parts.append(ELLIPSIS)
                cell += 1
            self._offsets.append(cell)
            parts.append(_shown(line[start:stop]))
            cell += _cells(line[start:stop])
            end = stop
        if end < len(line):
            parts.append(ELLIPSIS)
        self.text = "".join(parts)
        self.end = _width(self.text if self._kept == [(0, len(line))] else self.text.rstrip())
        """The cell behind the last that can be seen; blanks at the end of a whole line count: they can be meant."""

    def cell(self, column: int) -> int:
        """Return the cell, from 0, at which a column begins, or that of the ellipsis where the column is left out."""
        column = min(max(column, 0), len(self._line))
        cell = 0
        for (start, stop), offset in zip(self._kept, self._offsets, strict=True):
            if column < start:
                break
            cell = offset + _cells(self._line[start : min(column, stop)])
        return cell


def _kept(line: str, columns: list[int], width: int) -> list[tuple[int, int]]:
    """Return the ranges of a line that are shown: as much around the columns as the width allows, evenly."""
    if len(line) <= width and _cells(line) <= width:
        return [(0, len(line))]
    kept = _around(columns, _STEP, len(line))
    # Growing until it is full leaves no room unused where the place is near an end of the line.
    for radius in range(2 * _STEP, width, _STEP):
        wider = _around(columns, radius, len(line))
        if sum(_cells(line[start:stop]) for start, stop in wider) > width:
            break
        kept = wider
    return kept


def _around(columns: list[int], radius: int, length: int) -> list[tuple[int, int]]:
    """Return the surroundings of the columns as ranges; those that touch are joined."""
    ranges: list[tuple[int, int]] = []
    for column in columns:
        # An ellipsis in place of a single character would save nothing.
        start = column - radius if column - radius > 1 else 0
        stop = column + radius + 1 if column + radius + 1 < length - 1 else length
        if ranges and start <= ranges[-1][1] + 1:
            start, _ = ranges.pop()
        ranges.append((start, stop))
    return ranges
