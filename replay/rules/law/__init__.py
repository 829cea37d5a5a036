"""What the rules forbid. No mechanics here: nothing is changed, every violation is named, none stops the look-out.

Each function looks at one kind of token and notes a :class:`Fault` for everything that is wrong with playing it now; for
a legal token it makes no object.
"""

from __future__ import annotations

from mypy_extensions import i64

from ....notation import codes
from ..state import ANNOUNCED, State
from . import actions, drawing, placing, votes
from .base import Fault, Found
from .progress import is_over, judge_end, judge_progress

__all__ = ["Fault", "Found", "is_over", "judge", "judge_end", "judge_progress", "judge_token"]


def judge(state: State, code: i64, more: i64, vetoed: bool, found: Found) -> None:
    """Note everything that the rules forbid about a token now, given as its codes; changes nothing.

    ``vetoed`` says that an action is only announced, since a veto stands right behind it.
    """
    place: i64 = state.rules.rank[codes.STEP[code & codes.KIND]]
    if place > state.stage or state.over or state.choosing or state.vetoed == ANNOUNCED:
        judge_progress(state, code, place, found)
    if not state.over:
        judge_token(state, code, more, place, vetoed, found)


def judge_token(state: State, code: i64, more: i64, place: i64, vetoed: bool, found: Found) -> None:
    """Note what is wrong with a token by itself; ``place`` is that of its step in the turn."""
    kind = code & codes.KIND
    if kind == codes.PLACE:
        placing.judge_place(state, code, found)
    elif kind == codes.DRAW:
        drawing.judge_draw(state, code, place, found)
    elif kind == codes.VOTE:
        votes.judge_vote(state, code, more, place, found)
    elif kind == codes.NO_VOTE:
        votes.judge_no_vote(state, code, place, found)
    elif kind == codes.SPECIAL_VOTE:
        votes.judge_special_vote(state, code, more, place, found)
    elif kind == codes.DISCARD:
        placing.judge_discard(state, code, found)
    elif kind == codes.ASSASSINATE:
        actions.judge_assassinate(state, code, vetoed, found)
    elif kind == codes.SCOUT:
        actions.judge_scout(state, code, vetoed, found)
    elif kind == codes.WRATH:
        actions.judge_wrath(state, code, found)
    elif kind == codes.CASTLE:
        actions.judge_castle(state, code, more, vetoed, found)
    elif kind == codes.SPY:
        actions.judge_spy(state, code, more, vetoed, found)
    elif kind == codes.VETO:
        actions.judge_veto(state, code, found)
    elif kind == codes.PUT_AWAY:
        votes.judge_put_away(state, code, place, found)
    elif kind == codes.CHOOSE:
        drawing.judge_choose(state, code, found)
