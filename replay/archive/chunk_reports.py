"""Pieces of texts to reports of their games: the work that processes share, wherever they run."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from ...notation.diagnostic import Diagnostic
from ...notation.fingerprint import moves_of
from ...notation.game import TOO_LARGE
from ...notation.reader import Game, read_bytes
from ...notation.source import Source, Span
from ..checking import check
from ..report.model import POSSIBLE, UNREADABLE, GameReport
from .chunks import ENDLESS, Piece

OPEN: Final = "C905"
"""The code of a game that is not over."""
UNREAD: Final = "N108"
"""The code of a file, or the rest of one, that can't be read."""


class Load(NamedTuple):
    """Pieces that one process takes at once; ``name`` tells the loads of a run apart, and sorts them."""

    name: str
    pieces: list[Piece]


class Judged(NamedTuple):
    """What came of a piece: the reports of its games, which are counted from 1 within it.

    ``begins``: whether a text begins with it; ``whole``: whether it could be read; ``taken`` as in Piece.
    """

    name: str
    begins: bool
    whole: bool
    taken: int
    reports: list[GameReport]

    @classmethod
    def of(cls, piece: Piece, reports: list[GameReport]) -> Judged:
        """What came of a piece."""
        return cls(piece.name, piece.first == 1, not piece.problem, piece.taken, reports)


class Seen(NamedTuple):
    """A game that was judged, and what came of it."""

    game: Game
    verdict: check.Verdict
    report: GameReport


@dataclass(frozen=True)
class Judge:
    """Judges pieces. It holds nothing but how it is to be done, so it can be sent to other processes.

    ``rules``: the rule set of records that name no known one. ``strict``: canonical form is demanded as well, and
    ``finished``: that the game is over.
    ``witness``: for each game that is possible, a complete record that explains it. ``texts``: each report comes with
    the lines of its game, and ``moves``: with the number of its moves.
    """

    rules: str = ""
    strict: bool = False
    witness: bool = False
    texts: bool = False
    moves: bool = False
    finished: bool = False
    brief: bool = field(default=False, repr=False)
    """Whether nobody asks how games came out, and between whom they were: reports of clean ones are counted only."""

    def __call__(self, load: Load) -> list[Judged]:
        """Some pieces, each with what comes of it."""
        return [Judged.of(piece, self.reports(piece)) for piece in load.pieces]

    def reports(self, piece: Piece) -> list[GameReport]:
        """The reports of a piece's games; of one that can't be read, one that says so."""
        if piece.problem:
            torn = read_bytes(io.BytesIO(piece.data), piece.name, piece.first) if self.texts else ()
            return [unread(piece, "".join("".join(game.source.lines) for game in torn))]
        return [seen.report for seen in self.games(piece)]

    def games(self, piece: Piece) -> Iterator[Seen]:
        """The games of a piece that can be read."""
        games = read_bytes(io.BytesIO(piece.data), piece.name, piece.first)
        for game, more in self._looked_at(games, piece):
            verdict = check.check(game, self.rules)
            yield Seen(game, verdict, self._report(game, verdict, more))

    def _looked_at(self, games: Iterable[Game], piece: Piece) -> Iterable[tuple[Game, list[Diagnostic]]]:
        """Each game with what is wrong with its form, where that matters."""
        if not self.strict:
            return ((game, []) for game in games)
        from ..checking.canonical import look_at_bytes, strictly_all

        form = look_at_bytes(io.BytesIO(piece.data))
        carriage = None if form.carriage is None or piece.returns else form.carriage + piece.first - 1
        form = replace(
            form, mark=form.mark and piece.first == 1, carriage=carriage, unended=form.unended and piece.last
        )
        return strictly_all(games, form, whole=piece.last)

    def _report(self, game: Game, verdict: check.Verdict, more: list[Diagnostic]) -> GameReport:
        found = verdict.diagnostics
        if self.finished and not (game.missing or verdict.outcome.finished or any(e.code == OPEN for e in found)):
            more = [*more, _unfinished(game, verdict)]
        if more:
            found = tuple(sorted((*found, *more), key=lambda each: each.span.line))
        return self.report(game, verdict, found)

    def report(self, game: Game, verdict: check.Verdict, found: tuple[Diagnostic, ...]) -> GameReport:
        """The report of a game in which so much was found."""
        record, brief = game.record, self.brief
        return GameReport(
            game.source.name,
            game.number,
            "" if brief else f"{record.header('Caesar', '?')} – {record.header('Cleopatra', '?')}",
            verdict.edition.name if verdict.edition else record.header("Rules", "?"),
            verdict.events,
            verdict.turns,
            verdict.verdict,
            "" if brief else verdict.summary,
            found,
            verdict.stopped,
            _witness(game, self.rules) if self.witness and verdict.verdict == POSSIBLE else "",
            game.source.first,
            moves_of(game) if self.moves else 0,
            "".join(game.source.lines) if self.texts else "",
            () if brief else record.headers,
            None if brief else verdict.score,
            None if brief or game.missing else verdict.outcome,
        )


def _unfinished(game: Game, verdict: check.Verdict) -> Diagnostic:
    """Return the error of a game that is not over, at its result or else at its end."""
    line = game.record.result.line if game.record.result else max(len(game.source.lines) - 1, 0)
    text = game.source.text(line)
    span = Span(line, len(text) - len(text.lstrip()), len(text.rstrip()))
    found = check.make(OPEN, {}, game.source, span, verdict.edition, game=game.number)
    return replace(found, message="the game is not finished: neither the rules nor anybody ended it")


def unread(piece: Piece, text: str = "") -> GameReport:
    """The report of what can't be read at all; ``text``: what there is of it."""
    source = Source(piece.name, [""], piece.first)
    code, message = TOO_LARGE, piece.problem
    if piece.problem != ENDLESS:
        code, message = UNREAD, f"{'this' if piece.first == 1 else 'from here on this'} can't be read: {piece.problem}"
    remedy = f"all else has been checked; `tiro explain {code}` says what to do"
    found = Diagnostic(code, message, source, Span(0, 0, 0), help=remedy)
    return GameReport(piece.name, 1, "", "?", 0, 0, UNREADABLE, "", (found,), line=piece.first, text=text)


def numbered(report: GameReport, before: int) -> GameReport:
    """A report of a game that has others before it, in pieces of its text that came earlier."""
    if not before:
        return report
    number = report.game + before
    return replace(report, game=number, diagnostics=tuple(replace(each, game=number) for each in report.diagnostics))


def _witness(game: Game, rules: str) -> str:
    """A complete record that explains a game, apart from the next by an empty line; empty where none was found."""
    from ...notation.writer import write
    from ..hidden_cards.witness import witness_of

    found = witness_of(game.record, rules)
    return f"{write(found)}\n" if found else ""
