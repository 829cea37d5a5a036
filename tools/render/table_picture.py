"""The picture of a position: the table from a point of view, drawn with the symbols of the game.

It shows only a :class:`TableView`, so it can't contain anything that its point of view can't know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from textwrap import shorten, wrap
from typing import Final

from ...notation.basics import EGYPT, GROUP_LETTERS, ROME, SIGNS, TIE
from ...notation.language import GROUPS, PLAYERS, SIDES, Messages, Name, clauses, labelled, phrase, plural, sense
from ...replay.diagnostics.api import ENDINGS, capital, counted
from ...replay.knowledge.api import GroupView, TableView
from ...replay.rules.api import Device, load_edition
from ...replay.story.api import VoteScene
from ...replay.words.api import accounts, held_missions, judged_missions, moment_words
from ...replay.words.votes import vote_words
from . import symbols
from .shapes import STYLES, Shapes, fitted, px
from .symbols import CARD_SIZE
from .synopsis import seen_by
from .templating import picture_style, plain, template
from .vote_picture import Block, duel, patrician_words


class TableShapes(Shapes):
    """Collects the shapes of one table. ``vote`` is the vote being held."""

    def __init__(self, kind: Device, vote: VoteScene | None = None, *, is_decided: bool = False) -> None:
        super().__init__(kind)
        self.vote, self.is_decided = vote, is_decided

    def part(self, block: Block, x: float, y: float, width: float) -> None:
        """Draw a block of a vote, at a given width."""
        height = width * block.height / block.width
        frame = f'x="{px(x)}" y="{px(y)}" width="{px(width)}" height="{px(height)}"'
        view = f"0 0 {px(block.width)} {px(block.height)}"
        self.texts.append(f'<svg class="vp" {frame} viewBox="{view}">{block.markup()}</svg>')
        self.used |= block.used

    def discards(
        self, side: int, cards: Sequence[str], x: float, y: float, width: float, step: float, columns: int
    ) -> None:
        """Draw discards as small cards, each kind once with its number of copies, in rows with a given number of
        columns.
        """
        for place, (letter, count) in enumerate(symbols.copies(cards)):
            across, down = place % columns, place // columns
            left, top = x + across * step, y + down * width * 1.6
            self.card(side, letter, left, top, width, f"{count} × {symbols.card_title(letter)}")
            self.text(str(count), left + width * 1.12, top + width * 0.95, "small")

    def pile(self, side: int, letter: str, count: int, x: float, y: float, width: float) -> None:
        """Draw a pile of face-down cards with their number, or an outline if it is empty."""
        if count:
            for lift in range(min(3, count) - 1, -1, -1):
                self.card(side, letter, x + 1.5 * lift, y - 1.5 * lift, width, f"{count} × {phrase(PILES[letter])}")
        else:
            self.box("ty-slot", x, y, width, width * CARD_SIZE[1] / CARD_SIZE[0], width / 9)
        self.text(str(count), x + width + 7, y + width * 0.85, "h3")


PILES: Final[Messages] = {
    "i": "influence card in the pile",
    "a": "action card in the pile",
    "both": "{influence} influence and {action} action cards in the piles",
}


EMPTY: Final = "–"


def table_picture(
    table: TableView,
    head: str = "",
    people: Sequence[str] = ("", ""),
    *,
    narrow: bool = False,
    vote: VoteScene | None = None,
    is_decided: bool = False,
) -> str:
    """Return a table as a self-contained SVG picture, wider than tall, or ``narrow`` for a phone.

    ``head`` says which moment it is, ``people`` are the names of Caesar's and Cleopatra's players. ``vote`` is the vote
    at this moment, drawn above the table: its cards are turned up, or it ``is_decided``.
    """
    shapes = TableShapes(load_edition(table.edition).device, vote, is_decided=is_decided)
    head = plain(capital(head), 36 if narrow else 54) or phrase("Turn {turn}", turn=table.turn)
    width, height = (_narrow if narrow else _wide)(shapes, table, head, [plain(name, 36) for name in people])
    return template("table.svg.j2").render(
        width=f"{width:g}",
        height=f"{round(height):g}",
        title=f"{head}, {moment_words(table)}",
        description=" ".join((*sentences(table), *_vote_words(vote))),
        style=picture_style("table.css", *["vote.css"] * bool(vote), "symbols.css"),
        sheet=symbols.sheet(shapes.used),
        drawn=shapes.markup(),
    )


# ---------------------------------------------------------------------------------------------------- in words


def sentences(table: TableView) -> Iterator[str]:
    """Yield the table in words, for those who don't see it."""
    ended = [phrase(ENDINGS[table.ended])] if table.ended else []
    yield f"{_frame(table)}. {clauses((moment_words(table), *ended))}."
    for group in table.groups:
        columns = [
            phrase("{side.name} has won {won}, {cards}", side=side, won=won, cards=_listed(cards))
            for side, won, cards in zip(SIDES, group.won, group.cards, strict=True)
        ]
        fields = {"group": _named(group), "patricians": counted(group.left, "patrician"), "columns": clauses(columns)}
        yield phrase("{group.bare}: {patricians} left; {columns}.", **fields)
    for player, side in zip(PLAYERS, table.sides, strict=True):
        missions = held_missions(side) or [phrase("no mission")]
        parts = (
            plural("{count} point", "{count} points", side.points),
            phrase("hand {cards}", cards=" ".join(side.hand) or phrase("empty")),
            phrase(PILES["both"], influence=side.influence_pile, action=side.action_pile),
            phrase("{count} discarded", count=len(side.discards)),
            reduce(lambda one, other: phrase("{one} and {other}", one=one, other=other), missions),
        )
        yield f"{labelled(player.name, clauses(parts))}."
    yield from [f"{words}." for _, words in accounts(table)]
    bag, out = (" ".join(letters) or sense("busts", "none") for letters in (table.bag, table.out))
    yield phrase("Still to come: {bag}; out: {out}.", bag=bag, out=out)


