"""What the rules forbid. No mechanics here: nothing is changed, every violation is named, none stops the look-out.

Each function looks at one kind of token and appends a :class:`Fault` for everything that is wrong with playing it
now; for a legal token it appends nothing and makes no object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...notation import tokens as t
from ..state import State
from . import actions, drawing, placing, votes
from .base import Fault, Found
from .progress import is_over, judge_end, judge_progress

__all__ = ["LAW", "Fault", "Found", "is_over", "judge_end", "judge_progress", "violations"]


def violations(state: State, token: t.Token | None, vetoed: bool = False) -> Found:
    """Everything that the rules forbid about this token now; None is the end of the turn. Changes nothing.

    ``vetoed`` says that an action is only announced, since a veto stands right behind it.
    """
    found: Found = []
    if token is None:
        judge_end(state, found)
    else:
        kind = token.__class__
        place = state.rank[kind.step]
        if place > state.stage or state.ended or state.choosing or state.vetoed == 1:
            judge_progress(state, token, place, found)
        if not state.ended:
            LAW[kind](state, token, vetoed, found)
    return found


def _setup_word(state: State, token: t.Token, _vetoed: bool, found: Found) -> None:
    found.append(Fault("R602", {"token": token}))


def _unread(_state: State, _token: t.Unread, _vetoed: bool, _found: Found) -> None:
    """The reader has reported it."""


LAW: Final[dict[type, Callable[[State, Any, bool, Found], None]]] = {
    t.Place: placing.place,
    t.Discard: placing.discard,
    t.Assassinate: actions.assassinate,
    t.Scout: actions.scout,
    t.Wrath: actions.wrath,
    t.Castle: actions.castle,
    t.Spy: actions.spy,
    t.Veto: actions.veto,
    t.Vote: votes.vote,
    t.SpecialVote: votes.special_vote,
    t.NoVote: votes.no_vote,
    t.PutAway: votes.put_away,
    t.ChooseMission: drawing.choose,
    t.Draw: drawing.draw,
    t.Missions: _setup_word,
    t.ActionOrder: _setup_word,
    t.Hand: _setup_word,
    t.Gained: _setup_word,
    t.Spent: _setup_word,
    t.Bag: _setup_word,
    t.Unread: _unread,
}
"""Kind of token → what can be wrong with it."""
