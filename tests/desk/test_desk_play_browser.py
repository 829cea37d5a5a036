"""A game against the program, tapped to its end in a browser, left and gone on with, and played on from a turn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from desk_server import WITH_KEY, local_desk
from scale import scaled
from test_desk_browser import faults, visits
from tironian import check, load_edition, parse, simulate, view, write

if TYPE_CHECKING:
    from browser import Browser as Running

OFFERED = """
() => all("#offers [data-tap]:enabled, .groups [data-tap]:enabled")
  .filter((each) => each.checkVisibility({ visibilityProperty: true })).map((each) => each.dataset.tap)
  .filter((each) => !each.includes("/hint"))
"""
TAP = "(tap) => all('[data-tap]:enabled').find((each) => each.dataset.tap === tap).click()"
IDLE = "html[data-busy='']"


@pytest.mark.parametrize(
    ("level", "width", "height"), [(1, 360, 740), (3, 1280, 800), (5, 360, 740), (1, 1280, 800)][: scaled(2, 4)]
)
@visits
async def test_a_game_is_played_to_its_end(running: Running, tmp_path: Path, level: int, width: int, height: int):
    folder, own, dice, complaints = tmp_path / "games", tmp_path / "own", Random(level), list[str]()
    with local_desk(folder=folder, own=own) as address:
        context = await running.browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
        await context.add_init_script(WITH_KEY)
        page = await context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        await page.goto(f"{address}play.html?seed={7 + level}")
        await page.wait_for_selector("html[data-games='0']")
        assert await faults(page) == []
        await page.check(f"input[name=level][value='{level}']")
        await page.fill("input[name=name]", "Livia")
        await page.tap("#start .main")
        await page.wait_for_selector("html[data-made]", state="attached")
        assert await faults(page) == []
        for number in range(scaled(35, 3000)):
            taps = await page.evaluate(OFFERED)
            if not taps:
                break
            await page.evaluate(TAP, dice.choice(taps))
            await page.wait_for_selector(IDLE, state="attached")
            if number % 25 == 24:
                table = await page.inner_text(".board")
                await page.reload()
                await page.wait_for_selector("html[data-made]", state="attached")
                assert await page.inner_text(".board") == table
            if number == 30:
                await page.tap("#choices [data-tap*='/hint']")
                await page.wait_for_selector("#answer:not([hidden])")
                assert await faults(page) == []
        if scaled(0, 1):
            assert await page.is_visible("#save")
            (record,) = folder.iterdir()
            assert check(parse(record.read_text())[0].record).verdict == "legal"
            await page.tap("#to-look")
            await page.wait_for_selector("#game iframe")
        else:
            await page.goto(f"{address}play.html")
            await page.wait_for_selector("html[data-games='1']")
            await page.wait_for_selector("#running a", state="visible")
            await page.goto(address)
            await page.tap("#playing")
            await page.wait_for_selector("html[data-made]", state="attached")
            assert "Livia" in await page.inner_text(".board")
        assert not complaints
        await context.close()


@visits
async def test_a_game_is_played_on_from_where_its_page_stands(running: Running, tmp_path: Path):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.tiro").write_text(Path("examples/2024/annotated.tiro").read_text())
    with local_desk(folder=folder, own=tmp_path / "own") as address:
        context = await running.browser.new_context(viewport={"width": 820, "height": 1180}, has_touch=True)
        await context.add_init_script(WITH_KEY)
        page = await context.new_page()
        await page.goto(f"{address}library.html")
        await page.tap("#games a")
        await page.wait_for_selector("html[data-shown]", state="attached")
        (frame,) = [each for each in page.frames if each.parent_frame]
        await frame.wait_for_selector("html.js")
        await frame.tap("[data-go=turn-on]")
        await page.tap("#more")
        await page.tap("#play-on")
        await page.wait_for_selector("html[data-games]")
        assert "1E" in await page.inner_text("#from")
        await page.tap("#start .main")
        await page.wait_for_selector("html[data-made]", state="attached")
        assert await page.inner_text("#heading") == "Turn 1 · Cleopatra"
        await context.close()


@visits
async def test_mistakes_are_asked_and_answered(running: Running, tmp_path: Path):
    folder = tmp_path / "games"
    folder.mkdir()
    record = view(simulate(load_edition("2024"), seed=0), "caesar").record
    headers = {**dict(record.headers), "Caesar": "Livia"}
    (folder / "a.tiro").write_text(write(replace(record, headers=tuple(headers.items()))))
    with local_desk(folder=folder, own=tmp_path / "own") as address:
        context = await running.browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        await context.add_init_script(WITH_KEY)
        page = await context.new_page()
        await page.goto(f"{address}train.html")
        await page.wait_for_selector("html[data-players='1']")
        assert await faults(page) == []
        await page.tap("#start .main")
        await page.wait_for_selector("html[data-number='1']", state="attached")
        assert await faults(page) == []
        assert "Livia" in await page.inner_text("#record")
        await page.tap("[data-tap*='/show']")
        await page.wait_for_selector("#prompt:has-text('solution')")
        assert "asked this position again" in await page.inner_text("#turn")
        await page.tap("[data-tap*='/next']")
        await page.wait_for_selector(
            "html[data-number='2'], html[data-number='1'] #begin:not([hidden])", state="attached"
        )
        assert (tmp_path / "own" / "drill.json").exists()
        await context.close()
