"""An event in words, as data and as rows: what is left to do, and the standings."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any, Final

from ...notation.basics import SIGNS
from ...notation.language import Messages, clauses, labelled, number_word, phrase, plural
from ...replay.engine.api import points_text
from .facts import ALIAS, RESULT, Decided, ToDo, fact
from .plan import RESULTS, EventPlan, EventPlayer, Pairing
from .standings import PlayerScore, RoundScore, StandingsTable, figure, mark
from .todo import EventState
from .words import said

SCHEMA: Final = "urn:tironian:schema:event-report:1"
_HEADS: Final[Messages] = {
    "buchholz": ("Buch", "Buchholz"),
    "sonneborn-berger": ("SoBe", "Sonneborn-Berger"),
    "direct-encounter": ("Dir", "direct encounter"),
    "wins": ("Wins", "wins"),
    "points-for": ("For", "game points for"),
    "points-against": ("Agst", "game points against"),
}
"""The heads of the tie-break columns, in short and in full."""
_INDENT: Final = 10 * " "
_VALUES: Final = {RESULT: RESULTS[0], ALIAS: "NAME", "Caesar": "NAME", "Cleopatra": "NAME", "Round": "NUMBER"}
"""What header values and pairing results look like."""
_WIDEST_TABLE: Final = 24
"""The most players whose crosstable is shown as text; more don't fit on a screen."""
_WINNERS: Final = ("caesar", "cleopatra", "draw", "nobody")


def to_do_lines(state: EventState, folder: str) -> Iterator[str]:
    """Yield the lines that say what is left to do."""
    for one in state.to_do:
        yield from lines_of(one, folder)
        yield ""
    yield count_line(state)


def count_line(state: EventState) -> str:
    """Return the line that says how much there is to do, or which round the event is waiting for, and how many games
    count.
    """
    games = [one for one in state.decided if one.pairing.kind == "game"]
    counting = sum(one.winner is not None for one in games)
    played = state.games.played_rounds()
    coming = sorted(one.pairing.round for one in games if one.pairing.round > played)
    do = phrase("{count} to do", count=len(state.to_do)) if state.to_do else phrase("nothing to do")
    if coming and not state.to_do:
        count = coming.count(coming[0])
        do = plural(
            "waiting for {number} game of round {round}", "waiting for {number} games of round {round}",
            count, number=number_word(count), round=coming[0],
        )  # fmt: skip
    facts = {"counting": counting, "games": plural("{count} game", "{count} games", len(games))}
    told = plural("{counting} of {games} counts", "{counting} of {games} count", counting, **facts)
    if scores := sum(one.by_score for one in games):
        told += ", " + phrase("{count} by the score alone", count=scores)
    return clauses((do, told))


def lines_of(one: ToDo, folder: str) -> list[str]:
    """Return the lines that say what is wrong and how to correct it."""
    lines = [f"{one.key}  {said(fact(one.kind))}{f' · {one.pairing.title}' if one.pairing else ''}"]
    lines += [f"{_INDENT}{line}" for line in (", ".join(one.places), said(one.problem)) if line]
    told = [labelled(phrase("proposed") if one.proposes else phrase("what to do"), said(one.proposes or one.order))]
    told = told if one.proposes or one.order else []
    command = f"tiro event {shlex.quote(folder)}"
    if one.proposes or one.name:
        key = one.key if one.proposes else f"'{one.key}={_VALUES.get(one.name, 'VALUE')}'"
        told.append(phrase("to do it: {command}", command=f"{command} --accept {key}"))
        if one.name == RESULT and not one.proposes:
            words = {"won": ", ".join(RESULTS[1:3]), "missed": ", ".join(RESULTS[3:])}
            told.append(phrase("or {won}, 20-7; if it was not played, {missed}", **words))
    else:
        told.append(phrase("to leave it as it is: {command}", command=f"{command} --refuse {one.key}"))
    return [*lines, *[f"{_INDENT}{line}" for line in told]]


def kind_of(one: ToDo) -> str:
    """Return the kind of something to do, in words."""
    return said(fact(one.kind))


def problem_of(one: ToDo) -> str:
    """Return what is wrong."""
    return said(one.problem)


def solution_of(one: ToDo) -> str:
    """Return what is proposed, or else what somebody has to do."""
    return said(one.proposes or one.order)


def possible_values(one: ToDo, plan: EventPlan) -> tuple[bool, tuple[str, ...]]:
    """Return whether another value may be given, and those that are likely, if they can be listed."""
    if one.name == RESULT:
        return True, RESULTS
    if one.name in (ALIAS, "Caesar", "Cleopatra"):
        return True, tuple(player.name for player in plan.players)
    return bool(one.name and one.edits), ()


def endings(pairing: Pairing) -> list[tuple[str, str]]:
    """Return the results that a pairing may have, besides a score, each with its words."""
    rome, egypt = pairing.names
    won, draw = (phrase("{name} won", name=rome), phrase("{name} won", name=egypt)), phrase("a draw")
    both = ((rome, egypt), (egypt, rome))
    missed = [phrase("{winner} won, {other} did not come", winner=one, other=other) for one, other in both]
    return [*zip(RESULTS, (*won, draw, *missed, phrase("neither came")), strict=True)]


