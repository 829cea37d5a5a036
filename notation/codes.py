"""Tokens as integers, for an engine that reads millions of them.

A token's code is one integer of at most 62 bits, or two. The number of its kind is at bits 0 to 3, and :data:`LAYOUT`
says which bits hold what, here and wherever codes are read in place (in compiled modules, a function for each field
would take five times as long as the shift that it stands for).

A card, a number of cards and a count have four bits, a group and a winner three, a position eight, a side one. A field
that need not be written is 0 if it isn't; a value that can be 0 is then stored plus 1, or a bit of its own says so. A
sequence holds cards in order, four bits for each, the first lowest, after their number; counts say how many there are
of each kind of card, if the order has no meaning. A word with more cards than fit has no code (OTHER), nor does a word
that no turn can have.

Actions and the veto have the same numbers as their cards. Four bits hold fifteen kinds, and a card + 1 for fifteen
cards; fourteen of each are in use. One more action card fits, and its kind stands between VETO and CHOOSE. A second one
would need wider fields here and in every sequence of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from . import tokens as t
from .cards import ASSASSINATION, CARD_KINDS, INFLUENCE_KINDS, SOME_INFLUENCE, high_to_low

OTHER: Final = 0
PLACE: Final = 1
DRAW: Final = 2
VOTE: Final = 3
SPECIAL_VOTE: Final = 4
NO_VOTE: Final = 5
PUT_AWAY: Final = 6
DISCARD: Final = 7
ASSASSINATE: Final = 8
SCOUT: Final = 9
WRATH: Final = 10
CASTLE: Final = 11
SPY: Final = 12
VETO: Final = 13
CHOOSE: Final = 14

KIND: Final = 15
"""The bits of a code that hold its kind."""
CARD: Final = 15
"""The bits of a card, not shifted."""
GROUP: Final = 7
"""The bits of a group, not shifted."""
POSITION: Final = 255
"""The bits of a place among face-down cards, not shifted."""
WIDTH: Final = 4
"""How many bits a card takes in a sequence, the number of cards before it, and in counts each kind of card."""

# Where fields begin: of a placement,
CARD_AT: Final = 4
PLACED_GROUP_AT: Final = 8
PLACED_HIDDEN_AT: Final = 11
# of a draw and a discard,
COUNT_AT: Final = 4
CARDS_AT: Final = COUNT_AT + WIDTH
# of a vote (and the group of each action; where it ends, for what only asks for kind and group),
GROUP_AT: Final = 4
GROUP_ENDS: Final = 7
WINNER_AT: Final = 7
ROME_WRITTEN_AT: Final = 10
EGYPT_WRITTEN_AT: Final = 11
ROME_AT: Final = 12
# of a device that calls no vote,
RESET_AT: Final = 4
# of an assassination,
TARGET_HIDDEN_AT: Final = 7
POSITION_AT: Final = 8
TARGET_AT: Final = 16
# of a scout,
SEEN_WRITTEN_AT: Final = 7
SEEN_AT: Final = 8
# of a castling,
SECOND_AT: Final = 7
SPLIT_WRITTEN_AT: Final = 10
FIRST_COUNT_AT: Final = 11
FIRST_CARDS_AT: Final = FIRST_COUNT_AT + WIDTH
# of a spy, whose card begins where a placement's does, and a veto,
SPY_DRAW_AT: Final = 8
HAND_WRITTEN_AT: Final = 12
VETO_DRAW_AT: Final = 4
# and of the choice of a mission.
SIDE_AT: Final = 4
KEPT_AT: Final = 5

WINNER_BITS: Final = GROUP << WINNER_AT
BOTH_WRITTEN: Final = 1 << ROME_WRITTEN_AT | 1 << EGYPT_WRITTEN_AT
"""The bits of a vote that say whether Rome's and Egypt's cards are written."""
TURN_END: Final = 0
"""Stands in for a move: the turn ends."""
ANNOUNCED_ONLY: Final = 1 << 60
"""Added to the first code of a move if the action is announced and then vetoed."""

ACTION_KINDS: Final = 1 << ASSASSINATE | 1 << SCOUT | 1 << WRATH | 1 << CASTLE | 1 << SPY
"""The kinds of action cards, one bit each."""
MAX_CARDS: Final = 11
"""The most cards of a sequence that fit into every code."""
MAX_COPIES: Final = 15
"""The most cards of one kind that a count can hold."""
UNKNOWN_SLOT: Final = INFLUENCE_KINDS
"""The place of unknown influence cards in the counts of a column."""

Codes = tuple[int, int]
"""A token's code and its second one, 0 if it has none."""
VoteContent = tuple[int, t.Cards | None, t.Cards | None, int | None]
"""The contents of a vote: its group, Rome's cards, Egypt's cards and the winner."""


