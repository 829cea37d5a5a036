"""The full screen of ``tiro drill``: the position stays in sight while it is asked and answered."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from drills import TODAY, state, tasks
from recorder_screens import press, screen_text, shown
from textual.pilot import Pilot
from tironian.replay.insight.drill_lines import MEANING, Asking
from tironian.replay.screen.drill_screen import LAST, NEXT, DrillApp
from tironian.replay.screen.widgets import INTERRUPTED

TIRO = [sys.executable, "-m", "tironian.replay.cli", "drill"]


def on_screen(
    do: Callable[[Pilot, DrillApp], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
    keep: Callable[[], str] = str,
) -> DrillApp:
    """Ask three positions on a screen of that size, and do something with it."""
    app = DrillApp(Asking(TODAY), tasks(), keep)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(pilot, app)
            await do(pilot, app)

    asyncio.run(run())
    return app


async def settled(pilot: Pilot, app: DrillApp, *keys: str) -> None:
    """Press keys one after the other, and wait for what each of them does."""
    for key in keys or ("",):
        await press(pilot, *[key] * bool(key))
        await app.workers.wait_for_complete()
        await pilot.pause()


def test_the_position_stays_in_sight_at_80x24():
    async def do(pilot: Pilot, app: DrillApp) -> None:
        table = shown(app, "#picture")
        assert not app.query_one("#table").max_scroll_y
        assert MEANING in screen_text(app)
        for keys, told in ((("h",), "One of these is best:"), (("5", "enter", "A", "enter"), "Right: 5A places a 5")):
            await settled(pilot, app, *keys)
            assert told in screen_text(app)
            assert shown(app, "#picture") == table
        assert NEXT in screen_text(app)
        assert app.session.ratings == ["hard"], "there was a hint"
        await settled(pilot, app, "enter")
        assert shown(app, "#picture") != table

    on_screen(do)


def test_the_solution_and_the_end():
    kept: list[str] = []

    async def do(pilot: Pilot, app: DrillApp) -> None:
        await settled(pilot, app, "g", "enter", "g", "h", "g", "enter", "g")
        assert LAST in screen_text(app)
        assert "the disk is full" in screen_text(app)
        assert app.return_value is None
        await settled(pilot, app, "enter")

    app = on_screen(do, keep=lambda: kept.append("") or "the disk is full")
    assert (app.session.ratings, len(kept), app.return_value) == (["again"] * 3, 3, "")


@pytest.mark.parametrize(("key", "result"), [("q", ""), ("ctrl+q", ""), ("ctrl+c", INTERRUPTED)])
def test_leaving(key: str, result: str):
    async def do(pilot: Pilot, _app: DrillApp) -> None:
        await press(pilot, key)

    assert on_screen(do).return_value == result


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (120, 40)], ids=str)
def test_every_part_has_its_place(size: tuple[int, int]):
    async def do(pilot: Pilot, app: DrillApp) -> None:
        for keys in ((), ("h",), ("g",)):
            await settled(pilot, app, *keys)
            for name in ("#title", "#table", "#asked", "#below", "#keys"):
                part = app.query_one(name)
                assert part.region.height >= 1, name
                assert app.screen.region.contains_region(part.region), name

    on_screen(do, size)


def test_a_position_that_can_not_be_set_up_is_said_and_passed_over():
    app = DrillApp(Asking(TODAY), tasks(), str)
    app.tasks[0][1].number = 99

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot, app)
            assert "The position can't be set up again." in screen_text(app)
            await settled(pilot, app, "enter")
            assert "your turn: what do you place or play?" in screen_text(app)

    asyncio.run(run())


@pytest.mark.process
def test_in_a_terminal(tmp_path: Path):
    from terminals import terminal, termios

    file = tmp_path / "state.json"
    file.write_text(state(), encoding="utf-8")
    with terminal(*TIRO, "--state", str(file), "--new", "1") as there:
        there.wait_for("your turn: what do you place or play?")
        there.press("g")
        there.wait_for("Asked again")
        there.press("q")
        assert there.end() == 0
        assert termios.tcgetattr(there.theirs) == there.before
    assert "1 asked: 0 right, 0 nearly or with a hint, 1 wrong." in there.text
    assert '"again"' in file.read_text(encoding="utf-8")
