"""States copied unchanged, many of them one after another; ``position`` says what a player knows about each."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ...notation.records import Mission
from ...replay.rules.api import State
from ...replay.rules.core import COMPILED, Ruleset, as_bytes, doubled, layout, put, vec

# What is due, instead of a step of the turn.
ACT: Final = 0
"""The player may still place or play."""
VOTES: Final = 1
"""Nothing more is placed; special votes or the reveal come next."""
DRAWS: Final = 2
"""Cards are drawn next."""
CHOICE: Final = 3
"""Missions must be chosen first."""
OVER: Final = 4
"""Nothing is left to do in this turn."""

# The numbers at the start of a snapshot; the cells of the state follow.
DUE: Final = 0
VIEWER: Final = 1
ACTIVE: Final = 2
UP: Final = 3
DOWN: Final = 4
ACTION: Final = 5
FIRST: Final = 6
NUMBER: Final = 7
PASSIVE: Final = 8
LIMIT: Final = 9
"""Cards that may still be drawn."""
BLANKS: Final = 10
RESETS: Final = 11
EMPTIED: Final = 12
CHOOSING: Final = 13
"""Whether the viewer still has to choose a mission."""
SIDE_LIMIT: Final = 14
TOTAL_LIMIT: Final = 15
MISSIONS: Final = 16
"""The two missions that the viewer may still hold: kind (0 for none), group (-1 for none) and count."""
MISSION_WORDS: Final = 3
CELLS: Final = MISSIONS + 2 * MISSION_WORDS
WORDS: Final = CELLS + layout.CELLS
"""Numbers in a snapshot."""

MISSION_KINDS: Final = {"majority": 1, "all": 2, "each": 3, "majorities": 4, "patricians": 5}
TEXT: Final = 6
"""The number of a mission in free words."""


class Snapshots:
    """Snapshots of states of one rule set, ``WORDS`` numbers for each."""

    def __init__(self) -> None:
        self.words: vec[i64] = vec[i64]([i64(0) for _ in range(WORDS)])
        self.count: i64 = 0
        self.rules: Ruleset | None = None
        """The rules of the state that came last."""

    def clear(self) -> None:
        """Forget all; their memory is kept."""
        self.count = 0

    def add(self, state: State, viewer: i64, due: i64) -> None:
        """Add a state as ``viewer`` sees it, in which ``due`` comes next (ACT, VOTES, ...)."""
        at = self.count * WORDS
        words, rules = self.words, state.rules
        while at + WORDS > len(words):
            self.words = words = doubled(words)
        self.count += 1
        self.rules = rules
        words[at + DUE] = due
        words[at + VIEWER] = viewer
        words[at + ACTIVE] = state.active
        words[at + UP] = state.up
        words[at + DOWN] = state.down
        words[at + ACTION] = state.action
        words[at + FIRST] = 1 if state.first_turn else 0
        words[at + NUMBER] = state.number
        words[at + PASSIVE] = 1 if state.passive else 0
        words[at + LIMIT] = state.draw_limit()
        words[at + BLANKS] = state.blanks
        words[at + RESETS] = rules.resets
        words[at + EMPTIED] = state.emptied
        words[at + CHOOSING] = state.choosing >> viewer & 1
        words[at + SIDE_LIMIT] = rules.side_limit
        words[at + TOTAL_LIMIT] = min(rules.total_limit, i64(2 * layout.MAX_AT_GROUP))  # cuts the number for no limit
        _add_missions(state, viewer, words, at + MISSIONS)
        put(words, at + CELLS, state.cells)

    def memory(self) -> memoryview:
        """Return the numbers as they are in memory, eight bytes each; those after ``count`` have no meaning."""
        return as_bytes(self.words if COMPILED else self.words[: self.count * WORDS])


def _add_missions(state: State, viewer: i64, words: vec[i64], at: i64) -> None:
    end = at + 2 * MISSION_WORDS
    missions = state.missions[viewer]
    kept = state.cells[layout.KEPT + viewer]
    for number in range(len(missions)):
        if at < end and (kept == layout.UNCHOSEN or kept == number + 1):
            _add_mission(missions[number], words, at)
            at += MISSION_WORDS
    while at < end:
        words[at] = 0
        words[at + 1] = -1
        at += MISSION_WORDS


def _add_mission(mission: Mission, words: vec[i64], at: i64) -> None:
    words[at] = MISSION_KINDS.get(mission.kind, TEXT)
    words[at + 1] = -1 if mission.group is None else mission.group
    words[at + 2] = 0 if mission.count is None else mission.count
