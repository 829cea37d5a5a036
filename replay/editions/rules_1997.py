"""The 1997 edition: the German rule book of Kosmos, and its Czech translation."""

from __future__ import annotations

from typing import Final

from ...notation import cards as c
from ...notation import tokens as t
from ..edition import Edition
from .table import edition

EDITION: Final[Edition] = edition(
    "1997",
    "1997 edition, German rule book and Czech translation",
    options={
        "orgy_variant": ("none", "A", "B"),
        "full_check": ("turn_start", "at_placement", "immediate"),
        "exhaust_check": ("turn_end", "immediate"),
        "empty_side": ("wins", "tie", "loses"),
        "null_actions": ("allowed", "forbidden"),
    },
    # material
    groups=({c.SENATOR: 5, c.PRAETOR: 5, c.QUAESTOR: 5, c.CENSOR: 3, c.AEDILE: 3}, "1997, Aufbau des neutralen Decks"),
    influence_copies=(
        7,
        "1997, Aufbau der Spieler-Decks: 37 cards; copies not stated, seven as in the French club text",
    ),
    philosophers=(
        2,
        "1997, Sonderfälle „Philosoph/in“ speaks of two on a side; their number as in the French club text",
    ),
    actions=(
        {c.ASSASSINATION: 4, c.SCOUT: 2, c.WRATH: 1, c.CASTLING: 2, c.SPY: 2, c.VETO: 2},
        "1997, Die Aktions-Karten",
    ),
    blanks=(2, "1997, Die Orgie: three orgies, one of which has all shuffled"),
    resets=(1, "1997, Die Orgie"),
    missions_dealt=(1, "1997, Die geheime Sonderaufgabe"),
    mission_groups=((c.PRAETOR, c.QUAESTOR, c.SENATOR), "1997, Der Einfluß-Bonus"),
    mission_copies=(2, "1997, Der Einfluß-Bonus"),
    # set-up
    first_action=("none", "1997, Anlegen der ersten Einfluß-Karten: five influence cards only"),
    experienced=("no", "1997: does not apply, the starting hand holds no action card"),
    ordered_actions=(True, "1997, Aufbau der Spieler-Decks; beginners may shuffle"),
    starter=("Cleopatra", "1997, Ablauf einer Spielrunde"),
    # the turn
    hand_limit=(5, "1997, 3) Handkarten ergänzen"),
    order=(
        (t.ACT, t.SPECIAL, t.DRAW, t.REVEAL),
        "1997, Der Spieler wird aktiv 1–4; Die Vertrauensfrage b: before the hand is refilled",
    ),
    first_reveal=(True, "1997, 4) Vertrauensfrage aufdecken: no exception for the first turn"),
    passive=("as many as were discarded", "1997, Der Spieler bleibt passiv"),
    placement=("one down or two up", "1997, 2) Einfluß-Karte(n) anlegen"),
    placement_reading=("corrected", "1997: does not apply, the erratum is in the French club text"),
    side_limit=(5, "1997, 2) Einfluß-Karte(n) anlegen: Wichtig"),
    total_limit=(8, "1997, 2) Einfluß-Karte(n) anlegen: Wichtig"),
    action_between=(True, "1997, 1) Eine Aktionskarte spielen: whenever the player likes in his turn"),
    action_needs_influence=(
        True,
        "1997, Der Spieler wird aktiv: he has to place; silent where he has cards but no room",
    ),
    assassinate_hidden=(False, "1997, Die Aktions-Karten 1. Anschlag"),
    null_actions=("allowed", "1997: silent; a card that works on all cards works on none as well"),
    spy_draw=("optional", "1997, Die Aktions-Karten 2. Spion/in"),
    veto_draw=("optional", "1997, Die Aktions-Karten 6. Veto"),
    # votes
    special_threshold=(8, "1997, Die Vertrauensfrage b"),
    special_timing=("before_reveal", "1997, Die Vertrauensfrage b: before the refill"),
    special_repeat=(
        "no",
        "1997: does not apply, eight is the most a group can hold; a tie comes up again a turn later",
    ),
    device_gone=("when it is revealed", "1997, Keine Karten mehr an einer Patrizier-Gruppe"),
    lone_philosopher=("tie", "1997, Sonderfälle „Philosoph/in“: the decision is put off"),
    empty_side=(
        "wins",
        "1997, Einfluß-Karte „Philosoph/in“: the lower total wins; silent on an empty side, whose total is 0",
    ),
    orgy_variant=("none", "1997, Hinweis at the end: two changes to try"),
    orgy_removal=(
        "when the next one is revealed",
        "1997, Hinweis 1: the first plain orgy revealed after two groups are gone, and only that one",
    ),
    # the end
    one_out=("skip_turn", "1997, Das Ende des Spieles: Sonderfälle"),
    full_side=(
        "the lone player",
        "1997, Das Ende des Spieles: Sonderfälle; the Czech text leaves out that emptied groups do not count",
    ),
    full_check=("turn_start", "1997, Das Ende des Spieles: Sonderfälle, silent on the moment; read as in 2024"),
    exhaust_check=(
        "turn_end",
        "1997, Das Ende des Spieles: silent on the moment; the steps of the turn are finished first",
    ),
    # scoring
    patrician_points=(1, "1997, Das Ende des Spieles: Siegpunkte"),
    majority_points=(1, "1997, Das Ende des Spieles: Siegpunkte"),
    whole_points=(1, "1997, Das Ende des Spieles: Siegpunkte"),
    mission_points=(2, "1997, Der Einfluß-Bonus; Siegpunkte"),
    taylor_scoring=("swapped", "1997: does not apply, the brackets are in Taylor's tutorial"),
    unchosen_missions=("best", "1997: does not apply, each player holds one bonus card"),
    tie_break=(True, "1997, Das Ende des Spieles, last sentence of the scoring"),
    # rules that are alike in all editions
    laws={
        "opening": "1997, Anlegen der ersten Einfluß-Karten",
        "turn": "1997, Ablauf einer Spielrunde: Cleopatra, then by turns",
        "must_place": "1997, 2) Einfluß-Karte(n) anlegen; Der Spieler bleibt passiv: who can't or won't place passes",
        "emptied_group": "1997, Keine Karten mehr an einer Patrizier-Gruppe",
        "one_action": "1997, 1) Eine Aktionskarte spielen; silent on a vetoed card, which is read as the one",
        "assassination": "1997, Die Aktions-Karten 1. Anschlag",
        "scout": "1997, Die Aktions-Karten 4. Kundschafter/in",
        "castling": "1997, Die Aktions-Karten 3. Rochade; the Czech text leaves out that the cards are one's own",
        "spy": "1997, Die Aktions-Karten 2. Spion/in; silent on an empty hand",
        "veto_window": "1997, Die Aktions-Karten 6. Veto",
        "reveal": "1997, 4) Vertrauensfrage aufdecken; Der Spieler bleibt passiv: none in a passive turn",
        "reset": "1997, Die Orgie: with one of the three all vote cards are shuffled",
        "shown": "1997, Ablauf einer Vertrauensfrage: hidden cards are turned over",
        "vote_result": (
            "1997, Ablauf einer Vertrauensfrage; Einfluß-Karte „Philosoph/in“; Sonderfälle",
            "J2 J6 K2 K6 K7 K8 K9 K10",
        ),
        "piles": "1997, 3) Handkarten ergänzen; silent on an empty pile and on shuffling the discards again",
        "mission_choice": "1997: does not apply, each player holds one bonus card",
        "game_end": "1997, Das Ende des Spieles",
        "scoring": "1997, Das Ende des Spieles: Siegpunkte; Der Einfluß-Bonus",
    },
)
"""The rules of 1997."""
