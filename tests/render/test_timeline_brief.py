"""``tiro timeline``: a line a turn, only the turns asked for, and which game of a file it is."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from blocks import Block, compose
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


def last_turn(*lines: str, view: str = "arbiter") -> list[str]:
    """The lines of a position's last turn."""
    whole, _ = compose(Block({"position": ""}, list(lines), 1), "2024")
    stream = io.StringIO()
    write_brief(timeline(parse("\n".join(whole))[0], view), stream)
    told = stream.getvalue().split("\n\n")[1].splitlines()
    return told[[place for place, line in enumerate(told) if labels_in(line)][-1] :]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("7E 1A =A53:421>R +2", "1 Aediles; vote Aediles 8:7 ▲ Rome; draws 2 [narrow] 1–0"),
        ("7E (1)P =A53:42>R +2 !", "(1) Praetors; vote Aediles 8:6 ▲ Rome; draws 2 ! 1–0"),
        (
            "7E x5A v+2 1P =r +2 @1:00",
            "assassinates 5 Aediles, vetoed; 1 Praetors; no vote, all go back; draws 2 [veto]",
        ),
        ("7E sP(p) 1P =o +2 ; who?", "scouts Praetors: philosopher; 1 Praetors; no vote; draws 2 [comment]"),
        ("7E 2A =A53:422>- +2", "2 Aediles; vote Aediles 8:8 ◇ nobody; draws 2 [tie]"),
    ],
)
def test_a_turn_is_a_line(line: str, said: str):
    opening = ("0R 5A 3A (p)P h(v11122)", "0E 4A 2A h(xs1122)")
    assert " ".join(" ".join(last_turn(*opening, line)).split()) == f"7E ▼ {said}"


def test_a_philosopher_lets_the_lower_sum_win():
    told = " ".join(last_turn("0R 5A pA h(111122)", "0E 4A h(111122)", "7E 1P =A5p:4>E +2"))
    assert "vote Aediles 5:4 ▼ Egypt, the lower sum; draws 2" in told


def test_cards_that_nobody_may_see_are_counted():
    told = " ".join(last_turn("0R (5)A h(111122)", "0E 4A h(x11122)", "7E (1)P =o +2v", view="table"))
    assert "(?) Praetors; no vote; draws 1 influence, 1 action" in told


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


def test_only_the_turns_that_have_such_an_annotation():
    told = tiro("timeline", ANNOTATED, "--only", "tie").stdout
    assert labels_in(told) == ["6E"]
    assert "a tie at the Consuls, 5 to 5: the cards stay" in told
    for form in (("--full",), ("--format", "md")):
        told = tiro("timeline", ANNOTATED, "--only", "tie", *form).stdout
        assert "6E" in told
        assert "7E" not in told
    opening = "0R 5A h(111122)\n0E 4A h(111122)\n"
    calm = f'[Rules "2024"]\n[Setup "position"]\n\n{opening}7E 1P =o +2\n*\n'
    assert "no turn has such an annotation" in tiro("timeline", "-", "--only", "tie", stdin=calm).stdout


@pytest.mark.parametrize("command", ["timeline", "show", "votes"])
def test_of_several_games_the_first_is_shown_and_said_to_be_it(command: str):
    text = ANNOTATED.read_text(encoding="utf-8")
    both = f"{text}\n{text.replace('Marta Lindqvist', 'Somebody Else')}"
    first, chosen = tiro(command, "-", stdin=both), tiro(command, "-", "--game", "1", stdin=both)
    assert first.stderr == "<stdin>: game 1 of 2; --game N shows another\n"
    assert (chosen.stderr, chosen.stdout) == ("", first.stdout)
    assert tiro(command, "-", stdin=text).stderr == ""
    assert tiro("timeline", "-", "--game", "2", stdin=both).stdout.startswith("Alexandria Open, 3.1: Somebody Else")


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
