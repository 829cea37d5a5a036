"""Splits a text into chunks of whole games, and turns chunks into reports of their games: the work that processes
share.

A text is split only where the reader would begin a new game in any context: before a header whose line follows a turn
or a result. So reading the chunks one by one gives the same games as reading the text, without ever holding all of it.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from itertools import count, pairwise
from typing import Any, Final, NamedTuple, TypeAlias

from ...notation.classes import dataclass
from ...notation.diagnostic import Diagnostic
from ...notation.fingerprint import marks_of
from ...notation.reader import Game, read_bytes
from ...notation.record import TOO_LARGE, Record
from ...notation.source import HEAD, LONGEST_GAME, Source, Span, foreign
from ...replay.checking import check
from ...replay.diagnostics.registry import ILLEGAL, LEGAL, NOTHING, POSSIBLE, UNREADABLE
from ..storage.sources import LEFT_ASIDE, Damaged, InputFile, TextStream, texts
from .model import OWN_FAULT, CountedGame, GameReport, failed_report

CHUNK_SIZE: Final = 1 << 18
"""Bytes that are read at once, and roughly the size of a chunk: about 250 games, a tenth of a second's work."""
LONGEST_GAP: Final = LONGEST_GAME + LONGEST_GAME // 4
"""The number of bytes without the end of a game after which they are given up: more than a game may have, whatever its
line ends.
"""
ENDLESS: Final = f"no game ends within {LONGEST_GAME >> 20} MB from here, so nothing up to the next game is read"
_WINDOW: Final = 1 << 14
"""The bytes before a header that must show that a game begins there, if not all earlier ones are in memory."""
_LONG: Final = 19_000
"""In bytes; the reader does not accept a line of 20,000 characters as a turn."""
_HEAD_LINE: Final = re.compile(rb"[\r\n]\[(?=[^\r\n\"]*\")")
_TITLE: Final = re.compile(rb"\[[^\r\n\"]*\"")
_SURE: Final = re.compile(
    rb"(?:0|[1-9][0-9]{0,3})[RE](?:[ \t][^\"]*)?|(?:\*|[0-9]{1,3}-[0-9]{1,3})(?:>[RE-])?", re.DOTALL
)
"""A line that is a turn or a result, whatever may be wrong with it."""
_HEADER: Final = re.compile(rb"[^!-~]*\[")
"""The beginning of a line that may be a header: after whatever the reader treats as space, and more."""
UNFINISHED: Final = "C905"
"""The code of a game that is not over."""
UNREAD: Final = "N108"
"""The code of a file, or the rest of one, that can't be read."""
LOST: Final = (UNREAD, TOO_LARGE, OWN_FAULT)
"""Codes for what was not checked: commands then end with 2."""


class Chunk(NamedTuple):
    """Some whole games from the text ``name``: ``data`` as bytes, starting at line ``first``, counted from 1.

    ``last``: the text ends with it. ``returns``: a carriage return has occurred before it. ``problem``: why nothing
    more of the text, or nothing before the next chunk, can be read; then the data are not checked. ``taken``: how many
    bytes of its file have been read so far.
    """

    name: str
    data: bytes
    first: int = 1
    last: bool = False
    returns: bool = False
    problem: str = ""
    taken: int = 0


class TextRange(NamedTuple):
    """Whole games of a plain text: its bytes from ``begin`` up to ``stop``. The other fields are as in Chunk."""

    begin: int
    stop: int
    first: int = 1
    last: bool = True
    returns: bool = False


WHOLE_TEXT: Final = TextRange(0, sys.maxsize)


def chunks_of(file: InputFile, size: int = CHUNK_SIZE, part: TextRange = WHOLE_TEXT) -> Iterator[Chunk]:
    """Yield all texts of a file, or a range of its only text, chunk by chunk; a chunk says what can't be read."""
    for text in texts(file):
        for chunk in split(text, size, part):
            yield chunk._replace(taken=text.taken())


