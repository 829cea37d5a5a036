"""The page of a judged game: one HTML file that loads nothing else and can be read without its script."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from ...notation.cards import PLAYER_NAMES, SIDE_LETTERS, SIDE_NAMES
from ...notation.record import Record
from ...notation.safe_text import visible
from ...replay.diagnostics.names import capital, counted, glyph
from ...replay.editions.edition import load_edition
from ...replay.knowledge.table_view import SEES
from ...replay.story.expectation import percent
from ...replay.story.timeline import Timeline
from ..render.page_steps import names, page_steps
from ..render.page_what_if import before_tokens
from ..render.synopsis import occasion_of, player, title
from ..render.templating import plain, sealed, template
from .analysis import LUCK, LuckLedger, Report, SideReport, chance_before, judged_sides, luck, mistakes, unjudged
from .analysis_json import side_data
from .analysis_text import CAUSES, DECEPTION, balance, contrast_words, ending, luck_words, points, signed, summary
from .judgement import PRAISE, Judged

MEASURED: Final = (
    "by the net alone, which is off by some points",
    "to the end of the turn",
    "for two turns",
    "to its end",
)
"""Level of a decision → how it was measured."""


def analysis_page(report: Report, page: str = "") -> str:
    """Return the page of a report in HTML; its turns link to the game's step page, the file ``page``."""
    rules, page = load_edition(report.rules).title, quote(page)
    log = next((log for log in report.log if log is not None), Record())
    return template("analysis.html.j2").render(
        title=title(log),
        players=[plain(player(log, side)) for side in (0, 1)],
        occasion=occasion_of(log, rules),
        ending=ending(report),
        sides=[_side(side, own, page) for side, own in judged_sides(report)],
        unjudged=unjudged(report),
        report=report,
        rules=rules,
        percent=percent,
        bar_words=BAR_WORDS,
        signed=signed,
        **sealed(("page.css", "analysis_chart.css", "analysis.css"), ("analysis.js",)),
    )


def _side(report: SideReport, log: Record, page: str) -> SimpleNamespace:
    link, data = _links(log, page), side_data(report, log)
    shown = [each for each in report.decisions if not each.is_forced]
    ids = {each: f"{data['side']}{number}" for number, each in enumerate(shown, 1)}
    marks = {number: f"#{ids[each]}" for number, each in enumerate(shown) if each.mark}
    return SimpleNamespace(
        number=report.side,
        player=PLAYER_NAMES[report.side],
        name=plain(player(log, report.side)),
        said=[f"{capital(sentence)}." for sentence in summary(report, log)],
        marked=capital(counted(len(marks), "mistake")),
        ledger=report.ledger,
        causes=[*_causes(report.ledger)],
        balance=capital(balance(report.ledger)),
        charts=[chart(data, size, link, marks) for size in WIDTHS],
        spoken=spoken(data),
        turns=[(turn, link(turn.label, 0)) for turn in turn_sums(data)],
        decisions=[_decision(each, log, ids[each], link, chance_before(report.curve, each)) for each in shown],
        mistakes=[_decision(each, log, ids[each], link, 0.0) for each in mistakes(report.decisions)],
        luck=[*_luck(report, log, link)],
    )


def _causes(ledger: LuckLedger) -> Iterator[tuple[str, float, float]]:
    """Yield the parts of the ledger in words, each with its share of the largest in percent."""
    most = max([abs(part) for part in ledger.parts], default=0.0) or 1
    for name, part in zip(CAUSES.values(), ledger.parts, strict=True):
        yield name, part, round(100 * part / most, 1)


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


def _decision(judged: Judged, log: Record, name: str, link: ChartLink, chance: float) -> SimpleNamespace:
    """Return a decision for the template; ``chance`` is W before it."""
    label = log.turns[judged.turn].label
    measured = MEASURED[judged.level]
    if judged.level:
        measured = f"played on {measured} in {judged.worlds} worlds"
    return SimpleNamespace(
        id=name,
        turn=label,
        href=link(label, judged.at + 1),
        judged=judged,
        chance=chance,
        mark=glyph(judged.mark) if judged.mark else None,
        cost=f"{max(0.0, 100 * judged.loss):.1f}",
        points=points(judged.loss),
        error=f"{196 * judged.error:.0f}",
        why="; ".join((*judged.reasons, *[DECEPTION] * judged.hiding)),
        best=judged.played == judged.best or judged.loss <= 0,
        measured=f"{measured}; one of {counted(judged.options, 'legal move')}",
        unsettled=bool(judged.mark and not judged.settled),
    )


