"""What the members of each closed set mean: one function a set, the only place that tells its members apart.

Each function decides every member, so that a new one is a type error here until it has its meaning. The engine asks
once an edition (:class:`tironian.replay.rules.ruleset.Ruleset`); law, mechanics and the generator of moves read the
answers, never the members.
"""

from __future__ import annotations

from typing import Final, NamedTuple, assert_never

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


class PassivePolicy(NamedTuple):
    """Whether there are passive turns, and whether they draw just as many cards as they exchanged."""

    is_allowed: bool
    replaces: bool


class OneOutPolicy(NamedTuple):
    """How the game goes on for two players of whom one is out of influence cards."""

    skips_turns: bool
    """Whether the player without influence cards has no more turns."""
    lone_draws: bool
    """Whether the other player still draws cards."""
    final_turn: bool
    """Whether the other player has only one turn left."""


class FullSidePolicy(NamedTuple):
    """Whether a full side ends the game in any turn, and in the turns of a lone player."""

    for_any: bool
    for_lone: bool


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


class EmptySidePolicy(NamedTuple):
    """What an empty side comes to against a philosopher with numbers; it wins where neither is true."""

    ties: bool
    loses: bool


def placing(rule: Placement) -> PlacingPolicy:
    """Return how cards may be placed in a turn (D1, D2)."""
    match rule:
        case Placement.DOWN_AND_UP:
            return PlacingPolicy(most=2, most_up=1, most_down=1, may_mix=True, up_alone=True)
        case Placement.DOWN_OR_TWO_UP:
            return PlacingPolicy(most=2, most_up=2, most_down=1, may_mix=False, up_alone=False)
        case Placement.ONE_OR_TWO_DOWN:
            return PlacingPolicy(most=2, most_up=0, most_down=2, may_mix=True, up_alone=True)
        case _:
            assert_never(rule)


def placement_as_read(reading: PlacementReading, printed: Placement) -> Placement:
    """Return how cards are placed by a reading of the French erratum (D1)."""
    match reading:
        case PlacementReading.CORRECTED:
            return printed
        case PlacementReading.UNCORRECTED:
            return Placement.ONE_OR_TWO_DOWN
        case _:
            assert_never(reading)


def replacement(rule: DrawRule) -> int:
    """Return MAY_DRAW and MUST_DRAW as they apply to the card in place of a spied or a veto card (F3, F10)."""
    match rule:
        case DrawRule.COMPULSORY:
            return MAY_DRAW | MUST_DRAW
        case DrawRule.OPTIONAL:
            return MAY_DRAW
        case DrawRule.NEVER:
            return 0
        case _:
            assert_never(rule)


def passive_turns(rule: Passive) -> PassivePolicy:
    """Return what a passive turn is (H1)."""
    match rule:
        case Passive.NONE:
            return PassivePolicy(is_allowed=False, replaces=False)
        case Passive.REPLACE:
            return PassivePolicy(is_allowed=True, replaces=True)
        case Passive.FILL_UP:
            return PassivePolicy(is_allowed=True, replaces=False)
        case _:
            assert_never(rule)


def first_action(rule: FirstAction) -> tuple[int, ...]:
    """Return the action card of the starting hand, or none; SOME_ACTION stands for any of them (B6)."""
    match rule:
        case FirstAction.NONE:
            return ()
        case FirstAction.VETO:
            return (VETO,)
        case FirstAction.ANY:
            return (SOME_ACTION,)
        case _:
            assert_never(rule)


def first_action_as_read(experienced: YesNo, printed: FirstAction) -> FirstAction:
    """Return the action card of the starting hand where ``experienced`` players may choose it (B6)."""
    match experienced:
        case YesNo.NO:
            return printed
        case YesNo.YES:
            return FirstAction.ANY
        case _:
            assert_never(experienced)


def rome_may_begin(rule: Starter) -> bool:
    """Return whether Caesar may have the first turn (B11)."""
    match rule:
        case Starter.CLEOPATRA:
            return False
        case Starter.LOSER:
            return True
        case _:
            assert_never(rule)


def goes_at_once(rule: DeviceGone) -> bool:
    """Return whether the bust or vote card of an emptied group goes at once, not when it is revealed (I5)."""
    match rule:
        case DeviceGone.AT_ONCE:
            return True
        case DeviceGone.WHEN_REVEALED:
            return False
        case _:
            assert_never(rule)


def one_out(rule: OneOut) -> OneOutPolicy:
    """Return how the game goes on when only one player has influence cards left (N4)."""
    match rule:
        case OneOut.SKIP_A:
            return OneOutPolicy(skips_turns=False, lone_draws=True, final_turn=False)
        case OneOut.SKIP_TURN:
            return OneOutPolicy(skips_turns=True, lone_draws=True, final_turn=False)
        case OneOut.NO_DRAWS:
            return OneOutPolicy(skips_turns=True, lone_draws=False, final_turn=False)
        case OneOut.FINAL_TURN:
            return OneOutPolicy(skips_turns=True, lone_draws=False, final_turn=True)
        case _:
            assert_never(rule)


