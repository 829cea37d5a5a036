"""An edition as plain integers, which the engine uses at every token; the choices in :mod:`..editions.choices` say what
each field means.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from mypy_extensions import i64

from ...notation.arrays import vec
from ...notation.cards import CARD_KINDS, GROUP_COUNT, INFLUENCE_KINDS, NUMBERS, SOME_ACTION
from ...notation.codes import CARDS_AT, COUNT_AT, DRAW, STEP, WIDTH
from ..editions.edition import MAX_EDITIONS, Edition

STEP_COUNT: Final = 6
NO_LIMIT: Final = 1 << 30
"""Stands for a limit that an edition does not have."""
OPENING_SET: Final = tuple(NUMBERS)
"""One set is placed, another is the first hand (B5, B6)."""


class Ruleset:
    """The values of an edition that a turn depends on. Lists are indexed by group, card or step."""

    def __init__(self, edition: Edition) -> None:
        groups = list(edition.groups)
        self.groups: vec[i64] = _numbers(groups)
        self.sizes: vec[i64] = _numbers([edition.groups.get(group, 0) for group in range(GROUP_COUNT)])
        """Patricians of each group."""
        self.every_group: i64 = sum([1 << group for group in groups])
        """The groups as bits."""
        self.patrician_points: i64 = edition.patrician_points
        self.majority_points: i64 = edition.majority_points
        self.whole_points: i64 = edition.whole_points
        self.literal: bool = edition.taylor_scoring.literal
        self.actions: vec[i64] = _numbers([edition.actions.get(card, 0) for card in range(CARD_KINDS)])
        """Copies of each action card."""
        order = list(edition.order)
        self.order: vec[i64] = _numbers(order)
        self.steps: i64 = len(order)
        self.rank: list[int] = [order.index(step) if step in order else -1 for step in range(STEP_COUNT)]
        """Step → its place in the turn, -1 for a step without a place."""
        self.places: i64 = sum([self.rank[step] + 1 << WIDTH * kind for kind, step in enumerate(STEP)])
        """For each kind of token, the place of its step in the turn plus 1, in four bits."""
        self.side_limit: i64 = edition.side_limit
        self.total_limit: i64 = NO_LIMIT if edition.total_limit is None else edition.total_limit
        self.hand_limit: i64 = edition.hand_limit
        self.special: i64 = edition.special_threshold
        placing = edition.placement
        self.most_placed: i64 = placing.most
        self.most_up: i64 = placing.most_up
        self.most_down: i64 = placing.most_down
        self.may_mix: bool = placing.may_mix
        self.up_alone: bool = placing.up_alone
        self.may_pass: bool = edition.passive.may_pass
        self.passive_replaces: bool = edition.passive.replaces
        self.skips_turns: bool = edition.one_out.skips_turns
        self.lone_draws: bool = edition.one_out.draws
        self.final_turn: bool = edition.one_out.final_turn
        self.full_ends: bool = edition.full_side.ends
        self.full_ends_lone: bool = edition.full_side.ends_lone
        self.full_at_start: bool = edition.full_check.at_start
        self.full_at_placement: bool = edition.full_check.at_placement
        self.full_at_once: bool = edition.full_check.at_once
        self.spy_draw: i64 = edition.spy_draw.draws
        self.veto_draw: i64 = edition.veto_draw.draws
        self.empty_ties: bool = edition.empty_side.ties
        self.empty_loses: bool = edition.empty_side.loses
        self.exhaust_at_once: bool = edition.exhaust_check.at_once
        self.watch: bool = self.exhaust_at_once or self.full_at_once
        """Whether to check for the end of the game after every placed card (N3, N6)."""
        self.first_reveal: bool = edition.first_reveal
        self.action_needs_influence: bool = edition.action_needs_influence
        self.action_between: bool = edition.action_between
        self.assassinate_hidden: bool = edition.assassinate_hidden
        self.null_forbidden: bool = not edition.null_actions.allowed
        self.special_repeat: bool = edition.special_repeat.on
        self.gone_at_once: bool = edition.device_gone.at_once
        self.lone_ties: bool = edition.lone_philosopher.ties
        removes = edition.orgy_variant.one_goes_later
        self.orgy_at_once: bool = removes and edition.orgy_removal.at_once
        self.orgy_when_revealed: bool = removes and edition.orgy_removal.when_revealed
        self.missions_dealt: i64 = edition.missions_dealt
        self.chooses_mission: bool = edition.missions_dealt > 1
        """Whether each side keeps one of several missions when the first group is emptied (M1)."""
        self.first_action: tuple[int, ...] = edition.first_action.cards
        self.first_draw: i64 = 0
        """The code of the first action card as it is drawn in the set-up; 0 if none is drawn, -1 if it is chosen."""
        for card in self.first_action:
            self.first_draw = -1 if card == SOME_ACTION else DRAW | 1 << COUNT_AT | card << CARDS_AT
        self.ordered_deck: i64 = 0
        """The number of copies of each action card, four bits each, if their order may be chosen (B8)."""
        if edition.ordered_actions:
            self.ordered_deck = sum(
                [count << WIDTH * (card - INFLUENCE_KINDS) for card, count in edition.actions.items()]
            )
        self.blanks: i64 = edition.blanks
        self.resets: i64 = edition.resets


def _numbers(values: list[int]) -> vec[i64]:
    return vec[i64]([i64(value) for value in values])


@lru_cache(maxsize=MAX_EDITIONS)
def ruleset(edition: Edition) -> Ruleset:
    """Return the values of an edition that a turn depends on."""
    return Ruleset(edition)


def lost_blanks(edition: Edition, emptied: int) -> int:
    """Return how many orgies have certainly left the game once this many groups are emptied (P1)."""
    return int(ruleset(edition).orgy_at_once and emptied >= 2)
