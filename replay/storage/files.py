"""Files on disk without harm: replaced in one step, saved under a name that is free, held by one program at a time."""

from __future__ import annotations

import errno
import itertools
import os
import re
import signal
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

BINARY: Final = getattr(os, "O_BINARY", 0)
"""Windows would write other ends of lines."""
_FAR: Final = 0x7FFFFFFE
"""Windows locks bytes, and nobody else can read those: the one that is locked lies behind the end of any file."""
NOWHERE: Final = "this link leads nowhere, and nothing is made where it points"
UNFINISHED: Final = ".tironian"
"""The end of the name of a file that is being written, and takes the place of another one."""
_LEFT: Final = re.compile(rf"\..+\.[a-z0-9_]{{8}}{re.escape(UNFINISHED)}", re.DOTALL)
_TIDIED: Final[set[str]] = set()
"""Folders that were looked through in this run."""
_WINDOWS: Final = sys.platform == "win32"
_TAKEN: Final = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK}


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A stream whose bytes take the place of the file's, in one step, when everything went well.

    The file keeps its permissions, and a link stays a link. A device or pipe is written to as it is. OSError where
    that fails; the file is then as it was.
    """
    target = os.path.realpath(path)
    if os.path.islink(path) and not os.path.exists(target):
        raise OSError(errno.ELOOP, NOWHERE, os.fspath(path))
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as stream:
            yield stream
        return
    folder, name = os.path.split(target)
    _tidy(folder)
    handle, temporary = _begun(folder, f".{name[:100]}.")
    try:
        with open(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(handle)
            if not _WINDOWS:  # which replaces no open file; elsewhere nobody else may take it away before
                _put(temporary, target)
        if _WINDOWS:
            _put(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _put(temporary: str, target: str) -> None:
    os.chmod(temporary, mode_of(target))
    os.replace(temporary, target)


def _begun(folder: str, prefix: str) -> tuple[int, str]:
    """A new file with a name of its own, held while it is open, so that :func:`_tidy` knows that it is in use."""
    while True:
        handle, path = tempfile.mkstemp(UNFINISHED, prefix, folder)
        hold(handle)
        # Between the two lines somebody may have taken it for one that was left behind.
        if _WINDOWS or os.path.exists(path):
            return handle, path
        os.close(handle)


def _tidy(folder: str) -> None:
    """Take away what programs that were killed left of :func:`replacing` in a folder; once in a run."""
    if folder in _TIDIED or not _LOCKS:
        return
    _TIDIED.add(folder)
    with suppress(OSError), os.scandir(folder or os.curdir) as inside:
        for each in inside:
            if _LEFT.fullmatch(each.name) and each.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _take_away(each.path)


def _take_away(path: str) -> None:
    """Remove a file that nobody holds; OSError where somebody does."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        _lock(handle)
        os.unlink(path)
    finally:
        os.close(handle)


def leads_out(path: str, folder: str) -> bool:
    """Whether a path in a folder is a link to somewhere else."""
    if not os.path.islink(path):
        return False
    home = os.path.realpath(folder)
    return os.path.commonpath((home, os.path.realpath(path))) != home


def mode_of(path: str | Path) -> int:
    """The permissions of a file, or those that a new one gets."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def save_beside(name: Callable[[int], Path], data: bytes, mode: int) -> Path:
    """Save bytes in a new file, under the first name of ``name(1)``, ``name(2)``, … that is free; gives that name.

    When it returns, the bytes are on disk. OSError where that fails; nothing is left behind then.
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
    """Bring to disk which names a folder holds, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def hold(handle: int) -> None:
    """Hold an open file against other programs that ask likewise, until it is closed or the program ends, however.

    BlockingIOError where another one holds it. Where the system knows no such locks, everybody gets it.
    """
    try:
        _lock(handle)
    except OSError as error:
        if error.errno in _TAKEN:
            raise BlockingIOError(errno.EAGAIN, "somebody else holds this file") from None


if sys.platform == "win32":
    import msvcrt

    _LOCKS: Final = True

    def _lock(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    try:
        import fcntl
    except ImportError:
        fcntl = None
    _LOCKS: Final = fcntl is not None

    def _lock(handle: int) -> None:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until what belongs together has been done, where the system can do that."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)
