"""The state of a game between two tokens, as one flat list of integers. It holds facts and judges nothing.

``cells`` holds what is counted by side, card and group; the names at the head of this module say where. What happens in
one turn only, and what belongs to no side or group, are attributes. A card whose identity nobody wrote down is counted
under SOME_INFLUENCE or SOME_ACTION. Who reads a state may do so by ``state.sides``, ``state.left`` and the like, which
are made when they are asked for: changing them changes nothing.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ...notation.tokens import Mission
from ..edition import Edition
from .cards import in_sequence
from .ruleset import AT_PLACEMENT, COMPILED, GROUP_COUNT, LONE_PLAYER, NOBODY, REPLACE, Ruleset, ruleset

if COMPILED:
    from librt.vecs import vec
else:
    from builtins import list as vec

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


_NO_MISSIONS: Final[tuple[tuple[Mission, ...], tuple[Mission, ...]]] = ((), ())


class State:
    """A game between two tokens. ``stage`` is the place of the current step in ``edition.order``."""

    def __init__(self, edition: Edition, rules: Ruleset, cells: vec[i64], starter: i64) -> None:
        self.edition: Edition = edition
        self.rules: Ruleset = rules
        self.cells: vec[i64] = cells
        self.missions: tuple[tuple[Mission, ...], tuple[Mission, ...]] = _NO_MISSIONS
        self.orders: list[tuple[int, ...] | None] = [None, None]
        """What is left of the action piles as their owners ordered them, top first; None where it was shuffled."""
        self.pending: list[int] | None = None
        """Groups whose special vote is due; None until the step has been reached."""
        self.penalties: tuple[int, int] = (0, 0)
        """Points that rulings have taken from Rome and Egypt so far."""
        self.emptied: i64 = 0
        """How many groups have been emptied."""
        self.blanks: i64 = rules.blanks
        self.blanks_out: i64 = 0
        self.orgy_removed: bool = False
        self.starter: i64 = starter
        self.over: i64 = NOT_ENDED
        """Why the game is over, as a number; ``ended`` is its name."""
        self.number: i64 = 1
        self.active: i64 = starter
        self.first_turn: bool = True
        """Whether this is the very first turn of the game."""
        self.choosing: i64 = 0
        """Which sides have still to choose a mission: 1 for Rome, 2 for Egypt, 3 for both."""
        self.lone: bool = False
        """Whether the other side was out of influence cards when this turn began (N4)."""
        self.final: bool = False
        """Whether this is the last turn of a lone player, who places all he can (N4b)."""
        self.may_draw: bool = True
        """Whether cards are drawn at all in this turn (N4a, N4b)."""
        self.may_reveal: bool = rules.first_reveal
        """Whether an active turn reveals a bust or vote card now (C3, N4b)."""
        self.stage: i64 = 0
        self.up: i64 = 0
        """Cards placed face up this turn."""
        self.down: i64 = 0
        self.action: i64 = NO_ACTION
        self.vetoed: i64 = 0
        """ANNOUNCED: a veto follows the action; VETOED: it was vetoed."""
        self.passive: bool = False
        self.no_place: bool = False
        """Whether ``-`` said that nothing is placed."""
        self.discarded: i64 = 0
        """Cards that a passive turn discarded and has not replaced yet."""
        self.revealed: bool = False

    def clear_turn(self) -> None:
        """Forget what belongs to one turn only."""
        self.stage = 0
        self.up = 0
        self.down = 0
        self.action = NO_ACTION
        self.vetoed = 0
        self.passive = False
        self.no_place = False
        self.discarded = 0
        self.pending = None
        self.revealed = False

    def copy(self) -> State:
        """Return an independent copy."""
        other = State(self.edition, self.rules, self.cells[:], self.starter)
        other.missions = self.missions
        other.orders = self.orders[:]
        pending = self.pending
        other.pending = None if pending is None else pending[:]
        other.penalties = self.penalties
        other.emptied = self.emptied
        other.blanks = self.blanks
        other.blanks_out = self.blanks_out
        other.orgy_removed = self.orgy_removed
        other.over = self.over
        other.number = self.number
        other.active = self.active
        other.first_turn = self.first_turn
        other.choosing = self.choosing
        other.lone = self.lone
        other.final = self.final
        other.may_draw = self.may_draw
        other.may_reveal = self.may_reveal
        other.stage = self.stage
        other.up = self.up
        other.down = self.down
        other.action = self.action
        other.vetoed = self.vetoed
        other.passive = self.passive
        other.no_place = self.no_place
        other.discarded = self.discarded
        other.revealed = self.revealed
        return other

    # ------------------------------------------------------------------------------------------------ for readers

    @property
    def sides(self) -> tuple[Side, Side]:
        """Rome's and Egypt's cards and patricians."""
        return Side(self, 0), Side(self, 1)

    @property
    def left(self) -> list[int]:
        """Group → patricians not yet won."""
        return [self.cells[LEFT + group] for group in range(GROUP_COUNT)]

    @property
    def bag(self) -> list[int]:
        """Group → busts in the bag, or vote cards in the face-down pile."""
        return [self.cells[BAG + group] for group in range(GROUP_COUNT)]

    @property
    def out(self) -> list[int]:
        """Group → busts beside it, or vote cards on the open pile."""
        return [self.cells[OUT + group] for group in range(GROUP_COUNT)]

    @property
    def ended(self) -> str:
        """Why the game is over: patricians, exhausted, full, hand_played or final_turn; empty while it goes on."""
        return ENDINGS[self.over]

    @property
    def rank(self) -> list[int]:
        """Step → its place in the turn."""
        return self.rules.rank

    # -------------------------------------------------------------------------------------------------- questions

    def has_begun(self) -> bool:
        """Whether anything has happened in this turn."""
        return bool(self.stage or self.up or self.down or self.action or self.passive or self.no_place)

    def total(self, group: i64) -> i64:
        """How many cards lie at a group on both sides."""
        return self.cells[TOTAL + group]

    def count(self, side: i64, group: i64) -> i64:
        """How many cards of a side lie at a group."""
        at = 8 * side + group
        return self.cells[UP_COUNT + at] + self.cells[HIDDEN_COUNT + at]

    def room(self, side: i64, group: i64) -> i64:
        """How many more cards a side may place at a group (D4, D5, D12)."""
        cells, rules = self.cells, self.rules
        if not cells[LEFT + group]:
            return 0
        own: i64 = rules.side_limit - self.count(side, group)
        together: i64 = rules.total_limit - cells[TOTAL + group]
        least: i64 = own if own < together else together
        return least if least > 0 else 0

    def all_room(self, side: i64) -> i64:
        """How many more cards a side may place at all groups together."""
        room: i64 = 0
        for group in self.rules.groups:
            room += self.room(side, group)
        return room

    def influence_in_hand(self, side: i64) -> i64:
        """How many influence cards a side holds."""
        return self.cells[INFLUENCE + side]

    def can_place(self, side: i64) -> bool:
        """Whether a side has an influence card in hand and a group that may take it."""
        if not self.cells[INFLUENCE + side]:
            return False
        for group in self.rules.groups:
            if self.room(side, group):
                return True
        return False

    def is_out(self, side: i64) -> bool:
        """Whether hand and pile of a side hold no influence card any more (N2)."""
        return not (self.cells[INFLUENCE_PILE + side] or self.cells[INFLUENCE + side])

    def both_out(self) -> bool:
        """Whether neither side has any influence card left in hand and pile (N2)."""
        return self.is_out(0) and self.is_out(1)

    def is_full(self, side: i64) -> bool:
        """Whether all remaining groups hold as many own cards as a side may have there (N5)."""
        cells, limit = self.cells, self.rules.side_limit
        for group in self.rules.groups:
            if cells[LEFT + group] and self.count(side, group) < limit:
                return False
        return True

    def ends_when_full(self) -> bool:
        """Whether a full side of the player whose turn it is ends the game (N5)."""
        rule = self.rules.full_side
        return rule != NOBODY and (rule != LONE_PLAYER or self.lone)

    def ends_at_placement(self) -> bool:
        """Whether the player would end the game by being unable to place (N6)."""
        return self.rules.full_check == AT_PLACEMENT and self.ends_when_full() and self.is_full(self.active)

    def crowded(self) -> list[int]:
        """Return the groups in the order of the table with enough cards for a special vote (I7)."""
        cells, rules = self.cells, self.rules
        return [group for group in rules.groups if cells[TOTAL + group] >= rules.special and cells[LEFT + group]]

    def draw_limit(self) -> i64:
        """How many cards the player may still draw at this point of his turn (G1, H1, N4)."""
        if not self.may_draw:
            return 0
        if self.passive and self.rules.passive == REPLACE:
            return self.discarded
        missing: i64 = self.rules.hand_limit - self.cells[HELD + self.active]
        return missing if missing > 0 else 0

    def reveals(self) -> bool:
        """Whether this turn reveals a bust or a vote card (C2, C3, N4b)."""
        return self.may_reveal and not self.passive

    def column(self, side: i64, group: i64) -> list[int]:
        """Return the cards of a side at a group, face up or down."""
        cells, at = self.cells, 8 * side + group
        cards = in_sequence(cells[UP + at], cells[UP_COUNT + at])
        return cards + in_sequence(cells[HIDDEN + at], cells[HIDDEN_COUNT + at])


def empty_table(edition: Edition, starter: i64) -> State:
    """Return the state of a game before any card is dealt."""
    rules = ruleset(edition)
    cells = vec[i64]([i64(0) for _ in range(CELLS)])
    for group in rules.groups:
        cells[LEFT + group] = rules.sizes[group]
        cells[BAG + group] = 1
    cells[KEPT] = UNCHOSEN
    cells[KEPT + 1] = UNCHOSEN
    return State(edition, rules, cells, starter)


class Side:
    """One player's cards and patricians, to be read. The lists are copies."""

    def __init__(self, state: State, side: i64) -> None:
        self.state: State = state
        self.side: i64 = side

    @property
    def hand(self) -> list[int]:
        """Card → how many the hand holds."""
        begin = HAND + 16 * self.side
        return [self.state.cells[begin + card] for card in range(CARD_KINDS)]

    @property
    def unseen(self) -> list[int]:
        """Card → copies that nothing written so far has identified."""
        begin = UNSEEN + 16 * self.side
        return [self.state.cells[begin + card] for card in range(CARD_KINDS)]

    @property
    def discards(self) -> list[int]:
        """The discards, by card."""
        begin = GONE + 16 * self.side
        return [card for card in range(CARD_KINDS) for _ in range(self.state.cells[begin + card])]

    @property
    def up(self) -> list[list[int]]:
        """Group → the face-up cards there."""
        return self._columns(UP, UP_COUNT)

    @property
    def hidden(self) -> list[list[int]]:
        """Group → the face-down cards there, oldest first."""
        return self._columns(HIDDEN, HIDDEN_COUNT)

    def _columns(self, cards: i64, counts: i64) -> list[list[int]]:
        cells, at = self.state.cells, 8 * self.side
        return [in_sequence(cells[cards + at + group], cells[counts + at + group]) for group in range(GROUP_COUNT)]

    @property
    def won(self) -> list[int]:
        """Group → patricians won."""
        begin = WON + 8 * self.side
        return [self.state.cells[begin + group] for group in range(GROUP_COUNT)]

    @property
    def influence_pile(self) -> int:
        """How many cards the pile of influence cards holds."""
        return self.state.cells[INFLUENCE_PILE + self.side]

    @property
    def action_pile(self) -> int:
        """How many cards the pile of action cards holds."""
        return self.state.cells[ACTION_PILE + self.side]

    @property
    def blurred(self) -> bool:
        """Whether a card of unknown identity has passed through the hand."""
        return bool(self.state.cells[BLURRED + self.side])

    @property
    def missions(self) -> tuple[Mission, ...]:
        """The missions dealt."""
        return self.state.missions[self.side]

    @property
    def kept(self) -> int | None:
        """Which mission was kept: 1 or 2, 0 where the writer does not know, None while none was chosen."""
        kept = self.state.cells[KEPT + self.side]
        return None if kept == UNCHOSEN else kept

    @property
    def order(self) -> tuple[int, ...] | None:
        """What is left of the action pile as its owner ordered it, top first; None where it was shuffled."""
        return self.state.orders[self.side]

    def influence_in_hand(self) -> int:
        """How many influence cards the hand holds."""
        return self.state.influence_in_hand(self.side)

    def is_out(self) -> bool:
        """Whether hand and pile hold no influence card any more (N2)."""
        return self.state.is_out(self.side)

    def count(self, group: int) -> int:
        """How many cards lie at a group."""
        return self.state.count(self.side, group)

    def column(self, group: int) -> list[int]:
        """The cards at a group, face up or down."""
        return self.state.column(self.side, group)
