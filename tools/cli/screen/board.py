"""The table of a game as a picture for a terminal of any width, and the cards of a vote."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from ....notation.basics import EGYPT, GROUP_LETTERS, ROME, SIGNS, TIE, visible
from ....notation.language import GROUPS, PLAYERS, SIDES, phrase, sense
from ....replay.engine.api import account_text
from ....replay.knowledge.api import GroupView, SideView, TableView, cards_of, left_of
from ....replay.story.api import VoteScene
from ....replay.words.api import missions_line

UNLIMITED_WIDTH: Final = 1000
"""Wider than any picture."""
STYLES: Final = ("bold color(166)", "bold color(32)", "bold")
"""Side or TIE → the style for what belongs to Rome, Egypt or nobody: the hues of ``--rome-mark`` and ``--egypt-mark``
on pages, chosen from the 256 colours so that they are readable on black and on white.
"""


def picture(table: TableView, width: int) -> RenderableType:
    """Return the table for a terminal of this width.

    The groups are side by side if they fit, otherwise one per line, or with cards one below another.
    """
    paper, forms = Console(width=UNLIMITED_WIDTH), (form(table) for form in (_board, _rows))
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
    won = [phrase("{player.name} won", player=player) for player in PLAYERS]
    cards, patricians = phrase("cards"), phrase("patricians")
    for name, cells, style in (
        (won[0], [str(group.won[0]) for group in table.groups], STYLES[0]),
        (cards, [cards_of(group, 0) for group in table.groups], ""),
        (patricians, [left_of(group) for group in table.groups], "bold"),
        (cards, [cards_of(group, 1) for group in table.groups], ""),
        (won[1], [str(group.won[1]) for group in table.groups], STYLES[1]),
    ):
        label = Text(name, no_wrap=True, style=style)
        grid.add_row(label, *map(Text, cells), style="bold" if name == patricians else None)
    return grid


def _rows(table: TableView) -> RenderableType:
    """Return the groups, one per line."""
    grid = _grid()
    grid.add_column("", no_wrap=True)
    grid.add_column(Text(phrase("left")), no_wrap=True, style="bold")
    for player, style in zip(PLAYERS, STYLES[:TIE], strict=True):
        grid.add_column(Text(player.name, style=style), overflow="fold")
        grid.add_column(Text(sense("patricians", "won")), justify="right")
    for group in table.groups:
        cells = [cell for side in (0, 1) for cell in (Text(cards_of(group, side)), str(group.won[side]))]
        grid.add_row(_name(group), Text(left_of(group)), *cells)
    return grid


def _stack(table: TableView) -> RenderableType:
    """Return the groups with cards one below another."""
    grid = Table.grid(*[Column(overflow="fold") for _ in range(3)], padding=(0, 2, 0, 0))
    for place, group in enumerate(table.groups):
        if place:
            grid.add_row()
        grid.add_row(_name(group), Text(left_of(group), style="bold"))
        for number, player in enumerate(PLAYERS):
            won = phrase("won {count}", count=group.won[number])
            grid.add_row(Text(player.name, STYLES[number]), Text(cards_of(group, number)), Text(won))
    return grid


def _below(table: TableView) -> RenderableType:
    """Return the players' belongings, one player below the other."""
    grid = Table.grid(Column(no_wrap=True), *[Column(overflow="fold") for _ in range(2)], padding=(0, 2, 0, 0))
    for place, side in enumerate(table.sides):
        if place:
            grid.add_row()
        for line, (what, value) in enumerate(_player_rows(side)):
            grid.add_row("" if line else Text(PLAYERS[place].name, STYLES[place]), what, Text(value))
    return grid


def _player_rows(side: SideView) -> list[tuple[str, str]]:
    """Return what a player has besides the groups: names and values, at the end of the game with what the points are
    for.
    """
    piles = {"influence": side.influence_pile, "action": side.action_pile}
    points = account_text(side.points, side.account) if side.account else phrase("{points} so far", points=side.points)
    return [
        (phrase("hand"), " ".join(side.hand) or phrase("empty")),
        (phrase("piles"), phrase("{influence} influence, {action} action", **piles)),
        # A mission in free words is untrusted text.
        (phrase("missions"), visible(missions_line(side)) or sense("missions", "none")),
        (phrase("discards"), " ".join("".join(run) for _, run in groupby(side.discards)) or phrase("none")),
        (phrase("points"), points),
    ]


def _devices_line(table: TableView) -> Text:
    """Return the busts in the bag, and those that are out."""
    bag, out = [" ".join(each) or sense("busts", "none") for each in (table.bag, table.out)]
    return Text(phrase("still to come: {bag} · out: {out}", bag=bag, out=out))


def _name(group: GroupView) -> Text:
    return Text(f"{GROUPS[GROUP_LETTERS.index(group.letter)].bare} {group.letter}", style="bold")


COLUMN_GAP: Final = 4
"""The number of columns between the cards of both sides."""


def vote_cards(scene: VoteScene, width: int) -> list[Text]:
    """Return the cards of a vote and their sums as lines, side by side if that fits into ``width``."""
    rome, egypt = (_hand(scene, side) for side in (ROME, EGYPT))
    left = max(line.cell_len for line in rome) + COLUMN_GAP
    if left + max(line.cell_len for line in egypt) > width:
        lines = [*rome, *egypt]
    else:
        for line in rome:
            line.append(" " * (left - line.cell_len))
        lines = [one.append_text(other) for one, other in zip(rome, egypt, strict=True)]
    for line in lines:
        line.rstrip()
    is_hidden = any(card.turned for column in scene.columns for card in column)
    return [*lines, *[Text(phrase("( ) lay face down"), "dim")] * is_hidden]


def _hand(scene: VoteScene, side: int) -> list[Text]:
    """Return a side with its sum, and its cards as four lines."""
    cards = scene.columns[side]
    head = Text(f"{SIGNS[side]} {SIDES[side].name}: {scene.sums[side]}", STYLES[side])
    if not cards:
        return [head, Text(), Text(f"  {phrase('no card')}"), Text()]
    faces = "│".join(f"{card.word:^3}" for card in cards)
    edges = [f"{left}{between.join(['───'] * len(cards))}{right}" for left, between, right in ("┌┬┐", "└┴┘")]
    return [head, Text(edges[0]), Text(f"│{faces}│"), Text(edges[1])]
