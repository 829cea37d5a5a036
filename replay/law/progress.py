"""What must have happened before a turn goes on to its next step, or ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...notation import tokens as t
from ..edition import Passive, Placement
from ..state import State
from .base import Fault, Found

_TWO_UP: Final = Placement.DOWN_OR_TWO_UP


def is_over(state: State) -> bool:
    """Whether the game is over here, or would be once the player had to place a card (N6)."""
    if state.ended:
        return True
    if state.up or state.down or state.passive or state.stage:
        return False
    return state.ends_at_placement()


def judge_progress(state: State, token: t.Token, place: int, found: Found) -> None:
    """What must have happened before this token can come: the demands of every step that it leaves behind."""
    if state.ended or (place > state.stage and is_over(state)):
        found.append(Fault("R801", {"why": state.ended or "full"}))
        return
    if state.choosing and not isinstance(token, t.ChooseMission):
        found.append(Fault("R702", {"sides": state.choosing}))
    if state.vetoed == 1 and not isinstance(token, t.Veto):
        found.append(Fault("R319", {}))
    if place > state.stage:
        for step in state.edition.order[state.stage : place]:
            _LEAVE[step](state, found)


def judge_end(state: State, found: Found) -> None:
    """What must have happened before the turn can end."""
    if is_over(state):
        return
    if state.choosing:
        found.append(Fault("R702", {"sides": state.choosing}))
    if state.vetoed == 1:
        found.append(Fault("R319", {}))
    if not state.has_begun() and state.edition.passive is not Passive.NONE and not state.final:
        found.append(Fault("R603", {}))
        return
    for step in state.edition.order[state.stage :]:
        _LEAVE[step](state, found)


def _leave_act(state: State, found: Found) -> None:
    if state.passive:
        return
    placed = state.up + state.down
    active = state.active
    if state.final:
        if state.can_place(active) and not state.no_place:
            found.append(Fault("R209", {}))
    elif placed >= 2:
        return
    elif not placed and state.can_place(active):
        if not state.no_place:
            found.append(Fault("R206", {}))
    elif not placed and not state.action and not state.no_place and state.edition.passive is not Passive.NONE:
        found.append(Fault("R603", {}))
    elif state.up == 1 and not state.down and state.edition.placement is _TWO_UP and state.can_place(active):
        found.append(Fault("R208", {}))


def _leave_special(state: State, found: Found) -> None:
    if state.passive:
        return
    if max(state.totals) < state.edition.special_threshold or state.pending == []:
        return
    for group in state.crowded():
        # A group that has lost cards since it was due, against the order of the turn, may owe no vote any more.
        if state.pending is None or group in state.pending:
            found.append(Fault("R402", {"group": group, "count": state.total(group)}))


def _leave_reveal(state: State, found: Found) -> None:
    if not state.revealed and state.reveals():
        found.append(Fault("R405", {}))


def _leave_draw(state: State, found: Found) -> None:
    missing = state.draw_limit()
    # Where both are out of influence cards the game ends with the turn, and nobody has to draw what is left (N3).
    if missing and not state.both_out():
        side = state.sides[state.active]
        there = side.influence_pile + side.action_pile
        if there > 0:
            found.append(Fault("R503", {"missing": min(missing, there)}))


_LEAVE: Final[dict[int, Callable[[State, Found], None]]] = {
    t.ACT: _leave_act,
    t.SPECIAL: _leave_special,
    t.REVEAL: _leave_reveal,
    t.DRAW: _leave_draw,
}
