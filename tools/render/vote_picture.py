"""The picture of a vote: what could have happened, why the vote went as it did, how likely that was, and what each side
could have done.

Each question is a block as wide as a phone. The blocks are in several columns or in one; on a page, the width of the
screen decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, product
from typing import TYPE_CHECKING, Final

from ...notation.basics import CARD_LETTERS, EGYPT, GROUP_LETTERS, PHILOSOPHER, ROME, SIGNS, TIE, visible
from ...notation.language import CARDS, GROUPS, PLAYERS, SIDES, Messages, labelled, phrase, sense
from ...notation.records import tokens as t
from ...replay.diagnostics.api import counted, join
from ...replay.knowledge.api import VIEWER_NAMES
from ...replay.story.votes import needed
from ...replay.words.api import in_points, outcome_words, percent, percents, would_win
from ...replay.words.votes import (
    VoteWords,
    instead_parts,
    lane_name,
    needed_words,
    vote_answers,
    vote_headline,
    vote_words,
    words,
)
from . import symbols
from .picture import ACTION_LETTERS
from .shapes import STYLES, Shapes, broken, fitted, width_of
from .symbols import TOKEN_SIZE
from .synopsis import title
from .templating import picture_style, template
from .vote_graph import outline

if TYPE_CHECKING:
    from ...replay.story.api import Timeline, VoteScene
    from ...replay.story.votes import Coming, Instead, Needed, Observer, VoteTree

WIDTH: Final = 340
_EDGE, _APART = 14, 10
_ROOM: Final = WIDTH - 2 * _EDGE
_BODY, _SMALL = 13, 12
"""The sizes of letters; on the narrowest phone, a unit is a little less than a pixel."""
_SIDES: Final = (ROME, EGYPT)


def vote_picture(tree: VoteTree, frame: str = "", *, narrow: bool = False) -> str:
    """Return a vote as a self-contained SVG picture in columns, or ``narrow`` in one column. ``frame`` says who plays,
    and who sees it.
    """
    cards, *others = blocks(tree)
    drawn = [_arranged(tree, cards, others, columns) for columns in ((1,) if narrow else (2, 3))]
    # Three columns only if two would make the picture higher than wide.
    placed, columns = next((each for each in drawn if _bottom(each[0]) < 2 * WIDTH), drawn[-1])
    width = columns * (WIDTH + _APART) + _APART
    head = _head(tree, frame, width - 2 * _APART)
    placed = [(head, 0, 0.0), *[(block, column, y + head.height) for block, column, y in placed]]
    return template("vote.svg.j2").render(
        width=width,
        height=round(_bottom(placed) + _APART),
        scale=1 if narrow else 1.25,
        name=f"vote{tree.number}",
        title=labelled(words(tree), _verdict(tree)),
        description="\n".join(outline(tree)),
        style=picture_style("table.css", "vote.css", "symbols.css"),
        sheet=symbols.sheet(used(block for block, *_ in placed)),
        blocks=[(block, _APART + column * (WIDTH + _APART), _APART + y) for block, column, y in placed],
    )


def framed_picture(tree: VoteTree, timeline: Timeline, *, narrow: bool = False) -> str:
    """Return a vote in a game as a picture that says who plays, and who sees it."""
    seen = phrase("seen by {viewer}", viewer=phrase(VIEWER_NAMES[timeline.view]))
    parts = [title(timeline), *[seen] * (timeline.view != "arbiter")]
    return vote_picture(tree, " · ".join(parts), narrow=narrow)


def blocks(tree: VoteTree) -> list[Block]:
    """Return what the answers are drawn from, in order: the cards, the draw, the odds, and what each side could do."""
    made = [_cards(tree), *[_lanes(tree)] * bool(tree.lanes), _odds(tree), *_choices(tree)]
    return [block.framed() for block in made]


def drawn_blocks(made: Sequence[Block]) -> str:
    """Return blocks as markup for a page, which has their symbols and style."""
    svg = '<svg aria-hidden="true" viewBox="0 0 {} {}">\n{}\n</svg>\n'
    return "".join([svg.format(WIDTH, block.height, block.markup()) for block in made])


def used(made: Iterable[Block]) -> set[str]:
    """Return the names of the symbols that blocks show."""
    return set[str]().union(*[block.used for block in made])


Placed = list[tuple["Block", int, float]]
"""Blocks, each with its column and its distance from the top."""


def _arranged(tree: VoteTree, cards: Block, others: Sequence[Block], columns: int) -> tuple[Placed, int]:
    """Return blocks in columns: the cards, the answers beside them, and the ``others`` where most room is left."""
    wide = max(1, columns - 1)
    answers = _answers(tree, wide * (WIDTH + _APART) - _APART)

    def stacked(where: Sequence[int]) -> Placed:
        """Place each of the others in one of the columns."""
        placed: Placed = [(cards, 0, 0.0), (answers, 1, 0.0) if columns > 1 else (answers, 0, cards.height + _APART)]
        below = (
            [cards.height + _APART, *[answers.height + _APART] * wide] if columns > 1 else [_bottom(placed) + _APART]
        )
        for block, column in zip(others, where, strict=True):
            placed.append((block, column, below[column]))
            below[column] += block.height + _APART
        return placed

    def uneven(placed: Placed) -> tuple[float, float]:
        return _bottom(placed), sum(y for *_, y in placed)

    return min(map(stacked, product(range(columns), repeat=len(others))), key=uneven), columns


def _bottom(placed: Placed) -> float:
    return max([y + block.height for block, _, y in placed])


class Block(Shapes):
    """A question and its answer; ``height`` grows as they are drawn from top to bottom."""

    def __init__(self, scene: VoteScene, title: str, side: int = TIE, width: float = WIDTH) -> None:
        super().__init__(scene.device)
        self.scene, self.title, self.width, self.height = scene, title, width, 0.0
        if title:
            self.height = 10.0
            self.lines(title, f"h2 {STYLES[side]}", 16, step=19)
            self.height += 4

    def framed(self) -> Block:
        """Return the block with a frame around what was drawn so far."""
        self.height = round(self.height + 12, 1)
        self.box("ty-panel", 0.5, 0.5, self.width - 1, self.height - 1, 10)
        self.boxes.insert(0, self.boxes.pop())
        return self

    def lines(self, words: str, style: str, size: int, left: float = _EDGE, room: float = 0, step: float = 16) -> None:
        """Write words below the drawing, in as many lines as they need."""
        room = room or self.width - _EDGE - left
        for line in broken(visible(words), size, room, bold="strong" in style or style.startswith("h")):
            self.height += step
            self.text(line, left, self.height - 4, style)

    def small(self, words: str, left: float = _EDGE) -> None:
        """Write muted words below the drawing."""
        self.lines(words, "small quiet", _SMALL, left, step=15)


def _head(tree: VoteTree, frame: str, width: float) -> Block:
    """Return the title: which vote it is, and who wins it."""
    block = Block(tree.scene, "", width=width)
    winner = tree.winner
    block.patrician(GROUP_LETTERS[tree.group], None if winner == TIE else winner, 2, 0, 44, GROUPS[tree.group].bare)
    block.text(f"{tree.turn} · {GROUPS[tree.group].bare}", 56, 20, "h1")
    if tree.scene.is_turned:
        block.sign(symbols.PHILOSOPHY, 30, 28, 19, TOKEN_SIZE, phrase("the lower sum wins"))
    block.height = 24
    block.lines(f"{SIGNS[winner]} {_verdict(tree)}", f"h2 {STYLES[winner]}", 16, 56, width - 56, 20)
    block.height += 4
    block.lines(vote_headline(tree), "h2", 16, 2, width - 4, 21)
    block.height += 4
    if frame:
        block.small(frame, 2)
    block.height += 8
    return block


_QUESTION: Final = 132
"""The width of the questions beside their answers, where there is room for both."""


def _answers(tree: VoteTree, width: float) -> Block:
    """Draw the answers to the four questions, each beside its question, or below it if the picture is narrow."""
    block, beside = Block(tree.scene, "", width=width), width > 2 * WIDTH
    block.height = 6.0
    for number, answer in enumerate(vote_answers(tree)):
        if number:
            block.height += 6
            block.box("vp-rule", _EDGE, block.height, width - 2 * _EDGE, 1)
        block.height += 6
        top = block.height
        block.lines(answer.question, "small quiet", _SMALL, room=_QUESTION if beside else 0)
        bottom, left = block.height, _EDGE
        if beside:
            block.height, left = top, _EDGE + _QUESTION + 12
        lead, *rest = answer.sentences
        block.lines(lead, "strong", _BODY, left, step=18)
        if rest:
            block.lines(" ".join(rest), "", _BODY, left, step=18)
        block.height = max(bottom, block.height)
    return block.framed()


def _verdict(tree: VoteTree) -> str:
    """Return ``Rome wins, 7 : 5``, or ``Rome wins with the lower sum, 5 : 7``."""
    rome, egypt = tree.sums
    outcome = phrase("nobody wins") if tree.winner == TIE else outcome_words(tree.winner)
    if tree.scene.is_turned:
        outcome = phrase("{outcome} with the lower sum", outcome=outcome)
    return f"{outcome}, {rome}\u00a0:\u00a0{egypt}"


# --------------------------------------------------------------------------------------------- what could have come

_LANE: Final = 44
_RIGHT: Final = WIDTH - _EDGE - 10
_OTHERWISE: Final[Messages] = {
    "vote": "open: hidden cards",
    "put away": "already won: the next one",
    "no vote": "no vote",
}
"""The outcome of a lane whose winner is not given."""


def _lanes(tree: VoteTree) -> Block:
    block = Block(tree.scene, phrase("What could have come"))
    total = sum(lane.copies for lane in tree.lanes)
    block.small(phrase("One of {total}, all equally likely.", total=total))
    top = block.height
    # The colons are aligned. No lane has sums if the record names a group that can't be drawn any more.
    sums = [width_of(_range(lane.sums[EGYPT]), _BODY, bold=True) for lane in tree.lanes if lane.sums]
    colon = _RIGHT - max(sums, default=0) - 6
    for lane in tree.lanes:
        block.height += 4
        _lane(block, lane, total, colon)
        block.height += _LANE
    block.box("vp-wire", _EDGE + 4, top + 2, 2, block.height - _LANE / 2 - top - 1)
    return block


def _lane(block: Block, lane: Coming, total: int, colon: float) -> None:
    y, left, wire = block.height, _EDGE + 22, 4 if lane.came else 2
    block.box("vp-wire", _EDGE + 4, y + (_LANE - wire) / 2, 18, wire)
    block.box(f"vp-lane-{TIE if lane.winner is None else lane.winner}", left, y, _ROOM - 22, _LANE, 7)
    if lane.came:
        block.box("vp-frame", left, y, _ROOM - 22, _LANE, 7)
    letter = {"no vote": "o", "reset": "r"}.get(lane.kind) or GROUP_LETTERS[lane.group or 0]
    for place in range(lane.copies):
        block.device(letter, left + 9 + fitted(lane.copies, 22.5, 7, 30) * place, y + 5, 22.5)
    block.text(lane_name(lane, block.scene.device), left + 46, y + 19, "h3")
    parts = [phrase("{part} of {all}", part=lane.copies, all=total), *[phrase("it came")] * lane.came]
    block.text(" · ".join(parts), left + 46, y + 35, "small quiet")
    if lane.sums:
        rome, egypt = map(_range, lane.sums)
        for words, x, style in (
            (rome, colon - 6, "h3 end rome"),
            (":", colon, "h3 mid"),
            (egypt, colon + 6, "h3 egypt"),
        ):
            block.text(words, x, y + 19, style)
        if lane.lower:
            x = colon - 28 - width_of(rome, _BODY, bold=True)
            block.sign(symbols.PHILOSOPHY, x, y + 6, 17, TOKEN_SIZE, phrase("the lower sum wins"))
    if lane.winner is None:
        is_reset = lane.kind == "reset"
        said = sense("narrow", "no vote, all go back") if is_reset else phrase(_OTHERWISE[lane.kind])
        block.text(said, _RIGHT, y + (35 if lane.sums else 27), "small quiet end")
    else:
        words = phrase("nobody") if lane.winner == TIE else (outcome_words if lane.came else would_win)(lane.winner)
        block.text(f"{SIGNS[lane.winner]} {words}", _RIGHT, y + 35, f"small strong end {STYLES[lane.winner]}")


def _range(sums: tuple[int, int]) -> str:
    low, high = sums
    return str(low) if low == high else f"{low}–{high}"


# ------------------------------------------------------------------------------------------------- why it went so

_CARD: Final = 36
_LEAST_POINTS: Final = 8
_LABEL: Final = _EDGE + 72
"""The place where cards and patricians begin, after their captions."""


def duel(scene: VoteScene, standing: tuple[int, int, int]) -> tuple[Block, Block]:
    """Return a vote in two blocks: the cards of both sides against each other, and the outcome.

    ``standing`` counts the patricians of the group: Rome's, Egypt's, and those left.
    """
    fight, end, said = Block(scene, ""), Block(scene, ""), vote_words(scene)
    _fight(fight)
    lost = any(card.gone for column in scene.columns for card in column)
    end.height = 6
    _came(end, standing, said, " ".join((*said.first, *said.after[lost:])))  # discards are drawn
    return fight, end


def _cards(tree: VoteTree) -> Block:
    block = Block(tree.scene, phrase("The cards"))
    _fight(block, needed(tree))
    _came(block, tree.standing, vote_words(tree.scene), "")
    return block


def _fight(block: Block, needed: Needed | None = None) -> None:
    """Draw the cards of both sides, both sums on one line, which of them wins, and what the other ``needed``."""
    _hand(block, ROME, block.height + 6)
    line = block.height + 94
    _scale(block, (_ROOM - 24) / max(*block.scene.sums, _LEAST_POINTS), line, needed)
    _direction(block, line + 34)
    _hand(block, EGYPT, line + 50)
    block.height = line + 106


def _came(block: Block, standing: tuple[int, int, int], said: VoteWords, told: str) -> None:
    """Draw who wins, what is ``told`` about it, what is discarded, and the group afterwards."""
    scene, winner = block.scene, block.scene.winner
    block.lines(f"{SIGNS[winner]} {said.verdict}", f"h3 {STYLES[winner]}", _BODY)
    if told:
        block.small(told)
    if any(card.turned for column in scene.columns for card in column):
        block.small(phrase("Backs with a number lay face down."))
    block.height += 2
    _lost(block, standing[2])
    _standing(block, standing)


def _hand(block: Block, side: int, y: float) -> None:
    """Draw the cards of one side, with their sum at the end."""
    cards, style = block.scene.columns[side], STYLES[side]
    name = f"{SIGNS[side]} {SIDES[side].name}"
    block.text(name, _EDGE, y + 30, f"{'h3' if width_of(name, 13, bold=True) < 68 else 'small strong'} {style}")
    step = fitted(len(cards), _CARD, _CARD + 4, 196)
    for place, card in enumerate(cards):
        title = ", ".join([CARDS[card.card].name, *[phrase("was face down")] * card.turned])
        block.card(side, card.word, _LABEL + step * place, y, _CARD, title)
    if not cards:
        block.text(phrase("no card"), _LABEL, y + 30, "quiet")
    block.text(str(block.scene.sums[side]), WIDTH - _EDGE, y + 35, f"big end {style}")


def _scale(block: Block, unit: float, line: float, needed: Needed | None) -> None:
    """Draw both sums from 0, card by card, on one line, with a mark for a tie and what was ``needed``."""
    scene, left, right = block.scene, _EDGE + 4.0, WIDTH - _EDGE
    for side, top in ((ROME, line - 15), (EGYPT, line + 1)):
        at = left
        for card in [card.card for card in scene.columns[side] if card.card != PHILOSOPHER]:
            block.box(f"vp-bar-{side}", at, top, card * unit - 1, 14, 2)
            block.text(str(card), at + card * unit / 2 - 0.5, top + 11.5, "vp-on small mid")
            at += card * unit
    block.box("vp-wire", left, line - 0.5, right - left, 1)
    # The winner's sum, or both sums: with the same sum the other side would have reached a tie.
    tied = scene.sums[ROME if scene.winner == TIE else scene.winner]
    at = left + unit * tied
    words = phrase("{sum} to {sum} is a tie", sum=tied) if needed is None else needed_words(needed)
    block.box("vp-ink", at - 1.5, line - 22, 3, 44, 1)
    wide, room = width_of(words, _SMALL), right - left
    block.text(words, max(left, min(at, right - wide)), line - 25, "small quiet", room if wide > room else 0)


def _direction(block: Block, y: float) -> None:
    """Draw which direction wins, as an arrow along the line; philosophers are at its start, and turn it if they can."""
    counts = [[card.card for card in column].count(PHILOSOPHER) for column in block.scene.columns]
    is_turned = counts[ROME] != counts[EGYPT]
    left, right = _EDGE + 4.0, WIDTH - _EDGE - 2.0
    for side in (*[ROME] * counts[ROME], *[EGYPT] * counts[EGYPT]):
        block.card(side, "p", right - 17 if is_turned else left, y - 12, 17, CARDS[PHILOSOPHER].name)
        left, right = (left, right - 20) if is_turned else (left + 20, right)
    words = phrase("the lower sum wins") if is_turned else phrase("the higher sum wins")
    half, middle = width_of(words, _SMALL, bold=True) / 2 + 4, (left + right) / 2
    block.box("vp-wire", left, y - 1, middle - half - left, 2)
    block.box("vp-wire", middle + half, y - 1, right - middle - half, 2)
    block.text(words, middle, y + 4, "small strong mid")
    block.text(
        "◂" if is_turned else "▸", left - 3 if is_turned else right + 4, y + 5.5, "h2" if is_turned else "h2 end"
    )


def _lost(block: Block, left: int) -> None:
    """Draw the cards that are discarded."""
    gone = [(side, card.card) for side in _SIDES for card in block.scene.columns[side] if card.gone]
    if not gone:
        block.small(phrase("No card is discarded."))
        return
    y, step = block.height + 2, fitted(len(gone), 20, 24, WIDTH - _EDGE - _LABEL)
    block.text(phrase("discarded"), _EDGE, y + 19, "small quiet")
    for place, (side, card) in enumerate(gone):
        block.card(side, CARD_LETTERS[card], _LABEL + step * place, y, 20)
    block.height = y + 30
    if not left and len(gone) < sum(map(len, block.scene.columns)):
        block.small(phrase("The group is empty: its other cards are discarded, too."))


def patrician_words(group: int, side: int | None) -> str:
    """Return the words for a group's patrician that a side has won, or nobody yet."""
    if side is None:
        return phrase("{group.bare}, not yet won", group=GROUPS[group])
    return phrase("{group.bare}, won by {side.name}", group=GROUPS[group], side=SIDES[side])


