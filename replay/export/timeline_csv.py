"""The timeline as a table for spreadsheets: a row for each token, and one for what was not carried out."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Final, TextIO

from ...notation.cards import EGYPT, GROUP_NAMES, ROME, SIDE_NAMES, TIE
from ...notation.safe_text import cell
from ..analysis.timeline import Entry, Event, Timeline
from ..rules.state import State

COLUMNS: Final = (
    "turn", "player", "status", "step", "notation", "kind", "words",
    "vote_group", "rome_sum", "egypt_sum", "winner",
    "rome_points", "egypt_points", "rome_patricians", "egypt_patricians",
    "rome_hand", "egypt_hand", "rome_influence_pile", "rome_action_pile", "egypt_influence_pile", "egypt_action_pile",
    "annotations", "remarks", "marks",
)  # fmt: skip
"""The first row. Points are those that the table shows, hands are numbers of cards."""


def write_csv(timeline: Timeline, stream: TextIO) -> None:
    """Write a timeline as a table to a text stream."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in timeline.entries:
        writer.writerows(map(cell, row) for row in _rows(timeline, entry))


def _rows(timeline: Timeline, entry: Entry) -> Iterator[list[str]]:
    """Yield the rows of a turn line: one for each event, or one for a line without any, and one for what was not
    played.
    """
    remarks = " / ".join(f"{remark.kind}: {remark.text}" for remark in entry.remarks)
    marks = " ".join(entry.marks)
    head = [entry.label, entry.player, entry.status]
    whole = " ".join(fact.kind for fact in entry.annotations if fact.at is None)
    if not entry.events:
        every = " ".join(fact.kind for fact in entry.annotations)
        said = ["", entry.written, "", entry.words, *[""] * 4]
        yield [*head, *said, *_standing(timeline, entry.state), every, remarks, marks]
        return
    for event in entry.events:
        kinds = " ".join(fact.kind for fact in entry.annotations if fact.at == event.at)
        first = event is entry.events[0]
        said = [f"{entry.label} {event.token}", event.kind, event.words, *_vote(event)]
        notes = [" ".join(filter(None, (kinds, whole * first))), remarks * first, marks * first]
        state = entry.state if event is entry.events[-1] else event.state
        yield [*head, str(event.at + 1), *said, *_standing(timeline, state), *notes]
    if entry.rest:
        done = len(entry.events)
        kinds = " ".join(fact.kind for fact in entry.annotations if fact.at is not None and fact.at >= done)
        rest = [*head, "", f"{entry.label} {entry.rest}", "", "not carried out", *[""] * 4]
        yield [*rest, *[""] * 10, kinds, "", ""]


def _vote(event: Event) -> list[str]:
    """Return the columns on a vote: group, both sums, winner; empty for any other event."""
    held = event.ballot
    if held is None:
        return [""] * 4
    winner = "tie" if held.outcome.winner == TIE else SIDE_NAMES[held.outcome.winner]
    return [GROUP_NAMES[held.group], *map(str, held.rightful.sums), winner]


def _standing(timeline: Timeline, state: State | None) -> list[str]:
    """Return the columns on both sides' points, patricians, hands and piles; empty without a state."""
    if state is None:
        return [""] * 10
    rome, egypt = state.sides[ROME], state.sides[EGYPT]
    points = timeline.points(state)
    numbers = (
        *points, sum(rome.won), sum(egypt.won), sum(rome.hand), sum(egypt.hand),
        rome.influence_pile, rome.action_pile, egypt.influence_pile, egypt.action_pile,
    )  # fmt: skip
    return [str(number) for number in numbers]
