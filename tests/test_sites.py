"""The recipes of docs/sites.md do what they say, with the real jq where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from archives import ROOT, game, tiro
from tironian.schemas import load_schema

PAGE = (ROOT / "docs" / "sites.md").read_text(encoding="utf-8")
PROGRAM = re.findall(r"^```jq\n(.*?)^```$", PAGE, re.M | re.S)
RESULTS = [
    ("Ann", "Bob", "*>R", "resigned"),
    ("Bob", "Ann", "*>R", "time forfeit"),
    ("Ann", "Cy", "*>-", "agreed"),
    ("Cy", "Bob", "7-3", "adjudicated"),
    ("Ann", "Bob", "3-7", "adjudicated"),
    ("Bob", "Cy", "*", "unterminated"),
    ("?", "Bob", "*>R", "resigned"),
]
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


def test_every_field_is_named():
    listed = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", PAGE, re.M)
    names = {name for row in listed for name in re.findall(r"\w+", row)}
    known = load_schema("report")["$defs"]
    assert names <= set(known["game"]["properties"])
    assert names | {"title", "edition", "events", "turns", "summary"} == set(known["game"]["properties"])
    assert all(f"`{name}`" in PAGE for name in known["outcome"]["properties"])
