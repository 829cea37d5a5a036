"""Edits of a record: what a repair changes, and that in words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...notation.record import Record, Result, Turn
from .slips import Slip


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a record: the turns from ``begin`` to ``end`` (places in ``record.turns``) become ``turns``.

    ``at`` is the place of the first token that differs within its turn. An edit of a header or of the result line
    changes no turn; ``headers`` and ``result`` are None where they stay.
    """

    slip: Slip
    cost: float
    begin: int
    end: int
    turns: tuple[Turn, ...] = ()
    at: int = 0
    headers: tuple[tuple[str, str], ...] | None = None
    result: Result | None = None

    def apply(self, record: Record) -> Record:
        """Return the record with this change."""
        turns = (*record.turns[: self.begin], *self.turns, *record.turns[self.end :])
        return replace(
            record,
            turns=turns,
            headers=record.headers if self.headers is None else self.headers,
            result=record.result if self.result is None else self.result,
        )
