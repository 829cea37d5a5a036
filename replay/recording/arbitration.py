"""What the arbiter decides about a turn, and what still has to be decided: rulings settled, replaced and removed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ...notation.record import Record, Ruling, Turn
from ..engine.rulings import rulings

UNDECIDED: Final = "it happened; the arbiter still has to rule"
"""The text of a ruling that holds an irregularity until somebody decides about it."""


def decided(turn: Turn, ruling: Ruling, *, anew: bool = False) -> Turn:
    """Return the turn with a ruling, in place of those still to be made, whose codes it takes over.

    These are those on the same side; if there are none, and it decides something, those on the other. ``anew``: where
    nothing is still to be decided, the ruling takes the place of those that were made on its side.
    """
    settled = _of(ruling.side, _open(turn))
    if not settled and ruling.text != UNDECIDED:
        settled = _open(turn) or (_of(ruling.side, rulings(turn)) if anew else [])
    codes = dict.fromkeys([code for source in (*settled, ruling) for code in source.codes])
    # Of a turn that was taken back nothing stands, so it needs no list of what was wrong with it.
    ruling = replace(ruling, codes=() if ruling.decision == "back" else tuple(codes))
    return replace(turn, after=(*[line for line in turn.after if line not in settled], ruling))


def unruled(turn: Turn, side: int | None = None) -> Turn:
    """Return the turn without the rulings on a side, or without any."""
    removed = [ruling for ruling in rulings(turn) if side in (None, ruling.side)]
    return replace(turn, after=tuple([line for line in turn.after if line not in removed]))


def ruled_side(turn: Turn) -> int:
    """Return the side that a decision is about if none is named: the one that is ruled on, or whose turn it is."""
    sides = {ruling.side for ruling in _open(turn) or rulings(turn)}
    return sides.pop() if len(sides) == 1 else turn.side


def undecided(record: Record) -> list[str]:
    """Return the labels of the turns about which an arbiter has still to rule."""
    return [turn.label for turn in record.turns if _open(turn)]


def _open(turn: Turn) -> list[Ruling]:
    return [ruling for ruling in rulings(turn) if ruling.text == UNDECIDED]


def _of(side: int, found: list[Ruling]) -> list[Ruling]:
    return [ruling for ruling in found if ruling.side == side]
