"""What Python's random numbers come to, asked without calling Python: where it is compiled, most of a player's time.

Each function returns, to the last bit, what :class:`random.Random` would, and leaves it where it would stand.
"""

from __future__ import annotations

from random import Random

from mypy_extensions import i64


def below(rng: Random, count: i64) -> i64:
    """Return a number from 0 to below ``count``, as ``rng.randrange(count)`` does."""
    bits: i64 = 0
    while count >> bits:
        bits += 1
    drawn: i64 = rng.getrandbits(bits)
    while drawn >= count:
        drawn = rng.getrandbits(bits)
    return drawn


def shuffle(rng: Random, things: list[int]) -> None:
    """Put things into any order, as ``rng.shuffle(things)`` does."""
    last: i64 = len(things) - 1
    while last > 0:
        other = below(rng, last + 1)
        thing = things[last]
        things[last] = things[other]
        things[other] = thing
        last -= 1


def weighted(rng: Random, weights: list[float]) -> i64:
    """Return the place of one of these weights, as ``rng.choices(range(len(weights)), weights)`` does."""
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
