"""How a vote comes out. Nothing but arithmetic: two columns in, the outcome out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from mypy_extensions import i64

from ...notation.cards import INFLUENCE_CARDS, INFLUENCE_KINDS, PHILOSOPHER, TIE
from ...notation.codes import CARD, MAX_COPIES, WIDTH
from ..editions.edition import Edition
from .ruleset import Ruleset, ruleset

# What decided_by returns: the winner in the lowest two bits, and these.
LOWER_WINS: Final = 4
EGYPT_HIGHER: Final = 8
ALL_GO: Final = 16
"""Philosophers lie alone at the group and win: all cards go (K6)."""
WINNER: Final = 3


def decided_by(rules: Ruleset, rome: i64, egypt: i64) -> i64:
    """Return how the vote between two columns of known cards comes out.

    ``rome`` and ``egypt`` are counts of cards (:func:`tironian.notation.codes.column_counts`).
    """
    return compared(rules, sum_of(rome), rome & CARD, sum_of(egypt), egypt & CARD)


def compared(rules: Ruleset, rome: i64, rome_philosophers: i64, egypt: i64, egypt_philosophers: i64) -> i64:
    """Return how a vote comes out between these sums with these numbers of philosophers (J2–J8, K1–K18)."""
    # One on each side cancel out, two on one side count as one: only a majority of philosophers matters (K7–K11).
    lower_wins = rome_philosophers != egypt_philosophers
    decided: i64 = 0
    if lower_wins:
        decided = LOWER_WINS
    rome_there = rome + rome_philosophers != 0
    egypt_there = egypt + egypt_philosophers != 0
    if rome == egypt:
        if rules.lone_ties or rome_there == egypt_there:
            return decided | TIE
        return decided | ALL_GO | (0 if rome_there else 1)
    higher: i64 = 0
    if egypt > rome:
        higher = 1
        decided |= EGYPT_HIGHER
    if not lower_wins:
        return decided | higher
    if not (rome_there and egypt_there):
        if rules.empty_ties:
            return decided | TIE
        if rules.empty_loses:
            return decided | higher
    return decided | (1 - higher)


def as_written(decided: i64, winner: i64) -> i64:
    """Return the outcome that the table gave a vote, right or wrong: the losses follow from the winner named."""
    lower = decided & LOWER_WINS
    higher = 1 - winner if lower else winner
    return winner if winner == TIE else lower | winner | (EGYPT_HIGHER if higher == 1 else 0)


def sum_of(counts: i64) -> i64:
    """Return the influence of a column, given as counts."""
    low = (counts >> WIDTH & CARD) + 2 * (counts >> 2 * WIDTH & CARD) + 3 * (counts >> 3 * WIDTH & CARD)
    return low + 4 * (counts >> 4 * WIDTH & CARD) + 5 * (counts >> 5 * WIDTH & CARD)


def loss_of(counts: i64, highest: bool) -> i64:
    """Return the counts of what a side discards: all its philosophers, and its highest or lowest number (J3, K3)."""
    chosen: i64 = 0
    for slot in range(i64(1), i64(INFLUENCE_KINDS)):
        if counts >> WIDTH * slot & CARD:
            chosen = 1 << WIDTH * slot
            if not highest:
                break
    return (counts & CARD) + chosen


def losses_of(decided: i64, side: i64, counts: i64) -> i64:
    """Return the counts of what a side discards after a vote with this outcome."""
    if decided & ALL_GO:
        return counts
    if decided & WINNER == TIE:
        return 0
    return loss_of(counts, (decided & EGYPT_HIGHER != 0) == (side == 1))


class VoteOutcome(NamedTuple):
    """``winner`` is a side or TIE; ``discarded`` are the cards that Rome and Egypt lose, philosophers first."""

    winner: int
    sums: tuple[int, int]
    lower_wins: bool
    discarded: tuple[tuple[int, ...], tuple[int, ...]]


def resolve(rome: Sequence[int], egypt: Sequence[int], edition: Edition, written: int | None = None) -> VoteOutcome:
    """Return the outcome between two columns of known cards; ``written`` is the winner whom the record names."""
    return _resolved(tuple(rome), tuple(egypt), edition, written)


@lru_cache(maxsize=1 << 13)
def _resolved(rome: tuple[int, ...], egypt: tuple[int, ...], edition: Edition, written: int | None) -> VoteOutcome:
    """Return the same, cached: trees and margins ask for the same columns again and again."""
    sums = sum(rome), sum(egypt)
    philosophers = rome.count(PHILOSOPHER), egypt.count(PHILOSOPHER)
    decided = compared(ruleset(edition), sums[0], philosophers[0], sums[1], philosophers[1])
    if written is not None and written != decided & WINNER:
        decided = as_written(decided, written)
    discarded = low_to_high(losses_of(decided, 0, _counts(rome))), low_to_high(losses_of(decided, 1, _counts(egypt)))
    return VoteOutcome(decided & WINNER, sums, decided & LOWER_WINS != 0, discarded)


def _counts(cards: Sequence[int]) -> int:
    """Return cards as counts; if there are more of a kind than any rules have, as many as counts can hold."""
    return sum([min(cards.count(card), MAX_COPIES) << WIDTH * card for card in INFLUENCE_CARDS])


def winner_of(rome: tuple[int, int], egypt: tuple[int, int], edition: Edition) -> int:
    """Return who wins between two sums with these numbers of philosophers: a side or TIE."""
    return compared(ruleset(edition), *rome, *egypt) & WINNER


def low_to_high(counts: int) -> tuple[int, ...]:
    """Return the cards that counts stand for, philosophers first."""
    return tuple([card for card in INFLUENCE_CARDS for _ in range(counts >> WIDTH * card & CARD)])
