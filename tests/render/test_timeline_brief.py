"""``tiro timeline``: a line a turn, only the turns asked for, and which game of a file it is."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len
from tironian import VIEWS, parse, timeline
from tironian.tools.cli.command_line import main
from tironian.tools.render.timeline_brief import write_brief

HOME = Path(__file__).parents[2] / "examples"
GAMES = [path for path in sorted(HOME.glob("*/*.tiro")) if path.parent.name != "broken"]
ANNOTATED = HOME / "2024" / "annotated.tiro"


def tiro(*args: str | Path, stdin: str = "") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin.encode())


def labels_in(told: str) -> list[str]:
    """The labels with which lines begin."""
    return re.findall(r"(?m)^ *(\d+[RE]) [▲▼] ", told)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_lines_fit_and_every_turn_begins_one(path: Path):
    for view in VIEWS:
        told = tiro("timeline", path, "--as", view)
        lines = told.stdout.splitlines()
        assert max(map(cell_len, lines)) <= 80
        labels = [entry.label for entry in timeline(parse(path.read_text(encoding="utf-8"))[0]).entries]
        assert labels_in(told.stdout) == labels


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_colours_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch):
    told = timeline(parse(ANNOTATED.read_text(encoding="utf-8"))[0])
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    plain, coloured, quiet = io.StringIO(), Terminal(), Terminal()
    write_brief(told, plain)
    write_brief(told, coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    write_brief(told, quiet)
    assert "\x1b" not in plain.getvalue()
    assert "38;5" in coloured.getvalue()
    assert "38;5" not in quiet.getvalue()
