"""The game as a sequence of decisions and chances: what is due at a point of it, and what playing something there does.

A point is a state, the action that was announced there but has not happened yet (``pending``, 0 for none), and what
has been passed: 1 if the opponent does not veto that action; otherwise how many steps of the turn the player leaves as
they are. None of this is in the state, since a record does not say it: it has no word for it.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ....notation import codes
from ....notation.cards import CARD_KINDS, INFLUENCE_KINDS, SOME_ACTION, SOME_INFLUENCE
from ....notation.tokens import DRAW, REVEAL, SPECIAL
from .. import layout
from ..mechanics import actions, placing, votes
from ..mechanics.hands import ImpossibleMoveError
from ..mechanics.turns import advance, end_turn
from ..moves import actions as action_moves
from ..moves.move_list import MoveList
from ..moves.placing import allowed_faces, ends_when_full_now, list_passes, list_placements, must_stay_in_step
from ..moves.votes import (
    count_reveals,
    count_special_votes,
    list_reveals,
    list_special_votes,
    reveal_at,
    special_vote_at,
)
from ..sequences import counts_in
from ..state import State

OVER: Final = 0
"""Nothing: the game is over."""
# Decisions.
MOVE: Final = 1
"""The player places, plays, exchanges, or passes; passing may be forbidden (``may_pass``)."""
ON_VETO: Final = 2
"""The opponent vetoes the pending action, or passes."""
SPLIT: Final = 3
"""The player lays out a castling."""
TARGET: Final = 4
"""The player, who sees the hand, picks what the spy has discarded."""
PILE: Final = 5
"""The player draws from one of both piles; the card itself is chance."""
MISSION: Final = 6
# Chance, and what follows without a choice.
ORDER: Final = 7
"""A special vote is held. If several are due, the rules leave open which comes first."""
BUST: Final = 8
"""A bust or vote card is revealed."""
LAST_PILE: Final = 9
"""A card is drawn from the only pile that is left."""
REPLACEMENT: Final = 10
"""A vetoed action: the card that the opponent draws for the veto."""
EFFECT: Final = 11
"""The pending action happens; what it turns up has been there before."""
TURN: Final = 12
"""The turn ends."""


def due(state: State, pending: i64, passed: i64) -> i64:
    """Return what comes next. A step in which nothing can happen is skipped."""
    if state.over:
        return OVER
    if pending:
        kind = pending & codes.KIND
        if not passed and action_moves.may_veto(state):
            return ON_VETO
        if kind == codes.CASTLE:
            return SPLIT
        if kind == codes.SPY:
            return TARGET
        return EFFECT
    if state.vetoed == layout.ANNOUNCED:
        return REPLACEMENT
    if state.choosing:
        return MISSION
    if not (passed or state.stage) and may_go_on(state):
        return MOVE
    rules, cells, side = state.rules, state.cells, state.active
    place: i64 = state.stage
    if place < passed:
        place = passed
    if not place:
        place = 1
    while place < rules.steps:
        step = rules.order[place]
        if step == SPECIAL:
            if not state.passive and state.due_votes() > 0:
                return ORDER
        elif step == REVEAL:
            if not state.revealed and state.reveals():
                return BUST
        elif state.draw_limit():
            if cells[layout.ACTION_PILE + side] > 0:
                if cells[layout.INFLUENCE_PILE + side] > 0:
                    return PILE
                return LAST_PILE
            if cells[layout.INFLUENCE_PILE + side] > 0:
                return LAST_PILE
        place += 1
    return TURN


def decider(state: State, kind: i64) -> i64:
    """Return who is to act: the other side about a veto, a side that chooses a mission, otherwise the player."""
    if kind in (ON_VETO, REPLACEMENT):
        return 1 - state.active
    if kind == MISSION:
        if state.must_choose(0):
            return 0
        return 1
    return state.active


def may_go_on(state: State) -> bool:
    """Return whether the player may still place or play, as far as everybody can tell: they hold such cards, and are
    allowed to.

    At the beginning of a turn this is assumed.
    """
    if state.passive:
        return False
    if not state.has_acted():
        return True
    if state.cells[layout.INFLUENCE + state.active] and allowed_faces(state) and state.can_place(state.active):
        return True
    if action_moves.may_act(state) and not (state.final and state.no_place):
        return state.cells[layout.HELD + state.active] > state.cells[layout.INFLUENCE + state.active]
    return False


# ----------------------------------------------------------------------------------------------------- chance


def count_outcomes(state: State, kind: i64) -> i64:
    """Return how many special votes or busts there are, one of which comes now; all are equally likely."""
    if kind == ORDER:
        return count_special_votes(state)
    return count_reveals(state)


def outcome_at(state: State, kind: i64, at: i64) -> tuple[i64, i64]:
    """Return the special vote, or what the bust brings, at a place among them."""
    if kind == ORDER:
        return special_vote_at(state, at)
    return reveal_at(state, at)


def size_of(state: State, side: i64, unknown_card: i64) -> i64:
    """Return how many cards a pile holds; it is named by its unknown card."""
    if unknown_card == SOME_INFLUENCE:
        return state.cells[layout.INFLUENCE_PILE + side]
    return state.cells[layout.ACTION_PILE + side]


def card_in(state: State, side: i64, unknown_card: i64, at: i64) -> i64:
    """Return the card at a place among those of a pile, all equally likely; the top one if its owner ordered it."""
    if unknown_card == SOME_ACTION:
        order = state.orders[side]
        if order:
            return order[0]
        return state.card_at(layout.UNSEEN + layout.CARD_ROW * side, at, INFLUENCE_KINDS)
    return state.card_at(layout.UNSEEN + layout.CARD_ROW * side, at)


def turns_up(state: State, code: i64) -> bool:
    """Return whether an action shows cards of the other side that its player can't see beforehand."""
    kind = code & codes.KIND
    if kind == codes.ASSASSINATE:
        return (code >> codes.TARGET_HIDDEN_AT & 1) != 0
    if kind == codes.WRATH:
        at = layout.GROUP_ROW * (1 - state.active) + (code >> codes.GROUP_AT & codes.GROUP)
        return state.cells[layout.HIDDEN_COUNT + at] != 0
    return True


