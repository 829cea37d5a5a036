"""The table of a game as a picture for a terminal: of any width, and for a full screen; and the cards of a vote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby, zip_longest
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...notation.cards import EGYPT, ROME, SIDE_NAMES, SIGNS
from ...notation.safe_text import visible
from ..analysis.telling import VoteScene
from ..diagnostics.names import in_figures
from ..views.table_view import GroupView, SideView, TableView, cards_of, left_of, name_of

MUCH: Final = 1000
"""Wider than any picture."""
STYLES: Final = ("bold color(166)", "bold color(32)")
"""Rome's names, orange, and Egypt's, blue: both readable on black and on white."""


def picture(table: TableView, width: int) -> RenderableType:
    """Return the table for a terminal of that width.

    The groups stand side by side where they fit, else one a line, else card under card.
    """
    paper, forms = Console(width=MUCH), (form(table) for form in (_board, _rows))
    board = next((form for form in forms if paper.measure(form).maximum <= width), None) or _stack(table)
    return Group(board, "", _below(table), "", _devices_line(table))


def _grid() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)


def _board(table: TableView) -> RenderableType:
    """Return the groups side by side."""
    grid = _grid()
    grid.add_column("")
    for group in table.groups:
        grid.add_column(_name(group), justify="center", no_wrap=True)
    rome, egypt = table.sides
    for name, cells, style in (
        (f"{rome.player} won", [str(group.won[0]) for group in table.groups], STYLES[0]),
        ("cards", [cards_of(group, 0) for group in table.groups], ""),
        ("patricians", [left_of(group) for group in table.groups], "bold"),
        ("cards", [cards_of(group, 1) for group in table.groups], ""),
        (f"{egypt.player} won", [str(group.won[1]) for group in table.groups], STYLES[1]),
    ):
        label = Text(name, no_wrap=True, style=style)
        grid.add_row(label, *map(Text, cells), style="bold" if name == "patricians" else None)
    return grid


def _rows(table: TableView) -> RenderableType:
    """Return the groups one a line."""
    grid = _grid()
    grid.add_column("", no_wrap=True)
    grid.add_column(Text("left"), no_wrap=True, style="bold")
    for side, style in zip(table.sides, STYLES, strict=True):
        grid.add_column(Text(side.player, style=style), overflow="fold")
        grid.add_column(Text("won"), justify="right")
    for group in table.groups:
        cells = [cell for side in (0, 1) for cell in (Text(cards_of(group, side)), str(group.won[side]))]
        grid.add_row(_name(group), Text(left_of(group)), *cells)
    return grid


def _stack(table: TableView) -> RenderableType:
    """Return the groups card under card."""
    grid = Table.grid(*[Column(overflow="fold") for _ in range(3)], padding=(0, 2, 0, 0))
    for place, group in enumerate(table.groups):
        if place:
            grid.add_row()
        grid.add_row(_name(group), Text(left_of(group), style="bold"))
        for number, side in enumerate(table.sides):
            grid.add_row(
                Text(side.player, STYLES[number]), Text(cards_of(group, number)), Text(f"won {group.won[number]}")
            )
    return grid


def _below(table: TableView) -> RenderableType:
    """Return the players' belongings, one player under the other."""
    grid = Table.grid(Column(no_wrap=True), *[Column(overflow="fold") for _ in range(2)], padding=(0, 2, 0, 0))
    for place, side in enumerate(table.sides):
        if place:
            grid.add_row()
        points = f"{side.points}{' so far' * (table.mover is not None)}"
        for line, (what, value) in enumerate((*belongings(side), ("points", points))):
            grid.add_row("" if line else Text(side.player, STYLES[place]), what, Text(value))
    return grid


def belongings(side: SideView) -> list[tuple[str, str]]:
    """Return what a player has beside the groups: names and values."""
    return [
        ("hand", " ".join(side.hand) or "empty"),
        ("piles", f"{side.influence_pile} influence, {side.action_pile} action"),
        # A mission in free words is a stranger's text.
        ("missions", visible(", ".join(side.missions)) or "none"),
        ("discards", " ".join("".join(run) for _, run in groupby(side.discards)) or "none"),
    ]


def devices(table: TableView) -> tuple[str, str]:
    """Return the busts in the bag, and those that are out."""
    return " ".join(table.bag) or "none", " ".join(table.out) or "none"


def _devices_line(table: TableView) -> Text:
    return Text("still to come: {} · out: {}".format(*devices(table)))


def _name(group: GroupView) -> Text:
    return Text(name_of(group), style="bold")


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
        lines = [*_stacked(table, width, marked), Text(), *_belongings(table, width), Text()]
        return Text("\n", no_wrap=True).join([*lines, *folded(_devices_line(table), width)])
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
        if place:
            yield from between
        cells = [(Text(cards_of(group, side)), Text(str(group.won[side]), justify="right")) for side in (0, 1)]
        yield from _row((_marked_name(group, marked), Text(left_of(group), "bold"), *cells[0], *cells[1]), widths)
    yield from between
    for (what, one), (_, other) in zip(*map(belongings, table.sides), strict=True):
        yield from _row((Text(what), Text(one), Text(other)), (HEAD + LEFT, half, half))
    to_come, out = devices(table)
    yield from _row((Text("still to come"), Text(to_come), Text(f"out: {out}")), (HEAD + LEFT, half, half))


def _stacked(table: TableView, width: int, marked: Collection[str]) -> Iterable[Text]:
    """Yield three lines for each group, card under card."""
    won = len("won 5")
    head = len("▼ Cleopatra") + GAP
    widths = (head, max(6, width - head - won), won + GAP)
    for place, group in enumerate(table.groups):
        if place:
            yield Text()
        yield Text.assemble(_marked_name(group, marked), " ", (left_of(group), "bold"))
        for side in (0, 1):
            cells = _name_of(table, side), Text(cards_of(group, side)), Text(f"won {group.won[side]}")
            yield from _row(cells, widths)


def _belongings(table: TableView, width: int) -> Iterable[Text]:
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


def _marked_name(group: GroupView, marked: Collection[str]) -> Text:
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


BETWEEN: Final = 4
"""How many columns lie between the cards of both sides."""
FACE_DOWN: Final = "( ) lay face down"


def vote_cards(scene: VoteScene, width: int) -> list[Text]:
    """Return the cards of a vote and their sums as lines, side by side where that fits into ``width``."""
    rome, egypt = (_hand(scene, side) for side in (ROME, EGYPT))
    left = max(line.cell_len for line in rome) + BETWEEN
    if left + max(line.cell_len for line in egypt) > width:
        lines = [*rome, *egypt]
    else:
        for line in rome:
            line.append(" " * (left - line.cell_len))
        lines = [one.append_text(other) for one, other in zip(rome, egypt, strict=True)]
    for line in lines:
        line.rstrip()
    is_hidden = any(card.turned for column in scene.columns for card in column)
    return [*lines, *[Text(FACE_DOWN, "dim")] * is_hidden]


def _hand(scene: VoteScene, side: int) -> list[Text]:
    """Return a side with its sum, and its cards as four lines."""
    cards = scene.columns[side]
    head = Text(f"{SIGNS[side]} {SIDE_NAMES[side]}: {scene.sums[side]}", STYLES[side])
    if not cards:
        return [head, Text(), Text("  no card"), Text()]
    faces = "│".join(f"{card.word:^3}" for card in cards)
    edges = [f"{left}{between.join(['───'] * len(cards))}{right}" for left, between, right in ("┌┬┐", "└┴┘")]
    return [head, Text(edges[0]), Text(f"│{faces}│"), Text(edges[1])]
