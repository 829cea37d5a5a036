"""A table as a row of numbers: what one player knows of it, and nothing else.

A row is the same whether the state holds every card or only those that the player could see: the other side's hand,
pile and face-down cards are counted together, as the copies that he has not seen. ``inputs`` makes of rows what the
net reads.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ...notation.arrays import COMPILED, as_bytes, doubled, vec
from ...notation.cards import INFLUENCE_KINDS, SOME_INFLUENCE, VETO
from ...notation.tokens import DRAW, REVEAL, SPECIAL, Mission
from ..rules import layout
from ..rules.state import State

# What is due, in place of a step of the turn.
ACT: Final = 0
"""The player may still place or play."""
VOTES: Final = 1
"""Nothing more is placed; special votes or the reveal come next."""
DRAWS: Final = 2
"""Cards are drawn next."""
CHOICE: Final = 3
"""Missions have to be chosen first."""
OVER: Final = 4
"""Nothing is left to be done in this turn."""

# Where the parts of a row stand.
HEAD: Final = 0
HEADS: Final = 20
CARDS: Final = HEAD + HEADS
"""By card: own hand, own pile, cards of the other side not seen, own cards that the other side has not seen."""
KNOWN: Final = SOME_INFLUENCE
MISSIONS: Final = CARDS + 4 * KNOWN
"""Two missions: kind (0 for none), how much is missing, how much of that can still come, whether both are open."""
MISSION_WORDS: Final = 3
GROUPS: Final = MISSIONS + 2 * MISSION_WORDS
GROUP_WORDS: Final = 24
PLACES: Final = 5
"""Groups of patricians in every edition."""
WORDS: Final = GROUPS + PLACES * GROUP_WORDS
"""Numbers in a row."""

TEXT: Final = 6
"""The number of a mission in free words."""
MISSION_KINDS: Final = ("none", "majority", "all", "each", "majorities", "patricians", "text")
_NO_CARD: Final = 9


class PositionRows:
    """Positions as rows of ``WORDS`` numbers, one behind the other."""

    def __init__(self) -> None:
        self.words: vec[i64] = vec[i64]([i64(0) for _ in range(WORDS)])
        self.count: i64 = 0

    def clear(self) -> None:
        """Forget all rows; their room is kept."""
        self.count = 0

    def add(self, state: State, viewer: i64, due: i64) -> None:
        """Add what ``viewer`` knows of a state in which ``due`` comes next (ACT, VOTES, ...)."""
        at = self.count * WORDS
        words = self.words
        if at + WORDS > len(words):
            self.words = words = doubled(words)
        self.count += 1
        _head(state, viewer, due, words, at)
        _cards(state, viewer, words, at + CARDS)
        _missions(state, viewer, words, at + MISSIONS)
        at += GROUPS
        for group in state.rules.groups:
            _group(state, viewer, group, words, at)
            at += GROUP_WORDS

    def memory(self) -> memoryview:
        """Return the numbers as they lie in memory, eight bytes for each; rows behind ``count`` mean nothing."""
        return as_bytes(self.words if COMPILED else self.words[: self.count * WORDS])


def next_due(state: State) -> i64:
    """Return what comes next when the player whose turn it is does nothing more in the present step."""
    if state.choosing:
        return CHOICE
    rules = state.rules
    place: i64 = state.stage
    if not place:
        place = 1
    while place < rules.steps:
        step = rules.order[place]
        if step == SPECIAL:
            if not state.passive and state.due_votes() > 0:
                return VOTES
        elif step == REVEAL:
            if not state.revealed and state.reveals():
                return VOTES
        elif step == DRAW and state.draw_limit() and _has_pile(state):
            return DRAWS
        place += 1
    return OVER


def _has_pile(state: State) -> bool:
    cells, side = state.cells, state.active
    return cells[layout.INFLUENCE_PILE + side] + cells[layout.ACTION_PILE + side] > 0


def _head(state: State, viewer: i64, due: i64, words: vec[i64], at: i64) -> None:
    other = 1 - viewer
    cells, rules = state.cells, state.rules
    mine: i64 = 0
    if state.active == viewer:
        mine = 1
    bag: i64 = state.blanks + rules.resets
    for group in rules.groups:
        bag += cells[layout.BAG + group]
    first: i64 = 0
    if state.first_turn:
        first = 1
    passive: i64 = 0
    if state.passive:
        passive = 1
    limit = state.draw_limit()
    words[at] = due
    words[at + 1] = mine
    words[at + 2] = state.up
    words[at + 3] = state.down
    words[at + 4] = state.action
    words[at + 5] = first
    words[at + 6] = state.number
    words[at + 7] = passive
    words[at + 8] = limit
    words[at + 9] = state.blanks
    words[at + 10] = bag
    words[at + 11] = state.emptied
    words[at + 12] = state.choosing >> viewer & 1
    words[at + 13] = cells[layout.HELD + other] - cells[layout.INFLUENCE + other]
    words[at + 14] = cells[layout.INFLUENCE + other]
    words[at + 15] = cells[layout.INFLUENCE_PILE + viewer]
    words[at + 16] = cells[layout.ACTION_PILE + viewer]
    words[at + 17] = cells[layout.INFLUENCE_PILE + other]
    words[at + 18] = cells[layout.ACTION_PILE + other]
    words[at + 19] = cells[layout.GONE + layout.CARD_ROW * other + VETO]


def _cards(state: State, viewer: i64, words: vec[i64], at: i64) -> None:
    cells = state.cells
    other = 1 - viewer
    mine, theirs = layout.CARD_ROW * viewer, layout.CARD_ROW * other
    for card in range(i64(KNOWN)):
        hand, pile = cells[layout.HAND + mine + card], cells[layout.UNSEEN + mine + card]
        words[at + card] = hand
        words[at + KNOWN + card] = pile
        words[at + 2 * KNOWN + card] = cells[layout.HAND + theirs + card] + cells[layout.UNSEEN + theirs + card]
        words[at + 3 * KNOWN + card] = hand + pile
    for group in state.rules.groups:
        _add_hidden(cells, layout.GROUP_ROW * other + group, words, at + 2 * KNOWN)
        _add_hidden(cells, layout.GROUP_ROW * viewer + group, words, at + 3 * KNOWN)


def _add_hidden(cells: vec[i64], column: i64, words: vec[i64], at: i64) -> None:
    cards = cells[layout.HIDDEN + column]
    for _card in range(cells[layout.HIDDEN_COUNT + column]):
        if cards & 15 < KNOWN:
            words[at + (cards & 15)] += 1
        cards >>= 4


def _missions(state: State, viewer: i64, words: vec[i64], at: i64) -> None:
    for place in range(i64(2 * MISSION_WORDS)):
        words[at + place] = 0
    missions = state.missions[viewer]
    kept = state.cells[layout.KEPT + viewer]
    place = 0
    for number in range(len(missions)):
        if place < 2 * MISSION_WORDS and (kept == layout.UNCHOSEN or kept == number + 1):
            _mission(state, viewer, missions[number], words, at + place)
            place += MISSION_WORDS


def _mission(state: State, viewer: i64, mission: Mission, words: vec[i64], at: i64) -> None:
    """Write the kind of a mission, what its holder is missing, and what he can still get of that."""
    cells, rules = state.cells, state.rules
    won = layout.WON + layout.GROUP_ROW * viewer
    kind = mission.kind
    group: i64 = -1
    if mission.group is not None:
        group = mission.group
    count: i64 = 0
    if mission.count is not None:
        count = mission.count
    missing: i64 = 0
    possible: i64 = 0
    number: i64 = TEXT
    if kind == "majority" or kind == "all":
        number = 1
        missing = (rules.sizes[group] >> 1) + 1
        if kind == "all":
            number = 2
            missing = rules.sizes[group]
        missing -= cells[won + group]
        possible = cells[layout.LEFT + group]
    elif kind == "each":
        number = 3
        for each in rules.groups:
            if not cells[won + each]:
                missing += 1
                if cells[layout.LEFT + each]:
                    possible += 1
    elif kind == "majorities":
        number = 4
        missing = count
        for each in rules.groups:
            most = (rules.sizes[each] >> 1) + 1
            if cells[won + each] >= most:
                missing -= 1
            elif cells[won + each] + cells[layout.LEFT + each] >= most:
                possible += 1
    elif kind == "patricians":
        number = 5
        missing = count
        for each in rules.groups:
            missing -= cells[won + each]
            possible += cells[layout.LEFT + each]
    if missing < 0:
        missing = 0
    words[at] = number
    words[at + 1] = missing
    words[at + 2] = possible


def _group(state: State, viewer: i64, group: i64, words: vec[i64], at: i64) -> None:
    cells = state.cells
    other = 1 - viewer
    mine, theirs = layout.GROUP_ROW * viewer + group, layout.GROUP_ROW * other + group
    words[at] = cells[layout.LEFT + group]
    words[at + 1] = cells[layout.WON + mine]
    words[at + 2] = cells[layout.WON + theirs]
    words[at + 3] = cells[layout.BAG + group]
    wanted: i64 = 0  # by one of the viewer's missions that can still be fulfilled
    missions = state.missions[viewer]
    kept = state.cells[layout.KEPT + viewer]
    for number in range(len(missions)):
        if kept == layout.UNCHOSEN or kept == number + 1:
            target = missions[number].group
            if target is not None and target == group:
                wanted += 1
    words[at + 4] = wanted
    words[at + 5] = state.rules.sizes[group]
    _column(cells[layout.UP + mine], cells[layout.UP_COUNT + mine], words, at + 6)
    _column(cells[layout.HIDDEN + mine], cells[layout.HIDDEN_COUNT + mine], words, at + 11)
    _column(cells[layout.UP + theirs], cells[layout.UP_COUNT + theirs], words, at + 16)
    words[at + 21] = cells[layout.HIDDEN_COUNT + theirs]
    words[at + 22] = cells[layout.TOTAL + group]
    words[at + 23] = state.room(viewer, group)


def _column(cards: i64, count: i64, words: vec[i64], at: i64) -> None:
    """Write of cards their number, sum, philosophers, highest and lowest number (9 for none)."""
    total: i64 = 0
    philosophers: i64 = 0
    high: i64 = 0
    low: i64 = _NO_CARD
    for _card in range(count):
        card = cards & 15
        if not card:
            philosophers += 1
        elif card < INFLUENCE_KINDS:
            total += card
            if card > high:
                high = card
            if card < low:
                low = card
        cards >>= 4
    words[at] = count
    words[at + 1] = total
    words[at + 2] = philosophers
    words[at + 3] = high
    words[at + 4] = low
