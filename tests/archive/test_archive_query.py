"""Answers to people and to programs: whole, as wide as the screen, and an end that is told. And a question reaches the
tables and nothing else: no file, no network, no extension, no setting.
"""

from __future__ import annotations

import gc
import gzip
import io
import json
import re
import subprocess
import sys
import threading
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from types import SimpleNamespace
from weakref import ref

import pytest
from archives import games, tiro
from counting import calls
from fsspec.implementations.local import LocalFileSystem
from moments import tiro_where
from tironian.notation.build import install
from tironian.tools.archive.sql import ExportedTables, QueryResult, part_file_system
from tironian.tools.archive.tables import Part
from tironian.tools.cli import export
from tironian.tools.storage import CannotRun

PART = "tiro://games/part-000000.parquet"
HINT = "A query can use only the tables; --allow-files allows"
CLOSED = [
    "COPY games TO '{out}'", "COPY games TO '{out}' (USE_TMP_FILE false)",
    "EXPLAIN ANALYZE COPY games TO '{out}' (USE_TMP_FILE false)", "EXPORT DATABASE '{out}'", "ATTACH '{out}'",
    "SELECT * FROM read_text('{log}')", "SELECT * FROM read_blob('{log}')", "SELECT * FROM read_csv('{log}')",
    "SELECT * FROM sniff_csv('{log}')", "SELECT * FROM read_parquet('{folder}/games/*.parquet')",
    "SELECT * FROM parquet_metadata('{folder}/games/part-000000.parquet')", "SELECT * FROM glob('*')",
    "SELECT * FROM read_text('https://example.org/')",
    "SELECT * FROM read_parquet('s3://bucket/games/part-000000.parquet')", "INSTALL httpfs", "LOAD httpfs",
    "SET threads = 1", "RESET memory_limit", "PRAGMA enable_profiling", "SET profiling_output = '{out}'",
    "PRAGMA memory_limit='100GB'", "CALL enable_logging(storage = 'file', storage_path = '{out}')",
]  # fmt: skip
NOTHING_THERE = ["SELECT * FROM '{log}'", "SELECT getenv('HOME')", "SELECT * FROM base", "SELECT * FROM lent"]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("query")
    (folder / "a.tiro").write_text(games(4), encoding="utf-8")
    tiro("export", folder / "a.tiro", "-o", folder / "tables")
    return folder / "tables"


@pytest.mark.process
def test_an_answer_leaves_nothing_on_standard_error(exported: Path):
    run = [sys.executable, "-m", "tironian", "query", "-d", str(exported), "results"]
    asking = subprocess.run(run, capture_output=True, text=True, check=True)
    assert asking.stdout.endswith("4 rows\n")
    assert asking.stderr == ""


@pytest.mark.parametrize("sql", ["SELECT 1", "SELECT x", "", "SELECT error('late') FROM range(5)"])
def test_whatever_came_of_a_question_duckdb_is_let_go(exported: Path, sql: str):
    """It would list what is still held when Python ends."""
    gc.disable()
    try:
        with suppress(CannotRun), ExportedTables(str(exported)) as tables:
            list(tables.query(sql).rows())
        held = ref(tables)
        del tables
        assert held() is None
    finally:
        gc.enable()


@pytest.mark.process
@pytest.mark.parametrize("deaf", [False, True], ids=["DuckDB stops", "DuckDB does not stop"])
def test_a_question_can_be_broken_off(exported: Path, deaf: bool):
    waits = "tironian.tools.archive.sql:wait"
    arranged = f"at_call(3, '{waits}', SIGINT)"
    sql = f"SELECT count(*) FROM range({10**18}) a WHERE a.range % 7 = 3"  # it takes years
    if deaf:
        arranged += "\nimport tironian.tools.archive.sql as asked; asked.TIMEOUT = 0.0"
        sql = "SELECT levenshtein(repeat('a', 10000000), repeat('b', 10000000))"  # and is one step
    run = [*tiro_where(arranged), "query", "-d", str(exported), sql]
    asking = subprocess.run(run, capture_output=True, text=True, start_new_session=True, check=False)
    assert (asking.returncode, asking.stdout) == (130, "")
    assert "T001" not in asking.stderr
    assert "Traceback" not in asking.stderr
    assert deaf or asking.stderr == "\n"  # of a call that is still running DuckDB speaks itself


class Screen(io.StringIO):
    """A terminal, as wide as COLUMNS says."""

    def isatty(self) -> bool:
        return True


