"""A whole archive checked: files to pieces, pieces to processes, and what comes of them back into their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Final

from ...notation.diagnostic import NOTE, Diagnostic
from ...notation.source import Source, Span
from ..report.model import GameReport, Tally, count
from .crew import in_order
from .judging import Judge, Judged, numbered, unread
from .pieces import SIZE, Piece, pieces
from .register import Known, Register
from .sources import Found

TWICE: Final = "A101"
"""The code of a game whose moves have been seen before."""


@dataclass(slots=True)
class Progress:
    """How far a batch has come: ``files`` to their end, ``bytes`` of them as they lie, ``games``.

    ``skipped`` files had been checked in an earlier run to the end, and ``before`` is the tally of all games that had.
    """

    files: int = 0
    bytes: int = 0
    games: int = 0
    skipped: int = 0
    before: Tally = field(default_factory=Tally)


class _Begin:
    """A file begins; what comes from the walk ahead of the results is told to them in this way."""

    def __init__(self, found: Found, known: Known | None) -> None:
        self.found, self.known = found, known


class _End:
    """It ends."""


class Batch:
    """Checks an archive; ``progress`` tells at any time how far it has come."""

    def __init__(
        self,
        files: Iterable[Found],
        judge: Judge,
        register: Register,
        jobs: int = 1,
        progress: Progress | None = None,
    ) -> None:
        self.progress = progress or Progress()
        self._files, self._judge, self._register, self._jobs = files, judge, register, jobs
        self._events: deque[_Begin | Piece | _End] = deque()
        self._found, self._pieces, self._read = Found(""), 0, 0
        self._text, self._games, self._tally = "", 0, Tally()
        self._broken = False

    def reports(self) -> Generator[list[GameReport], None, None]:
        """The reports of all games, some at a time, in the order of the files; without those of an earlier run.

        When they are handed out, the register has them noted; to save it then loses nothing, and counts nothing twice.
        Nothing raises but what the caller does, and Ctrl-C; what is not to be read comes as a report that says so.
        """
        with closing(in_order(self._judge, self._loads(), self._jobs, _lost)) as results:
            for _, judged in results:
                for each in judged:
                    self._turn_to(Piece)
                    piece = self._events.popleft()
                    assert isinstance(piece, Piece)
                    yield self._taken(each, piece)
            self._turn_to(type(None))

    def _loads(self) -> Iterator[list[Piece]]:
        """The pieces of all files; small ones together, since it takes a moment to send one."""
        load: list[Piece] = []
        size = 0
        for found in self._files:
            known = self._register.known(found)
            self._events.append(_Begin(found, known))
            if not (known and known.whole):
                for number, piece in enumerate(pieces(found)):
                    if known and number < known.pieces:
                        continue
                    self._events.append(piece._replace(data=b""))
                    load.append(piece)
                    size += len(piece.data)
                    if size >= SIZE // 2:
                        yield load
                        load, size = [], 0
            self._events.append(_End())
        if load:
            yield load

    def _turn_to(self, kind: type) -> None:
        """Take note of the files that begin and end before the next piece."""
        while self._events and not isinstance(self._events[0], kind):
            event = self._events.popleft()
            if isinstance(event, _Begin):
                self._begin(event)
            elif isinstance(event, _End):
                self.progress.bytes += self._found.size - self._read
                self.progress.files += 1
                if self._broken:  # perhaps it can be read the next time
                    self._pieces, self._tally = 0, Tally()
                self._save(whole=not self._broken)

    def _begin(self, event: _Begin) -> None:
        known, self._found = event.known, event.found
        self._register.begin(event.found)
        self._pieces, self._text, self._games, self._tally = 0, "", 0, Tally()
        self._read, self._broken = 0, False
        if known:
            self._pieces, self._text, self._games, self._tally = known.pieces, known.text, known.games, known.tally
            self.progress.before.join(known.tally)
            self.progress.skipped += known.whole

    def _taken(self, judged: Judged, piece: Piece) -> list[GameReport]:
        """The reports of a piece as the text counts them, with what they have in common with others."""
        if judged.begins:
            self._text, self._games = judged.name, 0
            self._register.text(judged.name)
        found = [self._compared(numbered(report, self._games)) for report in judged.reports]
        self._games += len(found)
        self._pieces += 1
        self._broken = self._broken or bool(piece.problem)
        self._tally.join(count(found))
        progress = self.progress
        progress.games += len(found)
        progress.bytes += max(0, piece.taken - self._read)
        self._read = max(piece.taken, self._read)
        self._save(whole=False)
        return found

    def _compared(self, report: GameReport) -> GameReport:
        seen = self._register.seen(report.moves, report.game) if report.moves else None
        if seen is None:
            return report
        name, game = seen
        source = Source(report.file, [""], report.line)
        where = f"game {game} of {name}" if name != report.file else f"game {game}"
        told = Diagnostic(TWICE, f"the same moves as {where}", source, Span(0, 0, 0), NOTE, game=report.game)
        return replace(report, diagnostics=(*report.diagnostics, told))

    def _save(self, *, whole: bool) -> None:
        self._register.end(self._pieces, whole, self._text, self._games, self._tally)


def _lost(load: list[Piece]) -> list[Judged]:
    """What to say of pieces over which two processes ended."""
    told = "the process that checked it was ended, twice, perhaps for want of memory"
    return [Judged(each.name, each.first == 1, [unread(each._replace(problem=told))]) for each in load]
