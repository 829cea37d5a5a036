"""The page of a judged game: one HTML file that loads nothing else and can be read without its script."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Final, NamedTuple
from urllib.parse import quote

from ...notation.basics import EGYPT, SIDE_LETTERS
from ...notation.language import PLAYERS, SIDES, Messages, clauses, labelled, phrase
from ...notation.records import Record
from ...replay.diagnostics.api import capital, counted, glyph
from ...replay.knowledge.api import SEES
from ...replay.rules.api import load_edition
from ...replay.story.api import Timeline
from ...replay.words.api import percent, reason_words, signed
from ..render.pages import (
    ChartBar,
    ChartTurn,
    CurveMark,
    Insight,
    InsightBlock,
    InsightChart,
    MarkedDecision,
    SideHead,
    before_tokens,
    names,
    occasion_of,
    page_steps,
    plain,
    player,
    sealed,
    template,
    title,
)
from .analysis import LUCK, Report, SideReport, chance_before, luck, told_sides, unjudged
from .analysis_text import CAUSES, contrast_words, deception, ending, lead, luck_words, points, summary
from .judgement import MARKS, PRAISE, Judged

NOUNS: Final = ("blunder", "mistake", "dubious move")
"""What the ``MARKS`` blame, in their order."""
MEASURED: Final[Messages] = {
    0: "by the net alone, which is a few points off",
    1: "played on to the end of the turn in {worlds} worlds",
    2: "played on for two turns in {worlds} worlds",
    3: "played on to its end in {worlds} worlds",
}
"""Level of a decision → how it was measured."""


def analysis_page(report: Report, page: str = "") -> str:
    """Return the page of a report in HTML; its turns link to the game's step page, the file ``page``."""
    rules, page = load_edition(report.rules).title, quote(page)
    log = next((log for log in report.log if log is not None), Record())
    sides = [_JudgedSide(side, log, page) for side, log in told_sides(report)]
    drawn = [(side.report, side.log, side.link, side.marked) for side in sides]
    return template("analysis.html.j2").render(
        title=title(log),
        players=[plain(player(log, side)) for side in (0, 1)],
        occasion=occasion_of(log, rules),
        ending=ending(report),
        lead=lead(report),
        sides=sides,
        charts=[chart(drawn, size) for size in WIDTHS] if sides else [],
        unjudged=unjudged(report),
        report=report,
        rules=rules,
        percent=percent,
        causes=[*map(phrase, CAUSES.values())],
        signed=signed,
        **sealed(("page.css", "analysis_chart.css", "analysis.css"), ("analysis.js",)),
    )


class _JudgedSide:
    """A side on the page: its report, and what is shown of it."""

    def __init__(self, report: SideReport, log: Record, page: str) -> None:
        link, letter = _links(log, page), SIDE_LETTERS[report.side]
        shown = [each for each in report.decisions if not each.is_forced]
        lines = {each: _DecisionLine(each, report, log, f"{letter}{at}", link) for at, each in enumerate(shown, 1)}
        marked = [(each, f"#{lines[each].id}") for each in shown if each.mark]
        self.report, self.name = report, plain(player(log, report.side))
        self.head, self.marked = head_of(report), marked
        self.log, self.link = log, link
        self.summary = [f"{capital(sentence)}." for sentence in summary(report, log)]
        self.turns = [(turn, link(turn.label, 0)) for turn in turn_sums(report, log)]
        self.mistakes = _worst([_marked(each, lines[each].turn, href, report.side) for each, href in marked])
        self.luck = [*_luck(report, log, link)]
        self.decisions = [lines[each] for each in shown]


def head_of(report: SideReport) -> SideHead:
    """Return a side in a few numbers."""
    ledger, found = report.ledger, Counter(each.mark for each in report.decisions)
    play, draws, busts, hidden, opponent, rest = ledger.points
    lucky = {"draws": _signed(draws), "busts": _signed(busts)}
    parts = [
        (phrase("own play"), phrase("mistakes, large and small"), play),
        (phrase("luck"), phrase("draws {draws}, busts and vote cards {busts}", **lucky), draws + busts),
        (phrase("hidden cards"), "", hidden),
        (phrase("opponent’s turns"), "", opponent),
        (phrase("not explained"), "", rest),
    ]
    most = max(abs(part) for *_, part in parts) or 1
    marks = ", ".join(counted(found[mark], noun) for (mark, *_), noun in zip(MARKS, NOUNS, strict=True) if found[mark])
    many = sum(found[mark] for mark, *_ in MARKS) > MOST
    return SideHead(
        start=percent(ledger.start),
        end=percent(ledger.end),
        complete=ledger.complete,
        change=_signed(sum(ledger.points)),
        parts=[(name, detail, _signed(part), round(100 * part / most, 1)) for name, detail, part in parts],
        marks=capital(phrase("{marks}; the costliest", marks=marks) if many else marks),
    )


