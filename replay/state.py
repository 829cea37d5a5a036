"""The state of a game: small and flat, integers and short lists. It holds facts and changes nothing by itself.

Lists over cards are indexed by card code, lists over groups by group code (:mod:`tironian.notation.cards`); groups
that an edition doesn't have stay at zero. A card whose identity nobody wrote down is counted under
SOME_INFLUENCE or SOME_ACTION.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ..notation.cards import CARD_LETTERS, GROUP_LETTERS, SOME_ACTION, SOME_INFLUENCE
from ..notation.tokens import ACT, DRAW, REVEAL, SPECIAL, Mission
from .edition import MOST_EDITIONS, Edition, ExhaustCheck, FullCheck, FullSide, Passive

CARD_KINDS: Final = len(CARD_LETTERS)
GROUP_COUNT: Final = len(GROUP_LETTERS)
NOT_ENDED: Final = ""
_REPLACE: Final = Passive.REPLACE


class Side:
    """One player's cards and patricians."""

    __slots__ = (
        "action_pile", "blurred", "discards", "hand", "hidden", "influence_pile", "kept", "missions", "order",
        "unseen", "up", "won",
    )  # fmt: skip

    def __init__(self) -> None:
        self.hand = [0] * CARD_KINDS
        self.unseen = [0] * CARD_KINDS
        """Copies of each card that nothing written so far has identified; as long as every card is known, the piles."""
        self.influence_pile = 0
        self.action_pile = 0
        self.blurred = False
        """Whether a card of unknown identity has passed through this side's hand."""
        self.hidden: list[list[int]] = [[], [], [], [], [], []]
        """Face-down cards at each group, oldest first."""
        self.up: list[list[int]] = [[], [], [], [], [], []]
        self.discards: list[int] = []
        """The cards themselves, in no order that means anything."""
        self.won = [0] * GROUP_COUNT
        self.missions: tuple[Mission, ...] = ()
        self.kept: int | None = None
        """Which mission was kept: 1 or 2, 0 where the writer does not know, None while none was chosen."""
        self.order: tuple[int, ...] | None = None
        """What is left of the action pile as its owner ordered it, top first; None where it was shuffled."""

    def copy(self) -> Side:
        """An independent copy."""
        other = Side.__new__(Side)
        other.hand = self.hand[:]
        other.unseen = self.unseen[:]
        other.influence_pile = self.influence_pile
        other.action_pile = self.action_pile
        other.blurred = self.blurred
        other.hidden = list(map(list.copy, self.hidden))
        other.up = list(map(list.copy, self.up))
        other.discards = self.discards[:]
        other.won = self.won[:]
        other.missions = self.missions
        other.kept = self.kept
        other.order = self.order
        return other

    def snapshot(self, last: Side) -> Side:
        """This side as it is now; what is as in the snapshot ``last`` is shared with it, and must not be changed."""
        hand, unseen, hidden, up = last.hand, last.unseen, last.hidden, last.up
        discards, won = last.discards, last.won
        alike = True
        if self.hand != hand:
            hand, alike = self.hand[:], False
        if self.unseen != unseen:
            unseen, alike = self.unseen[:], False
        if self.hidden != hidden:
            hidden, alike = list(map(list.copy, self.hidden)), False
        if self.up != up:
            up, alike = list(map(list.copy, self.up)), False
        if self.discards != discards:
            discards, alike = self.discards[:], False
        if self.won != won:
            won, alike = self.won[:], False
        if (
            alike
            and self.influence_pile == last.influence_pile
            and self.action_pile == last.action_pile
            and self.blurred is last.blurred
            and self.kept == last.kept
            and self.missions == last.missions
            and self.order == last.order
        ):
            return last
        other = Side.__new__(Side)
        other.hand, other.unseen, other.hidden, other.up = hand, unseen, hidden, up
        other.discards, other.won = discards, won
        other.influence_pile = self.influence_pile
        other.action_pile = self.action_pile
        other.blurred = self.blurred
        other.missions = self.missions
        other.kept = self.kept
        other.order = self.order
        return other

    def influence_in_hand(self) -> int:
        """How many influence cards the hand holds."""
        return sum(self.hand[:6]) + self.hand[SOME_INFLUENCE]

    def is_out(self) -> bool:
        """Whether hand and pile hold no influence card any more (N2)."""
        return not (self.influence_pile or any(self.hand[:6]) or self.hand[SOME_INFLUENCE])

    def count(self, group: int) -> int:
        """How many cards lie at a group."""
        return len(self.up[group]) + len(self.hidden[group])

    def column(self, group: int) -> list[int]:
        """The cards at a group, face up or down."""
        return self.up[group] + self.hidden[group]