def sequence(cards: Sequence[int]) -> int:
    """Return cards in their order as one integer."""
    code = 0
    for place, card in enumerate(cards):
        code |= card << WIDTH * place
    return code


def cards_of(code: int, count: int) -> t.Cards:
    """Return the ``count`` cards of a sequence."""
    return tuple([code >> WIDTH * place & CARD for place in range(count)])


def column_counts(cards: Sequence[int]) -> int:
    """Return the counts of all influence cards, as one integer; negative if there are too many."""
    slots = [UNKNOWN_SLOT if card == SOME_INFLUENCE else card for card in cards]
    return -1 if ASSASSINATION in cards or max(slots, default=0) > UNKNOWN_SLOT else hand_counts(slots)


@lru_cache(maxsize=1 << 14)
def column_of(code: int) -> t.Cards:
    """Return the influence cards in counts, from high to low."""
    slots = hand_of(code & (1 << WIDTH * UNKNOWN_SLOT + WIDTH) - 1)
    return high_to_low([SOME_INFLUENCE if slot == UNKNOWN_SLOT else slot for slot in slots])


def hand_counts(cards: Sequence[int]) -> int:
    """Return the counts of all cards, as one integer; negative if there are too many."""
    code = 0
    for card in set(cards):
        if (number := cards.count(card)) > MAX_COPIES:
            return -1
        code |= number << WIDTH * card
    return code


def hand_of(code: int) -> t.Cards:
    """Return the cards in the counts of a hand, by code."""
    return tuple([card for card in range(CARD_KINDS) for _ in range(code >> WIDTH * card & CARD)])


class Bits(NamedTuple):
    """Where a field lies in a token's codes: from bit ``at`` on, in the second code if ``second``.

    ``put`` makes a number of a value, a negative one if it does not fit, and ``get`` a value of the bits from there on.
    ``flag`` is the bit that says whether the field is written; 0 if there is no such bit.
    """

    at: int
    put: Callable[[Any], int]
    get: Callable[[int], Any]
    flag: int = 0
    second: bool = False


def _number(at: int, mask: int = CARD) -> Bits:
    return Bits(at, int, lambda code: code & mask)


def _or_none(at: int, mask: int = CARD) -> Bits:
    return Bits(at, lambda number: number + 1, lambda code: (code & mask) - 1 if code & mask else None)


def _counted(at: int, flag: int, second: bool = False) -> Bits:
    return Bits(at, column_counts, column_of, flag, second)


def _row(at: int, flag: int = 0, second: bool = False) -> Bits:
    return Bits(at, row_code, lambda code: cards_of(code >> WIDTH, code & CARD), flag, second)


def row_code(cards: Sequence[int]) -> int:
    """Return the number of cards and their sequence, as one integer; negative if there are too many."""
    return len(cards) | sequence(cards) << WIDTH if len(cards) <= MAX_CARDS else -1


