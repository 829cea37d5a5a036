"""What ``/header`` answers: what was set or removed, which names there are, and what is wrong with it."""

from __future__ import annotations

import pytest
from test_record_filled import SET_UP, recorder_at
from tironian.replay.recording.commands import Unheeded, obey


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("Site Cologne", ["Site is now “Cologne”"]),
        ("site Cologne", ["Site is now “Cologne”"]),
        ("Foo bar", ["Foo is now “bar”; Foo is no known header, /header alone lists them"]),
        ("Date tomorrow", ["Date is now “tomorrow”", "Date can't be “tomorrow” [H204]"]),
        ("View", ["View is removed"]),
    ],
)
def test_what_was_set_is_said(typed: str, said: list[str]):
    assert obey(recorder_at(SET_UP), f"/header {typed}") == said


def test_without_a_name_the_headers_are_listed():
    recorder = recorder_at(SET_UP)
    before = recorder.draft.text
    (said,) = obey(recorder, "/header")
    assert said.startswith("the headers are Rules, Event, Site, Date, Round, Caesar, Cleopatra, ")
    with pytest.raises(Unheeded, match="there is no header Foo to be removed; /header alone lists the names"):
        obey(recorder, "/header Foo")
    assert recorder.draft.text == before


def test_what_the_table_agrees_on_is_accepted_from_then_on():
    recorder = recorder_at(SET_UP + "1E (1)A\n")
    assert not recorder.enter("(2)Q")
    (told,) = obey(recorder, "/header HouseRules R210 R208: either card may lie face down")
    assert told == "HouseRules is now “R210 R208: either card may lie face down”"
    assert recorder.enter("(2)Q +12")
    assert not recorder.is_broken
    assert "\n1E (1)A (2)Q +12\n" in recorder.draft.text
    (said,) = obey(recorder_at(SET_UP), "/header HouseRules two cards")[1:]
    assert said == "HouseRules: “two cards” is not a code with a name [H215]"
