"""Whether any cards explain a record of which not every card is known, and if none do, which of its words clash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME
from ...notation.record import Record
from ..headers import Frame
from ..vote import resolve
from .keeper import Keeper, Story, ledgers, story
from .ledger import KINDS, UNKNOWN, Draw, Hand, Leave, Ledger
from .worlds import World, explain

CERTAIN: Final = "certain"
POSSIBLE: Final = "possible"
IMPOSSIBLE: Final = "impossible"
"""What cards can come to: all of them fit, some do, none does."""
BUDGET: Final = 500
"""Ways in which unseen votes may have gone that are tried; beyond them a record is given the benefit of the doubt."""

Spot = tuple[int, int]
"""A token: its turn's place among the record's turns, and its own in the turn."""


class Clash(NamedTuple):
    """A token that clashes with others, and the cards that it names."""

    spot: Spot
    cards: t.Cards


@dataclass(frozen=True, slots=True)
class Conflict:
    """Tokens that can't all be true of one player's deck, none of which could be left out.

    ``card`` is the one of which they name more copies than there are, None where it is not that simple; ``named`` is
    how many they name together with those that he began with, ``copies`` how many there are. ``group`` is where a vote
    came out as no cards that can lie there explain, None elsewhere. The last token is where it came to light.
    """

    side: int
    tokens: tuple[Clash, ...]
    card: int | None = None
    named: int = 0
    copies: int = 0
    group: int | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the cards come to: CERTAIN, POSSIBLE or IMPOSSIBLE.

    ``record`` is the record that ``books`` and ``worlds`` explain: the one that was judged, with every vote that it
    left out filled in. ``conflict`` says why nothing does.
    """

    kind: str
    record: Record
    books: tuple[Ledger, ...] = ()
    worlds: tuple[World, ...] = ()
    conflict: Conflict | None = None


def weigh(record: Record, frame: Frame) -> Opinion:
    """The opinion of a record's cards, as far as they can be followed. ``frame`` must have an edition.

    A record with an irregularity in it, ruled or not, is POSSIBLE without a proof: its cards need not add up.
    """
    told = story(record, frame)
    if told is None or told.ruled or told.fault is not None:
        return Opinion(POSSIBLE, record)
    return _weigh(record, frame, told, [BUDGET])


def _weigh(record: Record, frame: Frame, told: Story, budget: list[int]) -> Opinion:
    books = ledgers(told)
    worlds = []
    for book in books:
        world = explain(book)
        if world is None:
            return Opinion(IMPOSSIBLE, record, conflict=_conflict(told))
        worlds.append(world)
    if told.unseen is not None:
        found = _unseen_vote(record, frame, told, budget)
        if found is not None:
            return found
    sure = not told.stopped and not any(world.needed for world in worlds)
    return Opinion(CERTAIN if sure else POSSIBLE, record, tuple(books), tuple(worlds))


# --------------------------------------------------------------------------------------- votes that nobody wrote down


def _unseen_vote(record: Record, frame: Frame, told: Story, budget: list[int]) -> Opinion | None:
    """The same with the cards of the first vote that leaves them out: as they can have been, one way after the other.

    None where none of the ways was a clear answer within the budget. A way in which something later is against the
    rules is no explanation; where all fail, the record can't be right as far as the last of them got.
    """
    assert told.unseen is not None
    place, at, token = told.unseen
    columns = [[*_columns(told, owner, token.group)] for owner in (ROME, EGYPT)]
    latest = place, at
    for rome in columns[ROME]:
        for egypt in columns[EGYPT]:
            winner = resolve(rome, egypt, told.edition).winner
            if token.winner is not None and token.winner != winner:
                continue
            budget[0] -= 1
            if budget[0] < 0:
                return None
            shown = replace(token, rome=rome, egypt=egypt, winner=winner)
            turn = record.turns[place]
            filled = replace(turn, tokens=(*turn.tokens[:at], shown, *turn.tokens[at + 1 :]))
            turns = (*record.turns[:place], filled, *record.turns[place + 1 :])
            found = _filled(replace(record, turns=turns), frame, budget)
            if isinstance(found, Opinion):
                return found
            latest = max(latest, found)
    tokens = tuple([Clash(spot, ()) for spot in sorted({(place, at), latest})])
    return Opinion(IMPOSSIBLE, record, conflict=Conflict(ROME, tokens, group=token.group))


