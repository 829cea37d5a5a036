"""Messages between a page and the recorder: a question in JSON, its answer in JSON.

    {"ask": "open", "game": "a", "journal": {…}}         → {"screen": {…}}
    {"ask": "take", "game": "a", "tap": {…}}             → {"screen": {…}}
    {"ask": "kept", "game": "a"}                         → {"text": "…"}
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

A question may say by ``lang`` in which language it is to be answered, ``"de"``; so are those after it. A question that
can't be answered gets ``{"fault": sentence}``. Each page has a session of its own, which keeps what it has open; the
journals of games are kept by the page. Questions are asked one at a time, so an answer needs no number.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from ...notation.language import chosen, figure, speaking, spoken
from .check import SentLog, SomeGames, alike, checked, continued, encoded, joined, likely_repairs
from .desk import Desk, DeskError, sentence
from .library import journals_in, zipped

if TYPE_CHECKING:
    from .event import SentEvent
    from .folder import GameFolder, TappedGame

_MAX_SIZE: Final = 4_000_000
"""How many characters a message may have."""
_FIELDS: Final = {
    "game": "", "journal": None, "tap": None, "keeps": None, "name": "", "text": "", "place": 0, "rules": "",
    "first": 1, "view": "", "in_folder": None, "logs": [], "picks": {},
}  # fmt: skip
"""What a message may contain besides its kind, and the defaults. A value has the type of its default, if there is one.
"""
_LOG: Final = ("name", "text", "first", "view")
"""What it contains for each of several logs."""


class Message(NamedTuple):
    """A question, the file that it is about, and ``on_progress``, which is called again and again while a long work
    goes on.
    """

    asked: dict[str, Any]
    data: bytes
    on_progress: Callable[[], None]

    def read(self, *names: str) -> list[Any]:
        """Return the values of these fields. Raise NoJournal if one of them has the wrong type."""
        return _read(self.asked, names)


T = TypeVar("T")
Answer: TypeAlias = dict[str, Any]
ServerAnswers: TypeAlias = Callable[[dict[str, Any], Callable[[], None]], Answer | None]
"""Returns the answer to a message that only a server can answer, or None, with signs of life meanwhile."""


class DeskSession:
    """What one page has open: its games, the file that it checks, and the folder of an event. Pages share nothing."""

    def __init__(self, folder: GameFolder | None = None, server: ServerAnswers = lambda _asked, _alive: None) -> None:
        """Begin with nothing open; ``folder`` keeps the games, if there is one; ``server`` answers what only a server
        can.
        """
        self.folder, self.server = folder, server
        self.games: dict[str, Desk] = {}
        self.filed: dict[str, TappedGame] = {}
        self.file: SomeGames | None = None
        self.event: SentEvent | None = None
        self.language = spoken()
        """That of the page, which says it with each question."""

    def answer(self, message: str, data: Any = b"", on_progress: Callable[[], None] = lambda: None) -> str:
        """Return the answer to a message, both in JSON. ``data`` is the file that it is about, as bytes or a JavaScript
        object. ``on_progress`` is called again and again while a long work goes on.
        """
        asked: Any = None
        with suppress(ValueError, RecursionError):
            asked = json.loads(message) if len(message) <= _MAX_SIZE else None
        if isinstance(asked, dict) and isinstance(lang := asked.get("lang"), str):
            self.language = chosen([lang])
        with speaking(self.language):
            if len(message) > _MAX_SIZE:
                return json.dumps({"fault": sentence("screen", "too_long", count=figure(_MAX_SIZE, ","))})
            return json.dumps(self._answered(asked, data, on_progress))

    def _answered(self, asked: Any, data: Any, on_progress: Callable[[], None]) -> Answer:
        """Return the answer to what was asked, in the language that is spoken."""
        try:
            kind = asked.get("ask") if isinstance(asked, dict) else None
            if not isinstance(kind, str):
                raise _refused()
            if kind in QUESTIONS:
                sent = data if isinstance(data, bytes) else data.to_bytes()
                return QUESTIONS[kind](self, Message(asked, sent, on_progress))
            if (said := self.server(asked, on_progress)) is None:
                raise _refused()
            return said
        except DeskError as error:
            return {"fault": str(error)}
        except (ValueError, RecursionError):
            return {"fault": str(_refused())}
        except Exception as error:  # noqa: BLE001 - the page goes on recording, and can say what happened
            return {"fault": sentence("screen", "broken", error=f"{type(error).__name__}: {error}")}

    def _open(self, message: Message) -> Answer:
        game, journal, keeps = message.read("game", "journal", "keeps")
        desk = self.games[game] = Desk.of(journal, message.on_progress)
        self.filed.pop(game, None)
        if self.folder is not None and keeps:
            self.filed[game] = self.folder.tapped(game, journal)
        return {"screen": desk.screen()}

    def _game(self, message: Message) -> Desk:
        """Return the game that a message is about. Raise NoJournal if it is not open."""
        return _opened(self.games.get(*message.read("game")), "no_game")

    def _take(self, message: Message) -> Answer:
        desk, (game, tap) = self._game(message), message.read("game", "tap")
        if game in self.filed:
            self.filed[game].taps.append(tap)
        return {"screen": desk.take(tap)}

    def _keep(self, message: Message) -> Answer:
        (game,) = message.read("game")
        return _opened(self.filed.get(game), "no_game").keep(self.games[game])

    def _close(self, message: Message) -> Answer:
        (game,) = message.read("game")
        self.games.pop(game, None)
        self.filed.pop(game, None)
        return {}

    def _check(self, message: Message) -> Answer:
        name, text, rules, first, in_folder = message.read("name", "text", "rules", "first", "in_folder")
        if "text" in message.asked:
            return _with_faults(_all_games(checked(encoded(text), name, rules, first), message.on_progress))
        self.file = checked(message.data, name, rules, named=not in_folder)
        return self._more()

    def _more(self, _message: Message | None = None) -> Answer:
        """Return a few more games from the file that is being checked."""
        games, taken = next(_opened(self.file), (None, 0))
        return _with_faults(games or []) | {"more": games is not None, "taken": taken}

    def _join(self, message: Message) -> Answer:
        name, picks = message.read("name", "picks")
        if not all(isinstance(log, str) for log in picks.values()):
            raise _refused()
        return joined(_logs(message), name, picks)

    def _record(self, message: Message) -> Answer:
        from .look import recorded  # imported late, as below: recording must not wait for a game's page

        journal, name = message.read("journal", "name")
        text = recorded(journal, message.on_progress)
        return {"text": text, "games": _all_games(checked(encoded(text), name), message.on_progress)}

    def _look(self, message: Message) -> Answer:
        from .look import game_pages

        return game_pages(*message.read("text", "view", "rules"))

    def _event(self, message: Message) -> Answer:
        from .event import SentEvent

        self.event = SentEvent(*message.read("name"))
        return {}

    def _event_file(self, message: Message) -> Answer:
        (name,) = message.read("name")
        _opened(self.event).put(name, message.data)
        return {}

    def _folder(self, _message: Message) -> Answer:
        self.file = self._records.checked()
        return self._more()

    @property
    def _records(self) -> GameFolder:
        """Return the folder of records. Raise NoJournal if the desk has none."""
        return _opened(self.folder, "no_message")


QUESTIONS: Final[dict[str, Callable[[DeskSession, Message], Answer]]] = {
    "open": DeskSession._open,
    "take": DeskSession._take,
    "keep": DeskSession._keep,
    "kept": lambda session, message: {"text": session._game(message).kept[0]},
    "close": DeskSession._close,
    "check": DeskSession._check,
    "more": DeskSession._more,
    "repair": lambda _, message: likely_repairs(*message.read("text", "name", "rules", "first")),
    "complete": lambda _, message: continued(*message.read("text", "rules")),
    "join": DeskSession._join,
    "alike": lambda _, message: {"alike": alike(_logs(message))},
    "record": DeskSession._record,
    "look": DeskSession._look,
    "zip": lambda _, message: {"zip": b64encode(zipped(json.loads(message.data))).decode()},
    "journals": lambda _, message: {"journals": journals_in(message.data)},
    "event": DeskSession._event,
    "event file": DeskSession._event_file,
    "event told": lambda session, _: _opened(session.event).status(),
    "event text": lambda session, message: {"text": _opened(session.event).text(*message.read("name"))},
    "games": lambda session, _: {"games": session._records.games()},
    "journal": lambda session, message: {"journal": session._records.journal(*message.read("game"))},
    "go on": lambda session, message: session._records.resumed(*message.read("name")),
    "folder": DeskSession._folder,
    "text": lambda session, message: {"text": session._records.text(*message.read("name", "place"))},
    "put": lambda session, message: {"name": session._records.put(*message.read("name", "text"))},
}
"""What answers each question."""


def _refused(why: str = "no_message") -> DeskError:
    return DeskError(sentence("screen", why))


def _read(asked: Any, names: Sequence[str]) -> list[Any]:
    """Return the values of these fields. Raise NoJournal if one of them has the wrong type."""
    if not isinstance(asked, dict):
        raise _refused()
    blanks = [_FIELDS[name] for name in names]
    values = [asked.get(name, blank) for name, blank in zip(names, blanks, strict=True)]
    if any(blank is not None and type(value) is not type(blank) for value, blank in zip(values, blanks, strict=True)):
        raise _refused()
    return values


def _logs(message: Message) -> list[SentLog]:
    """Return the logs in a message. Raise NoJournal if there are none."""
    (logs,) = message.read("logs")
    if not logs:
        raise _refused()
    return [SentLog(*_read(log, _LOG)) for log in logs]


def _opened(opened: T | None, why_not: str = "forgotten") -> T:
    """Return what was opened. Raise NoJournal if nothing is: by default, as the page asked another worker, now gone."""
    if opened is None:
        raise _refused(why_not)
    return opened


def _all_games(found: SomeGames, on_progress: Callable[[], None]) -> list[dict[str, Any]]:
    """Return all games at once."""
    games: list[dict[str, Any]] = []
    for some, _ in found:
        games += some
        on_progress()
    return games


def _with_faults(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return games, and the fault of those that nothing is told about."""
    faults = [game for game in found if "fault" in game]
    return {"games": [game for game in found if game not in faults]} | (faults[0] if faults else {})
