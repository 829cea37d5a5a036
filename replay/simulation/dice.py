"""Chance, fast when compiled: whole numbers that are the same for the same seed, compiled or not; and the results of
Python's random functions without the calls, which would take most of a random player's time.
"""

from __future__ import annotations

from random import Random
from typing import Final

from mypy_extensions import i64

# Numbers have 62 bits, so that the part of a product that is kept is the same whether or not 64 bits hold it.
_MASK: Final = (1 << 62) - 1
_MULTIPLIER: Final = 0x2545F4914F6CDD1D
_INCREMENT: Final = 0x14057B7EF767814F


class Dice:
    """Draws numbers, one after another: a congruential generator that returns its high bits, mixed."""

    def __init__(self, seed: int) -> None:
        # Neighbouring seeds start far apart.
        start: i64 = seed & _MASK
        for _round in range(i64(3)):
            start = (start ^ start >> 31) * _MULTIPLIER + _INCREMENT & _MASK
        self.now: i64 = start

    def below(self, count: i64) -> i64:
        """Return a number from 0 up to but not including ``count``, which is at most 2³⁰; all are equally likely."""
        now = self.now
        self.now = now * _MULTIPLIER + _INCREMENT & _MASK
        return ((now ^ now >> 23) >> 30) * count >> 32


def below(rng: Random, count: i64) -> i64:
    """Return a number from 0 up to but not including ``count``, as ``rng.randrange(count)`` does."""
    bits: i64 = 0
    while count >> bits:
        bits += 1
    drawn: i64 = rng.getrandbits(bits)
    while drawn >= count:
        drawn = rng.getrandbits(bits)
    return drawn


def shuffle(rng: Random, things: list[int]) -> None:
    """Put things into a random order, as ``rng.shuffle(things)`` does."""
    last: i64 = len(things) - 1
    while last > 0:
        other = below(rng, last + 1)
        thing = things[last]
        things[last] = things[other]
        things[other] = thing
        last -= 1


def weighted(rng: Random, weights: list[float]) -> i64:
    """Return the place of one of these weights, chosen as ``rng.choices(range(len(weights)), weights)`` does."""
    total = 0.0
    for weight in weights:
        total += weight
    drawn = rng.random() * total
    total = 0.0
    last: i64 = len(weights) - 1
    for place in range(last):
        total += weights[place]
        if drawn < total:
            return place
    return last
