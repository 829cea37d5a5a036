"""The law of the action cards and of the veto."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation import codes
from ....notation.cards import (
    CARD_KINDS,
    INFLUENCE_KINDS,
    SOME_ACTION,
    SOME_INFLUENCE,
    SPY,
    VETO,
    high_to_low,
)
from ....notation.codes import UNKNOWN_SLOT, cards_of, column_of, decode, hand_of
from .. import layout
from ..fault import Faults, add
from ..ruleset import NO_LIMIT
from ..sequences import action_card, counts_in, end_of, first_of, in_sequence, target, unknown_card_like
from ..state import State
from .base import fits, in_play, late_or_passive, must_hold, number_of, replacement


def judge_action(state: State, code: i64, code2: i64, vetoed: bool, faults: Faults) -> None:
    """Note what is wrong with an action. ``vetoed``: it is only announced, because a veto follows."""
    kind = code & codes.KIND
    _judge_card(state, action_card(kind), code, code2, faults)
    if kind == codes.ASSASSINATE:
        judge_assassinate(state, code, vetoed, faults)
    elif kind == codes.SCOUT:
        judge_scout(state, code, vetoed, faults)
    elif kind == codes.WRATH:
        judge_wrath(state, code, faults)
    elif kind == codes.CASTLE:
        judge_castle(state, code, code2, vetoed, faults)
    else:
        judge_spy(state, code, code2, vetoed, faults)


def _judge_card(state: State, card: i64, code: i64, code2: i64, faults: Faults) -> None:
    """Note what is wrong with any action card (E1–E9)."""
    cells, rules, side = state.cells, state.rules, state.active
    if state.stage or state.passive:
        late_or_passive(state, code, code2, 0, faults)
    if state.action:
        add(faults, "R301", {"card": card, "vetoed": state.vetoed == layout.VETOED})
    if not (state.up or state.down) and rules.action_needs_influence and not cells[layout.INFLUENCE + side]:
        add(faults, "R302", {"card": card})
    if not rules.actions[card]:
        add(faults, "R303", {"card": card})
    elif cells[layout.HAND + layout.CARD_ROW * side + card] <= 0:
        must_hold(state, side, card, faults)


def judge_assassinate(state: State, code: i64, vetoed: bool, faults: Faults) -> None:
    """Note what is wrong with an assassination (F1, K18)."""
    group = code >> codes.GROUP_AT & codes.GROUP
    if not in_play(state, group, faults):
        return
    victim = 1 - state.active
    hidden = code >> codes.TARGET_HIDDEN_AT & 1 != 0
    cells, at = state.cells, layout.GROUP_ROW * victim + group
    if hidden:
        at += layout.FACE_DOWN
    lying, count = cells[layout.UP + at], cells[layout.UP_COUNT + at]
    known = 0 < code >> codes.TARGET_AT <= SOME_INFLUENCE
    if hidden and not state.rules.assassinate_hidden:
        add(faults, "R304", {"group": group})
    elif not count or code >> codes.POSITION_AT & codes.POSITION > count:
        add(faults, "R305", {"group": group, "hidden": hidden, "count": count})
    elif vetoed and hidden and known:
        _only_announced(code, 0, known, faults)
    else:
        _judge_hit(state, code, vetoed, lying, count, faults)


def _judge_hit(state: State, code: i64, vetoed: bool, lying: i64, count: i64, faults: Faults) -> None:
    """Note a fault if nobody can say which of the cards there is hit, or if it can't be the one that is named."""
    group, card = code >> codes.GROUP_AT & codes.GROUP, (code >> codes.TARGET_AT) - 1
    place = target(lying, count, code >> codes.POSITION_AT & codes.POSITION, card)
    if card < 0:
        if place < 0 and not vetoed and not counts_in(lying, count) >> codes.WIDTH * UNKNOWN_SLOT:
            add(faults, "R307", {"group": group, "count": count})
    elif card < SOME_INFLUENCE and not state.cells[layout.DOUBTED + 1 - state.active]:
        if place < 0:
            add(faults, "R306", {"group": group, "card": card, "there": high_to_low(in_sequence(lying, count))})
            return
        hit = lying >> codes.WIDTH * place & codes.CARD
        # An unknown card may be any that has not been seen elsewhere.
        unseen = state.cells[layout.UNSEEN + layout.CARD_ROW * (1 - state.active) + card]
        if hit != card and not (hit == SOME_INFLUENCE and unseen > 0):
            add(faults, "R306", {"group": group, "card": card, "there": (hit,)})


