"""What a word may have been meant for: every token that one slip turns into the one that was written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, combinations_with_replacement
from math import log
from typing import Any, Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import ACTION_CARDS, EGYPT, INFLUENCE_CARDS, ROME, SOME_ACTION, SOME_INFLUENCE, TIE, high_to_low
from ...notation.kinds import Sort, field_kinds
from ..editions.edition import Edition
from ..views.redaction import seen_token
from .slips import SHARE, Slip

INFLUENCE: Final = tuple(INFLUENCE_CARDS)
MOST_UNSEEN: Final = 3
"""How many cards a draw may have had that was left out by someone who did not see them."""


class Rewriting(NamedTuple):
    """A token in place of another, the slip that explains the other, and the cost of that slip."""

    token: t.Token
    slip: Slip
    cost: float


class Vocabulary:
    """The groups and cards that a record can name: those of its edition, and unknown ones where its writer sees less.

    >>> Vocabulary(tironian.load_edition("1997"), "arbiter").groups
    (5, 3, 4, 1, 0)
    """

    def __init__(self, edition: Edition, view: str) -> None:
        self.view = view
        self.groups = tuple(edition.groups)
        some = view != "arbiter"
        self.influence = (*INFLUENCE, SOME_INFLUENCE) if some else INFLUENCE
        actions = tuple(card for card in ACTION_CARDS if card in edition.actions)
        self.cards = (*self.influence, *actions, *((SOME_ACTION,) if some else ()))

    def as_written(self, token: t.Token, side: int, vetoed: bool = False) -> t.Token:
        """Return a token of ``side``'s turn as the writer of the record would have written it."""
        return seen_token(token, side, self.view, vetoed)

    def rewritings(self, token: t.Token, side: int) -> Iterator[Rewriting]:
        """Yield every token of ``side``'s turn that one slip, in a field or of the sign, turns into ``token``."""
        kinds = field_kinds(token.__class__).items()
        fields = [_REWRITERS[kind.sort](self, token, name) for name, kind in kinds if kind.sort in _REWRITERS]
        seen = {token}
        for rewriting in chain(*fields, _of_another_class(token)):
            written = self.as_written(rewriting.token, side)
            if written not in seen:
                seen.add(written)
                yield rewriting._replace(token=written)

    def missing_words(self) -> Iterator[t.Token]:
        """Yield the words that someone may have left out who does not see which card it is; the arbiter sees all."""
        if self.view != "arbiter":
            yield from (t.Place(SOME_INFLUENCE, group, True) for group in self.groups)
            for count in range(1, MOST_UNSEEN + 1):
                yield from map(t.Draw, combinations_with_replacement((SOME_INFLUENCE, SOME_ACTION), count))

    def _groups(self, token: Any, name: str) -> Iterator[Rewriting]:
        here = getattr(token, name)
        for group in self.groups:
            if group != here:
                yield _with(token, name, group, Slip.GROUP, log(len(self.groups)))

    def _card(self, token: Any, name: str) -> Iterator[Rewriting]:
        here, of_any_kind = getattr(token, name), isinstance(token, t.Spy | t.Veto)
        if here is None:
            for card in self.cards if of_any_kind else ():
                yield _with(token, name, card, Slip.TOO_FEW, log(len(self.cards)))
            return
        for card in self.cards if of_any_kind else self.influence:
            if card != here:
                yield _with(token, name, card, Slip.CARD, -log(SHARE[card][here]))
        if name == "draw":
            yield _with(token, name, None, Slip.TOO_MANY)

    def _cards(self, token: Any, name: str) -> Iterator[Rewriting]:
        here: t.Cards | None = getattr(token, name)
        if here is None:
            return
        known = self.cards if isinstance(token, t.Draw | t.Discard | t.Hand | t.Spent | t.Spy) else self.influence
        order: Callable[[t.Cards], t.Cards] = tuple if isinstance(token, t.Draw | t.Discard | t.Castle) else high_to_low
        seen: set[t.Cards] = {here}
        for place, card in enumerate(here):
            before, after = here[:place], here[place + 1 :]
            for other in known:
                cards = order((*before, other, *after))
                if cards not in seen and other != card:
                    seen.add(cards)
                    yield _with(token, name, cards, Slip.CARD, -log(SHARE[other][card]))
            cards = (*before, *after)
            if cards not in seen and (cards or not isinstance(token, t.Draw)):
                seen.add(cards)
                yield _with(token, name, cards, Slip.TOO_MANY, log(len(known)) * isinstance(token, t.AnyVote))
        for other in known:
            cards = order((*here, other))
            if cards not in seen:
                seen.add(cards)
                yield _with(token, name, cards, Slip.TOO_FEW, log(len(known)))

    def _face(self, token: Any, name: str) -> Iterator[Rewriting]:
        if token.card is not None and token.card != SOME_INFLUENCE:
            other = replace(token, position=None) if isinstance(token, t.Assassinate) else token
            yield _with(other, name, not getattr(token, name), Slip.BRACKETS)

    def _winner(self, token: Any, name: str) -> Iterator[Rewriting]:
        here = getattr(token, name)
        for side in (ROME, EGYPT, TIE):
            if here is not None and side != here:
                yield _with(token, name, side, Slip.WINNER, log(2))

    def _value(self, token: Any, name: str) -> Iterator[Rewriting]:
        here = getattr(token, name)
        values: tuple[object, ...] = ()
        if isinstance(token, t.Assassinate) and token.hidden:
            values = (None, 1, 2, 3, 4, 5)
        elif isinstance(token, t.NoVote):
            values = (False, True)
        elif isinstance(token, t.ChooseMission):
            values = (1, 2)
        for value in values:
            if value != here:
                yield _with(token, name, value, Slip.DETAIL)

    def _side(self, token: Any, name: str) -> Iterator[Rewriting]:
        yield _with(token, name, 1 - getattr(token, name), Slip.DETAIL)


def _with(token: Any, name: str, value: object, slip: Slip, more: float = 0.0) -> Rewriting:
    """Return a token with another value of a field, and what the slip costs."""
    return Rewriting(replace(token, **{name: value}), slip, slip.cost + more)


_REWRITERS: Final[dict[Sort, Callable[[Vocabulary, t.Token, str], Iterator[Rewriting]]]] = {
    Sort.GROUP: Vocabulary._groups,
    Sort.CARD: Vocabulary._card,
    Sort.CARDS: Vocabulary._cards,
    Sort.LAID: Vocabulary._cards,
    Sort.DRAWN: Vocabulary._cards,
    Sort.HAND: Vocabulary._cards,
    Sort.FACE: Vocabulary._face,
    Sort.WINNER: Vocabulary._winner,
    Sort.VALUE: Vocabulary._value,
    Sort.SIDE: Vocabulary._side,
}
"""What a field is → what else may have been meant there."""


def _of_another_class(token: t.Token) -> Iterator[Rewriting]:
    """Yield the tokens whose sign was taken for that of another: ``=A`` for ``*A``, ``+3`` for ``-3``."""
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
