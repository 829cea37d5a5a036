"""The timeline as data, as ``schemas/timeline.schema.json`` describes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ...notation.cards import EGYPT, GROUP_LETTERS, ROME
from ...notation.safe_text import visible, visible_lines
from ..analysis.annotations import Annotation
from ..analysis.expectation import Expectation
from ..analysis.timeline import Entry, Event, Remark, Timeline
from ..engine.ballot import Chances
from ..views.table_view import GroupView, SideView, TableView
from .data import both, side_letter, vote_fields

SCHEMA: Final = "urn:tironian:schema:timeline:1"


def timeline_data(timeline: Timeline) -> dict[str, Any]:
    """Return one game's timeline as the schema's object."""
    return {
        "$schema": SCHEMA,
        "game": timeline.game,
        "edition": timeline.edition.name,
        "view": timeline.view,
        "headers": [{"name": visible(name), "value": visible(value)} for name, value in timeline.headers],
        "preface": _remarks(timeline.preface),
        "start": table_data(timeline.table(timeline.start)),
        "turns": [_entry(timeline, entry) for entry in timeline.entries],
        "result": visible(timeline.result),
        "epilogue": _remarks(timeline.epilogue),
        "summary": timeline.summary,
        "ended": timeline.ended,
        "stopped": timeline.stopped,
        "withheld": timeline.withheld,
    }


def _entry(timeline: Timeline, entry: Entry) -> dict[str, Any]:
    return {
        "turn": entry.label,
        "number": entry.number,
        "player": entry.player,
        "status": entry.status,
        "notation": visible(entry.written),
        "words": visible(entry.words),
        "rest": visible(entry.rest),
        "marks": [visible(mark) for mark in entry.marks],
        "events": [_event(event) for event in entry.events],
        "annotations": [_annotation(annotation) for annotation in entry.annotations],
        "remarks": _remarks(entry.remarks),
        "table": table_data(timeline.table(entry.state)) if entry.state is not None else None,
    }


def _event(event: Event) -> dict[str, Any]:
    return {
        "token": visible(event.token),
        "kind": event.kind,
        "words": visible(event.words),
        "vote": vote_fields(event.ballot) if event.ballot else None,
        "chances": _chances(event.chances) if event.chances else None,
        "lost": both(event.lost) if any(event.lost) else None,
        "odds": [_expected(expectation) for expectation in event.odds],
    }


def _expected(expectation: Expectation) -> dict[str, Any]:
    """Return what was to be expected of a vote; chances are fractions, such as ``3/8``."""
    rome, egypt, tie = map(str, expectation.outlook.wins)
    sums = [{str(total): str(odds) for total, odds in expectation.outlook.sums(side).items()} for side in (ROME, EGYPT)]
    return {
        "view": expectation.view,
        "wins": {"rome": rome, "egypt": egypt, "tie": tie},
        "sums": {"rome": sums[ROME], "egypt": sums[EGYPT]},
    }


def _chances(could: Chances) -> dict[str, Any]:
    """Return what a drawn bust or vote card could have been, as the schema's ``chances``."""
    groups = "".join([GROUP_LETTERS[group] for group in could.groups])
    return could._asdict() | {"groups": groups, "of": could.total}


def _annotation(fact: Annotation) -> dict[str, Any]:
    return {"kind": fact.kind, "at": fact.at, "side": side_letter(fact.side), "text": visible(fact.text)}


def _remarks(remarks: Iterable[Remark]) -> list[dict[str, Any]]:
    return [{"kind": remark.kind, "at": remark.at, "text": "\n".join(visible_lines(remark.text))} for remark in remarks]


def table_data(table: TableView) -> dict[str, Any]:
    """Return the table from a point of view; what may not be seen is ``i``, ``a``, ``(?)`` or ``?``."""
    return {
        "turn": table.turn,
        "ended": table.ended,
        "groups": [_group(group) for group in table.groups],
        "rome": _side(table.sides[ROME]),
        "egypt": _side(table.sides[EGYPT]),
        "bag": table.bag,
        "out": table.out,
    }


def _group(group: GroupView) -> dict[str, Any]:
    return {
        "group": group.letter,
        "left": group.left,
        "won": {"rome": group.won[ROME], "egypt": group.won[EGYPT]},
        "cards": {"rome": "".join(group.cards[ROME]), "egypt": "".join(group.cards[EGYPT])},
        "sums": {"rome": group.sums[ROME], "egypt": group.sums[EGYPT]},
    }


def _side(side: SideView) -> dict[str, Any]:
    fields = side._asdict()
    del fields["player"]
    cards = {"hand": "".join(side.hand), "discards": "".join(side.discards)}
    return fields | cards | {"missions": list(map(visible, side.missions))}
