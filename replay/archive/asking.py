"""Questions in SQL to an export, and those that many have, ready."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from threading import Event, Thread
from typing import Any, Final, NamedTuple, TypeVar

from . import Unable
from .exporting import is_whole, parts, system_of
from .sources import is_address
from .tables import TABLES

AGAIN: Final = "`tiro export --force` writes it anew"
_GLOB: Final = re.compile(r"[\[*?]")
AT_ONCE: Final = 1000
"""Rows that are fetched at once."""
HEARING: Final = 0.1
"""Seconds until Ctrl-C is heard."""
PATIENCE: Final = 5.0
"""Seconds for DuckDB to stop then."""
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
        while some := self._fetched() if self.columns else []:
            yield from some

    def _fetched(self) -> list[tuple[Any, ...]]:
        return _answered(self._base, lambda: self._result.fetchmany(AT_ONCE))


class Archive:
    """An export that can be asked. Unable where there is none; ``whole`` says whether it was written to its end."""

    def __init__(self, folder: str) -> None:
        self.whole = is_whole(folder)
        try:
            import duckdb
        except ImportError:
            raise Unable("queries need DuckDB: pip install 'tironian[archive]'") from None
        self._base = duckdb.connect()
        if is_address(folder):
            system, _ = system_of(folder)
            self._base.register_filesystem(system)
        for name in TABLES:
            found = parts(folder, name)
            if not found:
                raise Unable(f"{folder}: there is nothing in it; {AGAIN}")
            # DuckDB takes brackets for patterns, so each of them is written as one that stands for itself.
            listed = ", ".join("'" + _GLOB.sub(r"[\g<0>]", part).replace("'", "''") + "'" for part in found)
            try:
                self._base.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet([{listed}])")
            except duckdb.Error as error:
                raise Unable(f"{folder}: {_short(error)}") from None

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
        raise Unable(str(error) or type(error).__name__) from None
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


def _short(error: Exception) -> str:
    return str(error).partition("\n")[0]
