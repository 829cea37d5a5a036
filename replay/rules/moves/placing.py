"""Which cards may be placed or exchanged, and when a player has to (D1–D12, H1–H4).

Moves are pairs of codes (:mod:`tironian.notation.codes`), one behind the other in a list.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ....notation.cards import SOME_ACTION, SOME_INFLUENCE
from ....notation.codes import DISCARD, MOST_CARDS, PLACE
from ..layout import AFTER_PLACING, HAND, HELD, INFLUENCE
from ..ruleset import DOWN_AND_UP, NO_PASSIVE, ONE_OR_TWO_DOWN
from ..state import State

UP: Final = 1
DOWN: Final = 2
HIGH_TO_LOW: Final[list[int]] = [5, 4, 3, 2, 1, 0, 6, 7, 8, 9, 10, 11, SOME_INFLUENCE, SOME_ACTION]
"""The cards in the order in which they are written."""


def stops_full(state: State) -> bool:
    """Return whether going on now ends the game, because the player should place and his side is full (N6)."""
    return not state.passive and not state.up + state.down and state.ends_at_placement()


def stays(state: State) -> bool:
    """Return whether the first step demands something more before the turn goes on (D8, E6, H1)."""
    if state.passive or state.no_place:
        return False
    if owes_placement(state):
        return True
    idle = not (state.up or state.down or state.action or state.final)  # a final turn has no passive alternative
    return idle and state.rules.passive != NO_PASSIVE


def owes_placement(state: State) -> bool:
    """Return whether a card, or one more, has to be placed (D2, D8, E6, N4b)."""
    if state.passive or state.no_place:
        return False
    if not state.final:
        if state.rules.placement in (DOWN_AND_UP, ONE_OR_TWO_DOWN):
            if state.down + state.up:
                return False
        elif state.down or state.up >= 2:
            return False
    return state.can_place(state.active)


def ways_up(state: State) -> i64:
    """Return how a card may be placed now: UP, DOWN, both or neither."""
    if state.passive or state.no_place:
        return 0
    if state.action == AFTER_PLACING and not state.edition.action_between:
        return 0
    if state.final:  # N4b: any orientation, any number
        return UP | DOWN
    placement = state.rules.placement
    if placement == DOWN_AND_UP:
        return (0 if state.down else DOWN) | (0 if state.up else UP)
    if placement == ONE_OR_TWO_DOWN:
        return DOWN if state.down < 2 else 0
    if state.down or state.up > 1:
        return 0
    if state.up:
        return UP
    return DOWN | UP if two_fit(state) else DOWN


def two_fit(state: State) -> bool:
    """Return whether two cards can go face up: two influence cards in hand, and two free places (D2, D11)."""
    return state.cells[INFLUENCE + state.active] > 1 and state.all_room(state.active) > 1


def list_placements(state: State, found: list[int]) -> None:
    """List every influence card in hand, at every group with room, each allowed way up (D1–D12)."""
    ways = ways_up(state)
    if not ways:
        return
    side, cells = state.active, state.cells
    hand = HAND + 16 * side
    for way in (DOWN, UP):
        if not ways & way:
            continue
        hidden: i64 = 1 << 11 if way == DOWN else 0
        for group in state.rules.groups:
            if not state.room(side, group):
                continue
            at: i64 = group
            for card in range(6):
                if cells[hand + card]:
                    found.append(PLACE | card << 4 | at << 8 | hidden)
                    found.append(0)


def list_passes(state: State, exchanges: bool, found: list[int]) -> None:
    """List the passive turn with every possible exchange (H1, H3, H4), or ``-`` for placing nothing (D9, E6).

    Where not all ``exchanges`` are asked for, only that of no card.
    """
    if state.passive or state.no_place or state.up or state.down:
        return
    if may_exchange(state):
        if exchanges and state.cells[HELD + state.active] <= MOST_CARDS:
            list_exchanges(state, found)
            return
    elif state.can_place(state.active):
        return
    found.append(DISCARD)
    found.append(0)


def may_exchange(state: State) -> bool:
    """Return whether the turn can still become a passive one (H1)."""
    if state.passive or state.no_place or state.up or state.down:
        return False
    return state.rules.passive != NO_PASSIVE and not state.action and not state.final


def list_exchanges(state: State, found: list[int]) -> None:
    """List every selection from the hand, from no card to all of them."""
    cells, hand = state.cells, HAND + 16 * state.active
    codes: list[int] = [DISCARD]
    # Each card in turn takes its place behind all selections of those before it; the last varies fastest.
    for card in HIGH_TO_LOW:
        copies: i64 = cells[hand + card]
        if not copies:
            continue
        longer: list[int] = []
        for shorter in codes:
            code: i64 = shorter
            longer.append(code)
            for _ in range(copies):
                code = with_card(code, card)
                longer.append(code)
        codes = longer
    for each in codes:
        found.append(each)
        found.append(0)


def with_card(code: i64, card: i64) -> i64:
    """Return the code of a draw or an exchange with one more card."""
    count = code >> 4 & 15
    return code + 16 | card << (8 + 4 * count)
