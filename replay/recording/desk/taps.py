"""Words of the notation as taps on a table: a card, a group, a bust, a button.

What can be tapped next follows from the words that the recorder offers, each spelled as taps. Nothing here knows a
rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple, TypeAlias, assert_never

from ....notation import tokens as t
from ....notation.cards import (
    ASSASSINATION,
    CARD_LETTERS,
    CASTLING,
    GROUP_LETTERS,
    INFLUENCE_CARDS,
    SCOUT,
    SIDE_LETTERS,
    SOME_INFLUENCE,
    SPY,
    VETO,
    WRATH,
    high_to_low,
)
from ....notation.writer import token_text
from ...rules.moves.legal import Move, announced
from ...rules.state import State
from ..cursor import PILE
from ..recorder import Recorder

Key: TypeAlias = tuple[str, ...]
"""A tap as a value: ``("card", "R", "5", "up")``, ``("group", "P")``, ``("bust", "o")``, ``("choice", "end")``."""
Taps: TypeAlias = tuple[Key, ...]
"""Taps that may come in any order, sorted."""

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "card": ("of", "card", "face"),
    "group": ("group",),
    "bust": ("bust",),
    "choice": ("choice",),
    "number": ("n",),
    "text": ("text",),
    "undo": (),
    "redo": (),
}
"""Each kind of tap → what a tap of that kind says."""
END: Final = ("choice", "end")
"""The turn ends here."""
MEANT: Final = "as "
"""Before a word, as the key of a choice: the taps mean this word, though they could mean or begin another one."""
EXCHANGE: Final = ("choice", "exchange")
AWAY: Final = ("choice", "away")
LONGEST: Final = 2_000
"""How many characters a tap may have in all; a text that is typed is the longest."""


def key_of(tap: Any) -> Key | None:
    """Return a tap, as JSON has it, as a value; None where it is none that this version knows."""
    if not isinstance(tap, dict) or not isinstance(kind := tap.get("tap"), str) or kind not in FIELDS:
        return None
    key = [kind]
    for name in FIELDS[kind]:
        value = tap.get(name)
        if name == "n":
            value = str(value) if type(value) is int and 0 <= value < LONGEST else None
        if not isinstance(value, str):
            return None
        key.append(value)
    return tuple(key) if sum(map(len, key)) <= LONGEST else None


def tap_of(key: Key) -> dict[str, Any]:
    """Return a tap as JSON has it."""
    kind, *values = key
    fields = zip(FIELDS[kind], values, strict=True)
    return {"tap": kind} | {name: int(value) if name == "n" else value for name, value in fields}


class Spelling(NamedTuple):
    """A word that can be tapped: part by part, each as one of several ``ways``. ``text`` makes it of the ways chosen.

    ``move`` is what the recorder offers, None for a vote whose cards are tapped.
    """

    ways: tuple[frozenset[Taps], ...]
    text: Callable[[Sequence[Taps]], str]
    move: Move | None = None


class Progress(NamedTuple):
    """How far taps have come in a word: the parts tapped, what can be tapped next, and whether it is complete."""

    chosen: tuple[Taps, ...]
    next: frozenset[Key]
    complete: bool


def followed(word: Spelling, taps: Sequence[Key]) -> Progress | None:
    """Return how far taps come in a word; None where they lead elsewhere."""
    chosen: list[Taps] = []
    left = [*taps]
    for ways in word.ways:
        fitting = [way for way in ways if len(way) <= len(left) and way == tuple(sorted(left[: len(way)]))]
        if not fitting:
            begun = Counter(left)
            open_ways = [Counter(way) - begun for way in ways if not begun - Counter(way)]
            if not open_ways:
                return None
            return Progress(tuple(chosen), frozenset(key for way in open_ways for key in way), False)
        chosen.append(max(fitting, key=len))
        del left[: len(chosen[-1])]
    return None if left else Progress(tuple(chosen), frozenset(), True)


def card(side: int, number: int, hidden: bool = False) -> Key:
    """Return the tap on a card of a side."""
    return ("card", SIDE_LETTERS[side], CARD_LETTERS[number], "down" if hidden else "up")


def cards(side: int, numbers: Iterable[int], hidden: bool = False) -> Taps:
    """Return the taps on several cards of a side, in any order."""
    return tuple(sorted(card(side, number, hidden) for number in numbers))


def group(number: int) -> Key:
    """Return the tap on a group."""
    return ("group", GROUP_LETTERS[number])


def spelled(token: t.Token | None, side: int) -> tuple[Taps, ...]:
    """Return a word of a side's turn as taps. Of a vote these are no cards: they are asked for as they are unknown."""
    return tuple(part for part in _parts(token, side) if part)


