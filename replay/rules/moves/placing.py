"""Which cards may be placed or exchanged, and when a player has to (D1–D12, H1–H4)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ....notation import codes
from ....notation.cards import CARD_KINDS, HIGHEST, INFLUENCE_KINDS
from ..layout import AFTER_PLACING, CARD_ROW, HAND, HELD, INFLUENCE
from ..state import State
from .move_list import MoveList

UP: Final = 1
DOWN: Final = 2


def written_at(place: i64) -> i64:
    """Return the card at a place in the order of writing, in which influence cards, from high to low, come first."""
    if place < INFLUENCE_KINDS:
        return HIGHEST - place
    return place


def ends_when_full_now(state: State) -> bool:
    """Return whether going on now ends the game, because the player should place but the side is full (N6)."""
    return not state.passive and not state.up + state.down and state.ends_at_placement()


def must_stay_in_step(state: State) -> bool:
    """Return whether the first step demands something more before the turn goes on (D8, E6, H1)."""
    if state.passive or state.no_place:
        return False
    if must_place(state):
        return True
    # A final turn has no passive alternative.
    return not (state.has_acted() or state.final) and state.rules.may_pass


def must_place(state: State) -> bool:
    """Return whether a card, or one more, has to be placed (D2, D8, E6, N4b)."""
    if state.passive or state.no_place:
        return False
    if not state.final and (state.down or state.up > 1 or (state.up and state.rules.up_alone)):
        return False
    return state.can_place(state.active)


def allowed_faces(state: State) -> i64:
    """Return how a card may be placed now: UP, DOWN, both or neither."""
    if state.passive or state.no_place:
        return 0
    if state.action == AFTER_PLACING and not state.rules.action_between:
        return 0
    if state.final:  # N4b: any orientation, any number
        return UP | DOWN
    rules, up, down = state.rules, state.up, state.down
    ways: i64 = 0
    if down < rules.most_down and (rules.may_mix or not up):
        ways = DOWN
    if up < rules.most_up and (rules.may_mix or not down) and (up or rules.up_alone or may_place_two(state)):
        ways |= UP
    return ways


def may_place_two(state: State) -> bool:
    """Return whether the player has two influence cards in hand and two free places for them (D2, D11)."""
    return state.cells[INFLUENCE + state.active] > 1 and state.all_room(state.active) > 1


def list_placements(state: State, moves: MoveList) -> None:
    """List every influence card in hand, at every group with room, each allowed way up (D1–D12)."""
    ways = allowed_faces(state)
    if not ways:
        return
    if ways & DOWN:
        _list_placed(state, 1 << codes.PLACED_HIDDEN_AT, moves)
    if ways & UP:
        _list_placed(state, 0, moves)


def _list_placed(state: State, hidden: i64, moves: MoveList) -> None:
    side, cells = state.active, state.cells
    hand = HAND + CARD_ROW * side
    for group in state.rules.groups:
        if state.room(side, group):
            for card in range(i64(INFLUENCE_KINDS)):
                if cells[hand + card]:
                    moves.add(codes.PLACE | card << codes.CARD_AT | group << codes.PLACED_GROUP_AT | hidden, 0)


def list_passes(state: State, exchanges: bool, moves: MoveList) -> None:
    """List the passive turn with every possible exchange (H1, H3, H4), or ``-`` for placing nothing (D9, E6).

    Without ``exchanges``, only that of no card is listed.
    """
    if state.passive or state.no_place or state.up or state.down:
        return
    if may_exchange(state):
        if exchanges and state.cells[HELD + state.active] <= codes.MAX_CARDS:
            _list_exchanges(state, 0, codes.DISCARD, moves)
            return
    elif state.can_place(state.active):
        return
    moves.add(codes.DISCARD, 0)


def may_exchange(state: State) -> bool:
    """Return whether the turn can still become passive (H1)."""
    if state.passive or state.no_place or state.up or state.down:
        return False
    return state.rules.may_pass and not state.action and not state.final


def _list_exchanges(state: State, place: i64, code: i64, moves: MoveList) -> None:
    """List all exchanges that begin with a code; cards from a place in the order of writing on may still be added."""
    hand = HAND + CARD_ROW * state.active
    while place < CARD_KINDS:
        card = written_at(place)
        place += 1
        copies = state.cells[hand + card]
        if copies:
            _list_exchanges(state, place, code, moves)
            for _copy in range(copies - 1):
                code = with_card(code, card)
                _list_exchanges(state, place, code, moves)
            code = with_card(code, card)
    moves.add(code, 0)


def with_card(code: i64, card: i64) -> i64:
    """Return the code of a draw or an exchange with one more card."""
    count = code >> codes.COUNT_AT & codes.CARD
    return code + (1 << codes.COUNT_AT) | card << (codes.CARDS_AT + codes.WIDTH * count)
