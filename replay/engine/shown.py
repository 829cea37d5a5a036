"""What was shown at the table: a vote as it was held, and cards that were shown but that the writer left out."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ...notation import tokens as t
from ...notation.cards import EGYPT, ROME, SOME_INFLUENCE, high_to_low, is_known
from ...notation.codes import encode
from ..rules.law.actions import hand_cards
from ..rules.mechanics import ImpossibleMoveError
from ..rules.mechanics.hands import without
from ..rules.mechanics.votes import turn_up
from ..rules.state import State
from ..rules.vote_outcome import VoteOutcome, resolve
from .play import apply, target


class Ballot(NamedTuple):
    """A vote that was carried out. ``columns`` are the cards of Rome and Egypt, from high to low.

    ``hidden`` are the cards that were turned up for it. ``outcome`` is the result at the table, ``correct_outcome`` the
    result by the rules; they differ only if the record names another winner. ``left`` is the number of patricians
    before the vote.
    """

    group: int
    special: bool
    columns: tuple[t.Cards, t.Cards]
    hidden: tuple[t.Cards, t.Cards]
    outcome: VoteOutcome
    correct_outcome: VoteOutcome
    left: int

    @property
    def by_rules(self) -> bool:
        """Whether record and rules agree on the winner."""
        return self.outcome.winner == self.correct_outcome.winner

    @property
    def empties(self) -> bool:
        """Whether the last patrician of the group was won (L1)."""
        return self.left == 1 and self.outcome.winner in (ROME, EGYPT)


def ballot(before: State, token: t.AnyVote) -> Ballot:
    """Return the vote of ``token``, given the state before it, in which it must be possible."""
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
    rest = without(list(shown), before.sides[side].up[group])
    return tuple(rest[: len(before.sides[side].hidden[group])])


class Chances(NamedTuple):
    """What can be drawn from the bag, or turned up from the pile of vote cards, all equally likely (I1–I4)."""

    groups: t.Cards
    """The groups, in the order of the table."""
    blanks: int
    resets: int

    @property
    def total(self) -> int:
        """The number of busts or cards."""
        return len(self.groups) + self.blanks + self.resets


def chances(before: State) -> Chances:
    """Return what could be drawn in a state."""
    groups = tuple([group for group in before.edition.groups if before.bag[group]])
    return Chances(groups, before.blanks, before.edition.resets)


def with_shown_cards(before: State, token: t.Token, *, left_out: bool = True) -> t.Token:
    """Return a token with the cards that it showed, as far as they are known in the state ``before`` it.

    These are both columns of a vote (J1), the cards that a scout turned up (F2), the hidden card that was assassinated
    and its place (F1), and a hand that a spy saw, if part of it is written. The token must be possible in that state,
    and must not be vetoed. With ``left_out`` False, only cards that are written as unknown are named; cards and places
    that are not written stay unwritten.
    """
    match token:
        case t.Vote() | t.SpecialVote():
            if _is_short(token.rome, left_out) or _is_short(token.egypt, left_out):
                rome, egypt = ballot(before, token).columns
                return replace(token, rome=rome, egypt=egypt)
        case t.Scout():
            seen = _turned_up(before, token) if _is_short(token.seen, left_out) else []
            if any(map(is_known, seen)):
                return replace(token, seen=high_to_low(seen))
        case t.Assassinate():
            return _assassinated(before, token, left_out) if token.hidden else token
        case t.Spy():
            if _is_short(token.hand, False):
                return replace(token, hand=hand_cards(before, 1 - before.active))
        case _:
            pass
    return token


def with_counts(before: State, token: t.Token) -> t.Token:
    """Return a vote with the cards that lie there and its winner, or a scout with the cards that it turned up, if all
    are known.
    """
    if isinstance(token, t.Scout):
        hidden = before.sides[1 - before.active].hidden[token.group]
        return with_shown_cards(before, token) if token.seen is None and all(map(is_known, hidden)) else token
    if not isinstance(token, t.Vote | t.SpecialVote) or token.winner is not None:
        return token
    rome, egypt = token.rome, token.egypt
    if rome is None or egypt is None:
        rome, egypt = [high_to_low(side.column(token.group)) for side in before.sides]
    if not all(map(is_known, rome + egypt)):
        return token
    return replace(token, rome=rome, egypt=egypt, winner=resolve(rome, egypt, before.edition).winner)


def _is_short(cards: t.Cards | None, left_out: bool) -> bool:
    """Return whether cards are missing: they are unknown, or left out altogether if ``left_out`` counts."""
    return left_out if cards is None else not all(map(is_known, cards))


def _turned_up(before: State, token: t.Scout) -> list[int]:
    """Return the cards that a scout turned up."""
    victim = before.sides[1 - before.active]
    hidden = victim.hidden[token.group]
    if SOME_INFLUENCE not in hidden:
        return hidden
    after = before.copy()
    try:
        apply(after, token)
    except ImpossibleMoveError:  # the scout was not in the hand, and a ruling let it stand
        return hidden
    return after.sides[1 - before.active].up[token.group][len(victim.up[token.group]) :]


def _assassinated(before: State, token: t.Assassinate, left_out: bool) -> t.Assassinate:
    """Return an assassination of a hidden card with the card that it hit, and its place if there are several."""
    column = before.sides[1 - before.active].hidden[token.group]
    place = target(column, token)
    if place is None and token.card == SOME_INFLUENCE and column.count(SOME_INFLUENCE) == 1:
        place = column.index(SOME_INFLUENCE)
    if place is None or not (is_known(column[place]) or column[place] == token.card):
        return token
    position, is_sure = token.position, is_known(column[place]) or column.count(column[place]) == 1
    if position is None and left_out and is_sure and len(column) > 1:
        # Everybody could see which of several cards it was; those who don't know the others need the number to follow.
        position = place + 1
    return replace(token, card=column[place], position=position)
