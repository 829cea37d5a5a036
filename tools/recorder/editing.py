"""Typed text as items of a record; and a record with one more item, with other turns, or with an arbiter's decision.

Nothing is judged here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from ...notation.basics import SIDE_LETTERS
from ...notation.extra import begins_word
from ...notation.records import (
    ASIDE,
    ERROR,
    Alternative,
    BadLine,
    Comment,
    Diagnostic,
    Record,
    Result,
    Ruling,
    Turn,
    follower_line,
    parse,
    result_text,
    score_text,
    token_text,
    turn_text,
)
from ...notation.records import tokens as t
from ...replay.engine.api import rulings, with_counts, with_shown_cards
from ...replay.rules.api import Score
from .cursor import Cursor, Phase, says_all_of
from .draft import Draft

LABEL: Final = re.compile(r"(\d{1,4})\s*([RE])(?=\s|$)(.*)", re.DOTALL)
RESULT: Final = re.compile(r"(\d{1,3}-\d{1,3}|\*)(>[RE-])?(\s|$)")
VERDICT: Final = re.compile(r"m([RE])([+-]{1,2})")


GLUED: Final = re.compile(r"(?<=[^\s!?])(?<!m[RE])(?=[!?]{1,2}(?:\s|$))")
"""Finds where a glyph begins right after a word; the ``?`` of ``mE?`` is not a glyph."""


class NewTurn(NamedTuple):
    """A typed label: the next token begins this turn, whichever turn was due."""

    number: int
    side: int


Item: TypeAlias = "t.Token | str | Comment | Alternative | Ruling | BadLine | Result | NewTurn"
"""Something to put into a record; a string is a mark (a clock or a glyph)."""


class UnreadableEntry(ValueError):
    """Raised if typed text is not notation: ``problems`` say why, ``items`` are the parts that could be read."""

    def __init__(self, problems: list[Diagnostic], items: list[Item]) -> None:
        super().__init__(problems[0].message)
        self.problems = problems
        self.items = items

    @property
    def is_short(self) -> bool:
        """Return whether each problem is a single word that may go on: it may be a shortened word."""
        words = [item.text for item in self.items if isinstance(item, t.Unread | BadLine)]
        lengths = [problem.span.end - problem.span.start for problem in self.problems]
        return lengths == [*map(len, words)] and all(map(begins_word, words))


def items_of(draft: Draft, typed: str) -> list[Item]:
    """Return the contents of a line in order. Raise UnreadableEntry if it is not notation.

    A word may be shortened as long as it differs from all other words that may come next: ``=A`` for the whole vote.
    """
    typed = " ".join(typed.splitlines()).strip()
    if not typed:
        return []
    if typed[0] in "|%":
        return _followers(draft, typed)
    if RESULT.match(typed):
        (game,) = parse(f"{typed}\n")
        if game.record.result is None:
            raise UnreadableEntry(game.problems, [BadLine(typed)])
        return [game.record.result]
    if verdict := VERDICT.fullmatch(typed):
        result = draft.record.result or Result()
        verdicts = {**dict(result.verdicts), SIDE_LETTERS.index(verdict[1]): tuple([met == "+" for met in verdict[2]])}
        return [replace(result, verdicts=tuple(sorted(verdicts.items())))]
    if label := LABEL.match(typed):
        return _labelled(NewTurn(int(label[1]), SIDE_LETTERS.index(label[2])), label[3].strip())
    if token := draft.menu.only(typed):
        return [token]
    return _words(draft.cursor.label, typed)


def unreadable(draft: Draft, word: str) -> Diagnostic:
    """Return why a word can't be read."""
    try:
        _words(draft.cursor.label, word)
    except UnreadableEntry as error:
        return error.problems[0]
    raise ValueError(f"{word} is a word")


def _labelled(new_turn: NewTurn, typed: str) -> list[Item]:
    """Return a label and the words after it. Raise UnreadableEntry like ``items_of``."""
    try:
        return [new_turn, *(_words(text_of(new_turn), typed) if typed else [])]
    except UnreadableEntry as error:
        raise UnreadableEntry(error.problems, [new_turn, *error.items]) from None


