"""What a check found, as values; which parts are shown; and what every renderer must be able to do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from json import dumps
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO

from ...notation.basics import dataclass, visible
from ...notation.language import Nouns, figure, phrase, plural
from ...notation.records import ERROR, NOTE, RULED, WARNING, Diagnostic, Game, Severity, Source, Span
from ...replay.diagnostics.api import CODES, NOTHING, UNCHECKED, VERDICTS, Judgement, fill

if TYPE_CHECKING:
    from ...replay.engine.api import Outcome
    from ...replay.rules.api import Score
    from ..storage.api import InputFile


SIDES: Final = ("rome", "egypt")
_COUNTED: Final[Nouns] = {
    "legal": ("legal", "{count} legal", "{count} legal"), "illegal": ("illegal", "{count} illegal", "{count} illegal"),
    "possible": ("possible", "{count} possible", "{count} possible"), "note": ("note", "{count} note", "{count} notes"),
    "unreadable": ("unreadable", "{count} unreadable", "{count} unreadable"),
    "unchecked": ("unchecked", "{count} unchecked", "{count} unchecked"),
    "nothing": ("nothing", "no game in {count} text", "no game in {count} texts"),
    "error": ("error", "{count} error", "{count} errors"), "ruled": ("ruled", "{count} ruled", "{count} ruled"),
    "warning": ("warning", "{count} warning", "{count} warnings"),
}  # fmt: skip
"""Verdict or severity → its name, and the words for one and for several of them."""


@dataclass(slots=True)
class GameReport:
    """What was found in one game: the ``game``-th, counted from 1, of ``file``.

    ``verdict`` is one of VERDICTS, or NOTHING if there is no game; ``summary`` one line such as ``Rome 17, Egypt
    13: Rome wins``. ``stopped`` is the turn from which the cards could no longer be followed, empty if
    no turn was left; None if they always could.
    """

    file: str
    game: int
    title: str
    edition: str
    events: int
    turns: int
    verdict: Judgement
    summary: str
    diagnostics: tuple[Diagnostic, ...] = ()
    stopped: str | None = None
    witness: str = ""
    """A complete record, in notation, that explains this one, if the verdict is POSSIBLE and one was asked for."""
    line: int = 1
    """The number of its first line in the file."""
    moves: int = 0
    """The number that it shares with games of equal moves; 0 if it has no moves or nobody asked."""
    text: str = ""
    """Its lines, if they were asked for."""
    headers: tuple[tuple[str, str], ...] = ()
    """Its headers as written."""
    score: Score | None = None
    """The points where the replay ended; None if the game could not be followed to its end."""
    outcome: Outcome | None = None
    """How the game ended; None if there is no game."""
    logs: tuple[int, ...] = ()
    """The numbers that it shares with other logs of its game, if its players are known and somebody asked."""
    names: tuple[str, ...] = ()
    """The names of its players, if somebody asked."""
    same_as: tuple[str, int] | None = None
    """The text and the number of the record that counts instead of this one, since both are of the same game."""

    def as_json(self) -> dict[str, Any]:
        """Return the game as the schema's ``game``."""
        from .json_report import game_json

        return game_json(self)

    def of(self, *severities: Severity) -> list[Diagnostic]:
        """Return its diagnostics of these severities, in order."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity in severities]


class CountedGame(NamedTuple):
    """A game about which there is nothing to say: what a tally counts, and what identifies it, as in GameReport."""

    game: int
    line: int
    events: int
    turns: int
    verdict: Judgement
    moves: int
    logs: tuple[int, ...]
    names: tuple[str, ...]

    def report(self, file: str) -> GameReport:
        """Return a report of it, since there is something to say after all."""
        counts = self.events, self.turns, self.verdict
        known = {"moves": self.moves, "logs": self.logs, "names": self.names}
        return GameReport(file, self.game, "", "", *counts, "", line=self.line, **known)


@dataclass(slots=True)
class Tally:
    """The totals over games that come one at a time."""

    games: int = 0
    events: int = 0
    turns: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    severities: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    """How many of the games do not count, since another log of the same game does."""

    def add(self, game: GameReport) -> None:
        """Count one more game; of a text without a game, only the text itself and its diagnostics count."""
        self.games += game.verdict != NOTHING
        self.events += game.events
        self.turns += game.turns
        self.repeated += game.same_as is not None
        self.verdicts[game.verdict] += 1
        if game.diagnostics:
            self.severities.update([diagnostic.severity for diagnostic in game.diagnostics])

    def count(self, games: list[CountedGame]) -> None:
        """Count games about which there is nothing to say."""
        self.games += len(games)
        self.events += sum([game.events for game in games])
        self.turns += sum([game.turns for game in games])
        self.verdicts.update([game.verdict for game in games])

    def join(self, other: Tally) -> None:
        """Count the games of another tally as well."""
        self.games += other.games
        self.events += other.events
        self.turns += other.turns
        self.repeated += other.repeated
        self.verdicts.update(other.verdicts)
        self.severities.update(other.severities)

    def totals(self) -> dict[str, int]:
        """Return every total by its name, as machine-readable formats give them."""
        return {
            "games": self.games,
            "repeated": self.repeated,
            "events": self.events,
            "turns": self.turns,
            **{verdict: self.verdicts[verdict] for verdict in (*VERDICTS, NOTHING)},
            "errors": self.severities[ERROR],
            "warnings": self.severities[WARNING],
            "notes": self.severities[NOTE],
            "ruled": self.severities[RULED],
        }

    def in_words(self) -> str:
        """Return the totals: ``3 games, 612 events: 2 legal, 1 illegal; no game in 1 text; 2 errors, 1 ruled``."""
        found = [_counted(self.verdicts, verdict) for verdict in VERDICTS if self.verdicts[verdict]]
        counts = [_counted(self.severities, each) for each in (ERROR, WARNING, NOTE, RULED) if self.severities[each]]
        games = plural("{count} game", "{count} games", self.games, count=figure(self.games, ","))
        if self.repeated:
            left = self.games - self.repeated
            games += f" ({plural('{count} different', '{count} different', left, count=figure(left, ','))})"
        events = plural("{count} event", "{count} events", self.events, count=figure(self.events, ","))
        nothing = _counted(self.verdicts, NOTHING) if self.verdicts[NOTHING] else ""
        line = f"{games}, {events}: {', '.join(found)}" if self.games else "" if nothing else phrase("no games")
        return "; ".join(filter(None, (line, nothing, ", ".join(counts))))


def _counted(numbers: Counter[str], what: str) -> str:
    _, one, many = _COUNTED[what]
    return plural(one, many, numbers[what], count=figure(numbers[what], ","))


class Location(NamedTuple):
    """A location in a file, counted from 1; columns count characters, ``end_column`` is exclusive."""

    line: int
    column: int
    end_column: int


def location_of(source: Source, span: Span) -> Location | None:
    """Return where a span is in its file, None if it has no location, as in a file that could not be opened."""
    if span.line < 0 or not source.lines:
        return None
    start = max(0, span.start)
    return Location(source.first + span.line, start + 1, max(start, span.end) + 1)


class Reporter:
    """Writes a report to a text stream: ``begin`` once, ``game`` for each game in order, ``end`` once.

    Games of one file come one after another. A reporter forgets a game once it is written, because a check of
    a million games must not need memory for a million reports.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.tally = Tally()
        self.not_read: Sequence[InputFile] = ()
        """The files in folders that were passed over, for those formats that name them."""
        self._between = ""

    def entry(self, entry: dict[str, Any]) -> None:
        """Write an entry of the list that makes up a JSON report, on its own line, in ASCII, which controls nothing."""
        self.stream.write(f"{self._between}\n{dumps(entry)}")
        self._between = ","

    def begin(self) -> None:
        """Write what comes before the first game."""

    def game(self, report: GameReport) -> None:
        """Count one game, and write it."""
        self.tally.add(report)

    def end(self) -> None:
        """Write what comes after the last game."""


