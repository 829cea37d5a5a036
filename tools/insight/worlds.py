"""Worlds: possible identities of the cards that a player can't see, drawn from their exact joint distribution.

The ledgers and filters of ``hidden_cards`` follow what the player can know. A world is a state in which every card has
a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from random import Random
from typing import NamedTuple

from ...notation.basics import INFLUENCE_KINDS, SOME_ACTION, SOME_INFLUENCE
from ...notation.records import tokens as t
from ...replay.knowledge.api import RANKS, UNKNOWN, CardHistory, CardTracker, DeckState, Filter, Moment, one_by_one
from ...replay.rules.api import State, missions_of
from ...replay.rules.core import as_sequence, layout


class Dealt(NamedTuple):
    """One dealt deck: how many of each rank the hand and the pile hold, and the ranks of unknown cards on the table, by
    their keys in the filter.
    """

    hand: list[int]
    pile: list[int]
    table: dict[int, int]


class Belief(NamedTuple):
    """What the player of ``side`` can infer at a moment: the ``state`` as they know it, and where unknown cards may
    be.
    """

    side: int
    state: State
    decks: tuple[dict[DeckState, int], ...]
    """The other side's influence cards and action cards, each possible arrangement with its weight."""
    columns: tuple[tuple[tuple[int, int, bool], ...], ...]
    """By group, the other side's cards on the table: rank, key in the filter, and whether it lies face up."""
    missions: tuple[t.Mission, ...]

    def deal(self, rng: Random, count: int) -> list[State]:
        """Return a number of possible states in which all cards have names."""
        cells, other = self.state.cells, 1 - self.side
        piles = cells[layout.INFLUENCE_PILE + other], cells[layout.ACTION_PILE + other]
        decks = [(_ways(deck), pile) for deck, pile in zip(self.decks, piles, strict=True)]
        columns, missions = [*self._unknown_columns()], self._unknown_missions()
        worlds = [self.state.copy() for _ in range(count)]
        for world in worlds:
            influence, action = (_dealt(ways, pile, rng) for ways, pile in decks)
            self._name_cards(world, influence, 0)
            self._name_cards(world, action, INFLUENCE_KINDS)
            for at, lying in columns:
                named = [influence.table[key] if rank == UNKNOWN else rank for rank, key in lying]
                world.cells[at] = as_sequence(named)
            self._name_missions(world, missions, rng)
        return worlds

    def _name_cards(self, world: State, deck: Dealt, first: int) -> None:
        """Put the cards of a deck, whose codes begin with ``first``, where they were dealt."""
        cells, row = world.cells, layout.CARD_ROW * (1 - self.side) + first
        laid = [*deck.table.values()]
        for rank, (held, rest) in enumerate(zip(deck.hand, deck.pile, strict=True)):
            hand, unseen = layout.HAND + row + rank, layout.UNSEEN + row + rank
            # The remaining cards were discarded unseen.
            left_over = cells[hand] + cells[unseen] - held - rest - laid.count(rank)
            cells[hand], cells[unseen] = held, rest
            if left_over:
                cells[layout.UNSEEN_DISCARDS + row + rank] += left_over
        cells[layout.HAND + layout.CARD_ROW * (1 - self.side) + (SOME_ACTION if first else SOME_INFLUENCE)] = 0

    def _unknown_columns(self) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """Yield the cells of the columns on the table that hold unknown cards, and the rank and key of each card
        there.
        """
        cells = self.state.cells
        for group, column in enumerate(self.columns):
            at = layout.GROUP_ROW * (1 - self.side) + group
            for up, cards, counts in ((True, layout.UP, layout.UP_COUNT), (False, layout.HIDDEN, layout.HIDDEN_COUNT)):
                lying = [(rank, key) for rank, key, is_up in column if is_up is up]
                if len(lying) == cells[counts + at] and any(rank == UNKNOWN for rank, _ in lying):
                    yield cards + at, lying

    def _unknown_missions(self) -> list[t.Mission] | None:
        """Return the missions that nobody is known to have; None if all of the other side's are known."""
        mine, theirs = self.state.missions[self.side], self.state.missions[1 - self.side]
        if all(mission.kind != "unknown" for mission in theirs):
            return None
        rest = [*self.missions]
        for mission in (*mine, *theirs):
            if mission in rest:
                rest.remove(mission)
        return rest

    def _name_missions(self, world: State, rest: list[t.Mission] | None, rng: Random) -> None:
        """Draw the other side's unknown missions from the rest."""
        other = 1 - self.side
        mine, theirs = world.missions[self.side], world.missions[other]
        if rest is not None:
            drawn = iter(rng.sample(rest, len(theirs)))
            named = tuple(next(drawn) if mission.kind == "unknown" else mission for mission in theirs)
            world.missions = (mine, named) if self.side == 0 else (named, mine)
        if world.cells[layout.KEPT + other] == layout.UNKNOWN_CHOICE and len(theirs) > 1:
            world.cells[layout.KEPT + other] = rng.randrange(2) + 1


class Beliefs:
    """Follows the log of the player of ``side``; :meth:`see` takes in one moment after another.

    Raise ValueError if no cards explain it.
    """

    def __init__(self, story: CardHistory, side: int) -> None:
        self.side, self.other = side, 1 - side
        self.tracker = CardTracker(story, 0)
        self.filters = [Filter(book) for book in self.tracker.books[2 * self.other : 2 * self.other + 2]]
        self.missions = tuple(missions_of(story.edition))
        self.see(None)

    def see(self, moment: Moment | None) -> None:
        """Take in one more token, or just the set-up. Raise ValueError if no cards explain it."""
        if moment is not None:
            self.tracker.take_in(moment)
        for deck in self.filters:
            deck.catch_up()

    def now(self, state: State) -> Belief:
        """Return what can be inferred now; ``state`` is what the player knows."""
        keys, columns = self.filters[0].keys, self.tracker.columns[self.other]
        lying = tuple(tuple((card.rank, keys.get(card, UNKNOWN), card.up) for card in column) for column in columns)
        return Belief(self.side, state, tuple(deck.states for deck in self.filters), lying, self.missions)


Ways = tuple[list[DeckState], list[float]]
"""The possible arrangements of a deck, and the cumulative sums of their chances."""


def _ways(deck: dict[DeckState, int]) -> Ways:
    total = sum(deck.values())
    return [*deck], [*accumulate(weight / total for weight in deck.values())]


def _dealt(ways: Ways, pile: int, rng: Random) -> Dealt:
    """Return a possible arrangement of a deck, drawn by its probability, with a number of cards in its pile."""
    states, sums = ways
    state = states[0] if len(states) == 1 else rng.choices(states, cum_weights=sums)[0]
    found = Dealt([*state.hand], [0] * RANKS, {})
    for number, (cards, held) in enumerate(state.stocks):
        ranks = one_by_one(cards)
        rng.shuffle(ranks)
        for rank in ranks[:held]:
            found.hand[rank] += 1
        rest = iter(ranks[held:])
        for key, stock in state.table:
            if stock == number:
                found.table[key] = next(rest)
        if not number:
            for rank in [*rest][:pile]:
                found.pile[rank] += 1
    return found
