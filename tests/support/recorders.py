"""``tiro record`` in a terminal: what is typed, and how it is seen on the terminal that it was accepted."""

from __future__ import annotations

import sys
from typing import NamedTuple

from terminals import Terminal, termios
from tironian import Record, write
from tironian.tools.recorder.commands import run_command
from typed_records import entries, is_due, recorder_of

TIRO = [sys.executable, "-m", "tironian.tools.cli", "record", "game.tiro"]
WIDE = (40, 220)
"""So large a terminal that no line of a record is cut off."""
ASKED = b"\n> "
"""What comes behind each answer."""


class Entry(NamedTuple):
    """A line to be typed, and the text of the record that it makes."""

    line: str
    text: str


def script(record: Record) -> list[Entry]:
    """All lines of a recording that do something, behind its beginning; what is refused happened all the same."""
    recorder = recorder_of(record)
    found = [Entry("", recorder.draft.text)]

    def type_in(line: str) -> None:
        before = recorder.draft
        if line.startswith("/"):
            run_command(recorder, line)
        else:
            recorder.enter(line)
        if recorder.refusal or recorder.draft is not before:
            found.append(Entry(line, recorder.draft.text))

    for label, line in entries(record):
        if line.startswith("/") or is_due(recorder, label, line):
            type_in(line)
            if recorder.refusal:
                type_in("/insist")
    assert recorder.draft.text == write(record)
    return found


def begun(there: Terminal) -> bool:
    """Whether the recorder asks for its first line."""
    return ASKED in there.output


def accepted(output: bytes) -> int:
    """How many lines were taken in: a prompt comes behind each of them."""
    return max(0, output.count(ASKED) - 1)


def quiet(there: Terminal) -> None:
    """Let the terminal not repeat what is typed, so that all that comes out of it is the program's."""
    mode = termios.tcgetattr(there.theirs)
    mode[3] &= ~termios.ECHO
    termios.tcsetattr(there.theirs, termios.TCSANOW, mode)


def typed(lines: list[Entry]) -> str:
    return "".join([f"{entry.line}\r" for entry in lines])
