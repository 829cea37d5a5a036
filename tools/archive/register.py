"""Remembers what has been checked and which moves have been seen, in an SQLite file, so neither has to fit into memory.

With a path, it outlives the run, and the next run need not check unchanged files again (``--resume``); without one, it
is a nameless file that the system deletes.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from ...notation.basics import dataclass
from ...notation.language import Messages, phrase
from ...notation.records import COUNTS, SEVERITIES
from ...replay.diagnostics.api import NOTHING, VERDICTS
from ..report.api import Tally
from ..storage.api import CannotRun, InputFile, dangling_link
from ..storage.sources import most_in

MARK: Final = 0x7161
"""The application id of our files. It tells them apart from other databases, from other layouts, and from other ways to
number games.
"""
NOT_OURS: Final = "not a database"
DAMAGED: Final = "malformed"
MAX_PENDING: Final = 1 << 15
"""The most numbers of games that are held in memory before they are written."""
SAVE_INTERVAL: Final = 1.0
"""The seconds of work that may be lost if the machine fails."""
_PRAGMAS: Final = {
    "journal_mode": ("WAL", "OFF"),
    "locking_mode": ("EXCLUSIVE", "EXCLUSIVE"),
    "synchronous": ("NORMAL", "OFF"),
    "application_id": (MARK, MARK),
    "cache_size": (-16000, -16000),
}
"""SQLite's settings for a register with a path, and for one without."""
_REASONS: Final[Messages] = {
    "locked": "another run is using it",
    NOT_OURS: "this is not a file that --resume has written; name a new one",
    DAMAGED: "this --resume file is damaged; name a new one",
    "decode": "this --resume file is damaged; name a new one",
}
"""Words in SQLite's errors, and what they mean here."""
_LIMIT: Final = 2**63
"""Larger than any count."""
_TABLES: Final = """\
CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, path BLOB UNIQUE, stamp TEXT, judge TEXT, pieces INTEGER,
    whole INTEGER, texts INTEGER, text BLOB, games INTEGER, tally TEXT);
CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER, name BLOB);
CREATE TABLE IF NOT EXISTS moves (id INTEGER PRIMARY KEY, text INTEGER, game INTEGER);
CREATE TABLE IF NOT EXISTS kept (path BLOB PRIMARY KEY, name BLOB, bytes INTEGER, old INTEGER);
"""
_RECHECKED: Final = "CREATE TEMP TABLE anew (path BLOB PRIMARY KEY)"
_SEEN: Final = """\
SELECT value, text, ifnull(name, X''), game
FROM json_each(?) CROSS JOIN moves ON moves.id = value LEFT JOIN texts ON texts.id = moves.text"""
"""Moves seen in a text that is gone have no name. A cross join runs in the given order."""
_SAME_FILE: Final = "FROM files WHERE path = ? AND stamp = ?"
Seen: TypeAlias = tuple[str, int]
"""A text, and the number of a game in it."""
Stored = TypeVar("Stored", int, bytes)
_SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"


@dataclass(slots=True)
class FileProgress:
    """How far a file has been checked: its first ``chunks``, and the ``tally`` of their games; ``whole`` says that this
    is the whole file.

    The last of the chunks belonged to the text ``text``; so far the chunks have held ``games`` games of that text.
    """

    chunks: int = 0
    whole: bool = False
    text: str = ""
    games: int = 0
    tally: Tally = field(default_factory=Tally)


