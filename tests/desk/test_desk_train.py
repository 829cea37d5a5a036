"""A person's own mistakes by taps, without a browser: what is asked is what `tiro drill` asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from scale import scaled
from tironian import load_edition, simulate, view
from tironian.notation.writer import write
from tironian.schemas import load_schema
from tironian.tools.desk.desk import DeskError
from tironian.tools.desk.folder import GameFolder
from tironian.tools.desk.serving.training import HINT, NEXT, SHOW, Training
from tironian.tools.insight.drill import waiting
from tironian.tools.insight.practice import NAME, DrillFile

SCREEN = Draft202012Validator(load_schema("desk"))
DAY = date(2026, 3, 12)
PLAYER = "Livia"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> GameFolder:
    """A folder of games that a player has recorded, and one of somebody else."""
    place = tmp_path_factory.mktemp("games")
    for seed in range(scaled(3, 20)):
        record = simulate(load_edition("2024"), seed=seed)
        seen = view(record, "caesar").record
        headers = {**dict(seen.headers), "Caesar": "Marcus" if seed == 1 else PLAYER, "Cleopatra": "Tullia"}
        (place / f"{seed}.tiro").write_text(write(replace(seen, headers=tuple(headers.items()))))
    return GameFolder(place)


def asked(training: Training, **more: Any) -> dict[str, Any]:
    told = training.answer({"ask": "train", **more}, lambda: None)
    assert told is not None
    if told["screen"]:
        SCREEN.validate(told["screen"])
    return told


def tap(training: Training, told: dict[str, Any], key: tuple[str, str]) -> dict[str, Any]:
    return asked(training, number=told["number"], tap={"tap": key[0], key[0]: key[1]})


def test_for_three_days_it_asks_what_the_drill_asks(games: GameFolder, tmp_path: Path):
    new, sizes = 5, []
    for day in range(3):
        today = DAY + timedelta(days=day)
        training = Training(tmp_path, games, lambda today=today: today, "quick")
        told = asked(training, player=PLAYER, new=new)
        kept = DrillFile(str(tmp_path / NAME)).drill
        wanted = waiting((game for game in kept.games.values() if game.log.header("Caesar") == PLAYER), today, new)
        assert [each.key for _, each in training.tasks] == [each.key for _, each in wanted]
        assert told["tasks"] == len(wanted)
        sizes.append(told["tasks"])
        while told["screen"]:
            if told["number"] % 2:
                best = training.asking.posed.exercise.judged.best
                told = asked(training, number=told["number"], tap={"tap": "text", "text": best})
                assert told["screen"]["prompt"].startswith("Right")
            else:
                told = tap(training, told, SHOW)
                assert told["screen"]["prompt"].startswith("This is the solution")
            assert "asked this position again" in told["screen"]["turn"]
            again = DrillFile(str(tmp_path / NAME)).drill  # each answer is kept at once
            assert (
                sum(each.reviews[-1:] != [] for game in again.games.values() for each in game.exercises)
                >= told["number"]
            )
            told = tap(training, told, NEXT)
        assert told["ended"]
    assert sizes[0] == new
    assert sizes[1] > new // 2 - 1, "what was answered wrong is asked again"


def test_whose_mistakes_can_be_asked(games: GameFolder, tmp_path: Path):
    training = Training(tmp_path, games, lambda: DAY, "quick")
    assert training.answer({"ask": "trained"}, lambda: None) == {"players": [PLAYER, "Marcus"]}
    asked(training, player="Marcus", new=3)
    assert {game.log.header("Caesar") for game in training.games} == {"Marcus"}
    told = asked(training, player=PLAYER, new=3)
    before = told["screen"]
    hinted = tap(training, told, HINT)["screen"]
    assert "One of these is the best" in hinted["said"]
    assert hinted["offers"] == before["offers"]
    assert tap(training, {"number": told["number"] + 1}, SHOW)["screen"]["prompt"] == before["prompt"], (
        "another position"
    )


def test_a_damaged_state_is_left_as_it_is(games: GameFolder, tmp_path: Path):
    (tmp_path / NAME).write_text("nonsense")
    with pytest.raises(DeskError, match="not a state"):
        asked(Training(tmp_path, games, lambda: DAY, "quick"), player=PLAYER, new=3)
    assert (tmp_path / NAME).read_text() == "nonsense"
    with pytest.raises(DeskError):
        asked(Training(tmp_path / "new", games), player=PLAYER, new=-1)
