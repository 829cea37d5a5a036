"""A fault of the program itself on one game: told with its place, and the rest of the run is whole (T001)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archives import BROKEN, games, tiro
from tironian import check, parse
from tironian.notation.reader import as_game
from tironian.replay.checking import api as checking
from tironian.tools.archive import checker
from tironian.tools.cli import convert as formatting
from tironian.tools.repair import api as repairs

PLACE = "test_own_fault.py:"
SAID = "this is a bug in tiro"


def failing(work: Callable[..., Any], bad: Callable[[Any], bool]) -> Callable[..., Any]:
    """The same work, which fails where its first argument is a bad one."""

    def fail_or_work(first: Any, *more: Any, **named: Any) -> Any:
        if bad(first):
            raise IndexError(f"\x1b[2J{'long ' * 100}")
        return work(first, *more, **named)

    return fail_or_work


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three games in one file and one in another; the check of the second fails."""
    (tmp_path / "a.tiro").write_text(games(3), encoding="utf-8")
    (tmp_path / "b.tiro").write_text(games(1, 7), encoding="utf-8")
    fails = failing(checker.check, lambda game: as_game(game).record.header("Round") == "1")
    for place in (checker, checking):
        monkeypatch.setattr(place, "check", fails)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github"])
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.process)])
def test_every_report_tells_it_and_the_other_games_are_checked(archive: Path, form: str, jobs: int):
    done = tiro("check", "-j", jobs, "--format", form, "--ignore", "T", "a.tiro", "b.tiro")
    assert done.exit_code == 2, done.exception
    assert done.stdout.count(SAID) >= 1
    assert "IndexError" in done.stdout
    assert PLACE in done.stdout
    assert str(Path(__file__).parents[2]) not in done.stdout
    assert "\x1b" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert ("4 games" if form == "text" else "T001") in done.stdout
    if form == "json":
        found = json.loads(done.stdout)
        assert [game["verdict"] for game in found["games"]] == ["legal", "unchecked", "legal", "legal"]
        assert found["games"][1]["title"]
    if form == "junit":
        assert done.stdout.count("<testcase") == 4
        assert done.stdout.count("<failure") == 1


def test_it_is_tried_again_until_it_does_not_fail(archive: Path, monkeypatch: pytest.MonkeyPatch):
    run = ("check", "--resume", "state", "a.tiro", "b.tiro")
    assert [tiro(*run).exit_code for _ in range(2)] == [2, 2]
    monkeypatch.undo()
    monkeypatch.chdir(archive)
    assert tiro(*run).exit_code == 0


def test_games_are_sorted_by_verdict_all_the_same(archive: Path):
    assert tiro("check", "--keep-good", "good", "--keep-bad", "bad", "a.tiro").exit_code == 2
    assert "".join(path.read_text(encoding="utf-8") for path in Path("bad").rglob("*.tiro")).count('[Round "1"]') == 1
    assert "".join(path.read_text(encoding="utf-8") for path in Path("good").rglob("*.tiro")).count("[Round ") == 2


def test_the_tables_have_the_other_games(archive: Path):
    parquet = pytest.importorskip("pyarrow.parquet")
    done = tiro("export", "a.tiro", "b.tiro", "-o", "tables")
    assert (done.exit_code, done.stderr.count(SAID)) == (2, 1)
    assert parquet.read_table("tables/games")["round"].to_pylist() == ["0", "2", "7"]


def test_the_players_of_the_other_games_are_judged(archive: Path):
    pytest.importorskip("numpy")
    done = tiro("analyse", "--players", "--level", "quick", "-j", 1, "--format", "json", "a.tiro")
    assert (done.exit_code, done.stderr.count(SAID)) == (2, 1)
    assert "Left out: one game that could not be judged" in done.stderr


def test_the_other_games_are_repaired(archive: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.undo()
    monkeypatch.chdir(archive)
    broken = BROKEN.replace("[Rules", '[Annotator "bad"]\n[Rules', 1)
    Path("c.tiro").write_text(f"{broken}\n{BROKEN}", encoding="utf-8")
    find = failing(repairs.find_repairs, lambda game: game.record.header("Annotator") == "bad")
    monkeypatch.setattr("tironian.tools.cli.repair.find_repairs", find)
    done = tiro("repair", "c.tiro", "-o", "d.tiro", "--pick", "1")
    assert (done.exit_code, done.stderr.count(SAID)) == (2, 1)
    first, second = parse(Path("d.tiro").read_text(encoding="utf-8"))
    assert first.record == parse(broken)[0].record
    assert check(second).verdict == "legal"


def test_the_other_files_are_brought_into_form(archive: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(formatting, "canonical", failing(formatting.canonical, lambda old: b'[Round "1"]' in old))
    for name in ("a.tiro", "b.tiro"):
        path = Path(name)
        path.write_bytes(path.read_bytes() + b"\n\n")
    before = Path("a.tiro").read_bytes()
    done = tiro("fmt", "a.tiro", "b.tiro")
    assert (done.exit_code, done.stderr.count(SAID)) == (2, 1)
    assert "1 changed, 1 left as it was" in done.stderr
    assert Path("a.tiro").read_bytes() == before
    assert not Path("b.tiro").read_bytes().endswith(b"\n\n")


def test_a_command_on_one_game_ends_with_a_sentence(archive: Path):
    done = tiro("timeline", "--format", "html", "--game", "2", "a.tiro")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"Error: T001: {SAID}")
    assert PLACE in done.stderr
    assert len(done.stderr) < 500


def test_whoever_asks_sees_the_traceback(archive: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TIRONIAN_TRACEBACK", "1")
    assert isinstance(tiro("timeline", "--format", "html", "--game", "2", "a.tiro").exception, IndexError)
