"""The law of drawing cards and of choosing missions."""

from __future__ import annotations

from mypy_extensions import i64

from ..fault import Faults, add
from ..state import State
from .base import in_order, may_draw


def judge_choose(state: State, code: i64, faults: Faults) -> None:
    """Note what speaks against keeping a mission (M1, M2)."""
    side, kept = code >> 4 & 1, code >> 5
    held = len(state.missions[side])
    # Who held fewer than two, in a position, has nothing to choose; to say so is no fault.
    single = held < 2 and state.emptied == 1 and state.rules.chooses_mission
    if not (single or state.must_choose(side)):
        add(faults, "R701", {"owner": side})
    elif held and kept > held:
        add(faults, "R703", {"owner": side, "kept": kept})


def judge_draw(state: State, code: i64, place: i64, faults: Faults) -> None:
    """Note what speaks against drawing cards (G1, G2, H1)."""
    count = code >> 4 & 15
    if place < state.stage:
        in_order(state, code, 0, place, faults)
    limit = state.draw_limit()
    if count > limit:
        add(faults, "R501", {"drawn": count, "limit": limit})
    may_draw(state, state.active, count, code >> 8, faults)
