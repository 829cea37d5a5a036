"""Judges the games of an archive, and returns only what each shows about its players."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ...notation.basics import PLAYER_NAMES, dataclass
from ...notation.language import Messages, phrase
from ...notation.records import Diagnostic, Game
from ...replay.checking.api import Verdict
from ..archive.api import ChunkChecker
from ..report.api import GameReport
from . import analysis_json
from .analysis import Report, analyse, judged_sides
from .net import load
from .player_sums import GameSums, sums_of
from .report_files import report_path

_LEFT_OUT: Final[Messages] = {
    "rules": "of an unknown rule set",
    "net": "of a rule set without a net",
    "view": "whose record does not say what either player held",
    "set-up": "whose set-up can't be followed",
    "fault": "that could not be judged",
}
"""Why a game is left out."""
UNKNOWN_RULES, NO_NET, SPECTATED, NOT_FOLLOWED, FAILED = _LEFT_OUT.values()


@dataclass(slots=True)
class JudgedGame(GameReport):
    """A game with what it shows about its players, by name, or with the reason why it was left out."""

    players: tuple[tuple[str, GameSums], ...] = ()
    left_out: str = ""
    unkept: str = ""
    """Why the game's report could not be kept."""


@dataclass(frozen=True)
class GameJudge(ChunkChecker):
    """Judges the games of chunks; the level and other parameters are as for
    :func:`tironian.tools.insight.analysis.analyse`.
    """

    level: str = "default"
    seed: int = 0
    seconds: float = 0.0
    keep: bool = False
    """Whether the report on a file's first game is kept beside it."""

    def report(self, game: Game, verdict: Verdict, faults: tuple[Diagnostic, ...], rules: str = "") -> GameReport:
        """Return a judged game, without its faults; return its report if there is no game."""
        if game.missing:
            return super().report(game, verdict, faults, rules)
        edition = verdict.edition.name if verdict.edition else ""
        counts = verdict.events, verdict.turns, verdict.verdict
        judged = JudgedGame(game.source.name, game.number, "", edition, *counts, "")
        judged.stopped, judged.line = verdict.stopped, game.source.first
        if not edition:
            judged.left_out = UNKNOWN_RULES
            return judged
        try:
            load(edition)
        except LookupError:
            judged.left_out = NO_NET
        else:
            self._judge(judged, game.mended or game, verdict, rules)
        return judged

    def _judge(self, judged: JudgedGame, game: Game, verdict: Verdict, rules: str) -> None:
        """Note what a game shows about its players, or why it shows nothing."""
        kept = self._kept(game, rules)
        report = kept or analyse(game, None, self.level, self.seed, self.seconds, rules)
        if not kept:
            judged.unkept = self._keep(report, game)
        sides = judged_sides(kept or analysis_json.as_kept(report))
        if not sides:
            judged.left_out = SPECTATED if report.log == (None, None) else NOT_FOLLOWED
        header, winner = game.record.header, verdict.outcome.winner
        judged.players = tuple(
            (header(PLAYER_NAMES[side.side]), sums_of(side, log, winner, rules)) for side, log in sides
        )

    def _kept(self, game: Game, rules: str) -> Report | None:
        """Return the report kept beside a game's file, if there is one and it was made in the same way."""
        place = report_path(game.source.name)
        if not _is_first(game) or not place.is_file():
            return None
        try:
            found = analysis_json.kept(place.read_bytes(), game, rules)
        except (OSError, analysis_json.NoReport):  # whatever is there, the game is judged
            return None
        return analysis_json.chosen(found, game, None, self.level, self.seed, rules)

    def _keep(self, report: Report, game: Game) -> str:
        """Keep a new report beside the game's file; return why that failed, or nothing."""
        place = report_path(game.source.name)
        if not (self.keep and _is_first(game) and Path(game.source.name).is_file()):
            return ""
        try:
            analysis_json.keep(report, place)
        except analysis_json.NoReport:
            return phrase("{file} is not a report by tiro analyse; it was left as it is", file=place.name)
        except OSError as error:
            return phrase("its report could not be kept: {error}", error=error.strerror)
        return ""


def _is_first(game: Game) -> bool:
    """Return whether a game is the first of its file, and not just of a chunk."""
    return game.number == 1 and game.source.first == 1
