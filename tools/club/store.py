"""What a club's server must not forget, in an SQLite file: devices, their taps, which records it wrote, what was sent
in, who did what.

Every method may be called from any thread. What changes something has it on disk when it returns; if that fails, it
raises CannotRun, and nothing has changed.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock, RLock
from typing import Any, Final, NamedTuple

from ...notation.language import phrase
from ..storage.api import BINARY, CannotRun, sync_folder

VERSION: Final = 1
"""The version of the format."""
MARK: Final = 0x7162
"""The application id of our files, which tells them apart from other databases."""
WAITING: Final = "waiting"
ADMITTED: Final = "admitted"
REVOKED: Final = "revoked"
_TOKEN_BYTES: Final = 16
_TIMEOUT: Final = 5.0
"""Seconds to wait for another program that is writing."""
_SEEN_EVERY: Final = 5.0
"""Seconds after which it is noted again that a device was seen."""
_DEVICES: Final = "SELECT number, pairing, state, asked, seen FROM devices"
_WRITTEN: Final = 0
_INTENDED: Final = 1
_TABLES: Final = """\
CREATE TABLE devices (number INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE, pairing TEXT NOT NULL,
    state TEXT NOT NULL, asked REAL NOT NULL, seen REAL NOT NULL);
CREATE INDEX pairings ON devices (pairing, state);
CREATE TABLE games (device INTEGER PRIMARY KEY REFERENCES devices, head TEXT NOT NULL, bytes INTEGER NOT NULL,
    filed INTEGER NOT NULL DEFAULT -1);
CREATE TABLE taps (device INTEGER NOT NULL REFERENCES games, number INTEGER NOT NULL, tap TEXT NOT NULL,
    PRIMARY KEY (device, number)) WITHOUT ROWID;
CREATE TABLE contradicting (id INTEGER PRIMARY KEY, device INTEGER NOT NULL REFERENCES games, number INTEGER NOT NULL,
    taps TEXT NOT NULL);
CREATE TABLE records (device INTEGER NOT NULL REFERENCES devices, stage INTEGER NOT NULL, file TEXT NOT NULL,
    digest TEXT NOT NULL, PRIMARY KEY (device, stage)) WITHOUT ROWID;
