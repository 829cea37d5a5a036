"""What a person can choose at a decision, in the notation and in words, and how typed text is matched with it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from ...notation.basics import CARD_LETTERS, SIDE_LETTERS, high_to_low
from ...notation.language import GROUPS, PLAYERS, phrase
from ...notation.records import parse, parse_token, token_text
from ...notation.records import tokens as t
from ...replay.diagnostics.api import CODES, cards_text, fill
from ...replay.diagnostics.api import words as fault_words
from ...replay.engine.api import violations
from ...replay.rules.api import State
from ...replay.rules.core import MISSION, MOVE, ON_VETO, PILE, SPLIT, TARGET, codes
from ...replay.rules.game.legal import as_move
from ...replay.words.api import choice_words, token_words
from .options import ALLOW


class Offer(NamedTuple):
    """A move that the person can choose: in the notation, and in words without a subject."""

    text: str
    words: str
    token: t.Token | None
    card: str = ""
    """What it is called in the list in place of a number: where a card is asked for, a number is a card."""


def names(offers: Sequence[Offer]) -> list[str]:
    """Return what may be typed in place of each word: its number from 1, or its card."""
    return [offer.card or str(number) for number, offer in enumerate(offers, 1)]


def offer_of(kind: int, move: tuple[int, int], state: State, side: int) -> Offer:
    """Return an option of a ``kind`` of decision, given its two codes, as the offer that ``side`` can choose."""
    token = move_token(*move)
    words = choice_words(token, side, state, phrase("it"), vetoing=kind == ON_VETO)
    if token is None and kind == MOVE:
        words = phrase("goes on without placing or playing more")
    card = CARD_LETTERS[token.card] if kind == TARGET and isinstance(token, t.Spy) and token.card is not None else ""
    return Offer(text_of(token), words, token, card)


def asked(kind: int, pending: int, state: State, side: int) -> str:
    """Return the question that ``side`` has to decide, as a sentence; ``pending`` is the announced action that it is
    about.
    """
    other = PLAYERS[1 - side]
    if kind == ON_VETO:
        token = move_token(pending, 0)
        said = "" if token is None else token_words(token, state.active, state.edition, vetoed=True)
        return phrase("{player.name} {action}. Do you veto it?", player=other, action=said)
    if kind == SPLIT:
        first, second = [GROUPS[pending >> at & codes.GROUP] for at in (codes.GROUP_AT, codes.SECOND_AT)]
        return phrase("How do you lay out your cards at {first.the} and {second.the}?", first=first, second=second)
    if kind == TARGET:
        hand = cards_text(state.sides[1 - side].cards)
        seen = phrase("Your spy sees the hand of {player.name}: {cards}.", player=other, cards=hand)
        return f"{seen} {phrase('Which card is discarded?')}"
    if kind == PILE:
        return phrase("Which pile do you draw from?")
    if kind == MISSION:
        return phrase("Which of your missions do you keep?")
    turn = f"{state.number}{SIDE_LETTERS[state.active]}"
    return phrase("{turn}, your turn: what do you place or play?", turn=turn)


def place_of(offers: Sequence[Offer], typed: str) -> int | None:
    """Return the place of the offer that was typed, by its name in a list or in the notation; None for none."""
    typed = "".join(typed.split())
    if typed in (called := names(offers)):
        return called.index(typed)
    texts = [offer.text for offer in offers]
    if typed not in texts:
        typed = _canonical(typed)
    return texts.index(typed) if typed in texts else None


def why_not(kind: int, state: State, typed: str) -> str:
    """Return why a word can't be played, as the law says it, with its code and rule; empty if the law does not say."""
    with suppress(ValueError):
        token = parse_token(typed)
        is_action = isinstance(token, t.ACTIONS)
        faults = violations(state, t.chosen(token) if is_action else token, vetoed=is_action)
        if faults and kind == MOVE:
            code, texts = CODES[faults[0].code], fault_words(faults[0], state, state.edition)
            rule = " ".join(state.edition.citation(texts.get("field") or code.rule).points)
            return f"{fill(code.message, texts)} [{phrase('{code}, rule {rule}', code=code.code, rule=rule)}]"
    return ""


def _canonical(typed: str) -> str:
    """Return a typed word in the form of the offers: castled cards may be typed in any order."""
    turns = parse(f"1E {typed}")[0].record.turns if typed else []
    tokens = turns[0].tokens if turns else ()
    if len(tokens) != 1:
        return typed
    token = tokens[0]
    if isinstance(token, t.Castle) and token.cards_first is not None and token.cards_second is not None:
        token = t.Castle(token.first, token.second, high_to_low(token.cards_first), high_to_low(token.cards_second))
    return token_text(token)


def move_token(code: int, more: int) -> t.Token | None:
    """Return an option as it is chosen, before its outcome is known; None means going on without a token."""
    return None if code == ALLOW else as_move(code & ~codes.ANNOUNCED_ONLY, more).token


def text_of(token: t.Token | None) -> str:
    """Return the choice in the notation; ``/`` means going on without a token."""
    return "/" if token is None else token_text(token)
