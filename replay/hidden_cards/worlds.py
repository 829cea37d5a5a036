"""The search for an explanation of a ledger: which card each unknown one was, so that all of it could have happened.

The search is exact. It goes through the ops in their order and keeps the hand as what is known of it: so many of each
card, and so many *blanks*, drawn without a name. A blank gets its name only where one is needed, so that nothing has to
be guessed at a draw; guessed is only which of the cards that were later seen together a hidden card was. States that
failed are remembered, and what can't be enough for the labels still to come is given up at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple

from .ledger import KINDS, UNKNOWN, Draw, Hand, Join, Leave, Ledger


class Choice(NamedTuple):
    """How an op was explained: its ``label`` (UNKNOWN: any), whether it took a blank, its bag (UNKNOWN: none), and
    whether it took one of the bag's open places."""

    label: int
    blank: bool
    bag: int
    free: bool


@dataclass(slots=True)
class World:
    """One explanation of a ledger: a label for every draw and every card that left the hand.

    ``labels`` has one for each op (UNKNOWN for a Hand); ``bags`` for each bag the places of the ops that lie in it.
    """

    labels: list[int]
    bags: list[list[int]]
    needed: bool
    """Whether any card that nobody had named had to be a certain one."""


STEPS: Final = 24_000
"""Steps of the search for one log, all of its ledgers and all the ways of its votes together: about half a second."""


class Spent(Exception):
    """The search was given up before its end."""


class Budget:
    """What is left of the steps for one log, and what came of the ledgers that have been searched.

    Where only a vote's cards are tried another way, most ledgers are the same as before.
    """

    def __init__(self, steps: float | None = None) -> None:
        self.left = STEPS if steps is None else steps
        self.known: dict[tuple[object, ...], World | None] = {}

    def spend(self, steps: int = 1) -> None:
        """Count some steps; Spent where there are none left."""
        self.left -= steps
        if self.left < 0:
            raise Spent

    def anew(self) -> Budget:
        """Return one that is full again, and knows the same."""
        budget = Budget()
        budget.known = self.known
        return budget


def explain(ledger: Ledger, budget: Budget | None = None) -> World | None:
    """Return an explanation of the ledger, None where there is none; Spent where the budget does not suffice.

    Without a budget the search ends when it is over.
    """
    budget = budget or Budget(inf)
    key = _key(ledger)
    if key not in budget.known:
        search = _Search(ledger, budget)
        budget.known[key] = search.world() if search.run() else None
    return budget.known[key]


def _key(ledger: Ledger) -> tuple[object, ...]:
    """Return all that the search looks at."""
    ops = [(op.__class__, op[0], tuple(op[2]) if isinstance(op, Leave | Join) else ()) for op in ledger.ops]
    bags = [(*bag.labels, bag.open) for bag in ledger.bags]
    return (ledger.copies, *ops, *bags)


_PATIENCE: Final = 16
"""States that may fail before each is measured against what is still to come."""


