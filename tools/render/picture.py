"""The picture of a game: the score, and the cards at each group, from the first turn to the last.

No charting library is used: none draws lanes with marks in them within the time that the page allows, a tenth of a
second for everything; the best known one takes longer than that to import.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from types import SimpleNamespace
from typing import Final, NamedTuple

from ...notation.basics import CARD_LETTERS, EGYPT, GROUP_LETTERS, ROME, SIDE_NAMES, SIGNS, TIE, VETO, visible
from ...notation.language import GROUPS, SIDES, Messages, clauses, labelled, phrase, sense
from ...notation.records import tokens as t
from ...replay.diagnostics.api import capital
from ...replay.knowledge.api import GroupView, TableView
from ...replay.story.api import NOT_FOLLOWED, PLAYED, SET_UP, TAKEN_BACK, Entry, Event, Timeline
from ...replay.words.api import accounts, annotation_words, event_sentence, event_words
from . import symbols
from .page_steps import PageStep, names, page_steps
from .shapes import broken, width_of
from .synopsis import occasion, outcome, seen_by, sentences, title
from .templating import picture_style, template

HALF: Final = 38
"""The part of a lane's height, in pixels, for the greatest influence in the game."""
APART: Final = 16
NOTCH: Final = 2
"""The height, in points, at which an unseen face-down card is drawn, since its value is unknown."""
LEAST: Final = 8
"""The fewest points that half a lane shows, so that a game with few cards does not look dramatic."""
_TICKS: Final = (10, 5, -5, -10)


class Scale(NamedTuple):
    """Converts points to pixels: ``base`` is where 0 lies, ``unit`` the height of a point, negative if values grow
    downwards.
    """

    base: float
    unit: float

    def y(self, value: float) -> float:
        """Return the vertical position of a value, in pixels."""
        return round(self.base - value * self.unit, 1)


CardSums = tuple[int, int]
"""The sum of the visible cards, and the number of unseen ones."""


def lanes(views: Sequence[TableView], xs: Sequence[float], top: float, end: float) -> list[Lane]:
    """Return the lanes of all groups between ``top`` and ``end``, in pixels and on one scale."""
    groups = [*zip(*[view.groups for view in views], strict=True)]
    columns = [[(_column(view.cards[ROME]), _column(view.cards[EGYPT])) for view in seen] for seen in groups]
    most = max([known + NOTCH * unseen for group in columns for pair in group for known, unseen in pair])
    unit, middle = HALF / max(most, LEAST), top + HALF
    return [
        Lane(seen, group, xs, end, middle + place * (2 * HALF + APART), unit)
        for place, (seen, group) in enumerate(zip(groups, columns, strict=True))
    ]


@lru_cache(maxsize=1 << 12)
def _column(cards: tuple[str, ...]) -> CardSums:
    """Return the sum of the visible influence cards, and the number of others."""
    known = unseen = 0
    for card in cards:
        letter = card.strip("()")
        if letter.isdigit():
            known += int(letter)
        elif letter != "p":
            unseen += 1
    return known, unseen


class Lane:
    """The cards at one group, for the template: paths for Rome and Egypt, for the visible influence and for unseen
    cards.
    """

    def __init__(
        self,
        views: Sequence[GroupView],
        columns: Sequence[tuple[CardSums, CardSums]],
        xs: Sequence[float],
        end: float,
        middle: float,
        unit: float,
    ) -> None:
        last = views[-1]
        self.letter, self.name = last.letter, GROUPS[GROUP_LETTERS.index(last.letter)].bare
        self.middle, self.bottom = middle, middle + HALF
        self.edges, self.known, self.whole = list[str](), list[str](), list[str]()
        self.lay = [any(known for known, _ in cards) for cards in zip(*columns, strict=True)]
        for side, sign in ((ROME, 1), (EGYPT, -1)):
            scale = Scale(middle, sign * unit)
            seen, unseen = zip(*[pair[side] for pair in columns], strict=True)
            high = [value + NOTCH * more for value, more in zip(seen, unseen, strict=True)]
            self.edges.append(trace(xs, seen, scale, end))
            self.known.append(_filled(self.edges[side], scale, xs[0]))
            # Empty if all cards are seen.
            self.whole.append(_filled(trace(xs, high, scale, end), scale, xs[0]) if any(unseen) else "")
        self.ticks = [*_ticks(middle, unit)]
        # Where the group was emptied.
        self.gone = next((x for x, view in zip(xs, views, strict=True) if not view.left), None)
        self.won = [
            f"{SIGNS[side]} {sense('patricians', '{count} won', count=last.won[side])}" for side in (ROME, EGYPT)
        ]
        self.left = phrase("{count} left", count=last.left) if last.left else phrase("none left")


