"""The state of a game between two tokens, as one flat list of integers. It holds facts and judges nothing.

``cells`` holds what is counted by side, card and group; the names in ``layout`` say where. What concerns only one turn,
or no side or group, is held in attributes. A card whose identity nobody wrote down is counted under SOME_INFLUENCE
or SOME_ACTION. Readers of a state can use ``state.sides``, ``state.left`` and the like, which are made on request:
changing them changes nothing.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from mypy_extensions import i64

from ...notation.arrays import vec
from ...notation.cards import CARD_KINDS, EGYPT, GROUP_COUNT, GROUP_LETTERS, ROME, SIDE_LETTERS, letters
from ...notation.codes import CARD, WIDTH
from ...notation.tokens import Mission
from ..editions.edition import Edition
from . import layout
from .layout import ENDINGS, UNKNOWN_CHOICE, Ending
from .ruleset import Ruleset, ruleset
from .sequences import counts_in, in_sequence

NOT_REACHED: Final = -1
"""Stands for the special votes that are due until their step is reached."""
_NO_MISSIONS: Final[tuple[tuple[Mission, ...], tuple[Mission, ...]]] = ((), ())

Values: TypeAlias = tuple[
    tuple[tuple[tuple[Mission, ...], tuple[Mission, ...]], list[tuple[int, ...] | None], tuple[int, int]],
    tuple[i64, i64, i64, i64, bool],
    tuple[i64, i64, bool, i64, bool, bool, i64, i64],
    tuple[i64, i64, bool, bool, i64],
    tuple[i64, i64, bool, bool, bool],
]


def is_among(group: i64, due: i64) -> bool:
    """Return whether a group is among those whose special vote is due."""
    while due > 0:
        if due & CARD == group + 1:
            return True
        due >>= WIDTH
    return False


def checked_side(side: i64) -> i64:
    """Return a side. Raise ValueError if there is no such side."""
    if side < 0 or side > 1:
        raise ValueError(f"there is no side {side}: give tironian.Side.ROME or tironian.Side.EGYPT")
    return side


def group_cell(side: i64, group: i64) -> i64:
    """Return the place of a side's part of a group among such cells. Raise ValueError if there is none."""
    if group < 0 or group >= GROUP_COUNT:
        raise ValueError(f"there is no group {group}: give a member of tironian.Group")
    if side >> 1:  # a call would double the time
        side = checked_side(side)
    return layout.GROUP_ROW * side + group


