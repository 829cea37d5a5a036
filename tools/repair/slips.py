"""The slips that people make when recording a game, how often each happens, and what words may have meant.

The weights are the shares of all slips, as far as the table can tell; only their proportions matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import Enum
from itertools import chain, combinations_with_replacement
from math import log
from typing import Any, Final, NamedTuple

from ...notation.basics import (
    ACTION_CARDS,
    CARD_KINDS,
    EGYPT,
    GROUP_LETTERS,
    HIGHEST,
    INFLUENCE_CARDS,
    NUMBERS,
    PHILOSOPHER,
    ROME,
    SOME_ACTION,
    SOME_INFLUENCE,
    TIE,
    high_to_low,
    letters,
)
from ...notation.extra import MAX_GUESS_LENGTH
from ...notation.language import Messages
from ...notation.records import WORDS, FieldType, Turn, field_kinds, read_line
from ...notation.records import tokens as t
from ...replay.knowledge.api import seen_token
from ...replay.rules.api import Edition

_TITLES: Final[Messages] = {
    "card": "a wrong card", "group": "a wrong group", "groups_exchanged": "two groups exchanged",
    "brackets": "missing or extra brackets", "winner": "a wrong winner",
    "columns": "the cards of a vote in the wrong columns", "too_few": "a card left out of a word",
    "too_many": "one card too many in a word", "omitted": "a word left out", "veto": "a veto left out",
    "doubled": "a word written twice", "order": "words in the wrong order", "extra": "one word too many",
    "other_word": "a different word", "spelling": "an unreadable word", "detail": "a wrong number or sign",
    "label": "a wrong number or side of a turn", "turn_doubled": "a turn written twice",
    "turn_order": "two turns in the wrong order", "turn_omitted": "a turn left out",
    "setup": "cards of the set-up exchanged", "starter": "a wrong starter", "rules": "other rules",
    "result": "a wrong result", "on_the_way": "changed in transit", "aside": "it moves no card"
}  # fmt: skip
"""A slip's word → its name."""


class Slip(Enum):
    """A kind of slip: its word in JSON, and its weight."""

    cost: float
    """How rare it is: the negative logarithm of its weight."""
    title: str
    """Its name in English, as records have it."""

    def __new__(cls, word: str, weight: float) -> Slip:
        """Return a member whose value is its word."""
        member = object.__new__(cls)
        member._value_, member.cost, member.title = word, -log(weight), _TITLES[word]
        return member

    CARD = "card", 0.20
    GROUP = "group", 0.12
    GROUPS_EXCHANGED = "groups_exchanged", 0.03
    BRACKETS = "brackets", 0.08
    WINNER = "winner", 0.05
    COLUMNS = "columns", 0.03
    TOO_FEW = "too_few", 0.08
    TOO_MANY = "too_many", 0.03
    OMITTED = "omitted", 0.06
    VETO = "veto", 0.02
    DOUBLED = "doubled", 0.03
    ORDER = "order", 0.04
    EXTRA = "extra", 0.005
    OTHER_WORD = "other_word", 0.02
    SPELLING = "spelling", 0.05
    DETAIL = "detail", 0.01
    LABEL = "label", 0.04
    TURN_DOUBLED = "turn_doubled", 0.02
    TURN_ORDER = "turn_order", 0.01
    TURN_OMITTED = "turn_omitted", 0.03
    SETUP = "setup", 0.02
    STARTER = "starter", 0.001
    RULES = "rules", 0.02
    RESULT = "result", 0.04
    IN_TRANSIT = "on_the_way", 0.05
    ASIDE = "aside", 0.05


_CONFUSED: Final = frozenset({frozenset({3, 5}), frozenset({2, 5}), frozenset({1, 4}), frozenset({2, 3})})
"""Cards whose signs look alike in handwriting."""
_NEAR: Final = 4.0
"""How much more often a card is mistaken for a look-alike, or for its neighbour, than for any other."""


def _likeness(one: int, other: int) -> float:
    if one == other:
        return 0.0
    neighbours = one in NUMBERS and other in NUMBERS and abs(one - other) == 1
    if neighbours or {one, other} in _CONFUSED:
        return _NEAR
    return 1.0 if (one <= HIGHEST) == (other <= HIGHEST) else 0.25


_WEIGHTS: Final = [[_likeness(card, other) for other in range(CARD_KINDS)] for card in range(CARD_KINDS)]
SHARE: Final = [[weight / sum(weights) for weight in weights] for weights in _WEIGHTS]
"""``SHARE[meant][written]``: how often a wrong card is the written one."""


MAX_UNSEEN_DRAWN: Final = 3
"""The most cards of a draw that was left out by a writer who did not see them."""


