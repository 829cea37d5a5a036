"""``tiro record`` in a terminal: what is typed, and how it is seen on the terminal that it was accepted."""

from __future__ import annotations

import re
import sys
from typing import ClassVar, NamedTuple

from terminals import Terminal, termios
from tironian import Record, turn_text, write
from tironian.replay.recording.commands import obey
from tironian.replay.recording.draft import Draft
from typed_records import entries, is_due, recorder_of

TIRO = [sys.executable, "-m", "tironian.replay.cli", "record", "game.tiro"]
WIDE = (40, 220)
"""So large a terminal that no line of a record is cut off."""
ASKED = b"\n> "
"""What the plain mode writes behind each answer."""
REVERSED = re.compile(rb"\x1b\[(?:\d+;)*7(?:;\d+)*m([^\x1b]+)\x1b")


class Entry(NamedTuple):
    """A line to be typed, the text of the record that it makes, and how the full screen shows where that stands."""

    line: str
    text: str
    shown: str


def script(record: Record) -> list[Entry]:
    """All lines of a recording that do something, behind its beginning; what is refused happened all the same."""
    recorder = recorder_of(record)
    found = [Entry("", recorder.draft.text, stands(recorder.draft))]

    def type_in(line: str) -> None:
        before = recorder.draft
        if line.startswith("/"):
            obey(recorder, line)
        else:
            recorder.enter(line)
        if recorder.refusal or recorder.draft is not before:
            found.append(Entry(line, recorder.draft.text, stands(recorder.draft)))

    for label, line in entries(record):
        if line.startswith("/") or is_due(recorder, label, line):
            type_in(line)
            if recorder.refusal:
                type_in("/insist")
    assert recorder.draft.text == write(record)
    return found


def stands(draft: Draft) -> str:
    turns = draft.record.turns
    return turn_text(turns[-1]) if turns and not draft.cursor.fresh else draft.cursor.label


class Plain:
    """Recording line by line: a prompt comes behind each line that was taken in."""

    options = ("--plain",)
    keys: ClassVar[dict[str, str]] = {}

    @staticmethod
    def begun(there: Terminal) -> bool:
        return ASKED in there.output

    @staticmethod
    def accepted(output: bytes, lines: list[Entry]) -> int:
        return max(0, output.count(ASKED) - 1)


class Screen:
    """The full screen: where the record stands is shown in reverse."""

    options = ()
    keys: ClassVar[dict[str, str]] = {"/insist": "\x14"}

    @staticmethod
    def begun(there: Terminal) -> bool:
        return REVERSED.search(there.output) is not None

    @staticmethod
    def accepted(output: bytes, lines: list[Entry]) -> int:
        first = {entry.shown: number for number, entry in reversed([*enumerate(lines)])}
        seen = [first.get(found[1].decode().rstrip(), 0) for found in REVERSED.finditer(output)]
        return max(seen, default=0)


def quiet(there: Terminal) -> None:
    """Let the terminal not repeat what is typed, so that all that comes out of it is the program's."""
    mode = termios.tcgetattr(there.theirs)
    mode[3] &= ~termios.ECHO
    termios.tcsetattr(there.theirs, termios.TCSANOW, mode)


Way = type[Plain | Screen]


def typed(way: Way, lines: list[Entry]) -> str:
    return "".join(way.keys.get(entry.line, f"{entry.line}\r") for entry in lines)
