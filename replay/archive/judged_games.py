"""The games of an archive judged: of each only what it says of its players comes back."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, get_type_hints

from ...notation.cards import PLAYER_NAMES
from ...notation.diagnostic import Diagnostic
from ...notation.reader import Game
from ..checking.check import Verdict
from ..insight.analysis import analyse
from ..insight.net import load
from ..insight.player_sums import GameSums, PlayerLine, sums_of
from ..report.model import GameReport
from .chunk_reports import ChunkChecker
from .tables import arrow_array

UNKNOWN_RULES: Final = "of an unknown rule set"
NO_NET: Final = "of a rule set without a net"
SPECTATED: Final = "whose record does not say what either player held"
NOT_FOLLOWED: Final = "whose set-up can't be followed"
FAILED: Final = "that could not be judged"


@dataclass(slots=True)
class JudgedGame(GameReport):
    """A game with what it says of its players, by name; or why it was left out, ``fault`` in an unexpected way."""

    players: tuple[tuple[str, GameSums], ...] = ()
    left_out: str = ""
    fault: str = ""


@dataclass(frozen=True)
class GameJudge(ChunkChecker):
    """Judges the games of chunks, at a level and so on as :func:`tironian.replay.insight.analysis.analyse` does."""

    level: str = "default"
    seed: int = 0
    seconds: float = 0.0

    def report(self, game: Game, verdict: Verdict, faults: tuple[Diagnostic, ...], rules: str = "") -> GameReport:
        """Return a game judged, without its faults; its report where there is no game."""
        if game.missing:
            return super().report(game, verdict, faults, rules)
        judged = JudgedGame(
            game.source.name,
            game.number,
            "",
            verdict.edition.name if verdict.edition else "",
            verdict.events,
            verdict.turns,
            verdict.verdict,
            "",
            stopped=verdict.stopped,
            line=game.source.first,
        )
        try:
            judged.players, judged.left_out = self._players(game, verdict, rules)
        except Exception as error:  # noqa: BLE001  # the other games are not lost for it
            judged.left_out, judged.fault = FAILED, f"{type(error).__name__}: {error}"
        return judged

    def _players(self, game: Game, verdict: Verdict, rules: str) -> tuple[tuple[tuple[str, GameSums], ...], str]:
        """Return what a game says of its players, or why it says nothing."""
        if verdict.edition is None:
            return (), UNKNOWN_RULES
        try:
            load(verdict.edition.name)
        except LookupError:
            return (), NO_NET
        report = analyse(game, None, self.level, self.seed, self.seconds, rules)
        sides = [side for side in report.sides if side is not None]
        if not sides:
            return (), NOT_FOLLOWED if any(report.log) else SPECTATED
        header, winner = game.record.header, verdict.outcome.winner
        return tuple((header(PLAYER_NAMES[side.side]), sums_of(side, winner)) for side in sides), ""


_ARROW: Final = {str: "string", int: "int64", bool: "bool", float: "double", float | None: "double"}


def players_parquet(lines: Iterable[PlayerLine]) -> bytes:
    """Return what is said of players as a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    shape = pa.schema((name, pa.type_for_alias(_ARROW[kind])) for name, kind in get_type_hints(PlayerLine).items())
    columns = zip(*lines, strict=True)
    arrays = [arrow_array(column, field.type) for column, field in zip(columns, shape, strict=True)]
    made = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(arrays, schema=shape) if arrays else shape.empty_table(), made)
    return made.getvalue()
