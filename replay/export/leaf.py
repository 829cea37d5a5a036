"""What stands on the page about each turn, from one point of view: texts made harmless, in the order they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..analysis.timeline import PLAYED, SET_UP, Entry, Event, Remark, Timeline
from ..analysis.tree import VoteTree
from ..glyphs import marks_text
from ..report.safe import visible
from .steps import Stop, names


class Note(NamedTuple):
    """A remark or an annotation: ``kind`` is one of their words."""

    kind: str
    text: str


class Item(NamedTuple):
    """An event: ``step`` is its number among the steps, ``vote`` that of its decision tree, 0 where there is none."""

    address: str
    step: int
    token: str
    words: str
    vote: int
    notes: tuple[Note, ...]
    comments: tuple[Note, ...]


class Line(NamedTuple):
    """A turn line. ``step`` is the number of the step that shows the table after it, -1 for a line of the set-up.

    ``end`` says that this step is its own, and not that of the last event. ``first`` are comments before any event.
    """

    address: str
    label: str
    player: str
    status: str
    written: str
    marks: str
    step: int
    end: bool
    first: tuple[Note, ...]
    items: tuple[Item, ...]
    notes: tuple[Note, ...]
    remarks: tuple[Note, ...]
    breaks: bool


def lines(told: Timeline, found: Sequence[Stop], trees: Iterable[VoteTree]) -> tuple[Line, ...]:
    """The turn lines of a timeline, with the numbers of their steps and votes."""
    numbers = {stop.address: number for number, stop in enumerate(found)}
    last = {stop.entry: number for number, stop in enumerate(found)}
    votes = iter([tree.number for tree in trees])
    return tuple(
        _line(entry, name, numbers, last.get(place, -1), votes, entry.label == told.stopped)
        for place, (entry, name) in enumerate(zip(told.entries, names(told), strict=True))
    )


def _line(entry: Entry, name: str, numbers: dict[str, int], last: int, votes: Iterator[int], breaks: bool) -> Line:
    items = tuple(_items(entry, name, numbers, votes))
    tokens = {event.at for event in entry.events}
    before, behind = [], []
    for remark in entry.remarks:
        if remark.at is None or (remark.at and remark.at - 1 not in tokens):
            behind.append(remark)
        elif not remark.at:
            before.append(remark)
    return Line(
        name,
        entry.label,
        entry.player,
        "" if entry.status == PLAYED else entry.status,
        visible(entry.written),
        visible(marks_text(entry.marks)),
        last if entry.status != SET_UP else -1,
        name in numbers,
        notes(before),
        items,
        tuple([Note(each.kind, visible(each.text)) for each in entry.annotations if each.at not in tokens]),
        notes(behind),
        breaks and entry.status in (PLAYED, SET_UP),
    )


def _items(entry: Entry, name: str, numbers: dict[str, int], votes: Iterator[int]) -> Iterator[Item]:
    for event in entry.events:
        address = f"{name}.{event.at + 1}"
        yield Item(
            address,
            numbers[address],
            visible(event.token),
            _sentence(event, entry.player),
            next(votes, 0) if event.ballot else 0,
            tuple([Note(each.kind, visible(each.text)) for each in entry.annotations if each.at == event.at]),
            notes([each for each in entry.remarks if each.at == event.at + 1]),
        )


def _sentence(event: Event, player: str) -> str:
    """The words of an event with whoever does it in front, where they don't say it."""
    words = visible(event.words)
    if event.ballot is not None:
        return words[:1].upper() + words[1:]
    return words if event.kind in ("veto", "mission") else f"{player} {words}"


def notes(remarks: Iterable[Remark]) -> tuple[Note, ...]:
    """Remarks as notes; comments on lines that follow each other run on, as they were meant to be read."""
    found: list[Note] = []
    for remark in remarks:
        text = visible(remark.text)
        if found and remark.kind == "comment" and remark.at is None and found[-1].kind == "comment":
            found[-1] = Note("comment", f"{found[-1].text} {text}")
        else:
            found.append(Note(remark.kind, text))
    return tuple(found)