def _signed(number: int) -> str:
    return signed(number / 100)


class _DecisionLine:
    """A decision on the page: its ``chance`` is W before it; ``best`` says that no better move was found."""

    def __init__(self, judged: Judged, report: SideReport, log: Record, name: str, link: ChartLink) -> None:
        self.id, self.judged, self.turn = name, judged, log.turns[judged.turn].label
        self.href, self.chance = link(self.turn, judged.at + 1), chance_before(report.curve, judged)
        self.mark = glyph(judged.mark) if judged.mark else None
        self.cost, self.error = f"{max(0.0, 100 * judged.loss):.1f}", f"{196 * judged.error:.0f}"
        self.points = points(judged.loss)
        self.why = clauses((*map(reason_words, judged.reasons), *[deception()] * judged.hiding))
        self.best = judged.played == judged.best or judged.loss <= 0
        measured = phrase(MEASURED[judged.level], worlds=judged.worlds)
        self.measured = clauses((measured, phrase("one of {moves}", moves=counted(judged.options, "legal move"))))


def _luck(report: SideReport, log: Record, link: ChartLink) -> Iterator[tuple[str, str, str, float, str]]:
    """Yield the largest pieces of luck: turn, address, words, change, and what else could have come."""
    for each in luck(report.curve):
        label = log.turns[each.turn].label
        yield label, link(label, each.at + 1), luck_words(each, log), each.change, contrast_words(each)


def _links(log: Record, page: str) -> ChartLink:
    """Return a function that makes addresses in the step page; if no page is named, they are empty."""
    counts = {turn.label: len(turn.tokens) for turn in log.turns}

    def link(label: str, token: int) -> str:
        if not page:
            return ""
        return f"{page}#{label}.{token}" if 0 < token <= counts[label] else f"{page}#{label}"

    return link


WIDTHS: Final = {"wide": (1160, 96, 170), "narrow": (400, 24, 110)}
"""Size → its width, of this what is right of its curve, and the curve's height, in pixels. The page shows the largest
that fits.
"""
LEFT, TOP = InsightChart.left, InsightChart.top
NAME: Final = 16
"""The height of a side's name at the end of its curve."""
LABELS: Final = 30
"""Height of the row of labels below the curve."""
LABEL_WIDTH: Final = 34
BARS: Final = 90
"""Height of all bars together."""
LARGEST: Final = 5.0
"""The most pixels per point of W in the bars, so that a quiet game does not look dramatic."""
CAPTION: Final = 24

DrawnSide = tuple[SideReport, Record, "ChartLink", "MarkedLinks"]
"""A side for a chart: its report, its log, its addresses, and its marked decisions."""
ChartLink = Callable[[str, int], str]
"""Returns the address of a token of a turn (0: the turn itself), or nothing."""
MarkedLinks = Sequence[tuple[Judged, str]]
"""A side's marked decisions, each with its address."""


class TurnSums(NamedTuple):
    """A turn in numbers: the chance of winning after each token, what luck changed (by ``LUCK``), what decisions lost.

    ``turn`` is its place in the record, ``side`` whose turn it is.
    """

    turn: int
    label: str
    side: int
    wins: dict[int, float]
    luck: tuple[float, ...]
    cost: float

    @property
    def win(self) -> float:
        """Return the chance of winning at the end of the turn."""
        return next(reversed(self.wins.values()))

    @property
    def gained(self) -> float:
        """Return by how much good luck raised the chance."""
        return sum(part for part in self.luck if part > 0)

    @property
    def lost(self) -> float:
        """Return by how much bad luck lowered the chance."""
        return -sum(part for part in self.luck if part < 0)


