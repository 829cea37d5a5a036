"""A whole archive: order, the same game twice, going on where a run ended, sorting, and processes that die."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from archives import BROKEN, game, games, tiro
from moments import tiro_where
from tironian import parse
from tironian.notation.fingerprint import moves_of
from tironian.tools.processes.pool import map_in_order

TIRO = [sys.executable, "-m", "tironian.tools.cli"]
STATEMENT = "tironian.tools.archive.register:Register._run"
PUT = "tironian.tools.archive.sorting:Sorter.add"
SAVE = "tironian.tools.archive.sorting:Sorter.save"
COUNTS = (60, *[6] * 9)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten files with a broken game each. The first takes the longest, so that others are done before it."""
    folder = tmp_path_factory.mktemp("season")
    for number, count in enumerate(COUNTS):
        (folder / f"{number}.tiro").write_text(f"{games(count, 60 * number)}\n{BROKEN}", encoding="utf-8")
    return folder


@pytest.mark.process
@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github"])
def test_many_processes_report_as_one_does(season: Path, form: str):
    alone, shared = (tiro("check", "-v", "--format", form, "-j", jobs, season) for jobs in (1, 3))
    assert alone.exit_code == shared.exit_code == 1
    assert alone.stdout == shared.stdout


# ------------------------------------------------------------------------------------------------- the same game twice


def test_only_the_moves_count():
    plain = game(3)
    (known,) = parse(plain)
    turn = re.compile(r"^(\d+[RE] .*)$", re.M)
    same = [
        plain.replace('[Caesar "', '[Caesar "Another '), turn.sub(r"\1 ; a comment", plain),
        turn.sub(r"  \1   @0:10:00 !", plain), turn.sub(lambda line: re.sub(r"\+(\w)(\w)$", r"+\2\1", line[0]), plain),
        plain.replace("\n\n0R", "\n\n; before all\n0R"), plain.rpartition("\n")[0].rpartition("\n")[0] + "\n*\n",
    ]  # fmt: skip
    assert {moves_of(parse(each)[0]) for each in same} == {moves_of(known)}
    other = [game(seed) for seed in range(40) if seed != 3]
    last = turn.findall(plain)[-1]
    other += [plain.replace(last, ""), plain.replace(last, re.sub(r"^\d+", "99", last))]
    assert moves_of(known) not in {moves_of(parse(each)[0]) for each in other}


# ------------------------------------------------------------------------------------------------------------ going on


@pytest.mark.process
def test_a_run_that_is_killed_again_and_again_comes_to_the_same(tmp_path: Path):
    """No game is reported as checked that was not, and of the sorted ones none is lost and none there twice."""
    folder = tmp_path / "season"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.tiro").write_text(f"{games(20, 20 * number)}\n{BROKEN}", encoding="utf-8")
    run = ["check", "--resume", "s", "--keep-good", "good", "--keep-bad", "bad", "-j", "2", "season"]
    kills = 0
    while True:
        # Each run comes a little further until it is killed, and so to another moment.
        statement = 9 + 53 * kills
        killed = tiro_where(f"step_by_step(); at_call({statement}, '{STATEMENT}', SIGKILL)")
        done = subprocess.run(
            [*killed, *run], cwd=tmp_path, capture_output=True, text=True, start_new_session=True, check=False
        )
        if done.returncode != -signal.SIGKILL:
            break
        kills += 1
    assert kills >= 5
    assert done.returncode == 1, done.stderr
    told = re.findall(r"([\d,]+) games", f"{done.stdout.splitlines()[-2]}\n{done.stderr}")
    assert sum(map(int, told)) == 84, told
    for folder, seeds in (("good", 20), ("bad", 0)):
        for number in range(4):
            kept = (tmp_path / folder / "season" / f"{number}.tiro").read_text(encoding="utf-8")
            assert kept == (games(seeds, 20 * number) if seeds else BROKEN)


