"""A judged game as data, described by ``schemas/analysis.schema.json``."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Final, NamedTuple, TextIO

from ...notation.basics import SIDE_LETTERS, cell, program_version, visible
from ...notation.language import ENGLISH, phrase, speaking
from ...notation.records import Game, Record
from ...replay.story.api import Reason
from ...replay.words.api import reason_words
from ..storage.api import replacing
from .account import COLUMNS, SITES
from .analysis import Logs, LuckLedger, Point, Report, SideReport, judged_sides, logs_of, luck, number_of, strength
from .judgement import Compared, Judged
from .net import load

SCHEMA: Final = "urn:tironian:schema:analysis:1"
_ABOUT: Final = ("record", "rules", "net", "level", "seed")
_DECISION: Final = {
    "kind": "kind", "options": "options", "played": "played", "played_words": "played_words", "best": "best",
    "best_words": "words", "win": "before", "loss": "loss", "error": "error", "level": "level", "worlds": "worlds",
    "mark": "mark", "settled": "settled", "hiding": "hiding",
}  # fmt: skip
"""The names of a decision's fields in the data and in :class:`.Judged`, in the order of the data."""
_LATER: Final = {"then": "then", "lead": "lead"}
"""More fields, left out if they say nothing, as in files from earlier versions."""
_COMPARED: Final = {"move": "text", "then": "then", "words": "words", "win": "win", "error": "error"}
"""The names of a compared move's fields in the data and in :class:`.Compared`."""
CELLS: Final = (
    "side", "turn", "token", "kind", "options", "played", "best", "win", "loss", "error", "level", "worlds", "mark",
    "settled",
)  # fmt: skip
"""The first row of the table; chances are from 0 to 1."""


def report_data(report: Report) -> dict[str, Any]:
    """Return a report as the schema's object."""
    return {
        "$schema": SCHEMA,
        "about": {name: getattr(report, name) for name in _ABOUT} | {"program": program_version()},
        "sides": [side_data(side, log) for side, log in judged_sides(report)],
    }


def report_of(data: dict[str, Any], logs: Logs) -> Report | None:
    """Return the report that data in the schema describe; None if they don't match the turns of the logs."""
    sides: list[SideReport | None] = [None, None]
    for each in data["sides"]:
        side = SIDE_LETTERS.index(each["side"])
        sides[side] = _side_of(each, side, logs[side] or Record())
        if sides[side] is None:
            return None
    return Report(sides=(sides[0], sides[1]), log=logs, **{name: data["about"][name] for name in _ABOUT})


def _side_of(data: dict[str, Any], side: int, log: Record) -> SideReport | None:
    ledger, places = data["ledger"], places_of(log)
    sites = ledger.get("unexplained", {})
    if not {each["turn"] for each in (*data["curve"], *data["decisions"])} <= places.keys():
        return None
    parts, unexplained = tuple(ledger[name] for name in COLUMNS), tuple(sites.get(name, 0.0) for name in SITES)
    return SideReport(
        side,
        tuple(point_of(point, places[point["turn"]]) for point in data["curve"]),
        tuple(judged_of(decision, places[decision["turn"]]) for decision in data["decisions"]),
        LuckLedger(ledger["start"], parts, ledger["end"], ledger["complete"], unexplained),
    )


def point_of(data: dict[str, Any], turn: int) -> Point:
    """Return the point on a curve that data describe, at its turn's place in the record."""
    others = tuple((each["vote"], each["win"]) for each in data.get("others", ()))
    return Point(turn, int(data["token"]) - 1, data["win"], data["cause"], others)


def judged_of(data: dict[str, Any], turn: int) -> Judged:
    """Return the decision that data describe, at its turn's place in the record. The data may be a stranger's."""
    moves = tuple(Compared(**_read(each, _COMPARED)) for each in data.get("moves", ()))
    reasons = tuple(Reason("said", said=visible(words)) for words in data["reasons"])
    fields = _read(data, _DECISION | _LATER)
    return Judged(turn, int(data["token"]) - 1, reasons=reasons, moves=moves, **fields)


