"""The logs to be joined, and what they say besides the turns: comments and marks, headers, results."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from difflib import SequenceMatcher
from itertools import chain, combinations
from operator import attrgetter
from typing import Final, NamedTuple, TypeVar

from ...notation.basics import EGYPT, GROUP_LETTERS, ROME, dataclass
from ...notation.language import ENGLISH, Messages, phrase, speaking
from ...notation.records import (
    HEADER_CASE,
    Alternative,
    BadLine,
    Comment,
    Follower,
    Game,
    Label,
    Result,
    Ruling,
    Span,
    Turn,
    follower_line,
    result_text,
    unsigned,
)
from ...replay.engine.api import read_headers, rulings, token_span
from ...replay.knowledge.api import SEES

_NAMES: Final[Messages] = {
    "arbiter": "the arbiter's log",
    "caesar": "Caesar's log",
    "cleopatra": "Cleopatra's log",
    "table": "the table's log",
}


_ALIKE: Final = 0.5
"""The share of the open words of the shorter one of two logs of one game that the other one must have."""
_OPEN_WORD: Final = re.compile(rf"(?<!\S)(?:[1-5p][{GROUP_LETTERS}]|=[{GROUP_LETTERS}]\S+)(?!\S)")
"""A word that all who sit at the table write alike: a card placed open, or a vote."""


def open_words(text: str) -> list[str]:
    """Return the words of a record that every log of its game has."""
    return _OPEN_WORD.findall(text)


def are_alike(words: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether two logs can be of one game: most of the open words of both are the same, or one has none."""
    shared = sum(block.size for block in SequenceMatcher(None, words, others, autojunk=False).get_matching_blocks())
    return shared >= _ALIKE * min(len(words), len(others))


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """One person's record of the game. ``view`` is its point of view, ``number`` its number if another has the same.

    ``late`` says that the log begins with a position that another log reaches during the game.
    """

    game: Game
    view: str
    number: int = 0
    late: bool = False
    places: dict[int, list[int]] = field(default_factory=dict)
    """Line → the places of its turn's words among the written ones, if they were rewritten."""

    @property
    def who(self) -> str:
        """Return the log's name."""
        return phrase("log {number}", number=self.number) if self.number else phrase(_NAMES[self.view])

    def is_of(self, side: int | None) -> bool:
        """Return whether that side's player wrote the log."""
        return side is not None and self.view == ("caesar", "cleopatra")[side]

    def at(self, turn: Turn, word: int | None, text: str = "") -> Label:
        """Return the place of a word in one of the turns, or of the turn's label for None, with a text about it."""
        places = self.places.get(turn.line)
        at = places[word] if places and word is not None and word < len(places) else word
        return Label(token_span(self.game.source, turn, at), text, self.game.source)

    def at_line(self, line: int, text: str = "") -> Label:
        """Return the place of a whole line."""
        return Label(Span(line, 0, len(self.game.source.text(line))), text, self.game.source)


def named_logs(games: Sequence[Game]) -> list[Log]:
    """Return the games as logs, named by their points of view, or by their numbers if two share one."""
    frames = [read_headers(game.record) for game in games]
    views = [frame.view for frame in frames]
    shared = Counter(views)
    labels = [next((turn.label for turn in game.record.turns if turn.number), "?") for game in games]
    starts = [label if frame.position else "" for label, frame in zip(labels, frames, strict=True)]
    return [
        Log(game, view, 0 if shared[view] == 1 else number, _is_late(number - 1, starts, games))
        for number, (game, view) in enumerate(zip(games, views, strict=True), 1)
    ]


def _is_late(log: int, starts: Sequence[str], games: Sequence[Game]) -> bool:
    """Return whether a log begins with a position while another begins with the game, or has earlier turns.

    ``starts`` are the labels of the first turns of logs that begin as positions, empty for the others.
    """
    if not starts[log]:
        return False
    return "" in starts or any(
        start != starts[log] and any(turn.label == starts[log] for turn in game.record.turns)
        for start, game in zip(starts, games, strict=True)
    )


CLOCK: Final = "@"


def attributed(log: Log, text: str) -> str:
    """Return a text with the name of its log in front, for a record."""
    with speaking(ENGLISH):
        return f"{log.who}: {text}"


def notes_of(followers: Mapping[Log, Sequence[Comment]]) -> list[Comment]:
    """Return the comments of a joined line, at their places in the logs."""
    return [follower for follower in followers_of(followers) if isinstance(follower, Comment)]


