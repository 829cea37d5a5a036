"""Programs in a terminal of their own: keys go in, and what they write comes out."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

termios = pytest.importorskip("termios")
fcntl = pytest.importorskip("fcntl")
pytest.importorskip("pty")

ESCAPES = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z^-~])")
"""Signs that place and paint, and are no text."""
SIZES = ("COLUMNS", "LINES")
"""What says how large a terminal is, whatever it says itself: workers of the tests have it set."""
PATIENCE = 300
"""Seconds until a program is thought to hang: far more than it takes on any machine."""


class Terminal:
    """A pseudo-terminal of 80 by 24, unless ``size`` says otherwise, with a program that believes it is its own."""

    def __init__(
        self, command: list[str], env: dict[str, str], size: tuple[int, int] = (24, 80), cwd: Path | None = None
    ) -> None:
        self.output = b""
        self.ours, self.theirs = os.openpty()
        termios.tcsetwinsize(self.theirs, size)
        self.before = termios.tcgetattr(self.theirs)

        def own() -> None:
            os.setsid()
            fcntl.ioctl(self.theirs, termios.TIOCSCTTY, 0)

        self.run = subprocess.Popen(
            command,
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            preexec_fn=own,
            pass_fds=(self.theirs,),
            env={name: value for name, value in os.environ.items() if name not in SIZES}
            | {"TERM": "xterm-256color"}
            | env,
            cwd=cwd,
        )

    @property
    def text(self) -> str:
        """What was written so far, without what places and paints it."""
        return ESCAPES.sub(b"", self.output).decode(errors="replace").replace("\r\n", "\n")

    def wait_for(self, text: str) -> None:
        """Read until it has been written."""
        self.wait_until(lambda: text.encode() in self.output)

    def wait_until(self, so: Callable[[], bool]) -> None:
        """Read until it is so."""
        end = time.monotonic() + PATIENCE
        while not so():
            assert time.monotonic() < end, self.output[-2000:]
            assert self.read(0.2) or self.run.poll() is None, self.output[-2000:]

    def is_asking(self) -> bool:
        """Whether the program sleeps, as it does while it waits for input; where the system does not tell, it does."""
        try:
            state = Path(f"/proc/{self.run.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        return state not in "RD"

    def read(self, seconds: float) -> bytes:
        """What is written next, if anything is within that time."""
        ready, _, _ = select.select([self.ours], [], [], seconds)
        new = os.read(self.ours, 65536) if ready else b""
        self.output += new
        return new

    def press(self, keys: str) -> None:
        """Type something."""
        os.write(self.ours, keys.encode())

    def end(self, again: str = "") -> int:
        """Return the exit code, once the program has ended; what it wrote at last is read too.

        ``again`` is typed once the program waits for input, and every twenty seconds if it still does.
        """
        if again:
            self.wait_until(self.is_asking)
        end, typed = time.monotonic() + PATIENCE, 0.0
        while self.run.poll() is None:
            assert time.monotonic() < end, self.output[-2000:]
            if again and time.monotonic() > typed + 20 and self.is_asking():
                self.press(again)
                typed = time.monotonic()
            self.read(0.1)
        while self.read(0.1):
            pass
        return self.run.returncode

    def hang_up(self) -> int:
        """Take the terminal away; the exit code."""
        self.close()
        return self.run.wait(timeout=PATIENCE)

    def close(self) -> None:
        """Give the terminal back."""
        for each in (self.ours, self.theirs):
            with suppress(OSError):  # where it was hung up
                os.close(each)
        self.ours = self.theirs = -1


@contextmanager
def terminal(
    *command: str, size: tuple[int, int] = (24, 80), cwd: Path | None = None, **env: str
) -> Iterator[Terminal]:
    """A program in a terminal, until it is left."""
    there = Terminal(list(command), env, size, cwd)
    try:
        yield there
    finally:
        there.run.kill()
        there.run.wait()
        there.close()
