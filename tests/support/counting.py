"""Work, counted in calls of functions: the same on every machine, however busy it is."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """Return how many functions ``work`` calls the second time, when caches are filled."""
    work()
    profile = cProfile.Profile()
    profile.runcall(work)
    return pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
