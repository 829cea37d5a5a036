"""What each action card can do: all targets and all outcomes of a card, made from the rules (E5, E8, F1–F10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Final, assert_never

from ....notation import tokens as t
from ....notation.cards import ASSASSINATION, CASTLING, SCOUT, SPY, WRATH, high_to_low
from ...edition import Allowed, DrawRule
from ..state import Side, State


def announced(token: t.Action) -> t.Action:
    """The action as it is named before the opponent decides about his veto (E3)."""
    match token:
        case t.Assassinate(hidden=True):
            return t.Assassinate(None, token.group, True, token.position)
        case t.Scout():
            return t.Scout(token.group)
        case t.Castle():
            return t.Castle(token.first, token.second)
        case t.Spy():
            return t.Spy()
        case _:
            return token


def open_groups(state: State) -> list[int]:
    """The groups that still have patricians: only these can be aimed at (E8)."""
    return [group for group in state.edition.groups if state.left[group]]


def without_effect(state: State) -> bool:
    """Whether an action may be played although there is nothing for it to work on (E5)."""
    return state.edition.null_actions is Allowed.ALLOWED


def assassinations(state: State) -> list[t.Assassinate]:
    """Every opposing face-up card, and face-down ones by position where the edition has that (F1, K18)."""
    victim = state.sides[1 - state.active]
    found = []
    for group in open_groups(state):
        found += [t.Assassinate(card, group, False) for card in high_to_low(list(set(victim.up[group])))]
        if state.edition.assassinate_hidden:
            hidden = victim.hidden[group]
            several = len(hidden) > 1
            found += [
                t.Assassinate(card, group, True, place if several else None)
                for place, card in enumerate(hidden, start=1)
            ]
    return found


def scouts(state: State) -> list[t.Scout]:
    """Every group, with what is turned up there (F2)."""
    hidden = state.sides[1 - state.active].hidden
    return [
        t.Scout(group, high_to_low(hidden[group]) if hidden[group] else None)
        for group in open_groups(state)
        if hidden[group] or without_effect(state)
    ]


def wraths(state: State) -> list[t.Wrath]:
    """Every group (F6)."""
    return [t.Wrath(group) for group in open_groups(state) if state.total(group) or without_effect(state)]


def castlings(state: State) -> list[t.Castle]:
    """Every two groups, with every way to lay one's own cards there again (F4, F5)."""
    own = state.sides[state.active]
    return [
        t.Castle(first, second, *split)
        for first, second in combinations(open_groups(state), 2)
        if own.count(first) + own.count(second) or without_effect(state)
        for split in splits(own.column(first) + own.column(second), most(state, first), most(state, second))
    ]


def most(state: State, group: int) -> int:
    """How many own cards the player may have at a group (D4, D5)."""
    total, limit = state.edition.total_limit, state.edition.side_limit
    return limit if total is None else min(limit, total - state.sides[1 - state.active].count(group))


def splits(cards: list[int], first: int, second: int) -> Iterator[tuple[t.Cards, t.Cards]]:
    """Each distinct way to lay cards at two places with room for ``first`` and ``second`` of them."""
    copies = Counter(cards)
    for part in subsets(cards):
        if len(part) <= first and len(cards) - len(part) <= second:
            yield part, high_to_low([*(copies - Counter(part)).elements()])


def spies(state: State) -> list[t.Spy]:
    """Every card of the opponent's hand, with every card that he can draw for it (F3)."""
    victim = state.sides[1 - state.active]
    drawn = replacements(victim, state.edition.spy_draw)
    return [t.Spy(card, new) for card, copies in enumerate(victim.hand) if copies for new in drawn]


def vetoes(state: State) -> list[t.Veto]:
    """The veto against the action just announced, with every card that its player can draw (F7–F10)."""
    return [t.Veto(card) for card in replacements(state.sides[1 - state.active], state.edition.veto_draw)]


def replacements(side: Side, rule: DrawRule) -> list[int | None]:
    """The cards that a side can draw out of turn; None where it can or must do without (F3, F10, G2)."""
    match rule:
        case DrawRule.NEVER:
            return [None]
        case DrawRule.OPTIONAL:
            return [None, *in_piles(side)]
        case DrawRule.COMPULSORY:
            return [*in_piles(side)] or [None]
        case _:
            assert_never(rule)


def in_piles(side: Side) -> list[int]:
    """The cards that a side can draw: any that the piles still hold, of an ordered pile its top (B8, G1, G2)."""
    unseen = side.unseen
    found = [card for card in range(6) if unseen[card] > 0] if side.influence_pile else []
    if side.order is not None:
        return [*found, *side.order[:1]]
    return found + ([card for card in range(6, 12) if unseen[card] > 0] if side.action_pile else [])


def subsets(cards: Sequence[int]) -> Iterator[t.Cards]:
    """Each distinct selection of cards once, from none to all, in the order in which they are written."""
    copies = Counter(high_to_low(list(cards)))
    for numbers in product(*(range(count + 1) for count in copies.values())):
        yield tuple(card for card, count in zip(copies, numbers, strict=True) for _ in range(count))


EFFECTS: Final[dict[int, Callable[[State], Sequence[t.Action]]]] = {
    ASSASSINATION: assassinations,
    SCOUT: scouts,
    WRATH: wraths,
    CASTLING: castlings,
    SPY: spies,
}
"""Action card → all that it can do now."""
