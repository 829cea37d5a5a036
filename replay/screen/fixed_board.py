"""The table for a full screen: its layout depends on the width alone, so that nothing jumps.

It is drawn again after every key, and so laid out here at once, where :mod:`tironian.replay.screen.board` lets rich
measure what fits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Final

from rich.console import Console
from rich.text import Text

from ..views.table_view import GroupView, TableView
from .board import STYLES, belongings, cards_of, devices, left_of, name_of, points_of

ROOMY: Final = 66
"""From here on there is a group a line, and the players stand beside each other."""
LEFT: Final = 7
"""How wide the column of the patricians left is: five, the most that a group has, and a gap."""
WON: Final = 5
HEAD: Final = 10
"""How wide the column is that says what something is: “Caesar”, “discards”, “Cleopatra”."""
GAP: Final = 2
PAPER: Final = Console(width=80)
"""What the library that folds texts asks for; nothing of it is used."""


def full_screen_board(table: TableView, width: int, marked: Collection[str] = ()) -> Text:
    """Return the table in lines of at most that width, with the letters of groups in ``marked`` highlighted."""
    parts = (_rows, _beside) if width >= ROOMY else (_stack, _below)
    lines = [line for part in parts for line in (*part(table, width, marked), Text())]
    return Text("\n", no_wrap=True).join([*lines[:-1], *folded(Text(devices(table)), width)])


def _rows(table: TableView, width: int, marked: Collection[str]) -> Iterable[Text]:
    """Yield a line for each group."""
    head = max(len(name_of(group)) for group in table.groups) + GAP
    half = (width + GAP - head - LEFT) // 2
    widths = (head, LEFT, half - WON, WON, half - WON, WON)
    names = [Text(side.player, f"bold {style}") for side, style in zip(table.sides, STYLES, strict=True)]
    won = Text("won", "bold", justify="right")
    yield from _row((Text(), Text("left", "bold"), names[0], won, names[1], won), widths)
    yield Text("─" * (sum(widths) - GAP))
    for group in table.groups:
        cells = [(Text(cards_of(group, side)), Text(str(group.won[side]), justify="right")) for side in (0, 1)]
        yield from _row((_name(group, marked), Text(left_of(group), "bold"), *cells[0], *cells[1]), widths)


def _beside(table: TableView, width: int, _marked: Collection[str]) -> Iterable[Text]:
    """Yield the players' belongings in two columns, and in as few lines as possible."""
    half = (width + GAP - HEAD) // 2
    widths = (HEAD, half, half)
    names = [Text(f"{side.player} · {points_of(side)}", style) for side, style in zip(table.sides, STYLES, strict=True)]
    yield from _row((Text(), *names), widths)
    for (what, one), (_, other) in zip(*map(belongings, table.sides), strict=True):
        yield from _row((Text(what), Text(one), Text(other)), widths)


def _stack(table: TableView, width: int, marked: Collection[str]) -> Iterable[Text]:
    """Yield three lines for each group, card under card."""
    won = len("won 5")
    widths = (HEAD + 1, max(6, width - HEAD - 1 - won), won + GAP)
    for place, group in enumerate(table.groups):
        if place:
            yield Text()
        yield Text.assemble(_name(group, marked), " ", (left_of(group), "bold"))
        for number, side in enumerate(table.sides):
            cells = Text(side.player, STYLES[number]), Text(cards_of(group, number)), Text(f"won {group.won[number]}")
            yield from _row(cells, widths)


def _below(table: TableView, width: int, _marked: Collection[str]) -> Iterable[Text]:
    """Yield the players' belongings, one player under the other."""
    widths = (HEAD, max(6, width + GAP - HEAD))
    for place, side in enumerate(table.sides):
        if place:
            yield Text()
        yield Text.assemble((side.player, STYLES[place]), f" · {points_of(side)}")
        for what, value in belongings(side):
            yield from _row((Text(what), Text(value)), widths)


def _name(group: GroupView, marked: Collection[str]) -> Text:
    return Text(name_of(group), "bold reverse" if group.letter in marked else "bold")


def _row(cells: Sequence[Text], widths: Sequence[int]) -> Iterable[Text]:
    """Yield the lines of a row: as many as its longest cell takes, with a gap to the next column."""
    for parts in zip_longest(*(folded(cell, width - GAP) for cell, width in zip(cells, widths, strict=True))):
        line = Text()
        for cell, part, width in zip(cells, parts, widths, strict=True):
            text = part or Text()
            room = width - text.cell_len
            before = room - GAP if cell.justify == "right" else 0
            line.append(" " * before).append_text(text).append(" " * (room - before))
        line.rstrip()
        yield line


def folded(text: Text, width: int) -> list[Text]:
    """Return a text as lines of at most that width, broken at spaces where possible."""
    if text.cell_len <= width:
        return [text]
    lines = text.wrap(PAPER, max(1, width), overflow="fold")
    for line in lines:
        line.rstrip()
    return [*lines]
