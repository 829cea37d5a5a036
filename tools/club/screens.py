"""The screens of the games at the tables: processes read the taps, each for its share of the devices, and a game that
takes long, or breaks its process, delays only those that share it.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from anyio import CancelScope, Lock
from anyio.to_thread import run_sync

from ...notation.language import Language, spoken
from ..desk.api import DeskError
from ..desk.serving.pages import Answerer, Limits

T = TypeVar("T")

MOST_GAMES: Final = 60
"""Games that a process knows; one more takes the place of the one that was asked for longest ago."""
FEW: Final = 8
"""Taps that are read one by one; if there are more, the whole journal is read, which makes only one screen."""


class Screens:
    """Reads the journals of devices in ``jobs`` processes, which are started when they are needed."""

    def __init__(self, jobs: int) -> None:
        """Begin without processes."""
        self._shares = [_Share() for _ in range(jobs)]

    async def after(self, device: int, journal: Callable[[], dict[str, Any]]) -> tuple[int, str]:
        """Return how many taps of a device have been read, and what its page shows then, as JSON.

        Raise EOFError or OSError if the process ended, or was silent for too long: the next question begins another.
        """
        return await _undisturbed(self._shares[device % len(self._shares)].after(device, journal))

    async def record(self, device: int, journal: dict[str, Any]) -> str:
        """Return the record of a device's game. Raise DeskError if its journal can't begin one; otherwise as above."""
        return await _undisturbed(self._shares[device % len(self._shares)].record(device, journal))

    def close(self) -> None:
        """End the processes."""
        for share in self._shares:
            share.end()


async def _undisturbed(answer: Awaitable[T]) -> T:
    """Return an answer, awaited to its end: if the one who asked goes away, the process still has other games."""
    found: list[T] = []
    with CancelScope(shield=True):
        found.append(await answer)
    return found[0]


class _Share:
    """A process, and of each game that it knows how many taps it has read, the screen after them, and in which language
    it is; the game that was asked for last comes last.
    """

    def __init__(self) -> None:
        self._answerer: Answerer | None = None
        self._read = dict[int, tuple[int, str, Language]]()
        self._lock = Lock()

    def end(self) -> None:
        if self._answerer is not None:
            self._answerer.end()

    async def after(self, device: int, journal: Callable[[], dict[str, Any]]) -> tuple[int, str]:
        async with self._lock:
            return (await self._read_on(device, await run_sync(journal)))[:2]

    async def record(self, device: int, journal: dict[str, Any]) -> str:
        async with self._lock:
            await self._read_on(device, journal)
            said = json.loads(await self._ask("kept", device))
        if "fault" in said:
            raise DeskError(said["fault"])
        return said["text"]

    async def _read_on(self, device: int, journal: dict[str, Any]) -> tuple[int, str, Language]:
        """Let the process read what it has not read of a journal; it may have read a longer one."""
        if self._answerer is None or not self._answerer.is_alive:
            self._answerer, self._read = await run_sync(Answerer, Limits()), {}
        taps, (read, said, language) = journal["taps"], self._read.pop(device, (-1, "", spoken()))
        if len(self._read) >= MOST_GAMES:
            await self._ask("close", next(iter(self._read)))
            del self._read[next(iter(self._read))]
        if read < 0 or len(taps) - read > FEW or language is not spoken():
            said = await self._ask("open", device, journal=journal)
        else:
            for tap in taps[read:]:
                said = await self._ask("take", device, tap=tap)
        self._read[device] = max(read, len(taps)), said, spoken()
        return self._read[device]

    async def _ask(self, what: str, device: int, **more: Any) -> str:
        assert self._answerer is not None

        async def alive() -> None:
            pass

        message = {"ask": what, "game": str(device), "lang": spoken().code, **more}
        return await self._answerer.ask(json.dumps(message), b"", alive)
