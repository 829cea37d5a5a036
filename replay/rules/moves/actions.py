"""What each action card can do: all its targets and outcomes, derived from the rules (E5, E8, F1–F10)."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation import codes
from ....notation.cards import (
    ASSASSINATION,
    CARD_KINDS,
    CASTLING,
    HIGHEST,
    INFLUENCE_KINDS,
    SCOUT,
    SOME_ACTION,
    SOME_INFLUENCE,
    SPY,
    VETO,
    WRATH,
)
from ....notation.tokens import LAST_POSITION
from ...editions.choices import MAY_DRAW, MUST_DRAW
from .. import layout
from ..sequences import counts_in
from ..state import State
from .move_list import MoveList


def may_act(state: State) -> bool:
    """Return whether an action may be played at this point of the first step (E1, E2, E6, E7, E9)."""
    if state.action or state.passive:
        return False
    if state.up or state.down or state.cells[layout.INFLUENCE + state.active]:
        return True
    return not state.rules.action_needs_influence


def may_veto(state: State) -> bool:
    """Return whether the opponent may hold a veto (F7, N4c)."""
    cells, hand = state.cells, layout.HAND + layout.CARD_ROW * (1 - state.active)
    return cells[hand + VETO] > 0 or cells[hand + SOME_ACTION] > 0


def list_actions(state: State, moves: MoveList) -> None:
    """List every action with each of its outcomes; also as only announced, if it may be vetoed (E3, F7)."""
    if not may_act(state):
        return
    cells, hand = state.cells, layout.HAND + layout.CARD_ROW * state.active
    begin = moves.count
    for card in range(i64(INFLUENCE_KINDS), i64(SOME_INFLUENCE)):
        if cells[hand + card]:
            list_action(state, card, moves)
    if not may_veto(state):
        return
    last: i64 = 0
    for at in range(begin, moves.count):
        code = announced_code(moves.codes[2 * at])
        if code != last:
            moves.add(code | codes.ANNOUNCED_ONLY, 0)
            last = code


def list_action(state: State, card: i64, moves: MoveList) -> None:
    """List every outcome of an action card; nothing for a veto, which is not an action."""
    if card == ASSASSINATION:
        list_assassinations(state, moves)
    elif card == SCOUT:
        list_scouts(state, moves)
    elif card == WRATH:
        list_wraths(state, moves)
    elif card == CASTLING:
        list_castlings(state, moves)
    elif card == SPY:
        list_spies(state, moves)


def announced_code(code: i64) -> i64:
    """Return the action as it is named before the opponent decides about a veto (E3)."""
    kind = code & codes.KIND
    if kind == codes.ASSASSINATE and code >> codes.TARGET_HIDDEN_AT & 1:
        return code & (1 << codes.TARGET_AT) - 1
    if kind == codes.SCOUT:
        return code & (1 << codes.SEEN_WRITTEN_AT) - 1
    if kind == codes.CASTLE:
        return code & (1 << codes.SPLIT_WRITTEN_AT) - 1
    if kind == codes.SPY:
        return codes.SPY
    return code


def list_assassinations(state: State, moves: MoveList) -> None:
    """List every opposing face-up card, and face-down ones by position if the edition allows that (F1, K18)."""
    victim, cells = 1 - state.active, state.cells
    for group in state.rules.groups:
        if not cells[layout.LEFT + group]:
            continue
        at = layout.GROUP_ROW * victim + group
        base = codes.ASSASSINATE | group << codes.GROUP_AT
        counts = counts_in(cells[layout.UP + at], cells[layout.UP_COUNT + at])
        while counts:
            slot = highest(counts)
            moves.add(base | (card_of(slot) + 1) << codes.TARGET_AT, 0)
            counts &= ~(codes.CARD << codes.WIDTH * slot)
        if not state.rules.assassinate_hidden:
            continue
        hidden, count = cells[layout.HIDDEN + at], cells[layout.HIDDEN_COUNT + at]
        for place in range(count):
            if place == LAST_POSITION:
                break  # no word names the others
            position: i64 = 0
            if count > 1:
                position = place + 1
            moves.add(
                base
                | 1 << codes.TARGET_HIDDEN_AT
                | position << codes.POSITION_AT
                | ((hidden >> codes.WIDTH * place & codes.CARD) + 1) << codes.TARGET_AT,
                0,
            )


def list_scouts(state: State, moves: MoveList) -> None:
    """List every group, with what is turned up there (F2)."""
    cells, victim = state.cells, 1 - state.active
    for group in state.rules.groups:
        at = layout.GROUP_ROW * victim + group
        if not cells[layout.LEFT + group]:
            continue
        count = cells[layout.HIDDEN_COUNT + at]
        if count:
            moves.add(
                codes.SCOUT
                | group << codes.GROUP_AT
                | 1 << codes.SEEN_WRITTEN_AT
                | counts_in(cells[layout.HIDDEN + at], count) << codes.SEEN_AT,
                0,
            )
        elif not state.rules.null_forbidden:
            moves.add(codes.SCOUT | group << codes.GROUP_AT, 0)


def list_wraths(state: State, moves: MoveList) -> None:
    """List every group (F6)."""
    cells = state.cells
    for group in state.rules.groups:
        if cells[layout.LEFT + group] and (cells[layout.TOTAL + group] or not state.rules.null_forbidden):
            moves.add(codes.WRATH | group << codes.GROUP_AT, 0)


def list_castlings(state: State, moves: MoveList) -> None:
    """List every pair of groups, with every way to rearrange the player's own cards there (F4, F5)."""
    cells, groups = state.cells, state.rules.groups
    for place in range(len(groups)):
        if cells[layout.LEFT + groups[place]]:
            for other in range(place + 1, len(groups)):
                if cells[layout.LEFT + groups[other]]:
                    list_splits(state, groups[place], groups[other], moves)


