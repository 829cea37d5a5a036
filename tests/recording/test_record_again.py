"""What a record does not say stays known: which words were filled in, and that Enter ended a turn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from journals import entries as journal_lines
from jsonschema import Draft202012Validator
from scale import FULL
from schema_parts import closed_schema
from tironian.replay.recording.commands import obey
from tironian.replay.recording.recorder import Recorder
from tironian.replay.recording.storage import RecordStorage
from typed_records import COMPLETE, EXAMPLES, MemoryStorage, bare, entries, is_due, record_of, recorder_of

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


def undone(recorder: Recorder) -> Recorder:
    assert recorder.enter("!?")
    assert recorder.undo()
    return recorder


def redone(recorder: Recorder) -> Recorder:
    assert recorder.undo()
    assert recorder.redo()
    return recorder


def commented(recorder: Recorder) -> Recorder:
    assert recorder.enter("{he hesitated}")
    return recorder


def noted(recorder: Recorder) -> Recorder:
    assert obey(recorder, "/note he hesitated") == []
    return recorder


BETWEEN = [commented, noted, undone, redone, reopened]


def recorder_at(lines: str = "", rules: str = "2024", view: str = "arbiter", headers: str = "") -> Recorder:
    return Recorder(MemoryStorage(f'[Rules "{rules}"]\n[View "{view}"]\n[Result "*"]\n{headers}\n{lines}'))


def turns(recorder: Recorder) -> list[str]:
    return [line for line in recorder.draft.text.splitlines() if line[:1].isdigit()]


def words(line: str) -> list[str]:
    return [word for word in line.replace("{he hesitated}", "").split() if word != "!?"]


# --------------------------------------------------------------------------------------------- words filled in


def before_a_special_vote() -> Recorder:
    """A recorder for whom a special vote has been filled in, and what it was called."""
    record = bare(record_of(EXAMPLES / "2024" / "tie-break.tiro"))
    recorder = recorder_of(record)
    for label, entry in entries(record):
        if label == "6R" and entry.startswith("=P"):
            break
        if is_due(recorder, label, entry):
            assert recorder.enter(entry), recorder.refusal
    return recorder


@pytest.mark.parametrize("between", BETWEEN)
def test_a_special_vote_that_was_filled_in_is_known_again(between: Callable[[Recorder], Recorder]):
    recorder = before_a_special_vote()
    line = turns(recorder)[-1]
    vote = next(word for word in line.split() if word.startswith("*"))
    recorder = between(recorder)
    assert recorder.enter(vote), recorder.refusal
    assert words(turns(recorder)[-1]) == line.split()


@pytest.mark.parametrize("between", BETWEEN)
def test_the_last_card_of_the_set_up_is_known_again(between: Callable[[Recorder], Recorder]):
    recorder = recorder_at()
    assert recorder.enter("(1)P (2)Q (3)A (4)K")
    recorder = between(recorder)
    assert recorder.enter("(5)C m(A,K)"), recorder.refusal
    (line,) = turns(recorder)
    assert words(line) == ["0R", "(1)P", "(2)Q", "(3)A", "(4)K", "(5)C", "m(A,K)", "+v"]


def test_a_set_up_line_that_was_filled_in_may_be_typed_with_its_label():
    recorder = recorder_at(view="caesar")
    assert recorder.enter("(3)P (1)Q (2)A (4)K (5)C m(A,K)"), recorder.refusal
    line = turns(recorder)[-1]
    assert line.startswith("0E (i)P")
    before = recorder.draft.text
    assert recorder.enter(line), recorder.refusal
    assert recorder.draft.text == before
    assert recorder.enter("0E (i)P (i)Q (i)A (i)K (i)C 1E 5P") is False
    assert recorder.draft.text == before


def test_what_comes_next_is_no_other_word_for_what_was_filled_in():
    position = (
        "0R h(x) m(A) b(r) d(11111112222222333333344444445555555ppxxssswcvv)\n"
        "0E h(444) m(K) d(11111112222222333333344445555555ppxxxssswcvv)\n"
    )
    recorder = recorder_at(position, headers='[Setup "position"]\n')
    assert not recorder.draft.errors
    assert recorder.enter("9E 4A (4)K"), recorder.refusal
    assert turns(recorder)[-1] == "9E 4A (4)K =r"
    assert recorder.draft.cursor.label == "9R"
    assert recorder.enter("=o"), recorder.refusal
    assert turns(recorder)[-2:] == ["9E 4A (4)K =r", "9R =o"]


# ------------------------------------------------------------------------------------------ turns ended by Enter


def at_the_end(between: Callable[[Recorder], Recorder]) -> Recorder:
    recorder = recorder_at(OUT, headers='[Setup "position"]\n')
    assert recorder.enter("9E (4)A =o")
    assert not recorder.draft.is_over
    assert recorder.enter("")
    assert recorder.draft.is_over
    return between(recorder)


@pytest.mark.parametrize("between", [*BETWEEN[1:]])
def test_a_game_that_enter_ended_can_be_signed(between: Callable[[Recorder], Recorder]):
    recorder = at_the_end(between)
    assert recorder.draft.is_over
    assert obey(recorder, "/sign Caesar, Cleopatra")[-1].startswith("signed by")


def test_who_undoes_an_end_by_enter_undoes_the_result_that_was_counted():
    recorder = at_the_end(lambda recorder: recorder)
    assert recorder.draft.text.endswith("\n5-0\n")
    assert recorder.undo()
    assert not recorder.draft.is_over
    assert recorder.draft.text.endswith("\n9E (4)A =o\n")
    assert recorder.redo()
    assert recorder.draft.is_over


def test_a_counted_result_says_without_a_journal_that_the_game_is_over():
    recorder = at_the_end(lambda recorder: Recorder(MemoryStorage(recorder.storage.text)))
    assert recorder.draft.is_over
    assert not recorder.draft.errors


@pytest.mark.parametrize("between", BETWEEN)
def test_a_turn_that_cant_be_followed_and_enter_ended_stays_so(between: Callable[[Recorder], Recorder]):
    recorder = recorder_at(SET_UP + "1E 5P (1)A +23\n")
    assert not recorder.enter("5S")
    assert recorder.insist()
    assert recorder.enter("(5)K =r +12")
    assert recorder.enter("")
    recorder = between(recorder)
    assert recorder.draft.cursor.label == "2E"
    assert recorder.enter("4Q")
    assert turns(recorder)[-1].split()[:2] == ["2E", "4Q"]


def test_undo_takes_back_what_came_after_an_enter_that_ended_nothing():
    recorder = recorder_at(SET_UP + "1E 5P (1)A +23\n")
    before = recorder.draft.text
    assert recorder.enter("")
    obey(recorder, "/note he hesitated")
    assert recorder.draft.text != before
    assert recorder.enter("")
    assert recorder.undo()
    assert recorder.draft.text == before
    assert recorder.redo()
    assert "he hesitated" in recorder.draft.text


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


def test_a_record_without_its_journal_goes_on():
    recorder = recorder_at(SET_UP + "1E 5P (1)A +23\n")
    assert recorder.enter("5K (1)C =A +23"), recorder.refusal
    alone = Recorder(MemoryStorage(recorder.storage.text))
    assert alone.draft.cursor.label == recorder.draft.cursor.label


@pytest.mark.parametrize("aside", ["nonsense {", "+99 x", "?? 1E"])
def test_what_cant_be_read_beside_a_record_does_no_harm(aside: str):
    storage = MemoryStorage(recorder_at(SET_UP + "1E 5P\n").storage.text)
    storage.aside = aside
    recorder = Recorder(storage)
    assert recorder.enter("(1)A +23"), recorder.refusal
    assert turns(recorder)[-1] == "1E 5P (1)A +23"
