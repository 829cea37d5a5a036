"""Work shared by processes: results in the order of what is to be done, and never more at hand than is needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from itertools import chain, islice
from typing import TypeVar

Load = TypeVar("Load")
Result = TypeVar("Result")


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    work: Callable[[Load], Result], loads: Iterable[Load], jobs: int, lost: Callable[[Load], Result]
) -> Generator[tuple[Load, Result], None, None]:
    """Each load with what ``work`` makes of it, in their order, made by ``jobs`` processes.

    A single load is done here. A process that is killed takes nothing along: what it had is given to another one; a
    load over which two processes end comes with what ``lost`` makes of it. ``work`` must not raise.
    """
    waiting = iter(loads)
    some = list(islice(waiting, 2 if jobs > 1 else 0))
    loads = chain(some, waiting)
    if len(some) < 2:
        for load in loads:
            yield load, work(load)
        return
    from .pool import Pool

    pool = Pool(work, jobs)
    try:
        yield from pool.done(loads, lost)
    finally:
        pool.end()
