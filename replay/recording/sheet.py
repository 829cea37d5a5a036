"""The score sheet: what both players look at before they sign, as lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...notation.cards import EGYPT, PLAYER_NAMES, ROME
from ...notation.record import Record, Result
from ...notation.writer import score_text
from ..course import Course, run
from ..headers import Frame, read_headers
from ..report.safe import visible
from ..result import Outcome, final_score, outcome, points_text, winner_text
from ..rules.scoring import DRAWN, Score, decide
from .columns import NARROW, WIDTH, columns, wrapped


def score_sheet(record: Record, rules: str = "", width: int = WIDTH) -> list[str]:
    """The end scoring of a record as both players can go through it, a column for each (O1–O6, M3–M5).

    ``rules`` names the rule set for a record whose headers don't; no line is wider than ``width``. Whatever the record
    says, there is a sheet: where the cards can't be followed to the end, or the game was broken off, it says so and
    what that means for the points.
    """
    frame = read_headers(record, rules)
    width = max(NARROW, min(width, WIDTH))
    sheet = ["Score sheet", *wrapped(_occasion(record), width), ""]
    course = None if frame.edition is None else run(record, frame)
    counted = None if course is None else final_score(record, course)
    if course is not None and counted is not None:
        sheet += [*columns(record, course, counted, width), ""]
    told = _conclusion(record, frame, course, counted)
    return [*sheet, *[line for each in told for line in wrapped(each, width)]]


def _occasion(record: Record) -> str:
    given = [record.header(name).strip() for name in ("Event", "Site", "Date")]
    if (number := record.header("Round").strip()).strip("?"):
        given.append(f"round {number}")
    return ", ".join(visible(text) for text in given if text.strip("?.")) or "an unnamed game"


def _conclusion(record: Record, frame: Frame, course: Course | None, counted: Score | None) -> Iterator[str]:
    """Who has won, or why the points do not say it; and whether the record says something else."""
    came = outcome(record, frame, course, counted)
    if course is None or counted is None:
        why = "The rule set is not known" if course is None else "The cards can't be followed to the end"
        yield f"{why}, so nothing can be counted."
        yield from _decision(came)
        yield _claim(record)
        return
    if frame.termination not in ("", "normal"):
        why = visible(record.header("Termination"))
        yield from _decision(came) or [f"Broken off ({why}): these points do not decide the game."]
        if came.by in (None, "statement") or came.points:
            yield _claim(record)
        return
    if came.ending is None:
        yield "The game is not over: these points do not decide it."
    elif counted.is_open:
        yield "It is not known of every mission whether it was fulfilled."
        yield _foregone(course, counted)
    else:
        yield _winner(counted)
    written = record.result or Result()
    winner = counted.winner if came.ending else None
    if written.points not in (None, counted.points) or written.winner not in (None, winner):
        yield _claim(record)


def _decision(came: Outcome) -> list[str]:
    """Return who has won although the points do not say it, where that is known."""
    told = winner_text(came)
    return [] if came.by in (None, "statement") else [f"{told[0].upper()}{told[1:]}, whatever the points are."]


def _foregone(course: Course, counted: Score) -> str:
    """Who has won whatever becomes of the missions that are not known (O6)."""
    rome, egypt = [side.possible_points(course.edition.mission_points) for side in counted.sides]
    patricians = (counted.sides[ROME].patricians, counted.sides[EGYPT].patricians)
    winners = {decide(course.edition, points, patricians)[0] for points in product(rome, egypt)}
    if len(winners) > 1:
        return "These points do not decide the game yet."
    (winner,) = winners
    return "It is a draw in any case." if winner == DRAWN else f"{PLAYER_NAMES[winner]} wins in any case."


def _winner(counted: Score) -> str:
    points = points_text(counted.points)
    if counted.winner == DRAWN:
        return f"A draw, {points}."
    if counted.by_tie_break:
        rome, egypt = [side.patricians for side in counted.sides]
        patricians = f"{rome} patrician{'s' * (rome != 1)} to {egypt}"
        return f"{PLAYER_NAMES[counted.winner]} wins by the tie-break: {points}, but {patricians}."
    return f"{PLAYER_NAMES[counted.winner]} wins, {points}."


def _claim(record: Record) -> str:
    written = record.header("Result", "*") if record.result is None else score_text(record.result)
    return f"The record itself says: {visible(written)}"
