"""What may come next at the table, as known to whoever writes it down.

Where all cards are known, these are the tokens of :mod:`tironian.replay.rules.moves.legal`. Writers who see less are
offered what they would have written: ``(i)A`` for a card face down, ``+a`` for one drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, permutations, product
from math import prod
from typing import Final, assert_never

from ...notation import tokens as t
from ...notation.cards import INFLUENCE_CARDS, MAY_BE, SOME_ACTION, SOME_INFLUENCE, high_to_low
from ..editions.edition import Edition, missions_of
from ..editions.policies import first_action
from ..engine.play import violations
from ..rules.mechanics.hands import change_hand
from ..rules.moves.legal import Move, in_piles, legal_moves, subsets
from ..rules.ruleset import OPENING_SET
from ..rules.state import SideCards, State
from ..rules.vote_outcome import resolve
from ..views.redaction import seen_token
from ..views.table_view import SEES

MOST: Final = 1500
"""How many ways to turn up unknown cards are listed; where there are more, they are for the writer to type."""
PILE: Final = t.ActionOrder(())
"""In place of the order of an action pile, which has too many to be listed."""


def offers(state: State, view: str) -> list[Move]:
    """Return all that may come next, a token at a time, as ``view`` would write it; END where the turn may be over."""
    if view == "arbiter" and not is_blurred(state):
        return legal_moves(state)
    moves: dict[Move, None] = {}
    for guess, vetoed in _guesses(state):
        written = guess and seen_token(guess, state.active, view, vetoed)
        for token in _identified(state, written, vetoed):
            # Of discards there can be thousands, and each is one that the hand can give.
            if isinstance(token, t.Discard) or not violations(state, token, vetoed):
                moves[Move(token, vetoed)] = None
    return [*moves]


def is_blurred(state: State) -> bool:
    """Return whether cards that matter are not known."""
    return any(
        side.hand[SOME_INFLUENCE] or side.hand[SOME_ACTION] or any(SOME_INFLUENCE in column for column in side.hidden)
        for side in state.sides
    )


def _guesses(state: State) -> Iterator[Move]:
    """Yield what could come if an unknown card of a hand were any that it can be; more than the rules allow."""
    guess = state.copy()
    for owner, side in enumerate(state.sides):
        hand, unseen = side.hand, side.unseen
        for some, kinds in MAY_BE.items():
            for card in kinds if hand[some] else ():
                if not hand[card] and unseen[card] > 0:
                    change_hand(guess, owner, card, 1)
    # What such a hand could give away together would be far more than what the hand can.
    yield from legal_moves(guess, _exchanges(state.sides[state.active]))
    # The guessed hand is too large to draw for.
    if state.draw_limit():
        yield from (Move(t.Draw((card,))) for card in in_piles(state.sides[state.active]))
    yield Move(None)


def _exchanges(side: SideCards) -> list[t.Cards]:
    """Return what a hand can give away in a passive turn, its unknown cards being any that they can be (H3)."""
    both = [[*dict.fromkeys(_selections(side, some, kinds))] for some, kinds in MAY_BE.items()]
    return [(*influence, *action) for influence, action in product(*both)]


def _selections(side: SideCards, some: int, kinds: range) -> Iterator[t.Cards]:
    """Yield every selection from the cards of one kind in a hand; some of them more than once."""
    hand = side.hand
    known = [card for card in kinds for _ in range(hand[card])]
    for count in range(hand[some] + 1):
        for rest, part in product(_unknown(side, kinds, count), subsets(known)):
            yield high_to_low((*part, *rest))


def _unknown(side: SideCards, kinds: range, count: int) -> list[t.Cards]:
    """Return what ``count`` unknown cards can be together: of each kind no more than nobody has seen."""
    unseen = side.unseen
    return [
        cards
        for cards in combinations_with_replacement([card for card in kinds if unseen[card] > 0], count)
        if all(cards.count(card) <= unseen[card] for card in set(cards))
    ]


def _identified(state: State, token: t.Token | None, vetoed: bool) -> Iterable[t.Token | None]:
    """Return a token with every card that an unknown one can turn out to be when it is turned up."""
    victim = state.sides[1 - state.active]
    if not isinstance(token, t.Action | t.AnyVote):
        return [token]
    match token:
        case t.Vote() | t.SpecialVote():
            return _ballots(state, type(token), token.group)
        case t.Assassinate():
            if token.card == SOME_INFLUENCE and not vetoed:
                return [replace(token, card=card) for (card,) in _unknown(victim, INFLUENCE_CARDS, 1)]
        case t.Scout():
            hidden = victim.hidden[token.group]
            if SOME_INFLUENCE in hidden and not vetoed:
                return [t.Scout(token.group, high_to_low(cards)) for cards in _columns(victim, hidden)]
        case t.Wrath() | t.Castle() | t.Spy():
            pass
        case _:
            assert_never(token)
    return [token]


def _columns(side: SideCards, cards: list[int]) -> list[list[int]]:
    """Return what a column can be: each unknown card any that nobody has seen."""
    known = [card for card in cards if card != SOME_INFLUENCE]
    return [[*known, *rest] for rest in _unknown(side, INFLUENCE_CARDS, len(cards) - len(known))]


def _ballots(state: State, kind: type[t.Vote] | type[t.SpecialVote], group: int) -> list[t.Token | None]:
    """Return a vote with all that can be turned up at it; without cards where that is too much to list."""
    columns = [_columns(side, side.column(group)) for side in state.sides]
    if prod(map(len, columns)) > MOST:
        return [kind(group)]
    return [
        kind(group, high_to_low(rome), high_to_low(egypt), resolve(rome, egypt, state.edition).winner)
        for rome, egypt in product(*columns)
    ]


def opening_offers(edition: Edition, side: int, tokens: tuple[t.Token, ...], view: str) -> list[t.Token | None]:
    """Return what may come next in a side's line of the set-up, after ``tokens``; None where it may be over (B2–B8).

    Cards are placed in the order of the table; PILE stands for the order of an action pile.
    """
    seen = SEES[view][side]
    written = {type(token) for token in tokens}
    placed = [token for token in tokens if isinstance(token, t.Place)]
    groups = [group for group in edition.groups if group not in {token.group for token in placed}]
    if groups:
        cards = [card for card in OPENING_SET if card not in {token.card for token in placed}]
        return [t.Place(card, groups[0], True) for card in (cards if seen else [SOME_INFLUENCE])]
    if t.Missions not in written:
        if not seen:
            return [t.Missions((t.Mission("unknown"),) * edition.missions_dealt)]
        return [
            t.Missions(dealt) for dealt in permutations(dict.fromkeys(missions_of(edition)), edition.missions_dealt)
        ]
    if (first := first_action(edition.first_action)) and t.Draw not in written:
        return [t.Draw((card,)) for card in (edition.actions if seen and SOME_ACTION in first else first)]
    return [PILE, None] if edition.ordered_actions and seen and t.ActionOrder not in written else [None]
