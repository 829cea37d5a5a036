"""A list of moves to choose from, as lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len, set_cell_size

from ...recorder.api import MenuLine, grouped_by_cards, sections

if TYPE_CHECKING:
    from ...insight.playing import Offer

KEY: Final = 4
"""The width of a choice's name, with a gap."""
GAP: Final = 2
MAX_COLUMNS: Final = 6
"""The most columns."""


def numbered(choices: Sequence[MenuLine], names: Sequence[str], room: int, width: int) -> list[str]:
    """Return the list as plain text, with the name of each choice, in no more columns than needed for ``room`` lines.

    If that is not enough, words that differ only in their cards share a line.
    """
    found, lines = rows(choices, room, width), list[str]()
    if len(found) > room:
        return _gathered(choices, names, width)
    for head, cells in found:
        text = head
        for number, words, room_for_words, wide in cells:
            said = set_cell_size(_fitting(words, room_for_words), room_for_words + GAP)
            cell = f"{names[number]:>{KEY - 2}}. {said}{choices[number].label}"
            text += set_cell_size(cell, max(wide, cell_len(cell)) + GAP)
        lines.append(text.rstrip())
    return lines


def _gathered(choices: Sequence[MenuLine], names: Sequence[str], width: int) -> list[str]:
    lines, unnamed = list[str](), iter(names)
    for head, section in sections(choices):
        lines += [head] if head else []
        for said, alike in grouped_by_cards(section):
            # The name stays with its word where a line is folded.
            cells = [f"{next(unnamed)}.\N{NO-BREAK SPACE}{line.label}" for line in alike]
            folded = wrap(f"{said}:  {'  '.join(cells)}", width, initial_indent="  ", subsequent_indent=" " * 6)
            lines += [line.replace("\N{NO-BREAK SPACE}", " ") for line in folded]
    return lines


class Row(NamedTuple):
    """A line of the list: the common beginning of a section's choices, and the ``cells`` side by side.

    A cell has the number of a choice, its words, their largest width, and the width of the whole cell.
    """

    head: str
    cells: list[tuple[int, str, int, int]]


def rows(choices: Sequence[MenuLine], room: int, width: int) -> list[Row]:
    """Return the list in as few columns as needed for ``room`` lines of ``width`` columns.

    The words that choices share are above them, or before them if there would be too many lines. If there still are too
    many, return the shortest list.
    """
    lists = (
        _rows(choices, most, width, beside=beside) for beside in (False, True) for most in range(1, MAX_COLUMNS + 1)
    )
    best: list[Row] = []
    for found in lists:
        if not best or (len(found) < len(best) and max(map(_width, found)) <= width):
            best = found
        if len(best) <= room:
            break
    return [_cut(row, width) for row in best]


def _cut(row: Row, width: int) -> Row:
    """Return a line of the list with its words cut to fit; the notation after them stays."""
    over = _width(row) - width
    if over <= 0 or not row.cells:
        return row
    *others, (number, words, room, wide) = row.cells
    return Row(row.head, [*others, (number, words, max(1, room - over), wide - over)])


def _width(row: Row) -> int:
    return len(row.head) + sum(cell[3] + GAP for cell in row.cells) - GAP * bool(row.cells)


def _rows(choices: Sequence[MenuLine], most: int, width: int, *, beside: bool) -> list[Row]:
    """Return the list in at most this many columns, with the heads above the lines or ``beside`` them."""
    parts, lines, first = sections(choices), list[Row](), 0
    indent = max([len(part.head) + GAP for part in parts if part.head], default=0) if beside else 0
    for head, section in parts:
        label = max(len(choice.label) for choice in section)
        sizes = [KEY + cell_len(choice.words) + GAP + label for choice in section]
        columns = _columns(sizes, most, width - indent)
        lines += [Row(head, [])] if head and not beside else []
        for start in range(0, len(section), len(columns)):
            numbers = range(start, min(start + len(columns), len(section)))
            cells = [
                (first + at, section[at].words, max(1, wide - KEY - GAP - label), wide)
                for at, wide in zip(numbers, columns, strict=False)
            ]
            lines.append(Row(f"{head if not start else '':<{indent}}" if beside else "", cells))
        first += len(section)
    return lines


def _columns(sizes: Sequence[int], most: int, width: int) -> list[int]:
    """Return the width of each column, for as many columns as fit, at most ``most``."""
    for count in range(min(most, len(sizes)), 1, -1):
        columns = [max(sizes[start::count]) for start in range(count)]
        if sum(columns) + GAP * (count - 1) <= width:
            return columns
    return [max(sizes)]


def _fitting(words: str, room: int) -> str:
    """Return words in no more than ``room`` cells, so that the notation after them is never cut off."""
    return words if cell_len(words) <= room else f"{set_cell_size(words, room - 1)}…"


def menu_lines(offers: Iterable[Offer]) -> list[MenuLine]:
    """Return offers as lines of a list to pick from."""
    return [MenuLine(offer.text, offer.words, whole=True) for offer in offers]
