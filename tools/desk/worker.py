"""Messages between a page and the recorder: a question in JSON, its answer in JSON.

    {"ask": "open", "game": "a", "journal": {…}}         → {"screen": {…}}
    {"ask": "take", "game": "a", "tap": {…}}             → {"screen": {…}}
    {"ask": "close", "game": "a"}                        → {}
    {"ask": "check", "name": "a.tiro", "text": "…"}      → {"games": [{…}, …]}
    {"ask": "check", "name": "a.zip"} and its bytes      → {"games": [{…}, …], "more": true, "taken": 9}
    {"ask": "more"}                                      → {"games": [], "more": false, "taken": 0}
    {"ask": "repair", "name": "a.tiro", "text": "…"}     → {"repairs": [{…}, …], "found": 3, …}
    {"ask": "join", "name": "j.tiro", "logs": [{"name": …, "text": …}, …], "picks": {"8R": "2"}}
                                                         → {"games": [{…}], "disagreements": [{…}, …]}
    {"ask": "alike", "logs": [{"name": …, "text": …}, …]} → {"alike": [[0, 1], [2]]}
    {"ask": "record", "journal": {…}}                    → {"text": "…", "games": [{…}]}
    {"ask": "look", "text": "…", "view": "caesar"}       → {"page": "…", "views": ["caesar", …], …}
    {"ask": "zip"} and [["a.tiro", "…"], …] as bytes     → {"zip": "…"} in base64
    {"ask": "journals"} and the bytes of a zip           → {"journals": [{…}, …]}
    {"ask": "event", "name": "open"}                     → {}, and its files are taken after that:
    {"ask": "event file", "name": "event.toml"} and its bytes → {}
    {"ask": "event told"}                                → {"event": {…}, "to_do": [{…}, …], …}
    {"ask": "event text", "name": "round1/a.tiro"}       → {"text": "…"}
    {"ask": "keep", "game": "a"}                         → {"told": "…"}
    {"ask": "games"}                                     → {"games": [{"id": "a", "start": {…}, …}, …]}
    {"ask": "journal", "game": "a"}                      → {"journal": {…}}
    {"ask": "go on", "name": "a.tiro"}                   → {"game": "a", "journal": {…}}
    {"ask": "folder"}                                    → {"games": [{"file": "a.tiro", "place": 0, …}, …], …}
    {"ask": "text", "name": "a.tiro", "place": 0}        → {"text": "…"}
    {"ask": "put", "name": "a.tiro", "text": "…"}        → {"name": "a.tiro"}
    {"ask": "complete", "text": "…\n1E 3"}               → {"typed": "3", "start": "3", "choices": […]}

The seven questions before the last one are about a folder of records, if the desk has one. There, a game that was
opened with ``keeps`` is written to its file, and ``told`` in an answer says what its writer should know.

A question that can't be answered gets ``{"fault": sentence}``. Each page has a session of its own, which keeps what it
has open; the journals of games are kept by the page. Questions are asked one at a time, so an answer needs no number.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from .check import SentLog, SomeGames, alike, checked, continued, encoded, joined, mended
from .desk import Desk, NoJournal, catalogue
from .library import journals_in, zipped

if TYPE_CHECKING:
    from .event import SentEvent
    from .folder import GameFolder, TappedGame

Answers: TypeAlias = Callable[[dict[str, Any], Callable[[], None]], dict[str, Any] | None]
"""Answers a message, or leaves it to others, with signs of life meanwhile."""
_LARGEST: Final = 4_000_000
"""How many characters a message may have."""
_ABOUT: Final = {"name": "", "text": "", "rules": "", "first": 1, "view": "", "logs": [], "picks": {}}
"""What a message about records contains besides its kind, and the defaults."""
_LOG: Final = {"name": "", "text": "", "first": 1, "view": ""}
"""What it contains for each of several logs."""


class DeskSession:
    """What one page has open: its games, the file that it checks, and the folder of an event. Pages share nothing."""

    def __init__(self, folder: GameFolder | None = None, more: Answers = lambda _asked, _alive: None) -> None:
        """Begin with nothing open; ``folder`` keeps the games, if there is one; ``more`` answers messages that only a
        server can.
        """
        self.folder, self.more = folder, more
        self.games: dict[str, Desk] = {}
        self.filed: dict[str, TappedGame] = {}
        self.file: SomeGames | None = None
        self.event: SentEvent | None = None

    def answer(self, message: str, data: Any = b"", alive: Callable[[], None] = lambda: None) -> str:
        """Return the answer to a message, both in JSON. ``data`` is the file that it is about, as bytes or a JavaScript
        object. ``alive`` is called again and again while a long work goes on.
        """
        try:
            if len(message) > _LARGEST:
                raise NoJournal(catalogue()["screen"]["too_long"].format(f"{_LARGEST:,}"))
            asked = json.loads(message)
            if not isinstance(asked, dict):
                raise NoJournal(catalogue()["screen"]["no_message"])
            sent = data if isinstance(data, bytes) else data.to_bytes()
            said = (
                self._of_files(asked, sent, alive)
                or self._of_folder(asked)
                or self.more(asked, alive)
                or self._answered(asked, alive)
            )
        except NoJournal as error:
            said = {"fault": str(error)}
        except (ValueError, RecursionError):
            said = {"fault": catalogue()["screen"]["no_message"]}
        except Exception as error:  # noqa: BLE001 - the page goes on recording, and can say what happened
            said = {"fault": catalogue()["screen"]["broken"].format(f"{type(error).__name__}: {error}")}
        return json.dumps(said)

    def _answered(self, asked: dict[str, Any], alive: Callable[[], None]) -> dict[str, Any]:
        game = asked.get("game")
        if not isinstance(game, str):
            raise NoJournal(catalogue()["screen"]["no_game"])
        match asked.get("ask"):
            case "open":
                desk = self.games[game] = Desk.of(asked.get("journal"), alive)
                self.filed.pop(game, None)
                if self.folder is not None and asked.get("keeps"):
                    self.filed[game] = self.folder.tapped(game, asked["journal"])
                return {"screen": desk.screen()}
            case "take" if game in self.games:
                if game in self.filed:
                    self.filed[game].taps.append(asked.get("tap"))
                return {"screen": self.games[game].take(asked.get("tap"))}
            case "keep" if game in self.filed:
                return self.filed[game].keep(self.games[game])
            case "close":
                for opened in (self.games, self.filed):
                    opened.pop(game, None)
                return {}
            case "take" | "keep":
                raise NoJournal(catalogue()["screen"]["no_game"])
            case _:
                raise NoJournal(catalogue()["screen"]["no_message"])

    def _of_folder(self, asked: dict[str, Any]) -> dict[str, Any] | None:
        """Return the answer to a message about the folder of records; None for any other message."""
        folder, kind = self.folder, asked.get("ask")
        if folder is None:
            return None
        name, text, place, game = _said(asked, {"name": "", "text": "", "place": 0, "game": ""})
        match kind:
            case "games":
                return {"games": folder.games()}
            case "journal":
                return {"journal": folder.journal(game)}
            case "go on":
                return folder.taken_up(name)
            case "folder":
                self.file = folder.checked()
                return _next_games(self.file)
            case "text":
                return {"text": folder.text(name, place)}
            case "put":
                return {"name": folder.put(name, text)}
            case _:
                return None

    def _of_files(self, asked: dict[str, Any], data: bytes, alive: Callable[[], None]) -> dict[str, Any] | None:
        """Return the answer to a message about records in files; None for any other message."""
        name, text, rules, first, view, logs, picks = _said(asked, _ABOUT)
        match asked.get("ask"):
            case "check" if "text" in asked:
                return _told(_all_games(checked(encoded(text), name, rules, first), alive))
            case "check":
                self.file = checked(data, name, rules, named=not asked.get("in_folder"))
                return _next_games(self.file)
            case "more" if self.file:
                return _next_games(self.file)
            case "repair":
                return mended(text, name, rules, first)
            case "complete":
                return continued(text, rules)
            case "join" if logs and all(isinstance(log, str) for log in picks.values()):
                return joined([SentLog(*_said(log, _LOG)) for log in logs], name, picks)
            case "alike" if logs:
                return {"alike": alike([SentLog(*_said(log, _LOG)) for log in logs])}
            case "record":
                from .look import recorded  # imported late, as below: recording must not wait for a game's page

                text = recorded(asked.get("journal"), alive)
                return {"text": text, "games": _all_games(checked(encoded(text), name), alive)}
            case "look":
                from .look import looked

                return looked(text, view, rules)
            case "event":
                from .event import SentEvent

                self.event = SentEvent(name)
                return {"files": 0}
            case "event file" if self.event:
                self.event.put(name, data)
                return {"files": 1}
            case "event told" if self.event:
                return self.event.told()
            case "event text" if self.event:
                return {"text": self.event.text(name)}
            case "more" | "event file" | "event told" | "event text":
                raise NoJournal(catalogue()["screen"]["forgotten"])
            case "zip":
                return {"zip": b64encode(zipped(json.loads(data))).decode()}
            case "journals":
                return {"journals": journals_in(data)}
            case _:
                return None


def _said(asked: Any, about: Mapping[str, Any]) -> list[Any]:
    """Return a message's values for these fields. Raise NoJournal if one of them has the wrong type."""
    said = [asked.get(key, blank) for key, blank in about.items()] if isinstance(asked, dict) else []
    if [*map(type, said)] != [*map(type, about.values())]:
        raise NoJournal(catalogue()["screen"]["no_message"])
    return said


def _all_games(found: SomeGames, alive: Callable[[], None]) -> list[dict[str, Any]]:
    """Return all games at once."""
    games: list[dict[str, Any]] = []
    for some, _ in found:
        games += some
        alive()
    return games


def _next_games(file: SomeGames) -> dict[str, Any]:
    """Return a few more games from the file that is being checked."""
    games, taken = next(file, (None, 0))
    return _told(games or []) | {"more": games is not None, "taken": taken}


def _told(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return games, and the fault of those that nothing is told about."""
    faults = [game for game in found if "fault" in game]
    return {"games": [game for game in found if game not in faults]} | (faults[0] if faults else {})
