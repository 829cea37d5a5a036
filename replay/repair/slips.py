"""The slips that people make when they record a game: one table, with how often each happens.

The weights are the shares of all slips, as far as the table can tell; only their proportions matter.
"""

from __future__ import annotations

from enum import Enum
from math import log
from typing import Final

from ...notation.cards import CARD_KINDS, HIGHEST, NUMBERS


class Slip(Enum):
    """A kind of slip: its word in JSON, its weight, and what it is called."""

    cost: float
    """How seldom it happens: the negative logarithm of its weight."""
    title: str

    def __new__(cls, word: str, weight: float, title: str) -> Slip:
        """Return a member whose value is its word."""
        member = object.__new__(cls)
        member._value_, member.cost, member.title = word, -log(weight), title
        return member

    CARD = "card", 0.20, "a wrong card"
    GROUP = "group", 0.12, "a wrong group"
    GROUPS_EXCHANGED = "groups_exchanged", 0.03, "two groups exchanged"
    BRACKETS = "brackets", 0.08, "brackets forgotten or too many"
    WINNER = "winner", 0.05, "a wrong winner"
    COLUMNS = "columns", 0.03, "the cards of a vote in the wrong columns"
    TOO_FEW = "too_few", 0.08, "a card left out of a word"
    TOO_MANY = "too_many", 0.03, "a card too many in a word"
    OMITTED = "omitted", 0.06, "a word left out"
    VETO = "veto", 0.02, "an unwritten veto"
    DOUBLED = "doubled", 0.03, "a word written twice"
    ORDER = "order", 0.04, "words in the wrong order"
    EXTRA = "extra", 0.005, "a word too many"
    OTHER_WORD = "other_word", 0.02, "a different word"
    SPELLING = "spelling", 0.05, "a word that can't be read"
    DETAIL = "detail", 0.01, "a wrong number or sign"
    LABEL = "label", 0.04, "a wrong number or side of a turn"
    TURN_DOUBLED = "turn_doubled", 0.02, "a turn written twice"
    TURN_ORDER = "turn_order", 0.01, "two turns in the wrong order"
    TURN_OMITTED = "turn_omitted", 0.03, "a turn left out"
    SETUP = "setup", 0.02, "cards of the set-up exchanged"
    STARTER = "starter", 0.001, "a wrong starter"
    RULES = "rules", 0.02, "other rules"
    RESULT = "result", 0.04, "a wrong result"
    ON_THE_WAY = "on_the_way", 0.05, "changed on its way"


_CONFUSED: Final = frozenset({frozenset({3, 5}), frozenset({2, 5}), frozenset({1, 4}), frozenset({2, 3})})
"""Cards whose signs look alike in handwriting."""
_NEAR: Final = 4.0
"""How much more often a card is taken for one that looks like it or is its neighbour than for any other."""


def _likeness(one: int, other: int) -> float:
    """Return how easily a card is written for another, in proportion."""
    if one == other:
        return 0.0
    neighbours = one in NUMBERS and other in NUMBERS and abs(one - other) == 1
    if neighbours or {one, other} in _CONFUSED:
        return _NEAR
    return 1.0 if (one <= HIGHEST) == (other <= HIGHEST) else 0.25


_WEIGHTS: Final = [[_likeness(card, other) for other in range(CARD_KINDS)] for card in range(CARD_KINDS)]
SHARE: Final = [[weight / sum(weights) for weight in weights] for weights in _WEIGHTS]
"""``SHARE[meant][written]``: how often a wrong card is this one."""
