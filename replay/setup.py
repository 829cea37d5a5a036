"""From the set-up lines to the first state: the opening of every edition, or a position in the middle of a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from ..notation import tokens as t
from ..notation.cards import EGYPT, ROME, SOME_INFLUENCE, VETO
from .edition import DeviceGone, Edition, FirstAction, OneOut
from .mechanics import begin_turn
from .state import Side, State

OPENING_SET = (1, 2, 3, 4, 5)
"""One set is placed, another is the first hand (B5, B6)."""


def start(
    edition: Edition,
    starter: int,
    rome: tuple[t.Token, ...],
    egypt: tuple[t.Token, ...],
    *,
    position: bool = False,
    number: int = 1,
) -> State:
    """The state before the first turn. ``rome`` and ``egypt`` are the tokens of the lines 0R and 0E.

    ``position`` starts in the middle of a game: hands, discards and patricians are as written, and the piles hold
    what is left. ``number`` is the number of the first turn.
    """
    state = State(edition, starter)
    state.number = number
    for side, tokens in zip(state.sides, (rome, egypt), strict=True):
        _lay_out(side, tokens, edition, position)
    one, two = state.sides
    state.totals[:] = [sum(map(len, columns)) for columns in zip(one.up, one.hidden, two.up, two.hidden, strict=True)]
    if position:
        state.first_turn = False
        _go_on_from(state, (*rome, *egypt))
        if any(state.left):
            begin_turn(state)
        else:
            state.ended = "patricians"
    return state


def conclude(state: State) -> None:
    """A position without turns: find that the game is over there, which else is found at a turn's end (N2, N4a)."""
    if state.ended or not state.sides[state.active].is_out():
        return
    if state.sides[1 - state.active].is_out():
        state.ended = "exhausted"
    elif state.edition.one_out is not OneOut.SKIP_A:
        # Whose turns are skipped has none to begin, so it may be over for the other.
        state.active = 1 - state.active
        begin_turn(state)


def _lay_out(side: Side, tokens: tuple[t.Token, ...], edition: Edition, position: bool) -> None:
    seen: list[int] = []
    others: list[t.Token] = []
    for token in tokens:
        if token.__class__ is t.Place:
            (side.hidden if token.hidden else side.up)[token.group].append(token.card)  # type: ignore[union-attr]
            seen.append(token.card)  # type: ignore[union-attr]
        else:
            others.append(token)
    for token in others:
        if isinstance(token, t.Missions):
            side.missions += token.missions
        elif isinstance(token, t.ActionOrder):
            side.order = token.cards
        elif isinstance(token, t.Gained):
            for group in token.groups:
                side.won[group] += 1
        elif isinstance(token, t.Spent):
            seen += token.cards
            for card in token.cards:
                side.discards[card] += 1
    hand = opening_hand(others, edition, position)
    for card in hand:
        side.hand[card] += 1
    _count_piles(side, edition, [*seen, *hand])


def opening_hand(tokens: Sequence[t.Token], edition: Edition, position: bool) -> tuple[int, ...]:
    """The first hand: the second set and the first action card, or in a position what is written (B6)."""
    written: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    for token in tokens:
        if isinstance(token, t.Hand):
            written += token.cards
        elif isinstance(token, t.Draw):
            drawn += token.cards
    if position:
        return written + drawn
    if edition.first_action is FirstAction.VETO and not drawn:
        drawn = (VETO,)
    return OPENING_SET + drawn


def _count_piles(side: Side, edition: Edition, seen: list[int]) -> None:
    """What is neither on the table nor in the hand nor discarded lies in the piles."""
    unseen, side.influence_pile, side.action_pile, side.blurred = _piles(edition, tuple(sorted(seen)))
    side.unseen = unseen[:]


@lru_cache(maxsize=1024)
def _piles(edition: Edition, seen: tuple[int, ...]) -> tuple[list[int], int, int, bool]:
    """Copies that nothing has identified, influence and action cards in the piles, whether any seen card is unknown."""
    copies, influence, actions = _deck(edition)
    unseen, blurred = copies[:], False
    for card in seen:
        if card < SOME_INFLUENCE:
            unseen[card] -= 1
        else:
            blurred = True
        if card <= 5 or card == SOME_INFLUENCE:
            influence -= 1
        else:
            actions -= 1
    return unseen, influence, actions, blurred


@cache
def _deck(edition: Edition) -> tuple[list[int], int, int]:
    """The copies of each card, and how many influence and action cards that makes (A2, A3)."""
    copies = [edition.philosophers] + [edition.influence_copies] * 5 + [0] * 8
    for card, count in edition.actions.items():
        copies[card] = count
    return copies, sum(copies[:6]), sum(copies[6:])


def _go_on_from(state: State, tokens: tuple[t.Token, ...]) -> None:
    edition = state.edition
    for group in edition.groups:
        state.left[group] -= state.sides[ROME].won[group] + state.sides[EGYPT].won[group]
        if not state.left[group]:
            state.emptied += 1
            state.bag[group] = 0
            # Its vote card is gone or lies on the open pile: a position does not say, so it may come back.
            state.out[group] = int(edition.device_gone is DeviceGone.WHEN_REVEALED)
    for side in state.sides:
        side.kept = 1 if len(side.missions) == 1 else None
    bags = [token for token in tokens if isinstance(token, t.Bag)]
    if bags:
        there = {group for bag in bags for group in bag.groups}
        for group in edition.groups:
            inside = int(group in there)
            state.out[group] = int(not inside and (state.left[group] > 0 or state.out[group] > 0))
            state.bag[group] = inside
        state.blanks = sum([bag.blanks for bag in bags])
        state.blanks_out = edition.blanks - state.blanks
