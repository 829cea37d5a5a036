"""Games sorted by their verdict into two folders, each in a file named after the text that it came from."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Final

from ...notation.basics import visible_char
from ...notation.language import phrase
from ...replay.diagnostics.api import LEGAL, POSSIBLE
from ..report.api import GameReport
from ..storage.api import CannotRun
from ..storage.sources import RECORD, reason
from .register import Register

MAX_LENGTH: Final = 160
"""The most bytes of a name that are kept: most systems allow 255, and numbers and suffixes are added."""
MAX_DEPTH: Final = 8
"""The most levels of folders within the folder."""
GOOD: Final = frozenset((LEGAL, POSSIBLE))
_ENDING: Final = re.compile(r"(\.tiro)?(\.(gz|zst|bz2|xz))?$", re.IGNORECASE)
_UNFIT: Final = frozenset('<>"|?*:\\')
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


class SortedFolder:
    """A folder for files of sorted games, which are written one after another, never over an existing one.

    A file is called ``….tiro.part`` until it has been saved for the first time, so that leftovers of a killed run can
    be recognised.
    """

    def __init__(self, folder: str, register: Register) -> None:
        """Continue the files of an earlier run with the same register, from where that run last saved.

        Files that have been changed since are left alone. Raise CannotRun if the folder holds anything else.
        """
        self.folder, self._home, self._register = Path(folder), Path(os.path.realpath(folder)), register
        self._name, self._path = "", Path()
        self._stream: IO[bytes] | None = None
        self._new: set[Path] = set()
        home = str(self._home)
        with _write_errors(folder):
            unknown = register.kept_text(home) is None and self.folder.exists()
            if unknown and (not self.folder.is_dir() or any(self.folder.iterdir())):
                why = phrase("games are sorted into a new folder, an empty one, or that of the run being continued")
                raise CannotRun.at(folder, why)
            for path, size in register.kept():
                if self._is_within(Path(path)):
                    self._resume(Path(path), size)
        register.keep(home, "", 0)
        register.save()

    def _is_within(self, path: Path) -> bool:
        """Return whether a path is allowed in the folder. The register may come from anywhere."""
        return path.suffix == RECORD and path.is_relative_to(self._home)

    def _resume(self, path: Path, size: int) -> None:
        """Restore a file as the earlier run saved it; leave it alone if somebody has changed it."""
        part = _part(path)
        if _is_plain(part) and not os.path.lexists(path):  # the run was killed between saving and renaming it
            part.rename(path)
        present_size = path.stat().st_size if _is_plain(path) else -1
        if present_size > size and not self._register.clean:
            os.truncate(path, size)
        elif present_size != size:
            self._register.forget_sorted(str(path))

    def begin(self, name: str) -> None:
        """Begin a text; the games that an earlier run sorted from it are deleted."""
        path = self._path_of(name)
        if self._register.is_from_earlier_run(str(path)):
            self._delete(path)

    def delete_stale(self) -> None:
        """Delete the files that earlier runs sorted from texts that are no longer in their files."""
        for path in map(Path, self._register.stale()):
            if self._is_within(path):
                self._delete(path)

    def _delete(self, path: Path) -> None:
        self._register.forget_sorted(str(path))
        if _is_plain(path):
            path.unlink()

    def add(self, report: GameReport) -> None:
        """Write the lines of a game, with an empty line between it and the previous one."""
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
        known = self._register.kept_text(str(path)) == name
        new = not known or _part(path).exists()
        self._stream = open(_part(path) if new else path, "ab" if known else "wb", opener=_opener)  # noqa: SIM115  # see close
        if new:
            self._new.add(path)
        self._name, self._path = name, path

    def _path_of(self, name: str) -> Path:
        """Return the file for a text: its existing file, or a free one with a name that all systems allow."""
        parts = [_fit(part) for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]
        stem = _cut(_ENDING.sub("", "".join(parts[-1:]))) or "games"
        folder = self._home
        for part in parts[:-1][-MAX_DEPTH:]:
            folder /= _cut(part) or "_"
            while folder.is_symlink() or folder.is_file() or _part(folder).is_file():
                folder = folder.with_name(f"{folder.name}_")
        path, number = folder / f"{stem}{RECORD}", 1
        while self._is_taken(path, name):
            number += 1
            path = path.with_name(f"{stem} ({number}){RECORD}")
        return path

    def _is_taken(self, path: Path, name: str) -> bool:
        """Return whether a path is a link, or a file that does not come from the text ``name``."""
        part, text = _part(path), self._register.kept_text(str(path))
        if path.is_symlink() or part.is_symlink():
            return True
        return text != name and (text is not None or path.exists() or part.is_dir())

    def save(self) -> None:
        """Write everything to disk and note its size; the caller saves the register next."""
        if self._stream:
            self._stream.flush()
            self._register.keep(str(self._path), self._name, self._stream.tell())

    def saved(self) -> None:
        """Give new files their names; called when the register has been saved."""
        for path in self._new:
            _part(path).replace(path)
        self._new.clear()

    def close(self) -> None:
        """Save and close the current file."""
        self.save()
        stream, self._stream = self._stream, None
        if stream:
            stream.close()


def _fit(name: str) -> str:
    """Return a name without invisible characters and characters that some systems forbid."""
    return "".join("_" if char in _UNFIT or visible_char(char) != char else char for char in name)


def _is_plain(path: Path) -> bool:
    """Return whether a path names a regular file without going through a link."""
    return os.path.realpath(path) == str(path) and path.is_file()


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | _NO_LINK, 0o666)


def _cut(name: str) -> str:
    """Return the end of a name, as much of it as a file system allows."""
    data = name.encode("utf-8", "surrogateescape")
    return name if len(data) <= MAX_LENGTH else data[-MAX_LENGTH:].decode("utf-8", "ignore")


def _part(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


class Sorter(AbstractContextManager["Sorter"]):
    """Sorts games into a folder for good ones (legal, possible) and one for all others; either may be missing.

    Every method raises CannotRun if something can't be written.
    """

    def __init__(self, good: str | None, bad: str | None, register: Register) -> None:
        self._register = register
        self._good, self._bad = (SortedFolder(folder, register) if folder else None for folder in (good, bad))

    def __exit__(self, *_error: object) -> None:
        self._for_each(SortedFolder.close)
        if not self._register.lasts:
            self._for_each(SortedFolder.saved)

    def _for_each(self, act: Callable[[SortedFolder], None]) -> None:
        for folder in filter(None, (self._good, self._bad)):
            with _write_errors(folder.folder):
                act(folder)

    def finish(self) -> None:
        """Delete the games of texts that are gone, and save; called when all games have been added."""
        self._for_each(SortedFolder.delete_stale)
        self.save()

    def add(self, report: GameReport) -> None:
        """Write a game to the folder of its verdict."""
        if report.game == 1:
            self._for_each(lambda folder: folder.begin(report.file))
        folder = self._good if report.verdict in GOOD else self._bad
        if folder:
            with _write_errors(folder.folder):
                folder.add(report)

    def save(self) -> None:
        """Write both folders and the register to disk."""
        self._for_each(SortedFolder.save)
        self._register.save()
        self._for_each(SortedFolder.saved)


@contextmanager
def _write_errors(folder: str | Path) -> Iterator[None]:
    """Raise CannotRun for an OSError."""
    try:
        yield
    except OSError as error:
        raise CannotRun(f"{error.filename or folder}: {reason(error)}") from None
