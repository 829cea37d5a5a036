"""Whether any cards explain a record of which not every card is known, and if none do, which of its words clash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME, SOME_INFLUENCE
from ...notation.record import Record
from ..headers import Frame
from ..law import Fault
from ..rulings import is_ruled, pardon_for
from ..vote import resolve
from .keeper import Keeper, ledgers
from .ledger import KINDS, UNKNOWN, Draw, Hand, Leave, Ledger
from .story import Story, story
from .worlds import World, explain

CERTAIN: Final = "certain"
POSSIBLE: Final = "possible"
IMPOSSIBLE: Final = "impossible"
"""What cards can come to: all of them fit, some do, none does."""
_WRONG_WINNER: Final = Fault("C902", {})
BUDGET: Final = 300
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
    return _weigh(record, frame, [BUDGET], tried=False)


def is_explained(record: Record, frame: Frame) -> bool:
    """Return whether some cards explain a record as far as it can be followed. It takes far less than :func:`weigh`.

    An irregularity in it is given the benefit of the doubt, and a vote without its cards ends what is looked at.
    """
    told = story(record, frame)
    return told is None or told.faulty or all(explain(book) is not None for book in ledgers(told))


def explained_columns(record: Record, frame: Frame, group: int) -> tuple[set[t.Cards], set[t.Cards]] | None:
    """Return the columns that can lie at a group of Rome and of Egypt, high to low; None where that can't be told."""
    told = story(record, frame)
    if told is None or told.faulty:
        return None
    return set(_columns(told, ROME, group)), set(_columns(told, EGYPT, group))


def _weigh(record: Record, frame: Frame, budget: list[int], *, tried: bool) -> Opinion:
    """The same; ``tried`` says that a vote was filled in for a trial, so that whatever is wrong then refutes it."""
    told = story(record, frame)
    if told is None or told.faulty:
        refuted = tried and told is not None and not told.ruled
        return Opinion(IMPOSSIBLE if refuted else POSSIBLE, record)
    books = ledgers(told)
    worlds = []
    for book in books:
        world = explain(book)
        if world is None:
            return Opinion(IMPOSSIBLE, record, conflict=None if tried else _conflict(told))
        worlds.append(world)
    if told.unseen is not None:
        found = _unseen_vote(record, frame, told, budget, tried=tried)
        if found is not None:
            return found
    sure = not told.stopped and not any(world.needed for world in worlds)
    return Opinion(CERTAIN if sure else POSSIBLE, record, tuple(books), tuple(worlds))


# --------------------------------------------------------------------------------------- votes that nobody wrote down


def _unseen_vote(record: Record, frame: Frame, told: Story, budget: list[int], *, tried: bool) -> Opinion | None:
    """The same with the cards of the first vote that leaves them out: as they can have been, one way after the other.

    None where none of the ways was a clear answer within the budget.
    """
    assert told.unseen is not None
    place, at, token = told.unseen
    pardoned = is_ruled(_WRONG_WINNER, pardon_for(record.turns[place]))
    columns = [
        [column for column in _columns(told, owner, token.group) if _holds(column, shown)]
        for owner, shown in ((ROME, token.rome), (EGYPT, token.egypt))
    ]
    last: Opinion | None = None
    for rome in columns[ROME]:
        for egypt in columns[EGYPT]:
            winner = resolve(rome, egypt, told.edition).winner
            if token.winner is not None and token.winner != winner:
                if not pardoned:
                    continue
                winner = token.winner
            budget[0] -= 1
            if budget[0] < 0:
                return None
            shown = replace(token, rome=rome, egypt=egypt, winner=winner)
            turn = record.turns[place]
            filled = replace(turn, tokens=(*turn.tokens[:at], shown, *turn.tokens[at + 1 :]))
            turns = (*record.turns[:place], filled, *record.turns[place + 1 :])
            last = _weigh(replace(record, turns=turns), frame, budget, tried=True)
            if last.kind != IMPOSSIBLE:
                return last
    refuted = last.record if last else record
    if tried:
        return Opinion(IMPOSSIBLE, refuted)
    clashes = {clash.spot: clash for clash in _clashes(record, refuted, frame)} | {(place, at): Clash((place, at), ())}
    tokens = tuple([clashes[spot] for spot in sorted(clashes)])
    return Opinion(IMPOSSIBLE, record, conflict=Conflict(ROME, tokens, group=token.group))


