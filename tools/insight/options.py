"""What a player can choose, decision by decision, and what each option leads to, collected in a batch."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from mypy_extensions import i64

from ...notation.basics import CASTLING, INFLUENCE_KINDS, SOME_INFLUENCE, SPY, VETO
from ...replay.rules.api import State, counting_missions, missions_of, score
from ...replay.rules.core import (
    BUST,
    LAST_PILE,
    MISSION,
    MOVE,
    ON_VETO,
    ORDER,
    PILE,
    SPLIT,
    TARGET,
    TURN,
    MoveList,
    append,
    as_bytes,
    codes,
    due,
    effect_of,
    ends_when_full_now,
    layout,
    list_passes,
    list_placements,
    make_move,
    must_stay_in_step,
    turns_up,
    unknown_card_like,
    vec,
)
from ...replay.rules.core import actions as action_moves
from ...replay.simulation.api import Dice
from .snapshots import ACT, CHOICE, DRAWS, OVER, VOTES, Snapshots
from .unseen import WHOLE, give_card, veto_chance

# Codes of options that are not tokens.
GO_ON: Final = codes.TURN_END
"""Place and play nothing more."""
ALLOW: Final = -1
"""Let an action happen."""

DECISION_WORDS: Final = ("", "move", "veto", "castling", "spy", "pile", "mission")
"""The kinds of decisions in words, as in reports."""

MOST_SPLITS: Final = 60
"""How many ways of castling are examined; if there are more, they are drawn at random."""
_FEW_SPLITS: Final = 10

DONE: Final = 0
VETOED: Final = 1


class OptionBatch:
    """The options of many decisions, as rows for the net.

    An option is what a player chooses before learning what comes of it. It leads to one or several *cases*, each with a
    weight: the cards that may be drawn, or the worlds in which it is tried out. In a case the player may still have a
    choice (how to lay out a castling, what a spy takes): such a case has several rows, and the best counts. An action
    may be vetoed: that adds more cases. :func:`.net.option_values` combines them.
    """

    def __init__(self) -> None:
        self.rows: Snapshots = Snapshots()
        empty = vec[i64]([i64(0)])
        self.results: vec[i64] = empty[:0]
        """For each row, what a finished game is worth (:func:`worth`), out of WHOLE; -1 while it goes on."""
        self.begins: vec[i64] = empty[:0]
        """The first row of each case."""
        self.weights: vec[i64] = empty[:0]
        self.kinds: vec[i64] = empty[:0]
        """Twice the option's number, plus one if it is vetoed."""
        self.vetoes: vec[i64] = empty[:0]
        """For each option, how likely it is to be vetoed, out of WHOLE."""
        self.moves: vec[i64] = empty[:0]
        """The two codes of each option."""
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
        """Return results, begins, weights, kinds and vetoes as they are in memory, eight bytes for each number."""
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

    def row(self, state: State, viewer: i64, passed: bool = False) -> None:
        """Add a state to the case, as ``viewer`` knows it. The state is played on to the next decision."""
        due = settle(state, passed)
        if state.over:
            self.results = append(self.results, worth(state, viewer))
        else:
            self.results = append(self.results, -1)
        self.rows.add(state, viewer, due)

    def lead(self, state: State, code: i64, more: i64, viewer: i64) -> None:
        """Add to the case what a move in a state leads to."""
        after = state.copy()
        make_move(after, code, more)
        self.row(after, viewer)

    def sure(self, state: State, code: i64, more: i64, viewer: i64) -> None:
        """Add an option whose effect is known."""
        self.option(code, more)
        self.case()
        self.lead(state, code, more, viewer)

    def position(self, state: State, viewer: i64) -> None:
        """Add a state by itself, as an option without a choice."""
        self.option(0, 0)
        self.case()
        self.row(state, viewer)

    def move(self, option: i64) -> tuple[i64, i64]:
        """Return the two codes of an option."""
        return self.moves[2 * option], self.moves[2 * option + 1]

    def moves_from(self, first: i64, end: i64) -> list[tuple[int, int]]:
        """Return the codes of the options from ``first`` up to ``end`` (exclusive)."""
        return [(int(self.moves[2 * at]), int(self.moves[2 * at + 1])) for at in range(first, end)]


def result(state: State, side: i64) -> i64:
    """Return what a game that ends now is worth to a side: 2 for a win, 1 for a draw."""
    winner: i64 = score(state).winner
    if winner == side:
        return 2
    if winner == 1 - side:
        return 0
    return 1


