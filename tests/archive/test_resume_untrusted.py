"""What ``--resume`` reads may come from anywhere: it harms no file, and where it is damaged, a sentence says so."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from archives import games, tiro
from click.testing import Result

DAMAGED = "this --resume file is damaged; name a new one"
STRANGE = "this is not a file that --resume has written; name a new one"
Statement = str | tuple[str, tuple[Any, ...]]


@pytest.fixture
def honest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which one run was honest: ``good`` has its games, ``st`` what it knows, ``victim`` is not its own."""
    monkeypatch.chdir(tmp_path)
    Path("g.tiro").write_text(games(2), encoding="utf-8")
    Path("victim.tiro").write_text("precious\n")
    assert run().exit_code == 0
    assert Path("good/g.tiro").exists()
    return tmp_path


def run() -> Result:
    return tiro("check", "g.tiro", "-j", "1", "--keep-good", "good", "--resume", "st")


def crafted(*statements: Statement) -> None:
    with closing(sqlite3.connect("st")) as base:
        for each in statements:
            base.execute(*((each,) if isinstance(each, str) else each))
        base.commit()


def kept(path: Path, name: str, size: int) -> Statement:
    return "INSERT OR REPLACE INTO kept VALUES (?, ?, ?, 1)", (os.fsencode(path), os.fsencode(name), size)


ANEW = "UPDATE files SET stamp = 'x'"
UNCLEAN = "PRAGMA user_version = 1"
BAD_VALUES: list[tuple[Statement, ...]] = [
    ("INSERT INTO kept VALUES (7, 8, 9, 1)",), ("INSERT INTO kept VALUES ('abc', 'x', 'y', 1)",),
    ("INSERT INTO kept VALUES (x'2f61', x'61', -1, 1)",), ("INSERT INTO kept VALUES (x'61', x'61', 1, 1)",),
    ("INSERT INTO kept VALUES (x'2f610062', x'61', 1, 1)",), ("UPDATE kept SET bytes = NULL",),
    ("UPDATE kept SET name = 'g.tiro'",), ("UPDATE files SET tally = '[1,2,3,4,5]'",),
    ("UPDATE files SET tally = '[1,2,3,{},{\"\x1b[2J\": 1}]'",),
    ("UPDATE files SET tally = '[1,2,3,{\"legal\": -1},{}]'",), ("UPDATE files SET tally = '[1,2,1e9,{},{}]'",),
    ('UPDATE files SET tally = \'["a","b","c",{"d":"e"},{"f":"g"}]\'',),
    ("UPDATE files SET tally = '" + "[" * 100_000 + "'",), ("UPDATE files SET tally = '[1,2,3,{},{},-1]'",),
    ("UPDATE files SET tally = '[1,2,3,{},{},1,1]'",), ("UPDATE files SET tally = '[1]'",),
    ("UPDATE files SET tally = '{'",), ("UPDATE files SET tally = NULL",), ("UPDATE files SET tally = x'ff'",),
    ("UPDATE files SET tally = CAST(x'ff' AS TEXT)",), ("UPDATE files SET pieces = 'abc', whole = 0",),
    ("UPDATE files SET pieces = -5, whole = 0",), ("UPDATE files SET text = 5",), ("UPDATE files SET text = 'é'",),
    ("UPDATE files SET games = 'x', whole = 0",), (UNCLEAN, "UPDATE files SET tally = '{\"a\":1}'"),
    (UNCLEAN, "UPDATE files SET tally = '[1,2,3,\"ab\",null]'"), (UNCLEAN, "UPDATE files SET tally = 5"),
    (ANEW, "UPDATE moves SET text = 'abc'"), (ANEW, "UPDATE moves SET game = 'abc'"),
    (ANEW, "DELETE FROM texts", "INSERT INTO texts SELECT text, 99, 7 FROM moves GROUP BY text"),
]  # fmt: skip
BAD_SCHEMAS: list[tuple[Statement, ...]] = [
    ("DROP TABLE moves",),
    ("DROP TABLE moves", "CREATE TABLE moves (a)"),
    ("DROP TABLE files", "CREATE TABLE files (id INTEGER PRIMARY KEY, path BLOB)"),
    ("DROP TABLE moves", "CREATE VIEW moves AS SELECT 1 id, 2 text, 3 game"),
    ("CREATE TRIGGER t AFTER UPDATE ON kept BEGIN SELECT RAISE(ABORT, 'evil \x1b[31m'); END",),
    ("CREATE TRIGGER t AFTER UPDATE ON kept BEGIN INSERT INTO texts SELECT NULL, 1, zeroblob(1000000); END",),
    ("CREATE INDEX mine ON kept (name)",),
]


@pytest.mark.parametrize("statements", BAD_VALUES)
def test_a_damaged_state_is_told(honest: Path, statements: tuple[Statement, ...]):
    crafted(*statements)
    done = run()
    assert (done.exit_code, done.stderr) == (2, f"Error: st: {DAMAGED}\n")


@pytest.mark.parametrize("column", ["judge", "stamp"])
def test_what_is_compared_alone_need_not_be_text(honest: Path, column: str):
    crafted(f"UPDATE files SET {column} = CAST(x'86' AS TEXT)")
    assert run().exit_code == 0


