"""What the laws of several tokens share: the fault itself, groups in play, cards in a hand, cards of a pile."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...notation import tokens as t
from ...notation.cards import SOME_ACTION, SOME_INFLUENCE, is_influence, is_known
from ..edition import DrawRule, Edition
from ..state import Side, State, is_action


class Fault(NamedTuple):
    """A violation: its code and the facts that its message tells."""

    code: str
    facts: dict[str, Any]


Found = list[Fault]


def in_play(state: State, group: int, found: Found) -> bool:
    if state.left[group]:
        return True
    if group in state.edition.groups:
        found.append(Fault("R202", {"group": group}))
    else:
        found.append(Fault("R201", {"group": group}))
    return False


def in_order(state: State, token: t.Token, found: Found) -> None:
    place = state.rank[token.step]
    if place < state.stage:
        found.append(Fault("R601", {"token": token, "now": state.edition.order[state.stage]}))


def holds(side: Side, card: int) -> bool:
    """Whether a hand may hold a card, as far as the record has said what it holds."""
    if side.hand[card] > 0:
        return True
    some = SOME_INFLUENCE if is_influence(card) else SOME_ACTION
    if card == some:
        kinds = range(6) if some == SOME_INFLUENCE else range(6, 12)
        return any(side.hand[kind] for kind in kinds)
    return side.hand[some] > 0 and side.unseen[card] > 0


def must_hold(state: State, owner: int, card: int, found: Found) -> None:
    if not holds(state.sides[owner], card):
        found.append(Fault("R203", {"owner": owner, "card": card}))


def not_held(side: Side, cards: t.Cards) -> list[int]:
    """Those of several cards that a hand can't give all together, as far as the record has said what it holds."""
    hand, lacking = side.hand, []
    if all(hand[card] >= cards.count(card) for card in cards):
        return []
    for some, kinds in ((SOME_INFLUENCE, range(6)), (SOME_ACTION, range(6, 12))):
        spare = hand[some]
        for card in kinds:
            strange = cards.count(card) - hand[card]
            if strange > 0:
                spare -= strange
                if spare < 0 or strange > side.unseen[card]:
                    lacking.append(card)
        unknown = cards.count(some)
        if spare >= 0 and unknown > spare + sum([max(0, hand[card] - cards.count(card)) for card in kinds]):
            lacking.append(some)
    return lacking


def may_draw(side: Side, owner: int, cards: t.Cards, edition: Edition, found: Found) -> None:
    """Whether these cards can come from the piles, one after the other (G1, G2, B8)."""
    if _plainly_there(side, cards):
        return
    influence = sum([is_influence(card) for card in cards])
    actions = len(cards) - influence
    if influence > side.influence_pile:
        found.append(Fault("R502", {"owner": owner, "pile": "influence", "left": side.influence_pile}))
    if actions > side.action_pile:
        found.append(Fault("R502", {"owner": owner, "pile": "action", "left": side.action_pile}))
    for card in set(cards):
        if is_action(card) and is_known(card) and card not in edition.actions:
            found.append(Fault("R303", {"card": card}))
        elif is_known(card) and cards.count(card) > side.unseen[card]:
            found.append(Fault("R504", {"owner": owner, "card": card}))
    if actions and side.order is not None:
        drawn = [card for card in cards if is_action(card)]
        for card, expected in zip(drawn, side.order, strict=False):
            if is_known(card) and is_known(expected) and card != expected:
                found.append(Fault("R505", {"owner": owner, "card": card, "expected": expected}))
                break


def _plainly_there(side: Side, cards: t.Cards) -> bool:
    """The quick answer for nearly every draw: enough of everything, whatever is drawn."""
    count = len(cards)
    if side.influence_pile < count or side.action_pile < count or side.order is not None:
        return False
    unseen = side.unseen
    for card in cards:
        if unseen[card] < count:
            return False
    return True


def late_or_passive(state: State, token: t.Token, found: Found) -> None:
    if state.passive:
        found.append(Fault("R604", {"token": token}))
    else:
        in_order(state, token, found)


def fits(side: Side, shown: t.Cards, cards: list[int]) -> bool:
    """Whether cards of a side can be those that were shown: as many, with nothing on either side that the other denies.

    A card of unknown identity may be any that has not been seen elsewhere, on the table as well as in what is shown.
    """
    if len(shown) != len(cards):
        return False
    # What is shown stands from high to low, so a sort the other way round suffices.
    if sorted(cards, reverse=True) == list(shown) or sorted(shown) == sorted(cards):
        return True
    strange = 0
    for card in set(shown):
        if is_known(card) and (more := shown.count(card) - cards.count(card)) > 0:
            if more > side.unseen[card]:
                return False
            strange += more
    return strange <= cards.count(SOME_INFLUENCE)


def replacement(state: State, owner: int, card: int | None, rule: DrawRule, field: str, found: Found) -> None:
    side = state.sides[owner]
    if card is None:
        if rule is DrawRule.COMPULSORY and side.influence_pile + side.action_pile:
            found.append(Fault("R506", {"owner": owner, "field": field}))
    elif rule is DrawRule.NEVER:
        found.append(Fault("R507", {"owner": owner, "field": field}))
    else:
        may_draw(side, owner, (card,), state.edition, found)
