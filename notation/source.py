"""Named lines of text, and places in them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A place in one line: ``line`` counts from 0 in the game's source; ``start`` and ``end`` are columns from 0.

    >>> span = tironian.Span(line=0, start=3, end=5)
    >>> tironian.Source("<text>", ["1E 5A 3P"]).text(span.line)[span.start : span.end]
    '5A'
    """

    line: int
    start: int
    end: int


@dataclass(slots=True)
class Source:
    """The lines of one game. ``first`` is the 1-based number of its first line in the file called ``name``.

    >>> tironian.Source("games.tiro", ["1E 5A\\n", "*\\n"], first=12).text(1)
    '*'
    """

    name: str
    lines: list[str] = field(default_factory=list, repr=False)
    first: int = 1

    def text(self, line: int) -> str:
        """Return a line without its end; an empty text if there is no such line."""
        return self.lines[line].rstrip("\r\n") if 0 <= line < len(self.lines) else ""
