"""Missions, points and moments of a table in words."""

from __future__ import annotations

from collections.abc import Iterator

from ...notation.cards import SIDE_NAMES
from ...notation.safe_text import visible
from ...notation.writer import mission_text
from ..diagnostics.names import capital, counted
from ..engine.result import account_text
from ..knowledge.table_view import SideView, TableView
from .events import are_unseen, mission_words


def held_missions(side: SideView) -> list[str]:
    """Return a side's missions in words; only their number if they are hidden. Safe to show."""
    if side.held and are_unseen(side.held):
        return [f"{capital(counted(len(side.held), 'mission'))}, not seen"]
    # A mission in free words is quoted, as in the record.
    return [
        visible(mission_text(mission)) if mission.kind == "text" else capital(mission_words(mission))
        for mission in side.held
    ]


def judged_missions(side: SideView) -> list[str]:
    """Return a side's missions in words, and, once the game is over, whether they are fulfilled. Safe to show."""
    met = side.met or (None,) * len(side.held)
    ends = ("" if each is None else ": fulfilled" if each else ": missed" for each in met)
    return [said + end for said, end in zip(held_missions(side), ends, strict=False)]


def missions_line(side: SideView) -> str:
    """Return the judged missions in one line, empty without a mission: ``all Praetors: missed``."""
    return ", ".join([said[:1].lower() + said[1:] for said in judged_missions(side)])


def accounts(table: TableView) -> Iterator[tuple[int, str]]:
    """Yield how each side's points add up: ``Rome 16 = patricians 12 + majorities 4; all Praetors: missed``.

    Yield nothing while the game goes on. Safe to show.
    """
    for number, (people, side) in enumerate(zip(SIDE_NAMES, table.sides, strict=True)):
        missions = missions_line(side) if "missions" in dict(side.account) else ""
        if missions or (side.account and any(each.points for each in table.sides)):
            points = f"{people} {account_text(side.points, side.account)}"
            yield number, "; ".join(filter(None, (points, missions)))


def moment_words(table: TableView) -> str:
    """Return whose turn it is, or how the game ended: the same in pictures and text. Safe to show."""
    if table.mover is None:
        return table.summary or "over"
    return f"{table.turn}, {table.sides[table.mover].player}'s turn"
