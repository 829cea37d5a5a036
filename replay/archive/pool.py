"""Processes that take loads, hand over results in order, and may die.

Each has a pipe to itself: nothing of one waits for another, and the end of a pipe tells the end of its process, even in
the middle of a message.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, Generic, TypeVar
from weakref import WeakSet

from ..storage.files import uninterrupted

Load = TypeVar("Load")
Result = TypeVar("Result")
AHEAD: Final = 3
"""How many loads for each process are at hand, done or not."""
GIVEN: Final = 2
"""How many of them it has, so that the next one is there when one is done."""
FATAL: Final = 2
"""How many processes end over a load until it is given up."""
_OURS: Final[WeakSet[Connection]] = WeakSet()
"""The ends of pipes that this process holds. A forked one has them as well, and would keep its siblings alive."""


@dataclass(slots=True, eq=False)
class _Task(Generic[Load, Result]):
    load: Load
    answer: tuple[Result, BaseException | None] | None = None
    ends: int = 0

    def is_over(self) -> bool:
        return self.answer is not None or self.ends == FATAL

    def result(self, lost: Callable[[Load], Result]) -> Result:
        if self.answer is None:
            return lost(self.load)
        result, error = self.answer
        if error is not None:
            raise error
        return result


@dataclass(slots=True, eq=False)
class _Worker(Generic[Load, Result]):
    process: Process
    pipe: Connection
    tasks: deque[_Task[Load, Result]] = field(default_factory=deque)

    def take(self, task: _Task[Load, Result]) -> None:
        data = pickle.dumps(task.load)
        self.tasks.append(task)
        try:
            self.pipe.send_bytes(data)
        except OSError:
            self.process.kill()  # what it has answered is still in the pipe, and behind that its end


class Pool(Generic[Load, Result]):
    """So many processes for some work; ``end`` it, whatever happens."""

    def __init__(self, work: Callable[[Load], Result], jobs: int) -> None:
        self._work, self._jobs = work, jobs
        self._workers: list[_Worker[Load, Result]] = []
        self._tasks: deque[_Task[Load, Result]] = deque()
        self._waiting: deque[_Task[Load, Result]] = deque()

    def done(self, loads: Iterable[Load], lost: Callable[[Load], Result]) -> Generator[tuple[Load, Result], None, None]:
        waiting = iter(loads)
        while True:
            for load in islice(waiting, AHEAD * self._jobs - len(self._tasks)):
                self._tasks.append(_Task(load))
                self._waiting.append(self._tasks[-1])
                self._hand_out()
            if not self._tasks:
                return
            self._listen(0)
            while not self._tasks[0].is_over():
                self._listen()
            task = self._tasks.popleft()
            yield task.load, task.result(lost)

    def _hand_out(self) -> None:
        while self._waiting:
            worker = min(self._workers, key=lambda each: len(each.tasks), default=None)
            if worker is None or (worker.tasks and len(self._workers) < self._jobs):
                worker = self._hired()
            if len(worker.tasks) == GIVEN:
                return
            worker.take(self._waiting.popleft())

    def _hired(self) -> _Worker[Load, Result]:
        ours, theirs = Pipe()
        _OURS.add(ours)
        # So a process is known from its first moment, and never hears of Ctrl-C itself.
        with uninterrupted(), theirs:
            process = Process(target=_serve, args=(self._work, theirs), daemon=True)
            process.start()
            self._workers.append(_Worker(process, ours))
        return self._workers[-1]

    def _listen(self, seconds: float | None = None) -> None:
        """Take what has been answered, and give who answered something new."""
        workers: dict[object, _Worker[Load, Result]] = {worker.pipe: worker for worker in self._workers}
        for pipe in wait([worker.pipe for worker in self._workers], seconds):
            worker = workers[pipe]
            try:
                data = worker.pipe.recv_bytes()
            except (EOFError, OSError):
                self._bury(worker)
            else:
                worker.tasks.popleft().answer = pickle.loads(data)
        self._hand_out()

    def _bury(self, worker: _Worker[Load, Result]) -> None:
        """Give to others what a process had; only what it was at is to blame."""
        _end(worker)
        self._workers.remove(worker)
        if worker.tasks:
            worker.tasks[0].ends += 1
        self._waiting.extendleft(task for task in reversed(worker.tasks) if not task.is_over())

    def end(self) -> None:
        """Let nobody work on for what nobody waits for any more."""
        for worker in self._workers:
            worker.process.kill()
        while self._workers:
            _end(self._workers[-1])
            self._workers.pop()


def _end(worker: _Worker[Any, Any]) -> None:
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()


# -------------------------------------------------------------------------------------------------- in another process


def _serve(work: Callable[[Any], object], pipe: Connection) -> None:
    """Leave Ctrl-C to the process that hands out the work; and do not outlive it, however it ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for each in _OURS:
        each.close()
    given: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_receive, args=(pipe, given), daemon=True).start()
    while True:
        answer = _answer(work, given.get())
        with suppress(OSError):  # nobody is there any more, as the other thread is about to hear
            pipe.send_bytes(answer)


def _receive(pipe: Connection, given: SimpleQueue[bytes]) -> None:
    try:
        while True:
            given.put(pipe.recv_bytes())
    finally:
        os._exit(1)


def _answer(work: Callable[[Any], object], load: bytes) -> bytes:
    try:
        return pickle.dumps((work(pickle.loads(load)), None))
    except MemoryError:
        os._exit(1)  # as if the system had ended it: a new process has more
    except BaseException as error:  # noqa: BLE001  # it is raised where the work was handed out
        from traceback import format_tb

        error.add_note("".join(format_tb(error.__traceback__)))
        return pickle.dumps((None, error))