def _listed(cards: Sequence[str]) -> str:
    return phrase("cards {cards}", cards=" ".join(cards)) if cards else phrase("no cards")


def _named(group: GroupView) -> Name:
    return GROUPS[GROUP_LETTERS.index(group.letter)]


def _vote_words(vote: VoteScene | None) -> Iterator[str]:
    """Yield a vote in words: its cards, how they compare, and its outcome."""
    if vote:
        listed = [_listed([card.word for card in cards]) for cards in vote.columns]
        hands = [
            phrase("{side.name} has {cards}, sum {sum}", side=side, cards=cards, sum=total)
            for side, cards, total in zip(SIDES, listed, vote.sums, strict=True)
        ]
        said = vote_words(vote)
        yield f"{labelled(said.title, clauses(hands))}. {' '.join((*said.first, *said.second))}"


def _frame(table: TableView) -> str:
    return f"{phrase(load_edition(table.edition).title)} · {seen_by(table.view)}"


def _wrapped(texts: Sequence[str], width: int, lines: int) -> list[str]:
    """Return texts as at most this many lines of ``width`` characters."""
    broken = [line for text in texts for line in wrap(shorten(text, width * lines, placeholder="…"), width)]
    return [plain(line) for line in broken[:lines]] or [EMPTY]


# ------------------------------------------------------------------------------------------------ wider than tall

WIDE: Final = 960
_EDGE: Final = 20


def _wide(shapes: TableShapes, table: TableView, head: str, people: Sequence[str]) -> tuple[float, float]:
    """Draw a table with the players above and below the groups; return width and height."""
    shapes.text(head, _EDGE, 38, "h1")
    shapes.text(_frame(table), _EDGE, 58, "quiet")
    _turn(shapes, table, WIDE - _EDGE, 38, "h2 end", 84 - len(head))
    top = 70 + _vote(shapes, table, _EDGE, 70, WIDE - 2 * _EDGE, 2)
    top += _account(shapes, table, _EDGE, top, WIDE - 2 * _EDGE, upright=False)
    _belongings(shapes, table, ROME, people[ROME], top)
    middle = top + 96 + 10
    gap = 8
    count = max(1, len(table.groups))
    width = (WIDE - 2 * _EDGE - gap * (count - 1)) / count
    for place, group in enumerate(table.groups):
        _column(shapes, group, _EDGE + place * (width + gap), middle, width)
    bottom = middle + 264 + 10
    _belongings(shapes, table, EGYPT, people[EGYPT], bottom)
    _devices(shapes, table, bottom + 96 + 12)
    return WIDE, bottom + 96 + 12 + 33 + 14


