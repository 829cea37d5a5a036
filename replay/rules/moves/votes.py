"""Which votes, busts and vote cards can come (I1–I12, J1–J3)."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation.codes import NO_VOTE, PUT_AWAY, SPECIAL_VOTE, VOTE
from ..cards import counts_in
from ..layout import BAG, HIDDEN, HIDDEN_COUNT, LEFT, UP, UP_COUNT
from ..state import State
from ..vote_outcome import WINNER, decided_by


def due_votes(state: State) -> list[int]:
    """Return the groups whose special vote has still to be held this turn (H2, I7–I12)."""
    if state.passive:
        return []
    pending = state.pending
    return state.crowded() if pending is None else pending


def list_special_votes(state: State, found: list[int]) -> None:
    """List the special votes that are due."""
    for group in due_votes(state):
        add_vote(state, SPECIAL_VOTE, group, found)


def add_vote(state: State, kind: i64, group: i64, found: list[int]) -> None:
    """List a vote with what it shows and who wins it (J1, J2)."""
    rome, egypt = column_at(state, 0, group), column_at(state, 1, group)
    winner = decided_by(state.rules, rome, egypt) & WINNER
    found.append(kind | group << 4 | (winner + 1) << 7 | 3 << 10 | rome << 12)
    found.append(egypt)


def column_at(state: State, side: i64, group: i64) -> i64:
    """Return the counts of a side's cards at a group."""
    cells, at = state.cells, 8 * side + group
    up = counts_in(cells[UP + at], cells[UP_COUNT + at])
    return up + counts_in(cells[HIDDEN + at], cells[HIDDEN_COUNT + at])


def list_reveals(state: State, found: list[int]) -> None:
    """List every bust or vote card that can come now (I1–I6)."""
    if state.revealed or not state.may_reveal or state.passive:
        return
    cells, rules = state.cells, state.rules
    for group in rules.groups:
        if not cells[BAG + group]:
            continue
        here: i64 = group
        if cells[LEFT + here]:
            add_vote(state, VOTE, here, found)
        elif not rules.gone_at_once:
            found.append(PUT_AWAY | here << 4)
            found.append(0)
    if state.blanks:
        found.append(NO_VOTE)
        found.append(0)
    if rules.resets:  # it is never out: what brings everything back goes back itself
        found.append(NO_VOTE | 1 << 4)
        found.append(0)
