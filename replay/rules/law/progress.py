"""What must have happened before a turn goes on to its next step, or ends."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation.codes import CHOOSE, KIND, VETO
from ....notation.tokens import ACT, DRAW, REVEAL, SPECIAL
from ..fault import Faults, add
from ..layout import ACTION_PILE, ANNOUNCED, INFLUENCE_PILE, LEFT, TOTAL, Ending
from ..state import NOT_REACHED, State, is_among


def is_over(state: State) -> bool:
    """Return whether the game is over here, or would be once the player had to place a card (N6)."""
    if state.over:
        return True
    if state.up or state.down or state.passive or state.stage:
        return False
    return state.ends_at_placement()


def judge_progress(state: State, code: i64, place: i64, faults: Faults) -> None:
    """Note what is missing before this token can come: whatever each step that it leaves behind still demands."""
    kind = code & KIND
    if state.over or (place > state.stage and is_over(state)):
        add(faults, "R801", {"why": state.ended or Ending.FULL})
        return
    if state.choosing and kind != CHOOSE:
        add(faults, "R702", {"sides": state.choosers})
    if state.vetoed == ANNOUNCED and kind != VETO:
        add(faults, "R319", {})
    order = state.rules.order
    for step in range(state.stage, place):
        judge_step(state, order[step], faults)


def judge_end(state: State, faults: Faults) -> None:
    """Note what is missing before the turn can end."""
    if is_over(state):
        return
    if state.choosing:
        add(faults, "R702", {"sides": state.choosers})
    if state.vetoed == ANNOUNCED:
        add(faults, "R319", {})
    rules = state.rules
    if not state.has_begun() and rules.may_pass and not state.final:
        add(faults, "R603", {})
        return
    order = rules.order
    for step in range(state.stage, rules.steps):
        judge_step(state, order[step], faults)


def judge_step(state: State, step: i64, faults: Faults) -> None:
    """Note what a step of the turn still demands."""
    if step == ACT:
        _leave_act(state, faults)
    elif step == SPECIAL:
        _leave_special(state, faults)
    elif step == REVEAL:
        if not state.revealed and state.reveals():
            add(faults, "R405", {})
    elif step == DRAW:
        _leave_draw(state, faults)


def _leave_act(state: State, faults: Faults) -> None:
    if state.passive:
        return
    placed, active = state.up + state.down, state.active
    if state.final:
        if state.can_place(active) and not state.no_place:
            add(faults, "R209", {})
    elif placed >= state.rules.most_placed:
        return
    elif not placed and state.can_place(active):
        if not state.no_place:
            add(faults, "R206", {})
    elif not placed and not state.action and not state.no_place and state.rules.may_pass:
        add(faults, "R603", {})
    elif state.up == 1 and not state.down and not state.rules.up_alone and state.can_place(active):
        add(faults, "R208", {})


def _leave_special(state: State, faults: Faults) -> None:
    if state.passive:
        return
    rules, cells, due = state.rules, state.cells, state.due
    special = rules.special
    for group in rules.groups:
        if cells[TOTAL + group] < special or not cells[LEFT + group]:
            continue
        # A group that has lost cards since it was due, against the order of the turn, may no longer owe a vote.
        if due == NOT_REACHED or is_among(group, due):
            add(faults, "R402", {"group": group, "count": state.total(group)})


def _leave_draw(state: State, faults: Faults) -> None:
    missing = state.draw_limit()
    # If both are out of influence cards, the game ends with the turn, and nobody has to draw what is left (N3).
    if missing and not state.both_out():
        there: i64 = state.cells[INFLUENCE_PILE + state.active] + state.cells[ACTION_PILE + state.active]
        if there > 0:
            add(faults, "R503", {"missing": missing if missing < there else there})
