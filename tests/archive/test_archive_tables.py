"""The tables of an archive say what the records say, by a count of their own; and questions find it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from archives import BROKEN, ROOT, game, games, tiro
from tironian import Game, check, parse, token_text
from tironian import tokens as t
from tironian.notation.cards import GROUP_NAMES
from tironian.tools.archive.sql import ExportedTables, ready_queries
from tironian.tools.archive.tables import TABLES, schema

COUNT = 120
SIDES = ("rome", "egypt")


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Simulated games of all rule sets, examples with everything a record can hold, and broken logs."""
    folder = tmp_path_factory.mktemp("season")
    (folder / "simulated.tiro").write_text(games(COUNT), encoding="utf-8")
    (folder / "once.more.tiro").write_text(f"{game(5)}\n{BROKEN}\n{game(200)}", encoding="utf-8")
    for path in sorted((ROOT / "examples").rglob("*.tiro")):
        (folder / f"{path.parent.name}-{path.name}").write_bytes(path.read_bytes())
    return folder


@pytest.fixture(scope="module")
def exported(season: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    done = tiro("export", season, "-o", folder, "-j", 2)
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def archive(exported: Path) -> Iterator[ExportedTables]:
    with ExportedTables(str(exported)) as archive:
        yield archive


@pytest.fixture(scope="module")
def records(season: Path) -> list[Game]:
    """The same games, read without anything of the archive."""
    return [each for path in sorted(season.iterdir()) for each in parse(path.read_text(encoding="utf-8"), str(path))]


def asked(archive: ExportedTables, sql: str) -> list[tuple]:
    return list(archive.query(sql).rows())


def counted(folder: Path, sql: str = "SELECT count(*) FROM games") -> list[tuple]:
    with ExportedTables(str(folder)) as archive:
        return asked(archive, sql)


def key(game: Game) -> tuple[str, int]:
    return game.source.name, game.source.first


def test_every_game_stands_there_once(archive: ExportedTables, records: list[Game]):
    found = asked(archive, "SELECT file, line FROM games ORDER BY file, line")
    assert found == sorted(map(key, records))
    for name in TABLES.keys() - {"games"}:
        assert not asked(archive, f"SELECT * FROM {name} ANTI JOIN games USING (file, line)")


def test_verdicts_results_and_endings(archive: ExportedTables, records: list[Game]):
    found = {row[:2]: row[2:] for row in asked(
        archive, "SELECT file, line, verdict, edition, rome_points, egypt_points, errors FROM games"
    )}  # fmt: skip
    for each in records:
        verdict = check(each)
        errors = sum(told.severity == "error" for told in verdict.diagnostics)
        points = (each.record.result.points if each.record.result else None) or (None, None)
        edition = verdict.edition.name if verdict.edition else each.record.header("Rules", "?")
        assert found[key(each)] == (verdict.verdict, edition, *points, errors)


def test_tables_and_the_json_report_say_the_same(archive: ExportedTables, season: Path):
    """Headers, points and outcomes: tests/report/test_report_results.py holds the report against the library."""
    report = json.loads(tiro("check", "-j", 1, "--format", "json", season).stdout)
    sides = "rome_counted, egypt_counted, rome_missions, egypt_missions, rome_penalty, egypt_penalty"
    columns = f"finished, winner, decided_by, ending, termination, tie_break, {sides}"
    found = {row[:2]: row[2:] for row in asked(archive, f"SELECT file, line, {columns} FROM games")}
    headers: dict[tuple, list] = {}
    for file, line, name, value in asked(archive, "SELECT * EXCLUDE (place) FROM headers ORDER BY file, line, place"):
        headers.setdefault((file, line), []).append({"name": name, "value": value})
    groups: dict[tuple, list] = {}
    for file, line, side, *row in asked(archive, "SELECT * FROM scores"):
        names = ("group", "patricians", "majority", "whole", "points")
        groups.setdefault((file, line, side), []).append(dict(zip(names, row, strict=True)))
    assert len(report["games"]) == len(found)
    for each in report["games"]:
        here, came, score = (each["file"], each["line"]), each["outcome"], each["score"]
        expected = [came[name] for name in ("finished", "winner", "decided_by", "ending", "termination")]
        expected.append(came["winner"] and came["decided_by"] == "tie-break")
        for name in ("points", "mission_points", "penalty"):
            expected += [score[side][name] if score else None for side in SIDES]
        assert found[here] == tuple(expected)
        assert headers[here] == each["headers"]
        for side in SIDES:
            assert groups.get((*here, side)) == (score and score[side]["groups"])
    assert {each["outcome"]["decided_by"] for each in report["games"]} >= {"points", "tie-break", "resigned", None}


def test_every_token_is_an_event(archive: ExportedTables, records: list[Game]):
    found = asked(archive, "SELECT file, line, turn, ply, side, token FROM events ORDER BY file, line, ply")
    expected = [
        (*key(each), place, ply, SIDES[turn.side], text)
        for each in sorted(records, key=key)
        for ply, (place, turn, text) in enumerate(
            (
                (place, turn, token_text(token))
                for place, turn in enumerate(each.record.turns, 1)
                for token in turn.tokens
            ),
            1,
        )
    ]
    assert found == expected


def test_turns(archive: ExportedTables, records: list[Game]):
    found = asked(archive, "SELECT file, line, turn, number, side, events FROM turns ORDER BY file, line, turn")
    assert found == [
        (*key(each), place, turn.number, SIDES[turn.side], len(turn.tokens))
        for each in sorted(records, key=key)
        for place, turn in enumerate(each.record.turns, 1)
    ]
    counts = Counter(status for (status,) in asked(archive, "SELECT status FROM turns"))
    assert counts.keys() == {"set-up", "played", "taken back", "not followed"}
    clocks = asked(archive, "SELECT clock FROM turns WHERE clock IS NOT NULL")
    marks = [mark for each in records for turn in each.record.turns for mark in turn.marks if mark[0] == "@"]
    seconds = [sum(60**place * int(part) for place, part in enumerate(reversed(mark[1:].split(":")))) for mark in marks]
    assert Counter(clock for (clock,) in clocks) == Counter(seconds)


def test_votes_and_who_wins_them(archive: ExportedTables, records: list[Game]):
    """Sums and winners by arithmetic of its own; philosophers are left to the record."""
    found = asked(archive, 'SELECT file, line, trigger, "group", rome_sum, egypt_sum, winner, flipped FROM votes')
    counts = Counter((*row[:4], row[4], row[5]) for row in found)
    expected: Counter[tuple] = Counter()
    for each in records:
        for turn in each.record.turns:
            for token in turn.tokens:
                if isinstance(token, t.Vote | t.SpecialVote):
                    trigger = "special" if isinstance(token, t.SpecialVote) else "drawn"
                    sums = [
                        None if cards is None or any(card > 5 for card in cards) else sum(cards)
                        for cards in (token.rome, token.egypt)
                    ]
                    expected[*key(each), trigger, GROUP_NAMES[token.group], *sums] += 1
    assert counts == expected
    for *_, rome, egypt, winner, flipped in found:
        if winner in SIDES and None not in (rome, egypt):
            assert flipped == ((rome, egypt)[SIDES.index(winner)] < (rome, egypt)[1 - SIDES.index(winner)])


# ------------------------------------------------------------------------------------------------------ ready queries


@pytest.fixture
def counting(archive: ExportedTables, records: list[Game]) -> list[Game]:
    """The games of the records without those that are another log of one."""
    played = set(asked(archive, "SELECT file, line FROM played"))
    return [each for each in records if key(each) in played]


def answer(archive: ExportedTables, name: str) -> list[dict]:
    found = archive.query(ready_queries()[name].sql)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows()]


