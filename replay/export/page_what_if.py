"""What else could have been played, for the page: every option with the table after it, and the recorded alternatives.

Tables are sent as what an option changes. Words and changes that recur stand there once. All of it is compressed, and
read by the page's script when somebody first asks.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, GROUP_LETTERS, ROME
from ...notation.safe_text import visible
from ..analysis.foresight import Foresight
from ..analysis.timeline import Entry, Timeline
from ..analysis.what_if import Decision, Possibility
from ..views.table_view import TableView, look, look_again
from .page_steps import PageStep, TablePart, changes, flat, names
from .page_votes import sentence


class WhatIf(NamedTuple):
    """The decisions of a game from one point of view; ``foreseen`` is what :func:`foresights` says of their options,
    empty where nobody asked for odds.
    """

    decisions: Sequence[Decision] = ()
    foreseen: Sequence[Sequence[Sequence[Foresight]]] = ()


class Interned:
    """Things that recur: each is kept once, and told by its number."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def number(self, thing: Any) -> int:
        """Return the number of a thing."""
        return self.numbers.setdefault(thing, len(self.numbers))


def what_if_data(timeline: Timeline, steps: Sequence[PageStep], what_if: WhatIf) -> dict[str, Any]:
    """Return the decisions and recorded alternatives of a game as the page's script reads them.

    ``decisions`` has a row for each: the step at whose table it is shown, whose it is, the kind of action that may be
    vetoed (else empty), whether the hand is seen, and its options. An option is its words, how it is written, whether
    it was played, its changes of the table (null where nobody can say), and what it does to votes: group, and percents
    for Rome and Egypt now and then. ``lines`` has the alternatives by address: the step before it, and words and
    changes of each event.
    """
    words, parts = Interned(), Interned()
    places = _before(timeline, steps)
    rows: list[list[Any]] = []
    for number, decision in enumerate(what_if.decisions):
        place = places.get((decision.turn, decision.at))
        if place is None:
            continue
        table = timeline.table(decision.before)
        # Whoever plays saw each card that was discarded, but the notation has no word for some of them.
        unsaid = changes(flat(timeline.table(steps[place].state)), flat(table))
        foreseen = what_if.foreseen[number] if what_if.foreseen else [()] * len(decision.options)
        options = [
            [
                words.number(visible(decision.words(option))),
                option.written,
                int(option.was_played),
                _after(decision, option, table, parts, unsaid),
                [_percents(each) for each in effects],
            ]
            for option, effects in zip(decision.options, foreseen, strict=True)
        ]
        veto = t.KINDS[type(decision.action)].event if decision.action else ""
        rows.append([place, decision.side, veto, int(decision.sees_hand), options])
    return {
        "decisions": rows,
        "lines": dict(_lines(timeline, steps, words, parts)),
        "words": [*words.numbers],
        "parts": [*parts.numbers],
    }


def choices(told: dict[str, Any]) -> list[list[Any]]:
    """Return what has to be known of each decision before it is asked for: step, side, options, veto, and sight."""
    return [[step, side, len(options), veto, sees] for step, side, veto, sees, options in told["decisions"]]


def packed(views: Sequence[Timeline], told: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the data of each point of view that has some in few letters: as JSON, compressed (zlib), in base64."""
    return [
        (timeline.view, base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode())).decode())
        for timeline, data in zip(views, told, strict=True)
        if data["decisions"] or data["lines"]
    ]


def _before(timeline: Timeline, steps: Sequence[PageStep]) -> dict[tuple[int, int], int]:
    """Return the step whose table lies there before each token, and at the end of a turn, by places in the record."""
    places: dict[tuple[int, int], int] = {}
    for number, step in enumerate(steps):
        if step.entry is not None and step.event is not None:
            events = timeline.entries[step.entry].events
            places.setdefault((step.entry, events[step.event].at), number - 1)
            if step.event == len(events) - 1:
                places[step.entry, events[step.event].at + 1] = number
    return places


def _after(
    decision: Decision, option: Possibility, table: TableView, parts: Interned, unsaid: TablePart
) -> list[int] | None:
    """Return what an option changes on the ``table`` before it; None where nobody can say."""
    state = decision.after(option)
    if state is None:
        return None
    token = option.token
    if isinstance(token, t.ChooseMission):
        return _changed(table, look(state, table.view), parts, unsaid)
    groups = t.groups_of(token) if token is not None and not isinstance(token, t.SpecialVote) else ()
    return _changed(table, look_again(table, state, groups), parts, unsaid)


def _changed(before: TableView, after: TableView, parts: Interned, unsaid: TablePart | None = None) -> list[int]:
    """Return what is new on a table, but for whose turn it is and what is ``unsaid``."""
    new = changes(flat(before), flat(after))
    return [parts.number(pair) for pair in new.items() if pair[0] != "turn" and pair[0] not in (unsaid or ())]


def _percents(effect: Foresight) -> list[Any]:
    """Return the group of a vote, and the chances of Rome and Egypt now and then, in percent."""
    shares = [round(100 * outlook.wins[side]) for outlook in effect for side in (ROME, EGYPT)]
    return [GROUP_LETTERS[effect.now.group], *shares]


def alternative_lines(entry: Entry, name: str) -> dict[str, list[Entry]]:
    """Return the alternatives of a turn by address, each with the turns that go on from it."""
    lines: dict[str, list[Entry]] = {}
    for other in entry.alternatives:
        if other.label == entry.label or not lines:
            lines[f"{name}/{len(lines) + 1}"] = []
        lines[f"{name}/{len(lines)}"].append(other)
    return lines


def _lines(
    timeline: Timeline, steps: Sequence[PageStep], words: Interned, parts: Interned
) -> Iterator[tuple[str, list[Any]]]:
    """Yield each recorded alternative by its address: the step before it, then each event's words and changes."""
    first = {step.entry: number - 1 for number, step in reversed([*enumerate(steps)])}
    for place, (entry, name) in enumerate(zip(timeline.entries, names(timeline), strict=True)):
        for address, line in alternative_lines(entry, name).items():
            told: list[Any] = [first[place]]
            before = timeline.table(line[0].events[0].before) if line[0].events else None
            for other in line:
                for event in other.events:
                    assert before is not None
                    table = timeline.table(event.state)
                    told.append([words.number(sentence(other, event)), _changed(before, table, parts)])
                    before = table
            yield address, told
