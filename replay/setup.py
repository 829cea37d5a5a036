"""From the set-up lines to the first state: the opening of every edition, or a position in the middle of a game."""

from __future__ import annotations

from collections import Counter

from ..notation import tokens as t
from ..notation.cards import EGYPT, ROME, SOME_ACTION, SOME_INFLUENCE, VETO, is_known
from .edition import Edition, FirstAction
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
    for group in edition.groups:
        state.totals[group] = sum(side.count(group) for side in state.sides)
    if position:
        state.first_turn = False
        _go_on_from(state, (*rome, *egypt))
        begin_turn(state)
    return state


def _lay_out(side: Side, tokens: tuple[t.Token, ...], edition: Edition, position: bool) -> None:
    side.unseen[1:6] = [edition.influence_copies] * 5
    side.unseen[0] = edition.philosophers
    for card, copies in edition.actions.items():
        side.unseen[card] = copies
    hand = opening_hand(tokens, edition, position)
    for token in tokens:
        if isinstance(token, t.Place):
            (side.hidden if token.hidden else side.up)[token.group].append(token.card)
        elif isinstance(token, t.Missions):
            side.missions = token.missions
        elif isinstance(token, t.ActionOrder):
            side.order = token.cards
        elif isinstance(token, t.Gained):
            for group in token.groups:
                side.won[group] += 1
        elif isinstance(token, t.Spent):
            for card in token.cards:
                side.discards[card] += 1
    for card in hand:
        side.hand[card] += 1
    unknown = (*hand, *(card for column in side.hidden for card in column))
    side.blurred = any(not is_known(card) for card in unknown)
    _count_piles(side, edition)


def opening_hand(tokens: tuple[t.Token, ...], edition: Edition, position: bool) -> tuple[int, ...]:
    """The first hand: the second set and the first action card, or in a position what is written (B6)."""
    written = tuple(card for token in tokens if isinstance(token, t.Hand) for card in token.cards)
    drawn = tuple(card for token in tokens if isinstance(token, t.Draw) for card in token.cards)
    if position:
        return written + drawn
    if edition.first_action is FirstAction.VETO and not drawn:
        drawn = (VETO,)
    return OPENING_SET + drawn


def _count_piles(side: Side, edition: Edition) -> None:
    """What is neither on the table nor in the hand nor discarded lies in the piles."""
    placed: Counter[int] = Counter(card for column in (*side.hidden, *side.up) for card in column)
    influence = 5 * edition.influence_copies + edition.philosophers
    actions = sum(edition.actions.values())
    for card in range(14):
        known = placed[card] + side.hand[card] + side.discards[card]
        side.unseen[card] -= known if card < SOME_INFLUENCE else 0
        if card <= 5 or card == SOME_INFLUENCE:
            influence -= known
        elif 6 <= card <= 11 or card == SOME_ACTION:
            actions -= known
    side.influence_pile = influence
    side.action_pile = actions


def _go_on_from(state: State, tokens: tuple[t.Token, ...]) -> None:
    edition = state.edition
    for group in edition.groups:
        state.left[group] -= state.sides[ROME].won[group] + state.sides[EGYPT].won[group]
        if not state.left[group]:
            state.emptied += 1
            state.bag[group] = 0
    for side in state.sides:
        side.kept = 1 if len(side.missions) == 1 else None
    for token in tokens:
        if isinstance(token, t.Bag):
            for group in edition.groups:
                inside = int(group in token.groups)
                state.out[group] = int(not inside and state.left[group] > 0)
                state.bag[group] = inside
            state.blanks = token.blanks
            state.blanks_out = edition.blanks - token.blanks
