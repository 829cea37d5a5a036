"""A vote as it was held: the cards of both sides, how it was decided, who lost what, and what could have come."""

from __future__ import annotations

from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME, SOME_INFLUENCE, high_to_low
from ...notation.codes import encode
from ..rules.mechanics.votes import turn_up
from ..rules.state import State
from ..rules.vote_outcome import VoteOutcome, resolve


class Ballot(NamedTuple):
    """A vote that was carried out. ``columns`` are the cards of Rome and Egypt, from high to low.

    ``hidden`` are those that were turned up for it. ``outcome`` is what the table made of it, ``rightful`` what the
    rules make of it; they differ only where the record names another winner. ``left`` counts patricians before.
    """

    group: int
    special: bool
    columns: tuple[t.Cards, t.Cards]
    hidden: tuple[t.Cards, t.Cards]
    outcome: VoteOutcome
    rightful: VoteOutcome
    left: int

    @property
    def empties(self) -> bool:
        """Whether the last patrician of the group was won (L1)."""
        return self.left == 1 and self.outcome.winner in (ROME, EGYPT)


def ballot(before: State, token: t.AnyVote) -> Ballot:
    """Return the vote that ``token`` calls in the state before it, which must be able to follow it."""
    group = token.group
    state = before
    if any(SOME_INFLUENCE in side.column(group) for side in before.sides):
        state = before.copy()
        turn_up(state, *encode(token))
    rome, egypt = (high_to_low(side.column(group)) for side in state.sides)
    rightful = resolve(rome, egypt, before.edition)
    outcome = resolve(rome, egypt, before.edition, token.winner)
    hidden = (_turned(before, ROME, group, rome), _turned(before, EGYPT, group, egypt))
    return Ballot(group, isinstance(token, t.SpecialVote), (rome, egypt), hidden, outcome, rightful, before.left[group])


def _turned(before: State, side: int, group: int, shown: t.Cards) -> t.Cards:
    """Return the cards that lay face down, as the vote shows them."""
    rest = list(shown)
    for card in before.sides[side].up[group]:
        if card in rest:
            rest.remove(card)
    return tuple(rest[: len(before.sides[side].hidden[group])])


class Chances(NamedTuple):
    """What can be drawn from the bag, or turned up from the pile of vote cards, each as likely as any other (I1–I4)."""

    groups: t.Cards
    """In the order of the table."""
    blanks: int
    resets: int

    @property
    def total(self) -> int:
        """How many busts or cards there are."""
        return len(self.groups) + self.blanks + self.resets


def chances(before: State) -> Chances:
    """Return what could be drawn in a state."""
    groups = tuple([group for group in before.edition.groups if before.bag[group]])
    return Chances(groups, before.blanks, before.edition.resets)