WIDTHS: Final = {"wide": (1160, 260), "narrow": (400, 200)}
"""Size → its width, and the height of its curve, in pixels. The page shows the largest that fits."""
LEFT, RIGHT, TOP = 46, 8, 12
LABELS: Final = 30
"""Height of the row of labels below the curve."""
LABEL_WIDTH: Final = 34
BARS: Final = 130
"""Height of all bars together."""
LARGEST: Final = 5.0
"""The most pixels per point of W in the bars, so that a quiet game does not look dramatic."""
CAPTION: Final = 24

ChartLink = Callable[[str, int], str]
"""Returns the address of a token of a turn (0: the turn itself), or nothing."""


class TurnSums(NamedTuple):
    """A turn in numbers: the chance of winning at its end, what luck changed (by ``LUCK``), what decisions lost."""

    label: str
    theirs: bool
    tokens: int
    points: tuple[tuple[int, float], ...]
    luck: tuple[float, float, float]
    marked: float
    unmarked: float

    @property
    def win(self) -> float:
        """Return the chance of winning at the end of the turn."""
        return self.points[-1][1]

    @property
    def gained(self) -> float:
        """Return by how much good luck raised the chance."""
        return sum(part for part in self.luck if part > 0)

    @property
    def lost(self) -> float:
        """Return by how much bad luck lowered the chance."""
        return -sum(part for part in self.luck if part < 0)


ChartBar = tuple[str, float, float, float, float, str]
"""A part of a column: its kind, left and top edge, width and height, and words."""


def turn_sums(side: dict[str, Any]) -> list[TurnSums]:
    """Return the turns of a side's report, given as data, in order; the start is not included."""
    turns: list[tuple[str, list[tuple[int, float]], list[float]]] = []
    before = side["curve"][0]["win"]
    for point in side["curve"][1:]:
        if not turns or turns[-1][0] != point["turn"]:
            turns.append((point["turn"], [], [0.0] * len(LUCK)))
        _, points, chance = turns[-1]
        if point["cause"] in LUCK:
            chance[LUCK.index(point["cause"])] += point["win"] - before
        before = point["win"]
        if points and points[-1][0] == point["token"]:
            points.pop()  # if a token has several numbers, the last one is the result
        points.append((point["token"], before))
    lost: dict[tuple[str, bool], float] = defaultdict(float)
    for each in side["decisions"]:
        lost[each["turn"], bool(each["mark"])] += max(0.0, each["loss"])
    found: list[TurnSums] = []
    for label, points, (draws, busts, reveals) in turns:
        theirs, last = not label.endswith(side["side"]), max(token for token, _ in points)
        losses = lost[label, True], lost[label, False]
        found.append(TurnSums(label, theirs, last, tuple(points), (draws, busts, reveals), *losses))
    return found


