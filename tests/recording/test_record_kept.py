"""Nothing typed is lost: what can't be read, what stands in no turn, and what somebody insists on."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from tironian import BadLine, parse, turn_text, write
from tironian.replay.recording.commands import Unheeded, obey
from tironian.replay.recording.recorder import Recorder
from typed_records import MemoryStorage

HEAD = '[Rules "2024"]\n[Result "*"]\n\n'
SET_UP = "0R (1)P (2)Q (3)A (4)K (5)C m(A,K) +v\n0E (1)P (2)Q (3)A (4)K (5)C m(Q,C) +v\n"


def recorder_at(lines: str = SET_UP) -> Recorder:
    return Recorder(MemoryStorage(HEAD + lines))


def last_lines(recorder: Recorder) -> list[str]:
    return recorder.draft.text.removeprefix(HEAD).removeprefix(SET_UP).splitlines()


@pytest.mark.parametrize("line", ["% X stands", "| foo", "17-13 foo"])
def test_a_line_that_cannot_be_read_is_kept_when_somebody_insists(line: str):
    recorder = recorder_at(SET_UP + "1E 5A\n")
    assert not recorder.enter(line)
    assert recorder.insist()
    assert [each.text for each in recorder.draft.record.turns[-1].after if isinstance(each, BadLine)] == [line]
    assert not recorder.draft.closed


@pytest.mark.parametrize("line", ["% R stands", "| 1E 5A", "% X"])
def test_a_line_about_a_turn_is_kept_also_where_there_is_no_turn_yet(line: str):
    recorder = recorder_at("")
    assert not recorder.enter(line)
    assert recorder.insist()
    assert recorder.draft.record.preface == (BadLine(line),)


@pytest.mark.parametrize("mark", ["!?", "@0:30:00"])
def test_a_mark_before_the_first_turn_is_kept(mark: str):
    recorder = recorder_at("")
    assert recorder.enter(mark)
    assert recorder.draft.text == f"{HEAD}0R {mark}\n"
    assert recorder.enter("(1)P")
    assert recorder.draft.text == f"{HEAD}0R (1)P {mark}\n"


def test_the_label_before_a_word_that_cannot_be_read_counts():
    recorder = recorder_at(SET_UP + "1E 5A -\n")
    assert not recorder.enter("1R 5Z 4K")
    while recorder.refusal is not None:
        recorder.insist()
    assert recorder.draft.record.turns[-1].label == "1R"
    assert last_lines(recorder)[-1].startswith("1R 5Z 4K")


def test_the_label_of_the_turn_that_is_being_written_begins_no_second_one():
    recorder = recorder_at(SET_UP + "1E 5A\n")
    assert not recorder.enter("1E 5Z")
    assert recorder.insist()
    assert last_lines(recorder) == ["1E 5A 5Z"]


def test_lines_pasted_together_are_words_of_one():
    recorder = recorder_at()
    assert recorder.enter("5A\r\n{a\nb}")
    assert last_lines(recorder) == ["1E 5A {a b}"]


@pytest.mark.parametrize("command", ["/rule 99R stands", "/drop 99R", "/insert zzz", "/sign"])
def test_nobody_insists_on_what_is_no_entry(command: str):
    recorder = recorder_at(SET_UP + "1E 5A\n")
    with suppress(Unheeded):
        assert obey(recorder, command)
    text = recorder.draft.text
    assert not recorder.insist()
    assert (recorder.draft.text, recorder.draft.closed) == (text, False)


def test_who_insists_on_the_end_of_a_turn_ends_it():
    recorder = recorder_at(SET_UP + "1E 5A\n")
    assert not recorder.end_turn()
    assert recorder.insist()
    assert recorder.draft.cursor.label == "1R"
    (game,) = parse(recorder.draft.text)
    assert [each.code for each in recorder.draft.verdict.diagnostics if each.severity == "ruled"]
    assert game.record == recorder.draft.record


@pytest.mark.parametrize("beside", ["!?", "; a remark", "/note a remark", "/header Site Cologne", "| 1R (5)P =o"])
def test_a_turn_that_was_ended_stays_so_whatever_is_said_about_it(beside: str):
    recorder = recorder_at(SET_UP + "1E 5A (1)P +23\n1R (3)P 4P =o +22\n2E (3)K\n")
    assert recorder.enter("=r")
    assert not recorder.enter("")
    assert recorder.insist()
    assert recorder.draft.cursor.label == "2R"
    if beside.startswith("/"):
        obey(recorder, beside)
    else:
        assert recorder.enter(beside.replace("1R", "2E"))
    assert recorder.draft.cursor.label == "2R"


def test_a_position_is_set_up_word_by_word():
    recorder = Recorder(MemoryStorage('[Rules "2024"]\n[Setup "position"]\n[Starts "Caesar"]\n[Result "*"]\n'))
    lines = ["0R 3A (4)A h(1245v) m(each)", "0E (5)A 2A h(1134sv) m(12)", "9R (5)K"]
    for line in lines[:2]:
        for word in line.split():
            assert recorder.enter(word)
        assert recorder.enter("")
    assert recorder.enter(lines[2])
    assert recorder.draft.text.splitlines()[-3:] == lines


def test_a_position_that_is_there_goes_on_with_its_first_turn():
    storage = MemoryStorage(
        '[Rules "2024"]\n[Setup "position"]\n[Result "*"]\n\n0R 3A h(1245v) m(A)\n0E 2A h(1134sv) m(K)\n'
    )
    recorder = Recorder(storage)
    assert recorder.enter("4K")
    assert recorder.draft.text.endswith("1E 4K\n")
    assert recorder.undo()
    assert recorder.enter("3K")
    assert recorder.draft.text.endswith("1E 3K\n")


def test_a_command_is_one_line_whatever_is_pasted_into_it():
    recorder = recorder_at(SET_UP + "1E 5A\n")
    obey(recorder, "/note one\r2R 4P\n3P")
    assert last_lines(recorder) == ["1E 5A", "   ; one 2R 4P 3P"]


@pytest.mark.parametrize("strange", ["1{", "5Z{", "x{", "{", "1}{", "{{"])
@pytest.mark.parametrize("behind", ["{hello}", "; hello } b"])
def test_a_word_with_a_brace_makes_no_comment_of_what_comes_behind_it(strange: str, behind: str):
    recorder = recorder_at()
    assert not recorder.enter(strange)
    while recorder.refusal is not None:
        recorder.insist()
    recorder.enter("5P")
    recorder.enter(behind)
    while recorder.refusal is not None:
        recorder.insist()
    text = recorder.draft.text
    (game,) = parse(text)
    assert write(game.record) == text
    assert "5P" in turn_text(replace(game.record.turns[-1], notes=()))
    for each in (*strange.replace("{", " ").split(), "{"):
        assert each in text


def test_a_turn_out_of_its_order_is_that_of_its_own_side():
    recorder = recorder_at(SET_UP + "1E 3A (1)P +45\n1R 4P (3)Q =o +1\n")
    assert not recorder.enter("2R")
    assert recorder.insist()
    words = [word for word in recorder.draft.menu.words if word.endswith("P")]
    assert recorder.draft.cursor.state is not None
    assert recorder.draft.cursor.state.active == 0
    for word in words:
        assert recorder.enter(word), recorder.refusal
        assert recorder.undo()


def test_a_turn_is_taken_back_and_brought_again_in_one_step():
    recorder = recorder_at(SET_UP + "1E 5A (1)P +23\n1R (3)P 4P =o +22\n")
    before = recorder.draft.text
    for word in ("3K", "(2)P", "=r"):
        assert recorder.enter(word), recorder.refusal
    after = recorder.draft.text
    assert last_lines(recorder)[2:] == ["2E 3K (2)P =r"]
    assert obey(recorder, "/undo turn") == []
    assert recorder.draft.text == before
    assert obey(recorder, "/redo") == []
    assert recorder.draft.text == after
    assert recorder.undo()
    assert last_lines(recorder)[2:] == ["2E 3K (2)P"]
