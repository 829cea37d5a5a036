"""Checks a whole archive: divides files into chunks, gives chunks to processes, and puts the results back in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import field, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Final, NamedTuple, TypeAlias, TypeVar

from ...notation.basics import dataclass, file_name
from ...notation.language import phrase
from ...notation.records import COUNTS, NOTE, Diagnostic, Game, Source, Span, spellings_of
from ...replay.checking.api import check
from ..processes.pool import map_in_order
from ..report.api import INTERNAL_ERROR, CountedGame, GameReport, Selection, Tally
from ..storage.api import InputFile
from ..storage.sources import SYSTEM_FILE
from .checker import ChunkChecker, ChunkGroup, ChunkResult, GameItem, unreadable_report
from .chunks import CHUNK_SIZE, Chunk, chunks_of
from .register import FileProgress, Register, Seen

MAX_GROUP_SIZE: Final = 1500
"""The most chunks in one group, including file starts and ends."""
ALL: Final = Selection()
DUPLICATE, OTHER_LOG, SPELLING = "A101", "A102", "A103"
"""The codes for a game with moves seen before, for another log of a game, and for a player spelt differently."""


class FileStarted(NamedTuple):
    """A file begins. ``known`` is how far an earlier run got with it.

    ``resumable`` says that its chunks are the same in every run, so that another run can continue after any of them.
    """

    file: InputFile
    known: FileProgress | None
    resumable: bool = True


class FileEnded(NamedTuple):
    """The file ends."""


FileEvent: TypeAlias = FileStarted | FileEnded
BatchEvent: TypeAlias = FileEvent | ChunkResult
ChunkWork: TypeAlias = Callable[[ChunkGroup], list[ChunkResult]]
Runner: TypeAlias = Callable[[Iterable[InputFile], ChunkWork, Register], Generator[BatchEvent, None, None]]
"""Applies work to the chunks of files, and yields the results in the order of the files."""
Grouped = TypeVar("Grouped", bound=FileEvent | Chunk)


@dataclass
class Batch:
    """Goes through an archive. ``bytes`` (of the files, as stored) and ``games`` count what it has done so far.

    ``before`` is the tally of all games that an earlier run has checked; ``counted`` is the tally of games without a
    report that go with the reports yielded last. ``settled`` says whether everything in the register was yielded, and
    the caller came back for more.
    """

    files: Iterable[InputFile]
    work: ChunkWork
    register: Register
    runner: Runner
    selection: Selection = ALL
    bytes: int = field(default=0, init=False)
    games: int = field(default=0, init=False)
    before: Tally = field(default_factory=Tally, init=False)
    counted: Tally = field(default_factory=Tally, init=False)
    settled: bool = field(default=True, init=False)

    def reports(self) -> Generator[list[GameReport], None, None]:
        """Yield the reports on all games, some at a time, in the order of the files, without those from an earlier run.

        They are in the register by then, so saving it loses nothing and counts nothing twice. Only the caller's own
        actions and Ctrl-C raise; anything that can't be read becomes a report that says so.
        """
        with closing(self.runner(self.files, self.work, self.register)) as events:
            for event in events:
                match event:
                    case ChunkResult():
                        self.settled = False
                        yield self._take(event)
                        self.settled = True
                    case FileStarted(file, known, resumable):
                        # An earlier run may have reached `known`.
                        self.register.begin(file)
                        self._file, self._read, self._whole, self._resumable = file, 0, True, resumable
                        self._progress = known or FileProgress()
                        self.before.join(self._progress.tally)
                    case FileEnded():
                        self.bytes += self._file.size - self._read
                        self._save(whole=True)

    def _take(self, result: ChunkResult) -> list[GameReport]:
        """Return the reports of a chunk, numbered within their text, with notes on moves that were seen before.

        Count the games without a report.
        """
        progress, chunk = self._progress, result.chunk
        if chunk.first == 1:
            progress.text, progress.games = chunk.name, 0
            self.register.text(chunk.name)
        games, before, earlier = result.reports, progress.games, progress.tally.games
        seen = self.register.seen(chunk.name, [(before + game.game, _numbers(game)) for game in games])
        counted: list[CountedGame] = []
        reports: list[GameReport] = []
        for game, places in zip(games, seen, strict=True):
            notes, same = _compared(game, before + game.game, chunk.name, places) if places else ((), None)
            if isinstance(game, CountedGame):
                if not notes:
                    counted.append(game)
                    continue
                game = game.report(chunk.name)
            if before:
                game.game += before
                game.diagnostics = tuple([replace(fault, game=game.game) for fault in game.diagnostics])
            game.diagnostics, game.same_as = (*game.diagnostics, *notes), same
            reports.append(self.selection.of(game))
        self.counted = Tally()
        self.counted.count(counted)
        progress.tally.join(self.counted)
        for report in reports:
            progress.tally.add(report)
        progress.games += len(games)
        progress.chunks += 1
        failed = any(fault.code == INTERNAL_ERROR for report in reports for fault in report.diagnostics)
        self._whole = self._whole and chunk.problem in ("", SYSTEM_FILE) and not failed
        self.games += progress.tally.games - earlier
        self.bytes += max(0, chunk.bytes_read - self._read)
        self._read = max(chunk.bytes_read, self._read)
        self._save(whole=False)
        return reports

    def _save(self, *, whole: bool) -> None:
        # What could not be read or checked may be readable next time; with no chunks, the file starts from the
        # beginning.
        chunks = self._progress.chunks if self._whole and (whole or self._resumable) else 0
        self.register.end(replace(self._progress, chunks=chunks, whole=whole))


def reports_of(games: Iterable[Game], rules: str = "") -> Iterator[GameReport]:
    """Yield the reports on games that have been read, with notes on moves that were seen before."""
    checker = ChunkChecker(rules, moves=True)
    with Register() as register:
        text = ""
        for game in games:
            name = game.source.name
            if name != text:
                register.text(name)
                text = name
            verdict = check(game, rules)
            report = checker.report(game, verdict, verdict.diagnostics, rules)
            (seen,) = register.seen(name, [(report.game, _numbers(report))])
            notes, report.same_as = _compared(report, report.game, name, seen)
            report.diagnostics += notes
            yield report


def _numbers(game: GameItem) -> list[int]:
    """Return the numbers that identify a game, and those under which it may have been seen before."""
    return [game.moves, *game.logs, *_spellings(game.names)] if game.moves else []


@lru_cache(maxsize=10_000)
def _spellings(names: tuple[str, ...]) -> list[int]:
    """Return the numbers of players' names."""
    return [number for name in names for number in spellings_of(name) if number]