CREATE TABLE acts (id INTEGER PRIMARY KEY, who TEXT NOT NULL, what TEXT NOT NULL, at REAL NOT NULL)"""
_SENT: Final = """\
CREATE TABLE IF NOT EXISTS sent (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, text BLOB NOT NULL,
    at REAL NOT NULL, aside INTEGER NOT NULL DEFAULT 0)"""
"""Records that were sent in; those who began without it get this table, too."""
"""``filed`` is how many taps the record has that was written last; ``contradicting`` has the taps of a device from the
first one that differs, a line each; ``records``, at the stage _INTENDED, what is about to be written.
"""


class Limits(NamedTuple):
    """How much the store takes: devices that wait, for a pairing and in all; bytes of a tap or the beginning of a game;
    taps of a game; bytes of all taps of a device.
    """

    waiting: int = 8
    all_waiting: int = 200
    tap: int = 1 << 16
    taps: int = 20_000
    bytes: int = 4_000_000
    sent: int = 500
    sent_bytes: int = 50_000_000
    """Records that were sent in and not put aside, and the bytes of all."""


LIMITS: Final = Limits()


class Refused(Exception):
    """Raised if the store takes nothing of what it was given. ``why`` is the name of the limit; ``begun`` if another
    game has begun on the device, ``no game`` if none has, ``form`` if it is not what could be kept, ``name`` if a
    record can't be called so.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Contradiction(Exception):
    """Raised if a tap is not the one that is kept under its ``number``. Both are kept."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Device(NamedTuple):
    """A device: the pairing that it asks for, its state, and when it asked and was last seen."""

    number: int
    pairing: str
    state: str
    asked: float
    seen: float


class SentRecord(NamedTuple):
    """A record that somebody sent in, when, and whether the organiser has put it aside."""

    number: int
    text: bytes
    at: float
    is_aside: bool


class Act(NamedTuple):
    """Something that was done: by whom, what, and when."""

    who: str
    what: str
    at: float


class ClubStore(AbstractContextManager["ClubStore"]):
    """The store of a club. It has no clock: times are the seconds that the caller gives."""

    def __init__(self, path: Path, limits: Limits = LIMITS) -> None:
        """Open the file, or create one that only its owner can read. Raise CannotRun if it is not a club's, if a newer
        version wrote it, or if it can't be used.
        """
        self.path, self.limits = path, limits
        self.filing = Lock()
        """Held by who writes a record, so that no older one comes after a newer one."""
        self._lock = RLock()
        with self._explained():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o600))
            self._base = sqlite3.connect(path, timeout=_TIMEOUT, isolation_level=None, check_same_thread=False)
        try:
            with self._explained():
                self._set_up()
        except BaseException:
            self._base.close()
            raise

    def _set_up(self) -> None:
        """Check that the file is ours, and create the tables if it is new."""
        self._base.execute("PRAGMA trusted_schema=OFF")
        self._check()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            self._base.execute(f"PRAGMA {pragma}")
        with self._changing():
            if self._check():
                for statement in _TABLES.split(";"):
                    self._base.execute(statement)
                self._base.execute(f"PRAGMA application_id={MARK}")
                self._base.execute(f"PRAGMA user_version={VERSION}")
            self._base.execute(_SENT)

    def _check(self) -> bool:
        """Return whether the file is empty. Raise CannotRun if it is neither that nor ours."""
        if not self._one("SELECT count(*) FROM sqlite_master")[0]:
            return True
        if self._one("PRAGMA application_id") != (MARK,):
            raise CannotRun(phrase("{path}: this is not the file of a club; name another", path=self.path))
        if self._one("PRAGMA user_version")[0] > VERSION:
            why = phrase("a newer version of this program wrote this file; install that version")
            raise CannotRun(f"{self.path}: {why}")
        return False

    def close(self) -> None:
        """Close the file. Nothing can be asked any more."""
        with self._lock:
            self._base.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise CannotRun if the file can't be read or written. A broken rule of the tables is an error of ours."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, OSError) as error:
            raise CannotRun(f"{self.path}: {phrase('nothing can be kept there ({error})', error=error)}") from error

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Commit what is done in the ``with``, or nothing of it if anything is raised."""
        with self._lock, self._explained():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, self._explained():
            return self._base.execute(sql, values).fetchall()

    def _one(self, sql: str, *values: object) -> tuple[Any, ...]:
        """Return the first row; nothing if there is none."""
        return next(iter(self._rows(sql, *values)), ())

    # ---------------------------------------------------------------------------------------------------- devices

    def ask(self, pairing: str, now: float) -> tuple[int, str]:
        """Enter a device that asks for a pairing; return its number and its token, which is kept nowhere.

        The first device of a pairing is admitted, any other waits. Raise Refused if too many are waiting. Whether there
        is such a pairing is for the caller to say.
        """
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._changing():
            (known,) = self._one("SELECT count(*) FROM devices WHERE pairing = ?", pairing)
            waiting = [other for (other,) in self._rows("SELECT pairing FROM devices WHERE state = ?", WAITING)]
            if known and waiting.count(pairing) >= self.limits.waiting:
                raise Refused("waiting")
            if known and len(waiting) >= self.limits.all_waiting:
                raise Refused("all_waiting")
            (number,) = self._one(
                "INSERT INTO devices VALUES (NULL, ?, ?, ?, ?, ?) RETURNING number",
                _hash(token), pairing, WAITING if known else ADMITTED, now, now,
            )  # fmt: skip
        return number, token

    def admit(self, number: int) -> bool:
        """Admit a device, also one that was revoked. Return whether there is such a device."""
        return self._put_state(number, ADMITTED)

    def revoke(self, number: int) -> bool:
        """Revoke a device; what it sent is kept. Return whether there is such a device."""
        return self._put_state(number, REVOKED)

    def replace(self, old: int, new: int) -> bool:
        """Let a device that waits go on as an ``old`` one of its pairing, which ends; return whether it can."""
        both = (
            "SELECT one.token FROM devices one JOIN devices other USING (pairing)"
            " WHERE one.number = ? AND one.state = ? AND other.number = ? AND one.number <> other.number"
        )
        with self._changing():
            if not (row := self._one(both, new, WAITING, old)):
                return False
            self._base.execute("DELETE FROM devices WHERE number = ?", (new,))
            self._base.execute("UPDATE devices SET token = ?, state = ? WHERE number = ?", (row[0], ADMITTED, old))
        return True

    def _put_state(self, number: int, state: str) -> bool:
        with self._changing():
            return bool(self._one("UPDATE devices SET state = ? WHERE number = ? RETURNING number", state, number))

    def device(self, token: str, now: float) -> Device | None:
        """Return the device with a token, whatever its state, and note that it was seen; None if there is none."""
        row = self._one(f"{_DEVICES} WHERE token = ?", _hash(token))
        if not row:
            return None
        device = Device(*row)
        if not 0 <= now - device.seen < _SEEN_EVERY:
            with suppress(CannotRun), self._changing():  # it may go on reading where the disk is full
                self._base.execute("UPDATE devices SET seen = ? WHERE number = ?", (now, device.number))
                return device._replace(seen=now)
        return device

    def devices(self) -> list[Device]:
        """Return all devices, in the order in which they asked."""
        return [Device(*row) for row in self._rows(f"{_DEVICES} ORDER BY 1")]

    # ------------------------------------------------------------------------------------------------------- taps

    def begin(self, device: int, head: dict[str, Any]) -> None:
        """Begin the game of a device with what begins its journal, all but the taps. To begin the same again changes
        nothing. Raise Refused if another game has begun, or if it can't be kept.

        Whether it begins a game that can be recorded, and whether the device is admitted, is for the caller to say.
        """
        text = self._text(head)
        if not isinstance(head, dict) or "taps" in head:
            raise Refused("form")
        with self._changing():
            if begun := self._one("SELECT head FROM games WHERE device = ?", device):
                if begun != (text,):
                    raise Refused("begun")
                return
            self._base.execute("INSERT INTO games (device, head, bytes) VALUES (?, ?, ?)", (device, text, len(text)))

    def take(self, device: int, first: int, taps: Sequence[Any]) -> int:
        """Keep taps of a device, numbered from ``first``, and return how many are kept, from which it should send on.

        Taps that are there already are passed over. After a gap none is taken. Raise Contradiction if one differs from
        that which is kept under its number: none is taken then, and the device's taps from there on are kept aside.
        Raise Refused if there are too many, or one can't be kept.
        """
        texts = [*map(self._text, taps)]
        with self._changing():
            size, count = self._kept(device)
            if not 0 <= first <= count:
                return count
            sql = "SELECT tap FROM taps WHERE device = ? AND number >= ? ORDER BY number LIMIT ?"
            there = [tap for (tap,) in self._rows(sql, device, first, len(texts))]
            differing = next((at for at, tap in enumerate(there) if tap != texts[at]), None)
            if differing is None:
                new = texts[len(there) :]
                if count + len(new) > self.limits.taps:
                    raise Refused("taps")
                self._grow(device, size, sum(map(len, new)))
                rows = ((device, number, text) for number, text in enumerate(new, count))
                self._base.executemany("INSERT INTO taps VALUES (?, ?, ?)", rows)
                return count + len(new)
            self._keep_aside(device, size, first + differing, texts[differing:])
        raise Contradiction(first + differing)

    def _kept(self, device: int) -> tuple[int, int]:
        """Return the bytes of a device, and the number of its taps. Raise Refused if no game has begun."""
        if not (row := self._one("SELECT bytes FROM games WHERE device = ?", device)):
            raise Refused("no game")
        return row[0], self.count(device)

    def _grow(self, device: int, size: int, more: int) -> None:
        """Count the bytes of a device. Raise Refused if they are too many."""
        if more:
            if size + more > self.limits.bytes:
                raise Refused("bytes")
            self._base.execute("UPDATE games SET bytes = ? WHERE device = ?", (size + more, device))

    def _keep_aside(self, device: int, size: int, number: int, texts: Sequence[str]) -> None:
        """Keep a device's version of its taps from a number on, in place of one that it only continues."""
        version = "\n".join(texts) + "\n"
        old, known = None, ""
        sql = "SELECT id, taps FROM contradicting WHERE device = ? AND number = ?"
        for row, there in self._rows(sql, device, number):
            if there.startswith(version):
                return
            if version.startswith(there):
                old, known = row, there
        self._grow(device, size, len(version) - len(known))
        self._base.execute("REPLACE INTO contradicting VALUES (?, ?, ?, ?)", (old, device, number, version))

    def contradicting(self, device: int) -> list[tuple[int, list[Any]]]:
        """Return the versions of a device that contradict its journal: from which number on, and the taps."""
        rows = self._rows("SELECT number, taps FROM contradicting WHERE device = ? ORDER BY id", device)
        return [(number, [*map(json.loads, taps.splitlines())]) for number, taps in rows]

    def count(self, device: int) -> int:
        """Return how many taps of a device are kept."""
        return self._one("SELECT ifnull(max(number) + 1, 0) FROM taps WHERE device = ?", device)[0]

    def journal(self, device: int) -> dict[str, Any] | None:
        """Return the journal of a device's game; None if none has begun."""
        begun = self._one("SELECT head FROM games WHERE device = ?", device)
        taps = self._rows("SELECT tap FROM taps WHERE device = ? ORDER BY number", device)
        return {**json.loads(begun[0]), "taps": [json.loads(tap) for (tap,) in taps]} if begun else None

    def _text(self, value: Any) -> str:
        """Return a value as JSON in ASCII, the same for equal ones. Raise Refused if it is too large, or not JSON."""
        try:
            text = json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise Refused("form") from None
        if len(text) > self.limits.tap:
            raise Refused("tap")
        return text

    # ---------------------------------------------------------------------------------------------------- records

    def written(self, device: int) -> tuple[str, str] | None:
        """Return the file of a device's record, and the SHA-256 of what was last written there; None if nothing was."""
        return self._record(device, _WRITTEN)

    def intended(self, device: int) -> tuple[str, str] | None:
        """Return the same of what was about to be written last, whether or not it was."""
        return self._record(device, _INTENDED)

    def unfiled(self) -> list[int]:
        """Return the devices whose records lack taps, or were never written."""
        count = "SELECT ifnull(max(number) + 1, 0) FROM taps WHERE taps.device = games.device"
        sql = f"SELECT device FROM games WHERE filed < ({count})"
        return [device for (device,) in self._rows(sql)]

    def note_filed(self, device: int, count: int) -> None:
        """Note how many taps a record has that was written."""
        with self._changing():
            self._base.execute("UPDATE games SET filed = ? WHERE device = ?", (count, device))

    def note_written(self, device: int, file: str, digest: str) -> None:
        """Note that a record was written."""
        self._note_record(device, _WRITTEN, file, digest)

    def note_intended(self, device: int, file: str, digest: str) -> None:
        """Note that a record is about to be written: if the server ends in between, it knows the file for its own."""
        self._note_record(device, _INTENDED, file, digest)

    def _record(self, device: int, stage: int) -> tuple[str, str] | None:
        row = self._one("SELECT file, digest FROM records WHERE device = ? AND stage = ?", device, stage)
        return (row[0], row[1]) if row else None

    def _note_record(self, device: int, stage: int, file: str, digest: str) -> None:
        with self._changing():
            self._base.execute("REPLACE INTO records VALUES (?, ?, ?, ?)", (device, stage, file, digest))

    def send(self, text: bytes, now: float) -> int:
        """Keep a record that was sent in, and return its number; the same text is kept once. Raise Refused if there are
        too many.
        """
        digest = sha256(text).digest()
        with self._changing():
            if known := self._one("SELECT id FROM sent WHERE digest = ?", digest):
                return known[0]
            sql = "SELECT count(*) FILTER (WHERE aside = 0), ifnull(sum(length(text)), 0) FROM sent"
            count, size = self._one(sql)
            if count >= self.limits.sent or size + len(text) > self.limits.sent_bytes:
                raise Refused("sent")
            return self._one("INSERT INTO sent VALUES (NULL, ?, ?, ?, 0) RETURNING id", digest, text, now)[0]

    def sent(self) -> list[int]:
        """Return the numbers of the records that were sent in and not put aside, the first one first."""
        return [number for (number,) in self._rows("SELECT id FROM sent WHERE aside = 0 ORDER BY id")]

    def sent_record(self, number: int) -> SentRecord | None:
        """Return a record that was sent in; None if there is none of this number."""
        row = self._one("SELECT id, text, at, aside FROM sent WHERE id = ?", number)
        return SentRecord(row[0], row[1], row[2], bool(row[3])) if row else None

    def put_aside(self, number: int, is_aside: bool = True) -> bool:
        """Put a record that was sent in aside, or back; return whether there is one."""
        with self._changing():
            sql = "UPDATE sent SET aside = ? WHERE id = ? RETURNING id"
            return bool(self._one(sql, int(is_aside), number))

    # ------------------------------------------------------------------------------------------------------- acts

    def note(self, who: str, what: str, now: float) -> None:
        """Note who did what, and when."""
        with self._changing():
            self._base.execute("INSERT INTO acts VALUES (NULL, ?, ?, ?)", (who, what, now))

    def acts(self, most: int) -> list[Act]:
        """Return what was done last, the latest first, and no more than ``most`` of it."""
        return [Act(*row) for row in self._rows("SELECT who, what, at FROM acts ORDER BY id DESC LIMIT ?", most)]

    def backup(self, target: Path) -> None:
        """Copy everything into a new file, which is whole from the moment it is there; other threads wait meanwhile.

        Raise CannotRun if there is a file of that name, or if it can't be written.
        """
        if os.path.lexists(target):
            raise CannotRun(phrase("{path}: there is such a file already; name a new one", path=target))
        part = target.with_name(f".{target.name}.part")
        try:
            part.unlink(missing_ok=True)
            os.close(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | BINARY, 0o600))
            with self._lock, closing(sqlite3.connect(part)) as copy:
                self._base.backup(copy)
            with open(part, "r+b") as stream:
                os.fsync(stream.fileno())
            os.replace(part, target)
        except (sqlite3.Error, OSError) as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            why = phrase("the copy can't be written there ({error})", error=error)
            raise CannotRun(f"{target}: {why}") from error
        sync_folder(target.parent)


def _hash(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
