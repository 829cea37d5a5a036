"""Where a record that is being written continues: the current turn, and what may come next.

If all cards are known, the tokens that may come next are those of :mod:`tironian.replay.rules.game.legal`. Writers who
see less are offered what they would write: ``(i)A`` for a face-down card, ``+a`` for a drawn one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from enum import Enum
from itertools import combinations_with_replacement, permutations, product
from math import prod
from typing import Final, NamedTuple, assert_never

from ...notation.basics import EGYPT, INFLUENCE_CARDS, MAY_BE, ROME, SOME_ACTION, SOME_INFLUENCE, high_to_low
from ...notation.records import Record, Turn
from ...notation.records import tokens as t
from ...replay.engine.api import AT_END, HeaderInfo, Replay, Step, apply, is_taken_back, violations
from ...replay.knowledge.api import SEES, seen_token
from ...replay.rules.api import Edition, SideCards, State, missions_of
from ...replay.rules.core import OPENING_SET, begin_turn, change_hand, resolve
from ...replay.rules.game.legal import END_MOVE, Move, draws, in_piles, legal_moves, subsets

MAX_WAYS: Final = 1500
"""The most ways to turn up unknown cards that are listed; if there are more, the writer must type them."""
PILE: Final = t.ActionOrder(())
"""Stands in for the order of an action pile, since there are too many orders to list."""


def offers(state: State, view: str) -> list[Move]:
    """Return everything that may come next, token by token, as ``view`` would write it.

    END_MOVE is included if the turn may be over.
    """
    if view == "arbiter" and not has_unknown_cards(state):
        return legal_moves(state)
    moves: dict[Move, None] = {}
    for guess, vetoed in _guesses(state):
        written = guess and seen_token(guess, state.active, view, vetoed)
        if isinstance(written, t.AnyVote):
            # There can be a thousand ways to turn cards up: whether a vote is legal does not depend on them.
            ballots = _ballots(state, type(written), written.group)
            if not violations(state, ballots[0]):
                moves |= dict.fromkeys(map(Move, ballots))
            continue
        for token in _identified(state, written, vetoed):
            # There can be thousands of discards, all of them possible from the hand.
            if isinstance(token, t.Discard) or not violations(state, token, vetoed):
                moves[Move(token, vetoed)] = None
    return [*moves]


def has_unknown_cards(state: State) -> bool:
    """Return whether cards that matter are not known."""
    return any(
        side.hand[SOME_INFLUENCE] or side.hand[SOME_ACTION] or any(SOME_INFLUENCE in column for column in side.hidden)
        for side in state.sides
    )


def _guesses(state: State) -> Iterator[Move]:
    """Yield what could come if each unknown card in a hand could be any possible card; this is more than the rules
    allow.
    """
    guess = state.copy()
    for owner, side in enumerate(state.sides):
        hand = side.hand
        for some, kinds in MAY_BE.items():
            if hand[some]:
                for (card,) in _unknown(side, kinds, 1):
                    if not hand[card]:
                        change_hand(guess, owner, card, 1)
    # Such a hand could give away far more combinations than the real one.
    kept = [[*dict.fromkeys(_selections(state.sides[state.active], *kind))] for kind in MAY_BE.items()]
    yield from legal_moves(guess, [(*influence, *action) for influence, action in product(*kept)])
    # The guessed hand is too large for draws.
    if state.draw_limit():
        yield from (Move(t.Draw((card,))) for card in in_piles(state.sides[state.active]))
    yield Move(None)


def _selections(side: SideCards, some: int, kinds: range) -> Iterator[t.Cards]:
    """Yield what a hand can give away of one kind if its unknown cards can be any possible cards; some results repeat
    (H3).
    """
    hand = side.hand
    known = [card for card in kinds for _ in range(hand[card])]
    for count in range(hand[some] + 1):
        for rest, part in product(_unknown(side, kinds, count), subsets(known)):
            yield high_to_low((*part, *rest))


def _unknown(side: SideCards, kinds: range, count: int) -> list[t.Cards]:
    """Return what ``count`` unknown cards together can be: no more of each kind than are still unseen."""
    unseen = side.unseen
    return [
        cards
        for cards in combinations_with_replacement([card for card in kinds if unseen[card] > 0], count)
        if all(cards.count(card) <= unseen[card] for card in set(cards))
    ]


def _identified(state: State, token: t.Token | None, vetoed: bool) -> Iterable[t.Token | None]:
    """Return a token with every card that an unknown one can be when it is turned up."""
    victim = state.sides[1 - state.active]
    if vetoed or not isinstance(token, t.Action):
        return [token]
    match token:
        case t.Assassinate(card=card) if card == SOME_INFLUENCE:
            return [replace(token, card=other) for (other,) in _unknown(victim, INFLUENCE_CARDS, 1)]
        case t.Scout(group=group) if SOME_INFLUENCE in victim.hidden[group]:
            return [t.Scout(group, high_to_low(cards)) for cards in _columns(victim, victim.hidden[group])]
        case t.Assassinate() | t.Scout() | t.Wrath() | t.Castle() | t.Spy():
            return [token]
        case _:
            assert_never(token)


def _columns(side: SideCards, cards: list[int]) -> list[list[int]]:
    """Return what a column can be: each unknown card can be any unseen one."""
    known = [card for card in cards if card != SOME_INFLUENCE]
    return [[*known, *rest] for rest in _unknown(side, INFLUENCE_CARDS, len(cards) - len(known))]


def _ballots(state: State, kind: type[t.Vote] | type[t.SpecialVote], group: int) -> list[t.Token | None]:
    """Return a vote with everything that it can turn up, or without cards if that is too much to list."""
    columns = [_columns(side, side.column(group)) for side in state.sides]
    if prod(map(len, columns)) > MAX_WAYS:
        return [kind(group)]
    return [
        kind(group, high_to_low(rome), high_to_low(egypt), resolve(rome, egypt, state.edition).winner)
        for rome, egypt in product(*columns)
    ]


def opening_offers(edition: Edition, side: int, tokens: tuple[t.Token, ...], view: str) -> list[t.Token | None]:
    """Return what may come next in a side's set-up line, after ``tokens``; None if it may be over (B2–B8).

    Cards are placed in the order of the table; PILE stands for the order of an action pile.
    """
    seen = SEES[view][side]
    groups, cards = _left(edition, tokens)
    if groups:
        return [t.Place(card, groups[0], True) for card in (cards if seen else [SOME_INFLUENCE])]
    first, count = edition.first_action.cards, edition.missions_dealt
    first = edition.actions if seen and SOME_ACTION in first else first
    dealt = permutations(dict.fromkeys(missions_of(edition)), count) if seen else [(t.Mission("unknown"),) * count]
    parts: tuple[tuple[type[t.Token], Sequence[t.Token | None]], ...] = (
        (t.Missions, [*map(t.Missions, dealt)]),
        (t.Draw, [t.Draw((card,)) for card in first]),
        (t.ActionOrder, [PILE, None] * (edition.ordered_actions and seen)),
    )
    written = set(map(type, tokens))
    missing = (offered for kind, offered in parts if offered and kind not in written)
    return [*next(missing, [None])]


def _left(edition: Edition, tokens: tuple[t.Token, ...]) -> tuple[list[int], list[int]]:
    """Return the groups without a card so far, and the cards that have not been placed."""
    groups, cards = dict.fromkeys(edition.groups), dict.fromkeys(OPENING_SET)
    for token in tokens:
        if isinstance(token, t.Place):
            groups.pop(token.group, None)
            cards.pop(token.card, None)
    return [*groups], [*cards]


class Phase(Enum):
    """What is being written."""

    SET_UP = "the set-up"
    PLAY = "a turn"
    OVER = "the end"
    BLIND = "what happens, without judging it"
    """The cards can't be followed, or the rules are unknown: anything written is accepted unchanged."""


