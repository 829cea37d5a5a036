"""Lanes of the picture: what lay at a group over the game, Rome's influence upwards and Egypt's downwards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ...notation.cards import EGYPT, ROME, SIDE_NAMES
from ..views.table_view import GroupView, TableView

HALF: Final = 38
"""Of a lane's height, in pixels: what the greatest influence of the game takes."""
APART: Final = 16
NOTCH: Final = 2
"""How many points high a face-down card is drawn that is not seen: its value is not known, only that it is there."""
LEAST: Final = 8
"""Points that half a lane shows at least, so that a game of few cards is not drawn as a mountain range."""
_TICKS: Final = (10, 5, -5, -10)


class Scale(NamedTuple):
    """Points to pixels: ``base`` is where 0 lies, ``unit`` the height of a point, negative for what grows downwards."""

    base: float
    unit: float

    def y(self, value: float) -> float:
        """Return the vertical place of a value, in pixels."""
        return round(self.base - value * self.unit, 1)


CardSums = tuple[int, int]
"""The sum of the cards that are seen, and how many there are that are not."""


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
    """Return the sum of the influence cards that are seen, and how many others there are."""
    known = unseen = 0
    for card in cards:
        letter = card.strip("()")
        if letter.isdigit():
            known += int(letter)
        elif letter != "p":
            unseen += 1
    return known, unseen


class Lane:
    """What lay at one group, for the template: paths for Rome and Egypt, of the influence seen and of unseen cards."""

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
        self.letter, self.name = last.letter, last.name
        self.middle, self.bottom = middle, middle + HALF
        self.edges, self.known, self.whole = list[str](), list[str](), list[str]()
        for side, sign in ((ROME, 1), (EGYPT, -1)):
            scale = Scale(middle, sign * unit)
            seen, unseen = zip(*[pair[side] for pair in columns], strict=True)
            high = [value + NOTCH * more for value, more in zip(seen, unseen, strict=True)]
            self.edges.append(trace(xs, seen, scale, end))
            self.known.append(_filled(self.edges[side], scale, xs[0]))
            # Empty where all cards are seen.
            self.whole.append(_filled(trace(xs, high, scale, end), scale, xs[0]) if any(unseen) else "")
        self.ticks = [(round(middle - value * unit, 1), abs(value)) for value in _TICKS if abs(value) * unit <= HALF]
        # Where the group was emptied.
        self.gone = next((x for x, view in zip(xs, views, strict=True) if not view.left), None)
        self.won = [f"{name} won {won}" for name, won in zip(SIDE_NAMES, last.won, strict=True)]
        self.left = f"{last.name}: {last.left or 'none'} left"


def trace(xs: Sequence[float], values: Sequence[int], scale: Scale, end: float) -> str:
    """Return a line in steps as an SVG path: each value holds from its place to that of the next."""
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
