"""What the action cards and the veto do to the cards."""

from __future__ import annotations

from typing import Final

from ...notation import tokens as t
from ...notation.cards import ASSASSINATION, CASTLING, SCOUT, SOME_ACTION, SOME_INFLUENCE, SPY, VETO, WRATH
from ..state import Side, State
from .hands import Impossible, Unknowable, blur, draw, identified, take
from .turns import look_for_the_end

CARD_OF: Final = {
    t.Assassinate: ASSASSINATION,
    t.Scout: SCOUT,
    t.Wrath: WRATH,
    t.Castle: CASTLING,
    t.Spy: SPY,
}
"""Action token → the card that is played."""


def _play(state: State, card: int, vetoed: bool) -> bool:
    """The action card leaves the hand; whether it takes effect."""
    side = state.sides[state.active]
    take(side, card)
    side.discards.append(card)
    state.action = 2 if state.up + state.down else 1
    state.vetoed = int(vetoed)
    return not vetoed


def assassinate(state: State, token: t.Assassinate, vetoed: bool) -> None:
    if not _play(state, ASSASSINATION, vetoed):
        return
    victim = state.sides[1 - state.active]
    column = (victim.hidden if token.hidden else victim.up)[token.group]
    place = target(column, token)
    if place is None:
        if not column or token.card not in (None, SOME_INFLUENCE):
            raise Impossible
        blur(victim, column)
        place = 0
    card = column.pop(place)
    state.totals[token.group] -= 1
    if card == SOME_INFLUENCE and token.card is not None and token.card != SOME_INFLUENCE:
        card = token.card
        victim.unseen[card] -= 1
    victim.discards.append(card)


def target(column: list[int], token: t.Assassinate) -> int | None:
    """The place in the column of the card that an assassination hits; None where it can't be told or isn't there."""
    card = token.card
    if token.position is not None:
        return token.position - 1 if token.position <= len(column) else None
    if card is None or card == SOME_INFLUENCE:
        return 0 if column and len(set(column)) == 1 else None
    if card in column:
        return column.index(card)
    return column.index(SOME_INFLUENCE) if SOME_INFLUENCE in column else None


def scout(state: State, token: t.Scout, vetoed: bool) -> None:
    if not _play(state, SCOUT, vetoed):
        return
    victim = state.sides[1 - state.active]
    hidden = victim.hidden[token.group]
    victim.up[token.group] += identified(victim, hidden, token.seen)
    hidden.clear()


def wrath(state: State, token: t.Wrath, vetoed: bool) -> None:
    if _play(state, WRATH, vetoed):
        clear_group(state, token.group)


def clear_group(state: State, group: int) -> None:
    """All influence cards of a group go to their owners' discard piles."""
    for side in state.sides:
        up, hidden = side.up[group], side.hidden[group]
        side.discards += up
        side.discards += hidden
        up.clear()
        hidden.clear()
    state.totals[group] = 0


def castle(state: State, token: t.Castle, vetoed: bool) -> None:
    if not _play(state, CASTLING, vetoed):
        return
    side = state.sides[state.active]
    lifted = side.column(token.first) + side.column(token.second)
    first, second = token.cards_first, token.cards_second
    if first is None or second is None:
        if lifted:
            raise Unknowable
        return
    laid = [*first, *second]
    if len(laid) != len(lifted):
        raise Impossible
    if sorted(lifted) != sorted(laid):
        # What is lifted goes back among the unseen, what is laid down comes out: the known identities must balance.
        for card in lifted:
            side.unseen[card] += card < SOME_INFLUENCE
        for card in laid:
            side.unseen[card] -= card < SOME_INFLUENCE
    if SOME_INFLUENCE in laid:
        side.blurred = True
    for group, cards in ((token.first, first), (token.second, second)):
        state.totals[group] += len(cards) - side.count(group)
        side.up[group].clear()
        side.hidden[group][:] = cards


def spy(state: State, token: t.Spy, vetoed: bool) -> None:
    if not _play(state, SPY, vetoed):
        return
    if token.card is None:
        raise Unknowable
    victim = state.sides[1 - state.active]
    if token.hand is not None:
        _name_hand(victim, token.hand)
    take(victim, token.card)
    victim.discards.append(token.card)
    if token.draw is not None:
        draw(victim, token.draw)
    if state.watch:
        look_for_the_end(state)


def _name_hand(side: Side, cards: t.Cards) -> None:
    """Give the unknown cards of a hand the names under which a spy saw them."""
    for some in (SOME_INFLUENCE, SOME_ACTION):
        for card in range(6) if some == SOME_INFLUENCE else range(6, 12):
            new = min(cards.count(card) - side.hand[card], side.hand[some])
            if new > 0:
                side.hand[some] -= new
                side.hand[card] += new
                side.unseen[card] -= new


def veto(state: State, token: t.Veto, _vetoed: bool) -> None:
    side = state.sides[1 - state.active]
    take(side, VETO)
    side.discards.append(VETO)
    state.vetoed = 2
    if token.draw is not None:
        draw(side, token.draw)