class Cursor(NamedTuple):
    """Where a record continues. ``state`` is the state before the next token, None if there is none.

    ``fresh`` says that the turn has no line yet; ``moves`` are what may come next; ``announced`` is the last word if it
    is an action, as named, that may be vetoed; ``pending`` says that its outcome has not been written down yet.
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
    def tokens(self) -> list[t.Token]:
        """Return the tokens that may come next."""
        return [move.token for move in self.moves if move.token is not None]

    def offers(self, *kinds: type[t.Token]) -> bool:
        """Return whether a token of these kinds may come next."""
        return any(isinstance(token, kinds) for token in self.tokens)

    @property
    def to_draw(self) -> int:
        """Return how many cards are drawn now: as many as the hand lacks, or as the piles still have (C4, G2)."""
        return 0 if self.state is None else len(next(draws(self.state)).cards)


def cursor_of(record: Record, header_info: HeaderInfo, closed: bool, replay: Callable[[], Replay]) -> Cursor:
    """Return where a record continues, from its ``replay`` after the set-up, with the steps of its last turns.

    ``closed`` says that its last line has ended although it might go on.
    """
    edition, turns = header_info.edition, record.turns
    if edition is None:
        return _blind(turns, header_info, closed)
    if cursor := _set_up(turns, edition, header_info, closed):
        return cursor
    played = replay()
    if not played.steps:
        return _blind(turns, header_info, closed)
    if not (closed or header_info.is_broken_off) and (cursor := _in_turn(played, record, header_info.view)):
        return cursor
    if played.run.stopped:
        return _blind(turns, header_info, closed)
    state = played.steps[-1].state
    over = Cursor(Phase.OVER, state.number, state.active, True, (), state)
    if header_info.is_broken_off or state.ended:
        return over
    return over._replace(phase=Phase.PLAY, moves=tuple(offers(state, header_info.view)))


def _in_turn(played: Replay, record: Record, view: str) -> Cursor | None:
    """Return the cursor in the last turn; None if the turn is over, or the cards can't be followed that far."""
    steps, turn = played.steps, record.turns[-1]
    if played.run.stopped:
        return _within(steps, turn, view) if _is_unfinished_castling(played, turn) else None
    last = steps[-1]
    if last.at != AT_END:
        return _within(steps, turn, view)
    if last.turn is not turn:
        return _within(steps, turn, view) if turn.number and not is_taken_back(turn) else None
    if not turn.tokens or (last.state.ended and record.points is not None):
        return None
    # It can end here, so the replay has ended it; but more may come.
    cursor = _within(steps[:-1], turn, view)
    return None if cursor.moves == (END_MOVE,) else cursor