def _filled(record: Record, frame: Frame, budget: list[int]) -> Opinion | Spot:
    """The opinion of a record with a vote filled in; where nothing explains it, the token at which that shows."""
    told = story(record, frame)
    if told is None or told.ruled:
        return Opinion(POSSIBLE, record)
    if told.fault is not None:
        return told.fault
    opinion = _weigh(record, frame, told, budget)
    return opinion if opinion.conflict is None else opinion.conflict.tokens[-1].spot


def _columns(told: Story, owner: int, group: int) -> Iterator[t.Cards]:
    """The columns that can lie at a group, high to low, for which the rest of that player's cards can be explained."""
    column = Keeper(told).columns[owner][group]
    known = [entry.label for entry in column if entry.label != UNKNOWN]
    for cards in combinations_with_replacement(range(KINDS), len(column) - len(known)):
        keeper = Keeper(told)
        keeper.see(owner, group, cards)
        if explain(keeper.books[2 * owner]) is not None:
            yield tuple(sorted((*known, *cards), reverse=True))


# ------------------------------------------------------------------------------------------------ what clashes


def _conflict(told: Story) -> Conflict:
    """The tokens that clash, as few as can be found by leaving out one after the other."""
    ends = {book: _end(told, book) for book, each in enumerate(ledgers(told)) if explain(each) is None}
    book, end = min(ends.items(), key=lambda found: found[1])
    spots = _spots(ledgers(told, end)[book])
    found = min((_fewest(told, book, end, order) for order in (spots, spots[::-1])), key=len)
    return _named(told, book, end, tuple(sorted(found)), frozenset(spots) - frozenset(found))


def _end(told: Story, book: int) -> int:
    """How many moments it takes until nothing explains the ledger any more."""
    low, high = 0, len(told.moments)
    while low < high:
        middle = (low + high) // 2
        if explain(ledgers(told, middle)[book]) is None:
            high = middle
        else:
            low = middle + 1
    return low


def _spots(book: Ledger) -> list[Spot]:
    """The tokens that name any card of a ledger."""
    named = [op.where for op in book.ops if isinstance(op, Hand) or op.label != UNKNOWN]
    named += [bag.where for bag in book.bags if any(bag.labels)]
    return sorted({(where.turn, where.at) for where in named})


def _fewest(told: Story, book: int, end: int, order: Sequence[Spot]) -> frozenset[Spot]:
    """Of the tokens those that are left when none of them can be left out any more; those at the front go first."""
    kept, size = list(order), max(1, len(order) // 2)
    while True:
        place = 0
        while place < len(kept):
            fewer = kept[:place] + kept[place + size :]
            if explain(ledgers(told, end, frozenset(order) - frozenset(fewer))[book]) is None:
                kept = fewer
            else:
                place += size
        if size == 1:
            return frozenset(kept)
        size = size // 2


def _named(told: Story, book: int, end: int, spots: tuple[Spot, ...], muted: frozenset[Spot]) -> Conflict:
    """The conflict, with the card of which there would have to be too many, where it is that."""
    ledger = ledgers(told, end, muted)[book]
    drawn, left = [0] * KINDS, [0] * KINDS
    here: dict[Spot, list[int]] = {spot: [] for spot in spots}
    for op in ledger.ops:
        if isinstance(op, Draw | Leave) and op.label != UNKNOWN:
            (drawn if isinstance(op, Draw) else left)[op.label] += 1
    seen = [(op.where, op.counts) for op in ledger.ops if isinstance(op, Hand)]
    # In a position a card is drawn and laid in one place: it is told once.
    gone = {op.where for op in ledger.ops if isinstance(op, Leave)}
    seen += [
        (op.where, _single(op.label))
        for op in ledger.ops
        if not isinstance(op, Hand | Draw) or (isinstance(op, Draw) and op.where not in gone)
    ]
    for bag in ledger.bags:
        seen.append((bag.where, tuple(bag.labels)))
        left = [one + other for one, other in zip(left, bag.labels, strict=True)]
    for where, counts in seen:
        if (where.turn, where.at) in here:
            named = [label + ledger.first for label, count in enumerate(counts) for _ in range(count)]
            here[where.turn, where.at] += named
    clashes = tuple(Clash(spot, tuple(cards)) for spot, cards in here.items())
    for label, copies in enumerate(ledger.copies):
        if (count := max(drawn[label], left[label])) > copies:
            return Conflict(ledger.side, clashes, label + ledger.first, count, copies)
    return Conflict(ledger.side, clashes)


def _single(label: int) -> tuple[int, ...]:
    return tuple(int(each == label) for each in range(KINDS))