class Register(AbstractContextManager["Register"]):
    """The register of a run, to be used in a ``with``. Every method raises CannotRun if the database fails.

    A file may come from anywhere, so nothing in it is trusted: it must hold our tables and nothing else, and every
    value is checked when it is read.

    ``lasts`` says whether it outlives the run. ``clean`` says whether the last run finished, so that its report was
    seen and all its work was saved. ``demands_changed`` says whether something was checked again only because the
    demands have changed.
    """

    def __init__(self, path: str = "", demands: str = "") -> None:
        """Open the file at ``path``, or a temporary one.

        ``demands`` are what a verdict depends on besides the text. Files checked with other demands are checked again.
        """
        self._demands, self._path, self.lasts = demands, path, bool(path)
        self._file, self._text, self._saved = 0, 0, time.monotonic()
        self._held: dict[int, tuple[str, int, int]] = {}
        """What must be written: a number that identifies a game → the name of its text, its place and the text's id."""
        self._written = bool(path)
        """Whether any numbers have been written."""
        self._begun = self._settled = self.demands_changed = False
        with self._explained():
            self._base = sqlite3.connect(_place(path) if path else "", isolation_level=None)
        try:
            self.clean = self._set_up()
        except CannotRun:
            self._base.close()
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise CannotRun for an error in SQLite, with words that explain it."""
        try:
            yield
        except sqlite3.Error as error:
            reasons = (phrase(reason) for words, reason in _REASONS.items() if words in str(error))
            reason = next(reasons, "") or phrase("the results can't be saved there ({error})", error=error)
            raise CannotRun(f"{self._path or phrase('a temporary file')}: {reason}") from None

    def _set_up(self) -> bool:
        """Open or create our tables; return whether the last run finished."""
        self._run("PRAGMA trusted_schema=OFF")
        empty = not self._path or not Path(self._path).stat().st_size
        if not empty and self._value(int, "PRAGMA application_id") != MARK:
            raise CannotRun(f"{self._path}: {phrase(_REASONS[NOT_OURS])}")
        for name, value in _PRAGMAS.items():
            self._run(f"PRAGMA {name}={value[0 if self._path else 1]}")
        self._run("BEGIN EXCLUSIVE")
        # Foreign views and triggers would run whenever we read and write.
        schema = self._run(_SCHEMA).fetchall()
        if schema and schema != _schema():
            raise CannotRun(f"{self._path}: {phrase(_REASONS[NOT_OURS])}")
        for statement in _TABLES.split(";"):
            self._run(statement)
        self._run(_RECHECKED)
        clean = not self._value(int, "PRAGMA user_version")
        if not clean:
            # The report of that run may never have been seen, so files with anything to report are checked again.
            for file, tally in self._rows((int, str), "SELECT id, tally FROM files"):
                if self._tally(tally).severities:
                    self._forget(file)
        self._run("UPDATE kept SET old = 1")
        self.save()
        return clean

    def _run(self, sql: str, *values: object) -> sqlite3.Cursor:
        with self._explained():
            return self._base.execute(sql, values)

    def _rows(self, kinds: tuple[type, ...], sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raise CannotRun if a value has the wrong type or is a negative number."""
        try:
            with self._explained():
                rows = self._run(sql, *values).fetchall()
        except ValueError:  # bytes that are not text
            raise self.damaged() from None
        for row in rows:
            for value, kind in zip(row, kinds, strict=True):
                if type(value) is not kind or (kind is int and value < 0):
                    raise self.damaged()
        return rows

    def _value(self, kind: type[Stored], sql: str, *values: object) -> Stored | None:
        """Return the only value of a query; None if there is none."""
        return next((value for (value,) in self._rows((kind,), sql, *values)), None)

    def damaged(self) -> CannotRun:
        """Return the error for a register that says what can't be."""
        return CannotRun(f"{self._path}: {phrase(_REASONS[DAMAGED])}")

    def _tally(self, text: str) -> Tally:
        """Return a tally from its JSON; raise CannotRun if it is not one."""
        try:
            games, events, turns, verdicts, severities, *more = json.loads(text)
            (repeated,) = more or [0]  # an earlier version did not count these
            named = verdicts.keys() <= {*VERDICTS, NOTHING} and severities.keys() <= set(SEVERITIES)
            counts = [games, events, turns, repeated, *verdicts.values(), *severities.values()]
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise self.damaged() from None
        if not named or not all(type(count) is int and 0 <= count < _LIMIT for count in counts):
            raise self.damaged()
        return Tally(games, events, turns, Counter(verdicts), Counter(severities), repeated)

    def __exit__(self, kind: object, *_error: object) -> None:
        try:
            if kind is None and self._settled:
                if self._path:
                    self._write()
                self._run("PRAGMA user_version=0")
                self._run("COMMIT")
            elif self._base.in_transaction:
                # An interrupted run may be half done, or its report may be lost: only what was saved last is valid.
                self._run("ROLLBACK")
        finally:
            self._base.close()

    def due(self) -> bool:
        """Return whether it is time to save."""
        return bool(self._path) and time.monotonic() - self._saved > SAVE_INTERVAL

    def save(self) -> None:
        """Commit everything done so far if the register outlives the run."""
        if self._path:
            self._write()
            self._run("COMMIT")
            self._run("BEGIN EXCLUSIVE")
            self._saved = time.monotonic()

    def settle(self) -> None:
        """Note that all reports were passed on; they count as seen unless an exception is raised before the end."""
        self._settled = True

    # ------------------------------------------------------------------------------------------------------ files

    def known(self, file: InputFile) -> FileProgress | None:
        """Return how far a file has been checked; None if it has not been checked at all, or has changed since."""
        if not self._path or not file.stamp:
            return None
        kinds, sql = (int, int, bytes, int, str), f"SELECT pieces, whole, text, games, tally {_SAME_FILE} AND judge = ?"
        for chunks, whole, text, games, tally in self._rows(kinds, sql, _bytes(file.path), file.stamp, self._demands):
            if chunks:
                counted = self._tally(tally)
                if max(games, chunks, *counted.totals().values()) > most_in(file):
                    raise self.damaged()
                return FileProgress(chunks, bool(whole), _text(text), games, counted)
        return None

    def begin(self, file: InputFile) -> None:
        """Begin a file, or continue with it."""
        if not self._path:
            return
        if not self._begun:  # a run that stops earlier has not reported anything that could be lost
            self._run("PRAGMA user_version=1")
            self.save()
            self._begun = True
        values = (_bytes(file.path), file.stamp, self._demands)
        if self.known(file):
            ((self._file, self._text),) = self._rows((int, int), f"SELECT id, texts {_SAME_FILE}", *values[:2])
            return
        self.demands_changed |= bool(self._value(int, f"SELECT count(*) {_SAME_FILE} AND judge <> ?", *values))
        self.forget(file)
        sql = "INSERT INTO files VALUES (NULL, ?, ?, ?, 0, 0, 0, X'', 0, ?)"
        self._file = self._run(sql, *values, _tally_text(Tally())).lastrowid or 0

    def forget(self, file: InputFile) -> None:
        """Forget a file, so that it is checked again from its beginning."""
        for (number,) in self._rows((int,), "SELECT id FROM files WHERE path = ?", _bytes(file.path)):
            self._forget(number)

    def _forget(self, file: int) -> None:
        # Without their texts, moves seen in this file no longer count.
        self._write()
        self._run("DELETE FROM texts WHERE file = ?", file)
        self._run("DELETE FROM files WHERE id = ?", file)

    def end(self, progress: FileProgress) -> None:
        """Note how far the file has been checked."""
        if self._path:
            text, tally = _bytes(progress.text), _tally_text(progress.tally)
            self._run(
                "UPDATE files SET pieces = ?, whole = ?, texts = ?, text = ?, games = ?, tally = ? WHERE id = ?",
                *(progress.chunks, progress.whole, self._text, text, progress.games, tally, self._file),
            )
            if progress.whole and progress.chunks:
                self._run("INSERT OR IGNORE INTO anew SELECT path FROM files WHERE id = ?", self._file)

    # ------------------------------------------------------------------------------------------------------ moves

    def text(self, name: str) -> None:
        """Begin a text of the file."""
        self._text = self._run("INSERT INTO texts VALUES (NULL, ?, ?)", self._file, _bytes(name)).lastrowid or 0

    def seen(self, name: str, games: Sequence[tuple[int, Sequence[int]]]) -> list[dict[int, Seen]]:
        """Return, for each game of the text ``name``, which of its numbers were seen before, and in which text and
        game, including numbers of logs that count less than another log. Then note all numbers. A game is given as its
        place in the text and the numbers that identify it.
        """
        held, places, text = self._held, list[dict[int, Seen]](), self._text
        if self._written:
            held |= self._written_of({one ^ other for _, known in games for one in known for other in (0, COUNTS)})
        for game, known in games:
            place = name, game, text
            found: dict[int, Seen] = {}
            for one in known:
                if one in held:
                    found[one] = held[one][:2]
                if (other := one ^ COUNTS) in held:
                    found[other] = held[other][:2]
            for one in known:
                held.setdefault(one, place)
            places.append(found)
        if len(held) > MAX_PENDING:
            self._write()
        return places

    def _written_of(self, numbers: Iterable[int]) -> dict[int, tuple[str, int, int]]:
        """Return which of these numbers have been written, each with its place."""
        rows = self._rows((int, int, bytes, int), _SEEN, json.dumps(sorted(numbers)))
        return {number: (_text(name), game, text) for number, text, name, game in rows if name}

    def _write(self) -> None:
        """Write the numbers of games that are held in memory."""
        if self._held:
            rows = [(number, text, game) for number, (_, game, text) in sorted(self._held.items())]
            with self._explained():
                self._base.executemany("INSERT OR REPLACE INTO moves VALUES (?, ?, ?)", rows)
            self._held.clear()
            self._written = True

    # ------------------------------------------------------------------------------------------------- kept games

    def keep(self, path: str, name: str, size: int) -> None:
        """Note that the file at ``path`` has ``size`` bytes of games sorted from the text ``name``."""
        self._run("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, 0)", _bytes(path), _bytes(name), size)

    def forget_sorted(self, path: str) -> None:
        """Forget a file of sorted games."""
        self._run("DELETE FROM kept WHERE path = ?", _bytes(path))

    def kept(self) -> list[tuple[str, int]]:
        """Return all files of sorted games as (path, bytes)."""
        return [(self._place(path), size) for path, size in self._rows((bytes, int), "SELECT path, bytes FROM kept")]

    def _place(self, path: bytes) -> str:
        """Return a path as this program writes it, absolute and normalised; raise CannotRun for any other path."""
        place = _text(path)
        if "\0" in place or not os.path.isabs(place) or os.path.normpath(place) != place:
            raise self.damaged()
        return place

    def stale(self) -> list[str]:
        """Return the files that earlier runs sorted from texts that this run, which checks everything again, has not
        met.
        """
        sql = "SELECT path, name FROM kept WHERE old AND name NOT IN (SELECT name FROM texts)"
        gone = self._rows((bytes, bytes), sql)
        is_anew = partial(self._value, int, "SELECT 1 FROM anew WHERE path = ?")
        return [self._place(path) for path, name in gone if any(map(is_anew, _possible_files(name)))]

    def is_from_earlier_run(self, path: str) -> bool:
        """Return whether an earlier run wrote a file of sorted games that this run has not written."""
        return bool(self._value(int, "SELECT old FROM kept WHERE path = ?", _bytes(path)))

    def kept_text(self, path: str) -> str | None:
        """Return the text whose games were sorted to a file; None if there is no such text."""
        name = self._value(bytes, "SELECT name FROM kept WHERE path = ?", _bytes(path))
        return None if name is None else _text(name)


