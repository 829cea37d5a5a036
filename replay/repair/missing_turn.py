"""The turns that may have been left out: everything that the rules allow in one turn, the cards drawn left open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import TypeAlias

from ...notation import tokens as t
from ...notation.cards import INFLUENCE_CARDS, SOME_ACTION, SOME_INFLUENCE
from ...notation.codes import ANNOUNCED_ONLY, DRAW, KIND, TURN_END, decode
from ..engine.follow import make_move
from ..engine.play import apply
from ..rules.layout import ACTION_PILE, INFLUENCE_PILE
from ..rules.mechanics import Impossible, Unknowable
from ..rules.moves.listing import list_moves
from ..rules.moves.move_list import MoveList
from ..rules.state import State

Words: TypeAlias = tuple[t.Token, ...]


def whole_turns(state: State, with_action: bool, tokens: Words = (), last: int = 0) -> Iterator[Words]:
    """Yield the tokens of each turn that may follow a state, with or without an action, what is drawn as ``i`` and
    ``a``; only those that begin with ``tokens``, which have been played.

    Cards that are placed come in one order only; ``last`` is the code of the last one.
    """
    moves = MoveList()
    list_moves(state, moves, False)
    drawn = False
    for code, more in moves.pairs():
        if code & KIND == DRAW:
            if not drawn:
                yield from _drawn(state, tokens)
            drawn = True
        elif code == TURN_END:
            if not with_action or any(isinstance(token, t.Action) for token in tokens):
                yield tokens
        elif not code & ANNOUNCED_ONLY:
            token = decode(code, more)
            is_placed = isinstance(token, t.Place)
            if (is_placed and code < last) or (isinstance(token, t.Action) and not with_action):
                continue
            after = state.copy()
            try:
                make_move(after, code, more)
            except (Impossible, Unknowable):
                continue
            yield from whole_turns(after, with_action, (*tokens, token), code if is_placed else last)


def _drawn(state: State, tokens: Words) -> Iterator[Words]:
    """Yield the turn with as many unknown cards drawn as the hand asks for."""
    side = state.active
    influence, actions = int(state.cells[INFLUENCE_PILE + side]), int(state.cells[ACTION_PILE + side])
    count = min(int(state.draw_limit()), influence + actions)
    with_action = any(isinstance(token, t.Action) for token in tokens)
    for cards in combinations_with_replacement((SOME_INFLUENCE, SOME_ACTION), count):
        if cards.count(SOME_INFLUENCE) <= influence and cards.count(SOME_ACTION) <= actions:
            after = state.copy()
            apply(after, t.Draw(cards))
            yield from whole_turns(after, with_action, (*tokens, t.Draw(cards)))


def named(state: State, *draws: t.Token) -> Iterator[t.Draw]:
    """Yield a draw with its unknown cards named, in every way that the piles of a state allow; nothing for none."""
    cards = [card for draw in draws if isinstance(draw, t.Draw) for card in draw.cards]
    if not cards:
        return
    unseen = state.sides[state.active].unseen
    influence = [card for card in INFLUENCE_CARDS if unseen[card] > 0]
    actions = [card for card in state.edition.actions if unseen[card] > 0]
    for some in combinations_with_replacement(influence, cards.count(SOME_INFLUENCE)):
        for others in combinations_with_replacement(actions, cards.count(SOME_ACTION)):
            drawn = (*some, *others)
            if all(drawn.count(card) <= unseen[card] for card in drawn):
                yield t.Draw(drawn)
