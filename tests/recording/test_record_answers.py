"""No word that is typed into the recorder goes without an answer: it is recorded, or something is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from scale import FULL
from tironian.replay.recording.commands import enter
from tironian.replay.recording.recorder import Recorder, may_begin
from typed_records import COMPLETE, EXAMPLES, MemoryStorage, bare, entries, is_due, record_of, recorder_of

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


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("*P", "*P is in the record already: 7R *P43211:332>R"),
        ("*P43211:332>R", "*P43211:332>R is in the record already: 7R *P43211:332>R"),
        ("7R", "7R is the turn that is being written"),
    ],
)
def test_what_stands_there_already_is_said(typed: str, said: str):
    record = bare(record_of(EXAMPLES / "2024" / "annotated.tiro"))
    recorder = recorder_of(record)
    for label, entry in entries(record):
        if label == "7R" and entry.startswith("="):
            break
        if is_due(recorder, label, entry):
            assert recorder.enter(entry)
    before = recorder.draft.text
    assert enter(recorder, typed) == [said]
    assert recorder.draft.text == before


LAID = "0R (2)S (5)P (1)Q (4)C (3)A m(S)"


@pytest.mark.parametrize("typed", ["(3)S (1)P", "0E (3)S (1)P", "\n(3)S (1)P"])
def test_an_action_pile_that_was_shuffled_needs_no_word(typed: str):
    recorder = Recorder(MemoryStorage('[Rules "1997"]\n[Result "*"]\n\n*\n'))
    for line in (LAID.removeprefix("0R "), *typed.split("\n")):
        assert recorder.enter(line), recorder.refusal
    assert f"\n{LAID}\n0E (3)S (1)P\n" in recorder.draft.text
    assert recorder.enter("(2)Q (4)C (5)A m(Q)")
    assert recorder.enter("4P 5S +p4 =o"), recorder.refusal
    assert "\n1E 4P 5S +p4 =o\n" in recorder.draft.text


def test_behind_a_shuffled_pile_the_other_side_is_at_fault():
    recorder = Recorder(MemoryStorage(f'[Rules "1997"]\n[Result "*"]\n\n{LAID}\n*\n'))
    assert not recorder.enter("(9)S")
    assert not recorder.enter("(4)K")
    assert "0E" in {fault.turn for fault in recorder.refusal.objections}
    assert may_begin(recorder, "(")
    assert recorder.insist()
    assert "\n0E (4)K\n" in recorder.draft.text
    assert recorder.undo()
    assert not recorder.enter("(4)S (4)P")
    assert "Cleopatra" in recorder.refusal.objections[0].message