def _turn(shapes: TableShapes, table: TableView, x: float, y: float, style: str, room: int) -> None:
    """Draw whose turn it is, or how the game ended (in short form beyond ``room`` letters) and why."""
    moment, side = moment_words(table), table.mover
    if side is None:
        if len(moment) > room:
            moment = table.short or moment
        shapes.text(capital(moment), x, y, style)
        why = phrase(ENDINGS[table.ended]) if table.ended in ENDINGS else ""
        shapes.text(why, x, y + 18, f"quiet{' end' * style.endswith('end')}")
    else:
        shapes.text(f"{SIGNS[side]} {moment}", x, y, f"{style} {STYLES[side]}")


def _vote(shapes: TableShapes, table: TableView, x: float, y: float, width: float, columns: int) -> float:
    """Draw the vote of this moment in a given number of columns, and return its height."""
    vote, top = shapes.vote, y + 8
    if vote is None:
        return 0
    group = next(group for group in table.groups if group.letter == GROUP_LETTERS[vote.group])
    rome, egypt, left = *group.won, group.left
    if not shapes.is_decided and vote.winner != TIE:
        rome, egypt, left = rome + (vote.winner == ROME), egypt + (vote.winner == EGYPT), left - 1
    blocks = duel(vote, (rome, egypt, left))
    wide = width / columns
    for place, block in enumerate(blocks):
        shapes.part(block, x + wide * (place % columns), top, wide)
        if place % columns == columns - 1 or block is blocks[-1]:
            top += max(each.height for each in blocks[: place + 1][-columns:]) * wide / block.width
    shapes.box("ty-panel", x, y, width, top + 10 - y, 8)
    return top + 18 - y


def _points(points: int | None) -> str:
    """Return a number of points; a question mark for one that is not known."""
    return "?" if points is None else str(points).replace("-", "−")


def _account(shapes: TableShapes, table: TableView, x: float, y: float, width: float, *, upright: bool) -> float:
    """If the game is over, draw what both sides' points are for; return the height."""
    if not all(side.account for side in table.sides):
        return 0
    parts = [*dict.fromkeys([what for side in table.sides for what, _ in side.account])]
    rows = [[phrase("points for"), *map(phrase, parts), phrase("in all")]]
    for side in (ROME, EGYPT):
        own = dict(table.sides[side].account)
        told = [_points(own[what]) if what in own else EMPTY for what in parts]
        rows.append([f"{SIGNS[side]} {SIDES[side].name}", *told, str(table.sides[side].points)])
    first, high = 110, 21
    step = (width - first) / (2 if upright else len(parts) + 1)
    for side, row in enumerate(rows, -1):
        for place, words in enumerate(row):
            across, down = (side + 1, place) if upright else (place, side + 1)
            style = "quiet" if side < 0 else f"{'h3 ' if place in (0, len(parts) + 1) else ''}{STYLES[side]}"
            at = x + first + step * (across - 0.5) if across else x + 18
            shapes.text(words, at, y + 22 + high * down, f"{style} mid" if across else style)
    height = 14 + high * (len(parts) + 2 if upright else 3)
    shapes.box("ty-panel", x, y, width, height, 8)
    return height + 8


def _outline(shapes: TableShapes, group: GroupView, x: float, y: float, width: float, height: float) -> None:
    """Draw a line around the group of the present vote, in the winner's colour if it is decided."""
    vote = shapes.vote
    if vote and group.letter == GROUP_LETTERS[vote.group]:
        shapes.box(f"ty-turn-{vote.winner if shapes.is_decided else TIE}", x, y, width, height, 8)


def _panel(shapes: TableShapes, table: TableView, side: int, x: float, y: float, width: float, height: float) -> None:
    """Draw the background of a player's things, outlined if it is the player's turn."""
    shapes.box("ty-panel", x, y, width, height, 8)
    if side == table.mover:
        shapes.box(f"ty-turn-{side}", x, y, width, height, 8)
    shapes.box(f"ty-bar-{side}", x + 1, y + 8, 5, height - 16)


