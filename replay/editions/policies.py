"""What the members of each closed set mean: one function a set, the only place that tells its members apart.

Each has a table of all members; a test asks for every one of them. The engine asks once an edition
(:class:`tironian.replay.rules.ruleset.Ruleset`); law, mechanics and the generator of moves read the answers, never the
members.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ...notation.cards import SOME_ACTION, VETO
from ...notation.tokens import ACT, DRAW, REVEAL, SPECIAL
from .choices import (
    Allowed,
    DeviceGone,
    DrawRule,
    EmptySide,
    ExhaustCheck,
    FirstAction,
    FullCheck,
    FullSide,
    LonePhilosopher,
    OneOut,
    OrgyRemoval,
    OrgyVariant,
    Passive,
    Placement,
    PlacementReading,
    SpecialTiming,
    Starter,
    TaylorScoring,
    UnchosenMissions,
    YesNo,
)

MAY_DRAW: Final = 1
MUST_DRAW: Final = 2
"""What :func:`replacement` adds up."""


class PlacingPolicy(NamedTuple):
    """How cards may be placed in a turn: the most of them, of those face up and of those face down."""

    most: int
    most_up: int
    most_down: int
    may_mix: bool
    """Whether a face-up and a face-down card may be placed in one turn."""
    up_alone: bool
    """Whether one card face up is enough; otherwise a second one must follow (D2)."""


class OneOutPolicy(NamedTuple):
    """How the game goes on for two players of whom one is out of influence cards."""

    skips_turns: bool
    """Whether the player without influence cards has no more turns."""
    lone_draws: bool
    """Whether the other player still draws cards."""
    final_turn: bool
    """Whether the other player has only one turn left."""


class FullCheckPolicy(NamedTuple):
    """When a full side is looked for."""

    at_start: bool
    at_placement: bool
    at_once: bool


class OrgyPolicy(NamedTuple):
    """How many plain orgies are left out from the start, and whether one more goes when two groups are emptied."""

    left_out: int
    one_goes_later: bool


class OrgyRemovalPolicy(NamedTuple):
    """When the orgy goes that variant A removes."""

    at_once: bool
    when_revealed: bool


def placing(rule: Placement) -> PlacingPolicy:
    """Return how cards may be placed in a turn (D1, D2)."""
    return {
        Placement.DOWN_AND_UP: PlacingPolicy(most=2, most_up=1, most_down=1, may_mix=True, up_alone=True),
        Placement.DOWN_OR_TWO_UP: PlacingPolicy(most=2, most_up=2, most_down=1, may_mix=False, up_alone=False),
        Placement.ONE_OR_TWO_DOWN: PlacingPolicy(most=2, most_up=0, most_down=2, may_mix=True, up_alone=True),
    }[rule]


def placement_as_read(reading: PlacementReading, printed: Placement) -> Placement:
    """Return how cards are placed by a reading of the French erratum (D1)."""
    return {PlacementReading.CORRECTED: printed, PlacementReading.UNCORRECTED: Placement.ONE_OR_TWO_DOWN}[reading]


def replacement(rule: DrawRule) -> int:
    """Return MAY_DRAW and MUST_DRAW as they apply to the card in place of a spied or a veto card (F3, F10)."""
    return {DrawRule.COMPULSORY: MAY_DRAW | MUST_DRAW, DrawRule.OPTIONAL: MAY_DRAW, DrawRule.NEVER: 0}[rule]


def passive_turns(rule: Passive) -> tuple[bool, bool]:
    """Return whether there are passive turns, and whether they draw just as many cards as they exchanged (H1)."""
    return {Passive.NONE: (False, False), Passive.REPLACE: (True, True), Passive.FILL_UP: (True, False)}[rule]


def first_action(rule: FirstAction) -> tuple[int, ...]:
    """Return the action card of the starting hand, or none; SOME_ACTION stands for any of them (B6)."""
    return {FirstAction.NONE: (), FirstAction.VETO: (VETO,), FirstAction.ANY: (SOME_ACTION,)}[rule]


def first_action_as_read(experienced: YesNo, printed: FirstAction) -> FirstAction:
    """Return the action card of the starting hand where ``experienced`` players may choose it (B6)."""
    return {YesNo.NO: printed, YesNo.YES: FirstAction.ANY}[experienced]


def rome_may_begin(rule: Starter) -> bool:
    """Return whether Caesar may have the first turn (B11)."""
    return {Starter.CLEOPATRA: False, Starter.LOSER: True}[rule]


def goes_at_once(rule: DeviceGone) -> bool:
    """Return whether the bust or vote card of an emptied group goes at once, not when it is revealed (I5)."""
    return {DeviceGone.AT_ONCE: True, DeviceGone.WHEN_REVEALED: False}[rule]


def one_out(rule: OneOut) -> OneOutPolicy:
    """Return how the game goes on when only one player has influence cards left (N4)."""
    return {
        OneOut.SKIP_A: OneOutPolicy(skips_turns=False, lone_draws=True, final_turn=False),
        OneOut.SKIP_TURN: OneOutPolicy(skips_turns=True, lone_draws=True, final_turn=False),
        OneOut.NO_DRAWS: OneOutPolicy(skips_turns=True, lone_draws=False, final_turn=False),
        OneOut.FINAL_TURN: OneOutPolicy(skips_turns=True, lone_draws=False, final_turn=True),
    }[rule]


def full_side(rule: FullSide) -> tuple[bool, bool]:
    """Return whether a full side ends the game in any turn, and whether in the turns of a lone player (N5)."""
    return {
        FullSide.ANY_PLAYER: (True, True),
        FullSide.LONE_PLAYER: (False, True),
        FullSide.NOBODY: (False, False),
    }[rule]


def full_check(rule: FullCheck) -> FullCheckPolicy:
    """Return when a full side is looked for (N6)."""
    return {
        FullCheck.TURN_START: FullCheckPolicy(at_start=True, at_placement=False, at_once=False),
        FullCheck.AT_PLACEMENT: FullCheckPolicy(at_start=False, at_placement=True, at_once=False),
        FullCheck.IMMEDIATE: FullCheckPolicy(at_start=True, at_placement=False, at_once=True),
    }[rule]


def exhausted_at_once(rule: ExhaustCheck) -> bool:
    """Return whether exhausted influence cards end the game at once, not at the end of the turn (N3)."""
    return {ExhaustCheck.TURN_END: False, ExhaustCheck.IMMEDIATE: True}[rule]


def order_as_read(timing: SpecialTiming, printed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the steps of a turn in their order by a reading of when special votes are held (C5)."""
    return {SpecialTiming.BEFORE_REVEAL: printed, SpecialTiming.TURN_END: (ACT, REVEAL, DRAW, SPECIAL)}[timing]


