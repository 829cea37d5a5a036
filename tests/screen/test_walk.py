"""The walk through a game, without a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tironian import VIEWS
from tironian.replay.knowledge.redaction import views_for
from tironian.replay.knowledge.table_view import view_table
from tironian.replay.words.vote_tree import vote_words
from walks import ANNOTATED, EXAMPLES, walk_of


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("[!b]*/*.tiro")), ids=lambda path: path.parent.name + path.stem)
def test_a_walk_comes_by_every_token_and_back(path: Path):
    walk = walk_of(path)
    told = walk.timeline
    events = [event for entry in told.entries for event in entry.events]
    seen = [walk.stop.state]
    while walk.step(1):
        if walk.stop.event >= 0:
            assert walk.event is not None
            assert walk.stop.turned_up <= (walk.event.ballot is not None)
            if not walk.stop.turned_up:
                seen.append(walk.stop.state)
    assert seen == [told.start, *(event.state for event in events)]
    assert walk.stop.label == "the end"
    assert walk.stop.state == told.entries[-1].state
    places = len(walk.stops) - 1
    while walk.step(-1):
        places -= 1
    assert (walk.place, places) == (0, 0)


def test_eyes_that_know_no_more_than_the_record():
    assert views_for("arbiter") == VIEWS
    assert views_for("caesar") == ("caesar", "table")
    assert views_for("table") == ("table",)
    assert views_for("table", "arbiter") == ("arbiter", "table")


@pytest.mark.parametrize("path", ["2024/annotated", "1997/annotated", "fr/annotated", "taylor/annotated"])
def test_other_eyes_stand_at_the_same_place(path: str):
    walk = walk_of(EXAMPLES / f"{path}.tiro")
    stops = walk.stops
    for view in VIEWS:
        assert walk_of(EXAMPLES / f"{path}.tiro", view).stops == stops
    while walk.turn(1):
        here, table = walk.place, walk.table
        assert walk.next_view()
        assert (walk.place, walk.view) == (here, "caesar")
        assert walk.table == view_table(walk.stop.state, "caesar", walk.timeline.closing)
        assert walk.table.sides[0].hand == table.sides[0].hand
        assert set(walk.table.sides[1].hand) <= {"i", "a"}
        walk.view = "arbiter"


def test_a_vote_is_a_scene_of_two_steps():
    walk = walk_of(ANNOTATED, "table", ("table",))
    walk.go("1R.2")
    assert walk.scene is None
    assert "(?)" in walk.table.groups[3].cards[0]
    assert walk.step(1)
    assert walk.stop.label == "1R.3v"
    assert [group.cards for group in walk.table.groups if group.letter == "K"] == [(("5",), ("4",))]
    assert walk.scene is not None
    assert vote_words(walk.scene).first == (
        "Rome has more: 5 to 4.",
        "No philosopher lies there: the higher sum wins, so Rome wins.",
    )
    assert walk.step(1)
    assert walk.stop.label == "1R.3"
    assert [group.cards for group in walk.table.groups if group.letter == "K"] == [((), ())]
    assert vote_words(walk.scene).second[:2] == ("Rome wins a patrician.", "Rome discards a 5, Egypt a 4.")
    assert walk.step(-1)
    assert walk.stop.label == "1R.3v"