class State:
    """A game between two tokens. ``number`` and ``active`` are the turn's number and side, ``stage`` is the place of
    the current step in ``edition.order``, ``missions`` are those dealt to Rome and Egypt, ``penalties`` the points that
    rulings have taken from them. The lists that properties give are copies.

    >>> state = tironian.replay_game(record).at("1E").state
    >>> state.number, state.active == tironian.Side.ROME, state.sides[tironian.Side.ROME].won[tironian.Group.CONSUL]
    (2, True, 1)
    """

    def __init__(self, edition: Edition, rules: Ruleset, cells: vec[i64], starter: i64) -> None:
        self.edition: Edition = edition
        self.rules: Ruleset = rules
        self.cells: vec[i64] = cells
        self.missions: tuple[tuple[Mission, ...], tuple[Mission, ...]] = _NO_MISSIONS
        self.orders: list[tuple[int, ...] | None] = [None, None]
        """What is left of the action piles as their owners ordered them, top first; None if it was shuffled."""
        self.due: i64 = NOT_REACHED
        """Groups whose special vote is due, each plus one in four bits, the first lowest."""
        self.penalties: tuple[int, int] = (0, 0)
        """Points that rulings have taken from Rome and Egypt so far."""
        self.emptied: i64 = 0
        """How many groups have been emptied."""
        self.blanks: i64 = rules.blanks
        self.blanks_out: i64 = 0
        self.orgy_removed: bool = False
        self.starter: i64 = starter
        self.over: i64 = layout.NOT_ENDED
        """Why the game is over, as a number; ``ended`` is its name."""
        self.number: i64 = 1
        self.active: i64 = starter
        self.first_turn: bool = True
        """Whether this is the very first turn of the game."""
        self.choosing: i64 = 0
        """Which sides still have to choose a mission, a bit each; ``must_choose`` reads it."""
        self.lone: bool = False
        """Whether the other side was out of influence cards when this turn began (N4)."""
        self.final: bool = False
        """Whether this is the last turn of a lone player, who places every card that fits (N4b)."""
        self.may_draw: bool = True
        """Whether cards are drawn at all in this turn (N4a, N4b)."""
        self.may_reveal: bool = rules.first_reveal
        """Whether an active turn reveals a bust or vote card now (C3, N4b)."""
        self.stage: i64 = 0
        self.up: i64 = 0
        """Cards placed face up this turn."""
        self.down: i64 = 0
        self.action: i64 = layout.NO_ACTION
        self.vetoed: i64 = layout.NOT_VETOED
        """ANNOUNCED: a veto follows the action; VETOED: it was vetoed."""
        self.passive: bool = False
        self.no_place: bool = False
        """Whether ``-`` said that nothing is placed."""
        self.discarded: i64 = 0
        """Cards that a passive turn has discarded but not yet replaced."""
        self.revealed: bool = False

    def clear_turn(self) -> None:
        """Forget what belongs to one turn only."""
        self.stage = 0
        self.up = 0
        self.down = 0
        self.action = layout.NO_ACTION
        self.vetoed = layout.NOT_VETOED
        self.passive = False
        self.no_place = False
        self.discarded = 0
        self.due = NOT_REACHED
        self.revealed = False

    def copy(self) -> State:
        """Return an independent copy."""
        return _with_value(State(self.edition, self.rules, self.cells[:], self.starter), self._values())

    def __reduce__(self) -> tuple[Any, tuple[Edition, int, list[int], Values]]:
        return _unpickle, (self.edition, self.starter, list(self.cells), self._values())

    def _values(self) -> Values:
        """Return what identifies a state besides its edition, its cells and who began."""
        return (
            (self.missions, self.orders, self.penalties),
            (self.over, self.emptied, self.blanks, self.blanks_out, self.orgy_removed),
            (self.number, self.active, self.first_turn, self.choosing, self.lone, self.final, self.stage, self.due),
            (self.up, self.down, self.no_place, self.passive, self.discarded),
            (self.action, self.vetoed, self.revealed, self.may_draw, self.may_reveal),
        )

    def __eq__(self, other: object) -> bool:
        """Return whether another state is the same moment of the same game, as far as the rules can tell."""
        return isinstance(other, State) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        raise TypeError("a state changes, so it has no hash")

    def __repr__(self) -> str:
        """Return the turn, the cards in hand, and the patricians won and left."""
        rome, egypt = self.sides
        left = " ".join([f"{GROUP_LETTERS[group]}{count}" for group, count in enumerate(self.left) if count])
        where = f"{self.edition.name} {self.number}{SIDE_LETTERS[self.active]}"
        now = f"over: {self.ended}" if self.over else f"left {left}"
        hands, won = f"{letters(rome.cards)} {letters(egypt.cards)}", f"{sum(rome.won)}:{sum(egypt.won)}"
        return f"<State {where}, hands {hands}, won {won}, {now}>"

    # ------------------------------------------------------------------------------------------------ for readers

    @property
    def sides(self) -> tuple[SideCards, SideCards]:
        """Return Rome's and Egypt's cards and patricians."""
        return SideCards(self, 0), SideCards(self, 1)

    @property
    def left(self) -> list[int]:
        """Return the patricians not yet won, for each group."""
        cells = self.cells
        return [cells[layout.LEFT + group] for group in range(GROUP_COUNT)]

    @property
    def bag(self) -> list[int]:
        """Return the busts in the bag, or the vote cards in the face-down pile, for each group."""
        cells = self.cells
        return [cells[layout.BAG + group] for group in range(GROUP_COUNT)]

    @property
    def out(self) -> list[int]:
        """Return the busts beside each group, or its vote cards on the open pile."""
        cells = self.cells
        return [cells[layout.OUT + group] for group in range(GROUP_COUNT)]

    @property
    def ended(self) -> Ending:
        """Return why the game is over; ``Ending.NONE``, which is empty, while it goes on."""
        return ENDINGS[self.over]

    @property
    def choosers(self) -> list[int]:
        """Return the sides that still have to choose a mission."""
        return [side for side in (ROME, EGYPT) if self.must_choose(side)]

    # -------------------------------------------------------------------------------------------------- questions

    def must_choose(self, side: i64) -> bool:
        """Return whether a side still has to choose a mission (M1)."""
        return self.choosing >> checked_side(side) & 1 != 0

    def has_begun(self) -> bool:
        """Return whether anything has happened in this turn."""
        return self.stage != 0 or self.has_acted() or self.passive

    def has_acted(self) -> bool:
        """Return whether something has been placed or played in this turn, or ``-`` said that nothing is placed."""
        return self.up != 0 or self.down != 0 or self.action != layout.NO_ACTION or self.no_place

    def total(self, group: i64) -> i64:
        """Return how many cards lie at a group on both sides."""
        return self.cells[layout.TOTAL + group_cell(0, group)]

    def count(self, side: i64, group: i64) -> i64:
        """Return how many cards of a side lie at a group."""
        at = group_cell(side, group)
        return self.cells[layout.UP_COUNT + at] + self.cells[layout.HIDDEN_COUNT + at]

    def room(self, side: i64, group: i64) -> i64:
        """Return how many more cards a side may place at a group (D4, D5, D12)."""
        cells, rules = self.cells, self.rules
        room: i64 = rules.side_limit - self.count(side, group)
        if not cells[layout.LEFT + group]:
            return 0
        together: i64 = rules.total_limit - cells[layout.TOTAL + group]
        if together < room:
            room = together
        if room < 0:
            return 0
        return room

    def all_room(self, side: i64) -> i64:
        """Return how many more cards a side may place at all groups together."""
        room: i64 = 0
        for group in self.rules.groups:
            room += self.room(side, group)
        return room

    def can_place(self, side: i64) -> bool:
        """Return whether a side has an influence card in hand and a group that may take it."""
        if not self.cells[layout.INFLUENCE + checked_side(side)]:
            return False
        for group in self.rules.groups:
            if self.room(side, group):
                return True
        return False

    def is_out(self, side: i64) -> bool:
        """Return whether a side has no influence cards left in hand or pile (N2)."""
        if side >> 1:
            side = checked_side(side)
        return not (self.cells[layout.INFLUENCE_PILE + side] or self.cells[layout.INFLUENCE + side])

    def both_out(self) -> bool:
        """Return whether neither side has any influence cards left in hand or pile (N2)."""
        return self.is_out(0) and self.is_out(1)

    def is_full(self, side: i64) -> bool:
        """Return whether all remaining groups hold as many own cards as a side may have there (N5)."""
        cells, limit = self.cells, self.rules.side_limit
        for group in self.rules.groups:
            if self.count(side, group) < limit and cells[layout.LEFT + group]:
                return False
        return True

    def ends_when_full(self) -> bool:
        """Return whether the game ends once the player whose turn it is has a full side (N5)."""
        return self.rules.full_ends or (self.lone and self.rules.full_ends_lone)

    def ends_at_placement(self) -> bool:
        """Return whether the player would end the game by being unable to place (N6)."""
        return self.rules.full_at_placement and self.ends_when_full() and self.is_full(self.active)

    def due_votes(self) -> i64:
        """Return the groups whose special vote is due, or will be when the step is reached, as ``due`` holds them (I7).

        When it is reached, every group with enough cards is due, in the order of the table.
        """
        if self.due != NOT_REACHED:
            return self.due
        cells, rules = self.cells, self.rules
        due: i64 = 0
        shift: i64 = 0
        for group in rules.groups:
            if cells[layout.TOTAL + group] >= rules.special and cells[layout.LEFT + group]:
                due |= group + 1 << shift
                shift += 4
        return due

    def draw_limit(self) -> i64:
        """Return how many cards the player may still draw at this point of the turn (G1, H1, N4)."""
        if not self.may_draw:
            return 0
        if self.passive and self.rules.passive_replaces:
            return self.discarded
        missing: i64 = self.rules.hand_limit - self.cells[layout.HELD + self.active]
        if missing < 0:
            return 0
        return missing

    def reveals(self) -> bool:
        """Return whether this turn reveals a bust or vote card (C2, C3, N4b) and one that can be revealed is left."""
        if not self.may_reveal or self.passive:
            return False
        if self.rules.resets > 0 or self.blanks > 0:  # a reset is never out: it goes back as well
            return True
        for group in self.rules.groups:
            if may_come(self, group):
                return True
        return False

    def counts_at(self, side: i64, group: i64) -> i64:
        """Return a side's cards at a group, face up or down, as counts."""
        cells, at = self.cells, layout.GROUP_ROW * side + group
        up = counts_in(cells[layout.UP + at], cells[layout.UP_COUNT + at])
        return up + counts_in(cells[layout.HIDDEN + at], cells[layout.HIDDEN_COUNT + at])

    def card_at(self, counts: i64, at: i64, card: i64 = 0) -> i64:
        """Return the card at a place among those counted in the cells from ``counts`` on, beginning with ``card``."""
        at -= self.cells[counts + card]
        while at >= 0:
            card += 1
            at -= self.cells[counts + card]
        return card

    def column(self, side: i64, group: i64) -> list[int]:
        """Return the cards of a side at a group, face up or down."""
        cells, at = self.cells, group_cell(side, group)
        cards = in_sequence(cells[layout.UP + at], cells[layout.UP_COUNT + at])
        return cards + in_sequence(cells[layout.HIDDEN + at], cells[layout.HIDDEN_COUNT + at])