def _ticks(middle: float, unit: float) -> Iterator[tuple[float, int]]:
    """Yield the values to mark next to a lane, as far as there is room, with their places."""
    for value in _TICKS:
        if abs(value) * unit <= HALF:
            yield round(middle - value * unit, 1), abs(value)


def trace(xs: Sequence[float], values: Sequence[int], scale: Scale, end: float) -> str:
    """Return a stepped line as an SVG path: each value holds from its place to the next one's."""
    parts = [f"M{xs[0]:g} {scale.y(values[0]):g}"]
    before = values[0]
    for x, value in zip(xs, values, strict=True):
        if value != before:
            parts.append(f"H{x:g}V{scale.y(value):g}")
            before = value
    return f"{''.join(parts)}H{end:g}"


def _filled(line: str, scale: Scale, start: float) -> str:
    """Return the area between a line and the base of the scale as an SVG path."""
    return f"{line}V{scale.base:g}H{start:g}Z"


LEFT: Final = 112
RIGHT: Final = 84
TOP: Final = 108
LINE: Final = 17
SCORE: Final = 120
"""The margins (with the headings above), the height of a line of words and the height of the score, in pixels."""
ACTIONS: Final = 60
GAP: Final = 26
NARROW, WIDE = 24, 40
"""The greatest width of a turn; a long game extends to the right."""
GOOD_WIDTH: Final = 720
LEAST_WIDTH: Final = 580
"""The width that the headings need, however short the game."""

ACTION_LETTERS: Final = {t.KINDS[cls].event: CARD_LETTERS[card] for cls, card in {**t.CARD_OF, t.Veto: VETO}.items()}
"""Event → the letter of its card."""
_ACTIONS: Final[Messages] = {"words": ("assassination", "scout", "wrath", "castling", "spy", "veto")}
"""What people read of these events."""
VOTE_WEIGHT: Final = 3
"""The part of a turn's width that a vote needs, if a card needs 1: its mark is broad."""
MARK_WIDTH, OWL_WIDTH = 20, 14
OWL = symbols.PHILOSOPHY


class Mark(NamedTuple):
    """A sign in the picture or the legend: ``shape`` is a macro of the template, ``link`` the address of its step.

    ``symbol`` is its card, or the owl beside a vote; ``extra`` is a second outline for a special vote, or a stroke
    through an action that was vetoed. ``sums`` are the sums of a vote.
    """

    shape: str
    x: float
    y: float
    title: str
    link: str
    symbol: str = ""
    extra: bool = False
    sums: tuple[int, ...] = ()


def _key(shape: str, title: str, symbol: str = "", *, extra: bool = False) -> Mark:
    """Return a sign for the legend, which has no place yet."""
    return Mark(shape, 0, 0, title, "", symbol, extra)


class DrawnEvent(NamedTuple):
    """An event of a turn, with the address of its step and its place."""

    link: str
    x: float
    entry: Entry
    event: Event

    def mark(
        self, shape: str, y: float, words: str, symbol: str = "", extra: bool = False, sums: tuple[int, ...] = ()
    ) -> Mark:
        """Return the sign of the event."""
        return Mark(shape, self.x, y, labelled(self.entry.label, words), self.link, symbol, extra, sums)


def picture(timeline: Timeline) -> str:
    """Return a game as a self-contained SVG picture."""
    steps = page_steps(timeline)
    drawn = Drawing(timeline, steps, [timeline.table(step.state) for step in steps])
    return template("picture.svg.j2").render(d=drawn, style=picture_style("picture.css", "symbols.css"))


