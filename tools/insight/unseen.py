"""Deals the cards that a player can't see, ignoring what they could infer: fast, for many games."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ...notation.basics import INFLUENCE_KINDS, SOME_ACTION, SOME_INFLUENCE, VETO
from ...replay.rules.api import State
from ...replay.rules.core import codes, layout
from ...replay.simulation.api import Dice

WHOLE: Final = 1 << 20
"""A chance of one, in the unit used for the chances of a veto."""


def shuffle_unseen(state: State, viewer: i64, dice: Dice) -> None:
    """Deal again the other side's cards that ``viewer`` has not seen, with every order equally likely: hand, pile,
    table, discards.

    What they could infer from the first cards is ignored (``worlds.py`` takes it into account).
    """
    other = 1 - viewer
    cells = state.cells
    unseen = layout.UNSEEN + layout.CARD_ROW * other
    buried = _gather(state, other, layout.UNSEEN_DISCARDS, 0, INFLUENCE_KINDS)
    _gather(state, other, layout.HAND, 0, INFLUENCE_KINDS)
    for group in state.rules.groups:
        column = layout.GROUP_ROW * other + group
        cards = cells[layout.HIDDEN + column]
        for _card in range(cells[layout.HIDDEN_COUNT + column]):
            cells[unseen + (cards & codes.CARD)] += 1
            cards >>= codes.WIDTH
    total: i64 = 0
    for card in range(i64(INFLUENCE_KINDS)):
        total += cells[unseen + card]
    for group in state.rules.groups:
        column = layout.GROUP_ROW * other + group
        laid: i64 = 0
        for place in range(cells[layout.HIDDEN_COUNT + column]):
            card = state.card_at(unseen, dice.below(total))
            cells[unseen + card] -= 1
            total -= 1
            laid |= card << codes.WIDTH * place
        cells[layout.HIDDEN + column] = laid
    _deal(state, other, layout.HAND, 0, cells[layout.INFLUENCE + other], total, dice)
    _deal(state, other, layout.UNSEEN_DISCARDS, 0, buried, total - cells[layout.INFLUENCE + other], dice)
    _shuffle_actions(state, other, dice)


def dealt(state: State, viewer: i64, count: i64, dice: Dice) -> list[State]:
    """Return a number of copies of a state, with what ``viewer`` has not seen dealt again in each."""
    worlds: list[State] = []
    for _world in range(count):
        world = state.copy()
        shuffle_unseen(world, viewer, dice)
        worlds.append(world)
    return worlds


def _gather(state: State, side: i64, zone: i64, first: i64, end: i64) -> i64:
    """Add the cards of a kind in a zone to the unseen ones; return how many there were."""
    cells, row = state.cells, layout.CARD_ROW * side
    number: i64 = 0
    for card in range(first, end):
        count = cells[zone + row + card]
        if count:
            cells[layout.UNSEEN + row + card] += count
            cells[zone + row + card] = 0
            number += count
    return number


def _deal(state: State, side: i64, zone: i64, first: i64, number: i64, total: i64, dice: Dice) -> None:
    """Put some of the ``total`` unseen cards of a kind, whose codes begin with ``first``, into a zone."""
    cells, row = state.cells, layout.CARD_ROW * side
    for place in range(number):
        card = state.card_at(layout.UNSEEN + row, dice.below(total - place), first)
        cells[layout.UNSEEN + row + card] -= 1
        cells[zone + row + card] += 1


def _shuffle_actions(state: State, other: i64, dice: Dice) -> None:
    cells = state.cells
    hand, unseen = layout.HAND + layout.CARD_ROW * other, layout.UNSEEN + layout.CARD_ROW * other
    held = cells[layout.HELD + other] - cells[layout.INFLUENCE + other]
    if not held:
        return
    buried = _gather(state, other, layout.UNSEEN_DISCARDS, INFLUENCE_KINDS, SOME_INFLUENCE)
    _gather(state, other, layout.HAND, INFLUENCE_KINDS, SOME_INFLUENCE)
    total: i64 = 0
    for card in range(i64(INFLUENCE_KINDS), i64(SOME_INFLUENCE)):
        total += cells[unseen + card]
    if VETO in state.rules.first_action and not cells[layout.DISCARDS + layout.CARD_ROW * other + VETO]:
        cells[unseen + VETO] -= 1  # the first veto is in the hand until it is played
        cells[hand + VETO] += 1
        total -= 1
        held -= 1
    _deal(state, other, layout.HAND, INFLUENCE_KINDS, held, total, dice)
    _deal(state, other, layout.UNSEEN_DISCARDS, INFLUENCE_KINDS, buried, total - held, dice)


def veto_chance(state: State) -> i64:
    """Return how likely it is, out of WHOLE, that the other side holds a veto, as far as the player whose turn it is
    can tell.
    """
    other = 1 - state.active
    cells = state.cells
    held = cells[layout.HELD + other] - cells[layout.INFLUENCE + other]
    if not held:
        return 0
    vetoes: i64 = 0
    total: i64 = 0
    for card in range(i64(INFLUENCE_KINDS), i64(SOME_INFLUENCE)):
        at = layout.CARD_ROW * other + card
        there = cells[layout.HAND + at] + cells[layout.UNSEEN + at] + cells[layout.UNSEEN_DISCARDS + at]
        total += there
        if card == VETO:
            vetoes = there
    if VETO in state.rules.first_action and not cells[layout.DISCARDS + layout.CARD_ROW * other + VETO]:
        return WHOLE
    none = 1.0
    for place in range(held):
        if total - place > 0:
            none *= float(total - vetoes - place) / float(total - place)
    if none < 0.0:
        none = 0.0
    return i64(float(WHOLE) * (1.0 - none))


def give_card(state: State, side: i64, card: i64) -> None:
    """Give a side an action card that it must hold, in place of another one, if it does not hold it."""
    cells = state.cells
    hand, unseen = layout.HAND + layout.CARD_ROW * side, layout.UNSEEN + layout.CARD_ROW * side
    if cells[hand + card]:
        return
    for other in range(i64(INFLUENCE_KINDS), i64(SOME_ACTION + 1)):
        if cells[hand + other] and other != SOME_INFLUENCE:
            cells[hand + other] -= 1
            cells[hand + card] += 1
            if other < SOME_INFLUENCE:
                cells[unseen + other] += 1
            cells[unseen + card] -= 1
            return
