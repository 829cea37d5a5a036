"""What stands in for Python's random numbers comes to the same, and draws as many of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from tironian.replay.simulation.dice import Dice, below, shuffle, weighted


def weigh(rng: Random) -> list[list[float]]:
    return [[rng.random() for _ in range(count)] for count in range(1, 12)]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (
            lambda rng: [below(rng, count) for count in range(1, 40)],
            lambda rng: [rng.randrange(count) for count in range(1, 40)],
        ),
        (
            lambda rng: [weighted(rng, weights) for weights in weigh(rng)],
            lambda rng: [rng.choices(range(len(weights)), weights)[0] for weights in weigh(rng)],
        ),
        (
            lambda rng: [shuffle(rng, things := [*range(count)]) or things for count in range(12)],
            lambda rng: [rng.shuffle(things := [*range(count)]) or things for count in range(12)],
        ),
    ],
    ids=["a number below another", "a choice by weight", "any order"],
)
def test_python_draws_the_same(ours: Callable[[Random], list], theirs: Callable[[Random], list]) -> None:
    for seed in range(300):
        one, other = Random(seed), Random(seed)
        assert ours(one) == theirs(other)
        assert one.getstate() == other.getstate()


def test_dice_fall_alike_in_every_build() -> None:
    dice = Dice(1)
    assert [dice.below(1000) for _ in range(8)] == [871, 593, 93, 143, 649, 295, 285, 76]


def test_dice_are_fair() -> None:
    for seed in (0, 1, 2, -1, 1 << 70):
        dice = Dice(seed)
        counts = Counter(dice.below(12) for _ in range(12_000))
        assert sorted(counts) == list(range(12))
        assert all(850 < count < 1150 for count in counts.values())
    firsts = Counter(Dice(seed).below(12) for seed in range(12_000))
    assert all(850 < count < 1150 for count in firsts.values())