def test_ready_queries_count_what_the_records_say(archive: ExportedTables, counting: list[Game]):
    verdicts = [(each, check(each)) for each in counting]
    known = [
        (each, verdict, ("rome", "egypt", "draw")[verdict.outcome.winner])
        for each, verdict in verdicts
        if verdict.outcome.winner is not None
    ]
    wins = Counter((verdict.edition.name, winner) for _, verdict, winner in known)  # type: ignore[union-attr]
    for row in answer(archive, "results"):
        assert (row["rome"], row["egypt"], row["drawn"]) == tuple(
            wins[row["edition"], winner] for winner in ("rome", "egypt", "draw")
        )
    assert sum(row["games"] for row in answer(archive, "results")) == len(known)
    starts = Counter(
        SIDES[next(turn.side for turn in each.record.turns if turn.number)] == winner for each, _, winner in known
    )
    assert sum(row["won"] for row in answer(archive, "first-player")) == starts[True]
    players: Counter[str] = Counter()
    points: Counter[str] = Counter()
    for each in [each for each, verdict, _ in known if verdict.verdict in ("legal", "possible")]:
        for side, name in enumerate(("Caesar", "Cleopatra")):
            players[each.record.header(name)] += 1
            points[each.record.header(name)] += ((each.record.result and each.record.result.points) or (0, 0))[side]
    rows = answer(archive, "players")
    assert players["?"]  # who has no name is not listed
    assert {row["player"]: (row["games"], row["points"] or 0) for row in rows} == {
        name: (players[name], points[name]) for name in players if name != "?"
    }
    assert all(row["won"] + row["drawn"] + row["lost"] == row["games"] for row in rows)
    kinds = {t.Assassinate: "assassination", t.Scout: "scout", t.Wrath: "wrath", t.Castle: "castling", t.Spy: "spy"}
    acts = Counter(
        kinds[type(token)]
        for each in counting
        for turn in each.record.turns
        for token in turn.tokens
        if type(token) in kinds
    )
    played: Counter[str] = Counter()
    for row in answer(archive, "actions"):
        played[row["kind"]] += row["played"]
    del played["veto"]
    assert played == acts
    endings = Counter(verdict.outcome.ending for _, verdict in verdicts)
    told: Counter[str] = Counter()
    for row in answer(archive, "endings"):
        told[row["ending"]] += row["games"]
    assert {name: told[name] for name in endings if name} == {name: endings[name] for name in endings if name}
    assert told["resigned"]
    assert sum(told.values()) == len(counting)
    assert [row["times"] for row in answer(archive, "doubles") if "simulated" in row["places"]] == [2]
    votes = [token for each in counting for turn in each.record.turns for token in turn.tokens
             if isinstance(token, t.Vote | t.SpecialVote)]  # fmt: skip
    assert sum(row["votes"] for row in answer(archive, "votes")) == len(votes)
    sure = [vote for vote in votes if vote.rome is not None and vote.egypt is not None
            and max((*vote.rome, *vote.egypt), default=0) <= 5]  # fmt: skip
    by_count = Counter((vote.rome + vote.egypt).count(0) for vote in sure)  # type: ignore[operator]
    flips: Counter[int] = Counter()
    for row in answer(archive, "flips"):
        flips[row["philosophers"]] += row["votes"]
    assert flips == by_count