def _with_value(state: State, values: Values) -> State:
    """Return a new state with these values."""
    (state.missions, orders, state.penalties), game, turn, placed, played = values
    state.orders = orders[:]
    state.over, state.emptied, state.blanks, state.blanks_out, state.orgy_removed = game
    state.number, state.active, state.first_turn, state.choosing, state.lone, state.final, state.stage, state.due = turn
    state.up, state.down, state.no_place, state.passive, state.discarded = placed
    state.action, state.vetoed, state.revealed, state.may_draw, state.may_reveal = played
    return state


def _unpickle(edition: Edition, starter: int, cells: list[int], values: Values) -> State:
    """Return a state that was pickled. Python passes a list, since it could not restore an array."""
    return _with_value(State(edition, ruleset(edition), vec[i64]([i64(cell) for cell in cells]), starter), values)


def empty_table(edition: Edition, starter: i64) -> State:
    """Return the state of a game before any card is dealt."""
    rules = ruleset(edition)
    cells = vec[i64]([i64(0) for _ in range(layout.CELLS)])
    for group in rules.groups:
        cells[layout.LEFT + group] = rules.sizes[group]
        cells[layout.BAG + group] = 1
    cells[layout.KEPT] = layout.UNCHOSEN
    cells[layout.KEPT + 1] = layout.UNCHOSEN
    return State(edition, rules, cells, starter)


