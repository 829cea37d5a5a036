"""The law of votes, busts and vote cards, and what a record says of a vote held against the cards that lie there."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...notation import tokens as t
from ...notation.cards import EGYPT, PHILOSOPHER, ROME, SOME_INFLUENCE, TIE, high_to_low
from ..edition import DeviceGone
from ..state import State
from ..vote import resolve_sorted
from .base import Fault, Found, fits, in_order, in_play

_REVEAL = t.REVEAL
_UNKNOWN = (SOME_INFLUENCE,)


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
        found.append(Fault("R604", {"token": token}))
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
    if state.rank[_REVEAL] < state.stage:
        in_order(state, token, found)
    if state.revealed:
        found.append(Fault("R406", {"token": token}))
    elif not state.may_reveal or state.passive:
        found.append(Fault("R404", {"passive": state.passive, "final": state.final}))


def _claims(state: State, token: t.AnyVote, found: Found) -> None:
    """What the record itself says about the vote, held against the cards that lie there (J1–J3)."""
    group = token.group
    rome, egypt = state.sides
    lying = (rome.up[group] + rome.hidden[group], egypt.up[group] + egypt.hidden[group])
    # What is shown stands from high to low, so it can be compared as it is; nearly always it is the same.
    columns = (tuple(sorted(lying[0], reverse=True)), tuple(sorted(lying[1], reverse=True)))
    unknown = columns[0][:1] == _UNKNOWN or columns[1][:1] == _UNKNOWN
    if unknown or columns[0] != token.rome or columns[1] != token.egypt:
        if not unknown and (slip := _slip(state, token, columns)):
            facts = {"owner": ROME, "group": token.group, "shown": token.rome, "there": columns[0], **slip}
            found.append(Fault("C901", facts))
            return
        columns = _as_shown(state, token, lying, found)
    if columns is None or token.winner is None:
        return
    outcome = resolve_sorted(columns[0], columns[1], state.edition)
    if outcome.winner != token.winner:
        philosophers = columns[0].count(PHILOSOPHER), columns[1].count(PHILOSOPHER)
        facts = {"group": group, "outcome": outcome, "winner": token.winner, "philosophers": philosophers}
        found.append(Fault("C902", {**facts, "tie": outcome.winner == TIE}))


def _slip(state: State, token: t.AnyVote, columns: tuple[t.Cards, t.Cards]) -> dict[str, Any]:
    """How the vote would be right: with its halves exchanged, or at another group; nothing where it would not."""
    shown = (token.rome, token.egypt)
    if SOME_INFLUENCE in (*(token.rome or ()), *(token.egypt or ())):
        return {}  # a card that was not caught is no reason to think of another group
    if shown[::-1] == columns:
        return {"swapped": True}
    rome, egypt = state.sides
    for group in state.edition.groups if any(shown) else ():
        if (high_to_low(rome.column(group)), high_to_low(egypt.column(group))) == shown:
            return {"elsewhere": group}
    return {}


def _as_shown(
    state: State, token: t.AnyVote, lying: tuple[list[int], list[int]], found: Found
) -> tuple[t.Cards, t.Cards] | None:
    """The cards of both sides, unknown ones named as the vote shows them; None where they can't be told."""
    columns: list[t.Cards] = []
    for owner, shown in ((ROME, token.rome), (EGYPT, token.egypt)):
        cards = lying[owner]
        if shown is not None and not fits(state.sides[owner], shown, cards):
            facts = {"owner": owner, "group": token.group, "shown": shown, "there": high_to_low(cards)}
            found.append(Fault("C901", facts))
            continue
        named = Counter(cards) | Counter(shown or ())
        del named[SOME_INFLUENCE]
        if named.total() == len(cards):
            columns.append(tuple(sorted(named.elements(), reverse=True)))
    return (columns[0], columns[1]) if len(columns) == 2 else None


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
