"""The command ``tiro``. It imports nothing before it is ready for Ctrl-C."""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""As :mod:`tironian.replay.cli.ending` has it."""


def main() -> None:
    """Run the command; ends the program."""
    try:
        from .cli import main as command
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        raise SystemExit(INTERRUPTED) from None
    command(prog_name="tiro")


if __name__ == "__main__":
    main()
