"""Archives in an object store: what a folder of this machine gives, an address gives as well, or a sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from archives import BROKEN, checked, game, games, tiro, zipped
from distributed import LocalCluster
from s3fs import S3FileSystem
from stores import Store, after, known
from tironian.tools.archive import tables
from tironian.tools.archive.sql import ExportedTables
from tironian.tools.archive.tables import TABLES
from tironian.tools.storage import CannotRun

TIRO = [sys.executable, "-m", "tironian.tools.cli"]


@pytest.fixture(scope="module")
def server() -> Iterator[Store]:
    store = Store()
    with known(store):
        yield store
    store.stop()


@pytest.fixture
def store(server: Store) -> Iterator[Store]:
    server.anew()
    yield server
    server.anew()


@pytest.fixture
def disk() -> S3FileSystem:
    """What sees the store as the tests left it."""
    return S3FileSystem(use_listings_cache=False)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stores") / "season"
    (folder / "older").mkdir(parents=True)
    (folder / "a.tiro").write_text(games(3), encoding="utf-8")
    (folder / "b [1].tiro").write_text(BROKEN, encoding="utf-8")
    (folder / "older" / "c.tiro").write_text(games(2, 3), encoding="utf-8")
    (folder / "notes.md").write_text("nothing to read", encoding="utf-8")
    (folder / "d.zip").write_bytes(zipped({"d/e.tiro": f"{game(1)}\n{game(7)}"}))
    return folder


@pytest.fixture(scope="module")
def bucket(server: Store, season: Path) -> str:
    server.anew()
    address = server.bucket()
    S3FileSystem().put(str(season), f"{address}/season", recursive=True)
    return address


def rows(folder: object, home: object = "") -> dict[str, list[tuple]]:
    """All that stands in an export, with files as they are called below ``home``."""
    with ExportedTables(str(folder)) as archive:
        assert archive.whole
        found = {name: list(archive.query(f"SELECT * FROM {name} ORDER BY ALL").rows()) for name in TABLES}

    def called(value: object) -> object:
        return value.removeprefix(str(home)) if isinstance(value, str) else value

    return {name: [tuple(map(called, row)) for row in table] for name, table in found.items()}


def manifest(disk: S3FileSystem, folder: str) -> dict:
    return json.loads(disk.cat_file(f"{folder}/export.json"))


# ------------------------------------------------------------------------------------------------------------ reading


@pytest.mark.parametrize("inside", ["", "/a.tiro", "/b [1].tiro", "/d.zip", "/older", "/*.tiro", "/**/*.tiro", "/*"])
def test_games_in_a_bucket_are_checked_as_those_of_a_folder(store: Store, bucket: str, season: Path, inside: str):
    here, there = told(f"{season}{inside}", season), told(f"{bucket}/season{inside}", f"{bucket}/season")
    assert there
    assert there == here


def told(path: str, home: object) -> list[tuple]:
    """What a check says of every game, with files as they are called below ``home``."""
    return [
        (each.file.removeprefix(str(home)), each.line, each.verdict, each.moves, [d.code for d in each.diagnostics])
        for each in checked([path])
    ]


def test_a_file_that_is_named_twice_comes_once(store: Store, bucket: str):
    folder = f"{bucket}/season"
    once = checked([folder])
    assert checked([f"{folder}/", f"{folder}/a.tiro", f"{folder}/older", f"{folder}/*.tiro"]) == once


def test_a_check_goes_on_where_it_stopped(store: Store, disk: S3FileSystem, tmp_path: Path):
    address = store.bucket()
    for name in ("a", "b"):
        disk.pipe_file(f"{address}/games/{name}.tiro", games(2).encode())
    state = tmp_path / "state"
    assert "4 games (2 different), " in tiro("check", f"{address}/games", "--resume", state).stdout
    again = tiro("check", f"{address}/games/a.tiro", f"{address}/games/*", "--resume", state)
    assert (again.exit_code, again.stdout) == (0, "no games\n")
    disk.pipe_file(f"{address}/games/b.tiro", game(9).encode())
    assert tiro("check", f"{address}/games", "--resume", state).stdout.startswith("1 game,")


def test_single_files_are_read_by_other_commands(store: Store, bucket: str, season: Path):
    for command in (["show"], ["timeline"], ["convert", "--jsonl"], ["view", "--as", "caesar"], ["fmt", "--check"]):
        there = tiro(*command, f"{bucket}/season/older/c.tiro")
        here = tiro(*command, season / "older" / "c.tiro")
        assert (there.exit_code, there.stdout) == (here.exit_code, here.stdout)
        assert there.exit_code == 0


# ------------------------------------------------------------------------------------------------------------- tables


def test_an_export_to_a_bucket_is_one_to_a_folder(
    store: Store, disk: S3FileSystem, bucket: str, season: Path, tmp_path: Path
):
    address = f"{store.bucket()}/a/b"
    assert tiro("export", season, "-o", tmp_path / "tables").exit_code == 0
    done = tiro("export", f"{bucket}/season", "-o", f"{address}/", "-j", 1)
    assert (done.exit_code, done.output[:8]) == (0, "8 games ")
    assert rows(address, f"{bucket}/season") == rows(tmp_path / "tables", season)
    assert manifest(disk, address)["whole"] is True
    for question in (["--name", "results"], ["--format", "json", "SELECT caesar, line FROM games ORDER BY ALL"]):
        there, here = tiro("query", "-d", address, *question), tiro("query", "-d", tmp_path / "tables", *question)
        assert (there.exit_code, there.stdout) == (0, here.stdout)
    again = tiro("export", season, "-o", address)
    assert (again.exit_code, again.stderr) == (
        2,
        f"Error: {address}: this folder is not empty; --force writes it again\n",
    )
    disk.pipe_file(f"{address}/games/part-000099.parquet", b"of an older export")
    assert tiro("export", season / "a.tiro", "-o", address, "--force", "-j", 1).exit_code == 0
    assert len(rows(address)["games"]) == 3


@pytest.mark.process
def test_processes_share_an_export_to_a_bucket(store: Store, tmp_path: Path):
    (tmp_path / "many.tiro").write_text("\n".join([games(40)] * 13), encoding="utf-8")
    address = f"{store.bucket()}/tables"
    run = [*TIRO, "export", str(tmp_path / "many.tiro"), "-o", address, "-j", "2"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with ExportedTables(address) as archive:
        assert list(archive.query("SELECT count(*) FROM games").rows()) == [(520,)]


@pytest.mark.process
def test_a_cluster_exports_from_a_bucket_to_a_bucket(store: Store, bucket: str, season: Path, tmp_path: Path):
    assert tiro("export", season, "-o", tmp_path / "tables").exit_code == 0
    address = f"{store.bucket()}/tables"
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, processes=True) as workers:
        done = tiro("export", f"{bucket}/season", "-o", address, "--cluster", workers.scheduler_address)
        assert (done.exit_code, done.stderr[:8]) == (0, "8 games ")
    assert rows(address, f"{bucket}/season") == rows(tmp_path / "tables", season)


# ----------------------------------------------------------------------------------------------------- what can't be


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("check {here} --resume s3://b/state", "STATE must be a local file"),
        ("check {here} --keep-good s3://b/good", "games are sorted into a local folder"),
        ("check {here} --keep-bad s3://b/bad", "games are sorted into a local folder"),
        ("check {here} -o s3://b/report", "only tables are written to an address"),
        ("check {here} --witness s3://b/whole", "only tables are written to an address"),
        ("convert {here} -o s3://b/a.json", "only tables are written to an address"),
        ("votes {here} --folder s3://b/votes", "only tables are written to an address"),
        ("fmt s3://b/a.tiro", "files at an address can't be changed"),
        ("record s3://b/a.tiro", "a record is kept in a local file"),
        ("export {here} -o http://127.0.0.1/tables", "files can't be written over http"),
    ],
)
def test_what_is_written_here_only_is_told_before_anything_is_done(
    store: Store, season: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, told: str
):
    monkeypatch.chdir(tmp_path)
    done = tiro(*(each.format(here=season / "a.tiro") for each in call.split()))
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())
    assert not store.requests


CALLS = (["check", "{games}"], ["export", "{season}", "-o", "{tables}"], ["query", "-d", "{tables}", "SELECT 1"])


def tell(call: list[str], season: Path, address: str) -> str:
    """What a call says that can't be done, on either stream."""
    done = tiro(*(each.format(games=f"{address}/a.tiro", season=season, tables=f"{address}/tables") for each in call))
    assert done.exit_code == 2
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert "Traceback" not in done.output
    return done.output


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_a_bucket_that_is_missing_is_told_and_not_made(store: Store, disk: S3FileSystem, season: Path, call: list[str]):
    told = tell(call, season, "s3://nobody-made-this")
    assert "there is no such" in told or "`tiro export` has not written this folder" in told
    assert "nobody-made-this" not in disk.ls("", refresh=True)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_denied_access_is_told(store: Store, season: Path, call: list[str]):
    store.fault = lambda _request: "denied"
    assert "access is denied (" in tell(call, season, "s3://somebody")


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_a_server_that_does_not_answer_is_told(store: Store, season: Path, call: list[str]):
    store.fault = lambda _request: "gone"
    assert "the store answered with an error, or not at all (" in tell(call, season, "s3://somebody")


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
def test_missing_credentials_are_told(store: Store, season: Path, monkeypatch: pytest.MonkeyPatch, call: list[str]):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    S3FileSystem.clear_instance_cache()
    assert "Unable to locate credentials" in tell(call, season, "s3://somebody")
    S3FileSystem.clear_instance_cache()
    assert not store.requests


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
@pytest.mark.parametrize(
    ("library", "address", "told"),
    [
        ("s3fs", "s3://somebody", "a library for it is not installed ("),
        ("aiohttp", "http://127.0.0.1:9", "web addresses need aiohttp"),
        ("fsspec", "s3://somebody", "fsspec"),
        ("", "nowhere://a", "Protocol not known: nowhere"),
    ],
)
def test_a_library_that_is_missing_is_told(
    season: Path, monkeypatch: pytest.MonkeyPatch, call: list[str], library: str, address: str, told: str
):
    known_ones = sys.modules["fsspec.registry"]._registry  # what was imported before
    monkeypatch.delitem(known_ones, address.partition(":")[0], raising=False)
    if library:
        monkeypatch.setitem(sys.modules, library, None)
    said = tell(call, season, address)
    assert told in said or (address.startswith("http") and "files can't be written over http" in said)