def full_side(rule: FullSide) -> FullSidePolicy:
    """Return in whose turns a full side ends the game (N5)."""
    match rule:
        case FullSide.ANY_PLAYER:
            return FullSidePolicy(for_any=True, for_lone=True)
        case FullSide.LONE_PLAYER:
            return FullSidePolicy(for_any=False, for_lone=True)
        case FullSide.NOBODY:
            return FullSidePolicy(for_any=False, for_lone=False)
        case _:
            assert_never(rule)


def full_check(rule: FullCheck) -> FullCheckPolicy:
    """Return when a full side is looked for (N6)."""
    match rule:
        case FullCheck.TURN_START:
            return FullCheckPolicy(at_start=True, at_placement=False, at_once=False)
        case FullCheck.AT_PLACEMENT:
            return FullCheckPolicy(at_start=False, at_placement=True, at_once=False)
        case FullCheck.IMMEDIATE:
            return FullCheckPolicy(at_start=True, at_placement=False, at_once=True)
        case _:
            assert_never(rule)


def exhausted_at_once(rule: ExhaustCheck) -> bool:
    """Return whether exhausted influence cards end the game at once, not at the end of the turn (N3)."""
    match rule:
        case ExhaustCheck.TURN_END:
            return False
        case ExhaustCheck.IMMEDIATE:
            return True
        case _:
            assert_never(rule)


def order_as_read(timing: SpecialTiming, printed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the steps of a turn in their order by a reading of when special votes are held (C5)."""
    match timing:
        case SpecialTiming.BEFORE_REVEAL:
            return printed
        case SpecialTiming.TURN_END:
            return ACT, REVEAL, DRAW, SPECIAL
        case _:
            assert_never(timing)


def lone_philosopher_ties(rule: LonePhilosopher) -> bool:
    """Return whether nobody wins a vote between philosophers and nothing (K6)."""
    match rule:
        case LonePhilosopher.TIE:
            return True
        case LonePhilosopher.WINS:
            return False
        case _:
            assert_never(rule)


def empty_side(rule: EmptySide) -> EmptySidePolicy:
    """Return what an empty side comes to against a philosopher with numbers (K13)."""
    match rule:
        case EmptySide.WINS:
            return EmptySidePolicy(ties=False, loses=False)
        case EmptySide.TIE:
            return EmptySidePolicy(ties=True, loses=False)
        case EmptySide.LOSES:
            return EmptySidePolicy(ties=False, loses=True)
        case _:
            assert_never(rule)


def orgies(variant: OrgyVariant) -> OrgyPolicy:
    """Return what a house variant does to the plain orgies (P1, P2)."""
    match variant:
        case OrgyVariant.NONE:
            return OrgyPolicy(left_out=0, one_goes_later=False)
        case OrgyVariant.A:
            return OrgyPolicy(left_out=0, one_goes_later=True)
        case OrgyVariant.B:
            return OrgyPolicy(left_out=1, one_goes_later=False)
        case _:
            assert_never(variant)


def orgy_removal(rule: OrgyRemoval) -> OrgyRemovalPolicy:
    """Return when variant A takes its orgy out (P1)."""
    match rule:
        case OrgyRemoval.WHEN_REVEALED:
            return OrgyRemovalPolicy(at_once=False, when_revealed=True)
        case OrgyRemoval.AT_ONCE:
            return OrgyRemovalPolicy(at_once=True, when_revealed=False)
        case OrgyRemoval.NEVER:
            return OrgyRemovalPolicy(at_once=False, when_revealed=False)
        case _:
            assert_never(rule)


def most_unchosen(rule: UnchosenMissions, held: int) -> int:
    """Return how many of the ``held`` missions count, of which none was chosen (M3)."""
    match rule:
        case UnchosenMissions.BEST:
            return 1
        case UnchosenMissions.BOTH:
            return held
        case UnchosenMissions.NONE:
            return 0
        case _:
            assert_never(rule)


def scores_literally(rule: TaylorScoring) -> bool:
    """Return whether majorities count in finished groups only, and whole groups without those nobody won (O2)."""
    match rule:
        case TaylorScoring.SWAPPED:
            return False
        case TaylorScoring.LITERAL:
            return True
        case _:
            assert_never(rule)


def is_yes(answer: YesNo) -> bool:
    """Return whether a switch is on."""
    match answer:
        case YesNo.NO:
            return False
        case YesNo.YES:
            return True
        case _:
            assert_never(answer)


def is_allowed(permission: Allowed) -> bool:
    """Return whether something may be done."""
    match permission:
        case Allowed.ALLOWED:
            return True
        case Allowed.FORBIDDEN:
            return False
        case _:
            assert_never(permission)
