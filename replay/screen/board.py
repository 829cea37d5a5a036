"""The table of a game as a picture for a terminal of any width."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...notation.safe_text import visible
from ..views.table_view import GroupView, SideView, TableView

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
    return Group(board, "", _below(table), "", Text(devices(table)))


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


def devices(table: TableView) -> str:
    """Return the busts in the bag, and those that are out."""
    return f"still to come: {' '.join(table.bag) or 'none'} · out: {' '.join(table.out) or 'none'}"


def name_of(group: GroupView) -> str:
    """Return ``Praetors P``."""
    return f"{group.name} {group.letter}"


def cards_of(group: GroupView, side: int) -> str:
    """Return ``5 2 p = 7``: a side's cards at a group, and their influence where it is known."""
    if not group.cards[side]:
        return "–"
    total = group.sums[side]
    return " ".join(group.cards[side]) + ("" if total is None else f" = {total}")


def left_of(group: GroupView) -> str:
    """Return ``■■■``: the patricians left."""
    return "■" * group.left or "gone"


def _name(group: GroupView) -> Text:
    return Text(name_of(group), style="bold")
