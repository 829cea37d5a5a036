"""The cursor of a record that is being written: the current turn, and what may come next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME, SOME_INFLUENCE
from ...notation.reader import Game
from ...notation.record import Turn
from ..editions.edition import Edition
from ..engine.findings import END as TURN_END
from ..engine.headers import Frame
from ..engine.play import apply, violations
from ..engine.replay import Replay, Step, replay_game
from ..engine.rulings import is_taken_back
from ..rules.mechanics.turns import begin_turn
from ..rules.moves.legal import END, Move, announced
from ..rules.state import State
from .offers import offers, opening_offers

RECENT: Final = 6
"""How many lines at the end of a record are looked at; some of them may have been taken back."""


class Phase(Enum):
    """What is being written."""

    SET_UP = "the set-up"
    PLAY = "a turn"
    OVER = "the end"
    BLIND = "what happens, without judging it"
    """The cards can't be followed, or nobody knows the rules: whatever is written is taken as it stands."""


class Cursor(NamedTuple):
    """Where a record goes on. ``state`` is that before the next token, None where there is none.

    ``fresh``: the turn has no line yet. ``moves``: what may come next. ``announced``: the action that stands last, as
    it was named: a veto may follow it. ``pending``: what it brought about is not written down yet.
    """

    phase: Phase
    number: int
    side: int
    fresh: bool
    moves: tuple[Move, ...] = ()
    state: State | None = None
    announced: t.Action | None = None
    pending: bool = False

    @property
    def label(self) -> str:
        """Return the label of the turn: ``7E``."""
        return f"{self.number}{'RE'[self.side]}"

    @property
    def to_draw(self) -> int:
        """Return how many cards are drawn now: as many as the hand lacks, or what is left in the piles (C4, G2)."""
        if self.state is None:
            return 0
        side = self.state.sides[self.state.active]
        return min(self.state.draw_limit(), side.influence_pile + side.action_pile)


def cursor_of(game: Game, frame: Frame, closed: bool) -> Cursor:
    """Return where a record goes on. ``closed`` says that its last line is over although it might go on."""
    edition, turns = frame.edition, game.record.turns
    if edition is None:
        return _blind(turns, frame, closed)
    if not frame.position and (cursor := _set_up(turns, edition, frame.view, closed)):
        return cursor
    if frame.position and not closed and not any(turn.number for turn in turns):
        # Nobody but the writer knows when the description of a table is complete.
        return _blind(turns, frame, closed)
    played = replay_game(game, behind=max(0, len(turns) - RECENT))
    if len(played.steps) < 2:  # none of the last turns was carried out
        played = replay_game(game)
    steps = played.steps
    broken_off = frame.termination not in ("", "normal")
    is_open = not closed and not broken_off
    if is_open and steps and _is_unsaid(played, turns[-1]):
        return _within(steps, turns[-1], frame.view)
    if played.run.stopped or not steps:
        return _blind(turns, frame, closed)
    last, turn, state = steps[-1], turns[-1], steps[-1].state
    over = Cursor(Phase.OVER, state.number, state.active, True, (), state)
    result = game.record.result
    is_scored = result is not None and result.points is not None and bool(state.ended) and last.turn is turn
    if broken_off or (is_scored and last.at == TURN_END):
        return over  # its result says so, even where the last turn might go on
    is_next = last.turn is not turn and turn.number and not is_taken_back(turn)
    if is_open and (last.at != TURN_END or is_next):
        return _within(steps, turn, frame.view)
    if is_open and last.turn is turn and turn.tokens:
        # It can end here, and so the replay has ended it; but perhaps there is more to come.
        cursor = _within(steps[:-1], turn, frame.view)
        if cursor.moves != (END,):
            return cursor
    return over if state.ended else over._replace(phase=Phase.PLAY, moves=tuple(offers(state, frame.view)))