def _parts(token: t.Token | None, side: int) -> Iterator[Taps]:
    other = 1 - side
    match token:
        case None:
            yield (END,)
        case t.Place():
            yield (card(side, token.card, token.hidden),)
            yield (group(token.group),)
        case t.Assassinate():
            yield (card(side, ASSASSINATION),)
            yield (group(token.group),)
            if token.hidden:
                yield (card(other, SOME_INFLUENCE, True),)
            if token.position is not None:
                yield (("number", str(token.position)),)
            if token.card is not None:
                yield (card(other, token.card),)
        case t.Scout():
            yield (card(side, SCOUT),)
            yield (group(token.group),)
            yield cards(other, token.seen or ())
        case t.Wrath():
            yield (card(side, WRATH),)
            yield (group(token.group),)
        case t.Castle():
            yield (card(side, CASTLING),)
            yield (group(token.first),)
            yield cards(side, token.cards_first or ())
            yield (group(token.second),)
            yield cards(side, token.cards_second or ())
        case t.Spy():
            yield (card(side, SPY),)
            yield cards(other, token.hand or ())
            yield () if token.card is None else (card(other, token.card),)
            yield () if token.draw is None else (card(other, token.draw),)
        case t.Veto():
            yield (card(other, VETO),)
            yield () if token.draw is None else (card(other, token.draw),)
        case t.Discard():
            yield (EXCHANGE,)
            yield cards(side, token.cards)
        case t.Vote():
            yield (("bust", GROUP_LETTERS[token.group]),)
        case t.SpecialVote():
            yield (group(token.group),)
        case t.NoVote():
            yield (("bust", "r" if token.reset else "o"),)
        case t.PutAway():
            yield (("bust", GROUP_LETTERS[token.group]),)
            yield (AWAY,)
        case t.Draw():
            yield from ((card(side, number),) for number in token.cards)
        case t.Missions():
            yield from ((("choice", token_text(t.Missions((mission,)))),) for mission in token.missions)
        case t.ChooseMission() | t.ActionOrder() | t.Hand() | t.Gained() | t.Spent() | t.Bag() | t.Unread():
            yield (("choice", token_text(token)),)
        case _:
            assert_never(token)


def words(recorder: Recorder) -> list[Spelling]:
    """Return all words that can be tapped now."""
    draft, found = recorder.draft, []
    cursor, state = draft.cursor, draft.state
    votes: dict[tuple[type, int], t.AnyVote] = {}
    said = spelled(cursor.announced, cursor.side) if cursor.pending and cursor.announced else ()
    for text, move in draft.menu.words.items():
        token = move.token
        if token == PILE:
            continue
        if isinstance(token, t.AnyVote) and state is not None:
            votes.setdefault((type(token), token.group), token)
            continue
        taps = spelled(token, cursor.side)
        if said and isinstance(token, t.Action):
            taps = taps[len(said) :]
        if taps:
            found.append(Spelling(tuple(frozenset({part}) for part in taps), _constant(text), move))
    found += [_vote(recorder, state, token, cursor.side) for token in votes.values() if state is not None]
    return found + [Spelling((frozenset({(("choice", text),)}),), _constant(text)) for text in draft.menu.endings]


def _constant(text: str) -> Callable[[Sequence[Taps]], str]:
    return lambda _: text


def _vote(recorder: Recorder, state: State, vote: t.AnyVote, side: int) -> Spelling:
    """Return a vote: the bust or the group, then on each side those cards that nobody who records could see."""
    explained = recorder.columns(vote.group)
    ways = [frozenset({part}) for part in spelled(vote, side)]
    known, asked = [], []
    for owner, cards_of in enumerate(state.sides):
        column = (*cards_of.up[vote.group], *cards_of.hidden[vote.group])
        seen = [number for number in column if number != SOME_INFLUENCE]
        known.append(seen)
        asked.append(len(column) > len(seen))
        if not asked[-1]:
            continue
        rest = [*(Counter(whole) - Counter(seen) for whole in explained[owner])] if explained else []
        unknown = rest or _any_cards(cards_of.unseen, len(column) - len(seen))
        ways.append(frozenset(cards(owner, each.elements()) for each in unknown))

    def text(chosen: Sequence[Taps]) -> str:
        tapped = [*chosen[len(ways) - sum(asked) :]]
        columns = []
        for seen, is_asked in zip(known, asked, strict=True):
            more = [CARD_LETTERS.index(key[2]) for key in tapped.pop(0)] if is_asked else []
            columns.append(high_to_low((*seen, *more)))
        return token_text(type(vote)(vote.group, *columns))

    return Spelling(tuple(ways), text)


def _any_cards(unseen: Sequence[int], count: int) -> list[Counter[int]]:
    """Return what so many unknown cards can be together, as far as they can be counted."""
    kinds = [number for number in INFLUENCE_CARDS if unseen[number] > 0]
    found = map(Counter, combinations_with_replacement(kinds, count))
    return [each for each in found if all(unseen[number] >= times for number, times in each.items())]


def is_announced(word: Spelling, others: Iterable[Spelling]) -> bool:
    """Return whether a word names an action of which the other words tell what it turned up: it is entered at once,
    and that is asked for then. How cards lie after a castling is part of the action.
    """
    token = word.move and word.move.token
    if not isinstance(token, t.Action) or isinstance(token, t.Castle) or token != announced(token):
        return False
    outcomes = [other.move.token for other in others if other.move]
    return all(isinstance(each, t.Action) and announced(each) == announced(token) for each in outcomes)
