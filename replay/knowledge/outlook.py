"""Odds: what a point of view can infer about the unknown cards at a moment of a game, and what that means for votes.

The odds are exact. They assume that every order of a shuffled pile is equally likely, and every card of a hand is
equally likely to be the one that was laid down. So nothing is inferred from how a player likes to play. Cards that came
into a hand together then can't be told apart until one is seen: they form a *stock*, for which only the cards left in
it and the places that hold some of them are kept. ``docs/knowledge.md`` says why this is exact, and what it costs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, gcd, lcm, perm, prod
from typing import Final, NamedTuple, TypeVar

from ...notation.allowance import Allowance
from ...notation.cards import EGYPT, PHILOSOPHER, ROME, TIE
from ..editions.edition import Edition
from ..rules.vote_outcome import winner_of
from .ledger import (
    RANKS,
    UNKNOWN,
    Arrive,
    CardBag,
    CardHistory,
    CardTracker,
    Join,
    Leave,
    Ledger,
    Look,
    Mix,
    Moment,
    TableCard,
    known_ranks,
    one_by_one,
)

Counts = tuple[int, ...]
"""The number of cards of each rank."""
Thing = TypeVar("Thing")
Number = TypeVar("Number", int, Fraction)
_NONE: Final[Counts] = (0,) * RANKS


class Stock(NamedTuple):
    """Cards that can't be told apart: how many of each rank have not been seen, and how many of them are in the
    hand.
    """

    cards: Counts
    held: int


class DeckState(NamedTuple):
    """One possible state: the hand's known cards, the stocks, and the stock of each unknown card on the table.

    The first stock is the shuffled pile's. ``table`` holds pairs of a card's key and its stock's number.
    """

    hand: Counts
    stocks: tuple[Stock, ...]
    table: tuple[tuple[int, int], ...]


Spread = dict[tuple[int, int], Fraction]
"""Sum and number of philosophers → how likely they are together."""
Ways = dict[tuple[int, int], int]
"""Sum and number of philosophers → in how many ways they come about: fractions would be slow to add."""
Weighed = Iterator[tuple[DeckState, int, int]]
"""States, each with the numerator and the denominator of its odds."""


class Filter:
    """One player's influence cards as the writer of a ledger knows them; :meth:`catch_up` reads on."""

    def __init__(self, ledger: Ledger, allowance: Allowance | None = None) -> None:
        self.ledger, self.allowance = ledger, allowance or Allowance()
        self.read = 0
        self.states: dict[DeckState, int] = {DeckState(_NONE, (Stock(ledger.copies, 0),), ()): 1}
        """Each possible state with its weight, a whole number: fractions would be slow to add."""
        self.keys: dict[TableCard, int] = {}

    def catch_up(self) -> None:
        """Take in what is new in the ledger's log. Raise ValueError if it is impossible, BudgetSpent if it takes too
        long.
        """
        for item in self.ledger.log[self.read :]:
            if isinstance(item, Join):
                continue
            # New cards on the table get their keys.
            for card in (item,) if isinstance(item, TableCard) else item.laid if isinstance(item, Mix) else ():
                self.keys[card] = len(self.keys)
            found = [
                (after, weight * odds, whole)
                for state, weight in self.states.items()
                for after, odds, whole in self._after(state, item)
            ]
            if not found:
                raise ValueError("this can't have happened")
            common = lcm(*{whole for _, _, whole in found})
            states: dict[DeckState, int] = defaultdict(int)
            for after, weight, whole in found:
                states[after] += weight * (common // whole)
            divisor = gcd(*states.values())
            self.states = {state: weight // divisor for state, weight in states.items()}
        self.read = len(self.ledger.log)

    def chances(self) -> Iterator[tuple[DeckState, Fraction]]:
        """Yield each possible state with its chance."""
        total = sum(self.states.values())
        return ((state, Fraction(weight, total)) for state, weight in self.states.items())

    def next_card(self) -> tuple[Fraction, ...]:
        """Return how likely the top card of the pile is to have each rank; all zero if no card is unseen."""
        return self._one_of([state.stocks[0].cards for state in self.states])

    def card(self, card: TableCard) -> tuple[Fraction, ...]:
        """Return how likely a card on the table is to have each rank: 1 if it was seen, or can be inferred."""
        if card.rank != UNKNOWN:
            return tuple(Fraction(rank == card.rank) for rank in range(RANKS))
        key = self.keys[card]
        return self._one_of([state.stocks[dict(state.table)[key]].cards for state in self.states])

    def _one_of(self, stocks: Sequence[Counts]) -> tuple[Fraction, ...]:
        """Return how likely a card from a stock is to have each rank; ``stocks`` are the stock's cards in each
        state.
        """
        odds = [Fraction(0)] * RANKS
        for cards, (_, weight) in zip(stocks, self.chances(), strict=True):
            for rank, count in enumerate(cards):
                if count:
                    odds[rank] += weight * Fraction(count, sum(cards))
        return tuple(odds)

    def holds(self) -> tuple[Fraction, ...]:
        """Return how likely the hand is to have at least one card of each rank."""
        odds = [Fraction(0)] * RANKS
        for state, weight in self.chances():
            for rank in range(RANKS):
                none = Fraction(not state.hand[rank])
                for cards, held in state.stocks:
                    none *= Fraction(comb(sum(cards) - cards[rank], held), comb(sum(cards), held))
                odds[rank] += weight * (1 - none)
        return tuple(odds)

    def spread(self, column: Iterable[TableCard]) -> Spread:
        """Return the chances of each sum and number of philosophers of the cards in a column, including known ones."""
        column = list(column)
        known = known_ranks(column)
        keys = {self.keys[card] for card in column if card.rank == UNKNOWN}
        if not keys:
            return {(sum(known), known.count(PHILOSOPHER)): Fraction(1)}
        # Many states differ only in what does not matter here.
        weights: dict[tuple[tuple[Counts, int], ...], int] = defaultdict(int)
        for state, weight in self.states.items():
            numbers = [stock for key, stock in state.table if key in keys]
            weights[tuple([(state.stocks[number].cards, numbers.count(number)) for number in set(numbers)])] += weight
        wholes = [prod([perm(sum(cards), count) for cards, count in stocks]) for stocks in weights]
        common, found = lcm(*wholes), list[tuple[tuple[int, int], int]]()
        for (stocks, weight), whole in zip(weights.items(), wholes, strict=True):
            ways: Ways = {(sum(known), known.count(PHILOSOPHER)): weight * (common // whole)}
            for cards, count in stocks:
                ways = _sum_of_spreads(ways, _drawn(cards, count))
            found += ways.items()
        common *= sum(self.states.values())
        return {each: Fraction(number, common) for each, number in summed(found).items()}

    def _after(self, state: DeckState, item: Arrive | Leave | Look | TableCard | CardBag | Mix) -> Weighed:
        """Yield every way to continue from a state, with its odds, which need not add up to one."""
        self.allowance.spend()
        if isinstance(item, Arrive):
            return _draw(state, item.rank)
        if isinstance(item, Leave):
            return _leave(state, item.rank) if item.rank != UNKNOWN else _lay(state, UNKNOWN)
        if isinstance(item, TableCard):
            return _lay(state, self.keys[item])
        if isinstance(item, Look):
            return _show(state, item.counts)
        if isinstance(item, CardBag):
            keys = [self.keys[card] for card in item.cards]
            return _see(state, keys, one_by_one(item.counts))
        return self._mix(state, item)

    def _mix(self, state: DeckState, mix: Mix) -> Weighed:
        """Lay known and unknown cards down again: every order is equally likely."""
        table = dict(state.table)
        stocks, known = [*state.stocks], [0] * RANKS
        numbers = []
        for card, _ in mix.lifted:
            key = self.keys.get(card, UNKNOWN)
            if key in table:
                numbers.append(table.pop(key))
            else:
                known[card.rank] += 1
                numbers.append(len(stocks))
        if any(known):
            stocks.append(Stock(tuple(known), 0))
        orders = _orders(tuple(sorted(numbers)))
        laid = [self.keys[card] for card in mix.laid]
        for order in orders:
            pairs = (*table.items(), *zip(laid, order, strict=True))
            yield _simplified(DeckState(state.hand, tuple(stocks), pairs)), 1, len(orders)


def _draw(state: DeckState, rank: int) -> Weighed:
    pile = state.stocks[0]
    if pile.held + sum(not number for _, number in state.table) >= sum(pile.cards):
        return  # all its cards have been drawn: a ruling let more cards be drawn than there are
    if rank == UNKNOWN:
        yield _with_value(state, 0, Stock(pile.cards, pile.held + 1)), 1, 1
    elif pile.cards[rank]:
        rest = _with_value(state, 0, Stock(_minus(pile.cards, rank), pile.held))
        hand = (*state.hand[:rank], state.hand[rank] + 1, *state.hand[rank + 1 :])
        yield DeckState(hand, rest.stocks, rest.table), pile.cards[rank], sum(pile.cards)


def _leave(state: DeckState, rank: int) -> Weighed:
    """Let a card leave the hand and be seen."""
    if state.hand[rank]:
        yield DeckState(_minus(state.hand, rank), state.stocks, state.table), state.hand[rank], 1
    for number, stock in enumerate(state.stocks):
        if stock.held and stock.cards[rank]:
            rest = Stock(_minus(stock.cards, rank), stock.held - 1)
            yield _simplified(_with_value(state, number, rest)), stock.held * stock.cards[rank], sum(stock.cards)


def _lay(state: DeckState, key: int) -> Weighed:
    """Let a card leave the hand unseen; from now on the known ones can't be told apart."""
    if any(state.hand):
        state = DeckState(_NONE, (*state.stocks, Stock(state.hand, sum(state.hand))), state.table)
    for number, stock in enumerate(state.stocks):
        if stock.held:
            after = _with_value(state, number, Stock(stock.cards, stock.held - 1))
            if key != UNKNOWN:
                after = DeckState(after.hand, after.stocks, (*after.table, (key, number)))
            yield _simplified(after), stock.held, 1


def _see(state: DeckState, keys: Sequence[int], ranks: Sequence[int]) -> Weighed:
    """Let cards on the table be seen together; those not named now never will be."""
    rest = tuple(pair for pair in state.table if pair[0] not in keys)
    if len(ranks) < len(keys):
        yield _simplified(DeckState(state.hand, state.stocks, rest)), 1, 1
        return
    table = dict(state.table)
    if not table.keys() >= {*keys}:  # a ruling let cards be seen that were gone
        return
    numbers = [table[key] for key in keys]
    for order in _orders(tuple(sorted(ranks))):
        cards, odds, whole = [stock.cards for stock in state.stocks], 1, 1
        for number, rank in zip(numbers, order, strict=True):
            if not cards[number][rank]:
                break
            odds *= cards[number][rank]
            whole *= sum(cards[number])
            cards[number] = _minus(cards[number], rank)
        else:
            stocks = tuple(Stock(left, stock.held) for left, stock in zip(cards, state.stocks, strict=True))
            yield _simplified(DeckState(state.hand, stocks, rest)), odds, whole


def _show(state: DeckState, counts: Counts) -> Weighed:
    """Let the whole hand be seen: its unknown cards get their names, one stock after another."""
    missing = tuple(seen - held for seen, held in zip(counts, state.hand, strict=True))
    if min(missing) < 0:
        return
    slots = [number for number, stock in enumerate(state.stocks) for _ in range(stock.held)]
    ranks = one_by_one(missing)
    if len(slots) != len(ranks):
        return
    held = state._replace(
        stocks=tuple(Stock(stock.cards, 0) for stock in state.stocks),
        table=(*state.table, *((-1 - place, number) for place, number in enumerate(slots))),
    )
    for after, odds, whole in _see(held, [-1 - place for place in range(len(slots))], ranks):
        yield after._replace(hand=counts), odds, whole


def _simplified(state: DeckState) -> DeckState:
    """Return the state without stocks that nothing depends on, and with the others sorted, so that equivalent states
    are equal.
    """
    used = {number for _, number in state.table}
    kept = [number for number, stock in enumerate(state.stocks) if number and (stock.held or number in used)]
    table = dict(state.table)
    kept.sort(key=lambda number: (state.stocks[number], [key for key in table if table[key] == number]))
    place = {number: new for new, number in enumerate((0, *kept))}
    return DeckState(
        state.hand,
        tuple(state.stocks[number] for number in (0, *kept)),
        tuple(sorted((key, place[number]) for key, number in state.table)),
    )


def _with_value(state: DeckState, number: int, stock: Stock) -> DeckState:
    stocks = (*state.stocks[:number], stock, *state.stocks[number + 1 :])
    return DeckState(state.hand, stocks, state.table)


def _minus(counts: Counts, rank: int) -> Counts:
    return (*counts[:rank], counts[rank] - 1, *counts[rank + 1 :])


@lru_cache(maxsize=1 << 12)
def _orders(things: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return every order of some things; equal things are not distinguished."""
    if len({*things}) < 2:
        return (things,)
    return tuple(
        (first, *rest)
        for place, first in enumerate(things)
        if first not in things[:place]
        for rest in _orders(things[:place] + things[place + 1 :])
    )


@lru_cache(maxsize=1 << 14)
def _drawn(cards: Counts, count: int) -> Ways:
    """Return the sum and philosophers of ``count`` cards that are drawn from a stock, one after another."""
    if not count:
        return {(0, 0): 1}
    return summed(
        ((total + rank, philosophers + (rank == PHILOSOPHER)), ways * copies)
        for rank, copies in enumerate(cards)
        if copies
        for (total, philosophers), ways in _drawn(_minus(cards, rank), count - 1).items()
    )


def _sum_of_spreads(first: Ways, second: Ways) -> Ways:
    """Return the sum of two independent spreads of cards."""
    return summed(
        ((total + more, philosophers + others), ways * number)
        for (total, philosophers), ways in first.items()
        for (more, others), number in second.items()
    )


def summed(chances: Iterable[tuple[Thing, Number]]) -> dict[Thing, Number]:
    """Return each thing with the sum of its chances, in order of first appearance."""
    sums: dict[Thing, Number] = {}
    for thing, odds in chances:
        sums[thing] = sums[thing] + odds if thing in sums else odds
    return sums


class GroupOutlook(NamedTuple):
    """A vote at a group if it were held now: the sums of Rome's and Egypt's cards, and who would win.

    ``spreads`` give each sum and number of philosophers its chance; ``wins`` are the chances of Rome, Egypt and a tie.

    >>> vote = tironian.odds(record, "table", "0R").outlook.groups[0]
    >>> print(vote.sums(tironian.Side.ROME)[5], sum(vote.wins))
    1/5 1
    """

    group: int
    spreads: tuple[Spread, Spread]
    wins: tuple[Fraction, Fraction, Fraction]
    edition: Edition

    def sums(self, side: int) -> dict[int, Fraction]:
        """Return the sums of a side, from low to high, with their chances."""
        if side not in (ROME, EGYPT):
            raise ValueError("there is no such side: give tironian.Side.ROME or tironian.Side.EGYPT")
        return summed((total, odds) for (total, _), odds in sorted(self.spreads[side].items()))

    def sums_where(self, winner: int) -> tuple[set[int], set[int]]:
        """Return the sums of Rome and of Egypt with which the vote goes to ``winner`` (a side or TIE)."""
        pairs = self._pairs_where(winner)
        return {rome for (rome, _), _ in pairs}, {egypt for _, (egypt, _) in pairs}

    def lower_wins(self, winner: int) -> bool | None:
        """Return whether the lower sum gives the vote to ``winner``; None if either sum can."""
        ways = {winner != TIE and pair[winner][0] < pair[1 - winner][0] for pair in self._pairs_where(winner)}
        return ways.pop() if len(ways) == 1 else None

    def _pairs_where(self, winner: int) -> list[tuple[tuple[int, int], ...]]:
        return [pair for pair in product(*self.spreads) if winner_of(*pair, self.edition) == winner]


class Outlook(NamedTuple):
    """The outlook for every group, and how likely each value is for either side's next influence card.

    >>> outlook = tironian.odds(record, "table", "0R").outlook
    >>> [tironian.Group(vote.group).letter for vote in outlook.groups]
    ['P', 'Q', 'A', 'K', 'C']
    """

    groups: tuple[GroupOutlook, ...]
    next_cards: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


class Watcher:
    """Follows a history as whoever wrote it knows it; :meth:`see` takes in one moment after another, in order."""

    def __init__(self, history: CardHistory, allowance: Allowance | None = None) -> None:
        self.edition = history.edition
        self.tracker = CardTracker(history, 0)
        self.filters = Filter(self.tracker.books[0], allowance), Filter(self.tracker.books[2], allowance)
        self.see(None)

    def see(self, moment: Moment | None) -> None:
        """Take in one more token, or just the set-up. Raise ValueError if no cards explain it."""
        if moment is not None:
            self.tracker.take_in(moment)
        for knowledge in self.filters:
            knowledge.catch_up()

    def outlook(self) -> Outlook:
        """Return what is to be expected now."""
        rome, egypt = self.filters
        return Outlook(tuple(self.at(group) for group in self.edition.groups), (rome.next_card(), egypt.next_card()))

    def at(self, group: int) -> GroupOutlook:
        """Return a vote at that group if it were held now."""
        rome, egypt = (self.spread(side, self.tracker.columns[side][group]) for side in (ROME, EGYPT))
        return outlook_of(group, rome, egypt, self.edition)

    def spread(self, side: int, column: Sequence[TableCard]) -> Spread:
        """Return the chances of each sum and number of philosophers of a side's cards, as if they lay together."""
        return self.filters[side].spread(column)


def outlook_of(group: int, rome: Spread, egypt: Spread, edition: Edition) -> GroupOutlook:
    """Return a vote at a group with these sums of both sides' cards."""
    (own, whole), (others, all_others), wins = _in_ways(rome), _in_ways(egypt), [0] * 3
    for (ours, ways), (theirs, number) in product(own, others):
        wins[winner_of(ours, theirs, edition)] += ways * number
    found = [Fraction(won, whole * all_others) for won in wins]
    return GroupOutlook(group, (rome, egypt), (found[ROME], found[EGYPT], found[TIE]), edition)


def _in_ways(spread: Spread) -> tuple[list[tuple[tuple[int, int], int]], int]:
    """Return a spread in whole numbers, and what stands for one."""
    whole = lcm(*[odds.denominator for odds in spread.values()])
    return [(each, odds.numerator * (whole // odds.denominator)) for each, odds in spread.items()], whole
