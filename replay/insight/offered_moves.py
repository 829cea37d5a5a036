"""What a person can choose at a decision, in the notation and in words, and what he types read as one of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import PLAYER_NAMES, SIDE_LETTERS, high_to_low
from ...notation.reader import parse
from ...notation.writer import token_text
from ..analysis.telling import mission_words, token_words
from ..diagnostics.names import cards_text, group_name, join
from ..rules.state import State
from .options import MISSION, MOVE, ON_VETO, PILE, SPLIT, TARGET
from .reasons import move_token, text_of, words_of


class Offer(NamedTuple):
    """A move that the person can choose: in the notation, and in words without a subject."""

    text: str
    words: str
    token: t.Token | None


def offer_of(kind: int, move: tuple[int, int], state: State, side: int) -> Offer:
    """Return an option of a ``kind`` of decision, its two codes given, as ``side`` can choose it."""
    token = move_token(kind, *move)
    words = words_of(token, kind, side, state.edition)
    if isinstance(token, t.ChooseMission) and token.kept:
        words = f"keeps the mission: {mission_words(state.missions[side][token.kept - 1])}"
    elif token is None and kind == MOVE:
        words = "goes on without placing or playing more"
    return Offer(text_of(token), words, token)


def asked(kind: int, pending: int, state: State, side: int) -> str:
    """Return what ``side`` has to decide, as a sentence; ``pending`` is the announced action that it is about."""
    other = PLAYER_NAMES[1 - side]
    if kind == ON_VETO:
        token = move_token(MOVE, pending, 0)
        said = "" if token is None else token_words(token, state.active, state.edition, vetoed=True)
        return f"{other} {said}. Do you veto it?"
    if kind == SPLIT:
        places = join(group_name(pending >> shift & 7) for shift in (4, 7))
        return f"How do your cards lie at {places} from now on?"
    if kind == TARGET:
        hand = cards_text(state.sides[1 - side].cards)
        return f"Your spy sees the hand of {other}: {hand}. Which card is discarded?"
    if kind == PILE:
        return "Which pile do you draw from?"
    if kind == MISSION:
        return "Which of your missions do you keep?"
    return f"{state.number}{SIDE_LETTERS[state.active]}, your turn: what do you place or play?"


def place_of(offers: Sequence[Offer], typed: str) -> int | None:
    """Return the place of the offer that is typed, by its number from 1 on or in the notation; None for neither."""
    typed = "".join(typed.split())
    if typed.isascii() and typed.isdigit():
        return int(typed) - 1 if 0 < int(typed) <= len(offers) else None
    texts = [offer.text for offer in offers]
    if typed not in texts:
        typed = _canonical(typed)
    return texts.index(typed) if typed in texts else None


def _canonical(typed: str) -> str:
    """Return a typed word as the offers have it: castled cards may be typed in any order."""
    turns = parse(f"1E {typed}")[0].record.turns if typed else []
    tokens = turns[0].tokens if turns else ()
    if len(tokens) != 1:
        return typed
    token = tokens[0]
    if isinstance(token, t.Castle) and token.cards_first is not None and token.cards_second is not None:
        token = t.Castle(token.first, token.second, high_to_low(token.cards_first), high_to_low(token.cards_second))
    return token_text(token)
