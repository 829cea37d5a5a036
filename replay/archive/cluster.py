"""The same work on many machines, by way of Dask: who reads a file is who checks it, and writes what comes of it.

One task is a file, or a stretch of a big one. The scheduler sees to tasks whose worker is lost; nothing is told before
it is its turn, so that a cluster tells what one process would.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from itertools import islice
from typing import Any, Final, NamedTuple

from ..storage import Unable
from ..storage.sources import Found
from ..storage.stores import is_address
from .batch import Begun, Crew, Ended, Event, Work, lost
from .chunk_reports import Judged, Load
from .chunks import Piece, Stretch, pieces, stretches
from .register import Register

SHARE: Final = 32 << 20
"""Bytes of a plain text that make a task; a bigger file is several."""
PART: Final = 1 << 20
"""Bytes of text that are done, and written, at once."""
AHEAD: Final = 3
"""How many tasks for each thread of the cluster are on their way."""
RETRIES: Final = 3
PATIENCE: Final = 10
"""Seconds until a cluster, or its first worker, has to be there."""
LONGEST: Final = 600
"""Seconds that a cluster may be without any workers, once it had some."""
_ALONE = threading.Lock()
"""A worker can have several threads; the tables that words are remembered in are not made for that."""


class Share(NamedTuple):
    """What one task does: a file, or a stretch of it; its number counts the tasks of a run."""

    number: int
    found: Found
    folder: str
    stretch: Stretch | None = None


def do(share: Share, work: Work) -> list[Judged]:
    """All of a share, on a worker."""
    judged: list[Judged] = []
    with _ALONE:
        for load in _loads(share):
            judged += work(load)
    return judged


def _loads(share: Share) -> Iterator[Load]:
    some: list[Piece] = []
    size = parts = 0
    named, found = share.found.path, _from_here(share.found, share.folder)
    for piece in pieces(found, stretch=share.stretch):
        # It is called as it was named, wherever the worker is.
        piece = piece._replace(name=named + piece.name.removeprefix(found.path))
        some.append(piece)
        size += len(piece.data)
        if size >= PART:
            yield Load(f"{share.number:06}-{parts:04}", some)
            some, size, parts = [], 0, parts + 1
    if some:
        yield Load(f"{share.number:06}-{parts:04}", some)


def _from_here(found: Found, folder: str) -> Found:
    """A file by a path that holds in every folder."""
    return found if is_address(found.path) else found._replace(path=os.path.join(folder, found.path))


def away(address: str, share: int = SHARE) -> Crew:
    """A crew of the workers of a cluster; plain files of more than ``share`` bytes are several tasks.

    Unable where there is none at that address, or a worker lacks what it needs.
    """

    def crew(files: Iterable[Found], work: Work, register: Register) -> Generator[Event, None, None]:
        with _reached(address) as client:
            try:
                client.wait_for_workers(1, timeout=PATIENCE)
            except TimeoutError:
                raise Unable(f"{address}: this cluster has no workers; start one with: dask worker {address}") from None
            try:
                yield from _done(client, files, work, register, share)
            except _Alone:
                told = f"it has had no workers for {LONGEST // 60} minutes; start some, and go on with --resume"
                raise Unable(f"{address}: {told}") from None
            except (OSError, RuntimeError, CancelledError) as error:
                raise Unable(f"{address}: the cluster was lost ({_first_line(error)})") from None

    return crew


def _reached(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise Unable("a cluster needs Dask: pip install 'tironian[cluster]'") from None
    _mind_encryption(address)
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise Unable(f"{address}: no cluster answers there ({_first_line(error)})") from None


def _mind_encryption(address: str) -> None:
    """Raise Unable where Dask's configuration doesn't allow to connect that way; Dask would say so in a traceback."""
    from distributed.security import Security

    try:
        settings = Security().get_connection_args("client")
    except (OSError, ValueError, TypeError) as error:
        raise Unable(f"{address}: Dask's TLS configuration can't be used ({_first_line(error)})") from None
    if address.startswith("tls://") and settings["ssl_context"] is None:
        raise Unable(f"{address}: TLS needs certificates in Dask's configuration, under distributed.comm.tls")
    if settings["require_encryption"] and not address.startswith("tls://"):
        raise Unable(f"{address}: Dask's configuration requires encryption; connect by tls://")


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


def _done(
    client: Any, files: Iterable[Found], work: Work, register: Register, share: int
) -> Generator[Event, None, None]:
    waiting = _tasks(client, files, work, register, share)
    given: deque[Begun | Ended | tuple[Share, Any]] = deque()
    while True:
        most = AHEAD * max(1, sum(client.nthreads().values()))
        given.extend(islice(waiting, max(0, most - len(given))))
        if not given:
            return
        event = given.popleft()
        if isinstance(event, Begun | Ended):
            yield event
        else:
            yield from _result(client, *event)


def _tasks(
    client: Any, files: Iterable[Found], work: Work, register: Register, share: int
) -> Iterator[Begun | Ended | tuple[Share, Any]]:
    number, folder = 0, os.getcwd()
    for found in files:
        known = register.known(found)
        if known and not known.whole:  # where a part was checked here, the cluster begins anew
            register.forget(found)
            known = None
        yield Begun(found, known, in_order=False)
        if not known:
            many = found.size > share and not found.problem
            lying = _from_here(found, folder)
            for stretch in client.submit(stretches, lying, share, pure=False).result() if many else [None]:
                task = Share(number, found, folder, stretch)
                yield task, client.submit(do, task, work, pure=False, retries=RETRIES)
                number += 1
        yield Ended()


class _Alone(Exception):
    """Nobody is there to work."""


def _awaited(client: Any, future: Any) -> list[Judged]:
    """What comes of a task, however long it takes, as long as there are workers."""
    alone = 0
    while True:
        try:
            found: list[Judged] = future.result(timeout=PATIENCE)
        except TimeoutError:
            if future.status != "pending":  # it was the task's own
                raise
            alone = 0 if client.nthreads() else alone + PATIENCE
            if alone >= LONGEST:
                raise _Alone from None
        else:
            return found


def _result(client: Any, share: Share, future: Any) -> list[Judged]:
    from distributed import KilledWorker

    try:
        return _awaited(client, future)
    except KilledWorker:
        # Over this one workers ended again and again, so it is not given to any more of them.
        first = Piece(share.found.path, b"", share.stretch.first if share.stretch else 1, last=True)
        return lost(Load("", [first]), "a worker that checked it")
    except (ImportError, AttributeError) as error:
        raise Unable(f"a worker lacks what it needs, or has another version of it ({error})") from None
    finally:
        future.release()