def judge_scout(state: State, code: i64, vetoed: bool, faults: Faults) -> None:
    """Note what is wrong with a scout (F2)."""
    group, seen = code >> codes.GROUP_AT & codes.GROUP, code >> codes.SEEN_AT
    if not in_play(state, group, faults):
        return
    victim = 1 - state.active
    cells, at = state.cells, layout.GROUP_ROW * victim + group
    count: i64 = cells[layout.HIDDEN_COUNT + at]
    if not count and state.rules.null_forbidden:
        add(faults, "R308", {"token": decode(code)})
    if not code >> codes.SEEN_WRITTEN_AT & 1:
        return
    if vetoed and seen:
        _only_announced(code, 0, seen & ~(codes.CARD << codes.WIDTH * UNKNOWN_SLOT) != 0, faults)
    elif not vetoed and not fits(state, victim, seen, counts_in(cells[layout.HIDDEN + at], count)):
        there = high_to_low(in_sequence(cells[layout.HIDDEN + at], count))
        add(faults, "R309", {"group": group, "seen": column_of(seen), "there": there})


def judge_wrath(state: State, code: i64, faults: Faults) -> None:
    """Note what is wrong with wrath of the gods (F6)."""
    group = code >> codes.GROUP_AT & codes.GROUP
    if in_play(state, group, faults) and not state.cells[layout.TOTAL + group] and state.rules.null_forbidden:
        add(faults, "R308", {"token": decode(code)})


def judge_castle(state: State, code: i64, code2: i64, vetoed: bool, faults: Faults) -> None:
    """Note what is wrong with a castling (F4, F5)."""
    first, second = code >> codes.GROUP_AT & codes.GROUP, code >> codes.SECOND_AT & codes.GROUP
    if first == second:
        add(faults, "R310", {"group": first})
        return
    if not (in_play(state, first, faults) and in_play(state, second, faults)):
        return
    side = state.active
    lifted = state.count(side, first) + state.count(side, second)
    if not lifted and state.rules.null_forbidden:
        add(faults, "R308", {"token": decode(code, code2)})
    if not code >> codes.SPLIT_WRITTEN_AT & 1:
        return
    at_first, at_second = code >> codes.FIRST_COUNT_AT & codes.CARD, code2 & codes.CARD
    laid = counts_in(code >> codes.FIRST_CARDS_AT, at_first) + counts_in(code2 >> codes.WIDTH, at_second)
    if vetoed:
        _only_announced(code, code2, laid & ~(codes.CARD << codes.WIDTH * UNKNOWN_SLOT) != 0, faults)
        return
    there = state.counts_at(side, first) + state.counts_at(side, second)
    if at_first + at_second != lifted or not fits(state, side, laid, there):
        down = state.column(side, first) + state.column(side, second)
        up = cards_of(code >> codes.FIRST_CARDS_AT, at_first) + cards_of(code2 >> codes.WIDTH, at_second)
        add(faults, "R311", {"token": decode(code, code2), "laid": high_to_low(up), "lifted": high_to_low(down)})
    _judge_laid(state, first, at_first, faults)
    _judge_laid(state, second, at_second, faults)