def _standing(block: Block, standing: tuple[int, int, int]) -> None:
    """Draw the patricians of the group after the vote: those that Rome won, those left, those that Egypt won."""
    scene, (rome, egypt, left) = block.scene, standing
    y, x = block.height + 6, float(_LABEL)
    block.text(GROUPS[scene.group].bare, _EDGE, y + 16, "small quiet")
    for owner, count in ((ROME, rome), (None, left), (EGYPT, egypt)):
        for place in range(count):
            if owner == scene.winner and place == (count - 1 if owner == ROME else 0):
                block.box("vp-new", x - 2, y - 2, 28, 28, 6)
            block.patrician(GROUP_LETTERS[scene.group], owner, x, y, 24, patrician_words(scene.group, owner))
            x += 30
    block.height = y + 28


# ------------------------------------------------------------------------------------------------- how likely it was


def _odds(tree: VoteTree) -> Block:
    block = Block(tree.scene, phrase("What each side expected"))
    if not tree.observers:
        block.small(vote_answers(tree)[2].words)
    alike: dict[tuple[object, object], list[Observer]] = defaultdict(list)
    for each in tree.observers:
        alike[each.here, each.turn].append(each)
    for same in alike.values():
        here, turn = same[0].here, same[0].turn
        block.height += 4
        who, device = join([phrase(VIEWER_NAMES[each.view]) for each in same]), phrase(tree.device.name)
        block.lines(phrase("by what {who} knew", who=who), "h3", _BODY)
        drawn = phrase("once the {device} was drawn", device=device)
        _likely(block, phrase("when it was called") if tree.special else drawn, here)
        if turn:
            _likely(block, phrase("before a {device} was drawn, at any group", device=device), turn)
    return block


