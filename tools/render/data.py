"""Timelines and vote trees as data, as described by their schemas in ``schemas/``, and as rows for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from typing import Any, Final, TextIO

from ...notation.basics import (
    EGYPT,
    GROUP_LETTERS,
    GROUP_NAMES,
    PLAYER_NAMES,
    ROME,
    SIDE_LETTERS,
    SIDE_NAMES,
    TIE,
    cell,
    letters,
    visible,
    visible_lines,
)
from ...notation.records import known_text
from ...replay.engine.api import Ballot, Chances
from ...replay.knowledge.api import GroupView, SideView, TableView
from ...replay.rules.api import Device, State
from ...replay.story.api import Annotation, Entry, Event, Expectation, Remark, Timeline
from ...replay.story.votes import Coming, Instead, Margin, Observer, Range, VoteTree
from ...replay.words.api import annotation_words, entry_words, event_words
from ...replay.words.votes import (
    Node,
    instead_words,
    lane_name,
    margin_words,
    vote_answers,
    vote_headline,
    vote_outline,
)


def side_letter(side: int | None) -> str | None:
    """Return ``R``, ``E``, or ``-`` for a tie; None for None."""
    return None if side is None else SIDE_LETTERS[side]


def both(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> dict[str, str]:
    """Return Rome's and Egypt's cards as letters, by side."""
    return {"rome": letters(pair[ROME]), "egypt": letters(pair[EGYPT])}


def vote_fields(held: Ballot) -> dict[str, Any]:
    """Return a vote and its outcome as data."""
    outcome = held.outcome
    return {
        "group": GROUP_LETTERS[held.group],
        "special": held.special,
        "cards": both(held.columns),
        "turned_up": both(held.hidden),
        "sums": {"rome": held.correct_outcome.sums[ROME], "egypt": held.correct_outcome.sums[EGYPT]},
        "lower_wins": held.correct_outcome.lower_wins,
        "winner": SIDE_LETTERS[outcome.winner],
        "by_rules": SIDE_LETTERS[held.correct_outcome.winner],
        "lost": both(outcome.discarded),
        "empties": held.empties,
    }


def timeline_data(timeline: Timeline) -> dict[str, Any]:
    """Return the timeline of a game as the schema's object."""
    return {
        "$schema": "urn:tironian:schema:timeline:1",
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
        "player": PLAYER_NAMES[entry.side],
        "status": entry.status,
        "notation": visible(entry.written),
        "words": visible(entry_words(entry)),
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
        "words": visible(event_words(event)),
        "vote": vote_fields(event.ballot) if event.ballot else None,
        "chances": _chances(event.chances) if event.chances else None,
        "lost": both(event.lost) if any(event.lost) else None,
        "odds": [_expected(expectation) for expectation in event.odds],
    }


def _expected(expectation: Expectation) -> dict[str, Any]:
    """Return the odds of a vote; chances are fractions, such as ``3/8``."""
    rome, egypt, tie = map(str, expectation.outlook.wins)
    sums = [{str(total): str(odds) for total, odds in expectation.outlook.sums(side).items()} for side in (ROME, EGYPT)]
    return {
        "view": expectation.view,
        "wins": {"rome": rome, "egypt": egypt, "tie": tie},
        "sums": {"rome": sums[ROME], "egypt": sums[EGYPT]},
    }


def _chances(could: Chances) -> dict[str, Any]:
    """Return the possible draws of a bust or vote card, as the schema's ``chances``."""
    groups = "".join([GROUP_LETTERS[group] for group in could.groups])
    return could._asdict() | {"groups": groups, "of": could.total}


def _annotation(fact: Annotation) -> dict[str, Any]:
    return {"kind": fact.kind, "at": fact.at, "side": side_letter(fact.side), "text": visible(annotation_words(fact))}


def _remarks(remarks: Iterable[Remark]) -> list[dict[str, Any]]:
    return [{"kind": remark.kind, "at": remark.at, "text": "\n".join(visible_lines(remark.text))} for remark in remarks]


def table_data(table: TableView) -> dict[str, Any]:
    """Return the table from a point of view; hidden things are ``i``, ``a``, ``(?)`` or ``?``."""
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
    del fields["player"], fields["held"], fields["account"], fields["met"]
    cards = {"hand": "".join(side.hand), "discards": "".join(side.discards)}
    return fields | cards | {"missions": list(map(visible, side.missions))}


def votes_data(trees: Iterable[VoteTree], edition: str, view: str) -> dict[str, Any]:
    """Return the trees of one game as the schema's object."""
    return {
        "$schema": "urn:tironian:schema:votes:2",
        "edition": edition,
        "view": view,
        "votes": [tree_data(tree) for tree in trees],
    }


def tree_data(tree: VoteTree) -> dict[str, Any]:
    """Return one tree with its margins as data."""
    outline = vote_outline(tree)
    return {
        "number": tree.number,
        "turn": tree.turn,
        "token": tree.token,
        "at": tree.at,
        "title": outline.title,
        "group": GROUP_LETTERS[tree.group],
        "special": tree.special,
        "winner": SIDE_LETTERS[tree.winner],
        "by_rules": tree.by_rules,
        "lanes": [_lane(lane, tree.device) for lane in tree.lanes],
        "observers": [*map(_observer, tree.observers)],
        "instead": [*map(_instead, tree.instead)],
        "more": {"rome": tree.more[ROME], "egypt": tree.more[EGYPT]},
        "sees": {"rome": tree.sees[ROME], "egypt": tree.sees[EGYPT]},
        "headline": visible(vote_headline(tree)),
        "answers": [{"question": answer.question, "text": visible(answer.words)} for answer in vote_answers(tree)],
        "tree": _node(outline.root),
        "margins": [_margin(margin) for margin in tree.margins],
        "told": [visible(sentence) for sentence in outline.notes],
    }


