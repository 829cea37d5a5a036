"""The folder of an event on the desk is told as ``tiro event`` tells it, and so is what is wrong with it."""

from __future__ import annotations

import builtins
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from archives import zipped
from click.testing import CliRunner
from tironian.notation.jsonform import problems_by_schema
from tironian.tools.cli.command_line import main
from tironian.tools.desk.worker import DeskSession

answer = DeskSession().answer

OPEN = Path(__file__).parents[2] / "examples" / "event"


def asked(data: bytes = b"", **message: Any) -> dict[str, Any]:
    return json.loads(answer(json.dumps(message), data))


def sent(folder: Path) -> dict[str, Any]:
    """What the desk says of a folder whose files are sent to it."""
    asked(ask="event", name=str(folder))
    for number, path in enumerate(sorted(path for path in folder.rglob("*") if path.is_file())):
        asked(path.read_bytes(), ask="event file", name=path.relative_to(folder).as_posix())
        if number == 9:
            asked(ask="event told")
    return asked(ask="event told")


def test_an_event_is_told_as_the_command_tells_it():
    said = sent(OPEN)
    runner = CliRunner()
    assert said["event"] == json.loads(runner.invoke(main, ["event", str(OPEN), "--format", "json"]).stdout)
    lines = [line for one in said["to_do"] for line in (*one["lines"], "")]
    assert [*lines, said["count"]] == runner.invoke(main, ["event", str(OPEN)]).stdout.splitlines()
    place = said["event"]["games"][0]["places"][0]
    assert asked(ask="event text", name=place)["text"] == (OPEN / place).read_text(encoding="utf-8")
    assert said["verdicts"][place] in ("legal", "possible")


def test_what_is_wrong_with_a_folder_is_said_and_nothing_lies_beside_it(tmp_path: Path):
    assert "event.toml" in sent(tmp_path)["fault"]
    (tmp_path / "event.toml").write_text("players = 1", encoding="utf-8")
    told = CliRunner().invoke(main, ["event", str(tmp_path)]).stderr
    assert all(line.removeprefix("event.toml: ") in told for line in sent(tmp_path)["fault"].splitlines())
    for name in ("../a.tiro", "/a.tiro", "a/../../b.tiro"):
        assert "fault" in asked(b"", ask="event file", name=name)


FAULTY: list[Any] = [
    [], {}, {"format": 1, "version": True, "players": {}}, {"format": "tironian-event", "version": 1, "players": [1]},
    {"format": "tironian-event", "version": 1, "players": [{"name": ""}, {"nam": "A"}], "rounds": 0, "tie-break": []},
    {"format": "tironian-event", "version": 1, "players": [], "tie-breaks": ["x"], "points": {"win": "1", "won": -1},
     "rules": "1900", "secret-until": "soon", "rounds": 101},
    {"format": "tironian-event", "version": 1, "players": [{"name": "A", "aliases": [1]}],
     "pairings": [{"round": "1"}, {"round": 1, "caesar": "A", "result": "x"}, {"table": 1.5}]},
]  # fmt: skip


@pytest.mark.parametrize("data", FAULTY, ids=str)
def test_a_file_is_judged_alike_where_the_library_of_schemas_is_missing(data: Any, monkeypatch: pytest.MonkeyPatch):
    known = problems_by_schema("event", data)
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name == "jsonschema":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert known
    assert sorted(map(str, problems_by_schema("event", data))) == sorted(map(str, known))


@pytest.mark.parametrize("name", ["running.tiro", "running.zip", "round1/running.txt"])
def test_nothing_is_told_of_a_game_that_runs_in_tournament_mode(tmp_path: Path, name: str):
    """It is as if its file were not there, and the page says so."""
    shutil.copytree(OPEN, tmp_path / "open")
    known = sent(tmp_path / "open")
    text = next(path for path in sorted(OPEN.rglob("*.tiro"))).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(("[Result", "[Termination"))][:-4]
    running = "\n".join(['[Mode "tournament"]', *lines, "*", ""]).encode()
    (tmp_path / "open" / name).write_bytes(running if not name.endswith("zip") else zipped({"a.tiro": running}))
    told = sent(tmp_path / "open")
    (said,) = told.pop("left_out")
    assert said.startswith(f"{name}: This game is not over")
    assert told | {"left_out": []} == known
    assert asked(ask="event text", name=name) == {"text": ""}
