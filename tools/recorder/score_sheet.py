"""The score sheet that both players check before they sign, as lines of plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from io import StringIO
from itertools import product, zip_longest
from typing import Final

from ...notation.basics import EGYPT, PLAYER_NAMES, ROME, visible
from ...notation.language import GROUPS, PLAYERS, Messages, phrase, plural
from ...notation.records import Record, Result, score_text
from ...replay.diagnostics.api import capital
from ...replay.engine.api import Outcome, parts, points_text, winner_text
from ...replay.rules.api import DRAWN, Edition, Score, SideScore, State, counting_missions, decide
from ...replay.words.api import mission_words
from .draft import Draft
from .questions import ended

WIDTH: Final = 75
"""The most characters in a line: this fits a small terminal with a border and a scrollbar, and a narrow sheet of paper.
"""
NARROW: Final = 53
"""The fewest characters in a line: the sheet can't be narrower."""
_LABEL: Final = 12
"""The fewest characters of a row's label."""
_LABELS: Final[Messages] = {
    "all": "All groups", "mission": "Mission", "missions": "For missions", "penalty": "Penalty", "points": "Points",
}  # fmt: skip
_GAPS: Final = 3
"""The number of characters between the labels and the columns, and between the columns."""
_HEADINGS: Final[Messages] = {
    "full": ("patricians", "majority", "all", "points"),
    "short": ("patr", "maj", "all", "points"),
}
"""What the figures mean, in full and in short."""
_VERDICTS: Final[Messages] = {True: "fulfilled", False: "not fulfilled", None: "unknown whether fulfilled"}


def score_sheet(draft: Draft, width: int = WIDTH) -> list[str]:
    """Return the end scoring of a game for both players to go through, with a column for each (O1–O6, M3–M5).

    No line is wider than ``width`` characters. Every record has a sheet: if the cards can't be followed to the end, or
    the game was broken off, the sheet says so, and what that means for the points.
    """
    width = max(NARROW, min(width, WIDTH))
    sheet = [phrase("Score sheet"), *_wrapped(_occasion(draft.record), width), ""]
    state, game_score = draft.verdict.state, draft.verdict.score
    if state is None or game_score is None:
        sentences = _uncounted(draft)
    else:
        sheet += [*_columns(draft.record, state, game_score, width), ""]
        sentences = _conclusion(draft, state, game_score)
    return [*sheet, *[line for sentence in sentences for line in _wrapped(sentence, width)]]


def score_in_parts(draft: Draft) -> list[str]:
    """Return the sheet in three lines: who has won, and what both sides' points are for.

    Return nothing if the points are unknown or do not decide the game.
    """
    game_score = draft.verdict.score
    if not draft.is_over or game_score is None or game_score.is_open or draft.record.points is None:
        return []
    return [_winner(game_score), *[parts(side, game_score) for side in (ROME, EGYPT)]]


def _occasion(record: Record) -> str:
    given = [record.header(name).strip() for name in ("Event", "Site", "Date")]
    if (number := record.header("Round").strip()).strip("?"):
        given.append(phrase("round {number}", number=number))
    return ", ".join(visible(text) for text in given if text.strip("?.")) or phrase("an unnamed game")


def _uncounted(draft: Draft) -> Iterator[str]:
    """Yield why there are no points, and who has won nevertheless."""
    record, ending_outcome = draft.record, draft.verdict.outcome
    if not record.turns:
        yield phrase("Nothing was laid out, so nothing can be counted.")
    elif draft.frame.edition is None:
        yield phrase("The rule set is unknown, so nothing can be counted.")
    else:
        yield phrase("The cards can't be followed to the end, so nothing can be counted.")
    yield from _decision(ending_outcome)
    if not record.turns and ending_outcome.decided_by == "statement" and ending_outcome.winner in (ROME, EGYPT):
        yield phrase("{player.name} was awarded the game.", player=PLAYERS[ending_outcome.winner])
    yield _claim(record)


def _conclusion(draft: Draft, state: State, game_score: Score) -> Iterator[str]:
    """Yield who has won, or why the points do not show it; and whether the record says something else."""
    record, ending_outcome = draft.record, draft.verdict.outcome
    if draft.frame.is_broken_off:
        yield from _broken_off(record, ending_outcome)
        return
    if ending_outcome.ending is None:
        yield phrase("The game is not over: these points do not decide it.")
    elif game_score.is_open:
        yield phrase("It is not known for every mission whether it is fulfilled.")
        yield _certain_winner(state.edition, game_score)
    else:
        yield _winner(game_score)
    written = record.result or Result()
    winner = game_score.winner if ending_outcome.ending else None
    if written.points not in (None, game_score.points) or written.winner not in (None, winner):
        yield _claim(record)


def _broken_off(record: Record, ending_outcome: Outcome) -> Iterator[str]:
    broken = phrase("Broken off ({how}): these points do not decide the game.", how=ended(record.header("Termination")))
    yield from _decision(ending_outcome) or [broken]
    if ending_outcome.decided_by in (None, "statement") or ending_outcome.points:
        yield _claim(record)


def _decision(ending_outcome: Outcome) -> list[str]:
    """Return who has won although the points do not show it, if that is known."""
    if ending_outcome.decided_by in (None, "statement"):
        return []
    return [phrase("{winner}, whatever the points are.", winner=capital(winner_text(ending_outcome)))]