def _node(node: Node) -> dict[str, Any]:
    return {
        "kind": node.kind,
        "label": visible(node.label),
        "title": visible(node.title),
        "lines": [visible(line) for line in node.lines],
        "taken": node.taken,
        "chance": None if node.chance is None else {"cases": node.chance[0], "of": node.chance[1]},
        "winner": side_letter(node.winner),
        "children": [_node(child) for child in node.children],
    }


def _instead(option: Instead) -> dict[str, Any]:
    return {
        "side": side_letter(option.side),
        "turn": option.turn,
        "at": option.at,
        "tokens": [known_text(token) for token in option.tokens],
        "words": visible(instead_words(option)),
        "sums": _ranges(option.sums),
        "winner": side_letter(option.winner),
        "chance": None if option.chance is None else str(option.chance),
        "cost": option.cost,
        "was_played": option.was_played,
    }


def _lane(lane: Coming, device: Device) -> dict[str, Any]:
    group = None if lane.group is None else GROUP_LETTERS[lane.group]
    sums = None if lane.sums is None else _ranges(lane.sums)
    fields = {"kind": lane.kind, "name": lane_name(lane, device)} | lane._asdict()
    return fields | {"group": group, "sums": sums, "winner": side_letter(lane.winner)}


def _observer(observer: Observer) -> dict[str, Any]:
    names = ("rome", "egypt", "tie", "no_vote")
    here, turn = [
        None if odds is None else dict(zip(names, map(str, odds), strict=False))
        for odds in (observer.here, observer.turn)
    ]
    return {"view": observer.view, "here": here, "turn": turn}


def _ranges(sums: tuple[Range, Range]) -> dict[str, list[int]]:
    """Return the ranges of both sides' sums."""
    return {"rome": [*sums[ROME]], "egypt": [*sums[EGYPT]]}


def _margin(margin: Margin) -> dict[str, Any]:
    return {"words": margin_words(margin), "result": SIDE_LETTERS[margin.result], "sums": _ranges(margin.sums)}


COLUMNS: Final = (
    "turn", "player", "status", "step", "notation", "kind", "words",
    "vote_group", "rome_sum", "egypt_sum", "winner",
    "rome_points", "egypt_points", "rome_patricians", "egypt_patricians",
    "rome_hand", "egypt_hand", "rome_influence_pile", "rome_action_pile", "egypt_influence_pile", "egypt_action_pile",
    "annotations", "remarks", "marks",
)  # fmt: skip
"""The first row. Points are as the table shows them; hands are numbers of cards."""


def write_csv(timeline: Timeline, stream: TextIO) -> None:
    """Write a timeline as a table to a text stream."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in timeline.entries:
        writer.writerows(map(cell, row) for row in _rows(timeline, entry))


def _rows(timeline: Timeline, entry: Entry) -> Iterator[list[str]]:
    """Yield the rows of a turn line: one for each event (or one for a line without events), and one for what was not
    played.
    """
    remarks = " / ".join(f"{remark.kind}: {remark.text}" for remark in entry.remarks)
    marks = " ".join(entry.marks)
    head = [entry.label, PLAYER_NAMES[entry.side], entry.status]
    whole = _kinds(entry, None)
    if not entry.events:
        every = " ".join(fact.kind for fact in entry.annotations)
        said = ["", entry.written, "", entry_words(entry), *[""] * 4]
        yield [*head, *said, *_standing(timeline, entry.state), every, remarks, marks]
        return
    for event in entry.events:
        first = event is entry.events[0]
        said = [f"{entry.label} {event.token}", event.kind, event_words(event), *_vote(event)]
        notes = [" ".join(filter(None, (_kinds(entry, event.at), whole * first))), remarks * first, marks * first]
        state = entry.state if event is entry.events[-1] else event.state
        yield [*head, str(event.at + 1), *said, *_standing(timeline, state), *notes]
    if entry.rest:
        done = len(entry.events)
        kinds = " ".join(fact.kind for fact in entry.annotations if fact.at is not None and fact.at >= done)
        rest = [*head, "", f"{entry.label} {entry.rest}", "", "not carried out", *[""] * 4]
        yield [*rest, *[""] * 10, kinds, "", ""]


def _kinds(entry: Entry, at: int | None) -> str:
    """Return the kinds of things to notice at a token, or in the turn as a whole."""
    return " ".join([fact.kind for fact in entry.annotations if fact.at == at])


def _vote(event: Event) -> list[str]:
    """Return the columns on a vote: group, both sums, winner; empty for any other event."""
    held = event.ballot
    if held is None:
        return [""] * 4
    winner = "tie" if held.outcome.winner == TIE else SIDE_NAMES[held.outcome.winner]
    return [GROUP_NAMES[held.group], *map(str, held.correct_outcome.sums), winner]


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
