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


def calls_of(work: Callable[[], object], *names: str) -> dict[str, int]:
    """Return how often ``work`` calls the functions of these names."""
    profile = cProfile.Profile()
    profile.runcall(work)
    counted = pstats.Stats(profile).stats.items()  # type: ignore[attr-defined]
    return {name: sum(calls[1] for place, calls in counted if place[2] == name) for name in names}