def _compared(game: GameItem, nth: int, name: str, seen: dict[int, Seen]) -> tuple[tuple[Diagnostic, ...], Seen | None]:
    """Return notes on what has been seen before of the ``nth`` game of the text: its moves, a log of it, its players'
    names; and the game that counts instead.

    Of a game's logs, the first that is legal and names a winner counts; if there is none, the first of all.
    """
    notes: list[Diagnostic] = []

    def where(place: Seen) -> str:
        if place[0] == name:
            return phrase("game {number}", number=place[1])
        return phrase("game {number} of {file}", number=place[1], file=file_name(place[0]))

    def note(code: str, words: str, remedy: str = "") -> None:
        source = Source(name, [""], game.line)
        notes.append(Diagnostic(code, words, source, Span(0, 0, 0), NOTE, game=nth, help=remedy))

    counting = [seen[log | COUNTS] for log in game.logs if log | COUNTS in seen]
    others = [seen[log & ~COUNTS] for log in game.logs if log & ~COUNTS in seen]
    same = counting if any(log & COUNTS for log in game.logs) else counting or others
    if game.moves in seen:
        note(DUPLICATE, phrase("the same moves as {game}", game=where(seen[game.moves])))
    elif counting or others:
        words = phrase("another log of {game}", game=where((counting or others)[0]))
        note(OTHER_LOG, words, phrase("`tiro merge` joins the two"))
    for player in game.names:
        spelt, any_way = spellings_of(player)
        if any_way in seen and spelt not in seen:
            words = phrase("“{player}” is probably a player of {game}", player=player, game=where(seen[any_way]))
            note(SPELLING, f"{words}, {phrase('written there with other accents, spaces or capitals')}")
    return tuple(notes), same[0] if same else None


def local_runner(jobs: int, size: int = CHUNK_SIZE, chunk_size: int = CHUNK_SIZE) -> Runner:
    """Return a runner with ``jobs`` processes on this machine, each taking about ``size`` bytes at a time.

    Texts are cut into chunks of about ``chunk_size`` bytes.
    """

    def run(files: Iterable[InputFile], work: ChunkWork, register: Register) -> Generator[BatchEvent, None, None]:
        # Files are read ahead of the results, so events about them wait here for their turn.
        pending: deque[list[FileEvent | Chunk]] = deque()

        def loads() -> Iterator[ChunkGroup]:
            for number, group in enumerate(grouped(_file_events(files, register, chunk_size), size)):
                pending.append(group)
                yield ChunkGroup(f"{number:06}", [event for event in group if isinstance(event, Chunk)])

        why = phrase("the process that checked it was killed twice, perhaps because memory ran out")
        lost = partial(lost_results, problem=why)
        with closing(map_in_order(work, loads(), jobs, lost)) as done:
            for _, results in done:
                rest = iter(results)
                for event in pending.popleft():
                    yield next(rest) if isinstance(event, Chunk) else event

    return run


def _file_events(files: Iterable[InputFile], register: Register, chunk_size: int) -> Iterator[FileEvent | Chunk]:
    """Yield the start and end of each file, and in between the chunks that no earlier run has checked."""
    for file in files:
        known = register.known(file)
        yield FileStarted(file, known)
        if not (known and known.whole):
            chunks, before = chunks_of(file, chunk_size), known.chunks if known else 0
            if sum(1 for _ in islice(chunks, before)) < before:  # there are not so many
                raise register.damaged()
            yield from chunks
        yield FileEnded()


def grouped(events: Iterable[Grouped], size: int) -> Iterator[list[Grouped]]:
    """Yield chunks, and the events between them, in groups with about ``size`` bytes of text.

    Small chunks are sent together, since sending takes time. A group may have no chunks.
    """
    group: list[Grouped] = []
    held = 0
    for event in events:
        group.append(event)
        held += len(event.data) if isinstance(event, Chunk) else 0
        if held >= size or len(group) >= MAX_GROUP_SIZE:
            yield group
            group, held = [], 0
    if group:
        yield group


def lost_results(group: ChunkGroup, problem: str) -> list[ChunkResult]:
    """Return results for chunks on which two processes have died: they say that the chunks can't be read."""
    return [ChunkResult.of(chunk, [unreadable_report(chunk._replace(problem=problem))]) for chunk in group.chunks]
