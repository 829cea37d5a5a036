"""Names for the integers of cards, groups and sides.

The library keeps plain integers everywhere. A member of these enumerations is such an integer with a name, so that it
can be passed wherever a number is expected and compared with every number that comes back.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self

from .notation import cards


class Lettered(IntEnum):
    """A number that the notation writes as a letter or a digit."""

    @classmethod
    def from_letter(cls, letter: str) -> Self:
        """Return the member that the notation writes as ``letter``; raise ValueError if there is none."""
        letters = _LETTERS[cls]
        if len(letter) != 1 or letter not in letters:
            raise ValueError(f"“{letter}” is none of the letters {letters}")
        return cls(letters.index(letter))

    @property
    def letter(self) -> str:
        """Return the letter or digit that stands for it in the notation."""
        return _LETTERS[self.__class__][self]


class Card(Lettered):
    """A card. The number of an influence card is its influence; a philosopher has none.

    >>> tironian.Card.SPY == 10, tironian.Card.SPY.letter, tironian.Card.from_letter("p").name
    (True, 'y', 'PHILOSOPHER')
    >>> sum([tironian.Card.FIVE, tironian.Card.THREE, tironian.Card.PHILOSOPHER])
    8
    """

    PHILOSOPHER = cards.PHILOSOPHER
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    ASSASSINATION = cards.ASSASSINATION
    SCOUT = cards.SCOUT
    WRATH = cards.WRATH
    CASTLING = cards.CASTLING
    SPY = cards.SPY
    VETO = cards.VETO
    SOME_INFLUENCE = cards.SOME_INFLUENCE
    SOME_ACTION = cards.SOME_ACTION


class Group(Lettered):
    """A group of patricians.

    >>> tironian.Group.PRAETOR == 3, tironian.Group.PRAETOR.letter, tironian.Group.from_letter("Q").name
    (True, 'P', 'QUAESTOR')
    """

    AEDILE = cards.AEDILE
    CENSOR = cards.CENSOR
    CONSUL = cards.CONSUL
    PRAETOR = cards.PRAETOR
    QUAESTOR = cards.QUAESTOR
    SENATOR = cards.SENATOR


class Side(Lettered):
    """A side of the table: Caesar plays Rome, Cleopatra plays Egypt.

    Where a winner is named, ``cards.TIE`` (2) stands for nobody.

    >>> tironian.Side.EGYPT == 1, tironian.Side.EGYPT.letter, tironian.Side.EGYPT.player
    (True, 'E', 'Cleopatra')
    """

    ROME = cards.ROME
    EGYPT = cards.EGYPT

    @property
    def player(self) -> str:
        """Return who plays the side: ``Caesar`` or ``Cleopatra``."""
        return cards.PLAYER_NAMES[self]


_LETTERS: Final[dict[type[Lettered], str]] = {
    Card: cards.CARD_LETTERS,
    Group: cards.GROUP_LETTERS,
    Side: cards.SIDE_LETTERS[: len(Side)],
}
"""Whose letters are which; the one behind those of the sides stands for a tie."""
