"""What the arbiter's rulings behind a turn come to."""

from __future__ import annotations

from ..notation.cards import EGYPT, ROME
from ..notation.record import Ruling, Turn
from .law import Fault


def rulings(turn: Turn) -> list[Ruling]:
    """The rulings on a turn."""
    return [line for line in turn.after if isinstance(line, Ruling)]


def is_taken_back(turn: Turn) -> bool:
    """Whether the turn was taken back: another was played in its place."""
    return any(ruling.decision == "back" for ruling in rulings(turn))


def pardon_for(turn: Turn) -> Ruling | None:
    """All rulings that let a turn stand, as one; None where there is none."""
    standing = [ruling for ruling in rulings(turn) if ruling.decision != "back"]
    if not standing:
        return None
    codes = tuple(code for ruling in standing for code in ruling.codes)
    return Ruling(standing[0].side, standing[0].decision, codes if all(ruling.codes for ruling in standing) else ())


def penalties(turn: Turn) -> tuple[int, int]:
    """The points that Rome and Egypt lose by the rulings on a turn."""
    lost = [sum(ruling.points for ruling in rulings(turn) if ruling.side == side) for side in (ROME, EGYPT)]
    return lost[0], lost[1]


def is_ruled(fault: Fault, pardon: Ruling | None) -> bool:
    """Whether a ruling lets a fault stand."""
    return pardon is not None and (not pardon.codes or fault.code in pardon.codes)
