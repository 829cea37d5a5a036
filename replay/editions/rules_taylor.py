"""The old edition as Dennis B. B. Taylor's English tutorial tells it."""

from __future__ import annotations

from typing import Final

from ...notation import cards as c
from ...notation import tokens as t
from .edition import VOTE_CARDS, Edition
from .rule_table import edition

EDITION: Final[Edition] = edition(
    "taylor",
    "Old edition, Taylor's English tutorial",
    "Taylor",
    VOTE_CARDS,
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
        "Constitution of the Forum: 21 in five groups, names and sizes not given; as 1997",
    ),
    influence_copies=(7, ": copies not given; as in the French club text"),
    philosophers=(2, ": number not given; as in the French club text"),
    actions=(
        {c.ASSASSINATION: 4, c.SCOUT: 2, c.WRATH: 1, c.CASTLING: 2, c.SPY: 2, c.VETO: 2},
        "The Action Cards: 13 cards of six kinds, only the two vetoes counted; as 1997",
    ),
    blanks=(2, ": eight vote cards, not listed; as 1997"),
    resets=(1, "A.3: an orgy that has the discards shuffled back; read as 1997, where all are shuffled"),
    missions_dealt=(1, "Party Constitutions: Bonus Goal Cards"),
    mission_groups=((c.PRAETOR, c.QUAESTOR, c.SENATOR), "Party Constitutions: six cards, texts not given; as 1997"),
    mission_copies=(2, "Party Constitutions: six cards, texts not given; as 1997"),
    # set-up
    first_action=("none", "Party Constitutions: five influence cards only"),
    experienced=("no", ": does not apply, the starting hand holds no action card"),
    ordered_actions=(True, "Party Constitutions; Advice for newcomers: they shuffle"),
    starter=("Cleopatra", "before Actions of an active player: garbled, but Cleopatra goes first"),
    # the turn
    hand_limit=(5, "A.3: garbled, read as up to five cards"),
    order=(
        (t.ACT, t.SPECIAL, t.DRAW, t.REVEAL),
        "active player; A.3: unclear whether the special vote precedes the refill; as 1997",
    ),
    first_reveal=(True, "A.3: no exception for the first turn"),
    passive=("as many as were discarded", "A.3, on the passive player"),
    placement=(
        "one down or two up",
        "A.1: two face up appears as a piece of advice; read as the second legal way, as 1997",
    ),
    placement_reading=("corrected", ": does not apply, the erratum is in the French club text"),
    side_limit=(5, "A.1"),
    total_limit=(8, "A.1"),
    action_between=(True, "A.2: any time in the turn"),
    action_needs_influence=(
        True,
        "Actions of an active player: he has to place; silent where he holds cards and has no room",
    ),
    assassinate_hidden=(False, "The Action Cards: Assassin, whose pronouns are mixed up"),
    null_actions=("allowed", ": silent; a card that works on all cards works on none as well"),
    spy_draw=("compulsory", "The Action Cards: Spy"),
    veto_draw=("optional", "The Action Cards: Veto, which allows the draw"),
    # votes
    special_threshold=(8, "A.3; how a vote happens"),
    special_timing=("before_reveal", "A.3: at completing the hand"),
    special_repeat=("no", ": does not apply, eight is the most a group can hold; a tie comes up again a turn later"),
    device_gone=("when it is revealed", "how to solve a vote: the last card of a group"),
    lone_philosopher=("tie", "The Fascinating Philosopher Card: its value is 0, and 0 against 0 is a tie", "K6 K5"),
    empty_side=("wins", "The Fascinating Philosopher Card: the least wins; silent on an empty side, whose total is 0"),
    orgy_variant=("none", ": silent; the variants of 1997 may be played"),
    orgy_removal=("when the next one is revealed", ": silent; as 1997"),
    # the end
    one_out=("no_draws", "how the game ends: plays on without draws; cards are read as influence cards", "N4 N4a N4c"),
    full_side=("the lone player", ": silent; as 1997"),
    full_check=("turn_start", ": silent; read as in 2024"),
    exhaust_check=("turn_end", "how the game ends: silent on the moment; the steps of the turn are finished first"),
    # scoring
    patrician_points=(1, "how the game ends"),
    majority_points=(1, "the list of bonuses"),
    whole_points=(1, "the list of bonuses"),
    mission_points=(2, "the list of bonuses"),
    taylor_scoring=(
        "swapped",
        "the list of bonuses: its two brackets appear to have changed places; read as 1997",
        "O2 O3",
    ),
    unchosen_missions=("best", ": does not apply, each player holds one bonus card"),
    tie_break=(True, "after the list of bonuses"),
    # rules that are alike in all editions
    laws={
        "opening": "Party Constitutions: the first influence cards",
        "turn": "before Actions of an active player: the players take turns",
        "must_place": "Actions of an active player: he has to place; A.3, on the passive player",
        "emptied_group": "how to solve a vote: the last card of a group",
        "one_action": "The Action Cards: one a turn; silent on a vetoed card, which is read as the one",
        "assassination": "The Action Cards: Assassin, whose pronouns are mixed up",
        "scout": "The Action Cards: Courtesan; garbled, read as turning the opponent's cards up",
        "castling": "The Action Cards: Roque; silent on laying the cards as they lay",
        "spy": "The Action Cards: Spy; silent on an empty hand",
        "veto_window": "The Action Cards: Veto",
        "reveal": "A.3: drawing a vote card; none for the passive player",
        "reset": "A.3: an orgy that has the discards shuffled back; read as all",
        "shown": "how to solve a vote; garbled, read as turning the cards face up",
        "vote_result": "how to solve a vote; The Fascinating Philosopher Card",
        "piles": "A.3; silent on an empty pile and on shuffling the discards again",
        "mission_choice": ": does not apply, each player holds one bonus card",
        "game_end": ("how the game ends", "N1 N2 L3"),
        "scoring": "the list of bonuses",
    },
)
"""The rules of Taylor's tutorial."""
