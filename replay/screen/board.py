"""The table of a game as a picture for a terminal of any width or for a full screen, and the cards of a vote."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby, zip_longest
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from ...notation.cards import EGYPT, GROUP_NAMES, ROME, SIDE_NAMES, SIGNS, TIE
from ...notation.safe_text import visible
from ..analysis.telling import VoteScene, missions_line
from ..diagnostics.names import in_figures
from ..editions.edition import load_edition
from ..engine.result import account_text
from ..views.table_view import GroupView, SideView, TableView, cards_of, left_of, name_of, would_win

MUCH: Final = 1000
"""Wider than any picture."""
STYLES: Final = ("bold color(166)", "bold color(32)", "bold")
"""Side or TIE → the style for what belongs to Rome, Egypt or nobody: the hues of ``--rome-mark`` and ``--egypt-mark``
on pages, chosen from the 256 colours so that they are readable on black and on white.
"""
REFUSED: Final = "bold red"
"""The styles of the message that something was not accepted, and of the word itself."""
DONE: Final = "green"
"""The style of a step of a turn that has been taken."""


def picture(table: TableView, width: int) -> RenderableType:
    """Return the table for a terminal of this width.

    The groups are side by side if they fit, otherwise one per line, or with cards one below another.
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
    """Return the groups, one per line."""
    grid = _grid()
    grid.add_column("", no_wrap=True)
    grid.add_column(Text("left"), no_wrap=True, style="bold")
    for side, style in zip(table.sides, STYLES[:TIE], strict=True):
        grid.add_column(Text(side.player, style=style), overflow="fold")
        grid.add_column(Text("won"), justify="right")
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
        for number, side in enumerate(table.sides):
            grid.add_row(
                Text(side.player, STYLES[number]), Text(cards_of(group, number)), Text(f"won {group.won[number]}")
            )
    return grid


def _below(table: TableView) -> RenderableType:
    """Return the players' belongings, one player below the other."""
    grid = Table.grid(Column(no_wrap=True), *[Column(overflow="fold") for _ in range(2)], padding=(0, 2, 0, 0))
    for place, side in enumerate(table.sides):
        if place:
            grid.add_row()
        points = [] if side.account else [("points", f"{side.points} so far")]
        for line, (what, value) in enumerate((*belongings(side), *points)):
            grid.add_row("" if line else Text(side.player, STYLES[place]), what, Text(value))
    return grid


def belongings(side: SideView) -> list[tuple[str, str]]:
    """Return what a player has besides the groups: names and values, and at the end of the game what the points are
    for.
    """
    return [
        ("hand", " ".join(side.hand) or "empty"),
        ("piles", f"{side.influence_pile} influence, {side.action_pile} action"),
        # A mission in free words is untrusted text.
        ("missions", visible(missions_line(side)) or "none"),
        ("discards", " ".join("".join(run) for _, run in groupby(side.discards)) or "none"),
        *[("points", account_text(side.points, side.account))] * bool(side.account),
    ]


def devices(table: TableView) -> tuple[str, str]:
    """Return the busts in the bag, and those that are out."""
    return " ".join(table.bag) or "none", " ".join(table.out) or "none"


def _devices_line(table: TableView) -> Text:
    return Text("still to come: {} · out: {}".format(*devices(table)))


def _name(group: GroupView) -> Text:
    return Text(name_of(group), style="bold")


ROOMY: Final = 56
"""From this width on, groups are named in full."""
AIRY: Final = 34
"""From this many screen lines on, there is space between the groups."""
HEAD: Final = 13
"""Width of the column that says what something is: “discards”, “Quaestors Q”."""
PATRICIANS: Final = 7
"""Width of the column of patricians: five, the most that a group has, and a gap."""
SUM: Final = 6
"""Width of the column of a sum: a sign, two digits and a gap."""
GAP: Final = 2
PAPER: Final = Console(width=80)
"""Required by the library that folds texts; otherwise unused."""
MISSIONS: Final = {
    "majority": "most {group}",
    "all": "all {group}",
    "each": "every group",
    "majorities": "{count} groups",
    "patricians": "{count} patricians",
    "unknown": "unseen",
}
"""Kind of mission → its words if two are on one line."""


def full_screen_board(table: TableView, width: int, marked: Collection[str] = (), *, airy: bool = False) -> Text:
    """Return the table in lines of at most this width, with the letters of groups in ``marked`` highlighted.

    Each group has a line: its patricians, with those that a side has won under its sign, and the cards there, with
    their sums; the sign of a side comes before a sum that would win a vote now. ``airy`` says that there is space
    between groups.
    """
    head = HEAD if width >= ROOMY else len("discards") + GAP - PATRICIANS + 1
    half = (width + GAP - head - PATRICIANS) // 2
    return Text("\n", no_wrap=True).join(_lines(table, marked, (head, PATRICIANS, half), airy=airy))


