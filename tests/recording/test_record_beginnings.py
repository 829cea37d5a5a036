"""While a word is typed nobody is told that it can't be one, as long as Enter may come to accept it."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorder_screens import recorder_at
from scale import FULL
from tironian.replay.recording.questions import blank
from tironian.replay.recording.recorder import Recorder, may_begin
from typed_records import COMPLETE, EXAMPLES, MemoryStorage, bare, entries, is_due, record_of, recorder_of

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"
GAMES = COMPLETE if FULL else [TIE_BREAK, EXAMPLES / "fr" / "drawn.tiro"]


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_beginning_of_an_accepted_word_may_be_one(path: Path):
    record = bare(record_of(path))
    recorder = recorder_of(record)
    for label, entry in entries(record):
        if label == "end" or not is_due(recorder, label, entry):
            continue
        text = recorder.draft.text
        trial = recorder.elsewhere()
        is_free = entry[:1] == "+" and recorder.elsewhere().enter("+" + entry[:0:-1])
        if trial.enter(entry) and trial.draft.text != text:
            for word in dict.fromkeys([entry, entry[:1] + entry[:0:-1]] if is_free else [entry]):
                beginnings = [word[:end] for end in range(1, len(word) + 1)]
                assert [each for each in beginnings if not (recorder.choices(each) or may_begin(recorder, each))] == []
        if not recorder.enter(entry):
            break  # from here on it is no legal game


@pytest.mark.parametrize(
    ("words", "typed", "may"),
    [
        ("5P (5)K =r", "+43", True),
        ("5P (5)K =r", "+34", True),
        ("5P (5)K =r", "+432", False),  # two are drawn
        ("5P (5)K =r", "+9", False),
        ("5P (5)K =r", "=", False),
        ("", "9", False),
        ("", "5E", True),  # the turn that is being written
        ("", "@0:1", True),
    ],
)
def test_what_can_not_become_a_word_is_known(words: str, typed: str, may: bool):
    recorder = recorder_at(TIE_BREAK, "5E")
    assert recorder.enter(words)
    assert may_begin(recorder, typed) is may


def test_cards_of_a_vote_and_of_a_castling_come_in_any_order():
    vote, castling = recorder_at(TIE_BREAK, "6R"), recorder_at(TIE_BREAK, "4E")
    assert vote.enter("1K (4)Q")
    assert may_begin(vote, "=P1")  # behind a special vote that is due
    assert castling.enter("5P (2)Q")
    assert may_begin(castling, "cQ(14)K(2")


def test_the_order_of_an_action_pile_is_judged_when_it_is_complete():
    recorder = Recorder(MemoryStorage(blank("1997", {"View": "arbiter"}, "2026.05.31")))
    assert recorder.enter("(1)S (2)P (3)Q (4)C m(Q)"), recorder.refusal
    assert "a(" in recorder.draft.menu
    assert may_begin(recorder, "a(y")
    assert not may_begin(recorder, "a(y)")
