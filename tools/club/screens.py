"""The screens of the games at the tables: processes read the taps, each for its share of the devices, and a game that
takes long, or breaks its process, delays only those that share it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from anyio import CancelScope, Lock
from anyio.to_thread import run_sync

from ..desk.serving.pages import Answerer, Limits

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
        share = self._shares[device % len(self._shares)]
        found: list[tuple[int, str]] = []
        with CancelScope(shield=True):  # if the one who asked goes away, the process still has other games
            found.append(await share.after(device, journal))
        return found[0]

    def close(self) -> None:
        """End the processes."""
        for share in self._shares:
            share.end()


class _Share:
    """A process, and how many taps of each game it has read; the game that was asked for last comes last."""

    def __init__(self) -> None:
        self._answerer: Answerer | None = None
        self._read = dict[int, int]()
        self._lock = Lock()

    def end(self) -> None:
        if self._answerer is not None:
            self._answerer.end()

    async def after(self, device: int, journal: Callable[[], dict[str, Any]]) -> tuple[int, str]:
        async with self._lock:
            if self._answerer is None or not self._answerer.is_alive:
                self._answerer, self._read = await run_sync(Answerer, Limits()), {}
            whole = await run_sync(journal)
            taps, read = whole["taps"], self._read.pop(device, None)
            if len(self._read) >= MOST_GAMES:
                await self._ask("close", next(iter(self._read)))
                del self._read[next(iter(self._read))]
            if read is not None and 0 < len(taps) - read <= FEW:
                *_, said = [await self._ask("take", device, tap=tap) for tap in taps[read:]]
            else:
                said = await self._ask("open", device, journal=whole)
            self._read[device] = len(taps)
            return len(taps), said

    async def _ask(self, what: str, device: int, **more: Any) -> str:
        assert self._answerer is not None

        async def alive() -> None:
            pass

        return await self._answerer.ask(json.dumps({"ask": what, "game": str(device), **more}), b"", alive)
