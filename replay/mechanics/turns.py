"""From step to step and from turn to turn, and the ends of the game that are found between them."""

from __future__ import annotations

from ..edition import ExhaustCheck, FullCheck, OneOut
from ..state import State


def advance(state: State, place: int) -> None:
    """Go on to a later step of the turn."""
    if state.stage == 0 and not (state.up or state.down or state.passive):
        _end_at_placement(state)
    state.stage = place


def _end_at_placement(state: State) -> None:
    if not state.ended and state.ends_at_placement():
        state.ended = "full"


def end_turn(state: State) -> None:
    """End the turn: find the end of the game, or whose turn is next."""
    if state.ended:
        return
    advance(state, len(state.edition.order) - 1)
    if state.ended:
        return
    rome, egypt = state.sides
    if rome.is_out() and egypt.is_out():
        state.ended = "exhausted"
    elif state.final:
        state.ended = "final_turn"
    else:
        following = 1 - state.active
        if state.sides[following].is_out() and state.edition.one_out is not OneOut.SKIP_A:
            following = state.active
        if following in (state.starter, state.active):
            state.number += 1
        state.active = following
        state.first_turn = False
        begin_turn(state)


def begin_turn(state: State) -> None:
    """Prepare the turn of the active side; the game may turn out to be over (N4, N5, N6)."""
    state.clear_turn()
    rule = state.edition.one_out
    state.lone = state.sides[1 - state.active].is_out()
    state.final = state.lone and rule is OneOut.FINAL_TURN
    stuck = state.final or (state.lone and rule is OneOut.NO_DRAWS)
    if stuck and not state.sides[state.active].influence_in_hand():
        state.ended = "hand_played"
    elif (
        state.edition.full_check is not FullCheck.AT_PLACEMENT
        and state.ends_when_full()
        and state.is_full(state.active)
    ):
        state.ended = "full"


def look_for_the_end(state: State) -> None:
    """The readings that end a game in the middle of a turn (N3, N6)."""
    edition, (rome, egypt) = state.edition, state.sides
    if state.ended:
        return
    if edition.exhaust_check is ExhaustCheck.IMMEDIATE and rome.is_out() and egypt.is_out():
        state.ended = "exhausted"
    elif edition.full_check is FullCheck.IMMEDIATE and state.ends_when_full() and state.is_full(state.active):
        state.ended = "full"
