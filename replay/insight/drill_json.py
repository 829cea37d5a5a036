"""Exercises and answers as data, as ``schemas/drill.schema.json`` describes them."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from ...notation.cards import SIDE_LETTERS
from ...notation.reader import parse
from ...notation.writer import write
from ..engine.headers import read_headers
from .analysis_json import decision_data, judged_of, places_of
from .drill import Drill, DrilledGame, Exercise, Review

SCHEMA: Final = "urn:tironian:schema:drill:1"


def drill_data(drill: Drill) -> dict[str, Any]:
    """Return everything as the schema's object, games in the order in which they came."""
    return {"$schema": SCHEMA, "games": [_game_data(game) for game in drill.games.values()]}


def _game_data(game: DrilledGame) -> dict[str, Any]:
    return {
        "moves": game.moves,
        "side": SIDE_LETTERS[game.side],
        "rules": game.rules,
        "net": game.net,
        "level": game.level,
        "log": write(game.log),
        "exercises": [
            decision_data(each.judged, game.log)
            | {
                "number": each.number + 1,
                "reviews": [review._asdict() | {"day": f"{review.day}"} for review in each.reviews],
            }
            for each in game.exercises
        ],
    }


def drill_of(data: dict[str, Any]) -> Drill:
    """Return what data of the schema describe. Raise ValueError where they don't fit together."""
    return Drill(map(_game, data["games"]))


def _game(data: dict[str, Any]) -> DrilledGame:
    read = parse(data["log"])
    if len(read) != 1:
        raise ValueError("a log is not one game")
    log = read[0].record
    edition = read_headers(log, data["rules"]).edition
    if edition is None or edition.name != data["rules"]:
        raise ValueError("a log is of other rules")
    places = places_of(log)
    if not {each["turn"] for each in data["exercises"]} <= places.keys():
        raise ValueError("a log lacks a turn")
    return DrilledGame(
        data["moves"],
        SIDE_LETTERS.index(data["side"]),
        data["rules"],
        data["net"],
        data["level"],
        log,
        [_exercise(each, places[each["turn"]]) for each in data["exercises"]],
    )


def _exercise(data: dict[str, Any], turn: int) -> Exercise:
    reviews = [Review(date.fromisoformat(each["day"]), each["move"], each["rating"]) for each in data["reviews"]]
    return Exercise(judged_of(data, turn), data["number"] - 1, reviews)
