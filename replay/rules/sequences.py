"""Cards as the engine holds them: integers, sequences of four bits a card, and counts of four bits a kind."""

from __future__ import annotations

from mypy_extensions import i64

from ...notation.cards import ASSASSINATION, INFLUENCE_KINDS, SOME_ACTION, SOME_INFLUENCE
from ...notation.codes import ASSASSINATE, CARD, UNKNOWN_SLOT, WIDTH


def in_sequence(code: i64, count: i64) -> list[int]:
    """Return the cards of a sequence, oldest first."""
    cards: list[int] = []
    for _card in range(count):
        cards.append(code & CARD)
        code >>= WIDTH
    return cards


def counts_in(code: i64, count: i64) -> i64:
    """Return how many of each card a sequence of influence cards holds, as counts."""
    counts: i64 = 0
    one: i64 = 1
    for _card in range(count):
        slot = code & CARD
        if slot == SOME_INFLUENCE:
            slot = UNKNOWN_SLOT
        counts += one << WIDTH * slot
        code >>= WIDTH
    return counts


def without_one(code: i64, place: i64) -> i64:
    """Return a sequence without the card at a place."""
    above = code >> WIDTH * place
    return code - (above << WIDTH * place) | above >> WIDTH << WIDTH * place


def as_sequence(cards: list[int]) -> i64:
    """Return cards, no more than fit, as a sequence."""
    code: i64 = 0
    shift: i64 = 0
    for each in cards:
        card: i64 = each
        code |= card << shift
        shift += WIDTH
    return code


def unknown_card_like(card: i64) -> i64:
    """Return the unknown card of the same kind as a card."""
    if is_influence(card):
        return SOME_INFLUENCE
    return SOME_ACTION


def first_of(unknown_card: i64) -> i64:
    """Return the first card that an unknown card may be."""
    if unknown_card == SOME_INFLUENCE:
        return 0
    return INFLUENCE_KINDS


def end_of(unknown_card: i64) -> i64:
    """Return the card after the last one that an unknown card may be."""
    if unknown_card == SOME_INFLUENCE:
        return INFLUENCE_KINDS
    return SOME_INFLUENCE


def is_influence(card: i64) -> bool:
    """Return whether a card code is an influence card."""
    return card < INFLUENCE_KINDS or card == SOME_INFLUENCE


def is_action(card: i64) -> bool:
    """Return whether a card belongs in the action pile."""
    return not is_influence(card)


def action_card(kind: i64) -> i64:
    """Return the card of an action from the kind in its code: both are numbered in the same order."""
    return kind - ASSASSINATE + ASSASSINATION


def target(cards: i64, count: i64, position: i64, card: i64) -> i64:
    """Return the place in a sequence of the card that an assassination hits; -1 if it is unknown or not there.

    ``position`` counts from 1, and is 0 if none is written; ``card`` is -1 if none is written.
    """
    if position:
        if position > count:
            return -1
        return position - 1
    if card < 0 or card == SOME_INFLUENCE:
        for place in range(count):
            if cards >> WIDTH * place & CARD != cards & CARD:
                return -1
        if count:
            return 0
        return -1
    place = place_of(cards, count, card)
    if place < 0:
        return place_of(cards, count, SOME_INFLUENCE)
    return place


def place_of(cards: i64, count: i64, card: i64) -> i64:
    """Return the first place of a card in a sequence, -1 if it is not there."""
    for place in range(count):
        if cards >> WIDTH * place & CARD == card:
            return place
    return -1
