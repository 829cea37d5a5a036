"""The lines of a record that a diagnostic is about, cropped, with what matters underlined, as rustc draws them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias

from ...notation.basics import dataclass, file_name, visible, visible_chars
from ...notation.records import Diagnostic, Label, Source, Span
from .model import location_of

ELLIPSIS = "…"
TAB = "    "
_STEP = 4
"""By how many characters the context around a place grows at a time."""


@lru_cache(maxsize=4096)
def _width(text: str) -> int:
    """Return the width in cells of a text without invisible characters."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _cells(pieces: Iterable[str]) -> int:
    return sum(map(_width, pieces))


def _pieces(line: str) -> list[str]:
    """Return how each character of a line is shown."""
    return [TAB if char == "\t" else piece for char, piece in zip(line, visible_chars(line), strict=True)]


class Excerpt:
    """A line as shown in ``text``: all of it if it fits ``width`` cells, otherwise what is near ``columns``."""

    def __init__(self, line: str, columns: Iterable[int], width: int) -> None:
        self._line = pieces = _pieces(line)
        self._kept = _kept(pieces, sorted({min(max(column, 0), len(line)) for column in columns}), width)
        self._offsets: list[int] = []
        parts: list[str] = []
        cell = end = 0
        for start, stop in self._kept:
            if start > end:
                parts.append(ELLIPSIS)
                cell += 1
            self._offsets.append(cell)
            parts += pieces[start:stop]
            cell += _cells(pieces[start:stop])
            end = stop
        if end < len(line):
            parts.append(ELLIPSIS)
        self.text = "".join(parts)
        self.end = _cells(self.text if self._kept == [(0, len(line))] else self.text.rstrip())
        """The cell after the last visible one; blanks at the end of a whole line count: they can be meant."""

    def cell(self, column: int) -> int:
        """Return the cell, from 0, at which a column begins, or that of the ellipsis if the column is left out."""
        column = min(max(column, 0), len(self._line))
        cell = 0
        for (start, stop), offset in zip(self._kept, self._offsets, strict=True):
            if column < start:
                break
            cell = offset + _cells(self._line[start : min(column, stop)])
        return cell


def _kept(line: list[str], columns: list[int], width: int) -> list[tuple[int, int]]:
    """Return the ranges of a line that are shown: as much around the columns as the width allows, evenly."""
    if len(line) <= width and _cells(line) <= width:
        return [(0, len(line))]
    kept = _around(columns, _STEP, len(line))
    # Growing until it is full leaves no room unused if the place is near an end of the line.
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


StyledRow: TypeAlias = list[tuple[str, str]]
"""One line of output: texts, each with the name of its style. Whoever writes it decides on colours."""

FRAME = "frame"
PRIMARY = "primary"
SECONDARY = "secondary"
PLAIN = ""


@dataclass(frozen=True, slots=True)
class _Mark:
    """An underlined place in one line. ``start`` and ``stop`` count columns at first, and later cells."""

    start: int
    stop: int
    text: str
    style: str

    def at(self, excerpt: Excerpt) -> _Mark:
        """Return the mark in cells, at least one wide, so that an empty place can be pointed at."""
        start, stop = excerpt.cell(self.start), min(excerpt.cell(self.stop), excerpt.end)
        if start == stop and self.start < self.stop and start:
            start -= 1  # a combining character is shown in the cell before it
        return _Mark(start, max(stop, start + 1), self.text, self.style)


def in_source(source: Source, span: Span) -> bool:
    """Return whether there is a line to show; the end of a game, one after its last line, counts as an empty one."""
    return bool(source.lines) and 0 <= span.line <= len(source.lines)


def gutter(diagnostic: Diagnostic) -> int:
    """Return how many columns the line numbers of a diagnostic take."""
    lines = [source.first + span.line for source, span, _ in places(diagnostic) if in_source(source, span)]
    return len(str(max(lines, default=diagnostic.source.first)))


def where(source: Source, span: Span) -> str:
    """Return ``games/final.tiro:23:10``, as far as it is known."""
    location = location_of(source, span)
    return file_name(source.name) + (f":{location.line}:{location.column}" if location else "")


