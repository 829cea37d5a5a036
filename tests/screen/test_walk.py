"""The walk through a game, without a screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tironian import VIEWS
from tironian.replay.knowledge.redaction import views_for
from tironian.replay.knowledge.table_view import look
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


def test_the_ways_end_at_both_ends():
    walk = walk_of(ANNOTATED)
    for way in (walk.step, walk.turn, walk.vote):
        assert not way(-1)
    assert not walk.to(0)
    assert walk.last()
    for way in (walk.step, walk.turn, walk.vote):
        assert not way(1)
    assert not walk.last()
    assert walk.to(0)


def test_turn_by_turn_and_vote_by_vote():
    walk = walk_of(ANNOTATED)
    turns = []
    while walk.turn(1):
        turns.append(walk.stop.label)
    assert [label.partition(".")[0] for label in turns[:-1]] == [entry.label for entry in walk.timeline.entries[2:]]
    assert turns[-1] == "the end"
    walk.go("4R.4")
    assert walk.turn(-1)
    assert walk.stop.label == "4E.4"
    walk.to(0)
    votes = 0
    while walk.vote(1):
        votes += 1
        assert walk.event is not None
        assert walk.event.ballot is not None
        assert walk.stop.turned_up
        assert walk.tree is None, "it is not decided yet"
        assert walk.step(1)
        assert not walk.stop.turned_up
        assert walk.event.ballot is not None
        assert walk.tree is not None
        assert (walk.tree.number, walk.tree.token) == (votes, walk.event.token)
    assert votes == sum(event.ballot is not None for entry in walk.timeline.entries for event in entry.events)
    while walk.vote(-1):
        votes -= 1
    assert votes == 0, "back to where the cards of each were turned up, first of the last one"


def test_jumps():
    walk = walk_of(ANNOTATED)
    moments = [
        ("7e", "7E.4"),
        ("7 E.2", "7E.2"),
        ("007E.0", "6R.5"),
        ("0R", "the set-up"),
        ("8E.2v", "8E.2v"),
        ("8e.2V", "8E.2v"),
        ("8E.2", "8E.2"),
        ("15E", "15E.3"),
    ]
    for text, label in moments:
        assert walk.go(text) == ""
        assert walk.stop.label == label
    for text, wrong in [
        ("7", "write a turn, 7E, or a token in it, 7E.2"),
        ("", "write a turn"),
        ("99E", "there is no turn 99E"),
        ("7E.9", "7E has only 4 tokens"),
        ("7E.9v", "7E has only 4 tokens"),
        ("7E.2v", "7E.2 is not a vote"),
        ("7E.0v", "7E.0 is not a vote"),
        ("7Ev", "write a turn"),
        ("٣E", "write a turn"),
    ]:
        assert walk.go(text).startswith(wrong)
        assert walk.stop.label == "15E.3"


def test_a_turn_that_was_taken_back_is_passed_by():
    walk = walk_of(EXAMPLES / "1997" / "annotated.tiro")
    assert walk.go("14R") == ""
    assert walk.event is not None
    while walk.event is not None:
        walk.step(-1)
        if walk.stop.label == "14R":
            break
    assert walk.stop.event < 0
    assert walk.entry is not None
    assert walk.entry.status == "taken back"
    assert not walk.changed


def test_a_walk_goes_as_far_as_the_cards_can_be_followed():
    walk = walk_of(EXAMPLES / "broken" / "eighth-copy.tiro")
    assert walk.timeline.stopped == "12E"
    walk.go("12E")
    followed = walk.stop.state
    assert walk.go("12R") == ""
    assert walk.entry is not None
    assert walk.entry.status == "not followed"
    assert walk.stop.state is followed, "the table stays as it was when it could be followed last"
    walk.last()
    assert walk.stop.label == "the end"


def test_what_changed_is_what_the_token_touched():
    walk = walk_of(ANNOTATED)
    walk.go("10R.1")
    assert walk.changed == {"Q"}
    walk.go("1E.3")
    assert not walk.changed


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
        assert walk.table == look(walk.stop.state, "caesar", walk.timeline.closing)
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
    assert walk.changed == {"K"}
    assert walk.scene is not None
    assert walk.scene.first == (
        "Rome has more: 5 to 4.",
        "No philosopher lies there: the higher sum wins, so Rome wins.",
    )
    assert walk.step(1)
    assert walk.stop.label == "1R.3"
    assert [group.cards for group in walk.table.groups if group.letter == "K"] == [((), ())]
    assert walk.scene.second[:2] == ("Rome wins a patrician.", "Rome discards a 5, Egypt a 4.")
    assert walk.step(-1)
    assert walk.stop.label == "1R.3v"


def test_before_a_turn_that_begins_with_a_vote():
    walk = walk_of(ANNOTATED)
    walk.go("7R.4v")
    assert walk.stop.turned_up
    assert walk.go("7R.0") == ""
    assert walk.stop.label == "7E.4"
