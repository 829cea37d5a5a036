"""The steps of the present turn: which are done, which can come now, and which are still to come."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...notation import tokens as t
from ..diagnostics.names import device_name
from .cursor import Cursor, Phase
from .draft import Draft

DONE: Final = "✓"
NOW: Final = "▸"
LATER: Final = "·"


class TurnStep(NamedTuple):
    """A step of a turn, and how it stands: DONE, NOW or LATER."""

    name: str
    stands: str


def turn_steps(draft: Draft) -> list[TurnStep]:
    """Return the steps of the turn in their order (C1); none outside a turn that is judged.

    A step that was left out is not listed any more, nor is a special vote before it is due.
    """
    cursor, state = draft.cursor, draft.cursor.state
    if cursor.phase is not Phase.PLAY or state is None:
        return []
    kinds = {type(move.token) for move in cursor.moves}
    order = state.edition.order
    now = {t.KINDS[kind].step for kind in kinds if kind in t.KINDS and kind is not t.Veto}
    first = min((rank for rank, step in enumerate(order) if step in now), default=len(order))
    if state.choosing:  # between two steps
        first = state.stage + 1
    has_drawn = not cursor.fresh and any(isinstance(token, t.Draw) for token in draft.record.turns[-1].tokens)
    steps: list[TurnStep] = []
    for rank, step in enumerate(order):
        stands = NOW if step in now else DONE if rank < first else LATER
        match step:
            case t.ACT:
                steps += _act(cursor, kinds, stands)
            case t.SPECIAL if stands == NOW:
                steps.append(TurnStep("special vote", stands))
            case t.REVEAL if state.revealed or (stands != DONE and state.reveals()):
                steps.append(TurnStep(device_name(state.edition), DONE if state.revealed else stands))
            case t.DRAW if state.may_draw and (has_drawn or stands != DONE):
                steps.append(TurnStep(f"draw {cursor.to_draw}" if stands == NOW else "draw", stands))
        if state.choosing and rank == state.stage:
            steps.append(TurnStep("mission", NOW))
    return steps


def _act(cursor: Cursor, kinds: set[type[t.Token] | type[None]], stands: str) -> list[TurnStep]:
    """Return the cards placed or exchanged, and the action."""
    state = cursor.state
    assert state is not None
    count, steps = state.up + state.down, list[TurnStep]()
    if count or t.Place in kinds:
        steps += [TurnStep("first card", DONE if count else stands)]
        if count > 1 or (count and t.Place in kinds):
            steps += [TurnStep("second card", DONE if count > 1 else stands)]
    if state.passive:
        steps += [TurnStep("exchange", DONE)]
    if state.action or kinds.intersection(t.ACTIONS):
        steps += [TurnStep("action", DONE if state.action and not cursor.pending else NOW)]
    return steps
