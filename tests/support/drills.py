"""Positions that a player got wrong, for the tests of ``tiro drill``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tironian import analyse, parse
from tironian.notation.safe_text import json_lines
from tironian.tools.insight.drill import Drill, DrilledGame, Exercise, drill_data, number_of_moves

GAME = (Path(__file__).parents[2] / "examples/2024/annotated.tiro").read_text(encoding="utf-8")
BEGINNING = GAME.partition("\n4E ")[0] + "\n"
EGYPT = 1


@cache
def state() -> str:
    """The state of three positions that were never asked."""
    report = analyse(parse(BEGINNING)[0], EGYPT, "quick")
    side, log = report.sides[EGYPT], report.log[EGYPT]
    assert side is not None
    assert log is not None
    moves = [judged for judged in side.decisions if judged.options > 4 and judged.loss]
    exercises = [Exercise(judged._replace(loss=0.2)) for judged in moves[:3]]
    game = DrilledGame(number_of_moves(log), EGYPT, "2024", report.net, "quick", log, exercises)
    return json_lines(drill_data(Drill([game])), "games")
