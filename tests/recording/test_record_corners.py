"""Turns in an unusual order: inserted, begun too early, after a broken-off game; and the clocks beside them."""

from __future__ import annotations

import pytest
from test_record_again import SET_UP, recorder_at, reopened, turns
from tironian.notation.cards import EGYPT, ROME
from tironian.replay.recording.answers import refusal_lines
from tironian.replay.recording.clocks import Clocks
from tironian.replay.recording.commands import obey
from tironian.replay.recording.recorder import Recorder
from typed_records import MemoryStorage

TURN = SET_UP + "1E 5P (1)A +23\n"


class Timed:
    """A recorder with clocks whose time stands still unless it is told to go on."""

    def __init__(self, lines: str = TURN) -> None:
        self.recorder = recorder_at(lines, headers='[TimeControl "60+10"]\n')
        self.time = 0.0
        self.clocks = Clocks(60, 10, lambda: self.time)
        self.recorder.clocks = self.clocks
        obey(self.recorder, "/clock start")

    def left(self) -> tuple[float, float]:
        clocks = self.recorder.clocks
        assert clocks is not None
        return clocks.left(ROME), clocks.left(EGYPT)

    def runs(self) -> int | None:
        clocks = self.recorder.clocks
        assert clocks is not None
        return clocks.turn if clocks.is_running else None


def test_a_word_that_is_typed_again_adds_no_second_increment():
    game = Timed()
    game.time = 20
    for _ in range(3):
        assert game.recorder.enter("5K (1)C =r +23"), game.recorder.refusal
        assert turns(game.recorder)[-1].endswith("@0:00:50")
        assert game.left() == (50, 60)
        assert game.runs() == EGYPT
        assert game.recorder.undo()
        assert game.runs() == ROME
        while not turns(game.recorder)[-1].startswith("1E"):
            assert game.recorder.undo()


def test_where_nothing_can_be_judged_enter_switches_the_clocks():
    game = Timed()
    assert not game.recorder.enter("5S")
    assert game.recorder.insist()
    assert game.runs() == ROME
    game.time = 20
    assert game.recorder.enter("")
    assert game.runs() == EGYPT
    assert turns(game.recorder)[-1] == "1R 5S @0:00:50"


def test_after_a_label_that_was_insisted_on_that_side_s_clock_runs():
    game = Timed()
    assert not game.recorder.enter("2E 3Q")
    assert game.recorder.insist()
    assert game.recorder.draft.cursor.label == "2E"
    assert game.runs() == EGYPT
    assert game.left() == (60, 60)


def test_when_a_turn_was_taken_back_the_clock_runs_of_who_plays_it_anew():
    game = Timed()
    assert game.recorder.enter("5K (1)C =r +23"), game.recorder.refusal
    assert game.runs() == EGYPT
    obey(game.recorder, "/rule 1R back")
    assert game.runs() == ROME


def test_clocks_stand_when_the_game_was_ended():
    game = Timed()
    obey(game.recorder, "/end resigned by Caesar")
    assert game.runs() is None


# ------------------------------------------------------------------------------------------------- unusual orders


@pytest.mark.parametrize("again", [False, True])
def test_after_the_end_a_word_is_refused_with_the_reason(again: bool):
    recorder = recorder_at(TURN)
    obey(recorder, "/end unterminated")
    recorder = reopened(recorder) if again else recorder
    assert not recorder.enter("5Q")
    first, *more = refusal_lines(recorder)
    assert first == "the game has been ended: unterminated"
    assert any("/header Termination" in line for line in more)
    assert recorder.enter("; they went home"), recorder.refusal
    obey(recorder, "/header Termination")
    assert recorder.enter("5Q"), recorder.refusal
    assert turns(recorder)[-1] == "1R 5Q"


def test_a_turn_begins_when_the_set_up_is_complete():
    recorder = recorder_at()
    assert recorder.enter("(1)P (2)Q (3)A (4)K m(A,K)"), recorder.refusal
    before = recorder.draft.text
    assert not recorder.enter("1E 5P")
    assert refusal_lines(recorder)[0] == "the set-up is not complete"
    assert recorder.draft.text == before


def test_turns_move_up_as_they_followed_each_other():
    lines = [
        "1E 5P (1)A +23",
        "1R 5K (1)C =r +23",
        "   % R back",
        "1R 5K (1)A =r +23",
        "2E (2)K 4C =r +13",
        "3E (3)K 5C =r +15",
        "3R (2)K 4C =r +13",
    ]
    recorder = recorder_at(SET_UP + "\n".join(lines) + "\n")
    obey(recorder, "/insert 1R 3C (3)Q =r +34")
    labels = [turn.label for turn in recorder.draft.record.turns if turn.number]
    assert labels == ["1E", "1R", "2E", "2E", "2R", "3R", "4E"]


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("5P!", "1R 5P !"),
        ("5P!?", "1R 5P !?"),
        ("5P ?", "1R 5P ?"),
        ("5P! {well! really?}", "1R 5P {well! really?} !"),
        ("5P! ; well!", "1R 5P ! ; well!"),
    ],
)
def test_a_glyph_right_behind_a_word_is_one(typed: str, line: str):
    recorder = recorder_at(TURN)
    assert recorder.enter(typed), recorder.refusal
    assert turns(recorder)[-1] == line


def test_what_ends_with_a_sign_that_is_no_glyph_stays_whole():
    recorder = recorder_at(TURN)
    assert not recorder.enter("mE? 5P!!!")
    assert recorder.refusal is not None
    assert "5P!!!" in recorder.left


def test_enter_ends_the_game_of_who_would_have_to_place():
    full = "0R 5P (1)P h(12345v) m(A)\n0E " + " ".join(f"1{g} 2{g} 3{g} 4{g} 5{g}" for g in "PQAKC") + " h(34xs) m(K)\n"
    recorder = recorder_at(full, headers='[Setup "position"]\n[Rulings "full_check=at_placement"]\n')
    assert not recorder.draft.errors
    assert recorder.enter(""), recorder.refusal
    assert recorder.draft.is_over
    assert turns(recorder)[-2] == "1E -"
    assert Recorder(MemoryStorage(recorder.draft.text)).draft.is_over
