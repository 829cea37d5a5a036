"""Processes that take loads, hand over results in order, and may die."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import islice
from multiprocessing import active_children
from threading import Thread
from typing import Final, Generic, TypeVar

Load = TypeVar("Load")
Result = TypeVar("Result")
LOOK: Final = 1.0
"""Seconds between two looks whether somebody still wants the work."""
AHEAD: Final = 3
"""How many loads for each process are on their way, so that none has to wait."""


class Pool(Generic[Load, Result]):
    """So many processes for some work; ``end`` it, whatever happens."""

    def __init__(self, work: Callable[[Load], Result], jobs: int) -> None:
        self._work, self._jobs = work, jobs
        self._pool = self._hired()
        self._given: deque[tuple[Load, Future[Result]]] = deque()

    def _hired(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._jobs, initializer=_follow, initargs=(os.getpid(),))

    def done(self, loads: Iterable[Load], lost: Callable[[Load], Result]) -> Generator[tuple[Load, Result], None, None]:
        waiting = iter(loads)
        while True:
            for load in islice(waiting, AHEAD * self._jobs - len(self._given)):
                self._given.append((load, self._give(load)))
            if not self._given:
                return
            load, future = self._given[0]
            try:
                result = future.result()
            except (BrokenProcessPool, MemoryError):
                # Whose fault it was shows only where a load has a process for itself.
                result = self._alone(load, lost)
                self._begin_again()
            self._given.popleft()
            yield load, result

    def _alone(self, load: Load, lost: Callable[[Load], Result]) -> Result:
        with ProcessPoolExecutor(1, initializer=_follow, initargs=(os.getpid(),)) as pool:
            try:
                return pool.submit(self._work, load).result()
            except (BrokenProcessPool, MemoryError):
                return lost(load)

    def _give(self, load: Load) -> Future[Result]:
        with suppress(BrokenProcessPool):
            return self._pool.submit(self._work, load)
        self._pool = self._hired()
        return self._pool.submit(self._work, load)

    def _begin_again(self) -> None:
        """Give everything that is not done to new processes."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._hired()
        again = [(load, future if _is_done(future) else self._give(load)) for load, future in self._given]
        self._given = deque(again)

    def end(self) -> None:
        """Let nobody work on for what nobody waits for any more."""
        if self._given:
            for child in active_children():
                child.terminate()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _is_done(future: Future[Result]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _follow(parent: int) -> None:
    """Leave Ctrl-C to the process that hands out the work; and do not outlive it, however it ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_outlive_nobody, args=(parent,), daemon=True).start()


def _outlive_nobody(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)
