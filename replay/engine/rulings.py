"""The effects of the arbiter's rulings on a turn."""

from __future__ import annotations

from collections.abc import Collection, Set
from typing import Final

from ...notation import tokens as t
from ...notation.cards import CARDS, EGYPT, ROME, SOME_ACTION, SOME_INFLUENCE
from ...notation.codes import KIND, OTHER, encode
from ...notation.record import Ruling, Turn
from ..diagnostics.registry import CODES
from ..rules.fault import Fault
from ..rules.law.votes import depends_on_reading
from ..rules.layout import DOUBTED, HAS_UNKNOWN_CARDS
from ..rules.mechanics.hands import doubt, make_room_in_hand, stop_counting
from ..rules.state import State

_MISCOUNTED: Final = Fault("C902", {})
_IMPLIED: Final = {"C902": "C901", "C901": "C902"}
"""Code → the code that is let stand together with it: a vote followed the cards, not what was written down; which code
shows depends on who saw which cards.
"""

VOTE_FAULTS: Final = frozenset({"R401", "R402"})
"""The faults that show later in a turn if a vote's cards were misread and the log hides them."""


def rulings(turn: Turn) -> list[Ruling]:
    """Return the rulings on a turn."""
    return [line for line in turn.after if isinstance(line, Ruling)]


def is_taken_back(turn: Turn) -> bool:
    """Return whether the turn was taken back and another one was played instead."""
    return any(ruling.decision == "back" for ruling in rulings(turn))


def can_be_agreed(code: str) -> bool:
    """Return whether players may agree to allow a fault: the replay can continue after it, and all cards stay known."""
    if code[:1] != "R" or code not in CODES:
        return False
    kind = CODES[code]
    return kind.replayable and kind.odd_cards is None and not kind.breaks


def house_ruling(side: int, agreed: Collection[str]) -> Ruling | None:
    """Return the codes that players agreed to allow, as a ruling; None if there are none."""
    return Ruling(side, "penalty", tuple(agreed)) if agreed else None


def combined_ruling(turn: Turn, agreed: Collection[str] = ()) -> Ruling | None:
    """Return all rulings that let a turn stand and the ``agreed`` codes as one ruling; None if there are none."""
    standing = [ruling for ruling in rulings(turn) if ruling.decision != "back"]
    if agreement := house_ruling(turn.side, agreed):
        standing.append(agreement)
    if not standing:
        return None
    codes = tuple(code for ruling in standing for code in ruling.codes)
    return Ruling(standing[0].side, standing[0].decision, codes if all(ruling.codes for ruling in standing) else ())


def penalties(turn: Turn) -> tuple[int, int]:
    """Return the points that Rome and Egypt lose through the rulings on a turn."""
    lost = [sum(ruling.points for ruling in rulings(turn) if ruling.side == side) for side in (ROME, EGYPT)]
    return lost[0], lost[1]


def is_ruled(fault: Fault, allowing_ruling: Ruling | None) -> bool:
    """Return whether a ruling lets a fault stand."""
    if allowing_ruling is None:
        return False
    return (
        not allowing_ruling.codes
        or fault.code in allowing_ruling.codes
        or _IMPLIED.get(fault.code) in allowing_ruling.codes
    )


def let_stand(state: State, fault: Fault) -> None:
    """Prepare for a fault that a ruling lets stand: cards that a side should not have don't count against its deck
    later.
    """
    facts = fault.facts
    if fault.code == "R203":
        make_room_in_hand(state, facts["owner"], facts["card"])
    elif CODES[fault.code].odd_cards is not None:
        for side in _sides_of(state, fault):
            for card in _odd_cards(fault):
                stop_counting(state, side, card)
            if fault.code == "R108":
                state.orders[side] = None
    elif fault.code == "C902" and any(facts["philosophers"]):
        # If the table miscounted, or overlooked the effect of a philosopher, different cards were taken away.
        doubt(state, ROME)
        doubt(state, EGYPT)


def _odd_cards(fault: Fault) -> list[int]:
    """Return the cards, or kinds of cards, that don't come from one deck if a fault stands."""
    if kinds := CODES[fault.code].odd_cards:
        return [CARDS[letter] for letter in kinds]
    return [fault.facts["card"]] if "card" in fault.facts else []


def _sides_of(state: State, fault: Fault) -> tuple[int, ...]:
    """Return the sides whose cards a fault is about."""
    facts = fault.facts
    if "swapped" in facts or "elsewhere" in facts:  # the columns of a vote, not one of them
        return ROME, EGYPT
    if CODES[fault.code].victims:
        return (1 - state.active,)
    return (facts.get("owner", facts.get("side", state.active)),)


def _is_of_cards(allowing_ruling: Ruling) -> bool:
    """Return whether a ruling may let cards stand that differ from those in the record."""
    return not allowing_ruling.codes or any(
        code in CODES and CODES[code].odd_cards is not None for code in allowing_ruling.codes
    )


def _is_in_doubt(state: State, allowing_ruling: Ruling) -> bool:
    """Return whether what is known about either side's cards may be wrong, or is missing where a ruling may be about
    it.
    """
    cells = state.cells
    blurred = _is_of_cards(allowing_ruling) and (cells[HAS_UNKNOWN_CARDS] or cells[HAS_UNKNOWN_CARDS + 1])
    return bool(blurred or cells[DOUBTED] or cells[DOUBTED + 1])


def leaves_open(state: State, token: t.Token, allowing_ruling: Ruling | None, codes: Set[str]) -> bool:
    """Return whether a ruling may be about a vote whose result depends on whether its cards were misread or really laid
    like that.

    ``codes`` are the codes of what the vote shows. If the cards were already in doubt, a wrong winner still shows.
    """
    if (
        allowing_ruling is None
        or not isinstance(token, t.Vote | t.SpecialVote)
        or not is_ruled(_MISCOUNTED, allowing_ruling)
    ):
        return False
    doubted = "C902" in codes and _is_in_doubt(state, allowing_ruling)
    if allowing_ruling.codes and not (doubted or "C901" in codes or "C901" in allowing_ruling.codes):
        return False
    code, more = encode(token)
    return code & KIND == OTHER or depends_on_reading(state, code, more, doubted)


def let_unseen_stand(state: State, allowing_ruling: Ruling) -> bool:
    """Prepare for faults that a ruling lets stand but the log does not show; return whether it can be about hidden
    cards.

    Whoever was at fault, the cards may be the other side's: misread, or written down wrong.
    """
    if not _is_of_cards(allowing_ruling):
        return False
    hidden = [side for side in (ROME, EGYPT) if state.cells[HAS_UNKNOWN_CARDS + side] or state.cells[DOUBTED + side]]
    for side in hidden:
        for kind in (SOME_INFLUENCE, SOME_ACTION):
            stop_counting(state, side, kind)
    return bool(hidden)