def _words(label: str, typed: str) -> list[Item]:
    """Return the words of a turn line, its comments among them. Raise UnreadableEntry like ``items_of``."""
    (game,) = parse(f"{label} {typed}\n")
    if game.problems and (apart := _with_glyphs_apart(typed)) != typed:
        (game,) = parse(f"{label} {apart}\n")
    if len(game.record.turns) != 1:
        raise UnreadableEntry(game.problems, [t.Unread(typed)])
    (turn,) = game.record.turns
    if problems := [each for each in game.problems if each.severity == ERROR or each.code == ASIDE]:
        raise UnreadableEntry(problems, [*map(_kept, _items(turn))])
    return _items(turn)


def _items(turn: Turn) -> list[Item]:
    """Return the words of a turn and the comments between them, then its marks and the comments on the whole turn."""
    items: list[Item] = []
    for place in range(len(turn.tokens) + 1):
        items += [note for note in turn.notes if note.after == place]
        items += turn.tokens[place : place + 1]
    return [*items, *turn.marks, *[note for note in turn.notes if note.after is None]]


def _kept(item: Item) -> Item:
    """Return an unreadable item in the form in which it is kept: on its own line if it would turn what follows it into
    a comment.
    """
    return BadLine(item.text) if isinstance(item, t.Unread) and re.search("[{}]", item.text) else item


def _with_glyphs_apart(typed: str) -> str:
    """Return typed text with a space before each glyph that directly follows a word, as in ``5P!``."""
    *parts, last = re.split(r"(\{[^}]*\}|;.*)", typed)
    return "".join([part if part[:1] in ("{", ";") else GLUED.sub(" ", part) for part in (*parts, last)])


def _followers(draft: Draft, typed: str) -> list[Item]:
    """Return an alternative or a ruling, read below the last turn. Raise UnreadableEntry if it is neither."""
    head = turn_text(draft.record.turns[-1]) if draft.record.turns else ""
    (game,) = parse(f"{head}\n   {typed}\n")
    lines = [line for turn in game.record.turns for line in turn.after if isinstance(line, Alternative | Ruling)]
    problems = [problem for problem in game.problems if problem.span.line]
    if problems or not lines:
        raise UnreadableEntry(problems or game.problems, [BadLine(typed)])
    return [*lines]


def text_of(item: Item) -> str:
    """Return an item as it can be typed again."""
    match item:
        case str():
            return item
        case NewTurn(number, side):
            return f"{number}{SIDE_LETTERS[side]}"
        case Result():
            return result_text(item)
        case Comment() | Alternative() | Ruling() | BadLine():
            return follower_line(item)
        case _:
            return token_text(item)


def in_place(items: Sequence[Item]) -> list[Item]:
    """Return items in an order that puts each into its turn: remarks after a label follow the turn's first word."""
    placed: list[Item] = []
    held: list[Item] = []
    for item in items:
        if isinstance(item, str | Comment) and (held or (placed and isinstance(placed[-1], NewTurn))):
            held.append(item)
        else:
            placed += (*held, item) if isinstance(item, NewTurn) else (item, *held)
            held = []
    return placed + held


def without(cards: t.Cards, others: t.Cards) -> t.Cards | None:
    """Return cards without some others, removing the last of each kind; None if they don't include all of those."""
    left = list(cards)[::-1]
    for card in others:
        if card not in left:
            return None
        left.remove(card)
    return tuple(left[::-1])


def filled(token: t.Token, cursor: Cursor) -> t.Token:
    """Return a token with what the cards on the table determine: who wins a vote, which known cards are turned up."""
    state = cursor.state
    if state is None or cursor.phase is not Phase.PLAY:
        return token
    if not isinstance(token, t.Assassinate):
        return with_counts(state, token)
    hidden = state.sides[1 - state.active].hidden[token.group]
    whole = with_shown_cards(state, token)
    assert isinstance(whole, t.Assassinate)
    is_sure = token.position is not None or hidden.count(whole.card or 0) == 1
    return whole if is_sure and token.card in (None, whole.card) else token


# --------------------------------------------------------------------------------------------- put into the record


