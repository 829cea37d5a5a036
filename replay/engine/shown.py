"""What a token showed at the table, filled in where the writer left it out because the cards were known."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from ...notation import tokens as t
from ...notation.cards import SOME_INFLUENCE, high_to_low, is_known
from ..rules.law.actions import hand_cards
from ..rules.mechanics import Impossible
from ..rules.state import State
from ..rules.vote_outcome import resolve
from .ballot import ballot
from .play import apply, target


def shown(before: State, token: t.Token, *, left_out: bool = True) -> t.Token:
    """Return a token with the cards that it showed, as far as they are known in the state ``before`` it.

    These are both columns of a vote (J1), the cards that a scout turned up (F2), the hidden card that was assassinated
    and its place (F1), and a hand that a spy saw, of which a part is written. The token must be one that can be
    carried out in that state, and not be vetoed. With ``left_out`` False only those cards are named that are written
    as unknown; cards and places that are not written stay so.
    """
    match token:
        case t.Vote() | t.SpecialVote():
            if _is_short(token.rome, left_out) or _is_short(token.egypt, left_out):
                rome, egypt = ballot(before, token).columns
                return replace(token, rome=rome, egypt=egypt)
        case t.Scout():
            seen = _turned_up(before, token) if _is_short(token.seen, left_out) else []
            if any(map(is_known, seen)):
                return replace(token, seen=high_to_low(seen))
        case t.Assassinate():
            return _struck(before, token, left_out) if token.hidden else token
        case t.Spy():
            if _is_short(token.hand, False):
                return replace(token, hand=hand_cards(before, 1 - before.active))
        case t.Place() | t.Wrath() | t.Castle() | t.Veto() | t.Discard() | t.Draw():
            pass
        case t.NoVote() | t.PutAway() | t.ChooseMission() | t.Unread():
            pass
        case t.Missions() | t.ActionOrder() | t.Hand() | t.Gained() | t.Spent() | t.Bag():
            pass
        case _:
            assert_never(token)
    return token


def counted(before: State, token: t.Token) -> t.Token:
    """Return a vote with the cards that lie there and its winner, a scout with what it turned up, if all are known."""
    if isinstance(token, t.Scout):
        hidden = before.sides[1 - before.active].hidden[token.group]
        return shown(before, token) if token.seen is None and all(map(is_known, hidden)) else token
    if not isinstance(token, t.Vote | t.SpecialVote) or token.winner is not None:
        return token
    rome, egypt = token.rome, token.egypt
    if rome is None or egypt is None:
        rome, egypt = [high_to_low(side.column(token.group)) for side in before.sides]
    if not all(map(is_known, rome + egypt)):
        return token
    return replace(token, rome=rome, egypt=egypt, winner=resolve(rome, egypt, before.edition).winner)


def _is_short(cards: t.Cards | None, left_out: bool) -> bool:
    """Return whether cards are missing: unknown ones, and all of them where ``left_out`` counts."""
    return left_out if cards is None else not all(map(is_known, cards))


def _turned_up(before: State, token: t.Scout) -> list[int]:
    """Return the cards that a scout turned up."""
    victim = before.sides[1 - before.active]
    hidden = victim.hidden[token.group]
    if SOME_INFLUENCE not in hidden:
        return hidden
    after = before.copy()
    try:
        apply(after, token)
    except Impossible:  # the scout was not in the hand, and a ruling let it stand
        return hidden
    return after.sides[1 - before.active].up[token.group][len(victim.up[token.group]) :]


def _struck(before: State, token: t.Assassinate, left_out: bool) -> t.Assassinate:
    """Return an assassination of a hidden card with the card that it hit, and its place where there are several."""
    column = before.sides[1 - before.active].hidden[token.group]
    place = target(column, token)
    if place is None and token.card == SOME_INFLUENCE and column.count(SOME_INFLUENCE) == 1:
        place = column.index(SOME_INFLUENCE)
    if place is None or not (is_known(column[place]) or column[place] == token.card):
        return token
    position, is_sure = token.position, is_known(column[place]) or column.count(column[place]) == 1
    if position is None and left_out and is_sure and len(column) > 1:
        # All could see which of several it was; whoever does not know the others needs the number to follow.
        position = place + 1
    return replace(token, card=column[place], position=position)
