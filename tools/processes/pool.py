"""Work shared by processes: results in the order of their items, and never more items in memory than needed.

Each worker has its own pipe: none waits for another, and the end of a pipe shows that its process has ended, even in
the middle of a message. ``multiprocessing`` is imported only when processes are started.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress
from dataclasses import field
from itertools import chain, islice
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar
from weakref import WeakSet

from ...notation.basics import dataclass
from ...notation.language import chosen, speaking, spoken
from ..storage.api import END_SIGNALS, uninterrupted

if TYPE_CHECKING:
    from multiprocessing import Process
    from multiprocessing.connection import Connection
    from queue import SimpleQueue

Input = TypeVar("Input")
Output = TypeVar("Output")
WATCHED: Final = 0.1
"""Seconds between two calls of ``watch``."""
MAX_QUEUED: Final = 3
"""Items in memory for each process, finished or not."""
ASSIGNED: Final = 2
"""Items that a process has at once, so that it never waits for the next one."""
FATAL: Final = 2
"""The number of processes that may die on an item before it is given up."""
_OUR_ENDS: Final[WeakSet[Connection]] = WeakSet()
"""The ends of pipes that this process holds. A forked child inherits them, and would keep its siblings alive."""


def map_in_order(
    work: Callable[[Input], Output], items: Iterable[Input], jobs: int, lost: Callable[[Input], Output]
) -> Generator[tuple[Input, Output], None, None]:
    """Yield each item with ``work(item)``, in the order of the items, computed by ``jobs`` processes.

    A single item is worked on in this process. Nothing is lost when a process is killed: another one gets its items.
    An item on which two processes have died comes with ``lost(item)``. ``work`` must not raise.
    """
    rest = iter(items)
    first = list(islice(rest, 2 if jobs > 1 else 0))
    items = chain(first, rest)
    if len(first) < 2:
        yield from ((item, work(item)) for item in items)
        return
    with closing(Pool(work, jobs)) as pool:
        yield from pool.map(items, lost)


@dataclass(slots=True, eq=False)
class _Task(Generic[Input, Output]):
    """An item, its answer once there is one, and how many processes have died on it."""

    item: Input
    answer: tuple[Output, BaseException | None] | None = None
    ends: int = 0

    def is_over(self) -> bool:
        return self.answer is not None or self.ends == FATAL


@dataclass(slots=True, eq=False)
class _Worker(Generic[Input, Output]):
    """A process, this end of its pipe, and the tasks it has, the current one first."""

    process: Process
    pipe: Connection
    tasks: deque[_Task[Input, Output]] = field(default_factory=deque)

    def take(self, task: _Task[Input, Output]) -> None:
        """Send a task to the process."""
        data = pickle.dumps((spoken().code, task.item))
        self.tasks.append(task)
        try:
            self.pipe.send_bytes(data)
        except OSError:
            self.process.kill()  # its answers are still in the pipe, followed by the end of the pipe


class Pool(Generic[Input, Output]):
    """A pool of ``jobs`` worker processes that apply ``work``. Always call ``close``."""

    def __init__(self, work: Callable[[Input], Output], jobs: int) -> None:
        self._work, self._jobs = work, jobs
        self._workers: list[_Worker[Input, Output]] = []
        self._tasks: deque[_Task[Input, Output]] = deque()
        self._waiting: deque[_Task[Input, Output]] = deque()

    def map(
        self, items: Iterable[Input], lost: Callable[[Input], Output], watch: Callable[[], None] | None = None
    ) -> Generator[tuple[Input, Output], None, None]:
        """Yield each item with its result, in order; with ``lost(item)`` if FATAL processes have died on it.

        ``watch`` is called now and then while waiting for results. Raise what ``work`` raises, when the item's turn
        comes.
        """
        rest = iter(items)
        while True:
            for item in islice(rest, MAX_QUEUED * self._jobs - len(self._tasks)):
                self._tasks.append(_Task(item))
                self._waiting.append(self._tasks[-1])
                self._assign()
            if not self._tasks:
                return
            self._receive(0)
            while not self._tasks[0].is_over():
                self._receive(WATCHED if watch else None)
                if watch:
                    watch()
            task = self._tasks.popleft()
            result, error = task.answer or (lost(task.item), None)
            if error is not None:
                raise error
            yield task.item, result

    def _assign(self) -> None:
        """Assign waiting tasks to the workers with the fewest, starting workers as needed."""
        while self._waiting:
            worker = min(self._workers, key=lambda worker: len(worker.tasks), default=None)
            if worker is None or (worker.tasks and len(self._workers) < self._jobs):
                worker = self._started()
            if len(worker.tasks) == ASSIGNED:
                return
            worker.take(self._waiting.popleft())

    def _started(self) -> _Worker[Input, Output]:
        from multiprocessing import Pipe, Process

        ours, theirs = Pipe()
        _OUR_ENDS.add(ours)
        # The process is on the list from the start, and never receives Ctrl-C itself.
        with uninterrupted(), theirs:
            process = Process(target=_serve, args=(self._work, theirs), daemon=True)
            process.start()
            self._workers.append(_Worker(process, ours))
        return self._workers[-1]

    def _receive(self, seconds: float | None = None) -> None:
        """Take the answers that have come, or wait for one, and assign new tasks to the workers that gave them."""
        from multiprocessing.connection import wait

        workers: dict[object, _Worker[Input, Output]] = {worker.pipe: worker for worker in self._workers}
        for pipe in wait([worker.pipe for worker in self._workers], seconds):
            worker = workers[pipe]
            try:
                data = worker.pipe.recv_bytes()
            except (EOFError, OSError):
                self._remove(worker)
            else:
                worker.tasks.popleft().answer = pickle.loads(data)
        self._assign()

    def _remove(self, worker: _Worker[Input, Output]) -> None:
        """Remove a worker that has ended, and free its tasks for others; only its current task is to blame."""
        _kill(worker)
        self._workers.remove(worker)
        if worker.tasks:
            worker.tasks[0].ends += 1
        self._waiting.extendleft(task for task in reversed(worker.tasks) if not task.is_over())

    def close(self) -> None:
        """Kill all workers, whatever they are doing."""
        for worker in self._workers:
            worker.process.kill()
        while self._workers:
            _kill(self._workers[-1])
            self._workers.pop()


def _kill(worker: _Worker[Any, Any]) -> None:
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()


# -------------------------------------------------------------------------------------------------- in another process


def _serve(work: Callable[[Any], object], pipe: Connection) -> None:
    """Answer items until the parent process ends, however it ends. Ctrl-C and other wishes are left to the parent."""
    from queue import SimpleQueue

    for each in END_SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    for inherited in _OUR_ENDS:
        inherited.close()
    items: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(pipe, items), daemon=True).start()
    while True:
        answer = _answer(work, items.get())
        with suppress(OSError):  # the parent has ended, as the other thread is about to notice
            pipe.send_bytes(answer)


def _listen(pipe: Connection, items: SimpleQueue[bytes]) -> None:
    """Queue items as they come; end the process when the parent does."""
    try:
        while True:
            items.put(pipe.recv_bytes())
    finally:
        os._exit(1)


def _answer(work: Callable[[Any], object], item: bytes) -> bytes:
    """Return the pickled result or error of an item."""
    try:
        code, content = pickle.loads(item)
        with speaking(chosen([code])):
            return pickle.dumps((work(content), None))
    except MemoryError:
        os._exit(1)  # as if killed by the system: a new process has more memory
    except BaseException as error:  # noqa: BLE001  # it is raised again in the parent
        from traceback import format_tb

        error.add_note("".join(format_tb(error.__traceback__)))
        return pickle.dumps((None, error))
