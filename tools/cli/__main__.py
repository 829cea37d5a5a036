"""The command ``tiro``. It imports hardly anything before it is ready for Ctrl-C."""

from __future__ import annotations

import gc
import os
import signal
import sys

INTERRUPTED = 130
"""See :mod:`tironian.tools.cli.common`."""
GC_THRESHOLD = 50_000
"""The number of new objects that starts a garbage collection. Python's default of 700 would start many during imports,
which leave no garbage.
"""

_ENDED_BY: list[int] = []
"""The signal that asked the program to end, if there was one other than Ctrl-C."""


def main() -> None:
    """Run the command; ends the program."""
    gc.set_threshold(GC_THRESHOLD)
    _replace_closed_streams()
    try:
        from .command_line import main as command
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        raise SystemExit(INTERRUPTED) from None
    from ..storage.api import END_SIGNALS

    for each in END_SIGNALS:
        if signal.getsignal(each) is signal.SIG_DFL:  # not Ctrl-C, nor what nohup has ignored
            signal.signal(each, _end)
    try:
        command(prog_name="tiro")
    except SystemExit as end:
        if _ENDED_BY:
            end.code = 128 + _ENDED_BY[0]
        raise
    finally:
        _release()


def _end(number: int, _frame: object) -> None:
    """End the program as Ctrl-C would."""
    signal.signal(number, signal.SIG_IGN)  # a shell and the system may both send it
    _ENDED_BY.append(number)
    raise KeyboardInterrupt


def _replace_closed_streams() -> None:
    """Open the null device in place of closed standard streams, or a file could get the number of one, and what a
    library writes there. ``sys.stdin`` and ``sys.stdout`` stay None, since who needs them has to be told.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)
    sys.stderr = sys.stderr or open(os.devnull, "w", errors="backslashreplace")  # noqa: SIM115  # open until the end


def _release() -> None:
    """Make the end of the process quick and quiet."""
    if "duckdb" not in sys.modules:  # it would list on standard error the objects that it could not free
        gc.freeze()  # Python would go through all objects once more, although the system frees them at once
        return
    from threading import enumerate as threads

    from ..archive.export import THREAD

    if any(thread.name == THREAD for thread in threads()):  # its query did not stop at Ctrl-C
        os._exit(INTERRUPTED)  # it could abort the process while Python ends


if __name__ == "__main__":
    main()
