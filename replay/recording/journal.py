"""The trail of a record: everything that was ever done to it, one line of JSON each. Nothing here touches the disk."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from functools import reduce
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

FORMAT: Final = "tironian-trail"
VERSION: Final = 1
UNDO: Final = "undo"
REDO: Final = "redo"
Kind = TypeVar("Kind")
_STRAY: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that stand for no undecoded byte: some terminals hand them in."""


class Change(NamedTuple):
    """One place where two texts differ: from line ``at`` on, counted from 0, ``was`` became ``now``."""

    at: int
    was: tuple[str, ...]
    now: tuple[str, ...]


class Entry(NamedTuple):
    """One thing that was done: when, what, at which turn, the change, and the digest of the text after it.

    An undo takes back so many ``steps``.
    """

    at: str
    what: str
    turn: str
    change: Change
    sum: str
    steps: int = 1

    def line(self) -> bytes:
        """The entry as a line of the trail."""
        change = {"line": self.change.at + 1, "was": self.change.was, "now": self.change.now}
        steps = {"steps": self.steps} if self.steps > 1 else {}
        return _line(at=self.at, what=self.what, turn=self.turn, **change, sum=self.sum, **steps)


class Trail:
    """A text from when it was ``first`` seen, through all ``entries``, to what it is now, ``text``.

    ``before`` is the text before the last entry, None where there is no entry. ``done`` are the changes that can be
    undone, the last one first to go, and ``undone`` those that can be done again, together where they went together.
    """

    def __init__(self, first: str, at: str | None = None) -> None:
        self.first = first
        self.at = at or _now()
        self.text = settled(first)
        self.before: str | None = None
        self.entries: list[Entry] = []
        self.done: list[Change] = []
        self.undone: list[tuple[Change, ...]] = []

    def entry(self, text: str, what: str, turn: str = "", steps: int = 1) -> Entry | None:
        """Return the entry that leads from here to a text; None where nothing was done. It is not added yet."""
        change = between(self.text, text)
        if change is None and what in (UNDO, REDO):
            change = Change(0, (), ())  # what was taken back together came to nothing
        return change and Entry(_now(), what, turn, change, digest(text), steps)

    def back(self, until: Callable[[str], bool]) -> tuple[str, int]:
        """Return the last text before for which ``until`` holds, or the first, and how many steps lead there."""
        text, steps = self.text, 0
        for change in reversed(self.done):
            text, steps = apply(text, inverse(change)), steps + 1
            if until(text):
                break
        return text, steps

    def again(self) -> str:
        """Return the text that comes of doing again what was undone last."""
        return reduce(apply, self.undone[-1], self.text)

    def add(self, entry: Entry) -> None:
        """Go on by one entry. ValueError where it does not follow from what stands here; nothing is changed then."""
        text = apply(self.text, entry.change)
        if digest(text) != entry.sum:
            raise ValueError("the text after it is not what it was")
        if entry.what == UNDO:
            taken = tuple(self.done[-entry.steps :])
            if len(taken) != entry.steps or reduce(apply, taken, text) != self.text:
                raise ValueError("it undoes what was not done last")
            del self.done[-entry.steps :]
            self.undone.append(taken)
        elif entry.what == REDO:
            if not self.undone or self.again() != text:
                raise ValueError("it does again what was not undone last")
            self.done += self.undone.pop()
        else:
            self.done.append(entry.change)
            self.undone.clear()
        self.before, self.text = self.text, text
        self.entries.append(entry)

    def lines(self) -> bytes:
        """The whole trail as its file holds it."""
        head = _line(format=FORMAT, version=VERSION, at=self.at, text=self.first)
        return b"".join([head, *(entry.line() for entry in self.entries)])


class Reading(NamedTuple):
    """What the bytes of a trail hold: as much of it as could be read, the size of that, and where it is damaged.

    ``kept`` is the digest of the text that the record is known to have held; empty where that was not noted.
    """

    trail: Trail | None
    size: int
    fault: str
    kept: str = ""


def read(data: bytes) -> Reading:
    """Read a trail. A last line without its end was never finished, and is left out of ``size``; it is no fault.

    Nor is the note of what was kept, to which an editor has added an end.
    """
    *lines, torn = data.split(b"\n")
    if not torn and lines and _kept(lines[-1]):
        torn = lines.pop()
    trail: Trail | None = None
    size = 0
    for number, line in enumerate(lines, 1):
        try:
            if trail is None:
                trail = _begun(json.loads(line))
            else:
                trail.add(_entry(json.loads(line)))
        except (ValueError, LookupError, TypeError, RecursionError):
            return Reading(trail, size, f"line {number}")
        size += len(line) + 1
    # Before the first line has its end nothing is recorded here; but what stands there can be somebody's file.
    return Reading(trail, size, "line 1" if torn and trail is None else "", _kept(torn))


def kept_line(text: str) -> bytes:
    """Return what stands behind the last entry once the record holds this text. The next entry takes its place.

    It has no end, as a line that was never finished: it is none of the entries.
    """
    return _line(kept=digest(text)).rstrip(b"\n")


def _kept(torn: bytes) -> str:
    try:
        return _a(str, json.loads(torn)["kept"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""


def digest(text: str) -> str:
    """What a text is known again by."""
    return sha256(encoded(text)).hexdigest()[:16]


def _begun(data: dict[str, Any]) -> Trail:
    if (data["format"], data["version"]) != (FORMAT, VERSION):
        raise ValueError("no trail of this version")
    return Trail(_a(str, data["text"]), _a(str, data["at"]))


def _entry(data: dict[str, Any]) -> Entry:
    at, what, turn, digested = (_a(str, data[name]) for name in ("at", "what", "turn", "sum"))
    was, now = (tuple(_a(str, line) for line in _a(list, data[name])) for name in ("was", "now"))
    steps = _a(int, data.get("steps", 1))
    if steps < 1:
        raise ValueError("it undoes nothing")
    return Entry(at, what, turn, Change(_a(int, data["line"]) - 1, was, now), digested, steps)


def _a(kind: type[Kind], value: object) -> Kind:
    if not isinstance(value, kind):
        raise TypeError
    return value


def _line(**data: object) -> bytes:
    # ASCII alone: undecoded bytes are written as escapes, and no program that copies the file can hurt it.
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="milliseconds")


# ----------------------------------------------------------------------------------- texts, and what changes them


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