def effect_of(state: State, code: i64) -> i64:
    """Return an action with the face-down cards that it hits or turns up; return other actions unchanged."""
    at = layout.GROUP_ROW * (1 - state.active) + (code >> codes.GROUP_AT & codes.GROUP)
    if code & codes.KIND == codes.SCOUT:
        count = state.cells[layout.HIDDEN_COUNT + at]
        if count:
            seen = counts_in(state.cells[layout.HIDDEN + at], count)
            return code | 1 << codes.SEEN_WRITTEN_AT | seen << codes.SEEN_AT
    if code & codes.KIND == codes.ASSASSINATE and code >> codes.TARGET_HIDDEN_AT & 1 and not code >> codes.TARGET_AT:
        place = code >> codes.POSITION_AT & codes.POSITION
        if place:
            place -= 1
        cards = state.cells[layout.HIDDEN + at]
        return code | ((cards >> codes.WIDTH * place & codes.CARD) + 1) << codes.TARGET_AT
    return code


def list_due(state: State, kind: i64, moves: MoveList, exchanges: bool = True) -> None:
    """Add every move and every chance of a kind that is due, while nothing is pending; actions with each outcome.

    Without ``exchanges`` a passive turn is listed with no card exchanged.
    """
    if kind == MOVE:
        list_placements(state, moves)
        action_moves.list_actions(state, moves)
        list_passes(state, exchanges, moves)
    elif kind == REPLACEMENT:
        action_moves.list_vetoes(state, moves)
    elif kind == MISSION:
        for side in range(i64(2)):
            if state.must_choose(side):
                moves.add(codes.CHOOSE | side << codes.SIDE_AT | 1 << codes.KEPT_AT, 0)
                moves.add(codes.CHOOSE | side << codes.SIDE_AT | 2 << codes.KEPT_AT, 0)
    elif kind == ORDER:
        list_special_votes(state, moves)
    elif kind == BUST:
        list_reveals(state, moves)
    elif kind in (PILE, LAST_PILE):
        cards = action_moves.in_piles(state, state.active)
        for card in range(i64(CARD_KINDS)):
            if cards >> card & 1:
                moves.add(codes.DRAW | 1 << codes.COUNT_AT | card << codes.CARDS_AT, 0)
    elif kind in (OVER, TURN):
        moves.add(codes.TURN_END, 0)


def list_moves(state: State, moves: MoveList, exchanges: bool = True) -> None:
    """Fill the list with all moves that the rules allow at this point of the game, including TURN_END.

    An action that is announced and then vetoed is marked by ANNOUNCED_ONLY. Without ``exchanges`` a passive turn is
    listed with no card exchanged.
    """
    moves.count = 0
    kind = due(state, 0, 1)
    if not (state.stage or kind in (OVER, REPLACEMENT, MISSION)):
        list_due(state, MOVE, moves, exchanges)
        if ends_when_full_now(state):
            moves.add(codes.TURN_END, 0)
            return
        if must_stay_in_step(state):
            return
    list_due(state, kind, moves)
    if kind in (PILE, LAST_PILE) and state.both_out():
        list_due(state, due(state, 0, state.rules.rank[DRAW] + 1), moves)


# ----------------------------------------------------------------------------------------------------- playing


def step_of(state: State, kind: i64) -> i64:
    """Return the place, within the turn, of the step that a kind of token belongs to; -1 if it has none."""
    return (state.rules.places >> codes.WIDTH * kind & codes.CARD) - 1


def carry_out(state: State, code: i64, code2: i64, vetoed: bool) -> None:
    """Carry out a token, given as its codes. ``vetoed`` says that the action is only announced, since a veto follows
    it.

    Raise ImpossibleMoveError or MissingCardsError if the cards make it impossible to go on; the state must not be used
    after that.
    """
    kind = code & codes.KIND
    place = step_of(state, kind)
    if place > state.stage:
        advance(state, place)
    if kind == codes.PLACE:
        placing.do_place(state, code)
    elif kind == codes.DRAW:
        placing.do_draw(state, code)
    elif kind == codes.VOTE:
        votes.do_vote(state, code, code2)
    elif kind == codes.NO_VOTE:
        votes.do_no_vote(state, code)
    elif kind == codes.SPECIAL_VOTE:
        votes.do_special_vote(state, code, code2)
    elif kind == codes.DISCARD:
        placing.do_discard(state, code)
    elif codes.ACTION_KINDS >> kind & 1:
        actions.do_action(state, code, code2, vetoed)
    elif kind == codes.VETO:
        actions.do_veto(state, code)
    elif kind == codes.PUT_AWAY:
        votes.do_put_away(state, code)
    elif kind == codes.CHOOSE:
        placing.do_choose(state, code)
    else:
        raise ImpossibleMoveError  # not something that a turn can do


def make_move(state: State, code: i64, code2: i64) -> None:
    """Play a move as the generator lists it: the codes of a token, TURN_END, or an action with ANNOUNCED_ONLY."""
    if code == codes.TURN_END:
        end_turn(state)
    else:
        carry_out(state, code & ~codes.ANNOUNCED_ONLY, code2, code & codes.ANNOUNCED_ONLY != 0)
