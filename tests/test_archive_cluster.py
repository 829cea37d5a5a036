"""A cluster of several processes gives what one process gives, also where a worker is killed in the middle."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from archives import BROKEN, checked, game, games
from distributed import Client, LocalCluster
from scale import scaled
from tironian.replay.archive import Unable, cluster
from tironian.replay.archive.asking import Archive
from tironian.replay.archive.batch import Batch
from tironian.replay.archive.cluster import away
from tironian.replay.archive.judging import Judge, Judged, Load
from tironian.replay.archive.register import Register
from tironian.replay.archive.sources import Sources
from tironian.replay.archive.tables import TABLES

TIRO = [sys.executable, "-m", "tironian.replay.cli"]
FILES = scaled(6, 20)
KILLS = 2
EACH = scaled(120, 2000)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, processes=True) as workers:
        yield workers.scheduler_address


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("season")
    for number in range(FILES):
        text = f"{games(EACH, EACH * number)}\n{BROKEN}\n{game(3)}"
        (folder / f"{number:02}.tiro").write_text(text, encoding="utf-8")
    (folder / "torn.tiro.gz").write_bytes(b"\x1f\x8b\x08\x00")
    (folder / "json.tiro").write_text('{"a": 1}', encoding="utf-8")
    return folder


def tiro(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TIRO, *map(str, args)], capture_output=True, text=True, check=False)


def rows(folder: Path) -> dict[str, list[tuple]]:
    with Archive(str(folder)) as archive:
        assert archive.whole
        return {name: list(archive.ask(f"SELECT * FROM {name} ORDER BY ALL").rows()) for name in TABLES}


def test_a_cluster_reports_as_one_process_does(address: str, season: Path):
    for more in ((), ("--format", "json"), ("--strict", "-v")):
        alone, shared = tiro("check", "-j", 1, *more, season), tiro("check", "--cluster", address, *more, season)
        assert shared.stderr == alone.stderr
        assert (shared.returncode, shared.stdout) == (alone.returncode, alone.stdout)
        assert alone.returncode == 2


@pytest.mark.parametrize("share", [3000, 50_000])
def test_a_big_file_is_several_tasks(address: str, season: Path, share: int):
    with Register() as register:
        crew = away(address, share)
        batch = Batch(Sources([str(season)]), Judge(moves=True), register, crew)
        shared = [report for some in batch.reports() for report in some]
    assert shared == checked([season])
    assert len(shared) == FILES * (EACH + 2) + 2


def test_a_worker_that_is_killed_loses_nothing(address: str, season: Path, tmp_path: Path):
    assert tiro("export", season, "-o", tmp_path / "alone", "-j", 1).returncode == 2
    run = subprocess.Popen(
        [*TIRO, "export", str(season), "-o", str(tmp_path / "shared"), "--cluster", address],
        stderr=subprocess.PIPE,
        text=True,
    )
    killed = 0
    with Client(address, set_as_default=False) as client:
        deadline = time.monotonic() + 120
        while run.poll() is None and killed < KILLS:
            assert time.monotonic() < deadline
            if len(list((tmp_path / "shared" / "games").glob("*.parquet"))) > killed:
                busy = [name for name, tasks in client.processing().items() if tasks]
                pids = {}
                with contextlib.suppress(OSError):  # it may be the one that was just killed
                    pids = client.run(os.getpid, workers=busy[:1]) if busy else {}
                for pid in pids.values():
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
            time.sleep(0.02)
    _, told = run.communicate(timeout=240)
    assert killed, "the export was over before a worker could be killed"
    assert run.returncode == 2, told
    assert rows(tmp_path / "shared") == rows(tmp_path / "alone")


def test_a_cluster_without_workers_is_not_waited_for_for_ever(season: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    monkeypatch.setattr(cluster, "LONGEST", 2)

    def slowly(load: Load) -> list[Judged]:
        time.sleep(1)
        return Judge()(load)

    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", processes=False) as some,
        Register() as register,
    ):
        reports = Batch(Sources([str(season)]), slowly, register, away(some.scheduler_address)).reports()
        assert next(reports)
        some.scale(0)
        with pytest.raises(Unable, match="no workers"):
            list(reports)


def test_no_cluster_is_told(season: Path):
    done = tiro("check", "--cluster", "tcp://127.0.0.1:9", season)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "no cluster answers there" in done.stderr
