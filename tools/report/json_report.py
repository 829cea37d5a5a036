"""The report as JSON, as ``schemas/report.schema.json`` describes it: one line for each game, then the files that were
not read, and the totals.
"""

from __future__ import annotations

from json import dumps  # in ASCII, which survives every stream and can't control a terminal
from typing import Any, Final

from ...notation.basics import GROUP_NAMES, file_name, program_version, visible, visible_lines
from ...notation.records import Diagnostic, Fix, Source, Span
from ...replay.engine.api import WINNERS, Outcome
from ...replay.rules.api import SideScore
from .model import SIDES, GameReport, Reporter, location_of

SCHEMA: Final = "urn:tironian:schema:report:1"


def game_json(report: GameReport) -> dict[str, Any]:
    """Return one game as the schema's ``game``."""
    return {
        "file": file_name(report.file),
        "game": report.game,
        "line": report.line,
        "headers": [{"name": visible(name), "value": visible(value)} for name, value in report.headers],
        "title": visible(report.title),
        "edition": visible(report.edition),
        "events": report.events,
        "turns": report.turns,
        "verdict": report.verdict,
        "same_as": {"file": file_name(report.same_as[0]), "game": report.same_as[1]} if report.same_as else None,
        "summary": visible(report.summary),
        "outcome": outcome_json(report.outcome) if report.outcome else None,
        "score": dict(zip(SIDES, map(_side_json, report.score.sides), strict=True)) if report.score else None,
        "stopped": None if report.stopped is None else visible(report.stopped),
        "diagnostics": [diagnostic_json(diagnostic, report.file) for diagnostic in report.diagnostics],
    }


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    """Return one outcome as the schema's ``outcome``."""
    return {
        "finished": outcome.finished,
        "winner": WINNERS[outcome.winner],
        "decided_by": outcome.decided_by,
        "ending": outcome.ending,
        "termination": visible(outcome.termination),
        "points": dict(zip(SIDES, outcome.points, strict=True)) if outcome.points else None,
    }


def _side_json(side_score: SideScore) -> dict[str, Any]:
    groups = [{**row._asdict(), "group": GROUP_NAMES[row.group]} for row in side_score.rows]
    return {
        "points": side_score.points,
        "patricians_won": side_score.patricians,
        "groups": groups,
        "missions": list(side_score.missions),
        "mission_points": side_score.mission_points,
        "open_points": side_score.open_points,
        "penalty": side_score.penalty,
    }


def diagnostic_json(diagnostic: Diagnostic, file: str) -> dict[str, Any]:
    """Return one diagnostic as the schema's ``diagnostic``; a location outside ``file`` names its own file."""
    source = diagnostic.source
    return {
        "code": visible(diagnostic.code),
        "severity": diagnostic.severity,
        "message": visible(diagnostic.message),
        **_place(source, diagnostic.span, file),
        "turn": visible(diagnostic.turn),
        "here": visible(diagnostic.underline_text),
        "labels": [
            {**_place(label.source or source, label.span, file), "text": visible(label.text)}
            for label in diagnostic.labels
        ],
        "rule": visible(diagnostic.rule),
        "cite": visible(diagnostic.cite),
        "help": "\n".join(visible_lines(diagnostic.help)),
        "fixes": [_fix_json(fix, source) for fix in diagnostic.fixes],
    }


def _fix_json(fix: Fix, source: Source) -> dict[str, Any]:
    return {
        "words": visible(fix.description),
        "alike": fix.equally_likely_count,
        "replacements": [
            {"line": source.first + begin, "lines": end - begin, "text": visible(text.rstrip())}
            for begin, end, text in fix.replacements
        ],
    }


def _place(source: Source, span: Span, file: str) -> dict[str, Any]:
    location = location_of(source, span)
    where = dict(location._asdict()) if location else {"line": None, "column": None, "end_column": None}
    return where if source.name == file else {"file": file_name(source.name), **where}


class JsonReporter(Reporter):
    """Writes the JSON report, game by game."""

    def begin(self) -> None:
        """Write the program's name and version."""
        tool = {"name": "tiro", "version": program_version()}
        self.stream.write(f'{{"$schema": {dumps(SCHEMA)},\n"tool": {dumps(tool)},\n"games": [')

    def game(self, report: GameReport) -> None:
        """Write each game on its own line."""
        super().game(report)
        self.entry(game_json(report))

    def end(self) -> None:
        """Write what was not read, and the totals."""
        files = [{"file": visible(file.path), "reason": visible(file.problem)} for file in self.not_read]
        self.stream.write(f'\n],\n"not_read": {dumps(files)},\n"totals": {dumps(self.tally.totals())}}}\n')
