"""The odds of unknown cards: against plain enumeration of every order of a small pile and every choice from a hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from scale import scaled
from tironian.replay.knowledge.ledger import (
    RANKS,
    UNKNOWN,
    Arrive,
    CardBag,
    CardPlace,
    Leave,
    Ledger,
    Look,
    Mix,
    TableCard,
)
from tironian.replay.knowledge.outlook import Filter

CASES = scaled(40, 2_000)
NOWHERE = CardPlace(0, 0)

Deed = tuple[str, object]
"""What is done, and what is seen of it: ``deal`` and ``draw`` a rank or UNKNOWN, ``play`` a rank, ``lay`` a place's
name, ``turn`` a place and the ranks seen there, ``castle`` how many lie at the first then, ``spy`` the ranks."""


def play(rng: Random) -> tuple[tuple[int, ...], list[Deed]]:
    """A little game: some cards dealt openly, a shuffled pile, cards played, laid down, turned up and mixed."""
    deck = [rng.choice((0, 1, 1, 2, 2, 3)) for _ in range(rng.randint(4, 6))]
    copies = tuple(deck.count(rank) for rank in range(RANKS))
    dealt = rng.randint(0, 3)
    pile, hand = deck[dealt:], deck[:dealt]
    deeds: list[Deed] = [("deal", rank) for rank in hand]
    rng.shuffle(pile)
    table: dict[str, list[int]] = {"A": [], "B": []}
    for _ in range(rng.randint(4, 9)):
        what = rng.choice(("draw", "draw", "lay", "lay", "play", "turn", "castle", "spy"))
        if what == "draw" and pile:
            hand.append(pile.pop(0))
            deeds.append(("draw", hand[-1] if rng.random() < 0.2 else UNKNOWN))
        elif what in ("lay", "play") and hand:
            card = hand.pop(rng.randrange(len(hand)))
            if what == "lay":
                place = rng.choice("AB")
                table[place].append(card)
                deeds.append(("lay", place))
            else:
                deeds.append(("play", card))
        elif what == "turn" and (place := rng.choice("AB")) and table[place]:
            deeds.append(("turn", (place, tuple(sorted(table[place])))))
            table[place] = []
        elif what == "castle" and table["A"] + table["B"]:
            lifted = table["A"] + table["B"]
            rng.shuffle(lifted)
            size = rng.randint(0, len(lifted))
            table["A"], table["B"] = lifted[:size], lifted[size:]
            deeds.append(("castle", size))
        elif what == "spy" and rng.random() < 0.3:
            deeds.append(("spy", tuple(sorted(hand))))
    return copies, deeds


# -------------------------------------------------------------------------------------------------- enumerated

World = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The pile, the hand, and what lies at A and B, as cards that are all told apart."""


def enumerated(copies: tuple[int, ...], deeds: list[Deed]) -> tuple[dict[tuple[int, int], Fraction], list[Fraction]]:
    """The spread at A and the odds of the next card, over all worlds."""
    ranks = [rank for rank, count in enumerate(copies) for _ in range(count)]
    dealt = [what for kind, what in deeds if kind == "deal"]
    worlds: dict[World, Fraction] = defaultdict(Fraction)
    for order in permutations(range(len(ranks))):
        if [ranks[card] for card in order[: len(dealt)]] == dealt:
            worlds[order[len(dealt) :], order[: len(dealt)], (), ()] += 1
    for actual in deeds[len(dealt) :]:
        after: dict[World, Fraction] = defaultdict(Fraction)
        for world, weight in worlds.items():
            for found, odds in steps(world, actual, ranks):
                after[found] += weight * odds
        worlds = after
    total = sum(worlds.values())
    spread: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    following = [Fraction(0)] * RANKS
    for (pile, _, first, _), weight in worlds.items():
        seen = [ranks[card] for card in first]
        spread[sum(seen), seen.count(0)] += weight / total
        if pile:
            following[ranks[pile[0]]] += weight / total
    return dict(spread), following


def steps(world: World, actual: Deed, ranks: list[int]) -> Iterator[tuple[World, Fraction]]:
    (pile, hand, *places), (kind, what) = world, actual
    first, second = places
    if kind == "draw":
        if what in (UNKNOWN, ranks[pile[0]]):
            yield (pile[1:], (*hand, pile[0]), first, second), Fraction(1)
    elif kind in ("play", "lay"):
        for place, card in enumerate(hand):
            rest = (*hand[:place], *hand[place + 1 :])
            if kind == "lay":
                laid = ((*first, card), second) if what == "A" else (first, (*second, card))
                yield (pile, rest, *laid), Fraction(1, len(hand))
            elif ranks[card] == what:
                yield (pile, rest, first, second), Fraction(1, len(hand))
    elif kind == "turn":
        name, seen = what
        column = first if name == "A" else second
        if tuple(sorted(ranks[card] for card in column)) == seen:
            yield (pile, hand, () if name == "A" else first, () if name == "B" else second), Fraction(1)
    elif kind == "castle":
        orders = [*permutations((*first, *second))]
        for order in orders:
            yield (pile, hand, tuple(sorted(order[:what])), tuple(sorted(order[what:]))), Fraction(1, len(orders))
    elif tuple(sorted(ranks[card] for card in hand)) == what:
        yield world, Fraction(1)


# ---------------------------------------------------------------------------------------------------- filtered


def filtered(
    copies: tuple[int, ...], deeds: list[Deed]
) -> tuple[dict[tuple[int, int], Fraction], tuple[Fraction, ...]]:
    """The same by the filter."""
    book = Ledger(0, 0, copies)
    table: dict[str, list[TableCard]] = {"A": [], "B": []}
    for kind, what in deeds:
        if kind in ("deal", "draw"):
            book.add(Arrive(what, NOWHERE))
        elif kind == "play":
            book.add(Leave(what, NOWHERE, []))
        elif kind == "lay":
            entry = TableCard(UNKNOWN, False, (len(book.ops),))
            book.add(Leave(UNKNOWN, NOWHERE, []), entry)
            table[what].append(entry)
        elif kind == "turn":
            place, seen = what
            book.add(CardBag([seen.count(rank) for rank in range(RANKS)], 0, NOWHERE, table[place]))
            table[place] = []
        elif kind == "castle":
            lifted = table["A"] + table["B"]
            laid = [TableCard(UNKNOWN, False, (0,)) for _ in lifted]
            book.add(Mix([(entry, UNKNOWN) for entry in lifted], laid, NOWHERE))
            table["A"], table["B"] = laid[:what], laid[what:]
        else:
            book.add(Look(tuple(what.count(rank) for rank in range(RANKS)), NOWHERE))
    found = Filter(book)
    found.catch_up()
    return found.spread(table["A"]), found.next_card()


@pytest.mark.parametrize("chunk", range(4))
def test_odds_are_those_of_plain_enumeration(chunk: int):
    met: Counter[str] = Counter()
    for number in range(CASES):
        copies, deeds = play(Random(f"{chunk} {number}"))
        spread, following = enumerated(copies, deeds)
        found, card = filtered(copies, deeds)
        assert {each: odds for each, odds in found.items() if odds} == spread, (copies, deeds)
        if sum(following):
            assert [*card] == following, (copies, deeds)
        met.update(kind for kind, _ in deeds)
        met["open"] += len(spread) > 1
    assert min(met[kind] for kind in ("draw", "lay", "play", "turn", "castle", "spy", "open")) > 3
