"""Work done in forked processes, each of which may break whatever it likes, and answers with one value."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
MEMORY = 8 << 30
"""Bytes of addresses that a process may have, so that a list that grows for ever ends it."""


class Answer(NamedTuple):
    """What a process answered, and the processor time that it took."""

    told: str
    seconds: float


class Pool:
    """So many processes at once, each with a limit to its processor time in seconds, 0 for none."""

    def __init__(self, jobs: int, limit: float = 0.0) -> None:
        self.jobs, self.limit = jobs, limit
        self._running: dict[int, tuple[Any, int]] = {}

    def each(self, items: Iterable[T], work: Callable[[T], str]) -> Iterator[tuple[T, Answer]]:
        """The work done with every item, in the order in which it is done. What is ended from outside says so."""
        for item in items:
            if len(self._running) >= self.jobs:
                yield self._finished()
            self._begin(item, lambda item=item: work(item), quiet=True)
        while self._running:
            yield self._finished()

    def one(self, work: Callable[[], object]) -> object:
        """The value of some work, which may print."""
        self._begin(None, work, quiet=False)
        ((pid, (_, read)),) = self._running.items()
        self._running.clear()
        with open(read, "rb") as file:
            value = file.read()
        os.waitpid(pid, 0)
        return pickle.loads(value) if value else "a process ended without an answer"

    def _begin(self, item: Any, work: Callable[[], object], *, quiet: bool) -> None:
        read, write = os.pipe()
        sys.stdout.flush()
        pid = os.fork()
        if pid:
            os.close(write)
            self._running[pid] = item, read
            return
        code = 1
        try:
            os.close(read)
            if quiet:
                self._confine()
            answer = pickle.dumps(work())
            with open(write, "wb") as file:
                file.write(answer)
            sys.stdout.flush()
            code = 0
        except BaseException:  # noqa: BLE001  # nothing of this process may live on behind its answer
            with suppress(Exception):
                traceback.print_exc()
        finally:
            os._exit(code)

    def _confine(self) -> None:
        """Say nothing, and end by force where time or memory are used up."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if self.limit:
            seconds = int(self.limit) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    def _finished(self) -> tuple[Any, Answer]:
        pid, status, used = os.wait4(-1, 0)
        item, read = self._running.pop(pid)
        with open(read, "rb") as file:
            value = file.read()
        if value:
            told = pickle.loads(value)
        elif os.WIFSIGNALED(status):
            told = f"the limit of time ({signal.Signals(os.WTERMSIG(status)).name})"
        else:
            told = "an end without an answer"
        return item, Answer(told, used.ru_utime + used.ru_stime)
