"""A game is looked at on the desk, in a browser: its page works in a frame, and no text becomes a program there."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urljoin

import pytest
from browser import Running, visits
from pages import HOSTILE
from playwright.async_api import Frame, Page
from test_desk_browser import INJECTED, OPENING, RECORDED, TURN, window
from test_desk_check_browser import KEPT, LEGAL
from tironian import page as page_of
from tironian import parse

pytestmark = [pytest.mark.slow, pytest.mark.process]


def listening(page: Page) -> list[str]:
    """All that the page and its frames complain of from now on, while it makes no request that is refused."""
    told: list[str] = []
    page.on("console", lambda message: told.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("dialog", lambda dialog: told.append(dialog.message))
    return told


async def shown(page: Page, viewpoint: str = "all") -> Frame:
    """The frame of the game, once its page is there."""
    await page.wait_for_selector(f"html[data-shown='{viewpoint}']")
    (frame,) = [frame for frame in page.frames if frame.parent_frame]
    await frame.wait_for_selector("html.js")
    return frame


async def saved(page: Page, button: str) -> tuple[str, str]:
    """The name and the text of a file that is saved."""
    async with page.expect_download() as found:
        await page.tap(button)
    name = (await found.value).suggested_filename
    return name, Path(await (await found.value).path()).read_bytes().decode("utf-8", "surrogateescape")


async def handed(page: Page, look: str, text: str) -> None:
    """Look at a text, as if another page had handed it over; ``look`` is the address of the page."""
    await page.goto(urljoin(look, "icon.svg"))
    await page.evaluate("(text) => sessionStorage.setItem('tironian-desk shown', text)", text)
    await page.goto(f"{look}?given")


@visits
async def test_a_recorded_game_is_looked_at_without_a_network(running: Running, offline: str):
    context, visit = await window(running, offline)
    page = visit.page
    await visit.begin(offline)
    await visit.tap(*OPENING, *TURN)
    assert await visit.read() == RECORDED
    await page.evaluate(KEPT)
    await context.set_offline(True)
    told = listening(page)
    await page.tap("#more")
    await page.tap("#to-look")
    frame = await shown(page)
    await page.tap("#more")
    name, text = await saved(page, "#save")
    assert name.startswith("livia-marcus-")
    name, made = await saved(page, "#save-page")
    assert name.endswith(".html")
    assert made == page_of(parse(text)[0])
    await page.keyboard.press("Escape")
    await frame.tap("[data-go=turn-on]")
    assert await frame.inner_text("#place") == "1E.3"
    await page.keyboard.press("End")
    assert await frame.inner_text("#place") == "1R.3"
    await page.keyboard.press("ArrowLeft")
    assert await frame.inner_text("#place") == "1R.2"
    await page.keyboard.press("s")
    assert await frame.is_visible("#share [data-save=svg]")
    assert not await frame.is_visible("#link")
    await page.keyboard.press("Escape")
    await frame.evaluate("location.hash = '#1R?embed'")
    await frame.wait_for_selector("html.embed")
    await page.tap("#back")
    assert await visit.read() == RECORDED
    assert not told
    assert not visit.complaints
    await context.close()


@visits
async def test_of_a_record_that_names_no_rules_they_are_asked_for_once(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await page.goto(f"{served}library.html")
    await page.wait_for_selector("html[data-told]")
    bare = LEGAL.replace('[Rules "2024"]', "").encode()
    await page.set_input_files("#files", files=[{"name": "a.tiro", "mimeType": "", "buffer": bare}])
    await page.wait_for_selector("html[data-games='1']")
    await page.tap("#games a")
    await page.wait_for_selector("#unruled", state="visible")
    assert await page.is_hidden(".trouble")
    assert "--rules" not in await page.inner_text("#look")
    await page.select_option("#rules", "2024")
    await shown(page)
    assert await page.is_hidden("#unruled")
    await page.reload()
    await shown(page)
    assert await page.is_hidden("#unruled")
    assert not visit.complaints
    await context.close()


@visits
async def test_no_record_that_is_looked_at_becomes_a_program(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await handed(page, f"{served}look.html", HOSTILE)
    told = listening(page)
    frame = await shown(page)
    for way in ("last", "share"):
        await frame.evaluate("(way) => document.querySelector(`[data-go=${way}]`).click()", way)
    assert await frame.evaluate("window.harmed ?? null") is None
    assert await page.evaluate("window.harmed ?? null") is None
    assert await frame.locator("img, iframe, object, embed, [onload], [onerror]").count() == 0
    assert not told
    assert await frame.evaluate(INJECTED) is None
    assert await page.evaluate(INJECTED) is None
    assert all(url.startswith((served, "blob:", "data:")) for url in visit.requests)
    await context.close()
