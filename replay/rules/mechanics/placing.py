"""What placing, passing, exchanging and drawing cards do, and the choice of a mission."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation import codes
from ....notation.cards import INFLUENCE_KINDS
from ..layout import BY_FULL_SIDE, CARD_ROW, HAND, HELD, INFLUENCE, INFLUENCE_PILE, KEPT, UNSEEN
from ..state import State
from .hands import discard_unseen, draw, lay, take
from .turns import check_game_end


def do_place(state: State, code: i64) -> None:
    """Place a card."""
    side, cells = state.active, state.cells
    card, group = code >> codes.CARD_AT & codes.CARD, code >> codes.PLACED_GROUP_AT & codes.GROUP
    hidden = code >> codes.PLACED_HIDDEN_AT & 1 != 0
    at = HAND + CARD_ROW * side + card
    held: i64 = cells[at]
    if held > 0 and card < INFLUENCE_KINDS:
        cells[at] = held - 1
        cells[HELD + side] = cells[HELD + side] - 1
        cells[INFLUENCE + side] = cells[INFLUENCE + side] - 1
    else:
        take(state, side, card)
    lay(state, side, group, card, hidden)
    if hidden:
        state.down += 1
    else:
        state.up += 1
    if state.rules.watch:
        check_game_end(state)


def do_discard(state: State, code: i64) -> None:
    """Exchange cards in a passive turn, or place nothing."""
    rest = code >> codes.CARDS_AT
    count = code >> codes.COUNT_AT & codes.CARD
    for _card in range(count):
        take(state, state.active, rest & codes.CARD)
        discard_unseen(state, state.active, rest & codes.CARD)
        rest >>= codes.WIDTH
    if state.rules.may_pass and not (state.has_acted() or state.final):
        state.passive = True
        state.discarded += count
        if state.rules.watch:
            check_game_end(state)
    else:
        state.no_place = True
        if state.ends_at_placement() and not state.up + state.down:
            state.over = BY_FULL_SIDE


def do_draw(state: State, code: i64) -> None:
    """Draw cards."""
    side, cells = state.active, state.cells
    rest = code >> codes.CARDS_AT
    count = code >> codes.COUNT_AT & codes.CARD
    influence: i64 = 0
    for _card in range(count):
        card = rest & codes.CARD
        rest >>= codes.WIDTH
        if card < INFLUENCE_KINDS:
            hand, unseen = HAND + CARD_ROW * side + card, UNSEEN + CARD_ROW * side + card
            cells[hand] = cells[hand] + 1
            cells[unseen] = cells[unseen] - 1
            influence += 1
        else:
            draw(state, side, card)
    if influence:
        cells[HELD + side] = cells[HELD + side] + influence
        cells[INFLUENCE + side] = cells[INFLUENCE + side] + influence
        cells[INFLUENCE_PILE + side] = cells[INFLUENCE_PILE + side] - influence
    if state.passive:
        state.discarded -= count
        if state.discarded < 0:
            state.discarded = 0


def do_choose(state: State, code: i64) -> None:
    """Keep a mission."""
    side = code >> codes.SIDE_AT & 1
    state.choosing &= ~(1 + side)
    state.cells[KEPT + side] = code >> codes.KEPT_AT
