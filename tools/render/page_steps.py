"""The steps of a timeline: every moment to stop at, each with its address and its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, starmap
from typing import Final, NamedTuple

from ...notation.basics import PLAYER_NAMES, ROME, SIGNS
from ...notation.language import Messages, phrase, plural, remembered, sense
from ...notation.records import Mission
from ...replay.diagnostics.api import ENDINGS
from ...replay.engine.api import TURNED_UP, table_after_turn
from ...replay.knowledge.api import SEES, GroupView, SideView, TableView, would_win
from ...replay.rules.api import State, progress, score
from ...replay.story.api import PLAYED, SET_UP, Timeline, turned_up
from ...replay.story.votes import CERTAIN, IMPOSSIBLE, OPEN, mission_prospect
from ...replay.words.api import held_missions
from .symbols import copies

START: Final = "start"
"""The address of the step before the first turn."""


class PageStep(NamedTuple):
    """A moment in the game. ``entry`` is the place of its turn line among the entries, None at the start.

    ``event`` is the place of its event in the turn, None for the turn's end and for a line that was not played. A vote
    has two steps; ``is_vote`` says that this is the first of them, in which the cards are turned up.
    """

    address: str
    entry: int | None
    event: int | None
    state: State
    is_vote: bool = False


def page_steps(timeline: Timeline) -> tuple[PageStep, ...]:
    """Return the start, every event of every turn, each turn's end if it changes the table, and each line that was not
    played.

    The step in which a vote's cards are turned up comes before its outcome.
    """
    state = timeline.start
    steps = [PageStep(START, None, None, state)]
    for place, (entry, name) in enumerate(zip(timeline.entries, names(timeline), strict=True)):
        for number, event in enumerate(entry.events):
            address = f"{name}.{event.at + 1}"
            if event.ballot is not None:
                steps.append(
                    PageStep(address + TURNED_UP, place, number, turned_up(event.before, event.actual), is_vote=True)
                )
            state = table_after_turn(event.state, entry.state) if event is entry.events[-1] else event.state
            steps.append(PageStep(address, place, number, state))
        if entry.status == SET_UP or (entry.events and state is entry.state):
            continue
        state = entry.state or state
        steps.append(PageStep(name, place, None, state))
    return tuple(steps)


def names(timeline: Timeline) -> tuple[str, ...]:
    """Return the address of each entry: ``7E``, and ``7E~2`` for other lines of the same turn, for example after one
    was taken back.
    """
    plain = {entry.label: place for place, entry in reversed([*enumerate(timeline.entries)]) if entry.status == PLAYED}
    seen: Counter[str] = Counter()
    addresses = []
    for place, entry in enumerate(timeline.entries):
        if plain.setdefault(entry.label, place) == place:
            addresses.append(entry.label)
        else:
            seen[entry.label] += 1
            addresses.append(f"{entry.label}~{seen[entry.label] + 1}")
    return tuple(addresses)


TablePart = dict[str, str]
"""A part of a table as words under short keys: ``A.0`` are Rome's cards at the Aediles, ``hand.1`` Egypt's hand."""


def flat(table: TableView) -> tuple[TablePart, ...]:
    """Return a table as words, part by part: its head, each group, each side.

    Cards are separated by spaces, missions by lines.
    """
    return (flat_head(table), *map(flat_part, (*table.groups, *table.sides)))


def flat_head(table: TableView) -> TablePart:
    """Return in words whose turn it is, how the game ended and why, and the bag."""
    ended = phrase(ENDINGS[table.ended]) if table.ended in ENDINGS else ""
    words = {"turn": table.turn, "verdict": table.summary or (phrase("over") if ended else ""), "ended": ended}
    return words | {"bag": " ".join(table.bag), "out": " ".join(table.out)}


# Most of a table stays unchanged from one step to the next.
@remembered(1 << 12)
def flat_part(part: GroupView | SideView) -> TablePart:
    """Return in words a group, or a side's belongings."""
    if isinstance(part, SideView):
        side = PLAYER_NAMES.index(part.player)
        return {
            f"hand.{side}": " ".join(part.hand),
            f"influence.{side}": str(part.influence_pile),
            f"action.{side}": str(part.action_pile),
            f"discards.{side}": " ".join([f"{letter}×{count}" for letter, count in copies(part.discards)]),
            f"missions.{side}": "\n".join(held_missions(part)),
            f"points.{side}": str(part.points),
            f"unit.{side}": plural("point", "points", part.points),
        }
    words = {f"{part.letter}.left": str(part.left)}
    for side, total in enumerate(part.sums):
        words[f"{part.letter}.{side}"] = " ".join(part.cards[side])
        words[f"{part.letter}.won.{side}"] = str(part.won[side])
        words[f"{part.letter}.sum.{side}"] = "" if total is None else str(total)
    words[f"{part.letter}.lead"] = _lead(part)
    return words