def _judge_laid(state: State, group: i64, count: i64, faults: Faults) -> None:
    """Note a fault if a castling leaves more cards at a group than it may hold (D4, D5)."""
    rules = state.rules
    if count > rules.side_limit:
        add(faults, "R312", {"group": group, "limit": rules.side_limit})
    elif rules.total_limit < NO_LIMIT and count + state.count(1 - state.active, group) > rules.total_limit:
        add(faults, "R313", {"group": group, "limit": rules.total_limit})


def _only_announced(code: i64, code2: i64, known: bool, faults: Faults) -> None:
    """Note a fault if a card of a vetoed action is ``known``: nobody gets to see one (E3, F8)."""
    if known:
        add(faults, "R317", {"token": decode(code, code2)})


def judge_spy(state: State, code: i64, code2: i64, vetoed: bool, faults: Faults) -> None:
    """Note what is wrong with a spy (F3)."""
    if not state.rules.actions[SPY]:
        return
    owner = 1 - state.active
    if not state.cells[layout.HELD + owner]:
        add(faults, "R314", {"owner": owner})
        return
    if vetoed:
        if code >> codes.CARD_AT:
            add(faults, "R317", {"token": decode(code, code2)})
        return
    card, seen = (code >> codes.CARD_AT & codes.CARD) - 1, code >> codes.HAND_WRITTEN_AT & 1
    if card < 0:
        add(faults, "R315", {"owner": owner})
        return
    if seen and not hand_fits(state, owner, code2):
        add(faults, "R316", {"owner": owner, "seen": hand_of(code2), "there": hand_cards(state, owner)})
    elif seen and not _is_among(card, code2):
        add(faults, "R203", {"owner": owner, "card": card})
    else:
        must_hold(state, owner, card, faults)
    replacement(state, owner, (code >> codes.SPY_DRAW_AT & codes.CARD) - 1, state.rules.spy_draw, "spy_draw", faults)


def hand_cards(state: State, side: i64) -> tuple[int, ...]:
    """Return the cards of a hand, by code."""
    cells, hand = state.cells, layout.HAND + layout.CARD_ROW * side
    return tuple([card for card in range(CARD_KINDS) for _ in range(cells[hand + card])])


def hand_fits(state: State, side: i64, seen: i64) -> bool:
    """Return whether a hand may be the one that a spy saw, given as counts."""
    cells, hand, unseen = state.cells, layout.HAND + layout.CARD_ROW * side, layout.UNSEEN + layout.CARD_ROW * side
    influence: i64 = seen >> codes.WIDTH * SOME_INFLUENCE & codes.CARD
    for card in range(i64(INFLUENCE_KINDS)):
        influence += seen >> codes.WIDTH * card & codes.CARD
    if number_of(seen) != cells[layout.HELD + side] or influence != cells[layout.INFLUENCE + side]:
        return False
    for some in (SOME_INFLUENCE, SOME_ACTION):
        strange: i64 = 0
        for kind in range(first_of(some), end_of(some)):
            excess: i64 = (seen >> codes.WIDTH * kind & codes.CARD) - cells[hand + kind]
            if excess > 0:
                strange += excess
                if excess > cells[unseen + kind]:
                    return False
        if strange > cells[hand + some]:
            return False
    return True


def _is_among(card: i64, seen: i64) -> bool:
    """Return whether a card may be one of those that a spy saw."""
    some = unknown_card_like(card)
    if seen >> codes.WIDTH * some & codes.CARD or seen >> codes.WIDTH * card & codes.CARD:
        return True
    if card != some:
        return False
    for kind in range(first_of(some), end_of(some)):
        if seen >> codes.WIDTH * kind & codes.CARD:
            return True
    return False


def judge_veto(state: State, code: i64, faults: Faults) -> None:
    """Note what is wrong with a veto (F7–F10)."""
    if state.vetoed != layout.ANNOUNCED:
        add(faults, "R319", {})  # nobody can say whose card it would be
        return
    owner = 1 - state.active
    must_hold(state, owner, VETO, faults)
    replacement(state, owner, (code >> codes.VETO_DRAW_AT) - 1, state.rules.veto_draw, "veto_draw", faults)