class Drawing:
    """The picture of a timeline for its template, in pixels, from its steps and their tables.

    A vote is one moment: the steps in which cards are turned up are left out. ``xs`` are the places of the other steps,
    for a cursor; ``above`` is where the turns begin, below the headings, which a page says outside the picture.
    """

    left = LEFT

    def __init__(self, timeline: Timeline, steps: Sequence[PageStep], views: Sequence[TableView]) -> None:
        steps, views = zip(*[pair for pair in zip(steps, views, strict=True) if not pair[0].is_vote], strict=True)
        told = f"{outcome(timeline)}. {capital(seen_by(timeline.view))}."
        self.headings = (title(timeline), occasion(timeline), told)
        self.description = " ".join(sentences(timeline))
        count = max(1, sum(entry.status != SET_UP for entry in timeline.entries))
        self.turn = round(min(WIDE, max(NARROW, GOOD_WIDTH / count)), 1)
        self.right = round(LEFT + self.turn * count, 1)
        self.width = round(max(self.right, LEFT + LEAST_WIDTH) + RIGHT, 1)
        closed = timeline.closing.state
        self.accounts = [
            (side, line)
            for side, words in (accounts(timeline.table(closed)) if closed else ())
            for line in broken(f"{SIGNS[side]} {words}", 12, self.width - 32, bold=True)
        ]
        self.top = TOP + LINE * len(self.accounts)
        self.above = self.top - 38
        self.columns = dict(_columns(timeline, self.turn))
        self.xs = [self._place(step, timeline) for step in steps]
        points = [[view.sides[side].points for view in views] for side in (ROME, EGYPT)]
        most = max(10, *map(max, points))
        most += -most % 5
        self.score = Scale(self.top + SCORE, SCORE / most)
        self.action_cards = [*broken(phrase("Action cards"), 13, 80), ""]
        self.ticks = [(self.score.y(value), value) for value in range(0, most + 1, 5)]
        self.scores = [trace(self.xs, values, self.score, self.right) for values in points]
        self.ends = _ends(points[ROME][-1], points[EGYPT][-1], self.score)
        self.lanes = lanes(views, self.xs, self.top + SCORE + GAP, self.right)
        ends = [words for lane in self.lanes for words in (*lane.won, lane.left)]
        ends += [f"{SIGNS[side]} {SIDES[side].name} {points[side][-1]}" for side in (ROME, EGYPT)]
        widest = max([width_of(words, 11, bold=True) for words in ends])
        self.width = max(self.width, round(self.right + 12 + widest, 1))
        self.actions = self.lanes[-1].bottom + GAP
        self.bottom = self.actions + ACTIONS
        events = [*_events(timeline, steps, self.xs)]
        middles = {group: lane.middle for group, lane in zip(timeline.edition.groups, self.lanes, strict=True)}
        self.votes = _apart([*_votes(events, middles)])
        self.cards = [*_actions(events, self.actions + ACTIONS / 2)]
        self.leads = [*_leads(events, self.top)]
        self.legend = [*self._legend(self.bottom + 40)]
        marks = (*self.cards, *self.votes, *self.legend)
        self.sheet = symbols.sheet(
            {mark.symbol for mark in marks} - {"", *SIGNS} | {lane.letter for lane in self.lanes}
        )
        self.height = self.legend[-1].y + 18

    def _place(self, step: PageStep, timeline: Timeline) -> float:
        """Return where a step lies: a turn's events within its column, its end at the column's end."""
        if step.entry is None or step.entry not in self.columns:
            return float(LEFT)
        weights = [VOTE_WEIGHT if event.ballot else 1 for event in timeline.entries[step.entry].events]
        share = 1.0 if weights else 0.5
        if step.event is not None:
            share = (sum(weights[: step.event]) + weights[step.event] / 2) / sum(weights)
        return round(self.columns[step.entry].x + self.turn * share, 1)

    def _signs(self) -> list[Mark]:
        """Return the signs that occur, with their meanings."""
        shapes, cards = {mark.shape for mark in self.votes}, {mark.symbol[1:]: mark.symbol for mark in self.cards}
        columns, lay = [*self.columns.values()], [*zip(*[lane.lay for lane in self.lanes], strict=True)]
        signs = (
            (any(column.entry.side == EGYPT for column in columns), _key("turn", phrase("Egypt's turn"))),
            (any(column.flagged for column in columns), _key("flag", phrase("an irregular turn"))),
            (any(column.entry.status == TAKEN_BACK for column in columns), _key("taken-back", phrase("taken back"))),
            (any(column.entry.status == NOT_FOLLOWED for column in columns), _key("unseen", phrase("not followed"))),
            (any(lay[ROME]), _key("up", phrase("Rome's influence, upwards"))),
            (any(lay[EGYPT]), _key("down", phrase("Egypt's, downwards"))),
            (any(any(lane.whole) for lane in self.lanes), _key("unseen", phrase("a face-down card of unknown value"))),
            (any(lane.gone is not None for lane in self.lanes), _key("gone", phrase("all patricians won"))),
            ("rome" in shapes, _key("rome", phrase("vote won by Rome"))),
            ("egypt" in shapes, _key("egypt", phrase("vote won by Egypt"))),
            ("tie" in shapes, _key("tie", phrase("a tie"))),
            (bool(shapes), _key("sums", phrase("Rome's sum above, Egypt's below"))),
            (any(mark.extra for mark in self.votes), _key("rome", phrase("outlined twice: special vote"), extra=True)),
            (any(mark.symbol for mark in self.votes), _key("owl", phrase("a philosopher: the lower sum won"), OWL)),
            (bool(self.leads), _key("lead", phrase("takes the lead"), SIGNS[ROME])),
            *[
                (card in cards, _key("card", phrase(name), cards.get(card, "")))
                for name, card in ACTION_LETTERS.items()
            ],
            *[(True, _key("card", phrase("vetoed"), mark.symbol, extra=True)) for mark in self.cards if mark.extra][:1],
        )
        return [sign for occurs, sign in signs if occurs]

    def _legend(self, y: float) -> Iterator[Mark]:
        """Yield the meaning of each sign that occurs, broken into lines."""
        x = 16.0
        for sign in self._signs():
            needed = 44 + width_of(sign.title, 11)
            if x > 16 and x + needed > self.width - 8:
                x, y = 16.0, y + 26
            yield sign._replace(x=round(x, 1), y=y)
            x += needed


