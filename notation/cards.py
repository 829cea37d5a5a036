"""The letters of the notation: cards, groups of patricians, sides.

Cards and groups are small integers, like squares in chess programs. An influence card's number is its value, and the
philosopher is 0 (it adds nothing to a sum, K5), so ``sum(cards)`` is the influence of a column and
``cards.count(PHILOSOPHER)`` the number of its philosophers.

>>> tironian.cards.letters((5, 5, 0)), tironian.cards.GROUP_NAMES[tironian.Group.CONSUL]
('55p', 'Consuls')

The project uses plain integers everywhere. A member of the enumerations is such an integer with a name: it can be
passed wherever a number is expected, and compared with every number that is returned.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self

PHILOSOPHER: Final = 0
HIGHEST: Final = 5
"""The highest number of an influence card."""
INFLUENCE_KINDS: Final = HIGHEST + 1
"""The number of different influence cards: the philosopher and the numbers. The first action card follows them."""
ASSASSINATION: Final = 6
SCOUT: Final = 7
WRATH: Final = 8
CASTLING: Final = 9
SPY: Final = 10
VETO: Final = 11
SOME_INFLUENCE: Final = 12
"""An influence card whose identity the writer does not know."""
SOME_ACTION: Final = 13
"""An action card whose identity the writer does not know."""
CARD_KINDS: Final = SOME_ACTION + 1
"""The number of different cards, including the two of unknown identity."""

NUMBERS: Final = range(1, INFLUENCE_KINDS)
INFLUENCE_CARDS: Final = range(INFLUENCE_KINDS)
ACTION_CARDS: Final = range(INFLUENCE_KINDS, SOME_INFLUENCE)
MAY_BE: Final = {SOME_INFLUENCE: INFLUENCE_CARDS, SOME_ACTION: ACTION_CARDS}
"""A card of unknown identity → the cards that it may be."""

CARD_LETTERS: Final = "p12345xswcyvia"
CARDS: Final = {letter: card for card, letter in enumerate(CARD_LETTERS)}
CARD_NAMES: Final = (
    "philosopher", "1", "2", "3", "4", "5",
    "assassination", "scout", "wrath of the gods", "castling", "spy", "veto",
    "unknown influence card", "unknown action card",
)  # fmt: skip

AEDILE: Final = 0
CENSOR: Final = 1
CONSUL: Final = 2
PRAETOR: Final = 3
QUAESTOR: Final = 4
SENATOR: Final = 5
GROUP_COUNT: Final = SENATOR + 1
GROUP_LETTERS: Final = "ACKPQS"
GROUPS: Final = {letter: group for group, letter in enumerate(GROUP_LETTERS)}
GROUP_NAMES: Final = ("Aediles", "Censors", "Consuls", "Praetors", "Quaestors", "Senators")

ROME: Final = 0
EGYPT: Final = 1
TIE: Final = 2
"""Stands in for the winner's side if nobody won."""
SIDE_LETTERS: Final = "RE-"
SIDE_NAMES: Final = ("Rome", "Egypt")
PLAYER_NAMES: Final = ("Caesar", "Cleopatra")
SIGNS: Final = "▲▼◇"
"""The signs of Rome, Egypt and a tie, for people who can't see the colours."""


def is_influence(card: int) -> bool:
    """Return whether a card is an influence card: 1–5, the philosopher, or one of unknown identity."""
    return card < INFLUENCE_KINDS or card == SOME_INFLUENCE


def is_known(card: int) -> bool:
    """Return whether the card's identity is known."""
    return card < SOME_INFLUENCE


def unknown_card_like(card: int) -> int:
    """Return the unknown card of the same kind as a card."""
    return SOME_INFLUENCE if is_influence(card) else SOME_ACTION


def high_to_low(cards: tuple[int, ...] | list[int]) -> tuple[int, ...]:
    """Return cards in the order in which a vote shows them: high to low, then philosophers, then unknown ones."""
    return tuple(sorted(cards, key=_RANK.__getitem__))


_RANK: Final = (*reversed(INFLUENCE_CARDS), *range(INFLUENCE_KINDS, CARD_KINDS))


def letters(cards: tuple[int, ...] | list[int]) -> str:
    """Return the letters of cards in a row: ``(5, 5, 0)`` gives ``55p``."""
    return "".join([CARD_LETTERS[card] for card in cards])


class Lettered(IntEnum):
    """A number that the notation writes as a letter or a digit."""

    @classmethod
    def from_letter(cls, letter: str) -> Self:
        """Return the member that the notation writes as ``letter``; raise ValueError if there is none."""
        letters = _LETTERS[cls]
        if len(letter) != 1 or letter not in letters:
            raise ValueError(f"“{letter}” is not one of the letters {letters}")
        return cls(letters.index(letter))

    @property
    def letter(self) -> str:
        """Return the letter or digit that stands for the member in the notation."""
        return _LETTERS[self.__class__][self]


class Card(Lettered):
    """A card. The number of an influence card is its influence; a philosopher has none.

    >>> tironian.Card.SPY == 10, tironian.Card.SPY.letter, tironian.Card.from_letter("p").name
    (True, 'y', 'PHILOSOPHER')
    >>> sum([tironian.Card.FIVE, tironian.Card.THREE, tironian.Card.PHILOSOPHER])
    8
    """

    PHILOSOPHER = PHILOSOPHER
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    ASSASSINATION = ASSASSINATION
    SCOUT = SCOUT
    WRATH = WRATH
    CASTLING = CASTLING
    SPY = SPY
    VETO = VETO
    SOME_INFLUENCE = SOME_INFLUENCE
    SOME_ACTION = SOME_ACTION


class Group(Lettered):
    """A group of patricians.

    >>> tironian.Group.PRAETOR == 3, tironian.Group.PRAETOR.letter, tironian.Group.from_letter("Q").name
    (True, 'P', 'QUAESTOR')
    """

    AEDILE = AEDILE
    CENSOR = CENSOR
    CONSUL = CONSUL
    PRAETOR = PRAETOR
    QUAESTOR = QUAESTOR
    SENATOR = SENATOR


class Side(Lettered):
    """A side of the table: Caesar plays Rome, Cleopatra plays Egypt.

    Where a winner is expected, ``cards.TIE`` (2) stands for nobody.

    >>> tironian.Side.EGYPT == 1, tironian.Side.EGYPT.letter, tironian.Side.EGYPT.player
    (True, 'E', 'Cleopatra')
    """

    ROME = ROME
    EGYPT = EGYPT

    @property
    def player(self) -> str:
        """Return who plays the side: ``Caesar`` or ``Cleopatra``."""
        return PLAYER_NAMES[self]


_LETTERS: Final[dict[type[Lettered], str]] = {Card: CARD_LETTERS, Group: GROUP_LETTERS, Side: SIDE_LETTERS[: len(Side)]}
"""The letters of the sides; the one after them stands for a tie."""
