"""Tokens as integers, for an engine that reads millions of them.

A token's code is one integer of at most 62 bits, or two. This table says which bits hold what, here and wherever codes
are read in place (in compiled modules, a function for each field would take five times as long as the shift that it
stands for):

============  ========================================================================================
kind          its number is at bits 0 to 3; what follows has its place from this bit on
============  ========================================================================================
PLACE         card 4, group 8, whether face down 11
DRAW          how many cards 4, their sequence 8
DISCARD       as a draw
VOTE          group 4, winner + 1 at 7 (0: not written), whether Rome's cards are written 10, whether Egypt's 11,
              counts of Rome's 12; second code: counts of Egypt's
SPECIAL_VOTE  as a vote
NO_VOTE       whether all is shuffled 4
PUT_AWAY      group 4
ASSASSINATE   group 4, whether face down 7, position 8 (0: not written), card + 1 at 16 (0: not written)
SCOUT         group 4, whether the cards are written 7, their counts 8
WRATH         group 4
CASTLE        groups 4 and 7, whether the cards are written 10, how many at the first group 11, their sequence 15;
              second code: how many at the second group 0, their sequence 4
SPY           card + 1 at 4 (0: not written), card drawn + 1 at 8 (0: not written), whether the hand is written 12;
              second code: counts of its cards
VETO          card drawn + 1 at 4 (0: not written)
CHOOSE        side 4, mission 5 (0: not known)
============  ========================================================================================

A card, a number of cards and a count have four bits, a group and a winner three, a position eight, a side one. A
sequence holds cards in order, four bits for each, the first lowest; counts say how many there are of each kind of card,
if the order has no meaning. A word with more cards than fit has no code (OTHER), nor does a word that no turn can have.

Actions and the veto have the same numbers as their cards. Four bits hold fifteen kinds, and a card + 1 for fifteen
cards; fourteen of each are in use. One more action card fits, and its kind stands between VETO and CHOOSE. A second one
would need wider fields here and in every sequence of cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, assert_never

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
GROUP_ENDS: Final = 7
"""Where the group of a vote ends."""
WINNER_BITS: Final = 7 << 7
BOTH_WRITTEN: Final = 3 << 10
"""The bits of a vote that say whether Rome's and Egypt's cards are written."""
TURN_END: Final = 0
"""Stands in for a move: the turn ends."""
ANNOUNCED_ONLY: Final = 1 << 60
"""Added to the first code of a move if the action is announced and then vetoed."""

ACTION_KINDS: Final = 1 << ASSASSINATE | 1 << SCOUT | 1 << WRATH | 1 << CASTLE | 1 << SPY
"""The kinds of action cards, one bit each."""
CLASSES: Final[tuple[type[t.Token], ...]] = (
    t.Place, t.Draw, t.Vote, t.SpecialVote, t.NoVote, t.PutAway, t.Discard,
    t.Assassinate, t.Scout, t.Wrath, t.Castle, t.Spy, t.Veto, t.ChooseMission,
)  # fmt: skip
"""The classes of tokens that have codes, in the order of these kinds, beginning with PLACE."""
STEP: Final[list[int]] = [t.SETUP, *[t.KINDS[each].step for each in CLASSES]]
"""Kind of token → the step of a turn that it belongs to."""
MOST_CARDS: Final = 11
"""The most cards of a sequence that fit into every code."""
MOST_ALIKE: Final = 15
"""The most cards of one kind that a count can hold."""
SOME_SLOT: Final = INFLUENCE_KINDS
"""The place of unknown influence cards in the counts of a column."""

Codes = tuple[int, int]
"""A token's code and its second one, 0 if it has none."""
VoteContent = tuple[int, t.Cards | None, t.Cards | None, int | None]
"""The contents of a vote: its group, Rome's cards, Egypt's cards and the winner."""


def encode(token: t.Token) -> Codes:
    """Return the codes of a token that can be written, or ``(OTHER, 0)`` if it has none."""
    match token:
        case t.Place():
            return PLACE | token.card << 4 | token.group << 8 | token.hidden << 11, 0
        case t.Draw():
            return _row(DRAW, token.cards)
        case t.Discard():
            return _row(DISCARD, token.cards)
        case t.Vote():
            return _ballot(VOTE, token)
        case t.SpecialVote():
            return _ballot(SPECIAL_VOTE, token)
        case t.NoVote():
            return NO_VOTE | token.reset << 4, 0
        case t.PutAway():
            return PUT_AWAY | token.group << 4, 0
        case t.Assassinate():
            return _assassination(token)
        case t.Scout():
            return _scouting(token)
        case t.Wrath():
            return WRATH | token.group << 4, 0
        case t.Castle():
            return _castling(token)
        case t.Spy():
            return _spying(token)
        case t.Veto():
            return VETO | _optional(token.draw) << 4, 0
        case t.ChooseMission():
            return CHOOSE | token.side << 4 | (token.kept or 0) << 5, 0
        case t.Missions() | t.ActionOrder() | t.Hand() | t.Gained() | t.Spent() | t.Bag() | t.Unread():
            return OTHER, 0
        case _:
            assert_never(token)


def is_whole(code: int, more: int) -> bool:
    """Return whether a token's codes hold all its contents: they don't hold the order in which a hand was written."""
    return code != OTHER and not (more and code & KIND == SPY)


