"""The journal of a record: every change that was made to it, one line of JSON each. Nothing here touches the disk."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

FORMAT: Final = "tironian-trail"
VERSION: Final = 1
BEGUN: Final = "begun"
"""What begins a record; nothing goes back behind it."""
UNDO: Final = "undo"
REDO: Final = "redo"
_INVALID: Final = (ValueError, LookupError, TypeError, RecursionError)
"""What reading a line raises that this module did not write."""
Value = TypeVar("Value")
_STRAY: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that stand for no undecoded byte: some terminals hand them in."""


class Change(NamedTuple):
    """One place where two texts differ: from line ``at`` on, counted from 0, ``was`` became ``now``."""

    at: int
    was: tuple[str, ...]
    now: tuple[str, ...]


class Standing(NamedTuple):
    """A text, and what a recorder knows beside it: a journal keeps that as it is and says nothing about it."""

    text: str
    aside: str = ""


class JournalEntry(NamedTuple):
    """One thing that was done: when, what, at which turn, the change, and the digest of the text after it.

    ``steps`` is how many changes an undo takes back. ``aside`` is what is known beside the text from then on.
    """

    at: str
    what: str
    turn: str
    change: Change
    sum: str
    steps: int = 1
    aside: str = ""

    def line(self) -> bytes:
        """Return the entry as a line of the journal."""
        change = {"line": self.change.at + 1, "was": self.change.was, "now": self.change.now}
        more = {"steps": self.steps} if self.steps > 1 else {}
        more |= {"aside": self.aside} if self.aside else {}
        return _line(at=self.at, what=self.what, turn=self.turn, **change, sum=self.sum, **more)


class Journal:
    """A text from when it was ``first`` seen, through all ``entries``, to how it stands ``now``.

    ``before`` is the text before the last entry, None where there is no entry. ``past`` is what can be gone back to,
    the latest last, and ``future`` what was undone: the standings of each undo, in their old order.
    """

    def __init__(self, first: str, at: str | None = None) -> None:
        self.first = first
        self.at = at or _now()
        self.now = Standing(settled(first))
        self.before: str | None = None
        self.entries: list[JournalEntry] = []
        self.past: list[Standing] = []
        self.future: list[list[Standing]] = []
        self.clocks = ""
        """How the clocks stood last, as they keep it themselves."""
        self._begun = 0
        """How many of the past come before the record was begun."""

    @property
    def text(self) -> str:
        """Return the text as it is now."""
        return self.now.text

    def entry(self, new: Standing, what: str, turn: str = "", steps: int = 1) -> JournalEntry | None:
        """Return the entry that leads from here to what is ``new``; None where nothing was done. It is not added yet.

        What an undo or a redo comes back to is known, so that such an entry says nothing aside.
        """
        change, is_back = between(self.text, new.text), what in (UNDO, REDO)
        if change is None and (is_back or new != self.now):
            change = Change(0, (), ())  # what was taken back together came to nothing, or only what is aside is new
        aside = "" if is_back else new.aside
        return change and JournalEntry(_now(), what, turn, change, digest(new.text), steps, aside)

    def back(self, until: Callable[[str], bool]) -> tuple[Standing, int]:
        """Return the last standing before whose text ``until`` accepts, or the first, and how many steps lead there."""
        past = self.past[self._begun :]
        steps = next((steps for steps, old in enumerate(reversed(past), 1) if until(old.text)), len(past))
        return (self.past[-steps] if steps else self.now), steps

    def add(self, entry: JournalEntry) -> None:
        """Go on by one entry. Raise ValueError where it does not follow from the text; nothing is changed then."""
        text = apply(self.text, entry.change)
        if digest(text) != entry.sum:
            raise ValueError("the text after it is not what it was")
        if entry.what == UNDO:
            there = len(self.past) - entry.steps
            if there < 0 or self.past[there].text != text:
                raise ValueError("it undoes what was not done last")
            new = self.past[there]
            self.future.append([*self.past[there + 1 :], self.now])
            del self.past[there:]
        elif entry.what == REDO:
            if not self.future or self.future[-1][-1].text != text:
                raise ValueError("it does again what was not undone last")
            *skipped, new = self.future.pop()
            self.past += [self.now, *skipped]
        else:
            new = Standing(text, entry.aside)
            self.past.append(self.now)
            self.future.clear()
            self._begun = len(self.past) if entry.what == BEGUN else self._begun
        self.before, self.now = self.text, new
        self.entries.append(entry)

    def lines(self) -> bytes:
        """Return the whole journal as its file holds it."""
        head = _line(format=FORMAT, version=VERSION, at=self.at, text=self.first)
        return b"".join([head, *(entry.line() for entry in self.entries)])


