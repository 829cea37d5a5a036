"""What one slip may have made of a turn: every edit of it, with the state before it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from math import log
from typing import Any, Final

from ...notation import tokens as t
from ...notation.codes import ANNOUNCED_ONLY, KIND, OTHER, TURN_END, decode
from ...notation.manglings import plain
from ...notation.record import BadLine, Comment, Record, Turn
from ..engine.follow import make_move
from ..engine.headers import OF_CARDS
from ..rules.mechanics import Impossible, Unknowable
from ..rules.moves.listing import list_moves
from ..rules.moves.move_list import MoveList
from ..rules.state import State
from .attempts import Attempt
from .edits import Edit
from .rewritings import Vocabulary
from .slips import Slip
from .spelling import meant_turns, meant_words

_UNREAD_WORD: Final = log(10)
"""What it costs more to drop a word that can't be read: most of these meant something."""
_SECOND: Final = log(20)
"""How much likelier a placed card was left out where only one is written, since nearly every turn has two of them."""
MOST_MISSING: Final = 3
"""How many cards a draw may have had that was left out."""


def edits_at(attempt: Attempt, place: int, state: State, vocabulary: Vocabulary) -> Iterator[Edit]:
    """Yield the edits of the turn at a place, and of its place among the others; ``state`` is the one before it."""
    turn = attempt.turns[place]
    yield from _other_words(place, turn, vocabulary)
    yield from _fewer_words(place, turn)
    yield from _exchanged_groups(place, turn)
    yield from _more_words(place, turn, state, vocabulary)
    if (turn.number, turn.side) != (state.number, state.active):
        yield from _other_labels(attempt, place, state)
    yield from _unread_lines(place, turn)
    if place and not attempt.turns[place - 1].number:
        yield from _unread_lines(place - 1, attempt.turns[place - 1])


def opening_edits(attempt: Attempt, vocabulary: Vocabulary) -> Iterator[Edit]:
    """Yield the edits of the set-up lines."""
    for place in range(attempt.lead):
        turn = attempt.turns[place]
        yield from _other_words(place, turn, vocabulary)
        placed = [(at, token) for at, token in enumerate(turn.tokens) if isinstance(token, t.Place)]
        for (at, one), (other_at, other) in combinations(placed, 2):
            cost = Slip.SETUP.cost + log(2 * len(placed))
            words = {at: replace(one, card=other.card), other_at: replace(other, card=one.card)}
            yield _edit(place, turn, _with(turn, words), Slip.SETUP, cost, at)


def header_edits(record: Record) -> Iterator[Edit]:
    """Yield the record with its headers as they may have been: unread lines, and signs that look like others."""
    # Signs that only look like those of the notation become the ones that they look like.
    signs = ("Result", *OF_CARDS)
    headers = [(name, "".join(map(plain, value)) if name in signs else value) for name, value in record.headers]
    preface: list[Comment | BadLine] = []
    for line in record.preface:
        meant = _HEADER.fullmatch(line.text) if isinstance(line, BadLine) else None
        if meant:
            headers.append((meant[1], meant[2]))
        else:
            preface.append(line)
    if tuple(headers) != record.headers:
        yield Edit(Slip.SPELLING, Slip.SPELLING.cost, 0, 0, headers=tuple(headers), preface=tuple(preface))


_HEADER: Final = re.compile(r"""\W*([A-Za-z]\w*)\W+?["'“”]?([^"'“”\]]*)["'“”]?\s*\]?\s*""")
"""A header that may lack its quotes or a bracket: its name and its value."""


def _edit(place: int, turn: Turn, tokens: tuple[t.Token, ...], slip: Slip, cost: float, at: int) -> Edit:
    """Return the edit that gives a turn other tokens, the first of which that differs is at ``at``."""
    new = Turn(turn.number, turn.side, tokens, turn.marks, turn.notes, turn.after, turn.line)
    return Edit(slip, cost, place, place + 1, (new,), at)


def _with(turn: Turn, words: dict[int, Any]) -> tuple[t.Token, ...]:
    return tuple([words.get(at, token) for at, token in enumerate(turn.tokens)])


def _other_words(place: int, turn: Turn, vocabulary: Vocabulary) -> Iterator[Edit]:
    """Yield the turn with another word in the place of one."""
    for at, token in enumerate(turn.tokens):
        if isinstance(token, t.Unread):
            for other, cost in meant_words(token.text).items():
                yield _edit(place, turn, _with(turn, {at: other}), Slip.SPELLING, cost, at)
        else:
            for other, slip, cost in vocabulary.rewritings(token, turn.side):
                yield _edit(place, turn, _with(turn, {at: other}), slip, cost, at)


def _fewer_words(place: int, turn: Turn) -> Iterator[Edit]:
    """Yield the turn without one of its words, and with two neighbours in the other order."""
    tokens = turn.tokens
    for at, token in enumerate(tokens):
        slip = Slip.DOUBLED if token in tokens[:at] or token in tokens[at + 1 :] else Slip.EXTRA
        cost = slip.cost + (_UNREAD_WORD if isinstance(token, t.Unread) else 0.0)
        yield _edit(place, turn, (*tokens[:at], *tokens[at + 1 :]), slip, cost, at)
        if at:
            swapped = (*tokens[: at - 1], token, tokens[at - 1], *tokens[at + 1 :])
            yield _edit(place, turn, swapped, Slip.ORDER, Slip.ORDER.cost, at - 1)