def _place(path: str) -> str:
    """Return the absolute path of a file, since some names have a special meaning for SQLite.

    Raise CannotRun if there is a rollback journal beside it: SQLite would apply it before anything could be checked,
    and a journal can name any file for deletion. Ours are write-ahead logs.
    """
    place = os.path.realpath(path)
    if os.path.islink(path) and not os.path.exists(place):
        raise CannotRun(f"{path}: {dangling_link()}")
    if os.path.lexists(f"{place}-journal") and os.path.exists(place) and os.path.getsize(place):
        raise CannotRun(f"{place}-journal: {phrase('--resume writes no such file; remove it, or name a new one')}")
    return place


def _schema() -> list[tuple[str, str, str, str | None]]:
    """Return the schema of our files, as SQLite gives it."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(_TABLES)
        return base.execute(_SCHEMA).fetchall()


def _possible_files(name: bytes) -> Iterator[bytes]:
    """Yield the paths of all files that can contain a text with a name."""
    yield name
    yield from (name[:at] for at, sign in enumerate(name) if sign == ord("/"))


def _bytes(name: str) -> bytes:
    """Return a name in the form in which it is stored, since not every name is valid text."""
    return name.encode("utf-8", "surrogateescape")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _tally_text(tally: Tally) -> str:
    return json.dumps([tally.games, tally.events, tally.turns, tally.verdicts, tally.severities, tally.repeated])
