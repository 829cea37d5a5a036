"""What the express lane has to know of an edition, and which editions it knows at all."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from ..notation import tokens as t
from .edition import MOST_EDITIONS, DeviceGone, Edition, ExhaustCheck, FullCheck, OrgyVariant, Passive, Placement, YesNo
from .phases import Moves, moves

_VOTE_FIRST: Final = (t.ACT, t.SPECIAL, t.REVEAL, t.DRAW)
_DRAW_FIRST: Final = (t.ACT, t.SPECIAL, t.DRAW, t.REVEAL)


class Ticket(NamedTuple):
    """What the lane has to know of an edition, flat."""

    moves: Moves
    two_up: bool
    most: int
    """Cards at a group on both sides."""
    own: int
    reveal: int
    """The place of the reveal in the turn; drawing has the other of 2 and 3."""
    special: int
    groups: tuple[int, ...]
    hand: int
    exchanges: bool
    """Whether there are passive turns."""
    replaces: bool
    """Whether a passive turn draws as many cards as it discarded."""
    repeats: bool
    orgies_stay: bool
    vanishes: bool
    """Whether the bust or vote card of an emptied group leaves the game at once."""


@lru_cache(maxsize=MOST_EDITIONS)
def ticket(edition: Edition) -> Ticket | None:
    """The ticket of an edition; None where its turns are of another kind than the lane knows."""
    if edition.order not in (_VOTE_FIRST, _DRAW_FIRST) or edition.placement is Placement.ONE_OR_TWO_DOWN:
        return None
    if edition.full_check is FullCheck.IMMEDIATE or edition.exhaust_check is ExhaustCheck.IMMEDIATE:
        return None
    if edition.total_limit is not None and edition.total_limit < edition.side_limit:
        return None
    if edition.special_threshold <= edition.side_limit:
        return None
    two_up, reveal = edition.placement is Placement.DOWN_OR_TWO_UP, edition.order.index(t.REVEAL)
    return Ticket(
        moves(two_up, reveal),
        two_up,
        99 if edition.total_limit is None else edition.total_limit,
        edition.side_limit,
        reveal,
        edition.special_threshold,
        tuple(edition.groups),
        edition.hand_limit,
        edition.passive is not Passive.NONE,
        edition.passive is Passive.REPLACE,
        edition.special_repeat is YesNo.YES,
        edition.orgy_variant is OrgyVariant.NONE,
        edition.device_gone is DeviceGone.AT_ONCE,
    )
