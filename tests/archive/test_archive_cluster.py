"""A cluster of several processes gives what one process gives, also where a worker is killed in the middle."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from archives import BROKEN, checked, game, games, tiro
from distributed import LocalCluster
from scale import scaled
from tironian.tools.archive import cluster
from tironian.tools.archive.batch import Batch, ChunkWork
from tironian.tools.archive.checker import ChunkChecker, ChunkGroup, ChunkResult
from tironian.tools.archive.cluster import ClusterTask, cluster_runner
from tironian.tools.archive.register import Register
from tironian.tools.archive.sql import ExportedTables
from tironian.tools.archive.tables import TABLES
from tironian.tools.storage import CannotRun
from tironian.tools.storage.sources import InputFiles

pytestmark = pytest.mark.process

FILES = scaled(6, 20)
KILLED = {1: "before", 3: "behind"}
"""The tasks over which a worker is killed, once: before its work, or when the tables are written and nobody knows."""
EACH = scaled(25, 2000)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, a cluster that is there answers in time."""
    monkeypatch.setattr(cluster, "TIMEOUT", 300)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True) as workers:
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


def rows(folder: Path) -> dict[str, list[tuple]]:
    with ExportedTables(str(folder)) as archive:
        assert archive.whole
        return {name: list(archive.query(f"SELECT * FROM {name} ORDER BY ALL").rows()) for name in TABLES}


def test_a_cluster_reports_as_one_process_does(address: str, season: Path):
    for more in ((), ("--format", "json"), ("--strict", "-v")):
        alone, shared = tiro("check", "-j", 1, *more, season), tiro("check", "--cluster", address, *more, season)
        assert shared.stderr == alone.stderr
        assert (shared.exit_code, shared.stdout) == (alone.exit_code, alone.stdout)
        assert alone.exit_code == 2


@pytest.mark.parametrize("share", [3000, 20_000])
def test_a_big_file_is_several_tasks(address: str, season: Path, share: int):
    with Register() as register:
        runner = cluster_runner(address, share)
        batch = Batch(InputFiles([str(season)]), ChunkChecker(moves=True), register, runner)
        shared = [report for some in batch.reports() for report in some]
    assert shared == checked([season])
    assert len(shared) == FILES * (EACH + 2) + 2


def test_a_worker_that_is_killed_loses_nothing(
    address: str, season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def dying(share: ClusterTask, work: ChunkWork) -> list[ChunkResult]:
        from tironian.tools.archive.cluster import run_task

        last = tmp_path / f"{share.number}"
        moment = "" if last.exists() else KILLED.get(share.number, "")
        judged = run_task(share, work) if moment != "before" else []
        if moment:
            last.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return judged

    assert tiro("export", season, "-o", tmp_path / "alone", "-j", 1).exit_code == 2
    monkeypatch.setattr(cluster, "run_task", dying)
    done = tiro("export", season, "-o", tmp_path / "shared", "--cluster", address)
    assert done.exit_code == 2, done.output
    assert all((tmp_path / f"{number}").exists() for number in KILLED)
    assert rows(tmp_path / "shared") == rows(tmp_path / "alone")


HELD = threading.Event()
"""Set when the workers of the test below may go on."""


def first_only(load: ChunkGroup) -> list[ChunkResult]:
    """The first load is judged, and the others never come to an end."""
    if load.name > "000000-0000":
        HELD.wait()
    return ChunkChecker()(load)


def test_a_cluster_without_workers_is_not_waited_for_for_ever(season: Path, monkeypatch: pytest.MonkeyPatch):
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", processes=False) as some,
        Register() as register,
    ):
        reports = Batch(
            InputFiles([str(season)]), first_only, register, cluster_runner(some.scheduler_address)
        ).reports()
        assert next(reports)
        some.scale(0)
        monkeypatch.setattr(cluster, "TIMEOUT", 1)
        monkeypatch.setattr(cluster, "MAX_WAIT", 2)
        with pytest.raises(CannotRun, match="no workers"):
            list(reports)
        HELD.set()


def test_no_cluster_is_told(season: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cluster, "TIMEOUT", 1)
    done = tiro("check", "--cluster", "tcp://127.0.0.1:9", season)
    assert done.exit_code == 2
    assert "no cluster answers there" in done.stderr
