"""What has been checked, and which moves have been seen: an SQLite file, so that neither has to fit into memory.

With a path it outlives the run, and the next one need not check again what has not changed (``--resume``); without
one it lies in a nameless file that the system takes away.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..report.model import NOTHING, SEVERITIES, VERDICTS, Tally
from ..storage import Unable
from ..storage.files import NOWHERE
from ..storage.sources import Found

MARK: Final = 0x7160
"""Tells a file of ours from any other database, and from one of another layout."""
STRANGE: Final = "this is no file that --resume has written; name a new one"
DAMAGED: Final = "what --resume has written there is damaged; name a new one"
JOURNAL: Final = "--resume writes no such file; take it away, or name a new one"
PATIENCE: Final = 1.0
"""Seconds of work that may be lost with the machine."""
_PRAGMAS: Final = {
    "journal_mode": ("WAL", "OFF"),
    "locking_mode": ("EXCLUSIVE", "EXCLUSIVE"),
    "synchronous": ("NORMAL", "OFF"),
    "application_id": (MARK, MARK),
    "cache_size": (-16000, -16000),
}
"""Settings with a path, and without one."""
_AT_ONCE: Final = 500
"""Games whose moves are looked up together."""
_MOST: Final = 2**63
"""No count is as large."""
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, path BLOB UNIQUE, stamp TEXT, judge TEXT, pieces INTEGER,
    whole INTEGER, texts INTEGER, text BLOB, games INTEGER, tally TEXT);
CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER, name BLOB);
CREATE TABLE IF NOT EXISTS moves (id INTEGER PRIMARY KEY, text INTEGER, game INTEGER);
CREATE TABLE IF NOT EXISTS kept (path BLOB PRIMARY KEY, name BLOB, bytes INTEGER, old INTEGER);
"""
_ANEW: Final = "CREATE TEMP TABLE anew (path BLOB PRIMARY KEY)"
_SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"


class _File(NamedTuple):
    """A row of the files."""

    id: int
    stamp: str
    judge: str
    pieces: int
    whole: int
    texts: int
    text: bytes
    games: int
    tally: str


_FILE: Final = (int, str, str, int, int, int, bytes, int, str)
_FILES: Final = f"SELECT {', '.join(_File._fields)} FROM files"


class Known(NamedTuple):
    """How far a file has been checked: so many ``pieces`` and the ``tally`` of their games; ``whole``: to its end.

    The last of the pieces was one of the text ``text``, and so many of its ``games`` came up to there.
    """

    pieces: int
    whole: bool
    text: str
    games: int
    tally: Tally


