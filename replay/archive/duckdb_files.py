"""The parts of an export as DuckDB reads them, wherever they lie: these files, read-only, and no others."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from threading import local
from typing import Any, Final, NamedTuple

from ..storage.stores import store_errors

PROTOCOL: Final = "tiro"
LONG_AGO: Final = datetime.fromtimestamp(0, UTC)
"""The time at which every part was last changed, as far as DuckDB needs to know."""


class Part(NamedTuple):
    """A file of a table: where it lies in its file system, and its size in bytes."""

    place: str
    size: int


def part_file_system(system: Any, tables: dict[str, list[Part]]) -> Any:
    """Return a file system for DuckDB, see :class:`PartFiles`; the parts of each table lie in fsspec's ``system``."""
    from fsspec import AbstractFileSystem

    kind = type("PartFileSystem", (PartFiles, AbstractFileSystem), {"protocol": PROTOCOL, "cachable": False})
    return kind(system, tables)


class PartFiles:
    """The methods of a read-only file system that holds the parts of one export."""

    def __init__(self, system: Any, tables: dict[str, list[Part]]) -> None:
        super().__init__()
        self._system = system
        self._parts = {
            f"{table}/{part.place.rpartition('/')[2]}": part for table, parts in tables.items() for part in parts
        }

    def addresses(self, table: str = "") -> list[str]:
        """Return the addresses of a table's parts, or of all parts."""
        return [f"{PROTOCOL}://{name}" for name in self._parts if name.startswith(table)]

    def open(self, path: str, mode: str = "rb", *_args: Any, **_more: Any) -> Any:
        """Open a part for reading. Raise PermissionError for any other file, and for writing."""
        part = self._parts.get(_name(path))
        if part is None or mode != "rb":
            raise PermissionError(f"{path}: only the tables of the export can be read")
        return _PartStream(self._system, part)

    def info(self, path: str, **_more: Any) -> dict[str, Any]:
        """Return name, size and type of a part."""
        name = _name(path)
        return {"name": name, "size": self._parts[name].size, "type": "file"}

    def glob(self, path: str, **_more: Any) -> list[str]:
        """Return the part of that name; there are no patterns here."""
        return [name] if (name := _name(path)) in self._parts else []

    def modified(self, _path: str) -> datetime:
        """Return when it was last changed: always the same, since nothing changes during a query."""
        return LONG_AGO


def _name(path: str) -> str:
    return path.removeprefix(f"{PROTOCOL}://")


class _PartStream(io.RawIOBase):
    """A part that several threads may read, each with its own position."""

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
            with store_errors():
                data = self._system.cat_file(self._part.place, start=start, end=end)
        if len(data) > end - start:  # from a web server that always sends the whole file
            data = data[start:end]
        self._here.at = start + len(data)
        return data
