"""What a search may still do, in steps and in seconds: all that may take long ask here whether they may go on."""

from __future__ import annotations

from math import inf
from time import monotonic as clock

from .classes import dataclass


class BudgetSpent(Exception):
    """A search was given up before its end."""


def end_after(seconds: float) -> float:
    """Return the time, as ``clock`` has it, after so many seconds; for 0 there is no end."""
    return clock() + seconds if seconds else inf


@dataclass(slots=True)
class Allowance:
    """Steps that are ``left``, fewer than none where the search was given up, and the time of the ``end``."""

    left: float = inf
    end: float = inf

    def suffices(self, steps: int = 1) -> bool:
        """Count some steps; return whether there were as many left, and time."""
        self.left = -1 if self.end < inf and clock() > self.end else self.left - steps
        return self.left >= 0

    def spend(self, steps: int = 1) -> None:
        """Count some steps. Raise BudgetSpent where there were not as many left, or no time."""
        if not self.suffices(steps):
            raise BudgetSpent
