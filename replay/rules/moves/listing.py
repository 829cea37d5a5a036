"""All that may come next, as codes: every legal token of the player whose turn it is, made from the rules.

This is a second, independent reading of the rules beside law and mechanics, and the tests hold the two equal in both
directions. It speaks of games in which every card is known. Chance is listed as well: each card that a pile can still
hold, each bust or vote card that can still come.
"""

from __future__ import annotations

from mypy_extensions import i64

from ....notation.cards import CARD_KINDS
from ....notation.codes import CHOOSE, DRAW, TURN_END
from ....notation.tokens import ACT, REVEAL, SPECIAL
from ....notation.tokens import DRAW as DRAWING
from ..layout import ANNOUNCED
from ..state import State
from .actions import in_piles, list_actions, list_vetoes
from .move_list import MoveList
from .placing import list_passes, list_placements, stays, stops_full
from .votes import list_reveals, list_special_votes


def list_moves(state: State, moves: MoveList, exchanges: bool = True) -> None:
    """List all moves that the rules allow at this point of the game, TURN_END among them, in place of those listed.

    An action that is announced and then vetoed is marked by ANNOUNCED_ONLY. Without ``exchanges`` a passive turn is
    listed with no card exchanged.
    """
    moves.count = 0
    if state.over:
        moves.add(TURN_END, 0)
        return
    if state.vetoed == ANNOUNCED:
        list_vetoes(state, moves)
        return
    if state.choosing:
        list_choices(state, moves)
        return
    order = state.rules.order
    for place in range(state.stage, state.rules.steps):
        step = order[place]
        if step == ACT:
            list_placements(state, moves)
            list_actions(state, moves)
            list_passes(state, exchanges, moves)
            if stops_full(state):
                break
            if stays(state):
                return
            continue
        before = moves.count
        list_later(state, step, moves)
        if moves.count > before and (step != DRAWING or not state.both_out()):
            return  # a step after the first must be taken for as long as there is something to do in it
    moves.add(TURN_END, 0)


def list_later(state: State, step: i64, moves: MoveList) -> None:
    """List what a step after the first one offers."""
    if step == SPECIAL:
        list_special_votes(state, moves)
    elif step == REVEAL:
        list_reveals(state, moves)
    elif state.draw_limit():
        cards = in_piles(state, state.active)
        for card in range(i64(CARD_KINDS)):
            if cards >> card & 1:
                moves.add(DRAW | 1 << 4 | card << 8, 0)


def list_choices(state: State, moves: MoveList) -> None:
    """List both missions of each side that has still to choose (M1, M2)."""
    for side in range(i64(2)):
        if state.must_choose(side):
            moves.add(CHOOSE | side << 4 | 1 << 5, 0)
            moves.add(CHOOSE | side << 4 | 2 << 5, 0)