def table(columns: str, sql: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An answer on a terminal of that width."""
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()
    with ExportedTables(str(folder)) as archive:
        answer = archive.query(sql)
        export.WRITERS["text"](answer.columns, answer.rows(), screen)
    return re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()


def test_a_table_is_as_narrow_as_it_has_to_be(exported: Path, monkeypatch: pytest.MonkeyPatch):
    sql = "SELECT 'a' AS first_column_of_all, 1234567 AS second_column, 3.14159 AS x, 2.5 AS rome_percent"
    sql += " UNION ALL SELECT 'b', 1, 2, 1"
    wide = table("100", sql, exported, monkeypatch)
    assert "first_column_of_all" in wide[1]
    assert wide[3].split() == ["a", "1,234,567", "3.142", "2.5"]
    assert wide[4].split() == ["b", "1", "2.000", "1.0"]
    narrow = table("40", sql, exported, monkeypatch)
    assert max(map(len, narrow)) <= 40
    assert [line.split()[0] for line in narrow[:4]] == ["first_", "column_", "of_", "all"]
    assert "b" in [line[:1] for line in narrow]
    assert table("20", sql, exported, monkeypatch)[0].split() == ["first_column_of_all", "a"]


class Compared(str):
    """A text of which each comparison is the call of a function."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return str(self) == other


@pytest.mark.parametrize("form", export.WRITERS)
@pytest.mark.parametrize("names", [("a",), ("a", "a_2"), ("a", "b", "c")], ids=str)
def test_what_columns_cost_grows_with_their_number(form: str, names: tuple[str, ...]):
    def tell(count: int) -> None:
        wanted = islice(cycle(names), count)
        answer = QueryResult(None, SimpleNamespace(description=[(Compared(name),) for name in wanted]))
        assert len({*answer.columns}) == count
        export.WRITERS[form](answer.columns, iter([tuple(range(count))]), io.StringIO())

    assert calls(lambda: tell(80)) < 3 * calls(lambda: tell(40))


def test_check_and_export_count_alike(tmp_path: Path):
    """What can't be opened holds no game; of what is cut off there is a part."""
    season = tmp_path / "season"
    season.mkdir()
    (season / "a.tiro").write_text(games(3), encoding="utf-8")
    (season / "b.tiro.gz").write_bytes(gzip.compress(games(3, 3).encode())[:-300])
    (season / "c.zip").write_bytes(b"PK\3\4" + bytes(500))
    (tmp_path / "outside.tiro").write_text(games(1), encoding="utf-8")
    (season / "d.tiro").symlink_to(tmp_path / "outside.tiro")
    (season / "e.tiro").write_text("; to come\n", encoding="utf-8")
    checked = tiro("check", "--format", "json", season, "-j", 1)
    exported = tiro("export", season, "-o", tmp_path / "t", "-j", 1)
    assert (checked.exit_code, exported.exit_code) == (2, 2)
    totals = json.loads(checked.stdout)["totals"]
    assert json.loads((tmp_path / "t" / "export.json").read_text())["totals"] == totals
    assert (totals["games"], totals["unreadable"], totals["nothing"]) == (totals["legal"] + 1, 1, 3)
    with ExportedTables(str(tmp_path / "t")) as tables:
        assert list(tables.query("SELECT count(*) FROM games").rows()) == [(totals["legal"],)]


def test_a_library_that_is_missing_is_told(exported: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    done = tiro("query", "-d", exported, "SELECT 1")
    assert (done.exit_code, done.stderr) == (2, f"Error: queries need fsspec: {install('duckdb', 'pytz', 'fsspec')}\n")


@pytest.mark.process
def test_export_needs_no_duckdb_and_query_no_pyarrow(exported: Path, tmp_path: Path):
    """Each is large, and not everybody needs both."""
    (tmp_path / "a.tiro").write_text(games(2), encoding="utf-8")
    asks = "SELECT count(*) AS n, max(date) FROM games"
    for missing, words in [
        (("duckdb", "pytz", "zstandard"), ("export", "a.tiro", "-o", "tables")),
        (("pyarrow", "numpy", "zstandard"), ("query", "-d", exported, "--format", "csv", asks)),
    ]:
        command = [*tiro_where(f"import sys; sys.modules |= dict.fromkeys({missing})"), *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert "\n4," in done.stdout


# ---------------------------------------------------------------------------------------------------- nothing else


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


@pytest.mark.parametrize("sql", ["SELECT now() AS x", "SELECT json_extract('[1]', '$[0]') AS x", "SUMMARIZE games"])
def test_what_needs_no_files_is_answered(exported: Path, sql: str):
    for form in ("text", "csv", "json"):
        done = tiro("query", "-d", exported, "--format", form, sql)
        assert done.exit_code == 0, done.output


def test_a_part_that_fails_while_it_is_read_is_told(exported: Path, monkeypatch: pytest.MonkeyPatch):
    with ExportedTables(str(exported)) as archive:

        def failing(*_args: object, **_more: object) -> bytes:
            raise OSError(5, "the disk is tired")

        monkeypatch.setattr(LocalFileSystem, "cat_file", failing)
        with pytest.raises(CannotRun, match=r"^the disk is tired$"):
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