class _Search:
    def __init__(self, ledger: Ledger, budget: Budget) -> None:
        self.ledger, self.ops, self.budget = ledger, ledger.ops, budget
        self.spare = list(ledger.copies)
        """Copies of each card that no draw names: as many blanks can turn out to be it."""
        for op in self.ops:
            if isinstance(op, Draw) and op.label != UNKNOWN:
                self.spare[op.label] -= 1
        self.choices: list[Choice | None] = [None] * len(self.ops)
        self.failed: set[tuple[object, ...]] = set()
        self.sources: list[list[int]] = [[] for _ in ledger.bags]
        """For each bag the places of the ops by which cards leave the hand into it, in their order."""
        self.joins: dict[tuple[int, int], list[int]] = {}
        """For bags and labels the places of the ops by which known cards get into them."""
        for place, op in enumerate(self.ops):
            for bag in op.bags if isinstance(op, Leave | Join) else ():
                if isinstance(op, Join):
                    self.joins.setdefault((bag, op.label), []).append(place)
                else:
                    self.sources[bag].append(place)
        self.last_hand = max((place for place, op in enumerate(self.ops) if isinstance(op, Hand)), default=-1)
        self.named = self._named()

    def _named(self) -> list[list[int]]:
        """For each place among the ops how many cards of each label still leave the hand under their name behind it."""
        counts = [0] * KINDS
        found = [counts]
        for op in reversed(self.ops):
            if isinstance(op, Leave) and op.label != UNKNOWN:
                counts = counts[:]
                counts[op.label] += 1
            found.append(counts)
        return found[::-1]

    def run(self) -> bool:
        if min(self.spare) < 0:
            return False
        bags = [[*bag.labels, bag.open] for bag in self.ledger.bags]
        hand, spare = [0] * KINDS, self.spare[:]
        return self._enough(0, hand, 0, spare, bags) and self._go(0, hand, 0, spare, bags)

    def _go(self, place: int, hand: list[int], blanks: int, spare: list[int], bags: list[list[int]]) -> bool:
        """Whether all ops from ``place`` on can be explained; changes what it is given."""
        ops = self.ops
        while place < len(ops):
            op = ops[place]
            if isinstance(op, Draw):
                if op.label == UNKNOWN:
                    blanks += 1
                else:
                    hand[op.label] += 1
            elif isinstance(op, Hand):
                # As many cards were seen as are there, named or not: what is not there by name must be a blank.
                for label, count in enumerate(op.counts):
                    if (missing := count - hand[label]) > 0:
                        hand[label], blanks, spare[label] = count, blanks - missing, spare[label] - missing
                if blanks < 0 or min(spare) < 0:
                    return False
            elif isinstance(op, Leave) and op.label != UNKNOWN:
                blank = not hand[op.label]
                if blank:
                    if not (blanks and spare[op.label]):
                        return False
                    blanks -= 1
                    spare[op.label] -= 1
                else:
                    hand[op.label] -= 1
                self.choices[place] = Choice(op.label, blank, UNKNOWN, False)
            else:
                options = [*self._options(place, op, hand, blanks, spare, bags)]
                if not options:
                    return False
                if len(options) > 1:
                    return self._branch(place, options, hand, blanks, spare, bags)
                blanks = self._take(place, options[0], hand, blanks, spare, bags)
            place += 1
        return True

    def _branch(
        self, place: int, options: list[Choice], hand: list[int], blanks: int, spare: list[int], bags: list[list[int]]
    ) -> bool:
        key = (place, *hand, blanks, *spare, *map(tuple, bags))
        if key in self.failed:
            return False
        self.budget.spend()
        if len(self.failed) < _PATIENCE or self._enough(place, hand, blanks, spare, bags):
            for option in options:
                held, rest, filled = hand[:], spare[:], [bag[:] for bag in bags]
                left = self._take(place, option, held, blanks, rest, filled)
                if self._go(place + 1, held, left, rest, filled):
                    return True
        self.failed.add(key)
        return False

    def _take(
        self, place: int, choice: Choice, hand: list[int], blanks: int, spare: list[int], bags: list[list[int]]
    ) -> int:
        """Carry a choice out; gives the blanks that are left."""
        self.choices[place] = choice
        bags[choice.bag][KINDS if choice.free else choice.label] -= 1
        if isinstance(self.ops[place], Join):
            return blanks
        if not choice.blank:
            hand[choice.label] -= 1
            return blanks
        if choice.label != UNKNOWN:
            spare[choice.label] -= 1
        return blanks - 1

    def _options(
        self, place: int, op: Leave | Join, hand: list[int], blanks: int, spare: list[int], bags: list[list[int]]
    ) -> Iterator[Choice]:
        """Every way in which a card of a bag can be one of those that are left in it."""
        if isinstance(op, Join):
            for number in op.bags:
                if bags[number][op.label]:
                    yield Choice(op.label, False, number, False)
            for number in op.bags:
                if bags[number][KINDS]:
                    yield Choice(op.label, False, number, True)
            return
        for number in op.bags:
            bag = bags[number]
            for label in range(KINDS):
                if not bag[label]:
                    continue
                # Where the card is in the hand by name, a blank is never the better one to take: it can still be any.
                if hand[label]:
                    yield Choice(label, False, number, False)
                elif blanks and spare[label]:
                    yield Choice(label, True, number, False)
        for number in op.bags:
            if bags[number][KINDS]:
                yield from self._free(place, number, hand, blanks, bags)

    def _free(self, place: int, number: int, hand: list[int], blanks: int, bags: list[list[int]]) -> Iterator[Choice]:
        """A card that nobody ever saw: any of the hand, at first one that is not needed any more."""
        still = self.named[place + 1]
        needs = [still[label] + sum([bag[label] for bag in bags]) for label in range(KINDS)]
        held = [label for label in range(KINDS) if hand[label]]
        idle = [label for label in held if hand[label] > needs[label]]
        if idle and place > self.last_hand:
            yield Choice(idle[0], False, number, True)
            return
        for label in idle:
            yield Choice(label, False, number, True)
        if blanks:
            yield Choice(UNKNOWN, True, number, True)
        for label in held:
            if label not in idle:
                yield Choice(label, False, number, True)

    def _enough(self, place: int, hand: list[int], blanks: int, spare: list[int], bags: list[list[int]]) -> bool:
        """Whether the blanks can be enough for all that is still to be named, were every bag filled as late as can be.

        What is needed of a label beyond the cards known by name must come from blanks drawn before, and from copies
        that no draw names.
        """
        due: dict[int, list[int]] = {}
        for number, bag in enumerate(bags):
            for label in range(KINDS):
                if count := bag[label]:
                    # Cards that are known already and get into the bag later are enough for as many.
                    count -= sum([at >= place for at in self.joins.get((number, label), ())])
                    for at in self.sources[number][-count:] if count > 0 else ():
                        due.setdefault(at, []).append(label)
        held, lacking, total = hand[:], [0] * KINDS, 0
        for at in range(place, len(self.ops)):
            op = self.ops[at]
            if isinstance(op, Draw):
                if op.label == UNKNOWN:
                    blanks += 1
                else:
                    held[op.label] += 1
                continue
            if isinstance(op, Hand):
                return True
            for label in (op.label,) if isinstance(op, Leave) and op.label != UNKNOWN else due.get(at, ()):
                if held[label]:
                    held[label] -= 1
                    continue
                lacking[label] += 1
                total += 1
                if lacking[label] > spare[label] or total > blanks:
                    return False
        return True

    # ---------------------------------------------------------------------------------------------- the answer

    def world(self) -> World:
        """The explanation that was found: blanks get their names in the order in which they were drawn."""
        ops, labels = self.ops, [UNKNOWN] * len(self.ops)
        bags: list[list[int]] = [[] for _ in self.ledger.bags]
        drawn: list[int] = []
        nameless: list[tuple[int, int]] = []
        spare, hand, needed = self.spare[:], [0] * KINDS, False
        for place, op in enumerate(ops):
            choice = self.choices[place]
            if isinstance(op, Draw):
                labels[place] = op.label
                if op.label == UNKNOWN:
                    drawn.append(place)
                else:
                    hand[op.label] += 1
            elif isinstance(op, Hand):
                for label, count in enumerate(op.counts):
                    for _ in range(count - hand[label]):
                        labels[drawn.pop(0)] = label
                        hand[label] += 1
                        spare[label] -= 1
                        needed = True
            elif choice is not None:
                labels[place] = choice.label
                needed = needed or (isinstance(op, Leave) and (choice.blank or choice.bag != UNKNOWN))
                if isinstance(op, Leave):
                    if not choice.blank:
                        hand[choice.label] -= 1
                    elif choice.label == UNKNOWN:
                        nameless.append((drawn.pop(0), place))
                    else:
                        labels[drawn.pop(0)] = choice.label
                        spare[choice.label] -= 1
                if choice.bag != UNKNOWN:
                    bags[choice.bag].append(place)
        left = [label for label in range(KINDS) for _ in range(spare[label])]
        for place, leave in nameless:
            labels[place] = labels[leave] = left.pop()
        for place in drawn:
            labels[place] = left.pop()
        return World(labels, bags, needed)
