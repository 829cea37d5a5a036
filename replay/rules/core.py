"""The rules as integers, for what goes through many games: codes of moves, cells of states, lists of moves."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from ...notation import codes
from ...notation.arrays import COMPILED, append, as_bytes, doubled, put, vec
from ...notation.codes import (
    ANNOUNCED_ONLY, DRAW, KIND, OTHER, SPECIAL_VOTE, TURN_END, VOTE, Codes, VoteContent, ballot_of, decode, encoded,
    is_whole,
)
from . import layout
from .game.game import (
    BUST, LAST_PILE, EFFECT, MISSION, MOVE, ON_VETO, ORDER, OVER, PILE, SPLIT, TARGET, TURN, card_in, count_outcomes,
    decider, due, effect_of, list_moves, make_move, outcome_at, size_of, turns_up,
)
from .law.setup import setup_violations
from .layout import ACTION_PILE, INFLUENCE_PILE
from .mechanics import ImpossibleMoveError, MissingCardsError
from .mechanics.actions import name_hand
from .mechanics.hands import change_hand
from .mechanics.turns import begin_turn
from .moves import actions
from .moves.actions import announced_code, may_act, may_veto
from .moves.move_list import MoveList
from .moves.placing import list_passes, list_placements, must_stay_in_step, ends_when_full_now
from .moves.votes import list_reveals, reveal_at, vote_at
from .ruleset import OPENING_SET, Ruleset
from .sequences import action_card, as_sequence, unknown_card_like
from .vote_outcome import WINNER, decided_by, resolve, sum_of, winner_of
