"""The journal of a record: every change made to it, each a line of JSON; and the file that holds the journal.

The file is written before anything else, and is locked, so there is only one recorder at a time.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from ...notation.language import phrase
from ...schemas import whole_numbers
from ..storage.api import BINARY, lock, mode_of, save_beside
from .menu import sentence

FORMAT: Final = "tironian-trail"
VERSION: Final = 1
BEGUN: Final = "begun"
"""The change that begins a record; no undo goes back beyond it."""
FOUND: Final = "found"
"""The change that somebody else has made to the record."""
UNDO: Final = "undo"
REDO: Final = "redo"
_INVALID: Final = (ValueError, LookupError, TypeError, RecursionError)
"""The exceptions that reading a line can raise if this module did not write it."""
Value = TypeVar("Value")
_STRAY: Final = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that do not stand for an undecoded byte; some terminals send them."""


class Change(NamedTuple):
    """A place where two texts differ: from line ``at`` on (counted from 0), ``was`` became ``now``."""

    at: int
    was: tuple[str, ...]
    now: tuple[str, ...]


class SavedText(NamedTuple):
    """A text, and what a recorder knows besides it, which a journal keeps unchanged."""

    text: str
    aside: str = ""


class JournalEntry(NamedTuple):
    """Something that was done: when, what, at which turn, the change, and the digest of the text afterwards.

    ``steps`` is the number of changes that an undo takes back. ``aside`` is what is known besides the text from then
    on.
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
    """A text from when it was ``first`` seen, through all ``entries``, to its state ``now``.

    ``before`` is the text before the last entry, None if there is no entry. ``past`` has the states to which undo can
    return, the latest last, and ``future`` the undone states: those of each undo, in their old order.
    """

    def __init__(self, first: str, at: str | None = None) -> None:
        self.first = first
        self.at = at or _now()
        self.now = SavedText(normalized(first))
        self.before: str | None = None
        self.entries: list[JournalEntry] = []
        self.past: list[SavedText] = []
        self.future: list[list[SavedText]] = []
        self.clocks = ""
        """The last state of the clocks, in their own form."""
        self._begun = 0
        """The number of past states from before the record was begun."""

    @property
    def text(self) -> str:
        """Return the present text."""
        return self.now.text

    def entry(self, new: SavedText, what: str, turn: str = "", steps: int = 1) -> JournalEntry | None:
        """Return the entry that leads from here to the ``new`` state; None if nothing was done. The entry is not added
        yet.

        The state to which an undo or a redo returns is known, so such an entry has no ``aside``.
        """
        change, is_back = between(self.text, new.text), what in (UNDO, REDO)
        if change is None and (is_back or new != self.now):
            change = Change(0, (), ())  # the changes undone together had no effect, or only ``aside`` is new
        aside = "" if is_back else new.aside
        return change and JournalEntry(_now(), what, turn, change, digest(new.text), steps, aside)

    def back(self, until: Callable[[str], bool]) -> tuple[SavedText, int]:
        """Return the latest earlier state whose text ``until`` accepts, or the first state, and how many steps lead
        there.
        """
        past = self.past[self._begun :]
        steps = next((steps for steps, old in enumerate(reversed(past), 1) if until(old.text)), len(past))
        return (self.past[-steps] if steps else self.now), steps

    def add(self, entry: JournalEntry) -> None:
        """Advance by one entry. Raise ValueError, and change nothing, if it does not follow from the text."""
        text = apply(self.text, entry.change)
        if digest(text) != entry.sum:
            raise ValueError("the text after it does not match")
        if entry.what == UNDO:
            there = len(self.past) - entry.steps
            if there < 0 or self.past[there].text != text:
                raise ValueError("it undoes something that was not done last")
            new = self.past[there]
            self.future.append([*self.past[there + 1 :], self.now])
            del self.past[there:]
        elif entry.what == REDO:
            if not self.future or self.future[-1][-1].text != text:
                raise ValueError("it redoes something that was not undone last")
            *skipped, new = self.future.pop()
            self.past += [self.now, *skipped]
        else:
            new = SavedText(text, entry.aside)
            self.past.append(self.now)
            self.future.clear()
            self._begun = len(self.past) if entry.what == BEGUN else self._begun
        self.before, self.now = self.text, new
        self.entries.append(entry)

    def lines(self) -> bytes:
        """Return the whole journal in the form that its file has."""
        head = _line(format=FORMAT, version=VERSION, at=self.at, text=self.first)
        return b"".join([head, *(entry.line() for entry in self.entries)])


def read(data: bytes) -> tuple[Journal | None, int, str, str]:
    """Return the journal in ``data`` as far as it could be read, the size of that part in bytes, the damage, and the
    digest of the text that the record is known to have held; the last two are empty if there is no damage or no digest.

    A last line without a line end was never finished and does not count in the size; that is not damage. Nor is it
    damage if an editor has added a line end to the note of what was kept.
    """
    *lines, truncated = data.split(b"\n")
    if not truncated and lines and _kept(lines[-1])[0]:
        truncated = lines.pop()
    journal: Journal | None = None
    size = 0
    for number, line in enumerate(lines, 1):
        try:
            if journal is None:
                journal = _begun(whole_numbers(json.loads(line)))
            else:
                journal.add(_entry(whole_numbers(json.loads(line))))
        except _INVALID:
            return journal, size, phrase("line {number}", number=number), ""
        size += len(line) + 1
    # Before the first line is complete, nothing is recorded here; but the text may be somebody's file.
    kept, clocks = _kept(truncated)
    if journal is not None and kept == digest(journal.text):
        journal.clocks = clocks
    return journal, size, phrase("line {number}", number=1) if truncated and journal is None else "", kept


def kept_line(journal: Journal) -> bytes:
    """Return the note after the last entry that the record holds its text. The next entry replaces the note.

    It has no line end, like an unfinished line, since it is not an entry.
    """
    clocks = {"clocks": journal.clocks} if journal.clocks else {}
    return _line(kept=digest(journal.text), **clocks).rstrip(b"\n")


def _kept(truncated: bytes) -> tuple[str, str]:
    try:
        note = json.loads(truncated)
        return _typed(str, note["kept"]), _typed(str, note.get("clocks", ""))
    except (*_INVALID, AttributeError):
        return "", ""


def digest(text: str) -> str:
    """Return 16 hexadecimal digits that identify a text."""
    return sha256(encoded(text)).hexdigest()[:16]


def _begun(data: dict[str, Any]) -> Journal:
    if (data["format"], data["version"]) != (FORMAT, VERSION):
        raise ValueError("not a journal of this version")
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
    # Only ASCII: undecoded bytes are written as escapes, so no program that copies the file can damage it.
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="milliseconds")


# ----------------------------------------------------------------------------------- texts, and what changes them


def between(old: str, new: str) -> Change | None:
    """Return the change from ``old`` to ``new``: all lines from the first to the last that differ; None if no line
    differs.
    """
    if old == new:
        return None
    was, now = old.split("\n"), new.split("\n")
    shorter = min(len(was), len(now))
    head = next((at for at in range(shorter) if was[at] != now[at]), shorter)
    tail = next((at for at in range(shorter - head) if was[-1 - at] != now[-1 - at]), shorter - head)
    return Change(head, tuple(was[head : len(was) - tail]), tuple(now[head : len(now) - tail]))


def apply(text: str, change: Change) -> str:
    """Return the text with a change made. Raise ValueError if the old text does not match."""
    lines = text.split("\n")
    end = change.at + len(change.was)
    if change.at < 0 or end > len(lines) or tuple(lines[change.at : end]) != change.was:
        raise ValueError(f"line {change.at + 1} is not the text that was changed")
    lines[change.at : end] = change.now
    return "\n".join(lines)


def encoded(text: str) -> bytes:
    """Return a text as the bytes of a file: UTF-8, with undecoded bytes unchanged."""
    text = _STRAY.sub(lambda stray: stray[0].encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape"), text)
    return text.encode("utf-8", "surrogateescape")


def decoded(data: bytes) -> str:
    """Return a file's text in the form that the notation's reader takes: no byte order mark, every line ended with LF
    alone.
    """
    return data.decode("utf-8", "surrogateescape").lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def normalized(text: str) -> str:
    """Return a text as it will be after being written to a file and read again."""
    return decoded(encoded(text))


_OPEN: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY


class JournalFile:
    """An open journal. ``messages`` receives a sentence for anything that the recorder should know."""

    def __init__(self, path: Path, mode: int, messages: list[str]) -> None:
        """Open the file, or create it with the permissions ``mode``, and lock it.

        Raise BlockingIOError if another program has locked it, OSError if it can't be opened.
        """
        self.path = path
        self.mode = mode | 0o600
        self.is_noted = False
        """Whether the file notes that the record holds the text of the journal."""
        self.messages = messages
        self._handle = self._take()

    def load(self, record: bytes | None) -> None:
        """Read the ``journal``; if there is none, begin one with the present ``record`` (None for a new record).

        A last line that a crash cut short is dropped; a damaged journal is saved under another name. Raise OSError if
        the file can't be read or written.
        """
        journal, self._size, fault, kept = read(_all_of(self._handle))
        if journal and not fault:
            self.journal = journal
            self.is_noted = kept == digest(journal.text)
            if not self.is_noted:
                self._cut()
            return
        if fault:
            aside = self._save(self._handle)
            self.messages.append(sentence("damaged", file=self.path.name, place=fault, other=aside.name))
        rescued = journal.text if journal else ""
        self.journal = Journal(rescued if record is None else record.decode("utf-8", "surrogateescape"))
        self._size = 0  # the file stays, since it locks the record
        with self.adding(None):
            pass

    def close(self) -> None:
        """Release the file. Nothing more can be added."""
        if self._handle >= 0:
            os.close(self._handle)
        self._handle = -1

    def give_up(self) -> None:
        """Release a file that was just opened; remove a new file to which nothing could be written."""
        if not os.fstat(self._handle).st_size:
            self.path.unlink(missing_ok=True)
        self.close()

    @contextmanager
    def adding(self, entry: JournalEntry | None) -> Iterator[None]:
        """Write an entry to disk, and run the block that carries it out; if the block raises an exception, remove the
        entry.
        """
        try:
            size = self._append(entry.line() if entry else b"")
            yield
        except BaseException:
            self._cut()
            self.note()
            raise
        self._size = size
        if entry:
            self.journal.add(entry)
        self.note()

    def note(self, clocks: str = "") -> None:
        """Note that the record holds the text of the journal, and note the state of the clocks if given.

        This distinguishes an edit from a crash, after which the record lacks the last entry. If the note can't be
        written, as on a full disk, the next entry or the end tries again.
        """
        if not self._size or (self.is_noted and clocks in ("", self.journal.clocks)):
            return
        self.journal.clocks = clocks or self.journal.clocks
        self.is_noted = False
        with suppress(OSError):
            if os.fstat(self._handle).st_size > self._size:
                os.ftruncate(self._handle, self._size)
            self._write(kept_line(self.journal))
            self.is_noted = True

    def check_in_place(self) -> None:
        """Check that the file is still in its place; if it was removed, the next entry writes the whole journal again.

        A different file in its place is saved. Raise BlockingIOError if another program has begun a journal there.
        """
        with suppress(FileNotFoundError):
            if os.path.samestat(os.stat(self.path), os.fstat(self._handle)):
                return
        handle = self._take()
        try:
            if os.fstat(handle).st_size:
                said = sentence("replaced", file=self.path.name, other=self._save(handle).name)
            else:
                said = phrase("{file} was gone; it has been written again", file=self.path.name)
            self.messages.append(said)
        except BaseException:
            os.close(handle)
            raise
        os.close(self._handle)
        self._handle, self._size = handle, 0

    def _take(self) -> int:
        handle = os.open(self.path, _OPEN, self.mode)
        try:
            lock(handle)
        except BaseException:
            os.close(handle)
            raise
        return handle

    def _save(self, handle: int) -> Path:
        """Save a file that is not this journal under a free name: renaming it would move the lock with it."""
        names = f"{self.path.name}.damaged-"
        return save_beside(lambda number: self.path.with_name(f"{names}{number}"), _all_of(handle), mode_of(self.path))

    def _append(self, line: bytes) -> int:
        """Write at the end, or everything if the file is new or was emptied; return its new size in bytes."""
        self.is_noted = False
        there = os.fstat(self._handle).st_size
        if there < self._size:
            self._size = 0
        if there > self._size:  # the note, or something that should have been cut off but could not be
            os.ftruncate(self._handle, self._size)
        if not self._size:
            line = self.journal.lines() + line
        self._write(line)
        os.fsync(self._handle)
        return self._size + len(line)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._handle, data) :]

    def _cut(self) -> None:
        """Restore the file's size, without a note. If that fails, the next entry tries again."""
        self.is_noted = False
        with suppress(OSError):
            if os.fstat(self._handle).st_size > self._size:
                os.ftruncate(self._handle, self._size)
                os.fsync(self._handle)


def _all_of(handle: int) -> bytes:
    with open(os.dup(handle), "rb") as stream:
        stream.seek(0)
        return stream.read()
