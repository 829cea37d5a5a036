"""Games sorted into two folders by their verdict, each in a file called as the text that it came from."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Final

from ...notation.safe_text import shown
from ..report.model import LEGAL, POSSIBLE, GameReport
from ..storage import Unable
from ..storage.unpacking import reason
from .register import Register

LONGEST: Final = 160
"""Bytes of a name that are kept: most systems take 255, and there are numbers and endings to come."""
SUFFIX: Final = ".tiro"
DEEPEST: Final = 8
"""Folders within the folder."""
GOOD: Final = frozenset((LEGAL, POSSIBLE))
_ENDING: Final = re.compile(r"(\.tiro)?(\.(gz|zst|bz2|xz))?$", re.IGNORECASE)
_UNFIT: Final = frozenset('<>"|?*:\\')
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


class Shelf:
    """A folder in which files of sorted games are written one after the other; never over one that is there.

    A file is called ``….tiro.part`` until it has been saved for the first time, so that what a run leaves behind that
    is killed is known for its own.
    """

    def __init__(self, folder: str, register: Register) -> None:
        """What an earlier run with the same register put there is gone on with, up to where that run had saved.

        What somebody has changed since is left alone. Unable where the folder holds anything else.
        """
        self.folder, self._home, self._register = Path(folder), Path(os.path.realpath(folder)), register
        self._name, self._path = "", Path()
        self._stream: IO[bytes] | None = None
        self._new: set[Path] = set()
        mine = str(self._home)
        strange = register.kept_from(mine) is None and self.folder.exists()
        if strange and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise Unable(f"{folder}: games are sorted into a new folder, an empty one, or one of a run that goes on")
        for path, size in register.kept():
            if self._is_within(Path(path)):
                self._look_at(Path(path), size)
        register.keep(mine, "", 0)
        register.save()

    def _is_within(self, path: Path) -> bool:
        """Whether a path is one that may lie in the folder. The register may come from anywhere."""
        return path.suffix == SUFFIX and path.is_relative_to(self._home)

    def _look_at(self, path: Path, size: int) -> None:
        part = _part(path)
        if _is_plain(part) and not os.path.lexists(path):  # it was saved, and then there was no time to call it so
            part.rename(path)
        now = path.stat().st_size if _is_plain(path) else -1
        if now > size and not self._register.clean:
            os.truncate(path, size)
        elif now != size:
            self._register.unkeep(str(path))

    def begin(self, name: str) -> None:
        """A text begins: what an earlier run put there of it comes anew."""
        path = self._path_of(name)
        if self._register.is_of_before(str(path)):
            self._register.unkeep(str(path))
            if _is_plain(path):
                path.unlink()

    def tidy(self) -> None:
        """Take away what earlier runs put there of texts that are in their files no more."""
        for path in map(Path, self._register.stale()):
            if self._is_within(path):
                if _is_plain(path):
                    path.unlink()
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
        self._stream = open(_part(path) if new else path, "ab" if known else "wb", opener=_opener)  # noqa: SIM115  # see close
        if new:
            self._new.add(path)
        self._name, self._path = name, path

    def _path_of(self, name: str) -> Path:
        """The file for a text, whatever that is called elsewhere: the one that it has, or a free one."""
        parts = [_fit(part) for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]
        stem = _cut(_ENDING.sub("", parts.pop() if parts else "")) or "games"
        folder = self._home
        for part in parts[-DEEPEST:]:
            folder /= _cut(part) or "_"
            while folder.is_symlink() or folder.is_file() or _part(folder).is_file():
                folder = folder.with_name(f"{folder.name}_")
        path, number = folder / f"{stem}{SUFFIX}", 1
        while self._is_taken(path, name):
            number += 1
            path = path.with_name(f"{stem} ({number}){SUFFIX}")
        return path

    def _is_taken(self, path: Path, name: str) -> bool:
        """Whether a file is there that has nothing to do with a text."""
        part, whose = _part(path), self._register.kept_from(str(path))
        if path.is_symlink() or part.is_symlink():
            return True
        return whose != name and (whose is not None or path.exists() or part.is_dir())

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


def _fit(name: str) -> str:
    """A name with nothing in it that a system does not take, or that nobody sees."""
    return "".join("_" if char in _UNFIT or shown(char) != char else char for char in name)


def _is_plain(path: Path) -> bool:
    """Whether a path names a file by itself, and not by way of a link."""
    return os.path.realpath(path) == str(path) and path.exists() and stat.S_ISREG(path.stat().st_mode)


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | _NO_LINK, 0o666)


def _cut(name: str) -> str:
    """The end of a name, as much of it as a file system takes."""
    data = name.encode("utf-8", "surrogateescape")
    return name if len(data) <= LONGEST else data[-LONGEST:].decode("utf-8", "ignore")


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


class Sorter(AbstractContextManager["Sorter"]):
    """Sorts games to a shelf for the good ones (legal, possible) and one for all others; either may be missing.

    Unable where something can't be written.
    """

    def __init__(self, good: str | None, bad: str | None, register: Register) -> None:
        self._register = register
        self._good = _shelf(good, register) if good else None
        self._bad = _shelf(bad, register) if bad else None

    def __exit__(self, *_error: object) -> None:
        self._each(self._close)

    def _close(self, shelf: Shelf) -> None:
        shelf.close()
        if not self._register.lasts:
            shelf.saved()

    def _each(self, do: Callable[[Shelf], None]) -> None:
        for shelf in filter(None, (self._good, self._bad)):
            with _told(shelf.folder):
                do(shelf)

    def finish(self) -> None:
        """All games are put where they belong: take away what came of texts that are there no more, and save."""
        self._each(Shelf.tidy)
        self.save()

    def put(self, report: GameReport) -> None:
        """Put a game where it belongs."""
        if report.game == 1:
            self._each(lambda shelf: shelf.begin(report.file))
        shelf = self._good if report.verdict in GOOD else self._bad
        if shelf:
            with _told(shelf.folder):
                shelf.put(report)

    def save(self) -> None:
        """Bring to disk what was put on the shelves, and save the register."""
        self._each(Shelf.save)
        self._register.save()
        self._each(Shelf.saved)


def _shelf(folder: str, register: Register) -> Shelf:
    with _told(folder):
        return Shelf(folder, register)


@contextmanager
def _told(folder: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unable(f"{error.filename or folder}: {reason(error)}") from None
