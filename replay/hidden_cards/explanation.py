"""The search for an explanation of a ledger: which card each unknown one was, so that all of it could have happened.

The search is exact. It goes through the ops in their order and keeps the hand as what is known of it: so many of each
card, and so many *blanks*, drawn without a name. A blank gets its name only where one is needed, so that nothing has to
be guessed at a draw; guessed is only which of the cards that were later seen together a hidden card was. States that
failed are remembered, and what can't be enough for the labels still to come is given up at once.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import Final, NamedTuple

from ...notation.allowance import Allowance
from .ledger import KINDS, UNKNOWN, Arrive, Join, Leave, Ledger, Look, one_by_one


class Option(NamedTuple):
    """How an op was explained: its ``label`` (UNKNOWN: any), whether it took a blank, its bag (UNKNOWN: none), and
    whether it took one of the bag's open places."""

    label: int
    blank: bool
    bag: int
    free: bool


@dataclass(slots=True)
class World:
    """One explanation of a ledger: a label for every draw and every card that left the hand.

    ``labels`` has one for each op (UNKNOWN for a Look); ``bags`` for each bag the places of the ops that lie in it.
    """

    labels: list[int]
    bags: list[list[int]]
    needed: bool
    """Whether any card that nobody had named had to be a certain one."""


STEPS: Final = 24_000
"""Steps of the search for one log, all of its ledgers and all the ways of its votes together: about half a second."""


@dataclass(slots=True)
class Budget(Allowance):
    """What is left of the steps for one log, and what came of the ledgers that have been searched (``known``).

    Where only a vote's cards are tried another way, most ledgers are the same as before.
    """

    left: float = field(default_factory=lambda: STEPS)
    known: dict[tuple[object, ...], World | None] = field(default_factory=dict)


def explain(ledger: Ledger, budget: Budget | None = None) -> World | None:
    """Return an explanation of the ledger, None where there is none; BudgetSpent where the budget does not suffice.

    Without a budget the search ends when it is over.
    """
    budget = budget or Budget(inf)
    # The key is all that the search looks at.
    ops = [(op.__class__, op[0], tuple(op[2]) if isinstance(op, Leave | Join) else ()) for op in ledger.ops]
    key = (ledger.copies, *ops, *[(*bag.labels, bag.open) for bag in ledger.bags])
    if key not in budget.known:
        search = _Search(ledger, budget)
        budget.known[key] = search.world() if search.run() else None
    return budget.known[key]


_PATIENCE: Final = 16
"""States that may fail before each is measured against what is still to come."""


@dataclass(slots=True)
class _Cards:
    """What the search knows of the cards between two ops; it changes as the search goes on.

    ``hand`` counts the cards known by name, ``spare`` the copies of each card that blanks can turn out to be; ``bags``
    are what is left of each bag: the count of each label, and at last that of the open places.
    """

    hand: list[int]
    blanks: int
    spare: list[int]
    bags: list[list[int]]

    def copy(self) -> _Cards:
        return _Cards(self.hand[:], self.blanks, self.spare[:], [bag[:] for bag in self.bags])

    def options(self, label: int, bag: int) -> list[Option]:
        """Return how a card of that label can leave the hand: at most one way.

        Where it is in the hand by name, a blank is never the better one to take: it can still be any.
        """
        if self.hand[label]:
            return [Option(label, False, bag, False)]
        return [Option(label, True, bag, False)] if self.blanks and self.spare[label] else []


