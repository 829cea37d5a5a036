"""A draft is read, run and judged once, whoever asks it."""

from __future__ import annotations

from functools import partial

import pytest
from counting import calls_of
from tironian.tools.recorder.recorder import Recorder
from typed_records import EXAMPLES, entries, is_due, record_of, recorder_of


def words(recorder: Recorder) -> int:
    return sum(len(turn.tokens) for turn in recorder.draft.record.turns)


@pytest.mark.parametrize("name", ["tie-break", "seen-from-the-table"])
def test_an_accepted_word_is_one_replay_and_headers_are_read_once(name: str):
    """That holds for words after which nothing is filled in; verdict and hidden cards take no other replay."""
    record = record_of(EXAMPLES / "2024" / f"{name}.tiro")
    recorder, counted = recorder_of(record), 0
    for label, entry in entries(record):
        if not is_due(recorder, label, entry):
            continue
        before, is_turn = words(recorder), label[0] not in "0e"
        calls = calls_of(partial(recorder.enter, entry), "run_record", "read_headers")
        if is_turn and words(recorder) == before + 1 and not recorder.draft.is_over:
            more = calls_of(lambda: recorder.draft.verdict, "run_record", "read_headers")
            assert (calls, more) == ({"run_record": 1, "read_headers": 1}, {"run_record": 0, "read_headers": 0}), entry
            counted += 1
    assert counted > 20
