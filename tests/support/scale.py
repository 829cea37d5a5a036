"""How much a test does: a little in every run, all of it with TIRO_FULL=1 (``make full``)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import cycle, product
from typing import TypeVar

One = TypeVar("One")
Other = TypeVar("Other")

FULL = os.environ.get("TIRO_FULL") == "1"


def scaled(small: int, full: int) -> int:
    """Return ``small`` in an ordinary run and ``full`` in the full run."""
    return full if FULL else small


def crossed(things: Iterable[One], looks: Sequence[Other]) -> list[tuple[One, Other]]:
    """Return each thing with each look in the full run, and with one of them, in turn, in an ordinary run."""
    return [*product(things, looks)] if FULL else [*zip(things, cycle(looks), strict=False)]