def put(draft: Draft, item: Item) -> Record:
    """Return the record with one more item at the cursor."""
    record, cursor = draft.record, draft.cursor
    if isinstance(item, Result):
        return with_result(record, item)
    if isinstance(item, NewTurn):
        return replace(record, turns=(*record.turns, Turn(item.number, item.side, ())))
    if isinstance(item, Comment | str | Alternative | Ruling | BadLine):
        return _with_remark(draft, item)
    token = filled(item, cursor)
    if cursor.fresh:
        return replace(record, turns=(*record.turns, Turn(cursor.number, cursor.side, (token,))))
    last = record.turns[-1]
    return with_turn(record, -1, replace(last, tokens=_joined(last.tokens, token, cursor)))


def _joined(tokens: tuple[t.Token, ...], token: t.Token, cursor: Cursor) -> tuple[t.Token, ...]:
    """Return the tokens of a turn with one more: a veto turns the action before it into an announced one, and draws are
    joined.

    A word that adds something to the action or veto before it (an outcome, or the card drawn) replaces that.
    """
    last = tokens[-1] if tokens else None
    if isinstance(last, t.Veto | t.Action) and token != last and says_all_of(token, last):
        return (*tokens[:-1], token)
    if cursor.announced is not None and isinstance(token, t.Veto):
        return (*tokens[:-1], cursor.announced, token)
    if isinstance(last, t.Draw) and isinstance(token, t.Draw) and cursor.phase is not Phase.SET_UP:
        return (*tokens[:-1], t.Draw(last.cards + token.cards))
    return (*tokens, token)


def _with_remark(draft: Draft, item: str | Comment | Alternative | Ruling | BadLine) -> Record:
    """Return the record with a mark or a comment on its last turn, or a line below it."""
    record, cursor = draft.record, draft.cursor
    if not record.turns:
        if isinstance(item, Comment | BadLine):
            note = Comment(item.text) if isinstance(item, Comment) else item
            return replace(record, preface=(*record.preface, note))
        record = replace(record, turns=(Turn(cursor.number, cursor.side, ()),))
    last = record.turns[-1]
    match item:
        case str():
            changed = replace(last, marks=(*last.marks, item))
        case Comment():
            after = None if item.after is None else len(last.tokens)
            changed = replace(last, notes=(*last.notes, Comment(item.text, after)))
        case Ruling():
            changed = with_ruling(last, item)
        case _:
            changed = replace(last, after=(*last.after, item))
    return with_turn(record, -1, changed)


def place_of(record: Record, label: str) -> int | None:
    """Return the index of the last turn with this label; None if there is none."""
    return max((place for place, turn in enumerate(record.turns) if turn.label == label), default=None)


def with_turn(record: Record, place: int, turn: Turn) -> Record:
    """Return the record with another turn at this index."""
    turns = [*record.turns]
    turns[place] = turn
    return replace(record, turns=tuple(turns))


def with_header(record: Record, name: str, value: str) -> Record:
    """Return the record with a header set, or without the header if the value is empty."""
    kept = [header for header in record.headers if header[0].lower() != name.lower()]
    if value:
        kept.append((name, value))
    return replace(record, headers=tuple(kept))


def with_result(record: Record, result: Result) -> Record:
    """Return the record with a result in line and header; the old line's verdicts and comments are kept."""
    if old := record.result:
        verdicts, notes = result.verdicts or old.verdicts, result.notes or old.notes
        result = replace(result, verdicts=verdicts, notes=notes, after=old.after)
    return with_header(replace(record, result=result), "Result", score_text(result))


def counted_result(score: Score) -> Result | None:
    """Return the result that follows from the cards; None if unknown missions may change it."""
    if score.is_open or any(None in side.missions for side in score.sides):
        return None
    return Result(score.points, score.winner if score.by_tie_break else None)


# ------------------------------------------------------------------------------------------------- corrections


def rewritten(record: Record, place: int, turns: Sequence[Turn]) -> Record:
    """Return the record with a turn replaced by others, or removed; the lines below it stay below the last of them."""
    filled_in = _filled_in(record, record.turns[:place], turns)
    if turns and not filled_in[-1].after:
        filled_in[-1] = replace(filled_in[-1], after=record.turns[place].after)
    return replace(record, turns=(*filled_in, *record.turns[place + 1 :]))


