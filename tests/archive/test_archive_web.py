"""Archives on a web server: read from their beginning, in folders that the server lists."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from archives import checked, game, games, tiro, zipped
from stores import Failing, web


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web") / "season"
    (folder / "older games").mkdir(parents=True)
    (folder / "a.tiro").write_text(games(3), encoding="utf-8")
    (folder / "older games" / "c 1.tiro").write_text(games(2, 3), encoding="utf-8")
    for name in ("torn", "broken", "denied"):
        (folder / name).mkdir()
        # Of a torn file some buffers are lost that were on their way, so it has to be longer than those.
        (folder / name / "d.tiro").write_text(f"{game(1)}; {'x' * 9000}\n\n" * 400, encoding="utf-8")
    (folder / "d.zip").write_bytes(zipped({"d/e.tiro": f"{game(1)}\n{game(7)}"}))
    tiro("export", folder / "a.tiro", "-o", folder / "tables")
    return folder


@pytest.fixture(scope="module")
def address(season: Path) -> Iterator[str]:
    with web(season, Failing) as at:
        yield at


@pytest.mark.parametrize("inside", ["/a.tiro", "/d.zip", "/older%20games/", "/older%20games", "/*.tiro"])
def test_games_on_the_web_are_checked_as_those_of_a_folder(address: str, season: Path, inside: str):
    here = checked([f"{season}{inside}".replace("%20", " ")])
    there = checked([f"{address}{inside}"])
    assert there
    assert [each.file.removeprefix(address).replace("%20", " ") for each in there] == [
        each.file.removeprefix(str(season)) for each in here
    ]
    assert [(each.game, each.line, each.moves) for each in there] == [
        (each.game, each.line, each.moves) for each in here
    ]


def test_a_check_goes_on_where_it_stopped(season: Path, tmp_path: Path):
    log, state = tmp_path / "web" / "a.tiro", tmp_path / "state"
    log.parent.mkdir()
    log.write_text(game(1), encoding="utf-8")
    os.utime(log, (10**9, 10**9))
    with web(log.parent) as at:
        assert tiro("check", at, "--resume", state).stdout.startswith("1 game,")
        assert tiro("check", at, "--resume", state).stdout == "no games\n"
        os.utime(log, (10**9 + 60, 10**9 + 60))
        assert tiro("check", at, "--resume", state).stdout.startswith("1 game,")


def test_tables_on_the_web_are_asked(address: str, season: Path):
    there = tiro("query", "-d", f"{address}/tables", "--name", "results")
    here = tiro("query", "-d", season / "tables", "--name", "results")
    assert (there.exit_code, there.stdout) == (0, here.stdout)


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("nothing.tiro", "there is no such file or folder"),
        ("denied/d.tiro", "access is denied (403"),
        ("broken/d.tiro", "the store answered with an error, or not at all (500"),
    ],
)
def test_what_the_server_refuses_is_told(address: str, place: str, told: str):
    for call in (["check"], ["show"]):
        done = tiro(*call, f"{address}/{place}")
        assert done.exit_code == 2
        assert told in done.output
        assert "Traceback" not in done.output


def test_the_games_before_the_server_went_are_checked(address: str):
    done = tiro("check", f"{address}/torn/d.tiro", "-j", 1)
    assert done.exit_code == 2
    assert "from here on this can't be read: the store answered with an error, or not at all" in done.stdout
    assert "legal" in done.stdout.splitlines()[-2]


def test_no_server_is_told(address: str):
    with web(Path()) as at:
        pass
    done = tiro("check", f"{at}/a.tiro")
    assert done.exit_code == 2
    assert "connect call failed" in done.stdout


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.tiro").write_text(game(1), encoding="utf-8")
    (tmp_path / "b.tiro").write_text(game(2), encoding="utf-8")
    links = ["a.tiro", "../b.tiro", "x/../../b.tiro", "/b.tiro", "http://127.0.0.1:9/c.tiro"]
    page = "".join(f'<a href="{link}">{link}</a>' for link in links)
    (inside / "index.html").write_text(page, encoding="utf-8")
    with web(tmp_path) as at:
        assert [each.file for each in checked([f"{at}/inside/"])] == [f"{at}/inside/a.tiro"]