def _certain_winner(edition: Edition, game_score: Score) -> str:
    """Return who has won, whatever the unknown missions are (O6)."""
    rome, egypt = [side.possible_points(edition.mission_points) for side in game_score.sides]
    patricians = (game_score.sides[ROME].patricians, game_score.sides[EGYPT].patricians)
    winners = {decide(edition, points, patricians)[0] for points in product(rome, egypt)}
    if len(winners) > 1:
        return phrase("These points do not decide the game yet.")
    (winner,) = winners
    if winner == DRAWN:
        return phrase("It is a draw in any case.")
    return phrase("{player.name} wins in any case.", player=PLAYERS[winner])


def _winner(game_score: Score) -> str:
    points = points_text(game_score.points)
    if game_score.winner == DRAWN:
        return phrase("A draw, {points}.", points=points)
    player = PLAYERS[game_score.winner]
    if game_score.by_tie_break:
        more, less = [game_score.sides[side].patricians for side in (game_score.winner, 1 - game_score.winner)]
        return plural(
            "{player.name} wins by the tie-break: {points}, but {count} patrician to {less}.",
            "{player.name} wins by the tie-break: {points}, but {count} patricians to {less}.",
            more,
            player=player,
            points=points,
            less=less,
        )
    return phrase("{player.name} wins, {points}.", player=player, points=points)


def _claim(record: Record) -> str:
    written = record.header("Result", "*") if record.result is None else score_text(record.result)
    return phrase("The record itself says: {result}", result=visible(written))


def _columns(record: Record, state: State, game_score: Score, width: int) -> Iterator[str]:
    """Yield a row for each group, and for missions, penalties and the points (O1–O5), in lines of at most a given
    width.
    """
    from rich.cells import cell_len, set_cell_size  # late: recording works without a sheet, even without rich

    edition, (rome, egypt) = state.edition, game_score.sides
    missions = max(len(rome.missions), len(egypt.missions))
    headings = [[*map(phrase, names)] for names in _HEADINGS.values()]
    room = max(_LABEL, *[cell_len(phrase(label)) for label in _LABELS.values()])
    wide = (width - room - _GAPS) // 2
    heading = next((names for names in headings if len(" ".join(names)) <= wide), headings[-1])

    def row(label: str, cell: Callable[[SideScore, int], str]) -> Iterator[str]:
        """Yield a row of the sheet, in as many lines as its longer cell needs."""
        cells = [_wrapped(cell(score, side), wide) for side, score in enumerate(game_score.sides)]
        for name, left, right in zip_longest([label], *cells, fillvalue=""):
            yield f"{set_cell_size(name, room)} {set_cell_size(left, wide)}  {right}".rstrip()

    def figures(*values: object) -> str:
        return " ".join(str(value).rjust(len(name)) for value, name in zip(values, heading, strict=True))

    def last(values: Iterable[int]) -> str:
        said = reduce(lambda one, other: phrase("{one} or {other}", one=one, other=other), map(str, values))
        return said.rjust(len(" ".join(heading)))

    yield from row("", lambda _, side: _player(record, side))
    yield from row("", lambda *_: figures(*heading))
    for place, group in enumerate(edition.groups):
        yield from row(GROUPS[group].bare, lambda score, _, place=place: figures(*score.rows[place][1:]))
    sums = [[*map(sum, zip(*[group[1:] for group in score.rows], strict=True))] for score in game_score.sides]
    yield from row(phrase(_LABELS["all"]), lambda _, side: figures(*sums[side]))
    for place in range(missions):
        yield from row(phrase(_LABELS["mission"]), lambda score, side, place=place: _mission(state, score, side, place))
    if missions:
        yield from row(phrase(_LABELS["missions"]), lambda score, _: last(_mission_points(edition, score)))
    if rome.penalty or egypt.penalty:
        yield from row(phrase(_LABELS["penalty"]), lambda score, _: last([-score.penalty]))
    yield from row(
        phrase(_LABELS["points"]), lambda score, _: last(sorted(score.possible_points(edition.mission_points)))
    )


def _player(record: Record, side: int) -> str:
    name = record.header(PLAYER_NAMES[side]).strip()
    return f"{PLAYERS[side].name}: {visible(name)}" if name.strip("?") else PLAYERS[side].name


def _mission(state: State, game_score: SideScore, side: int, place: int) -> str:
    """Return a mission and whether it was fulfilled; nothing if the side has no more missions."""
    if place >= len(game_score.missions):
        return ""
    mission = counting_missions(state.edition, state.sides[side])[place]
    verdict = game_score.missions[place]
    words = visible(mission_words(mission))
    return words if mission.kind == "unknown" and verdict is None else f"{words}: {phrase(_VERDICTS[verdict])}"


def _mission_points(edition: Edition, game_score: SideScore) -> range:
    sure, more = game_score.mission_points, game_score.open_points
    return range(sure, sure + more + 1, edition.mission_points)


def _wrapped(text: str, width: int) -> list[str]:
    """Return a visible text in lines of at most ``width`` characters; a text that fits stays unchanged."""
    from rich.cells import cell_len
    from rich.console import Console
    from rich.text import Text

    if cell_len(text) <= width:
        return [text]
    return [line.plain.rstrip() for line in Text(text).wrap(Console(file=StringIO()), width, overflow="fold")]
