"""The layout of a state's cells, and the numbers for what a state knows about a game and a turn."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

CARD_ROW: Final = 16
"""The number of cells from one side's cards to the other's; no game has more kinds of card."""
GROUP_ROW: Final = 8
"""The number of cells from one side's groups to the other's."""

# By side and card: ``HAND + CARD_ROW * side + card``.
HAND: Final = 0
UNSEEN: Final = HAND + 2 * CARD_ROW
"""Copies of each card that nothing written so far has identified; as long as every card is known, these are the
piles.
"""
DISCARDS: Final = UNSEEN + 2 * CARD_ROW
"""The discards."""
UNSEEN_DISCARDS: Final = DISCARDS + 2 * CARD_ROW
"""The discards that the other side has never seen: they lay face down, or were discarded from the hand."""
# By side and group: ``UP + GROUP_ROW * side + group``. Cards at a group are a sequence, four bits for each, the oldest
# lowest.
UP: Final = UNSEEN_DISCARDS + 2 * CARD_ROW
FACE_DOWN: Final = 2 * GROUP_ROW
"""The offset from face-up cards, and from their number, to the face-down ones."""
HIDDEN: Final = UP + FACE_DOWN
UP_COUNT: Final = HIDDEN + FACE_DOWN
HIDDEN_COUNT: Final = UP_COUNT + FACE_DOWN
WON: Final = HIDDEN_COUNT + FACE_DOWN
# By group: ``TOTAL + group``.
TOTAL: Final = WON + 2 * GROUP_ROW
"""Influence cards at each group on both sides together."""
LEFT: Final = TOTAL + GROUP_ROW
"""Patricians not yet won."""
BAG: Final = LEFT + GROUP_ROW
"""Busts in the bag, or vote cards in the face-down pile."""
OUT: Final = BAG + GROUP_ROW
"""Busts beside their group, or vote cards on the open pile: what a reset brings back."""
# By side: ``HELD + side``.
HELD: Final = OUT + GROUP_ROW
"""Cards in hand."""
INFLUENCE: Final = HELD + 2
"""Influence cards in hand."""
INFLUENCE_PILE: Final = INFLUENCE + 2
ACTION_PILE: Final = INFLUENCE_PILE + 2
HAS_UNKNOWN_CARDS: Final = ACTION_PILE + 2
"""Whether a card of unknown identity has passed through this side's hand."""
KEPT: Final = HAS_UNKNOWN_CARDS + 2
"""Which mission each side kept: 1 or 2, UNKNOWN_CHOICE or UNCHOSEN."""
DOUBTED: Final = KEPT + 2
"""Whether a ruling let stand something that contradicts the record of a side's influence cards: that record is then no
longer evidence of a fault.
"""
CELLS: Final = DOUBTED + 2
UNCHOSEN: Final = -1
UNKNOWN_CHOICE: Final = 0

# Why a game is over.
NOT_ENDED: Final = 0
BY_PATRICIANS: Final = 1
BY_EXHAUSTION: Final = 2
BY_FULL_SIDE: Final = 3
BY_HAND_PLAYED: Final = 4
BY_FINAL_TURN: Final = 5


class Ending(StrEnum):
    """Why a game is over, for readers of a state and for JSON; the members are in the order of these numbers."""

    NONE = ""
    PATRICIANS = "patricians"
    EXHAUSTED = "exhausted"
    FULL = "full"
    HAND_PLAYED = "hand_played"
    FINAL_TURN = "final_turn"


ENDINGS: Final = tuple(Ending)

# Whether an action was played in this turn, and whether it was vetoed.
NO_ACTION: Final = 0
BEFORE_PLACING: Final = 1
AFTER_PLACING: Final = 2
NOT_VETOED: Final = 0
ANNOUNCED: Final = 1
VETOED: Final = 2

MAX_AT_GROUP: Final = 15
"""The most cards of one side at one group that a sequence can hold; no rules allow more than five."""
