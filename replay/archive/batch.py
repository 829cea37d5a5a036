"""A whole archive checked: files to pieces, pieces to processes, and what comes of them back into their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from ...notation.diagnostic import NOTE, Diagnostic
from ...notation.source import Source, Span
from ..report.model import GameReport, Tally, count
from ..report.selection import Selection
from ..storage.sources import Found
from .chunk_reports import Judged, Load, numbered, unread
from .chunks import SIZE, Piece, pieces
from .register import Known, Register
from .workers import in_order

MANY: Final = 500
"""Pieces and files that are handed on together at most."""
ALL: Final = Selection()
TWICE: Final = "A101"
"""The code of a game whose moves have been seen before."""


class Begun(NamedTuple):
    """A file begins, of which so much is ``known`` from an earlier run.

    ``in_order``: its pieces are those that anyone makes of it, so that another run can go on behind any of them.
    """

    found: Found
    known: Known | None
    in_order: bool = True


class Ended(NamedTuple):
    """It ends."""


Event: TypeAlias = Begun | Judged | Ended
Work: TypeAlias = Callable[[Load], list[Judged]]
Crew: TypeAlias = Callable[[Iterable[Found], Work, Register], Generator[Event, None, None]]
"""What goes through files with some work, and tells what comes of it in their order."""


class Batch:
    """Goes through an archive, and has come so far: ``bytes`` of the files as they lie, ``games``.

    ``before`` is the tally of all games that were checked in an earlier run.
    """

    def __init__(
        self, files: Iterable[Found], work: Work, register: Register, crew: Crew, selection: Selection = ALL
    ) -> None:
        self.bytes, self.games, self.before = 0, 0, Tally()
        self._files, self._work, self._register, self._crew = files, work, register, crew
        self._selection = selection
        self.settled = True
        """Whether everything that the register has noted was handed out, and its taker came back for more."""

    def reports(self) -> Generator[list[GameReport], None, None]:
        """The reports of all games, some at a time, in the order of the files; without those of an earlier run.

        When they are handed out, the register has them noted; to save it then loses nothing, and counts nothing twice.
        Nothing raises but what the caller does, and Ctrl-C; what is not to be read comes as a report that says so.
        """
        with closing(self._crew(self._files, self._work, self._register)) as events:
            for event in events:
                match event:
                    case Judged():
                        self.settled = False
                        yield self._taken(event)
                        self.settled = True
                    case Begun():
                        self._begin(event)
                    case Ended():
                        self._end()

    def _begin(self, event: Begun) -> None:
        known = event.known or Known(0, False, "", 0, Tally())
        self._register.begin(event.found)
        self._found, self._read, self._whole, self._in_order = event.found, 0, True, event.in_order
        self._pieces, self._text, self._games, self._tally = known.pieces, known.text, known.games, known.tally
        self.before.join(known.tally)

    def _end(self) -> None:
        self.bytes += self._found.size - self._read
        self._save(whole=True)

    def _taken(self, judged: Judged) -> list[GameReport]:
        """The reports of a piece as the text counts them, with what they have in common with others."""
        if judged.begins:
            self._text, self._games = judged.name, 0
            self._register.text(judged.name)
        reports = [numbered(report, self._games) for report in judged.reports]
        played = [report for report in reports if report.moves]
        seen = iter(self._register.seen([(report.moves, report.game) for report in played]))
        compared = (_compared(report, next(seen)) if report.moves else report for report in reports)
        found = [self._selection.of(report) for report in compared]
        self._games += len(found)
        self._pieces += 1
        self._whole = self._whole and judged.whole
        counted = count(found)
        self._tally.join(counted)
        self.games += counted.games
        self.bytes += max(0, judged.taken - self._read)
        self._read = max(judged.taken, self._read)
        self._save(whole=False)
        return found

    def _save(self, *, whole: bool) -> None:
        # What could not be read, perhaps can be the next time; without any pieces the file is begun anew.
        pieces = self._pieces if self._whole and (whole or self._in_order) else 0
        self._register.end(pieces, whole, self._text, self._games, self._tally)


def _compared(report: GameReport, seen: tuple[str, int] | None) -> GameReport:
    """The report of a game, with the place where its moves have been seen before."""
    if seen is None:
        return report
    name, game = seen
    source = Source(report.file, [""], report.line)
    where = f"game {game} of {name}" if name != report.file else f"game {game}"
    told = Diagnostic(TWICE, f"the same moves as {where}", source, Span(0, 0, 0), NOTE, game=report.game)
    return replace(report, diagnostics=(*report.diagnostics, told))


# -------------------------------------------------------------------------------------------------------- the crew here


def here(jobs: int, size: int = SIZE) -> Crew:
    """A crew of so many processes on this machine, each of which takes about ``size`` bytes at once."""

    def crew(files: Iterable[Found], work: Work, register: Register) -> Generator[Event, None, None]:
        # The walk is ahead of the results, so what it tells waits here for its turn.
        told: deque[Begun | Ended | None] = deque()
        loads = _loads(files, register, size, told)
        with closing(in_order(work, loads, jobs, partial(lost, why="the process that checked it"))) as results:
            for _, judged in results:
                for each in judged:
                    yield from _before(told)
                    told.popleft()
                    yield each
                yield from _before(told)
            yield from _before(told)

    return crew


def _before(told: deque[Begun | Ended | None]) -> Iterator[Begun | Ended]:
    """What is told before the next piece."""
    while told and (event := told[0]) is not None:
        told.popleft()
        yield event


def _loads(files: Iterable[Found], register: Register, size: int, told: deque[Begun | Ended | None]) -> Iterator[Load]:
    """The pieces of all files; small ones together, since it takes a moment to send one. In ``told`` each is a None.

    Also files without pieces come to an end: an empty load is one as well.
    """
    some: list[Piece] = []
    number = held = waiting = 0
    for found in files:
        known = register.known(found)
        told.append(Begun(found, known))
        for piece in () if known and known.whole else islice(pieces(found), known.pieces if known else 0, None):
            told.append(None)
            some.append(piece)
            held += len(piece.data)
            waiting += 1
            if held >= size:
                yield Load(f"{number:06}", some)
                some, number, held, waiting = [], number + 1, 0, 0
        told.append(Ended())
        waiting += 1
        if waiting >= MANY:
            yield Load(f"{number:06}", some)
            some, number, held, waiting = [], number + 1, 0, 0
    if some:
        yield Load(f"{number:06}", some)


def lost(load: Load, why: str) -> list[Judged]:
    """What to say of pieces over which two processes ended."""
    told = f"{why} was ended, twice, perhaps for want of memory"
    return [Judged.of(each, [unread(each._replace(problem=told))]) for each in load.pieces]
