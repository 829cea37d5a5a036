"""From step to step and from turn to turn, and the ends of the game that are found between them."""

from __future__ import annotations

from typing import Final

from ..edition import ExhaustCheck, FullCheck, OneOut
from ..state import State

# Bound here since a member of an enumeration is not found as quickly as a name.
_SKIP_A: Final = OneOut.SKIP_A
_FINAL_TURN: Final = OneOut.FINAL_TURN
_NO_DRAWS: Final = OneOut.NO_DRAWS
_AT_PLACEMENT: Final = FullCheck.AT_PLACEMENT


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
    active = state.active
    other_out = state.sides[1 - active].is_out()
    if other_out and state.sides[active].is_out():
        state.ended = "exhausted"
    elif state.final:
        state.ended = "final_turn"
    else:
        following = active if other_out and state.edition.one_out is not _SKIP_A else 1 - active
        if following == active or following == state.starter:
            state.number += 1
        state.active = following
        state.first_turn = False
        begin_turn(state)


def begin_turn(state: State) -> None:
    """Prepare the turn of the active side; the game may turn out to be over (N4, N5, N6)."""
    state.clear_turn()
    edition = state.edition
    state.lone = lone = state.sides[1 - state.active].is_out()
    state.final = lone and edition.one_out is _FINAL_TURN
    state.may_draw = not (state.final or (lone and edition.one_out is _NO_DRAWS))
    state.may_reveal = not state.final and (edition.first_reveal or not state.first_turn)
    if not state.may_draw and not state.sides[state.active].influence_in_hand():
        state.ended = "hand_played"
    elif state.is_full(state.active) and edition.full_check is not _AT_PLACEMENT and state.ends_when_full():
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
