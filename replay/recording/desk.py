"""The desk: the file of a record that is being written, with its trail beside it. What was kept is on disk, always.

The trail is written first and the record after it, so that wherever a program dies, the trail knows what the record is
to be. ``game.tiro`` has its trail in ``game.tiro.trail``.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..files import hold, mode_of, replacing, save_beside, sync_folder
from .paper import apply, decoded, encoded, inverse, settled
from .trail import REDO, UNDO, Trail, read

SUFFIX: Final = ".trail"
_OPEN: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
_REASONS: Final = {
    errno.ENOSPC: ("the disk is full", "make room"),
    errno.EDQUOT: ("there is no more room for you on this disk", "make room"),
    errno.EFBIG: ("no file may grow so large here", "raise the limit"),
    errno.EROFS: ("the disk can only be read", "make it writable"),
    errno.EACCES: ("you may not write here", "have yourself permitted to"),
    errno.EPERM: ("you may not write here", "have yourself permitted to"),
    errno.ENOENT: ("its folder is not there", "bring it back"),
    errno.EIO: ("the disk has failed", "look after it"),
}
"""What went wrong, and what to do about it."""


class NotKept(Exception):
    """Something could not be brought to disk, or be read from there. The text is a sentence for the recorder."""


class Occupied(NotKept):
    """Somebody else is recording in the same file."""


class Desk:
    """A record that is being written, and everything that was done to it.

    ``told`` grows by a sentence whenever the recorder should know what was found; who shows them empties it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """As :meth:`open`."""
        self.name = os.fspath(path)
        # Whoever comes by another link is to meet the same trail.
        self.path = Path(os.path.realpath(path))
        self.trail_path = self.path.with_name(self.path.name + SUFFIX)
        self.told: list[str] = []
        self._handle = -1
        try:
            self._there()  # before the trail is made: a folder or a pipe is to get none
            self._handle = self._take()
            self._begin()
        except OSError as error:
            self.close()
            reason, remedy = _reason(error)
            raise NotKept(f"{self.name}: {reason}, so nothing can be recorded; {remedy} and begin again") from error
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Desk:
        """Sit down at a record, which need not exist yet, and bring it and its trail together.

        Raises Occupied where another recorder sits at it, NotKept where the files can't be read or written.
        """
        return cls(path)

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the desk to others. Nothing more can be kept then."""
        if self._handle >= 0:
            os.close(self._handle)
        self._handle = -1

    @property
    def text(self) -> str:
        """The text of the record; empty for a new one."""
        return self.trail.text

    def keep(self, text: str, what: str, turn: str = "") -> None:
        """Make this the text of the record. ``what`` was done, in a word, and at which ``turn``, go into the trail.

        When it returns, all is on disk. NotKept where that fails; text, record and trail are then as they were.
        ValueError for the words that :meth:`undo` and :meth:`redo` have for themselves.
        """
        if what in (UNDO, REDO):
            raise ValueError(f"{what!r} is what {what}() writes")
        self._keep(text, what, turn)

    def undo(self) -> bool:
        """Take back what was done last, as far as the trail goes. False where there is nothing. NotKept as for keep."""
        if not self.trail.done:
            return False
        self._keep(apply(self.text, inverse(self.trail.done[-1])), UNDO)
        return True

    def redo(self) -> bool:
        """Do again what was undone last. False where there is nothing. NotKept as for keep."""
        if not self.trail.undone:
            return False
        self._keep(apply(self.text, self.trail.undone[-1]), REDO)
        return True

    def _keep(self, text: str, what: str, turn: str = "") -> None:
        try:
            self._enter(text, what, turn)
        except OSError as error:
            reason, remedy = _reason(error)
            raise NotKept(
                f"{self.name}: {reason}; nothing was changed, the last entry is not kept: {remedy} and enter it again"
            ) from error

    def _enter(self, text: str, what: str, turn: str = "") -> None:
        text = settled(text)
        entry = self.trail.entry(text, what, turn)
        try:
            self._look_around()
            size = self._append(entry.line() if entry else b"")
            if entry or encoded(text) != self._seen:
                self._put(text)
        except BaseException:
            self._cut()
            raise
        self._size = size
        if entry:
            self.trail.add(entry)

    # ------------------------------------------------------------------------------------------- sitting down

    def _begin(self) -> None:
        self._seen = self._there()
        found = read(_all_of(self._handle))
        self._size = found.size
        if found.trail and not found.fault:
            self.trail = found.trail
            self._cut()  # what a crash left of a last line
        else:
            if found.fault:
                aside = self._save_trail(self._handle)
                self.told.append(
                    f"{self.trail_path.name} was damaged ({found.fault}) and is now {aside.name}; "
                    "a new one begins, so undo reaches back to here"
                )
            # The file stays, for by that the record is held.
            rescued = found.trail.text if found.trail else ""
            self.trail = Trail(rescued if self._seen is None else self._seen.decode("utf-8", "surrogateescape"))
            self._size = 0
            try:
                self._size = self._append(b"")
            except BaseException:
                self._cut()
                raise
            sync_folder(self.path.parent)
        self._reconcile()

    def _reconcile(self) -> None:
        """Make one of what the record says and what the trail says."""
        text = "" if self._seen is None else decoded(self._seen)
        if text == self.text:
            return
        if text == self.trail.before:
            self._put(self.text)  # a program died after it had written the trail
        elif self._seen is None:
            self._put(self.text)
            self.told.append(f"{self.name} was gone; it has been written anew, with all that was recorded")
        else:
            self._enter(text, "found")
            self.told.append(
                f"{self.name} was changed since the last recording, and the recording goes on from there; "
                "undo brings back what had been recorded"
            )

    # ---------------------------------------------------------------------------------------------- the record

    def _there(self) -> bytes | None:
        """What the record's file holds; None where there is none. OSError where it can't be read."""
        if self.path.exists() and not self.path.is_file():
            raise OSError(errno.EINVAL, "this is no file")
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
        self._seen = data
        # Where the system can't do that, the trail still knows what the record is to be.
        sync_folder(self.path.parent)

    def _look_around(self) -> None:
        """See that record and trail are as they were left; save what somebody else wrote, and tell it.

        The record is read anew each time: it is small, and dates of files are too coarse to be trusted.
        """
        there = self._there()
        if there is None and self._seen is not None:
            self.told.append(f"{self.name} was gone; it is written anew, with all that was recorded")
        elif there is not None and there != self._seen and decoded(there) != self.text:
            theirs = save_beside(self._theirs, there, mode_of(self.path))
            sync_folder(self.path.parent)
            self.told.append(
                f"{self.name} was changed by somebody else: that version is now {theirs.name}, "
                "and the recording goes on with what was recorded"
            )
        self._seen = there
        if not _is_open(self.trail_path, self._handle):
            self._follow_trail()

    def _theirs(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.stem}.theirs-{number}{self.path.suffix}")

    # ----------------------------------------------------------------------------------------------- the trail

    def _take(self) -> int:
        """Open the trail's file and hold it: nobody else is to record here."""
        handle = os.open(self.trail_path, _OPEN, mode_of(self.path) | 0o600)
        if not hold(handle):
            os.close(handle)
            raise Occupied(
                f"{self.name}: somebody else is recording in this file, so nothing is kept; end that, or name another"
            )
        return handle

    def _append(self, line: bytes) -> int:
        """Write to the trail, all of it where its file is new or was emptied; gives its size then."""
        there = os.fstat(self._handle).st_size
        if there < self._size:
            self._size = 0
        if there > self._size:
            os.ftruncate(self._handle, self._size)  # what could not be cut off when it should have been
        if not self._size:
            line = self.trail.lines() + line
        size = self._size + len(line)
        while line:
            line = line[os.write(self._handle, line) :]
        os.fsync(self._handle)
        return size

    def _cut(self) -> None:
        """Bring the trail back to its size. Where that fails, the next entry tries again."""
        with suppress(OSError):
            if os.fstat(self._handle).st_size > self._size:
                os.ftruncate(self._handle, self._size)
                os.fsync(self._handle)

    def _save_trail(self, handle: int) -> Path:
        """Save what an open trail holds under another name."""
        return save_beside(
            lambda number: self.trail_path.with_name(f"{self.trail_path.name}.damaged-{number}"),
            _all_of(handle),
            mode_of(self.trail_path),
        )

    def _follow_trail(self) -> None:
        """Have the trail where it belongs, though its file was taken away: the next entry writes it anew."""
        handle = self._take()
        try:
            if os.fstat(handle).st_size:
                aside = self._save_trail(handle)
                self.told.append(f"{self.trail_path.name} was replaced by another, which is now {aside.name}")
            else:
                self.told.append(f"{self.trail_path.name} was gone; it is written anew")
        except BaseException:
            os.close(handle)
            raise
        os.close(self._handle)
        self._handle, self._size = handle, 0


def _all_of(handle: int) -> bytes:
    with open(os.dup(handle), "rb") as stream:
        stream.seek(0)
        return stream.read()


def _is_open(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _reason(error: OSError) -> tuple[str, str]:
    """What went wrong, and what to do about it."""
    return _REASONS.get(error.errno or 0, ((error.strerror or str(error)).lower(), "put that right"))
