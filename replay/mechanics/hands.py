"""Cards between hands and piles, with cards of unknown identity among them."""

from __future__ import annotations

from typing import Final

from ...notation import tokens as t
from ...notation.cards import SOME_ACTION, SOME_INFLUENCE, is_influence
from ..state import Side

UNCOUNTED: Final = 100
"""More copies of a card than any game can ask for."""


class Impossible(Exception):
    """The cards for what is written are not there, so that nobody can say how the game went on."""


class Unknowable(Exception):
    """The record leaves out cards on which everything after depends; nothing is wrong with it."""


def take(side: Side, card: int) -> None:
    """A card leaves the hand."""
    hand = side.hand
    if hand[card] > 0 and card < SOME_INFLUENCE:
        hand[card] -= 1
        return
    some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
    if card == some:
        forget(side, some)
    if hand[some] <= 0:
        raise Impossible
    hand[some] -= 1
    if card != some:
        side.unseen[card] -= 1


def forget(side: Side, some: int) -> None:
    """Nobody can say any more which cards of a kind are in the hand: one of unknown identity left it."""
    side.blurred = True
    for card in range(6) if some == SOME_INFLUENCE else range(6, 12):
        side.unseen[card] += side.hand[card]
        side.hand[some] += side.hand[card]
        side.hand[card] = 0


def blur(side: Side, column: list[int]) -> None:
    """Nobody can say any more which cards lie there: one of them left, and the record does not say which."""
    side.blurred = True
    for place, card in enumerate(column):
        if card != SOME_INFLUENCE:
            side.unseen[card] += 1
            column[place] = SOME_INFLUENCE


def lose_count(side: Side, card: int) -> None:
    """Stop counting the copies of a side's cards of one kind, since a ruling let stand what one deck can't hold.

    Any card of that kind may be in the hand from then on, and any may come.
    """
    some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
    forget(side, some)
    for each in range(6) if some == SOME_INFLUENCE else range(6, 12):
        side.unseen[each] += UNCOUNTED


def lend(side: Side, card: int) -> None:
    """Make room for a card that the hand should not hold, so that what was ruled to stand can be replayed."""
    some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
    lose_count(side, card)
    if side.hand[some]:
        return
    if some == SOME_INFLUENCE and side.influence_pile:
        side.influence_pile -= 1
    elif some == SOME_ACTION and side.action_pile:
        side.action_pile -= 1
    else:
        raise Impossible
    side.hand[some] += 1


def draw(side: Side, card: int) -> None:
    """A card comes into the hand from the pile of its kind."""
    side.hand[card] += 1
    if card <= 5 or card == SOME_INFLUENCE:
        side.influence_pile -= 1
        if card == SOME_INFLUENCE:
            side.blurred = True
        else:
            side.unseen[card] -= 1
    else:
        side.action_pile -= 1
        if side.order is not None:
            side.order = side.order[1:]
        if card == SOME_ACTION:
            side.blurred = True
        else:
            side.unseen[card] -= 1


def identified(side: Side, hidden: list[int], seen: t.Cards | None) -> list[int]:
    """Hidden cards with the names that ``seen`` gives to those whose identity nobody had written down."""
    if SOME_INFLUENCE not in hidden or seen is None:
        return hidden
    rest = list(seen)
    for card in hidden:
        if card in rest:
            rest.remove(card)
    named = []
    for card in hidden:
        if card == SOME_INFLUENCE and rest:
            card = rest.pop(0)  # unknown ones stand last, and what lies there known may be what they are
            if card != SOME_INFLUENCE:
                side.unseen[card] -= 1
        named.append(card)
    return named
