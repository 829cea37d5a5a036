"""What stands on the page about each turn, from one point of view: texts made harmless, in the order they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import NamedTuple

from ...notation.safe_text import visible
from ..analysis.annotations import Annotation
from ..analysis.timeline import PLAYED, SET_UP, Entry, Event, Remark, Timeline
from ..analysis.vote_tree import VoteTree
from ..diagnostics.glyphs import marks_text
from .page_steps import Stop, names


class Note(NamedTuple):
    """A remark or an annotation: ``kind`` is one of their words."""

    kind: str
    text: str


def lines(told: Timeline, found: Sequence[Stop], trees: Iterable[VoteTree]) -> tuple[SimpleNamespace, ...]:
    """The turn lines of a timeline as the page's template takes them, with the numbers of their steps and votes."""
    numbers = {stop.address: number for number, stop in enumerate(found)}
    last = {stop.entry: number for number, stop in enumerate(found)}
    votes = iter([tree.number for tree in trees])
    return tuple(
        _line(entry, name, numbers, last.get(place, -1), votes, entry.label == told.stopped)
        for place, (entry, name) in enumerate(zip(told.entries, names(told), strict=True))
    )


def _line(
    entry: Entry, name: str, numbers: dict[str, int], last: int, votes: Iterator[int], breaks: bool
) -> SimpleNamespace:
    tokens = {event.at for event in entry.events}
    before, behind = [], []
    for remark in entry.remarks:
        if remark.at is None or (remark.at and remark.at - 1 not in tokens):
            behind.append(remark)
        elif not remark.at:
            before.append(remark)
    return SimpleNamespace(
        address=name,
        label=entry.label,
        player=entry.player,
        status="" if entry.status == PLAYED else entry.status,
        written=visible(entry.written),
        marks=visible(marks_text(entry.marks)),
        step=last if entry.status != SET_UP else -1,  # which shows the table after it
        end=name in numbers,  # whether that step is its own, and not that of the last event
        before=notes(before),
        events=[_event(entry, event, f"{name}.{event.at + 1}", numbers, votes) for event in entry.events],
        notes=_annotations(each for each in entry.annotations if each.at not in tokens),
        remarks=notes(behind),
        breaks=breaks and entry.status in (PLAYED, SET_UP),
    )


def _event(entry: Entry, event: Event, address: str, numbers: dict[str, int], votes: Iterator[int]) -> SimpleNamespace:
    return SimpleNamespace(
        address=address,
        step=numbers[address],
        words=_sentence(event, entry.player),
        vote=next(votes, 0) if event.ballot else 0,  # the number of its decision tree
        notes=_annotations(each for each in entry.annotations if each.at == event.at),
        comments=notes([each for each in entry.remarks if each.at == event.at + 1]),
    )


def _annotations(found: Iterable[Annotation]) -> list[Note]:
    return [Note(each.kind, visible(each.text)) for each in found]


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
