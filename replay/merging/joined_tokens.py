"""Two tokens for one thing that happened, as the one that says all that either of them knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, assert_never

from ...notation import tokens as t
from ...notation.cards import high_to_low, is_known
from ...notation.tokens import Sort, Who, field_kinds
from ..rules.sequences import some_of


class Joint(NamedTuple):
    """What two tokens come to. ``agree`` is False where they contradict each other: there the first one counts.

    ``alike`` says that they are of one kind and about one place, whatever else they differ in.
    """

    token: t.Token
    agree: bool
    alike: bool


@lru_cache(maxsize=1 << 14)
def join(one: t.Token, two: t.Token) -> Joint:
    """Return what two logs know of one thing. A word that can't be read says nothing."""
    if one == two:
        return Joint(one, True, True)
    if isinstance(one, t.Unread):
        return Joint(two, True, False)
    if isinstance(two, t.Unread):
        return Joint(one, True, False)
    if one.__class__ is not two.__class__:
        return Joint(one, False, False)
    if isinstance(one, t.Castle) and isinstance(two, t.Castle) and (one.first, one.second) == (two.second, two.first):
        two = t.Castle(two.second, two.first, two.cards_second, two.cards_first)
    values: dict[str, Any] = {}
    agree = True
    for name, part in field_kinds(one.__class__).items():
        value, other = getattr(one, name), getattr(two, name)
        if part.sort not in _IDENTITY:
            values[name], met = _join_values(part.sort, value, other)
            agree = agree and met
        elif value != other:
            # Another thing is meant; a mixture of the two would say what nobody has written.
            return Joint(one, False, False)
    return Joint(replace(one, **values), agree, True)


def agree(one: t.Token, two: t.Token) -> bool:
    """Return whether two tokens are about one thing, and nothing that they say of it contradicts the other."""
    return join(one, two)[1:] == (True, True)


def can_stand_for(one: t.Token, two: t.Token) -> bool:
    """Return whether two tokens can be about one thing, although they contradict each other."""
    if one.__class__ is two.__class__ or isinstance(one, t.Unread) or isinstance(two, t.Unread):
        return True
    return any(isinstance(one, kinds) and isinstance(two, kinds) for kinds in _LIKE)


_IDENTITY: Final = (Sort.GROUP, Sort.SIDE, Sort.FACE)
"""What says which thing is meant: where it differs, two tokens are about different things."""
_REVEALS: Final = tuple(cls for cls, kind in t.KINDS.items() if kind.step == t.REVEAL)
_LIKE: Final = (t.ACTIONS, _REVEALS, (t.Vote, t.SpecialVote))
"""Kinds of words of which one may have been written for the other."""


def owner(token: t.Token, side: int) -> int | None:
    """Return whose cards a token of ``side``'s turn is about, who knows them best; None where they are both sides'."""
    match t.KINDS[token.__class__].about:
        case Who.MOVER:
            return side
        case Who.OTHER:
            return 1 - side
        case Who.NAMED if isinstance(token, t.ChooseMission):
            return token.side
        case _:
            return None


Met = tuple[Any, bool]
"""A value, and whether the two from which it comes agree."""


def _join_values(sort: Sort, one: Any, two: Any) -> Met:
    """Return the values of a field as two logs have it, as one; None where it was not written."""
    if one is None or two is None or one == two:
        return two if one is None else one, True
    match sort:
        case Sort.CARD:
            return _card(one, two)
        case Sort.CARDS | Sort.HAND:
            return _held(one, two)
        case Sort.LAID | Sort.PILE:
            return _laid(one, two)
        case Sort.DRAWN:
            return _drawn(one, two)
        case Sort.GROUPS:
            return one, sorted(one) == sorted(two)
        case Sort.MISSIONS:
            return _missions(one, two)
        case Sort.VALUE | Sort.WINNER | Sort.GROUP | Sort.SIDE | Sort.FACE | Sort.TEXT:
            return one, False
        case _:
            assert_never(sort)


def _card(one: int, two: int) -> Met:
    if some_of(one) != some_of(two):
        return one, False
    return (one, one == two or not is_known(two)) if is_known(one) else (two, True)


def _laid(one: t.Cards, two: t.Cards) -> Met:
    """Return cards in the order in which they lie."""
    if len(one) != len(two):
        return one, False
    met = [_card(first, second) for first, second in zip(one, two, strict=True)]
    return tuple(card for card, _ in met), all(agree for _, agree in met)


def _drawn(one: t.Cards, two: t.Cards) -> Met:
    """Return cards in the order in which they were drawn, to which nobody pays heed."""
    cards, agree = _laid(one, two)
    if agree:
        return cards, True
    held = _union(one, two)
    if held is None:
        return one, False
    # The order of whoever knows more of the cards; the cards unknown there take the places left open.
    base = max(one, two, key=lambda cards: sum(map(is_known, cards)))
    rest = list((Counter(held) - Counter(filter(is_known, base))).elements())
    drawn: list[int] = []
    for card in base:
        if not is_known(card):
            card = next(other for other in rest if some_of(other) == card)
            rest.remove(card)
        drawn.append(card)
    return tuple(drawn), True


def _held(one: t.Cards, two: t.Cards) -> Met:
    """Return cards whose order means nothing, or is from high to low, as someone wrote them who knows all of them."""
    held = _union(one, two)
    if held is None:
        return one, False
    return next((cards for cards in (one, two) if sorted(cards) == sorted(held)), high_to_low(held)), True


def _union(one: t.Cards, two: t.Cards) -> t.Cards | None:
    """Return all cards that both know, with as many unknown ones as both say; None where that can't be."""
    if Counter(map(some_of, one)) != Counter(map(some_of, two)):
        return None
    known = Counter(filter(is_known, one)) | Counter(filter(is_known, two))
    rest = Counter(map(some_of, one))
    rest.subtract(map(some_of, known.elements()))
    return None if any(count < 0 for count in rest.values()) else (*known.elements(), *rest.elements())


def _missions(one: Sequence[t.Mission], two: Sequence[t.Mission]) -> Met:
    if len(one) != len(two):
        return one, False
    pairs = [(two, one) if one.kind == "unknown" else (one, two) for one, two in zip(one, two, strict=True)]
    return tuple(known for known, _ in pairs), all(two.kind == "unknown" or one == two for one, two in pairs)
