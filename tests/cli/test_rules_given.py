"""``--rules`` where a record names no rule set, or one that there is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian.replay.cli.command_line import main

GAME = (Path(__file__).parents[2] / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")


def check(header: str, *args: str) -> dict:
    text = GAME.replace('[Rules "2024"]\n', header)
    done = CliRunner().invoke(main, ["check", "--format", "json", *args, "-"], input=text.encode())
    return json.loads(done.stdout)["games"][0]


@pytest.mark.parametrize("header", ['[Rules "2025"]\n', '[Rules ""]\n'])
def test_a_rule_set_that_there_is_not(header: str):
    unknown = check(header)
    assert unknown["verdict"] == "unchecked"
    assert "or use --rules" in unknown["diagnostics"][0]["help"]
    given = check(header, "--rules", "2024")
    assert given["summary"].startswith("Rome ")
    (found,) = given["diagnostics"]
    assert (found["code"], found["line"]) == ("H202", 1)
    assert "judged by the rules of 2024" in found["message"]
    assert "--rules" not in found["help"]


def test_a_rule_set_that_is_not_named():
    assert check("", "--rules", "2024")["diagnostics"] == []
    assert [each["code"] for each in check("")["diagnostics"]] == ["H202"]


def test_the_record_has_the_first_word():
    assert check('[Rules "2024"]\n', "--rules", "1997")["edition"] == "2024"


def test_show_takes_them_as_well():
    text = GAME.replace("2024", "2025", 1).encode()
    assert CliRunner().invoke(main, ["show", "-"], input=text).exit_code == 2
    assert CliRunner().invoke(main, ["show", "-", "--rules", "2024"], input=text).exit_code == 0
