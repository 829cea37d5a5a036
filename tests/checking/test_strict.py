"""``tiro check --strict`` and ``tiro fmt --check`` hold a file to the same form."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import records, soup
from tironian import parse, write_all
from tironian.replay.checking.canonical import ByteFaults, canonical_faults, scan_bytes
from tironian.tools.cli.command_line import main

GAME = (Path(__file__).parents[2] / "examples" / "2024" / "tie-break.tiro").read_text(encoding="utf-8")


def codes(data: bytes) -> list[str]:
    done = CliRunner().invoke(main, ["check", "--strict", "--format", "github", "-"], input=data)
    told = [line.partition("title=")[2][:4] for line in done.stdout.splitlines()]
    return [code for code in told if code != "A101"]  # the same game twice is a matter of its own


def formatted(data: bytes) -> int:
    return CliRunner().invoke(main, ["fmt", "--check", "-"], input=data).exit_code


FORMS = {
    "CR LF": GAME.replace("\n", "\r\n"), "CR": GAME.replace("\n", "\r"),
    "a single CR LF": GAME.replace("\n", "\r\n", 9).replace("\r\n", "\n", 8), "a byte order mark": "\ufeff" + GAME,
    "no last line end": GAME.removesuffix("\n"), "an empty line at the end": GAME + "\n",
    "white space at the end": GAME + "  \n", "an empty line at the beginning": "\n" + GAME,
    "no empty line between games": GAME + GAME, "two empty lines between games": f"{GAME}\n\n{GAME}",
    "CR LF in the second game": f"{GAME}\n{GAME}".removesuffix("\n") + "\r\n",
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_both_refuse(name: str):
    data = FORMS[name].encode()
    assert formatted(data) == 1
    assert codes(data) == ["S001"]


@pytest.mark.parametrize("text", [GAME, f"{GAME}\n{GAME}", GAME.replace("[Event", "; a\u2028b\x0cc\n[Event", 0)])
def test_both_accept(text: str):
    assert formatted(text.encode()) == 0
    assert codes(text.encode()) == []


def test_separators_that_end_no_line():
    text = write_all(game.record for game in parse(f"{GAME.rstrip()} ; a\u2028b\x0cc\x85d\n"))
    assert formatted(text.encode()) == 0
    assert codes(text.encode()) == []


def test_a_file_of_its_own(tmp_path: Path):
    path = tmp_path / "a.tiro"
    path.write_bytes(FORMS["CR LF"].encode())
    done = CliRunner().invoke(main, ["check", "--strict", str(path)])
    assert done.exit_code == 1
    assert "a.tiro:1:15" in done.stdout
    assert "no CR" in done.stdout


def test_bytes_are_read_in_chunks():
    class Dripping:
        """A stream that gives a byte at a time."""

        def __init__(self, data: bytes) -> None:
            self.data = [data[place : place + 1] for place in range(len(data))]

        def read(self, _: int) -> bytes:
            return self.data.pop(0) if self.data else b""

    assert scan_bytes(Dripping(b"a\nb\n\r\nc")) == ByteFaults(False, 2, True)
    assert scan_bytes(Dripping(b"")) == ByteFaults()


@settings(max_examples=80)
@given(st.one_of(soup, records.map(lambda record: write_all([record]))), st.sampled_from(["\n", "\r\n", "\r", ""]))
def test_they_agree_about_anything(text: str, end: str):
    data = text.replace("\n", "\r\n" if end == "\r\n" else "\n").encode() + end.encode()
    found = codes(data)
    if not any(code[:1] == "N" for code in found):
        assert ("S001" in found) == (formatted(data) == 1)


def test_a_long_line_is_shown_and_underlined_in_part():
    text = GAME.replace("1E ", "1E  ", 1).replace("\n", " ; " + "long " * 900 + "\n", 12) + " " * 3000 + "\n"
    done = CliRunner().invoke(main, ["check", "--strict", "-"], input=text.encode())
    rows = done.stdout.splitlines()
    assert "S001" in done.stdout
    for above, row in pairwise(rows):
        if row.strip(" |^") == "" and "^" in row and above.rstrip(" |\r"):
            assert len(row) <= max(len(above), 8), (above, row)
    assert max(map(len, rows)) < 400


OFTEN = "   | 1E (1)P 3P +25\n" * 15_000
TURN = GAME.index("\n1R") + 1


@pytest.mark.parametrize(
    "text",
    [";\n" * 15_000 + GAME, GAME[:TURN].replace("\n1E", "\n1E ") + OFTEN + GAME[TURN:]],
    ids=["before the headers", "behind a turn"],
)
def test_a_line_that_comes_thousands_of_times_is_not_compared_with_each_of_them(text: str):
    (game,) = parse(text)
    left = 5_000_000

    def count(*_: object) -> None:
        nonlocal left
        left -= 1
        assert left, "too much work"

    sys.setprofile(count)
    try:
        found = list(canonical_faults(game))
    finally:
        sys.setprofile(None)
    assert found