def _likely(block: Block, label: str, wins: Sequence[Fraction]) -> None:
    """Draw a bar of chances: Rome's, a tie's, no vote's, and Egypt's; the actual outcome is framed."""
    block.small(label)
    x, y, shares, middles = float(_EDGE), block.height + 1, percents(wins), dict[int, float]()
    if max(wins) == 1:
        part = wins.index(max(wins))
        sign = sense("narrow", "no vote") if part == 3 else SIGNS[part]
        block.text(f"{sign} {shares[part]}", WIDTH - _EDGE, block.height - 4, f"small strong end {STYLES[part]}")
        block.height += 5
        return
    for part in [part for part in (ROME, TIE, 3, EGYPT) if wins[part:] and wins[part]]:
        wide = float(wins[part]) * _ROOM
        block.box(f"vp-bar-{part}", x, y, wide, 14, 3)
        if part == block.scene.winner:
            block.box("vp-frame", x, y, wide, 14, 3)
        if part in (TIE, 3):
            middles[part] = x + wide / 2
        x += wide
    for side, at, style in ((ROME, _EDGE, ""), (EGYPT, WIDTH - _EDGE, " end")):
        if wins[side]:
            block.text(f"{SIGNS[side]} {shares[side]}", at, y + 29, f"small strong {STYLES[side]}{style}")
    free = _EDGE + 62 * bool(wins[ROME]), WIDTH - _EDGE - 62 * bool(wins[EGYPT])

    def placed(middle: float, label: str) -> tuple[float, float, str]:
        half = width_of(label, _SMALL, bold=True) / 2
        return min(max(middle, free[0] + half), free[1] - half), half, label

    signs = {TIE: SIGNS[TIE], 3: sense("narrow", "no vote")}
    labels = [placed(middle, f"{signs[part]} {shares[part]}") for part, middle in middles.items()]
    if len(labels) == 2:
        (left, one, tie), (right, other, none) = labels
        if right - left < one + other + 8:  # too near for two labels
            labels = [placed((left + right) / 2, f"{tie} · {none}")]
    for at, _, label in labels:
        block.text(label, at, y + 29, "small strong mid")
    block.height = y + 35