@pytest.mark.process
def test_an_interrupted_run_says_what_it_did_and_can_go_on(tmp_path: Path):
    (tmp_path / "a.tiro").write_text(games(40), encoding="utf-8")
    run = ["check", "-j", "1", "--resume", "s", "--format", "json", "-v", "-f", "-o", "report.json", "a.tiro"]
    interrupted = tiro_where(f"step_by_step(); at_call(22, '{PUT}', SIGINT)")
    done = subprocess.run(
        [*interrupted, *run], cwd=tmp_path, capture_output=True, text=True, start_new_session=True, check=False
    )
    assert done.returncode == 130
    first = re.match(r"Interrupted after (\d+) games, .*; --resume s continues from here\.\n", done.stderr)
    assert first, done.stderr
    count = int(first[1])
    assert 22 <= count < 40
    assert len(json.loads((tmp_path / "report.json").read_text())["games"]) == count
    done = subprocess.run(
        [*tiro_where("step_by_step()"), *run], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr.startswith(f"Checked before and unchanged: {count} games, ")
    assert len(json.loads((tmp_path / "report.json").read_text())["games"]) == 40 - count


def test_a_torn_file_is_tried_anew_and_is_not_its_own_double(tmp_path: Path):
    import gzip

    data = gzip.compress(games(120).encode())
    (tmp_path / "torn.tiro.gz").write_bytes(data[:-900])
    run = ("check", "--resume", tmp_path / "s", "--keep-good", tmp_path / "good", tmp_path / "torn.tiro.gz")
    for _ in range(3):
        done = tiro(*run)
        assert done.exit_code == 2
        assert "A101" not in done.stdout
        (kept,) = (tmp_path / "good").rglob("*.tiro")
        assert 100 < kept.read_text(encoding="utf-8").count("[Rules") < 120
    (tmp_path / "torn.tiro.gz").write_bytes(data)
    done = tiro(*run)
    assert (done.exit_code, done.stdout.startswith("120 games")) == (0, True)
    assert kept.read_text(encoding="utf-8") == games(120)


def test_a_changed_file_is_sorted_anew(tmp_path: Path):
    source = tmp_path / "c.tiro"
    run = ("check", "--resume", tmp_path / "s", "--keep-good", tmp_path / "good", source)
    for seeds in (3, 2, 5):
        source.write_text(games(seeds, 10 * seeds), encoding="utf-8")
        assert tiro(*run).exit_code == 0
        (kept,) = (tmp_path / "good").rglob("*.tiro")
        assert kept.read_text(encoding="utf-8") == games(seeds, 10 * seeds)


def test_what_others_put_among_the_sorted_games_is_left_alone(tmp_path: Path):
    source = tmp_path / "src"
    source.mkdir()
    (source / "a.tiro").write_text(game(1), encoding="utf-8")
    run = ("check", "--resume", tmp_path / "s", "--keep-good", tmp_path / "good", source)
    assert tiro(*run).exit_code == 0
    (kept,) = (tmp_path / "good").rglob("*.tiro")
    with kept.open("a", encoding="utf-8") as file:
        file.write("; my annotation\n")
    mine = kept.with_name("b.tiro")
    mine.write_text("; mine\n", encoding="utf-8")
    (source / "b.tiro").write_text(game(2), encoding="utf-8")
    (source / "a.tiro").write_text(games(2, 5), encoding="utf-8")
    assert tiro(*run).exit_code == 0
    assert kept.read_text(encoding="utf-8") == f"{game(1)}; my annotation\n"
    assert mine.read_text(encoding="utf-8") == "; mine\n"
    assert kept.with_name("a (2).tiro").read_text(encoding="utf-8") == games(2, 5)
    assert kept.with_name("b (2).tiro").read_text(encoding="utf-8") == game(2)


@pytest.mark.process
def test_the_report_of_a_run_that_was_killed_is_made_again(tmp_path: Path):
    """Or its problems would stand in no report."""
    for name, text in (("a", games(2)), ("b", BROKEN), ("c", games(2, 2)), ("d", games(2, 4))):
        (tmp_path / f"{name}.tiro").write_text(text, encoding="utf-8")
    run = ["check", "-j", "1", "--resume", "s", "-o", "report", "-f", "a.tiro", "b.tiro", "c.tiro", "d.tiro"]
    killed = tiro_where(f"step_by_step(); at_call(4, '{SAVE}', SIGKILL)")
    assert subprocess.run([*killed, *run], cwd=tmp_path, start_new_session=True).returncode == -signal.SIGKILL
    assert not (tmp_path / "report").exists()
    done = subprocess.run([*tiro_where("step_by_step()"), *run], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    # What was checked is known, but for the game with the error: that is checked again, and reported.
    assert done.stderr.startswith("Checked before and unchanged: 4 games, ")
    report = (tmp_path / "report").read_text(encoding="utf-8")
    assert report.count("error[") == 1
    assert report.splitlines()[-2].startswith("3 games, ")


# ------------------------------------------------------------------------------------------------- processes that die


def work(load: int) -> int:
    if load == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return load * load


@pytest.mark.process
def test_a_load_that_kills_is_given_up_and_no_other(tmp_path: Path):
    results = [result for _, result in map_in_order(work, range(30), 2, lambda _: -1)]
    assert results == [number * number if number != 13 else -1 for number in range(30)]


@pytest.mark.process
def test_no_process_outlives_the_one_that_began(tmp_path: Path):
    """Which may have been killed, and then can tell nobody."""
    if not Path("/proc/self/task").exists():
        pytest.skip("nobody tells here who is whose child")
    with subprocess.Popen([*TIRO, "check", "-v", "-j", "2", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        # It waits for more while its processes work, and can't come to an end before it is killed.
        while len(children_of(run.pid)) < 2:
            run.stdin.write(games(40).encode() + b"\n")
        run.kill()
        # This comes to an end when no process has the pipe any more.
        run.stdout.read()


def children_of(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()


@pytest.mark.process
def test_no_more_is_taken_than_needed():
    taken = []

    def loads():
        for number in range(1000):
            taken.append(number)
            yield number + 100

    results = map_in_order(work, loads(), 2, lambda _: -1)
    next(results)
    assert len(taken) < 20
    results.close()
