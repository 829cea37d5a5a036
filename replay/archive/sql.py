"""Questions in SQL to an export, and those that many have, ready."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from importlib.resources import files
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, Final, NamedTuple, TypeVar

from ..storage import Unable
from ..storage.stores import system_of
from .duckdb_files import PROTOCOL, lend
from .parquet import is_whole, parts
from .tables import TABLES

AGAIN: Final = "`tiro export --force` writes it anew"
MEMORY: Final = "2GB"
"""What DuckDB may use; what does not fit goes to temporary files."""
SPILLED: Final = "10GB"
"""How much may go there."""
_SIZE: Final = re.compile(r"[0-9]+(\.[0-9]+)? *[KMGT]i?B", re.IGNORECASE)
_OPEN: Final = {"python_enable_replacements": False, "allow_persistent_secrets": False}
"""Settings of every question: our own variables are no tables, and nothing is kept for the next one."""
_CLOSED: Final = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "enable_external_access": False,
    "lock_configuration": True,
}
"""What keeps a question within the tables, in this order."""
AT_ONCE: Final = 1000
"""Rows that are fetched at once."""
HEARING: Final = 0.1
"""Seconds until Ctrl-C is heard."""
PATIENCE: Final = 5.0
"""Seconds for DuckDB to stop then."""
OUT_OF_MEMORY: Final = "there is not enough memory for this question"
CLOSED: Final = "A question reaches the tables and nothing else; --allow-files opens files, the network and settings."
_LOCKED: Final = re.compile("configuration has been locked|external extensions is disabled|httpfs extension")
_ADVICE: Final = re.compile(r"\n\n(?!LINE )")
"""Where DuckDB begins to say what to do."""
_TRACEBACK: Final = "Traceback (most recent call last)"
Value = TypeVar("Value")


class Query(NamedTuple):
    """A ready query: its name, what it tells, and its SQL."""

    name: str
    title: str
    sql: str


def ready() -> dict[str, Query]:
    """All ready queries by name."""
    found = {}
    for each in sorted(files(__name__.rpartition(".")[0]).joinpath("queries").iterdir(), key=lambda each: each.name):
        if each.name.endswith(".sql"):
            title, _, sql = each.read_text(encoding="utf-8").partition("\n")
            name = each.name.removesuffix(".sql")
            found[name] = Query(name, title.removeprefix("-- "), sql)
    return found


class Answer:
    """The columns of an answer, and its rows, which are fetched as they are asked for."""

    def __init__(self, base: Any, result: Any) -> None:
        self._base, self._result = base, result
        self.columns = _told_apart([each[0] for each in result.description or ()])

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """The rows, one after the other. Unable where there is no more, but not the end."""
        while some := _answered(self._base, lambda: self._result.fetchmany(AT_ONCE)) if self.columns else []:
            yield from some


class Archive(AbstractContextManager["Archive"]):
    """An export that can be asked, in a ``with``. Unable where there is none.

    ``whole`` says whether it was written to its end. A question reaches the tables and nothing else, unless
    ``files`` opens files, the network, extensions and settings to it.
    """

    def __init__(self, folder: str, *, files: bool = False, memory: str = MEMORY) -> None:
        self.whole = is_whole(folder)
        if not _SIZE.fullmatch(memory):
            raise Unable(f"{memory}: memory is given as 500MB or 2GB")
        self._memory = memory
        try:
            import duckdb
        except ImportError:
            raise Unable("queries need DuckDB: pip install 'tironian[archive]'") from None
        self._spilled = TemporaryDirectory(prefix="tironian-")
        self._base = duckdb.connect()
        try:
            self._set_up(folder, files)
        except duckdb.Error as error:
            self.close()
            told = _explained(error)[0].replace(f"{PROTOCOL}://", f"{folder}/")
            raise Unable(f"{folder}: {told}") from None
        except BaseException:
            self.close()
            raise

    def _set_up(self, folder: str, files: bool) -> None:
        tables = {name: parts(folder, name) for name in TABLES}
        if not all(tables.values()):
            raise Unable(f"{folder}: there is nothing in it; {AGAIN}")
        system, _ = system_of(folder)
        lent = lend(system, tables)
        self._base.register_filesystem(lent)
        spilled = {"temp_directory": self._spilled.name, "max_temp_directory_size": SPILLED}
        self._set(memory_limit=self._memory, allowed_paths=lent.addresses(), **spilled, **_OPEN)
        for name in TABLES:
            self._base.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet({_sql(lent.addresses(name))})")
        if not files:
            self._set(**_CLOSED)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            self._base.execute(f"SET {name} = {_sql(value)}")

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Be done with it; its threads have ended then, and its temporary files are gone."""
        self._base.close()
        self._spilled.cleanup()

    def ask(self, sql: str) -> Answer:
        """The answer to a question; Unable where it is none, or can't be answered."""
        result = _answered(self._base, lambda: self._base.execute(sql))
        if result is None:
            raise Unable("there is no question in this SQL")
        return Answer(self._base, result)


def _answered(base: Any, do: Callable[[], Value]) -> Value:
    """What DuckDB answers. Unable in its words where it can't.

    It is asked in a thread of its own, since it does not always hear Ctrl-C while it waits for its own threads.
    """
    answers: list[Value] = []
    errors: list[Exception] = []
    done = Event()

    def ask() -> None:
        try:
            answers.append(do())
        except Exception as error:  # noqa: BLE001  # it is raised below
            errors.append(error)
        finally:
            done.set()

    Thread(target=ask, daemon=True).start()
    try:
        while not done.wait(HEARING):
            pass
    except KeyboardInterrupt:
        base.interrupt()
        done.wait(PATIENCE)
        raise
    for error in errors:
        raise Unable(*_explained(error)) from None
    return answers[0]


def _told_apart(names: list[str]) -> list[str]:
    """Names of which each stands there once: a second ``a`` is called ``a_2``."""
    told: list[str] = []
    for name in names:
        own, number = name, 2
        while own in told or (own != name and own in names):
            own, number = f"{name}_{number}", number + 1
        told.append(own)
    return told


def _explained(error: Exception) -> list[str]:
    """What DuckDB says, line by line, without the advice that can't be followed here."""
    kind = type(error).__name__
    if kind in ("OutOfMemoryException", "MemoryError"):
        return [f"{OUT_OF_MEMORY}; --memory gives it more"]
    told, _, inside = _ADVICE.split(str(error))[0].partition(_TRACEBACK)
    # What goes wrong while a part is read comes back as Python shows it; its last line has the words.
    told = told.strip() or inside.partition("\n\n")[0].rpartition("\n")[2].partition(": ")[2] or kind
    closed = kind == "PermissionException" or _LOCKED.search(told)
    return [*told.split("\n"), *[CLOSED] * bool(closed)]


def _sql(value: Any) -> str:
    """A value as SQL has it."""
    if isinstance(value, list):
        return f"[{', '.join(map(_sql, value))}]"
    return str(value).lower() if isinstance(value, bool) else "'" + value.replace("'", "''") + "'"
