"""A conflict in words: which tokens clash, and why they can't all be true."""

from __future__ import annotations

from ...notation import tokens as t
from ...notation.cards import PLAYER_NAMES
from ...notation.record import Record
from ..diagnostics.names import count_word, group_name, named, several
from ..rules.fault import Fault
from .verdict import Conflict, ConflictingToken, TokenSpot


def conflict_fault(conflict: Conflict, record: Record) -> Fault:
    """The conflict as a fault of the registry: ``problem`` is a sentence."""
    return Fault("C913", {"problem": _problem(conflict, record)})


def conflict_labels(conflict: Conflict, record: Record) -> list[tuple[TokenSpot, str]]:
    """What is to be said at each of its tokens but the last, where the sentence itself stands."""
    return [(clash.spot, _marked(conflict, clash, record)) for clash in conflict.tokens[:-1]]


def _marked(conflict: Conflict, clash: ConflictingToken, record: Record) -> str:
    owner, turn = PLAYER_NAMES[conflict.side], record.turns[clash.spot[0]].label
    if conflict.group is not None:
        return f"what was shown here is not recorded, {turn}"
    if conflict.card is None and _is_view(clash, record):
        return f"{owner}'s hand, seen here, {turn}"
    cards = tuple(card for card in clash.cards if conflict.card in (None, card))
    return f"{_cards(cards)} of {owner}'s, {turn}"


def _cards(cards: t.Cards) -> str:
    return named(cards) if cards else "some card"


def _is_view(clash: ConflictingToken, record: Record) -> bool:
    token = record.turns[clash.spot[0]].tokens[clash.spot[1]]
    return isinstance(token, t.Spy) and token.hand is not None


def _problem(conflict: Conflict, record: Record) -> str:
    owner, last = PLAYER_NAMES[conflict.side], conflict.tokens[-1]
    beside = "given the marked cards, " if len(conflict.tokens) > 1 else ""
    if conflict.group is not None:
        if beside:
            return f"whatever was shown at {group_name(conflict.group)}, this can't have come after it"
        if conflict.by_result:
            return f"no cards that can lie at {group_name(conflict.group)} allow the result that the record gives"
        return f"no cards that can lie at {group_name(conflict.group)} explain how this vote went"
    if conflict.card is None:
        if _is_view(last, record):
            return f"{beside}this can't have been {owner}'s hand"
        return f"{beside}{owner} can't have had {_cards(last.cards)} here{'' if beside else ', whatever was drawn'}"
    there = "there is only one" if conflict.copies == 1 else f"there are only {count_word(conflict.copies)}"
    shown = sum(clash.cards.count(conflict.card) for clash in conflict.tokens)
    began = conflict.named - shown
    with_them = f", with {count_word(began)} that {owner} began with," if began > 0 else ""
    these = f"together these{with_them} are" if beside or with_them else "these are"
    return f"{these} {several(conflict.card, conflict.named)} of {owner}'s; {there}"
