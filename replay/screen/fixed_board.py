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

from ...notation.cards import SIGNS
from ..diagnostics.names import in_figures
from ..views.table_view import GroupView, TableView
from .board import STYLES, belongings, cards_of, devices, left_of, name_of

ROOMY: Final = 66
"""From here on there is a group a line, and the players stand beside each other."""
AIRY: Final = 34
"""From so many lines of a screen on the lines of the table stand apart."""
LEFT: Final = 7
"""How wide the column of the patricians left is: five, the most that a group has, and a gap."""
WON: Final = 5
HEAD: Final = 13
"""How wide the column is that says what something is: “Caesar”, “discards”, “Quaestors Q”."""
GAP: Final = 2
PAPER: Final = Console(width=80)
"""What the library that folds texts asks for; nothing of it is used."""


def full_screen_board(table: TableView, width: int, marked: Collection[str] = (), *, airy: bool = False) -> Text:
    """Return the table in lines of at most that width, with the letters of groups in ``marked`` highlighted.

    ``airy``: there is room for lines between the groups.
    """
    if width < ROOMY:
        lines = [*_stack(table, width, marked), Text(), *_below(table, width), Text()]
        return Text("\n", no_wrap=True).join([*lines, *folded(Text(devices(table)), width)])
    return Text("\n", no_wrap=True).join(_beside(table, width, marked, airy=airy))


def _beside(table: TableView, width: int, marked: Collection[str], *, airy: bool) -> Iterable[Text]:
    """Yield a line for each group and for what the players have besides, their columns side by side."""
    half = (width + GAP - HEAD - LEFT) // 2
    widths = (HEAD, LEFT, half - WON, WON, half - WON, WON)
    won, between = Text("won", "bold", justify="right"), [Text()] * airy
    players = [_player(table, side, half - WON - GAP) for side in (0, 1)]
    yield from _row((Text(), Text("left", "bold"), players[0], won, players[1], won), widths)
    yield from [Text("─" * (sum(widths) - GAP))] * airy
    for place, group in enumerate(table.groups):
        yield from between * bool(place)
        cells = [(Text(cards_of(group, side)), Text(str(group.won[side]), justify="right")) for side in (0, 1)]
        yield from _row((_name(group, marked), Text(left_of(group), "bold"), *cells[0], *cells[1]), widths)
    yield from between
    for (what, one), (_, other) in zip(*map(belongings, table.sides), strict=True):
        yield from _row((Text(what), Text(one), Text(other)), (HEAD + LEFT, half, half))
    to_come, _, out = devices(table).partition(" · ")
    yield from _row((Text("still to come"), Text(to_come.partition(": ")[2]), Text(out)), (HEAD + LEFT, half, half))


def _stack(table: TableView, width: int, marked: Collection[str]) -> Iterable[Text]:
    """Yield three lines for each group, card under card."""
    won = len("won 5")
    head = len("▼ Cleopatra") + GAP
    widths = (head, max(6, width - head - won), won + GAP)
    for place, group in enumerate(table.groups):
        if place:
            yield Text()
        yield Text.assemble(_name(group, marked), " ", (left_of(group), "bold"))
        for side in (0, 1):
            cells = _name_of(table, side), Text(cards_of(group, side)), Text(f"won {group.won[side]}")
            yield from _row(cells, widths)


def _below(table: TableView, width: int) -> Iterable[Text]:
    """Yield the players' belongings, one player under the other."""
    head = len("discards") + GAP
    widths = (head, max(6, width + GAP - head))
    for number, side in enumerate(table.sides):
        if number:
            yield Text()
        yield _player(table, number, width)
        for what, value in belongings(side):
            yield from _row((Text(what), Text(value)), widths)


def _player(table: TableView, side: int, room: int) -> Text:
    """Return a player and the points; for both as a number alone where there is no room."""
    long = [f" · {in_figures(cards.points, 'point')}" for cards in table.sides]
    fits = all(_name_of(table, number).cell_len + len(text) <= room for number, text in enumerate(long))
    return _name_of(table, side).append(long[side] if fits else f" · {table.sides[side].points}", "not bold")


def _name_of(table: TableView, side: int) -> Text:
    return Text(f"{SIGNS[side]} {table.sides[side].player}", STYLES[side])


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
