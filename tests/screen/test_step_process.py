"""``tiro step`` in a terminal of its own: keys go in, and the terminal is as it was when it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from terminals import terminal, termios

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
GAME = str(ROOT / "examples" / "2024" / "annotated.tiro")
STOPPED = str(ROOT / "examples" / "broken" / "eighth-copy.tiro")
TIRO = [sys.executable, "-m", "tironian.replay.cli", "step"]


def test_a_terminal_is_left_as_it_was():
    with terminal(*TIRO, GAME, "--at", "7E", NO_COLOR="1") as there:
        there.wait_for("7E.4 ")
        there.press("\x1b[C")
        there.wait_for("7R.1 ")
        there.press("g4r\r")
        there.wait_for("Caesar draws a 3, a scout and an assassination.")
        there.press("v")
        there.wait_for("seen by caesar")
        there.press("q")
        assert there.end() == 0
        assert termios.tcgetattr(there.theirs) == there.before
    began, rest = there.output.split(b"\x1b[?1049h", 1)
    assert b"Traceback" not in began + rest
    last = rest.rpartition(b"\x1b[?1049l")[2]
    for mode in (b"25h", b"2004l", b"1000l"):
        assert b"\x1b[?" + mode in rest
    assert b"Praetors" not in last
    # Without colours nothing is painted, only underlined, reversed and so on.
    assert b"\x1b[31m" not in rest
    assert b";31m" not in rest


def test_a_record_that_can_not_be_followed_ends_with_1():
    with terminal(*TIRO, STOPPED) as there:
        there.wait_for("the set-up")
        there.press("q")
        assert there.end() == 1
    assert b"the cards can't be followed beyond 12E; tiro check says why" in there.output


def test_an_interrupt():
    with terminal(*TIRO, GAME) as there:
        there.wait_for("the set-up")
        there.press("\x03")
        assert there.end() == 130
        assert termios.tcgetattr(there.theirs) == there.before


def test_a_record_from_a_pipe_leaves_the_keyboard():
    line = f"cat '{GAME}' | {' '.join(TIRO)} - --at 3E"
    with terminal("/bin/sh", "-c", line) as there:
        there.wait_for("3E.4 ")
        there.press("n")
        there.wait_for("Vote at the Quaestors")
        there.press("q")
        assert there.end() == 0
        assert termios.tcgetattr(there.theirs) == there.before


def test_without_a_keyboard():
    """A terminal to write on, but none that commands the process."""
    ours, theirs = os.openpty()
    with open(GAME, encoding="utf-8") as record:
        run = subprocess.Popen(
            [*TIRO, "-"], stdin=record, stdout=theirs, stderr=theirs, start_new_session=True, env=os.environ
        )
        code = run.wait()
    told = os.read(ours, 4096).decode()
    os.close(theirs)
    os.close(ours)
    assert code == 2
    assert told == "Error: standard input was used for the record, and there is no other keyboard; name a file\r\n"


@pytest.mark.parametrize("stream", ["1", "2"])
def test_without_a_screen(stream: str, tmp_path: Path):
    line = f"{' '.join(TIRO)} '{GAME}' {stream}>'{tmp_path}/out'"
    with terminal("/bin/sh", "-c", line) as there:
        assert there.end() == 2
    told = there.output.decode() + (tmp_path / "out").read_text(encoding="utf-8")
    assert "is not a terminal; tiro show and tiro timeline write text" in told


def test_a_terminal_that_can_not_be_drawn_on():
    with terminal(*TIRO, GAME, TERM="dumb") as there:
        assert there.end() == 2
    assert b"TERM=dumb" in there.output


def test_without_textual(tmp_path: Path):
    hide = "import sys; sys.modules['textual'] = None; from tironian.replay.cli.command_line import main; main()"
    with terminal(sys.executable, "-c", hide, "step", GAME) as there:
        assert there.end() == 2
    assert b"-m pip install textual" in there.output
