"""Files that are made to break things: each is told in a few words, and takes little memory."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from archives import game, games, tiro
from bombs import BOMBS, GAMES, HEAD, filled, launched
from scale import FULL, crossed
from tironian import Comment, Record, to_json
from tironian.notation.source import MAX_LINES

counted = pytest.mark.skipif(not hasattr(os, "wait4"), reason="nobody counts what processes take here")
MEMORY = 300
"""MB that the largest process of a command may take."""
SECONDS = 60
"""Processor time that a bomb may take in the full run: far more than it does."""
SIZES = (1 << 20, 31 << 20, 60 << 20) if FULL else (3 << 20,)
IN_EVERY_RUN = {
    "comments.tiro.gz", "bad lines.tiro", "runs.tiro.zst", "tar.gz in a.zip", "pax.tar.gz", "digits.tar.gz",
    "many pax.tar.gz", "one line.tiro.gz",
}  # fmt: skip
LARGE = '[Rules "2024"]\n[Event "?"]\n\n1E (3)A\n' + "; said\n" * MAX_LINES + "*\n"


@counted
@pytest.mark.process
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", sorted(BOMBS) if FULL else sorted(IN_EVERY_RUN))
@pytest.mark.parametrize("jobs", [1, 2] if FULL else [2])
def test_a_bomb_takes_little(tmp_path: Path, name: str, size: int, jobs: int, capsys: pytest.CaptureFixture):
    path = tmp_path / name
    path.write_bytes(BOMBS[name](size))
    cost = launched(tmp_path, "check", "-j", jobs, path)
    with capsys.disabled():
        if FULL:
            came = f"{path.stat().st_size:>10,} → {size >> 20:>3} MB"
            print(f"\n{name:26} -j {jobs} {came} {cost.memory:5.0f} MB {cost.seconds:6.1f} s  exit {cost.code}", end="")
    assert cost.code in (0, 1, 2), cost.errors
    assert " games, " in cost.out or "1 game, " in cost.out or "no game in 1 text" in cost.out
    assert cost.errors == ""
    assert cost.memory < MEMORY
    assert cost.seconds < SECONDS or not FULL


@counted
@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "name"),
    crossed(
        [("show",), ("convert", "--to", "json"), ("timeline",), ("view", "--as", "caesar"), ("check",)],
        sorted(GAMES.keys() - {"games of a header"}) if FULL else ["comments", "one line"],
    ),
)
def test_no_command_takes_more_for_what_comes_through_a_pipe(tmp_path: Path, command: tuple[str, ...], name: str):
    path = tmp_path / "a.tiro"
    path.write_bytes(filled(*GAMES[name], 8 << 20))
    first, *rest = command
    cost = launched(tmp_path, first, "-", *rest, stdin=path)
    assert cost.code == 2, cost.errors
    assert "N109" in cost.out if first == "check" else "this game has more than" in cost.errors
    assert cost.memory < MEMORY


def test_a_large_game_is_told_where_it_stands_and_the_others_are_judged(tmp_path: Path):
    (tmp_path / "a.tiro").write_text(f"{game(0)}\n{LARGE}\n{game(1)}", encoding="utf-8")
    done = tiro("check", "-j", 1, tmp_path / "a.tiro")
    line = game(0).count("\n") + 2
    assert "error[N109]: this game has more than 20,000 lines, so it is not read" in done.output
    assert f"a.tiro:{line}:1 (game 2)" in done.output
    assert "3 games, " in done.output
    assert "2 legal, 1 unreadable; 1 error" in done.output
    assert done.exit_code == 2


def test_fmt_leaves_a_file_with_a_large_game_as_it_is(tmp_path: Path):
    path = tmp_path / "a.tiro"
    path.write_text(f"{game(0)}\n\n\n\n{LARGE}\n{game(1)}", encoding="utf-8")
    before = path.read_bytes()
    done = tiro("fmt", path)
    assert done.exit_code == 1
    assert "N109" in done.output
    assert "1 left as it was" in done.output
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", [("convert",), ("view", "--as", "caesar")])
def test_nothing_is_written_that_would_lack_a_game(tmp_path: Path, command: tuple[str, ...]):
    path, out = tmp_path / "a.tiro", tmp_path / "out"
    path.write_text(f"{game(0)}\n{LARGE}", encoding="utf-8")
    done = tiro(*command, path, "-o", out)
    assert done.exit_code == 2
    assert "this game has more than 20,000 lines, so it is not read" in done.output
    assert not out.exists()


def test_a_game_behind_a_large_one_can_be_shown(tmp_path: Path):
    path = tmp_path / "a.tiro"
    path.write_text(f"{LARGE}\n{game(1)}", encoding="utf-8")
    done = tiro("show", path, "--game", 1)
    assert done.exit_code == 2
    assert "this game has more than 20,000 lines" in done.output
    assert tiro("show", path, "--game", 2).exit_code == 0


def test_sorting_keeps_all_games_but_the_large_one(tmp_path: Path):
    path = tmp_path / "a.tiro"
    path.write_text(f"{game(0)}\n{LARGE}\n{game(1)}", encoding="utf-8")
    done = tiro("check", "-j", 1, path, "--keep-good", tmp_path / "good", "--keep-bad", tmp_path / "bad")
    assert done.exit_code == 2
    assert [each.read_text(encoding="utf-8") for each in (tmp_path / "good").rglob("*.tiro")] == [games(2)]
    assert not [*(tmp_path / "bad").rglob("*.tiro")]


def test_honest_games_are_no_bomb(tmp_path: Path):
    """A few of them stand for all: however often a game comes, what has a size of its own comes out."""
    path = tmp_path / "a.tiro.gz"
    path.write_bytes(gzip.compress(games(300).encode()))
    done = tiro("check", "-j", 1, path)
    assert done.exit_code == 0
    assert "300 games" in done.output


def test_headers_behind_a_bomb_are_those_of_the_next_game(tmp_path: Path):
    path = tmp_path / "a.tiro"
    path.write_bytes(filled(HEAD, b"; said\n", 4 << 20) + b"\n" + game(1).encode())
    done = tiro("check", "-j", 1, path)
    assert "error[N109]" in done.output
    assert "1 legal" in done.output


def test_a_record_in_json_may_be_no_larger(tmp_path: Path):
    path = tmp_path / "a.json"
    data = to_json(Record((("Rules", "2024"),), (Comment("said"),)))
    path.write_text(json.dumps({**data, "preface": data["preface"] * MAX_LINES}), encoding="utf-8")
    done = tiro("convert", path)
    assert done.exit_code == 2
    assert "this game has more than 20,000 lines, so it is not read" in done.output
