"""How a vote comes out. Nothing but arithmetic: two columns in, the outcome out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from ..notation.cards import EGYPT, PHILOSOPHER, ROME, SOME_INFLUENCE, TIE
from .edition import Edition, EmptySide, LonePhilosopher


class Outcome(NamedTuple):
    """``winner`` is a side or TIE; ``gone`` are the cards that Rome and Egypt lose, philosophers included."""

    winner: int
    sums: tuple[int, int]
    lower_wins: bool
    gone: Gone


Gone: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
_NOTHING: Final[Gone] = ((), ())


def resolve(rome: Sequence[int], egypt: Sequence[int], edition: Edition) -> Outcome:
    """The vote between two columns of known cards (J2–J8, K1–K18)."""
    return resolve_sorted(tuple(sorted(rome, reverse=True)), tuple(sorted(egypt, reverse=True)), edition)


Rest: TypeAlias = tuple[tuple[int, ...], list[int]]
"""Which of a side's cards go and which stay after a vote."""
Column: TypeAlias = tuple[list[int], int, int, Rest, Rest]
"""One side's part in a vote: its cards from low to high, their sum, how many philosophers they are; the rest where this
side has the higher sum, and where it has the lower."""


class _Columns(dict[tuple[int, ...] | None, "Column | None"]):
    """Cards → their part in a vote, worked out once for each of the few there are; None where one is unknown."""

    def __missing__(self, cards: tuple[int, ...] | None) -> Column | None:
        if cards is None or SOME_INFLUENCE in cards:
            return None
        low_to_high = sorted(cards)
        numbers = low_to_high[cards.count(PHILOSOPHER) :]
        higher, lower = _loss(cards, highest=True), _loss(cards, highest=False)
        rests = (higher, numbers[:-1]), (lower, numbers[1:])
        column = (low_to_high, sum(cards), cards.count(PHILOSOPHER), *rests)
        if len(cards) <= _LONGEST:
            self[cards] = column
        return column


_LONGEST: Final = 8
"""Cards; of columns up to this length there are few thousand, and no edition lets anyone place more at a group."""
COLUMNS: Final = _Columns()
"""Shared by all games: whoever takes a list from it copies it before changing it."""


@lru_cache(maxsize=1 << 13)
def resolve_sorted(rome: tuple[int, ...], egypt: tuple[int, ...], edition: Edition) -> Outcome:
    """The same for columns that stand from high to low already; each is worked out once."""
    sums = (sum(rome), sum(egypt))
    philosophers = (rome.count(PHILOSOPHER), egypt.count(PHILOSOPHER))
    # One on each side cancel, two of one side count as one: only a majority of philosophers matters (K7–K11).
    lower_wins = philosophers[0] != philosophers[1]
    if sums[0] == sums[1]:
        owner = _lone_owner(rome, egypt, edition.lone_philosopher)
        if owner is None:
            return Outcome(TIE, sums, lower_wins, _NOTHING)
        return Outcome(owner, sums, lower_wins, (rome, egypt))
    higher = ROME if sums[0] > sums[1] else EGYPT
    winner = 1 - higher if lower_wins else higher
    if lower_wins and not (rome and egypt):
        if edition.empty_side is EmptySide.TIE:
            return Outcome(TIE, sums, lower_wins, _NOTHING)
        if edition.empty_side is EmptySide.LOSES:
            winner = higher
    return Outcome(winner, sums, lower_wins, losses(rome, egypt, higher))


def _lone_owner(rome: tuple[int, ...], egypt: tuple[int, ...], lone: LonePhilosopher) -> int | None:
    """Who owns the philosophers that lie alone at a group, where that wins (K6)."""
    if lone is LonePhilosopher.TIE or bool(rome) == bool(egypt):
        return None
    return ROME if rome else EGYPT


def losses(rome: tuple[int, ...], egypt: tuple[int, ...], higher: int) -> Gone:
    """What both sides discard: the ``higher`` one its highest card, the other its lowest, all philosophers (J3, K3)."""
    return _loss(rome, highest=higher == ROME), _loss(egypt, highest=higher == EGYPT)


def _loss(cards: tuple[int, ...], highest: bool) -> tuple[int, ...]:
    numbers = [card for card in cards if card != PHILOSOPHER]
    gone = [PHILOSOPHER] * (len(cards) - len(numbers))
    if numbers:
        gone.append(max(numbers) if highest else min(numbers))
    return tuple(gone)
