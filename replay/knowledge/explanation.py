"""The search for an explanation of a ledger: an identity for each unknown card with which everything could have
happened.

The search is exact. It goes through the ops in order and keeps what is known about the hand: the number of each card,
and the number of *blanks*, drawn without a name. A blank gets its name only when one is needed, so nothing has to be
guessed at a draw. The only guess is which of the cards that were later seen together was the hidden one. Failed states
are remembered, and a state that lacks cards for the ranks still to come is given up at once.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field
from math import inf
from typing import Final, NamedTuple

from ...notation.allowance import Allowance
from ...notation.classes import dataclass
from .ledger import RANKS, UNKNOWN, Arrive, Join, Leave, Ledger, Look, one_by_one


class Option(NamedTuple):
    """How an op was explained: its ``rank`` (UNKNOWN: any), whether it took a blank, its bag (UNKNOWN: none), and
    whether it took one of the bag's open places."""

    rank: int
    blank: bool
    bag: int
    free: bool


@dataclass(slots=True)
class World:
    """An explanation of a ledger: a rank for every draw and for every card that left the hand.

    ``ranks`` has one for each op (UNKNOWN for a Look); ``bags`` has, for each bag, the places of the ops whose cards
    lie in it.
    """

    ranks: list[int]
    bags: list[list[int]]
    needed: bool
    """Whether any unnamed card had to be one particular card."""


STEPS: Final = 24_000
"""The steps of the search for one log, over all its ledgers and all the ways its votes may have gone: about half a
second.
"""


@dataclass(slots=True)
class Budget(Allowance):
    """The steps left for one log, and the results of the ledgers that have been searched (``known``).

    If only the cards of a vote are tried differently, most ledgers are the same as before.
    """

    left: float = field(default_factory=lambda: STEPS)
    known: dict[tuple[object, ...], World | None] = field(default_factory=dict)


def explain(ledger: Ledger, budget: Budget | None = None) -> World | None:
    """Return an explanation of the ledger, or None if there is none; raise BudgetSpent if the budget runs out.

    Without a budget, the search always runs to its end.
    """
    budget = budget or Budget(inf)
    # The key is everything that the search depends on.
    ops = [(op.__class__, op[0], tuple(op[2]) if isinstance(op, Leave | Join) else ()) for op in ledger.ops]
    key = (ledger.copies, *ops, *[(*bag.counts, bag.open) for bag in ledger.bags])
    if key not in budget.known:
        search = _Search(ledger, budget)
        budget.known[key] = search.world() if search.run() else None
    return budget.known[key]


_FAILURES_BEFORE_COMPARE: Final = 16
"""How many states may fail before each is compared with what is still to come."""


@dataclass(slots=True)
class _Cards:
    """What the search knows about the cards between two ops; it changes as the search proceeds.

    ``hand`` counts the cards known by name, ``spare`` the copies of each card that blanks can turn out to be; ``bags``
    hold what is left of each bag: the count of each rank and, last, the count of the open places.
    """

    hand: list[int]
    blanks: int
    spare: list[int]
    bags: list[list[int]]

    def copy(self) -> _Cards:
        return _Cards(self.hand[:], self.blanks, self.spare[:], [bag[:] for bag in self.bags])

    def options(self, rank: int, bag: int) -> list[Option]:
        """Return how a card of that rank can leave the hand: at most one way.

        If the card is in the hand by name, a blank is never the better choice, since a blank can still be any card.
        """
        if self.hand[rank]:
            return [Option(rank, False, bag, False)]
        return [Option(rank, True, bag, False)] if self.blanks and self.spare[rank] else []


