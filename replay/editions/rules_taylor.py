"""The old edition as Dennis B. B. Taylor's English tutorial tells it."""

from __future__ import annotations

from typing import Final

from ...notation.cards import (
    AEDILE,
    ASSASSINATION,
    CASTLING,
    CENSOR,
    PRAETOR,
    QUAESTOR,
    SCOUT,
    SENATOR,
    SPY,
    VETO,
    WRATH,
)
from ...notation.tokens import ACT, DRAW, REVEAL, SPECIAL
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
        {SENATOR: 5, PRAETOR: 5, QUAESTOR: 5, CENSOR: 3, AEDILE: 3},
        "A1 B1",
        "Taylor, Constitution of the Forum: 21 in five groups, names and sizes not given; as 1997",
    ),
    influence_copies=(7, "A2", "Taylor: copies not given; as in the French club text"),
    philosophers=(2, "A2", "Taylor: number not given; as in the French club text"),
    actions=(
        {ASSASSINATION: 4, SCOUT: 2, WRATH: 1, CASTLING: 2, SPY: 2, VETO: 2},
        "A3",
        "Taylor, The Action Cards: 13 cards of six kinds, only the two vetoes counted; as 1997",
    ),
    blanks=(2, "A4 I2", "Taylor: eight vote cards, not listed; as 1997"),
    resets=(
        1,
        "A4 I3",
        "Taylor, A.3: an orgy that has the discards shuffled back; read as 1997, where all are shuffled",
    ),
    missions_dealt=(1, "A5 B2", "Taylor, Party Constitutions: Bonus Goal Cards"),
    mission_groups=(
        (PRAETOR, QUAESTOR, SENATOR),
        "A5 M4",
        "Taylor, Party Constitutions: six cards, texts not given; as 1997",
    ),
    mission_copies=(2, "A5 B2", "Taylor, Party Constitutions: six cards, texts not given; as 1997"),
    # set-up
    first_action=("none", "B6", "Taylor, Party Constitutions: five influence cards only"),
    experienced=("no", "B6", "Taylor: does not apply, the starting hand holds no action card"),
    ordered_actions=(True, "B8 P4", "Taylor, Party Constitutions; Advice for newcomers: they shuffle"),
    starter=("Cleopatra", "B11", "Taylor, before Actions of an active player: garbled, but Cleopatra goes first"),
    # the turn
    hand_limit=(5, "C4 G1", "Taylor, A.3: garbled, read as up to five cards"),
    order=(
        (ACT, SPECIAL, DRAW, REVEAL),
        "C1 C5 G4 I8",
        "Taylor, active player; A.3: unclear whether the special vote precedes the refill; as 1997",
    ),
    first_reveal=(True, "C3", "Taylor, A.3: no exception for the first turn"),
    passive=("as many as were discarded", "H1 H3 H4 C2", "Taylor, A.3, on the passive player"),
    placement=(
        "one down or two up",
        "D1 D2 D8 D11",
        "Taylor, A.1: two face up appears as a piece of advice; read as the second legal way, as 1997",
    ),
    placement_reading=("corrected", "D1", "Taylor: does not apply, the erratum is in the French club text"),
    side_limit=(5, "D4 K16", "Taylor, A.1"),
    total_limit=(8, "D5 N7", "Taylor, A.1"),
    action_between=(True, "E2 D13", "Taylor, A.2: any time in the turn"),
    action_needs_influence=(
        True,
        "E6 E7",
        "Taylor, Actions of an active player: he has to place; silent where he holds cards and has no room",
    ),
    assassinate_hidden=(False, "F1", "Taylor, The Action Cards: Assassin, whose pronouns are mixed up"),
    null_actions=("allowed", "E5", "Taylor: silent; a card that works on all cards works on none as well"),
    spy_draw=("compulsory", "F3", "Taylor, The Action Cards: Spy"),
    veto_draw=("optional", "F10", "Taylor, The Action Cards: Veto, which allows the draw"),
    # votes
    special_threshold=(8, "I7", "Taylor, A.3; how a vote happens"),
    special_timing=("before_reveal", "C5 I8", "Taylor, A.3: at completing the hand"),
    special_repeat=(
        "no",
        "I11 I12",
        "Taylor: does not apply, eight is the most a group can hold; a tie comes up again a turn later",
    ),
    device_gone=("when it is revealed", "I5 L2", "Taylor, how to solve a vote: the last card of a group"),
    lone_philosopher=(
        "tie",
        "K6 K5",
        "Taylor, The Fascinating Philosopher Card: its value is 0, and 0 against 0 is a tie",
    ),
    empty_side=(
        "wins",
        "K13",
        "Taylor, The Fascinating Philosopher Card: the least wins; silent on an empty side, whose total is 0",
    ),
    orgy_variant=("none", "P1 P2 P3", "Taylor: silent; the variants of 1997 may be played"),
    orgy_removal=("when the next one is revealed", "P1", "Taylor: silent; as 1997"),
    # the end
    one_out=(
        "no_draws",
        "N4 N4a N4c",
        "Taylor, how the game ends: plays on without draws; cards are read as influence cards",
    ),
    full_side=("the lone player", "N5 N7", "Taylor: silent; as 1997"),
    full_check=("turn_start", "N6 D10", "Taylor: silent; read as in 2024"),
    exhaust_check=(
        "turn_end",
        "N2 N3",
        "Taylor, how the game ends: silent on the moment; the steps of the turn are finished first",
    ),
    # scoring
    patrician_points=(1, "O1 N8", "Taylor, how the game ends"),
    majority_points=(1, "O2", "Taylor, the list of bonuses"),
    whole_points=(1, "O3", "Taylor, the list of bonuses"),
    mission_points=(2, "O4 M5", "Taylor, the list of bonuses"),
    taylor_scoring=(
        "swapped",
        "O2 O3",
        "Taylor, the list of bonuses: its two brackets appear to have changed places; read as 1997",
    ),
    unchosen_missions=("best", "M3", "Taylor: does not apply, each player holds one bonus card"),
    tie_break=(True, "O6", "Taylor, after the list of bonuses"),
    # rules that are alike in all editions
    laws={
        "opening": ("B5 B6", "Taylor, Party Constitutions: the first influence cards"),
        "turn": ("C6 B11", "Taylor, before Actions of an active player: the players take turns"),
        "must_place": ("D8 D9 D10", "Taylor, Actions of an active player: he has to place; A.3, on the passive player"),
        "emptied_group": ("D12 E8 L1", "Taylor, how to solve a vote: the last card of a group"),
        "one_action": (
            "E1 E9",
            "Taylor, The Action Cards: one a turn; silent on a vetoed card, which is read as the one",
        ),
        "assassination": ("F1 E3 K18", "Taylor, The Action Cards: Assassin, whose pronouns are mixed up"),
        "scout": ("F2 E3", "Taylor, The Action Cards: Courtesan; garbled, read as turning the opponent's cards up"),
        "castling": ("F4 F5", "Taylor, The Action Cards: Roque; silent on laying the cards as they lay"),
        "spy": ("F3", "Taylor, The Action Cards: Spy; silent on an empty hand"),
        "veto_window": ("E3 F7 F8 F9", "Taylor, The Action Cards: Veto"),
        "reveal": ("C1 I1 I9 H2", "Taylor, A.3: drawing a vote card; none for the passive player"),
        "reset": ("I3 I4", "Taylor, A.3: an orgy that has the discards shuffled back; read as all"),
        "shown": ("J1 J5 D7", "Taylor, how to solve a vote; garbled, read as turning the cards face up"),
        "vote_result": ("J2 J6 K2 K7 K8 K9 K10", "Taylor, how to solve a vote; The Fascinating Philosopher Card"),
        "piles": ("A2 A3 G1 G2 G3", "Taylor, A.3; silent on an empty pile and on shuffling the discards again"),
        "mission_choice": ("M1 A5", "Taylor: does not apply, each player holds one bonus card"),
        "game_end": ("N1 N2 L3", "Taylor, how the game ends"),
        "scoring": ("O1 O2 O3 O4 M4", "Taylor, the list of bonuses"),
    },
)
"""The rules of Taylor's tutorial."""