def lone_philosopher_ties(rule: LonePhilosopher) -> bool:
    """Return whether nobody wins a vote between philosophers and nothing (K6)."""
    return {LonePhilosopher.TIE: True, LonePhilosopher.WINS: False}[rule]


def empty_side(rule: EmptySide) -> tuple[bool, bool]:
    """Return whether an empty side against a philosopher with numbers makes a tie, and whether it loses (K13)."""
    return {EmptySide.WINS: (False, False), EmptySide.TIE: (True, False), EmptySide.LOSES: (False, True)}[rule]


def orgies(variant: OrgyVariant) -> OrgyPolicy:
    """Return what a house variant does to the plain orgies (P1, P2)."""
    return {
        OrgyVariant.NONE: OrgyPolicy(left_out=0, one_goes_later=False),
        OrgyVariant.A: OrgyPolicy(left_out=0, one_goes_later=True),
        OrgyVariant.B: OrgyPolicy(left_out=1, one_goes_later=False),
    }[variant]


def orgy_removal(rule: OrgyRemoval) -> OrgyRemovalPolicy:
    """Return when variant A takes its orgy out (P1)."""
    return {
        OrgyRemoval.WHEN_REVEALED: OrgyRemovalPolicy(at_once=False, when_revealed=True),
        OrgyRemoval.AT_ONCE: OrgyRemovalPolicy(at_once=True, when_revealed=False),
        OrgyRemoval.NEVER: OrgyRemovalPolicy(at_once=False, when_revealed=False),
    }[rule]


def most_unchosen(rule: UnchosenMissions, held: int) -> int:
    """Return how many of the ``held`` missions count, of which none was chosen (M3)."""
    return {UnchosenMissions.BEST: 1, UnchosenMissions.BOTH: held, UnchosenMissions.NONE: 0}[rule]


def scores_literally(rule: TaylorScoring) -> bool:
    """Return whether majorities count in finished groups only, and whole groups without those nobody won (O2)."""
    match rule:
        case TaylorScoring.SWAPPED:
            return False
        case TaylorScoring.LITERAL:
            return True


def is_yes(answer: YesNo) -> bool:
    """Return whether a switch is on."""
    return {YesNo.NO: False, YesNo.YES: True}[answer]


def is_allowed(permission: Allowed) -> bool:
    """Return whether something may be done."""
    return {Allowed.ALLOWED: True, Allowed.FORBIDDEN: False}[permission]
