"""Where texts come from: files, folders, patterns, archives, compressed or not, standard input, and addresses.

Two steps. :func:`walk` finds the files that paths name; :func:`texts` opens one of them, and gives each text in it.
Neither raises for what it finds: what cannot be read comes with its problem, and the rest follows.
"""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from . import stores
from .files import leads_out
from .stores import is_address
from .unpacking import ARCHIVE_SUFFIXES, TEXT_SUFFIXES, Text, reason, texts_of

STDIN: Final = "-"


LINK: Final = "this is a link out of the folder, which is not followed; name it, and it is"


class Found(NamedTuple):
    """A file that is to be read, or the ``problem`` that keeps it from being read.

    ``size`` is in bytes as it lies there, 0 where nobody knows; ``stamp`` changes when the file does, and is empty
    where nobody can tell.
    """

    path: str
    size: int = 0
    stamp: str = ""
    problem: str = ""


class Sources:
    """The files that paths name, found anew whenever somebody goes through them: see :func:`walk`."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = tuple(paths)

    def __iter__(self) -> Iterator[Found]:
        return walk(self._paths)

    def holds(self, path: str) -> bool:
        """Whether a path is, or lies in, a folder among these, by whatever links; or one of their files lies in it."""
        here = os.path.realpath(path)
        above = set(_ways_to(here))
        return any(
            there in above if os.path.isdir(there) else here in _ways_to(there)
            for there in (os.path.realpath(each) for each in _spelt_out(self._paths) if not _is_no_path(each))
        )

    def paths(self) -> Iterator[str]:
        """Where they lie."""
        return (found.path for found in self)


def _is_no_path(name: str) -> bool:
    return name == STDIN or is_address(name)


def exists(path: str) -> bool:
    """Whether a path of this machine names something, by itself or as a pattern; of an address nobody knows yet."""
    return _is_no_path(path) or os.path.lexists(path) or any(True for _ in glob.iglob(path, recursive=True))


def walk(paths: Iterable[str]) -> Iterator[Found]:
    """The files that paths name, each once: a folder gives its texts and archives, at any depth, sorted by name.

    ``-`` stays as it is; ``*``, ``?`` and ``**`` stand for what they stand for in a shell. Nothing is held in memory
    but the paths themselves and one folder's names.
    """
    earlier: set[str] = set()
    for path in _spelt_out(paths):
        every = iter([Found(STDIN)]) if path == STDIN else _elsewhere(path) if is_address(path) else _here(path)
        for found in every:
            if earlier.isdisjoint(_ways_to(found.path)):
                yield found
        earlier.add(next(_ways_to(path)))


def _spelt_out(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        if is_address(path):
            yield from stores.spelt_out(path)
        elif path == STDIN or os.path.lexists(path) or not glob.has_magic(path):
            yield path
        else:
            # A file called as standard input is meant as a file.
            yield from sorted("./-" if each == STDIN else each for each in glob.iglob(path, recursive=True))


def _ways_to(path: str) -> Iterator[str]:
    """A path and all folders above it."""
    if path == STDIN:
        yield path
        return
    if is_address(path):
        path = path.rstrip("/")
        while is_address(path):
            yield path
            path = path.rpartition("/")[0]
        return
    whole = Path(os.path.abspath(path))
    yield str(whole)
    yield from map(str, whole.parents)


def _here(path: str) -> Iterator[Found]:
    if not os.path.isdir(path):
        yield _seen(path)
        return
    failed: list[OSError] = []
    for place, folders, names in os.walk(path, onerror=failed.append):
        while failed:
            yield _unfound(failed.pop())
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(TEXT_SUFFIXES + ARCHIVE_SUFFIXES):
                each = os.path.join(place, name)
                found = Found(each, problem=LINK) if leads_out(each, path) else _seen(each)
                if found.problem or found.stamp:  # no pipe or device
                    yield found
    while failed:
        yield _unfound(failed.pop())


def _unfound(error: OSError) -> Found:
    return Found(str(error.filename), problem=reason(error))


def _seen(path: str) -> Found:
    try:
        about = os.stat(path)
    except OSError as error:
        return Found(path, problem=reason(error))
    if not stat.S_ISREG(about.st_mode):
        return Found(path)
    return Found(path, about.st_size, f"{about.st_size}:{about.st_mtime_ns}:{about.st_ino}")


def _elsewhere(path: str) -> Iterator[Found]:
    try:
        for each in stores.files(path, TEXT_SUFFIXES + ARCHIVE_SUFFIXES):
            yield Found(*each)
    except stores.StoreError as error:
        yield Found(path, problem=reason(error))


def texts(found: Found) -> Iterator[Text]:
    """The texts in a file, in their order, each with its stream, which is good until the next one is asked for."""
    if found.problem:
        yield Text(found.path, None, found.problem)
    else:
        yield from texts_of(found.path, found.size)
