"""Playing on: what chance brings is taken out of what is reached, and nothing else is."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tironian import Edition, load_edition, start
from tironian.notation import codes
from tironian.replay.rules.core import MOVE
from tironian.replay.simulation.simulator import openings
from tironian.tools.insight.match import Match
from tironian.tools.insight.net import Evaluator, evaluator
from tironian.tools.insight.options import OptionBatch
from tironian.tools.insight.players import Spot, advance, begun, continue_all

SEEDS = range(1000, 1640, 8)


def at_a_move(value: Evaluator, edition: Edition, turns: int) -> Match:
    """Return a game of the net after so many turns, at a decision between moves."""
    match = Match(start(edition, *openings(edition, Random(7))), 7)
    advance([match], value, turns)
    while match.wait() and match.kind != MOVE:
        advance([match], value, match.turns + 1)
    return match


@pytest.mark.parametrize("rules", ["2024", "1997"])
def test_busts_are_taken_out_and_the_mean_stays(rules: str):
    edition = load_edition(rules)
    value = evaluator(edition)
    match = at_a_move(value, edition, 16)
    batch = OptionBatch()
    match.list_options(batch, 1)
    spot, world, move = Spot(MOVE, int(match.side)), match.state, (batch.moves[0], batch.moves[1])

    matches = [begun(spot, world, seed, move) for seed in SEEDS]
    advance(matches, value, 1)
    as_it_came = value.states([each.state for each in matches], spot.side)
    taken_out = np.array([continue_all(spot, [[move]], [world], 1, value, seed).values[0, 0] for seed in SEEDS])

    luck = as_it_came - taken_out
    assert luck.std() > 0.02
    assert taken_out.std() < 0.6 * as_it_came.std()
    assert abs(luck.mean()) < 3 * luck.std() / len(SEEDS) ** 0.5


@pytest.mark.parametrize("rules", ["2024", "1997"])
def test_a_line_is_played_as_far_as_it_is_legal(rules: str):
    """Its moves come first, in its order. One that can't be made ends it, and the net goes on as after the others."""
    edition = load_edition(rules)
    value = evaluator(edition)
    match = at_a_move(value, edition, 4)
    batch = OptionBatch()
    match.list_options(batch, 1)
    spot = Spot(MOVE, int(match.side))
    first = next(move for move in batch.moves_from(0, len(batch.vetoes)) if move[0] & codes.KIND == codes.PLACE)
    then = begun(spot, match.state, 1, first)
    assert then.wait()
    batch.clear()
    then.list_options(batch, 1)
    second = batch.moves_from(0, len(batch.vetoes))[-1]

    def ends(*line: tuple[int, int]) -> list[str]:
        states = continue_all(spot, [line], [match.state] * 6, 1, value, 5).states[0]
        return [f"{[*state.cells]}" for state in states]

    impossible = (codes.PLACE | 9 << 4, 0)
    assert ends(first, impossible, second) == ends(first)
    in_turn = begun(spot, match.state, 5, first)
    in_turn.wait()
    in_turn.choose(*second)
    advance([in_turn], value, 1)
    assert ends(first, second)[0] == f"{[*in_turn.state.cells]}"
