"""What all could see and somebody wrote down in part: it follows once every card that lay there is known."""

from __future__ import annotations

from dataclasses import replace

from ...notation import tokens as t
from ...notation.cards import SOME_INFLUENCE, high_to_low
from ...notation.record import Record, Turn
from ..engine.headers import Frame
from ..engine.play import apply
from ..engine.rulings import is_taken_back
from ..engine.run import run
from ..rules.law.actions import hand_cards
from ..rules.mechanics import Impossible, Unknowable
from ..rules.state import State


def with_what_was_seen(record: Record, frame: Frame) -> Record:
    """A legal record of which all cards are known, with every word in full that shows only some of the cards it saw.

    What was left out altogether stays so: it is derived.
    """
    begin: list[State] = []

    def watch(turn: Turn | None, _at: int, state: State) -> None:
        if turn is None:
            begin.append(state.copy())

    run(record, frame, watch)
    turns = list(record.turns)
    try:
        for place, turn in enumerate(turns):
            if turn.number and not is_taken_back(turn):
                turns[place] = replace(turn, tokens=_played(begin[0], turn.tokens))
    except (Impossible, Unknowable):
        pass  # broken off, or it leaves out cards on which everything behind depends
    return replace(record, turns=tuple(turns))


def _played(state: State, tokens: tuple[t.Token, ...]) -> tuple[t.Token, ...]:
    """The tokens of a turn, which is carried out."""
    found: list[t.Token] = []
    for token, following in zip(tokens, (*tokens[1:], None), strict=False):
        vetoed = isinstance(following, t.Veto)
        found.append(token if vetoed else _in_full(state, token))
        apply(state, found[-1], vetoed)
    apply(state, None)
    return tuple(found)


def _in_full(state: State, token: t.Token) -> t.Token:
    other = state.sides[1 - state.active]
    match token:
        case t.Assassinate(card=card, hidden=True) if card is None or card == SOME_INFLUENCE:
            there = other.hidden[token.group]
            at = (token.position or 1) - 1
            return replace(token, card=there[at]) if at < len(there) else token
        case t.Scout(seen=seen) if _is_partial(seen):
            return replace(token, seen=high_to_low(other.hidden[token.group]))
        case t.Spy(hand=hand) if _is_partial(hand):
            return replace(token, hand=hand_cards(state, 1 - state.active))
        case t.Vote() | t.SpecialVote() if _is_partial(token.rome) or _is_partial(token.egypt):
            rome, egypt = [high_to_low(side.column(token.group)) for side in state.sides]
            return replace(token, rome=rome, egypt=egypt)
        case _:
            return token


def _is_partial(cards: t.Cards | None) -> bool:
    return cards is not None and any(card >= SOME_INFLUENCE for card in cards)
