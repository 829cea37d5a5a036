"""A line that can't be read as a whole, in the pieces that are to be read one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_PIECE: Final = re.compile(r'\{[^}]*\}?|;.*|(?:"(?:\\.|[^"\\])*+"|[^\s{;"])+|"')
"""A comment, or a word with the texts in quotes that are closed; a quote alone where it is not."""
_PIECE_WITHOUT_TEXTS: Final = re.compile(r"\{[^}]*\}?|;.*|[^\s{;]+")
_REST: Final = re.compile(r"[^\s{;]*")


def pieces(text: str, at: int) -> Iterator[tuple[int, int, str]]:
    """Start, end and text of each word and each comment from ``at`` on."""
    pattern = _PIECE
    while match := pattern.search(text, at):
        start, at = match.span()
        if pattern is _PIECE and text[start] not in "{;" and (text[start:at] == '"' or text.startswith('"', at)):
            # A quote that nothing closes is a letter as any other, and no later one is closed either: from here on
            # none is tried again, since each would be looked for to the end of the line.
            pattern = _PIECE_WITHOUT_TEXTS
            rest = _REST.match(text, at)
            at = rest.end() if rest else at
        yield start, at, text[start:at]