def marks_of(marks_by_log: Mapping[Log, Sequence[str]]) -> tuple[tuple[str, ...], list[Comment]]:
    """Return the clock and the glyphs of the first log that has any, and comments on differing ones."""
    kept: list[str] = []
    others: list[Comment] = []
    for is_clock in (False, True):
        parted = {
            log: [mark for mark in marks if mark.startswith(CLOCK) == is_clock] for log, marks in marks_by_log.items()
        }
        first = next(filter(None, parted.values()), [])
        others += [
            Comment(attributed(log, " ".join(marks))) for log, marks in parted.items() if marks not in ([], first)
        ]
        kept += first
    # As one log has them, if it has them all: clocks and glyphs may come in any order.
    whole = next((marks for marks in marks_by_log.values() if sorted(marks) == sorted(kept)), kept)
    return tuple(whole), others


Followers = Sequence[Follower]
"""One of the lines that follow a turn, or the lines of one alternative together."""


def followers_of(followers_by_log: Mapping[Log, Sequence[Follower]], turn: Turn | None = None) -> list[Follower]:
    """Return the lines that follow a turn (or the result, or the headers) in any of the logs."""
    first, *others = map(list, followers_by_log.values())
    if others.count(first) == len(others):
        return first
    kinds, texts = set[str](), set[str]()
    joined: list[Follower] = []
    for log, run, new in _attributed_runs({log: _runs(lines, turn) for log, lines in followers_by_log.items()}):
        if not kinds.isdisjoint((_kind(run), _kind(new))):
            why = run[0].text if isinstance(run[0], Ruling) else ""
            if not why or not texts.isdisjoint((_lines(run), _lines(new))):
                continue
            new = [Comment(attributed(log, why))]
        joined += new
        kinds.add(_kind(new))
        texts.add(_lines(new))
    return joined


def _attributed_runs(runs_by_log: Mapping[Log, Sequence[Followers]]) -> Iterator[tuple[Log, Followers, Followers]]:
    """Yield each log's lines as they are and as they are joined: with the log's name, unless all logs have them."""
    everywhere = set.intersection(*[set(map(_kind, runs)) for runs in runs_by_log.values()])
    written = set(map(_lines, chain(*runs_by_log.values())))
    for log, runs in runs_by_log.items():
        for run in runs:
            if _kind(run) in everywhere:
                yield log, run, run
                continue
            new = [_attributed(run[0], log), *run[1:]]
            if _lines(new) not in written:  # otherwise it has been joined already
                yield log, run, new


def _runs(followers: Iterable[Follower], turn: Turn | None) -> Sequence[Followers]:
    """Return the lines one by one, but the lines of one alternative together."""
    runs: list[list[Follower]] = []
    for follower in followers:
        goes_on = isinstance(follower, Alternative) and (turn is None or follower.turn.label != turn.label)
        if goes_on and runs and isinstance(runs[-1][-1], Alternative):
            runs[-1].append(follower)
        else:
            runs.append([follower])
    return runs


def _kind(run: Followers) -> str:
    """Return what a line says, equal for equal lines; different words by the arbiter do not make it a different
    ruling.
    """
    first = run[0]
    return _lines([replace(first, text="")] if isinstance(first, Ruling) else run)


def _lines(run: Followers) -> str:
    """Return lines as written, wherever they stand, each after its kind: a bad line may look like any other."""
    written = (replace(follower, after=None) if isinstance(follower, Comment) else follower for follower in run)
    return "\n".join([type(run[0]).__name__, *map(follower_line, written)])


def _attributed(follower: Follower, log: Log) -> Follower:
    match follower:
        case Comment():
            return Comment(attributed(log, follower.text), follower.after)
        case Ruling():
            return replace(follower, text=_before(follower.text, log))
        case BadLine():
            # Another log could be read here, so nothing is missing.
            return Comment(attributed(log, follower.text.strip()))
        case Alternative(turn=turn):
            notes = [note for note in turn.notes if note.after is not None]
            last = "".join([note.text for note in turn.notes if note.after is None][:1])
            return Alternative(replace(turn, notes=(*notes, Comment(_before(last, log)))))


def _before(text: str, log: Log) -> str:
    """Return a log's name followed by a text, or alone if there is no text."""
    return attributed(log, text) if text else attributed(log, "").removesuffix(": ")


