"""What somebody can expect at a moment of a game: how each vote would go if it came now, and what is drawn next."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from ...notation.allowance import Allowance
from ...notation.cards import EGYPT, ROME, TIE
from ..editions.edition import Edition
from ..rules.vote_outcome import winner_of
from .card_tracker import CardTracker
from .ledger import TableCard
from .odds import Filter, Spread, summed
from .story import Moment, Story


class GroupOutlook(NamedTuple):
    """A vote at a group if it came now: how Rome's and Egypt's cards would add up, and who would win.

    ``spreads`` give each sum and number of philosophers its chance, ``wins`` are those of Rome, Egypt and a tie.

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
        return summed((total, odds) for (total, _), odds in sorted(self.spreads[side].items()))

    def sums_where(self, winner: int) -> tuple[set[int], set[int]]:
        """Return the sums of Rome and of Egypt with which the vote goes to ``winner`` (a side or TIE)."""
        pairs = self._pairs_where(winner)
        return {rome for (rome, _), _ in pairs}, {egypt for _, (egypt, _) in pairs}

    def lower_wins(self, winner: int) -> bool | None:
        """Return whether it is by the lower sum that the vote goes to ``winner``; None where it can be by either."""
        ways = {winner != TIE and pair[winner][0] < pair[1 - winner][0] for pair in self._pairs_where(winner)}
        return ways.pop() if len(ways) == 1 else None

    def _pairs_where(self, winner: int) -> list[tuple[tuple[int, int], ...]]:
        return [pair for pair in product(*self.spreads) if winner_of(*pair, self.edition) == winner]


class Outlook(NamedTuple):
    """All that can be expected: every group, and the chance of each label for the next influence card of both sides.

    >>> outlook = tironian.odds(record, "table", "0R").outlook
    >>> [tironian.Group(vote.group).letter for vote in outlook.groups]
    ['P', 'Q', 'A', 'K', 'C']
    """

    groups: tuple[GroupOutlook, ...]
    next_cards: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]


class Watcher:
    """Follows a story as whoever wrote it knows it; :meth:`see` takes in one moment after the other, in their order."""

    def __init__(self, story: Story, allowance: Allowance | None = None) -> None:
        self.edition = story.edition
        self.tracker = CardTracker(story, 0)
        self.filters = Filter(self.tracker.books[0], allowance), Filter(self.tracker.books[2], allowance)
        self.see(None)

    def see(self, moment: Moment | None) -> None:
        """Take in one token more, or only the set-up. Raise ValueError where no cards explain it."""
        if moment is not None:
            self.tracker.take_in(moment)
        for knowledge in self.filters:
            knowledge.catch_up()

    def outlook(self) -> Outlook:
        """Return what can be expected now."""
        rome, egypt = self.filters
        return Outlook(tuple(self.at(group) for group in self.edition.groups), (rome.next_card(), egypt.next_card()))

    def at(self, group: int) -> GroupOutlook:
        """Return a vote at that group if it came now."""
        rome, egypt = (self.spread(side, self.tracker.columns[side][group]) for side in (ROME, EGYPT))
        return outlook_of(group, rome, egypt, self.edition)

    def spread(self, side: int, column: Sequence[TableCard]) -> Spread:
        """Return the chances of each sum and number of philosophers of cards of a side, if they lay together."""
        return self.filters[side].spread(column)


def outlook_of(group: int, rome: Spread, egypt: Spread, edition: Edition) -> GroupOutlook:
    """Return a vote at a group where the cards of both sides add up so."""
    wins = [Fraction(0)] * 3
    for (ours, chance), (theirs, odds) in product(rome.items(), egypt.items()):
        wins[winner_of(ours, theirs, edition)] += chance * odds
    return GroupOutlook(group, (rome, egypt), (wins[ROME], wins[EGYPT], wins[TIE]), edition)
