"""SQL queries on exported tables, and ready-made queries for common questions.

DuckDB reads the parts of an export wherever they are. It has read-only access to these files and no others.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, ExitStack, closing, suppress
from contextvars import copy_context
from datetime import UTC, datetime
from importlib.resources import files
from tempfile import TemporaryDirectory
from threading import Thread, local
from typing import Any, Final, NamedTuple, TypeVar

from ...notation.language import phrase
from ..storage.api import CannotRun, store_errors
from .tables import TABLES, Part, exported

MEMORY: Final = "2GB"
"""The memory that DuckDB may use; the rest goes to temporary files."""
MAX_TEMP_SIZE: Final = "10GB"
"""The size that the temporary files may have."""
_SIZE: Final = re.compile(r"[0-9]+(\.[0-9]+)? *[KMGT]i?B", re.IGNORECASE)
_OPEN: Final = {"python_enable_replacements": False, "allow_persistent_secrets": False}
"""Settings of every query: Python variables are not tables, and no secrets are stored."""
_CLOSED: Final = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "enable_external_access": False,
    "lock_configuration": True,
}
"""Settings that confine a query to the tables, in this order."""
FETCH_ROWS: Final = 1000
"""The number of rows fetched at a time."""
POLLING: Final = 0.1
"""The seconds until Ctrl-C is noticed."""
TIMEOUT: Final = 5.0
"""The seconds that DuckDB has to stop after that."""
THREAD: Final = "DuckDB"
"""The name of the thread that waits for DuckDB."""
_LOCKED: Final = re.compile("configuration has been locked|external extensions is disabled|httpfs extension")
_DAMAGED: Final = re.compile(
    "(?i)tprotocol|parquet file|corrupt|decompression fail|footer|prefetch|internal error|bytes returned"
)
"""What DuckDB says of a table that can't be read."""
_ADVICE: Final = re.compile(r"\n\n(?!LINE )")
"""Where DuckDB's advice begins."""
_TRACEBACK: Final = "Traceback (most recent call last)"
PROTOCOL: Final = "tiro"
FIXED_MTIME: Final = datetime.fromtimestamp(0, UTC)
"""The time at which every part was last changed, for DuckDB."""
Reply = TypeVar("Reply")


class Query(NamedTuple):
    """A ready-made query: its name, the question that it answers, and its SQL."""

    name: str
    title: str
    sql: str


def ready_queries() -> dict[str, Query]:
    """Return all ready-made queries by name, sorted by name."""
    queries = {}
    for file in sorted((files(__name__.rpartition(".")[0]) / "queries").iterdir(), key=lambda file: file.name):
        title, _, sql = file.read_text(encoding="utf-8").partition("\n")
        name = file.name.removesuffix(".sql")
        queries[name] = Query(name, title.removeprefix("-- "), sql)
    return queries


class QueryResult:
    """The columns of a result, all with different names, and its rows, which are fetched one group at a time."""

    def __init__(self, base: Any, result: Any) -> None:
        self._base, self._result = base, result
        self.columns = _unique([column[0] for column in result.description or ()])

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows. Raise CannotRun if DuckDB can't go on."""
        while rows := _in_thread(self._base, lambda: self._result.fetchmany(FETCH_ROWS)) if self.columns else []:
            yield from rows


class ExportedTables(AbstractContextManager["ExportedTables"]):
    """The tables that `tiro export` wrote to a folder, open for queries; to be used in a ``with``.

    ``whole`` says whether the export was completed. A query reaches the tables and nothing else, unless ``files``
    allows it files, the network, extensions and settings.
    """

    def __init__(self, folder: str, *, files: bool = False, memory: str = MEMORY) -> None:
        """Open the tables; ``memory`` is written as ``2GB``. Raise CannotRun if that fails."""
        import duckdb

        self.whole, system, tables = exported(folder)
        if not _SIZE.fullmatch(memory):
            raise CannotRun(f"{memory}: {phrase('write the memory as 500MB or 2GB')}")
        self._memory = memory
        with ExitStack() as opened:
            self._spilled = opened.enter_context(TemporaryDirectory(prefix="tironian-"))
            self._base = duckdb.connect()
            opened.enter_context(suppress(duckdb.Error))  # a call that did not stop at Ctrl-C keeps it busy
            opened.enter_context(closing(self._base))
            try:
                self._set_up(folder, part_file_system(system, tables), files)
            except duckdb.Error as error:
                why = _explained(error)[0].replace(f"{PROTOCOL}://", f"{folder}/")
                raise CannotRun(f"{folder}: {why}") from None
            self._opened = opened.pop_all()

    def _set_up(self, folder: str, parts_only: Any, files: bool) -> None:
        """Create a view of each table, and confine queries to them."""
        if not all(map(parts_only.addresses, TABLES)):
            raise CannotRun.at(folder, phrase("there is nothing in it; `tiro export --force` writes it again"))
        self._base.register_filesystem(parts_only)
        spilled = {"temp_directory": self._spilled, "max_temp_directory_size": MAX_TEMP_SIZE}
        self._set(memory_limit=self._memory, allowed_paths=parts_only.addresses(), **spilled, **_OPEN)
        for name in TABLES:
            self._base.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({_sql(parts_only.addresses(name))})")
        self._base.execute("CREATE VIEW played AS SELECT * FROM games ANTI JOIN repeats USING (file, line)")
        if not files:
            self._set(**_CLOSED)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            self._base.execute(f"SET {name} = {_sql(value)}")

    def __exit__(self, *_error: object) -> None:
        self._opened.close()

    def query(self, sql: str) -> QueryResult:
        """Return the result of a query; raise CannotRun if it fails."""
        result = _in_thread(self._base, lambda: self._base.execute(sql))
        if result is None:
            raise CannotRun(phrase("there is no query in this SQL"))
        return QueryResult(self._base, result)


