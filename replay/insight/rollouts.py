"""Options of a decision compared by playing on: the same worlds and the same luck for all of them, the net behind.

Every player in such a continuation uses only what he may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ...notation import codes
from ...notation.codes import Codes
from ..rules.state import State
from .match import Match
from .option_batch import OptionBatch, result
from .options import CARD_OF_KIND, ON_VETO
from .players import advance
from .unseen import give_card
from .values import option_values, row_values, state_values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .inputs import Floats
    from .net import Net


class Spot(NamedTuple):
    """A decision in play: its kind, who makes it, and the action that it is about."""

    kind: int
    side: int
    pending: int = 0


def dealt_for(count: int, trust: float) -> int:
    """Return how many worlds to deal for so many likely ones."""
    return 3 * count if trust else count


def likely_worlds(
    dealt: Sequence[State], count: int, viewer: int, net: Net, read: Floats, rng: Random, trust: float
) -> list[State]:
    """Return some of the worlds dealt to ``viewer``: rather those in which the other side has played as the net would.

    A world counts by (W / (1 - W)) to the power of ``trust``, W being the other side's own chance of winning in it;
    with 0 all are equally likely.
    """
    import numpy as np

    if not trust:
        return [*dealt[:count]]
    wins = np.clip(state_values((world.copy() for world in dealt), 1 - viewer, net, read), 0.001, 0.999)
    weights = (wins / (1 - wins)) ** trust
    # One draw spread evenly: as few worlds as possible come twice.
    places = np.searchsorted(np.cumsum(weights) / weights.sum(), (np.arange(count) + rng.random()) / count)
    return [dealt[min(place, len(dealt) - 1)] for place in places.tolist()]


def continue_all(
    spot: Spot, moves: Sequence[Codes], worlds: Sequence[State], turns: int, net: Net, read: Floats, seed: int
) -> NDArray[np.float64]:
    """Return the value of each of these moves in each world, an array of shape (moves, worlds).

    A move is played, then the game goes on until so many turns have ended, and the net values what is reached for who
    decides. The luck of busts and vote cards is subtracted: what each was worth, less the mean of all that could have
    come. Values then differ less from world to world, and their mean stays; one may lie outside of 0 to 1.
    """
    matches = [begun(spot, world, seed + 8 * number, move) for move in moves for number, world in enumerate(worlds)]
    luck = OptionBatch()
    for match in matches:
        match.luck, match.viewer = luck, spot.side
    advance(matches, net, read, turns)
    reached = state_values((match.state for match in matches), spot.side, net, read)
    for place, match in enumerate(matches):
        if match.state.over:  # with the missions of this world, for which the other side has played
            reached[place] = result(match.state, spot.side) / 2
    if luck.rows.count:
        busts = option_values(luck, row_values(luck, net, read))
        for place, match in enumerate(matches):
            for came in match.noted:
                reached[place] -= busts[came] - busts[came + 1]
    return reached.reshape(len(moves), len(worlds))


def begun(spot: Spot, world: State, seed: int, move: Codes) -> Match:
    """Return a game that goes on in a world with a move."""
    state = world.copy()
    if spot.kind == ON_VETO:  # the other side holds the action that it has announced
        give_card(state, state.active, CARD_OF_KIND[spot.pending & codes.KIND])
    match = Match(state, seed)
    match.kind, match.side, match.pending = spot
    match.choose(*move)
    return match