_VOTE: Final = {
    "group": _number(GROUP_AT, GROUP), "rome": _counted(ROME_AT, ROME_WRITTEN_AT),
    "egypt": _counted(0, EGYPT_WRITTEN_AT, True), "winner": _or_none(WINNER_AT, GROUP),
}  # fmt: skip
LAYOUT: Final[dict[type, dict[str, Bits]]] = {
    t.Place: {
        "card": _number(CARD_AT), "group": _number(PLACED_GROUP_AT, GROUP),
        "hidden": Bits(PLACED_HIDDEN_AT, int, lambda code: bool(code & 1)),
    },
    t.Draw: {"cards": _row(COUNT_AT)},
    t.Vote: _VOTE,
    t.SpecialVote: _VOTE,
    t.NoVote: {"reset": Bits(RESET_AT, int, bool)},
    t.PutAway: {"group": _number(GROUP_AT, GROUP)},
    t.Discard: {"cards": _row(COUNT_AT)},
    t.Assassinate: {
        "card": _or_none(TARGET_AT), "group": _number(GROUP_AT, GROUP),
        "hidden": Bits(TARGET_HIDDEN_AT, int, lambda code: bool(code & 1)),
        "position": Bits(
            POSITION_AT, lambda place: place if place <= POSITION else -1, lambda code: code & POSITION or None
        ),
    },
    t.Scout: {"group": _number(GROUP_AT, GROUP), "seen": _counted(SEEN_AT, SEEN_WRITTEN_AT)},
    t.Wrath: {"group": _number(GROUP_AT, GROUP)},
    t.Castle: {
        "first": _number(GROUP_AT, GROUP), "second": _number(SECOND_AT, GROUP),
        "cards_first": _row(FIRST_COUNT_AT, SPLIT_WRITTEN_AT), "cards_second": _row(0, SPLIT_WRITTEN_AT, True),
    },
    t.Spy: {
        "card": _or_none(CARD_AT), "draw": _or_none(SPY_DRAW_AT),
        "hand": Bits(0, hand_counts, hand_of, HAND_WRITTEN_AT, True),
    },
    t.Veto: {"draw": _or_none(VETO_DRAW_AT)},
    t.ChooseMission: {"side": _number(SIDE_AT, 1), "kept": Bits(KEPT_AT, int, lambda code: code or None)},
}  # fmt: skip
"""Class of tokens → its fields, in their order, and their bits; the classes in the order of kinds, from PLACE on."""
CLASSES: Final = tuple(LAYOUT)
STEP: Final[list[int]] = [t.SETUP, *[t.KINDS[each].step for each in CLASSES]]
"""Kind of token → the step of a turn that it belongs to."""
_KINDS: Final = {cls: kind for kind, cls in enumerate(CLASSES, PLACE)}
_FIELDS: Final = [tuple(fields.items()) for fields in LAYOUT.values()]


def encode(token: t.Token) -> Codes:
    """Return the codes of a token that can be written, or ``(OTHER, 0)`` if it has none."""
    # One bit says of both columns that they are written.
    if isinstance(token, t.Castle) and None in (token.cards_first, token.cards_second):
        token = t.Castle(token.first, token.second)
    kind = _KINDS.get(type(token), OTHER)
    code, more = kind, 0
    for name, bits in _FIELDS[kind - 1] if kind else ():
        value = getattr(token, name)
        if value is None:
            continue
        number = bits.put(value)
        if number < 0:
            return OTHER, 0
        if bits.second:
            more |= number << bits.at
        else:
            code |= number << bits.at
        if bits.flag:
            code |= 1 << bits.flag
    return code, more


def is_whole(code: int, more: int) -> bool:
    """Return whether a token's codes hold all its contents: they don't hold the order in which a hand was written."""
    return code != OTHER and not (more and code & KIND == SPY)


def encoded(tokens: Iterable[t.Token]) -> list[int]:
    """Return the codes of tokens one after another, two for each."""
    return [code for token in tokens for code in encode(token)]


def decode(code: int, more: int = 0) -> t.Token:
    """Return the token of a code and its second one. Raise ValueError if it is not the code of a token."""
    kind = code & KIND
    if not PLACE <= kind <= len(CLASSES):
        raise ValueError(f"{code} is not the code of a token")
    return CLASSES[kind - 1](*_values(kind, code, more))


def ballot_of(code: int, more: int) -> VoteContent:
    """Return the contents of a vote from its codes."""
    group, rome, egypt, winner = _values(VOTE, code, more)
    return group, rome, egypt, winner


def _values(kind: int, code: int, more: int) -> list[Any]:
    return [
        None if bits.flag and not code >> bits.flag & 1 else bits.get((more if bits.second else code) >> bits.at)
        for _, bits in _FIELDS[kind - 1]
    ]
