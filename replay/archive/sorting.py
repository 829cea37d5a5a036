"""Games sorted into two folders by their verdict, each in a file called as the text that it came from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from ..report.model import LEGAL, POSSIBLE, GameReport
from . import Unable
from .register import Register
from .unpacking import reason

LONGEST: Final = 160
"""Bytes of a name that are kept: most systems take 255, and there are numbers and endings to come."""
DEEPEST: Final = 8
"""Folders within the folder."""
GOOD: Final = frozenset((LEGAL, POSSIBLE))
_ENDING: Final = re.compile(r"(\.tiro)?(\.(gz|zst|bz2|xz))?$", re.IGNORECASE)
_UNFIT: Final = re.compile(r'[\0-\x1f\x7f<>"|?*:\\]')


class Shelf:
    """A folder in which files of sorted games are written one after the other; never over one that is there.

    A file is called ``….tiro.part`` until it has been saved for the first time, so that what a run leaves behind that
    is killed is known for its own.
    """

    def __init__(self, folder: str, register: Register) -> None:
        """What an earlier run with the same register put there is gone on with, up to where that run had saved.

        What somebody has changed since is left alone. Unable where the folder holds anything else.
        """
        self.folder, self._register = Path(folder), register
        self._name, self._path = "", Path()
        self._stream: IO[bytes] | None = None
        self._new: set[Path] = set()
        mine = str(self.folder.absolute())
        strange = register.kept_from(mine) is None and self.folder.exists()
        if strange and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise Unable(f"{folder}: games are sorted into a new folder, an empty one, or one of a run that goes on")
        for path, size in register.kept():
            if path != mine and Path(path).is_relative_to(mine):
                self._look_at(Path(path), size)
        register.keep(mine, "", 0)
        register.save()

    def _look_at(self, path: Path, size: int) -> None:
        part = _part(path)
        if part.exists() and not path.exists():  # it was saved, and then there was no time to call it so
            part.rename(path)
        now = path.stat().st_size if path.is_file() else -1
        if now > size and not self._register.clean:
            os.truncate(path, size)
        elif now != size:
            self._register.unkeep(str(path))

    def begin(self, name: str) -> None:
        """A text begins: what an earlier run put there of it comes anew."""
        path = self._path_of(name)
        if self._register.is_of_before(str(path)):
            self._register.unkeep(str(path))
            path.unlink(missing_ok=True)

    def tidy(self) -> None:
        """Take away what earlier runs put there of texts that are in their files no more."""
        for path in map(Path, self._register.stale()):
            if path.is_relative_to(self.folder.absolute()):
                path.unlink(missing_ok=True)
                self._register.unkeep(str(path))

    def put(self, report: GameReport) -> None:
        """Add the lines of a game, with an empty line between it and the one before."""
        if not report.text:
            return
        if report.file != self._name or self._stream is None:
            self._open(report.file)
        assert self._stream is not None
        text = report.text.encode("utf-8", "surrogateescape").rstrip(b"\r\n")
        self._stream.write((b"\n" if self._stream.tell() else b"") + text + b"\n")

    def _open(self, name: str) -> None:
        self.close()
        path = self._path_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        known = self._register.kept_from(str(path)) == name
        new = not known or _part(path).exists()
        self._stream = (_part(path) if new else path).open("ab" if known else "wb")
        if new:
            self._new.add(path)
        self._name, self._path = name, path

    def _path_of(self, name: str) -> Path:
        """The file for a text, whatever that is called elsewhere: the one that it has, or a free one."""
        parts = [_UNFIT.sub("_", part) for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]
        stem = _cut(_ENDING.sub("", parts.pop() if parts else "")) or "games"
        folder = self.folder.absolute()
        for part in parts[-DEEPEST:]:
            folder /= _cut(part) or "_"
            while folder.is_file() or _part(folder).is_file():
                folder = folder.with_name(f"{folder.name}_")
        path, number = folder / f"{stem}.tiro", 1
        while self._register.kept_from(str(path)) != name and (
            path.exists() or _part(path).is_dir() or self._register.kept_from(str(path)) is not None
        ):
            number += 1
            path = path.with_name(f"{stem} ({number}).tiro")
        return path

    def save(self) -> None:
        """Bring to disk what was put there, and note how much it is; the register is to be saved then."""
        if self._stream:
            self._stream.flush()
            self._register.keep(str(self._path), self._name, self._stream.tell())

    def saved(self) -> None:
        """The register has been saved, so new files get their names."""
        for path in self._new:
            _part(path).replace(path)
        self._new.clear()

    def close(self) -> None:
        """Be done with the file at hand."""
        self.save()
        stream, self._stream = self._stream, None
        if stream:
            stream.close()


def _cut(name: str) -> str:
    """The end of a name, as much of it as a file system takes."""
    data = name.encode("utf-8", "surrogateescape")
    return name if len(data) <= LONGEST else data[-LONGEST:].decode("utf-8", "ignore")


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


class Sorter:
    """Sorts games to a shelf for the good ones (legal, possible) and one for all others; either may be missing.

    Unable where something can't be written.
    """

    def __init__(self, good: str | None, bad: str | None, register: Register) -> None:
        self._register = register
        self._good = _shelf(good, register) if good else None
        self._bad = _shelf(bad, register) if bad else None

    def __enter__(self) -> Sorter:
        return self

    def __exit__(self, *_error: object) -> None:
        for shelf in self._shelves():
            with _told(shelf):
                shelf.close()
                if not self._register.lasts:
                    shelf.saved()

    def _shelves(self) -> Iterator[Shelf]:
        return filter(None, (self._good, self._bad))

    def finish(self) -> None:
        """All games are put where they belong: take away what came of texts that are there no more, and save."""
        for shelf in self._shelves():
            with _told(shelf):
                shelf.tidy()
        self.save()

    def put(self, report: GameReport) -> None:
        """Put a game where it belongs."""
        if report.game == 1:
            for shelf in self._shelves():
                with _told(shelf):
                    shelf.begin(report.file)
        shelf = self._good if report.verdict in GOOD else self._bad
        if shelf:
            with _told(shelf):
                shelf.put(report)

    def save(self) -> None:
        """Bring to disk what was put on the shelves, and save the register."""
        for shelf in self._shelves():
            with _told(shelf):
                shelf.save()
        self._register.save()
        for shelf in self._shelves():
            with _told(shelf):
                shelf.saved()


def _shelf(folder: str, register: Register) -> Shelf:
    try:
        return Shelf(folder, register)
    except OSError as error:
        raise Unable(f"{error.filename or folder}: {reason(error)}") from None


@contextmanager
def _told(shelf: Shelf) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unable(f"{error.filename or shelf.folder}: {reason(error)}") from None
