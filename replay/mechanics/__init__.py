"""What happens to the cards. No law here: whatever is written is done, as long as the cards are there to do it with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...notation import tokens as t
from ..state import State
from . import actions, plain, votes
from .actions import CARD_OF, target
from .hands import Impossible, Unknowable, draw, lend, lose_count
from .turns import advance, begin_turn, end_turn
from .votes import bring_back

__all__ = [
    "APPLY",
    "CARD_OF",
    "Impossible",
    "Unknowable",
    "advance",
    "apply",
    "begin_turn",
    "bring_back",
    "draw",
    "end_turn",
    "lend",
    "lose_count",
    "target",
]


def apply(state: State, token: t.Token | None, vetoed: bool = False) -> None:
    """Carry out one token; None ends the turn and prepares the next.

    ``vetoed`` says that an action is only announced, since a veto stands right behind it. Impossible or Unknowable
    where the cards don't allow to go on; the state must then not be used any more. The state of a replay's step has to
    be copied first: it shares its cards with its neighbours.
    """
    if token is None:
        end_turn(state)
        return
    kind = token.__class__
    place = state.rank[kind.step]
    if place > state.stage:
        advance(state, place)
    APPLY[kind](state, token, vetoed)


def _nothing(_state: State, _token: t.Token, _vetoed: bool) -> None:
    """Tokens that move no card."""


APPLY: Final[dict[type, Callable[[State, Any, bool], None]]] = {
    t.Place: plain.place,
    t.Assassinate: actions.assassinate,
    t.Scout: actions.scout,
    t.Wrath: actions.wrath,
    t.Castle: actions.castle,
    t.Spy: actions.spy,
    t.Veto: actions.veto,
    t.Discard: plain.discard,
    t.Draw: plain.draw,
    t.Vote: votes.vote,
    t.SpecialVote: votes.special_vote,
    t.NoVote: votes.no_vote,
    t.PutAway: votes.put_away,
    t.ChooseMission: plain.choose,
    t.Missions: _nothing,
    t.ActionOrder: _nothing,
    t.Hand: _nothing,
    t.Gained: _nothing,
    t.Spent: _nothing,
    t.Bag: _nothing,
    t.Unread: _nothing,
}
"""Kind of token → what it does."""
