"""The table of a game as a picture for a terminal of any width."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..report.safe import visible
from ..table import GroupView, SideView, TableView

MUCH: Final = 1000
"""Wider than any picture."""
ROOMY: Final = 66
"""From here on a steady picture has a group a line and the players beside each other, whatever lies on the table."""
MOST: Final = 5
"""The most patricians that a group has."""
STYLES: Final = ("bold red", "bold cyan")
"""Rome's names and Egypt's."""


def picture(table: TableView, width: int, *, steady: bool = False, marked: Collection[str] = ()) -> RenderableType:
    """The table for a terminal of that width.

    The groups stand side by side where they fit, else one a line, else card under card. A ``steady`` picture takes
    its form from the width alone and not from the cards, so that nothing jumps from one step to the next; it has a
    group a line, and the players beside each other. ``marked`` are letters of groups to be pointed at.
    """
    if steady and width >= ROOMY:
        board, hands = _rows(table, marked, expand=True), _beside(table)
    else:
        hands = _below(table)
        for form in () if steady else (_board, _rows):
            board = form(table, marked)
            if width_of(board) <= width:
                break
        else:
            board = _stack(table, marked)
    devices = Text(f"still to come: {' '.join(table.bag) or 'none'} · out: {' '.join(table.out) or 'none'}")
    return Group(board, "", hands, devices) if steady else Group(board, "", hands, "", devices)


def width_of(part: RenderableType) -> int:
    """How wide a picture is where it has all the room that it wants."""
    console = Console(width=MUCH)
    return console.measure(part).maximum


def _grid() -> Table:
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)


def _board(table: TableView, marked: Collection[str]) -> RenderableType:
    grid = _grid()
    grid.add_column("")
    for group in table.groups:
        grid.add_column(_name(group, marked), justify="center", no_wrap=True)
    rome, egypt = table.sides
    for name, cells, style in (
        (f"{rome.player} won", [str(group.won[0]) for group in table.groups], STYLES[0]),
        ("cards", [_cards(group, 0) for group in table.groups], ""),
        ("patricians", [_left(group) for group in table.groups], "bold"),
        ("cards", [_cards(group, 1) for group in table.groups], ""),
        (f"{egypt.player} won", [str(group.won[1]) for group in table.groups], STYLES[1]),
    ):
        label = Text(name, no_wrap=True, style=style)
        grid.add_row(label, *map(Text, cells), style="bold" if name == "patricians" else None)
    return grid


def _rows(table: TableView, marked: Collection[str], *, expand: bool = False) -> RenderableType:
    grid = _grid()
    grid.expand = expand
    grid.add_column("", no_wrap=True)
    grid.add_column(Text("left"), no_wrap=True, style="bold", min_width=MOST if expand else None)
    for side, style in zip(table.sides, STYLES, strict=True):
        grid.add_column(Text(side.player, style=style), overflow="fold", ratio=1 if expand else None)
        grid.add_column(Text("won"), justify="right")
    for group in table.groups:
        cells = [cell for side in (0, 1) for cell in (Text(_cards(group, side)), str(group.won[side]))]
        grid.add_row(_name(group, marked), Text(_left(group)), *cells)
    return grid


def _stack(table: TableView, marked: Collection[str]) -> RenderableType:
    grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for _ in range(3):
        grid.add_column("", overflow="fold")
    for place, group in enumerate(table.groups):
        if place:
            grid.add_row()
        grid.add_row(_name(group, marked), Text(_left(group), style="bold"))
        for number, side in enumerate(table.sides):
            grid.add_row(
                Text(side.player, STYLES[number]), Text(_cards(group, number)), Text(f"won {group.won[number]}")
            )
    return grid


def _below(table: TableView) -> RenderableType:
    """The players' belongings, one player under the other."""
    grid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    grid.add_column("", no_wrap=True)
    for _ in range(2):
        grid.add_column("", overflow="fold")
    for place, side in enumerate(table.sides):
        if place:
            grid.add_row()
        for line, (what, value) in enumerate((*_belongings(side), ("points", f"{side.points} so far"))):
            grid.add_row("" if line else Text(side.player, STYLES[place]), what, Text(value))
    return grid


def _beside(table: TableView) -> RenderableType:
    """The same in two columns, and in as few lines as can be."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
    grid.add_column("", no_wrap=True)
    for side, style in zip(table.sides, STYLES, strict=True):
        heading = Text.assemble((side.player, style), (f" · {_points(side)}", "not bold"))
        grid.add_column(heading, overflow="fold", ratio=1)
    for (what, one), (_, other) in zip(*map(_belongings, table.sides), strict=True):
        grid.add_row(Text(what), Text(one), Text(other))
    return grid


def _belongings(side: SideView) -> Iterator[tuple[str, str]]:
    yield "hand", " ".join(side.hand) or "empty"
    yield "piles", f"{side.influence_pile} influence, {side.action_pile} action"
    # A mission in free words is a stranger's text.
    yield "missions", visible(", ".join(side.missions)) or "none"
    yield "discards", " ".join(side.discards) or "none"


def _points(side: SideView) -> str:
    return f"{side.points} point{'s' * (side.points != 1)}"


def _name(group: GroupView, marked: Collection[str]) -> Text:
    style = "bold reverse" if group.letter in marked else "bold"
    return Text.assemble((f"{group.name} {group.letter}", style))


def _cards(group: GroupView, side: int) -> str:
    if not group.cards[side]:
        return "–"
    total = group.sums[side]
    return " ".join(group.cards[side]) + ("" if total is None else f" = {total}")


def _left(group: GroupView) -> str:
    return "■" * group.left or "gone"
