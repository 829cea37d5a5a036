"""The express lane: law and mechanics in one for what happens in nearly every turn, as long as it is plainly legal.

:func:`ride` carries out the tokens of a turn one after the other and stops, with nothing half done, before the first
that is not plainly legal; that one goes the full way through :mod:`tironian.replay.law` and
:mod:`tironian.replay.mechanics`. So the lane can only be too modest, never too lenient: whatever is unusual, unknown,
unlawful or disputed is none of its business. It says nothing about the rules that is not said there, and a test
holds both ways equal over many games, legal and damaged ones.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

from ..notation import tokens as t
from ..notation.cards import TIE, VETO
from .edition import Edition, OrgyVariant, Passive, Placement, YesNo
from .mechanics.votes import empty
from .state import State
from .vote import resolve_sorted

_VOTE_FIRST: Final = (t.ACT, t.SPECIAL, t.REVEAL, t.DRAW)
_DRAW_FIRST: Final = (t.ACT, t.SPECIAL, t.DRAW, t.REVEAL)
_PLACE: Final = t.Place
_DRAW: Final = t.Draw
_NO_VOTE: Final = t.NoVote
_VOTE: Final = t.Vote


class Ticket(NamedTuple):
    """What the lane has to know of an edition, flat."""

    two_up: bool
    most: int
    """Cards at a group on both sides."""
    own: int
    reveal: int
    """The place of the reveal in the turn; drawing has the other of 2 and 3."""
    hand: int
    special: int
    replaces: bool
    """Whether a passive turn draws as many cards as it discarded."""
    repeats: bool
    orgies_stay: bool


@cache
def ticket(edition: Edition) -> Ticket | None:
    """The ticket of an edition; None where its turns are of another kind than the lane knows."""
    if edition.order not in (_VOTE_FIRST, _DRAW_FIRST) or edition.placement is Placement.ONE_OR_TWO_DOWN:
        return None
    return Ticket(
        edition.placement is Placement.DOWN_OR_TWO_UP,
        99 if edition.total_limit is None else edition.total_limit,
        edition.side_limit,
        edition.order.index(t.REVEAL),
        edition.hand_limit,
        edition.special_threshold,
        edition.passive is Passive.REPLACE,
        edition.special_repeat is YesNo.YES,
        edition.orgy_variant is OrgyVariant.NONE,
    )


def ride(state: State, tokens: tuple[Any, ...], at: int, rules: Ticket) -> int:
    """Carry out tokens from index ``at`` on; the index of the first that has to go the full way.

    One function, long as it is, since a call for every token would cost as much as what is done for it.
    """
    if state.final or state.watch or state.ended or state.choosing or state.vetoed == 1:
        return at
    two_up, most, own, reveal = rules[:4]
    side = state.sides[state.active]
    hand, up, hidden = side.hand, side.up, side.hidden
    totals, left = state.totals, state.left
    place, drawing = state.stage, 5 - reveal
    ups, downs = state.up, state.down
    for token in tokens[at:] if at else tokens:
        kind = token.__class__
        if kind is _PLACE:
            card, group = token.card, token.group
            count = totals[group]
            if place or card > 5 or hand[card] <= 0 or not left[group] or count >= most or state.no_place:
                break
            if state.passive or (count >= own and len(up[group]) + len(hidden[group]) >= own):
                break
            if token.hidden:
                if downs or (ups and (two_up or ups > 1 or state.action == 2)):
                    break
                hidden[group].append(card)
                state.down = downs = downs + 1
            else:
                if two_up:
                    if downs or ups > 1 or (not ups and not _two_can_follow(state, group)):
                        break
                elif ups or (downs and (downs > 1 or state.action == 2)):
                    break
                up[group].append(card)
                state.up = ups = ups + 1
            hand[card] -= 1
            totals[group] = count + 1
        elif kind is _DRAW:
            if place > drawing or (place < drawing and not _may_go_on(state, drawing, rules)):
                break
            if not _take_up(state, token.cards, rules):
                break
            place = state.stage = drawing
        elif kind is _VOTE or kind is _NO_VOTE:
            if state.revealed or not state.may_reveal or state.passive or place > reveal:
                break
            if place < reveal and not _may_go_on(state, reveal, rules):
                break
            if not (_vote(state, token) if kind is _VOTE else _no_vote(state, token, rules)):
                break
            place = state.stage = reveal
        elif not _less_common(state, token, rules):
            break
        else:
            place = state.stage
        at += 1
        if state.ended or state.choosing:
            break
    return at


def ride_on(state: State, rules: Ticket) -> bool:
    """End the turn and begin the next one, where everything in it is plainly done and the game plainly goes on."""
    if state.ended or state.choosing or state.final or state.watch or state.vetoed == 1:
        return False
    if not _may_go_on(state, 4, rules):
        return False
    following = 1 - state.active
    mine, side = state.sides[state.active], state.sides[following]
    if not (mine.influence_pile and side.influence_pile) and (mine.is_out() or side.is_out()):
        return False
    left, hidden, up, own = state.left, side.hidden, side.up, rules.own
    for group in state.edition.groups:
        if left[group] and len(hidden[group]) + len(up[group]) < own:
            break
    else:
        return False
    if following == state.starter:
        state.number += 1
    state.active = following
    state.first_turn = False
    state.clear_turn()
    state.lone = False
    state.may_draw = state.may_reveal = True
    return True


def _may_go_on(state: State, place: int, rules: Ticket) -> bool:
    """Whether everything before a place in the turn has been done that has to be; place 4 is the turn's end."""
    stage, reveal = state.stage, rules.reveal
    if state.passive:
        return not _missing(state, rules) if place == 4 else place == 5 - reveal
    if stage < 2:
        if stage == 0 and not state.down and state.up < (2 if rules.two_up else 1):
            return False
        if max(state.totals) >= rules.special and state.pending != []:
            return False
    # Revealing and drawing are the places 2 and 3, in the edition's order.
    if reveal == 2:
        if place == 2:
            return True
        return (state.revealed or not state.may_reveal) and (place == 3 or not _missing(state, rules))
    if place == 2:
        return True
    return not (stage < 3 and _missing(state, rules)) and (place == 3 or state.revealed or not state.may_reveal)