# ------------------------------------------------------------------------------------------ what could have been done


def _choices(tree: VoteTree) -> Iterator[Block]:
    """Yield what each side could have done, the mover first."""
    for side in (tree.side, 1 - tree.side):
        options = [option for option in tree.instead if option.side == side]
        block = Block(tree.scene, phrase("What {player.name} could have done", player=PLAYERS[side]), side)
        if all(option.was_played for option in options):
            continue  # the answers say why
        shown, same = _telling(tree, options)
        block.small(phrase("Sums and winners: as it turned out."))
        for turn, listed in groupby(shown, lambda option: option.turn):
            block.height += 4
            when = phrase("in this turn") if turn == tree.turn else phrase("in their turn {turn}", turn=turn)
            block.lines(when, "small strong", _SMALL)
            same_turn = [*listed]
            if any(option.chance is not None for option in same_turn):
                words = f"{SIGNS[side]} {phrase('chance to win it, then')}"
                block.text(words, WIDTH - _EDGE - 8, block.height - 4, f"small strong end {STYLES[side]}")
            for option in same_turn:
                _option(block, option)
        if same or tree.more[side]:
            block.height += 4
            block.small(phrase("and {ways}", ways=counted(same + tree.more[side], "other way")))
        yield block


_SAME: Final = 1
"""How many options that would not change the winner are drawn; the others are counted."""


