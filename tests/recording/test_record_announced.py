"""Announced actions and what came of them; second words for vetoes and for cards that a spy took."""

from __future__ import annotations

import pytest
from test_record_again import recorder_at, turns
from tironian.replay.recording.questions import asked
from tironian.replay.recording.recorder import Recorder

KNOWN = "0R (3)P (5)P h(12345v) m(A)\n0E (2)P h(1234x) m(K)\n"
UNSEEN = "0R (i)P (i)P h(iiiiiv) m(?)\n0E (i)P h(iiiixs) m(?)\n"
OLD = "0R (3)P 5P h(1234v) m(P)\n0E (2)P h(134xy) m(Q)\n"


def position(lines: str, rules: str = "2024", view: str = "arbiter") -> Recorder:
    recorder = recorder_at(lines, rules, view, '[Setup "position"]\n')
    assert not recorder.draft.errors
    return recorder


def typed(recorder: Recorder, *words: str) -> str:
    """The last turn after these words, each of which is accepted."""
    for word in words:
        assert recorder.enter(word), recorder.refusal
    return turns(recorder)[-1]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("xP", "x(3)P"), "9E 4A (3)A x(3)P#1"),
        (("xP", "x(5)P#2"), "9E 4A (3)A x(5)P#2"),
        (("xP", "v+2"), "9E 4A (3)A xP v+2"),
        (("xP#2", "x(5)P#2"), "9E 4A (3)A x(5)P#2"),
        (("xP#2", "{seen by all}", "x(5)P#2"), "9E 4A (3)A x(5)P#2 {seen by all}"),
    ],
)
def test_an_announced_action_is_followed_by_what_came_of_it(words: tuple[str, ...], line: str):
    assert typed(position(KNOWN), "9E 4A (3)A", *words) == line


def test_another_card_is_no_second_word_for_one_that_was_hit():
    recorder = position(KNOWN)
    typed(recorder, "9E 4A (3)A xP#2")
    assert not recorder.enter("x(3)P#1")
    assert turns(recorder)[-1] == "9E 4A (3)A x(5)P#2"


@pytest.mark.parametrize(
    ("announced", "outcome", "line"),
    [
        ("sP", "sP(52)", "9E 4A (i)A sP(52)"),
        ("xP", "x(3)P#2", "9E 4A (i)A x(3)P#2"),
        ("sP", "v+i", "9E 4A (i)A sP v+i"),
    ],
)
def test_at_the_table_the_cards_that_all_saw_are_asked_for(announced: str, outcome: str, line: str):
    recorder = position(UNSEEN, view="table")
    typed(recorder, "9E 4A (i)A", announced)
    assert recorder.draft.cursor.pending
    assert asked(recorder.draft) == "Cleopatra: the effect, or v if it was vetoed"
    assert outcome in recorder.draft.menu
    assert typed(recorder, outcome) == line
    assert not recorder.draft.cursor.pending


def test_who_does_not_write_what_was_seen_goes_on():
    assert typed(position(UNSEEN, view="table"), "9E 4A (i)A", "sP", "=o") == "9E 4A (i)A sP =o"


@pytest.mark.parametrize("rules", ["1997", "taylor"])
def test_the_card_drawn_for_a_veto_may_be_a_second_word(rules: str):
    recorder = position(OLD, rules)
    assert typed(recorder, "9E 4A 3A x5P", "v", "v+5") == "9E 4A 3A x5P v+5"
    assert recorder.undo()
    assert turns(recorder)[-1] == "9E 4A 3A x5P v"


@pytest.mark.parametrize("rules", ["1997", "taylor", "fr"])
def test_the_card_drawn_for_one_that_a_spy_took_may_be_a_second_word(rules: str):
    assert typed(position(OLD, rules), "9E 4A 3A", "y2", "y2+3") == "9E 4A 3A y2+3"