def _is_unfinished_castling(played: Replay, turn: Turn) -> bool:
    """Return whether the only reason why the cards can't be followed is that the last word, an announced castling,
    leaves them open (F4). A veto, or where the cards are now, can still be written.
    """
    last = played.run.findings[-1] if played.run.findings else None
    if last is None or last.fault.code != "C908" or last.turn is not turn or last.at != len(turn.tokens) - 1:
        return False
    return isinstance(turn.tokens[-1], t.Castle)


def _lacks_outcome(steps: Sequence[Step], turn: Turn) -> bool:
    """Return whether the last word names an action that turned cards up but not yet the cards (F1, F2).

    The cards can still be followed; but everybody has seen them, and the action can still have been vetoed.
    """
    last, action = steps[-1], next(reversed(turn.tokens), None)
    if len(steps) < 2 or last.turn is not turn or last.at != len(turn.tokens) - 1:
        return False
    match action:
        case t.Scout(seen=None) | t.Assassinate(card=None, hidden=True):
            return SOME_INFLUENCE in steps[-2].state.sides[1 - turn.side].hidden[action.group]
    return False


def says_all_of(token: t.Token | None, said: t.Token) -> bool:
    """Return whether a token says everything that another says: it is of the same kind and says the same or more."""
    if type(token) is not type(said):
        return False
    pairs = [(getattr(token, field.name), getattr(said, field.name)) for field in fields(said)]
    return all(value in (None, whole) for whole, value in pairs)


