"""The express lane: law and mechanics in one for what happens in nearly every turn, as long as it is plainly legal.

Each function here either carries a token out and says True, or changes nothing and says False; then the token goes
the full way through :mod:`tironian.replay.law` and :mod:`tironian.replay.mechanics`. So the lane can only be too
modest, never too lenient: whatever is unusual, unknown, unlawful or disputed is none of its business. It says
nothing about the rules that is not said there, and a test holds both ways equal over many games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ..notation import tokens as t
from ..notation.cards import TIE, VETO
from .edition import Edition, OrgyVariant, Passive, Placement, YesNo
from .state import State
from .vote import resolve_sorted

Quick: TypeAlias = Callable[[State, Any], bool]
Lane: TypeAlias = dict[type, Quick]

_VOTE_FIRST: Final = (t.ACT, t.SPECIAL, t.REVEAL, t.DRAW)
_DRAW_FIRST: Final = (t.ACT, t.SPECIAL, t.DRAW, t.REVEAL)
_TWO_UP: Final = Placement.DOWN_OR_TWO_UP
_REPLACE: Final = Passive.REPLACE
_NO_VARIANT: Final = OrgyVariant.NONE


def lane(edition: Edition) -> Lane:
    """The functions for an edition, by kind of token; the end of a turn is under NoneType. May be empty."""
    shared: Lane = {t.SpecialVote: _special, t.Discard: _exchange, _END: _end}
    if edition.special_repeat is YesNo.YES:
        del shared[t.SpecialVote]
    if edition.order == _VOTE_FIRST and edition.placement is Placement.DOWN_AND_UP:
        return {t.Place: _down_and_up, t.Vote: _vote_first, t.NoVote: _blank_first, t.Draw: _draw_last, **shared}
    if edition.order == _DRAW_FIRST and edition.placement is _TWO_UP:
        return {t.Place: _down_or_two_up, t.Vote: _vote_last, t.NoVote: _blank_last, t.Draw: _draw_first, **shared}
    return {}


_END: Final = type(None)


# ------------------------------------------------------------------------------------------------------ placing


def _down_and_up(state: State, token: t.Place) -> bool:
    if token.hidden:
        if state.down or (state.up and (state.up > 1 or state.action == 2)):
            return False
    elif state.up or (state.down and (state.down > 1 or state.action == 2)):
        return False
    return _lay(state, token, 99)


def _down_or_two_up(state: State, token: t.Place) -> bool:
    if state.down or (token.hidden and state.up) or state.up > 1:
        return False
    if not token.hidden and not state.up:
        hand = state.sides[state.active].hand
        if hand[0] + hand[1] + hand[2] + hand[3] + hand[4] + hand[5] < 2 or state.room(state.active, token.group) < 2:
            return False
    return _lay(state, token, 8)


def _lay(state: State, token: t.Place, most: int) -> bool:
    card, group = token.card, token.group
    side = state.sides[state.active]
    hidden, up = side.hidden[group], side.up[group]
    if (
        state.stage
        or card > 5
        or side.hand[card] <= 0
        or not state.left[group]
        or len(hidden) + len(up) >= 5
        or state.totals[group] >= most
        or state.passive
        or state.no_place
        or state.final
        or state.watch
    ):
        return False
    side.hand[card] -= 1
    state.totals[group] += 1
    if token.hidden:
        hidden.append(card)
        state.down += 1
    else:
        up.append(card)
        state.up += 1
    return True


def _exchange(state: State, token: t.Discard) -> bool:
    if state.stage or state.up or state.down or state.action or state.no_place or state.passive or state.final:
        return False
    if state.edition.passive is not _REPLACE or state.watch:
        return False
    side = state.sides[state.active]
    hand, cards = side.hand, token.cards
    for card in cards:
        if hand[card] < cards.count(card) or card > VETO:
            return False
    for card in cards:
        hand[card] -= 1
        side.discards[card] += 1
    state.passive = True
    state.discarded = len(cards)
    return True


# --------------------------------------------------------------------------------------- from one step to the next


def _placed(state: State) -> bool:
    """Whether placing is done with, one way or the other."""
    if state.stage or state.down:
        return not state.passive and not state.final
    enough = 2 if state.edition.placement is _TWO_UP else 1
    return state.up >= enough and not state.final


def _acted(state: State) -> bool:
    """Whether placing is done with, and no special vote is due."""
    if state.stage == 0 and not _placed(state):
        return False
    return max(state.totals) < state.edition.special_threshold or state.pending == []


def _is_full_hand(state: State) -> bool:
    return sum(state.sides[state.active].hand) == state.edition.hand_limit and state.may_draw


# ------------------------------------------------------------------------------------------- votes and no votes


def _vote_first(state: State, token: t.Vote) -> bool:
    return state.stage <= 2 and (state.stage == 2 or _acted(state)) and _hold(state, token, 2)


def _vote_last(state: State, token: t.Vote) -> bool:
    return _is_full_hand(state) and (state.stage >= 2 or _acted(state)) and _hold(state, token, 3)


def _hold(state: State, token: t.Vote, stage: int) -> bool:
    group = token.group
    if (
        state.revealed
        or state.passive
        or not state.may_reveal
        or not state.bag[group]
        or not _count_votes(state, token)
    ):
        return False
    state.stage = stage
    state.revealed = True
    state.bag[group] = 0
    state.out[group] = 1
    return True


def _special(state: State, token: t.SpecialVote) -> bool:
    if state.stage > 1 or state.rank[t.SPECIAL] != 1 or (state.stage == 0 and not _placed(state)):
        return False
    due = state.crowded() if state.pending is None else state.pending
    if token.group not in due or not _count_votes(state, token):
        return False
    due.remove(token.group)
    state.pending = due
    state.stage = 1
    return True


def _count_votes(state: State, token: t.AnyVote) -> bool:
    """The vote itself, where the record says all about it, is right, and leaves a patrician in the group."""
    group = token.group
    rome, egypt = state.sides
    rome_up, egypt_up = rome.up[group], egypt.up[group]
    rome_hidden, egypt_hidden = rome.hidden[group], egypt.hidden[group]
    rome_cards = tuple(sorted(rome_up + rome_hidden, reverse=True))
    egypt_cards = tuple(sorted(egypt_up + egypt_hidden, reverse=True))
    if rome_cards != token.rome or egypt_cards != token.egypt or rome.blurred or egypt.blurred:
        return False
    outcome = resolve_sorted(rome_cards, egypt_cards, state.edition)
    winner = outcome.winner
    if winner != token.winner or state.left[group] < 2:
        return False
    if rome_hidden:
        rome_up += rome_hidden
        rome_hidden.clear()
    if egypt_hidden:
        egypt_up += egypt_hidden
        egypt_hidden.clear()
    if winner != TIE:
        rome_gone, egypt_gone = outcome.gone
        for card in rome_gone:
            rome_up.remove(card)
            rome.discards[card] += 1
        for card in egypt_gone:
            egypt_up.remove(card)
            egypt.discards[card] += 1
        state.totals[group] -= len(rome_gone) + len(egypt_gone)
        state.sides[winner].won[group] += 1
        state.left[group] -= 1
    return True


def _blank_first(state: State, token: t.NoVote) -> bool:
    return state.stage <= 2 and (state.stage == 2 or _acted(state)) and _reveal_none(state, token, 2)


def _blank_last(state: State, token: t.NoVote) -> bool:
    return _is_full_hand(state) and (state.stage >= 2 or _acted(state)) and _reveal_none(state, token, 3)


def _reveal_none(state: State, token: t.NoVote, stage: int) -> bool:
    if state.revealed or state.passive or not state.may_reveal:
        return False
    if token.reset:
        bag, out = state.bag, state.out
        for group in state.edition.groups:
            if out[group]:
                bag[group] += 1
                out[group] = 0
        state.blanks += state.blanks_out
        state.blanks_out = 0
    else:
        if state.blanks <= 0 or state.edition.orgy_variant is not _NO_VARIANT:
            return False
        state.blanks -= 1
        state.blanks_out += 1
    state.stage = stage
    state.revealed = True
    return True


# ------------------------------------------------------------------------------------------------------ drawing


def _draw_last(state: State, token: t.Draw) -> bool:
    if state.stage == 3:
        return _take_up(state, token, 3)
    if state.revealed:
        return state.stage == 2 and _take_up(state, token, 3)
    return not state.may_reveal and _acted(state) and _take_up(state, token, 3)


def _draw_first(state: State, token: t.Draw) -> bool:
    return state.stage <= 2 and (state.stage == 2 or state.passive or _acted(state)) and _take_up(state, token, 2)


def _take_up(state: State, token: t.Draw, stage: int) -> bool:
    side = state.sides[state.active]
    cards, hand, unseen = token.cards, side.hand, side.unseen
    count = len(cards)
    limit = state.discarded if state.passive else state.edition.hand_limit - sum(hand)
    if count > limit or not state.may_draw:
        return False
    if state.passive and state.edition.passive is not _REPLACE:
        return False
    actions = 0
    for card in cards:
        if unseen[card] < count and unseen[card] < cards.count(card):
            return False
        if card > 5:
            actions += 1
    if side.influence_pile < count - actions or side.action_pile < actions:
        return False
    if actions and side.order is not None:
        drawn = tuple([card for card in cards if card > 5])
        if side.order[:actions] != drawn:
            return False
        side.order = side.order[actions:]
    for card in cards:
        hand[card] += 1
        unseen[card] -= 1
    side.influence_pile -= count - actions
    side.action_pile -= actions
    if state.passive:
        state.discarded -= count
    state.stage = stage
    return True


# ------------------------------------------------------------------------------------------- the end of the turn


def _is_done(state: State) -> bool:
    """Whether everything in the turn has been done that has to be."""
    if state.passive:
        return not state.discarded and state.edition.passive is _REPLACE
    if not _is_full_hand(state) or (state.stage < 2 and not _acted(state)):
        return False
    return state.revealed or (state.stage == 3 and not state.may_reveal)


def _end(state: State, _token: None) -> bool:
    if not _is_done(state):
        return False
    following = 1 - state.active
    side = state.sides[following]
    if not side.influence_pile or not state.sides[state.active].influence_pile:
        return False
    left, hidden, up = state.left, side.hidden, side.up
    for group in state.edition.groups:
        if left[group] and len(hidden[group]) + len(up[group]) < 5:
            break
    else:
        return False
    if following == state.starter:
        state.number += 1
    state.active = following
    state.first_turn = False
    state.clear_turn()
    state.lone = state.final = False
    state.may_draw = state.may_reveal = True
    return True
