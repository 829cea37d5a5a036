"""How much a test does: a little in every run, all of it with TIRO_FULL=1 (``make full``)."""

from __future__ import annotations

import os

FULL = os.environ.get("TIRO_FULL") == "1"


def scaled(small: int, full: int) -> int:
    """Return ``small`` in an ordinary run and ``full`` in the full run."""
    return full if FULL else small
