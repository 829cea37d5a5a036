"""The law of votes, busts and vote cards, and what a record says of a vote held against the cards that lie there."""

from __future__ import annotations

from ...notation import tokens as t
from ...notation.cards import EGYPT, PHILOSOPHER, ROME, SOME_INFLUENCE, TIE, high_to_low
from ..edition import DeviceGone
from ..state import State
from ..vote import resolve
from .base import Fault, Found, fits, in_order, in_play


def vote(state: State, token: t.Vote, _vetoed: bool, found: Found) -> None:
    group = token.group
    _reveal(state, token, found)
    if group not in state.edition.groups:
        found.append(Fault("R201", {"group": group}))
    elif not state.left[group]:
        code = "R409" if state.edition.device_gone is DeviceGone.WHEN_REVEALED else "R202"
        found.append(Fault(code, {"group": group}))
    else:
        if not state.bag[group]:
            found.append(Fault("R407", {"group": group}))
        _claims(state, token, found)


def special_vote(state: State, token: t.SpecialVote, _vetoed: bool, found: Found) -> None:
    group = token.group
    if state.passive:
        found.append(Fault("R604", {}))
    in_order(state, token, found)
    if not in_play(state, group, found):
        return
    due = state.crowded() if state.pending is None else state.pending
    if group not in due:
        already = state.pending is not None and state.total(group) >= state.edition.special_threshold
        found.append(Fault("R401", {"group": group, "count": state.total(group), "already": already}))
    _claims(state, token, found)


def _reveal(state: State, token: t.Token, found: Found) -> None:
    """What holds for everything that comes out of the bag or off the pile of vote cards."""
    in_order(state, token, found)
    if state.revealed:
        found.append(Fault("R406", {}))
    elif not state.reveals():
        found.append(Fault("R404", {"passive": state.passive, "final": state.final}))


def _claims(state: State, token: t.AnyVote, found: Found) -> None:
    """What the record itself says about the vote, held against the cards that lie there (J1–J3)."""
    group = token.group
    rome, egypt = state.sides
    columns = (rome.up[group] + rome.hidden[group], egypt.up[group] + egypt.hidden[group])
    shown = (token.rome, token.egypt)
    told = True
    for owner in (ROME, EGYPT):
        cards = shown[owner]
        if cards is not None and not fits(cards, columns[owner]):
            facts = {"owner": owner, "group": group, "shown": cards, "there": high_to_low(columns[owner])}
            found.append(Fault("C901", facts))
            told = False
    if token.winner is None or not told:
        return
    cards = [list(shown[owner] or ()) if SOME_INFLUENCE in columns[owner] else columns[owner] for owner in (ROME, EGYPT)]
    if SOME_INFLUENCE in cards[0] or SOME_INFLUENCE in cards[1] or len(cards[0]) + len(cards[1]) < state.total(group):
        return
    outcome = resolve(cards[0], cards[1], state.edition)
    if outcome.winner != token.winner:
        philosophers = cards[0].count(PHILOSOPHER), cards[1].count(PHILOSOPHER)
        facts = {"group": group, "outcome": outcome, "winner": token.winner, "philosophers": philosophers}
        found.append(Fault("C902", {**facts, "tie": outcome.winner == TIE}))


def no_vote(state: State, token: t.NoVote, _vetoed: bool, found: Found) -> None:
    _reveal(state, token, found)
    if not token.reset and state.blanks <= 0:
        found.append(Fault("R408", {"out": state.blanks_out}))


def put_away(state: State, token: t.PutAway, _vetoed: bool, found: Found) -> None:
    group = token.group
    _reveal(state, token, found)
    if group not in state.edition.groups:
        found.append(Fault("R201", {"group": group}))
    elif state.left[group]:
        found.append(Fault("R410", {"group": group}))
    elif not state.bag[group]:
        found.append(Fault("R411", {"group": group}))
