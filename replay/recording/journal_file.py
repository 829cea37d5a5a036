"""The file of a journal: written before anything else, and held, so that there is one recorder at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from ..storage.files import BINARY, lock, mode_of, save_beside
from .journal import Journal, JournalEntry, digest, kept_line, read

_OPEN: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY


class JournalFile:
    """An open journal. ``messages`` grows by a sentence for whatever the recorder should know."""

    def __init__(self, path: Path, mode: int, messages: list[str]) -> None:
        """Open the file, or create it with the permissions ``mode``, and lock it.

        Raise BlockingIOError where someone else holds it, OSError where it can't be opened.
        """
        self.path = path
        self.mode = mode | 0o600
        self.is_noted = False
        """Whether it stands in the file that the record holds the text of the journal."""
        self.messages = messages
        self._handle = self._take()

    def load(self, record: bytes | None) -> None:
        """Read the ``journal``; where there is none, begin one with the ``record`` as it stands, None for a new one.

        A last line that a crash cut short is dropped, a damaged journal saved under another name. Raise OSError where
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
            self.messages.append(
                f"{self.path.name} was damaged ({fault}) and is now {aside.name}; "
                "a new one begins, so undo reaches back to here"
            )
        rescued = journal.text if journal else ""
        self.journal = Journal(rescued if record is None else record.decode("utf-8", "surrogateescape"))
        self._size = 0  # the file stays, for by that the record is held
        with self.adding(None):
            pass

    def close(self) -> None:
        """Release the file. Nothing can be added then."""
        if self._handle >= 0:
            os.close(self._handle)
        self._handle = -1

    def give_up(self) -> None:
        """Release a file that was just opened; where nothing could be written to a new one, none is left."""
        if not os.fstat(self._handle).st_size:
            self.path.unlink(missing_ok=True)
        self.close()

    @contextmanager
    def adding(self, entry: JournalEntry | None) -> Iterator[None]:
        """Write an entry to disk and do within what it says; whatever exception that raises, the entry is removed."""
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
        """Note that the record holds the text of the journal, and how the clocks stand if they are given.

        That distinguishes an edit from a crash, after which the record lacks the last entry. Where it can't be noted,
        on a full disk, the next entry tries again, or the end.
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

    def stay(self) -> None:
        """See that the file is still where it belongs; where it was taken away, the next entry writes all of it anew.

        Another file in its place is saved. Raise BlockingIOError where someone else has begun a journal there.
        """
        with suppress(FileNotFoundError):
            if os.path.samestat(os.stat(self.path), os.fstat(self._handle)):
                return
        handle = self._take()
        try:
            if os.fstat(handle).st_size:
                saved = self._save(handle)
                self.messages.append(f"{self.path.name} was replaced by another, which is now {saved.name}")
            else:
                self.messages.append(f"{self.path.name} was gone; it is written again")
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
        """Save a file that is not this journal under a free name: renaming it would take the lock along."""
        names = f"{self.path.name}.damaged-"
        return save_beside(lambda number: self.path.with_name(f"{names}{number}"), _all_of(handle), mode_of(self.path))

    def _append(self, line: bytes) -> int:
        """Write at the end, or everything where the file is new or was emptied; return its size in bytes then."""
        self.is_noted = False
        there = os.fstat(self._handle).st_size
        if there < self._size:
            self._size = 0
        if there > self._size:
            os.ftruncate(self._handle, self._size)  # the note, or what could not be cut off when it should have been
        if not self._size:
            line = self.journal.lines() + line
        self._write(line)
        os.fsync(self._handle)
        return self._size + len(line)

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._handle, data) :]

    def _cut(self) -> None:
        """Bring the file back to its size, without a note. Where that fails, the next entry tries again."""
        self.is_noted = False
        with suppress(OSError):
            if os.fstat(self._handle).st_size > self._size:
                os.ftruncate(self._handle, self._size)
                os.fsync(self._handle)


def _all_of(handle: int) -> bytes:
    with open(os.dup(handle), "rb") as stream:
        stream.seek(0)
        return stream.read()
