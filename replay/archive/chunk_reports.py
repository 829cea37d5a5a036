"""Chunks of texts to reports of their games: the work that processes share, wherever they run."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from ...notation.diagnostic import Diagnostic
from ...notation.fingerprint import logs_of, moves_of
from ...notation.reader import Game, read_bytes
from ...notation.record import TOO_LARGE, Record
from ...notation.source import Source, Span
from ..checking import check
from ..report.model import ILLEGAL, LEGAL, NOTHING, OWN_FAULT, POSSIBLE, UNREADABLE, GameReport, failed_report
from ..storage.unpacking import LEFT_ASIDE
from .chunks import ENDLESS, Chunk

UNFINISHED: Final = "C905"
"""The code of a game that is not over."""
UNREAD: Final = "N108"
"""The code of a file, or the rest of one, that can't be read."""
LOST: Final = (UNREAD, TOO_LARGE, OWN_FAULT)
"""Codes of what was not checked: commands end with 2 then."""


class ChunkGroup(NamedTuple):
    """Chunks that one process takes at once. ``name`` tells the groups of a run apart, and sorts them."""

    name: str
    chunks: list[Chunk]


class ChunkResult(NamedTuple):
    """A chunk without its data, and the reports of its games, which are counted from 1 within it."""

    chunk: Chunk
    reports: list[GameReport]

    @classmethod
    def of(cls, chunk: Chunk, reports: list[GameReport]) -> ChunkResult:
        """Return the reports of a chunk, whose data are not needed any more."""
        return cls(chunk._replace(data=b""), reports)


class CheckedGame(NamedTuple):
    """A game with its verdict and its report."""

    game: Game
    verdict: check.Verdict
    report: GameReport


@dataclass(frozen=True)
class ChunkChecker:
    """Checks the games of chunks. It holds nothing but settings, so that it can be sent to other processes.

    ``rules``: the rule set of records that name no known one. ``strict``: whether canonical form is demanded as well,
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
    """Whether outcomes and players are not asked for, since reports of clean games are only counted."""

    def __call__(self, group: ChunkGroup) -> list[ChunkResult]:
        """Return the result of each chunk of a group, in order."""
        return [ChunkResult.of(chunk, self.reports(chunk)) for chunk in group.chunks]

    def reports(self, chunk: Chunk) -> list[GameReport]:
        """Return the reports of a chunk's games; of an unreadable chunk, one that says so."""
        if chunk.problem:
            torn = read_bytes(io.BytesIO(chunk.data), chunk.name, chunk.first) if self.texts else ()
            return [unreadable_report(chunk, "".join(line for game in torn for line in game.source.lines))]
        return [each if isinstance(each, GameReport) else each.report for each in self.games(chunk)]

    def games(self, chunk: Chunk) -> Iterator[CheckedGame | GameReport]:
        """Yield the games of a readable chunk, checked; of one on which the program fails only a report that says so.

        Where it fails to read one, the rest of the chunk is lost with it.
        """
        read = iter(self._with_form_faults(read_bytes(io.BytesIO(chunk.data), chunk.name, chunk.first), chunk))
        number = 0
        while True:
            number += 1
            game = Game(Record(), Source(chunk.name, [], chunk.first), number=number)
            try:
                if (each := next(read, None)) is None:
                    return
                game, faults = each
                rules, notes = self._rules_of(game)
                verdict = check.check(game, rules)
                report = self._report(game, verdict, [*faults, *notes], rules)
                checked = CheckedGame(game.mended or game, verdict, report)
            except Exception as error:  # noqa: BLE001  # the other games are not lost for it
                checked = failed_report(error, game)
            yield checked

    def _rules_of(self, game: Game) -> tuple[str, list[Diagnostic]]:
        """Return the rules for a game that names none, and what is to be said of them."""
        if self.infer:
            from ..checking.inference import infer_rules, inference_note

            if inference := infer_rules(game.mended or game):
                return inference.rules, [inference_note(game, inference)]
        return self.rules, []

    def _with_form_faults(self, games: Iterable[Game], chunk: Chunk) -> Iterable[tuple[Game, list[Diagnostic]]]:
        """Yield each game with the faults of its form, where canonical form is demanded."""
        if not self.strict:
            return ((game, []) for game in games)
        from ..checking.canonical import look_at_bytes, strictly_all

        form = look_at_bytes(io.BytesIO(chunk.data))
        carriage = None if form.carriage is None or chunk.returns else form.carriage + chunk.first - 1
        mark, unended = form.mark and chunk.first == 1, form.unended and chunk.last
        form = replace(form, mark=mark, carriage=carriage, unended=unended)
        return strictly_all(games, form, whole=chunk.last)

    def _report(self, game: Game, verdict: check.Verdict, more: list[Diagnostic], rules: str) -> GameReport:
        """Return the report of a game, with faults of its form and of its end added."""
        faults = verdict.diagnostics
        codes = (fault.code for fault in faults)
        if self.finished and not (game.missing or verdict.outcome.finished or UNFINISHED in codes):
            more = [*more, _unfinished(game, verdict)]
        if more:
            faults = tuple(sorted((*faults, *more), key=lambda fault: fault.span.line))
        if self.suggest and verdict.verdict in (ILLEGAL, UNREADABLE):
            from ..repair.likely import with_fixes

            faults = with_fixes(game, faults, rules)
        return self.report(game, verdict, faults, rules)

    def report(self, game: Game, verdict: check.Verdict, faults: tuple[Diagnostic, ...], rules: str = "") -> GameReport:
        """Return the report of a game with these faults; ``rules`` is the rule set if it names none."""
        record, brief = (game.mended or game).record, self.brief
        moves = moves_of(game.mended or game) if self.moves else 0
        counts = verdict.verdict in (LEGAL, POSSIBLE) and verdict.outcome.winner is not None
        return GameReport(
            game.source.name,
            game.number,
            "" if brief else f"{record.header('Caesar', '?')} – {record.header('Cleopatra', '?')}",
            verdict.edition.name if verdict.edition else record.header("Rules", "?"),
            verdict.events,
            verdict.turns,
            verdict.verdict,
            "" if brief else verdict.summary,
            faults,
            verdict.stopped,
            _witness(game, rules) if self.witness and verdict.verdict == POSSIBLE else "",
            game.source.first,
            moves,
            "".join(game.source.lines) if self.texts else "",
            () if brief else record.headers,
            None if brief else verdict.score,
            None if brief or game.missing else verdict.outcome,
            logs_of(game, moves, counts=counts) if moves else (),
            (record.header("Caesar"), record.header("Cleopatra")) if moves else (),
        )


