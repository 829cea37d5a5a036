"""Checks and exports archives on many machines, with Dask: the worker that reads a file checks it and writes the
results.

A task is a file, or a range of a big one. The scheduler repeats tasks whose worker is lost; results are yielded in the
order of the files, so a cluster reports the same as one process.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

from ...notation.basics import install
from ...notation.language import chosen, phrase, speaking, spoken
from ..storage.api import CannotRun, InputFile, is_address
from .batch import BatchEvent, ChunkWork, FileEnded, FileEvent, FileStarted, Runner, grouped, lost_results
from .checker import ChunkGroup, ChunkResult
from .chunks import WHOLE_TEXT, Chunk, TextRange, chunks_of, text_ranges
from .register import Register

TASK_SIZE: Final = 32 << 20
"""Bytes of plain text in a task; a bigger file is divided into several tasks."""
GROUP_SIZE: Final = 1 << 20
"""Bytes of text that are checked and written at a time."""
MAX_QUEUED: Final = 3
"""The number of tasks submitted at a time, for each thread of the cluster."""
RETRIES: Final = 3
TIMEOUT: Final = 10
"""Seconds within which a cluster, or its first worker, must appear."""
MAX_WAIT: Final = 600
"""Seconds that a cluster may be without workers once it has had some."""
_ONE_AT_A_TIME: Final = threading.Lock()
"""A worker can have several threads, but the tables that cache words are not thread-safe."""


class ClusterTask(NamedTuple):
    """A file to be checked, or a range of it. ``number`` counts the tasks of a run, which speaks ``language``."""

    number: int
    file: InputFile
    folder: str
    part: TextRange = WHOLE_TEXT
    language: str = "en"


Submitted: TypeAlias = tuple[ClusterTask, Any]
"""A task, and Dask's future of its results."""


def run_task(task: ClusterTask, work: ChunkWork) -> list[ChunkResult]:
    """Return the results of all chunks of a task; called on a worker."""
    name, file = task.file.path, _absolute(task.file, task.folder)
    # A chunk is named after its file as given, wherever the worker is.
    chunks = (each._replace(name=name + each.name.removeprefix(file.path)) for each in chunks_of(file, part=task.part))
    with _ONE_AT_A_TIME, speaking(chosen([task.language])):
        results: list[ChunkResult] = []
        for number, group in enumerate(grouped(chunks, GROUP_SIZE)):
            results += work(ChunkGroup(f"{task.number:06}-{number:04}", group))
        return results


def _absolute(file: InputFile, folder: str) -> InputFile:
    """Return a file with a path that is valid in every working directory."""
    return file if is_address(file.path) else file._replace(path=os.path.join(folder, file.path))


