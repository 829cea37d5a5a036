"""The recipes of docs/sites.md do what they say, with the real jq where there is one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest
from archives import BROKEN, ROOT, game, tiro
from tironian import VIEWS, check, parse, view, write
from tironian.replay.engine.result import WINNERS
from tironian.schemas import load_schema

PAGE = (ROOT / "docs" / "sites.md").read_text(encoding="utf-8")
PROGRAM = re.findall(r"^```jq\n(.*?)^```$", PAGE, re.M | re.S)
HANDLER = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
RESULTS = [
    ("Ann", "Bob", "*>R", "resigned"), ("Bob", "Ann", "*>R", "time forfeit"), ("Ann", "Cy", "*>-", "agreed"),
    ("Cy", "Bob", "7-3", "adjudicated"), ("Ann", "Bob", "3-7", "adjudicated"), ("Bob", "Cy", "*", "unterminated"),
    ("?", "Bob", "*>R", "resigned"),
]  # fmt: skip
TABLE = """\
player Bob Ann Cy games total
Bob - 2 0 4 2
Ann 1 - 0.5 4 1.5
Cy 1 0.5 - 2 1.5
"""


def record(caesar: str, cleopatra: str, result: str, termination: str) -> str:
    return (
        f'[Rules "2024"]\n[Event "Club"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[Caesar "{caesar}"]\n'
        f'[Cleopatra "{cleopatra}"]\n[Result "{result}"]\n[Setup "position"]\n[Termination "{termination}"]\n\n'
        f"0R h(12345v)\n0E h(12345v)\n8E 5P (1)A =o +1v\n{result}\n"
    )


@pytest.mark.process
@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_a_crosstable(tmp_path: Path):
    folder = tmp_path / "games"
    folder.mkdir()
    for number, each in enumerate(RESULTS):
        (folder / f"{number}.tiro").write_text(record(*each), encoding="utf-8")
    illegal = record("Ann", "Bob", "*>R", "resigned").replace("8E 5P", "8E 5P 5P 5P")
    (folder / "illegal.tiro").write_text(illegal, encoding="utf-8")
    (folder / "nothing.tiro").write_text("; to come\n", encoding="utf-8")
    (program,) = PROGRAM
    (tmp_path / "crosstable.jq").write_text(program, encoding="utf-8")
    report = tiro("check", "--format", "json", folder).stdout
    done = subprocess.run(
        ["jq", "-rf", tmp_path / "crosstable.jq"], input=report, capture_output=True, text=True, check=True
    )
    assert done.stdout == TABLE.replace(" ", "\t")


def season(folder: Path) -> dict[str, list[float]]:
    """Eighteen games of three players, one of them as the sheets of both; how many each has played and won."""
    folder.mkdir()
    expected: dict[str, list[float]] = {name: [0, 0] for name in ("Ann", "Bob", "Zoë Müller")}
    for number in range(18):
        caesar, cleopatra = list(permutations(expected, 2))[number % 6]
        headers = {"Event": "Open", "Round": str(number // 6), "Caesar": caesar, "Cleopatra": cleopatra}
        text = game(number)
        for name, value in headers.items():
            text = re.sub(rf'^\[{name} ".*"\]$', f'[{name} "{value}"]', text, flags=re.M)
        (each,) = parse(text)
        won = {"rome": 1, "draw": 0.5, "egypt": 0}[WINNERS[check(each).outcome.winner]]
        for name, points in ((caesar, won), (cleopatra, 1 - won)):
            expected[name] = [expected[name][0] + 1, expected[name][1] + points]
        logs = [write(view(each, who).record) for who in ("caesar", "cleopatra")] if number == 7 else [text]
        for log, part in zip(logs, "ab", strict=False):
            (folder / f"{number:02}{part}.tiro").write_text(log, encoding="utf-8")
    return expected


@pytest.mark.process
@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_all_count_a_game_once_of_which_there_are_two_sheets(tmp_path: Path):
    expected = season(tmp_path / "games")
    done = tiro("check", "--format", "json", tmp_path / "games")
    report = json.loads(done.stdout)
    assert (done.exit_code, report["totals"]["games"], report["totals"]["repeated"]) == (0, 19, 1)
    assert [diagnostic["code"] for each in report["games"] for diagnostic in each["diagnostics"]] == ["A102"]
    assert "19 games (18 different), " in tiro("check", tmp_path / "games").stdout
    program = tmp_path / "crosstable.jq"
    program.write_text(PROGRAM[0], encoding="utf-8")
    run = ["jq", "-rf", program]
    table = subprocess.run(run, input=done.stdout, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    rows = [line.split("\t") for line in table.splitlines()[1:]]
    assert {name: [int(games), float(total)] for name, *_, games, total in rows} == expected
    assert "19 games (18 different), " in tiro("export", tmp_path / "games", "-o", tmp_path / "t").stderr
    told = tiro("query", "-d", tmp_path / "t", "--format", "json", "players").stdout
    players = map(json.loads, told.splitlines())
    assert {each["player"]: [each["games"], each["won"] + each["drawn"] / 2] for each in players} == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (game(0), 0),
        (record("Ann", "Bob", "*>R", "resigned"), 0),
        (record("Ann", "Bob", "*", "unterminated"), 1),
        (game(0).rsplit("\n", 9)[0], 1),  # cut off
        ("We meet on Thursdays.\n" * 9, 1),
        ("\0", 2),
    ],
)
def test_an_upload(text: str, code: int):
    (command,) = re.findall(r"^tiro (check [^<]*-) <", PAGE, re.M)
    done = tiro(*command.split(), stdin=text.encode())
    assert done.exit_code == code
    assert len(json.loads(done.stdout)["games"]) == 1


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The handler as the module of a site."""
    pytest.importorskip("resource")
    (tmp_path / "site_handler.py").write_text(HANDLER[0], encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "site_handler", raising=False)
    return import_module("site_handler")


