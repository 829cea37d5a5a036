"""An event in words, as data and as rows: what is to be done, and the standings."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any, Final

from .plan import EventPlan
from .standings import PlayerScore, StandingsTable, figure, mark, played_against
from .todo import KINDS, Decided, EventState, ToDo

SCHEMA: Final = "urn:tironian:schema:event-report:1"
HEADS: Final = {
    "buchholz": "Buch",
    "sonneborn-berger": "SoBe",
    "direct-encounter": "Dir",
    "points-for": "For",
    "points-against": "Agst",
    "wins": "Wins",
}
"""The heads of the columns of tie-breaks."""
_VALUES: Final = {"result": "forfeit caesar", "Caesar": "NAME", "Cleopatra": "NAME", "Round": "NUMBER"}
"""What values of headers, and the result of a pairing, look like."""
_WIDEST_TABLE: Final = 24
"""Players whose crosstable is shown as text; more have no room on a screen."""
_WINNERS: Final = ("caesar", "cleopatra", "draw", "nobody")


def to_do_lines(state: EventState, folder: str) -> Iterator[str]:
    """Yield the lines that say what is to be done."""
    for one in state.to_do:
        yield from lines_of(one, folder)
        yield ""
    yield _summed_up(state)


def lines_of(one: ToDo, folder: str) -> Iterator[str]:
    """Yield the lines that say what is the matter, and what would mend it."""
    yield f"{one.key}  {KINDS[one.kind]}{f' · {one.pairing.title}' if one.pairing else ''}"
    yield from (f"          {line}" for line in _told(one, folder))


def _told(one: ToDo, folder: str) -> Iterator[str]:
    quoted = shlex.quote(folder)
    if one.places:
        yield ", ".join(one.places)
    yield one.says
    if one.proposes:
        yield f"proposed: {one.proposes}"
    elif one.order:
        yield f"what to do: {one.order}"
    if one.proposes:
        yield f"to do it: tiro event {quoted} --accept {one.key}"
    elif one.name:
        yield f"to do it: tiro event {quoted} --accept '{one.key}={_VALUES.get(one.name, 'VALUE')}'"


def _summed_up(state: EventState) -> str:
    counting = sum(one.winner is not None for one in state.decided)
    games = sum(one.pairing.kind == "game" for one in state.decided)
    head = f"{len(state.to_do)} to do" if state.to_do else "nothing to do"
    return f"{head}; {counting} of {games} games count"


def standings_lines(plan: EventPlan, table: StandingsTable) -> Iterator[str]:
    """Yield the standings, the crosstable of a small event, and what is left out."""
    yield f"{plan.name}, after round {table.after}" if table.after else f"{plan.name}, before the first round"
    yield ""
    breaks = plan.tie_breaks
    rounds = range(1, table.after + 1)
    rows = [["", "player", "points", *[HEADS[name] for name in breaks], *[f"r{number}" for number in rounds]]]
    ranks = {score.name: place for place, score in enumerate(table.scores, 1)}
    for score in table.scores:
        values = [figure(score.values[name]) if name in score.values else "" for name in breaks]
        cells = [_cell(score, number, ranks) for number in rounds]
        rows.append([str(score.rank), score.name, figure(score.points), *values, *cells])
    yield from _columns(rows)
    if 1 < len(table.scores) <= _WIDEST_TABLE:
        yield ""
        names = [score.name for score in table.scores]
        cross = [["", "crosstable", *map(str, range(1, len(names) + 1))]]
        for place, score in enumerate(table.scores, 1):
            cells = ["×" if name == score.name else played_against(score, name) or "·" for name in names]
            cross.append([str(place), score.name, *cells])
        yield from _columns(cross)
    yield from _left_out(table)


def _left_out(table: StandingsTable) -> Iterator[str]:
    if table.left_out:
        yield ""
        yield f"not counted: {len(table.left_out)}"
        yield from (f"  {one.pairing.title}: {one.why}" for one in table.left_out)


def _cell(score: PlayerScore, number: int, ranks: dict[str, int]) -> str:
    """Return what a player got in a round, with the opponent's line in the table and the side: ``1w7``."""
    one = next((each for each in score.rounds if each.round == number), None)
    if one is None:
        return "?"
    return f"{mark(one)}{['rome', 'egypt'][one.side][0]}{ranks[one.opponent]}" if one.opponent else f"{mark(one)}·"


