"""Playing on: what chance brings is taken out of what is reached, and nothing else is."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tironian import load_edition, start
from tironian.replay.insight.match import Match
from tironian.replay.insight.net import evaluator
from tironian.replay.insight.options import MOVE, OptionBatch
from tironian.replay.insight.players import Spot, advance, begun, continue_all
from tironian.replay.simulation.simulator import openings

SEEDS = range(1000, 1640, 8)


@pytest.mark.parametrize("rules", ["2024", "1997"])
def test_busts_are_taken_out_and_the_mean_stays(rules: str):
    edition = load_edition(rules)
    value = evaluator(edition)
    match = Match(start(edition, *openings(edition, Random(7))), 7)
    advance([match], value, 16)
    while match.wait() and match.kind != MOVE:
        advance([match], value, match.turns + 1)
    batch = OptionBatch()
    match.list_options(batch, 1)
    spot, world, move = Spot(MOVE, int(match.side)), match.state, (batch.moves[0], batch.moves[1])

    matches = [begun(spot, world, seed, move) for seed in SEEDS]
    advance(matches, value, 1)
    as_it_came = value.states([each.state for each in matches], spot.side)
    taken_out = np.array([continue_all(spot, [move], [world], 1, value, seed)[0, 0] for seed in SEEDS])

    luck = as_it_came - taken_out
    assert luck.std() > 0.02
    assert taken_out.std() < 0.6 * as_it_came.std()
    assert abs(luck.mean()) < 3 * luck.std() / len(SEEDS) ** 0.5