def test_a_server_that_goes_while_games_are_read_loses_the_rest_only(store: Store, disk: S3FileSystem):
    address = store.bucket()
    for name in "abcd":
        disk.pipe_file(f"{address}/{name}.tiro", game(ord(name)).encode())
    store.fault = after(2, f"GET /{address[5:]}/", "gone")
    done = tiro("check", address, "-j", 1, "-v")
    assert done.exit_code == 2
    lines = [line.split(",")[0].split() for line in done.stdout.splitlines()]
    assert [line for line in lines if line[:1] == ["legal"]] == [["legal", f"{address}/{name}.tiro"] for name in "ab"]
    assert done.stdout.count("the store answered with an error, or not at all") == 2
    assert "2 games" in done.stdout
    assert "no game in 2 texts" in done.stdout


def test_an_export_whose_server_goes_is_not_whole(store: Store, disk: S3FileSystem, season: Path):
    address = f"{store.bucket()}/tables"
    store.fault = after(4, "PUT", "gone")  # behind the manifest, the empty table of repeats and two more
    done = tiro("export", season, "-o", address, "-j", 1)
    assert done.exit_code == 2
    assert done.stderr.startswith(
        f"Error: {address}/{list(TABLES)[2]}/part-000000.parquet: the store answered with an error"
    )
    store.anew()
    assert manifest(disk, address)["whole"] is False
    told = tiro("query", "-d", address, "SELECT 1")
    assert told.exit_code == 2
    assert f"{address}: there is nothing in it; `tiro export --force` writes it again" in told.stderr
    assert tiro("export", season / "a.tiro", "-o", address, "--force", "-j", 1).exit_code == 0
    assert len(rows(address)["games"]) == 3


def test_a_server_that_goes_while_tables_are_asked_is_told(store: Store, season: Path):
    address = f"{store.bucket()}/tables"
    assert tiro("export", season / "a.tiro", "-o", address, "-j", 1).exit_code == 0
    with ExportedTables(address) as archive:
        store.fault = lambda _request: "gone"
        with pytest.raises(CannotRun, match="the store answered with an error, or not at all"):
            list(archive.query("SELECT * FROM games, votes").rows())


def test_a_store_without_folders_gets_none(store: Store):
    address = f"{store.bucket()}/tables"
    tables.begin(address)
    assert [each.partition(address[5:])[2] for each in store.requests if each.startswith("PUT")][1:] == [
        "/export.json",
        "/repeats/part-0.parquet",
    ]
