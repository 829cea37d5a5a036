"""Corrections of what stands in a record: a turn written anew, one that was forgotten. Nothing is judged here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...notation.record import Record, Result, Turn
from ...notation.writer import write
from .draft import Draft
from .entry import put, with_header


def rewritten(record: Record, place: int, turns: Sequence[Turn]) -> Record:
    """The record with other turns, or none, in place of one; the lines below that stay below the last of them."""
    found = _filled(record, record.turns[:place], turns)
    if turns and not found[-1].after:
        found[-1] = replace(found[-1], after=record.turns[place].after)
    return replace(record, turns=(*found, *record.turns[place + 1 :]))


def inserted(record: Record, turns: Sequence[Turn], starter: int) -> Record:
    """The record with turns that were forgotten, where their number belongs.

    Where that number is taken the turns from there on were written down under wrong numbers, and move up.
    """
    first = turns[0]
    wanted = (first.number, first.side != starter)
    place = sum((turn.number, turn.side != starter) < wanted or not turn.number for turn in record.turns)
    rest = list(record.turns[place:])
    if rest and rest[0].label == first.label:
        number, side = turns[-1].number, turns[-1].side
        for at, turn in enumerate(rest):
            number, side = number + (side != starter), 1 - side
            rest[at] = replace(turn, number=number, side=side)
    return replace(record, turns=(*_filled(record, record.turns[:place], turns), *rest))


def _filled(record: Record, before: Sequence[Turn], turns: Sequence[Turn]) -> list[Turn]:
    """Turns behind those ``before`` them, with what their cards determine: who writes them anew need not count."""
    found = [*before]
    for turn in turns:
        found.append(_filled_turn(replace(record, turns=tuple(found)), turn))
    return found


def _filled_turn(before: Record, turn: Turn) -> Turn:
    draft = Draft(write(with_header(replace(before, result=Result()), "Termination", "")), closed=True)
    if draft.spot.label != turn.label:
        return turn
    for token in turn.tokens:
        draft = Draft(write(put(draft, token)))
    last = draft.record.turns[-1] if draft.record.turns else turn
    same = last.label == turn.label and len(last.tokens) == len(turn.tokens)
    return replace(turn, tokens=last.tokens) if same else turn
