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
from .page_steps import PageStep, names


class Note(NamedTuple):
    """A remark or an annotation: ``kind`` is one of their words."""

    kind: str
    text: str


def lines(timeline: Timeline, steps: Sequence[PageStep], trees: Iterable[VoteTree]) -> tuple[SimpleNamespace, ...]:
    """Return the turn lines of a timeline for the page's template, with the numbers of their steps and votes."""
    numbers = {step.address: number for number, step in enumerate(steps)}
    last = {step.entry: number for number, step in enumerate(steps)}
    votes = iter([tree.number for tree in trees])
    return tuple(
        _line(entry, name, numbers, last.get(place, -1), votes, entry.label == timeline.stopped)
        for place, (entry, name) in enumerate(zip(timeline.entries, names(timeline), strict=True))
    )


def _line(
    entry: Entry, name: str, numbers: dict[str, int], last: int, votes: Iterator[int], breaks: bool
) -> SimpleNamespace:
    """Return a turn line for the template; ``last`` is the number of its last step, ``breaks`` whether the replay
    stops.
    """
    tokens = {event.at for event in entry.events}
    before, after = [], []
    for remark in entry.remarks:
        if remark.at is None or (remark.at and remark.at - 1 not in tokens):
            after.append(remark)
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
        notes=_annotations(annotation for annotation in entry.annotations if annotation.at not in tokens),
        remarks=notes(after),
        breaks=breaks and entry.status in (PLAYED, SET_UP),
    )


def _event(entry: Entry, event: Event, address: str, numbers: dict[str, int], votes: Iterator[int]) -> SimpleNamespace:
    """Return an event of a turn for the template."""
    return SimpleNamespace(
        address=address,
        step=numbers[address],
        words=_sentence(event, entry.player),
        vote=next(votes, 0) if event.ballot else 0,  # the number of its decision tree
        notes=_annotations(annotation for annotation in entry.annotations if annotation.at == event.at),
        comments=notes([remark for remark in entry.remarks if remark.at == event.at + 1]),
    )


def _annotations(annotations: Iterable[Annotation]) -> list[Note]:
    return [Note(annotation.kind, visible(annotation.text)) for annotation in annotations]


def _sentence(event: Event, player: str) -> str:
    """Return the words of an event, after the player who does it where they don't name him."""
    words = visible(event.words)
    if event.ballot is not None:
        return words[:1].upper() + words[1:]
    return words if event.kind in ("veto", "mission") else f"{player} {words}"


def notes(remarks: Iterable[Remark]) -> tuple[Note, ...]:
    """Return remarks as notes; comments on successive lines are joined, as they were meant to be read."""
    collected: list[Note] = []
    for remark in remarks:
        text = visible(remark.text)
        if collected and remark.kind == "comment" and remark.at is None and collected[-1].kind == "comment":
            collected[-1] = Note("comment", f"{collected[-1].text} {text}")
        else:
            collected.append(Note(remark.kind, text))
    return tuple(collected)
