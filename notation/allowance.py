"""What a search may still do, in steps and in seconds: anything that may take long asks here whether it may
continue.
"""

from __future__ import annotations

from math import inf
from time import monotonic as clock

from .classes import dataclass


class BudgetSpent(Exception):
    """Raised if a search was stopped before its end."""


def end_after(seconds: float) -> float:
    """Return the time by ``clock`` after this many seconds; 0 means no end."""
    return clock() + seconds if seconds else inf


@dataclass(slots=True)
class Allowance:
    """The steps that are ``left``, negative if the search was stopped, and the time of the ``end``."""

    left: float = inf
    end: float = inf

    def try_spend(self, steps: int = 1) -> bool:
        """Count some steps; return whether enough steps and time were left."""
        self.left = -1 if self.end < inf and clock() > self.end else self.left - steps
        return self.left >= 0

    def spend(self, steps: int = 1) -> None:
        """Count some steps. Raise BudgetSpent if not enough steps or time were left."""
        if not self.try_spend(steps):
            raise BudgetSpent
