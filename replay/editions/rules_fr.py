"""The old edition as a French games club wrote it down."""

from __future__ import annotations

from typing import Final

from ...notation import cards as c
from ...notation import tokens as t
from .edition import VOTE_CARDS, Edition
from .rule_table import edition

EDITION: Final[Edition] = edition(
    "fr",
    "Old edition, French club text",
    "French club text",
    VOTE_CARDS,
    options={
        "orgy_variant": ("none", "A", "B"),
        "exhaust_check": ("turn_end", "immediate"),
        "empty_side": ("wins", "tie", "loses"),
        "placement": ("corrected", "uncorrected"),
        "null_actions": ("allowed", "forbidden"),
    },
    # material
    groups=({c.SENATOR: 5, c.PRAETOR: 5, c.QUAESTOR: 5, c.CENSOR: 3, c.AEDILE: 3}, "1.1 Constitution du forum"),
    influence_copies=(7, "Composition du jeu"),
    philosophers=(2, "Composition du jeu"),
    actions=(
        {c.ASSASSINATION: 4, c.SCOUT: 2, c.WRATH: 1, c.CASTLING: 2, c.SPY: 2, c.VETO: 2},
        "Composition du jeu; 4.5",
    ),
    blanks=(2, "Composition du jeu; 4.3 L'orgie"),
    resets=(1, "Composition du jeu; 4.3 shuffles the discards, the card itself all; so all"),
    missions_dealt=(1, "1.3 Les cartes Mission secrète"),
    mission_groups=((c.PRAETOR, c.QUAESTOR, c.SENATOR), "Composition du jeu"),
    mission_copies=(2, "Composition du jeu"),
    # set-up
    first_action=("none", "2.1: five influence cards only"),
    experienced=("no", ": does not apply, the starting hand holds no action card"),
    ordered_actions=(True, "1.2 Constitution des partis; beginners shuffle"),
    starter=("Cleopatra", "3 Déroulement d'un tour"),
    # the turn
    hand_limit=(5, "A.3 Recompléter sa main"),
    order=((t.ACT, t.SPECIAL, t.DRAW, t.REVEAL), "3 Déroulement d'un tour; 4 A"),
    first_reveal=(True, "A.4: no exception for the first turn"),
    passive=("up to the hand limit", "B) Le joueur reste passif: up to five, even where the hand was short"),
    placement=("one down or two up", "2 with its correction; A.1 still prints the uncorrected form"),
    placement_reading=("corrected", "2: its own correction, which agrees with 1997, outweighs A.1"),
    side_limit=(5, "A.1"),
    total_limit=(8, ": not stated for placing; 4.1 Important and the castling card presuppose it"),
    action_between=(True, "A.2: any time before the refill; silent on the moment between two cards"),
    action_needs_influence=(True, "A.1: an active player has to place; silent where he holds cards and has no room"),
    assassinate_hidden=(False, "4.5 Assassinat"),
    null_actions=("allowed", ": silent; a card that works on all cards works on none as well"),
    spy_draw=("compulsory", "4.5 Espion / Espionne"),
    veto_draw=("never", "4.5 Veto: no draw is mentioned, so the hand is filled in the next own turn"),
    # votes
    special_threshold=(8, "A.2; 4 A"),
    special_timing=("before_reveal", "4 A: just before the refill"),
    special_repeat=("no", ": does not apply, a group holds eight at most; a tie comes up again a turn later"),
    device_gone=("at once", "4.2: removed with the last patrician; not said whether only when turned up"),
    lone_philosopher=("wins", "4.4 Règles spéciales; 1997 says otherwise"),
    empty_side=("wins", "4.4: the lower total wins; silent on an empty side, whose total is 0"),
    orgy_variant=("none", "6 Conseils de l'auteur: two options to try"),
    orgy_removal=("at once", "6, 1): when the second group is gone; silent on where from, the discards first"),
    # the end
    one_out=("final_turn", "5 La fin du jeu: Cas particuliers", "N4 N4b N4c"),
    full_side=("nobody", ": silent, so a blocked player passes"),
    full_check=("turn_start", ": does not apply, a full side does not end the game"),
    exhaust_check=("turn_end", "5: silent on the moment; the steps of the turn are finished first"),
    # scoring
    patrician_points=(1, "5.1"),
    majority_points=(1, "5.1"),
    whole_points=(1, "5.1"),
    mission_points=(2, "5.1"),
    taylor_scoring=("swapped", ": does not apply, the brackets are in Taylor's tutorial"),
    unchosen_missions=("best", ": does not apply, each player holds one mission"),
    tie_break=(False, "5.1: no tie-break is given, so equal points are a draw"),
    # rules that are alike in all editions
    laws={
        "opening": "2.1; face down is shown by a picture only",
        "turn": "3 Déroulement d'un tour: Cleopatra, then by turns",
        "must_place": "A.1 has to place; B) who does not play stays passive",
        "emptied_group": "4.2 Plus de cartes patricien dans un groupe",
        "one_action": "4.5 Les cartes Manipulation; silent on a vetoed card, which is read as the one",
        "assassination": "4.5 Assassinat",
        "scout": "4.5 Courtisane / Courtisan",
        "castling": "4.5 Roque; silent on laying the cards as they lay",
        "spy": "4.5 Espion / Espionne; silent on an empty hand",
        "veto_window": "4.5 Veto",
        "reveal": "A.4 Tirage de la carte suffrage; B) none in a passive turn",
        "reset": "4.3 L'orgie shuffles the discards, the card itself all; read as all",
        "shown": "4.1 Déroulement d'un suffrage",
        "vote_result": ("4.1; 4.4 La carte Philosophe, with its special rules", "J2 J6 K2 K6 K7 K8 K9 K10"),
        "piles": "A.3; silent on an empty pile and on shuffling the discards again",
        "mission_choice": ": does not apply, each player holds one mission",
        "game_end": ("5 La fin du jeu", "N1 N2 L3"),
        "scoring": "5.1",
    },
)
"""The rules of the French club text."""
