"""All that may come next: every legal move of the player whose turn it is, as tokens.

It is made from ``moves``, a reading of the rules beside the law and independent of it; tests check in both directions
that the two agree. It covers games in which every card is known. Chance is listed as well: each card that a pile can
still hold, each bust or vote card that can still come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product
from typing import Final, NamedTuple

from ....notation import tokens as t
from ....notation.cards import CARD_KINDS, SOME_ACTION, SOME_INFLUENCE, high_to_low
from ....notation.codes import ANNOUNCED_ONLY, DISCARD, KIND, MAX_CARDS, TURN_END, decode
from ....notation.writer import token_text
from ..layout import HELD
from ..moves import actions as action_moves
from ..moves.move_list import MoveList
from ..moves.placing import may_exchange
from ..state import SideCards, State
from ..vote_outcome import resolve
from .game import list_moves


class Move(NamedTuple):
    """One token that may come next; ``None`` ends the turn. ``vetoed``: it is an action, announced and then vetoed.

    ``str(move)`` is the move in the notation, with ``v`` after an action that is vetoed; ``/`` is the end of the turn.

    >>> spy = tironian.tokens.Spy
    >>> print(tironian.Move(spy(card=4)), tironian.Move(spy(), vetoed=True), tironian.Move(None))
    y4 y v /
    """

    token: t.Token | None
    vetoed: bool = False

    def __str__(self) -> str:
        text = "/" if self.token is None else token_text(self.token)
        return f"{text} v" if self.vetoed else text


END_MOVE: Final = Move(None)
"""The turn ends."""


def legal_moves(state: State, exchanges: Sequence[t.Cards] | None = None) -> list[Move]:
    """Return all moves that the rules allow in this state, one token at a time. The state is not changed.

    Each is a pair that ``apply(state, *move)`` carries out. A draw is a token as well: if one of several cards can
    come, each is a move. ``exchanges`` are the selections of cards that the hand can give away in a passive turn, if
    they can't be read from the hand.

    >>> state = tironian.replay_game(record).at("1E.0").state
    >>> moves = tironian.legal_moves(state)
    >>> print(len(moves), *moves[:3])
    50 (1)P (2)P (3)P
    """
    if exchanges is None and state.cells[HELD + state.active] > MAX_CARDS:
        exchanges = [*subsets(state.sides[state.active].cards)]
    listed = MoveList()
    list_moves(state, listed, exchanges is None)
    moves: list[Move] = []
    for code, more in listed.pairs():
        if code & KIND == DISCARD and exchanges is not None and may_exchange(state):
            moves += [Move(t.Discard(cards)) for cards in exchanges]
        else:
            moves.append(as_move(code, more))
    return moves


def as_move(code: int, more: int) -> Move:
    """Return the move that has these codes."""
    if code == TURN_END:
        return END_MOVE
    return Move(decode(code & ~ANNOUNCED_ONLY, more), code & ANNOUNCED_ONLY != 0)


def outcome(state: State, group: int) -> tuple[t.Cards, t.Cards, int]:
    """Return what a vote at a group shows, and who wins it (J1, J2)."""
    rome, egypt = state.column(0, group), state.column(1, group)
    return high_to_low(rome), high_to_low(egypt), resolve(rome, egypt, state.edition).winner


def in_piles(side: SideCards) -> list[int]:
    """Return the cards that a side can draw: any that the piles still hold, only the top one of an ordered pile."""
    cards = action_moves.in_piles(side.state, side.side)
    return [card for card in range(CARD_KINDS) if cards >> card & 1]


def draws(state: State) -> Iterator[t.Draw]:
    """Yield every choice of piles for all cards that have to be drawn now, as many as the piles still have (G1, G2)."""
    own = state.sides[state.active]
    count = min(int(state.draw_limit()), own.influence_pile + own.action_pile)
    for cards in combinations_with_replacement((SOME_INFLUENCE, SOME_ACTION), count):
        if cards.count(SOME_INFLUENCE) <= own.influence_pile and cards.count(SOME_ACTION) <= own.action_pile:
            yield t.Draw(cards)


def subsets(cards: Sequence[int]) -> Iterator[t.Cards]:
    """Yield each distinct selection of cards once, from none to all, in the order in which they are written."""
    copies = Counter(high_to_low(list(cards)))
    for numbers in product(*(range(count + 1) for count in copies.values())):
        yield tuple(card for card, count in zip(copies, numbers, strict=True) for _ in range(count))
