"""How the program ends: with one sentence where it can't go on, silently where nobody reads its output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

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


@contextmanager
def translated_errors() -> Iterator[None]:
    """Raise Trouble for Unable, and end with UNHEARD on a closed pipe, which click and rich would take for code 1."""
    try:
        yield
    except Unable as error:
        raise Trouble(*error.lines) from None
    except (BrokenPipeError, SystemExit) as error:
        if not any(isinstance(cause, BrokenPipeError) for cause in (error, error.__context__)):
            raise
        _discard_output()
        raise click.exceptions.Exit(UNHEARD) from None


def exit_code_of(call: Callable[[], object]) -> int:
    """Run a command and return its exit code; whatever ends it early is reported, and never by a traceback."""
    try:
        code = _code(call)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return UNHEARD
    except OSError as error:
        # A file tells its own errors (open_input, replacing); what has no name is standard output.
        _discard_output()
        trouble = Trouble.of(error.filename or "standard output", error)
    except Exception as error:
        if isinstance(error, MemoryError) or _NO_THREAD in str(error):
            trouble = Trouble(OUT_OF_MEMORY)
        else:
            from ..report.model import OWN_FAULT, REPORT_IT, TRACEBACK, told

            if os.environ.get(TRACEBACK):
                raise
            trouble = Trouble(f"{OWN_FAULT}: this is a fault of tiro: {told(error)}", REPORT_IT)
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
