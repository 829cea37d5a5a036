"""Applies law and mechanics: what is wrong with a token, and what it does. The engine uses codes, others use tokens."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ...notation import codes
from ...notation import tokens as t
from ...notation.arrays import vec
from ...notation.cards import high_to_low
from ...notation.codes import KIND, OTHER, encode
from ...notation.packed import Packed
from ...notation.word_cache import parse_token
from ..rules.fault import Fault, Faults, add
from ..rules.game.game import carry_out, step_of
from ..rules.law import actions as law_of_actions
from ..rules.law import placing as law_of_placing
from ..rules.law import votes as law_of_votes
from ..rules.law.actions import hand_cards
from ..rules.law.placing import not_held
from ..rules.law.progress import judge_end, judge_progress
from ..rules.layout import ANNOUNCED
from ..rules.mechanics.hands import ImpossibleMoveError, MissingCardsError
from ..rules.mechanics.turns import end_turn
from ..rules.sequences import as_sequence
from ..rules.sequences import target as target_in
from ..rules.state import State


def judge(state: State, code: i64, code2: i64, vetoed: bool, faults: Faults) -> None:
    """Note everything that the rules forbid about a token now (given as its codes); change nothing.

    ``vetoed`` says that an action is only announced, since a veto follows it.
    """
    kind = code & codes.KIND
    place = step_of(state, kind)
    if place > state.stage or state.over or state.choosing or state.vetoed == ANNOUNCED:
        judge_progress(state, code, place, faults)
    if state.over:
        return
    if kind == codes.PLACE:
        law_of_placing.judge_place(state, code, faults)
    elif kind == codes.DRAW:
        law_of_placing.judge_draw(state, code, place, faults)
    elif kind == codes.VOTE:
        law_of_votes.judge_vote(state, code, code2, place, faults)
    elif kind == codes.NO_VOTE:
        law_of_votes.judge_no_vote(state, code, place, faults)
    elif kind == codes.SPECIAL_VOTE:
        law_of_votes.judge_special_vote(state, code, code2, place, faults)
    elif kind == codes.DISCARD:
        law_of_placing.judge_discard(state, code, faults)
    elif codes.ACTION_KINDS >> kind & 1:
        law_of_actions.judge_action(state, code, code2, vetoed, faults)
    elif kind == codes.VETO:
        law_of_actions.judge_veto(state, code, faults)
    elif kind == codes.PUT_AWAY:
        law_of_votes.judge_put_away(state, code, place, faults)
    elif kind == codes.CHOOSE:
        law_of_placing.judge_choose(state, code, faults)


def judge_move(state: State, code: i64, code2: i64, faults: Faults) -> None:
    """Note everything that the rules forbid about a move as the generator lists it."""
    if code == codes.TURN_END:
        judge_end(state, faults)
    else:
        judge(state, code & ~codes.ANNOUNCED_ONLY, code2, code & codes.ANNOUNCED_ONLY != 0, faults)


FOLLOWED: Final = 0
IMPOSSIBLE: Final = 1
UNKNOWABLE: Final = 2


def follow(state: State, turns: Packed, place: i64, count: i64) -> tuple[int, int, int]:
    """Play the first ``count`` turns from a place on, as long as nothing is wrong with them and nothing follows their
    lines.

    Return the place of the turn that was not played to its end (after the last turn if all were played), the token
    before which it stopped (the number of tokens stands for the turn's end), and whether that token was abandoned half
    done: FOLLOWED, IMPOSSIBLE or UNKNOWABLE.
    """
    faults: Faults = []
    while place < count:
        due = turns.is_followed(place) or turns.number(place) != state.number or turns.side(place) != state.active
        if due or state.over:
            return place, 0, FOLLOWED
        begin = turns.begin(place)
        at = follow_turn(state, turns.codes, begin, turns.begin(place + 1), faults)
        if at >= 0:
            return place, (at >> 2) - begin >> 1, at & 3
        place += 1
    return place, 0, FOLLOWED


def follow_turn(state: State, words: vec[i64], at: i64, end: i64, faults: Faults) -> i64:
    """Play the codes of a turn, from ``at`` to ``end``.

    Return -1, or four times the place of the code before which it stopped, plus the reason, as in ``follow``.
    """
    try:
        while at < end:
            code = words[at]
            code2 = words[at + 1]
            kind = code & codes.KIND
            if kind == codes.OTHER:
                return 4 * at
            vetoed = False
            if codes.ACTION_KINDS >> kind & 1 and at + 2 < end:
                vetoed = words[at + 2] & codes.KIND == codes.VETO
            judge(state, code, code2, vetoed, faults)
            if faults:
                return 4 * at
            carry_out(state, code, code2, vetoed)
            at += 2
        judge_end(state, faults)
        if faults:
            return 4 * at
        end_turn(state)
    except ImpossibleMoveError:
        return 4 * at + IMPOSSIBLE
    except MissingCardsError:
        return 4 * at + UNKNOWABLE
    return -1


def violations(state: State, token: t.Token | str | None, vetoed: bool = False) -> Faults:
    """Return everything that the rules forbid about this token now; None is the end of the turn. Nothing is changed.

    The token may be given as its word. ``vetoed`` says that an action is only announced, since a veto follows it. Each
    fault has the ``code`` of its diagnostic; a token that is among the legal moves has no faults. Raise ValueError for
    text that is not a word, and for a token that can't be written.

    >>> state = tironian.replay_game(record).at("1E.0").state
    >>> [fault.code for fault in tironian.violations(state, "wA")]
    ['R203']
    """
    faults: Faults = []
    if token is None:
        judge_end(state, faults)
        return faults
    if isinstance(token, str):
        token = parse_token(token)
    code, code2 = encode(t.checked(token))
    if code & KIND != OTHER:
        judge(state, code, code2, vetoed, faults)
    else:
        place = state.rules.rank[t.KINDS[type(token)].step]
        if place > state.stage or state.over or state.choosing:
            judge_progress(state, OTHER, place, faults)
        if not state.over:
            faults += _codeless_faults(state, token)
    return faults


def _codeless_faults(state: State, token: t.Token) -> Faults:
    """Return what is wrong with a token that does not belong in a turn, or has more cards than possible."""
    owner = 1 - state.active
    match token:
        case t.Draw():
            return [Fault("R501", {"drawn": len(token.cards), "limit": state.draw_limit()})]
        case t.Discard():
            lacking = not_held(state, state.active, list(token.cards))
            return [Fault("R203", {"owner": state.active, "card": card}) for card in lacking]
        case t.Vote() | t.SpecialVote():
            return _misread(state, token)
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


def _misread(state: State, token: t.AnyVote) -> Faults:
    """Return which columns of a vote with more cards than possible differ from those on the table."""
    faults: Faults = []
    for side, shown in enumerate((token.rome, token.egypt)):
        there = high_to_low(state.column(side, token.group))
        if shown != there:
            add(faults, "C901", {"owner": side, "group": token.group, "shown": shown or (), "there": there})
    return faults


def apply(state: State, token: t.Token | str | None, vetoed: bool = False) -> None:
    """Change ``state`` by one token; None ends the turn and prepares the next. Legality is not checked.

    The token may be given as its word. ``vetoed`` says that an action is only announced, since a veto follows it. Raise
    ImpossibleMoveError or MissingCardsError if the cards make it impossible to go on; the state must not be used after
    that. Raise ValueError for text that is not a word, and for a token that can't be written. To be able to undo it,
    make a copy first.

    >>> state = tironian.replay_game(record).at("1E.0").state
    >>> before = [state.copy()]
    >>> tironian.apply(state, *tironian.legal_moves(state)[0])
    >>> before.append(state.copy())
    >>> tironian.apply(state, "5Q")
    >>> state.up, state.down
    (1, 1)
    >>> state = before.pop()  # the last one is undone
    >>> state.up, state.down
    (0, 1)
    """
    if token is None:
        end_turn(state)
        return
    if isinstance(token, str):
        token = parse_token(token)
    code, code2 = encode(t.checked(token))
    if code & KIND != OTHER:
        carry_out(state, code, code2, vetoed)
    elif not isinstance(token, t.SetUp | t.Unread):
        raise ImpossibleMoveError


def target(column: list[int], token: t.Assassinate) -> int | None:
    """Return the place, in its column, of the card that an assassination hits; None if it is not known."""
    card = -1 if token.card is None else token.card
    place = target_in(as_sequence(column), len(column), token.position or 0, card)
    return None if place < 0 else place
