"""The way from step to step and from turn to turn, and the ends of the game that are found on it."""

from __future__ import annotations

from mypy_extensions import i64

from ..layout import BY_EXHAUSTION, BY_FINAL_TURN, BY_FULL_SIDE, BY_HAND_PLAYED, INFLUENCE
from ..state import State


def advance(state: State, place: i64) -> None:
    """Go on to a later step of the turn; end the game if a card should be placed but the side is full (N6)."""
    if not (state.stage or state.up or state.down or state.passive or state.over) and state.ends_at_placement():
        state.over = BY_FULL_SIDE
    state.stage = place


def end_turn(state: State) -> None:
    """End the turn: find out whether the game is over, or whose turn is next."""
    if state.over:
        return
    advance(state, state.rules.steps - 1)
    if state.over:
        return
    active = state.active
    other_out = state.is_out(1 - active)
    if other_out and state.is_out(active):
        state.over = BY_EXHAUSTION
    elif state.final:
        state.over = BY_FINAL_TURN
    else:
        following = active if other_out and state.rules.skips_turns else 1 - active
        if following == active or following == state.starter:
            state.number += 1
        state.active = following
        state.first_turn = False
        begin_turn(state)


def begin_turn(state: State) -> None:
    """Prepare the turn of the active side; the game may turn out to be over (N4, N5, N6)."""
    state.clear_turn()
    rules = state.rules
    state.lone = state.is_out(1 - state.active)
    state.final = state.lone and rules.final_turn
    state.may_draw = rules.lone_draws or not state.lone
    state.may_reveal = not state.final and (rules.first_reveal or not state.first_turn)
    if not state.may_draw and not state.cells[INFLUENCE + state.active]:
        state.over = BY_HAND_PLAYED
    elif rules.full_at_start and state.ends_when_full() and state.is_full(state.active):
        state.over = BY_FULL_SIDE


def check_game_end(state: State) -> None:
    """End the game if it is over in the middle of a turn, as some readings have it (N3, N6)."""
    if state.over:
        return
    rules = state.rules
    if rules.exhaust_at_once and state.both_out():
        state.over = BY_EXHAUSTION
    elif rules.full_at_once and state.ends_when_full() and state.is_full(state.active):
        state.over = BY_FULL_SIDE
