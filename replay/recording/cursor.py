"""Where a record that is being written goes on: the current turn, and what may come next.

Where all cards are known, these are the tokens of :mod:`tironian.replay.rules.moves.legal`. Writers who see less are
offered what they would have written: ``(i)A`` for a card face down, ``+a`` for one drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from enum import Enum
from itertools import combinations_with_replacement, permutations, product
from math import prod
from typing import Final, NamedTuple, assert_never

from ...notation import tokens as t
from ...notation.cards import EGYPT, INFLUENCE_CARDS, MAY_BE, ROME, SOME_ACTION, SOME_INFLUENCE, high_to_low
from ...notation.record import Record, Turn
from ..editions.edition import Edition, missions_of
from ..engine.findings import END as TURN_END
from ..engine.headers import Frame
from ..engine.play import apply, violations
from ..engine.replay import Replay, Step
from ..engine.rulings import is_taken_back
from ..rules.mechanics.hands import change_hand
from ..rules.mechanics.turns import begin_turn
from ..rules.moves.legal import END, Move, announced, in_piles, legal_moves, subsets
from ..rules.ruleset import OPENING_SET
from ..rules.state import SideCards, State
from ..rules.vote_outcome import resolve
from ..views.redaction import seen_token
from ..views.table_view import SEES

MOST: Final = 1500
"""How many ways to turn up unknown cards are listed; where there are more, they are for the writer to type."""
PILE: Final = t.ActionOrder(())
"""In place of the order of an action pile, which has too many to be listed."""


def offers(state: State, view: str) -> list[Move]:
    """Return all that may come next, a token at a time, as ``view`` would write it; END where the turn may be over."""
    if view == "arbiter" and not is_blurred(state):
        return legal_moves(state)
    moves: dict[Move, None] = {}
    for guess, vetoed in _guesses(state):
        written = guess and seen_token(guess, state.active, view, vetoed)
        for token in _identified(state, written, vetoed):
            # Of discards there can be thousands, and each is one that the hand can give.
            if isinstance(token, t.Discard) or not violations(state, token, vetoed):
                moves[Move(token, vetoed)] = None
    return [*moves]


def is_blurred(state: State) -> bool:
    """Return whether cards that matter are not known."""
    return any(
        side.hand[SOME_INFLUENCE] or side.hand[SOME_ACTION] or any(SOME_INFLUENCE in column for column in side.hidden)
        for side in state.sides
    )


def _guesses(state: State) -> Iterator[Move]:
    """Yield what could come if an unknown card of a hand were any that it can be; more than the rules allow."""
    guess = state.copy()
    for owner, side in enumerate(state.sides):
        hand, unseen = side.hand, side.unseen
        for some, kinds in MAY_BE.items():
            for card in kinds if hand[some] else ():
                if not hand[card] and unseen[card] > 0:
                    change_hand(guess, owner, card, 1)
    # What such a hand could give away together would be far more than what the hand can.
    kept = [[*dict.fromkeys(_selections(state.sides[state.active], *kind))] for kind in MAY_BE.items()]
    yield from legal_moves(guess, [(*influence, *action) for influence, action in product(*kept)])
    # The guessed hand is too large to draw for.
    if state.draw_limit():
        yield from (Move(t.Draw((card,))) for card in in_piles(state.sides[state.active]))
    yield Move(None)


def _selections(side: SideCards, some: int, kinds: range) -> Iterator[t.Cards]:
    """Yield what a hand can give away of one kind, its unknown cards being any that they can be; some more than once
    (H3).
    """
    hand = side.hand
    known = [card for card in kinds for _ in range(hand[card])]
    for count in range(hand[some] + 1):
        for rest, part in product(_unknown(side, kinds, count), subsets(known)):
            yield high_to_low((*part, *rest))


def _unknown(side: SideCards, kinds: range, count: int) -> list[t.Cards]:
    """Return what ``count`` unknown cards can be together: of each kind no more than nobody has seen."""
    unseen = side.unseen
    return [
        cards
        for cards in combinations_with_replacement([card for card in kinds if unseen[card] > 0], count)
        if all(cards.count(card) <= unseen[card] for card in set(cards))
    ]


def _identified(state: State, token: t.Token | None, vetoed: bool) -> Iterable[t.Token | None]:
    """Return a token with every card that an unknown one can turn out to be when it is turned up."""
    victim = state.sides[1 - state.active]
    if not isinstance(token, t.Action | t.AnyVote):
        return [token]
    match token:
        case t.Vote() | t.SpecialVote():
            return _ballots(state, type(token), token.group)
        case t.Assassinate():
            if token.card == SOME_INFLUENCE and not vetoed:
                return [replace(token, card=card) for (card,) in _unknown(victim, INFLUENCE_CARDS, 1)]
        case t.Scout():
            hidden = victim.hidden[token.group]
            if SOME_INFLUENCE in hidden and not vetoed:
                return [t.Scout(token.group, high_to_low(cards)) for cards in _columns(victim, hidden)]
        case t.Wrath() | t.Castle() | t.Spy():
            pass
        case _:
            assert_never(token)
    return [token]


def _columns(side: SideCards, cards: list[int]) -> list[list[int]]:
    """Return what a column can be: each unknown card any that nobody has seen."""
    known = [card for card in cards if card != SOME_INFLUENCE]
    return [[*known, *rest] for rest in _unknown(side, INFLUENCE_CARDS, len(cards) - len(known))]


def _ballots(state: State, kind: type[t.Vote] | type[t.SpecialVote], group: int) -> list[t.Token | None]:
    """Return a vote with all that can be turned up at it; without cards where that is too much to list."""
    columns = [_columns(side, side.column(group)) for side in state.sides]
    if prod(map(len, columns)) > MOST:
        return [kind(group)]
    return [
        kind(group, high_to_low(rome), high_to_low(egypt), resolve(rome, egypt, state.edition).winner)
        for rome, egypt in product(*columns)
    ]


def opening_offers(edition: Edition, side: int, tokens: tuple[t.Token, ...], view: str) -> list[t.Token | None]:
    """Return what may come next in a side's line of the set-up, after ``tokens``; None where it may be over (B2–B8).

    Cards are placed in the order of the table; PILE stands for the order of an action pile.
    """
    seen = SEES[view][side]
    written = {type(token) for token in tokens}
    placed = [token for token in tokens if isinstance(token, t.Place)]
    groups = [group for group in edition.groups if group not in {token.group for token in placed}]
    if groups:
        cards = [card for card in OPENING_SET if card not in {token.card for token in placed}]
        return [t.Place(card, groups[0], True) for card in (cards if seen else [SOME_INFLUENCE])]
    if t.Missions not in written:
        if not seen:
            return [t.Missions((t.Mission("unknown"),) * edition.missions_dealt)]
        return [
            t.Missions(dealt) for dealt in permutations(dict.fromkeys(missions_of(edition)), edition.missions_dealt)
        ]
    if (first := edition.first_action.cards) and t.Draw not in written:
        return [t.Draw((card,)) for card in (edition.actions if seen and SOME_ACTION in first else first)]
    return [PILE, None] if edition.ordered_actions and seen and t.ActionOrder not in written else [None]


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


def cursor_of(record: Record, frame: Frame, closed: bool, replay: Callable[[], Replay]) -> Cursor:
    """Return where a record goes on, as its ``replay`` says behind the set-up, with the steps of its last turns.

    ``closed`` says that its last line is over although it might go on.
    """
    edition, turns = frame.edition, record.turns
    if edition is None:
        return _blind(turns, frame, closed)
    if not frame.position and (cursor := _set_up(turns, edition, frame.view, closed)):
        return cursor
    if frame.position and not closed and not any(turn.number for turn in turns):
        # Nobody but the writer knows when the description of a table is complete.
        return _blind(turns, frame, closed)
    played = replay()
    steps = played.steps
    broken_off = frame.termination not in ("", "normal")
    is_open = not closed and not broken_off
    if is_open and steps and _is_unsaid(played, turns[-1]):
        return _within(steps, turns[-1], frame.view)
    if played.run.stopped or not steps:
        return _blind(turns, frame, closed)
    last, turn, state = steps[-1], turns[-1], steps[-1].state
    over = Cursor(Phase.OVER, state.number, state.active, True, (), state)
    result = record.result
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