def split(text: TextStream, size: int = CHUNK_SIZE, part: TextRange = WHOLE_TEXT) -> Iterator[Chunk]:
    """Yield one text, or a range of a plain one, in chunks of about ``size`` bytes; only the first one has line 1."""
    if text.stream is None:
        yield Chunk(text.name, b"", last=True, problem=text.problem)
        return
    _, _, first, last, returns = part
    data, lost, searched, problem = bytearray(), False, 0, ""
    for block, problem in _blocks(text.stream, size, part):
        data += block
        if block and len(data) < max(searched + size, HEAD):
            continue
        is_end = not (block or problem)
        if first == 1 and not problem and foreign(bytes(data[:HEAD])):
            yield Chunk(text.name, bytes(data[:HEAD]), last=True)
            return
        if lost:
            at = _next_game(data)
            lost, at = not at, at or _droppable(data)
            first += _line_count(data[:at])
            del data[:at]
            searched = 0
            if lost:
                continue
        at = len(data) if is_end else last_game_start(data, max(0, searched - 1))
        whole = bytes(data[:at])
        if at or is_end:
            yield Chunk(text.name, whole, first, last and is_end, returns)
        elif len(data) > LONGEST_GAP:
            yield Chunk(text.name, b"", first, returns=returns, problem=ENDLESS)
            lost = True
        returns = returns or b"\r" in whole
        first += _line_count(whole)
        del data[:at]
        searched = len(data)
    if problem:
        yield Chunk(text.name, bytes(data), first, True, returns, problem)  # with whatever there is of its last game


def _blocks(stream: io.BufferedReader, size: int, part: TextRange) -> Iterator[tuple[bytes, str]]:
    """Yield a range of a text in blocks of at most ``size`` bytes, and finally an empty one, with the reason if it ends
    too early.
    """
    begin, problem = part.begin, ""
    if begin:
        stream.seek(begin)
    while True:
        try:
            # No more than arrives at once, so that what comes before a damaged part is not lost.
            block = stream.read1(min(size, part.stop - begin))
        except Damaged as error:
            block, problem = b"", str(error)
        yield block, problem
        if not block:
            return
        begin += len(block)


def last_game_start(data: bytes | bytearray, searched: int = 0) -> int:
    """Return where the last game of some bytes certainly begins, 0 if that is not certain.

    The first ``searched`` bytes are not searched again.
    """
    returns, at = b"\r" in data, len(data)
    while (end := max(data.rfind(b"\n[", searched, at), data.rfind(b"\r[", searched, at) if returns else -1)) > 0:
        if _TITLE.match(data, end + 1) and _is_played(data, end, returns):
            return end + 1
        at = end + 1
    return 0


def _is_played(data: bytes | bytearray, end: int, returns: bool) -> bool:
    """Return whether the game whose last line ends at a place has a turn or a result, so that a header begins the next.

    ``returns``: whether lines may end with a carriage return.
    """
    while end > 0:
        begin = max(data.rfind(b"\n", 0, end), data.rfind(b"\r", 0, end) if returns else -1) + 1
        line = bytes(data[begin:end]).strip()
        if _HEADER.match(line):
            return False
        if len(line) < _LONG and _SURE.fullmatch(line):
            return True
        end = begin - 1
    return False


def _next_game(data: bytes | bytearray) -> int:
    """Return the first place where a game certainly begins, 0 if there is none."""
    returns = b"\r" in data
    for match in _HEAD_LINE.finditer(data):
        if _is_played(data, match.start(), returns):
            return match.end() - 1
    return 0


