"""Games that were broken off: who has won is asked for, written down, and stands on the sheet."""

from __future__ import annotations

import pytest
from test_record_kept import SET_UP, recorder_at
from tironian.replay.recording.commands import Unheeded, obey
from tironian.replay.recording.score_sheet import score_sheet

TURNS = SET_UP + "1E 5A (1)P +23\n"


@pytest.mark.parametrize(
    ("said", "line", "told"),
    [
        ("resigned by Cleopatra", "*>R", "Rome wins, Egypt resigned"),
        ("resigned Cleopatra", "*>R", "Rome wins, Egypt resigned"),
        ("resigned by Livia", "*>E", "Egypt wins, Rome resigned"),
        ("Resigned *>E", "*>E", "Egypt wins, Rome resigned"),
        ("time forfeit by Rome", "*>E", "Egypt wins on time"),
        ("time forfeit won by Rome", "*>R", "Rome wins on time"),
        ("rules infraction by egypt", "*>R", "Rome wins, Egypt broke the rules"),
        ("adjudicated won by Cleopatra", "*>E", "Egypt wins by adjudication"),
        ("adjudicated 17-9", "17-9", "Rome wins by adjudication"),
        ("agreed draw", "*>-", "A draw, agreed"),
    ],
)
def test_who_has_won_is_written_down_and_can_be_signed(said: str, line: str, told: str):
    recorder = recorder_at(TURNS)
    obey(recorder, "/header Caesar Livia")
    (answer,) = obey(recorder, f"/end {said}")
    assert told.lower() in answer.lower()
    assert recorder.draft.text.splitlines()[-1] == line
    assert f'[Result "{line}"]' in recorder.draft.text
    assert f"{told}, whatever the points are." in score_sheet(recorder.draft.record)
    assert not recorder.draft.errors
    assert "signed by" in obey(recorder, "/sign Caesar, Cleopatra")[-1]


@pytest.mark.parametrize("said", ["resigned", "time forfeit", "rules infraction", "agreed", "adjudicated"])
def test_who_has_won_is_asked_for(said: str):
    recorder = recorder_at(TURNS)
    text = recorder.draft.text
    with pytest.raises(Unheeded, match=r"which side|who has won"):
        obey(recorder, f"/end {said}")
    assert recorder.draft.text == text


def test_a_resignation_without_a_winner_is_not_signed():
    recorder = recorder_at(TURNS)
    obey(recorder, "/end resigned *")
    with pytest.raises(Unheeded, match="the winner is missing"):
        obey(recorder, "/sign Caesar, Cleopatra")


@pytest.mark.parametrize("said", ["abandoned", "unterminated", "abandoned by Caesar"])
def test_a_game_that_was_left_needs_no_winner(said: str):
    recorder = recorder_at(TURNS)
    assert obey(recorder, f"/end {said}") == [f"the game ended: {said.split()[0]}; /undo reverses that"]


def test_signatures_are_asked_for_when_the_game_is_over():
    recorder = recorder_at(TURNS)
    assert obey(recorder, "/sign")[-1].startswith("it can be signed when the game is over")
    obey(recorder, "/end agreed draw")
    assert obey(recorder, "/sign")[-1].startswith("if they agree, say who")