def _in_thread(base: Any, call: Callable[[], Reply]) -> Reply:
    """Return what a call to DuckDB returns; raise CannotRun with DuckDB's words if it fails.

    The call runs in its own thread, since DuckDB does not always react to Ctrl-C while it waits for its threads.
    """
    answer: Future[Reply] = Future()

    def run() -> None:
        try:
            answer.set_result(call())
        except Exception as error:  # noqa: BLE001  # it is raised below
            answer.set_exception(error.with_traceback(None))  # whose frames hold the answer, and DuckDB

    Thread(target=copy_context().run, args=(run,), daemon=True, name=THREAD).start()
    try:
        while not wait([answer], POLLING).done:
            pass
    except KeyboardInterrupt:
        base.interrupt()
        wait([answer], TIMEOUT)
        raise
    if error := answer.exception():
        raise CannotRun(*_explained(error)) from None
    return answer.result()


def _unique(names: list[str]) -> list[str]:
    """Return names without duplicates: a second ``a`` becomes ``a_2``."""
    unique: dict[str, None] = {}
    known, numbers = {*names}, dict.fromkeys(names, 1)
    for name in names:
        own = name
        while own in unique or (own != name and own in known):
            numbers[name] += 1
            own = f"{name}_{numbers[name]}"
        unique[own] = None
    return [*unique]


def _explained(error: BaseException) -> list[str]:
    """Return the lines of DuckDB's message, without advice that can't be followed here."""
    kind = type(error).__name__
    if kind in ("OutOfMemoryException", "MemoryError"):
        return [phrase("there is not enough memory for this query; --memory gives it more")]
    words, _, traceback = _ADVICE.split(str(error))[0].partition(_TRACEBACK)
    # An error in reading a part arrives as a Python traceback; its last line has the message.
    words = words.strip() or traceback.partition("\n\n")[0].rpartition("\n")[2].partition(": ")[2] or kind
    closed = kind == "PermissionException" or _LOCKED.search(words)
    lines = words.split("\n")
    if _DAMAGED.search(words):
        return [phrase("a table seems to be damaged ({error}); `tiro export --force` writes it again", error=lines[0])]
    if not closed:
        return lines
    return [*lines, phrase("A query can use only the tables; --allow-files allows files, the network and settings.")]


def _sql(value: Any) -> str:
    """Return a value as a literal of SQL."""
    if isinstance(value, list):
        return f"[{', '.join(map(_sql, value))}]"
    return str(value).lower() if isinstance(value, bool) else "'" + value.replace("'", "''") + "'"


def part_file_system(system: Any, tables: dict[str, list[Part]]) -> Any:
    """Return a file system for DuckDB (see :class:`PartFiles`); the parts of each table are in fsspec's ``system``."""
    from fsspec import AbstractFileSystem

    kind = type("PartFileSystem", (PartFiles, AbstractFileSystem), {"protocol": PROTOCOL, "cachable": False})
    return kind(system, tables)


class PartFiles:
    """The methods of a read-only file system that holds the parts of one export."""

    def __init__(self, system: Any, tables: dict[str, list[Part]]) -> None:
        super().__init__()
        self._system = system
        self._parts = {f"{name}/{part.place.rpartition('/')[2]}": part for name, own in tables.items() for part in own}

    def addresses(self, table: str = "") -> list[str]:
        """Return the addresses of a table's parts, or of all parts."""
        return [f"{PROTOCOL}://{name}" for name in self._parts if name.startswith(table)]

    def open(self, path: str, mode: str = "rb", *_args: Any, **_more: Any) -> Any:
        """Open a part for reading. Raise PermissionError for any other file, and for writing."""
        part = self._parts.get(_name(path))
        if part is None or mode != "rb":
            raise PermissionError(f"{path}: {phrase('only the tables of the export can be read')}")
        return _PartStream(self._system, part)

    def info(self, path: str, **_more: Any) -> dict[str, Any]:
        """Return name, size and type of a part."""
        name = _name(path)
        return {"name": name, "size": self._parts[name].size, "type": "file"}

    def glob(self, path: str, **_more: Any) -> list[str]:
        """Return the part with this name; patterns are not supported."""
        return [name] if (name := _name(path)) in self._parts else []

    def modified(self, _path: str) -> datetime:
        """Return when a part was last changed: always the same time, since nothing changes during a query."""
        return FIXED_MTIME


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