def _belongings(shapes: TableShapes, table: TableView, side: int, person: str, y: float) -> None:
    """Draw what a player has: hand, piles, discards, missions, points."""
    owner = table.sides[side]
    _panel(shapes, table, side, _EDGE, y, WIDE - 2 * _EDGE, 96)
    left = _EDGE + 18
    shapes.text(f"{SIGNS[side]} {PLAYERS[side].name}", left, y + 26, f"h2 {STYLES[side]}")
    for line, words in enumerate(_wrapped([person], 18, 2) if person else []):
        shapes.text(words, left, y + 43 + 13 * line, "quiet")
    shapes.text(str(owner.points), left, y + 80, "big")
    shapes.text(plural("point", "points", owner.points), left + 12 + 15 * len(str(owner.points)), y + 80, "quiet")
    captions = phrase("Hand"), phrase("Piles"), phrase("Discards"), phrase("Missions")
    for caption, x in zip(captions, (178, 452, 582, 806), strict=True):
        shapes.text(caption, x, y + 20, "small quiet")
    shapes.row(side, owner.hand, 178, y + 29, 40, 262)
    for letter, count, x in (("i", owner.influence_pile, 452), ("a", owner.action_pile, 517)):
        shapes.pile(side, letter, count, x, y + 33, 34)
    shapes.discards(side, owner.discards, 582, y + 28, 18, 34.5, 6)
    if not owner.discards:
        shapes.text(EMPTY, 582, y + 44, "quiet")
    for line, words in enumerate(_wrapped(judged_missions(owner), 20, 4)):
        shapes.text(words, 806, y + 40 + line * 15)


def _column(shapes: TableShapes, group: GroupView, x: float, y: float, width: float) -> None:
    """Draw a group: Rome's things above the patricians, Egypt's below."""
    shapes.box("ty-panel", x, y, width, 264, 8)
    shapes.box("ty-band", x + 1, y + 100, width - 2, 64)
    _outline(shapes, group, x, y, width, 264)
    middle = x + width / 2
    shapes.text(_named(group).bare, middle, y + 120, "h2 mid")
    size, card = 26, 40
    if group.left:
        step = fitted(group.left, size, size + 4, width - 16)
        left = middle - (step * (group.left - 1) + size) / 2
        for place in range(group.left):
            shapes.patrician(group.letter, None, left + step * place, y + 130, size, _whose(group))
    else:
        shapes.text(phrase("all won"), middle, y + 148, "quiet mid")
    for side in (ROME, EGYPT):
        tokens, cards, words = ((y + 8, y + 36, y + 25), (y + 234, y + 168, y + 252))[side]
        for place in range(group.won[side]):
            shapes.patrician(group.letter, side, x + 8 + 19 * place, tokens, 22, _whose(group, side))
        seen = group.cards[side]
        step = fitted(len(seen), card, card + 3, width - 12)
        left = middle - (step * (len(seen) - 1) + card) / 2
        for place, word in enumerate(seen):
            shapes.card(side, word, left + step * place, cards, card)
        if seen:
            shapes.text(_sum(group, side), x + width - 10, words, f"h2 end {STYLES[side]}")


def _whose(group: GroupView, side: int | None = None) -> str:
    """Return the words for a patrician that a side has won, or nobody yet."""
    return patrician_words(GROUP_LETTERS.index(group.letter), side)


def _sum(group: GroupView, side: int) -> str:
    total = group.sums[side]
    return f"= {'?' if total is None else total}"


def _devices(shapes: TableShapes, table: TableView, y: float) -> None:
    """Draw the busts or vote cards that can still come, and those that are out."""
    right, size = float(_EDGE), 22
    for caption, letters in ((phrase("Still to come"), table.bag), (phrase("Out"), table.out)):
        shapes.text(caption, right, y + size * 0.9, "small quiet")
        right += 5.8 * len(caption) + 10
        step = fitted(len(letters), size, size + 5, WIDE / 2 - _EDGE - 90)
        for place, letter in enumerate(letters):
            shapes.device(letter, right + step * place, y, size)
        if not letters:
            shapes.text(EMPTY, right, y + size * 0.9, "quiet")
        right += step * max(1, len(letters)) + 24


# ------------------------------------------------------------------------------------------------ taller than wide

NARROW: Final = 360
_MARGIN: Final = 8


def _narrow(shapes: TableShapes, table: TableView, head: str, people: Sequence[str]) -> tuple[float, float]:
    """Draw a table for a phone, with the cards at a group one below another; return width and height."""
    shapes.text(head, _MARGIN, 24, "h2")
    shapes.text(seen_by(table.view), _MARGIN, 41, "small quiet")
    _turn(shapes, table, _MARGIN, 60, "h3", 40)
    y = 88 if table.ended else 70
    y += _vote(shapes, table, _MARGIN, y, NARROW - 2 * _MARGIN, 1)
    y += _account(shapes, table, _MARGIN, y, NARROW - 2 * _MARGIN, upright=True)
    y += _own(shapes, table, ROME, people[ROME], y) + 6
    y += _groups(shapes, table, y) + 6
    y += _own(shapes, table, EGYPT, people[EGYPT], y) + 10
    for caption, letters in ((phrase("Still to come"), table.bag), (phrase("Out"), table.out)):
        shapes.text(caption, _MARGIN, y + 19, "small quiet")
        for place, letter in enumerate(letters):
            shapes.device(letter, 90 + place * fitted(len(letters), 20, 26, NARROW - 98), y, 20)
        if not letters:
            shapes.text(EMPTY, 90, y + 19, "quiet")
        y += 36
    return NARROW, y + 4