def _within(steps: Sequence[Step], turn: Turn, view: str) -> Cursor:
    """Return the cursor in mid-turn, after the last token that was carried out: the turn's last token or the one
    before.
    """
    if _lacks_outcome(steps, turn):
        steps = steps[:-1]
    last, action = steps[-1], next(reversed(turn.tokens), None)
    done = last.at + 1 if last.turn is turn else 0
    pending = done < len(turn.tokens) and isinstance(action, (t.Veto, *t.ACTIONS))
    state = _begun(last.state, turn)
    moves, named = offers(state, view), None
    if isinstance(action, t.ACTIONS):
        named = t.chosen(action)
        if pending:
            moves = [move for move in moves if not move.vetoed and says_all_of(move.token, action)]
        moves += _vetoes(state if pending else steps[-2].state, named, view)
    return Cursor(Phase.PLAY, turn.number, turn.side, False, tuple(moves), state, named, pending)


def _begun(state: State, turn: Turn) -> State:
    """Return the state in which a turn begins, even if it is out of order because somebody insisted on it."""
    if state.active != turn.side:
        state = state.copy()
        state.number, state.active = turn.number, turn.side
        begin_turn(state)
    return state


def _vetoes(before: State, named: t.Action, view: str) -> list[Move]:
    """Return the vetoes that can follow an action, if it can have been played and may be vetoed (E3, F7)."""
    if violations(before, named, True):
        return []
    state = before.copy()
    apply(state, named, True)
    vetoes = [move for move in offers(state, view) if isinstance(move.token, t.Veto)]
    return [move for move in vetoes if not violations(state, move.token)]


def _set_up(turns: Sequence[Turn], edition: Edition, header_info: HeaderInfo, closed: bool) -> Cursor | None:
    """Return the cursor in the set-up; None after it."""
    if any(turn.number for turn in turns):
        return None
    if header_info.position:
        # Only the writer knows when the description of a table is complete.
        return None if closed else _blind(turns, header_info, closed)
    over = {turn.side for turn in (turns if closed else turns[:-1])}
    line = {turn.side: turn.tokens for turn in turns[-1:]}
    for side in sorted({ROME, EGYPT} - over):
        moves = tuple(map(Move, opening_offers(edition, side, line.get(side, ()), header_info.view)))
        if moves != (END_MOVE,):
            return Cursor(Phase.SET_UP, 0, side, side not in line, moves)
    return None


def unseen_lines(header_info: HeaderInfo) -> list[int]:
    """Return the sides whose set-up line the writer can't see at all."""
    return [] if header_info.position else [side for side in (ROME, EGYPT) if not SEES[header_info.view][side]]


def _blind(turns: Sequence[Turn], header_info: HeaderInfo, closed: bool) -> Cursor:
    """Return the last turn, or the one after it in the order of turns.

    In tournament mode nobody writes a set-up line that they can't see.
    """
    left_out = unseen_lines(header_info) if header_info.tournament else []
    first = Cursor(Phase.BLIND, 1, header_info.starter, True)
    if not turns:
        return next((Cursor(Phase.BLIND, 0, side, True) for side in (ROME, EGYPT) if side not in left_out), first)
    last = turns[-1]
    if not closed and not is_taken_back(last):
        return Cursor(Phase.BLIND, last.number, last.side, False)
    if not last.number:
        is_first = len(turns) == 1 and last.side == ROME and EGYPT not in left_out
        return Cursor(Phase.BLIND, 0, EGYPT, True) if is_first else first
    return Cursor(Phase.BLIND, last.number + (last.side != header_info.starter), 1 - last.side, True)