def _telling(tree: VoteTree, options: Sequence[Instead]) -> tuple[list[Instead], int]:
    """Return the options that are drawn: all that change the winner, what was played, and some of the others."""
    alike = [
        each
        for each in options
        if each.winner == tree.winner and not (each.was_played or each.first) and each.missed is None
    ]
    left_out = alike[_SAME:]
    return [each for each in options if each not in left_out], len(left_out)


def _option(block: Block, option: Instead) -> None:
    y, winner, drawn = block.height + 4, option.winner, [*_drawn(option)]
    colour = option.first[1] if option.first and not option.called else winner
    left, right = _EDGE + 12 + min(max(1, len(drawn)), 3) * 32, WIDTH - _EDGE - 8.0
    is_open = any(low < high for low, high in option.sums)
    chance = "" if option.chance is None or (winner is None and not is_open) else percent(option.chance)
    points = in_points(option.cost or 0.0)
    cost = phrase("game {points}", points=f"{points:+}".replace("-", "−")) if points else ""
    beside = phrase("as played") if option.was_played else cost
    room = right - left - max(width_of(chance, _BODY, bold=True), width_of(beside, _SMALL)) - 4
    block.height = y + 4
    said = instead_parts(option, here=block.scene.group)  # its place is given above
    block.lines(said.action, "small", _SMALL, left, room, 15)
    if said.rest:
        block.lines(said.rest, "small quiet", _SMALL, left, room, 15)
    for token in option.tokens:
        if isinstance(token, t.Castle):
            _castled(block, option.side, token, left, right)
    if option.called:
        end = sense("vote", "open") if is_open else ""
        if winner is not None:
            end = f"{SIGNS[winner]} {phrase('nobody') if winner == TIE else SIDES[winner].name}"
        style, at = STYLES[winner] if winner is not None else "quiet", left
        block.height += 17
        if option.lower:
            block.sign(symbols.PHILOSOPHY, left, block.height - 16, 17, TOKEN_SIZE, phrase("the lower sum wins"))
            at += 22
        block.text(f"{' : '.join(map(_range, option.sums))}  {end}", at, block.height - 3, f"h3 {style}")
    high = max(block.height + 5, y + 52) - y
    block.height = y + high
    block.box(f"vp-lane-{TIE if colour is None else colour}", _EDGE, y, _ROOM, high, 7)
    if option.was_played:
        block.box("vp-frame", _EDGE, y, _ROOM, high, 7)
    if not drawn:
        block.box("ty-slot", _EDGE + 8, y + 6, 28, 39.5, 3)
    for place, (side, word, group) in enumerate(drawn):
        x = _EDGE + 8 + place * fitted(len(drawn), 28, 32, 92)
        block.card(side, word, x, y + 6, 28)
        if group not in (None, block.scene.group):
            block.patrician(GROUP_LETTERS[group], None, x + 14, y + 30, 17, GROUPS[group].bare)
    if chance:
        block.text(chance, right, y + 20, f"strong end {STYLES[option.side]}")
    if beside:
        block.text(beside, right, y + 36, "small quiet end" if option.was_played else "small end")


