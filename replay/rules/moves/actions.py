"""What each action card can do: all targets and all outcomes of a card, made from the rules (E5, E8, F1–F10)."""

from __future__ import annotations

from mypy_extensions import i64

from ....notation.cards import ASSASSINATION, CASTLING, SCOUT, SOME_ACTION, SOME_INFLUENCE, SPY, VETO, WRATH
from ....notation.codes import ANNOUNCED_ONLY, ASSASSINATE, CASTLE, KIND, MOST_CARDS
from ....notation.codes import SCOUT as SCOUT_CODE
from ....notation.codes import SPY as SPY_CODE
from ....notation.codes import VETO as VETO_CODE
from ....notation.codes import WRATH as WRATH_CODE
from ..cards import counts_in, in_sequence
from ..layout import (
    ACTION_PILE,
    CARD_KINDS,
    HAND,
    HIDDEN,
    HIDDEN_COUNT,
    INFLUENCE,
    INFLUENCE_PILE,
    LEFT,
    TOTAL,
    UNSEEN,
    UP,
    UP_COUNT,
)
from ..ruleset import NEVER, OPTIONAL
from ..state import State


def may_act(state: State) -> bool:
    """Return whether an action may be played at this point of the first step (E1, E2, E6, E7, E9)."""
    if state.action or state.passive:
        return False
    if state.up or state.down or state.cells[INFLUENCE + state.active]:
        return True
    return not state.rules.action_needs_influence


def may_veto(state: State) -> bool:
    """Return whether the opponent may hold a veto (F7, N4c)."""
    cells, hand = state.cells, HAND + 16 * (1 - state.active)
    return cells[hand + VETO] > 0 or cells[hand + SOME_ACTION] > 0


def list_actions(state: State, found: list[int]) -> None:
    """List every action with everything it can bring about; and announced only, where it may be vetoed (E3, F7)."""
    if not may_act(state):
        return
    cells, hand = state.cells, HAND + 16 * state.active
    begin = len(found)
    if cells[hand + ASSASSINATION]:
        list_assassinations(state, found)
    if cells[hand + SCOUT]:
        list_scouts(state, found)
    if cells[hand + WRATH]:
        list_wraths(state, found)
    if cells[hand + CASTLING]:
        list_castlings(state, found)
    if cells[hand + SPY]:
        list_spies(state, found)
    if not may_veto(state):
        return
    last: i64 = 0
    for at in range(begin, len(found), 2):
        code = announced_code(found[at])
        if code != last:
            found.append(code | ANNOUNCED_ONLY)
            found.append(0)
            last = code


def announced_code(code: i64) -> i64:
    """Return the action as it is named before the opponent decides about his veto (E3)."""
    kind = code & KIND
    if kind == ASSASSINATE and code >> 7 & 1:
        return code & 0xFFFF
    if kind == SCOUT_CODE:
        return code & 0x7F
    if kind == CASTLE:
        return code & 0x3FF
    if kind == SPY_CODE:
        return SPY_CODE
    return code


def list_assassinations(state: State, found: list[int]) -> None:
    """List every opposing face-up card, and face-down ones by position where the edition has that (F1, K18)."""
    victim, cells = 1 - state.active, state.cells
    for group in state.rules.groups:
        if not cells[LEFT + group]:
            continue
        here: i64 = group
        at = 8 * victim + here
        base = ASSASSINATE | here << 4
        counts = counts_in(cells[UP + at], cells[UP_COUNT + at])
        for place in range(7):
            card: i64 = 5 - place if place < 6 else SOME_INFLUENCE
            if counts >> 4 * (card if place < 6 else 6) & 15:
                found.append(base | (card + 1) << 16)
                found.append(0)
        if not state.rules.assassinate_hidden:
            continue
        hidden = in_sequence(cells[HIDDEN + at], cells[HIDDEN_COUNT + at])
        several = len(hidden) > 1
        for place in range(len(hidden)):
            position: i64 = place + 1 if several else 0
            lying: i64 = hidden[place]
            found.append(base | 1 << 7 | position << 8 | (lying + 1) << 16)
            found.append(0)


def list_scouts(state: State, found: list[int]) -> None:
    """List every group, with what is turned up there (F2)."""
    cells, victim = state.cells, 1 - state.active
    for group in state.rules.groups:
        here: i64 = group
        at = 8 * victim + here
        if not cells[LEFT + here]:
            continue
        count: i64 = cells[HIDDEN_COUNT + at]
        if count:
            found.append(SCOUT_CODE | here << 4 | 1 << 7 | counts_in(cells[HIDDEN + at], count) << 8)
            found.append(0)
        elif not state.rules.null_forbidden:
            found.append(SCOUT_CODE | here << 4)
            found.append(0)