def ruling_clashes(column: Mapping[Log, Turn]) -> Iterator[tuple[Log, Ruling, Log, Ruling]]:
    """Yield pairs of a log and its ruling: each has a ruling on a side's fault in a turn that the other lacks."""
    by_log = {log: rulings(turn) for log, turn in column.items()}
    for (one, mine), (two, others) in combinations(by_log.items(), 2):
        theirs, ours = {_kind([ruling]) for ruling in others}, {_kind([ruling]) for ruling in mine}
        against = {ruling.side: ruling for ruling in reversed(others) if _kind([ruling]) not in ours}
        for ruling in mine:
            if _kind([ruling]) not in theirs and ruling.side in against:
                yield one, ruling, two, against[ruling.side]


def one_line(notes: Iterable[Comment]) -> tuple[tuple[Comment, ...], list[Comment]]:
    """Return the comments that a line can hold, at their places, and those that need lines of their own below it."""
    within: list[Comment] = []
    ends: list[Comment] = []
    for note in notes:
        fits = note.after is not None and "}" not in note.text
        (within if fits else ends).append(note if fits else Comment(note.text))
    within.sort(key=lambda note: note.after or 0)
    return (*within, *ends[:1]), ends[1:]


Written = TypeVar("Written")
_UNKNOWN: Final = ("", "?", "*", "-")
_VIEW: Final = "view"
_DEFAULT: Final = "arbiter"
_BEGINNING: Final = {"setup": "opening", "starts": "Cleopatra"}
"""Headers about how a log begins, which may differ from the joined record, and their default values."""


class HeaderClash(NamedTuple):
    """A header with a different value in a later log; ``value`` is what the joined record has."""

    name: str
    value: str
    log: Log
    other: str


class _LogHeader(NamedTuple):
    """A header of a log."""

    log: Log
    name: str
    value: str

    @property
    def key(self) -> str:
        """Return the header's name in the form used to compare headers."""
        return self.name.lower()

    @property
    def is_late(self) -> bool:
        """Return whether it says how a log begins that starts later than another one."""
        return self.log.late and self.key in _BEGINNING


def joined_headers(
    logs: Sequence[Log], picked: Mapping[str, Log] = {}
) -> tuple[tuple[tuple[str, str], ...], list[HeaderClash]]:
    """Return the headers of all logs, and those to which some log gives other values.

    Of two values, the one in the log ``picked`` for the lower-case name counts, then the one that more logs have, then
    the first log's. ``View`` says what all of them together could see; it is left out for the arbiter's. ``Signed`` and
    ``Checksum`` stay only if there is nothing to join.
    """
    # It is the logs that were signed; if there is only one, the joined record is the same text.
    taken = unsigned if len(logs) > 1 else tuple
    headers = [_LogHeader(log, name, value) for log in logs for name, value in taken(log.game.record.headers)]
    view = _joined_view(logs)
    kept = _best_headers(headers, view, picked)
    if view and (view != _DEFAULT or any(log.game.record.header(_VIEW).lower() == view for log in logs)):
        kept.append(("View", view))
    return tuple(kept), list(_header_clashes(headers, kept, view))


def _header_clashes(
    headers: Sequence[_LogHeader], kept: Sequence[tuple[str, str]], view: str | None
) -> Iterator[HeaderClash]:
    """Yield the headers that contradict those that were ``kept``, and last those about how late logs begin."""
    told = {(name.lower(), value) for name, value in kept}
    best = _BEGINNING | {name.lower(): value for name, value in reversed(kept)} | ({_VIEW: view} if view else {})
    for header in sorted(headers, key=attrgetter("is_late")):
        value = best[header.key]
        if header.is_late:
            fits = header.value.lower() == value.lower()
        elif view and header.key == _VIEW:
            fits = header.value.lower() in SEES
        else:
            fits = (header.key, header.value) in told or _fits(header.value, value)
        if not fits:
            yield HeaderClash(HEADER_CASE.get(header.key, header.name), value, header.log, header.value)


def _joined_view(logs: Sequence[Log]) -> str | None:
    """Return the point of view that sees what all logs together saw; None if they have the same view, even an invalid
    one.
    """
    if len({log.game.record.header(_VIEW, _DEFAULT) for log in logs}) == 1:
        return None
    known = tuple(any(SEES[log.view][side] for log in logs) for side in (ROME, EGYPT))
    return next(view for view, sees in SEES.items() if sees == known)