def worth(state: State, viewer: i64) -> i64:
    """Return what a game that ends now is worth to ``viewer``, as far as they can tell, out of WHOLE.

    Nobody sees the other side's mission before the end (B2): it may be any that the viewer does not hold, all equally
    likely. A player who was dealt several is assumed to have kept the best one.
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


def settle(state: State, passed: bool = False) -> i64:
    """Play a state on to the next decision; return what is then due.

    ``passed``: the player places and plays nothing more.
    """
    kind = due(state, 0, 1 if passed else 0)
    while kind == TURN:
        make_move(state, codes.TURN_END, 0)
        kind = due(state, 0, 0)
    if kind == MOVE:
        return ACT
    if kind == MISSION:
        return CHOICE
    if kind in (ORDER, BUST):
        return VOTES
    if kind in (PILE, LAST_PILE):
        return DRAWS
    return OVER


def list_options(
    kind: i64, state: State, side: i64, pending: i64, batch: OptionBatch, worlds: list[State], dice: Dice, splits: i64
) -> None:
    """List a decision of ``side``: actions are tried out in the worlds, and a number of ways of castling are examined.

    ``pending`` is the announced action that it is about.
    """
    batch.decide()
    if kind == MOVE:
        list_first_step(state, batch, worlds, dice)
    elif kind == ON_VETO:
        list_vetoes(state, batch, pending, dice)
    elif kind == SPLIT:
        _add_splits(state, batch, pending, splits, dice, True)
    elif kind == TARGET:
        _add_targets(state, batch, True)
    elif kind == PILE:
        list_piles(state, batch)
    else:
        for kept in range(i64(1), i64(3)):
            batch.sure(state, codes.CHOOSE | side << codes.SIDE_AT | kept << codes.KEPT_AT, 0, side)


def list_first_step(state: State, batch: OptionBatch, worlds: list[State], dice: Dice) -> None:
    """List the options of the first step for the player whose turn it is; actions are tried out in the worlds.

    Each world is a state in which every card is known; what its owner knows is the same in all of them.
    """
    listed = MoveList()
    side = state.active
    list_placements(state, listed)
    list_passes(state, True, listed)
    for at in range(listed.count):
        batch.sure(state, listed.codes[2 * at], 0, side)
    if action_moves.may_act(state) and not (state.final and state.no_place):
        _list_actions(state, batch, worlds, dice)
    if ends_when_full_now(state) or not must_stay_in_step(state):
        batch.option(GO_ON, 0)
        batch.case()
        if ends_when_full_now(state):
            batch.lead(state, codes.TURN_END, 0, side)
        else:
            batch.row(state.copy(), side, True)


def _list_actions(state: State, batch: OptionBatch, worlds: list[State], dice: Dice) -> None:
    hand = layout.HAND + layout.CARD_ROW * state.active
    veto = veto_chance(state)
    for card in range(i64(INFLUENCE_KINDS), i64(SOME_INFLUENCE)):
        if card == VETO or not state.cells[hand + card]:
            continue
        listed = MoveList()
        if card == CASTLING:
            _announce_castlings(state, listed)
        elif card == SPY:
            if state.cells[layout.HELD + 1 - state.active]:
                listed.add(codes.SPY, 0)
        else:
            action_moves.list_action(state, card, listed)
        last: i64 = 0
        for at in range(listed.count):
            code = action_moves.announced_code(listed.codes[2 * at])
            if code == last:
                continue
            last = code
            batch.option(code, 0, veto)
            _try_action(state, batch, code, worlds, dice)
            if veto:
                batch.case(1, VETOED)
                after = state.copy()
                suffer_veto(after, code)
                batch.row(after, state.active)


def _announce_castlings(state: State, listed: MoveList) -> None:
    groups = state.rules.groups
    for place in range(len(groups)):
        for other in range(place + 1, len(groups)):
            first, second = groups[place], groups[other]
            if state.cells[layout.LEFT + first] and state.cells[layout.LEFT + second]:
                own = state.count(state.active, first) + state.count(state.active, second)
                if own:
                    listed.add(codes.CASTLE | first << codes.GROUP_AT | second << codes.SECOND_AT, 0)


def _try_action(state: State, batch: OptionBatch, code: i64, worlds: list[State], dice: Dice) -> None:
    kind = code & codes.KIND
    if kind == codes.CASTLE:
        batch.case()
        _add_splits(state, batch, code, _FEW_SPLITS, dice, False)
    elif not turns_up(state, code):
        batch.case()
        batch.lead(state, code, 0, state.active)
    else:
        for world in worlds:
            batch.case()
            if kind == codes.SPY:
                _add_targets(world, batch, False)
            else:
                batch.lead(world, effect_of(world, code), 0, state.active)


def suffer_veto(state: State, code: i64) -> None:
    """Play an action that the other side vetoes, drawing whatever it can; give it a veto if it has none."""
    other = 1 - state.active
    give_card(state, other, VETO)
    make_move(state, code | codes.ANNOUNCED_ONLY, 0)
    drawn = _any(action_moves.replacements(state, other, state.rules.veto_draw))
    make_move(state, codes.VETO | drawn << codes.VETO_DRAW_AT, 0)


def _add_splits(state: State, batch: OptionBatch, code: i64, most: i64, dice: Dice, as_options: bool) -> None:
    listed = MoveList()
    action_moves.list_splits(state, code >> codes.GROUP_AT & codes.GROUP, code >> codes.SECOND_AT & codes.GROUP, listed)
    count = listed.count
    shown: i64 = 0
    for at in range(count):
        # Each way is equally likely to be examined.
        if count > most and dice.below(count - at) >= most - shown:
            continue
        shown += 1
        if as_options:
            batch.option(listed.codes[2 * at], listed.codes[2 * at + 1])
            batch.case()
        batch.lead(state, listed.codes[2 * at], listed.codes[2 * at + 1], state.active)


def _add_targets(state: State, batch: OptionBatch, as_options: bool) -> None:
    """Add the cards of the other side's hand that a spy can have discarded; the spy's player sees the hand."""
    victim = 1 - state.active
    hand = layout.HAND + layout.CARD_ROW * victim
    new = _any(action_moves.replacements(state, victim, state.rules.spy_draw))
    for card in range(i64(SOME_INFLUENCE)):
        if state.cells[hand + card]:
            if as_options:
                batch.option(codes.SPY | (card + 1) << codes.CARD_AT, 0)
                batch.case()
            batch.lead(state, codes.SPY | (card + 1) << codes.CARD_AT | new << codes.SPY_DRAW_AT, 0, state.active)


def list_vetoes(state: State, batch: OptionBatch, code: i64, dice: Dice) -> None:
    """List what the other side can do about an announced action: let it happen, or veto it and draw from each of the
    piles.
    """
    side = 1 - state.active
    batch.option(ALLOW, 0)
    kind = code & codes.KIND
    if kind == codes.CASTLE:
        batch.case()
        listed = MoveList()
        action_moves.list_splits(
            state, code >> codes.GROUP_AT & codes.GROUP, code >> codes.SECOND_AT & codes.GROUP, listed
        )
        at = 2 * dice.below(listed.count)
        batch.lead(state, listed.codes[at], listed.codes[at + 1], side)
    elif kind == codes.SPY:
        hand = layout.HAND + layout.CARD_ROW * side
        new = _any(action_moves.replacements(state, side, state.rules.spy_draw))
        for card in range(i64(SOME_INFLUENCE)):
            if state.cells[hand + card]:
                batch.case(state.cells[hand + card])
                batch.lead(state, codes.SPY | (card + 1) << codes.CARD_AT | new << codes.SPY_DRAW_AT, 0, side)
    else:
        batch.case()
        batch.lead(state, effect_of(state, code), 0, side)
    drawn = action_moves.replacements(state, side, state.rules.veto_draw)
    cells, unseen = state.cells, layout.UNSEEN + layout.CARD_ROW * side
    last: i64 = -1
    for new in range(i64(SOME_INFLUENCE + 1)):  # from the first pile to the last
        if drawn >> new & 1:
            if _pile_of(new) != last:
                last = _pile_of(new)
                batch.option(codes.VETO | last << codes.VETO_DRAW_AT, 0)
            weight: i64 = 1
            if new:
                weight = cells[unseen + new - 1]
            batch.case(weight)
            after = state.copy()
            make_move(after, code | codes.ANNOUNCED_ONLY, 0)
            make_move(after, codes.VETO | new << codes.VETO_DRAW_AT, 0)
            batch.row(after, side)


def _any(cards: i64) -> i64:
    """Return one of these cards plus 1, or 0 for none; cards are bits, and the lowest bit stands for none."""
    for card in range(i64(1), i64(SOME_INFLUENCE + 1)):
        if cards >> card & 1:
            return card
    return 0


def _pile_of(new: i64) -> i64:
    """Return the unknown card of the pile that a card comes from, both given plus 1; 0 for none."""
    if not new:
        return 0
    return unknown_card_like(new - 1) + 1


def list_piles(state: State, batch: OptionBatch) -> None:
    """List the piles that the next card can be drawn from."""
    cells, side = state.cells, state.active
    unseen = layout.UNSEEN + layout.CARD_ROW * side
    possible = action_moves.in_piles(state, side)
    last: i64 = -1
    for card in range(i64(SOME_INFLUENCE)):
        if possible >> card & 1:
            if _pile_of(card + 1) != last:
                last = _pile_of(card + 1)
                batch.option(codes.DRAW | 1 << codes.COUNT_AT | (last - 1) << codes.CARDS_AT, 0)
            batch.case(cells[unseen + card])
            batch.lead(state, codes.DRAW | 1 << codes.COUNT_AT | card << codes.CARDS_AT, 0, side)
