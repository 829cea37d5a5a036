"""What a record does not say stays known: which words were filled in, and that Enter ended a turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from journals import entries as journal_lines
from jsonschema import Draft202012Validator
from scale import FULL
from schema_parts import closed_schema
from tironian.replay.recording.commands import obey
from tironian.replay.recording.recorder import Recorder
from tironian.replay.recording.storage import RecordStorage
from typed_records import COMPLETE, MemoryStorage, entries, is_due, record_of, recorder_of

SET_UP = "0R (1)P (2)Q (3)A (4)K (5)C m(A,K) +v\n0E (1)P (2)Q (3)A (4)K (5)C m(P,Q) +v\n"
OUT = (
    "0R h(xx) m(A) g(PPPP) d(1111111222222233333334444444555555pp5)\n"
    "0E h(4) m(K) d(111111122222223333333444444555555pp5)\n"
)
"""A position in which the next player still has a card, and then nobody."""


def reopened(recorder: Recorder) -> Recorder:
    """The recorder who opens the same files the next time."""
    storage = MemoryStorage(recorder.storage.text)
    storage.aside = recorder.storage.aside
    return Recorder(storage)


def recorder_at(lines: str = "", rules: str = "2024", view: str = "arbiter", headers: str = "") -> Recorder:
    return Recorder(MemoryStorage(f'[Rules "{rules}"]\n[View "{view}"]\n[Result "*"]\n{headers}\n{lines}'))


def turns(recorder: Recorder) -> list[str]:
    return [line for line in recorder.draft.text.splitlines() if line[:1].isdigit()]


# --------------------------------------------------------------------------------------------- words filled in


# ------------------------------------------------------------------------------------------ turns ended by Enter


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_undo_and_redo_and_reopening_come_back_to_the_same(path: Path):
    record = record_of(path)
    recorder = recorder_of(record)
    storage = recorder.storage
    for label, entry in entries(record):
        if entry.startswith("/"):
            obey(recorder, entry)
        elif is_due(recorder, label, entry) and not recorder.enter(entry):
            assert recorder.insist()
    stands = [(storage.text, storage.aside, recorder.draft.cursor)]
    while recorder.undo():
        stands.append((storage.text, storage.aside, recorder.draft.cursor))
    for place, (text, aside, cursor) in enumerate(stands[-2::-1]):
        assert recorder.redo()
        assert (storage.text, storage.aside, recorder.draft.cursor.label) == (text, aside, cursor.label)
        if FULL or not place % 7:  # to open a record is to replay it
            assert reopened(recorder).draft.cursor.label == cursor.label


def test_the_end_of_a_turn_is_on_disk(tmp_path: Path):
    path = tmp_path / "game.tiro"
    path.write_text(f'[Rules "2024"]\n[Result "*"]\n[Setup "position"]\n\n{OUT}')
    with RecordStorage(path) as storage:
        assert Recorder(storage).enter("9E (4)A =o")
    with RecordStorage(path) as storage:
        recorder = Recorder(storage)
        assert not recorder.draft.is_over
        assert recorder.enter("")
    with RecordStorage(path) as storage:
        recorder = Recorder(storage)
        assert recorder.draft.is_over
        assert recorder.undo()
        assert not recorder.draft.is_over
    with RecordStorage(path) as storage:
        recorder = Recorder(storage)
        assert not recorder.draft.is_over
        assert recorder.redo()
        assert recorder.draft.is_over
    judge = Draft202012Validator(closed_schema("trail"))
    lines = journal_lines(path)
    for line in lines:
        judge.validate(line)
    assert [line.get("aside", "") for line in lines[1:]] == ["", "", "", "/", "", ""], (
        "undo and redo know what was there"
    )


@pytest.mark.parametrize("aside", ["nonsense {", "+99 x", "?? 1E"])
def test_what_cant_be_read_beside_a_record_does_no_harm(aside: str):
    storage = MemoryStorage(recorder_at(SET_UP + "1E 5P\n").storage.text)
    storage.aside = aside
    recorder = Recorder(storage)
    assert recorder.enter("(1)A +23"), recorder.refusal
    assert turns(recorder)[-1] == "1E 5P (1)A +23"
