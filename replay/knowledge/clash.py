"""A conflict in words: which tokens clash, and why they can't all be true."""

from __future__ import annotations

from ...notation.cards import PLAYER_NAMES
from ...notation.record import Record
from ..law import Fault
from ..naming import card_name, count_word, group_name, join, several
from .verdict import Conflict, Spot


def clash_fault(conflict: Conflict) -> Fault:
    """The conflict as a fault of the registry: ``problem`` is a sentence."""
    return Fault("C913", {"problem": _problem(conflict)})


def clash_labels(conflict: Conflict, record: Record) -> list[tuple[Spot, str]]:
    """What is to be said at each of its tokens but the last, where the sentence itself stands."""
    owner = PLAYER_NAMES[conflict.side]
    found = []
    for spot, cards in conflict.tokens[:-1]:
        named = [card for card in cards if conflict.card in (None, card)]
        each = [(card, named.count(card)) for card in sorted({*named}, reverse=True)]
        words = join([card_name(card) if count == 1 else several(card, count) for card, count in each] or ["this"])
        found.append((spot, f"{words}, {owner}'s, at {record.turns[spot[0]].label}"))
    return found


def _problem(conflict: Conflict) -> str:
    owner = PLAYER_NAMES[conflict.side]
    if conflict.group is not None:
        return f"no cards that can lie at {group_name(conflict.group)} explain how this vote went and what followed"
    if conflict.card is None:
        return f"no cards that {owner} can have drawn explain these words together"
    there = "there is only one" if conflict.copies == 1 else f"there are only {count_word(conflict.copies)}"
    shown = sum(cards.count(conflict.card) for _, cards in conflict.tokens)
    began = conflict.named - shown
    with_them = f", with {count_word(began)} that {owner} began with," if began > 0 else ""
    return f"together these{with_them} are {several(conflict.card, conflict.named)} of {owner}'s; {there}"
