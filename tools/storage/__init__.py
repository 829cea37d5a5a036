"""Files: where texts come from, how they are unpacked, and how files are replaced without loss."""

from __future__ import annotations


class CannotRun(Exception):
    """The work cannot start or continue: no place to write to, no cluster, an invalid query.

    The message says what, where and why. Faults of games and of their files are diagnostics instead.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines

    @classmethod
    def at(cls, place: object, why: str) -> CannotRun:
        """Return the error for a place: an address, a folder or a file."""
        return cls(f"{place}: {why}")
