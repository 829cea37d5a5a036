"""Where texts come from: files, folders, patterns, archives, compressed or not, standard input, and addresses.

:func:`input_files` finds the files that paths name; :func:`texts` opens one of them and yields each text in it.
Neither raises for what can't be read: that comes with its problem, and the rest follows.
"""

from __future__ import annotations

import glob
import itertools
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from . import stores
from .files import links_outside
from .stores import is_address
from .unpacking import ARCHIVE_SUFFIXES, TEXT_SUFFIXES, TextStream, may_hold_games, reason, texts_of

STDIN: Final = "-"
LINK: Final = "this is a link out of the folder, which is not followed; to follow it, name it as a PATH"


class InputFile(NamedTuple):
    """A file that is to be read, or the ``problem`` that keeps it from being read.

    ``size`` is in bytes as stored, 0 where it is unknown; ``stamp`` changes when the file does, and is empty where
    that can't be told.
    """

    path: str
    size: int = 0
    stamp: str = ""
    problem: str = ""


class InputFiles:
    """The files that paths name, found anew in each iteration, as :func:`input_files` does."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = tuple(paths)

    def __iter__(self) -> Iterator[InputFile]:
        return input_files(self._paths)

    def overlaps(self, path: str) -> bool:
        """Return whether a path lies in one of the folders, or one of the files in it, by whatever links."""
        target = os.path.realpath(path)
        above = set(_with_parents(target))
        local = (path for path in _expanded(self._paths) if not _is_elsewhere(path))
        return any(
            place in above if os.path.isdir(place) else target in _with_parents(place)
            for place in map(os.path.realpath, local)
        )

    def paths(self) -> Iterator[str]:
        """Yield the paths of the files."""
        return (file.path for file in self)


def _is_elsewhere(name: str) -> bool:
    return name == STDIN or is_address(name)


def exists(path: str) -> bool:
    """Return whether a path of this machine names something, itself or as a pattern; True for any address."""
    return _is_elsewhere(path) or os.path.lexists(path) or any(True for _ in glob.iglob(path, recursive=True))


def input_files(paths: Iterable[str]) -> Iterator[InputFile]:
    """Yield the files that paths name, each once: of a folder its texts and archives, at any depth, sorted by name.

    ``-`` stays as it is; ``*``, ``?`` and ``**`` mean what they mean in a shell. Only the paths themselves and one
    folder's names are held in memory.
    """
    earlier: set[str] = set()
    for path in _expanded(paths):
        for file in _files_of(path):
            if earlier.isdisjoint(_with_parents(file.path)):
                yield file
        earlier.add(next(_with_parents(path)))


def _files_of(path: str) -> Iterator[InputFile]:
    """Yield the files of one path, which is no pattern."""
    if path == STDIN:
        yield InputFile(STDIN)
    elif not is_address(path):
        yield from files_at(path)
    else:
        try:
            yield from itertools.starmap(InputFile, stores.list_files(path, may_hold_games))
        except stores.StoreError as error:
            yield InputFile(path, problem=reason(error))


def _expanded(paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths, patterns replaced by what they match."""
    for path in paths:
        if is_address(path):
            yield from stores.expand_pattern(path)
        elif path == STDIN or os.path.lexists(path) or not glob.has_magic(path):
            yield path
        else:
            # A file whose name is that of standard input is meant as a file.
            yield from sorted("./-" if name == STDIN else name for name in glob.iglob(path, recursive=True))


def _with_parents(path: str) -> Iterator[str]:
    if path == STDIN:
        yield path
    elif is_address(path):
        path = path.rstrip("/")
        while is_address(path):
            yield path
            path = path.rpartition("/")[0]
    else:
        whole = Path(os.path.abspath(path))
        yield from map(str, (whole, *whole.parents))


def files_at(path: str, suffixes: tuple[str, ...] = TEXT_SUFFIXES + ARCHIVE_SUFFIXES) -> Iterator[InputFile]:
    """Yield a file of this machine, or the files in a folder with these suffixes, at any depth, sorted by name."""
    if not os.path.isdir(path):
        yield _file_at(path)
        return
    errors: list[OSError] = []
    for folder, subfolders, names in os.walk(path, onerror=errors.append):
        yield from _unlistable(errors)
        subfolders.sort()
        for name in sorted(names):
            place = os.path.join(folder, name)
            left = may_hold_games(os.path.relpath(place, path), suffixes)
            if left is not None:
                problem = left or (LINK if links_outside(place, path) else "")
                file = InputFile(place, problem=problem) if problem else _file_at(place)
                if file.problem or file.stamp:  # no pipe or device
                    yield file
    yield from _unlistable(errors)


def _unlistable(errors: list[OSError]) -> Iterator[InputFile]:
    """Take the errors of folders that could not be listed."""
    while errors:
        error = errors.pop()
        yield InputFile(str(error.filename), problem=reason(error))


def _file_at(path: str) -> InputFile:
    """Return a file of this machine with its size and stamp, or what is wrong with it."""
    try:
        info = os.stat(path)
    except OSError as error:
        return InputFile(path, problem=reason(error))
    if not stat.S_ISREG(info.st_mode):
        return InputFile(path)
    return InputFile(path, info.st_size, f"{info.st_size}:{info.st_mtime_ns}:{info.st_ino}")


def texts(file: InputFile) -> Iterator[TextStream]:
    """Yield the texts in a file, in their order; the stream of each is valid until the next one is asked for."""
    if file.problem:
        yield TextStream(file.path, None, file.problem)
    else:
        yield from texts_of(file.path, file.size)
