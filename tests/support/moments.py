"""The command as a process to which something happens at a chosen moment, however fast the machine is.

A test names the moment by a call: "before the third time that it saves". Nothing is timed.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from itertools import count
from pathlib import Path

BEGIN = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from signal import SIGINT, SIGKILL
from moments import at_call, step_by_step
from tironian.tools.cli.__main__ import main
"""


def tiro_where(arranged: str) -> list[str]:
    """Return the command that runs ``tiro`` after some Python statements, which may call the functions below."""
    return [sys.executable, "-c", f"{BEGIN}\n{arranged}\nmain()"]


def at_call(number: int, place: str, signal: int) -> None:
    """Send a signal to this process and its children right before a call, counted from 1.

    ``place`` names the function: ``package.module:function`` or ``package.module:Class.method``. The process must
    lead a group of its own (``start_new_session=True``).
    """
    module, _, name = place.partition(":")
    owner: object = import_module(module)
    *outer, name = name.split(".")
    for each in outer:
        owner = getattr(owner, each)
    call, calls = getattr(owner, name), count(1)

    def called(*args: object, **options: object) -> object:
        if next(calls) == number:
            os.killpg(os.getpid(), signal)
        return call(*args, **options)

    setattr(owner, name, called)


def step_by_step() -> None:
    """Let ``tiro check`` take a few games at once, and save its state after each step."""
    import_module("tironian.tools.archive.chunks").CHUNK_SIZE = 500
    import_module("tironian.tools.cli.check").SIZE = 1
    import_module("tironian.tools.archive.register").SAVE_INTERVAL = -1.0