def inserted(record: Record, turns: Sequence[Turn], starter: int) -> Record:
    """Return the record with forgotten turns added where their numbers belong.

    If that number is taken, the turns from there on were written with wrong numbers and are renumbered.
    """
    first = turns[0]
    wanted = (first.number, first.side != starter)
    place = sum((turn.number, turn.side != starter) < wanted or not turn.number for turn in record.turns)
    rest = list(record.turns[place:])
    if rest and rest[0].label == first.label:
        rest = _moved_up(rest, turns[-1], starter)
    return replace(record, turns=(*_filled_in(record, record.turns[:place], turns), *rest))


def _moved_up(turns: Sequence[Turn], last: Turn, starter: int) -> list[Turn]:
    """Return turns with the numbers that follow ``last``.

    The order of sides stays unchanged: a turn may be played again, and one side may go on alone.
    """
    number, side = last.number + (last.side != starter), 1 - last.side
    moved = [replace(turns[0], number=number, side=side)]
    for before, turn in pairwise(turns):
        if turn.side != before.side:
            number, side = number + (side != starter), 1 - side
        elif turn.number != before.number:
            number += 1
        moved.append(replace(turn, number=number, side=side))
    return moved


def _filled_in(record: Record, before: Sequence[Turn], turns: Sequence[Turn]) -> list[Turn]:
    """Return turns that follow those ``before`` them, completed with what the cards determine, so nobody has to count
    again.
    """
    filled_in = [*before]
    unended = with_header(record, "Termination", "")
    if not Draft(record).by_form:
        unended = with_header(unended, "Mode", "")  # the rules may be used once the game is over
    for turn in turns:
        draft = Draft(replace(unended, turns=tuple(filled_in), result=Result()), closed=True)
        if draft.cursor.label == turn.label:
            for token in turn.tokens:
                draft = Draft(put(draft, token))
            last = draft.record.turns[-1] if draft.record.turns else turn
            if last.label == turn.label and len(last.tokens) == len(turn.tokens):
                turn = replace(turn, tokens=last.tokens)
        filled_in.append(turn)
    return filled_in


# --------------------------------------------------------------------------------- what an arbiter decides

UNDECIDED: Final = "it happened; the arbiter still has to rule"
"""The text of a ruling that marks an irregularity until somebody decides."""


def with_ruling(turn: Turn, ruling: Ruling, *, replace_pending: bool = False) -> Turn:
    """Return the turn with a ruling that replaces pending ones and takes over their codes.

    The pending rulings are those on the same side; if there are none and the ruling decides something, those on the
    other side. With ``anew``, if nothing is pending, the ruling replaces the earlier ones on its side.
    """
    settled = _followers_of(ruling.side, _open(turn))
    if not settled and ruling.text != UNDECIDED:
        settled = _open(turn) or (_followers_of(ruling.side, rulings(turn)) if replace_pending else [])
    codes = dict.fromkeys([code for source in (*settled, ruling) for code in source.codes])
    # A turn that was taken back has no effect, so it needs no list of its faults.
    ruling = replace(ruling, codes=() if ruling.decision == "back" else tuple(codes))
    return replace(turn, after=(*[line for line in turn.after if line not in settled], ruling))


def without_rulings(turn: Turn, side: int | None = None) -> Turn:
    """Return the turn without the rulings on a side, or without any rulings."""
    removed = [ruling for ruling in rulings(turn) if side in (None, ruling.side)]
    return replace(turn, after=tuple([line for line in turn.after if line not in removed]))


def ruled_side(turn: Turn) -> int:
    """Return the side that a decision is about if none is named: the side with a ruling, or the side whose turn it
    is.
    """
    sides = {ruling.side for ruling in _open(turn) or rulings(turn)}
    return sides.pop() if len(sides) == 1 else turn.side


def undecided(record: Record) -> list[str]:
    """Return the labels of the turns that still need an arbiter's ruling."""
    return [turn.label for turn in record.turns if _open(turn)]


def _open(turn: Turn) -> list[Ruling]:
    return [ruling for ruling in rulings(turn) if ruling.text == UNDECIDED]


def _followers_of(side: int, found: list[Ruling]) -> list[Ruling]:
    return [ruling for ruling in found if ruling.side == side]
