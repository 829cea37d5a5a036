"""Where things are in the text of a game: the words of a turn, and the headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ...notation.record import Turn
from ...notation.source import Source, Span
from ...notation.tokens import Token
from .findings import AT_END

_LABEL: Final = re.compile(r"[\s\ufeff]*(?:\|[\s\ufeff]*)?([0-9]+\s*[RE])")
_HEADER: Final = re.compile(r"[\s\ufeff]*\[\s*([A-Za-z][A-Za-z0-9_]*)")
_NOWHERE: Final = Span(0, 0, 0)


def token_span(source: Source, turn: Turn, at: int | None) -> Span:
    """Return where a token is: its columns in the turn's line; the label for None, the line's end for AT_END."""
    text = source.text(turn.line)
    label = _LABEL.match(text)
    if label is None:
        return Span(turn.line, 0, len(text))
    if at is None:
        return Span(turn.line, *label.span(1))
    columns = _columns(text, label.end())
    if at == AT_END or at >= len(columns):
        end = columns[-1][1] if columns else len(text.rstrip())
        return Span(turn.line, end, end)
    return Span(turn.line, *columns[at])


@lru_cache(maxsize=64)
def _columns(line: str, label: int) -> list[tuple[int, int]]:
    """Return where each token after the label is. Cached, since a line with many faults is needed again and again."""
    from ...notation.word_cache import read_words

    return [(word.start, word.end) for word in read_words(line, label) if isinstance(word.item, Token)]


def header_spans(source: Source, headers: Sequence[tuple[str, str]]) -> list[Span]:
    """Return where the value of each header is. Headers with the same name are in the order of the text."""
    lines: dict[str, list[int]] = {}
    for number, line in enumerate(source.lines):
        if header := _HEADER.match(line):
            lines.setdefault(header[1].lower(), []).append(number)
    spans, met = [], dict[str, int]()
    for name, _ in headers:
        here = lines.get(name.lower())
        if here is None:
            spans.append(_NOWHERE)
            continue
        nth = met[name] = met.get(name, -1) + 1
        number = here[min(nth, len(here) - 1)]
        text = source.text(number)
        start = text.find('"')
        spans.append(Span(number, max(start, 0), max(text.rfind('"') + 1, start + 1)))
    return spans
