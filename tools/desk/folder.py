"""The folder of records that a desk keeps: its files are the library, and each game recorded by taps is one of them.

``anna-ben.tiro`` is a record and ``anna-ben.tiro.trail`` its journal, both as `tiro record` keeps them;
``anna-ben.tiro.taps`` has the taps: a line of JSON that begins the game, and a line for each tap. A tap is on disk
there before the record follows. No file stays open between two taps, so nothing that a page or a process leaves is in
the way.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unicodedata import category

from ...notation.records import read_bytes
from ...replay.engine.api import AGAINST_NET, VIEWS
from ...schemas import whole_numbers
from ..recorder.api import BEGUN, FOUND, decoded, digest, encoded, normalized
from ..recorder.storage import NotKept, RecordStorage, reason_of
from ..storage.api import BINARY, lock, mode_of, save_beside, sync_folder
from ..storage.sources import RECORD, TEXT_SUFFIXES, files_at
from .check import LIMITS, SomeGames, checked, is_running
from .desk import VERSION, DeskError, is_found, sentence

if TYPE_CHECKING:
    from .desk import Desk

TAPS: Final = ".taps"
"""The ending of the name of a game's taps, after that of its record."""
TAPPED: Final = "tapped"
"""What was done, in the trail, where a tap did it."""
MAX_TAPS: Final = 20_000
"""The most taps of a game."""
_MAX_SIZE: Final = 4_000_000
"""The most bytes of a record that can be gone on with, or of a line of taps."""


class TapsFile:
    """The taps of a game, read from a file: its ``head``, its ``taps`` with None for each that can't be read, and the
    ``size`` in bytes of the lines that are whole.
    """

    def __init__(self, data: bytes) -> None:
        """Read the lines; a last one without a line end was never finished. Raise ValueError if no game begins it."""
        first, *lines = data[: data.rfind(b"\n") + 1].split(b"\n")[:-1] or [b""]
        self.head = whole_numbers(json.loads(first))
        if not (isinstance(self.head, dict) and isinstance(self.head.get("game"), str) and "start" in self.head):
            raise ValueError("no game begins here")
        self.taps = [*map(_tap, lines)]
        self.size = data.rfind(b"\n") + 1


def _tap(line: bytes) -> Any:
    with suppress(ValueError, RecursionError):
        return json.loads(line)
    return None


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


