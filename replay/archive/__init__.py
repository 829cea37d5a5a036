"""Archives: many games at once, from wherever they lie, on one machine and on many."""

from __future__ import annotations


class Unable(Exception):
    """The work can't be begun or gone on with: no place to write to, no cluster, a question that is none.

    The message says what, where and why. What is wrong with the games and their files is never told so.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines
