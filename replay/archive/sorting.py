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

GOOD: Final = frozenset((LEGAL, POSSIBLE))
_ENDING: Final = re.compile(r"(\.tiro)?(\.(gz|zst|bz2|xz))?$", re.IGNORECASE)
_UNFIT: Final = re.compile(r'[\0-\x1f\x7f<>"|?*:\\]')


class Shelf:
    """A folder in which files of sorted games are written one after the other; never over one that is there."""

    def __init__(self, folder: str, register: Register) -> None:
        """What an earlier run with the same register put there is gone on with, up to where that run had saved.

        Unable where the folder holds anything else.
        """
        self.folder, self._register = Path(folder), register
        self._name, self._path = "", Path()
        self._stream: IO[bytes] | None = None
        mine = str(self.folder.absolute())
        if (
            self.folder.exists()
            and register.kept_from(mine) is None
            and (not self.folder.is_dir() or any(self.folder.iterdir()))
        ):
            raise Unable(f"{folder}: games are sorted into a new folder, an empty one, or one of a run that goes on")
        register.keep(mine, "", 0)
        register.save()
        for path, size in register.kept():
            if Path(path).is_relative_to(mine) and os.path.isfile(path) and os.path.getsize(path) > size:
                os.truncate(path, size)

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
        path = self._free(name)
        known = self._register.kept_from(str(path)) is not None
        path.parent.mkdir(parents=True, exist_ok=True)
        # What a run left behind that was ended before it had saved is written again.
        self._stream = path.open("ab" if known else "wb")
        self._name, self._path = name, path
        self.save()

    def _free(self, name: str) -> Path:
        """The file for a text, whatever that is called elsewhere."""
        parts = [_UNFIT.sub("_", part) for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]
        stem = _ENDING.sub("", parts.pop() if parts else "") or "games"
        path = self.folder.absolute().joinpath(*parts, f"{stem}.tiro")
        number = 1
        while self._register.kept_from(str(path)) not in (None, name):
            number += 1
            path = path.with_name(f"{stem} ({number}).tiro")
        return path

    def save(self) -> None:
        """Bring to disk what was put there, and note how much it is."""
        if self._stream:
            self._stream.flush()
            self._register.keep(str(self._path), self._name, self._stream.tell())

    def close(self) -> None:
        """The same at the end."""
        self.save()
        if self._stream:
            self._stream.close()


class Sorter:
    """Sorts games to a shelf for the good ones (legal, possible) and one for all others; either may be missing."""

    def __init__(self, good: str | None, bad: str | None, register: Register) -> None:
        self._good = Shelf(good, register) if good else None
        self._bad = Shelf(bad, register) if bad else None

    def __enter__(self) -> Sorter:
        return self

    def __exit__(self, *_error: object) -> None:
        for shelf in filter(None, (self._good, self._bad)):
            with _told(shelf):
                shelf.close()

    def put(self, report: GameReport) -> None:
        """Put a game where it belongs; Unable where that fails."""
        shelf = self._good if report.verdict in GOOD else self._bad
        if shelf:
            with _told(shelf):
                shelf.put(report)

    def save(self) -> None:
        """Bring to disk what was put on the shelves; Unable where that fails."""
        for shelf in filter(None, (self._good, self._bad)):
            with _told(shelf):
                shelf.save()


@contextmanager
def _told(shelf: Shelf) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Unable(f"{error.filename or shelf.folder}: {reason(error)}") from None
