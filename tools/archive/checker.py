"""Turns chunks of games into reports of the games: the work that processes share."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias

from ...notation.basics import dataclass
from ...notation.language import phrase
from ...notation.records import TOO_LARGE, Diagnostic, Game, Record, Source, Span, game_identifiers, read_bytes
from ...replay.checking.api import Verdict, check, make_diagnostic
from ...replay.diagnostics.api import ILLEGAL, LEGAL, NOTHING, POSSIBLE, UNREADABLE
from ..report.api import INTERNAL_ERROR, CountedGame, GameReport, failed_report
from ..storage.sources import SYSTEM_FILE
from .chunks import ENDLESS, MOST, Chunk

UNFINISHED: Final = "C905"
"""The code of a game that is not over."""
UNREAD: Final = "N108"
"""The code of a file, or the rest of one, that can't be read."""
LOST: Final = (UNREAD, TOO_LARGE, INTERNAL_ERROR)
"""Codes for what was not checked: commands then end with 2."""


class ChunkGroup(NamedTuple):
    """Chunks that one process takes at once. ``name`` distinguishes the groups of a run, and sorts them."""

    name: str
    chunks: list[Chunk]


GameItem: TypeAlias = GameReport | CountedGame
"""What is returned for a game."""


class ChunkResult(NamedTuple):
    """A chunk without its data, and the reports of its games, which are counted from 1 within it."""

    chunk: Chunk
    reports: list[GameItem]

    @classmethod
    def of(cls, chunk: Chunk, reports: list[GameItem]) -> ChunkResult:
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
    verdict: Verdict
    report: GameItem


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

    def reports(self, chunk: Chunk) -> list[GameItem]:
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
                    from ...replay.checking.api import infer_rules, inference_note

                    if inference := infer_rules(game.mended or game):
                        rules, faults = inference.rules, [*faults, inference_note(game, inference)]
                verdict = check(game, rules)
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
        from ...replay.checking.api import all_canonical_faults, scan_bytes

        form = scan_bytes(io.BytesIO(chunk.data))
        at = None if chunk.has_carriage_returns else form.carriage_return
        carriage = None if at is None else at + chunk.first - 1
        mark, unended = form.mark and chunk.first == 1, form.unterminated and chunk.last
        form = replace(form, mark=mark, carriage_return=carriage, unterminated=unended)
        return all_canonical_faults(games, form, whole=chunk.last)

    def _report(self, game: Game, verdict: Verdict, more: list[Diagnostic], rules: str) -> GameItem:
        """Return the report of a game, with faults of its form and of its end added."""
        faults = verdict.diagnostics
        if self.finished and not verdict.outcome.finished:
            told = game.missing or any(fault.code == UNFINISHED for fault in faults)
            more = more if told else [*more, _unfinished(game, verdict)]
        if more:
            faults = tuple(sorted((*faults, *more), key=lambda fault: fault.span.line))
        if self.suggest and (verdict.verdict in (ILLEGAL, UNREADABLE) or game.has_asides):
            from ..repair.api import with_fixes

            faults = with_fixes(game, faults, rules)
        if self.brief and not faults and verdict.stopped is None:
            counts = verdict.events, verdict.turns, verdict.verdict
            return CountedGame(game.number, game.source.first, *counts, *self._game_identifiers(game, verdict))
        return self.report(game, verdict, faults, rules)

    def report(self, game: Game, verdict: Verdict, faults: tuple[Diagnostic, ...], rules: str = "") -> GameReport:
        """Return the report of a game with these faults; ``rules`` is the rule set if it names none."""
        read = game.mended or game
        header, edition = read.record.header, verdict.edition.name if verdict.edition else ""
        counts = verdict.events, verdict.turns, verdict.verdict
        report = GameReport(game.source.name, game.number, "", edition or header("Rules", "?"), *counts, "", faults)
        report.stopped, report.line = verdict.stopped, game.source.first
        report.moves, report.logs, report.names = self._game_identifiers(read, verdict)
        if not self.brief:
            report.title = f"{header('Caesar', '?')} – {header('Cleopatra', '?')}"
            report.summary, report.headers, report.score = verdict.summary, read.record.headers, verdict.score
            report.outcome = None if game.missing else verdict.outcome
        if self.texts:
            report.text = "".join(game.source.lines)
        if self.witness and verdict.verdict == POSSIBLE:
            from ...notation.records import write
            from ...replay.knowledge.api import witness_of

            witness = witness_of(game.record, rules)
            report.witness = f"{write(witness)}\n" if witness else ""
        return report

    def _game_identifiers(self, game: Game, verdict: Verdict) -> tuple[int, tuple[int, ...], tuple[str, ...]]:
        """Return what identifies a game, if somebody asked for it."""
        won = verdict.verdict in (LEGAL, POSSIBLE) and verdict.is_won
        return game_identifiers(game, counts=won) if self.moves else (0, (), ())


def _unfinished(game: Game, verdict: Verdict) -> Diagnostic:
    """Return the error for a game that is not over, placed at its result or else at its end."""
    line = game.record.result.line if game.record.result else max(len(game.source.lines) - 1, 0)
    text = game.source.text(line)
    span = Span(line, len(text) - len(text.lstrip()), len(text.rstrip()))
    fault = make_diagnostic(UNFINISHED, {}, game, span, verdict.edition)
    said = phrase("the game is not finished: it ended neither by the rules nor by a decision")
    return replace(fault, message=said)


def unreadable_report(chunk: Chunk, text: str = "") -> GameReport:
    """Return the report of a chunk that can't be read; ``text``: whatever lines of it there are."""
    if chunk.problem == SYSTEM_FILE:  # only counted
        return GameReport(chunk.name, 1, "", "?", 0, 0, NOTHING, "")
    source = Source(chunk.name, [""], chunk.first)
    code, verdict, why = UNREAD, UNREADABLE if chunk.data else NOTHING, chunk.problem  # part of a game, or none
    message = phrase("this can't be read: {why}", why=why)
    if why == ENDLESS:
        code, verdict, size = TOO_LARGE, UNREADABLE, MOST >> 20
        message = phrase("no game ends within {size} MB from here, so nothing up to the next game is read", size=size)
    elif chunk.first > 1:
        message = phrase("from here on this can't be read: {why}", why=why)
    remedy = phrase("everything else has been checked; `tiro explain {code}` says what to do", code=code)
    fault = Diagnostic(code, message, source, Span(0, 0, 0), help=remedy)
    return GameReport(chunk.name, 1, "", "?", 0, 0, verdict, "", (fault,), line=chunk.first, text=text)