def _clashes(record: Record, refuted: Record, frame: Frame) -> Iterator[Clash]:
    """The tokens that clash where votes were filled in, or the first one that is against the rules then."""
    told = story(refuted, frame)
    if told is not None and told.fault is not None:
        yield Clash(told.fault, ())
        return
    if told is None or told.faulty or all(explain(book) is not None for book in ledgers(told)):
        return
    for clash in _conflict(told).tokens:
        turn, at = clash.spot
        written = record.turns[turn].tokens[at] == refuted.turns[turn].tokens[at]
        yield clash if written else Clash(clash.spot, ())


def _holds(column: t.Cards, shown: t.Cards | None) -> bool:
    """Whether a column has all the known cards of what was written down of it."""
    return shown is None or all(card >= SOME_INFLUENCE or column.count(card) >= shown.count(card) for card in shown)


def _columns(told: Story, owner: int, group: int) -> Iterator[t.Cards]:
    """The columns that can lie at a group, high to low, for which the rest of that player's cards can be explained."""
    keeper = Keeper(told)
    known = [entry.label for entry in keeper.columns[owner][group] if entry.label != UNKNOWN]
    bag = keeper.see(owner, group)
    for cards in combinations_with_replacement(range(KINDS), bag.open if bag else 0):
        if bag:
            bag.labels, bag.open = [cards.count(label) for label in range(KINDS)], 0
        if explain(keeper.books[2 * owner]) is not None:
            yield tuple(sorted((*known, *cards), reverse=True))


# ------------------------------------------------------------------------------------------------ what clashes


def _conflict(told: Story) -> Conflict:
    """The tokens that clash, as few as can be found by leaving out one after the other."""
    ends = {book: _end(told, book) for book, each in enumerate(ledgers(told)) if explain(each) is None}
    book, end = min(ends.items(), key=lambda found: found[1])
    spots, every = _spots(ledgers(told, end)[book]), _tokens(told, end)
    found = _least(told, book, end, spots)
    if explain(ledgers(told, end, frozenset(every) - found)[book]) is not None:
        # A token that said nothing new, such as the second of two votes over the same cards, does so without the first.
        found = _least(told, book, end, every)
    return _named(told, book, end, tuple(sorted(found)), frozenset(every) - found)


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


def _tokens(told: Story, end: int) -> list[Spot]:
    """All tokens before that moment."""
    opening = [(place, at) for _, _, place, at in told.opening]
    return sorted({*opening, *[(moment.turn, moment.at) for moment in told.moments[:end]]})


def _least(told: Story, book: int, end: int, order: list[Spot]) -> frozenset[Spot]:
    """The shorter one of two lists of which nothing can be left out."""
    return min((_fewest(told, book, end, each) for each in (order, order[::-1])), key=len)


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
    seen += [(op.where, _single(op.label)) for op in ledger.ops if not isinstance(op, Hand)]
    for bag in ledger.bags:
        seen.append((bag.where, tuple(bag.labels)))
        left = [one + other for one, other in zip(left, bag.labels, strict=True)]
    for where, counts in seen:
        if (where.turn, where.at) in here:
            named = [label + ledger.first for label, count in enumerate(counts) for _ in range(count)]
            here[where.turn, where.at] += named
    votes = _votes(told, ledger.side) if ledger.first == 0 else {}
    clashes = tuple(Clash(spot, tuple(cards) or votes.get(spot, ())) for spot, cards in here.items())
    for label, copies in enumerate(ledger.copies):
        if (count := max(drawn[label], left[label])) > copies:
            return Conflict(ledger.side, clashes, label + ledger.first, count, copies)
    return Conflict(ledger.side, clashes)


def _votes(told: Story, side: int) -> dict[Spot, t.Cards]:
    """What each vote showed of a side's cards, those too that had been seen before."""
    votes = ((each, each.token) for each in told.moments if isinstance(each.token, t.Vote | t.SpecialVote))
    return {(each.turn, each.at): (token.rome if side == ROME else token.egypt) or () for each, token in votes}


def _single(label: int) -> tuple[int, ...]:
    return tuple(int(each == label) for each in range(KINDS))
