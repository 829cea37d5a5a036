"""Untrusted text made safe to show: characters that would control a terminal or hide text are written as escapes."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Any, Final, TextIO

# Control characters control the terminal; format characters reorder or hide text (bidirectional overrides, zero-width
# spaces); lone surrogates can't be encoded; separators break the line; unassigned ones have no known width.
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
_NON_ASCII: Final = re.compile(r"[^\x00-\x7e]")
_JOINERS: Final = "\u200c\u200d"
"""The characters that say whether two letters, or two pictures of one emoji, are joined."""
_JOINED: Final = frozenset({"Ll", "Lm", "Lo", "Lu", "Mc", "Mn", "Sk", "So"})
"""The categories of characters that a joiner may stand between, beyond ASCII."""
_FORMULA: Final = tuple("=+-@＝＋－＠\t\r")
"""The characters that a spreadsheet takes for the beginning of a formula."""


@lru_cache(maxsize=4096)
def visible_char(char: str) -> str:
    """Return a character as it may be shown: itself, an escape such as ``\x1b``, or � for a byte that could not be
    decoded.
    """
    if "\udc80" <= char <= "\udcff":
        return "\ufffd"
    if unicodedata.category(char) not in _INVISIBLE:
        return char
    return char.encode("unicode_escape").decode("ascii")


def visible(text: str) -> str:
    """Return a text on one line without invisible characters."""
    return text if text.isascii() and text.isprintable() else "".join(visible_chars(text))


def visible_chars(text: str) -> list[str]:
    """Return each character of a text as it may be shown. A joiner is kept where it shapes what is beside it, as in
    Persian words and in emoji.
    """
    if not any(joiner in text for joiner in _JOINERS):
        return [*map(visible_char, text)]
    return [char if _joins(text, at) else visible_char(char) for at, char in enumerate(text)]


def _joins(text: str, at: int) -> bool:
    """Return whether a joiner stands between two characters that are not ASCII, such as letters or emoji."""
    beside = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
    return (
        text[at] in _JOINERS
        and len(beside) == 2
        and all(char > "\x7f" and unicodedata.category(char) in _JOINED for char in beside)
    )


@lru_cache(maxsize=64)  # a file has many places
def uri(name: str) -> str:
    """Return a file's name as a URI; a relative one stays relative, so that a host finds it in its checkout.

    Bytes that are not UTF-8, which Python keeps as surrogates, become themselves again.
    """
    from pathlib import PurePath
    from urllib.parse import quote

    path = PurePath(name)
    kept = [
        char.encode(errors="surrogateescape" if "\udc80" <= char <= "\udcff" else "replace") for char in path.as_posix()
    ]
    start = "" if not path.is_absolute() else "file:///" if path.drive else "file://"
    return start + quote(b"".join(kept), safe="/:" if path.drive else "/")


def file_name(name: str) -> str:
    """Return a file's name in visible characters; as a URI if bytes of it are not UTF-8, so that none are lost."""
    seen = visible(name)
    return uri(name) if "\ufffd" in seen else seen


def visible_lines(text: str) -> list[str]:
    """Return a text of several lines, made visible line by line."""
    return [visible(line) for line in text.splitlines()]


def readable(text: str) -> str:
    """Return a text of several lines without invisible characters; line ends are kept."""
    return "\n".join(map(visible, text.split("\n")))


def on_screen(text: str, stream: TextIO) -> str:
    """Return a record unchanged for a file or a program, and made readable for a terminal."""
    return readable(text) if stream.isatty() else text


def as_json(value: Any, **how: Any) -> str:
    """Return a value as JSON, with invisible characters as escapes: nothing is lost, and nothing is hidden."""
    # Non-ASCII characters occur only in strings; json has already escaped ASCII control characters.
    return _NON_ASCII.sub(_escaped, json.dumps(value, ensure_ascii=False, **how))


def _escaped(match: re.Match[str]) -> str:
    is_safe = visible_char(match[0]) == match[0] or _joins(match.string, match.start())
    return match[0] if is_safe else json.dumps(match[0])[1:-1]


def json_lines(data: dict[str, Any], *keys: str) -> str:
    """Return an object as JSON in ASCII, with each item of its lists ``keys`` on its own line, so that files can be
    compared.
    """

    def text(name: str, value: Any) -> str:
        return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]" if name in keys else json.dumps(value)

    return "{" + ",\n".join(f'"{name}": {text(name, value)}' for name, value in data.items()) + "}\n"


def cell(text: str) -> str:
    """Return a text for a table cell, with an apostrophe in front if a spreadsheet would take it for a formula."""
    return f"'{visible(text)}" if text.startswith(_FORMULA) else visible(text)


def encodable(text: str, stream: TextIO) -> str:
    """Return a text with escapes for characters that the stream's encoding lacks, so that reports don't fail on an old
    terminal.
    """
    encoding = getattr(stream, "encoding", None)
    if not encoding or text.isascii():
        return text
    return text.encode(encoding, "backslashreplace").decode(encoding)
