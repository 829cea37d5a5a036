"""The table of a game as a picture for a terminal of any width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TextIO

import click
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ..table import GroupView, SideView, TableView

MUCH: Final = 1000
"""Wider than any picture."""


def draw(picture: TableView, head: str, stream: TextIO) -> None:
    """Write the picture: groups side by side where the terminal is wide enough, below each other where it is not.

    ``head`` says which moment it is.
    """
    console = Console(file=stream, highlight=False)
    moment = f"over: {picture.ended}" if picture.ended else f"{picture.turn} to play"
    heading = Text(f"{head} · {picture.edition} rules · {moment} · seen by {picture.view}", style="bold")
    board = _board(picture)
    if console.measure(board, options=console.options.update(max_width=MUCH)).maximum > console.width:
        board = _stack(picture)
    with console.capture() as drawn:
        for part in (heading, "", board, "", _hands(picture), "", _devices(picture)):
            console.print(part)
    click.echo("\n".join(line.rstrip() for line in drawn.get().splitlines()), file=stream)


def _board(picture: TableView) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("")
    for group in picture.groups:
        table.add_column(f"{group.name} {group.letter}", justify="center", no_wrap=True)
    rome, egypt = picture.sides
    for name, cells in (
        (f"{rome.player} won", [str(group.won[0]) for group in picture.groups]),
        ("cards", [_cards(group, 0) for group in picture.groups]),
        ("patricians", [_left(group) for group in picture.groups]),
        ("cards", [_cards(group, 1) for group in picture.groups]),
        (f"{egypt.player} won", [str(group.won[1]) for group in picture.groups]),
    ):
        label = Text(name, no_wrap=True)
        table.add_row(label, *map(Text, cells), style="bold" if name == "patricians" else None)
    return table


def _stack(picture: TableView) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for _ in range(3):
        table.add_column("", overflow="fold")
    for place, group in enumerate(picture.groups):
        if place:
            table.add_row()
        table.add_row(Text(f"{group.name} {group.letter}", style="bold"), Text(_left(group), style="bold"))
        for number, side in enumerate(picture.sides):
            table.add_row(Text(side.player), Text(_cards(group, number)), Text(f"won {group.won[number]}"))
    return table


def _hands(picture: TableView) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("", style="bold", no_wrap=True)
    for _ in range(2):
        table.add_column("", overflow="fold")
    for place, side in enumerate(picture.sides):
        if place:
            table.add_row()
        for line, (what, value) in enumerate(_belongings(side)):
            table.add_row("" if line else side.player, what, Text(value))
    return table


def _belongings(side: SideView) -> Iterator[tuple[str, str]]:
    yield "hand", " ".join(side.hand) or "empty"
    yield "piles", f"{side.influence_pile} influence, {side.action_pile} action"
    yield "missions", ", ".join(side.missions) or "none"
    yield "discards", " ".join(side.discards) or "none"
    yield "points", f"{side.points} so far"


def _devices(picture: TableView) -> RenderableType:
    return Text(f"still to come: {' '.join(picture.bag) or 'none'} · out: {' '.join(picture.out) or 'none'}")


def _cards(group: GroupView, side: int) -> str:
    if not group.cards[side]:
        return "–"
    total = group.sums[side]
    return " ".join(group.cards[side]) + ("" if total is None else f" = {total}")


def _left(group: GroupView) -> str:
    return "■" * group.left or "gone"
