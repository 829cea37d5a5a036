"""What happens to the cards. No law here: whatever is written is done, as long as the cards are there to do it with."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation import codes
from ..state import State
from . import actions, placing, votes
from .hands import Impossible, Unknowable
from .turns import advance


def carry_out(state: State, code: i64, more: i64, vetoed: bool) -> None:
    """Carry out a token, given as its codes. ``vetoed``: the action is only announced, a veto stands behind it.

    Raise Impossible or Unknowable where the cards don't allow to go on; the state must then not be used any more.
    """
    kind = code & codes.KIND
    place: i64 = state.rules.rank[codes.STEP[kind]]
    if place > state.stage:
        advance(state, place)
    if kind == codes.PLACE:
        placing.do_place(state, code)
    elif kind == codes.DRAW:
        placing.do_draw(state, code)
    elif kind == codes.VOTE:
        votes.do_vote(state, code, more)
    elif kind == codes.NO_VOTE:
        votes.do_no_vote(state, code)
    elif kind == codes.SPECIAL_VOTE:
        votes.do_special_vote(state, code, more)
    elif kind == codes.DISCARD:
        placing.do_discard(state, code)
    elif kind == codes.ASSASSINATE:
        actions.do_assassinate(state, code, vetoed)
    elif kind == codes.SCOUT:
        actions.do_scout(state, code, vetoed)
    elif kind == codes.WRATH:
        actions.do_wrath(state, code, vetoed)
    elif kind == codes.CASTLE:
        actions.do_castle(state, code, more, vetoed)
    elif kind == codes.SPY:
        actions.do_spy(state, code, more, vetoed)
    elif kind == codes.VETO:
        actions.do_veto(state, code)
    elif kind == codes.PUT_AWAY:
        votes.do_put_away(state, code)
    elif kind == codes.CHOOSE:
        placing.do_choose(state, code)
    else:
        raise Impossible  # nothing that a turn can do
