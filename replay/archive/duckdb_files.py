"""The parts of an export as DuckDB reads them, wherever they lie: these files, read only, and nothing beside them."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from threading import local
from typing import Any, Final, NamedTuple

from ..storage.stores import explained

PROTOCOL: Final = "tiro"
LONG_AGO: Final = datetime.fromtimestamp(0, UTC)
"""When every part was last changed, as far as DuckDB is told."""


class Part(NamedTuple):
    """A file of a table: where it lies in its file system, and its bytes."""

    place: str
    size: int


def lend(system: Any, tables: dict[str, list[Part]]) -> Any:
    """A file system for DuckDB, see :class:`Lent`. The parts of each table lie in ``system``, as fsspec has it."""
    from fsspec import AbstractFileSystem

    kind = type("LentFileSystem", (Lent, AbstractFileSystem), {"protocol": PROTOCOL, "cachable": False})
    return kind(system, tables)


class Lent:
    """What a file system does that holds the parts of one export, and can't be written."""

    def __init__(self, system: Any, tables: dict[str, list[Part]]) -> None:
        super().__init__()
        self._system = system
        self._parts = {
            f"{table}/{part.place.rpartition('/')[2]}": part for table, parts in tables.items() for part in parts
        }

    def addresses(self, table: str = "") -> list[str]:
        """Where the parts of a table are found, or those of all."""
        return [f"{PROTOCOL}://{name}" for name in self._parts if name.startswith(table)]

    def open(self, path: str, mode: str = "rb", *_args: Any, **_more: Any) -> Any:
        """Open a part to read it. PermissionError for any other file, and for writing."""
        part = self._parts.get(_name(path))
        if part is None or mode != "rb":
            raise PermissionError(f"{path}: only the tables of the export can be read")
        return _Stream(self._system, part)

    def info(self, path: str, **_more: Any) -> dict[str, Any]:
        """Return what is known of a part."""
        name = _name(path)
        return {"name": name, "size": self._parts[name].size, "type": "file"}

    def exists(self, path: str, **_more: Any) -> bool:
        """Return whether there is such a part."""
        return _name(path) in self._parts

    def glob(self, path: str, **_more: Any) -> list[str]:
        """Return the part of that name; there are no patterns here."""
        return [_name(path)] if self.exists(path) else []

    def modified(self, _path: str) -> datetime:
        """Return when it was last changed: always the same, since nothing changes while a question is asked."""
        return LONG_AGO


def _name(path: str) -> str:
    return path.removeprefix(f"{PROTOCOL}://")


class _Stream(io.RawIOBase):
    """A part that several threads may read: each has a place of its own in it."""

    def __init__(self, system: Any, part: Part) -> None:
        self._system, self._part, self._here = system, part, local()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return getattr(self._here, "at", 0)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: self._part.size}[whence]
        self._here.at = start + offset
        return self._here.at

    def read(self, size: int = -1) -> bytes:
        start = self.tell()
        end = self._part.size if size < 0 else min(start + size, self._part.size)
        data = b""
        if start < end:
            with explained():
                data = self._system.cat_file(self._part.place, start=start, end=end)
        if len(data) > end - start:  # of a web server that always sends all of a file
            data = data[start:end]
        self._here.at = start + len(data)
        return data
