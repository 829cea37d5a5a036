"""The old edition as a French games club wrote it down."""

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
    "fr",
    "Old edition, French club text",
    options={
        "orgy_variant": ("none", "A", "B"),
        "exhaust_check": ("turn_end", "immediate"),
        "empty_side": ("wins", "tie", "loses"),
        "placement": ("corrected", "uncorrected"),
        "null_actions": ("allowed", "forbidden"),
    },
    # material
    groups=(
        {SENATOR: 5, PRAETOR: 5, QUAESTOR: 5, CENSOR: 3, AEDILE: 3},
        "A1 B1",
        "French club text, 1.1 Constitution du forum",
    ),
    influence_copies=(7, "A2", "French club text, Composition du jeu"),
    philosophers=(2, "A2", "French club text, Composition du jeu"),
    actions=(
        {ASSASSINATION: 4, SCOUT: 2, WRATH: 1, CASTLING: 2, SPY: 2, VETO: 2},
        "A3",
        "French club text, Composition du jeu; 4.5",
    ),
    blanks=(2, "A4 I2", "French club text, Composition du jeu; 4.3 L'orgie"),
    resets=(1, "A4 I3", "French club text, Composition du jeu; 4.3 shuffles the discards, the card itself all; so all"),
    missions_dealt=(1, "A5 B2", "French club text, 1.3 Les cartes Mission secrète"),
    mission_groups=((PRAETOR, QUAESTOR, SENATOR), "A5 M4", "French club text, Composition du jeu"),
    mission_copies=(2, "A5 B2", "French club text, Composition du jeu"),
    # set-up
    first_action=("none", "B6", "French club text, 2.1: five influence cards only"),
    experienced=("no", "B6", "French club text: does not apply, the starting hand holds no action card"),
    ordered_actions=(True, "B8 P4", "French club text, 1.2 Constitution des partis; beginners shuffle"),
    starter=("Cleopatra", "B11", "French club text, 3 Déroulement d'un tour"),
    # the turn
    hand_limit=(5, "C4 G1", "French club text, A.3 Recompléter sa main"),
    order=((ACT, SPECIAL, DRAW, REVEAL), "C1 C5 G4 I8", "French club text, 3 Déroulement d'un tour; 4 A"),
    first_reveal=(True, "C3", "French club text, A.4: no exception for the first turn"),
    passive=(
        "up to the hand limit",
        "H1 H3 H4 C2",
        "French club text, B) Le joueur reste passif: up to five, even where the hand was short",
    ),
    placement=(
        "one down or two up",
        "D1 D2 D8 D11",
        "French club text, 2 with its correction; A.1 still prints the uncorrected form",
    ),
    placement_reading=(
        "corrected",
        "D1",
        "French club text, 2: its own correction, which agrees with 1997, outweighs A.1",
    ),
    side_limit=(5, "D4 K16", "French club text, A.1"),
    total_limit=(
        8,
        "D5 N7",
        "French club text: not stated for placing; 4.1 Important and the castling card presuppose it",
    ),
    action_between=(
        True,
        "E2 D13",
        "French club text, A.2: any time before the refill; silent on the moment between two cards",
    ),
    action_needs_influence=(
        True,
        "E6 E7",
        "French club text, A.1: an active player has to place; silent where he holds cards and has no room",
    ),
    assassinate_hidden=(False, "F1", "French club text, 4.5 Assassinat"),
    null_actions=("allowed", "E5", "French club text: silent; a card that works on all cards works on none as well"),
    spy_draw=("compulsory", "F3", "French club text, 4.5 Espion / Espionne"),
    veto_draw=(
        "never",
        "F10",
        "French club text, 4.5 Veto: no draw is mentioned, so the hand is filled in the next own turn",
    ),
    # votes
    special_threshold=(8, "I7", "French club text, A.2; 4 A"),
    special_timing=("before_reveal", "C5 I8", "French club text, 4 A: just before the refill"),
    special_repeat=(
        "no",
        "I11 I12",
        "French club text: does not apply, a group holds eight at most; a tie comes up again a turn later",
    ),
    device_gone=(
        "at once",
        "I5 L2",
        "French club text, 4.2: removed with the last patrician; not said whether only when turned up",
    ),
    lone_philosopher=("wins", "K6", "French club text, 4.4 Règles spéciales; 1997 says otherwise"),
    empty_side=(
        "wins",
        "K13",
        "French club text, 4.4: the lower total wins; silent on an empty side, whose total is 0",
    ),
    orgy_variant=("none", "P1 P2 P3", "French club text, 6 Conseils de l'auteur: two options to try"),
    orgy_removal=(
        "at once",
        "P1",
        "French club text, 6, 1): when the second group is gone; silent on where from, the discards first",
    ),
    # the end
    one_out=("final_turn", "N4 N4b N4c", "French club text, 5 La fin du jeu: Cas particuliers"),
    full_side=("nobody", "N5 N7", "French club text: silent, so a blocked player passes"),
    full_check=("turn_start", "N6 D10", "French club text: does not apply, a full side does not end the game"),
    exhaust_check=(
        "turn_end",
        "N2 N3",
        "French club text, 5: silent on the moment; the steps of the turn are finished first",
    ),
    # scoring
    patrician_points=(1, "O1 N8", "French club text, 5.1"),
    majority_points=(1, "O2", "French club text, 5.1"),
    whole_points=(1, "O3", "French club text, 5.1"),
    mission_points=(2, "O4 M5", "French club text, 5.1"),
    taylor_scoring=("swapped", "O2", "French club text: does not apply, the brackets are in Taylor's tutorial"),
    unchosen_missions=("best", "M3", "French club text: does not apply, each player holds one mission"),
    tie_break=(False, "O6", "French club text, 5.1: no tie-break is given, so equal points are a draw"),
    # rules that are alike in all editions
    laws={
        "opening": ("B5 B6", "French club text, 2.1; face down is shown by a picture only"),
        "turn": ("C6 B11", "French club text, 3 Déroulement d'un tour: Cleopatra, then by turns"),
        "must_place": ("D8 D9 D10", "French club text, A.1 has to place; B) who does not play stays passive"),
        "emptied_group": ("D12 E8 L1", "French club text, 4.2 Plus de cartes patricien dans un groupe"),
        "one_action": (
            "E1 E9",
            "French club text, 4.5 Les cartes Manipulation; silent on a vetoed card, which is read as the one",
        ),
        "assassination": ("F1 E3 K18", "French club text, 4.5 Assassinat"),
        "scout": ("F2 E3", "French club text, 4.5 Courtisane / Courtisan"),
        "castling": ("F4 F5", "French club text, 4.5 Roque; silent on laying the cards as they lay"),
        "spy": ("F3", "French club text, 4.5 Espion / Espionne; silent on an empty hand"),
        "veto_window": ("E3 F7 F8 F9", "French club text, 4.5 Veto"),
        "reveal": ("C1 I1 I9 H2", "French club text, A.4 Tirage de la carte suffrage; B) none in a passive turn"),
        "reset": ("I3 I4", "French club text, 4.3 L'orgie shuffles the discards, the card itself all; read as all"),
        "shown": ("J1 J5 D7", "French club text, 4.1 Déroulement d'un suffrage"),
        "vote_result": (
            "J2 J6 K2 K6 K7 K8 K9 K10",
            "French club text, 4.1; 4.4 La carte Philosophe, with its special rules",
        ),
        "piles": (
            "A2 A3 G1 G2 G3",
            "French club text, A.3; silent on an empty pile and on shuffling the discards again",
        ),
        "mission_choice": ("M1 A5", "French club text: does not apply, each player holds one mission"),
        "game_end": ("N1 N2 L3", "French club text, 5 La fin du jeu"),
        "scoring": ("O1 O2 O3 O4 M4", "French club text, 5.1"),
    },
)
"""The rules of the French club text."""