def text_ranges(file: InputFile, size: int) -> list[TextRange]:
    """Return a plain text as ranges of about ``size`` bytes; any other file as a single range."""
    for text in texts(file):
        if text.stream is None or not text.plain or foreign(text.stream.peek(HEAD)[:HEAD]):
            break
        ranges: list[TextRange] = []
        begin = 0
        for chunk in split(text, min(size // 8 + 1, CHUNK_SIZE)):
            if chunk.problem:
                return [WHOLE_TEXT]
            if not ranges or begin - ranges[-1].begin >= size:
                ranges.append(TextRange(begin, sys.maxsize, chunk.first, returns=chunk.returns))
            begin += len(chunk.data)
        return [*(one._replace(stop=two.begin, last=False) for one, two in pairwise(ranges)), ranges[-1]]
    return [WHOLE_TEXT]


def _droppable(data: bytearray) -> int:
    """Return how many bytes without a certain game may be dropped: all but the window, without splitting a line end."""
    drop = max(0, len(data) - _WINDOW)
    return drop - 1 if drop and data[drop - 1 : drop] == b"\r" else drop


def _line_count(data: bytes | bytearray) -> int:
    """Return how many lines end in some bytes, whatever the line end."""
    return data.count(b"\n") + (data.count(b"\r") - data.count(b"\r\n") if b"\r" in data else 0)


class ChunkGroup(NamedTuple):
    """Chunks that one process takes at once. ``name`` distinguishes the groups of a run, and sorts them."""

    name: str
    chunks: list[Chunk]


Found: TypeAlias = GameReport | CountedGame
"""What is returned for a game."""


class ChunkResult(NamedTuple):
    """A chunk without its data, and the reports of its games, which are counted from 1 within it."""

    chunk: Chunk
    reports: list[Found]

    @classmethod
    def of(cls, chunk: Chunk, reports: list[Found]) -> ChunkResult:
        """Return the reports of a chunk, whose data are no longer needed."""
        return cls(chunk._replace(data=b""), reports)

    def __reduce__(self) -> tuple[Any, ...]:
        # Plain tuples take a third of the time to be sent.
        return _result, (self.chunk, [tuple(each) if isinstance(each, CountedGame) else each for each in self.reports])


def _result(chunk: Chunk, sent: list[Any]) -> ChunkResult:
    return ChunkResult(chunk, [CountedGame._make(each) if isinstance(each, tuple) else each for each in sent])


class CheckedGame(NamedTuple):
    """A game with its verdict, and its report, full or merely counted."""

    game: Game
    verdict: check.Verdict
    report: Found


@dataclass(frozen=True)
class ChunkChecker:
    """Checks the games of chunks. It holds nothing but settings, so that it can be sent to other processes.

    ``rules``: the rule set of records that name no known one. ``strict``: whether canonical form is required as well,
    and ``finished``: that the game is over.
    ``suggest``: look for repairs of the games that are broken. ``infer``: judge games that name no rule set by the one
    that explains them.
    ``witness``: for each game that is possible, report a complete record that explains it. ``texts``: report the lines
    of each game, and ``moves``: the fingerprint of its moves.
    """

    rules: str = ""
    strict: bool = False
    witness: bool = False
    texts: bool = False
    moves: bool = False
    finished: bool = False
    suggest: bool = False
    infer: bool = False
    brief: bool = field(default=False, repr=False)
    """Whether games about which there is nothing to say are only counted, without outcomes."""

    def __call__(self, group: ChunkGroup) -> list[ChunkResult]:
        """Return the result of each chunk of a group, in order."""
        return [ChunkResult.of(chunk, self.reports(chunk)) for chunk in group.chunks]

    def reports(self, chunk: Chunk) -> list[Found]:
        """Return the reports of a chunk's games; for an unreadable chunk, one that says so."""
        if chunk.problem:
            torn = read_bytes(io.BytesIO(chunk.data), chunk.name, chunk.first) if self.texts else ()
            return [unreadable_report(chunk, "".join(line for game in torn for line in game.source.lines))]
        return [each.report if isinstance(each, CheckedGame) else each for each in self.games(chunk)]

    def games(self, chunk: Chunk) -> Iterator[CheckedGame | GameReport]:
        """Yield the games of a readable chunk, checked; for one on which the program fails, only a report that says so.

        If it fails to read one, the rest of the chunk is lost with it.
        """
        read = iter(self._with_form_faults(read_bytes(io.BytesIO(chunk.data), chunk.name, chunk.first), chunk))
        for number in count(1):
            game: Game | None = None
            try:
                if (each := next(read, None)) is None:
                    return
                game, faults = each
                rules = self.rules
                if self.infer:
                    from ...replay.checking.inference import infer_rules, inference_note

                    if inference := infer_rules(game.mended or game):
                        rules, faults = inference.rules, [*faults, inference_note(game, inference)]
                verdict = check.check(game, rules)
                report = self._report(game, verdict, faults, rules)
                checked = CheckedGame(game.mended or game, verdict, report)
            except Exception as error:  # noqa: BLE001  # the other games must not be lost with it
                unread = Game(Record(), Source(chunk.name, [], chunk.first), number=number)
                checked = failed_report(error, game or unread)
            yield checked

    def _with_form_faults(self, games: Iterable[Game], chunk: Chunk) -> Iterable[tuple[Game, list[Diagnostic]]]:
        """Yield each game with the faults of its form, if canonical form is required."""
        if not self.strict:
            return ((game, []) for game in games)
        from ...replay.checking.canonical import look_at_bytes, strictly_all

        form = look_at_bytes(io.BytesIO(chunk.data))
        carriage = None if form.carriage is None or chunk.returns else form.carriage + chunk.first - 1
        mark, unended = form.mark and chunk.first == 1, form.unended and chunk.last
        return strictly_all(games, replace(form, mark=mark, carriage=carriage, unended=unended), whole=chunk.last)

    def _report(self, game: Game, verdict: check.Verdict, more: list[Diagnostic], rules: str) -> Found:
        """Return the report of a game, with faults of its form and of its end added."""
        faults = verdict.diagnostics
        if self.finished and not verdict.outcome.finished:
            told = game.missing or any(fault.code == UNFINISHED for fault in faults)
            more = more if told else [*more, _unfinished(game, verdict)]
        if more:
            faults = tuple(sorted((*faults, *more), key=lambda fault: fault.span.line))
        if self.suggest and (verdict.verdict in (ILLEGAL, UNREADABLE) or game.has_asides):
            from ..repair.likely import with_fixes

            faults = with_fixes(game, faults, rules)
        if self.brief and not faults and verdict.stopped is None:
            counts = verdict.events, verdict.turns, verdict.verdict
            return CountedGame(game.number, game.source.first, *counts, *self._marks(game, verdict))
        return self.report(game, verdict, faults, rules)

    def report(self, game: Game, verdict: check.Verdict, faults: tuple[Diagnostic, ...], rules: str = "") -> GameReport:
        """Return the report of a game with these faults; ``rules`` is the rule set if it names none."""
        read = game.mended or game
        header, edition = read.record.header, verdict.edition.name if verdict.edition else ""
        counts = verdict.events, verdict.turns, verdict.verdict
        report = GameReport(game.source.name, game.number, "", edition or header("Rules", "?"), *counts, "", faults)
        report.stopped, report.line = verdict.stopped, game.source.first
        report.moves, report.logs, report.names = self._marks(read, verdict)
        if not self.brief:
            report.title = f"{header('Caesar', '?')} – {header('Cleopatra', '?')}"
            report.summary, report.headers, report.score = verdict.summary, read.record.headers, verdict.score
            report.outcome = None if game.missing else verdict.outcome
        if self.texts:
            report.text = "".join(game.source.lines)
        if self.witness and verdict.verdict == POSSIBLE:
            from ...notation.writer import write
            from ...replay.knowledge.witness import witness_of

            witness = witness_of(game.record, rules)
            report.witness = f"{write(witness)}\n" if witness else ""
        return report

    def _marks(self, game: Game, verdict: check.Verdict) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
        """Return what identifies a game, if somebody asked for it."""
        won = verdict.verdict in (LEGAL, POSSIBLE) and verdict.is_won
        return marks_of(game, counts=won) if self.moves else (0, (), ())


def _unfinished(game: Game, verdict: check.Verdict) -> Diagnostic:
    """Return the error for a game that is not over, placed at its result or else at its end."""
    line = game.record.result.line if game.record.result else max(len(game.source.lines) - 1, 0)
    text = game.source.text(line)
    span = Span(line, len(text) - len(text.lstrip()), len(text.rstrip()))
    fault = check.make(UNFINISHED, {}, game, span, verdict.edition)
    return replace(fault, message="the game is not finished: it ended neither by the rules nor by a decision")


def unreadable_report(chunk: Chunk, text: str = "") -> GameReport:
    """Return the report of a chunk that can't be read; ``text``: whatever lines of it there are."""
    if chunk.problem == LEFT_ASIDE:  # only counted
        return GameReport(chunk.name, 1, "", "?", 0, 0, NOTHING, "")
    source = Source(chunk.name, [""], chunk.first)
    code, message, verdict = TOO_LARGE, chunk.problem, UNREADABLE
    if chunk.problem != ENDLESS:
        verdict = UNREADABLE if chunk.data else NOTHING  # there is part of a game, or none
        code, message = UNREAD, f"{'this' if chunk.first == 1 else 'from here on this'} can't be read: {chunk.problem}"
    remedy = f"everything else has been checked; `tiro explain {code}` says what to do"
    fault = Diagnostic(code, message, source, Span(0, 0, 0), help=remedy)
    return GameReport(chunk.name, 1, "", "?", 0, 0, verdict, "", (fault,), line=chunk.first, text=text)