def list_wraths(state: State, found: list[int]) -> None:
    """List every group (F6)."""
    cells = state.cells
    for group in state.rules.groups:
        here: i64 = group
        if cells[LEFT + here] and (cells[TOTAL + here] or not state.rules.null_forbidden):
            found.append(WRATH_CODE | here << 4)
            found.append(0)


def list_castlings(state: State, found: list[int]) -> None:
    """List every two groups, with every way to lay one's own cards there again (F4, F5)."""
    groups = [group for group in state.rules.groups if state.cells[LEFT + group]]
    for place in range(len(groups)):
        for other in range(place + 1, len(groups)):
            list_splits(state, groups[place], groups[other], found)


def list_splits(state: State, first: i64, second: i64, found: list[int]) -> None:
    """List every way to lay one's own cards at two groups."""
    cells, side = state.cells, state.active
    counts: i64 = 0
    for at in (8 * side + first, 8 * side + second):
        counts += counts_in(cells[UP + at], cells[UP_COUNT + at])
        counts += counts_in(cells[HIDDEN + at], cells[HIDDEN_COUNT + at])
    total = state.count(side, first) + state.count(side, second)
    if total > MOST_CARDS or not (total or not state.rules.null_forbidden):
        return
    most_first, most_second = most_at(state, first), most_at(state, second)
    base = CASTLE | first << 4 | second << 7 | 1 << 10
    # Pairs of sequences with their lengths: what is laid at the first group, and the rest at the second.
    firsts: list[int] = [0]
    seconds: list[int] = [0]
    for place in range(7):
        card: i64 = 5 - place if place < 6 else SOME_INFLUENCE
        copies = counts >> 4 * (card if place < 6 else 6) & 15
        if not copies:
            continue
        more_firsts: list[int] = []
        more_seconds: list[int] = []
        for each in range(len(firsts)):
            one: i64 = firsts[each]
            two: i64 = seconds[each]
            for _ in range(copies):
                two = laid_too(two, card)
            for number in range(copies + 1):
                more_firsts.append(one)
                more_seconds.append(two)
                if number < copies:
                    one = laid_too(one, card)
                    two = without_last(two)
        firsts = more_firsts
        seconds = more_seconds
    for each in range(len(firsts)):
        one = firsts[each]
        two = seconds[each]
        if one & 15 <= most_first and two & 15 <= most_second:
            found.append(base | one << 11)
            found.append(two)


def laid_too(code: i64, card: i64) -> i64:
    """Return a sequence that begins with its length with one more card."""
    count = code & 15
    return code + 1 | card << (4 + 4 * count)


def without_last(code: i64) -> i64:
    """Return a sequence that begins with its length without its last card."""
    place = 4 * (code & 15)
    last = code >> place & 15  # compiled, a shifted constant has 32 bits
    return code - (last << place) - 1


def most_at(state: State, group: i64) -> i64:
    """Return how many own cards the player may have at a group (D4, D5); never more than a code can tell."""
    rules = state.rules
    room = rules.total_limit - state.count(1 - state.active, group)
    most: i64 = rules.side_limit if rules.side_limit < room else room
    return most if most < MOST_CARDS else MOST_CARDS


def list_spies(state: State, found: list[int]) -> None:
    """List every card of the opponent's hand, with every card that he can draw for it (F3)."""
    victim = 1 - state.active
    cells, hand = state.cells, HAND + 16 * victim
    drawn = replacements(state, victim, state.rules.spy_draw)
    for card in range(CARD_KINDS):
        if cells[hand + card]:
            for new in drawn:
                found.append(SPY_CODE | (card + 1) << 4 | (new + 1) << 8)
                found.append(0)


def list_vetoes(state: State, found: list[int]) -> None:
    """List the veto against the action just announced, with every card that its player can draw (F7–F10)."""
    for new in replacements(state, 1 - state.active, state.rules.veto_draw):
        found.append(VETO_CODE | (new + 1) << 4)
        found.append(0)


def replacements(state: State, side: i64, rule: i64) -> list[int]:
    """Return the cards that a side can draw out of turn; -1 where it can or must do without (F3, F10, G2)."""
    if rule == NEVER:
        return [-1]
    cards = in_piles(state, side)
    if rule == OPTIONAL:
        return [-1, *cards]
    return cards or [-1]


def in_piles(state: State, side: i64) -> list[int]:
    """Return the cards that a side can draw: any that the piles still hold, of an ordered pile its top (B8, G1, G2)."""
    cells, unseen = state.cells, UNSEEN + 16 * side
    found: list[int] = []
    if cells[INFLUENCE_PILE + side]:
        found += [card for card in range(6) if cells[unseen + card] > 0]
    order = state.orders[side]
    if order is not None:
        if order:
            found.append(order[0])
    elif cells[ACTION_PILE + side]:
        found += [card for card in range(6, 12) if cells[unseen + card] > 0]
    return found
