"""Cards as the engine has them: integers, sequences of four bits for each, and counts of four bits for each kind."""

from __future__ import annotations

from mypy_extensions import i64

from ...notation.cards import SOME_ACTION, SOME_INFLUENCE
from ...notation.codes import SOME_SLOT


def in_sequence(code: i64, count: i64) -> list[int]:
    """Return the cards of a sequence, oldest first."""
    cards: list[int] = []
    for _card in range(count):
        cards.append(code & 15)
        code >>= 4
    return cards


def counts_in(code: i64, count: i64) -> i64:
    """Return how many there are of each card in a sequence of influence cards, as counts."""
    counts: i64 = 0
    one: i64 = 1
    for _card in range(count):
        slot = code & 15
        if slot == SOME_INFLUENCE:
            slot = SOME_SLOT
        counts += one << 4 * slot
        code >>= 4
    return counts


def without_one(code: i64, place: i64) -> i64:
    """Return a sequence without the card at a place."""
    above = code >> 4 * place
    return code - (above << 4 * place) | above >> 4 << 4 * place


def as_sequence(cards: list[int]) -> i64:
    """Return cards, not more than fit, as a sequence."""
    code: i64 = 0
    shift: i64 = 0
    for each in cards:
        card: i64 = each
        code |= card << shift
        shift += 4
    return code


def some_of(card: i64) -> i64:
    """Return the card of unknown identity of a card's kind."""
    if is_influence(card):
        return SOME_INFLUENCE
    return SOME_ACTION


def is_influence(card: i64) -> bool:
    """Whether a card code is an influence card."""
    return card <= 5 or card == SOME_INFLUENCE


def is_action(card: i64) -> bool:
    """Whether a card lies in the action pile."""
    return 6 <= card <= 11 or card == SOME_ACTION
