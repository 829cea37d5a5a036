"""``tiro step``: the walk through a game, with a screen and without."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console
from textual.pilot import Pilot
from textual.widgets import Static
from tironian import VIEWS, parse, replay_game, timeline
from tironian.replay.cli.command_line import main
from tironian.replay.screen.fixed_board import steady
from tironian.replay.screen.step_screen import StepApp
from tironian.replay.screen.walk import Kind, Walk
from tironian.replay.views.redaction import views_for
from tironian.replay.views.table_view import look

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
ANNOTATED = EXAMPLES / "2024" / "annotated.tiro"
SIZES = [(40, 12), (60, 20), (60, 30), (65, 39), (80, 24), (120, 40), (160, 50)]


def walk_of(text: str | Path, view: str = "arbiter", views: tuple[str, ...] = VIEWS) -> Walk:
    game = parse(text.read_text(encoding="utf-8") if isinstance(text, Path) else text)[0]
    played = replay_game(game)
    return Walk(lambda eyes: timeline(game, eyes, played=played), view, views)


def screen(walk: Walk, look_at: Callable[[Pilot], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> None:
    """Show a walk on a screen of that size, and do something with it."""

    async def run() -> None:
        async with StepApp(walk).run_test(size=size) as pilot:
            await pilot.pause()
            await look_at(pilot)

    asyncio.run(run())


def shown(pilot: Pilot, name: str) -> str:
    """What a part of the screen shows, without the styles."""
    part = pilot.app.query_one(name, Static)
    return "\n".join(part.render_line(y).text.rstrip() for y in range(part.size.height)).rstrip()


def drawn(walk: Walk, width: int) -> str:
    """The table that should be on the screen."""
    paper = io.StringIO()
    console = Console(width=width, file=paper, color_system=None, force_terminal=False)
    console.print(steady(look(walk.state, walk.view), width))
    return "\n".join(line.rstrip() for line in paper.getvalue().splitlines())


# ------------------------------------------------------------------------------------------------------- the walk


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("[!b]*/*.tiro")), ids=lambda path: path.parent.name + path.stem)
def test_a_walk_comes_by_every_token_and_back(path: Path):
    walk = walk_of(path)
    told = walk.timeline
    events = [event for entry in told.entries for event in entry.events]
    seen = [walk.state]
    while walk.step(1):
        if walk.stop.kind is Kind.TOKEN:
            assert walk.event is not None
            seen.append(walk.state)
    assert seen == [told.start, *(event.state for event in events)]
    assert walk.stop.kind is Kind.END
    assert walk.state == told.entries[-1].state
    places = len(walk.stops) - 1
    while walk.step(-1):
        places -= 1
    assert (walk.place, places) == (0, 0)


def test_the_ways_end_at_both_ends():
    walk = walk_of(ANNOTATED)
    for way in (walk.step, walk.turn, walk.vote):
        assert not way(-1)
    assert not walk.first()
    assert walk.last()
    for way in (walk.step, walk.turn, walk.vote):
        assert not way(1)
    assert not walk.last()
    assert walk.first()


def test_turn_by_turn_and_vote_by_vote():
    walk = walk_of(ANNOTATED)
    turns = []
    while walk.turn(1):
        turns.append(walk.label)
    assert [label.partition(".")[0] for label in turns[:-1]] == [entry.label for entry in walk.timeline.entries[2:]]
    assert turns[-1] == "the end"
    walk.go("4R.4")
    assert walk.turn(-1)
    assert walk.label == "4E.4"
    walk.first()
    votes = 0
    while walk.vote(1):
        votes += 1
        assert walk.event is not None
        assert walk.event.ballot is not None
        assert walk.tree is not None
        assert (walk.tree.number, walk.tree.token) == (votes, walk.event.token)
    assert votes == sum(event.ballot is not None for entry in walk.timeline.entries for event in entry.events)
    while walk.vote(-1):
        votes -= 1
    assert votes == 1


def test_jumps():
    walk = walk_of(ANNOTATED)
    moments = [("7e", "7E.4"), ("7 E.2", "7E.2"), ("007E.0", "6R.5"), ("0R", "the set-up"), ("15E", "15E.3")]
    for text, label in moments:
        assert walk.go(text) == ""
        assert walk.label == label
    for text, wrong in [
        ("7", "write a turn, 7E, or a token in it, 7E.2"),
        ("", "write a turn"),
        ("99E", "there is no turn 99E"),
        ("7E.9", "7E has only 4 tokens"),
        ("٣E", "write a turn"),
    ]:
        assert walk.go(text).startswith(wrong)
        assert walk.label == "15E.3"


def test_a_turn_that_was_taken_back_is_passed_by():
    walk = walk_of(EXAMPLES / "1997" / "annotated.tiro")
    assert walk.go("14R") == ""
    assert walk.event is not None
    while walk.event is not None:
        walk.step(-1)
        if walk.label == "14R":
            break
    assert walk.stop.kind is Kind.LINE
    assert walk.entry is not None
    assert walk.entry.status == "taken back"
    assert not walk.changed


def test_a_walk_goes_as_far_as_the_cards_can_be_followed():
    walk = walk_of(EXAMPLES / "broken" / "eighth-copy.tiro")
    assert walk.timeline.stopped == "12E"
    walk.go("12E")
    followed = walk.state
    assert walk.go("12R") == ""
    assert walk.entry is not None
    assert walk.entry.status == "not followed"
    assert walk.state is followed, "the table stays as it was when it could be followed last"
    walk.last()
    assert walk.label == "the end"


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
        assert walk.turn_head()
        assert (walk.place, walk.view) == (here, "caesar")
        assert walk.table == look(walk.state, "caesar")
        assert walk.table.sides[0].hand == table.sides[0].hand
        assert set(walk.table.sides[1].hand) <= {"i", "a"}
        walk.view = "arbiter"


# ----------------------------------------------------------------------------------------------------- the screen


@pytest.mark.slow
@pytest.mark.parametrize("path", ["2024/annotated", "1997/resigned", "fr/annotated", "taylor/alone"])
def test_every_step_shows_the_table_as_it_is(path: str):
    walk = walk_of(EXAMPLES / f"{path}.tiro")

    async def step_through(pilot: Pilot) -> None:
        for place, stop in enumerate(walk.stops):
            assert walk.place == place
            assert shown(pilot, "#picture") == drawn(walk, 78)
            assert f"step {place} of {len(walk.stops) - 1}" in shown(pilot, "#status")
            if stop.kind is Kind.TOKEN:
                assert walk.event is not None
                assert walk.event.token in re.sub(r"\s+", " ", shown(pilot, "#told"))
            # As pilot.press, but without its waiting for animations, of which there are none.
            pilot.app.simulate_key("right")
            await pilot.pause()

    screen(walk, step_through)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_key_at_every_size(size: tuple[int, int]):
    walk = walk_of(ANNOTATED)

    async def go_about(pilot: Pilot) -> None:
        app = pilot.app
        for keys, label in [
            ("right space l", "1E.3"),
            ("left h backspace", "the set-up"),
            ("down j", "1R.4"),
            ("up", "1E.3"),
            ("n", "1R.3"),
            ("n p", "1R.3"),
            ("end", "the end"),
            ("home k p left", "the set-up"),
            ("g 7 e full_stop 2 enter", "7E.2"),
            ("g 9 9 E enter escape", "7E.2"),
            ("g enter", "7E.2"),
            ("question_mark down x right", "7E.3"),
            ("f1 escape right", "7E.4"),
            ("pagedown pageup tab right tab", "7R.1"),
        ]:
            await pilot.press(*keys.split())
            assert walk.label == label, keys
            assert label in shown(pilot, "#status")
        for name in ("#title", "#table", "#story", "#status"):
            part = app.query_one(name)
            assert part.region.height >= 1, name
            assert app.screen.region.contains_region(part.region), name
        assert app.query_one("#story").region.height >= 3
        assert app.query_one("#record").display == (size[0] >= 112)

    screen(walk, go_about, size)


def test_the_panels_stand_beside_each_other_where_there_is_room():
    walk = walk_of(ANNOTATED)

    async def compare(pilot: Pilot) -> None:
        for width, height, beside in [(80, 24, False), (120, 40, True), (160, 50, True), (120, 20, False)]:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            table, told = (pilot.app.query_one(name).region for name in ("#table", "#story"))
            assert (told.x >= table.right) == beside

    screen(walk, compare)


def test_the_token_is_to_be_seen_without_colours(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    walk = walk_of(ANNOTATED)
    walk.go("7R.4")

    async def inspect(pilot: Pilot) -> None:
        told = pilot.app.query_one("#told", Static)
        marked = [segment.text for segment in told.render_line(0) if segment.style and segment.style.reverse]
        assert "".join(marked) == "*P43211:332>R"
        assert pilot.app.no_color

    screen(walk, inspect)


def test_a_vote_is_told_with_its_outline():
    walk = walk_of(ANNOTATED)
    walk.go("8E.2")

    async def read(pilot: Pilot) -> None:
        told = shown(pilot, "#told")
        assert "Vote at the Praetors: Rome 3 2 1 1 = 7, Egypt 3 3 = 6" in told
        assert "▸ Rome wins the vote at the Praetors by one point, 7" in told
        assert "what would have turned it" in told
        assert "8E (3)K =P3211:33>R +5" in shown(pilot, "#lines")

    screen(walk, read, (160, 50))


def test_what_was_written_about_a_turn_stands_beside_it():
    walk = walk_of(ANNOTATED)

    async def read(pilot: Pilot) -> None:
        walk.go("5R.5")
        await pilot.press("left", "right")
        told = shown(pilot, "#told")
        assert "; he has seen the philosopher, and plays on as if he had not" in told
        assert "| 5R xpC 5K (3)Q =C43:>R +1v1 !" in told
        walk.go("12R.4")
        await pilot.press("left", "right")
        assert "% R stands R210: both cards were laid face up" in shown(pilot, "#told")
        await pilot.press("home")
        assert "; Both knew that a win would put them into the final." in shown(pilot, "#told")
        assert "Old customs house, upper room" in shown(pilot, "#told")
        await pilot.press("end")
        assert "; The shortest game of the round." in shown(pilot, "#told")

    screen(walk, read, (160, 50))


def test_other_eyes_see_less():
    walk = walk_of(ANNOTATED)
    walk.go("10R.2")

    async def look_around(pilot: Pilot) -> None:
        assert "Caesar places a philosopher face down at the Consuls." in shown(pilot, "#told")
        for view in ("caesar", "cleopatra", "table", "arbiter"):
            await pilot.press("v")
            assert (walk.view, walk.label) == (view, "10R.2")
            assert f"seen by {view}" in shown(pilot, "#status")
            assert shown(pilot, "#picture") == drawn(walk, 80)
            seen = view in ("caesar", "arbiter")
            assert ("philosopher" in shown(pilot, "#told")) == seen
            assert ("(p)" in shown(pilot, "#picture")) == seen
            assert ("(p)K" in shown(pilot, "#lines")) == seen

    screen(walk, look_around, (160, 50))


def test_a_record_that_goes_on_further_says_so():
    walk = walk_of(EXAMPLES / "broken" / "eighth-copy.tiro")

    async def to_the_end(pilot: Pilot) -> None:
        await pilot.press("end")
        assert "can't be followed beyond 12E" in shown(pilot, "#status")

    screen(walk, to_the_end)


HOSTILE = "[red]x[/] [@click=app.quit]y[/] \x1b[31m \u202eabc \x07"


def test_strangers_text_does_nothing():
    text = ANNOTATED.read_text(encoding="utf-8")
    text = text.replace("Alexandria Open", HOSTILE).replace("both cards were laid face up", HOSTILE)
    text = text.replace("The Aedile costs him the 4", HOSTILE).replace("Both knew", HOSTILE)
    text = text.replace("m(each,K)", f'm("{HOSTILE}",K)').replace("The shortest game", HOSTILE)
    walk = walk_of(text)

    async def read(pilot: Pilot) -> None:
        told = []
        for label in ("0R", "2R.4", "10E.4", "12R.4", "15E"):
            assert not walk.go(label)
            await pilot.press("right", "left")
            told += [shown(pilot, name) for name in ("#title", "#picture", "#told", "#lines", "#status")]
        everything = re.sub(r"\s+", "", "".join(told))
        assert everything.count("[red]x[/][@click=app.quit]y[/]") >= 5
        assert "\\x1b[31m\\u202eabc\\x07" in everything
        assert not set("\x1b\u202e\x07") & set(everything)

    screen(walk, read, (160, 50))


# ---------------------------------------------------------------------------------------------------- the command


def step(*args: str, given: bytes = b""):
    return CliRunner().invoke(main, ["step", *args], input=given)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["nowhere.tiro"], "there is no such file"),
        ([str(ANNOTATED), "--game", "2"], "there is no game 2 in it"),
        ([str(ANNOTATED), "--at", "99E"], "there is no turn 99E in this record, which ends with 15E"),
        ([str(ANNOTATED), "--at", "soon"], "is no turn"),
        ([str(EXAMPLES / "broken" / "set-up-two-cards-at-one-group.tiro")], "the set-up can't be followed"),
        ([str(ANNOTATED)], "standard output is no terminal to walk in; tiro show and tiro timeline write text"),
    ],
)
def test_what_can_not_be_walked_through(args: list[str], told: str):
    done = step(*args)
    assert done.exit_code == 2
    assert told in done.stderr
    assert "Traceback" not in done.output


def test_a_rule_set_that_is_not_known():
    text = ANNOTATED.read_bytes().replace(b'[Rules "2024"]\n', b"")
    done = step("-", given=text)
    assert (done.exit_code, "give --rules" in done.stderr) == (2, True)
    assert "no terminal" in step("-", "--rules", "2024", given=text).stderr