def chart(side: dict[str, Any], size: str, turn_link: ChartLink, mark_links: dict[int, str]) -> SimpleNamespace:
    """Return the chart of a side's report, given as data, at one of the sizes, in pixels for the template.

    ``mark_links`` maps a decision's place among all decisions to its address.
    """
    width, tall = WIDTHS[size]
    turns, bottom = turn_sums(side), TOP + tall
    each = (width - LEFT - RIGHT) / max(1, len(turns))
    every = max(1, -int(-LABEL_WIDTH // each))
    spots = [(LEFT + 0.0, _y(side["curve"][0]["win"], bottom, tall))]
    marks: list[SimpleNamespace] = []
    for number, turn in enumerate(turns):
        places = {
            token: (round(LEFT + each * (number + token / max(1, turn.tokens)), 1), _y(win, bottom, tall))
            for token, win in turn.points
        }
        spots += places.values()
        marks += _marks(side, turn, places, mark_links)
    for last, mark in pairwise(marks):  # so that signs don't overlap
        mark.below |= mark.x - last.x < 26 and not last.below and mark.y < bottom - 24
    if side["ledger"]["complete"]:
        spots.append((spots[-1][0], _y(side["ledger"]["end"], bottom, tall)))
    line = " ".join(f"{x:g},{y:g}" for x, y in spots)
    middle = _y(0.5, bottom, tall)
    bars, bases, end = _bars(turns, each, bottom + LABELS)
    return SimpleNamespace(
        size=size,
        width=width,
        height=round(end + 4, 1),
        left=LEFT,
        right=width - RIGHT,
        top=TOP,
        labels=bottom + 20,
        grid=[(_y(percent / 100, bottom, tall), f"{percent} %") for percent in (0, 25, 50, 75, 100)],
        turns=[  # with left edge, width and address, and whether there is room for the label
            (turn, round(LEFT + each * number, 1), round(each, 1), turn_link(turn.label, 0), number % every == 0)
            for number, turn in enumerate(turns)
        ],
        line=line,
        area=f"{LEFT},{middle:g} {line} {spots[-1][0]:g},{middle:g}",
        marks=marks,
        bars=bars,
        bases=bases,
    )


def _y(chance: float, bottom: float, tall: int) -> float:
    return round(bottom - chance * tall, 1)


def _marks(
    side: dict[str, Any], turn: TurnSums, places: dict[int, tuple[float, float]], links: dict[int, str]
) -> Iterator[SimpleNamespace]:
    """Yield the marked decisions of a turn, as points on the curve."""
    for number, each in enumerate(side["decisions"]):
        if each["mark"] and each["turn"] == turn.label:
            x, y = places.get(each["token"]) or [*places.values()][-1]
            words, href = f"{turn.label}, {_cost(each, side['side'])}", links.get(number, "")
            yield SimpleNamespace(sign=each["mark"], x=x, y=y, below=y < TOP + 24, href=href, words=words)


def _bars(
    turns: list[TurnSums], each: float, top: float
) -> tuple[list[ChartBar], tuple[tuple[float, float, str], ...], float]:
    """Return the bars of luck and of losses on one scale, their baselines, and where they end.

    Each baseline comes with the height of its caption, from the top.
    """
    up = max([turn.gained for turn in turns], default=0.0)
    down = max([turn.lost for turn in turns], default=0.0)
    lost = max([turn.marked + turn.unmarked for turn in turns], default=0.0)
    unit = min(BARS / max(up + down + lost, 0.01), 100 * LARGEST)
    chance = top + CAPTION + up * unit
    loss = chance + down * unit + CAPTION + lost * unit
    bars: list[ChartBar] = []
    for number, turn in enumerate(turns):
        x, width = round(LEFT + each * (number + 0.2), 1), round(each * 0.6, 1)
        luck = [(kind, part, signed(part)) for kind, part in zip(LUCK, turn.luck, strict=True)]
        parts = (("marked", turn.marked), ("unmarked", turn.unmarked))
        losses = [(kind, part, f"{round(100 * part)} points") for kind, part in parts]
        for base, parts in ((chance, luck), (loss, losses)):
            for kind, y, high, said in _stacked(parts, base, unit):
                bars.append((kind, x, y, width, high, f"{turn.label}, {BAR_WORDS[kind]}: {said}"))
    bases = (
        (round(chance, 1), round(top + 16, 1), f"luck, from {signed(-down)} to {signed(up)} points a turn"),
        (round(loss, 1), round(loss - lost * unit - 8, 1), f"losses, up to {round(100 * lost)} points a turn"),
    )
    return bars, bases, loss


def _stacked(
    parts: Sequence[tuple[str, float, str]], base: float, unit: float
) -> Iterator[tuple[str, float, float, str]]:
    """Yield the visible parts of a column, above and below its base: kind, top edge, height and words."""
    above, below = base, base
    for kind, part, said in parts:
        high = round(abs(part) * unit, 1)
        if part > 0:
            above -= high
        if high:
            yield kind, round(above if part > 0 else below, 1), high, said
        if part < 0:
            below += high


BAR_WORDS: Final = {
    **dict(zip(LUCK, ("draws", "busts and vote cards", "hidden cards"), strict=True)),
    "marked": "lost by marked decisions",
    "unmarked": "lost by other decisions",
}
"""What each bar shows, in words."""


def spoken(side: dict[str, Any]) -> str:
    """Return the chart in a sentence, for those who don't see it."""
    turns = turn_sums(side)
    marks = ", ".join(f"{each['turn']} {each['mark']}" for each in side["decisions"] if each["mark"])
    wins = {turn.win: turn.label for turn in reversed(turns)}
    parts = [f"W from {percent(side['ledger']['start'])} to {percent(side['ledger']['end'])}"]
    if wins:
        low, high = min(wins), max(wins)
        parts.append(f"lowest after {wins[low]} ({percent(low)}), highest after {wins[high]} ({percent(high)})")
    return "; ".join([*parts, f"marks: {marks}" if marks else "no marks"])


MOST: Final = 3
"""How many mistakes are described together."""
COURSE: Final = 400
"""The width of the curve beside the table, with 8 pixels left free at each end; its heights are from 4 to 80."""


def insight_blocks(report: dict[str, Any], timeline: Timeline) -> list[SimpleNamespace]:
    """Return, for a timeline's page, what a report (given as data) says about the sides whose cards it shows."""
    seen, places = SEES[timeline.view], _Places(timeline)
    return [_block(side, places) for side in report["sides"] if seen[SIDE_LETTERS.index(side["side"])]]


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
        return round(8 + (COURSE - 16) * number / max(1, len(self.steps) - 1), 1)


def _block(side: dict[str, Any], places: _Places) -> SimpleNamespace:
    number, decisions = SIDE_LETTERS.index(side["side"]), side["decisions"]
    links = {place: places.link(each["turn"], each["token"]) for place, each in enumerate(decisions) if each["mark"]}
    told = {place: _told(decisions[place], number, link, places) for place, link in links.items()}
    wins = {places.number(point["turn"], point["token"]): point["win"] for point in side["curve"]}
    if side["ledger"]["complete"]:
        wins[len(places.steps) - 1] = side["ledger"]["end"]
    blamed = [place for place in links if decisions[place]["mark"] != PRAISE]
    spots = [(places.x(step), _y(win, 80, 76)) for step, win in sorted(wins.items())]
    return SimpleNamespace(
        number=number,
        player=PLAYER_NAMES[number],
        start=percent(side["ledger"]["start"]),
        end=percent(side["ledger"]["end"]),
        spoken=spoken(side),
        width=COURSE,
        course=" ".join(f"{x:g},{y:g}" for x, y in spots),
        end_x=spots[-1][0],
        dots=[*_dots(side, links, wins, places)],
        chart=chart(side, "wide", places.link, links),
        told=told,
        mistakes=[told[place] for place in sorted(blamed, key=lambda place: -decisions[place]["loss"])[:MOST]],
    )


def _dots(
    side: dict[str, Any], links: dict[int, str], wins: dict[int, float], places: _Places
) -> Iterator[SimpleNamespace]:
    """Yield the mistakes as points on the curve."""
    for place, href in links.items():
        each = side["decisions"][place]
        if each["mark"] != PRAISE and href:
            step = places.number(each["turn"], each["token"])
            words = f"{each['turn']}, {_cost(each, side['side'])}"
            y = _y(wins[step] if step in wins else each["win"], 80, 76)
            yield SimpleNamespace(sign=each["mark"], x=places.x(step), y=y, href=href, words=words)


def _cost(decision: dict[str, Any], side: str) -> str:
    """Return what a marked decision was worth to its side, in words."""
    if decision["mark"] == PRAISE:
        return f"the only good move: {points(decision.get('lead', 0))} points of W ahead of the second best"
    return f"cost {SIDE_NAMES[SIDE_LETTERS.index(side)]} {points(decision['loss'])} points of W"


def _told(decision: dict[str, Any], side: int, href: str, places: _Places) -> SimpleNamespace:
    """Return a marked decision for the template."""
    better, player = visible(decision["best_words"]), PLAYER_NAMES[side]
    is_praised = decision["mark"] == PRAISE
    return SimpleNamespace(
        turn=decision["turn"],
        href=href,
        mark=glyph(decision["mark"]),
        said=_cost(decision, SIDE_LETTERS[side]),
        better="" if is_praised else f"{player} {better.removeprefix(player).lstrip()}",
        why=visible("; ".join(decision["reasons"])),
        trial="" if is_praised else places.trial(decision["turn"], decision["token"], visible(decision["best"])),
    )