@pytest.mark.process
def test_a_handler_judges_an_upload_in_a_process_of_its_own(site: ModuleType):
    whole, broken = site.handle(f"{game(0)}\n{BROKEN}".encode())["games"]
    assert (whole["verdict"], whole["diagnostics"], whole["repairs"]) == ("legal", [], [])
    assert {who: parse(text)[0].record for who, (text, _) in whole["views"].items()} == {
        who: view(parse(game(0))[0], who).record for who in VIEWS
    }
    assert all(page.startswith("<!doctype html>") for each in (whole, broken) for _, page in each["views"].values())
    problem, *_more = broken["diagnostics"]
    assert (problem["severity"], problem["code"]) == ("error", "R204")
    assert "".join(broken["lines"]) == BROKEN
    line = broken["lines"][problem["line"] - broken["line"]]
    assert line[problem["column"] - 1 : problem["end_column"] - 1] == "3C"
    assert broken["repairs"]
    assert {check(parse(text)[0]).verdict for _words, text in broken["repairs"]} == {"legal"}


@pytest.mark.process
def test_an_upload_cannot_hold_a_site_up(site: ModuleType, monkeypatch: pytest.MonkeyPatch):
    (log,) = site.handle(write(view(parse(game(0))[0], "table").record).encode())["games"]
    assert log["verdict"] == "possible"
    assert list(log["views"]) == ["table"]
    (nothing,) = site.handle(b"\0\1\2")["games"]
    assert ([each["code"] for each in nothing["diagnostics"]], nothing["views"]) == (["N101"], {})
    assert site.handle(bytes(site.MOST_BYTES + 1)) == {"refused": "it is too large"}
    monkeypatch.setattr(site, "judge", os._exit)  # which takes no such arguments
    assert site.handle(b"") == {"refused": "it can't be judged"}
    monkeypatch.setattr(site, "SECONDS", 0)
    assert site.handle(game(0).encode()) == {"refused": "it takes too long"}


def test_every_field_is_named():
    listed = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", PAGE, re.M)
    names = {name for row in listed for name in re.findall(r"\w+", row)}
    known = load_schema("report")["$defs"]
    assert names <= set(known["game"]["properties"])
    assert names | {"title", "edition", "events", "turns", "summary"} == set(known["game"]["properties"])
    assert all(f"`{name}`" in PAGE for name in known["outcome"]["properties"])