def _events(timeline: Timeline, steps: Sequence[PageStep], xs: Sequence[float]) -> Iterator[DrawnEvent]:
    """Yield the events of all turns with their places."""
    for step, x in zip(steps, xs, strict=True):
        if step.entry is not None and step.event is not None:
            entry = timeline.entries[step.entry]
            yield DrawnEvent(step.address, x, entry, entry.events[step.event])


def _columns(timeline: Timeline, turn: float) -> Iterator[tuple[int, SimpleNamespace]]:
    """Yield the turn lines for the template from left to right, with their places among the entries."""
    x = float(LEFT)
    for place, (entry, name) in enumerate(zip(timeline.entries, names(timeline), strict=True)):
        if entry.status == SET_UP:
            continue
        irregular = [
            annotation_words(annotation) for annotation in entry.annotations if annotation.kind == "irregularity"
        ]
        status = [phrase(entry.status)] * (entry.status != PLAYED)
        head = ", ".join([entry.label, entry.player, *status])
        text = visible(clauses([labelled(head, entry.written), *irregular]))
        yield place, SimpleNamespace(x=round(x, 1), entry=entry, title=text, link=name, flagged=bool(irregular))
        x += turn


def _ends(rome: int, egypt: int, score: Scale) -> tuple[tuple[float, str], tuple[float, str]]:
    """Return the labels at the ends of the score, kept apart."""
    places = [score.y(rome), score.y(egypt)]
    lack = max(0, 15 - abs(places[0] - places[1]))
    upper = ROME if rome >= egypt else EGYPT
    places[upper] -= lack / 2
    places[1 - upper] += lack / 2
    said = [f"{sign} {side.name} {points}" for sign, side, points in zip(SIGNS, SIDES, (rome, egypt), strict=False)]
    return (places[ROME], said[ROME]), (places[EGYPT], said[EGYPT])


def _votes(events: Sequence[DrawnEvent], middles: dict[int, float]) -> Iterator[Mark]:
    """Yield the marks of votes; ``middles`` are the places of the groups' lanes."""
    for drawn in events:
        if (ballot := drawn.event.ballot) is not None:
            shape = "tie" if ballot.outcome.winner == TIE else SIDE_NAMES[ballot.outcome.winner].lower()
            lower = OWL if ballot.outcome.lower_wins else ""
            words, sums = visible(event_words(drawn.event)), ballot.correct_outcome.sums
            yield drawn.mark(shape, middles[ballot.group], words, lower, ballot.special, sums)


def _apart(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks, with those at the same group kept apart."""
    moved = [*marks]
    for place, (one, other) in enumerate(pairwise(marks)):
        needed = MARK_WIDTH + OWL_WIDTH * bool(other.symbol)
        if one.y == other.y and (lack := needed - (other.x - moved[place].x)) > 0:
            moved[place] = moved[place]._replace(x=round(moved[place].x - lack / 2, 1))
            moved[place + 1] = other._replace(x=round(other.x + lack / 2, 1))
    return moved


def _actions(events: Sequence[DrawnEvent], middle: float) -> Iterator[Mark]:
    """Yield the marks of action cards, Caesar's above the line and Cleopatra's below."""
    for drawn in events:
        entry, event = drawn.entry, drawn.event
        if letter := ACTION_LETTERS.get(event.kind):
            is_veto = event.kind == "veto"
            vetoed = any(later.kind == "veto" and later.at == event.at + 1 for later in entry.events)
            side = 1 - entry.side if is_veto else entry.side
            y, card = middle + (-15 if side == ROME else 15), symbols.card(side, letter)
            yield drawn.mark("card", y, visible(event_sentence(event, entry.player)), card, vetoed)


def _leads(events: Sequence[DrawnEvent], top: float) -> Iterator[Mark]:
    for drawn in events:
        for annotation in drawn.entry.annotations:
            if annotation.kind == "lead" and annotation.at == drawn.event.at and annotation.side is not None:
                yield drawn.mark("lead", top, annotation_words(annotation), SIGNS[annotation.side])