def turn_sums(report: SideReport, log: Record) -> list[TurnSums]:
    """Return the turns of a side's report, in order; the start is not included."""
    cost: dict[int, float] = defaultdict(float)
    for each in report.decisions:
        cost[each.turn] += max(0.0, each.loss)
    found: list[TurnSums] = []
    for turn, steps in groupby(pairwise(report.curve), lambda step: step[1].turn):
        wins: dict[int, float] = {}
        changes = dict.fromkeys(LUCK, 0.0)
        for before, after in steps:
            if after.cause in LUCK:
                changes[after.cause] += after.win - before.win
            wins[after.at] = after.win  # if a token has several numbers, the last one is the result
        found.append(
            TurnSums(turn, log.turns[turn].label, log.turns[turn].side, wins, (*changes.values(),), cost[turn])
        )
    return found


def chart(sides: Sequence[DrawnSide], size: str) -> InsightChart:
    """Return the chart of the judged sides at one of the sizes, in pixels for the template: their curves, and below
    them the luck of each turn.
    """
    width, right, tall = WIDTHS[size]
    turns = {report.side: turn_sums(report, log) for report, log, *_ in sides}
    labels = {turn.turn: (turn.label, turn.side) for every in turns.values() for turn in every}
    places = {turn: number for number, turn in enumerate(sorted(labels))}
    each, bottom = (width - LEFT - right) / max(1, len(labels)), TOP + tall
    every = max(1, -int(-LABEL_WIDTH // each))
    link, shaded = sides[0][2], EGYPT if len(sides) > 1 else 1 - sides[0][0].side
    columns = [
        ChartTurn(
            labels[turn][0] * (number % every == 0),
            round(LEFT + each * number, 1),
            round(each, 1),
            link(labels[turn][0], 0),
            labels[turn][1] == shaded,
        )
        for turn, number in places.items()
    ]
    curves: list[tuple[int, str]] = []
    ends: list[tuple[float, int]] = []
    marks: list[CurveMark] = []
    for report, _, _, marked in sides:
        spots = [(LEFT + 0.0, _y(report.curve[0].win, bottom, tall))]
        for turn in turns[report.side]:
            last = max(1, *[at + 1 for at in turn.wins])
            xs = {at: round(LEFT + each * (places[turn.turn] + (at + 1) / last), 1) for at in turn.wins}
            there = {at: (xs[at], _y(win, bottom, tall)) for at, win in turn.wins.items()}
            spots += there.values()
            marks += _marks(turn, there, marked, report.side)
        if report.ledger.complete:
            spots.append((spots[-1][0], _y(report.ledger.end, bottom, tall)))
        curves.append((report.side, " ".join(f"{x:g},{y:g}" for x, y in spots)))
        ends.append((spots[-1][1], report.side))
    bars, bases, end = _bars(turns, places, each, bottom + LABELS)
    return InsightChart(
        " ".join(_spoken(report, log, turns[report.side]) for report, log, *_ in sides),
        size,
        width,
        right,
        height=round(end + 4, 1),
        labels=bottom + 20,
        grid=[(_y(percent / 100, bottom, tall), phrase("{number} %", number=percent)) for percent in (0, 50, 100)],
        turns=columns,
        curves=curves,
        ends=_named(ends),
        marks=_apart(marks, bottom),
        bars=bars,
        bases=bases,
    )


def _named(ends: Sequence[tuple[float, int]]) -> list[tuple[int, float]]:
    """Return the heights at which sides are named, at the ends of their curves, as far apart as names need."""
    (high, first), (low, last) = min(ends), max(ends)
    more = max(0.0, NAME - (low - high)) / 2 if first != last else 0.0
    return [(side, round(y - more if side == first else y + more, 1)) for y, side in ends]


def _y(chance: float, bottom: float, tall: int) -> float:
    return round(bottom - chance * tall, 1)


def _marks(
    turn: TurnSums, places: dict[int, tuple[float, float]], marked: MarkedLinks, side: int
) -> Iterator[CurveMark]:
    """Yield the marked decisions of a turn, as points on the curve."""
    for judged, href in marked:
        if judged.turn == turn.turn:
            x, y = places.get(judged.at) or [*places.values()][-1]
            yield CurveMark(judged.mark, side, x, y, href, f"{turn.label}, {_cost(judged, side)}", below=y < TOP + 24)


def _apart(marks: Sequence[CurveMark], bottom: float) -> list[CurveMark]:
    """Return marks from left to right, each sign below its point if it would cover another mark above it, and would not
    below.
    """
    placed: list[CurveMark] = []
    for mark in sorted(marks, key=lambda mark: mark.x):
        near = [other for other in marks if other is not mark and abs(mark.x - other.x) < 24]
        taken = [each.y for each in near] + [_sign_y(each) for each in placed if abs(mark.x - each.x) < 24]
        above, below = [all(abs(_sign_y(each) - y) >= 15 for y in taken) for each in (mark, replace(mark, below=True))]
        placed.append(replace(mark, below=mark.below or (below and not above and mark.y < bottom - 24)))
    return placed


def _sign_y(mark: CurveMark) -> float:
    """Return the middle of a mark's sign."""
    return mark.y + (17 if mark.below else -16)


def _bars(
    turns: dict[int, list[TurnSums]], places: dict[int, int], each: float, top: float
) -> tuple[list[ChartBar], list[tuple[float, float, str]], float]:
    """Return the bars of luck, a row for each side on one scale, their baselines, and where they end.

    Each baseline comes with the height of its caption, from the top.
    """
    rows = [[(turn.gained, turn.lost) for turn in every] for every in turns.values()]
    heights = [(max([up for up, _ in row], default=0.0), max([down for _, down in row], default=0.0)) for row in rows]
    unit = min(BARS / max(sum(map(sum, heights)), 0.01), 100 * LARGEST)
    bars: list[ChartBar] = []
    bases: list[tuple[float, float, str]] = []
    for (side, every), (up, down) in zip(turns.items(), heights, strict=True):
        base = round(top + CAPTION + up * unit, 1)
        span = {"player": PLAYERS[side], "low": signed(-down), "high": signed(up)}
        words = phrase("{player.name}’s luck, from {low} to {high} points a turn", **span)
        bases.append((base, round(top + 16, 1), words))
        for turn in every:
            x, width = round(LEFT + each * (places[turn.turn] + 0.2), 1), round(each * 0.6, 1)
            for kind, y, high, said in _stacked(turn.luck, base, unit):
                told = labelled(f"{turn.label}, {phrase(BAR_WORDS[kind])}", said)
                bars.append((side, kind, x, y, width, high, told))
        top = base + down * unit
    return bars, bases, top


def _stacked(parts: Sequence[float], base: float, unit: float) -> Iterator[tuple[str, float, float, str]]:
    """Yield the visible parts of a column, above and below its base: kind, top edge, height and words."""
    above, below = base, base
    for kind, part in zip(LUCK, parts, strict=True):
        high = round(abs(part) * unit, 1)
        if part > 0:
            above -= high
        if high:
            yield kind, round(above if part > 0 else below, 1), high, signed(part)
        if part < 0:
            below += high


BAR_WORDS: Final[Messages] = dict(zip(LUCK, ("draws", "busts and vote cards"), strict=True))
"""What each bar shows, in words."""


def _spoken(report: SideReport, log: Record, turns: Sequence[TurnSums]) -> str:
    """Return the chart in words, for those who don't see it."""
    marks = ", ".join(f"{log.turns[each.turn].label} {each.mark}" for each in report.decisions if each.mark)
    wins = {turn.win: turn.label for turn in reversed(turns)}
    course = {"player": PLAYERS[report.side], "start": percent(report.ledger.start), "end": percent(report.ledger.end)}
    parts = [phrase("{player.name}: W from {start} to {end}", **course)]
    if wins:
        low, high = min(wins), max(wins)
        lowest, highest = (f"{wins[win]} ({percent(win)})" for win in (low, high))
        parts.append(phrase("lowest after {lowest}, highest after {highest}", lowest=lowest, highest=highest))
    return clauses([*parts, phrase("marks: {marks}", marks=marks) if marks else phrase("no marks")])


MOST: Final = 3
"""How many mistakes are described together."""


def insight_of(report: Report, timeline: Timeline) -> Insight | None:
    """Return, for a timeline's page, what a report says about the sides whose cards it shows; None if about none."""
    rome, egypt = [side if sees else None for side, sees in zip(report.sides, SEES[timeline.view], strict=True)]
    shown, places = report._replace(sides=(rome, egypt)), _Places(timeline)
    sides = [(side, log, places.link, _linked(side, log, places)) for side, log in told_sides(shown)]
    if not sides:
        return None
    return Insight(
        lead(shown), chart(sides, "wide"), [_block(side, log, links, places) for side, log, _, links in sides]
    )


def _linked(report: SideReport, log: Record, places: _Places) -> MarkedLinks:
    """Return the marked decisions of a side with their addresses on a page."""
    marked = [each for each in report.decisions if each.mark]
    return [(each, places.link(log.turns[each.turn].label, each.at + 1)) for each in marked]


class _Places:
    """Finds the turns and tokens of a report among the steps of a page."""

    def __init__(self, timeline: Timeline) -> None:
        self.steps = [step.address for step in page_steps(timeline)]
        self.entries = {name: place for place, name in enumerate(names(timeline))}
        self.ends = {step.entry: number for number, step in enumerate(page_steps(timeline))}
        self.before = before_tokens(timeline, page_steps(timeline))

    def link(self, label: str, token: int) -> str:
        """Return the address of a token, or of its turn; empty if the page has neither."""
        exact = f"{label}.{token}"
        return f"#{exact}" if exact in self.steps else f"#{label}" if label in self.entries else ""

    def number(self, label: str, token: int) -> int:
        """Return the number of the step after a token, or of its turn's last step if the token has none."""
        exact = f"{label}.{token}"
        return self.steps.index(exact) if exact in self.steps else self.ends.get(self.entries.get(label), 0)

    def trial(self, label: str, token: int, move: str) -> str:
        """Return the address for trying a move in place of a token; empty if the page has no step before it."""
        step = self.before.get((self.entries.get(label, -1), token - 1))
        return "" if step is None else f"#{self.steps[step]}/{move}"

    def x(self, number: int) -> float:
        """Return where a step is on the curve."""
        return round(8 + (InsightBlock.width - 16) * number / max(1, len(self.steps) - 1), 1)


def _block(report: SideReport, log: Record, links: MarkedLinks, places: _Places) -> InsightBlock:
    labels, ledger = [turn.label for turn in log.turns], report.ledger
    marked = []
    for each, href in links:
        trial = places.trial(labels[each.turn], each.at + 1, each.best) if each.is_mistake else ""
        marked.append(_marked(each, labels[each.turn], href, report.side, trial))
    wins = {places.number(labels[point.turn], point.at + 1): point.win for point in report.curve}
    if ledger.complete:
        wins[len(places.steps) - 1] = ledger.end
    spots = [(places.x(step), _y(win, 80, 76)) for step, win in sorted(wins.items())]
    return InsightBlock(
        report.side,
        head=head_of(report),
        course=" ".join(f"{x:g},{y:g}" for x, y in spots),
        end_x=spots[-1][0],
        dots=[
            _dot(each, labels[each.turn], href, report.side, wins, places)
            for each, href in links
            if href and each.is_mistake
        ],
        marked=marked,
        mistakes=_worst(marked),
    )


def _worst(marked: Sequence[MarkedDecision]) -> list[MarkedDecision]:
    """Return the marked decisions that cost most."""
    return sorted([each for each in marked if each.better], key=lambda each: -each.loss)[:MOST]


def _dot(judged: Judged, label: str, href: str, side: int, wins: dict[int, float], places: _Places) -> CurveMark:
    """Return a mistake as a point on the curve beside the table."""
    step = places.number(label, judged.at + 1)
    y = _y(wins.get(step, judged.before), 80, 76)
    return CurveMark(judged.mark, side, places.x(step), y, href, f"{label}, {_cost(judged, side)}")


def _cost(judged: Judged, side: int) -> str:
    """Return what a marked decision was worth to its side, in words."""
    if judged.mark == PRAISE:
        return phrase("the only good move: {points} points of W ahead of the second best", points=points(judged.lead))
    return phrase("cost {side.name} {points} points of W", side=SIDES[side], points=points(judged.loss))


def _marked(judged: Judged, label: str, href: str, side: int, trial: str = "") -> MarkedDecision:
    """Return a marked decision for the template."""
    better = judged.words if judged.is_mistake else ""
    why = clauses(map(reason_words, judged.reasons))
    return MarkedDecision(label, href, glyph(judged.mark), _cost(judged, side), better, why, points(judged.loss), trial)
