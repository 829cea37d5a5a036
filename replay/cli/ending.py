"""How the program ends: with one sentence where it can't go on, silently where nobody reads its output."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import click

from ...notation.safe_text import readable
from ..storage import Unable
from .common import Trouble

INTERRUPTED = 130
"""What shells report of a program that Ctrl-C has ended: 128 and the number of SIGINT."""
UNHEARD = 141
"""The same for SIGPIPE. Not 1, which says that records have problems: nobody knows that of what was not written."""


OUT_OF_MEMORY = "there is not enough memory to continue; do less at once, or give the program more"
_NO_THREAD = "can't start new thread"
"""What Python says where there is no memory for a thread."""


class OutputClosed(click.ClickException):
    """Nobody reads the output any more, so there is nobody to tell."""

    exit_code = UNHEARD

    def show(self, file: IO[Any] | None = None) -> None:
        """Say nothing."""
        _discard_output()


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise OutputClosed for a closed pipe, which click and rich would take for exit code 1, and Trouble for Unable."""
    try:
        yield
    except Unable as error:
        raise Trouble(*error.lines) from None
    except BrokenPipeError:
        raise OutputClosed("") from None
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):
            raise OutputClosed("") from None
        raise


def exit_code_of(call: Callable[[], object]) -> int:
    """Run a command and return its exit code; whatever ends it early is reported, and never by a traceback."""
    try:
        code = _code(call)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and _NO_THREAD not in str(error):
            raise
        trouble = Trouble(OUT_OF_MEMORY)
    except BrokenPipeError:
        _discard_output()
        return UNHEARD
    except OSError as error:
        # A file tells its own errors (open_input, replacing); what has no name is a standard stream.
        _discard_output()
        place = "standard input" if error.errno == errno.EISDIR else "standard output"
        with suppress(OSError):
            Trouble.of(error.filename or place, error).show()
        return Trouble.exit_code
    else:
        return code
    # What was in hand is gone only here, behind the exception that held it.
    with suppress(OSError, MemoryError):
        trouble.show()
    return trouble.exit_code


def _code(call: Callable[[], object]) -> int:
    """Return the exit code of a call; an error of click is shown first."""
    try:
        code = call()
    except click.ClickException as error:
        message = readable(error.format_message().replace("\n\t", "\n  "))  # so click lists choices
        error.format_message = lambda: message
        error.show()
        return error.exit_code
    except SystemExit as end:
        code = end.code
    return code if isinstance(code, int) else 0


def _discard_output() -> None:
    """Send what can't be written to the null device, or Python would complain about it when it exits."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):
                void = os.open(os.devnull, os.O_WRONLY)
                os.dup2(void, stream.fileno())
                os.close(void)