def _own(shapes: TableShapes, table: TableView, side: int, person: str, y: float) -> float:
    """Draw what a player has, and return its height."""
    owner, x, width = table.sides[side], _MARGIN + 14, NARROW - 2 * _MARGIN
    rows = max(1, -(-len({*owner.discards}) // 9))
    missions = _wrapped(judged_missions(owner), 38, 3)
    height = 99 + 26 * rows + 15 * len(missions)
    _panel(shapes, table, side, _MARGIN, y, width, height)
    shapes.text(f"{SIGNS[side]} {PLAYERS[side].name}", x, y + 21, f"h2 {STYLES[side]}")
    shapes.text(plain(person, 22), x + 124, y + 21, "small quiet")
    shapes.text(plural("{count} point", "{count} points", owner.points), NARROW - _MARGIN - 10, y + 21, "h2 end")
    shapes.row(side, owner.hand, x, y + 32, 31, 200)
    for letter, count, left in (("i", owner.influence_pile, 234), ("a", owner.action_pile, 295)):
        shapes.pile(side, letter, count, left, y + 37, 26)
    shapes.text(phrase("Discards"), x, y + 100, "small quiet")
    shapes.discards(side, owner.discards, x + 58, y + 86, 15.5, 30, 9)
    if not owner.discards:
        shapes.text(EMPTY, x + 58, y + 100, "quiet")
    shapes.text(phrase("Missions"), x, y + 103 + 26 * rows, "small quiet")
    for line, words in enumerate(missions):
        shapes.text(words, x + 58, y + 103 + 26 * rows + 15 * line)
    return height


def _groups(shapes: TableShapes, table: TableView, y: float) -> float:
    """Draw the groups side by side, and return their height."""
    token = 20
    width = (NARROW - 2 * _MARGIN) / max(1, len(table.groups))
    most = [max([len(group.cards[side]) for group in table.groups], default=0) for side in (ROME, EGYPT)]
    rome, egypt = [_HIGH * max(1, -(-count // 2)) + 4 for count in most]
    band = y + 30 + rome
    height = 30 + rome + 50 + egypt + 30
    for place, group in enumerate(table.groups):
        x = _MARGIN + width * place
        middle = x + width / 2
        shapes.box("ty-panel", x + 1, y, width - 2, height, 6)
        shapes.box("ty-band", x + 1.5, band, width - 3, 50)
        _outline(shapes, group, x + 1, y, width - 2, height)
        shapes.text(_named(group).bare, middle, band + 16, "small mid")
        shapes.patrician(group.letter, None, middle - token, band + 23, token, _whose(group))
        shapes.text(str(group.left), middle + 5, band + 38, "h2")
        for side, line in ((ROME, y + 20), (EGYPT, y + height - 10)):
            if group.won[side]:
                shapes.patrician(group.letter, side, x + 4, line - 15, token, _whose(group, side))
                shapes.text(str(group.won[side]), x + 25, line, f"h3 {STYLES[side]}")
            if group.cards[side]:
                shapes.text(_sum(group, side).replace(" ", "\u2009"), x + width - 4, line, f"small end {STYLES[side]}")
            _pairs(shapes, group, side, middle, band)
    return height


def _pairs(shapes: TableShapes, group: GroupView, side: int, middle: float, band: float) -> None:
    """Draw a side's cards at a group in pairs, away from the ``band`` between both sides."""
    seen = group.cards[side]
    for at, word in enumerate(seen):
        alone = at == len(seen) - 1 and at % 2 == 0
        left = middle - _SMALL / 2 if alone else middle + (1 if at % 2 else -1 - _SMALL)
        top = band - 46 - _HIGH * (at // 2) if side == ROME else band + 53 + _HIGH * (at // 2)
        shapes.card(side, word, left, top, _SMALL)


_SMALL, _HIGH = 31, 46
"""The width of the cards at a narrow group, and their vertical distance."""
