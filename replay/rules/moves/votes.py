"""Which votes, busts and vote cards can come (I1–I12, J1–J3)."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation import codes
from ..layout import LEFT
from ..state import State, may_come
from ..vote_outcome import WINNER, decided_by
from .move_list import MoveList


def list_special_votes(state: State, moves: MoveList) -> None:
    """List the special votes that still have to be held this turn (H2, I7–I12)."""
    for at in range(count_special_votes(state)):
        code, more = special_vote_at(state, at)
        moves.add(code, more)


def count_special_votes(state: State) -> i64:
    """Return how many special votes still have to be held this turn (H2, I7–I12)."""
    number: i64 = 0
    if not state.passive:
        due = state.due_votes()
        while due >> codes.WIDTH * number:
            number += 1
    return number


def special_vote_at(state: State, at: i64) -> tuple[i64, i64]:
    """Return the special vote at a place among those that are due."""
    return vote_at(state, codes.SPECIAL_VOTE, (state.due_votes() >> codes.WIDTH * at & codes.CARD) - 1)


def vote_at(state: State, kind: i64, group: i64) -> tuple[i64, i64]:
    """Return the codes of a vote, with what it shows and who wins it (J1, J2)."""
    rome, egypt = state.counts_at(0, group), state.counts_at(1, group)
    winner = decided_by(state.rules, rome, egypt) & WINNER
    return kind | group << codes.GROUP_AT | (
        winner + 1
    ) << codes.WINNER_AT | codes.BOTH_WRITTEN | rome << codes.ROME_AT, egypt


def list_reveals(state: State, moves: MoveList) -> None:
    """List every bust or vote card that can come now (I1–I6)."""
    if state.revealed or not state.reveals():
        return
    for group in state.rules.groups:
        if may_come(state, group):
            code, more = vote_or_removal(state, group)
            moves.add(code, more)
    if state.blanks:
        moves.add(codes.NO_VOTE, 0)
    if state.rules.resets:  # it is never out: the reset goes back as well
        moves.add(codes.NO_VOTE | 1 << codes.RESET_AT, 0)


def vote_or_removal(state: State, group: i64) -> tuple[i64, i64]:
    """Return what the bust or vote card of a group brings."""
    if state.cells[LEFT + group]:
        return vote_at(state, codes.VOTE, group)
    return codes.PUT_AWAY | group << codes.GROUP_AT, 0


def count_reveals(state: State) -> i64:
    """Return how many busts or vote cards there are, one of which comes now."""
    if state.revealed or not state.reveals():
        return 0
    there: i64 = state.blanks + state.rules.resets
    for group in state.rules.groups:
        if may_come(state, group):
            there += 1
    return there


def reveal_at(state: State, at: i64) -> tuple[i64, i64]:
    """Return what comes if the bust or vote card at this place among them is drawn."""
    for group in state.rules.groups:
        if may_come(state, group):
            if not at:
                return vote_or_removal(state, group)
            at -= 1
    if at < state.blanks:
        return codes.NO_VOTE, 0
    return codes.NO_VOTE | 1 << codes.RESET_AT, 0