# ------------------------------------------------------------------------------------------------- the files themselves


def test_columns_have_their_types_and_their_meaning(exported: Path):
    for name, columns in TABLES.items():
        for part in (exported / name).glob("*.parquet"):
            found = pq.read_schema(part)
            assert found.equals(schema(name))
            assert [found.field(name).metadata[b"meaning"].decode() for name in columns] == [
                meaning for _, meaning in columns.values()
            ]


FREE = {"file", "as_file", "event", "site", "caesar", "cleopatra", "name"}
"""Columns of few different values that may be any."""


def test_the_values_of_a_column_are_listed(archive: ExportedTables):
    """So that nobody asks for a value that there is not, and gets no rows and no word."""
    for table, columns in TABLES.items():
        for column, (kind, meaning) in columns.items():
            if kind == "name" and column not in FREE and "as in" not in meaning:
                listed = re.findall(r"`([^`]+)`", meaning)
                found = {value for (value,) in asked(archive, f'SELECT DISTINCT "{column}" FROM {table}')} - {None}
                assert found <= {*listed}, (table, column)


def test_columns_are_documented():
    text = (ROOT / "docs" / "archives.md").read_text(encoding="utf-8")
    for name, columns in TABLES.items():
        section = text.partition(f"### `{name}`")[2].partition("\n#")[0]
        rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", section, re.M)
        assert rows == [(column, *described) for column, described in columns.items()], name
    for query in ready_queries().values():
        assert f"`{query.name}`" in text


def test_one_process_or_many_give_the_same_rows(season: Path, tmp_path: Path, archive: ExportedTables):
    assert tiro("export", season, "-o", tmp_path / "t", "-j", 1).exit_code == 0
    with ExportedTables(str(tmp_path / "t")) as alone:
        for name in TABLES:
            sql = f"SELECT * FROM {name} ORDER BY ALL"
            assert asked(alone, sql) == asked(archive, sql)


def test_an_export_is_never_written_over_anything_else(tmp_path: Path, season: Path):
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "mine.txt").write_text("kept")
    for more in ((), ("--force",)):
        done = tiro("export", season / "once.more.tiro", "-o", tmp_path / "t", *more)
        assert done.exit_code == 2
        assert "this folder is not empty" in done.stderr
    assert [path.name for path in (tmp_path / "t").iterdir()] == ["mine.txt"]
    assert tiro("export", season / "once.more.tiro", "-o", tmp_path / "u").exit_code == 0
    assert "--force writes it again" in tiro("export", season / "once.more.tiro", "-o", tmp_path / "u").stderr
    assert tiro("export", season / "once.more.tiro", "-o", tmp_path / "u", "--force").exit_code == 0
    assert counted(tmp_path / "u") == [(3,)]


