"""Moves as numbers: two codes each, one after another (:mod:`tironian.notation.codes`)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ....notation.arrays import doubled, vec

INITIAL_CAPACITY: Final = 32
"""The number of moves for which there is room at first."""


class MoveList:
    """A list of moves, which can be cleared and filled again."""

    def __init__(self) -> None:
        self.codes: vec[i64] = vec[i64]([i64(0) for _ in range(2 * INITIAL_CAPACITY)])
        self.count: i64 = 0
        """How many moves there are; whatever follows them in the array means nothing."""

    def add(self, code: i64, code2: i64) -> None:
        """Add a move."""
        at = 2 * self.count
        if at >= len(self.codes):
            self.codes = doubled(self.codes)
        codes = self.codes
        codes[at] = code
        codes[at + 1] = code2
        self.count += 1

    def pairs(self) -> list[tuple[int, int]]:
        """Return the moves, each as its two codes."""
        codes = self.codes
        return [(codes[2 * at], codes[2 * at + 1]) for at in range(self.count)]
