"""Where things stand in the text of a game: the words of a turn, and its headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ..notation.record import Turn
from ..notation.source import Source, Span
from .findings import END

_LABEL: Final = re.compile(r"[\s\ufeff]*(?:\|[\s\ufeff]*)?([0-9]+\s*[RE])")
_HEADER: Final = re.compile(r"[\s\ufeff]*\[\s*([A-Za-z][A-Za-z0-9_]*)")
_NOWHERE: Final = Span(0, 0, 0)


def token_span(source: Source, turn: Turn, at: int | None) -> Span:
    """Return where a token stands: its columns in the turn's line; the label for None, the line's end for END."""
    text = source.text(turn.line)
    label = _LABEL.match(text)
    if label is None:
        return Span(turn.line, 0, len(text))
    if at is None:
        return Span(turn.line, *label.span(1))
    columns = _columns(text, label.end())
    if at == END or at >= len(columns):
        end = columns[-1][1] if columns else len(text.rstrip())
        return Span(turn.line, end, end)
    return Span(turn.line, *columns[at])


@lru_cache(maxsize=64)
def _columns(line: str, label: int) -> list[tuple[int, int]]:
    """Return where each token stands behind the label. Remembered, since a line with many faults is asked for again."""
    from ..notation.salvage import read_words

    return [(word.start, word.end) for word in read_words(line, label) if hasattr(word.item, "step")]


class HeaderPlaces:
    """Finds the lines of headers. The lines are read once, when the first header is looked for."""

    def __init__(self, source: Source, headers: Sequence[tuple[str, str]]) -> None:
        self._source, self._headers = source, headers
        self._spans: list[Span] | None = None

    def of(self, name: str) -> Span | None:
        """Return where the value of the first header of that name stands; None where there is no such header."""
        place = next((place for place, (each, _) in enumerate(self._headers) if each == name), None)
        return None if place is None else self.at(place)

    def at(self, place: int) -> Span:
        """Return where the value of a header stands, by its place among the record's headers."""
        if self._spans is None:
            self._spans = self._found()
        return self._spans[place]

    def _found(self) -> list[Span]:
        """Return where each header's value stands. Of those that share a name the first is the first in the text."""
        lines: dict[str, list[int]] = {}
        for number, line in enumerate(self._source.lines):
            if found := _HEADER.match(line):
                lines.setdefault(found[1].lower(), []).append(number)
        spans, met = [], dict[str, int]()
        for name, _ in self._headers:
            here = lines.get(name.lower())
            if here is None:
                spans.append(_NOWHERE)
                continue
            nth = met[name] = met.get(name, -1) + 1
            number = here[min(nth, len(here) - 1)]
            text = self._source.text(number)
            start = text.find('"')
            spans.append(Span(number, max(start, 0), max(text.rfind('"') + 1, start + 1)))
        return spans
