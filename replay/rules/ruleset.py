"""An edition as plain integers, as the engine asks for it at every token."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mypy_extensions import i64

from ...notation.arrays import vec
from ...notation.codes import STEP
from ..editions.choices import (
    Allowed,
    Choice,
    DeviceGone,
    ExhaustCheck,
    FullCheck,
    LonePhilosopher,
    OrgyRemoval,
    OrgyVariant,
    YesNo,
)
from ..editions.edition import MOST_EDITIONS, Edition

GROUP_COUNT: Final = 6
STEP_COUNT: Final = 6
NO_LIMIT: Final = 1 << 30
"""In place of a limit that an edition does not have."""
OPENING_SET: Final = (1, 2, 3, 4, 5)
"""One set is placed, another is the first hand (B5, B6)."""

# The members of the choices that the engine asks for, in their order. A test holds both equal.
DOWN_AND_UP: Final = 0
DOWN_OR_TWO_UP: Final = 1
ONE_OR_TWO_DOWN: Final = 2
COMPULSORY: Final = 0
OPTIONAL: Final = 1
NEVER: Final = 2
NO_PASSIVE: Final = 0
REPLACE: Final = 1
FILL_UP: Final = 2
SKIP_A: Final = 0
SKIP_TURN: Final = 1
NO_DRAWS: Final = 2
FINAL_TURN: Final = 3
ANY_PLAYER: Final = 0
LONE_PLAYER: Final = 1
NOBODY: Final = 2
AT_TURN_START: Final = 0
AT_PLACEMENT: Final = 1
AT_ANY_TIME: Final = 2
EMPTY_WINS: Final = 0
EMPTY_TIES: Final = 1
EMPTY_LOSES: Final = 2


class Ruleset:
    """The values of an edition that a turn depends on. Lists are indexed by group, card or step."""

    def __init__(self, edition: Edition) -> None:
        groups = list(edition.groups)
        self.groups: vec[i64] = _numbers(groups)
        self.sizes: vec[i64] = _numbers([edition.groups.get(group, 0) for group in range(GROUP_COUNT)])
        """Patricians of each group."""
        self.every_group: i64 = sum([1 << group for group in groups])
        """The groups as bits."""
        self.actions: vec[i64] = _numbers([edition.actions.get(card, 0) for card in range(14)])
        """Copies of each action card."""
        order = list(edition.order)
        self.order: vec[i64] = _numbers(order)
        self.steps: i64 = len(order)
        self.rank: list[int] = [order.index(step) if step in order else -1 for step in range(STEP_COUNT)]
        """Step → its place in the turn, -1 for what belongs nowhere in it."""
        self.places: i64 = sum([self.rank[step] + 1 << 4 * kind for kind, step in enumerate(STEP)])
        """For each kind of token the place of its step in the turn and one more, in four bits."""
        self.side_limit: i64 = edition.side_limit
        self.total_limit: i64 = NO_LIMIT if edition.total_limit is None else edition.total_limit
        self.hand_limit: i64 = edition.hand_limit
        self.special: i64 = edition.special_threshold
        self.placement: i64 = _number(edition.placement)
        self.passive: i64 = _number(edition.passive)
        self.one_out: i64 = _number(edition.one_out)
        self.full_side: i64 = _number(edition.full_side)
        self.full_check: i64 = _number(edition.full_check)
        self.spy_draw: i64 = _number(edition.spy_draw)
        self.veto_draw: i64 = _number(edition.veto_draw)
        self.empty_side: i64 = _number(edition.empty_side)
        self.exhaust_at_once: bool = edition.exhaust_check is ExhaustCheck.IMMEDIATE
        self.watch: bool = self.exhaust_at_once or edition.full_check is FullCheck.IMMEDIATE
        """Whether the end has to be looked for after every card placed (N3, N6)."""
        self.first_reveal: bool = edition.first_reveal
        self.action_needs_influence: bool = edition.action_needs_influence
        self.action_between: bool = edition.action_between
        self.assassinate_hidden: bool = edition.assassinate_hidden
        self.null_forbidden: bool = edition.null_actions is Allowed.FORBIDDEN
        self.special_repeat: bool = edition.special_repeat is YesNo.YES
        self.gone_at_once: bool = edition.device_gone is DeviceGone.AT_ONCE
        self.lone_ties: bool = edition.lone_philosopher is LonePhilosopher.TIE
        variant_a = edition.orgy_variant is OrgyVariant.A
        self.orgy_at_once: bool = variant_a and edition.orgy_removal is OrgyRemoval.AT_ONCE
        self.orgy_when_revealed: bool = variant_a and edition.orgy_removal is OrgyRemoval.WHEN_REVEALED
        self.missions_dealt: i64 = edition.missions_dealt
        self.blanks: i64 = edition.blanks
        self.resets: i64 = edition.resets


def _numbers(values: list[int]) -> vec[i64]:
    return vec[i64]([i64(value) for value in values])


def _number(choice: Choice) -> int:
    return list(type(choice)).index(choice)


@lru_cache(maxsize=MOST_EDITIONS)
def ruleset(edition: Edition) -> Ruleset:
    """Return the values of an edition that a turn depends on."""
    return Ruleset(edition)


def lost_blanks(edition: Edition, emptied: int) -> int:
    """How many orgies have left the game for sure where so many groups are emptied (P1)."""
    gone = edition.orgy_variant is OrgyVariant.A and edition.orgy_removal is OrgyRemoval.AT_ONCE
    return int(gone and emptied >= 2)