def _best_headers(headers: Sequence[_LogHeader], view: str | None, picked: Mapping[str, Log]) -> list[tuple[str, str]]:
    """Return each header with its best value, but View only if there is no joined ``view``.

    A header that a log has twice stays doubled; the first of the two counts.
    """
    headers = [header for header in headers if not (header.is_late or (view and header.key == _VIEW))]
    first: dict[str, dict[Log, str]] = defaultdict(dict)
    for header in headers:
        first[header.key].setdefault(header.log, header.value)
    best = {
        key: values[log] if (log := picked.get(key)) in values else _best_header([*values.values()])
        for key, values in first.items()
    }
    return [
        (header.name, best[header.key] if header.value == first[header.key][header.log] else header.value)
        for header in headers
        if header.log is next(iter(first[header.key]))
    ]


def _best_header(values: list[str]) -> str:
    """Return the value that says most; among such values, the one that most logs have."""
    counts = Counter(value for value in values if not _is_unknown(value))
    if not counts:
        return values[0]
    # A value with ?? in it counts less than one that fits it and has none.
    return max(counts, key=lambda value: (not any(_fits(value, other) for other in counts), counts[value]))


def _is_unknown(value: str) -> bool:
    return value in _UNKNOWN or not value.strip("?.")


def _fits(value: str, known: str) -> bool:
    """Return whether a value says less than another without contradicting it."""
    if value == known or _is_unknown(value):
        return value != known
    return len(value) == len(known) and all(one in (two, "?") for one, two in zip(value, known, strict=True))


class JoinedResult(NamedTuple):
    """The result line of the joined record, the log that it is from, and the logs with another result."""

    result: Result | None
    base: Log
    against: tuple[Log, ...]


def joined_result(logs: Sequence[Log], picked: Log | None = None) -> JoinedResult:
    """Return the result of the ``picked`` log, else the one that most logs have.

    A missing score or verdict on a mission contradicts nothing.
    """
    results = {log: log.game.record.result for log in logs if log.game.record.result is not None}
    if not results:
        return JoinedResult(None, logs[0], ())
    points, against = _most({log: result.points for log, result in results.items()}, picked)
    with_these = {log: result.winner for log, result in results.items() if result.points in (None, points)}
    winner, others = _most(with_these, picked)
    # If two logs differ in the points, there is no need to say that they also differ in the winner.
    verdicts, more = _verdicts(results, picked)
    wrong = [log for log in results if log in (*against, *others, *more)]
    base = next((log for log in results if log not in wrong and results[log].points == points), next(iter(results)))
    notes = notes_of({log: result.notes for log, result in results.items()})
    within, below = one_line([*notes, *[Comment(attributed(log, claims(results[log]))) for log in wrong]])
    after = followers_of({log: result.after for log, result in results.items()})
    return JoinedResult(Result(points, winner, verdicts, within, (*below, *after)), base, tuple(wrong))


def claims(result: Result) -> str:
    """Return a result as text, without comments."""
    return result_text(replace(result, notes=()))


def _most(by_log: Mapping[Log, Written | None], picked: Log | None) -> tuple[Written | None, list[Log]]:
    """Return the value in the picked log, else the one that most logs have (the first of equally frequent ones), and
    the logs with another value.
    """
    values = {log: value for log, value in by_log.items() if value is not None}
    if not values:
        return None, []
    best = values[picked] if picked in values else Counter(values.values()).most_common(1)[0][0]
    return best, [log for log, value in values.items() if value != best]


def _verdicts(
    results: Mapping[Log, Result], picked: Log | None
) -> tuple[tuple[tuple[int, tuple[bool, ...]], ...], list[Log]]:
    """Return the verdicts on each side's missions, in the order of the first log that has any."""
    verdicts = {result.verdicts for result in results.values()}
    if len(verdicts) == 1:
        return verdicts.pop(), []
    by_side: dict[int, dict[Log, tuple[bool, ...]]] = defaultdict(dict)
    for log, result in results.items():
        for side, mets in result.verdicts:
            by_side[side][log] = mets
    most = {side: _most(by_log, picked) for side, by_log in by_side.items()}
    agreed = tuple((side, mets) for side, (mets, _) in most.items() if mets is not None)
    return agreed, [log for _, others in most.values() for log in others]
