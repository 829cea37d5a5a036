"""Rulings: who is at fault, which of them are settled, and how one is taken back."""

from __future__ import annotations

import pytest
from test_record_again import SET_UP, recorder_at
from tironian.replay.recording.commands import Unheeded, obey
from tironian.replay.recording.recorder import Recorder

TURN = SET_UP + "1E 5P (1)A +23\n"


def rulings(recorder: Recorder) -> list[str]:
    return [line.strip() for line in recorder.draft.text.splitlines() if line.lstrip().startswith("%")]


def held() -> Recorder:
    """A recorder who has insisted on a second card that lies face up."""
    recorder = recorder_at(TURN)
    assert recorder.enter("1R 5P")
    assert not recorder.enter("4Q")
    assert recorder.insist()
    assert rulings(recorder) == ["% R stands R210: it happened; the arbiter still has to rule"]
    return recorder


@pytest.mark.parametrize("name", ["R", "Rome", "caesar", "Livia Drusilla"])
def test_a_ruling_names_the_side_that_is_at_fault(name: str):
    recorder = recorder_at(TURN, headers='[Caesar "Livia Drusilla"]\n')
    obey(recorder, f"/rule 1E {name} penalty 2 he had looked")
    assert rulings(recorder) == ["% R penalty 2: he had looked"]


def test_a_name_that_nobody_has_is_no_side():
    recorder = recorder_at(TURN)
    with pytest.raises(Unheeded, match="Octavia is neither of the players"):
        obey(recorder, "/rule 1E Octavia penalty 2")
    assert rulings(recorder) == []


def test_a_ruling_takes_the_place_of_the_one_before_on_that_side():
    recorder = recorder_at(TURN)
    for said in ("stands seen too late", "R penalty 1", "penalty 2 seen at once"):
        obey(recorder, f"/rule 1E {said}" if said[0] == "R" else f"/rule 1E E {said}")
    assert rulings(recorder) == ["% R penalty 1", "% E penalty 2: seen at once"]


@pytest.mark.parametrize(("said", "left"), [("none", []), ("E none", ["% R penalty 1"])])
def test_a_ruling_can_be_removed(said: str, left: list[str]):
    recorder = recorder_at(TURN)
    obey(recorder, "/rule 1E R penalty 1")
    obey(recorder, "/rule 1E E penalty 2")
    obey(recorder, f"/rule 1E {said}")
    assert rulings(recorder) == left
    assert recorder.undo()
    assert len(rulings(recorder)) == 2


def test_a_turn_that_was_taken_back_can_be_given_again():
    recorder = held()
    obey(recorder, "/rule 1R back")
    assert recorder.enter("5P (4)Q")
    assert recorder.draft.text.count("\n1R ") == 2
    told = obey(recorder, "/rule 1R none")
    assert rulings(recorder) == []
    assert any("[R210]" in line for line in told)


def test_what_is_not_there_is_not_removed():
    recorder = recorder_at(TURN)
    with pytest.raises(Unheeded, match="no such ruling on 1E"):
        obey(recorder, "/rule 1E none")


@pytest.mark.parametrize("typed", ["% R penalty 2: late", "% R penalty 2 R210: late", "% E penalty 2: late"])
def test_a_ruling_that_is_typed_settles_an_open_one(typed: str):
    recorder = held()
    assert recorder.enter(typed), recorder.refusal
    assert rulings(recorder) == [f"% {typed[2]} penalty 2 R210: late"]
    assert not recorder.draft.errors


def test_a_veto_that_could_not_be_played_is_the_fault_of_who_played_it():
    position = "0R 5P h(12345x) m(A)\n0E (2)P h(1234x) m(K)\n"
    recorder = recorder_at(position, headers='[Setup "position"]\n')
    assert recorder.enter("9E 4A (3)A x5P")
    assert not recorder.enter("v+2")
    assert recorder.insist()
    (ruling,) = rulings(recorder)
    assert ruling.startswith("% R stands R203")
    assert obey(recorder, "/rule 9E penalty 1") == ["everything fits"]
    assert rulings(recorder) == ["% R penalty 1 R203"]
