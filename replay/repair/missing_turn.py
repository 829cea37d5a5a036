"""The turns that may have been left out: everything that the rules allow in one turn, the cards drawn left open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

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


def whole_turns(state: State, with_action: bool) -> Iterator[tuple[t.Token, ...]]:
    """Yield the tokens of each turn that may follow a state, with or without an action, what is drawn as ``i`` and
    ``a``. Cards that are placed come in one order only.
    """
    yield from _continued(state, (), 0, with_action)


def _continued(
    state: State, tokens: tuple[t.Token, ...], last: int, with_action: bool
) -> Iterator[tuple[t.Token, ...]]:
    moves = MoveList()
    list_moves(state, moves, False)
    drawn = False
    for code, more in moves.pairs():
        if code == TURN_END:
            if not with_action or any(isinstance(token, t.Action) for token in tokens):
                yield tokens
            continue
        if code & ANNOUNCED_ONLY:
            continue
        if code & KIND == DRAW:
            if not drawn:
                drawn = True
                yield from _drawn(state, tokens)
            continue
        token = decode(code, more)
        if isinstance(token, t.Action):
            if not with_action:
                continue
        elif isinstance(token, t.Place):
            if last > code:
                continue
            last_code = code
        next_state = state.copy()
        try:
            make_move(next_state, code, more)
        except (Impossible, Unknowable):
            continue
        placed = last_code if isinstance(token, t.Place) else last
        yield from _continued(next_state, (*tokens, token), placed, with_action)


def _drawn(state: State, tokens: tuple[t.Token, ...]) -> Iterator[tuple[t.Token, ...]]:
    """Yield the turn with as many unknown cards drawn as the hand asks for."""
    side = state.active
    count = int(state.draw_limit())
    influence, actions = state.cells[INFLUENCE_PILE + side], state.cells[ACTION_PILE + side]
    for mixed in combinations_with_replacement((SOME_INFLUENCE, SOME_ACTION), min(count, int(influence + actions))):
        if mixed.count(SOME_INFLUENCE) > influence or mixed.count(SOME_ACTION) > actions:
            continue
        after = state.copy()
        token = t.Draw(mixed)
        apply(after, token)
        yield from _continued(after, (*tokens, token), 0, any(isinstance(each, t.Action) for each in tokens))


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
