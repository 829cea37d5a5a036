"""The closed sets of behaviours in which editions differ. Readings and house variants are choices too.

Each member has its word and the attributes that its set requires. Nothing else tells members apart:
:class:`tironian.replay.rules.ruleset.Ruleset` looks the attributes up once for each edition, and law, mechanics and the
generator of moves read them there. Rule points are those of ``docs/rules.md``.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, Self

from ...notation.cards import SOME_ACTION, VETO
from ...notation.language import phrase
from ...notation.tokens import ACT, DRAW, REVEAL, SPECIAL

ALL: Final = 1 << 30
"""Stands for a number without a limit."""
MAY_DRAW: Final = 1
MUST_DRAW: Final = 2
"""What :class:`DrawRule` adds up."""


class Choice(Enum):
    """A closed set of behaviours; the value is the word that a person reads and writes.

    ``words`` say what it means, in the language that is spoken: they follow a colon if the word does not explain
    itself.
    """

    _words: str

    def __new__(cls, text: str, *_meaning: Any) -> Self:
        made = object.__new__(cls)
        made._value_, _, words = text.partition(": ")
        made._words = words or text
        return made

    @property
    def words(self) -> str:
        return phrase(self._words)

    def __str__(self) -> str:
        return str(self.value)


class Placement(Choice):
    """How many cards may be placed in a turn, and which way up (D1, D2).

    ``most`` is the limit, ``most_up`` and ``most_down`` those for face-up and face-down cards. ``may_mix``: whether one
    of each may be placed in one turn. ``up_alone``: whether one face-up card is enough; if not, a second must follow.
    """

    DOWN_AND_UP = "one down and one up", "one face down and one face up, or a single card", (2, 1, 1), (True, True)
    DOWN_OR_TWO_UP = "one down or two up", "one face down, or two face up", (2, 2, 1), (False, False)
    ONE_OR_TWO_DOWN = "one or two down", "one or two, face down", (2, 0, 2), (True, True)

    def __init__(self, _text: str, ways: str, most: tuple[int, int, int], may: tuple[bool, bool]) -> None:
        self.ways = ways
        """The ways in which cards may be placed, as a message."""
        self.most, self.most_up, self.most_down = most
        self.may_mix, self.up_alone = may


class DrawRule(Choice):
    """Whether a card is drawn to replace a spied card or a veto (F3, F10): MAY_DRAW and MUST_DRAW, added up."""

    COMPULSORY = "compulsory", MAY_DRAW | MUST_DRAW
    OPTIONAL = "optional", MAY_DRAW
    NEVER = "never", 0

    def __init__(self, _text: str, draws: int) -> None:
        self.draws = draws


class Passive(Choice):
    """What a passive turn draws (H1): whether there are such turns, and whether they replace the cards exchanged."""

    NONE = "no passive turns", False, False
    REPLACE = "as many as were discarded", True, True
    FILL_UP = "up to the hand limit", True, False

    def __init__(self, _text: str, may_pass: bool, replaces: bool) -> None:
        self.may_pass, self.replaces = may_pass, replaces


class FirstAction(Choice):
    """The action card of the starting hand, or none; SOME_ACTION stands for any of them (B6)."""

    NONE = "none", ()
    VETO = "veto", (VETO,)
    ANY = "any", (SOME_ACTION,)

    def __init__(self, _text: str, cards: tuple[int, ...]) -> None:
        self.cards = cards


class Starter(Choice):
    """Who begins (B11)."""

    CLEOPATRA = "Cleopatra", False
    LOSER = "Cleopatra, later the loser of the last game", True

    def __init__(self, _text: str, rome_may_begin: bool) -> None:
        self.rome_may_begin = rome_may_begin


class DeviceGone(Choice):
    """When the bust or vote card of an emptied group leaves the game (I5)."""

    AT_ONCE = "at once", True
    WHEN_REVEALED = "when it is revealed", False

    def __init__(self, _text: str, at_once: bool) -> None:
        self.at_once = at_once


class OneOut(Choice):
    """How the game goes on when only one player has influence cards left (N4).

    ``skips_turns``: whether the player without them has no more turns; ``draws`` and ``final_turn``: whether the other,
    who is then alone, still draws cards, and has only one turn left.
    """

    SKIP_A = "skip_A: skips only the placing", False, True, False
    SKIP_TURN = "skip_turn: skips whole turns", True, True, False
    NO_DRAWS = "no_draws: skips whole turns; the other plays out their hand without drawing", True, False, False
    FINAL_TURN = "final_turn: the other has one final turn to place their hand", True, False, True

    def __init__(self, _text: str, skips_turns: bool, draws: bool, final_turn: bool) -> None:
        self.skips_turns, self.draws, self.final_turn = skips_turns, draws, final_turn


class FullSide(Choice):
    """For whom five own cards at every remaining group end the game (N5): for anybody, or for a lone player."""

    ANY_PLAYER = "any player", True, True
    LONE_PLAYER = "the lone player", False, True
    NOBODY = "nobody", False, False

    def __init__(self, _text: str, ends: bool, ends_lone: bool) -> None:
        self.ends, self.ends_lone = ends, ends_lone


class FullCheck(Choice):
    """When that end is found (N6)."""

    TURN_START = "turn_start: at the start of that player's turn", True, False, False
    AT_PLACEMENT = "at_placement: when that player has to place", False, True, False
    IMMEDIATE = "immediate: as soon as the last place is taken", True, False, True

    def __init__(self, _text: str, at_start: bool, at_placement: bool, at_once: bool) -> None:
        self.at_start, self.at_placement, self.at_once = at_start, at_placement, at_once


class ExhaustCheck(Choice):
    """When it is found that the influence cards are exhausted, which ends the game (N3)."""

    TURN_END = "turn_end: at the end of the turn", False
    IMMEDIATE = "immediate: at once", True

    def __init__(self, _text: str, at_once: bool) -> None:
        self.at_once = at_once


class SpecialTiming(Choice):
    """When a special vote is held (C5); ``order``: the steps of a turn, empty for those of the edition."""

    BEFORE_REVEAL = "before_reveal: before the bust or vote card", ()
    TURN_END = "turn_end: after everything else in the turn", (ACT, REVEAL, DRAW, SPECIAL)

    def __init__(self, _text: str, order: tuple[int, ...]) -> None:
        self.order = order


class LonePhilosopher(Choice):
    """Only philosophers on one side, nothing on the other (K6)."""

    TIE = "tie: nobody wins", True
    WINS = "wins: the philosopher wins", False

    def __init__(self, _text: str, ties: bool) -> None:
        self.ties = ties


class EmptySide(Choice):
    """An empty side against a philosopher with numbers (K13): whether that is a tie, and whether the side loses."""

    WINS = "wins: the empty side wins", False, False
    TIE = "tie: nobody wins", True, False
    LOSES = "loses: the empty side loses", False, True

    def __init__(self, _text: str, ties: bool, loses: bool) -> None:
        self.ties, self.loses = ties, loses


class OrgyVariant(Choice):
    """The house variants with fewer orgies (P1, P2): how many are left out from the start, and whether one goes later.

    It goes when two groups are emptied.
    """

    NONE = "none: not played", 0, False
    A = "A: one orgy fewer once two groups have been emptied", 0, True
    B = "B: one orgy fewer from the start", 1, False

    def __init__(self, _text: str, left_out: int, one_goes_later: bool) -> None:
        self.left_out, self.one_goes_later = left_out, one_goes_later


class OrgyRemoval(Choice):
    """When variant A removes its orgy (P1)."""

    WHEN_REVEALED = "when the next one is revealed", False, True
    AT_ONCE = "at once", True, False
    NEVER = "no such variant", False, False

    def __init__(self, _text: str, at_once: bool, when_revealed: bool) -> None:
        self.at_once, self.when_revealed = at_once, when_revealed


class UnchosenMissions(Choice):
    """How many missions count at the end if none of them was chosen (M3)."""

    BEST = "best: the better one counts", 1
    BOTH = "both: both count", ALL
    NONE = "none: neither counts", 0

    def __init__(self, _text: str, most: int) -> None:
        self.most = most


class TaylorScoring(Choice):
    """How the parentheses on majorities and whole groups are read (O2).

    ``literal``: majorities count in finished groups only, and a whole group need not include patricians nobody won.
    """

    SWAPPED = "swapped: the two brackets are swapped (corrected)", False
    LITERAL = "literal: as printed (majorities in finished groups only)", True

    def __init__(self, _text: str, literal: bool) -> None:
        self.literal = literal


class PlacementReading(Choice):
    """Whether the French erratum on placing is followed (D1); ``placement`` then replaces what is printed."""

    CORRECTED = "corrected: the corrected text (one down or two up)", None
    UNCORRECTED = "uncorrected: the uncorrected text (one or two down)", Placement.ONE_OR_TWO_DOWN

    def __init__(self, _text: str, placement: Placement | None) -> None:
        self.placement = placement


class YesNo(Choice):
    """A plain switch."""

    NO = "no", False
    YES = "yes", True

    def __init__(self, _text: str, on: bool) -> None:
        self.on = on


class Allowed(Choice):
    """Whether something may be done."""

    ALLOWED = "allowed", True
    FORBIDDEN = "forbidden", False

    def __init__(self, _text: str, allowed: bool) -> None:
        self.allowed = allowed
