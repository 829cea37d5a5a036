"""Recording at the table, without screen and disk: what is typed becomes the record that was played."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import COMPLETE, bare, entries, record_of, recorder_of
from tironian.notation import write
from tironian.notation.record import Record
from tironian.replay.recording.commands import obey
from tironian.replay.recording.recorder import Recorder


def typed(recorder: Recorder, record: Record) -> int:
    """Type a record in; how many keys that takes, with one behind each word. What is refused happened all the same."""
    keys = 0
    for label, entry in entries(record):
        spot = recorder.draft.spot
        if entry.startswith("/"):
            obey(recorder, entry)
        elif entry or (spot.label == label and not spot.fresh):
            if not recorder.enter(entry):
                assert recorder.insist(), (label, entry, recorder.refusal)
        else:
            continue
        keys += len(entry) + 1
    return keys


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_game_that_is_typed_comes_out_as_its_record(path: Path):
    record = record_of(path)
    recorder = recorder_of(record)
    typed(recorder, record)
    assert recorder.draft.text == write(record) == path.read_text(encoding="utf-8")
    assert not recorder.draft.errors


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_typing_takes_no_more_keys_than_the_record_has_letters(path: Path):
    record = bare(record_of(path))
    keys = typed(recorder_of(record), record)
    turns = [line for line in write(record).splitlines() if line and not line.startswith("[")]
    assert keys <= 1.3 * sum(len(line) + 1 for line in turns)


def test_the_first_card_placed_leaves_the_set_up_that_was_filled_in():
    (path,) = [each for each in COMPLETE if each.stem == "seen-from-the-table"]
    recorder = recorder_of(record_of(path))
    obey(recorder, "/note Written down by a spectator.")
    set_up = recorder.draft.record.turns
    assert recorder.enter("2A")
    assert recorder.draft.record.turns[:-1] == set_up
    assert recorder.draft.record.turns[-1].label == "1E"
