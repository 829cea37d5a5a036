"""How the points of a game come about, once it is over: patricians, majorities, whole groups, and the mission."""

from __future__ import annotations

from typing import Final

from ..analysis.timeline import Timeline
from ..rules.scoring import SideScore, score
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
_NONE: Final[TablePart] = {f"{column}.{side}": "" for side in (0, 1) for column in COLUMNS}


def score_part(timeline: Timeline, state: State) -> TablePart:
    """Return both sides' scores as words, all of them empty as long as the game is not over.

    A side whose mission the timeline's point of view may not see has only the points that everybody sees.
    """
    if not state.ended:
        return _NONE
    sides = score(state, timeline.verdicts, state.penalties).sides
    table = timeline.table(state)
    words: TablePart = {}
    for side, scored in enumerate(sides):
        parts = _points(scored, seen=SEES[timeline.view][side])
        parts["total"] = str(table.sides[side].points)
        words |= {f"{column}.{side}": parts[column] for column in COLUMNS}
    return words


def _points(scored: SideScore, *, seen: bool) -> TablePart:
    """Return the parts of a side's score; a ruling that took nothing is not told."""
    return {
        "patricians": str(sum(row.patricians for row in scored.rows)),
        "majorities": str(sum(row.majority for row in scored.rows)),
        "whole": str(sum(row.whole for row in scored.rows)),
        "mission": str(scored.mission_points) if seen and None not in scored.missions else UNSEEN,
        "taken": f"−{scored.penalty}" if scored.penalty else "",
    }
