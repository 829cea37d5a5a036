"""Records as somebody could have written them from his seat, for the tests of what is shown and of what is joined."""

from __future__ import annotations

from dataclasses import replace

from tironian.notation.record import Record
from tironian.replay.analysis.eyes import seen_opening, seen_tokens
from tironian.replay.edition import Edition


def known(record: Record, view: str, edition: Edition) -> Record:
    """The record as that person could have written it."""
    headers = (*record.headers, ("View", view))
    turns = (
        replace(turn, tokens=seen_tokens(turn, view) if turn.number else seen_opening(turn, view, edition))
        for turn in record.turns
    )
    return replace(record, headers=headers, turns=tuple(turns))
