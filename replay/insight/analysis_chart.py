"""The chart of a judged side: its chance of winning over the turns, and on the same axis its luck and its losses.

It is drawn from a side's report as data, so that the page of a game can draw it from a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

from ..analysis.expectation import percent
from ..diagnostics.glyphs import glyph
from .analysis_text import signed
from .highlights import LUCK

WIDTHS: Final = {"wide": (1160, 260), "narrow": (400, 200)}
"""Size → its width, and the height of its curve, in pixels. The page shows the one that there is room for."""
LEFT, RIGHT, TOP = 46, 8, 12
LABELS: Final = 30
"""Height of the row of labels below the curve."""
LABEL_WIDTH: Final = 34
BARS: Final = 130
"""Height of all bars together."""
LARGEST: Final = 5.0
"""Pixels of a point of W in the bars, at most: a quiet game is not drawn as a stormy one."""
CAPTION: Final = 24

ChartLink = Callable[[str, int], str]
"""Returns the address of a token of a turn (0: the turn itself), or nothing."""


class TurnSums(NamedTuple):
    """A turn in numbers: the chance of winning at its end, what chance changed, by ``LUCK``, what decisions lost."""

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


ChartBar = tuple[str, float, float, float, float, str]
"""A part of a column: its kind, left and upper edge, width and height, and words."""


def turn_sums(side: dict[str, Any]) -> list[TurnSums]:
    """Return the turns of a side's report, given as data, in their order; the start is none of them."""
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
            points.pop()  # of the several numbers at one token the last one is what it came to
        points.append((point["token"], before))
    lost = [(each["turn"], bool(each["mark"]), max(0.0, each["loss"])) for each in side["decisions"]]
    return [
        TurnSums(
            label,
            not label.endswith(side["side"]),
            max(token for token, _ in points),
            tuple(points),
            (chance[0], chance[1], chance[2]),
            sum(loss for turn, marked, loss in lost if marked and turn == label),
            sum(loss for turn, marked, loss in lost if not marked and turn == label),
        )
        for label, points, chance in turns
    ]


def chart(side: dict[str, Any], size: str, turn_link: ChartLink, mark_links: dict[int, str]) -> SimpleNamespace:
    """Return the chart of a side's report, given as data, in one of the sizes, in pixels for the template.

    ``mark_links`` are addresses by the place of the decision among the decisions.
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
        for mark in _marks(side, turn, places, mark_links):
            near = bool(marks) and mark.x - marks[-1].x < 26 and not marks[-1].below and mark.y < bottom - 24
            mark.below = near or mark.below  # so that no sign lies on another
            marks.append(mark)
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
    """Yield the decisions of a turn that bear a mark, as points of the curve."""
    for number, each in enumerate(side["decisions"]):
        if each["mark"] and each["turn"] == turn.label:
            x, y = places.get(each["token"]) or [*places.values()][-1]
            words = f"{turn.label}, {glyph(each['mark']).meaning}: cost {round(100 * each['loss'])} points"
            yield SimpleNamespace(
                sign=each["mark"], x=x, y=y, below=y < TOP + 24, href=links.get(number, ""), words=words
            )


def _bars(
    turns: list[TurnSums], each: float, top: float
) -> tuple[list[ChartBar], tuple[tuple[float, float, str], ...], float]:
    """Return the bars of luck and of losses on one scale, the lines on which they stand, and where they end.

    A line comes with the place of its caption, from above.
    """
    up = max([sum(part for part in turn.luck if part > 0) for turn in turns], default=0.0)
    down = max([-sum(part for part in turn.luck if part < 0) for turn in turns], default=0.0)
    lost = max([turn.marked + turn.unmarked for turn in turns], default=0.0)
    unit = min(BARS / max(up + down + lost, 0.01), 100 * LARGEST)
    chance = top + CAPTION + up * unit
    loss = chance + down * unit + CAPTION + lost * unit
    bars: list[ChartBar] = []
    for number, turn in enumerate(turns):
        x, width = round(LEFT + each * (number + 0.2), 1), round(each * 0.6, 1)
        luck = [(kind, part, signed(part)) for kind, part in zip(LUCK, turn.luck, strict=True)]
        losses = [
            (kind, part, f"{round(100 * part)} points")
            for kind, part in (("marked", turn.marked), ("unmarked", turn.unmarked))
        ]
        for base, parts in ((chance, luck), (loss, losses)):
            above, below = base, base
            for kind, part, said in parts:
                high = round(abs(part) * unit, 1)
                above -= high if part > 0 else 0
                if high:
                    words = f"{turn.label}, {BAR_WORDS[kind]}: {said}"
                    bars.append((kind, x, round(above if part > 0 else below, 1), width, high, words))
                below += high if part < 0 else 0
    bases = (
        (round(chance, 1), round(top + 16, 1), f"luck, from {signed(-down)} to {signed(up)} points a turn"),
        (round(loss, 1), round(loss - lost * unit - 8, 1), f"losses, up to {round(100 * lost)} points a turn"),
    )
    return bars, bases, loss


BAR_WORDS: Final = {
    **dict(zip(LUCK, ("draws", "busts and vote cards", "what lay hidden"), strict=True)),
    "marked": "lost by marked decisions",
    "unmarked": "lost by other decisions",
}
"""What a bar shows, in words."""


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