def _missing(state: State, rules: Ticket) -> int:
    """How many cards have still to be drawn."""
    side = state.sides[state.active]
    missing = state.discarded if state.passive and rules.replaces else rules.hand - sum(side.hand)
    return missing if missing > 0 and state.may_draw and (side.influence_pile or side.action_pile) else 0


def _two_can_follow(state: State, group: int) -> bool:
    """Whether a second card can follow a first one face up, and even at the same group."""
    side = state.sides[state.active]
    hand, total = side.hand, state.edition.total_limit
    if hand[0] + hand[1] + hand[2] + hand[3] + hand[4] + hand[5] < 2:
        return False
    own = len(side.up[group]) + len(side.hidden[group])
    return own + 2 <= state.edition.side_limit and (total is None or state.totals[group] + 2 <= total)


def _take_up(state: State, cards: t.Cards, rules: Ticket) -> bool:
    side = state.sides[state.active]
    hand, unseen, count = side.hand, side.unseen, len(cards)
    limit = state.discarded if state.passive and rules.replaces else rules.hand - sum(hand)
    if count > limit or not state.may_draw:
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
        if side.order[:actions] != tuple([card for card in cards if card > 5]):
            return False
        side.order = side.order[actions:]
    for card in cards:
        hand[card] += 1
        unseen[card] -= 1
    side.influence_pile -= count - actions
    side.action_pile -= actions
    if state.passive:
        state.discarded = max(0, state.discarded - count)
    return True


def _vote(state: State, token: t.Vote) -> bool:
    group = token.group
    if not state.bag[group]:
        return False
    state.bag[group] = 0
    state.out[group] = 1
    if not _count_votes(state, token):
        state.bag[group] = 1
        state.out[group] = 0
        return False
    state.revealed = True
    return True


def _no_vote(state: State, token: t.NoVote, rules: Ticket) -> bool:
    if token.reset:
        bag, out = state.bag, state.out
        for group in state.edition.groups:
            if out[group]:
                bag[group] += 1
                out[group] = 0
        state.blanks += state.blanks_out
        state.blanks_out = 0
    elif state.blanks > 0 and rules.orgies_stay:
        state.blanks -= 1
        state.blanks_out += 1
    else:
        return False
    state.revealed = True
    return True


def _less_common(state: State, token: t.Token, rules: Ticket) -> bool:
    if isinstance(token, t.SpecialVote):
        return not rules.repeats and _special(state, token, rules)
    return isinstance(token, t.Discard) and _exchange(state, token)


def _special(state: State, token: t.SpecialVote, rules: Ticket) -> bool:
    if state.stage > 1 or state.passive:
        return False
    if state.stage == 0 and not state.down and state.up < (2 if rules.two_up else 1):
        return False
    due = state.crowded() if state.pending is None else state.pending
    if token.group not in due or not _count_votes(state, token):
        return False
    due.remove(token.group)
    state.pending = due
    state.stage = 1
    return True


def _exchange(state: State, token: t.Discard) -> bool:
    if state.stage or state.up or state.down or state.action or state.no_place or state.passive:
        return False
    if state.edition.passive is Passive.NONE:
        return False
    side = state.sides[state.active]
    hand, cards = side.hand, token.cards
    for card in cards:
        if card > VETO or hand[card] < cards.count(card):
            return False
    for card in cards:
        hand[card] -= 1
        side.discards[card] += 1
    state.passive = True
    state.discarded = len(cards)
    return True


def _count_votes(state: State, token: t.AnyVote) -> bool:
    """The vote itself, where the record says all about it and is right."""
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
    if winner != token.winner or not state.left[group]:
        return False
    if rome_hidden:
        rome_up += rome_hidden
        rome_hidden.clear()
    if egypt_hidden:
        egypt_up += egypt_hidden
        egypt_hidden.clear()
    if winner == TIE:
        return True
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
    if not state.left[group]:
        empty(state, group)
    return True
