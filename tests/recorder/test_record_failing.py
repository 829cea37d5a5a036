"""Recording where nothing can be kept for a while: what fails is entered again, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from scale import FULL
from tironian import write
from tironian.tools.recorder.clocks import Clocks
from tironian.tools.recorder.commands import run_command
from tironian.tools.recorder.recorder import Recorder
from tironian.tools.recorder.storage import NotKept
from typed_records import COMPLETE, EXAMPLES, MemoryStorage, entries, headers_only, is_due, record_of

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"

GAMES = COMPLETE if FULL else [EXAMPLES / edition / "annotated.tiro" for edition in ("1997", "fr")]


class FullStorage(MemoryStorage):
    """Nothing is kept the first time."""

    failed = ""
    works = False

    def keep(self, text: str, what: str, turn: str = "", aside: str = "") -> None:
        if not self.works and text != self.failed:
            self.failed = text
            raise NotKept("there is no room")
        super().keep(text, what, turn, aside)


def recorder_on(path: Path) -> Recorder:
    """A recorder who has begun, and whose disk is full from then on."""
    storage = FullStorage(headers_only(record_of(path)))
    storage.works = True
    recorder = Recorder(storage)
    storage.works = False
    return recorder


def twice(recorder: Recorder, entry: str) -> None:
    """Enter something that is not kept, and then the same once more."""
    before = recorder.draft.text
    try:
        enter(recorder, entry)
    except NotKept:
        assert recorder.draft.text == before
        enter(recorder, entry if entry.startswith("/") else recorder.left)
    if recorder.refusal is not None:
        with pytest.raises(NotKept):
            recorder.insist()
        assert recorder.insist()


def enter(recorder: Recorder, entry: str) -> None:
    if entry.startswith("/"):
        run_command(recorder, entry)
    else:
        recorder.enter(entry)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_was_not_kept_is_entered_again(path: Path):
    recorder = recorder_on(path)
    for label, entry in entries(record_of(path)):
        if is_due(recorder, label, entry):
            twice(recorder, entry)
    assert recorder.draft.text == write(record_of(path))


def test_only_what_was_not_kept_is_left():
    recorder = recorder_on(TIE_BREAK)
    with pytest.raises(NotKept):
        recorder.enter("(3)P (1)Q")
    assert recorder.left == "(3)P (1)Q"
    with pytest.raises(NotKept):
        recorder.enter("(3)P (1)Q")
    assert recorder.left == "(1)Q"
    recorder.enter(recorder.left)
    assert recorder.left == ""
    assert "0R (3)P (1)Q\n" in recorder.draft.text


def test_what_was_typed_behind_an_entry_that_was_insisted_upon_is_left():
    recorder = recorder_on(TIE_BREAK)
    assert isinstance(recorder.storage, FullStorage)
    recorder.storage.works = True
    for label, entry in entries(record_of(TIE_BREAK)):
        if label == "5E":
            break
        if is_due(recorder, label, entry):
            recorder.enter(entry)
    assert not recorder.enter("5P 4Q {seen by all}")
    recorder.storage.works = False
    for left in ("4Q {seen by all}", "{seen by all}"):
        with pytest.raises(NotKept):
            recorder.insist()
        assert recorder.left == left
    assert recorder.enter(recorder.left)


def test_a_clock_runs_on_while_nothing_is_kept():
    now = 0.0
    recorder = recorder_on(TIE_BREAK)
    recorder.clocks = Clocks(1800, 10, lambda: now)
    started = False
    for label, entry in entries(record_of(TIE_BREAK)):
        if label == "3R":
            break
        if is_due(recorder, label, entry):
            if not started and label[0] != "0":
                recorder.clocks.start(recorder.draft.cursor.side)
                started = True
                now += 60
            twice(recorder, entry)
    marks = [mark for turn in recorder.draft.record.turns for mark in turn.marks]
    assert marks[0] == "@0:29:10"
    assert set(marks[1:]) <= {"@0:30:10", "@0:29:20", "@0:30:20", "@0:29:30"}