def list_splits(state: State, first: i64, second: i64, moves: MoveList) -> None:
    """List every way to divide the player's own cards between two groups."""
    side = state.active
    total = state.count(side, first) + state.count(side, second)
    if total > codes.MAX_CARDS or not (total or not state.rules.null_forbidden):
        return
    counts = state.counts_at(side, first) + state.counts_at(side, second)
    base = codes.CASTLE | first << codes.GROUP_AT | second << codes.SECOND_AT | 1 << codes.SPLIT_WRITTEN_AT
    _list_splits(counts, 0, 0, most_at(state, first), most_at(state, second), base, moves)


def _list_splits(counts: i64, one: i64, two: i64, at_first: i64, at_second: i64, base: i64, moves: MoveList) -> None:
    """List every way to lay more cards at two groups, whose cards are given as sequences after their lengths."""
    if not counts:
        moves.add(base | one << codes.FIRST_COUNT_AT, two)
        return
    slot = highest(counts)
    card, copies = card_of(slot), counts >> codes.WIDTH * slot & codes.CARD
    for number in range(copies + 1):
        if (one & codes.CARD) + number <= at_first and (two & codes.CARD) + copies - number <= at_second:
            longer, other = with_copies(one, card, number), with_copies(two, card, copies - number)
            _list_splits(counts & ~(codes.CARD << codes.WIDTH * slot), longer, other, at_first, at_second, base, moves)


def highest(counts: i64) -> i64:
    """Return the place, in the counts of a column, of the card that is written first."""
    slot: i64 = HIGHEST
    while slot >= 0:
        if counts >> codes.WIDTH * slot & codes.CARD:
            return slot
        slot -= 1
    return codes.UNKNOWN_SLOT


def card_of(slot: i64) -> i64:
    """Return the card that stands at a place in the counts of a column."""
    if slot == codes.UNKNOWN_SLOT:
        return SOME_INFLUENCE
    return slot


def with_copies(code: i64, card: i64, copies: i64) -> i64:
    """Return a sequence, preceded by its length, with this many more copies of a card."""
    for _copy in range(copies):
        code = code + 1 | card << codes.WIDTH * (1 + (code & codes.CARD))
    return code


def most_at(state: State, group: i64) -> i64:
    """Return how many of their own cards the player may have at a group (D4, D5)."""
    rules = state.rules
    most: i64 = rules.total_limit - state.count(1 - state.active, group)
    if rules.side_limit < most:
        return rules.side_limit
    return most


def list_spies(state: State, moves: MoveList) -> None:
    """List every card of the opponent's hand, with every card that can be drawn for it (F3)."""
    victim = 1 - state.active
    cells, hand = state.cells, layout.HAND + layout.CARD_ROW * victim
    drawn = replacements(state, victim, state.rules.spy_draw)
    for card in range(i64(CARD_KINDS)):
        if cells[hand + card]:
            for new in range(i64(CARD_KINDS + 1)):
                if drawn >> new & 1:
                    moves.add(codes.SPY | (card + 1) << codes.CARD_AT | new << codes.SPY_DRAW_AT, 0)


def list_vetoes(state: State, moves: MoveList) -> None:
    """List the veto against the action just announced, with every card that its player can draw (F7–F10)."""
    drawn = replacements(state, 1 - state.active, state.rules.veto_draw)
    for new in range(i64(CARD_KINDS + 1)):
        if drawn >> new & 1:
            moves.add(codes.VETO | new << codes.VETO_DRAW_AT, 0)


def replacements(state: State, side: i64, rule: i64) -> i64:
    """Return what a side can draw out of turn, a bit each; the lowest bit: nothing, if it may or must (F3, F10, G2)."""
    cards: i64 = 0
    if rule & MAY_DRAW:
        cards = in_piles(state, side)
    if not (cards and rule & MUST_DRAW):
        return cards << 1 | 1
    return cards << 1


def in_piles(state: State, side: i64) -> i64:
    """Return what a side can draw, a bit each: any card in its piles, but only the top one if ordered (B8, G1, G2)."""
    cells, unseen = state.cells, layout.UNSEEN + layout.CARD_ROW * side
    cards: i64 = 0
    bit: i64 = 1
    if cells[layout.INFLUENCE_PILE + side]:
        for card in range(i64(INFLUENCE_KINDS)):
            if cells[unseen + card] > 0:
                cards |= bit << card
    order = state.orders[side]
    if order is not None:
        if order:
            cards |= bit << order[0]
    elif cells[layout.ACTION_PILE + side]:
        for card in range(i64(INFLUENCE_KINDS), i64(SOME_INFLUENCE)):
            if cells[unseen + card] > 0:
                cards |= bit << card
    return cards
