"""The players of an archive: the same of each game wherever it lies and whoever judges it, and no game lost."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import jsonschema
import pyarrow.parquet as pq
import pytest
from archives import tiro
from click.testing import Result
from distributed import LocalCluster
from schema_parts import closed_schema
from tironian import EDITION_NAMES, Record, Report, analyse, load_edition, simulate, view, write
from tironian.tools.insight import judged_games

FORMULA = '=HYPERLINK("x")'


@cache
def game(seed: int, rules: str, caesar: str = "Livia", cleopatra: str = "Marcus", turns: int = 3) -> Record:
    """The beginning of a game between two people."""
    record = simulate(load_edition(rules), seed)
    names = {"Caesar": caesar, "Cleopatra": cleopatra}
    headers = tuple((name, names.get(name, value)) for name, value in record.headers if name != "Result")
    return replace(record, headers=headers, turns=tuple(record.turns)[: turns + 2], result=None)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of several rule sets, in one file and in several, and things that can't be judged."""
    folder = tmp_path_factory.mktemp("club")
    for number, rules in enumerate(EDITION_NAMES):
        (folder / f"{rules}.tiro").write_text(write(game(number, rules)), encoding="utf-8")
    several = [game(seed, EDITION_NAMES[0], "Marcus", FORMULA) for seed in range(3)]
    (folder / "several.tiro").write_text("\n".join(map(write, several)), encoding="utf-8")
    own = view(game(7, EDITION_NAMES[0]), "caesar").record
    (folder / "own.tiro").write_text(write(own), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def alone(club: Path) -> Result:
    """What one process says of them."""
    done = players(club, "-j", 1)
    assert (done.exit_code, done.stderr) == (0, "")
    return done


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, processes=False) as workers:
        yield workers.scheduler_address


def players(*args: object, form: str = "json", stdin: bytes | None = None) -> Result:
    return tiro("analyse", "--players", "--level", "quick", "--format", form, *args, stdin=stdin)


def rows(done: Result) -> dict[tuple[str, str], dict]:
    """The lines of the players, by rule set and name."""
    return {(line["rules"], line["player"]): line for line in json.loads(done.stdout)["players"]}


