"""A judged game as a record: its own, with glyphs and comments where a decision bears a mark."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final

from ...notation.fingerprint import unsigned
from ...notation.record import Comment, Record, Turn
from .analysis import Report
from .analysis_text import deed
from .highlights import judged_sides
from .judgement import MARKS, Judged

_ORDER: Final = tuple(mark for mark, *_ in MARKS)


def annotated(record: Record, report: Report) -> Record:
    """Return a record with what its report says: a line of comment on each marked decision, and the worst mark as a
    glyph.

    A glyph that stands there already stays, and is the only one. A copy is no signed record any more.
    """
    marked: dict[tuple[int, str], list[Judged]] = defaultdict(list)
    for side, log in judged_sides(report):
        for each in side.decisions:
            if each.mark:
                marked[side.side, log.turns[each.turn].label].append(each)
    turns = tuple(_annotated(turn, marked) for turn in record.turns)
    return replace(record, headers=unsigned(record.headers), turns=turns)


def _annotated(turn: Turn, marked: dict[tuple[int, str], list[Judged]]) -> Turn:
    found = [*marked.get((turn.side, turn.label), ()), *marked.get((1 - turn.side, turn.label), ())]
    if not found:
        return turn
    glyphs = [each.mark for each in marked.get((turn.side, turn.label), ())]
    marks = turn.marks
    if glyphs and all(mark.startswith("@") for mark in marks):
        marks = (*marks, min(glyphs, key=_ORDER.index))
    return replace(turn, marks=marks, after=(*(Comment(_told(each)) for each in found), *turn.after))


def _told(judged: Judged) -> str:
    return f"{deed(judged)} {judged.mark} cost {100 * judged.loss:.0f} points; better: {judged.words} ({judged.best})"
