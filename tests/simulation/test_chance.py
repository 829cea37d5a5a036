"""What stands in for Python's random numbers comes to the same, and draws as many of them."""

from __future__ import annotations

from random import Random

from tironian.replay.simulation.dice import below, shuffle, weighted

SEEDS = range(300)


def test_a_number_below_another():
    for seed in SEEDS:
        ours, theirs = Random(seed), Random(seed)
        for count in range(1, 40):
            assert below(ours, count) == theirs.randrange(count)
        assert ours.getstate() == theirs.getstate()


def test_any_order():
    for seed in SEEDS:
        ours, theirs = Random(seed), Random(seed)
        mine, its = list(range(seed % 12)), list(range(seed % 12))
        shuffle(ours, mine)
        theirs.shuffle(its)
        assert mine == its
        assert ours.getstate() == theirs.getstate()


def test_a_choice_by_weight():
    for seed in SEEDS:
        ours, theirs = Random(seed), Random(seed)
        for count in range(1, 12):
            weights = [theirs.random() * (ours.random() > 0) for _ in range(count)]
            assert weighted(ours, weights) == theirs.choices(range(count), weights)[0]
        assert ours.getstate() == theirs.getstate()
