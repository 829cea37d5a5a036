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


def timeline_data(told: Timeline) -> dict[str, Any]:
    """One game's timeline."""
    return {
        "$schema": SCHEMA,
        "game": told.game,
        "edition": told.edition.name,
        "view": told.view,
        "headers": [{"name": visible(name), "value": visible(value)} for name, value in told.headers],
        "preface": _remarks(told.preface),
        "start": table_data(told.table(told.start)),
        "turns": [_entry(told, entry) for entry in told.entries],
        "result": visible(told.result),
        "epilogue": _remarks(told.epilogue),
        "summary": told.summary,
        "ended": told.ended,
        "stopped": told.stopped,
        "withheld": told.withheld,
    }


def _entry(told: Timeline, entry: Entry) -> dict[str, Any]:
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
        "annotations": [_annotation(each) for each in entry.annotations],
        "remarks": _remarks(entry.remarks),
        "table": table_data(told.table(entry.state)) if entry.state is not None else None,
    }


def _event(event: Event) -> dict[str, Any]:
    return {
        "token": visible(event.token),
        "kind": event.kind,
        "words": visible(event.words),
        "vote": vote_fields(event.ballot) if event.ballot else None,
        "chances": _chances(event.chances) if event.chances else None,
        "lost": both(event.lost) if any(event.lost) else None,
        "odds": [_expected(each) for each in event.odds],
    }


def _expected(each: Expectation) -> dict[str, Any]:
    """A vote as it was to be expected; chances are fractions, such as ``3/8``."""
    rome, egypt, tie = map(str, each.outlook.wins)
    sums = [{str(total): str(odds) for total, odds in each.outlook.sums(side).items()} for side in (ROME, EGYPT)]
    return {
        "view": each.view,
        "wins": {"rome": rome, "egypt": egypt, "tie": tie},
        "sums": {"rome": sums[ROME], "egypt": sums[EGYPT]},
    }


def _chances(could: Chances) -> dict[str, Any]:
    return {
        "groups": "".join([GROUP_LETTERS[group] for group in could.groups]),
        "blanks": could.blanks,
        "resets": could.resets,
        "of": could.total,
    }


def _annotation(each: Annotation) -> dict[str, Any]:
    return {"kind": each.kind, "at": each.at, "side": side_letter(each.side), "text": visible(each.text)}


def _remarks(remarks: Iterable[Remark]) -> list[dict[str, Any]]:
    return [{"kind": each.kind, "at": each.at, "text": "\n".join(visible_lines(each.text))} for each in remarks]


def table_data(table: TableView) -> dict[str, Any]:
    """The table from a point of view; what may not be seen is ``i``, ``a``, ``(?)`` or ``?``."""
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
    return {
        "hand": "".join(side.hand),
        "influence_pile": side.influence_pile,
        "action_pile": side.action_pile,
        "discards": "".join(side.discards),
        "missions": [visible(each) for each in side.missions],
        "points": side.points,
    }
