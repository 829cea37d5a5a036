"""The command ``tiro``. It imports next to nothing before it is ready for Ctrl-C."""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130
"""As :mod:`tironian.replay.cli.common` has it."""
GARBAGE = 50_000
"""Objects that have to be new before garbage is looked for. With Python's own 700 it is looked for all the time while
modules are imported, in which there is none."""


def main() -> None:
    """Run the command; ends the program."""
    gc.set_threshold(GARBAGE)
    try:
        from .command_line import main as command
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        raise SystemExit(INTERRUPTED) from None
    try:
        command(prog_name="tiro")
    finally:
        if "duckdb" not in sys.modules:  # it would list on standard error what it did not get back
            gc.freeze()  # Python would go through all there is once more, for what the system takes back at once


if __name__ == "__main__":
    main()
