"""What the JSON report says of a game's result is what the library says, field by field, for every example."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from archives import ROOT, tiro
from jsonschema import Draft202012Validator
from schema_parts import closed_schema
from tironian import check, parse
from tironian.notation.cards import GROUP_NAMES

EXAMPLES = sorted((ROOT / "examples").rglob("*.tiro"))


@cache
def report() -> dict:
    """The report on all examples."""
    return json.loads(tiro("check", "--format", "json", "--ignore", "A10", *EXAMPLES).stdout)


def test_the_report_on_the_examples_is_valid():
    Draft202012Validator(closed_schema("report")).validate(report())


def test_every_field_is_what_the_library_says():
    told = iter(report()["games"])
    for path in EXAMPLES:
        for game in parse(path.read_text(encoding="utf-8"), str(path)):
            assert next(told) | {"same_as": None} == expected(path, game), (path, game.number)
    assert not list(told)


def expected(path: Path, game) -> dict:
    verdict, record = check(game), game.record
    came = verdict.outcome
    return {
        "file": str(path),
        "game": game.number,
        "line": game.source.first,
        "headers": [{"name": name, "value": value} for name, value in record.headers],
        "title": f"{record.header('Caesar', '?')} – {record.header('Cleopatra', '?')}",
        "edition": verdict.edition.name,
        **{name: getattr(verdict, name) for name in ("events", "turns", "verdict", "summary", "stopped")},
        "same_as": None,
        "outcome": {
            "finished": came.finished, "winner": {0: "rome", 1: "egypt", 2: "draw", None: None}[came.winner],
            "decided_by": came.decided_by, "ending": came.ending, "termination": came.termination,
            "points": came.points and {"rome": came.points[0], "egypt": came.points[1]},
        },
        "score": verdict.score and {"rome": side(verdict.score.sides[0]), "egypt": side(verdict.score.sides[1])},
        "diagnostics": [diagnostic(each) for each in verdict.diagnostics],
    }  # fmt: skip


def side(each) -> dict:
    return {
        **{name: getattr(each, name) for name in ("points", "mission_points", "open_points", "penalty")},
        "patricians_won": each.patricians,
        "groups": [
            {"group": GROUP_NAMES[row.group]}
            | {name: getattr(row, name) for name in ("patricians", "majority", "whole", "points")}
            for row in each.rows
        ],
        "missions": list(each.missions),
    }


def diagnostic(each) -> dict:
    plain = ("code", "severity", "message", "turn", "rule", "cite", "help")
    return {
        **{name: getattr(each, name) for name in plain},
        "here": each.underline_text,
        **place(each.source, each.span),
        "fixes": [],
        "labels": [{**place(each.source, label.span), "text": label.text} for label in each.labels],
    }


def place(source, span) -> dict:
    return {"line": source.first + span.line, "column": span.start + 1, "end_column": max(span.start, span.end) + 1}


def test_how_every_example_came_out():
    """By hand, from the result lines of the examples that are whole."""
    found = {}
    for game in report()["games"]:
        if "/broken/" not in game["file"] and game["outcome"]["finished"]:
            file = Path(game["file"])
            came = game["outcome"]
            found[f"{file.parent.name}/{file.stem}"] = (came["winner"], came["decided_by"])
    assert found["2024/tie-break"] == ("egypt", "tie-break")
    assert found["1997/resigned"][1] == "resigned"
    assert found["fr/drawn"] == ("draw", "points")


def test_what_is_no_game_has_no_outcome():
    report = json.loads(tiro("check", "--format", "json", "-", stdin=b"; nothing\n").stdout)
    Draft202012Validator(closed_schema("report")).validate(report)
    (game,) = report["games"]
    assert (game["outcome"], game["score"], game["headers"]) == (None, None, [])
