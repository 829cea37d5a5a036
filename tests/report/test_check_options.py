"""What of a check is reported, what makes it fail, and how much is said: by code, by severity, in every format."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from archives import BROKEN, ROOT, game, tiro
from reports import diagnostic, write
from reports import game as game_report
from tironian.notation.diagnostic import NOTE, RULED, WARNING
from tironian.tools.report.model import Selection

CUT = (ROOT / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8").rsplit("\n", 9)[0] + "\n"
"""A file that was cut off: a warning (H211), and no error."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One fine game, one with an error (R204), one with a warning (H211)."""
    folder = tmp_path / "games"
    folder.mkdir()
    for name, text in (("a", game(0)), ("b", BROKEN), ("c", CUT)):
        (folder / f"{name}.tiro").write_text(text, encoding="utf-8")
    return folder


def codes(*args: object) -> list[str]:
    """The codes that a check with these arguments reports."""
    report = json.loads(tiro("check", "--format", "json", *args).stdout)
    return [each["code"] for game in report["games"] for each in game["diagnostics"]]


# ---------------------------------------------------------------------------------------------------------- by code


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ((), ["R204", "H211"]),
        (("--select", "R204"), ["R204"]),
        (("--select", "r"), ["R204"]),
        (("--select", "H2,R"), ["R204", "H211"]),
        (("--select", "H", "--select", "R2"), ["R204", "H211"]),
        (("--ignore", "R204"), ["H211"]),
        (("--ignore", "R2, H"), []),
        (("--select", "H211", "--ignore", "H"), ["H211"]),
        (("--select", "R", "--ignore", "R204"), []),
        (("--select", "R2", "--ignore", "R2"), []),
    ],
)
def test_codes_are_chosen(folder: Path, options: tuple[str, ...], found: list[str]):
    assert codes(*options, folder) == found
    assert codes(*options, "-j", "2", folder) == found


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize("code", ["R999", "Q", "R204x", "", "R204,,H"])
def test_a_code_that_there_is_not(folder: Path, option: str, code: str):
    done = tiro("check", option, code, folder)
    assert done.exit_code == 2
    assert "there is no code “" in done.stderr
    assert "`tiro explain --list`" in done.stderr


def test_what_is_left_out_fails_nothing_but_the_verdict_stays(folder: Path):
    done = tiro("check", "--ignore", "R204", folder)
    assert done.exit_code == 0
    assert re.search(r"^3 games, ", done.stdout, re.MULTILINE)
    assert ": 2 legal, 1 illegal; 1 warning\n" in done.stdout
    (report,) = json.loads(tiro("check", "--ignore", "R", "--format", "json", folder / "b.tiro").stdout)["games"]
    assert (report["verdict"], report["diagnostics"]) == ("illegal", [])


def test_a_file_that_was_not_read_is_always_told(tmp_path: Path):
    (tmp_path / "a.tiro").write_bytes(b"\0")
    (tmp_path / "b.tiro.gz").write_bytes(b"\x1f\x8b\x08")
    done = tiro("check", "--ignore", "N", "--select", "R", tmp_path)
    assert done.exit_code == 2
    assert "error[N101]" in done.stdout
    assert "error[N108]" in done.stdout
    assert Selection(ignore=("N",)).shows("N108")


@pytest.mark.parametrize("form", ["text", "sarif", "junit", "github"])
def test_codes_are_chosen_in_every_format(folder: Path, form: str):
    shown = {code: f"{code}" in _found(tiro("check", "--format", form, "--ignore", "R204", folder).stdout, form)
             for code in ("R204", "H211")}  # fmt: skip
    assert shown == {"R204": False, "H211": True}


def _found(text: str, form: str) -> str:
    """What was found, without the list of all codes in SARIF."""
    return json.dumps(json.loads(text)["runs"][0]["results"]) if form == "sarif" else text


def test_going_on_knows_what_was_chosen(folder: Path, tmp_path: Path):
    def check(*options: str):
        return tiro("check", "--resume", tmp_path / "state", *options, folder)

    assert check("--ignore", "R,H").exit_code == 0
    again = check("--ignore", "R,H")
    assert again.exit_code == 0
    assert again.stdout == "no games\n"
    other = check("--ignore", "H")
    assert other.exit_code == 1
    assert "checked with other options" in other.stderr
    assert check("--ignore", "H").exit_code == 1  # what was found before still counts
    assert check("--ignore", "H", "--fail-on", "warning").exit_code == 1


# ------------------------------------------------------------------------------------------------------ by severity


def test_a_warning_fails_where_that_is_asked_for(folder: Path, tmp_path: Path):
    cut = folder / "c.tiro"
    assert tiro("check", cut).exit_code == 0
    assert tiro("check", "--fail-on", "error", cut).exit_code == 0
    assert tiro("check", "--fail-on", "warning", cut).exit_code == 1
    assert tiro("check", "--fail-on", "warning", "--ignore", "H211", cut).exit_code == 0
    assert tiro("check", "--fail-on", "warning", "-", stdin=CUT.encode()).exit_code == 1
    assert tiro("check", "--fail-on", "note", cut).exit_code == 2
    state = tmp_path / "state"
    assert tiro("check", "--resume", state, cut).exit_code == 0
    again = tiro("check", "--resume", state, "--fail-on", "warning", cut)
    assert again.exit_code == 1
    assert again.stdout == "no games\n"


