"""Records that anybody sends in: judged at once as ``tiro check`` judges them.

Each is checked by a process of its own, and few at a time, so that no text can hold up the tables. Nothing that was
sent in changes the event before the organiser adds it; what is added is a new file.
"""

from __future__ import annotations

import os
import sys
from subprocess import DEVNULL
from typing import Final

from anyio import CapacityLimiter, move_on_after, run_process

from ...notation.language import spoken
from .store import Refused

MAX_RECORD: Final = 200_000
"""Bytes of a record; the longest honest one has a twentieth of it."""
PATIENCE: Final = 60.0
"""Seconds after which a check, or what sends the record, is given up."""
_AT_ONCE: Final = 2
_WAITING: Final = 100
"""Records that are checked at once, and that wait."""


class Checks:
    """What checks the records, a few at a time."""

    def __init__(self) -> None:
        """Begin; an event loop must run."""
        self._few = CapacityLimiter(_AT_ONCE)

    async def report(self, text: bytes, form: str, rules: str) -> bytes:
        """Return what ``tiro check`` prints, in the language that is spoken, about a record in a format, ``text`` or
        ``json``; nothing if that takes too long. ``rules`` are those of a record that names none. Raise Refused if too
        many are waiting.
        """
        command = [sys.executable, "-m", "tironian", "--lang", spoken().code, "check", "-", "--suggest", "--jobs", "1"]
        command += ["--format", form]
        command += ["--rules", rules] if rules else []
        if self._few.statistics().tasks_waiting >= _WAITING:
            raise Refused("busy")
        async with self._few:
            with move_on_after(PATIENCE):
                env = {**os.environ, "NO_COLOR": "1"}
                return (await run_process(command, input=text, check=False, stderr=DEVNULL, env=env)).stdout
        return b""