@pytest.mark.parametrize("statements", BAD_SCHEMAS)
def test_a_state_has_our_tables_and_nothing_beside_them(honest: Path, statements: tuple[Statement, ...]):
    crafted(*statements)
    done = run()
    assert (done.exit_code, done.stderr) == (2, f"Error: st: {STRANGE}\n")


@pytest.mark.parametrize("more", [(), (UNCLEAN,), (ANEW,), (ANEW, UNCLEAN)])
@pytest.mark.parametrize(("name", "size"), [("zz", 0), ("g.tiro", 9), ("g.tiro/gone", 9)])
def test_no_path_leads_out_of_the_folder(honest: Path, name: str, size: int, more: tuple[Statement, ...]):
    for place in (honest / "good/../victim.tiro", honest / "victim.tiro"):
        crafted(kept(place, name, size), *more)
        run()
        assert Path("victim.tiro").read_text() == "precious\n"


@pytest.mark.parametrize("more", [(), (UNCLEAN,), (ANEW,), (ANEW, UNCLEAN)])
@pytest.mark.parametrize(("name", "size"), [("zz", 0), ("g.tiro", 9), ("g.tiro/gone", 9)])
@pytest.mark.parametrize("link", ["good/link.tiro", "good/way", "good/late.tiro.part"])
def test_no_link_leads_out_of_the_folder(honest: Path, link: str, name: str, size: int, more: tuple[Statement, ...]):
    Path(link).symlink_to(honest if link == "good/way" else honest / "victim.tiro")
    places = {"good/way": "good/way/victim.tiro", "good/late.tiro.part": "good/late.tiro"}
    crafted(kept(honest / places.get(link, link), name, size), *more)
    run()
    assert Path("victim.tiro").read_text() == "precious\n"
    assert Path(link).is_symlink()


@pytest.mark.parametrize("link", ["good/g.tiro", "good/g.tiro.part"])
def test_games_are_not_written_through_links(honest: Path, link: str):
    Path("good/g.tiro").unlink()
    Path(link).symlink_to(honest / "victim.tiro")
    crafted(ANEW)
    assert run().exit_code == 0
    assert Path("victim.tiro").read_text() == "precious\n"
    assert Path("good/g (2).tiro").is_file()


def test_folders_of_sorted_games_are_not_links(honest: Path):
    Path("in").mkdir()
    Path("elsewhere").mkdir()
    shutil.copy("g.tiro", "in/h.tiro")
    Path("good/in").symlink_to(honest / "elsewhere")
    tiro("check", "in/h.tiro", "-j", "1", "--keep-good", "good", "--resume", "st")
    assert not list(Path("elsewhere").iterdir())
    assert Path("good/in_/h.tiro").is_file()


def test_names_of_sorted_games_have_nothing_unseen(honest: Path):
    name = "a\x1b[2J\u202eorit.\u2066b\x9bc\u200bd.tiro"
    shutil.copy("g.tiro", name)
    done = tiro("check", name, "-j", "1", "--keep-good", "sorted")
    assert done.exit_code == 0
    assert [path.name for path in Path("sorted").iterdir()] == ["a_[2J_orit._b_c_d.tiro"]


def test_an_honest_state_is_gone_on_with(honest: Path):
    crafted(ANEW, UNCLEAN)
    assert run().exit_code == 0
    assert sorted(path.name for path in Path("good").iterdir()) == ["g.tiro"]
    assert "Checked before" in run().stderr


def test_a_journal_beside_it_deletes_nothing(honest):
    """SQLite takes away the file that a journal names as its head, when it has rolled back what the journal says."""
    shutil.copy("st", "st0")
    with closing(sqlite3.connect("st0", isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode=DELETE")
        base.execute("CREATE TABLE t (a)")
        base.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 200)
        base.execute("PRAGMA cache_size=1")
        base.execute("BEGIN")
        base.execute("UPDATE t SET a = 'y' || a")
        shutil.copy("st0", "st")
        journal = Path("st0-journal").read_bytes()
        base.execute("ROLLBACK")
    page = int.from_bytes(Path("st").read_bytes()[16:18], "big")
    pages = (len(journal) - 512) // (page + 8)
    head = os.fsencode(honest / "victim.tiro")
    numbers = [(0x40000000 // page + 1), len(head), sum(head)]
    first, size, total = (each.to_bytes(4, "big") for each in numbers)
    Path("st-journal").write_bytes(
        journal[:8]
        + pages.to_bytes(4, "big")
        + journal[12 : 512 + pages * (page + 8)]
        + (first + head + size + total + bytes.fromhex("d9d505f920a163d7"))
    )
    done = run()
    assert Path("victim.tiro").read_text() == "precious\n"
    assert done.exit_code == 2
    assert "st-journal: --resume writes no such file" in done.stderr


def test_nothing_is_made_where_a_link_points_nowhere(honest):
    Path("st").unlink()
    os.symlink("nowhere", "st")
    done = run()
    assert (done.exit_code, Path("nowhere").exists()) == (2, False)
    assert "this is a dangling link" in done.stderr
