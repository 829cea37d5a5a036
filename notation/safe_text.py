"""Text from strangers, made safe to show: what would steer a terminal or hide itself is written out."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Any, Final, TextIO

# Controls steer the terminal; format characters reorder or hide text (bidirectional overrides, zero-width
# spaces); lone surrogates cannot be encoded; separators break the line; the unassigned have no known width.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
_BEYOND: Final = re.compile(r"[^\x00-\x7e]")
_FORMULA: Final = tuple("=+-@＝＋－＠\t\r")
"""What a spreadsheet takes for the beginning of a formula."""


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


def readable(text: str) -> str:
    """A text of several lines with nothing in it that cannot be seen; its ends of lines stay."""
    return "\n".join(map(visible, text.split("\n")))


def on_screen(text: str, stream: TextIO) -> str:
    """A record as it is, for a file or a program; made readable for a terminal."""
    return readable(text) if stream.isatty() else text


def as_json(value: Any, **how: Any) -> str:
    """A value as JSON, in which what cannot be seen stands as ``\\u202e``: nothing is lost, and nothing hidden."""
    # What is beyond ASCII stands in strings; the controls before it json has written as escapes already.
    return _BEYOND.sub(_escaped, json.dumps(value, ensure_ascii=False, **how))


def _escaped(found: re.Match[str]) -> str:
    return found[0] if shown(found[0]) == found[0] else json.dumps(found[0])[1:-1]


def cell(text: str) -> str:
    """A text as a cell of a table that no spreadsheet takes for a formula: an apostrophe stands before one."""
    return f"'{visible(text)}" if text.startswith(_FORMULA) else visible(text)


def encodable(text: str, stream: TextIO) -> str:
    """The text with escapes for what the stream's encoding lacks: no report may fail on an old terminal."""
    encoding = getattr(stream, "encoding", None)
    if not encoding or text.isascii():
        return text
    return text.encode(encoding, "backslashreplace").decode(encoding)
