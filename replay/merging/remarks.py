"""What people say about a game: comments, marks, alternatives, rulings, lines that can't be read.

What all logs say stands once; what only some of them say names the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from ...notation.record import Alternative, BadLine, Comment, Follower, Ruling, Turn
from ...notation.writer import follower_line
from .logs import Log

CLOCK: Final = "@"


def said(log: Log, text: str) -> str:
    """Return a text after the name of the log that it is from."""
    return f"{log.who}: {text}"


def notes_of(followers: Mapping[Log, Sequence[Comment]]) -> list[Comment]:
    """Return the comments of a line, which the logs have at places in the line as it is joined."""
    return [follower for follower in followers_of(followers) if isinstance(follower, Comment)]


def marks_of(marks_by_log: Mapping[Log, Sequence[str]]) -> tuple[tuple[str, ...], list[Comment]]:
    """Return the clock and the glyphs of the first log that has any, and comments on those that differ."""
    kept: list[str] = []
    others: list[Comment] = []
    for clock in (False, True):
        parted = [
            (log, [mark for mark in marks if mark.startswith(CLOCK) == clock]) for log, marks in marks_by_log.items()
        ]
        first = next((marks for _, marks in parted if marks), [])
        others += [Comment(said(log, " ".join(marks))) for log, marks in parted if marks and marks != first]
        kept += first
    lists = list(marks_by_log.values())
    # As one log has them, if it has all of them: clocks and glyphs stand in any order.
    whole = next((marks for marks in lists if sorted(marks) == sorted(kept)), kept)
    return tuple(whole), others


def followers_of(followers_by_log: Mapping[Log, Sequence[Follower]], turn: Turn | None = None) -> list[Follower]:
    """Return the lines that follow a turn (or the result, or the headers) in any of the logs."""
    first, *others = map(list, followers_by_log.values())
    if all(followers == first for followers in others):
        return first
    runs = [(log, run) for log, followers in followers_by_log.items() for run in _runs(followers, turn)]
    everywhere = set.intersection(*({_kind(run) for by, run in runs if by is log} for log in followers_by_log))
    written = {_lines(run) for _, run in runs}
    kinds, texts = set[str](), set[str]()
    joined: list[Follower] = []
    for log, run in runs:
        new = run
        if _kind(run) not in everywhere:
            new = [_attributed(run[0], log), *run[1:]]
            if _lines(new) in written:
                continue  # it was joined once before
        if not kinds.isdisjoint((_kind(run), _kind(new))):
            if not (isinstance(run[0], Ruling) and run[0].text and texts.isdisjoint((_lines(run), _lines(new)))):
                continue
            new = [Comment(said(log, run[0].text))]
        joined += new
        kinds.add(_kind(new))
        texts.add(_lines(new))
    return joined


def _runs(followers: Iterable[Follower], turn: Turn | None) -> list[list[Follower]]:
    """Return the lines one by one, but the lines of one alternative together."""
    runs: list[list[Follower]] = []
    for follower in followers:
        goes_on = isinstance(follower, Alternative) and (turn is None or follower.turn.label != turn.label)
        if goes_on and runs and isinstance(runs[-1][-1], Alternative):
            runs[-1].append(follower)
        else:
            runs.append([follower])
    return runs


def _kind(run: Sequence[Follower]) -> str:
    """Return what a line says, equal for equal lines; the arbiter's words do not make another ruling of it."""
    first = run[0]
    return _lines([replace(first, text="")] if isinstance(first, Ruling) else run)


def _lines(run: Sequence[Follower]) -> str:
    """Return lines as they are written, wherever that is, after what they are: a bad line may look like any other."""
    written = (replace(follower, after=None) if isinstance(follower, Comment) else follower for follower in run)
    return "\n".join([type(run[0]).__name__, *map(follower_line, written)])


def _attributed(follower: Follower, log: Log) -> Follower:
    match follower:
        case Comment():
            return Comment(said(log, follower.text), follower.after)
        case Ruling():
            return replace(follower, text=said(log, follower.text) if follower.text else log.who)
        case BadLine():
            # Another log could be read here, and so nothing is missing any more.
            return Comment(said(log, follower.text.strip()))
        case Alternative(turn=turn):
            notes = tuple(note for note in turn.notes if note.after is not None)
            last = [note.text for note in turn.notes if note.after is None]
            return Alternative(replace(turn, notes=(*notes, Comment(said(log, last[0]) if last else log.who))))


def ruling_clashes(by_log: Mapping[Log, Sequence[Follower]]) -> Iterator[tuple[Log, Ruling, Log, Ruling]]:
    """Yield logs and rulings, twice: each has a ruling on a side's fault that the other lacks."""
    rulings = {log: [line for line in followers if isinstance(line, Ruling)] for log, followers in by_log.items()}
    for (one, mine), (two, others) in combinations(rulings.items(), 2):
        theirs, ours = {_kind([ruling]) for ruling in others}, {_kind([ruling]) for ruling in mine}
        against = {ruling.side: ruling for ruling in reversed(others) if _kind([ruling]) not in ours}
        for ruling in mine:
            if _kind([ruling]) not in theirs and ruling.side in against:
                yield one, ruling, two, against[ruling.side]


def one_line(notes: Iterable[Comment]) -> tuple[tuple[Comment, ...], list[Comment]]:
    """Return the comments that a line can hold, in their places, and those that have to stand on lines below it."""
    within: list[Comment] = []
    ends: list[Comment] = []
    for note in notes:
        fits = note.after is not None and "}" not in note.text
        (within if fits else ends).append(note if fits else Comment(note.text))
    within.sort(key=lambda note: note.after or 0)
    return (*within, *ends[:1]), ends[1:]