def _is_unsaid(played: Replay, turn: Turn) -> bool:
    """Return whether the cards can't be followed only because of what the last word, an announced castling, leaves
    open (F4). A veto, or how the cards lie now, can still be written.
    """
    last = played.run.findings[-1] if played.run.findings else None
    if last is None or last.fault.code != "C908" or last.turn is not turn or last.at != len(turn.tokens) - 1:
        return False
    return isinstance(turn.tokens[-1], t.Castle)


def _is_half_said(steps: Sequence[Step], turn: Turn) -> bool:
    """Return whether the last word names an action that turned cards up, and not yet which they were (F1, F2).

    The cards can be followed all the same; but everybody has seen them, and it can still have been vetoed.
    """
    last, action = steps[-1], turn.tokens[-1] if turn.tokens else None
    if len(steps) < 2 or last.turn is not turn or last.at != len(turn.tokens) - 1:
        return False
    match action:
        case t.Scout(seen=None) | t.Assassinate(card=None, hidden=True):
            return SOME_INFLUENCE in steps[-2].state.sides[1 - turn.side].hidden[action.group]
    return False


def says_all_of(token: t.Token, said: t.Token) -> bool:
    """Return whether a token says all that another one says: it is of the same kind, and at most says more."""
    if type(token) is not type(said):
        return False
    pairs = [(getattr(token, field.name), getattr(said, field.name)) for field in fields(said)]
    return all(value in (None, whole) for whole, value in pairs)


def _within(steps: Sequence[Step], turn: Turn, view: str) -> Cursor:
    """Return the cursor in mid-turn: after the last token that was carried out, the last one or the one before."""
    if _is_half_said(steps, turn):
        steps = steps[:-1]
    last = steps[-1]
    done = last.at + 1 if last.turn is turn else 0
    state, action = last.state, turn.tokens[-1] if turn.tokens else None
    if not done and state.active != turn.side:  # a turn out of its order that somebody insisted on
        state = state.copy()
        state.number, state.active = turn.number, turn.side
        begin_turn(state)
    pending = done < len(turn.tokens) and isinstance(action, (t.Veto, *t.ACTIONS))
    moves, named = offers(state, view), None
    if isinstance(action, t.ACTIONS):
        named = announced(action)
        if pending:
            outcomes = [move for move in moves if not move.vetoed]
            moves = [move for move in outcomes if move.token is not None and says_all_of(move.token, action)]
        moves += _vetoes(state if pending else steps[-2].state, named, view)
    return Cursor(Phase.PLAY, turn.number, turn.side, False, tuple(moves), state, named, pending)


def _vetoes(before: State, named: t.Action, view: str) -> list[Move]:
    """Return the vetoes that can follow an action, where it can have been played and may be vetoed (E3, F7)."""
    if violations(before, named, True):
        return []
    state = before.copy()
    apply(state, named, True)
    vetoes = [move for move in offers(state, view) if isinstance(move.token, t.Veto)]
    return [move for move in vetoes if not violations(state, move.token)]


def _set_up(turns: Sequence[Turn], edition: Edition, view: str, closed: bool) -> Cursor | None:
    """Return the cursor in the set-up; None after it."""
    if any(turn.number for turn in turns):
        return None
    for side in (ROME, EGYPT):
        line = next((turn for turn in turns if turn.side == side), None)
        tokens = line.tokens if line else ()
        moves = tuple([Move(token) for token in opening_offers(edition, side, tokens, view)])
        is_open = line is None or (line is turns[-1] and not closed)
        if is_open and moves != (END,):
            return Cursor(Phase.SET_UP, 0, side, line is None, moves)
    return None


def _blind(turns: Sequence[Turn], frame: Frame, closed: bool) -> Cursor:
    """Return the last turn, or the one after it in the order of turns."""
    if not turns:
        return Cursor(Phase.BLIND, 0, ROME, True)
    last = turns[-1]
    if not closed and not is_taken_back(last):
        return Cursor(Phase.BLIND, last.number, last.side, False)
    if not last.number:
        return Cursor(Phase.BLIND, 0, EGYPT, True) if len(turns) == 1 else Cursor(Phase.BLIND, 1, frame.starter, True)
    return Cursor(Phase.BLIND, last.number + (last.side != frame.starter), 1 - last.side, True)
