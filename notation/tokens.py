"""The tokens of a turn: one value for each thing that happened at the table.

A token says what was written, legal or not; it knows nothing of the rules of play.
Cards, groups and sides are the integers of :mod:`tironian.notation.cards`. ``None`` means "not written".

>>> turn = tironian.parse("7E (3)A 5Q =o +3x\\n")[0].record.turns[0]
>>> turn.tokens[0] == tironian.tokens.Place(card=3, group=tironian.Group.AEDILE, hidden=True)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

Cards: TypeAlias = tuple[int, ...]

SETUP: Final = 0
ACT: Final = 1
"""Placing influence cards, the action card, the veto, passing."""
SPECIAL: Final = 2
REVEAL: Final = 3
"""Drawing the bust or turning up the vote card, and its vote."""
DRAW: Final = 4
ANY: Final = 5
"""The choice of missions follows the vote that emptied the first group, whichever that was."""


@dataclass(frozen=True, slots=True)
class Place:
    """``5Q`` face up, ``(3)A`` face down, ``(i)A`` a card that the writer does not know."""

    card: int
    group: int
    hidden: bool


@dataclass(frozen=True, slots=True)
class Assassinate:
    """``x4P``, ``x(2)P``, ``x(2)P#2``; announced only: ``xP``, ``xP#2``. ``position`` counts hidden cards from 1."""

    card: int | None
    group: int
    hidden: bool
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Scout:
    """``sA(52)``: the hidden cards that were turned up, from high to low; ``sA``: not written."""

    group: int
    seen: Cards | None = None


@dataclass(frozen=True, slots=True)
class Wrath:
    """``wA``: wrath of the gods."""

    group: int


@dataclass(frozen=True, slots=True)
class Castle:
    """``cA(53)Q(1)``: the cards afterwards at both groups, oldest first; ``cAQ``: announced only."""

    first: int
    second: int
    cards_first: Cards | None = None
    cards_second: Cards | None = None


@dataclass(frozen=True, slots=True)
class Spy:
    """``y4``, ``y4+i`` with the victim's replacement, ``y[3345x]4`` with the hand seen; ``y``: announced only."""

    card: int | None = None
    draw: int | None = None
    hand: Cards | None = None


@dataclass(frozen=True, slots=True)
class Veto:
    """``v``, ``v+3``: the opponent vetoes the action named just before (and draws a replacement)."""

    draw: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """``-34`` discards of a passive turn; ``-`` alone (no cards): no exchange, or no influence card placed."""

    cards: Cards = ()


@dataclass(frozen=True, slots=True)
class Vote:
    """``=A433:52>R``. Shown cards from high to low; ``winner`` is a side or TIE."""

    group: int
    rome: Cards | None = None
    egypt: Cards | None = None
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class SpecialVote:
    """``*A433:5522>R``: a special vote, written as a vote is."""

    group: int
    rome: Cards | None = None
    egypt: Cards | None = None
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class NoVote:
    """``=o`` grey bust or orgy; ``=r`` black bust or the orgy after which all is shuffled (``reset``)."""

    reset: bool


@dataclass(frozen=True, slots=True)
class PutAway:
    """``=A-``: the vote card of an emptied group leaves the game, the next one is turned up."""

    group: int


@dataclass(frozen=True, slots=True)
class ChooseMission:
    """``mR1``: that side keeps its first mission; ``kept`` is 1, 2 or None for ``?``."""

    side: int
    kept: int | None


@dataclass(frozen=True, slots=True)
class Draw:
    """``+34``, ``+ia``: cards drawn, in order; the card's kind tells the pile."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Mission:
    """One mission as a predicate of a closed set, or as free text.

    ``kind``: ``majority`` or ``all`` (with ``group``), ``each``, ``majorities`` or ``patricians`` (with
    ``count``), ``text`` (with ``text``), ``unknown``.
    """

    kind: str
    group: int | None = None
    count: int | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Missions:
    """``m(Q)``, ``m(12,A*)``: the missions dealt to a side, in the set-up."""

    missions: tuple[Mission, ...]


@dataclass(frozen=True, slots=True)
class ActionOrder:
    """``a(cvvyxw…)``: the action pile as its owner ordered it, top first."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Hand:
    """``h(135xv)``: the hand, in the set-up of a position."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Gained:
    """``g(AAQ)``: patricians won so far, in the set-up of a position."""

    groups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """``d(55x)``: the discard pile, in the set-up of a position."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Bag:
    """``b(APoor)``: busts or vote cards that can still come, in the set-up of a position.

    ``groups`` are the groups, ``blanks`` how many ``o``, ``resets`` how many ``r``.
    """

    groups: tuple[int, ...]
    blanks: int
    resets: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A word that is no token. It is kept as it stood, and reported by the reader."""

    text: str


Token: TypeAlias = (
    Place | Assassinate | Scout | Wrath | Castle | Spy | Veto | Discard | Vote | SpecialVote | NoVote | PutAway
    | ChooseMission | Draw | Missions | ActionOrder | Hand | Gained | Spent | Bag | Unread
)  # fmt: skip
AnyVote: TypeAlias = Vote | SpecialVote
Action: TypeAlias = Assassinate | Scout | Wrath | Castle | Spy
ACTIONS: Final = (Assassinate, Scout, Wrath, Castle, Spy)
STEPS: Final[dict[type, int]] = {
    **dict.fromkeys((Place, Assassinate, Scout, Wrath, Castle, Spy, Veto, Discard), ACT),
    SpecialVote: SPECIAL,
    **dict.fromkeys((Vote, NoVote, PutAway), REVEAL),
    Draw: DRAW,
    **dict.fromkeys((ChooseMission, Unread), ANY),
    **dict.fromkeys((Missions, ActionOrder, Hand, Gained, Spent, Bag), SETUP),
}
"""Kind of token → the step of a turn to which it belongs."""
