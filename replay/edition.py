"""What an edition is: one flat, complete table of values, each with the place where the rules say so.

A difference in behaviour is a value of a closed set. Readings and house variants are values too: an edition lists
which of its values a record may change in its ``Rulings`` header (rule points are those of ``docs/rules.md``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from ..notation.cards import GROUP_LETTERS
from ..notation.tokens import ACT, DRAW, REVEAL, SPECIAL


class Choice(Enum):
    """A closed set of behaviours; the value is the word that a person reads and writes."""

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

    SKIP_A = "skip_A"
    SKIP_TURN = "skip_turn"
    NO_DRAWS = "no_draws"
    FINAL_TURN = "final_turn"


class FullSide(Choice):
    """Whom a side with five own cards at every remaining group ends the game for (N5)."""

    ANY_PLAYER = "any player"
    LONE_PLAYER = "the lone player"
    NOBODY = "nobody"


class FullCheck(Choice):
    """When that end is found (N6)."""

    TURN_START = "turn_start"
    AT_PLACEMENT = "at_placement"
    IMMEDIATE = "immediate"


class ExhaustCheck(Choice):
    """When the end by exhausted influence cards is found (N3)."""

    TURN_END = "turn_end"
    IMMEDIATE = "immediate"


class SpecialTiming(Choice):
    """When a special vote is held (C5)."""

    BEFORE_REVEAL = "before_reveal"
    TURN_END = "turn_end"


class LonePhilosopher(Choice):
    """Only philosophers on one side, nothing on the other (K6)."""

    TIE = "tie"
    WINS = "wins"


class EmptySide(Choice):
    """An empty side against a philosopher with numbers (K13)."""

    WINS = "wins"
    TIE = "tie"
    LOSES = "loses"


class OrgyVariant(Choice):
    """The house variants with fewer orgies (P1, P2)."""

    NONE = "none"
    A = "A"
    B = "B"


class OrgyRemoval(Choice):
    """When variant A takes its orgy out (P1)."""

    WHEN_REVEALED = "when the next one is revealed"
    AT_ONCE = "at once"
    NEVER = "no such variant"


class UnchosenMissions(Choice):
    """Two missions still held at the end (M3)."""

    BEST = "best"
    BOTH = "both"
    NONE = "none"


class TaylorScoring(Choice):
    """How the brackets at majority and whole group are read (O2)."""

    SWAPPED = "swapped"
    LITERAL = "literal"


class PlacementReading(Choice):
    """Whether the French erratum on placing is followed (D1)."""

    CORRECTED = "corrected"
    UNCORRECTED = "uncorrected"


class YesNo(Choice):
    """A plain switch."""

    NO = "no"
    YES = "yes"


class Allowed(Choice):
    """Whether something may be done."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class Cite:
    """A value's warrant: the rule points that treat it, and the document and section (or the reason)."""

    points: tuple[str, ...]
    text: str