def cluster_runner(address: str, task_size: int = TASK_SIZE) -> Runner:
    """Return a runner that uses a cluster's workers; plain files of more than ``task_size`` bytes become several tasks.

    Raise CannotRun if there is no cluster at the address, or a worker lacks something that it needs.
    """

    def run(files: Iterable[InputFile], work: ChunkWork, register: Register) -> Generator[BatchEvent, None, None]:
        logging.disable()  # if the scheduler is lost, Dask logs thirty lines; one line is shown below
        with _connected(address) as client:
            try:
                client.wait_for_workers(1, timeout=TIMEOUT)
            except TimeoutError:
                why = phrase("this cluster has no workers; start one with: dask worker {address}", address=address)
                raise CannotRun.at(address, why) from None
            try:
                yield from _events(client, _tasks(client, files, work, register, task_size))
            except _NoWorkers:
                why = phrase("it has had no workers for {count} minutes", count=MAX_WAIT // 60)
                why += f"; {phrase('start some, and continue with --resume')}"
                raise CannotRun.at(address, why) from None
            except (OSError, RuntimeError, CancelledError) as error:
                why = phrase("the cluster was lost ({error})", error=_first_line(error))
                raise CannotRun.at(address, why) from None

    return run


def _connected(address: str) -> Any:
    """Return a client connected to a cluster. Raise CannotRun if no cluster answers."""
    try:
        from distributed import Client
    except ImportError:
        raise CannotRun(phrase("a cluster needs Dask: {command}", command=install("distributed"))) from None
    _check_encryption(address)
    try:
        return Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise CannotRun.at(address, phrase("no cluster answers there ({error})", error=_first_line(error))) from None


def _check_encryption(address: str) -> None:
    """Raise CannotRun if Dask's configuration forbids such a connection; Dask itself would show a traceback."""
    from distributed.security import Security

    try:
        settings = Security().get_connection_args("client")
    except (OSError, ValueError, TypeError) as error:
        why = phrase("Dask's TLS configuration can't be used ({error})", error=_first_line(error))
        raise CannotRun.at(address, why) from None
    if address.startswith("tls://") and settings["ssl_context"] is None:
        why = phrase("TLS needs certificates in Dask's configuration, under distributed.comm.tls")
        raise CannotRun.at(address, why)
    if settings["require_encryption"] and not address.startswith("tls://"):
        raise CannotRun.at(address, phrase("Dask's configuration requires encryption; connect with tls://"))


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _events(client: Any, tasks: Iterator[FileEvent | Submitted]) -> Iterator[BatchEvent]:
    """Yield the events of the files, in order, with a limited number of tasks submitted at a time."""
    submitted: deque[FileEvent | Submitted] = deque()
    while True:
        limit = MAX_QUEUED * max(1, sum(client.nthreads().values()))
        submitted.extend(islice(tasks, max(0, limit - len(submitted))))
        if not submitted:
            return
        event = submitted.popleft()
        if isinstance(event, FileEvent):
            yield event
        else:
            yield from _results(client, *event)


def _tasks(
    client: Any, files: Iterable[InputFile], work: ChunkWork, register: Register, task_size: int
) -> Iterator[FileEvent | Submitted]:
    """Yield the start and end of each file, and its submitted tasks in between."""
    number, folder = 0, os.getcwd()
    for file in files:
        known = register.known(file)
        if known and not known.whole:  # if part of it was checked here, the cluster starts from the beginning
            register.forget(file)
            known = None
        yield FileStarted(file, known, resumable=False)
        if not known:
            is_big = file.size > task_size and not file.problem
            args = _absolute(file, folder), task_size
            for part in client.submit(text_ranges, *args, pure=False).result() if is_big else [WHOLE_TEXT]:
                task = ClusterTask(number, file, folder, part, spoken().code)
                yield task, client.submit(run_task, task, work, pure=False, retries=RETRIES)
                number += 1
        yield FileEnded()


class _NoWorkers(Exception):
    """The cluster has had no workers for too long."""


def _awaited(client: Any, future: Any) -> list[ChunkResult]:
    """Return the results of a task, however long it takes; raise _NoWorkers if there are no workers for too long."""
    alone = 0
    while True:
        try:
            return future.result(timeout=TIMEOUT)
        except TimeoutError:
            if future.status != "pending":  # the fault was the task's own
                raise
            alone = 0 if client.nthreads() else alone + TIMEOUT
            if alone >= MAX_WAIT:
                raise _NoWorkers from None


def _results(client: Any, task: ClusterTask, future: Any) -> list[ChunkResult]:
    """Return the results of a task; they say so if its workers kept dying."""
    from distributed import KilledWorker

    try:
        return _awaited(client, future)
    except KilledWorker:
        # Workers kept dying on this task, so no further worker gets it.
        first = Chunk(task.file.path, b"", task.part.first, last=True)
        why = phrase("a worker that checked it was killed twice, perhaps because memory ran out")
        return lost_results(ChunkGroup("", [first]), why)
    except (ImportError, AttributeError) as error:
        raise CannotRun(phrase("a worker lacks a library or has another version of it ({why})", why=error)) from None
    finally:
        future.release()
