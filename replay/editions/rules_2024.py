"""The 2024 edition: the English rule book of Kosmos / Thames & Kosmos."""

from __future__ import annotations

from typing import Final

from ...notation import cards as c
from ...notation import tokens as t
from .edition import BUSTS, Edition
from .rule_table import edition

EDITION: Final[Edition] = edition(
    "2024",
    "2024 edition, English rule book",
    "2024",
    BUSTS,
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
    groups=({c.PRAETOR: 5, c.QUAESTOR: 5, c.AEDILE: 5, c.CONSUL: 3, c.CENSOR: 3}, "Game material"),
    influence_copies=(7, "Game material"),
    philosophers=(2, "Game material"),
    actions=({c.ASSASSINATION: 3, c.SCOUT: 3, c.WRATH: 1, c.CASTLING: 1, c.VETO: 2}, "The action cards"),
    blanks=(1, "Game material; C) Draw from the bag: the grey bust"),
    resets=(1, "Game material; C) Draw from the bag: the black bust"),
    missions_dealt=(2, "Game setup 2"),
    mission_groups=((), "Game material: eight missions, whose texts the rule book does not print", "A5"),
    mission_copies=(0, ": the missions are not printed, so there are no copies to count", "A5"),
    # set-up
    first_action=("veto", "Game setup 5"),
    experienced=("no", "Game setup 5: the free choice is a note for players who know the game", "B6 P4"),
    ordered_actions=(False, "Game setup 6: both piles are shuffled", "B8"),
    starter=(
        "Cleopatra, later the loser of the last game",
        "How to play; silent on the game after a draw, where either may begin",
    ),
    # the turn
    hand_limit=(6, "D) Draw to six hand cards"),
    order=(
        (t.ACT, t.SPECIAL, t.REVEAL, t.DRAW),
        "How to play A–D; Special vote of confidence: a bust follows it, so it is held before step C",
    ),
    first_reveal=(False, "C) Draw from the bag: the starting player's very first turn"),
    passive=("no passive turns", "How to play: the four steps know no passive turn", "C2"),
    placement=("one down and one up", "A) Play influence cards, with its exception"),
    placement_reading=("corrected", ": does not apply, the erratum is in the French club text"),
    side_limit=(5, "A) Play influence cards"),
    total_limit=(None, ": silent, eight or more cards only call a special vote", "D5"),
    action_between=(False, "B) Play one action card"),
    action_needs_influence=(
        False,
        "B) Play one action card: nothing ties it to placing; silent on a hand without influence cards",
        "E6 D9",
    ),
    assassinate_hidden=(True, "The action cards: Assassination"),
    null_actions=(
        "allowed",
        "The action cards: wrath and castling name it as allowed; silent on the scout, read alike",
    ),
    spy_draw=("never", ": does not apply, the deck has no spy", "F3 A3"),
    veto_draw=("compulsory", "The action cards: Veto; D) Draw to six hand cards"),
    # votes
    special_threshold=(8, "Special vote of confidence"),
    special_timing=(
        "before_reveal",
        "Special vote of confidence: the bust is drawn even so, which makes sense only afterwards",
    ),
    special_repeat=(
        "no",
        ": silent on eight cards left after a special vote; one at the end of a turn is all it speaks of",
        "I12",
    ),
    device_gone=("at once", "Is a patrician group empty?"),
    lone_philosopher=("tie", ": silent; nothing stands against nothing, which is a tie"),
    empty_side=("wins", "Philosophers: the lower total wins; silent on an empty side, whose total is 0"),
    orgy_variant=("none", ": does not apply, there are no orgy cards", "P1 P2"),
    orgy_removal=("no such variant", ": does not apply, there are no orgy cards"),
    # the end
    one_out=("skip_A", ": silent; only step A has become impossible, so the other steps go on"),
    full_side=("any player", "The end of the game: Important", "N5"),
    full_check=(
        "turn_start",
        "The end of the game: silent on the moment; a player who should place finds every group full",
    ),
    exhaust_check=("turn_end", "The end of the game: silent on the moment; the steps of the turn are finished first"),
    # scoring
    patrician_points=(1, "End scoring", "O1"),
    majority_points=(1, "End scoring, with its note on patricians that nobody won", "O2 N8"),
    whole_points=(1, "End scoring"),
    mission_points=(2, "End scoring"),
    taylor_scoring=("swapped", ": does not apply, the brackets are in Taylor's tutorial"),
    unchosen_missions=("best", "End scoring: one mission counts; silent on a game in which no group was emptied"),
    tie_break=(True, "End scoring"),
    # rules that are alike in all editions
    laws={
        "opening": "Game setup 4 and 5",
        "turn": "How to play: the players take turns",
        "must_place": "A) Play influence cards: one instead of two is the least; silent on a hand without them",
        "emptied_group": "Is a patrician group empty?: nothing lies or is placed there any more",
        "one_action": ("B) Play one action card; The action cards: Veto", "E1 E9 F12"),
        "assassination": "The action cards: Assassination; B) Play one action card: the target is named",
        "scout": "The action cards: Scout",
        "castling": "The action cards: Castling; silent on laying the cards as they lay",
        "spy": (": does not apply, the deck has no spy", "F3 A3"),
        "veto_window": "The action cards: Veto; B) Play one action card: it is announced with its target",
        "reveal": ("C) Draw from the bag: one bust in a turn", "C1 C3 I1 I9"),
        "reset": "C) Draw from the bag: the black bust; A vote of confidence: where the bust stays",
        "shown": "A vote of confidence: all cards of the group are turned up",
        "vote_result": "A vote of confidence; Philosophers, with their special cases",
        "piles": "D) Draw to six hand cards; silent on an empty pile and on shuffling the discards again",
        "mission_choice": ("Is a patrician group empty?: at the first one each player keeps one mission", "M1 M2"),
        "game_end": "The end of the game",
        "scoring": "End scoring",
    },
)
"""The rules of 2024."""
