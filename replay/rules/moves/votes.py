"""Which votes, busts and vote cards can come (I1–I12, J1–J3)."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation.codes import NO_VOTE, PUT_AWAY, SPECIAL_VOTE, VOTE
from ..layout import BAG, LEFT
from ..state import State
from ..vote_outcome import WINNER, decided_by
from .listed import Listed


def list_special_votes(state: State, found: Listed) -> None:
    """List the special votes that have still to be held this turn (H2, I7–I12)."""
    due: i64 = 0
    if not state.passive:
        due = state.due_votes()
    while due:
        code, more = vote_at(state, SPECIAL_VOTE, (due & 15) - 1)
        found.add(code, more)
        due >>= 4


def vote_at(state: State, kind: i64, group: i64) -> tuple[i64, i64]:
    """Return the codes of a vote, with what it shows and who wins it (J1, J2)."""
    rome, egypt = state.counts_at(0, group), state.counts_at(1, group)
    winner = decided_by(state.rules, rome, egypt) & WINNER
    return kind | group << 4 | (winner + 1) << 7 | 3 << 10 | rome << 12, egypt


def list_reveals(state: State, found: Listed) -> None:
    """List every bust or vote card that can come now (I1–I6)."""
    if state.revealed or not state.may_reveal or state.passive:
        return
    cells, rules = state.cells, state.rules
    for group in rules.groups:
        if not cells[BAG + group]:
            continue
        if cells[LEFT + group]:
            code, more = vote_at(state, VOTE, group)
            found.add(code, more)
        elif not rules.gone_at_once:
            found.add(PUT_AWAY | group << 4, 0)
    if state.blanks:
        found.add(NO_VOTE, 0)
    if rules.resets:  # it is never out: what brings everything back goes back itself
        found.add(NO_VOTE | 1 << 4, 0)
