"""What the action cards and the veto do to the cards."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation import codes
from ....notation.cards import INFLUENCE_KINDS, SOME_ACTION, SOME_INFLUENCE, VETO
from ....notation.codes import UNKNOWN_SLOT, column_of
from .. import layout
from ..sequences import action_card, as_sequence, counts_in, end_of, first_of, in_sequence, target, without_one
from ..state import State
from . import hands
from .turns import check_game_end


def do_action(state: State, code: i64, code2: i64, vetoed: bool) -> None:
    """Play an action card from the hand; it takes effect unless it is ``vetoed`` next."""
    kind = code & codes.KIND
    hands.discard_from_hand(state, state.active, action_card(kind))
    state.action = layout.BEFORE_PLACING
    if state.up or state.down:
        state.action = layout.AFTER_PLACING
    state.vetoed = layout.NOT_VETOED
    if vetoed:
        state.vetoed = layout.ANNOUNCED
    elif kind == codes.ASSASSINATE:
        do_assassinate(state, code)
    elif kind == codes.SCOUT:
        do_scout(state, code)
    elif kind == codes.WRATH:
        hands.clear_group(state, code >> codes.GROUP_AT & codes.GROUP)
    elif kind == codes.CASTLE:
        do_castle(state, code, code2)
    else:
        do_spy(state, code, code2)


def do_assassinate(state: State, code: i64) -> None:
    """Discard a card of the opponent."""
    victim, group = 1 - state.active, code >> codes.GROUP_AT & codes.GROUP
    hidden = code >> codes.TARGET_HIDDEN_AT & 1 != 0
    written = (code >> codes.TARGET_AT) - 1
    cells, at = state.cells, layout.GROUP_ROW * victim + group
    if hidden:
        at += layout.FACE_DOWN
    cards, count = cells[layout.UP + at], cells[layout.UP_COUNT + at]
    place = target(cards, count, code >> codes.POSITION_AT & codes.POSITION, written)
    if place < 0:
        if not count or (written >= 0 and written != SOME_INFLUENCE and not cells[layout.DOUBTED + victim]):
            raise hands.ImpossibleMoveError
        cards = as_sequence(hands.forget_column(state, victim, in_sequence(cards, count)))
        place = 0
    card = cards >> codes.WIDTH * place & codes.CARD
    hands.set_sequence(state, victim, group, hidden, without_one(cards, place), count - 1)
    if (card == SOME_INFLUENCE or cells[layout.DOUBTED + victim]) and written >= 0 and written != SOME_INFLUENCE:
        card = written
        unseen = layout.UNSEEN + layout.CARD_ROW * victim + card
        cells[unseen] = cells[unseen] - 1
    hands.discard(state, victim, card)


def do_scout(state: State, code: i64) -> None:
    """Turn up the opponent's cards at a group."""
    victim, group = 1 - state.active, code >> codes.GROUP_AT & codes.GROUP
    cells, at = state.cells, layout.GROUP_ROW * victim + group
    unknown = counts_in(cells[layout.HIDDEN + at], cells[layout.HIDDEN_COUNT + at]) >> codes.WIDTH * UNKNOWN_SLOT
    if not (unknown or cells[layout.DOUBTED + victim]):
        hands.turn_up_known(state, victim, group)
        return
    hidden = in_sequence(cells[layout.HIDDEN + at], cells[layout.HIDDEN_COUNT + at])
    hidden = hands.identified(state, victim, hidden, list(column_of(code >> codes.SEEN_AT)))
    up = in_sequence(cells[layout.UP + at], cells[layout.UP_COUNT + at])
    hands.set_column(state, victim, group, True, [])
    hands.set_column(state, victim, group, False, up + hidden)


def do_castle(state: State, code: i64, code2: i64) -> None:
    """Rearrange the player's own cards at two groups, face down."""
    side, first, second = state.active, code >> codes.GROUP_AT & codes.GROUP, code >> codes.SECOND_AT & codes.GROUP
    lifted = state.count(side, first) + state.count(side, second)
    if not code >> codes.SPLIT_WRITTEN_AT & 1:
        if lifted:
            raise hands.MissingCardsError
        return
    at_first, at_second = code >> codes.FIRST_COUNT_AT & codes.CARD, code2 & codes.CARD
    if at_first + at_second != lifted:
        raise hands.ImpossibleMoveError
    cells, unseen = state.cells, layout.UNSEEN + layout.CARD_ROW * side
    laid = counts_in(code >> codes.FIRST_CARDS_AT, at_first) + counts_in(code2 >> codes.WIDTH, at_second)
    before = state.counts_at(side, first) + state.counts_at(side, second)
    if before != laid:
        # Cards picked up go back among the unseen, and cards laid down leave them: the known identities must balance.
        for card in range(i64(INFLUENCE_KINDS)):
            cells[unseen + card] = (
                cells[unseen + card]
                + (before >> codes.WIDTH * card & codes.CARD)
                - (laid >> codes.WIDTH * card & codes.CARD)
            )
    if laid >> codes.WIDTH * UNKNOWN_SLOT:
        cells[layout.HAS_UNKNOWN_CARDS + side] = 1
    hands.set_sequence(state, side, first, False, 0, 0)
    hands.set_sequence(state, side, first, True, code >> codes.FIRST_CARDS_AT, at_first)
    hands.set_sequence(state, side, second, False, 0, 0)
    hands.set_sequence(state, side, second, True, code2 >> codes.WIDTH, at_second)


def do_spy(state: State, code: i64, code2: i64) -> None:
    """Discard a card from the opponent's hand, for which another may be drawn."""
    card, drawn = (code >> codes.CARD_AT & codes.CARD) - 1, (code >> codes.SPY_DRAW_AT & codes.CARD) - 1
    if card < 0:
        raise hands.MissingCardsError
    victim = 1 - state.active
    if code >> codes.HAND_WRITTEN_AT & 1:
        name_hand(state, victim, code2)
    hands.discard_from_hand(state, victim, card)
    if drawn >= 0:
        hands.draw(state, victim, drawn)
    if state.rules.watch:
        check_game_end(state)


def name_hand(state: State, side: i64, counts: i64) -> None:
    """Give the unknown cards of a hand the names under which a spy saw them."""
    cells, hand = state.cells, layout.HAND + layout.CARD_ROW * side
    for some in (SOME_INFLUENCE, SOME_ACTION):
        for card in range(first_of(some), end_of(some)):
            new: i64 = min((counts >> codes.WIDTH * card & codes.CARD) - cells[hand + card], cells[hand + some])
            if new > 0:
                hands.change_hand(state, side, some, -new)
                hands.change_hand(state, side, card, new)
                unseen = layout.UNSEEN + layout.CARD_ROW * side + card
                cells[unseen] = cells[unseen] - new


def do_veto(state: State, code: i64) -> None:
    """Cancel the action just announced with a veto from the opponent's hand, for which another card may be drawn."""
    owner = 1 - state.active
    hands.discard_from_hand(state, owner, VETO)
    state.vetoed = layout.VETOED
    drawn = (code >> codes.VETO_DRAW_AT) - 1
    if drawn >= 0:
        hands.draw(state, owner, drawn)