class TappedGame:
    """A game in the folder while a page records it."""

    def __init__(self, folder: GameFolder, game: str, journal: Mapping[str, Any]) -> None:
        """Begin to keep the game of a journal."""
        self.folder, self.game = folder, game
        self.head = {name: value for name, value in journal.items() if name != "taps"}
        self.taps: list[Any] = [*journal.get("taps", [])]
        self.place: Path | None = None
        """The file of its record, once it has one."""
        self.text = ""
        """What the record says, as far as this game has written it."""
        self.messages: list[str] = []
        self._is_open = False

    def keep(self, desk: Desk) -> dict[str, Any]:
        """Write what the folder lacks, and return what the page should know: sentences as ``told``, and as ``found``
        the tap that takes over a record that somebody else had changed before the game was opened.
        """
        found: dict[str, Any] = {}
        try:
            if self.place is None or not _taps_of(self.place).exists():
                self.place = self.folder.place_of(self.game) or self._new_game()
            self._write_taps(self.place)
            if not self._is_open or desk.text != self.text:
                found = self._write_record(self.place, desk)
                self._is_open = True
            told = self.messages
        except (OSError, NotKept) as error:
            cause = error if isinstance(error, OSError) else error.__cause__
            reason, remedy = reason_of(cause) if isinstance(cause, OSError) else (str(error), "")
            place = self.place or self.folder.path
            told = [*self.messages, sentence("folder", "unfiled", place=place, reason=reason, remedy=remedy)]
        return {"told": "\n".join(dict.fromkeys(told))} | found

    def _new_game(self) -> Path:
        """Return a name for the record that nobody uses, and make the file of its taps."""
        given = self.head["start"].get("file")
        names = [given] if isinstance(given, str) and self.folder.has(given) else []
        stem = name_of(self.head["start"].get("headers", {}))
        self.folder.path.mkdir(parents=True, exist_ok=True)
        for number in count():
            name = names.pop() if names else f"{stem}{f'-{number}' if number > 1 else ''}{RECORD}"
            place = self.folder.path / name
            if name != given and place.exists():
                continue
            head = _line({**self.head, "game": self.game, "begun": round(time.time() * 1000)})
            with suppress(FileExistsError):
                handle = os.open(_taps_of(place), os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode_of(place) | 0o600)
                try:
                    with open(handle, "wb") as stream:
                        stream.write(head)
                        stream.flush()
                        os.fsync(handle)
                except BaseException:
                    _taps_of(place).unlink()
                    raise
                sync_folder(place.parent)
                return place
        raise AssertionError

    def _write_taps(self, place: Path) -> None:
        """Append the taps that the file lacks. Raise NotKept if it has others."""
        with open(_taps_of(place), "r+b") as stream:
            lock(stream.fileno())
            data = stream.read()
            there = TapsFile(data)
            both = zip(there.taps, self.taps, strict=False)
            if len(there.taps) > len(self.taps) or any(old not in (None, new) for old, new in both):
                raise NotKept(sentence("folder", "elsewhere"))
            if None in there.taps:  # the page knows them still
                save_beside(lambda number: _taps_of(place, f".damaged-{number}"), data, mode_of(place))
                there.taps, there.size = [], len(_line(there.head))
            if len(there.taps) < len(self.taps) or there.size < len(data):
                stream.seek(there.size)
                stream.truncate()
                stream.write(b"".join(map(_line, self.taps[len(there.taps) :])))
                stream.flush()
                os.fsync(stream.fileno())

    def _write_record(self, place: Path, desk: Desk) -> dict[str, Any]:
        """Bring the record to what the desk says. What somebody else has written there is returned as a tap, or stays
        beside it if the game was open.
        """
        with RecordStorage(place) as storage:
            entries = storage.journal.entries
            known = "", self.text, *(normalized(tap["text"]) for tap in self.taps if is_found(tap))
            is_own = (entries and entries[-1].what in (TAPPED, BEGUN)) or storage.text in known
            text, aside = desk.kept
            if not is_own and storage.text != normalized(text):
                if entries and entries[-1].what == FOUND:
                    storage.messages.pop()  # what is done about it here is another thing
                if not self._is_open:
                    self.messages += storage.messages
                    return {"found": {"tap": "found", "text": storage.text, "aside": storage.aside}}
                theirs = save_beside(storage.theirs, encoded(storage.text), mode_of(place))
                storage.messages.append(sentence("folder", "theirs", file=place.name, other=theirs.name))
            if (normalized(text), aside) != (storage.text, storage.aside):
                turns = desk.recorder.draft.record.turns
                storage.keep(text, TAPPED if entries else BEGUN, turns[-1].label if turns else "", aside)
            storage.clocks = desk.recorder.storage.clocks
            self.messages += storage.messages
        self.text = text
        return {}