INTERNAL_ERROR: Final = "T001"
TRACEBACK: Final = "TIRONIAN_TRACEBACK"
"""The variable that makes a command that ends with such a fault show the traceback."""
_PLACE: Final = re.compile(r'File "(.+)", line (\d+)')
_MAX_LENGTH: Final = 200
"""The number of characters of an exception's message that are shown."""


def internal_error(error: Exception, source: Source, game: int = 1) -> Diagnostic:
    """Return the diagnostic for a game on which the program failed. Raise the error if it only lacked memory."""
    if isinstance(error, MemoryError):
        raise error
    code = CODES[INTERNAL_ERROR]
    place = Source(source.name, source.lines or [""], source.first)
    message = fill(code.message, {"error": exception_text(error)})
    return Diagnostic(INTERNAL_ERROR, message, place, Span(0, 0, len(place.text(0))), help=code.help, game=game)


def exception_text(error: BaseException) -> str:
    """Return an exception in words, with the file and line of the program where it was raised."""
    from pathlib import PurePath
    from traceback import extract_tb

    notes = "".join(getattr(error, "__notes__", ()))  # where it was raised in another process
    frames = _PLACE.findall(notes) or [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    place = f"{'/'.join(PurePath(frames[-1][0]).parts[-2:])}:{frames[-1][1]}"
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return visible(f"{' '.join(what.split())[:_MAX_LENGTH]} ({place})")


def failed_report(error: Exception, game: Game) -> GameReport:
    """Return the report of a game on which the program failed: it is unchecked, and its diagnostic says why."""
    source, header = game.source, game.record.header
    title = f"{header('Caesar', '?')} – {header('Cleopatra', '?')}"
    report = GameReport(source.name, game.number, title, header("Rules", "?"), 0, 0, UNCHECKED, "", line=source.first)
    report.diagnostics = (internal_error(error, source, game.number),)
    report.text, report.headers = "".join(source.lines), game.record.headers
    return report


ALWAYS: Final = ("N101", "N108", INTERNAL_ERROR)
"""Codes for what was not checked: left out, they would make it look checked."""


@dataclass(frozen=True)
class Selection:
    """The codes that ``select`` names, or all if it is empty, without those that ``ignore`` names.

    Each name is a code or the beginning of some. If both lists name a code, the longer name decides; of two equally
    long ones, the one in ``ignore``.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def shows(self, code: str) -> bool:
        """Return whether diagnostics with this code are shown."""
        return code in ALWAYS or _longest(self.select or ("",), code) > _longest(self.ignore, code)

    def of(self, report: GameReport) -> GameReport:
        """Return a report with only the diagnostics that are shown; its verdict stays."""
        if not report.diagnostics:
            return report
        shown = tuple(diagnostic for diagnostic in report.diagnostics if self.shows(diagnostic.code))
        return report if len(shown) == len(report.diagnostics) else replace(report, diagnostics=shown)


def _longest(names: tuple[str, ...], code: str) -> int:
    return max((len(name) for name in names if code.startswith(name)), default=-1)
