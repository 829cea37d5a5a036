"""What the laws of several tokens share: groups in play, cards in a hand, cards in a pile."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation.cards import INFLUENCE_KINDS, SOME_INFLUENCE
from ....notation.codes import CARD, UNKNOWN_SLOT, WIDTH, decode
from ...editions.choices import MAY_DRAW, MUST_DRAW
from ..fault import Faults, add
from ..layout import ACTION_PILE, CARD_ROW, DOUBTED, HAND, INFLUENCE_PILE, LEFT, UNSEEN
from ..sequences import end_of, first_of, is_influence, unknown_card_like
from ..state import State


def in_play(state: State, group: i64, faults: Faults) -> bool:
    """Return whether a group still has patricians; note a fault if it has none."""
    if state.cells[LEFT + group]:
        return True
    add(faults, "R202" if state.rules.sizes[group] else "R201", {"group": group})
    return False


def in_order(state: State, code: i64, code2: i64, place: i64, faults: Faults) -> None:
    """Note a fault if a token belongs to an earlier step, at ``place`` in the turn."""
    if place < state.stage:
        facts = {"token": decode(code, code2), "now": state.rules.order[state.stage]}
        add(faults, "R601", facts)


def late_or_passive(state: State, code: i64, code2: i64, place: i64, faults: Faults) -> None:
    """Note a fault if a token comes too late in the turn, or in a passive turn."""
    if state.passive:
        add(faults, "R604", {"token": decode(code, code2)})
    else:
        in_order(state, code, code2, place, faults)


def holds(state: State, side: i64, card: i64) -> bool:
    """Return whether a hand may hold a card, as far as the record shows what it holds."""
    cells, hand = state.cells, HAND + CARD_ROW * side
    if cells[hand + card] > 0:
        return True
    some = unknown_card_like(card)
    if card == some:
        for kind in range(first_of(some), end_of(some)):
            if cells[hand + kind]:
                return True
        return False
    return cells[hand + some] > 0 and cells[UNSEEN + CARD_ROW * side + card] > 0


def must_hold(state: State, owner: i64, card: i64, faults: Faults) -> None:
    """Note a fault if a hand can't hold a card."""
    if not holds(state, owner, card):
        add(faults, "R203", {"owner": owner, "card": card})


def may_draw(state: State, owner: i64, count: i64, cards: i64, faults: Faults) -> None:
    """Note what is wrong with drawing these cards from the piles, one after another (G1, G2, B8)."""
    if not _can_be_drawn(state, owner, count, cards):
        _judge_draw(state, owner, [cards >> WIDTH * place & CARD for place in range(count)], faults)


def _can_be_drawn(state: State, owner: i64, count: i64, cards: i64) -> bool:
    """Return whether these cards can be drawn."""
    cells, order = state.cells, state.orders[owner]
    unseen = UNSEEN + CARD_ROW * owner
    actions: i64 = 0
    for place in range(count):
        card = cards >> WIDTH * place & CARD
        if card < SOME_INFLUENCE and cells[unseen + card] <= place:  # else there are enough, even if all are alike
            # Counted one by one: compiled, a shifted 1 has 32 bits, too few for counts of action cards.
            copies: i64 = 1
            for before in range(place):
                if cards >> WIDTH * before & CARD == card:
                    copies += 1
            if copies > cells[unseen + card]:
                return False
        if not is_influence(card):
            if order is not None and actions < len(order) and order[actions] != card:
                return False
            actions += 1
    return actions <= cells[ACTION_PILE + owner] and count - actions <= cells[INFLUENCE_PILE + owner]


def _judge_draw(state: State, owner: i64, cards: list[int], faults: Faults) -> None:
    cells = state.cells
    drawn = [card for card in cards if not is_influence(card)]
    if len(cards) - len(drawn) > cells[INFLUENCE_PILE + owner]:
        add(faults, "R502", {"owner": owner, "pile": "influence", "left": cells[INFLUENCE_PILE + owner]})
    if len(drawn) > cells[ACTION_PILE + owner]:
        add(faults, "R502", {"owner": owner, "pile": "action", "left": cells[ACTION_PILE + owner]})
    for card in set(cards):
        if card >= SOME_INFLUENCE:
            continue
        if not is_influence(card) and not state.rules.actions[card]:
            add(faults, "R303", {"card": card})
        elif cards.count(card) > cells[UNSEEN + CARD_ROW * owner + card]:
            add(faults, "R504", {"owner": owner, "card": card})
    _judge_order(state, owner, drawn, faults)


def _judge_order(state: State, owner: i64, drawn: list[int], faults: Faults) -> None:
    """Note the first action card that is not the next one in an ordered pile (B8)."""
    for card, expected in zip(drawn, state.orders[owner] or (), strict=False):
        if card != expected and card < SOME_INFLUENCE and expected < SOME_INFLUENCE:
            add(faults, "R505", {"owner": owner, "card": card, "expected": expected})
            break


def replacement(state: State, owner: i64, card: i64, rule: i64, field: str, faults: Faults) -> None:
    """Note what is wrong with the card drawn to replace a spied card or a veto; ``card`` is -1 for none (F3, F10)."""
    if card < 0:
        if rule & MUST_DRAW and state.cells[INFLUENCE_PILE + owner] + state.cells[ACTION_PILE + owner]:
            add(faults, "R506", {"owner": owner, "field": field})
    elif not rule & MAY_DRAW:
        add(faults, "R507", {"owner": owner, "field": field})
    else:
        may_draw(state, owner, 1, card, faults)


def fits(state: State, side: i64, shown: i64, lying: i64) -> bool:
    """Return whether a side's cards can be those that were shown, both as counts: as many, with no contradiction.

    An unknown card may be any that has not been seen elsewhere, on the table or in what is shown. If the record of the
    cards is in doubt, only their number counts.
    """
    if shown == lying:
        return True
    if number_of(shown) != number_of(lying):
        return False
    if state.cells[DOUBTED + side]:
        return True
    strange: i64 = 0
    for card in range(i64(INFLUENCE_KINDS)):
        excess = (shown >> WIDTH * card & CARD) - (lying >> WIDTH * card & CARD)
        if excess > 0:
            if excess > state.cells[UNSEEN + CARD_ROW * side + card]:
                return False
            strange += excess
    return strange <= lying >> WIDTH * UNKNOWN_SLOT & CARD


def number_of(counts: i64) -> i64:
    """Return how many cards some counts add up to."""
    number: i64 = 0
    while counts:
        number += counts & CARD
        counts >>= WIDTH
    return number