def test_nothing_is_taken_away_but_parts_of_an_export(tmp_path: Path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.tiro").write_text(game(1), encoding="utf-8")
    (tmp_path / "export.json").write_text("{}")
    assert tiro("export", tmp_path / "games", "-o", tmp_path, "--force").exit_code == 2
    assert tiro("export", tmp_path, "-o", tmp_path / "games", "--force").exit_code == 2
    assert (tmp_path / "games" / "mine.tiro").read_text(encoding="utf-8") == game(1)


def test_an_export_that_is_begun_anew_is_not_whole(tmp_path: Path, season: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "t"
    tiro("export", season / "once.more.tiro", "-o", folder)
    (folder / "games" / "part-9.parquet").mkdir()

    def fail(*_args: object) -> None:
        raise ValueError("no")

    with monkeypatch.context() as patch:
        patch.setattr("fsspec.implementations.local.LocalFileSystem.rm_file", fail)
        assert "no" in tiro("export", season / "once.more.tiro", "-o", folder, "--force").stderr
    with ExportedTables(str(folder)) as tables:
        assert not tables.whole
    assert tiro("export", season / "once.more.tiro", "-o", folder, "--force").exit_code == 0
    with ExportedTables(str(folder)) as tables:
        assert tables.whole
    assert (folder / "games" / "part-9.parquet").is_dir()


def test_what_is_no_game_is_no_row(tmp_path: Path):
    (tmp_path / "a.zip").write_bytes(b"PK\3\4" + bytes(90))
    (tmp_path / "b.tiro").write_text(game(1), encoding="utf-8")
    done = tiro("export", tmp_path / "a.zip", tmp_path / "b.tiro", "-o", tmp_path / "t")
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1].startswith("1 game, ")
    assert counted(tmp_path / "t") == [(1,)]


def test_a_folder_of_any_name_can_be_asked(tmp_path: Path, season: Path):
    folder = tmp_path / "it's [1] *"
    assert tiro("export", season / "once.more.tiro", "-o", folder).exit_code == 0
    assert counted(folder) == [(3,)]


def test_a_column_as_long_as_a_word_can_be_is_a_row(tmp_path: Path):
    (tmp_path / "a.tiro").write_text(game(1).rpartition("\n1")[0] + f"\n99E =A{'5' * 190}:>R\n*\n", encoding="utf-8")
    assert tiro("export", tmp_path / "a.tiro", "-o", tmp_path / "t").exit_code == 0
    assert counted(tmp_path / "t", "SELECT max(rome_sum) FROM votes") == [(950,)]


# ------------------------------------------------------------------------------------------------------- the command


def test_answers_in_all_forms(exported: Path):
    sql = "SELECT edition, count(*) AS games, avg(turns) AS turns FROM games GROUP BY edition ORDER BY edition"
    rows = list(csv.DictReader(io.StringIO(tiro("query", "-d", exported, "--format", "csv", sql).stdout)))
    lines = tiro("query", "-d", exported, "--format", "json", sql).stdout.splitlines()
    assert [row["games"] for row in rows] == [str(json.loads(line)["games"]) for line in lines]
    text = tiro("query", "-d", exported, sql).stdout
    assert all(row["edition"] in text for row in rows)
    assert "…" not in text
    assert text.endswith(f"{len(rows)} rows\n")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ((), "give a query in SQL"), (("SELECT 1", "--name", "results"), "give a query in SQL"),
        (("--name", "winners"), "there are actions"), (("",), "there is no query"), ((" ;",), "there is no query"),
        (("SELEC 1",), "syntax error"), (("SELECT nothing FROM games",), "nothing"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_told(exported: Path, args: tuple[str, ...], told: str):
    done = tiro("query", "-d", exported, *args)
    assert done.exit_code == 2
    assert told in done.stderr


def test_ready_questions_are_listed_and_can_be_had():
    assert [line.split()[0] for line in tiro("query", "--list").stdout.splitlines()] == list(ready_queries())
    for named in (("--name", "results"), ("results",)):
        assert tiro("query", *named, "--show").stdout == ready_queries()["results"].sql
