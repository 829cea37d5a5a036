"""Where what is counted stands in the cells of a state, and the numbers for what a state knows of a game and a turn."""

from __future__ import annotations

from typing import Final

CARD_KINDS: Final = 14

# By side and card: ``HAND + 16 * side + card``.
HAND: Final = 0
UNSEEN: Final = 32
"""Copies of each card that nothing written so far has identified; as long as every card is known, the piles."""
GONE: Final = 64
"""The discards."""
# By side and group: ``UP + 8 * side + group``. Cards at a group are a sequence, four bits for each, the oldest lowest.
UP: Final = 96
HIDDEN: Final = 112
UP_COUNT: Final = 128
HIDDEN_COUNT: Final = 144
FACE_DOWN: Final = 16
"""What is added to the place of face-up cards, and to that of their number, to find those that lie face down."""
WON: Final = 160
# By group: ``TOTAL + group``.
TOTAL: Final = 176
"""Influence cards at each group on both sides together."""
LEFT: Final = 184
"""Patricians not yet won."""
BAG: Final = 192
"""Busts in the bag, or vote cards in the face-down pile."""
OUT: Final = 200
"""Busts beside their group, or vote cards on the open pile: what a reset brings back."""
# By side: ``HELD + side``.
HELD: Final = 208
"""Cards in hand."""
INFLUENCE: Final = 210
"""Influence cards in hand."""
INFLUENCE_PILE: Final = 212
ACTION_PILE: Final = 214
BLURRED: Final = 216
"""Whether a card of unknown identity has passed through this side's hand."""
KEPT: Final = 218
"""Which mission each side kept: 1 or 2, 0 where the writer does not know, UNCHOSEN while none was chosen."""
DOUBTED: Final = 220
"""Whether a ruling let stand what contradicts the record of a side's influence cards: it is held against none then."""
CELLS: Final = 222
UNCHOSEN: Final = -1

# Why a game is over.
NOT_ENDED: Final = 0
BY_PATRICIANS: Final = 1
BY_EXHAUSTION: Final = 2
BY_FULL_SIDE: Final = 3
BY_HAND_PLAYED: Final = 4
BY_FINAL_TURN: Final = 5
ENDINGS: Final = ("", "patricians", "exhausted", "full", "hand_played", "final_turn")

# Whether an action was played in this turn, and whether it was vetoed.
NO_ACTION: Final = 0
BEFORE_PLACING: Final = 1
AFTER_PLACING: Final = 2
ANNOUNCED: Final = 1
VETOED: Final = 2

MOST_AT_GROUP: Final = 15
"""Cards of a side at a group that a sequence can hold; no rules allow more than five."""
