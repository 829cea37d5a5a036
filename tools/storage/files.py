"""Safe handling of files: replaced in one step, saved under unused names, locked against other programs."""

from __future__ import annotations

import errno
import itertools
import os
import re
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, Final

from ...notation.language import phrase

if TYPE_CHECKING:
    from pathlib import Path

BINARY: Final = getattr(os, "O_BINARY", 0)
"""Windows would write other line ends."""
_LOCK_OFFSET: Final = 0x7FFFFFFE
"""Windows locks bytes, which nobody else can then read, so the locked byte lies beyond the end of any file."""
UNFINISHED: Final = ".tironian"
"""The suffix of a file that is being written and will replace another."""
_LEFTOVER: Final = re.compile(rf"\..+\.[a-z0-9_]{{8}}{re.escape(UNFINISHED)}", re.DOTALL)
_CLEANED: Final[set[str]] = set()
"""Folders from which leftovers were deleted in this run."""
_WINDOWS: Final = sys.platform == "win32"
END_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask the program to end; it tidies up first."""
_LOCKED: Final = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK}


def dangling_link() -> str:
    """Return what to say of a link to nothing."""
    return phrase("this is a dangling link, and no file is created through it")


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Yield a binary stream; its content replaces the file's in one step at the end of the ``with``.

    The file keeps its permissions, and a link stays a link. A device or pipe is written to directly. If anything is
    raised, the file stays as it was; OSError if writing fails.
    """
    target = os.path.realpath(path)
    if os.path.islink(path) and not os.path.exists(path):
        raise OSError(errno.ELOOP, dangling_link(), os.fspath(path))
    if os.path.exists(path) and not os.path.isfile(path):  # the target of a link such as /dev/stdout has no name
        with open(path, "wb") as stream:
            yield stream
        return
    folder, name = os.path.split(target)
    _delete_leftovers(folder)
    with ExitStack() as failed:
        with uninterrupted():
            handle, temporary = _locked_file(folder, f".{name[:100]}.")
            failed.callback(_delete, temporary)
        with open(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(handle)
            if not _WINDOWS:  # Windows can't replace an open file; elsewhere the lock is kept until then
                _move(temporary, target)
        if _WINDOWS:
            _move(temporary, target)
        failed.pop_all()


def _delete(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _move(temporary: str, target: str) -> None:
    os.chmod(temporary, mode_of(target))
    os.replace(temporary, target)


def _locked_file(folder: str, prefix: str) -> tuple[int, str]:
    """Return a new file, locked while open, so that :func:`_delete_leftovers` knows that it is in use."""
    from tempfile import mkstemp  # loading it takes longer than writing most files

    while True:
        handle, path = mkstemp(UNFINISHED, prefix, folder)
        lock(handle)
        # Another program may have taken it for a leftover before it was locked.
        if _WINDOWS or os.path.exists(path):
            return handle, path
        os.close(handle)


def _delete_leftovers(folder: str) -> None:
    """Delete what :func:`replacing` left in a folder when a program was killed; once per run."""
    if folder in _CLEANED or not _HAS_LOCKS:
        return
    _CLEANED.add(folder)
    with suppress(OSError), os.scandir(folder or os.curdir) as entries:
        for entry in entries:
            if _LEFTOVER.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _delete_unlocked(entry.path)


def _delete_unlocked(path: str) -> None:
    """Delete a file; raise OSError if another program has locked it."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        _lock(handle)
        os.unlink(path)
    finally:
        os.close(handle)


def links_outside(path: str, folder: str) -> bool:
    """Return whether a path in a folder is a link to something outside it."""
    if not os.path.islink(path):
        return False
    home = os.path.realpath(folder)
    return os.path.commonpath((home, os.path.realpath(path))) != home


def mode_of(path: str | Path) -> int:
    """Return the permissions of a file, or those that a new one would get."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def save_beside(name: Callable[[int], Path], data: bytes, mode: int) -> Path:
    """Save bytes in a new file, under the first unused name of ``name(1)``, ``name(2)``, …, and return that name.

    When it returns, the bytes are on disk. Raise OSError if that fails, and leave nothing behind.
    """
    path = next(path for path in map(name, itertools.count(1)) if not os.path.lexists(path))
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)
    try:
        with open(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(handle)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
    return path


def sync_folder(folder: Path) -> None:
    """Write a folder's list of names to disk, if the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def lock(handle: int) -> None:
    """Lock an open file against other programs that use locks, until it is closed or the program ends in any way.

    Raise BlockingIOError if another program has locked it. On a system without locks this does nothing.
    """
    try:
        _lock(handle)
    except OSError as error:
        if error.errno in _LOCKED:
            raise BlockingIOError(errno.EAGAIN, phrase("someone else is using this file")) from None


if sys.platform == "win32":
    import msvcrt

    _HAS_LOCKS: Final = True

    def _lock(handle: int) -> None:
        os.lseek(handle, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    try:
        import fcntl
    except ImportError:
        fcntl = None
    _HAS_LOCKS: Final = fcntl is not None

    def _lock(handle: int) -> None:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C, and what else asks to end, until the end of the ``with``, if the system can do that."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)
