"""What placing, exchanging, drawing and choosing a mission do to the cards."""

from __future__ import annotations

from ...notation import tokens as t
from ..edition import Passive
from ..state import State
from . import hands
from .hands import take
from .turns import look_for_the_end


def place(state: State, token: t.Place, _vetoed: bool) -> None:
    side = state.sides[state.active]
    card = token.card
    hand = side.hand
    if hand[card] > 0 and card <= 5:
        hand[card] -= 1
    else:
        take(side, card)
    if token.hidden:
        side.hidden[token.group].append(card)
        state.down += 1
    else:
        side.up[token.group].append(card)
        state.up += 1
    state.totals[token.group] += 1
    if state.watch:
        look_for_the_end(state)


def discard(state: State, token: t.Discard, _vetoed: bool) -> None:
    side = state.sides[state.active]
    for card in token.cards:
        take(side, card)
        side.discards.append(card)
    began = state.up or state.down or state.action or state.no_place or state.final
    if state.edition.passive is not Passive.NONE and not began:
        state.passive = True
        state.discarded += len(token.cards)
        if state.watch:
            look_for_the_end(state)
    else:
        state.no_place = True
        if state.ends_at_placement() and not state.up + state.down:
            state.ended = "full"


def draw(state: State, token: t.Draw, _vetoed: bool) -> None:
    side = state.sides[state.active]
    hand, unseen = side.hand, side.unseen
    for card in token.cards:
        if card <= 5:
            hand[card] += 1
            unseen[card] -= 1
            side.influence_pile -= 1
        else:
            hands.draw(side, card)
    if state.passive:
        state.discarded = max(0, state.discarded - len(token.cards))


def choose(state: State, token: t.ChooseMission, _vetoed: bool) -> None:
    state.choosing &= ~(1 << token.side)
    state.sides[token.side].kept = token.kept or 0