class Rewriting(NamedTuple):
    """A token that replaces another, the slip that explains the replaced one, and the cost of that slip."""

    token: t.Token
    slip: Slip
    cost: float


class Vocabulary:
    """The groups and cards that a record can name: those of its edition, and unknown ones if its writer does not see
    all cards.

    >>> Vocabulary(tironian.load_edition("1997"), "arbiter").groups
    (5, 3, 4, 1, 0)
    """

    def __init__(self, edition: Edition, view: str) -> None:
        self.view = view
        self.groups = tuple(edition.groups)
        some = view != "arbiter"
        self.influence = (*INFLUENCE_CARDS, *((SOME_INFLUENCE,) if some else ()))
        actions = tuple(card for card in ACTION_CARDS if card in edition.actions)
        self.cards = (*self.influence, *actions, *((SOME_ACTION,) if some else ()))
        self.others: dict[FieldType, tuple[tuple[object, ...], Slip, float]] = {
            FieldType.GROUP: (self.groups, Slip.GROUP, log(len(self.groups))),
            FieldType.SIDE: ((ROME, EGYPT), Slip.DETAIL, 0.0),
            FieldType.WINNER: ((ROME, EGYPT, TIE), Slip.WINNER, log(2)),
        }
        """Type of a field → its possible values, the slip that replaces one with another, and the additional cost."""

    def as_written(self, token: t.Token, side: int, vetoed: bool = False) -> t.Token:
        """Return a token of ``side``'s turn as the writer of the record would have written it."""
        return seen_token(token, side, self.view, vetoed)

    def rewritings(self, token: t.Token, side: int) -> Iterator[Rewriting]:
        """Yield every token of ``side``'s turn that a slip in one field or in the sign turns into ``token``."""
        kinds = field_kinds(token.__class__).items()
        fields = [self._field_rewritings(token, name, kind.field_type) for name, kind in kinds]
        seen = {token}
        for rewriting in chain(*fields, _other_class_tokens(token)):
            written = self.as_written(rewriting.token, side)
            if written not in seen:
                seen.add(written)
                yield rewriting._replace(token=written)

    def missing_words(self) -> Iterator[t.Token]:
        """Yield the words that a writer who does not see the card may have left out; the arbiter sees everything."""
        if self.view != "arbiter":
            yield from (t.Place(SOME_INFLUENCE, group, True) for group in self.groups)
            for count in range(1, MAX_UNSEEN_DRAWN + 1):
                yield from map(t.Draw, combinations_with_replacement((SOME_INFLUENCE, SOME_ACTION), count))

    def _field_rewritings(self, token: Any, name: str, field_type: FieldType) -> Iterator[Rewriting]:
        """Yield a token with the other values that may have been meant in a field."""
        here: Any = getattr(token, name)
        match field_type:
            case FieldType.CARD:
                yield from self._card(token, name, here)
            case FieldType.CARDS | FieldType.LAID | FieldType.DRAWN | FieldType.HAND if here is not None:
                yield from self._cards(token, name, here)
            case FieldType.FACE if token.card not in (None, SOME_INFLUENCE):
                other = replace(token, position=None) if isinstance(token, t.Assassinate) else token
                yield _with_value(other, name, not here, Slip.BRACKETS)
            case FieldType.VALUE if not (isinstance(token, t.Assassinate) and not token.hidden):
                others = _VALUES.get(token.__class__, ())
                yield from [_with_value(token, name, value, Slip.DETAIL) for value in others if value != here]
            case FieldType.GROUP | FieldType.SIDE | FieldType.WINNER if here is not None:
                values, slip, more = self.others[field_type]
                yield from [_with_value(token, name, value, slip, more) for value in values if value != here]
            case _:
                pass

    def _card(self, token: Any, name: str, here: int | None) -> Iterator[Rewriting]:
        of_any_kind = isinstance(token, t.Spy | t.Veto)
        if here is None:
            for card in self.cards if of_any_kind else ():
                yield _with_value(token, name, card, Slip.TOO_FEW, log(len(self.cards)))
            return
        for card in self.cards if of_any_kind else self.influence:
            if card != here:
                yield _with_value(token, name, card, Slip.CARD, -log(SHARE[card][here]))
        if name == "draw":
            yield _with_value(token, name, None, Slip.TOO_MANY)

    def _cards(self, token: Any, name: str, here: t.Cards) -> Iterator[Rewriting]:
        known = self.cards if isinstance(token, t.Draw | t.Discard | t.Hand | t.Spent | t.Spy) else self.influence
        order: Callable[[t.Cards], t.Cards] = tuple if isinstance(token, t.Draw | t.Discard | t.Castle) else high_to_low
        seen: set[t.Cards] = {here}
        for place, card in enumerate(here):
            before, after = here[:place], here[place + 1 :]
            for other in known:
                cards = order((*before, other, *after))
                if cards not in seen and other != card:
                    seen.add(cards)
                    yield _with_value(token, name, cards, Slip.CARD, -log(SHARE[other][card]))
            cards = (*before, *after)
            if cards not in seen and (cards or not isinstance(token, t.Draw)):
                seen.add(cards)
                yield _with_value(token, name, cards, Slip.TOO_MANY, log(len(known)) * isinstance(token, t.AnyVote))
        for other in known:
            cards = order((*here, other))
            if cards not in seen:
                seen.add(cards)
                yield _with_value(token, name, cards, Slip.TOO_FEW, log(len(known)))


