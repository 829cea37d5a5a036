"""What ``/header`` answers: what was set or removed, which names there are, and what is wrong with it."""

from __future__ import annotations

import pytest
from tironian import VIEWS, load_edition, parse
from tironian.replay.recording.questions import blank, faults, questions


def test_what_the_recorder_sees_is_asked_first():
    first = questions(load_edition("2024"), "2026.05.31")[0]
    assert (first.name, first.default) == ("View", "table")
    assert all(view in first.words for view in VIEWS)


@pytest.mark.parametrize(
    ("answer", "wanted"), [("", "table"), ("Caesar", "caesar"), ("arbiter", ""), ("table", "table")]
)
def test_the_answer_is_the_view(answer: str, wanted: str):
    text = blank("2024", {"View": answer}, "2026.05.31")
    assert parse(text)[0].record.header("View") == wanted
    assert not faults(text)


def test_another_answer_is_told_what_to_write():
    (told,) = faults(blank("2024", {"View": "spectator"}, "2026.05.31"))
    assert "use one of arbiter, caesar, cleopatra, table" in told
