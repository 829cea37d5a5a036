"""The screen of ``tiro step``, and the command."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Awaitable, Callable

import pytest
from click.testing import CliRunner
from rich.console import Console
from scale import FULL, scaled
from textual.pilot import Pilot
from textual.widgets import Static
from tironian.replay.cli.command_line import main
from tironian.replay.screen.board import full_screen_board
from tironian.replay.screen.step_screen import StepApp
from tironian.replay.screen.walk import Walk
from tironian.replay.views.table_view import look
from walks import ANNOTATED, EXAMPLES, walk_of

STEPPED = ("2024/annotated", "1997/resigned", "fr/annotated", "taylor/alone") if FULL else ("2024/annotated",)
"""The screen knows nothing of rule sets."""
BESIDE = [(120, 40), (160, 50)]
"""Sizes with room for the record beside the story."""
SIZES = [(40, 12), (60, 20), (60, 30), (65, 39), (80, 24), (120, 20), *BESIDE]


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


def drawn(walk: Walk, width: int, *, airy: bool = False) -> str:
    """The table that should be on the screen."""
    paper = io.StringIO()
    console = Console(width=width, file=paper, color_system=None, force_terminal=False)
    console.print(full_screen_board(look(walk.stop.state, walk.view), width, airy=airy))
    return "\n".join(line.rstrip() for line in paper.getvalue().splitlines())


# ----------------------------------------------------------------------------------------------------- the screen


@pytest.mark.slow
@pytest.mark.parametrize("path", STEPPED)
def test_every_step_shows_the_table_as_it_is(path: str):
    walk = walk_of(EXAMPLES / f"{path}.tiro")

    async def step_through(pilot: Pilot) -> None:
        for place, stop in enumerate(walk.stops[: scaled(60, 9999)]):
            assert walk.place == place
            assert shown(pilot, "#picture") == drawn(walk, 78)
            assert f"step {place} of {len(walk.stops) - 1}" in shown(pilot, "#title")
            if stop.event >= 0:
                assert walk.event is not None
                assert walk.event.token in re.sub(r"\s+", " ", shown(pilot, "#story_text"))
            # As pilot.press, but without its waiting for animations, of which there are none.
            pilot.app.simulate_key("right")
            await pilot.pause()

    screen(walk, step_through)


@pytest.mark.parametrize("size", [(40, 12), (120, 40)], ids=str)
def test_every_key_on_a_small_and_a_large_screen(size: tuple[int, int]):
    walk = walk_of(ANNOTATED)

    async def go_about(pilot: Pilot) -> None:
        for keys, label in [
            ("right space l", "1E.3"),
            ("left h backspace", "the set-up"),
            ("down j", "1R.4"),
            ("up", "1E.3"),
            ("n", "1R.3v"),
            ("n p", "1R.3v"),
            ("right", "1R.3"),
            ("p", "1R.3v"),
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
            assert walk.stop.label == label, keys
            assert label in shown(pilot, "#title")

    screen(walk, go_about, size)


def test_every_panel_has_its_place_at_every_size():
    walk = walk_of(ANNOTATED)
    walk.go("7R.1")

    async def resize(pilot: Pilot) -> None:
        app = pilot.app
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            for name in ("#title", "#table", "#story", "#keys"):
                part = app.query_one(name)
                assert part.region.height >= 1, name
                assert app.screen.region.contains_region(part.region), name
            table, story = app.query_one("#table").region, app.query_one("#story").region
            assert story.height >= 3
            assert story.y > table.bottom
            assert app.query_one("#record").display == ((width, height) in BESIDE)

    screen(walk, resize)


def test_the_token_is_to_be_seen_without_colours(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    walk = walk_of(ANNOTATED)
    walk.go("7R.4")

    async def inspect(pilot: Pilot) -> None:
        told = pilot.app.query_one("#story_text", Static)
        marked = [segment.text for segment in told.render_line(0) if segment.style and segment.style.reverse]
        assert "".join(marked) == "*P43211:332>R"
        assert pilot.app.no_color

    screen(walk, inspect)


@pytest.mark.parametrize(("width", "cards"), [(160, "│(4)│        │(4)│"), (24, "│(4)│\n")])
def test_the_cards_of_a_vote_are_turned_up_before_it_is_decided(width: int, cards: str):
    walk = walk_of(EXAMPLES / "1997" / "annotated.tiro")
    walk.to(next(place for place, stop in enumerate(walk.stops) if stop.turned_up))

    async def read(pilot: Pilot) -> None:
        told = shown(pilot, "#story_text")
        assert "the cards are turned up" in re.sub(r"\s+", " ", told)
        assert cards in told
        assert "( ) lay face down" in told
        assert "Equal sums: nobody wins." in " ".join(told.split())
        assert "▸" not in told, "what comes of it is told a step later"
        await pilot.press("right")
        told = shown(pilot, "#story_text")
        assert "a tie: nobody wins; the cards stay" in re.sub(r"\s+", " ", told)

    screen(walk, read, (width, 50))


def test_a_vote_is_told_with_its_outline():
    walk = walk_of(ANNOTATED)
    walk.go("8E.2")

    async def read(pilot: Pilot) -> None:
        told = shown(pilot, "#story_text")
        assert "Vote at the Praetors: Rome wins a patrician. Rome discards a 3, Egypt a 3." in told
        assert "▸ Rome wins the vote at the Praetors by one point, 7" in told
        assert "→ ▲ Rome wins a patrician; Rome discards a 3, Egypt a 3" in told
        assert "8E (3)K =P3211:33>R +5" in shown(pilot, "#lines")

    screen(walk, read, (160, 50))


def test_what_was_written_about_a_turn_stands_beside_it():
    walk = walk_of(ANNOTATED)

    async def read(pilot: Pilot) -> None:
        walk.go("5R.5")
        await pilot.press("left", "right")
        told = shown(pilot, "#story_text")
        assert "; he has seen the philosopher, and plays on as if he had not" in told
        assert "| 5R xpC 5K (3)Q =C43:>R +1v1 !" in told
        walk.go("12R.4")
        await pilot.press("left", "right")
        assert "% R stands R210: both cards were laid face up" in shown(pilot, "#story_text")
        await pilot.press("home")
        assert "; Both knew that a win would put them into the final." in shown(pilot, "#story_text")
        assert "Old customs house, upper room" in shown(pilot, "#story_text")
        await pilot.press("end")
        assert "; The shortest game of the round." in shown(pilot, "#story_text")

    screen(walk, read, (160, 50))


def test_other_eyes_see_less():
    walk = walk_of(ANNOTATED)
    walk.go("10R.2")

    async def look_around(pilot: Pilot) -> None:
        assert "Caesar places a philosopher face down at the Consuls." in shown(pilot, "#story_text")
        for view in ("caesar", "cleopatra", "table", "arbiter"):
            await pilot.press("v")
            assert (walk.view, walk.stop.label) == (view, "10R.2")
            assert f"seen by {view}" in shown(pilot, "#title")
            assert shown(pilot, "#picture") == drawn(walk, 158, airy=True)
            seen = view in ("caesar", "arbiter")
            assert ("philosopher" in shown(pilot, "#story_text")) == seen
            assert ("(p)" in shown(pilot, "#picture")) == seen
            assert ("(p)K" in shown(pilot, "#lines")) == seen

    screen(walk, look_around, (160, 50))


def test_a_record_that_goes_on_further_says_so():
    walk = walk_of(EXAMPLES / "broken" / "eighth-copy.tiro")

    async def to_the_end(pilot: Pilot) -> None:
        await pilot.press("end")
        assert "can't be followed beyond 12E" in shown(pilot, "#title")

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
            told += [shown(pilot, name) for name in ("#title", "#picture", "#story_text", "#lines")]
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
        ([str(ANNOTATED), "--game", "2"], "it has no game 2"),
        ([str(ANNOTATED), "--at", "99E"], "there is no turn 99E in this record, which ends with 15E"),
        ([str(ANNOTATED), "--at", "soon"], "is not a turn"),
        (
            [str(EXAMPLES / "broken" / "set-up-two-cards-at-one-group.tiro")],
            "the set-up is incomplete or can't be followed",
        ),
        ([str(ANNOTATED)], "standard output is not a terminal; tiro show and tiro timeline write text"),
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
    assert "not a terminal" in step("-", "--rules", "2024", given=text).stderr