def _lines(table: TableView, marked: Collection[str], widths: tuple[int, int, int], *, airy: bool) -> Iterable[Text]:
    head, patricians, half = widths
    players = (Text(), *[_player(table, side, half - GAP) for side in (0, 1)])
    yield from _row(players, (head + patricians, half, half))
    for place, group in enumerate(table.groups):
        if place and airy:
            yield Text()
        winner = would_win(group)
        cells = [cell for side in (0, 1) for cell in _cards(group, side, is_ahead=winner == side)]
        name = Text(
            name_of(group) if head == HEAD else group.letter, "bold reverse" if group.letter in marked else "bold"
        )
        yield from _row((name, _patricians(group), *cells), (head, patricians, *(SUM, half - SUM) * 2))
    yield from [Text()] * airy
    for (what, one), (_, other) in zip(*map(_held, table.sides), strict=True):
        yield from _row((Text(what), Text(one), Text(other)), (head + patricians, half, half))
    told = [" ".join(_device_names(table, letters)) or "none" for letters in (table.bag, table.out)]
    for to_come, out in (told, devices(table)):
        line = Text.assemble(f"{'to come':<{head + patricians}}", to_come, f"; out {out}" * bool(table.out))
        if line.cell_len <= head + patricians + 2 * half - GAP:
            break
    yield line


def _cards(group: GroupView, side: int, *, is_ahead: bool) -> tuple[Text, Text]:
    """Return a side's sum at a group, and its cards."""
    cards, total = group.cards[side], group.sums[side]
    if not cards:
        return Text(), Text("–")
    words = f"{SIGNS[side] if is_ahead else ' '}{'?' if total is None else total:>3}"
    return Text(words, STYLES[side] if is_ahead else ""), Text(" ".join(cards))


def _patricians(group: GroupView) -> Text:
    """Return the patricians of a group: those that Rome won, those that are left, and those that Egypt won."""
    rome, egypt = [(SIGNS[side] * group.won[side], STYLES[side]) for side in (0, 1)]
    return Text.assemble(rome, ("■" * group.left, STYLES[TIE]), egypt)


def _held(side: SideView) -> list[tuple[str, str]]:
    """Return what a player has besides the groups, like :func:`belongings`, in words if they are short."""
    unseen = [(side.hand.count(sign), word) for sign, word in (("i", "influence"), ("a", "action"))]
    hand = [
        " ".join(card for card in side.hand if card not in "ia"),
        *[f"{count} {word}" for count, word in unseen if count],
    ]
    missions = [
        visible(code)
        if mission.kind not in MISSIONS
        else MISSIONS[mission.kind].format(group=GROUP_NAMES[mission.group or 0], count=mission.count)
        for code, mission in zip(side.missions, side.held, strict=True)
    ]
    told = {"hand": ", ".join(filter(None, hand)), "missions": ", ".join(missions)}
    # At the end the score sheet says what the points are for.
    return [(what, told.get(what) or value) for what, value in belongings(side) if what != "points"]


def _device_names(table: TableView, letters: str) -> Iterable[str]:
    """Yield the names of busts or vote cards: the groups that they are for, and the first words of the other two."""
    names = {group.letter: group.name for group in table.groups}
    device = load_edition(table.edition).device
    names |= {"o": device.blank.split()[0], "r": device.reset.split()[0]}
    yield from map(names.__getitem__, letters)


def _player(table: TableView, side: int, room: int) -> Text:
    """Return a player with points; if there is no room, both players' points are just numbers."""
    long = [f" · {in_figures(cards.points, 'point')}" for cards in table.sides]
    names = [Text(f"{SIGNS[number]} {cards.player}", STYLES[number]) for number, cards in enumerate(table.sides)]
    fits = all(name.cell_len + len(text) <= room for name, text in zip(names, long, strict=True))
    return names[side].append(long[side] if fits else f" · {table.sides[side].points}", "not bold")


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
    """Return a text as lines of at most this width, broken at spaces where possible."""
    if text.cell_len <= width:
        return [text]
    lines = text.wrap(PAPER, max(1, width), overflow="fold")
    for line in lines:
        line.rstrip()
    return [*lines]


BETWEEN: Final = 4
"""The number of columns between the cards of both sides."""
FACE_DOWN: Final = "( ) lay face down"


def vote_cards(scene: VoteScene, width: int) -> list[Text]:
    """Return the cards of a vote and their sums as lines, side by side if that fits into ``width``."""
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
