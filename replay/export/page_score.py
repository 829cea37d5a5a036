"""How the points of a game come about: patricians, majorities, whole groups, and the mission, and what is proved."""

from __future__ import annotations

from typing import Final

from ..analysis.prospects import CERTAIN, IMPOSSIBLE, mission_prospect
from ..analysis.timeline import Timeline
from ..diagnostics.names import count_word
from ..rules.scoring import score
from ..rules.state import State
from ..views.table_view import SEES
from .page_steps import TablePart

COLUMNS: Final = {
    "patricians": "patricians",
    "majorities": "majorities",
    "whole": "whole groups",
    "mission": "mission",
    "taken": "rulings",
    "total": "total",
}
"""Parts of a score, as the keys of a table name them → in words."""
UNSEEN: Final = "?"
"""In place of the points of a mission that may not be seen."""
_PROSPECTS: Final = {
    (CERTAIN, False): "certain now",
    (IMPOSSIBLE, False): "impossible now",
    (CERTAIN, True): "fulfilled",
    (IMPOSSIBLE, True): "missed",
}
_NONE: Final[TablePart] = {f"{column}.{side}": "" for side in (0, 1) for column in COLUMNS}


def score_part(timeline: Timeline, state: State) -> TablePart:
    """Return how both sides' points come about, as words, all of them empty while the game goes on."""
    if not timeline.table(state).ended:
        return _NONE
    sides = score(state, timeline.verdicts, state.penalties).sides
    words: TablePart = {}
    for side, scored in enumerate(sides):
        is_told = SEES[timeline.view][side] and None not in scored.missions
        parts = {
            "patricians": sum(row.patricians for row in scored.rows),
            "majorities": sum(row.majority for row in scored.rows),
            "whole": sum(row.whole for row in scored.rows),
            "mission": scored.mission_points if is_told else UNSEEN,
            "taken": f"−{scored.penalty}" if scored.penalty else "",  # a ruling that took nothing is not told
            "total": timeline.points(state)[side],
        }
        words |= {f"{column}.{side}": str(part) for column, part in parts.items()}
    return words


def standing_part(timeline: Timeline, state: State) -> TablePart:
    """Return what both sides' points and missions are worth so far, as words.

    ``bonus.0`` says how many of Rome's points are not for patricians, ``prospects.0`` has a line for each of Rome's
    missions that are seen: what is proved of it, or nothing.
    """
    words: TablePart = {}
    sides, is_over = score(state, timeline.verdicts, state.penalties).sides, bool(timeline.table(state).ended)
    for side, scored in enumerate(sides):
        bonus = 0 if is_over else sum(row.majority + row.whole for row in scored.rows)
        words[f"bonus.{side}"] = f"{count_word(bonus)} of them for majorities" if bonus else ""
        held = state.sides[side]
        missions = held.missions if SEES[timeline.view][side] else ()
        if held.kept:
            missions = missions[held.kept - 1 : held.kept]
        found = [mission_prospect(state, side, mission) for mission in missions]
        words[f"prospects.{side}"] = "\n".join([_PROSPECTS.get((each, is_over), "") for each in found])
    return words
