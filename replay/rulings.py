"""What the arbiter's rulings behind a turn come to."""

from __future__ import annotations

from typing import Final

from ..notation.cards import EGYPT, ROME, SOME_ACTION, SOME_INFLUENCE
from ..notation.record import Ruling, Turn
from .rules.law import Fault
from .rules.mechanics.hands import lend, lose_count
from .rules.state import State

_ODD_CARDS: Final = {"R104": SOME_INFLUENCE, "R108": SOME_ACTION, "R311": SOME_INFLUENCE, "C901": SOME_INFLUENCE}
"""Code → the kind of cards that are not those of one deck where it stands; R203 and R504 name the card."""


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


def let_stand(state: State, fault: Fault) -> None:
    """Prepare what a ruling lets stand: cards that a side should not have are not held against its deck later on."""
    facts = fault.facts
    side = facts.get("owner", facts.get("side", state.active))
    if fault.code == "R203":
        lend(state, side, facts["card"])
    elif fault.code == "R504":
        lose_count(state, side, facts["card"])
    elif fault.code in _ODD_CARDS:
        lose_count(state, side, _ODD_CARDS[fault.code])


def let_unseen_stand(state: State, turn: Turn) -> bool:
    """Prepare what a ruling lets stand that the log does not show; whether it can be about cards that it hides."""
    odd = {"R203", "R504", *_ODD_CARDS}
    about = [ruling.side for ruling in rulings(turn) if not ruling.codes or odd.intersection(ruling.codes)]
    hidden = [side for side in about if state.sides[side].blurred]
    for side in hidden:
        for card in (SOME_INFLUENCE, SOME_ACTION):
            lose_count(state, side, card)
    return bool(hidden)
