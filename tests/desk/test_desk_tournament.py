"""The desk in a browser beside a spectator's taps: tournament mode, clocks, a screen that stays awake, plain text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import Running, visits
from playwright.async_api import Route
from test_desk_browser import OPENING, SIZES, bust, card, faults, group, window

pytestmark = [pytest.mark.slow, pytest.mark.process]

SET_UP = [card("R", letter, "down") for letter in "54321"]
HIDDEN = """
(state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}
"""


@visits
async def test_a_player_records_their_own_game_in_tournament_mode(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await page.goto(served)
    await page.tap("#start summary")
    await page.check("input[value=caesar]")
    await page.check("input[name=tournament]")
    await page.tap("#start .main:visible")
    await page.wait_for_selector("#desk", state="visible")
    for each, letter in zip(SET_UP, "PQAKC", strict=True):
        await visit.tap(each, group(letter))
    end = {"tap": "choice", "choice": "end"}
    await visit.tap(end, card("E", "1"), group("C"), card("E", "1"), group("C"), bust("A"), end)
    await page.wait_for_selector("#heading:has-text('1R')")
    assert await page.text_content("#turn") == "1E 1C 1C =A"
    assert await page.locator(".board.unknown").count() == 1
    assert await page.locator("#refusal").is_hidden()
    assert await faults(page) == []
    taken = int(await page.get_attribute("#desk", "data-taken") or 0)
    await page.evaluate(HIDDEN, "hidden")
    await page.evaluate(HIDDEN, "visible")
    await page.wait_for_selector(f"#desk[data-taken='{taken + 2}']")
    await page.reload()
    await page.wait_for_selector("#heading:has-text('1R')")
    await page.tap("#more")
    assert await page.locator("#away li").count() == 2
    assert "1R" in (await page.text_content("#away li:first-child") or "")
    assert await faults(page) == []
    await page.tap("#other")
    await page.tap("#kept li a")
    await page.wait_for_selector("#heading:has-text('1R')")
    await page.tap("#more")
    assert "?" not in (await page.text_content("#away li:last-child") or "?"), "its own link says when it was left"
    await page.tap("#deeds button:has-text('The game is over')")
    await page.wait_for_selector("#said:has-text('the game has ended')")
    said = await page.text_content("#said") or ""
    assert "1E" in said
    assert "[R" in said
    text = await page.text_content("#record pre") or ""
    assert "1E 1C 1C =A" in text
    assert '[Mode "tournament"]' in text
    async with page.expect_download() as saved:
        await page.evaluate("byId('save-journal').click()")
    journal = json.loads(Path(await (await saved.value).path()).read_text(encoding="utf-8"))
    assert journal["start"]["tournament"] is True
    assert all(type(tap["at"]) is int for tap in journal["taps"])
    assert [tap["tap"] for tap in journal["taps"]].count("left") == 2
    assert not visit.complaints
    await context.close()


@visits
async def test_clocks_run_and_leave_their_marks(running: Running, served: str):
    width, height = SIZES["phone"]
    context, visit = await window(running, served, viewport={"width": width, "height": height})
    page = visit.page
    await page.clock.install()
    await page.goto(served)
    await page.tap("#start summary")
    await page.fill("input[name=TimeControl]", "600+5")
    await page.tap("#start .main:visible")
    await visit.read()
    assert await page.text_content("#clocks") == "▲ 0:10:00  ▼ 0:10:00"
    assert await page.locator("#heading").is_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    await page.tap("#more")
    await visit.tap({"tap": "choice", "choice": "/clock start"})
    await visit.read()
    await page.clock.run_for(61_000)
    assert "▼ 0:08:5" in (await page.text_content("#clocks") or "")
    await visit.tap(*OPENING)
    (turn,) = await visit.read()
    assert " @0:09:0" in turn
    assert not visit.complaints
    await context.close()


AWAKE = """
window.asked = 0;
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => { window.asked += 1; } } });
"""
ASLEEP = 'Object.defineProperty(navigator, "wakeLock", { value: undefined });'


@visits
async def test_the_screen_is_kept_awake_while_a_game_is_open(running: Running, served: str):
    for script, asked in ((AWAKE, 2), (ASLEEP, None)):
        context, visit = await window(running, served)
        await context.add_init_script(script)
        await visit.page.goto(served)
        assert await visit.page.evaluate("window.asked || null") is None
        await visit.begin(served)
        for state in ("hidden", "visible"):
            await visit.page.evaluate(HIDDEN, state)
        await visit.tap(*OPENING)
        assert len(await visit.read()) == 1
        assert await visit.page.evaluate("window.asked ?? null") == asked
        assert not visit.complaints
        await context.close()


@visits
async def test_at_an_address_that_is_not_secure_a_record_is_typed_and_saved(running: Running, site: Path):
    context, visit = await window(running)
    page = visit.page

    async def hold(route: Route) -> None:
        await route.fulfill(path=site / (route.request.url.removeprefix("http://desk.example/") or "index.html"))

    await context.route("http://desk.example/**", hold)
    await page.goto("http://desk.example/")
    await page.wait_for_selector("#begin .trouble:has-text('https')")
    assert await page.locator("#start, label.button").locator("visible=true").count() == 0
    assert await faults(page) == []
    text = await page.input_value("#sheet")
    assert '[Rules "2024"]' in text
    await page.fill("#sheet", f"{text}1E 5P\n")
    async with page.expect_download() as saved:
        await page.tap("#save-sheet")
    assert Path(await (await saved.value).path()).read_text(encoding="utf-8") == f"{text}1E 5P\n"
    assert not visit.complaints
    await context.close()


@visits
async def test_where_the_browser_keeps_nothing_a_record_is_typed_and_saved(running: Running, served: str):
    context, visit = await window(running, served)
    await context.add_init_script('indexedDB.open = () => { throw new DOMException("no", "SecurityError"); };')
    await visit.page.goto(served)
    await visit.page.wait_for_selector("#begin .trouble:has-text('could not read')")
    await visit.page.wait_for_selector("#plain", state="visible")
    await visit.page.tap("#start .main:visible")
    await visit.page.wait_for_selector("#begin .trouble:has-text('store anything')")
    assert await faults(visit.page) == []
    await context.close()
