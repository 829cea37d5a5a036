"""The picture of a game: the score, and what lay at each group, from the first turn to the last.

It is drawn here and not by a charting library: none draws lanes with marks in them within the time that the page
allows, which is a tenth of a second for everything; the best known one takes longer than that to be imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import itemgetter
from types import SimpleNamespace
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import CARD_LETTERS, EGYPT, ROME, SIDE_NAMES, TIE, VETO
from ...notation.safe_text import visible
from ..analysis.timeline import PLAYED, SET_UP, Entry, Event, Timeline
from ..views.table_view import TableView
from .lanes import Scale, lanes, trace
from .page_steps import PageStep, names, page_steps
from .synopsis import SEEN_BY, occasion, outcome, sentences, title
from .templating import asset, template

LEFT: Final = 104
RIGHT: Final = 132
TOP: Final = 108
SCORE: Final = 120
"""Margins, and the height of the score, in pixels."""
ACTIONS: Final = 44
GAP: Final = 26
NARROW, WIDE = 28, 60
"""How wide a turn may be drawn; a long game goes on to the right."""
GOOD_WIDTH: Final = 900
LEAST_WIDTH: Final = 520
"""What the headings need, however short the game."""
LETTER_WIDTH: Final = 6.3
"""Of the legend's letters, on average: SVG breaks no lines, so the legend is broken by this."""

ACTION_LETTERS: Final = {t.KINDS[cls].event: CARD_LETTERS[card] for cls, card in {**t.CARD_OF, t.Veto: VETO}.items()}
"""Event → the letter of its card."""
VOTE_WEIGHT: Final = 3
"""How much of a turn's width a vote takes, where a card takes 1: its mark is broad."""
MARK_WIDTH: Final = 16
STAGGER: Final = 10


class Mark(NamedTuple):
    """A sign, also of the legend: ``shape`` is a macro of the template, ``link`` the address of its step."""

    shape: str
    x: float
    y: float
    title: str
    link: str
    letter: str = ""
    extra: bool = False
    """A second outline for a special vote; a stroke through an action that was vetoed."""


class TurnColumn(NamedTuple):
    """One turn line on the axis."""

    x: float
    label: str
    side: int
    status: str
    title: str
    link: str
    flagged: bool


def picture(timeline: Timeline) -> str:
    """Return a game as an independent SVG picture."""
    steps = page_steps(timeline)
    drawn = drawing(timeline, steps, [timeline.table(step.state) for step in steps])
    return template("picture.svg.j2").render(d=drawn, style=asset("picture.css"))


def drawing(timeline: Timeline, steps: Sequence[PageStep], views: Sequence[TableView]) -> SimpleNamespace:
    """Return the picture of a timeline for its template, in pixels, from its steps and their tables.

    ``xs`` are the places of the steps, for a cursor.
    """
    count = sum(entry.status != SET_UP for entry in timeline.entries)
    turn = round(min(WIDE, max(NARROW, GOOD_WIDTH / max(count, 1))), 1)
    right = LEFT + turn * max(count, 1)
    columns = dict(_columns(timeline, turn))
    xs = _places(timeline, steps, columns, turn)
    points = [[view.sides[side].points for view in views] for side in (ROME, EGYPT)]
    score = _score_scale(points)
    drawn = lanes(views, xs, TOP + SCORE + GAP, right)
    actions = drawn[-1].bottom + GAP
    events = [*_events(timeline, steps, xs)]
    votes = _votes(events, {group: lane.middle for group, lane in zip(timeline.edition.groups, drawn, strict=True)})
    cards = tuple(_actions(events, actions + ACTIONS / 2))
    leads = tuple(_leads(events))
    width = max(right, LEFT + LEAST_WIDTH) + RIGHT
    unseen = any(path for lane in drawn for path in lane.whole)
    legend = tuple(_legend(votes, cards, leads, unseen, width, actions + ACTIONS + 40))
    return SimpleNamespace(
        width=round(width, 1),
        height=legend[-1].y + 18,
        left=LEFT,
        right=round(right, 1),
        top=TOP,
        turn=turn,
        title=title(timeline),
        description=" ".join(sentences(timeline)),
        headings=(title(timeline), occasion(timeline), f"{outcome(timeline)}. Seen by {SEEN_BY[timeline.view]}."),
        columns=tuple(columns.values()),
        score=score,
        ticks=tuple((score.y(value), value) for value in range(0, score.most + 1, 5)),
        scores=(trace(xs, points[ROME], score, right), trace(xs, points[EGYPT], score, right)),
        ends=_ends(points, score),
        leads=leads,
        lanes=drawn,
        votes=votes,
        actions=actions,
        cards=cards,
        bottom=actions + ACTIONS,
        legend=legend,
        xs=xs,
    )


def _columns(timeline: Timeline, turn: float) -> Iterator[tuple[int, TurnColumn]]:
    """Yield the turn lines from left to right, with their places among the entries."""
    x = float(LEFT)
    for place, (entry, name) in enumerate(zip(timeline.entries, names(timeline), strict=True)):
        if entry.status == SET_UP:
            continue
        irregular = [annotation.text for annotation in entry.annotations if annotation.kind == "irregularity"]
        head = f"{entry.label}, {entry.player}" + (f", {entry.status}" if entry.status != PLAYED else "")
        text = "; ".join([f"{head}: {entry.written}", *irregular])
        status = entry.status.replace(" ", "-")
        yield place, TurnColumn(round(x, 1), entry.label, entry.side, status, visible(text), name, bool(irregular))
        x += turn