class State:
    """A game between two tokens. ``stage`` is the place of the current step in ``edition.order``."""

    __slots__ = (
        "action", "active", "bag", "blanks", "blanks_out", "choosing", "discarded", "down", "edition", "emptied",
        "ended", "final", "first_turn", "left", "lone", "may_draw", "may_reveal", "no_place", "number",
        "orgy_removed", "out", "passive", "penalties", "pending", "rank", "revealed", "sides", "stage", "starter",
        "totals", "up", "vetoed", "watch",
    )  # fmt: skip

    def __init__(self, edition: Edition, starter: int) -> None:
        self.edition = edition
        self.rank, left, bag, watch = _template(edition)
        """Step → its place in the turn."""
        self.watch = watch
        """Whether the end has to be looked for after every card placed (N3, N6)."""
        self.sides = (Side(), Side())
        self.left = left[:]
        """Patricians not yet won."""
        self.totals = [0] * GROUP_COUNT
        """Influence cards at each group on both sides together; kept, since it is asked for at every step."""
        self.emptied = 0
        """How many groups have been emptied."""
        self.bag = bag[:]
        """Busts in the bag, or vote cards in the face-down pile."""
        self.out = [0] * GROUP_COUNT
        """Busts beside their group, or vote cards on the open pile: what a reset brings back."""
        self.blanks = edition.blanks
        self.blanks_out = 0
        self.orgy_removed = False
        self.starter = starter
        self.penalties: tuple[int, int] = (0, 0)
        """Points that rulings have taken from Rome and Egypt so far."""
        self.ended = NOT_ENDED
        """Why the game is over: patricians, exhausted, full, hand_played or final_turn; empty while it goes on."""
        self.number = 1
        self.active = starter
        self.first_turn = True
        """Whether this is the very first turn of the game."""
        self.choosing = 0
        """Which sides have still to choose a mission: 1 for Rome, 2 for Egypt, 3 for both."""
        self.lone = False
        """Whether the other side was out of influence cards when this turn began (N4)."""
        self.final = False
        """Whether this is the last turn of a lone player, who places all he can (N4b)."""
        self.may_draw = True
        """Whether cards are drawn at all in this turn (N4a, N4b)."""
        self.may_reveal = edition.first_reveal
        """Whether an active turn reveals a bust or vote card now (C3, N4b)."""
        self.clear_turn()

    def clear_turn(self) -> None:
        """Forget what belongs to one turn only."""
        self.stage = 0
        self.up = 0
        """Cards placed face up this turn."""
        self.down = 0
        self.action = 0
        """0: none yet; 1: one was played before the first placement; 2: after it."""
        self.vetoed = 0
        """1: the action was announced and a veto follows; 2: it was vetoed."""
        self.passive = False
        self.no_place = False
        """Whether ``-`` said that nothing is placed."""
        self.discarded = 0
        """Cards that a passive turn discarded and has not replaced yet."""
        self.pending: list[int] | None = None
        """Groups whose special vote is due; None until the step has been reached."""
        self.revealed = False

    def copy(self) -> State:
        """An independent copy."""
        return self._with((self.sides[0].copy(), self.sides[1].copy()))

    def snapshot(self, last: State | None) -> State:
        """This state as it is now, to be read only: the sides share with the snapshot ``last`` what did not change."""
        if last is None:
            return self.copy()
        rome, egypt = last.sides
        return self._with((self.sides[0].snapshot(rome), self.sides[1].snapshot(egypt)))

    def _with(self, sides: tuple[Side, Side]) -> State:
        """A copy with other sides. Field by field, since a snapshot is made after every token of a replay."""
        other = State.__new__(State)
        other.action = self.action
        other.active = self.active
        other.bag = self.bag[:]
        other.blanks = self.blanks
        other.blanks_out = self.blanks_out
        other.choosing = self.choosing
        other.discarded = self.discarded
        other.down = self.down
        other.edition = self.edition
        other.emptied = self.emptied
        other.ended = self.ended
        other.final = self.final
        other.first_turn = self.first_turn
        other.left = self.left[:]
        other.lone = self.lone
        other.may_draw = self.may_draw
        other.may_reveal = self.may_reveal
        other.no_place = self.no_place
        other.number = self.number
        other.orgy_removed = self.orgy_removed
        other.out = self.out[:]
        other.passive = self.passive
        other.penalties = self.penalties
        other.pending = None if self.pending is None else self.pending[:]
        other.rank = self.rank
        other.revealed = self.revealed
        other.sides = sides
        other.stage = self.stage
        other.starter = self.starter
        other.totals = self.totals[:]
        other.up = self.up
        other.vetoed = self.vetoed
        other.watch = self.watch
        return other

    def has_begun(self) -> bool:
        """Whether anything has happened in this turn."""
        return bool(self.stage or self.up or self.down or self.action or self.passive or self.no_place)

    def total(self, group: int) -> int:
        """How many cards lie at a group on both sides."""
        return self.totals[group]

    def room(self, side: int, group: int) -> int:
        """How many more cards a side may place at a group (D4, D5, D12)."""
        if not self.left[group]:
            return 0
        own = self.edition.side_limit - self.sides[side].count(group)
        total = self.edition.total_limit
        return max(0, own if total is None else min(own, total - self.totals[group]))

    def all_room(self, side: int) -> int:
        """How many more cards a side may place at all groups together."""
        return sum([self.room(side, group) for group in self.edition.groups])

    def can_place(self, side: int) -> bool:
        """Whether a side has an influence card in hand and a group that may take it."""
        return self.sides[side].influence_in_hand() > 0 and self.all_room(side) > 0

    def is_full(self, side: int) -> bool:
        """Whether all remaining groups hold as many own cards as a side may have there (N5)."""
        limit, cards, left = self.edition.side_limit, self.sides[side], self.left
        up, hidden = cards.up, cards.hidden
        for group in self.edition.groups:
            if left[group] and len(up[group]) + len(hidden[group]) < limit:
                return False
        return True

    def ends_when_full(self) -> bool:
        """Whether a full side of the player whose turn it is ends the game (N5)."""
        rule = self.edition.full_side
        return rule is FullSide.ANY_PLAYER or (rule is FullSide.LONE_PLAYER and self.lone)

    def ends_at_placement(self) -> bool:
        """Whether the player would end the game by being unable to place (N6)."""
        late = self.edition.full_check is FullCheck.AT_PLACEMENT
        return late and self.ends_when_full() and self.is_full(self.active)

    def crowded(self) -> list[int]:
        """Groups in the order of the table with enough cards for a special vote (I7)."""
        left, totals, threshold = self.left, self.totals, self.edition.special_threshold
        return [group for group in self.edition.groups if totals[group] >= threshold and left[group]]

    def draw_limit(self) -> int:
        """How many cards the player may still draw at this point of his turn (G1, H1, N4)."""
        if not self.may_draw:
            return 0
        if self.passive and self.edition.passive is _REPLACE:
            return self.discarded
        missing = self.edition.hand_limit - sum(self.sides[self.active].hand)
        return missing if missing > 0 else 0

    def both_out(self) -> bool:
        """Whether neither side has any influence card left in hand and pile (N2)."""
        return self.sides[0].is_out() and self.sides[1].is_out()

    def reveals(self) -> bool:
        """Whether this turn reveals a bust or a vote card (C2, C3, N4b)."""
        return self.may_reveal and not self.passive


@lru_cache(maxsize=MOST_EDITIONS)
def _template(edition: Edition) -> tuple[list[int], list[int], list[int], bool]:
    """What every game of an edition begins with.

    Step → its place in the turn, -1 for steps that belong nowhere in it; patricians; the full bag; whether the end has
    to be looked for after every card placed (N3, N6).
    """
    places = [-1] * 6
    for place, step in enumerate(edition.order):
        places[step] = place
    left = [edition.groups.get(group, 0) for group in range(GROUP_COUNT)]
    watch = edition.full_check is FullCheck.IMMEDIATE or edition.exhaust_check is ExhaustCheck.IMMEDIATE
    return places, left, [int(count > 0) for count in left], watch


def is_action(card: int) -> bool:
    """Whether a card lies in the action pile."""
    return 6 <= card <= 11 or card == SOME_ACTION


STEP_NAMES: Final = {
    ACT: "this",
    SPECIAL: "the special vote",
    REVEAL: "the {device}",
    DRAW: "the drawing of cards",
}
