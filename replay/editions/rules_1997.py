"""The 1997 edition: the German rule book of Kosmos, and its Czech translation."""

from __future__ import annotations

from typing import Final

from ...notation import cards as c
from ...notation import tokens as t
from .edition import VOTE_CARDS, Edition
from .rule_table import edition

EDITION: Final[Edition] = edition(
    "1997",
    "1997 edition, German rule book and Czech translation",
    "1997",
    VOTE_CARDS,
    options={
        "orgy_variant": ("none", "A", "B"),
        "full_check": ("turn_start", "at_placement", "immediate"),
        "exhaust_check": ("turn_end", "immediate"),
        "empty_side": ("wins", "tie", "loses"),
        "null_actions": ("allowed", "forbidden"),
    },
    # material
    groups=({c.SENATOR: 5, c.PRAETOR: 5, c.QUAESTOR: 5, c.CENSOR: 3, c.AEDILE: 3}, "Aufbau des neutralen Decks"),
    influence_copies=(7, "Aufbau der Spieler-Decks: 37 cards; copies not stated, seven as in the French club text"),
    philosophers=(2, "Sonderfälle „Philosoph/in“ speaks of two on a side; their number as in the French club text"),
    actions=({c.ASSASSINATION: 4, c.SCOUT: 2, c.WRATH: 1, c.CASTLING: 2, c.SPY: 2, c.VETO: 2}, "Die Aktions-Karten"),
    blanks=(2, "Die Orgie: three orgies, one of which has all shuffled"),
    resets=(1, "Die Orgie"),
    missions_dealt=(1, "Die geheime Sonderaufgabe"),
    mission_groups=((c.PRAETOR, c.QUAESTOR, c.SENATOR), "Der Einfluß-Bonus"),
    mission_copies=(2, "Der Einfluß-Bonus"),
    # set-up
    first_action=("none", "Anlegen der ersten Einfluß-Karten: five influence cards only"),
    experienced=("no", ": does not apply, the starting hand holds no action card"),
    ordered_actions=(True, "Aufbau der Spieler-Decks; beginners may shuffle"),
    starter=("Cleopatra", "Ablauf einer Spielrunde"),
    # the turn
    hand_limit=(5, "3) Handkarten ergänzen"),
    order=(
        (t.ACT, t.SPECIAL, t.DRAW, t.REVEAL),
        "Der Spieler wird aktiv 1–4; Die Vertrauensfrage b: before the hand is refilled",
    ),
    first_reveal=(True, "4) Vertrauensfrage aufdecken: no exception for the first turn"),
    passive=("as many as were discarded", "Der Spieler bleibt passiv"),
    placement=("one down or two up", "2) Einfluß-Karte(n) anlegen"),
    placement_reading=("corrected", ": does not apply, the erratum is in the French club text"),
    side_limit=(5, "2) Einfluß-Karte(n) anlegen: Wichtig"),
    total_limit=(8, "2) Einfluß-Karte(n) anlegen: Wichtig"),
    action_between=(True, "1) Eine Aktionskarte spielen: whenever the player likes in his turn"),
    action_needs_influence=(True, "Der Spieler wird aktiv: he has to place; silent where he has cards but no room"),
    assassinate_hidden=(False, "Die Aktions-Karten 1. Anschlag"),
    null_actions=("allowed", ": silent; a card that works on all cards works on none as well"),
    spy_draw=("optional", "Die Aktions-Karten 2. Spion/in"),
    veto_draw=("optional", "Die Aktions-Karten 6. Veto"),
    # votes
    special_threshold=(8, "Die Vertrauensfrage b"),
    special_timing=("before_reveal", "Die Vertrauensfrage b: before the refill"),
    special_repeat=("no", ": does not apply, eight is the most a group can hold; a tie comes up again a turn later"),
    device_gone=("when it is revealed", "Keine Karten mehr an einer Patrizier-Gruppe"),
    lone_philosopher=("tie", "Sonderfälle „Philosoph/in“: the decision is put off"),
    empty_side=(
        "wins",
        "Einfluß-Karte „Philosoph/in“: the lower total wins; silent on an empty side, whose total is 0",
    ),
    orgy_variant=("none", "Hinweis at the end: two changes to try"),
    orgy_removal=(
        "when the next one is revealed",
        "Hinweis 1: the first plain orgy revealed after two groups are gone, and only that one",
    ),
    # the end
    one_out=("skip_turn", "Das Ende des Spieles: Sonderfälle"),
    full_side=(
        "the lone player",
        "Das Ende des Spieles: Sonderfälle; the Czech text leaves out that emptied groups do not count",
    ),
    full_check=("turn_start", "Das Ende des Spieles: Sonderfälle, silent on the moment; read as in 2024"),
    exhaust_check=("turn_end", "Das Ende des Spieles: silent on the moment; the steps of the turn are finished first"),
    # scoring
    patrician_points=(1, "Das Ende des Spieles: Siegpunkte"),
    majority_points=(1, "Das Ende des Spieles: Siegpunkte"),
    whole_points=(1, "Das Ende des Spieles: Siegpunkte"),
    mission_points=(2, "Der Einfluß-Bonus; Siegpunkte"),
    taylor_scoring=("swapped", ": does not apply, the brackets are in Taylor's tutorial"),
    unchosen_missions=("best", ": does not apply, each player holds one bonus card"),
    tie_break=(True, "Das Ende des Spieles, last sentence of the scoring"),
    # rules that are alike in all editions
    laws={
        "opening": "Anlegen der ersten Einfluß-Karten",
        "turn": "Ablauf einer Spielrunde: Cleopatra, then by turns",
        "must_place": "2) Einfluß-Karte(n) anlegen; Der Spieler bleibt passiv: who can't or won't place passes",
        "emptied_group": "Keine Karten mehr an einer Patrizier-Gruppe",
        "one_action": "1) Eine Aktionskarte spielen; silent on a vetoed card, which is read as the one",
        "assassination": "Die Aktions-Karten 1. Anschlag",
        "scout": "Die Aktions-Karten 4. Kundschafter/in",
        "castling": "Die Aktions-Karten 3. Rochade; the Czech text leaves out that the cards are one's own",
        "spy": "Die Aktions-Karten 2. Spion/in; silent on an empty hand",
        "veto_window": "Die Aktions-Karten 6. Veto",
        "reveal": "4) Vertrauensfrage aufdecken; Der Spieler bleibt passiv: none in a passive turn",
        "reset": "Die Orgie: with one of the three all vote cards are shuffled",
        "shown": "Ablauf einer Vertrauensfrage: hidden cards are turned over",
        "vote_result": (
            "Ablauf einer Vertrauensfrage; Einfluß-Karte „Philosoph/in“; Sonderfälle",
            "J2 J6 K2 K6 K7 K8 K9 K10",
        ),
        "piles": "3) Handkarten ergänzen; silent on an empty pile and on shuffling the discards again",
        "mission_choice": ": does not apply, each player holds one bonus card",
        "game_end": "Das Ende des Spieles",
        "scoring": "Das Ende des Spieles: Siegpunkte; Der Einfluß-Bonus",
    },
)
"""The rules of 1997."""
