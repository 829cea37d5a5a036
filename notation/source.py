"""Where a record came from: lines of text with a name, and places in them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A place in one line: ``line`` counts from 0 in the game's source; ``start`` and ``end`` are columns from 0."""

    line: int
    start: int
    end: int


@dataclass(slots=True)
class Source:
    """The lines of one game. ``first`` is the 1-based number of its first line in the file called ``name``."""

    name: str
    lines: list[str] = field(default_factory=list)
    first: int = 1

    def text(self, line: int) -> str:
        """A line without its end, or nothing where there is no such line."""
        return self.lines[line].rstrip("\r\n") if 0 <= line < len(self.lines) else ""
