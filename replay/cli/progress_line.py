"""A progress line for work that takes longer than a second, on a terminal and nowhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..archive.batch import Batch
    from ..report.model import GameReport
    from ..storage.sources import InputFiles

PATIENCE = 1.0
"""Seconds before anything is shown."""
STEP = 0.1
"""Seconds between two looks at it: to tell of every item would take longer than many an item does."""


class Meter(AbstractContextManager["Meter"]):
    """Shows progress on a terminal, once it takes long; to be used in a ``with``."""

    def __init__(self, what: str, total: float | None = None) -> None:
        """Count items called ``what``; ``total`` is the amount of work by which the time left is estimated, if it is
        known.
        """
        self._what, self._total = what, total
        self._watched = _watched()
        self._bar: Any = None
        self._began = self._shown = time.monotonic()

    def show(self, count: int, done: float) -> None:
        """Show that ``count`` items and ``done`` of the total are done."""
        now = time.monotonic()
        if not self._watched or now - self._shown < STEP or now - self._began < PATIENCE:
            return
        self._shown = now
        gone = now - self._began
        left = f", {_time(gone * (self._total - done) / done)} left" if self._total and done else ""
        rate = f"{count / gone:,.{0 if count >= gone else 2}f}"
        words = f"{count:,} {self._what}, {rate} a second, {_time(gone)}{left}"
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            columns = [BarColumn(bar_width=24), TextColumn("{task.description}", markup=False)]
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task(words, total=self._total)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, description=words)

    def __exit__(self, *_error: object) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove it, so that something else can be written there; it comes back by itself."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _watched() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def reported(batch: Batch, files: InputFiles) -> Iterator[tuple[list[GameReport], Meter]]:
    """Yield the reports of a batch, chunk by chunk, with the meter that shows the progress."""
    total = sum(file.size for file in files) if _watched() else None
    with Meter("games", total) as shown, closing(batch.reports()) as pieces:
        for games in pieces:
            yield games, shown
            shown.show(batch.games, batch.bytes)


def _time(seconds: float) -> str:
    """Return ``1:02:33``, or ``2:33``."""
    minutes, seconds = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
