"""The file of a record that is being written, and its journal beside it. Whatever was saved is always on disk.

The journal is written first and then the record, so wherever a program dies, the journal knows what the record should
be. ``game.tiro`` has its journal in ``game.tiro.trail``.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from ...notation.language import Messages, phrase
from ..storage.api import BINARY, CannotRun, lock, mode_of, replacing, save_beside, sync_folder, uninterrupted
from .journal import FOUND, REDO, UNDO, JournalFile, SavedText, decoded, encoded, normalized
from .menu import sentence

SUFFIX: Final = ".trail"
_REASONS: Final[Messages] = {
    errno.ENOSPC: ("the disk is full", "make room"),
    errno.EDQUOT: ("your disk quota is used up", "make room"),
    errno.EFBIG: ("the file size limit is reached", "raise the limit"),
    errno.EROFS: ("the disk is read-only", "make it writable"),
    errno.EACCES: ("permission to write here is denied", "get permission to"),
    errno.EPERM: ("permission to write here is denied", "get permission to"),
    errno.ENOENT: ("its folder does not exist", "create it"),
    errno.EIO: ("the disk has failed", "check it"),
    errno.EAGAIN: ("someone else is recording in this file", "wait until that ends"),
    errno.EBADF: ("the recording was closed", "open it again"),
}
"""What went wrong, and what to do about it."""


def reason_of(error: OSError) -> tuple[str, str]:
    """Return why something could not be written or read, and what to do about it, in words."""
    if reason := _REASONS.get(error.errno or 0):
        return phrase(reason[0]), phrase(reason[1])
    return (error.strerror or str(error)).lower(), phrase("correct that")


class NotKept(CannotRun):
    """Raised if something could not be written to disk, or read from it. The text is a sentence for the recorder."""


class RecordStorage:
    """A record being written, and everything that was done to it.

    ``messages`` receives a sentence whenever the recorder should know something; the code that shows the messages
    empties it.
    """

    def __init__(self, path: str | os.PathLike[str], first: str = "") -> None:
        """Open a record, which need not exist yet, and reconcile it with its journal.

        The journal of a new record begins with the text ``first``, which the record itself never holds. Raise NotKept
        if another recorder has it open, or the files can't be read or written.
        """
        self.name = os.fspath(path)
        # Another link to the file must lead to the same journal.
        self.path = Path(os.path.realpath(path))
        self.messages: list[str] = []
        self._held: int | None = None
        self._first = normalized(first)
        try:
            self._seen = self._there()  # before the journal is made, since a folder or a pipe must not get one
            if self._seen is not None:
                self._hold(os.open(self.path, os.O_RDONLY | BINARY))
            self._file = JournalFile(self.path.with_name(self.path.name + SUFFIX), mode_of(self.path), self.messages)
            try:
                self._begin()
            except BaseException:
                self._file.give_up()
                raise
        except OSError as error:
            self._hold(None)
            what, remedy = reason_of(error)
            raise NotKept(f"{self.name}: {sentence('no_recording', reason=what, remedy=remedy)}") from error

    def __enter__(self) -> RecordStorage:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the record. Nothing more can be saved. If nothing was ever saved, no file is left."""
        if self.journal.past or self.journal.future or self.text != self._first or self.path.exists():
            self._file.note()
        else:
            self._file.path.unlink(missing_ok=True)
        self._hold(None)
        self._file.close()

    @property
    def text(self) -> str:
        """Return the text of the record; empty for a new one."""
        return self.journal.text

    @property
    def aside(self) -> str:
        """Return what was saved besides the text."""
        return self.journal.now.aside

    @property
    def clocks(self) -> str:
        """Return the last noted state of the clocks."""
        return self.journal.clocks

    @clocks.setter
    def clocks(self, clocks: str) -> None:
        """Note the state of the clocks; this is not an entry, and no undo changes it."""
        self._file.note(clocks)

    def keep(self, text: str, what: str, turn: str = "", aside: str = "") -> None:
        """Make this the text of the record. The journal gets one word for ``what`` was done, the ``turn``, and
        ``aside``: anything else that must be known when the record continues from here.

        When it returns, everything is on disk. Raise NotKept if that fails; text, record and journal are then
        unchanged. Raise ValueError for words reserved for :meth:`undo` and :meth:`redo`.
        """
        if what in (UNDO, REDO):
            raise ValueError(f"{what!r} is what {what}() writes")
        self._keep(SavedText(text, aside), what, turn)

    def undo(self, until: Callable[[str], bool] = lambda _: True) -> bool:
        """Undo, in one step, back to a text for which ``until`` is true, or to the first text.

        Return False if there is nothing. Raise NotKept like ``keep``.
        """
        standing, steps = self.journal.back(until)
        if steps:
            self._keep(standing, UNDO, steps=steps)
        return bool(steps)

    def redo(self) -> bool:
        """Redo what was undone last. Return False if there is nothing to redo. Raise NotKept like ``keep``."""
        if not self.journal.future:
            return False
        self._keep(self.journal.future[-1][-1], REDO)
        return True

    def _keep(self, new: SavedText, what: str, turn: str = "", steps: int = 1) -> None:
        try:
            self._check_files()
            self._enter(new, what, turn, steps)
        except OSError as error:
            why, remedy = reason_of(error)
            raise NotKept(f"{self.name}: {sentence('not_kept', reason=why, remedy=remedy)}") from error

    def _enter(self, new: SavedText, what: str, turn: str = "", steps: int = 1) -> None:
        new = new._replace(text=normalized(new.text))
        entry = self.journal.entry(new, what, turn, steps)
        with uninterrupted(), self._file.adding(entry):
            if entry or encoded(new.text) != self._seen:
                self._put(new.text)

    def _begin(self) -> None:
        """Reconcile what the record says with what the journal says."""
        self._seen = self._there()  # read again: until it was locked, another program could record in it
        self._file.load(encoded(self._first) if self._first and self._seen is None else self._seen)
        self.journal = self._file.journal
        """Everything that was done to the record."""
        sync_folder(self.path.parent)
        text = self._first if self._seen is None else decoded(self._seen)
        if text != self.text:
            if text == self.journal.before and not self._file.is_noted:
                self._put(self.text)  # a program died after writing the journal
            elif self._seen is None:
                self._put(self.text)
                self.messages.append(sentence("gone", file=self.name))
            else:
                entries = self.journal.entries
                said = {"file": self.name, "time": entries[-1].at[:16].replace("T", " ") if entries else ""}
                self.journal.clocks = ""  # the times written into the record may differ
                self._enter(SavedText(text), FOUND)
                self.messages.append(sentence("changed_since", **said) if entries else sentence("changed", **said))
        self._file.note()

    def _check_files(self) -> None:
        """Check that record and journal are unchanged since the last time; save anything that somebody else wrote, and
        say so.

        The record is read again each time: it is small, and file dates are too coarse to be trusted.
        """
        there = self._there()
        if there is None and self._seen is not None:
            self.messages.append(sentence("gone", file=self.name))
        elif there is not None and there != self._seen and decoded(there) != self.text:
            theirs = save_beside(self.theirs, there, mode_of(self.path))
            self.messages.append(sentence("theirs", file=self.name, other=theirs.name))
        self._seen = there
        self._file.check_in_place()

    def theirs(self, number: int) -> Path:
        """Return a name for the version of somebody else."""
        return self.path.with_name(f"{self.path.stem}.theirs-{number}{self.path.suffix}")

    def _there(self) -> bytes | None:
        """Return the contents of the record's file; None if there is no file. Raise OSError if it can't be read."""
        if self.path.exists() and not self.path.is_file():
            raise OSError(errno.EINVAL, phrase("this is not a file"))
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            if not self.path.parent.is_dir():
                raise
            return None

    def _put(self, text: str) -> None:
        data = encoded(text)
        with replacing(self.path) as stream:
            stream.write(data)
            held = os.dup(stream.fileno())
        self._hold(held)
        self._seen = data
        # If the system can't do that, the journal still knows what the record should be.
        sync_folder(self.path.parent)

    def _hold(self, handle: int | None) -> None:
        """Lock the record's file too, replacing the previous lock: through a hard link it would have another journal.

        Raise BlockingIOError if another program has locked it. Windows can't replace an open file, so no file is locked
        there.
        """
        if self._held is not None:
            os.close(self._held)
        self._held = handle
        if handle is not None and os.name == "nt":
            self._hold(None)
        elif handle is not None:
            lock(handle)


class InMemoryStore:
    """Holds a text while something is tried out, with nothing to undo and no clocks."""

    def __init__(self, text: str, aside: str = "") -> None:
        self.text, self.aside = text, aside
        self.clocks = ""
        self.messages: list[str] = []

    def keep(self, text: str, what: str, turn: str = "", aside: str = "") -> None:
        """Take over the text."""
        self.text, self.aside = text, aside

    def undo(self, until: Callable[[str], bool] = lambda _: True) -> bool:
        """Undo nothing."""
        return False

    def redo(self) -> bool:
        """Redo nothing."""
        return False


TextStore: TypeAlias = RecordStorage | InMemoryStore
