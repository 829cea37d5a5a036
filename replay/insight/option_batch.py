"""Options of many decisions as rows for the net.

An option is what a player chooses before he learns what comes of it. It leads to one or several *cases*, each with a
weight: the cards that may be drawn, or the worlds in which it is tried out. In a case its player may still choose (how
he lays out a castling, whom a spy strikes): such a case has several rows, of which the best counts. An action may be
vetoed: the cases of that stand beside the others. ``values.py`` puts them together.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from mypy_extensions import i64

from ...notation import codes
from ...notation.arrays import append, as_bytes, vec
from ...notation.tokens import DRAW, REVEAL, SPECIAL
from ..editions.edition import missions_of
from ..engine.play import make_move
from ..rules import layout
from ..rules.moves import actions as action_moves
from ..rules.moves.placing import ways_up
from ..rules.scoring import counting_missions, score
from ..rules.state import State
from .snapshots import ACT, CHOICE, DRAWS, OVER, VOTES, Snapshots

DONE: Final = 0
VETOED: Final = 1
WHOLE: Final = 1 << 20
"""A chance of one, as the chances of a veto are given."""


class OptionBatch:
    """Options of many decisions: rows for the net, and how they are put together (``values.py`` does it)."""

    def __init__(self) -> None:
        self.rows: Snapshots = Snapshots()
        empty = vec[i64]([i64(0)])
        self.results: vec[i64] = empty[:0]
        """For each row what a game that is over is worth (:func:`worth`), of WHOLE; -1 while it goes on."""
        self.begins: vec[i64] = empty[:0]
        """The first row of each case."""
        self.weights: vec[i64] = empty[:0]
        self.kinds: vec[i64] = empty[:0]
        """Twice the option's number, and one more where a veto strikes it."""
        self.vetoes: vec[i64] = empty[:0]
        """For each option how likely a veto may strike it, of WHOLE."""
        self.moves: vec[i64] = empty[:0]
        """For each option its two codes."""
        self.decisions: vec[i64] = empty[:0]
        """The first option of each decision."""

    def clear(self) -> None:
        """Forget everything."""
        self.rows.clear()
        self.results = self.results[:0]
        self.begins = self.begins[:0]
        self.weights = self.weights[:0]
        self.kinds = self.kinds[:0]
        self.vetoes = self.vetoes[:0]
        self.moves = self.moves[:0]
        self.decisions = self.decisions[:0]

    def memory(self) -> list[memoryview]:
        """Return results, begins, weights, kinds and vetoes as they lie in memory, eight bytes for each number."""
        cases = [as_bytes(self.begins), as_bytes(self.weights), as_bytes(self.kinds)]
        return [as_bytes(self.results), *cases, as_bytes(self.vetoes)]

    def decide(self) -> None:
        """Begin a decision."""
        self.decisions = append(self.decisions, len(self.vetoes))

    def option(self, code: i64, more: i64, veto: i64 = 0) -> None:
        """Begin an option."""
        self.moves = append(append(self.moves, code), more)
        self.vetoes = append(self.vetoes, veto)

    def case(self, weight: i64 = 1, kind: i64 = DONE) -> None:
        """Begin a case of the option."""
        self.begins = append(self.begins, self.rows.count)
        self.weights = append(self.weights, weight)
        self.kinds = append(self.kinds, 2 * (len(self.vetoes) - 1) + kind)

    def row(self, state: State, viewer: i64, going_on: bool = False) -> None:
        """Add a state to the case, as ``viewer`` knows it. The state is played on to where something is decided."""
        due = settle(state, going_on)
        if state.over:
            self.results = append(self.results, worth(state, viewer))
        else:
            self.results = append(self.results, -1)
        self.rows.add(state, viewer, due)


def result(state: State, side: i64) -> i64:
    """Return what a game that ends now is worth to a side: 2 for a win, 1 for a draw."""
    winner: i64 = score(state).winner
    if winner == side:
        return 2
    if winner == 1 - side:
        return 0
    return 1


def worth(state: State, viewer: i64) -> i64:
    """Return what a game that ends now is worth to ``viewer`` as far as he can tell, of WHOLE.

    Nobody sees the other side's mission before the end (B2): it may be any that he does not hold himself, and each is
    as likely. Who was dealt several is taken to have kept the one that serves him best.
    """
    other = 1 - viewer
    if not counting_missions(state.edition, state.sides[other]):
        return result(state, viewer) * (WHOLE // 2)
    own = state.missions[viewer]
    rest = missions_of(state.edition)
    for mission in own:
        if mission in rest:
            rest.remove(mission)
    then, results = state.copy(), []
    for mission in rest:
        then.missions = (own, (mission,)) if viewer == 0 else ((mission,), own)
        results.append(int(result(then, viewer)))
    kept = [min(dealt) for dealt in combinations(results, len(state.missions[other]))]
    return sum(kept) * WHOLE // (2 * len(kept))


def settle(state: State, going_on: bool = False) -> i64:
    """Play a state on past everything at which nothing is decided; return what is due then.

    ``going_on``: the player places and plays nothing more.
    """
    while not state.over:
        if state.choosing:
            return CHOICE
        if not going_on and not state.stage and may_go_on_acting(state):
            return ACT
        due = next_due(state)
        if due != OVER:
            return due
        make_move(state, codes.TURN_END, 0)
        going_on = False
    return OVER


def next_due(state: State) -> i64:
    """Return what comes next when the player whose turn it is does nothing more in the present step."""
    if state.choosing:
        return CHOICE
    rules = state.rules
    place: i64 = state.stage
    if not place:
        place = 1
    while place < rules.steps:
        step = rules.order[place]
        if step == SPECIAL:
            if not state.passive and state.due_votes() > 0:
                return VOTES
        elif step == REVEAL:
            if not state.revealed and state.reveals():
                return VOTES
        elif step == DRAW and state.draw_limit() and _has_pile(state):
            return DRAWS
        place += 1
    return OVER


def _has_pile(state: State) -> bool:
    cells, side = state.cells, state.active
    return cells[layout.INFLUENCE_PILE + side] + cells[layout.ACTION_PILE + side] > 0


def may_go_on_acting(state: State) -> bool:
    """Return whether the player may still place or play, as everybody can tell: he holds such cards, and is allowed to.

    At a turn's beginning it is taken for so.
    """
    if state.passive:
        return False
    if not state.has_acted():
        return True
    if state.cells[layout.INFLUENCE + state.active] and ways_up(state) and state.can_place(state.active):
        return True
    if action_moves.may_act(state) and not (state.final and state.no_place):
        return state.cells[layout.HELD + state.active] > state.cells[layout.INFLUENCE + state.active]
    return False
