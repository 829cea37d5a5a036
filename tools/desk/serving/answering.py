"""A process for each page, which answers its questions as a worker does in a browser: it can be ended at any moment,
and the page begins another one with its journal.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from anyio import Lock
from anyio.to_thread import run_sync

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from .playing import PlayedGames
    from .training import Training

_FOLDER: Final = {"games", "journal", "folder", "put"}
ALLOWED: Final = {
    "desk": {"open", "take", "keep", "close", "games", "journal", "go on", "played"},
    "check": {"check", "more", "repair", "join", "alike", "complete", "record", "put"},
    "library": {"check", "more", "record", "zip", "journals", "open", "keep", "close", *_FOLDER},
    "look": {"check", "more", "record", "look", "journal", "text"},
    "play": {"played", "play", "check", "text", "put"},
    "train": {"trained", "train"},
    "event": {"event", "event file", "event told", "event text"},
}
"""The questions that each page may ask."""
USED: Final = ("notation.parser", *(f"tools.desk.{name}" for name in ("worker", "look", "event", "folder")))
"""What answers need, imported before the first question."""


class Limits(NamedTuple):
    """What a process gets. ``timeout`` is the number of seconds after which one that says nothing is ended; ``memory``
    the bytes that it may use, where the system can limit them; ``folder`` holds the records, if the desk has one, and
    ``user_folder`` what only this person may see: games against the program that are not over.
    """

    timeout: float = 60
    memory: int = 2 << 30
    folder: Path | None = None
    user_folder: Path | None = None


def _answer(pipe: Connection, memory: int, folder: Path | None, user_folder: Path | None) -> None:
    """Answer questions until the pipe is closed; ``folder`` and ``user_folder`` are those of the limits."""
    from importlib import import_module

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, which ends this process
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    for name in USED:
        import_module(f"tironian.{name}")
    from ....replay.rules.api import EDITION_NAMES, load_edition
    from ..desk import catalogue
    from ..folder import GameFolder
    from ..worker import DeskSession

    for name in EDITION_NAMES:
        load_edition(name)
    catalogue()
    records = GameFolder(folder) if folder else None

    @cache
    def games(user_folder: Path) -> PlayedGames:
        from .playing import PlayedGames  # imported late, as below, as it needs the net

        return PlayedGames(user_folder / "games", records)

    @cache
    def training(user_folder: Path) -> Training:
        from .training import Training

        return Training(user_folder, records)

    def more(asked: dict[str, Any], on_progress: Callable[[], None]) -> dict[str, Any] | None:
        if user_folder is None or (kind := asked.get("ask")) not in ("played", "play", "trained", "train"):
            return None
        if kind in ("played", "play"):
            return games(user_folder).answer(asked)
        return training(user_folder).answer(asked, on_progress)

    session = DeskSession(records, more)
    with suppress(EOFError, OSError):
        while True:
            message, data = pipe.recv()
            pipe.send(session.answer(message, data, lambda: pipe.send("")))


class Answerer:
    """The process of a page."""

    def __init__(self, limits: Limits) -> None:
        """Start it."""
        # A fork of the server itself would hold its sockets, and the locks of its threads.
        has_fork_server = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver") if has_fork_server else multiprocessing.get_context("spawn")
        context.set_forkserver_preload([f"tironian.{name}" for name in USED])
        self._pipe, its = context.Pipe()
        self._silence = limits.timeout
        self._process = context.Process(
            target=_answer, args=(its, limits.memory, limits.folder, limits.user_folder), daemon=True
        )
        self._process.start()
        its.close()
        self._lock = Lock()

    async def ask(self, message: str, data: bytes, on_progress: Callable[[], Awaitable[None]]) -> str:
        """Return the answer to a question. ``on_progress`` is awaited for each sign of life that comes before it.

        Raise EOFError or OSError if the process ends, or says nothing for too long. Whoever no longer waits for the
        answer ends the process: it could be at work on it for ever.
        """
        async with self._lock:
            try:
                await run_sync(self._pipe.send, (message, data), abandon_on_cancel=True)
                while not (said := await run_sync(self._is_sign_of_life, abandon_on_cancel=True)):
                    await on_progress()
            except BaseException:
                self.end()
                raise
        return said

    def _is_sign_of_life(self) -> str:
        if not self._pipe.poll(self._silence):
            raise TimeoutError
        return self._pipe.recv()

    @property
    def is_busy(self) -> bool:
        """Whether a question is being answered."""
        return self._lock.locked()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()


class Answerers:
    """The processes of all pages. One more is always ready: a page need not wait until Python has started."""

    def __init__(self, limits: Limits) -> None:
        """Start the first process."""
        self._limits = limits
        self._ready = Answerer(limits)

    async def take(self) -> Answerer:
        """Return a process that has answered nobody yet."""
        taken, self._ready = self._ready, await run_sync(Answerer, self._limits)
        return taken if taken.is_alive else await self.take()

    def end(self) -> None:
        """End the process that waits."""
        self._ready.end()