def snippet(diagnostic: Diagnostic, width: int) -> Iterator[StyledRow]:
    """Yield the rows that show where it is, in about ``width`` cells: its own lines, then those of other sources."""
    margin = gutter(diagnostic)
    by_source: list[list[tuple[Source, Span, str]]] = []
    for place in places(diagnostic):
        here = next((here for here in by_source if here[0][0] == place[0]), None)
        if here is None:
            by_source.append(here := [])
        here.append(place)
    for here in by_source:
        source, span, _ = here[0]
        if source.lines == [""] and not any(text for *_, text in here):
            continue  # there is nothing to see, and its place has already been given
        style = PRIMARY
        if source != diagnostic.source:
            yield [(f"{' ' * margin}::: ", FRAME), (where(source, span), PLAIN)]
            style = SECONDARY
        yield from _excerpts(source, _marks(here, style), margin, width)


def places(diagnostic: Diagnostic) -> list[tuple[Source, Span, str]]:
    """Return all places of a diagnostic, its own first: source, span, and what is said there."""
    labels = (Label(diagnostic.span, diagnostic.underline_text), *diagnostic.labels)
    return [(label.source or diagnostic.source, label.span, label.text) for label in labels]


def _excerpts(source: Source, marked: dict[int, list[_Mark]], margin: int, width: int) -> Iterator[StyledRow]:
    bar: StyledRow = [(" " * (margin + 1) + "|", FRAME)]
    before: int | None = None
    for number, marks in sorted(marked.items()):
        if before is None:
            yield bar
        elif number == before + 2:
            yield _numbered(source, before + 1, margin, Excerpt(source.text(before + 1), (0,), width))
        elif number > before + 2:
            yield [("...", FRAME)]
        columns = [column for mark in marks for column in (mark.start, max(mark.start, mark.stop - 1))]
        excerpt = Excerpt(source.text(number), columns, width)
        yield _numbered(source, number, margin, excerpt)
        for row in _underlined([mark.at(excerpt) for mark in marks]):
            yield [*bar, (" ", PLAIN), *row]
        before = number


def _marks(here: list[tuple[Source, Span, str]], style: str) -> dict[int, list[_Mark]]:
    """Return what to underline in one source, by line; ``style`` is that of the first place."""
    marks: dict[int, list[_Mark]] = defaultdict(list)
    for source, span, text in here:
        if in_source(source, span):
            length = len(source.text(span.line))
            start = min(max(0, span.start), length)
            stop = min(max(start, span.end), length)
            marks[span.line].append(_Mark(start, stop, visible(text), style))
        style = SECONDARY
    return marks


def _numbered(source: Source, line: int, margin: int, excerpt: Excerpt) -> StyledRow:
    row: StyledRow = [(f"{source.first + line:>{margin}} |", FRAME)]
    return [*row, (f" {excerpt.text}", PLAIN)] if excerpt.text else row


def _underlined(marks: list[_Mark]) -> Iterator[StyledRow]:
    """Yield the rows below a line: underlines with the last text beside them, then the other texts, hung from bars."""
    last = max(marks, key=lambda mark: (mark.start, mark.stop))
    # A text is put beside the underlines only if it can't belong to any but the last of them.
    beside = bool(last.text) and all(mark.stop <= last.start for mark in marks if mark is not last)
    row = _underline(marks)
    yield [*row, (f" {last.text}", last.style)] if beside else row
    hung = [mark for mark in marks if mark.text and not (beside and mark is last)]
    hung.sort(key=lambda mark: -mark.start)
    if hung:
        yield _hanging(hung)
    for index, mark in enumerate(hung):
        left = [other for other in hung[index + 1 :] if other.start < mark.start]
        yield _hanging(left, mark)


def _underline(marks: list[_Mark]) -> StyledRow:
    """Return all underlines in one row; where two overlap, the primary one is shown."""
    signs = [" "] * max(mark.stop for mark in marks)
    for style, sign in ((SECONDARY, "-"), (PRIMARY, "^")):
        for mark in marks:
            if mark.style == style:
                signs[mark.start : mark.stop] = sign * (mark.stop - mark.start)
    styles = {"^": PRIMARY, "-": SECONDARY, " ": PLAIN}
    return [("".join(run), styles[sign]) for sign, run in groupby(signs)]


def _hanging(bars: list[_Mark], text: _Mark | None = None) -> StyledRow:
    """Return a bar below the start of each mark, and the text of a mark further to the right."""
    row: StyledRow = []
    cell = 0
    styles = {mark.start: mark.style for mark in reversed(bars)}
    for start in sorted(styles):
        row.append((" " * (start - cell) + "|", styles[start]))
        cell = start + 1
    if text:
        row.append((" " * (text.start - cell) + text.text, text.style))
    return row
