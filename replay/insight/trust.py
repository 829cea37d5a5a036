"""How far the other side is trusted to have hidden cards as the net would: by how well it has played in the open."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ...notation import tokens as t
from ...notation.record import Record
from ..engine.replay import Replay
from ..rules import layout
from ..rules.state import State
from .values import state_values

if TYPE_CHECKING:
    from .inputs import Floats
    from .net import Net

MOST: Final = 4.2
"""Trust in a player who gives nothing away; docs/insight.md says what it means."""
WEAK: Final = 0.04
"""Chances of winning that somebody who isn't trusted at all gives away a turn: about as much as random play does."""
EXPECTED: Final = 0.01
"""What is expected of a player of whom nothing has been seen, and"""
TURNS: Final = 3
"""for how many turns that counts."""


def trusts(log: Record, played: Replay, side: int, net: Net, read: Floats) -> list[float]:
    """Return for each turn of the log of ``side`` how far the other side is trusted, by what it did before."""
    given = _given_away(log, played, side, net, read)
    found, total, turns = [], EXPECTED * TURNS, TURNS
    for turn in range(len(log.turns)):
        mean = min(max(total / turns, 0.0), WEAK)
        found.append(MOST * (1 - mean / WEAK))
        if turn in given:
            total += given[turn]
            turns += 1
    return found


def _given_away(log: Record, played: Replay, side: int, net: Net, read: Floats) -> dict[int, float]:
    """Return by how much the other side's own moves have raised the chances of ``side``, turn by turn."""
    places = {turn.label: place for place, turn in enumerate(log.turns)}
    turns: list[int] = []
    states: list[State] = []
    for last, step in pairwise(played.steps):
        moved = isinstance(step.token, (t.Place, t.Discard, *t.ACTIONS)) and step.state.vetoed != layout.ANNOUNCED
        if moved and step.turn is not None and last.state.active != side:
            turns.append(places[step.turn.label])
            states += last.state.copy(), step.state.copy()
    given = dict.fromkeys(turns, 0.0)
    if turns:
        wins = state_values(states, side, net, read).reshape(-1, 2)
        for turn, (before, after) in zip(turns, wins.tolist(), strict=True):
            given[turn] += after - before
    return given