def _ballot(kind: int, token: t.Vote | t.SpecialVote) -> Codes:
    rome, egypt = column_counts(token.rome or ()), column_counts(token.egypt or ())
    if rome < 0 or egypt < 0:
        return OTHER, 0
    written = (token.rome is not None) << 10 | (token.egypt is not None) << 11
    return kind | token.group << 4 | _optional(token.winner) << 7 | written | rome << 12, egypt


def _row(kind: int, cards: t.Cards) -> Codes:
    return (kind | len(cards) << 4 | sequence(cards) << 8, 0) if len(cards) <= MOST_CARDS else (OTHER, 0)


def _assassination(token: t.Assassinate) -> Codes:
    where = token.group << 4 | token.hidden << 7 | (token.position or 0) << 8
    return (ASSASSINATE | where | _optional(token.card) << 16, 0) if (token.position or 0) <= 255 else (OTHER, 0)


def _scouting(token: t.Scout) -> Codes:
    seen = column_counts(token.seen or ())
    return (SCOUT | token.group << 4 | (token.seen is not None) << 7 | seen << 8, 0) if seen >= 0 else (OTHER, 0)


def _castling(token: t.Castle) -> Codes:
    code = CASTLE | token.first << 4 | token.second << 7
    one, two = token.cards_first, token.cards_second
    if one is None or two is None:
        return code, 0
    if max(len(one), len(two)) > MOST_CARDS:
        return OTHER, 0
    return code | 1 << 10 | len(one) << 11 | sequence(one) << 15, len(two) | sequence(two) << 4


def _spying(token: t.Spy) -> Codes:
    hand = hand_counts(token.hand or ())
    written = (token.hand is not None) << 12
    return (SPY | _optional(token.card) << 4 | _optional(token.draw) << 8 | written, hand) if hand >= 0 else (OTHER, 0)


def encoded(tokens: Iterable[t.Token]) -> list[int]:
    """Return the codes of tokens one after another, two for each."""
    return [code for token in tokens for code in encode(token)]


def _optional(number: int | None) -> int:
    return 0 if number is None else number + 1


def sequence(cards: Sequence[int]) -> int:
    """Return cards in their order as one integer."""
    code = 0
    for place, card in enumerate(cards):
        code |= card << 4 * place
    return code


def cards_of(code: int, count: int) -> t.Cards:
    """Return the ``count`` cards of a sequence."""
    return tuple([code >> 4 * place & 15 for place in range(count)])


def column_counts(cards: Sequence[int]) -> int:
    """Return the counts of all influence cards, as one integer; negative if there are too many."""
    slots = [SOME_SLOT if card == SOME_INFLUENCE else card for card in cards]
    return -1 if ASSASSINATION in cards or max(slots, default=0) > SOME_SLOT else hand_counts(slots)


@lru_cache(maxsize=1 << 14)
def column_of(code: int) -> t.Cards:
    """Return the influence cards in counts, from high to low."""
    return high_to_low([SOME_INFLUENCE if slot == SOME_SLOT else slot for slot in hand_of(code & 0xFFF_FFFF)])


def hand_counts(cards: Sequence[int]) -> int:
    """Return the counts of all cards, as one integer; negative if there are too many."""
    code = 0
    for card in set(cards):
        if (number := cards.count(card)) > MOST_ALIKE:
            return -1
        code |= number << 4 * card
    return code


def hand_of(code: int) -> t.Cards:
    """Return the cards in the counts of a hand, by code."""
    return tuple([card for card in range(CARD_KINDS) for _ in range(code >> 4 * card & 15)])


def decode(code: int, more: int = 0) -> t.Token:
    """Return the token of a code and its second one. Raise ValueError if it is not the code of a token."""
    kind, group = code & KIND, code >> 4 & 7
    match kind:
        case 1:
            return t.Place(code >> 4 & 15, code >> 8 & 7, bool(code >> 11 & 1))
        case 2:
            return t.Draw(cards_of(code >> 8, code >> 4 & 15))
        case 3 | 4:
            return (t.Vote if kind == VOTE else t.SpecialVote)(*ballot_of(code, more))
        case 5:
            return t.NoVote(bool(code >> 4))
        case 6:
            return t.PutAway(group)
        case 7:
            return t.Discard(cards_of(code >> 8, code >> 4 & 15))
        case 8:
            return t.Assassinate(_written(code >> 16), group, bool(code >> 7 & 1), (code >> 8 & 255) or None)
        case 9:
            return t.Scout(group, column_of(code >> 8) if code >> 7 & 1 else None)
        case 10:
            return t.Wrath(group)
        case 11:
            groups = group, code >> 7 & 7
            if not code >> 10 & 1:
                return t.Castle(*groups)
            return t.Castle(*groups, cards_of(code >> 15, code >> 11 & 15), cards_of(more >> 4, more & 15))
        case 12:
            hand = hand_of(more) if code >> 12 & 1 else None
            return t.Spy(_written(code >> 4 & 15), _written(code >> 8 & 15), hand)
        case 13:
            return t.Veto(_written(code >> 4))
        case 14:
            return t.ChooseMission(code >> 4 & 1, (code >> 5) or None)
        case _:
            raise ValueError(f"{code} is not the code of a token")


def ballot_of(code: int, more: int) -> VoteContent:
    """Return the contents of a vote from its codes."""
    rome = column_of(code >> 12) if code >> 10 & 1 else None
    egypt = column_of(more) if code >> 11 & 1 else None
    return code >> 4 & 7, rome, egypt, _written(code >> 7 & 7)


def _written(code: int) -> int | None:
    return code - 1 if code else None
