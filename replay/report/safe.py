"""Text from strangers, made safe to show: what would steer a terminal or hide itself is written out."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TextIO

# Controls steer the terminal; format characters reorder or hide text (bidirectional overrides, zero-width
# spaces); lone surrogates cannot be encoded; separators break the line; the unassigned have no known width.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})


@lru_cache(maxsize=4096)
def shown(char: str) -> str:
    """One character as it may be shown: itself, an escape such as ``\\x1b`` or ``\\u202e``, � for an undecoded byte."""
    if "\udc80" <= char <= "\udcff":
        return "\ufffd"
    if unicodedata.category(char) not in _UNSEEN:
        return char
    return char.encode("unicode_escape").decode("ascii")


def visible(text: str) -> str:
    """A text on one line with nothing in it that cannot be seen."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(shown, text))


def visible_lines(text: str) -> list[str]:
    """A text of several lines, made visible line by line."""
    return [visible(line) for line in text.splitlines()]


def encodable(text: str, stream: TextIO) -> str:
    """The text with escapes for what the stream's encoding lacks: no report may fail on an old terminal."""
    encoding = getattr(stream, "encoding", None)
    if not encoding or text.isascii():
        return text
    return text.encode(encoding, "backslashreplace").decode(encoding)
