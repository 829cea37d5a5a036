"""Work shared by processes: results in the order of their items, and never more items in memory than needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .pool import Input, Output


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_order(
    work: Callable[[Input], Output], items: Iterable[Input], jobs: int, lost: Callable[[Input], Output]
) -> Generator[tuple[Input, Output], None, None]:
    """Yield each item with ``work(item)``, in the order of the items, computed by ``jobs`` processes.

    A single item is worked on in this process. Nothing is lost when a process is killed: another one gets its items.
    An item on which two processes have ended comes with ``lost(item)``. ``work`` must not raise.
    """
    rest = iter(items)
    first = list(islice(rest, 2 if jobs > 1 else 0))
    items = chain(first, rest)
    if len(first) < 2:
        yield from ((item, work(item)) for item in items)
        return
    from .pool import Pool

    with closing(Pool(work, jobs)) as pool:
        yield from pool.map(items, lost)