class _Search:
    def __init__(self, ledger: Ledger, budget: Budget) -> None:
        self.ledger, self.ops, self.budget = ledger, ledger.ops, budget
        self.spare = list(ledger.copies)
        """The copies of each card that no draw names: that many blanks can turn out to be this card."""
        self.options: list[Option | None] = [None] * len(self.ops)
        self.seen: dict[int, list[int]] = {}
        """For the place of a Look, the ranks of the blanks that were in the hand then."""
        self.failed: set[tuple[object, ...]] = set()
        self.into: dict[tuple[int, int], list[int]] = defaultdict(list)
        """For a bag and a rank, the places of the ops that bring such a card into it, in order; the rank is UNKNOWN for
        cards that leave the hand.
        """
        self.last_look = -1
        for place, op in enumerate(self.ops):
            if isinstance(op, Look):
                self.last_look = place
            elif isinstance(op, Leave | Join):
                for bag in op.bags:
                    self.into[bag, op.rank].append(place)
            elif op.rank != UNKNOWN:
                self.spare[op.rank] -= 1
        counts = [0] * RANKS
        self.named = [counts]
        """For each place among the ops, how many cards of each rank leave the hand by name after it."""
        for op in reversed(self.ops):
            if isinstance(op, Leave) and op.rank != UNKNOWN:
                counts = counts[:]
                counts[op.rank] += 1
            self.named.append(counts)
        self.named.reverse()

    def run(self) -> bool:
        if min(self.spare) < 0:
            return False
        cards = _Cards([0] * RANKS, 0, self.spare[:], [[*bag.counts, bag.open] for bag in self.ledger.bags])
        return self._enough(0, cards) and self._go(0, cards)

    def _go(self, begin: int, cards: _Cards) -> bool:
        """Return whether all ops from ``begin`` on can be explained; this changes the cards."""
        hand, spare = cards.hand, cards.spare
        for place in range(begin, len(self.ops)):
            op = self.ops[place]
            if isinstance(op, Arrive):
                if op.rank == UNKNOWN:
                    cards.blanks += 1
                else:
                    hand[op.rank] += 1
            elif isinstance(op, Look):
                # The number of cards seen equals the number there, named or not: a card that is not there by name must
                # be a blank.
                missing = one_by_one([max(0, count - held) for count, held in zip(op.counts, hand, strict=True)])
                for rank in missing:
                    hand[rank] += 1
                    spare[rank] -= 1
                cards.blanks -= len(missing)
                self.seen[place] = missing
                if cards.blanks < 0 or min(spare) < 0:
                    return False
            else:
                options = self._options(place, op, cards)
                if len(options) != 1:
                    return bool(options) and self._branch(place, options, cards)
                self._take(place, options[0], cards)
        return True

    def _branch(self, place: int, options: list[Option], cards: _Cards) -> bool:
        key = (place, *cards.hand, cards.blanks, *cards.spare, *map(tuple, cards.bags))
        if key in self.failed:
            return False
        self.budget.spend()
        if len(self.failed) < _FAILURES_BEFORE_COMPARE or self._enough(place, cards):
            for option in options:
                after = cards.copy()
                self._take(place, option, after)
                if self._go(place + 1, after):
                    return True
        self.failed.add(key)
        return False

    def _take(self, place: int, option: Option, cards: _Cards) -> None:
        self.options[place] = option
        if option.bag != UNKNOWN:
            cards.bags[option.bag][RANKS if option.free else option.rank] -= 1
        if isinstance(self.ops[place], Join):
            return
        if not option.blank:
            cards.hand[option.rank] -= 1
            return
        cards.blanks -= 1
        if option.rank != UNKNOWN:
            cards.spare[option.rank] -= 1

    def _options(self, place: int, op: Leave | Join, cards: _Cards) -> list[Option]:
        """Return every way in which the card of an op can be one of those in the hand, or one of those left in its
        bags.
        """
        bags = cards.bags
        if isinstance(op, Join):
            named = [Option(op.rank, False, number, False) for number in op.bags if bags[number][op.rank]]
            return named + [Option(op.rank, False, number, True) for number in op.bags if bags[number][RANKS]]
        if op.rank != UNKNOWN:
            return cards.options(op.rank, UNKNOWN)
        options: list[Option] = []
        for number in op.bags:
            for rank in range(RANKS):
                if bags[number][rank]:
                    options += cards.options(rank, number)
        for number in op.bags:
            if bags[number][RANKS]:
                options += self._free(place, number, cards)
        return options

    def _free(self, place: int, number: int, cards: _Cards) -> list[Option]:
        """Return the options for a card that nobody ever saw: any card of the hand, beginning with one that is no
        longer needed.
        """
        still, hand = self.named[place + 1], cards.hand
        held = [rank for rank in range(RANKS) if hand[rank]]
        idle = [rank for rank in held if hand[rank] > still[rank] + sum([bag[rank] for bag in cards.bags])]
        if idle and place > self.last_look:
            return [Option(idle[0], False, number, True)]
        ranks = idle + [UNKNOWN] * (cards.blanks > 0) + [rank for rank in held if rank not in idle]
        return [Option(rank, rank == UNKNOWN, number, True) for rank in ranks]

    def _enough(self, begin: int, cards: _Cards) -> bool:
        """Return whether there are enough blanks for everything still to be named if each bag is filled as late as
        possible.

        Cards of a rank that are needed beyond those known by name must come from blanks drawn earlier, and from copies
        that no draw names.
        """
        due = self._due(begin, cards)
        held, blanks, lacking = cards.hand[:], cards.blanks, [0] * RANKS
        for at in range(begin, len(self.ops)):
            op = self.ops[at]
            if isinstance(op, Look):
                return True
            if isinstance(op, Arrive):
                if op.rank == UNKNOWN:
                    blanks += 1
                else:
                    held[op.rank] += 1
                continue
            for rank in (op.rank,) if isinstance(op, Leave) and op.rank != UNKNOWN else due.get(at, ()):
                if held[rank]:
                    held[rank] -= 1
                    continue
                lacking[rank] += 1
                blanks -= 1
                if lacking[rank] > cards.spare[rank] or blanks < 0:
                    return False
        return True

    def _due(self, begin: int, cards: _Cards) -> dict[int, list[int]]:
        """Return the ranks that cards leaving the hand without a name must have, each at the latest possible place."""
        due: dict[int, list[int]] = defaultdict(list)
        for number, bag in enumerate(cards.bags):
            for rank, count in enumerate(bag[:RANKS]):
                # Cards that are already known and get into the bag later cover the same number.
                unnamed = count - sum([at >= begin for at in self.into[number, rank]]) if count else 0
                for at in self.into[number, UNKNOWN][-unnamed:] if unnamed > 0 else ():
                    due[at].append(rank)
        return due

    def world(self) -> World:
        """Return the explanation that was found; blanks get their names in the order in which they were drawn."""
        ranks = [op.rank if isinstance(op, Arrive) else UNKNOWN for op in self.ops]
        bags: list[list[int]] = [[] for _ in self.ledger.bags]
        drawn: list[int] = []
        nameless: list[tuple[int, int]] = []
        spare, needed = self.spare[:], any(self.seen.values())

        def name(rank: int) -> None:
            """Let the first of the blanks turn out to be this card."""
            ranks[drawn.pop(0)] = rank
            spare[rank] -= 1

        for place, (op, option) in enumerate(zip(self.ops, self.options, strict=True)):
            if isinstance(op, Arrive) and op.rank == UNKNOWN:
                drawn.append(place)
            for rank in self.seen.get(place, ()):
                name(rank)
            if option is None:
                continue
            ranks[place] = option.rank
            needed |= isinstance(op, Leave) and (option.blank or option.bag != UNKNOWN)
            if option.blank and option.rank == UNKNOWN:
                nameless.append((drawn.pop(0), place))
            elif option.blank:
                name(option.rank)
            if option.bag != UNKNOWN:
                bags[option.bag].append(place)
        left = one_by_one(spare)
        for place, leave in nameless:
            ranks[place] = ranks[leave] = left.pop()
        for place in drawn:
            ranks[place] = left.pop()
        return World(ranks, bags, needed)