def _columns(rows: list[list[str]]) -> Iterator[str]:
    """Yield rows as lines with even columns, texts to the left and all else to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(widths[at]) if at == 1 else cell.rjust(widths[at]) for at, cell in enumerate(row)]
        yield "  ".join(cells).rstrip()


def standings_rows(plan: EventPlan, table: StandingsTable) -> Iterator[list[object]]:
    """Yield the standings as rows for a spreadsheet, the heads first."""
    numbers = range(1, table.after + 1)
    rounds = [f"round {number} {what}" for number in numbers for what in ("opponent", "side", "result", "points")]
    yield ["rank", "player", "id", "club", "points", *plan.tie_breaks, *rounds]
    known = {player.name: player for player in plan.players}
    for score in table.scores:
        player = known.get(score.name)
        own = [player.id, player.club] if player else ["", ""]
        values = [float(score.values[name]) if name in score.values else "" for name in plan.tie_breaks]
        cells: list[object] = []
        for number in numbers:
            one = next((each for each in score.rounds if each.round == number), None)
            side = ("caesar", "cleopatra")[one.side] if one and one.opponent else ""
            cells += [one.opponent, side, mark(one), float(one.points)] if one else ["", "", "?", ""]
        yield [score.rank, score.name, *own, float(score.points), *values, *cells]


def event_data(state: EventState, table: StandingsTable) -> dict[str, Any]:
    """Return an event as values for JSON, as the schema ``event-report`` describes them."""
    return {
        "$schema": SCHEMA,
        "event": state.plan.name,
        "to_do": [_to_do_data(one) for one in state.to_do],
        "games": [_game_data(one) for one in state.decided],
        "standings": {
            "after": table.after,
            "tie_breaks": [*state.plan.tie_breaks],
            "players": [_player_data(score) for score in table.scores],
            "left_out": [_game_data(one) for one in table.left_out],
        },
    }


def _to_do_data(one: ToDo) -> dict[str, Any]:
    return {
        "key": one.key,
        "kind": one.kind,
        "round": one.pairing.round if one.pairing else None,
        "table": one.pairing.table or None if one.pairing else None,
        "places": [*one.places],
        "says": one.says,
        "proposes": one.proposes or None,
        "order": one.order or None,
        "edits": [
            {"file": edit.file, "game": edit.game, "text": edit.text} for edit in one.edits if edit.text != edit.was
        ],
    }


def _game_data(one: Decided) -> dict[str, Any]:
    pairing = one.pairing
    return {
        "round": pairing.round,
        "table": pairing.table or None,
        "kind": pairing.kind,
        "caesar": pairing.caesar,
        "cleopatra": pairing.cleopatra or None,
        "winner": None if one.winner is None else _WINNERS[one.winner],
        "forfeit": one.forfeit,
        "points": list(one.points) if one.points else None,
        "places": [*one.places],
        "left_out": one.why or None,
    }


def _player_data(score: PlayerScore) -> dict[str, Any]:
    return {
        "rank": score.rank,
        "name": score.name,
        "points": float(score.points),
        "tie_breaks": {name: float(value) for name, value in score.values.items()},
        "rounds": [
            {
                "round": each.round,
                "opponent": each.opponent or None,
                "side": ("caesar", "cleopatra")[each.side] if each.opponent else None,
                "result": mark(each),
                "points": float(each.points),
                "played": each.is_played,
            }
            for each in score.rounds
        ],
    }
