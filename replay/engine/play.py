"""The rules asked with tokens: what is wrong with one, and what it does."""

from __future__ import annotations

from ...notation import tokens as t
from ...notation.cards import high_to_low
from ...notation.codes import KIND, OTHER, encode
from ..rules.fault import Fault, Faults
from ..rules.law.actions import hand_cards
from ..rules.law.placing import not_held
from ..rules.law.progress import judge_end, judge_progress
from ..rules.mechanics import Impossible
from ..rules.mechanics.turns import end_turn
from ..rules.sequences import as_sequence
from ..rules.sequences import target as target_in
from ..rules.state import State
from .follow import carry_out, judge


def violations(state: State, token: t.Token | None, vetoed: bool = False) -> Faults:
    """Return everything that the rules forbid about this token now; None is the end of the turn. Nothing is changed.

    ``vetoed`` says that an action is only announced, since a veto follows it. Each fault has the ``code``
    of its diagnostic; a token that is among the legal moves has none.

    >>> state = tironian.replay_game(record).at("1E.0").state
    >>> [fault.code for fault in tironian.violations(state, tironian.tokens.Wrath(tironian.Group.AEDILE))]
    ['R203']
    """
    faults: Faults = []
    if token is None:
        judge_end(state, faults)
        return faults
    code, more = encode(t.checked(token))
    if code & KIND != OTHER:
        judge(state, code, more, vetoed, faults)
    else:
        place = state.rules.rank[t.KINDS[type(token)].step]
        if place > state.stage or state.over or state.choosing:
            judge_progress(state, OTHER, place, faults)
        if not state.over:
            faults += _of_no_code(state, token)
    return faults


def _of_no_code(state: State, token: t.Token) -> Faults:
    """Return what is wrong with a token that is none of a turn, or has more cards than there can be."""
    owner = 1 - state.active
    match token:
        case t.Draw():
            return [Fault("R501", {"drawn": len(token.cards), "limit": state.draw_limit()})]
        case t.Discard():
            lacking = not_held(state, state.active, list(token.cards))
            return [Fault("R203", {"owner": state.active, "card": card}) for card in lacking]
        case t.Vote() | t.SpecialVote():
            columns = [high_to_low(state.column(side, token.group)) for side in (0, 1)]
            shown = (token.rome, token.egypt)
            wrong = [side for side in (0, 1) if shown[side] != columns[side]]
            return [
                Fault("C901", {"owner": side, "group": token.group, "shown": shown[side] or (), "there": columns[side]})
                for side in wrong
            ]
        case t.Castle():
            lifted = state.column(state.active, token.first) + state.column(state.active, token.second)
            laid = high_to_low((*(token.cards_first or ()), *(token.cards_second or ())))
            return [Fault("R311", {"token": token, "laid": laid, "lifted": high_to_low(lifted)})]
        case t.Scout():
            there = high_to_low(state.sides[owner].hidden[token.group])
            return [Fault("R309", {"group": token.group, "seen": token.seen or (), "there": there})]
        case t.Spy():
            there = hand_cards(state, owner)
            return [Fault("R316", {"owner": owner, "seen": token.hand or (), "there": there})]
        case t.Assassinate():
            count = len(state.sides[owner].hidden[token.group])
            return [Fault("R305", {"group": token.group, "hidden": True, "count": count})]
        case t.Unread():
            return []  # the reader has reported it
        case _:
            return [Fault("R602", {"token": token})]


def apply(state: State, token: t.Token | None, vetoed: bool = False) -> None:
    """Change ``state`` by one token; None ends the turn and prepares the next. Whether it is legal is not asked.

    ``vetoed`` says that an action is only announced, since a veto follows it. Raise Impossible or
    Unknowable if the cards don't allow to go on; the state must then not be used any more. ``state.copy()`` keeps it.

    >>> state = tironian.replay_game(record).at("1E.0").state
    >>> tironian.apply(state, *tironian.legal_moves(state)[0])
    >>> state.has_acted()
    True
    """
    if token is None:
        end_turn(state)
        return
    code, more = encode(t.checked(token))
    if code & KIND != OTHER:
        carry_out(state, code, more, vetoed)
    elif not isinstance(token, t.SetUp | t.Unread):
        raise Impossible


def target(column: list[int], token: t.Assassinate) -> int | None:
    """Return the place in a column of the card that an assassination hits; None where it is not known."""
    card = -1 if token.card is None else token.card
    place = target_in(as_sequence(column), len(column), token.position or 0, card)
    return None if place < 0 else place
