"""What many games say of a player: an interval that holds the truth, and silence where they are too few."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from scale import scaled
from tironian.replay.insight.player_sums import GameSums, PlayerSums, interval

TRUE = 0.02


def game(rng: Random) -> GameSums:
    """A game of a player whose decisions cost TRUE on average, and who is not always in the same form."""
    decisions = rng.randint(15, 45)
    form = rng.gammavariate(4, 0.25)
    loss = form * sum(rng.expovariate(1 / TRUE) for _ in range(decisions))
    return GameSums(loss, decisions, 0, 1, 0, 0.1, -0.1, 0, 1, 0, 0)


@pytest.mark.parametrize("games", [3, 8, 30])
def test_the_interval_holds_the_truth(games: int):
    """19 times of 20 is what is meant; of skewed losses in few games it is somewhat less."""
    rng, times = Random(games), scaled(50, 1000)
    held = 0
    for seed in range(times):
        played = [game(rng) for _ in range(games)]
        low, high = interval([sums.loss for sums in played], [sums.decisions for sums in played], seed)
        held += low <= TRUE <= high
    assert 0.84 * times <= held <= times


def test_games_that_are_alike_leave_no_doubt():
    assert interval([0.5] * 6, [25] * 6) == (0.02, 0.02)


def test_the_order_of_games_does_not_matter_to_the_last_digit():
    rng = Random(1)
    played = [game(rng) for _ in range(5)]
    lines = set()
    for order in list(permutations(played))[::17]:
        sums = PlayerSums("default", 3)
        for each in order:
            sums.add("2024", [("Livia", each)])
        lines.add(tuple(sums.lines()))
    assert len(lines) == 1


def test_too_few_decisions_or_games():
    def line(*decisions: int):
        sums = PlayerSums("default", 0)
        for number in decisions:
            sums.add("2024", [("Livia", GameSums(number / 50, number, *[0] * 9))])
        return sums.lines()[0]

    assert (line(50, 50, 50).enough, line(50, 50, 50).low) == (True, 0.02)
    for few in (line(50, 50, 49), line(200, 200), line(200, 200, 0)):
        assert (few.enough, few.low, few.high, few.loss_per_decision) == (False, None, None, 0.02)


def test_rule_sets_are_apart_and_the_unknown_come_last():
    sums = PlayerSums("quick", 0)
    for rules in ("fr", "1997"):
        for name, loss in (("Tullia", 0.1), ("Livia", 2.0), ("Marcus", 1.0), ("?", 1.0)):
            for _ in range(1 if name == "Tullia" else 4):
                sums.add(rules, [(name, GameSums(loss, 40, 1, *[0] * 8))])
    lines = sums.lines()
    assert [(line.rules, line.player) for line in lines] == [
        (rules, name) for rules in ("1997", "fr") for name in ("Marcus", "Livia", "Tullia")
    ]
    assert (sums.games, sums.nameless) == (26, 8)
    assert lines[0].blunders is None  # nothing is marked at this level
