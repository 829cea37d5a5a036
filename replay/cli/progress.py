"""A progress line for work that takes longer than a second, on a terminal and nowhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
PATIENCE = 1.0
"""Seconds before anything is shown."""


def counted(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The same items, with their count shown on standard error once it takes long; gone again at the end."""
    if not sys.stderr.isatty():
        yield from items
        return
    began = time.monotonic()
    bar = None
    try:
        for count, item in enumerate(items, 1):
            if bar is None and time.monotonic() - began > PATIENCE:
                bar = _bar(what, total)
                bar.start()
            if bar is not None:
                bar.update(bar.task_ids[0], completed=count)
            yield item
    finally:  # it has hidden the cursor
        if bar is not None:
            bar.stop()


def _bar(what: str, total: int | None):  # noqa: ANN202  # rich's type, imported only when it is needed
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = [TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(what, total=total)
    return bar
