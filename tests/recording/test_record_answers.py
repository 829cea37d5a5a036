"""No word that is typed into the recorder goes without an answer: it is recorded, or something is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from scale import FULL
from tironian.replay.recording.commands import enter
from typed_records import COMPLETE, EXAMPLES, bare, entries, is_due, record_of, recorder_of

WORDS = (
    *("*P", "*K", "=P", "=A", "=o", "=r", "=A5:3>R", "*P5:3>E", "=A-", "+1", "+p", "+x", "5P", "(3)Q", "p", "-", "-2"),
    *("xP", "sA", "y", "v", "v+1", "cPQ", "pP(1)", "wP", "aa", "m1", "mR1", "1R", "5R", "2E", "*", "!"),
)
GAMES = COMPLETE if FULL else [EXAMPLES / "2024" / "annotated.tiro", EXAMPLES / "1997" / "tie-break.tiro"]


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.parent.name + path.stem)
def test_every_word_at_every_moment_is_recorded_or_answered(path: Path):
    record = bare(record_of(path))
    recorder = recorder_of(record)
    for label, entry in entries(record):
        if not is_due(recorder, label, entry):
            continue
        enter(recorder, entry)
        for word in WORDS:
            tried = recorder.elsewhere()
            said = enter(tried, word)
            is_new = tried.draft.text != recorder.draft.text or tried.draft.closed != recorder.draft.closed
            assert is_new or said, (label, word)
