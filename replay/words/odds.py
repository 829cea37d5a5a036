"""Odds in words and percent."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...notation.cards import SIGNS
from ...notation.language import SIDES, clauses, phrase, sense
from ..knowledge.outlook import GroupOutlook
from ..knowledge.redaction import VIEWER_NAMES
from ..story.events import Event
from ..story.expectation import Expectation


def percent(odds: Fraction | float) -> str:
    """Return ``34 %``; a possible event never gets 0, and an uncertain one never 100."""
    rounded = round(100 * odds)
    if rounded == 0 and odds:
        return phrase("under 1 %")
    return phrase("over 99 %") if rounded == 100 and odds != 1 else phrase("{number} %", number=rounded)


def percents(parts: Sequence[Fraction]) -> list[str]:
    """Return the parts of a whole as ``34 %``, ``60 %``, ``6 %``, each rounded by itself: equal parts look equal."""
    return [*map(percent, parts)]


def in_points(change: float) -> int:
    """Return a change of a chance in whole points, rounded towards 0: rounded up, a loss would seem to deserve a higher
    mark.
    """
    return int(100 * change + (1e-9 if change > 0 else -1e-9))


def signed(change: float) -> str:
    """Return a change of a chance in points: ``+8``, ``−3``, ``0``."""
    points = round(100 * change)
    return f"{'+' if points > 0 else '−'}{abs(points)}" if points else "0"


def expected_words(event: Event) -> str:
    """Return the odds of a vote, if anything was undecided: ``for Caesar Rome 34 %, Egypt 60 %, a tie 6 %``."""
    return clauses([win_words(each) for each in event.odds if not each.certain])


def win_words(expectation: Expectation) -> str:
    """Return ``for Caesar Rome 34 %, Egypt 60 %, a tie 6 %``; impossible outcomes are left out."""
    who, odds = phrase(VIEWER_NAMES[expectation.view]), outcomes_words(expectation.outlook)
    return phrase("for {who} {odds}", who=who, odds=odds)


def outcomes_words(outlook: GroupOutlook) -> str:
    """Return ``Rome 34 %, Egypt 60 %, a tie 6 %``; impossible outcomes are left out."""
    names = (*[sense("label", "{side.name}", side=side) for side in SIDES], phrase("a tie"))
    chances = zip(names, outlook.wins, percents(outlook.wins), strict=True)
    return ", ".join([phrase("{name} {odds}", name=name, odds=words) for name, odds, words in chances if odds])


def sum_words(outlook: GroupOutlook, winner: int) -> str:
    """Return ``▲11 : ▼3 to 8``: the ranges of both sums if the vote goes to ``winner``.

    A philosopher is named if the lower sum wins.
    """
    words = sums_words(*[range_words((min(sums), max(sums))) for sums in outlook.sums_where(winner)])
    lower = outlook.lower_wins(winner)
    if lower is None:
        return phrase("{sums}; the lower sum if there is a philosopher", sums=words)
    return phrase("{sums}; a philosopher: lower sum", sums=words) if lower else words


def sums_words(rome: object, egypt: object) -> str:
    """Return ``▲2 : ▼3``, both sums of a vote."""
    return " : ".join(f"{sign}{total}" for sign, total in zip(SIGNS, (rome, egypt), strict=False))


def range_words(between: tuple[int, int]) -> str:
    """Return ``3 to 8``, or one number if both are the same."""
    low, high = between
    return str(low) if low == high else phrase("{low} to {high}", low=low, high=high)
