"""The law of placing influence cards, of passing, of exchanging and drawing cards, and of choosing missions."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation import codes
from ....notation.cards import SOME_ACTION, SOME_INFLUENCE
from ..fault import Faults, add
from ..layout import AFTER_PLACING, CARD_ROW, HAND, INFLUENCE, LEFT, TOTAL, UNSEEN
from ..sequences import end_of, first_of, in_sequence
from ..state import State
from .base import holds, in_order, in_play, late_or_passive, may_draw


def judge_place(state: State, code: i64, faults: Faults) -> None:
    """Note what is wrong with placing a card (D1–D12)."""
    rules, cells, side = state.rules, state.cells, state.active
    card, group = code >> codes.CARD_AT & codes.CARD, code >> codes.PLACED_GROUP_AT & codes.GROUP
    if state.stage or state.passive:
        late_or_passive(state, code, 0, 0, faults)
    if not (cells[HAND + CARD_ROW * side + card] > 0 or holds(state, side, card)):
        add(faults, "R203", {"owner": side, "card": card})
    if not cells[LEFT + group]:
        in_play(state, group, faults)
    elif state.count(side, group) >= rules.side_limit:
        add(faults, "R204", {"card": card, "group": group, "limit": rules.side_limit})
    elif cells[TOTAL + group] >= rules.total_limit:
        add(faults, "R205", {"card": card, "group": group, "limit": rules.total_limit})
    if state.no_place:
        add(faults, "R211", {})
    if state.final:
        return
    _judge_way(state, code, faults)


def _judge_way(state: State, code: i64, faults: Faults) -> None:
    """Note what is wrong with one more card, this way up, after those already placed this turn (D1, D2, D13, E2)."""
    rules = state.rules
    same, other, most = state.up, state.down, rules.most_up
    if code >> codes.PLACED_HIDDEN_AT & 1:
        same, other, most = other, same, rules.most_down
    placed = same + other
    if placed >= rules.most_placed and (rules.may_mix or other or most > 1):
        add(faults, "R207", {"token": codes.decode(code), "placed": placed})
        if not most:
            add(faults, "R210", {"token": codes.decode(code)})
    elif same >= most or (other and not rules.may_mix):
        add(faults, "R210", {"token": codes.decode(code)})
    elif not (code >> codes.PLACED_HIDDEN_AT & 1 or placed or rules.up_alone):
        held = state.cells[INFLUENCE + state.active]
        if held < 2 or not _has_room(state, 2):
            add(faults, "R208", {"token": codes.decode(code), "held": held})
    if placed == 1 and state.action == AFTER_PLACING and not rules.action_between:
        add(faults, "R212", {"token": codes.decode(code)})


def _has_room(state: State, cards: i64) -> bool:
    """Return whether the player may place this many more cards at all groups together."""
    side = state.active
    for group in state.rules.groups:
        cards -= state.room(side, group)
        if cards <= 0:
            return True
    return False


def judge_discard(state: State, code: i64, faults: Faults) -> None:
    """Note what is wrong with exchanging cards, or placing nothing (D9, E6, H1–H4)."""
    count, active = code >> codes.COUNT_AT & codes.CARD, state.active
    if state.stage:
        in_order(state, code, 0, 0, faults)
    if not _hold_all(state, active, count, code >> codes.CARDS_AT):
        for card in not_held(state, active, in_sequence(code >> codes.CARDS_AT, count)):
            add(faults, "R203", {"owner": active, "card": card})
    if state.passive:
        add(faults, "R604", {"token": codes.decode(code)})
    elif not state.rules.may_pass or state.has_acted() or state.final:
        _judge_no_place(state, code, faults)


def _judge_no_place(state: State, code: i64, faults: Faults) -> None:
    """Note what is wrong with placing nothing in a turn that is not passive (D9, E6)."""
    if code >> codes.COUNT_AT & codes.CARD:
        add(faults, "R605", {"token": codes.decode(code)})
    elif state.up or state.down or state.no_place:
        add(faults, "R211", {})
    elif state.can_place(state.active):
        add(faults, "R209" if state.final else "R206", {})


def _hold_all(state: State, side: i64, count: i64, cards: i64) -> bool:
    """Return whether all of these cards are known to be in a hand: the quick answer for nearly every exchange."""
    cells, hand = state.cells, HAND + CARD_ROW * side
    for place in range(count):
        card = cards >> codes.WIDTH * place & codes.CARD
        copies: i64 = 1
        for before in range(place):
            if cards >> codes.WIDTH * before & codes.CARD == card:
                copies += 1
        if copies > cells[hand + card]:
            return False
    return True


def not_held(state: State, side: i64, cards: list[int]) -> list[int]:
    """Return which of these cards a hand lacks, as far as the record shows what it holds."""
    cells, hand, unseen = state.cells, HAND + CARD_ROW * side, UNSEEN + CARD_ROW * side
    lacking: list[int] = []
    for some in (SOME_INFLUENCE, SOME_ACTION):
        spare: i64 = cells[hand + some]
        others: i64 = 0
        for card in range(first_of(some), end_of(some)):
            strange: i64 = cards.count(card) - cells[hand + card]
            if strange > 0:
                spare -= strange
                if spare < 0 or strange > cells[unseen + card]:
                    lacking.append(card)
            else:
                others -= strange
        unknown: i64 = cards.count(some)
        if spare >= 0 and unknown > spare + others:
            lacking.append(some)
    return lacking


def judge_choose(state: State, code: i64, faults: Faults) -> None:
    """Note what is wrong with keeping a mission (M1, M2)."""
    side, kept = code >> codes.SIDE_AT & 1, code >> codes.KEPT_AT
    held = len(state.missions[side])
    # In a position, a player with fewer than two has nothing to choose; saying so is no fault.
    single = held < 2 and state.emptied == 1 and state.rules.chooses_mission
    if not (single or state.must_choose(side)):
        add(faults, "R701", {"owner": side})
    elif held and kept > held:
        add(faults, "R703", {"owner": side, "kept": kept})


def judge_draw(state: State, code: i64, place: i64, faults: Faults) -> None:
    """Note what is wrong with drawing cards (G1, G2, H1)."""
    count = code >> codes.COUNT_AT & codes.CARD
    if place < state.stage:
        in_order(state, code, 0, place, faults)
    limit = state.draw_limit()
    if count > limit:
        add(faults, "R501", {"drawn": count, "limit": limit})
    may_draw(state, state.active, count, code >> codes.CARDS_AT, faults)