class GameFolder:
    """A folder of records. Names in questions are relative to it, and lead nowhere else."""

    def __init__(self, path: Path) -> None:
        """Use a folder, which need not exist yet."""
        self.path = path.resolve()

    def _taps_files(self) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Yield the records that have taps, and how each game begins."""
        for place in sorted(self.path.rglob(f"*{TAPS}")):
            with suppress(OSError, ValueError, RecursionError), open(place, "rb") as stream:
                yield place.with_suffix(""), TapsFile(stream.readline(_MAX_SIZE)).head

    def games(self) -> list[dict[str, Any]]:
        """Return how each game recorded by taps begins, with its ``id`` and the ``file`` of its record."""
        return [{"begun": 0, **head, "id": head["game"], "file": self._name(path)} for path, head in self._taps_files()]

    def tapped(self, game: str, journal: Mapping[str, Any]) -> TappedGame:
        """Return a game that is kept here from now on."""
        return TappedGame(self, game, journal)

    def place_of(self, game: str) -> Path | None:
        """Return the record of a game; None if the folder has none."""
        return next((place for place, head in self._taps_files() if head["game"] == game), None)

    def journal(self, game: str) -> dict[str, Any] | None:
        """Return the journal of a game; None if the folder has none."""
        place = self.place_of(game)
        if place is None:
            return None
        read = TapsFile(_taps_of(place).read_bytes())
        head = {name: value for name, value in read.head.items() if name not in ("game", "begun")}
        return head | {"taps": read.taps[:MAX_TAPS]}

    def resumed(self, name: str) -> dict[str, Any]:
        """Return the ``game`` of a record, and its ``journal``, which begins with the record as it is now unless it has
        one. Raise NoJournal if the record can't be gone on with.
        """
        place = self._place(name)
        with suppress(OSError, ValueError, RecursionError):
            game = TapsFile(_taps_of(place).read_bytes()).head["game"]
            return {"game": game, "journal": self.journal(game)}
        data = self._read(place)
        games = [*read_bytes(BytesIO(data), name)]
        if len(games) != 1 or len(data) > _MAX_SIZE or games[0].missing:
            raise DeskError(sentence("folder", "not_one", file=name))
        record, text = games[0].record, decoded(data)
        if record.header("Event") == AGAINST_NET and is_running(text):
            raise DeskError(sentence("look", "not_over"))
        rules, view = record.header("Rules"), record.header("View")
        headers = {side: record.header(side) for side in ("Caesar", "Cleopatra") if record.header(side)}
        start = {"rules": rules, "view": view if view in VIEWS else "arbiter", "headers": headers, "file": name}
        start |= {"tournament": True} if record.header("Mode") == "tournament" else {}
        journal = {"desk": VERSION, "start": start, "taps": [{"tap": "found", "text": text}]}
        return {"game": f"file-{digest(name + text)}", "journal": journal}

    def checked(self) -> SomeGames:
        """Yield the games in all files, some at a time, as :func:`checked` does, each with its ``file``, its ``place``
        there, counted from 0, the time of the file, and the ``game`` that was recorded by taps there.
        """
        games = {place: head["game"] for place, head in self._taps_files()}
        for file in files_at(str(self.path)) if self.path.is_dir() else ():
            place = Path(file.path)
            about = {"file": self._name(place), "when": 0, "game": games.get(place)}
            data, problem = b"", file.problem
            try:
                about["when"] = round(place.stat().st_mtime * 1000)
                data = data if problem else self._read(place)
            except OSError as error:
                problem = reason_of(error)[0]
            if problem:
                yield [{"fault": f"{about['file']}: {problem}"}], 0
                continue
            number = 0
            for found, taken in checked(data, about["file"], named=False):
                yield [{**each, **about, "place": number + at} for at, each in enumerate(found)], taken
                number += len(found)

    def text(self, name: str, place: int) -> str:
        """Return the text of a game in a file. Raise NoJournal if there is none."""
        games = [game for found, _ in checked(self._read(self._place(name)), name) for game in found]
        if not 0 <= place < len(games):
            raise DeskError(sentence("every", "gone"))
        if "text" not in games[place]:
            raise DeskError(games[place]["fault"])
        return str(games[place]["text"])

    def put(self, name: str, text: str) -> str:
        """Write a record to a file of its own, unless the folder has that very text; return the name of the file."""
        data, stem = encoded(text), Path(name).stem
        self.path.mkdir(parents=True, exist_ok=True)
        for file in files_at(str(self.path), TEXT_SUFFIXES):
            with suppress(OSError):
                if file.size == len(data) and Path(file.path).read_bytes() == data:
                    return self._name(Path(file.path))

        def called(number: int) -> Path:
            return self.path / f"{name_of({'Caesar': stem})}{f'-{number}' if number > 1 else ''}{RECORD}"

        return self._name(save_beside(called, data, mode_of(called(1))))

    def has(self, name: str) -> bool:
        """Return whether a name leads to a file within the folder that may be a record."""
        place = self.path / name
        is_within = place.resolve().is_relative_to(self.path)
        return is_within and place.name.endswith(TEXT_SUFFIXES) and place.is_file()

    def _place(self, name: str) -> Path:
        if not self.has(name):
            raise DeskError(sentence("every", "gone"))
        return self.path / name

    def _name(self, place: Path) -> str:
        return place.relative_to(self.path).as_posix()

    def _read(self, place: Path) -> bytes:
        if place.stat().st_size > LIMITS["bytes"]:
            raise DeskError(sentence("folder", "not_one", file=place.name))
        return place.read_bytes()


def name_of(headers: Mapping[str, Any]) -> str:
    """Return the name, without its suffix, of the file for a game: who played, and when."""
    known = [headers.get(name) for name in ("Caesar", "Cleopatra", "Date")]
    parts = [each for each in known if isinstance(each, str) and each and "?" not in each]
    # Letters, marks and numbers of any script, and dots within a word.
    safe = "".join(char if char == "." or category(char)[0] in "LMN" else "-" for char in "-".join(parts).lower())
    return re.sub(r"[-.]*-[-.]*", "-", safe).strip("-.")[:80] or "game"


def _taps_of(place: Path, more: str = "") -> Path:
    return place.with_name(f"{place.name}{TAPS}{more}")
