"""What an entry put into a record, or an undo took out of it, in words; and that an entry put nothing into it."""

from __future__ import annotations

from itertools import pairwise, zip_longest
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import PLAYER_NAMES
from ...notation.record import Record, Turn
from ...notation.writer import token_text
from ..analysis.telling import scene_between, token_words
from ..engine.replay import replay_game
from ..engine.shown import ballot
from .cursor import says_all_of
from .draft import Draft
from .editing import without
from .entry import Item, NewTurn, items_of

_SAID: Final = 2
"""So many words of a longer entry are told: the last ones."""
_REPLAYED: Final = 3
"""So many turns are replayed to tell how a vote came out."""


class _Word(NamedTuple):
    """A token of a turn, or the part of it that came or went."""

    turn: Turn
    at: int
    token: t.Token


def change_words(before: Draft, after: Draft) -> str:
    """Return what was entered last, ``Cleopatra draws a 3``, or what was taken back, with its turn and as it stood.

    Empty where nothing changed that can be told so.
    """
    if came := _more(before.record, after.record):
        return _sentence(came[-_SAID:], after)
    if went := _more(after.record, before.record):
        label = went[0].turn.label
        return f"taken back: {label} {' '.join([token_text(word.token) for word in went if word.turn.label == label])}"
    if before.text == after.text:
        return f"taken back: the end of {before.record.turns[-1].label}" if before.closed and not after.closed else ""
    there = {*after.text.splitlines()}
    lines = [line.strip() for line in before.text.splitlines() if line.strip() and line not in there]
    return f"taken back: {lines[-1]}" if lines and len(after.text) < len(before.text) else ""


def known_words(draft: Draft, typed: str) -> str:
    """Return that what was typed is nothing new to a record, and where it stands there."""
    item = next((item for item in items_of(draft, typed) if not isinstance(item, NewTurn)), None)
    if item is None:
        return f"{typed} is the turn that is being written"
    for turn in reversed(draft.record.turns):
        for token in reversed(turn.tokens):
            if _says(token, item):
                text = token_text(token)
                return f"{typed} is in the record already: {turn.label} {text}"
    return f"{typed} is in the record already"


def _says(token: t.Token, item: Item) -> bool:
    """Return whether a token of the record says what an item does, perhaps more."""
    if isinstance(token, t.Draw) and isinstance(item, t.Draw):
        return without(token.cards, item.cards) is not None
    return token == item or (isinstance(item, t.AnyVote | t.Action) and says_all_of(token, item))


def _more(less: Record, more: Record) -> list[_Word]:
    """Return what one record has behind the other, of a draw what is new; nothing where they differ elsewhere."""
    words: list[_Word] = []
    for old, new in zip_longest(less.turns, more.turns):
        if new is None or (old is not None and old.label != new.label):
            return []
        known = old.tokens if old is not None else ()
        at = len(known)
        if known != new.tokens[:at]:
            at -= 1
            if known[:-1] != new.tokens[:at] or at >= len(new.tokens):
                return []
            one, other = known[at], new.tokens[at]
            if isinstance(one, t.AnyVote | t.Action) and type(one) is type(other):
                # What a veto prevents is left out of the action before it.
                at += len(new.tokens) > at + 1
            elif isinstance(one, t.Draw) and isinstance(other, t.Draw) and (cards := without(other.cards, one.cards)):
                words.append(_Word(new, at, t.Draw(cards)))
                at += 1
            else:
                return []
        words += [_Word(new, place, token) for place, token in enumerate(new.tokens[at:], at)]
    return words


def _sentence(words: list[_Word], draft: Draft) -> str:
    """Return words of a record as sentences, with the player before each turn's."""
    edition = draft.frame.edition
    if edition is None:
        return ""
    is_vote = any(isinstance(word.token, t.Vote | t.SpecialVote) for word in words)
    steps = replay_game(draft.game, behind=max(0, len(draft.record.turns) - _REPLAYED)).steps if is_vote else ()
    around = {(id(step.turn), step.at): (last.state, step.state) for last, step in pairwise(steps)}
    sentences: list[str] = []
    for turn, at, token in words:
        states = around.get((id(turn), at))
        if isinstance(token, t.Vote | t.SpecialVote) and states is not None:
            before, after = states
            scene = scene_between(before, ballot(before, token), after)
            sentences.append(f"{scene.title}: {' '.join([*scene.first, scene.verdict]).removesuffix('.')}")
        else:
            said = token_words(token, turn.side, edition)
            sentences.append(said if said[:1].isupper() else f"{PLAYER_NAMES[turn.side]} {said}")
    return "; ".join(sentences)