def _places(
    timeline: Timeline, steps: Sequence[PageStep], columns: dict[int, TurnColumn], turn: float
) -> tuple[float, ...]:
    """Return where each step lies: the events of a turn within its column, its end at the column's end."""
    xs = []
    for step in steps:
        if step.entry is None or step.entry not in columns:
            xs.append(float(LEFT))
            continue
        weights = [VOTE_WEIGHT if event.ballot else 1 for event in timeline.entries[step.entry].events]
        share = 1.0 if weights else 0.5
        if step.event is not None:
            share = (sum(weights[: step.event]) + weights[step.event] / 2) / sum(weights)
        xs.append(round(columns[step.entry].x + turn * share, 1))
    return tuple(xs)


def _score_scale(points: Sequence[Sequence[int]]) -> Scale:
    most = max(10, *map(max, points))
    most += -most % 5
    return Scale(TOP + SCORE, SCORE / most, most)


def _ends(points: Sequence[Sequence[int]], score: Scale) -> tuple[tuple[float, str], tuple[float, str]]:
    """Return the labels at the ends of the score, kept apart."""
    rome, egypt = points[ROME][-1], points[EGYPT][-1]
    places = [score.y(rome), score.y(egypt)]
    lack = 15 - abs(places[0] - places[1])
    if lack > 0:
        upper = ROME if rome >= egypt else EGYPT
        places[upper] -= lack / 2
        places[1 - upper] += lack / 2
    return (places[ROME], f"Rome {rome}"), (places[EGYPT], f"Egypt {egypt}")


DrawnEvent = tuple[str, float, Entry, Event]
"""An event of a turn, with the address of its step and its place."""


def _events(timeline: Timeline, steps: Sequence[PageStep], xs: Sequence[float]) -> Iterator[DrawnEvent]:
    """Yield the steps that are events."""
    for step, x in zip(steps, xs, strict=True):
        if step.entry is not None and step.event is not None:
            entry = timeline.entries[step.entry]
            yield step.address, x, entry, entry.events[step.event]


def _votes(events: Sequence[DrawnEvent], middles: dict[int, float]) -> tuple[Mark, ...]:
    """Return the marks of votes; ``middles`` are the places of the groups' lanes."""
    marks = []
    for address, x, entry, event in events:
        if (ballot := event.ballot) is not None:
            shape = "tie" if ballot.outcome.winner == TIE else SIDE_NAMES[ballot.outcome.winner].lower()
            lower = "p" if ballot.outcome.lower_wins else ""
            text = f"{entry.label}: {visible(event.words)}"
            marks.append(Mark(shape, x, middles[ballot.group], text, address, lower, ballot.special))
    return _staggered(marks)


def _staggered(marks: Sequence[Mark]) -> tuple[Mark, ...]:
    """Return marks of which two at the same group in the same turn lie above and below the line."""
    moved = [*marks]
    for place, (one, other) in enumerate(pairwise(marks)):
        if one.y == other.y and other.x - one.x < MARK_WIDTH and moved[place].y == one.y:
            moved[place] = one._replace(y=one.y - STAGGER)
            moved[place + 1] = other._replace(y=other.y + STAGGER)
    return tuple(moved)


def _actions(events: Sequence[DrawnEvent], middle: float) -> Iterator[Mark]:
    """Yield the marks of action cards, Caesar's above the line and Cleopatra's below."""
    for address, x, entry, event in events:
        if letter := ACTION_LETTERS.get(event.kind):
            is_veto = event.kind == "veto"
            vetoed = any(later.kind == "veto" and later.at == event.at + 1 for later in entry.events)
            y = middle + (-11 if (entry.side == ROME) != is_veto else 11)
            text = f"{entry.label}: {'' if is_veto else entry.player + ' '}{visible(event.words)}"
            yield Mark("card", x, y, text, address, letter, vetoed)


def _leads(events: Sequence[DrawnEvent]) -> Iterator[Mark]:
    """Yield a mark where a side takes the lead."""
    for address, x, entry, event in events:
        for fact in entry.annotations:
            if fact.kind == "lead" and fact.at == event.at and fact.side is not None:
                yield Mark("lead", x, TOP, f"{entry.label}: {fact.text}", address, SIDE_NAMES[fact.side][0])


def _legend(
    votes: Sequence[Mark], cards: Sequence[Mark], leads: Sequence[Mark], unseen: bool, width: float, y: float
) -> Iterator[Mark]:
    """Yield the meaning of each sign that occurs, broken into lines."""
    shapes, letters = {mark.shape for mark in votes}, {mark.letter for mark in cards}
    signs = (
        (True, "up", "", False, "Rome's influence, upwards"),
        (True, "down", "", False, "Egypt's, downwards"),
        (unseen, "unseen", "", False, "a face-down card of unknown value"),
        ("rome" in shapes, "rome", "", False, "vote won by Rome"),
        ("egypt" in shapes, "egypt", "", False, "vote won by Egypt"),
        ("tie" in shapes, "tie", "", False, "a tie"),
        (any(mark.extra for mark in votes), "rome", "", True, "outlined twice: special vote"),
        (any(mark.letter for mark in votes), "egypt", "p", False, "a philosopher: the lower sum won"),
        (bool(leads), "lead", leads[0].letter if leads else "", False, "takes the lead"),
        *[(letter in letters, "card", letter, False, name) for name, letter in ACTION_LETTERS.items()],
        (any(mark.extra for mark in cards), "card", "s", True, "vetoed"),
    )
    x = float(LEFT)
    for _, shape, letter, extra, text in filter(itemgetter(0), signs):
        needed = 38 + LETTER_WIDTH * len(text) + (8 if letter and shape != "card" else 0)
        if x > LEFT and x + needed > width - 8:
            x, y = float(LEFT), y + 22
        yield Mark(shape, round(x, 1), y, text, "", letter, extra)
        x += needed