class SideCards:
    """A read-only view of one player's cards and patricians. The lists are copies, indexed by card or by group.

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
        """Return whether another object reads the same side of an equal state."""
        return isinstance(other, SideCards) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return self.side

    @property
    def hand(self) -> list[int]:
        """Return how many of each card the hand holds."""
        cells, begin = self.state.cells, layout.HAND + layout.CARD_ROW * self.side
        return [cells[begin + card] for card in range(CARD_KINDS)]

    @property
    def cards(self) -> list[int]:
        """Return the cards of the hand, in the order of their numbers."""
        return [card for card, count in enumerate(self.hand) for _ in range(count)]

    @property
    def unseen(self) -> list[int]:
        """Return the copies of each card that nothing written so far has identified."""
        cells, begin = self.state.cells, layout.UNSEEN + layout.CARD_ROW * self.side
        return [cells[begin + card] for card in range(CARD_KINDS)]

    @property
    def discards(self) -> list[int]:
        """Return the discards, by card."""
        cells, begin = self.state.cells, layout.DISCARDS + layout.CARD_ROW * self.side
        return [card for card in range(CARD_KINDS) for _ in range(cells[begin + card])]

    @property
    def up(self) -> list[list[int]]:
        """Return the face-up cards at each group."""
        return self._columns(layout.UP, layout.UP_COUNT)

    @property
    def hidden(self) -> list[list[int]]:
        """Return the face-down cards at each group, oldest first."""
        return self._columns(layout.HIDDEN, layout.HIDDEN_COUNT)

    def _columns(self, cards: i64, counts: i64) -> list[list[int]]:
        cells, at = self.state.cells, layout.GROUP_ROW * self.side
        return [in_sequence(cells[cards + at + group], cells[counts + at + group]) for group in range(GROUP_COUNT)]

    @property
    def won(self) -> list[int]:
        """Return the patricians won, for each group."""
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
    def has_unknown_cards(self) -> bool:
        """Return whether a card of unknown identity has passed through the hand."""
        return bool(self.state.cells[layout.HAS_UNKNOWN_CARDS + self.side])

    @property
    def missions(self) -> tuple[Mission, ...]:
        """Return the missions dealt."""
        return self.state.missions[self.side]

    @property
    def kept(self) -> int | None:
        """Return which mission was kept: 1 or 2, 0 if the writer does not know, None until one is chosen."""
        kept = self.state.cells[layout.KEPT + self.side]
        return None if kept == layout.UNCHOSEN else kept

    @property
    def possible_missions(self) -> tuple[Mission, ...]:
        """Return the missions that may count: the one that was kept, or all that were dealt if it is not known."""
        missions = self.missions
        if len(missions) < 2:
            return missions
        kept = self.kept
        return (missions[kept - 1],) if kept else missions

    @property
    def held_missions(self) -> tuple[Mission, ...]:
        """Return the missions still held: all that were dealt until one was kept, which may be an unknown one."""
        possible = self.possible_missions
        return (Mission("unknown"),) if len(possible) > 1 and self.kept == UNKNOWN_CHOICE else possible

    @property
    def mission_count(self) -> int:
        """Return how many missions are held: one after the choice, whether or not those dealt were written down."""
        return len(self.missions) if self.kept is None else 1

    @property
    def order(self) -> tuple[int, ...] | None:
        """Return what is left of the action pile as its owner ordered it, top first; None if it was shuffled."""
        return self.state.orders[self.side]

    def influence_in_hand(self) -> int:
        """Return how many influence cards the hand holds."""
        return self.state.cells[layout.INFLUENCE + self.side]

    def is_out(self) -> bool:
        """Return whether no influence cards are left in hand or pile (N2)."""
        return self.state.is_out(self.side)

    def count(self, group: int) -> int:
        """Return how many cards lie at a group."""
        return self.state.count(self.side, group)

    def column(self, group: int) -> list[int]:
        """Return the cards at a group, face up or down."""
        return self.state.column(self.side, group)


def lying_at(state: State, side: i64, group: i64) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return what a side has at a group: patricians won, cards face up and cards face down."""
    cells, at = state.cells, group_cell(side, group)
    up = in_sequence(cells[layout.UP + at], cells[layout.UP_COUNT + at])
    hidden = in_sequence(cells[layout.HIDDEN + at], cells[layout.HIDDEN_COUNT + at])
    return cells[layout.WON + at], tuple(up), tuple(hidden)


def may_come(state: State, group: i64) -> bool:
    """Return whether a bust or vote card of a group can come (I1–I6)."""
    cells = state.cells
    return cells[layout.BAG + group] != 0 and (cells[layout.LEFT + group] != 0 or not state.rules.gone_at_once)