def read(data: bytes) -> tuple[Journal | None, int, str, str]:
    """Return the journal in ``data`` as far as it could be read, the size of that in bytes, where it is damaged, and
    the digest of the text that the record is known to have held; empty texts where there is no damage or no digest.

    A last line without its end was never finished, and is left out of the size; it is no damage. Nor is the note of
    what was kept, to which an editor has added an end.
    """
    *lines, torn = data.split(b"\n")
    if not torn and lines and _kept(lines[-1])[0]:
        torn = lines.pop()
    journal: Journal | None = None
    size = 0
    for number, line in enumerate(lines, 1):
        try:
            if journal is None:
                journal = _begun(json.loads(line))
            else:
                journal.add(_entry(json.loads(line)))
        except _INVALID:
            return journal, size, f"line {number}", ""
        size += len(line) + 1
    # Before the first line has its end nothing is recorded here; but what stands there can be somebody's file.
    kept, clocks = _kept(torn)
    if journal is not None and kept == digest(journal.text):
        journal.clocks = clocks
    return journal, size, "line 1" if torn and journal is None else "", kept


def kept_line(journal: Journal) -> bytes:
    """Return what stands after the last entry once the record holds its text. The next entry takes its place.

    It has no end, as a line that was never finished: it is none of the entries.
    """
    clocks = {"clocks": journal.clocks} if journal.clocks else {}
    return _line(kept=digest(journal.text), **clocks).rstrip(b"\n")


def _kept(torn: bytes) -> tuple[str, str]:
    try:
        note = json.loads(torn)
        return _typed(str, note["kept"]), _typed(str, note.get("clocks", ""))
    except (*_INVALID, AttributeError):
        return "", ""


def digest(text: str) -> str:
    """Return what a text is known again by, 16 hexadecimal digits."""
    return sha256(encoded(text)).hexdigest()[:16]


def _begun(data: dict[str, Any]) -> Journal:
    if (data["format"], data["version"]) != (FORMAT, VERSION):
        raise ValueError("no journal of this version")
    return Journal(_typed(str, data["text"]), _typed(str, data["at"]))


def _entry(data: dict[str, Any]) -> JournalEntry:
    at, what, turn, digested = (_typed(str, data[name]) for name in ("at", "what", "turn", "sum"))
    was, now = (tuple(_typed(str, line) for line in _typed(list, data[name])) for name in ("was", "now"))
    steps = _typed(int, data.get("steps", 1))
    if steps < 1:
        raise ValueError("it undoes nothing")
    aside = _typed(str, data.get("aside", ""))
    return JournalEntry(at, what, turn, Change(_typed(int, data["line"]) - 1, was, now), digested, steps, aside)


def _typed(type_: type[Value], value: object) -> Value:
    if not isinstance(value, type_):
        raise TypeError
    return value


def _line(**data: object) -> bytes:
    # ASCII alone: undecoded bytes are written as escapes, and no program that copies the file can hurt it.
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="milliseconds")


# ----------------------------------------------------------------------------------- texts, and what changes them


def between(old: str, new: str) -> Change | None:
    """Return what makes ``new`` of ``old``: all lines from the first that differs to the last. None where none does."""
    if old == new:
        return None
    was, now = old.split("\n"), new.split("\n")
    shorter = min(len(was), len(now))
    head = next((at for at in range(shorter) if was[at] != now[at]), shorter)
    tail = next((at for at in range(shorter - head) if was[-1 - at] != now[-1 - at]), shorter - head)
    return Change(head, tuple(was[head : len(was) - tail]), tuple(now[head : len(now) - tail]))


def apply(text: str, change: Change) -> str:
    """Return the text with a change made. Raise ValueError where it does not stand there as it was."""
    lines = text.split("\n")
    end = change.at + len(change.was)
    if change.at < 0 or end > len(lines) or tuple(lines[change.at : end]) != change.was:
        raise ValueError(f"line {change.at + 1} is not what was changed")
    lines[change.at : end] = change.now
    return "\n".join(lines)


def encoded(text: str) -> bytes:
    """Return a text as a file holds it: UTF-8, and undecoded bytes as they were."""
    text = _STRAY.sub(lambda stray: stray[0].encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape"), text)
    return text.encode("utf-8", "surrogateescape")


def decoded(data: bytes) -> str:
    """Return a file's text as the notation's reader takes it: no byte order mark, every line ended with LF alone."""
    return data.decode("utf-8", "surrogateescape").lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def settled(text: str) -> str:
    """Return a text as it will be when it has been written to a file and read again."""
    return decoded(encoded(text))