def _unfinished(game: Game, verdict: check.Verdict) -> Diagnostic:
    """Return the error of a game that is not over, at its result or else at its end."""
    line = game.record.result.line if game.record.result else max(len(game.source.lines) - 1, 0)
    text = game.source.text(line)
    span = Span(line, len(text) - len(text.lstrip()), len(text.rstrip()))
    fault = check.make(UNFINISHED, {}, game, span, verdict.edition)
    return replace(fault, message="the game is not finished: it ended neither by the rules nor by a decision")


def unreadable_report(chunk: Chunk, text: str = "") -> GameReport:
    """Return the report of a chunk that can't be read; ``text``: the lines of it that there are."""
    if chunk.problem == LEFT_ASIDE:  # counted, and no more said of it
        return GameReport(chunk.name, 1, "", "?", 0, 0, NOTHING, "")
    source = Source(chunk.name, [""], chunk.first)
    code, message, verdict = TOO_LARGE, chunk.problem, UNREADABLE
    if chunk.problem != ENDLESS:
        verdict = UNREADABLE if chunk.data else NOTHING  # of a game there is a part, or there is none
        code, message = UNREAD, f"{'this' if chunk.first == 1 else 'from here on this'} can't be read: {chunk.problem}"
    remedy = f"everything else has been checked; `tiro explain {code}` says what to do"
    fault = Diagnostic(code, message, source, Span(0, 0, 0), help=remedy)
    return GameReport(chunk.name, 1, "", "?", 0, 0, verdict, "", (fault,), line=chunk.first, text=text)


def renumbered(report: GameReport, before: int) -> GameReport:
    """Return a report of a game with ``before`` games of its text in earlier chunks, numbered accordingly."""
    if not before:
        return report
    number = report.game + before
    return replace(report, game=number, diagnostics=tuple(replace(fault, game=number) for fault in report.diagnostics))


def _witness(game: Game, rules: str) -> str:
    """Return a complete record that explains a game, with an empty line after it; empty where there is none."""
    from ...notation.writer import write
    from ..hidden_cards.witness import witness_of

    witness = witness_of(game.record, rules)
    return f"{write(witness)}\n" if witness else ""
