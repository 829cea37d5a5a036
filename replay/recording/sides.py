"""Which side is meant where somebody names one, and what it comes to that a game was broken off."""

from __future__ import annotations

import re
from contextlib import suppress

from ...notation.cards import EGYPT, PLAYER_NAMES, ROME, SIDE_LETTERS, SIDE_NAMES, TIE
from ...notation.record import Comment, Record, Result
from ..engine.result import DECISIVE
from .draft import Draft
from .entry import UnreadableEntry, items_of


class Unheeded(Exception):
    """Something that is no entry and was not done; its arguments are lines that say why, and what can be done."""


def ended(draft: Draft, how: str, said: str) -> Result | None:
    """Return the result of a game that was broken off: who gave it up or has won, or what was written of it."""
    words = re.fullmatch(r"(won by |lost by |by |)(.*)", said, re.IGNORECASE)
    assert words is not None
    verb, name = words[1].lower(), words[2].casefold()
    side = _side_of(draft.record, name)
    if side is not None and (verb == "won by " or verb == "lost by " or how in DECISIVE):
        return Result(winner=side if verb == "won by " else 1 - side)
    if side is not None and how in ("abandoned", "unterminated"):
        return Result(notes=(Comment(f"{PLAYER_NAMES[side]}: {how}", 0),))  # that decides nothing
    if name in ("draw", "a draw"):
        return Result(winner=TIE)
    with suppress(UnreadableEntry):
        if result := next((item for item in items_of(draft, said) if isinstance(item, Result)), None):
            return result
    if not said and how in ("normal", "abandoned", "unterminated"):
        return None
    if how in DECISIVE:
        raise Unheeded(f"which side? /end {how} by Caesar, or by Cleopatra; the other side has won")
    raise Unheeded(f"who has won? /end {how} won by Caesar, won by Cleopatra, or draw; or a result, Rome first: 17-9")


def side_called(record: Record, name: str) -> int:
    """Return the side that has this name. Raise Unheeded where none has."""
    side = _side_of(record, name.casefold())
    if side is None:
        raise Unheeded(f"{name} is neither of the players: write R or E, as in /rule 7E R stands")
    return side


def _side_of(record: Record, name: str) -> int | None:
    for side in (ROME, EGYPT):
        names = (PLAYER_NAMES[side], SIDE_NAMES[side], SIDE_LETTERS[side], record.header(PLAYER_NAMES[side]))
        if name in [known.casefold() for known in names if known.strip("? ")]:
            return side
    return None
