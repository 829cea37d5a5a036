"""Texts as sheets of lines, and what changes one into another. Nothing here knows of files."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_STRAY: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that stand for no undecoded byte: some terminals hand them in."""


class Change(NamedTuple):
    """One place where two texts differ: from line ``at`` on, counted from 0, ``was`` became ``now``."""

    at: int
    was: tuple[str, ...]
    now: tuple[str, ...]


def between(old: str, new: str) -> Change | None:
    """What makes ``new`` of ``old``: all lines from the first that differs to the last. None where none does."""
    if old == new:
        return None
    was, now = old.split("\n"), new.split("\n")
    shorter = min(len(was), len(now))
    head = next((at for at in range(shorter) if was[at] != now[at]), shorter)
    tail = next((at for at in range(shorter - head) if was[-1 - at] != now[-1 - at]), shorter - head)
    return Change(head, tuple(was[head : len(was) - tail]), tuple(now[head : len(now) - tail]))


def apply(text: str, change: Change) -> str:
    """The text with a change made. ValueError where it does not stand there as it was."""
    lines = text.split("\n")
    behind = change.at + len(change.was)
    if change.at < 0 or behind > len(lines) or tuple(lines[change.at : behind]) != change.was:
        raise ValueError(f"line {change.at + 1} is not what was changed")
    lines[change.at : behind] = change.now
    return "\n".join(lines)


def inverse(change: Change) -> Change:
    """The change that takes another one back."""
    return Change(change.at, change.now, change.was)


def encoded(text: str) -> bytes:
    """A text as a file holds it: UTF-8, and undecoded bytes as they were."""
    text = _STRAY.sub(lambda stray: stray[0].encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape"), text)
    return text.encode("utf-8", "surrogateescape")


def decoded(data: bytes) -> str:
    """A file's text as the notation's reader takes it: without byte order mark, every line ended with LF alone."""
    return data.decode("utf-8", "surrogateescape").lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def settled(text: str) -> str:
    """A text as it will be when it has been written to a file and read again."""
    return decoded(encoded(text))