def _castled(block: Block, side: int, token: t.Castle, left: float, right: float) -> None:
    """Draw where the cards of a castling go, the group of the vote first."""
    places = [(token.first, token.cards_first or ()), (token.second, token.cards_second or ())]
    for group, cards in sorted(places, key=lambda place: place[0] != block.scene.group):
        if cards:
            block.patrician(GROUP_LETTERS[group], None, left, block.height + 4, 17, GROUPS[group].bare)
            step = fitted(len(cards), 15, 17, right - left - 24)
            for place, card in enumerate(cards):
                block.card(side, f"({CARD_LETTERS[card]})", left + 24 + place * step, block.height + 2, 15)
            block.height += 24


def _drawn(option: Instead) -> Iterator[tuple[int, str, int | None]]:
    """Yield the cards of an option, with their sides, and the groups of those at a group."""
    for token in option.tokens:
        match token:
            case t.Place():
                letter = CARD_LETTERS[token.card]
                yield option.side, f"({letter})" if token.hidden else letter, token.group
            case t.Assassinate():
                yield option.side, "x", None
                letter = "i" if token.card is None else CARD_LETTERS[token.card]
                yield 1 - option.side, f"({letter})" if token.hidden else letter, token.group
            case _ if letter := ACTION_LETTERS.get(t.KINDS[type(token)].event):
                yield option.side, letter, None
            case _:
                pass
