"""The old edition as Dennis B. B. Taylor's English tutorial tells it."""

from __future__ import annotations

from typing import Final

from ...notation import cards as c
from ...notation import tokens as t
from ..edition import Edition
from .table import edition

EDITION: Final[Edition] = edition(
    "taylor",
    "Old edition, Taylor's English tutorial",
    options={
        "orgy_variant": ("none", "A", "B"),
        "full_check": ("turn_start", "at_placement", "immediate"),
        "exhaust_check": ("turn_end", "immediate"),
        "empty_side": ("wins", "tie", "loses"),
        "taylor_scoring": ("swapped", "literal"),
        "null_actions": ("allowed", "forbidden"),
    },
    # material
    groups=(
        {c.SENATOR: 5, c.PRAETOR: 5, c.QUAESTOR: 5, c.CENSOR: 3, c.AEDILE: 3},
        "Taylor, Constitution of the Forum: 21 in five groups, names and sizes not given; as 1997",
    ),
    influence_copies=(7, "Taylor: copies not given; as in the French club text"),
    philosophers=(2, "Taylor: number not given; as in the French club text"),
    actions=(
        {c.ASSASSINATION: 4, c.SCOUT: 2, c.WRATH: 1, c.CASTLING: 2, c.SPY: 2, c.VETO: 2},
        "Taylor, The Action Cards: 13 cards of six kinds, only the two vetoes counted; as 1997",
    ),
    blanks=(2, "Taylor: eight vote cards, not listed; as 1997"),
    resets=(1, "Taylor, A.3: an orgy that has the discards shuffled back; read as 1997, where all are shuffled"),
    missions_dealt=(1, "Taylor, Party Constitutions: Bonus Goal Cards"),
    mission_groups=(
        (c.PRAETOR, c.QUAESTOR, c.SENATOR),
        "Taylor, Party Constitutions: six cards, texts not given; as 1997",
    ),
    mission_copies=(2, "Taylor, Party Constitutions: six cards, texts not given; as 1997"),
    # set-up
    first_action=("none", "Taylor, Party Constitutions: five influence cards only"),
    experienced=("no", "Taylor: does not apply, the starting hand holds no action card"),
    ordered_actions=(True, "Taylor, Party Constitutions; Advice for newcomers: they shuffle"),
    starter=("Cleopatra", "Taylor, before Actions of an active player: garbled, but Cleopatra goes first"),
    # the turn
    hand_limit=(5, "Taylor, A.3: garbled, read as up to five cards"),
    order=(
        (t.ACT, t.SPECIAL, t.DRAW, t.REVEAL),
        "Taylor, active player; A.3: unclear whether the special vote precedes the refill; as 1997",
    ),
    first_reveal=(True, "Taylor, A.3: no exception for the first turn"),
    passive=("as many as were discarded", "Taylor, A.3, on the passive player"),
    placement=(
        "one down or two up",
        "Taylor, A.1: two face up appears as a piece of advice; read as the second legal way, as 1997",
    ),
    placement_reading=("corrected", "Taylor: does not apply, the erratum is in the French club text"),
    side_limit=(5, "Taylor, A.1"),
    total_limit=(8, "Taylor, A.1"),
    action_between=(True, "Taylor, A.2: any time in the turn"),
    action_needs_influence=(
        True,
        "Taylor, Actions of an active player: he has to place; silent where he holds cards and has no room",
    ),
    assassinate_hidden=(False, "Taylor, The Action Cards: Assassin, whose pronouns are mixed up"),
    null_actions=("allowed", "Taylor: silent; a card that works on all cards works on none as well"),
    spy_draw=("compulsory", "Taylor, The Action Cards: Spy"),
    veto_draw=("optional", "Taylor, The Action Cards: Veto, which allows the draw"),
    # votes
    special_threshold=(8, "Taylor, A.3; how a vote happens"),
    special_timing=("before_reveal", "Taylor, A.3: at completing the hand"),
    special_repeat=(
        "no",
        "Taylor: does not apply, eight is the most a group can hold; a tie comes up again a turn later",
    ),
    device_gone=("when it is revealed", "Taylor, how to solve a vote: the last card of a group"),
    lone_philosopher=(
        "tie",
        "Taylor, The Fascinating Philosopher Card: its value is 0, and 0 against 0 is a tie",
        "K6 K5",
    ),
    empty_side=(
        "wins",
        "Taylor, The Fascinating Philosopher Card: the least wins; silent on an empty side, whose total is 0",
    ),
    orgy_variant=("none", "Taylor: silent; the variants of 1997 may be played"),
    orgy_removal=("when the next one is revealed", "Taylor: silent; as 1997"),
    # the end
    one_out=(
        "no_draws",
        "Taylor, how the game ends: plays on without draws; cards are read as influence cards",
        "N4 N4a N4c",
    ),
    full_side=("the lone player", "Taylor: silent; as 1997"),
    full_check=("turn_start", "Taylor: silent; read as in 2024"),
    exhaust_check=(
        "turn_end",
        "Taylor, how the game ends: silent on the moment; the steps of the turn are finished first",
    ),
    # scoring
    patrician_points=(1, "Taylor, how the game ends"),
    majority_points=(1, "Taylor, the list of bonuses"),
    whole_points=(1, "Taylor, the list of bonuses"),
    mission_points=(2, "Taylor, the list of bonuses"),
    taylor_scoring=(
        "swapped",
        "Taylor, the list of bonuses: its two brackets appear to have changed places; read as 1997",
        "O2 O3",
    ),
    unchosen_missions=("best", "Taylor: does not apply, each player holds one bonus card"),
    tie_break=(True, "Taylor, after the list of bonuses"),
    # rules that are alike in all editions
    laws={
        "opening": "Taylor, Party Constitutions: the first influence cards",
        "turn": "Taylor, before Actions of an active player: the players take turns",
        "must_place": "Taylor, Actions of an active player: he has to place; A.3, on the passive player",
        "emptied_group": "Taylor, how to solve a vote: the last card of a group",
        "one_action": "Taylor, The Action Cards: one a turn; silent on a vetoed card, which is read as the one",
        "assassination": "Taylor, The Action Cards: Assassin, whose pronouns are mixed up",
        "scout": "Taylor, The Action Cards: Courtesan; garbled, read as turning the opponent's cards up",
        "castling": "Taylor, The Action Cards: Roque; silent on laying the cards as they lay",
        "spy": "Taylor, The Action Cards: Spy; silent on an empty hand",
        "veto_window": "Taylor, The Action Cards: Veto",
        "reveal": "Taylor, A.3: drawing a vote card; none for the passive player",
        "reset": "Taylor, A.3: an orgy that has the discards shuffled back; read as all",
        "shown": "Taylor, how to solve a vote; garbled, read as turning the cards face up",
        "vote_result": "Taylor, how to solve a vote; The Fascinating Philosopher Card",
        "piles": "Taylor, A.3; silent on an empty pile and on shuffling the discards again",
        "mission_choice": "Taylor: does not apply, each player holds one bonus card",
        "game_end": ("Taylor, how the game ends", "N1 N2 L3"),
        "scoring": "Taylor, the list of bonuses",
    },
)
"""The rules of Taylor's tutorial."""