def _lead(group: GroupView) -> str:
    """Return who would win a vote at a group, and by how much or that it is by the lower sum; empty if that is open or
    depends on the rules for a lone side.
    """
    rome, egypt = group.sums
    if rome is None or egypt is None or not group.left:
        return ""
    if not any(group.cards):
        return phrase("empty")
    if rome == egypt:
        return phrase("◇ level")
    winner = would_win(group)
    if winner is None:
        return ""
    by = sense("sum", "lower") if (rome < egypt) == (winner == ROME) else f"+{abs(rome - egypt)}"
    return f"{SIGNS[winner]} {by}"


def whole(parts: Iterable[TablePart]) -> TablePart:
    """Return the parts of a table joined into one."""
    return {key: value for part in parts for key, value in part.items()}


def patches(tables: Sequence[tuple[TablePart, ...]]) -> list[TablePart]:
    """Return each table as its changes since the previous one, and the first table whole."""
    return [*map(whole, tables[:1]), *starmap(changes, pairwise(tables))]


def changes(before: tuple[TablePart, ...], table: tuple[TablePart, ...]) -> TablePart:
    """Return the parts of a table that differ from ``before``."""
    new = [(part, last) for part, last in zip(table, before, strict=True) if part is not last]
    return {key: value for part, last in new for key, value in part.items() if last[key] != value}


COLUMNS: Final[Messages] = {
    "patricians": "patricians",
    "majorities": "majorities",
    "whole": "whole groups",
    "mission": "mission",
    "taken": "rulings",
    "total": "total",
}
"""The parts of a score by their keys → in words."""
UNSEEN: Final = "?"
"""Stands for the points of a hidden mission."""
_PROSPECTS: Final[Messages] = {
    (CERTAIN, False): "certain now",
    (IMPOSSIBLE, False): "impossible now",
    (CERTAIN, True): "fulfilled",
    (IMPOSSIBLE, True): "missed",
}
_NONE: Final[TablePart] = {f"{column}.{side}": "" for side in (0, 1) for column in COLUMNS}


def score_part(timeline: Timeline, state: State) -> TablePart:
    """Return in words how both sides' points add up; all of them are empty while the game goes on."""
    if not timeline.is_over(state):
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
            "taken": f"−{scored.penalty}" if scored.penalty else "",  # a ruling that took nothing is not mentioned
            "total": timeline.points(state)[side],
        }
        words |= {f"{column}.{side}": str(part) for column, part in parts.items()}
    return words


def standing_part(timeline: Timeline, state: State) -> TablePart:
    """Return in words what both sides' points and missions are worth so far.

    ``bonus.0`` divides Rome's points into points for patricians and others; ``prospects.0`` has a line for each visible
    mission of Rome: what has been proved about it, or how far it has progressed.
    """
    words: TablePart = {}
    sides, is_over = score(state, timeline.verdicts, state.penalties).sides, timeline.is_over(state)
    for side, scored in enumerate(sides):
        majorities, groups = sum(row.majority for row in scored.rows), sum(row.whole for row in scored.rows)
        more = [plural("{count} for a majority", "{count} for majorities", majorities)] * bool(majorities)
        more += [plural("{count} for a whole group", "{count} for whole groups", groups)] * bool(groups)
        own = sum(row.patricians for row in scored.rows)
        words[f"bonus.{side}"] = " + ".join([str(own), *more]) if more and not is_over else ""
        missions = state.sides[side].possible_missions if SEES[timeline.view][side] else ()
        words[f"prospects.{side}"] = "\n".join([_told_of(state, side, mission, is_over) for mission in missions])
    return words


def _told_of(state: State, side: int, mission: Mission, is_over: bool) -> str:
    """Return what has been proved about a mission, or how far it has progressed."""
    prospect = mission_prospect(state, side, mission)
    if prospect == OPEN and not is_over:
        have, need = progress(state.edition, state.sides[side].won, mission)
        return phrase("{have} of {need}", have=have, need=need)
    return phrase(_PROSPECTS[prospect, is_over]) if (prospect, is_over) in _PROSPECTS else ""
