"""The closed sets of behaviours in which editions differ. Readings and house variants are choices too.

Rule points are those of ``docs/rules.md``.
"""

from __future__ import annotations

from enum import Enum
from typing import Self


class Choice(Enum):
    """A closed set of behaviours; the value is the word that a person reads and writes.

    ``words`` say what it means, where that word would not explain itself.
    """

    words: str

    def __new__(cls, value: str, words: str = "") -> Self:
        made = object.__new__(cls)
        made._value_ = value
        made.words = words or value
        return made

    def __str__(self) -> str:
        return str(self.value)


class Placement(Choice):
    """How many cards may be placed in a turn, and which way up (D1, D2)."""

    DOWN_AND_UP = "one down and one up"
    DOWN_OR_TWO_UP = "one down or two up"
    ONE_OR_TWO_DOWN = "one or two down"


class DrawRule(Choice):
    """Whether a card is drawn in place of a spied or a veto card (F3, F10)."""

    COMPULSORY = "compulsory"
    OPTIONAL = "optional"
    NEVER = "never"


class Passive(Choice):
    """What a passive turn draws (H1)."""

    NONE = "no passive turns"
    REPLACE = "as many as were discarded"
    FILL_UP = "up to the hand limit"


class FirstAction(Choice):
    """The action card of the starting hand (B6)."""

    NONE = "none"
    VETO = "veto"
    ANY = "any"


class Starter(Choice):
    """Who begins (B11)."""

    CLEOPATRA = "Cleopatra"
    LOSER = "Cleopatra, later the loser of the last game"


class DeviceGone(Choice):
    """When the bust or vote card of an emptied group leaves the game (I5)."""

    AT_ONCE = "at once"
    WHEN_REVEALED = "when it is revealed"


class OneOut(Choice):
    """How the game goes on when only one player has influence cards left (N4)."""

    SKIP_A = "skip_A", "skips only the placing"
    SKIP_TURN = "skip_turn", "skips whole turns"
    NO_DRAWS = "no_draws", "skips whole turns; the other plays his hand without drawing"
    FINAL_TURN = "final_turn", "the other has one final turn to place his hand"


class FullSide(Choice):
    """Whom a side with five own cards at every remaining group ends the game for (N5)."""

    ANY_PLAYER = "any player"
    LONE_PLAYER = "the lone player"
    NOBODY = "nobody"


class FullCheck(Choice):
    """When that end is found (N6)."""

    TURN_START = "turn_start", "at the start of that player's turn"
    AT_PLACEMENT = "at_placement", "when that player has to place"
    IMMEDIATE = "immediate", "as soon as the last place is taken"


class ExhaustCheck(Choice):
    """When the end by exhausted influence cards is found (N3)."""

    TURN_END = "turn_end", "at the end of the turn"
    IMMEDIATE = "immediate", "at once"


class SpecialTiming(Choice):
    """When a special vote is held (C5)."""

    BEFORE_REVEAL = "before_reveal", "before the bust or vote card"
    TURN_END = "turn_end", "after everything else in the turn"


class LonePhilosopher(Choice):
    """Only philosophers on one side, nothing on the other (K6)."""

    TIE = "tie", "nobody wins"
    WINS = "wins", "the philosopher wins"


class EmptySide(Choice):
    """An empty side against a philosopher with numbers (K13)."""

    WINS = "wins", "the empty side wins"
    TIE = "tie", "nobody wins"
    LOSES = "loses", "the empty side loses"


class OrgyVariant(Choice):
    """The house variants with fewer orgies (P1, P2)."""

    NONE = "none", "not played"
    A = "A", "one orgy less when two groups are gone"
    B = "B", "one orgy less from the start"


class OrgyRemoval(Choice):
    """When variant A takes its orgy out (P1)."""

    WHEN_REVEALED = "when the next one is revealed"
    AT_ONCE = "at once"
    NEVER = "no such variant"


class UnchosenMissions(Choice):
    """Two missions still held at the end (M3)."""

    BEST = "best", "the better one counts"
    BOTH = "both", "both count"
    NONE = "none", "neither counts"


class TaylorScoring(Choice):
    """How the brackets at majority and whole group are read (O2)."""

    SWAPPED = "swapped", "corrected: the two brackets are swapped"
    LITERAL = "literal", "as printed: majorities in finished groups only"


class PlacementReading(Choice):
    """Whether the French erratum on placing is followed (D1)."""

    CORRECTED = "corrected", "the corrected text: one down or two up"
    UNCORRECTED = "uncorrected", "the uncorrected text: one or two down"


class YesNo(Choice):
    """A plain switch."""

    NO = "no"
    YES = "yes"


class Allowed(Choice):
    """Whether something may be done."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