def test_what_fails_is_a_failure_in_junit(folder: Path):
    def failures(*options: str) -> list[str]:
        suites = ET.fromstring(tiro("check", "--format", "junit", *options, folder).stdout)
        return [each.get("type", "") for each in suites.iter("failure")]

    assert failures() == ["R204"]
    assert failures("--fail-on", "warning") == ["R204", "H211"]
    assert failures("--fail-on", "warning", "--ignore", "R") == ["H211"]


# ---------------------------------------------------------------------------------------------------- finished games

POSITION = '[Rules "2024"]\n[Setup "position"]\n{}\n0R h(12345v)\n0E h(12345v)\n8E 5P (1)A =o +1v\n{}'


@pytest.mark.parametrize(
    ("headers", "result", "found"),
    [
        ("", "*\n", [(7, "C905")]),
        ("", "", [(6, "C905")]),
        ("", "3-2\n", [(7, "C905")]),  # it is wrong anyway, and told once
        ('[Termination "unterminated"]\n', "*\n", [(8, "C905")]),
        ('[Termination "resigned"]\n', "*>R\n", []),
        ('[Termination "adjudicated"]\n', "3-2\n", []),
        ('[Termination "agreed"]\n', "*>-\n", []),
    ],
)
def test_a_finished_game_can_be_demanded(tmp_path: Path, headers: str, result: str, found: list[tuple[int, str]]):
    path = tmp_path / "a.tiro"
    path.write_text(POSITION.format(headers, result), encoding="utf-8")
    done = tiro("check", "--require-finished", "--select", "C", "--format", "json", path)
    (report,) = json.loads(done.stdout)["games"]
    assert [(each["line"], each["code"]) for each in report["diagnostics"]] == found
    assert done.exit_code == bool(found)
    assert report["outcome"]["finished"] is not bool(found)


@pytest.mark.parametrize("form", ["text", "sarif", "junit", "github"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_unfinished_games_are_told_in_every_format(folder: Path, form: str, jobs: int):
    done = tiro("check", "--require-finished", "--format", form, "-j", jobs, folder / "a.tiro", folder / "c.tiro")
    assert done.exit_code == 1
    assert _found(done.stdout, form).count("the game is not finished") >= 1
    assert tiro("check", "--require-finished", folder / "a.tiro").exit_code == 0
    assert tiro("check", folder / "c.tiro").exit_code == 0


def test_going_on_knows_whether_finished_games_were_demanded(folder: Path, tmp_path: Path):
    cut, state = folder / "c.tiro", tmp_path / "state"
    assert tiro("check", "--resume", state, cut).exit_code == 0
    for _ in range(2):
        assert tiro("check", "--resume", state, "--require-finished", cut).exit_code == 1
    assert tiro("check", "--resume", state, cut).exit_code == 0


def test_a_log_of_which_nothing_can_be_followed_is_finished_by_its_result():
    text = '[Rules "2024"]\n[View "table"]\n\n1E 5P (i)A\n17-13\n'
    assert "C905" not in codes_of(text)
    assert "C905" in codes_of(text.replace("17-13", "*"))


def codes_of(text: str) -> list[str]:
    done = tiro("check", "--require-finished", "--format", "json", "-", stdin=text.encode())
    return [each["code"] for game in json.loads(done.stdout)["games"] for each in game["diagnostics"]]


# ----------------------------------------------------------------------------------------------------- how much is said


def test_quiet_says_only_what_is_wrong(folder: Path):
    assert tiro("check", "-q", folder / "a.tiro").output == ""
    done = tiro("check", "--quiet", folder)
    assert done.exit_code == 1
    assert done.stdout.startswith("error[R204]")
    assert "warning[H211]" in done.stdout
    assert " games, " not in done.stdout
    assert "tiro explain" not in done.stdout


def test_quiet_leaves_out_what_does_not_count():
    found = (diagnostic(severity=NOTE), diagnostic(severity=RULED), diagnostic(severity=WARNING))
    text = write("text", game_report(*found, stopped="7R"), quiet=True)
    assert text.startswith("warning[R204]")
    assert text.count("[R204]") == 1
    assert "could not be followed" not in text


def test_quiet_and_verbose_exclude_each_other(folder: Path):
    done = tiro("check", "-q", "-v", folder)
    assert done.exit_code == 2
    assert "can't be used together" in done.stderr


def test_quiet_says_nothing_of_what_was_checked_before(folder: Path, tmp_path: Path):
    tiro("check", "--resume", tmp_path / "state", folder)
    again = tiro("check", "-q", "--resume", tmp_path / "state", folder)
    assert (again.exit_code, again.output) == (1, "")


def test_what_was_ruled_on_takes_one_line():
    ruled = diagnostic(severity=RULED)
    assert write("text", game_report(ruled, ruled, diagnostic(), ruled)).splitlines()[:7] == [
        "ruled[R204]: a sixth card --> games/final.tiro:23:4 (game 1, turn 7R)",
        "ruled[R204]: a sixth card --> games/final.tiro:23:4 (game 1, turn 7R)",
        "",
        "error[R204]: a sixth card",
        "  --> games/final.tiro:23:4 (game 1, turn 7R)",
        "   |",
        "23 | 7R (3)A 5A =A433:52>R +34",
    ]
    assert write("text", game_report(diagnostic(), ruled)).endswith("turn 7R)\n\n1 game, 204 events: 1 illegal; "
        "1 error, 1 ruled\n`tiro explain R204` says more.\n")  # fmt: skip
    verbose = write("text", game_report(ruled), verbose=True)
    assert verbose.count("ruled[R204]: a sixth card\n  --> ") == 1
