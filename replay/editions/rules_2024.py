"""The 2024 edition: the English rule book of Kosmos / Thames & Kosmos."""

from __future__ import annotations

from typing import Final

from ...notation.cards import AEDILE, ASSASSINATION, CASTLING, CENSOR, CONSUL, PRAETOR, QUAESTOR, SCOUT, VETO, WRATH
from ...notation.tokens import ACT, DRAW, REVEAL, SPECIAL
from ..edition import Edition
from .table import edition

EDITION: Final[Edition] = edition(
    "2024",
    "2024 edition, English rule book",
    options={
        "full_check": ("turn_start", "at_placement", "immediate"),
        "exhaust_check": ("turn_end", "immediate"),
        "special_timing": ("before_reveal", "turn_end"),
        "empty_side": ("wins", "tie", "loses"),
        "special_repeat": ("no", "yes"),
        "one_out": ("skip_A", "skip_turn"),
        "unchosen_missions": ("best", "both", "none"),
        "experienced": ("no", "yes"),
        "null_actions": ("allowed", "forbidden"),
    },
    # material
    groups=({PRAETOR: 5, QUAESTOR: 5, AEDILE: 5, CONSUL: 3, CENSOR: 3}, "A1 B1", "2024, Game material"),
    influence_copies=(7, "A2", "2024, Game material"),
    philosophers=(2, "A2", "2024, Game material"),
    actions=({ASSASSINATION: 3, SCOUT: 3, WRATH: 1, CASTLING: 1, VETO: 2}, "A3", "2024, The action cards"),
    blanks=(1, "A4 I2", "2024, Game material; C) Draw from the bag: the grey bust"),
    resets=(1, "A4 I3", "2024, Game material; C) Draw from the bag: the black bust"),
    missions_dealt=(2, "A5 B2", "2024, Game setup 2"),
    mission_groups=((), "A5", "2024, Game material: eight missions, whose texts the rule book does not print"),
    mission_copies=(0, "A5", "2024: the missions are not printed, so there are no copies to count"),
    # set-up
    first_action=("veto", "B6", "2024, Game setup 5"),
    experienced=("no", "B6 P4", "2024, Game setup 5: the free choice is a note for players who know the game"),
    ordered_actions=(False, "B8", "2024, Game setup 6: both piles are shuffled"),
    starter=(
        "Cleopatra, later the loser of the last game",
        "B11",
        "2024, How to play; silent on the game after a draw, where either may begin",
    ),
    # the turn
    hand_limit=(6, "C4 G1", "2024, D) Draw to six hand cards"),
    order=(
        (ACT, SPECIAL, REVEAL, DRAW),
        "C1 C5 G4 I8",
        "2024, How to play A–D; Special vote of confidence: a bust follows it, so it is held before step C",
    ),
    first_reveal=(False, "C3", "2024, C) Draw from the bag: the starting player's very first turn"),
    passive=("no passive turns", "C2", "2024, How to play: the four steps know no passive turn"),
    placement=("one down and one up", "D1 D2 D8 D11", "2024, A) Play influence cards, with its exception"),
    placement_reading=("corrected", "D1", "2024: does not apply, the erratum is in the French club text"),
    side_limit=(5, "D4 K16", "2024, A) Play influence cards"),
    total_limit=(None, "D5", "2024: silent, eight or more cards only call a special vote"),
    action_between=(False, "E2 D13", "2024, B) Play one action card"),
    action_needs_influence=(
        False,
        "E6 D9",
        "2024, B) Play one action card: nothing ties it to placing; silent on a hand without influence cards",
    ),
    assassinate_hidden=(True, "F1", "2024, The action cards: Assassination"),
    null_actions=(
        "allowed",
        "E5",
        "2024, The action cards: wrath and castling name it as allowed; silent on the scout, read alike",
    ),
    spy_draw=("never", "F3 A3", "2024: does not apply, the deck has no spy"),
    veto_draw=("compulsory", "F10", "2024, The action cards: Veto; D) Draw to six hand cards"),
    # votes
    special_threshold=(8, "I7", "2024, Special vote of confidence"),
    special_timing=(
        "before_reveal",
        "C5 I8",
        "2024, Special vote of confidence: the bust is drawn even so, which makes sense only afterwards",
    ),
    special_repeat=(
        "no",
        "I12",
        "2024: silent on eight cards left after a special vote; one at the end of a turn is all it speaks of",
    ),
    device_gone=("at once", "I5 L2", "2024, Is a patrician group empty?"),
    lone_philosopher=("tie", "K6", "2024: silent; nothing stands against nothing, which is a tie"),
    empty_side=("wins", "K13", "2024, Philosophers: the lower total wins; silent on an empty side, whose total is 0"),
    orgy_variant=("none", "P1 P2", "2024: does not apply, there are no orgy cards"),
    orgy_removal=("no such variant", "P1", "2024: does not apply, there are no orgy cards"),
    # the end
    one_out=("skip_A", "N4 N4c", "2024: silent; only step A has become impossible, so the other steps go on"),
    full_side=("any player", "N5", "2024, The end of the game: Important"),
    full_check=(
        "turn_start",
        "N6 D10",
        "2024, The end of the game: silent on the moment; a player who should place finds every group full",
    ),
    exhaust_check=(
        "turn_end",
        "N2 N3",
        "2024, The end of the game: silent on the moment; the steps of the turn are finished first",
    ),
    # scoring
    patrician_points=(1, "O1", "2024, End scoring"),
    majority_points=(1, "O2 N8", "2024, End scoring, with its note on patricians that nobody won"),
    whole_points=(1, "O3", "2024, End scoring"),
    mission_points=(2, "O4 M5", "2024, End scoring"),
    taylor_scoring=("swapped", "O2", "2024: does not apply, the brackets are in Taylor's tutorial"),
    unchosen_missions=(
        "best",
        "M3",
        "2024, End scoring: one mission counts; silent on a game in which no group was emptied",
    ),
    tie_break=(True, "O6", "2024, End scoring"),
    # rules that are alike in all editions
    laws={
        "opening": ("B5 B6", "2024, Game setup 4 and 5"),
        "turn": ("C6 B11", "2024, How to play: the players take turns"),
        "must_place": (
            "D8 D9 D10",
            "2024, A) Play influence cards: one instead of two is the least; silent on a hand without them",
        ),
        "emptied_group": ("D12 E8 L1", "2024, Is a patrician group empty?: nothing lies or is placed there any more"),
        "one_action": ("E1 E9 F12", "2024, B) Play one action card; The action cards: Veto"),
        "assassination": (
            "F1 E3 K18",
            "2024, The action cards: Assassination; B) Play one action card: the target is named",
        ),
        "scout": ("F2 E3", "2024, The action cards: Scout"),
        "castling": ("F4 F5", "2024, The action cards: Castling; silent on laying the cards as they lay"),
        "spy": ("F3 A3", "2024: does not apply, the deck has no spy"),
        "veto_window": (
            "E3 F7 F8 F9",
            "2024, The action cards: Veto; B) Play one action card: it is announced with its target",
        ),
        "reveal": ("C1 C3 I1 I9", "2024, C) Draw from the bag: one bust in a turn"),
        "reset": ("I3 I4", "2024, C) Draw from the bag: the black bust; A vote of confidence: where the bust stays"),
        "shown": ("J1 J5 D7", "2024, A vote of confidence: all cards of the group are turned up"),
        "vote_result": ("J2 J6 K2 K7 K8 K9 K10", "2024, A vote of confidence; Philosophers, with their special cases"),
        "piles": (
            "A2 A3 G1 G2 G3",
            "2024, D) Draw to six hand cards; silent on an empty pile and on shuffling the discards again",
        ),
        "mission_choice": (
            "M1 M2",
            "2024, Is a patrician group empty?: at the first one each player keeps one mission",
        ),
        "game_end": ("N1 N2 N5 L3", "2024, The end of the game"),
        "scoring": ("O1 O2 O3 O4 M4", "2024, End scoring"),
    },
)
"""The rules of 2024."""
