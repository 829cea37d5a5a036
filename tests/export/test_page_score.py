"""What the page says of points and missions, and of how the game came out."""

from __future__ import annotations

from pages import ANNOTATED, timelines
from tironian.replay.export.page_steps import page_steps, standing_part


def test_what_is_proved_of_points_and_missions_is_said_to_who_sees_them():
    text = ANNOTATED.read_text(encoding="utf-8")
    arbiter, caesar = timelines(text, ["arbiter", "caesar"])
    entries = {entry.label: entry for entry in arbiter.entries}
    (settled,) = [event.state for event in entries["5R"].events if event.ballot]
    end = arbiter.entries[-1].events[-1].state
    standing = standing_part(arbiter, settled)
    assert standing["bonus.1"] == "one of them for majorities", "two of three Censors"
    assert standing["prospects.1"] == "\nimpossible now", "all Praetors, of whom Rome has one"
    assert arbiter.table(settled).summary == ""
    assert standing_part(caesar, settled)["prospects.1"] == ""
    over = standing_part(arbiter, end)
    assert over["prospects.0"] == over["prospects.1"] == "missed", "of the missions that were kept"
    assert arbiter.table(end).summary == "Rome 16, Egypt 12: Rome wins"
    assert not any(standing_part(caesar, step.state)["prospects.1"] for step in page_steps(caesar))