class Register(AbstractContextManager["Register"]):
    """Open it with a path, or with nothing, in a ``with``. Unable where that can't be done, or writing to it fails.

    A file may come from anywhere, so nothing in it is trusted: it has our tables and nothing beside them, and every
    value is looked at when it is read.

    ``lasts``: whether it outlives the run.
    ``clean``: whether the last run came to its end, so that its report was seen, and it did nothing but what it saved.
    ``strange``: whether something was checked again only since the demands are others now.
    """

    def __init__(self, path: str = "", judge: str = "") -> None:
        """``judge``: what a verdict depends on beside the text. What another one has checked is checked again."""
        self._judge, self._path, self.lasts = judge, path, bool(path)
        self._file, self._text, self._saved = 0, 0, time.monotonic()
        self._begun = self._settled = self.strange = False
        try:
            self._base = sqlite3.connect(_place(path) if path else "", isolation_level=None)
        except sqlite3.Error as error:
            raise Unable(_told(path, error)) from None
        try:
            self.clean = self._set_up()
        except Unable:
            self._base.close()
            raise

    def _set_up(self) -> bool:
        self._run("PRAGMA trusted_schema=OFF")
        empty = not self._path or not Path(self._path).stat().st_size
        if not empty and self._number("PRAGMA application_id") != MARK:
            raise Unable(f"{self._path}: {STRANGE}")
        for name, value in _PRAGMAS.items():
            self._run(f"PRAGMA {name}={value[0 if self._path else 1]}")
        self._run("BEGIN EXCLUSIVE")
        # Views and triggers of somebody else would run when we read and write.
        there = self._run(_SCHEMA).fetchall()
        if there and there != _schema():
            raise Unable(f"{self._path}: {STRANGE}")
        for each in _TABLES.split(";"):
            self._run(each)
        self._run(_ANEW)
        clean = not self._number("PRAGMA user_version")
        if not clean:
            # Nobody may have seen the report of that run, so what there was to report is found again.
            for row in map(_File._make, self._rows(_FILE, _FILES)):
                if self._tally(row.tally).severities:
                    self._forget(row.id)
        self._run("UPDATE kept SET old = 1")
        self.save()
        return clean

    def _run(self, sql: str, *values: object) -> sqlite3.Cursor:
        try:
            return self._base.execute(sql, values)
        except sqlite3.Error as error:
            raise Unable(_told(self._path, error)) from None

    def _run_all(self, sql: str, rows: Sequence[tuple[object, ...]]) -> None:
        try:
            self._base.executemany(sql, rows)
        except sqlite3.Error as error:
            raise Unable(_told(self._path, error)) from None

    def _rows(self, kinds: tuple[type, ...], sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of an answer. Unable where a value is of another type than it is to have, or negative."""
        try:
            rows = self._run(sql, *values).fetchall()
        except sqlite3.Error as error:
            raise Unable(_told(self._path, error)) from None
        except ValueError:  # a text that is none
            raise self._damaged() from None
        for row in rows:
            for value, kind in zip(row, kinds, strict=True):
                if type(value) is not kind or (kind is int and value < 0):
                    raise self._damaged()
        return rows

    def _number(self, sql: str) -> int:
        return next((value for (value,) in self._rows((int,), sql)), 0)

    def _damaged(self) -> Unable:
        return Unable(f"{self._path}: {DAMAGED}")

    def _tally(self, text: str) -> Tally:
        try:
            games, events, turns, verdicts, severities = json.loads(text)
            named = verdicts.keys() <= {*VERDICTS, NOTHING} and severities.keys() <= set(SEVERITIES)
            counts = [games, events, turns, *verdicts.values(), *severities.values()]
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise self._damaged() from None
        if not named or not all(type(count) is int and 0 <= count < _MOST for count in counts):
            raise self._damaged()
        return Tally(games, events, turns, Counter(verdicts), Counter(severities))

    def __exit__(self, kind: object, *_error: object) -> None:
        try:
            if kind is None and self._settled:
                self._run("PRAGMA user_version=0")
                self._run("COMMIT")
            elif self._base.in_transaction:
                # What was interrupted may be half done, or its report may be lost: the last save is what holds then.
                self._run("ROLLBACK")
        finally:
            self._base.close()

    def due(self) -> bool:
        """Whether it is time to save."""
        return bool(self._path) and time.monotonic() - self._saved > PATIENCE

    def save(self) -> None:
        """Keep what was done so far, where it is kept."""
        if self._path:
            self._run("COMMIT")
            self._run("BEGIN EXCLUSIVE")
            self._saved = time.monotonic()

    def settle(self) -> None:
        """All that was noted was handed out; it was seen as well unless something is raised until the end."""
        self._settled = True

    # ------------------------------------------------------------------------------------------------------ files

    def known(self, found: Found) -> Known | None:
        """How far a file has been checked; None where it has to be from its start, as it is new or has changed."""
        row = self._row(found) if self._path and found.stamp else None
        if row is None or (row.stamp, row.judge) != (found.stamp, self._judge) or not row.pieces:
            return None
        return Known(row.pieces, bool(row.whole), _text(row.text), row.games, self._tally(row.tally))

    def begin(self, found: Found) -> None:
        """Begin with a file, or go on with it."""
        if not self._path:
            return
        if not self._begun:  # a run that stops before has done nothing that somebody could have missed
            self._run("PRAGMA user_version=1")
            self.save()
            self._begun = True
        row = self._row(found)
        if row and self.known(found):
            self._file, self._text = row.id, row.texts
            return
        self.strange = self.strange or bool(row and found.stamp == row.stamp and self._judge != row.judge)
        self.forget(found)
        values = (_bytes(found.path), found.stamp, self._judge, _written(Tally()))
        added = self._run("INSERT INTO files VALUES (NULL, ?, ?, ?, 0, 0, 0, X'', 0, ?)", *values)
        self._file = added.lastrowid or 0

    def forget(self, found: Found) -> None:
        """Know nothing of a file any more, so that it is begun anew."""
        if row := self._row(found):
            self._forget(row.id)

    def _forget(self, file: int) -> None:
        # Its texts are gone, and so what they say of moves is not believed any more.
        self._run("DELETE FROM texts WHERE file = ?", file)
        self._run("DELETE FROM files WHERE id = ?", file)

    def _row(self, found: Found) -> _File | None:
        return next(map(_File._make, self._rows(_FILE, f"{_FILES} WHERE path = ?", _bytes(found.path))), None)

    def end(self, pieces: int, whole: bool, text: str, games: int, tally: Tally) -> None:
        """So far the file has come, see Known."""
        if self._path:
            self._run(
                "UPDATE files SET pieces = ?, whole = ?, texts = ?, text = ?, games = ?, tally = ? WHERE id = ?",
                *(pieces, whole, self._text, _bytes(text), games, _written(tally), self._file),
            )
            if whole and pieces:
                self._run("INSERT OR IGNORE INTO anew SELECT path FROM files WHERE id = ?", self._file)

    # ------------------------------------------------------------------------------------------------------ moves

    def text(self, name: str) -> None:
        """Begin with a text of the file."""
        self._text = self._run("INSERT INTO texts VALUES (NULL, ?, ?)", self._file, _bytes(name)).lastrowid or 0

    def seen(self, games: Sequence[tuple[int, int]]) -> list[tuple[str, int] | None]:
        """For each game of the text, given as its moves and its number, where these have been seen before.

        That is the text and its game; None where they are new, and from now on known.
        """
        known: dict[int, tuple[int, int]] = {}
        for begin in range(0, len(games), _AT_ONCE):
            ids = [moves for moves, _ in games[begin : begin + _AT_ONCE]]
            sql = f"SELECT id, text, game FROM moves WHERE id IN ({','.join('?' * len(ids))})"
            known.update({each: (text, game) for each, text, game in self._rows((int, int, int), sql, *ids)})
        found: list[tuple[str, int] | None] = []
        new: dict[int, tuple[int, int]] = {}
        for moves, game in games:
            here = self._text, game
            before = known.setdefault(moves, here)
            name = None if before == here else self._name(before[0])
            if name is None:
                known[moves] = new[moves] = here
            found.append(None if name is None else (name, before[1]))
        self._run_all("INSERT OR REPLACE INTO moves VALUES (?, ?, ?)", [(each, *here) for each, here in new.items()])
        return found

    def _name(self, text: int) -> str | None:
        """The name of a text; None where it is not there any more."""
        names = self._rows((bytes,), "SELECT name FROM texts WHERE id = ?", text)
        return _text(names[0][0]) if names else None

    # ------------------------------------------------------------------------------------------------- kept games

    def keep(self, path: str, name: str, size: int) -> None:
        """So many bytes stand in a file to which the games of a text have been sorted."""
        self._run("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, 0)", _bytes(path), _bytes(name), size)

    def unkeep(self, path: str) -> None:
        """A file is none of these any more."""
        self._run("DELETE FROM kept WHERE path = ?", _bytes(path))

    def kept(self) -> list[tuple[str, int]]:
        """All of these: path, bytes."""
        return [(self._place(path), size) for path, size in self._rows((bytes, int), "SELECT path, bytes FROM kept")]

    def _place(self, path: bytes) -> str:
        """A path as this program writes it: from the root, without detours."""
        place = _text(path)
        if "\0" in place or not os.path.isabs(place) or os.path.normpath(place) != place:
            raise self._damaged()
        return place

    def stale(self) -> list[str]:
        """Those of earlier runs whose text is in its file no more, as far as this run has been through it anew."""
        sql = "SELECT path, name FROM kept WHERE old AND name NOT IN (SELECT name FROM texts)"
        gone = self._rows((bytes, bytes), sql)
        anew = "SELECT 1 FROM anew WHERE path = ?"
        return [
            self._place(path) for path, name in gone if any(self._rows((int,), anew, head) for head in _heads(name))
        ]

    def is_of_before(self, path: str) -> bool:
        """Whether it was put there in an earlier run, and nothing in this one."""
        return any(old for (old,) in self._rows((int,), "SELECT old FROM kept WHERE path = ?", _bytes(path)))

    def kept_from(self, path: str) -> str | None:
        """The text whose games stand in a file; None where nobody has put any there."""
        rows = self._rows((bytes,), "SELECT name FROM kept WHERE path = ?", _bytes(path))
        return next((_text(name) for (name,) in rows), None)


def _place(path: str) -> str:
    """Return where a file lies, from the root, since some names mean other things to SQLite.

    Unable where a journal stands beside it: SQLite would carry it out before anything can be looked at, and a journal
    can name any file to be deleted. Ours are kept in another way (WAL).
    """
    place = os.path.realpath(path)
    if os.path.islink(path) and not os.path.exists(place):
        raise Unable(f"{path}: {NOWHERE}")
    if os.path.lexists(f"{place}-journal") and os.path.exists(place) and os.path.getsize(place):
        raise Unable(f"{place}-journal: {JOURNAL}")
    return place


def _schema() -> list[tuple[str, str, str, str | None]]:
    """What a file of ours has in it, as SQLite says it."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(_TABLES)
        return base.execute(_SCHEMA).fetchall()


def _heads(name: bytes) -> Iterator[bytes]:
    """The paths of all files that a text of that name can lie in."""
    yield name
    yield from (name[:at] for at, sign in enumerate(name) if sign == ord("/"))


def _bytes(name: str) -> bytes:
    """A name as it is stored: not every one is text."""
    return name.encode("utf-8", "surrogateescape")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _written(tally: Tally) -> str:
    return json.dumps([tally.games, tally.events, tally.turns, tally.verdicts, tally.severities])


def _told(path: str, error: sqlite3.Error) -> str:
    text, name = str(error), path or "a temporary file"
    if "locked" in text:
        return f"{name}: another run is at work with it"
    if "not a database" in text:
        return f"{name}: {STRANGE}"
    if "malformed" in text or "decode" in text:
        return f"{name}: {DAMAGED}"
    return f"{name}: what was checked can't be noted there ({text})"