@dataclass(frozen=True, eq=False, slots=True)
class Edition:
    """One rule set, complete. Counts are numbers of cards; groups are in the order of the table."""

    name: str
    title: str
    # material
    groups: Mapping[int, int]
    """Group → patricians, in the order of the table."""
    influence_copies: int
    philosophers: int
    actions: Mapping[int, int]
    """Action card → copies."""
    blanks: int
    """Grey busts or plain orgies."""
    resets: int
    missions_dealt: int
    mission_groups: tuple[int, ...]
    """Groups that the printed missions name, or none where the missions are not printed."""
    mission_copies: int
    # set-up
    first_action: FirstAction
    experienced: YesNo
    ordered_actions: bool
    starter: Starter
    # the turn
    hand_limit: int
    order: tuple[int, ...]
    """The steps of a turn, in order."""
    first_reveal: bool
    """Whether the starting player reveals in the very first turn."""
    passive: Passive
    placement: Placement
    placement_reading: PlacementReading
    side_limit: int
    total_limit: int | None
    action_between: bool
    """Whether an action may stand between two placements."""
    action_needs_influence: bool
    assassinate_hidden: bool
    null_actions: Allowed
    spy_draw: DrawRule
    veto_draw: DrawRule
    # votes
    special_threshold: int
    special_timing: SpecialTiming
    special_repeat: YesNo
    device_gone: DeviceGone
    lone_philosopher: LonePhilosopher
    empty_side: EmptySide
    orgy_variant: OrgyVariant
    orgy_removal: OrgyRemoval
    # the end
    one_out: OneOut
    full_side: FullSide
    full_check: FullCheck
    exhaust_check: ExhaustCheck
    # scoring
    patrician_points: int
    majority_points: int
    whole_points: int
    mission_points: int
    taylor_scoring: TaylorScoring
    unchosen_missions: UnchosenMissions
    tie_break: bool
    """Whether more patricians decide between equal points."""
    # what may be changed, and why each value is what it is
    options: Mapping[str, tuple[str, ...]]
    """Option of the ``Rulings`` header → its values here, the default first."""
    cites: Mapping[str, Cite]
    """Field → its warrant. Every field from ``groups`` to ``tie_break`` has one."""
    laws: Mapping[str, Cite] = field(default_factory=dict)
    """Rules that are alike in all editions, so that no value stands for them: key → its warrant."""
    declared: Mapping[str, str] = field(default_factory=dict)
    """The options that were changed: option → value."""

    def cite(self, field: str) -> Cite:
        """The warrant of a value or of a rule that has none; an empty one for what is no rule."""
        return self.cites.get(field) or self.laws.get(field) or Cite((), "")

    def with_options(self, options: Mapping[str, str]) -> Edition:
        """This edition with further readings and variants. ValueError, with a sentence to show, for a wrong one."""
        return load_edition(self.name, tuple(sorted({**self.declared, **options}.items())))


OPTION_FIELDS: Final = {"placement": "placement_reading"}
"""Options whose field has another name."""


def check_option(edition: Edition, name: str, value: str) -> str:
    """What is wrong with an option, as a sentence; empty where nothing is."""
    if name not in edition.options:
        known = ", ".join(edition.options)
        return f"the {edition.name} rules have no option “{name}”; they have {known}"
    if value not in edition.options[name]:
        return f"“{name}” can be {' or '.join(edition.options[name])}, not “{value}”"
    return ""


def _settle(edition: Edition) -> Edition:
    """Carry an option's choice into the values that depend on it. Once only: it starts from the printed rules."""
    changed: dict[str, Any] = {}
    if edition.placement_reading is PlacementReading.UNCORRECTED:
        changed["placement"] = Placement.ONE_OR_TWO_DOWN
    if edition.experienced is YesNo.YES:
        changed["first_action"] = FirstAction.ANY
    if edition.special_timing is SpecialTiming.TURN_END:
        changed["order"] = (ACT, REVEAL, DRAW, SPECIAL)
    if edition.orgy_variant is OrgyVariant.B:
        changed["blanks"] = edition.blanks - 1
    return replace(edition, **changed)


MOST_EDITIONS: Final = 256
"""Editions that are remembered, with what follows from them: options can be put together in more ways than that."""
EDITION_NAMES: Final = ("2024", "1997", "fr", "taylor")


@lru_cache(maxsize=MOST_EDITIONS)
def load_edition(name: str, options: tuple[tuple[str, str], ...] = ()) -> Edition:
    """The edition called ``name`` with options changed. ValueError, with a sentence to show, for an unknown one."""
    if name not in EDITION_NAMES:
        raise ValueError(f"there is no rule set “{name}”; there are {', '.join(EDITION_NAMES)}")
    base: Edition = import_module(f".editions.rules_{name}", __package__).EDITION
    changed: dict[str, Any] = {}
    for option, value in options:
        if problem := check_option(base, option, value):
            raise ValueError(problem)
        place = OPTION_FIELDS.get(option, option)
        changed[place] = type(getattr(base, place))(value)
    return _settle(replace(base, **changed, declared=dict(options))) if changed else base


def rule_fields() -> list[str]:
    """The names of the values that are rules, in the order of the table."""
    names = [field.name for field in fields(Edition)]
    return names[names.index("groups") : names.index("options")]


def group_letters(edition: Edition) -> str:
    """The letters of the edition's groups in the order of the table, ``PQAKC``."""
    return "".join(GROUP_LETTERS[group] for group in edition.groups)