def _with_value(token: Any, name: str, value: object, slip: Slip, more: float = 0.0) -> Rewriting:
    """Return a token with another value in a field, and what the slip costs."""
    return Rewriting(replace(token, **{name: value}), slip, slip.cost + more)


_VALUES: Final[dict[type, tuple[object, ...]]] = {
    t.Assassinate: (None, 1, 2, 3, 4, 5),
    t.NoVote: (False, True),
    t.ChooseMission: (1, 2),
}
"""The possible values in a word."""


def _other_class_tokens(token: t.Token) -> Iterator[Rewriting]:
    """Yield the tokens whose sign was mistaken for another: ``=A`` for ``*A``, ``+3`` for ``-3``."""
    others: list[t.Token] = []
    match token:
        case t.Vote(group, rome, egypt, winner):
            others = [t.SpecialVote(group, rome, egypt, winner), *([] if rome or egypt else [t.PutAway(group)])]
        case t.SpecialVote(group, rome, egypt, winner):
            others = [t.Vote(group, rome, egypt, winner)]
        case t.Draw(cards):
            others = [t.Discard(cards)]
        case t.Discard(cards) if cards:
            others = [t.Draw(cards)]
        case t.Scout(group):
            others = [t.Wrath(group)]
        case t.Wrath(group):
            others = [t.Scout(group)]
        case _:
            pass
    for other in others:
        yield Rewriting(other, Slip.OTHER_WORD, Slip.OTHER_WORD.cost)
    if isinstance(token, t.AnyVote) and token.rome is not None and token.rome != token.egypt:
        exchanged = replace(token, rome=token.egypt, egypt=token.rome)
        yield Rewriting(exchanged, Slip.COLUMNS, Slip.COLUMNS.cost)


_ACTIONS: Final = letters((SOME_ACTION, *ACTION_CARDS))
SIGNS: Final = f"{letters((*NUMBERS, PHILOSOPHER, SOME_INFLUENCE))}{GROUP_LETTERS}RE{_ACTIONS}mor()=*+-:>#"
"""The signs that make up the words of a turn."""
LOOKALIKES: Final = dict(zip("0OlIPSs-B8Zz", "oo11p55=3322", strict=True))
"""Sign → one that looks like it."""
_ANY: Final = log(len(SIGNS))


def respelt(text: str) -> Iterator[tuple[str, float]]:
    """Yield texts that one slip turns into this one, each with the cost of that slip."""
    for at, sign in enumerate(text):
        before, after = text[:at], text[at + 1 :]
        for other in dict.fromkeys((LOOKALIKES.get(sign, ""), sign.swapcase())):
            if other and other != sign:
                yield before + other + after, Slip.SPELLING.cost
        yield before + after, Slip.SPELLING.cost + 1.0
        yield f"{before}({sign}){after}", Slip.BRACKETS.cost
        if after:
            yield before + after[0] + sign + after[1:], Slip.SPELLING.cost + 2.0
        for other in SIGNS:
            yield before + other + after, Slip.SPELLING.cost + 1.0 + _ANY
    for at in range(len(text) + 1):
        for sign in SIGNS:
            cost = 1.0 if sign in "()>:" else 1.0 + _ANY
            yield text[:at] + sign + text[at:], Slip.SPELLING.cost + cost


def intended_words(text: str) -> dict[t.Token, float]:
    """Return the tokens that a word may have meant, with the cost of each; no tokens for a word that is too long."""
    meant: dict[t.Token, float] = {}
    if len(text) <= MAX_GUESS_LENGTH:
        for word, cost in respelt(text):
            try:
                token = WORDS[word]
            except KeyError:
                continue
            meant[token] = min(cost, meant.get(token, cost))
    return meant


def intended_turns(line: str) -> Iterator[tuple[Turn, float]]:
    """Yield the turns that a line with an unreadable label may have meant, with the cost of each."""
    label, _, rest = line.strip().partition(" ")
    if len(label) <= MAX_GUESS_LENGTH:
        for text, cost in respelt(label):
            turn = read_line(f"{text} {rest}")
            if isinstance(turn, Turn):
                yield turn, cost
