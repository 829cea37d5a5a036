"""A ledger: where each card of one deck was, as far as a record says it, made ready for the search for a world.

A player's influence cards and his action cards are two decks that never mix, and those of the two players don't either.
So a game has four ledgers, and each of them can be explained by itself. How they are explained stands in
``docs/knowledge.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ...notation.cards import ACTION_CARDS, INFLUENCE_CARDS

UNKNOWN: Final = -1
"""In place of a label: nobody wrote down which card it was."""
KINDS: Final = max(len(INFLUENCE_CARDS), len(ACTION_CARDS))
"""Labels of a deck: its cards, counted from 0."""


def counts_of(labels: Sequence[int]) -> list[int]:
    """Return how many cards there are of each label; those that are UNKNOWN are not counted."""
    return [labels.count(label) for label in range(KINDS)]


def one_by_one(counts: Sequence[int]) -> list[int]:
    """Return the labels of cards that were counted, from low to high."""
    return [label for label, count in enumerate(counts) for _ in range(count)]


class Where(NamedTuple):
    """A card in the record: the turn's place among the record's turns, the token's in the turn, and the card's in it.

    The last is UNKNOWN where the token is not about one card more than about the others.
    """

    turn: int
    at: int
    card: int = UNKNOWN

    def with_places(self, cards: Iterable[int]) -> Iterator[tuple[Where, int]]:
        """Yield the cards of the token, each with its own place."""
        return ((self._replace(card=place), card) for place, card in enumerate(cards))


class Arrive(NamedTuple):
    """A card comes into the hand; ``label`` is which, or UNKNOWN."""

    label: int
    where: Where


class Leave(NamedTuple):
    """A card leaves the hand; one whose ``label`` is UNKNOWN goes to one of the ``bags``."""

    label: int
    where: Where
    bags: list[int]


class Join(NamedTuple):
    """A card that is known gets among others that are not, and so into one of the ``bags``."""

    label: int
    where: Where
    bags: list[int]


class Look(NamedTuple):
    """The hand was seen: so many of each card at least; the others that it held were not written down."""

    counts: tuple[int, ...]
    where: Where


Op = Arrive | Leave | Join | Look


@dataclass(slots=True)
class CardBag:
    """Cards of unknown identity that were seen together: so many of each label, and ``open`` ones that never were.

    ``cards`` are those on the table of which it consists, in the order in which they were looked at.
    """

    labels: list[int]
    open: int
    where: Where
    cards: list[TableCard] = field(default_factory=list)


class Mix(NamedTuple):
    """Cards that were lifted and laid down again without a name: each of ``laid`` is one of ``lifted``.

    With a lifted card goes the place among the ops by which it came there; UNKNOWN where it had been mixed before.
    """

    lifted: list[tuple[TableCard, int]]
    laid: list[TableCard]
    where: Where


@dataclass(slots=True, eq=False)
class TableCard:
    """A card on the table. ``label`` UNKNOWN: its identity has to be found, by way of its ``origins``.

    Origins are the places among the ops by which it may have come there: one, or after a castling several. An unknown
    card without any is one that nothing depends on.
    """

    label: int
    up: bool
    origins: tuple[int, ...] = ()


@dataclass(slots=True)
class Ledger:
    """One player's deck of one kind: what happened to its cards, in order, and how many copies there are of each."""

    side: int
    first: int
    copies: tuple[int, ...]
    ops: list[Op] = field(default_factory=list)
    bags: list[CardBag] = field(default_factory=list)
    mixes: list[Mix] = field(default_factory=list)
    log: list[Op | TableCard | CardBag | Mix] = field(default_factory=list)
    """All that happened in its order: ops (a card laid down without a name in place of its op), bags and mixes."""

    def add(self, op: Op, card: TableCard | None = None) -> None:
        """One more op; ``card`` is the one that was laid down by it without a name."""
        self.ops.append(op)
        self.log.append(card or op)

    def add_bag(self, bag: CardBag) -> None:
        """Cards that were seen together."""
        self.bags.append(bag)
        self.log.append(bag)

    def add_mix(self, mix: Mix) -> None:
        """Cards that were mixed."""
        self.mixes.append(mix)
        self.log.append(mix)
