"""Facts that answer questions about a vote: what was missing, whether it could have gone otherwise, who was lucky."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from ...notation.cards import EGYPT, PHILOSOPHER, ROME, TIE
from ..engine.headers import PLAYERS
from ..rules.vote_outcome import winner_of
from .instead import Instead
from .vote_tree import VoteTree

HALF: Final = Fraction(1, 2)
_MOST: Final = 100
"""A sum that no cards reach."""


class Needed(NamedTuple):
    """The sums with which ``side``, which did not win, would have tied and won against the same cards; None if no sum
    would do. With ``lower``, the lower sum wins: any sum below ``to_win`` would have won, too. After a tie of equal
    sums, ``side`` is TIE and ``to_win`` the next sum, which would have won for either side.
    """

    side: int
    to_tie: int | None
    to_win: int | None
    lower: bool


class Turnaround(NamedTuple):
    """What ``side`` could have done to get more out of the vote: the ``best`` option (None if there was none), and how
    many others. ``seen`` says whether its hand is seen; otherwise nothing is known. ``puts_off`` says that there were
    options after which no such vote is called.
    """

    side: int
    seen: bool
    best: Instead | None = None
    others: int = 0
    puts_off: bool = False


class Luck(NamedTuple):
    """What a drawn bust or vote card brought, compared with all that could have come.

    Of ``total`` equally likely ones, ``wins`` would have given Rome and Egypt a patrician, ``nobody`` neither; for the
    rest that is ``open``. After ``again`` others, of groups that are already won, the next one is drawn.

    ``side`` is who was lucky: who got the patrician though less than half of the draws give it to that side, or whose
    opponent did not get it though more than half would have. It is TIE if nobody was, None if that depends on hidden
    cards. ``gain`` is how many patricians more the draw brought Rome than the average one would
    have, less those of Egypt, without the open ones.
    """

    total: int
    wins: tuple[int, int]
    nobody: int
    open: int
    side: int | None
    gain: Fraction
    again: int


def needed(tree: VoteTree) -> Needed | None:
    """Return what the side that lost a vote would have needed, or either side after a tie; None if no sum would change
    that tie, and if record and rules disagree.
    """
    winner, edition, sums = tree.winner, tree.event.before.edition, tree.sums
    philosophers = [column.count(PHILOSOPHER) for column in tree.ballot.columns]

    def result(side: int, total: int) -> int:
        both = [(each, number) for each, number in zip(sums, philosophers, strict=True)]
        both[side] = total, philosophers[side]
        return winner_of(both[ROME], both[EGYPT], edition)

    if not tree.by_rules:
        return None
    if winner == TIE:
        for step in (1, -1):
            if sums[ROME] == sums[EGYPT] and all(result(side, sums[side] + step) == side for side in (ROME, EGYPT)):
                return Needed(TIE, None, sums[ROME] + step, step < 0)
        return None
    loser = 1 - winner
    lower = philosophers[ROME] != philosophers[EGYPT] and sums[loser] > sums[winner]
    ways = range(sums[loser], -1, -1) if lower else range(sums[loser], _MOST)
    tied = next((total for total in ways if result(loser, total) == TIE), None)
    return Needed(loser, tied, next((total for total in ways if result(loser, total) == loser), None), lower)


def turnarounds(tree: VoteTree) -> Iterator[Turnaround]:
    """Yield what each side that did not win could have done, the mover first."""
    for side in (tree.side, 1 - tree.side):
        if side != tree.winner:
            if not tree.sees[side]:
                yield Turnaround(side, seen=False)
                continue
            own = [option for option in tree.instead if option.side == side and not option.was_played]
            had = _patricians(tree.winner, side)
            better = [option for option in own if (gain := _worth(option, side)) is not None and gain > had]
            best = max(better, key=lambda option: _preference(option, side), default=None)
            others = len(better) - 1 if better else 0
            yield Turnaround(side, True, best, others, any(not option.called and not option.first for option in own))


def _preference(option: Instead, side: int) -> tuple[int, Fraction | int, bool]:
    """Return by what the best option is chosen: what it does, how likely it was to win, whether nobody may veto it."""
    return _worth(option, side) or 0, option.chance or 0, not option.may_be_vetoed


def _worth(option: Instead, side: int) -> int | None:
    """Return how many patricians more than the other side an option brings, in the vote, in one that it brings about
    and in one that it prevents; None if that is open.
    """
    votes = [option.winner] * option.called + ([option.first[1]] if option.first else [])
    if None in votes:
        return None
    won = sum(_patricians(winner, side) for winner in votes if winner is not None)
    return won - (0 if option.missed is None else _patricians(option.missed, side))


def _patricians(winner: int, side: int) -> int:
    """Return what a vote brings a side: a patrician (1), nothing (0), or one to its opponent (−1)."""
    return 0 if winner == TIE else 1 if winner == side else -1


def luck(tree: VoteTree) -> Luck | None:
    """Return who was lucky in the draw for a vote; None if the number of cards called it, or if the record names a card
    that could not come.
    """
    # If a group is already won, the next card is drawn: the others stay equally likely.
    lanes = [lane for lane in tree.lanes if lane.kind != "put away"]
    if not any(lane.came for lane in lanes):
        return None
    total = sum(lane.copies for lane in lanes)
    ends = [(lane.copies, TIE if lane.kind != "vote" else lane.winner) for lane in lanes]
    ways = [sum(copies for copies, end in ends if end == each) for each in (ROME, EGYPT, TIE, None)]
    rome, egypt, nobody, unknown = ways
    sides = {_lucky(tree.winner, (rome + more, egypt + unknown - more), total) for more in (0, unknown)}
    again = len(tree.lanes) - len(lanes)
    gain = _patricians(tree.winner, ROME) - Fraction(rome - egypt, total)
    return Luck(total, (rome, egypt), nobody, unknown, sides.pop() if len(sides) == 1 else None, gain, again)


def surprises(tree: VoteTree) -> Iterator[tuple[int, Fraction]]:
    """Yield the sides whose players expected the opposite when the place of the vote was known: with their chance of
    winning it.
    """
    for each in tree.observers:
        if each.view in PLAYERS:
            side = PLAYERS.index(each.view)
            if (each.here[side] > HALF) != (tree.winner == side) and each.here[side] != HALF:
                yield side, each.here[side]


def _lucky(winner: int, wins: tuple[int, int], total: int) -> int:
    """Return the side that was lucky if ``wins`` of the draws give Rome and Egypt a patrician; TIE if neither was."""
    if winner != TIE:
        return winner if 2 * wins[winner] < total else TIE
    return next((1 - side for side in (ROME, EGYPT) if 2 * wins[side] > total), TIE)
