"""A question reaches the tables and nothing else: no file, no network, no extension, no setting."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
from archives import games, tiro
from fsspec.implementations.local import LocalFileSystem
from tironian.replay.archive.sql import ExportedTables, part_file_system
from tironian.replay.archive.tables import Part
from tironian.replay.storage import Unable

PART = "tiro://games/part-000000.parquet"
HINT = "A query can use only the tables; --allow-files allows"
CLOSED = [
    "COPY games TO '{out}'",
    "COPY games TO '{out}' (USE_TMP_FILE false)",
    "EXPLAIN ANALYZE COPY games TO '{out}' (USE_TMP_FILE false)",
    "EXPORT DATABASE '{out}'",
    "ATTACH '{out}'",
    "SELECT * FROM read_text('{log}')",
    "SELECT * FROM read_blob('{log}')",
    "SELECT * FROM read_csv('{log}')",
    "SELECT * FROM sniff_csv('{log}')",
    "SELECT * FROM read_parquet('{folder}/games/*.parquet')",
    "SELECT * FROM parquet_metadata('{folder}/games/part-000000.parquet')",
    "SELECT * FROM glob('*')",
    "SELECT * FROM read_text('https://example.org/')",
    "SELECT * FROM read_parquet('s3://bucket/games/part-000000.parquet')",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET threads = 1",
    "RESET memory_limit",
    "PRAGMA enable_profiling",
    "SET profiling_output = '{out}'",
    "PRAGMA memory_limit='100GB'",
    "CALL enable_logging(storage = 'file', storage_path = '{out}')",
]
NOTHING_THERE = ["SELECT * FROM '{log}'", "SELECT getenv('HOME')", "SELECT * FROM base", "SELECT * FROM lent"]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("closed")
    (folder / "a.tiro").write_text(games(2), encoding="utf-8")
    tiro("export", folder / "a.tiro", "-o", folder / "tables")
    return folder / "tables"


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("sql", CLOSED + NOTHING_THERE)
def test_a_question_reaches_nothing_else(exported: Path, sql: str):
    top = exported.parent
    before = files_of(top)
    done = tiro("query", "-d", exported, sql.format(out=top / "out", log=top / "a.tiro", folder=exported))
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert (HINT in done.stderr) == (sql in CLOSED)
    assert done.stdout == ""
    assert files_of(top) == before
    assert {path.name for path in top.iterdir()} == {"a.tiro", "tables"}


@pytest.mark.parametrize(
    "sql",
    [
        f"COPY (SELECT 1) TO '{PART}' (USE_TMP_FILE false)",
        f"ATTACH '{PART}' AS x; CREATE TABLE x.y AS SELECT 1",
        "CREATE TABLE mine AS SELECT * FROM games; DELETE FROM mine",
    ],
)
def test_the_tables_themselves_can_not_be_written(exported: Path, sql: str):
    before = files_of(exported)
    done = tiro("query", "-d", exported, sql)
    assert "Traceback" not in done.output
    assert files_of(exported) == before


def test_files_can_be_opened_to_a_question(exported: Path, tmp_path: Path):
    out = tmp_path / "out.csv"
    done = tiro("query", "-d", exported, "--allow-files", f"COPY (SELECT count(*) AS n FROM games) TO '{out}'")
    assert done.exit_code == 0, done.output
    assert out.read_text(encoding="utf-8").split() == ["n", "2"]
    assert tiro("query", "-d", exported, "--allow-files", f"SELECT * FROM read_text('{out}')").exit_code == 0


@pytest.mark.parametrize("sql", ["SELECT now() AS x", "SELECT json_extract('[1]', '$[0]') AS x", "SUMMARIZE games"])
def test_what_needs_no_files_is_answered(exported: Path, sql: str):
    for form in ("text", "csv", "json"):
        done = tiro("query", "-d", exported, "--format", form, sql)
        assert done.exit_code == 0, done.output


def test_a_question_that_needs_too_much_memory_is_told(exported: Path):
    done = tiro("query", "-d", exported, "--memory", "50MB", "SELECT list(range) FROM range(1000000000)")
    assert done.exit_code == 2
    assert done.stderr == "Error: there is not enough memory for this query; --memory gives it more\n"


def test_memory_is_a_size(exported: Path):
    done = tiro("query", "-d", exported, "--memory", "1GB'; SET threads=1; --", "SELECT 1")
    assert done.exit_code == 2
    assert "write the memory as 500MB or 2GB" in done.stderr


def test_a_damaged_part_is_told_by_its_place(exported: Path, tmp_path: Path):
    for name, data in files_of(exported).items():
        path = tmp_path / Path(name).relative_to(exported)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (tmp_path / "games" / "part-000000.parquet").write_bytes(b"PAR1" * 9)
    done = tiro("query", "-d", tmp_path, "SELECT 1")
    assert done.exit_code == 2
    assert f"{tmp_path}/games/part-000000.parquet" in done.stderr


def test_a_part_that_fails_while_it_is_read_is_told(exported: Path, monkeypatch: pytest.MonkeyPatch):
    with ExportedTables(str(exported)) as archive:

        def failing(*_args: object, **_more: object) -> bytes:
            raise OSError(5, "the disk is tired")

        monkeypatch.setattr(LocalFileSystem, "cat_file", failing)
        with pytest.raises(Unable, match=r"^the disk is tired$"):
            archive.query("SELECT count(DISTINCT caesar) FROM games WHERE site <> event")


def test_what_is_lent_is_read_by_several_threads(tmp_path: Path):
    path = tmp_path / "part-000000.parquet"
    path.write_bytes(bytes(range(256)))
    system = part_file_system(LocalFileSystem(), {"games": [Part(str(path), 256)]})
    stream, found = system.open(PART), {}
    both = threading.Barrier(2)

    def read(start: int) -> None:
        stream.seek(start)
        both.wait()
        found[start] = stream.read(2) + stream.read(1)

    threads = [threading.Thread(target=read, args=(start,)) for start in (0, 100)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {0: bytes([0, 1, 2]), 100: bytes([100, 101, 102])}
    stream.seek(-1, io.SEEK_END)
    assert (stream.tell(), stream.read(), stream.read(5)) == (255, b"\xff", b"")
    for name, mode in ((PART, "wb"), (str(path), "rb"), ("tiro://games/other", "rb")):
        with pytest.raises(PermissionError):
            system.open(name, mode)
