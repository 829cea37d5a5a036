"""How far ``/undo`` goes back: a word, a turn, or to the beginning of an earlier turn; anything else is refused."""

from __future__ import annotations

import pytest
from recorder_screens import recorder_at
from tironian.replay.recording.commands import Unheeded, obey
from tironian.replay.recording.recorder import Recorder
from typed_records import EXAMPLES, MemoryStorage

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"


def test_everything_from_a_turn_on_is_taken_back_in_one_step():
    recorder, wanted = recorder_at(TIE_BREAK, "8E"), recorder_at(TIE_BREAK, "6R").draft.text
    obey(recorder, "/note 5E a remark")
    assert recorder.enter("1K")
    before = recorder.draft.text
    (told,) = obey(recorder, "/undo 6r")
    assert recorder.draft.text == wanted
    assert told == "taken back: 6R, 7E, 7R and 8E; /redo reverses that"
    assert recorder.draft.cursor.label == "6R"
    assert recorder.redo()
    assert recorder.draft.text == before


def test_of_one_turn_its_words_are_told():
    recorder = recorder_at(TIE_BREAK, "6R")
    before = recorder.draft.text
    assert recorder.enter("1K (4)Q")
    obey(recorder, "/undo 6R")
    assert recorder.draft.text == before


@pytest.mark.parametrize("typed", ["banana", "turns", "6", "6R 7E", "2"])
def test_what_else_is_typed_behind_it_is_refused(typed: str):
    recorder = recorder_at(TIE_BREAK, "6R")
    before = recorder.draft.text
    with pytest.raises(Unheeded, match=r"write /undo for the last entry, /undo turn, or /undo 7E"):
        obey(recorder, f"/undo {typed}")
    assert recorder.draft.text == before


def test_a_turn_that_is_not_there_is_named():
    with pytest.raises(Unheeded, match="there is no turn 9R"):
        obey(recorder_at(TIE_BREAK, "6R"), "/undo 9R")


def test_what_was_recorded_elsewhere_can_only_be_removed():
    recorder = Recorder(MemoryStorage(recorder_at(TIE_BREAK, "6R").draft.text))
    assert recorder.enter("1K")
    before = recorder.draft.text
    with pytest.raises(Unheeded, match="the journal does not reach back to 5E; /drop 5E removes that turn"):
        obey(recorder, "/undo 5E")
    assert recorder.draft.text == before
    assert obey(recorder, "/undo") == []
    with pytest.raises(Unheeded, match="the journal does not reach back"):
        obey(recorder, "/undo 5E")