def _read(data: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    return {name: _plain(data[key]) for key, name in names.items() if key in data}


def places_of(log: Record) -> dict[str, int]:
    """Return the labels of a log's turns with their places; the last place if a label repeats: a turn that was taken
    back stands before the one that counts.
    """
    return {turn.label: place for place, turn in enumerate(log.turns)}


def side_data(report: SideReport, log: Record) -> dict[str, Any]:
    """Return one side's report as data."""
    ledger = report.ledger
    lost, decisions = strength(report.decisions)
    parts = {name: _plain(part) for name, part in zip(COLUMNS, ledger.parts, strict=True)}
    sites = {name: _plain(part) for name, part in zip(SITES, ledger.unexplained, strict=True)}
    ends = {"end": _plain(ledger.end), "complete": ledger.complete, "unexplained": sites}
    return {
        "side": SIDE_LETTERS[report.side],
        "ledger": {"start": _plain(ledger.start), **parts, **ends},
        "loss_per_decision": _plain(lost),
        "counted_decisions": decisions,
        "curve": [point_data(point, log) for point in report.curve],
        "luck": [
            {**_place(each.turn, each.at, log), "cause": each.cause, "change": _plain(each.change)}
            for each in luck(report.curve)
        ],
        "decisions": [decision_data(each, log) for each in report.decisions if not each.is_forced],
    }


def _place(turn: int, at: int, log: Record) -> dict[str, Any]:
    return {"turn": log.turns[turn].label, "token": at + 1}


def point_data(point: Point, log: Record) -> dict[str, Any]:
    """Return a point on a curve as data."""
    others = [{"vote": came, "win": _plain(win)} for came, win in point.others]
    data = {**_place(point.turn, point.at, log), "win": _plain(point.win), "cause": point.cause}
    return data | {"others": others} if others else data


@speaking(ENGLISH)
def decision_data(judged: Judged, log: Record) -> dict[str, Any]:
    """Return a decision as data, with its reasons in English."""
    more = {key: value for key, value in _fields(judged, _LATER).items() if value}
    if judged.moves:
        more["moves"] = [_fields(each, _COMPARED) for each in judged.moves]
    why = {"reasons": [*map(reason_words, judged.reasons)]}
    return {**_place(judged.turn, judged.at, log), **_fields(judged, _DECISION), **why, **more}


def _fields(of: Judged | Compared, names: dict[str, str]) -> dict[str, Any]:
    return {key: _plain(getattr(of, name)) for key, name in names.items()}


def _plain(value: Any) -> Any:
    """Return a value as data: a chance with the digits that are the same on every machine."""
    return round(value, 6) if isinstance(value, float) else visible(value) if isinstance(value, str) else value


def write_table(report: Report, stream: TextIO) -> None:
    """Write every decision as a row of a table to a text stream."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(CELLS)
    for side in report_data(report)["sides"]:
        for decision in side["decisions"]:
            writer.writerow([cell(str(decision.get(name, side["side"]))) for name in CELLS])


def read(text: bytes) -> dict[str, Any] | None:
    """Return a report as data of ``schemas/analysis.schema.json``; None if the text is not one."""
    from ...schemas import parsed

    return parsed("analysis", text)


class NoReport(ValueError):
    """Raised if a file is not a report, or is a report on another record; the text says which."""


class KeptReport(NamedTuple):
    """A report that was read from a file, and the version of the program that made it."""

    report: Report
    program: str


def kept(text: bytes, game: Game, rules: str = "") -> KeptReport:
    """Return the kept report on a game or on one of its sides. Raise NoReport if the text is not that report, and
    ValueError if the rule set is unknown.
    """
    data = read(text)
    if data is None:
        raise NoReport(phrase("this is not a report by tiro analyse"))
    _, (rome, egypt) = logs_of(game, rules)
    for logs in ((rome, egypt), (rome, None), (None, egypt)):
        if data["about"]["record"] == number_of(logs) and (report := report_of(data, logs)):
            return KeptReport(report, data["about"]["program"])
    ours = data["about"]["program"] == program_version()  # another version may number moves differently
    raise NoReport(
        phrase("this judges another game") if ours else phrase("another game, or another version, is judged there")
    )


def keep(report: Report, place: Path, *, force: bool = False) -> None:
    """Write a report to its place; raise OSError if that fails.

    Without ``force``, raise NoReport if something else is there.
    """
    from ...notation.basics import json_lines

    if place.exists() and not force and read(place.read_bytes()) is None:
        raise NoReport(phrase("this is not a report by tiro analyse"))
    with replacing(place) as stream:
        stream.write("".join(json_lines(report_data(report), "sides")).encode())


def as_kept(report: Report) -> Report:
    """Return a report with its numbers rounded as they are in a file."""
    sides = [side_data(side, log) for side, log in judged_sides(report)]
    again = report_of({"about": report._asdict(), "sides": sides}, report.log)
    assert again is not None
    rome, egypt = [
        one and other and _with_reasons(one, other) for one, other in zip(again.sides, report.sides, strict=True)
    ]
    return again._replace(sides=(rome, egypt))


def _with_reasons(rounded: SideReport, report: SideReport) -> SideReport:
    """Return a report with the reasons of another one, which are facts: they can be said in any language."""
    free = [each for each in report.decisions if not each.is_forced]
    pairs = zip(rounded.decisions, free, strict=True)
    return rounded._replace(decisions=tuple([each._replace(reasons=own.reasons) for each, own in pairs]))


def chosen(found: KeptReport, game: Game, side: int | None, level: str, seed: int, rules: str) -> Report | None:
    """Return what a kept report says about a side, or about both; None if other settings were used to make it.

    The parameters and errors are the same as for :func:`tironian.tools.insight.analysis.analyse`.
    """
    edition, logs = logs_of(game, rules, side)
    report, wanted = found.report, (edition.name, load(edition.name).name, level, seed, program_version())
    rome, egypt = (own if log else None for own, log in zip(report.sides, logs, strict=True))
    is_alike = (report.rules, report.net, report.level, report.seed, found.program) == wanted
    if not is_alike or [rome is None, egypt is None] != [log is None for log in logs]:
        return None
    return report._replace(sides=(rome, egypt), log=logs, record=number_of(logs))
