"""How far a plain turn has come, as a small number, and what may come next: a turn's order, worked out beforehand.

A phase stands for a :class:`Shape`. For each kind of token a table says which phase follows, 0 where the token is not
plainly in its place. Phase 0 is every turn of another kind; what it has come to stands in the state alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from .state import State


class Shape(NamedTuple):
    """What a turn has come to, where it is one in which cards are drawn.

    In stage 1 all special votes have been held; from drawing on the hand is full. In a passive turn it was full before
    the exchange.
    """

    stage: int
    up: int
    down: int
    revealed: bool
    late: bool
    """Whether an action card was played after a placement."""
    silent: bool
    """Whether nothing is revealed in this turn."""
    passive: bool = False


_BOTH: Final = (False, True)
_NOTHING: Final = Shape(0, 0, 0, False, False, False)
_PASSIVE: Final = _NOTHING._replace(passive=True)
_SHAPES: Final = (
    *[Shape(*each) for each in product(range(4), range(3), range(3), _BOTH, _BOTH, _BOTH)],
    *[_PASSIVE._replace(stage=stage) for stage in (0, 2, 3)],
)
_PHASES: Final[dict[tuple[int, int, int, bool, bool, bool, bool], int]] = {
    shape: phase for phase, shape in enumerate(_SHAPES, 1)
}
START: Final = _PHASES[_NOTHING]
EXCHANGED: Final = _PHASES[_PASSIVE]
"""The phase of a passive turn after its discards."""
PLACED: Final = (False, *[shape.up + shape.down > 0 for shape in _SHAPES])
"""Phase → whether a card has been placed in this turn."""
Table: TypeAlias = tuple[int, ...]


class Moves(NamedTuple):
    """Phase → the phase that follows."""

    face_up: Table
    face_down: Table
    special: Table
    """A special vote; the phase holds only if it was the last that is due."""
    drawing: Table
    """Of as many cards as the hand takes."""
    voting: Table
    """A vote, or a bust or vote card without one; where no special vote is due."""
    putting: Table
    """A vote card that is put away; where no special vote is due. The next one is still to be revealed."""
    acting: Table
    """An action card."""
    ending: Table
    """The turn's end; whatever is not 0 says that it may end."""
    first_up: int
    """The phase after one card face up that asks for a second one; 0 where none does."""


@cache
def moves(two_up: bool, reveal: int) -> Moves:
    """The tables of an edition: whether its placement is one card down or two up, the place of revealing in a turn."""
    draw_first, drawing, need = reveal == 3, 5 - reveal, 2 if two_up else 1

    def face_up(shape: Shape) -> Shape | None:
        held_up = shape.up > 1 or shape.down if two_up else shape.up or (shape.down and (shape.down > 1 or shape.late))
        return None if shape.stage or held_up or shape.passive else shape._replace(up=shape.up + 1)

    def face_down(shape: Shape) -> Shape | None:
        held_up = shape.down or (shape.up and (two_up or shape.up > 1 or shape.late))
        return None if shape.stage or held_up or shape.passive else shape._replace(down=shape.down + 1)

    def placed(shape: Shape) -> bool:
        return shape.stage == 1 or (shape.stage == 0 and (shape.down > 0 or shape.up >= need))

    def special(shape: Shape) -> Shape | None:
        return shape._replace(stage=1) if placed(shape) else None

    def draw(shape: Shape) -> Shape | None:
        ready = placed(shape) if draw_first or shape.silent else shape.stage == 2 and shape.revealed
        ready = shape.stage == 0 if shape.passive else ready
        return shape._replace(stage=drawing) if ready else None

    def vote(shape: Shape) -> Shape | None:
        # At its own stage, where nothing is revealed yet, a vote card has been put away.
        ready = shape.stage in (2, reveal) or (not draw_first and placed(shape))
        ready = ready and not (shape.revealed or shape.silent or shape.passive)
        return shape._replace(stage=reveal, revealed=True) if ready else None

    def put(shape: Shape) -> Shape | None:
        return shape._replace(stage=reveal) if vote(shape) else None

    def act(shape: Shape) -> Shape | None:
        return None if shape.stage or shape.passive else shape._replace(late=shape.late or shape.up + shape.down > 0)

    def end(shape: Shape) -> Shape | None:
        if shape.silent or shape.passive:
            return shape if shape.stage >= drawing else None
        return shape if shape.stage == 3 and shape.revealed else None

    first_up = _table(face_up)[START] if two_up else 0
    turning = _table(draw), _table(vote), _table(put)
    return Moves(_table(face_up), _table(face_down), _table(special), *turning, _table(act), _table(end), first_up)


def _table(move: Callable[[Shape], Shape | None]) -> Table:
    return (0, *[_PHASES.get(following, 0) if (following := move(shape)) else 0 for shape in _SHAPES])


def phase_of(state: State, drawing: int) -> int:
    """The phase of an active turn, where it has one; 0 for a passive one, which has phases only within the lane.

    ``drawing`` is the place of drawing in the turn.
    """
    if state.passive or state.no_place or not state.may_draw or state.stage >= drawing:
        return 0
    if state.stage == 1 and state.pending != []:
        return 0
    late, silent = state.action == 2, not state.may_reveal
    return _PHASES.get((state.stage, state.up, state.down, state.revealed, late, silent, False), 0)


def write_down(state: State, phase: int) -> None:
    """Put into the state what the turn has come to; of an exchange, what the hand lacks at this moment."""
    if phase:
        state.stage, state.up, state.down, state.revealed, _, _, state.passive = _SHAPES[phase - 1]
        state.discarded = 0
        if phase == EXCHANGED:
            state.discarded = state.edition.hand_limit - sum(state.sides[state.active].hand)
