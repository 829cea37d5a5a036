"""What a vote, a bust or a vote card does to cards, patricians and groups."""

from __future__ import annotations

from typing import Final

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME, SOME_INFLUENCE, TIE
from ..edition import DeviceGone, OrgyRemoval, OrgyVariant, YesNo
from ..state import State
from ..vote import Outcome, losses, resolve
from .actions import clear_group
from .hands import Unknowable, identified

_GONE_AT_ONCE: Final = DeviceGone.AT_ONCE


def vote(state: State, token: t.Vote, _vetoed: bool) -> None:
    group = token.group
    state.revealed = True
    state.bag[group] = 0
    state.out[group] = 1
    hold_vote(state, token)


def special_vote(state: State, token: t.SpecialVote, _vetoed: bool) -> None:
    if state.pending is None:
        state.pending = state.crowded()
    group = token.group
    if group in state.pending:
        state.pending.remove(group)
    outcome = hold_vote(state, token)
    again = state.edition.special_repeat is YesNo.YES and outcome.winner != TIE
    if again and state.left[group] and state.total(group) >= state.edition.special_threshold:
        state.pending.insert(0, group)


def turn_up(state: State, token: t.AnyVote) -> None:
    """All cards of the group are turned face up; those that nobody knew get the names that the vote shows."""
    for side, shown in zip(state.sides, (token.rome, token.egypt), strict=True):
        hidden, up = side.hidden[token.group], side.up[token.group]
        if SOME_INFLUENCE in up:
            up[:] = identified(side, up + hidden, shown)
            hidden.clear()
        elif hidden:
            unknown = SOME_INFLUENCE in hidden and shown is not None
            up += identified(side, hidden, _without(shown or (), up)) if unknown else hidden
            hidden.clear()


def _without(cards: t.Cards, others: list[int]) -> t.Cards:
    rest = list(cards)
    for card in others:
        if card in rest:
            rest.remove(card)
    return tuple(rest)


def hold_vote(state: State, token: t.AnyVote) -> Outcome:
    """Turn up, compare, give the patrician, discard; the record's winner counts where it names another (J2–J8)."""
    group = token.group
    rome, egypt = state.sides
    if rome.hidden[group] or egypt.hidden[group] or rome.blurred or egypt.blurred:
        turn_up(state, token)
    cards = (rome.up[group], egypt.up[group])
    if SOME_INFLUENCE in cards[0] or SOME_INFLUENCE in cards[1]:
        raise Unknowable
    outcome = resolve(cards[0], cards[1], state.edition)
    if token.winner is not None and token.winner != outcome.winner:
        outcome = as_written(outcome, token.winner, cards)
    winner = outcome.winner
    if winner == TIE:
        return outcome
    for owner in (ROME, EGYPT):
        up, gone = cards[owner], outcome.gone[owner]
        state.totals[group] -= len(gone)
        for card in gone:
            up.remove(card)
        up.sort()
        state.sides[owner].discards += gone
    state.sides[winner].won[group] += 1
    state.left[group] -= 1
    if not state.left[group]:
        empty(state, group)
    return outcome


def as_written(outcome: Outcome, winner: int, cards: tuple[list[int], list[int]]) -> Outcome:
    """The outcome that the table gave the vote, right or wrong: who lost what follows from who was said to win."""
    if winner == TIE:
        return outcome._replace(winner=TIE, gone=((), ()))
    higher = 1 - winner if outcome.lower_wins else winner
    return outcome._replace(winner=winner, gone=losses(tuple(cards[0]), tuple(cards[1]), higher))


def empty(state: State, group: int) -> None:
    """The last patrician of a group has been won (L1, L2, L3, M1, P1)."""
    clear_group(state, group)
    state.emptied += 1
    edition = state.edition
    if edition.device_gone is _GONE_AT_ONCE:
        state.bag[group] = state.out[group] = 0
    if state.emptied == 2 and edition.orgy_variant is OrgyVariant.A and edition.orgy_removal is OrgyRemoval.AT_ONCE:
        if state.blanks_out:
            state.blanks_out -= 1
        else:
            state.blanks -= 1
        state.orgy_removed = True
    if state.emptied == 1 and edition.missions_dealt > 1:
        state.choosing = sum([1 << owner for owner, side in enumerate(state.sides) if len(side.missions) > 1])
    if not any(state.left):
        state.ended = "patricians"


def no_vote(state: State, token: t.NoVote, _vetoed: bool) -> None:
    state.revealed = True
    if token.reset:
        bring_back(state, state.out[:], state.blanks_out)
        return
    state.blanks -= 1
    if _orgy_leaves(state):
        state.orgy_removed = True
    else:
        state.blanks_out += 1


def bring_back(state: State, out: list[int], blanks: int) -> None:
    """Busts go back into the bag, vote cards back into the pile: of each group as many as ``out`` says (I4)."""
    for group in state.edition.groups:
        back = min(out[group], state.out[group])
        state.bag[group] += back
        state.out[group] -= back
    back = min(blanks, state.blanks_out)
    state.blanks += back
    state.blanks_out -= back


def _orgy_leaves(state: State) -> bool:
    """Variant A: the first plain orgy that is revealed after two groups are gone leaves the game (P1)."""
    edition = state.edition
    variant = edition.orgy_variant is OrgyVariant.A and edition.orgy_removal is OrgyRemoval.WHEN_REVEALED
    return variant and state.emptied >= 2 and not state.orgy_removed


def put_away(state: State, token: t.PutAway, _vetoed: bool) -> None:
    state.bag[token.group] = 0
