"""What of a turn is done and what is still to come: nothing is said to be drawn before it is, or beyond the piles."""

from __future__ import annotations

import pytest
from recorder_screens import recorder_at
from test_record_filled import position
from tironian.replay.recording.questions import asked, turn_steps
from tironian.replay.recording.recorder import Recorder
from typed_records import EXAMPLES


def steps(recorder: Recorder) -> str:
    return "  ".join(f"{step.stands} {step.name}" for step in turn_steps(recorder.draft))


@pytest.mark.parametrize(
    ("game", "label", "typed", "shown"),
    [
        ("tie-break", "10E", "3A (p)C =C", "✓ first card  ✓ second card  ✓ bust  ▸ mission  · draw"),
        (
            "mission-in-words",
            "10R",
            "x4C 4C (1)P =C",
            "✓ first card  ✓ second card  ✓ action  ✓ bust  ▸ mission  · draw",
        ),
        ("seen-from-the-table", "12E", "3K (i)Q *K54321:321", "✓ first card  ✓ second card  ▸ mission  · bust  · draw"),
    ],
)
def test_while_a_mission_is_chosen_the_cards_are_still_to_be_drawn(game: str, label: str, typed: str, shown: str):
    recorder = recorder_at(EXAMPLES / "2024" / f"{game}.tiro", label)
    assert recorder.enter(typed), recorder.refusal
    assert steps(recorder) == shown


def test_who_has_nothing_to_draw_has_not_drawn():
    recorder = recorder_at(EXAMPLES / "fr" / "drawn.tiro", "16R")
    assert recorder.enter("2P pP"), recorder.refusal
    assert steps(recorder) == "✓ first card  ✓ second card  ▸ vote card"


def test_no_more_is_drawn_than_the_piles_hold():
    recorder = position(
        "0R d(111111122222223333333444444455ppxxcwvvs) h(5555xs) m(A)\n0E h(12345v) m(K)\n", '[Starts "Caesar"]\n'
    )
    assert recorder.enter("9R 5A (5)A sA =o"), recorder.refusal
    assert steps(recorder).endswith("▸ draw 2")
    assert asked(recorder.draft) == "Caesar draws two cards"
