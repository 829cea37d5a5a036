"""One player's part of a state, for readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mypy_extensions import i64

from ...notation.cards import CARD_KINDS, GROUP_COUNT
from ...notation.tokens import Mission
from . import layout
from .sequences import in_sequence

if TYPE_CHECKING:
    from .state import State


class SideCards:
    """One player's cards and patricians, to be read. The lists are copies, and are indexed by card or by group.

    >>> egypt = tironian.replay_game(record).at("0R").state.sides[tironian.Side.EGYPT]
    >>> egypt.hand[tironian.Card.VETO], egypt.hidden[tironian.Group.PRAETOR], egypt.influence_pile
    (1, [1], 27)
    """

    def __init__(self, state: State, side: i64) -> None:
        self.state: State = state
        self.side: i64 = side

    def __reduce__(self) -> tuple[Any, tuple[State, int]]:
        return SideCards, (self.state, self.side)

    def __eq__(self, other: object) -> bool:
        """Return whether another one reads the same side of an equal state."""
        return isinstance(other, SideCards) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return self.side

    @property
    def hand(self) -> list[int]:
        """Return for each card how many the hand holds."""
        cells, begin = self.state.cells, layout.HAND + layout.CARD_ROW * self.side
        return [cells[begin + card] for card in range(CARD_KINDS)]

    @property
    def cards(self) -> list[int]:
        """Return the cards of the hand, in the order of their numbers."""
        return [card for card, count in enumerate(self.hand) for _ in range(count)]

    @property
    def unseen(self) -> list[int]:
        """Return for each card the copies that nothing written so far has identified."""
        cells, begin = self.state.cells, layout.UNSEEN + layout.CARD_ROW * self.side
        return [cells[begin + card] for card in range(CARD_KINDS)]

    @property
    def discards(self) -> list[int]:
        """Return the discards, by card."""
        cells, begin = self.state.cells, layout.GONE + layout.CARD_ROW * self.side
        return [card for card in range(CARD_KINDS) for _ in range(cells[begin + card])]

    @property
    def up(self) -> list[list[int]]:
        """Return for each group the face-up cards there."""
        return self._columns(layout.UP, layout.UP_COUNT)

    @property
    def hidden(self) -> list[list[int]]:
        """Return for each group the face-down cards there, oldest first."""
        return self._columns(layout.HIDDEN, layout.HIDDEN_COUNT)

    def _columns(self, cards: i64, counts: i64) -> list[list[int]]:
        cells, at = self.state.cells, layout.GROUP_ROW * self.side
        return [in_sequence(cells[cards + at + group], cells[counts + at + group]) for group in range(GROUP_COUNT)]

    @property
    def won(self) -> list[int]:
        """Return for each group the patricians won."""
        cells, begin = self.state.cells, layout.WON + layout.GROUP_ROW * self.side
        return [cells[begin + group] for group in range(GROUP_COUNT)]

    @property
    def influence_pile(self) -> int:
        """Return how many cards the pile of influence cards holds."""
        return self.state.cells[layout.INFLUENCE_PILE + self.side]

    @property
    def action_pile(self) -> int:
        """Return how many cards the pile of action cards holds."""
        return self.state.cells[layout.ACTION_PILE + self.side]

    @property
    def blurred(self) -> bool:
        """Return whether a card of unknown identity has passed through the hand."""
        return bool(self.state.cells[layout.BLURRED + self.side])

    @property
    def missions(self) -> tuple[Mission, ...]:
        """Return the missions dealt."""
        return self.state.missions[self.side]

    @property
    def kept(self) -> int | None:
        """Return which mission was kept: 1 or 2, 0 where the writer does not know, None while none was chosen."""
        kept = self.state.cells[layout.KEPT + self.side]
        return None if kept == layout.UNCHOSEN else kept

    @property
    def order(self) -> tuple[int, ...] | None:
        """Return what is left of the action pile as its owner ordered it, top first; None where it was shuffled."""
        return self.state.orders[self.side]

    def influence_in_hand(self) -> int:
        """Return how many influence cards the hand holds."""
        return self.state.cells[layout.INFLUENCE + self.side]

    def is_out(self) -> bool:
        """Return whether hand and pile hold no influence card any more (N2)."""
        return self.state.is_out(self.side)

    def count(self, group: int) -> int:
        """Return how many cards lie at a group."""
        return self.state.count(self.side, group)

    def column(self, group: int) -> list[int]:
        """Return the cards at a group, face up or down."""
        return self.state.column(self.side, group)
