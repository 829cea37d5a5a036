"""What has been checked, and which moves have been seen: an SQLite file, so that neither has to fit into memory.

With a path it outlives the run, and the next one need not check again what has not changed (``--resume``); without
one it lies in a nameless file that the system takes away.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..report.model import Tally
from . import Unable
from .sources import Found

MARK: Final = 0x7160
"""Tells a file of ours from any other database, and from one of another layout."""
STRANGE: Final = "this is no file that --resume has written; name a new one"
PATIENCE: Final = 1.0
"""Seconds of work that may be lost with the machine."""
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, path TEXT UNIQUE, stamp TEXT, judge TEXT, pieces INTEGER,
    whole INTEGER, texts INTEGER, text TEXT, games INTEGER, tally TEXT);
CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER, name TEXT);
CREATE TABLE IF NOT EXISTS moves (id INTEGER PRIMARY KEY, text INTEGER, game INTEGER);
CREATE TABLE IF NOT EXISTS kept (path TEXT PRIMARY KEY, name TEXT, bytes INTEGER);
"""


class Known(NamedTuple):
    """How far a file has been checked: so many ``pieces`` and the ``tally`` of their games; ``whole``: to its end.

    The last of the pieces was one of the text ``text``, and so many of its ``games`` came up to there.
    """

    pieces: int
    whole: bool
    text: str
    games: int
    tally: Tally


class Register:
    """Open it with a path, or with nothing, in a ``with``. Unable where that can't be done."""

    def __init__(self, path: str = "", judge: str = "") -> None:
        """``judge``: what a verdict depends on beside the text. What another one has checked is checked again."""
        self._judge, self._path = judge, path
        self._file, self._text, self._saved = 0, 0, time.monotonic()
        try:
            self._base = sqlite3.connect(path, isolation_level=None)
            self._set_up()
        except sqlite3.DatabaseError as error:
            raise Unable(f"{path}: {_told(error)}") from None

    def _set_up(self) -> None:
        run = self._base.execute
        empty = not self._path or not Path(self._path).stat().st_size
        if not empty and run("PRAGMA application_id").fetchone()[0] != MARK:
            raise Unable(f"{self._path}: {STRANGE}")
        run(f"PRAGMA journal_mode={'WAL' if self._path else 'OFF'}")
        run("PRAGMA locking_mode=EXCLUSIVE")
        run(f"PRAGMA synchronous={'NORMAL' if self._path else 'OFF'}")
        run(f"PRAGMA application_id={MARK}")
        run("PRAGMA cache_size=-16000")
        run("BEGIN EXCLUSIVE")
        for each in _TABLES.split(";"):
            run(each)

    def __enter__(self) -> Register:
        return self

    def __exit__(self, kind: object, *_error: object) -> None:
        if self._base.in_transaction:
            # What was interrupted may be half done: the last save is what holds then.
            self._base.execute("ROLLBACK" if kind else "COMMIT")
        self._base.close()

    def due(self) -> bool:
        """Whether it is time to save."""
        return bool(self._path) and time.monotonic() - self._saved > PATIENCE

    def save(self) -> None:
        """Keep what was done so far, where it is kept."""
        if not self._path:
            return
        self._base.execute("COMMIT")
        self._base.execute("BEGIN EXCLUSIVE")
        self._saved = time.monotonic()

    # ------------------------------------------------------------------------------------------------------ files

    def known(self, found: Found) -> Known | None:
        """How far a file has been checked; None where it has to be from its start, as it is new or has changed."""
        row = self._row(found) if self._path and found.stamp else None
        if row is None or row[2:4] != (found.stamp, self._judge):
            return None
        return Known(row[4], bool(row[5]), row[7], row[8], _tally(row[9]))

    def begin(self, found: Found) -> None:
        """Begin with a file, or go on with it."""
        if not self._path:
            return
        row = self._row(found)
        if self.known(found):
            self._file, self._text = row[0], row[6]
            return
        if row:
            self.forget(found)
        values = (found.path, found.stamp, self._judge, _written(Tally()))
        added = self._base.execute("INSERT INTO files VALUES (NULL, ?, ?, ?, 0, 0, 0, '', 0, ?)", values)
        self._file = added.lastrowid or 0

    def forget(self, found: Found) -> None:
        """Know nothing of a file any more, so that it is begun anew."""
        if row := self._row(found):
            # Its texts are gone, and so what they say of moves is not believed any more.
            self._base.execute("DELETE FROM texts WHERE file = ?", (row[0],))
            self._base.execute("DELETE FROM files WHERE id = ?", (row[0],))

    def _row(self, found: Found) -> Any:
        return self._base.execute("SELECT * FROM files WHERE path = ?", (found.path,)).fetchone()

    def end(self, pieces: int, whole: bool, text: str, games: int, tally: Tally) -> None:
        """So far the file has come, see Known."""
        if self._path:
            self._base.execute(
                "UPDATE files SET pieces = ?, whole = ?, texts = ?, text = ?, games = ?, tally = ? WHERE id = ?",
                (pieces, whole, self._text, text, games, _written(tally), self._file),
            )

    # ------------------------------------------------------------------------------------------------------ moves

    def text(self, name: str) -> None:
        """Begin with a text of the file."""
        self._text = self._base.execute("INSERT INTO texts VALUES (NULL, ?, ?)", (self._file, name)).lastrowid or 0

    def seen(self, moves: int, game: int) -> tuple[str, int] | None:
        """Where moves have been seen before: the text and its game; None where they are new, and from now on known."""
        run = self._base.execute
        if run("INSERT OR IGNORE INTO moves VALUES (?, ?, ?)", (moves, self._text, game)).rowcount:
            return None
        text, number = run("SELECT text, game FROM moves WHERE id = ?", (moves,)).fetchone()
        if (text, number) == (self._text, game):
            return None
        name = run("SELECT name FROM texts WHERE id = ?", (text,)).fetchone()
        if name is None:
            run("UPDATE moves SET text = ?, game = ? WHERE id = ?", (self._text, game, moves))
            return None
        return name[0], number

    # ------------------------------------------------------------------------------------------------- kept games

    def keep(self, path: str, name: str, size: int) -> None:
        """So many bytes stand in a file to which the games of a text have been sorted."""
        self._base.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (path, name, size))

    def kept(self) -> Iterator[tuple[str, int]]:
        """All of these: path, bytes."""
        yield from self._base.execute("SELECT path, bytes FROM kept")

    def kept_from(self, path: str) -> str | None:
        """The text whose games stand in a file; None where nobody has put any there."""
        row = self._base.execute("SELECT name FROM kept WHERE path = ?", (path,)).fetchone()
        return row[0] if row else None


def _written(tally: Tally) -> str:
    return json.dumps([tally.games, tally.events, tally.turns, tally.verdicts, tally.severities])


def _tally(text: str) -> Tally:
    games, events, turns, verdicts, severities = json.loads(text)
    return Tally(games, events, turns, Counter(verdicts), Counter(severities))


def _told(error: sqlite3.DatabaseError) -> str:
    text = str(error)
    if "locked" in text:
        return "another run is at work with it"
    if "not a database" in text:
        return STRANGE
    return f"what was checked can't be noted there ({text})"
