"""The law of drawing cards and of choosing missions."""

from __future__ import annotations

from ...notation import tokens as t
from ..state import State
from .base import Fault, Found, in_order, may_draw

_DRAW = t.DRAW


def choose(state: State, token: t.ChooseMission, _vetoed: bool, found: Found) -> None:
    missions = state.sides[token.side].missions
    # Who held fewer than two, in a position, has nothing to choose; to say so is no fault.
    single = len(missions) < 2 and state.emptied == 1 and state.edition.missions_dealt > 1
    if not (single or state.choosing >> token.side & 1):
        found.append(Fault("R701", {"owner": token.side}))
    elif missions and (token.kept or 0) > len(missions):
        found.append(Fault("R703", {"owner": token.side, "kept": token.kept}))


def draw(state: State, token: t.Draw, _vetoed: bool, found: Found) -> None:
    side = state.sides[state.active]
    cards = token.cards
    if state.rank[_DRAW] < state.stage:
        in_order(state, token, found)
    limit = state.draw_limit()
    if len(cards) > limit:
        found.append(Fault("R501", {"drawn": len(cards), "limit": limit}))
    may_draw(side, state.active, cards, state.edition, found)
