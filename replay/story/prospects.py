"""What can still happen in a game: all possible endings are covered, so the statements are proved, not guessed.

The cards are ignored. Whatever they are, the patricians left in a group go to Rome, to Egypt, or to nobody, and every
way to divide them counts as possible. What is true for all these ways is true for every game that can follow.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...notation.cards import EGYPT, ROME
from ...notation.tokens import Mission
from ..editions.edition import Edition
from ..rules.scoring import fulfilled, group_score
from ..rules.state import State

CERTAIN: Final = "certain"
IMPOSSIBLE: Final = "impossible"
OPEN: Final = "open"
UNKNOWN: Final = "unknown"
"""Unknown since the record doesn't say: a mission in free words, or a hidden one."""

_POINT: Final = 64
"""A point weighs more than all patricians together; they decide if points are equal (O6)."""
_AT_ONE_GROUP: Final = frozenset({"majority", "all"})


def mission_prospect(state: State, side: int, mission: Mission) -> str:
    """Return whether a mission is CERTAIN, IMPOSSIBLE, OPEN or UNKNOWN (A5, M4).

    Each patrician won can only bring a mission closer, so two tests are enough: winning none of those left, and winning
    all of them.
    """
    if mission.kind in ("text", "unknown"):
        return UNKNOWN
    edition, won = state.edition, state.sides[side].won
    if fulfilled(edition, won, mission):
        return CERTAIN
    most = [mine + left for mine, left in zip(won, state.left, strict=True)]
    return OPEN if fulfilled(edition, most, mission) else IMPOSSIBLE


def settled(state: State, sees: tuple[bool, bool] = (True, True)) -> int | None:
    """Return the side that wins however the game continues; None if the other can still catch up, or if that is
    unknown.

    ``sees`` says whether Rome's and Egypt's missions may be used. Points lost through rulings so far count.
    """
    penalties = state.penalties
    for winner in (ROME, EGYPT):
        lost = _POINT * (penalties[winner] - penalties[1 - winner])
        if lost + _best(state, winner, sees) < 0:
            # Nobody can have fewer than zero points, so a penalty may cost less than its points.
            return winner if not any(penalties) or _least(state, winner) > penalties[winner] else None
    return None


def _best(state: State, winner: int, sees: tuple[bool, bool]) -> int:
    """Return the largest lead over ``winner`` that the other side can have at the end: points, then patricians."""
    edition, loser = state.edition, 1 - winner
    total = 0
    own, rival = _single(state, winner, sees), _single(state, loser, sees)
    mine, theirs, left = state.sides[winner].won, state.sides[loser].won, state.left
    for group in edition.groups:
        kinds = [held.kind if held and held.group == group else "" for held in (own, rival)]
        total += _best_at(edition, group, mine[group], theirs[group], left[group], *kinds)
    if rival is None:
        total += _POINT * _by_missions(state, loser, sees[loser])[1]
    if own is None:
        total -= _POINT * _by_missions(state, winner, sees[winner])[0]
    return total


@lru_cache(maxsize=1 << 14)
def _best_at(edition: Edition, group: int, mine: int, theirs: int, left: int, own: str, rival: str) -> int:
    """Return that lead at one group: the best way to divide its last patricians, with both sides' missions there."""
    best = -(1 << 20)
    for won in range(left + 1):
        for lost in range(left - won + 1):
            a, b, rest = mine + won, theirs + lost, left - won - lost
            points = group_score(edition, group, b, a, rest).points - group_score(edition, group, a, b, rest).points
            points += edition.mission_points * (_met(edition, group, rival, b) - _met(edition, group, own, a))
            best = max(best, _POINT * points + (b - a if edition.tie_break else 0))
    return best


def _met(edition: Edition, group: int, kind: str, won: int) -> bool:
    return bool(kind) and fulfilled(edition, [0] * group + [won], Mission(kind, group))


def _single(state: State, side: int, sees: tuple[bool, bool]) -> Mission | None:
    """Return a side's mission if it is about a single group: it is then counted together with the group."""
    held = state.sides[side].held_missions
    if not sees[side] or len(held) != 1:
        return None
    return held[0] if held[0].kind in _AT_ONE_GROUP and held[0].group in state.edition.groups else None


def _by_missions(state: State, side: int, seen: bool) -> tuple[int, int]:
    """Return the fewest and the most points that a side's missions can bring: it may keep the worse of two."""
    held, edition = state.sides[side].held_missions, state.edition
    prospects = [mission_prospect(state, side, mission) if seen else UNKNOWN for mission in held]
    possible = len(held) - prospects.count(IMPOSSIBLE)
    most = min(possible, max(1, edition.unchosen_missions.most))
    certain = bool(held) and prospects.count(CERTAIN) == len(held)
    least = certain and (len(held) == 1 or edition.unchosen_missions.most > 0)
    return edition.mission_points * least, edition.mission_points * most


def _least(state: State, side: int) -> int:
    """Return the fewest points with which a side can end, apart from missions and penalties."""
    edition, mine, theirs, left = state.edition, state.sides[side].won, state.sides[1 - side].won, state.left
    return sum(
        min(
            group_score(edition, group, mine[group], theirs[group] + lost, left[group] - lost).points
            for lost in range(left[group] + 1)
        )
        for group in edition.groups
    )