@pytest.mark.process
def test_any_number_of_processes_and_a_cluster_give_the_same_bytes(
    club: Path, alone: Result, address: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tironian.tools.cli.analyse.SIZE", 300)  # or it would all be one process's
    assert players(club, "-j", 2).stdout == alone.stdout
    assert players(club, "--cluster", address).stdout == alone.stdout


def test_an_archive_gives_the_same_as_a_folder(club: Path, alone: Result, tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "club.zip", "w") as packed:
        for path in sorted(club.iterdir(), reverse=True):
            packed.write(path, path.name)
    assert players(tmp_path / "club.zip").stdout == alone.stdout


def test_sums_are_those_of_the_reports(alone: Result):
    found = rows(alone)
    assert {rules for rules, _ in found} == {*EDITION_NAMES}
    livia, marcus = found[EDITION_NAMES[0], "Livia"], found[EDITION_NAMES[0], "Marcus"]
    assert (livia["games"], marcus["games"]) == (2, 4)  # an own record says nothing of the other player
    side = analyse(game(1, EDITION_NAMES[1]), 1, "quick").sides[1]
    assert side is not None
    one = found[EDITION_NAMES[1], "Marcus"]
    assert [one[cause] for cause in ("draws", "busts", "reveals")] == [
        round(side.ledger[cause], 6) for cause in ("draws", "busts", "reveals")
    ]
    assert one["won"] + one["drawn"] + one["lost"] == 0  # the game breaks off


@pytest.fixture
def season(tmp_path: Path) -> Path:
    """Two games in files of their own, and several in one."""
    for number in range(2):
        (tmp_path / f"{number}.tiro").write_text(write(game(number, "2024")), encoding="utf-8")
    several = "\n".join(write(game(seed, "2024", turns=2 * seed)) for seed in range(2, 6))
    (tmp_path / "several.tiro").write_text(several, encoding="utf-8")
    return tmp_path


def test_reports_are_kept_beside_their_records_and_used(season: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tironian.tools.cli.analyse.SIZE", 1 << 9)  # so that a file comes in several chunks
    first = players(season, "-j", 1, "--keep")
    assert (first.exit_code, first.stderr) == (0, "")
    assert {path.name for path in season.glob("*.insight.json")} == {
        "0.insight.json", "1.insight.json", "several.insight.json",
    }  # fmt: skip
    single = tiro("analyse", season / "several.tiro", "--level", "quick", "--format", "json")
    assert (season / "several.insight.json").read_text(encoding="utf-8") == single.stdout
    judged: list[str] = []

    def noted(game, *args) -> Report:
        judged.append(game.source.name)
        return analyse(game, *args)

    monkeypatch.setattr(judged_games, "analyse", noted)
    assert players(season, "-j", 1).stdout == first.stdout
    assert judged == [str(season / "several.tiro")] * 3
    (season / "1.tiro").write_text(write(game(9, "2024")), encoding="utf-8")
    players(season, "-j", 1)
    assert str(season / "1.tiro") in judged


def test_a_report_that_can_not_be_read_loses_no_game(season: Path, monkeypatch: pytest.MonkeyPatch):
    first = players(season, "-j", 1, "--keep")

    def unreadable(_text: bytes) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(judged_games.analysis_json, "read", unreadable)
    assert players(season, "-j", 1).stdout == first.stdout


def test_what_is_no_report_is_left_as_it_is(season: Path):
    (season / "1.insight.json").write_text("my own notes", encoding="utf-8")
    done = players(season, "-j", 1, "--keep")
    assert done.exit_code == 2
    assert "1.tiro, game 1: 1.insight.json is not a report by tiro analyse; it was left as it is" in done.stderr
    assert (season / "1.insight.json").read_text(encoding="utf-8") == "my own notes"
    assert json.loads(done.stdout)["games"] == 6


def test_results_are_counted():
    resigned = replace(game(1, "2024"), result=simulate(load_edition("2024"), 5).result)
    resigned = replace(resigned, headers=(*resigned.headers, ("Termination", "resigned")))
    found = rows(players("-", stdin=write(resigned).encode()))
    ends = [[found["2024", name][end] for end in ("won", "drawn", "lost")] for name in ("Livia", "Marcus")]
    assert sorted(ends) == [[0, 0, 1], [1, 0, 0]]


def test_games_that_can_not_be_judged_are_counted_and_lose_nothing(club: Path, alone: Result, tmp_path: Path):
    (tmp_path / "rules.tiro").write_text('[Caesar "Livia"]\n\n1E 5Q\n*\n')
    (tmp_path / "seen.tiro").write_text(write(view(game(3, "2024"), "table").record))
    (tmp_path / "torn.tiro.gz").write_bytes(b"\x1f\x8b\x08\x00")
    mixed = players(club, tmp_path)
    assert mixed.exit_code == 2
    assert rows(mixed) == rows(alone)
    assert sum(json.loads(mixed.stdout)["left_out"].values()) == 2
    assert "one game of an unknown rule set" in mixed.stderr
    assert "torn.tiro.gz" in mixed.stderr
    assert players(tmp_path / "rules.tiro").exit_code == 1
    assert players(tmp_path / "seen.tiro").exit_code == 0


def test_a_game_whose_set_up_no_cards_explain_is_no_fault_of_the_program():
    lines = write(game(1, "2024")).splitlines()
    lines = [line.replace(" m(", " (5)P" * 13 + " m(") if line.startswith(("0R", "0E")) else line for line in lines]
    done = players("-", stdin="\n".join(lines).encode())
    assert (done.exit_code, "T001" in done.stderr) == (1, False)
    assert "Left out: one game whose set-up can't be followed." in done.stderr


def test_a_game_that_breaks_off_counts_as_far_as_it_goes():
    broken = game(1, "2024")
    text = write(broken) + "3E (5)A (5)A (5)A\n"
    done = players("-", stdin=text.encode())
    assert done.exit_code == 1
    assert "as far as the cards can be followed: one game" in done.stderr
    assert rows(done)["2024", "Livia"]["decisions"] > 0


def test_a_bug_in_one_game_is_reported_as_that_games(club: Path, monkeypatch: pytest.MonkeyPatch):
    def fails(game, *args) -> Report:
        if game.number == 2:
            raise ZeroDivisionError("no")
        return analyse(game, *args)

    monkeypatch.setattr(judged_games, "analyse", fails)
    done = players(club / "several.tiro", "-j", 1)
    assert done.exit_code == 2
    said = "several.tiro, game 2: this is a bug in tiro, not a fault in the record: ZeroDivisionError: no ("
    assert said in done.stderr
    assert json.loads(done.stdout)["games"] == 2


def test_the_forms_say_the_same(club: Path, tmp_path: Path):
    several, data = club / "several.tiro", json.loads(players(club / "several.tiro").stdout)
    jsonschema.Draft202012Validator(closed_schema("players")).validate(data)
    table = list(csv.DictReader(io.StringIO(players(several, form="csv").stdout)))
    assert [row["loss_per_decision"] for row in table] == [str(line["loss_per_decision"]) for line in data["players"]]
    assert f"'{FORMULA}" in {row["player"] for row in table}
    assert players(several, "-o", tmp_path / "p.parquet", form="parquet").exit_code == 0
    assert pq.read_table(tmp_path / "p.parquet").to_pylist() == data["players"]
    assert players(several, "--parts", "-o", tmp_path / "q.parquet", form="parquet").exit_code == 0
    assert pq.read_table(tmp_path / "q.parquet").to_pylist() == data["parts"]
    table = list(csv.DictReader(io.StringIO(players(several, "--parts", form="csv").stdout)))
    assert [(row["by"], row["part"], row["decisions"]) for row in table] == [
        (line["by"], line["part"], str(line["decisions"])) for line in data["parts"]
    ]
    text = players(several, form="text").stdout
    assert all(line["player"] in text for line in data["players"])
    assert "too few" in text
    assert "150 decisions" in text
    assert "rating" not in text


def test_one_player_is_told_where_losses_arise(club: Path, alone: Result):
    livia = players(club, "--of", "Livia")
    data, whole = json.loads(livia.stdout), json.loads(alone.stdout)
    for table in ("players", "parts"):
        assert data[table] == [line for line in whole[table] if line["player"] == "Livia"]
    text = players(club, "--of", "Livia", form="text").stdout
    assert "Livia: there is not enough to compare the parts of their decisions." in text
    assert "placing" in text
    assert "Marcus" not in text
    assert "placing" not in players(club, form="text").stdout
    nobody = players(club, "--of", "Nobody", form="text")
    assert (nobody.exit_code, "No game can be used to judge a player called “Nobody”." in nobody.stderr) == (1, True)


def test_reports_that_earlier_versions_have_kept_say_the_same(season: Path):
    first = players(season, "--keep")
    for path in season.glob("*.insight.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        for side in data["sides"]:
            side["ledger"].pop("unexplained", None)
            for decision in side["decisions"]:
                for name in ("then", "lead", "moves"):
                    decision.pop(name, None)
        path.write_text(json.dumps(data), encoding="utf-8")
    assert players(season).stdout == first.stdout


def test_the_nameless_are_left_out(tmp_path: Path):
    (tmp_path / "a.tiro").write_text(write(game(1, "2024", " ? ", "Marcus")))
    done = players(tmp_path)
    assert [name for _, name in rows(done)] == ["Marcus"]
    assert "one side without a player's name" in done.stderr
    nobody = players("-", form="text", stdin=write(game(1, "2024", "", "?")).encode())
    assert "No game can be used: none has a named player" in nobody.stdout


def test_numpy_and_pyarrow_are_asked_for(club: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tironian.tools.cli.common.find_spec", lambda name: None if name == "pyarrow" else name)
    assert "pyarrow" in players(club, form="parquet").stderr
    monkeypatch.setattr("tironian.tools.cli.common.find_spec", lambda _: None)
    done = players(club)
    assert (done.exit_code, "numpy" in done.stderr) == (2, True)