def standings_lines(plan: EventPlan, table: StandingsTable) -> Iterator[str]:
    """Yield the standings, the crosstable if the event is small, and what is left out."""
    when = phrase("after round {round}", round=table.after) if table.after else phrase("before the first round")
    yield f"{plan.name}, {when}"
    yield ""
    heads, rows = standings_table(plan, table)
    yield from _columns([["", *[short for short, _ in heads[1:]]], *rows])
    names = [score.name for score in table.scores]
    if 1 < len(names) <= _WIDEST_TABLE:
        yield ""
        cross = [["", phrase("Crosstable"), *[str(place) for place in range(1, len(names) + 1)]]]
        for place, score in enumerate(table.scores, 1):
            against = {name: [mark(each) for each in score.rounds if each.opponent == name] for name in names}
            cells = ["×" if name == score.name else " ".join(got) or "·" for name, got in against.items()]
            cross.append([str(place), score.name, *cells])
        yield from _columns(cross)
    if table.scored:
        yield from ("", phrase("known by the score alone: {count}", count=len(table.scored)))
        scores = ((one.pairing.title, points_text(one.points) if one.points else "") for one in table.scored)
        yield from (f"  {labelled(*score)}" for score in scores)
    if table.left_out:
        yield from ("", phrase("not counted: {count}", count=len(table.left_out)))
        yield from (f"  {labelled(one.pairing.title, said(one.why))}" for one in table.left_out)


def standings_table(plan: EventPlan, table: StandingsTable) -> tuple[list[tuple[str, str]], list[list[str]]]:
    """Return the heads of the standings, each in short and in full, and a row of cells for each player.

    A round's cell holds the player's result, the sign of the side, and the opponent's line in the table: ``1▼8``.
    """
    rounds = range(1, table.after + 1)
    heads = [("#", phrase("rank")), (phrase("Player"), phrase("player")), (phrase("Points"), phrase("points"))]
    heads += [(phrase(short), phrase(long)) for short, long in map(_HEADS.__getitem__, plan.tie_breaks)]
    heads += [(phrase("R{round}", round=at), phrase("round {round}", round=at)) for at in rounds]
    lines = {score.name: place for place, score in enumerate(table.scores, 1)}
    rows = []
    for score in table.scores:
        values = [figure(score.values[name]) if name in score.values else "" for name in plan.tie_breaks]
        open_ = [one.pairing.round for one in table.left_out if score.name in one.pairing.players]
        cells = [
            " ".join([*[_met(one, lines) for one in score.in_round(at)], *["?"] * open_.count(at)]) for at in rounds
        ]
        rows.append([str(score.rank), score.name, figure(score.points), *values, *cells])
    return heads, rows


def _met(each: RoundScore, lines: dict[str, int]) -> str:
    return mark(each) + (f"{SIGNS[each.side]}{lines[each.opponent]}" if each.opponent else "·")


def _columns(rows: list[list[str]]) -> Iterator[str]:
    """Yield rows as lines with aligned columns, names to the left and everything else to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(widths[at]) if at == 1 else cell.rjust(widths[at]) for at, cell in enumerate(row)]
        yield "  ".join(cells).rstrip()


def standings_rows(plan: EventPlan, table: StandingsTable) -> Iterator[list[object]]:
    """Yield the standings as rows for a spreadsheet, starting with the heads."""
    numbers, told = range(1, table.after + 1), ("opponent", "side", "result", "points")
    rounds = [f"round {number} {what}" for number in numbers for what in told]
    yield ["rank", "player", "id", "club", "points", *plan.tie_breaks, *rounds]
    known = {player.name: player for player in plan.players}
    for score in table.scores:
        player, got = known.get(score.name, EventPlayer(score.name)), map(score.in_round, numbers)
        values = [float(score.values[name]) if name in score.values else "" for name in plan.tie_breaks]
        cells = [_cell([_round_data(one)[what] for one in some], what) for some in got for what in told]
        yield [score.rank, score.name, player.id, player.club, float(score.points), *values, *cells]


def _cell(values: list[Any], what: str) -> object:
    """Return the cell of a round in a spreadsheet: several games of a round share it."""
    if what == "points" and values:
        return sum(values)
    return " ".join(str(value or "") for value in values) or "?" * (what == "result")


def event_data(state: EventState, table: StandingsTable) -> dict[str, Any]:
    """Return an event as values for JSON, as described in the schema ``event-report``."""
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
    at = {"round": one.pairing and one.pairing.round, "table": (one.pairing and one.pairing.table) or None}
    what = {"key": one.key, "kind": one.kind, **at, "places": one.places, "says": said(one.problem)}
    edits = [{"file": edit.file, "game": edit.game, "text": edit.text} for edit in one.edits if edit.text != edit.was]
    return {**what, "proposes": said(one.proposes) or None, "order": said(one.order) or None, "edits": edits}


def _game_data(one: Decided) -> dict[str, Any]:
    winner = None if one.winner is None else _WINNERS[one.winner]
    pairing = {name: getattr(one.pairing, name) or None for name in ("round", "table", "kind", "caesar", "cleopatra")}
    came = {"winner": winner, "forfeit": one.forfeit, "points": one.points, "by_score": one.by_score}
    return {**pairing, **came, "places": one.places, "left_out": said(one.why) or None}


def _player_data(score: PlayerScore) -> dict[str, Any]:
    values = {name: float(value) for name, value in score.values.items()}
    what = {"rank": score.rank, "name": score.name, "points": float(score.points), "tie_breaks": values}
    return {**what, "rounds": [_round_data(each) for each in score.rounds]}


def _round_data(each: RoundScore) -> dict[str, Any]:
    against = {"opponent": each.opponent or None, "side": _WINNERS[each.side] if each.opponent else None}
    got = {"result": mark(each), "points": float(each.points), "played": each.is_played}
    return {"round": each.round, **against, **got}
