"""Missions, points and moments of a table in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...notation.language import PLAYERS, SIDES, Messages, clauses, phrase, sense
from ...notation.safe_text import visible
from ...notation.writer import mission_text
from ..diagnostics.names import capital, counted
from ..engine.result import account_text
from ..knowledge.table_view import SideView, TableView
from .events import are_unseen, mission_words

_VIEWS: Final[Messages] = {"arbiter": "arbiter", "caesar": "caesar", "cleopatra": "cleopatra"}
"""Point of view → its short name; the spectator's is that of the table."""


def viewed_by(view: str) -> str:
    """Return whose point of view is shown, in short: ``seen by arbiter``."""
    name = phrase(_VIEWS[view]) if view in _VIEWS else sense("point of view", "table")
    return phrase("seen by {viewer}", viewer=name)


def held_missions(side: SideView) -> list[str]:
    """Return a side's missions in words; only their number if they are hidden. Safe to show."""
    return [capital(each) for each in _missions(side)]


def judged_missions(side: SideView) -> list[str]:
    """Return a side's missions in words, and, once the game is over, whether they are fulfilled. Safe to show."""
    return [capital(each) for each in _judged(side)]


def missions_line(side: SideView) -> str:
    """Return the judged missions in one line, empty without a mission: ``all Praetors: missed``."""
    return ", ".join(_judged(side))


def _missions(side: SideView) -> list[str]:
    if side.held and are_unseen(side.held):
        return [phrase("{missions}, not seen", missions=counted(len(side.held), "mission"))]
    # A mission in free words is quoted, as in the record.
    return [
        visible(mission_text(mission)) if mission.kind == "text" else mission_words(mission) for mission in side.held
    ]


def _judged(side: SideView) -> Iterator[str]:
    for said, is_met in zip(_missions(side), side.met or (None,) * len(side.held), strict=False):
        if is_met is None:
            yield said
        else:
            yield phrase("{mission}: fulfilled", mission=said) if is_met else phrase("{mission}: missed", mission=said)


def accounts(table: TableView) -> Iterator[tuple[int, str]]:
    """Yield how each side's points add up: ``Rome 16 = patricians 12 + majorities 4; all Praetors: missed``.

    Yield nothing while the game goes on. Safe to show.
    """
    for number, (name, side) in enumerate(zip(SIDES, table.sides, strict=True)):
        missions = missions_line(side) if "missions" in dict(side.account) else ""
        if missions or (side.account and any(each.points for each in table.sides)):
            points = phrase("{side.name} {account}", side=name, account=account_text(side.points, side.account))
            yield number, clauses(filter(None, (points, missions)))


def moment_words(table: TableView) -> str:
    """Return whose turn it is, or how the game ended: the same in pictures and text. Safe to show."""
    if table.mover is None:
        return table.summary or phrase("over")
    return phrase("{turn}, {player.of} turn", turn=table.turn, player=PLAYERS[table.mover])