class _Search:
    def __init__(self, ledger: Ledger, budget: Budget) -> None:
        self.ledger, self.ops, self.budget = ledger, ledger.ops, budget
        self.spare = list(ledger.copies)
        """Copies of each card that no draw names: as many blanks can turn out to be it."""
        self.options: list[Option | None] = [None] * len(self.ops)
        self.seen: dict[int, list[int]] = {}
        """For the place of a Look the labels of the blanks that were in the hand."""
        self.failed: set[tuple[object, ...]] = set()
        self.into: dict[tuple[int, int], list[int]] = defaultdict(list)
        """For bags and labels the places of the ops by which such a card gets into them, in their order; UNKNOWN for
        cards that leave the hand."""
        self.last_look = -1
        for place, op in enumerate(self.ops):
            if isinstance(op, Look):
                self.last_look = place
            elif isinstance(op, Leave | Join):
                for bag in op.bags:
                    self.into[bag, op.label].append(place)
            elif op.label != UNKNOWN:
                self.spare[op.label] -= 1
        counts = [0] * KINDS
        self.named = [counts]
        """For each place among the ops how many cards of each label still leave the hand under their name behind it."""
        for op in reversed(self.ops):
            if isinstance(op, Leave) and op.label != UNKNOWN:
                counts = counts[:]
                counts[op.label] += 1
            self.named.append(counts)
        self.named.reverse()

    def run(self) -> bool:
        if min(self.spare) < 0:
            return False
        cards = _Cards([0] * KINDS, 0, self.spare[:], [[*bag.labels, bag.open] for bag in self.ledger.bags])
        return self._enough(0, cards) and self._go(0, cards)

    def _go(self, begin: int, cards: _Cards) -> bool:
        """Whether all ops from ``begin`` on can be explained; changes the cards."""
        hand, spare = cards.hand, cards.spare
        for place in range(begin, len(self.ops)):
            op = self.ops[place]
            if isinstance(op, Arrive):
                if op.label == UNKNOWN:
                    cards.blanks += 1
                else:
                    hand[op.label] += 1
            elif isinstance(op, Look):
                # As many cards were seen as are there, named or not: what is not there by name must be a blank.
                missing = one_by_one([max(0, count - held) for count, held in zip(op.counts, hand, strict=True)])
                for label in missing:
                    hand[label] += 1
                    spare[label] -= 1
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
        if len(self.failed) < _PATIENCE or self._enough(place, cards):
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
            cards.bags[option.bag][KINDS if option.free else option.label] -= 1
        if isinstance(self.ops[place], Join):
            return
        if not option.blank:
            cards.hand[option.label] -= 1
            return
        cards.blanks -= 1
        if option.label != UNKNOWN:
            cards.spare[option.label] -= 1

    def _options(self, place: int, op: Leave | Join, cards: _Cards) -> list[Option]:
        """Every way in which the card of an op can be one of those in the hand, or of those left in one of its bags."""
        bags = cards.bags
        if isinstance(op, Join):
            named = [Option(op.label, False, number, False) for number in op.bags if bags[number][op.label]]
            return named + [Option(op.label, False, number, True) for number in op.bags if bags[number][KINDS]]
        if op.label != UNKNOWN:
            return cards.options(op.label, UNKNOWN)
        options: list[Option] = []
        for number in op.bags:
            for label in range(KINDS):
                if bags[number][label]:
                    options += cards.options(label, number)
        for number in op.bags:
            if bags[number][KINDS]:
                options += self._free(place, number, cards)
        return options

    def _free(self, place: int, number: int, cards: _Cards) -> list[Option]:
        """A card that nobody ever saw: any of the hand, at first one that is not needed any more."""
        still, hand = self.named[place + 1], cards.hand
        held = [label for label in range(KINDS) if hand[label]]
        idle = [label for label in held if hand[label] > still[label] + sum([bag[label] for bag in cards.bags])]
        if idle and place > self.last_look:
            return [Option(idle[0], False, number, True)]
        labels = idle + [UNKNOWN] * (cards.blanks > 0) + [label for label in held if label not in idle]
        return [Option(label, label == UNKNOWN, number, True) for label in labels]

    def _enough(self, begin: int, cards: _Cards) -> bool:
        """Whether the blanks can be enough for all that is still to be named, were every bag filled as late as can be.

        What is needed of a label beyond the cards known by name must come from blanks drawn before, and from copies
        that no draw names.
        """
        due = self._due(begin, cards)
        held, blanks, lacking = cards.hand[:], cards.blanks, [0] * KINDS
        for at in range(begin, len(self.ops)):
            op = self.ops[at]
            if isinstance(op, Look):
                return True
            if isinstance(op, Arrive):
                if op.label == UNKNOWN:
                    blanks += 1
                else:
                    held[op.label] += 1
                continue
            for label in (op.label,) if isinstance(op, Leave) and op.label != UNKNOWN else due.get(at, ()):
                if held[label]:
                    held[label] -= 1
                    continue
                lacking[label] += 1
                blanks -= 1
                if lacking[label] > cards.spare[label] or blanks < 0:
                    return False
        return True

    def _due(self, begin: int, cards: _Cards) -> dict[int, list[int]]:
        """Return which labels cards that leave the hand without a name must have, each at the latest place there is."""
        due: dict[int, list[int]] = defaultdict(list)
        for number, bag in enumerate(cards.bags):
            for label, count in enumerate(bag[:KINDS]):
                # Cards that are known already and get into the bag later are enough for as many.
                unnamed = count - sum([at >= begin for at in self.into[number, label]]) if count else 0
                for at in self.into[number, UNKNOWN][-unnamed:] if unnamed > 0 else ():
                    due[at].append(label)
        return due

    def world(self) -> World:
        """Return the explanation that was found: blanks get their names in the order in which they were drawn."""
        labels = [op.label if isinstance(op, Arrive) else UNKNOWN for op in self.ops]
        bags: list[list[int]] = [[] for _ in self.ledger.bags]
        drawn: list[int] = []
        nameless: list[tuple[int, int]] = []
        spare, needed = self.spare[:], any(self.seen.values())

        def name(label: int) -> None:
            """The first of the blanks turns out to be this card."""
            labels[drawn.pop(0)] = label
            spare[label] -= 1

        for place, (op, option) in enumerate(zip(self.ops, self.options, strict=True)):
            if isinstance(op, Arrive) and op.label == UNKNOWN:
                drawn.append(place)
            for label in self.seen.get(place, ()):
                name(label)
            if option is None:
                continue
            labels[place] = option.label
            needed |= isinstance(op, Leave) and (option.blank or option.bag != UNKNOWN)
            if option.blank and option.label == UNKNOWN:
                nameless.append((drawn.pop(0), place))
            elif option.blank:
                name(option.label)
            if option.bag != UNKNOWN:
                bags[option.bag].append(place)
        left = one_by_one(spare)
        for place, leave in nameless:
            labels[place] = labels[leave] = left.pop()
        for place in drawn:
            labels[place] = left.pop()
        return World(labels, bags, needed)