def _exchanged_groups(place: int, turn: Turn) -> Iterator[Edit]:
    named: list[tuple[int, Any]] = [(at, token) for at, token in enumerate(turn.tokens) if hasattr(token, "group")]
    for (at, one), (other_at, other) in combinations(named, 2):
        if one.group != other.group:
            words = {at: replace(one, group=other.group), other_at: replace(other, group=one.group)}
            yield _edit(place, turn, _with(turn, words), Slip.GROUPS_EXCHANGED, Slip.GROUPS_EXCHANGED.cost, at)


def _more_words(place: int, turn: Turn, state: State, vocabulary: Vocabulary) -> Iterator[Edit]:
    """Yield the turn with one more word: any that the rules allow there."""
    tokens, codes, state = turn.tokens, turn.codes, state.copy()
    for at in range(len(tokens) + 1):
        vetoed = at < len(tokens) and isinstance(tokens[at], t.Veto)
        lone = state.rules.up_alone and sum(isinstance(token, t.Place) for token in tokens) == 1
        for words, cost in _missing_words(state, vetoed, vocabulary):
            cost -= _SECOND * (lone and isinstance(words[0], t.Place))
            yield _edit(place, turn, (*tokens[:at], *words, *tokens[at:]), Slip.OMITTED, cost, at)
        if at < len(tokens):
            for word, cost in _words_like(tokens[at], state):
                yield _edit(place, turn, _with(turn, {at: word}), Slip.OTHER_WORD, cost, at)
        if at and isinstance(tokens[at - 1], t.Action) and not vetoed:
            cost = Slip.VETO.cost + log(1 + len(vocabulary.cards))
            for card in (None, *vocabulary.cards):
                yield _edit(place, turn, (*tokens[:at], t.Veto(card), *tokens[at:]), Slip.VETO, cost, at)
        if at == len(tokens) or codes[2 * at] & KIND == OTHER:
            return
        is_vetoed = at + 1 < len(tokens) and isinstance(tokens[at + 1], t.Veto)
        try:
            make_move(state, codes[2 * at] | (ANNOUNCED_ONLY if is_vetoed else 0), codes[2 * at + 1])
        except (Impossible, Unknowable):
            return


def _missing_words(state: State, vetoed: bool, vocabulary: Vocabulary) -> Iterator[tuple[tuple[t.Token, ...], float]]:
    """Yield what the rules allow in a state, each word as likely as all others of its class together.

    These are only announced actions where one is vetoed next, draws of several cards, and both choices of a mission.
    """
    options = _options(state, vetoed)
    number = Counter(token.__class__ for token in options)
    for token in options:
        cost = Slip.OMITTED.cost + log(number[token.__class__])
        yield (vocabulary.as_written(token, state.active, vetoed),), cost
    for token in vocabulary.missing_words():
        yield (token,), Slip.OMITTED.cost + log(len(vocabulary.groups))
    cards = [token.cards[0] for token in options if isinstance(token, t.Draw)]
    missing = int(state.draw_limit())
    if 1 < missing <= MOST_MISSING:
        cost = Slip.OMITTED.cost + missing * log(max(1, len(cards)))
        for drawn in combinations_with_replacement(cards, missing):
            yield (vocabulary.as_written(t.Draw(drawn), state.active),), cost
    choices = [token for token in options if isinstance(token, t.ChooseMission)]
    for one, other in combinations(choices, 2):
        if one.side != other.side:
            yield (one, other), Slip.OMITTED.cost + log(len(choices))


def _options(state: State, announced: bool) -> list[t.Token]:
    """Return the words that the rules allow in a state; only actions that are announced, or no such."""
    moves = MoveList()
    list_moves(state, moves, False)
    return [
        decode(code & ~ANNOUNCED_ONLY, more)
        for code, more in moves.pairs()
        if code != TURN_END and bool(code & ANNOUNCED_ONLY) == announced
    ]


def _words_like(token: t.Token, state: State) -> Iterator[tuple[t.Token, float]]:
    """Yield what else a vote, or a card without one, may have been that the rules allow there."""
    if isinstance(token, t.Vote | t.SpecialVote | t.NoVote | t.PutAway):
        kinds = t.SpecialVote if isinstance(token, t.SpecialVote) else t.Vote | t.NoVote | t.PutAway
        others = [other for other in _options(state, False) if isinstance(other, kinds) and other != token]
        for other in others:
            yield other, Slip.OTHER_WORD.cost + log(len(others))


def _other_labels(attempt: Attempt, place: int, state: State) -> Iterator[Edit]:
    """Yield edits of a turn that is not due: another label, no such line, or one place further down."""
    turn, turns = attempt.turns[place], attempt.turns
    due = replace(turn, number=state.number, side=state.active)
    yield Edit(Slip.LABEL, Slip.LABEL.cost, place, place + 1, (due,))
    yield Edit(Slip.TURN_DOUBLED, Slip.TURN_DOUBLED.cost, place, place + 1)
    if place + 1 < len(turns):
        yield Edit(Slip.TURN_ORDER, Slip.TURN_ORDER.cost, place, place + 2, (turns[place + 1], turn))


def _unread_lines(place: int, turn: Turn) -> Iterator[Edit]:
    """Yield a turn with a line behind it, which could not be read, as the turn that it may have been."""
    for number, follower in enumerate(turn.after):
        if isinstance(follower, BadLine):
            before, behind = turn.after[:number], turn.after[number + 1 :]
            first = replace(turn, after=before)
            for meant, cost in meant_turns(follower.text):
                yield Edit(Slip.SPELLING, cost, place, place + 1, (first, replace(meant, after=behind)))
