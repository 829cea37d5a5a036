"""Records checked and mended on the desk, in a browser."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from browser import Running, visits
from pages import BROKEN, HOSTILE
from playwright.async_api import Page
from scale import crossed
from test_desk_browser import INJECTED, SIZES, SMALL, Visit, faults, window
from tironian import load_edition, simulate, write
from tironian.replay.recording.desk.check import mended

pytestmark = [pytest.mark.slow, pytest.mark.process]

SIXTH = next(path for path in BROKEN if path.stem == "sixth-card")
LEGAL = write(simulate(load_edition("2024"), 1))
ALL = "window.all = (selector) => [...document.querySelectorAll(selector)]"
KEPT = """
new Promise((done) => {
  if (navigator.serviceWorker.controller) done();
  navigator.serviceWorker.addEventListener("controllerchange", () => done());
})
"""
"""Waits until the site is kept. The policy of the page allows no function that Playwright would ask again and again."""
DROP = """
(files) => {
  const given = new DataTransfer();
  for (const [name, text] of Object.entries(files)) given.items.add(new File([text], name));
  dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
}
"""


async def drop(page: Page, files: dict[str, str]) -> None:
    """Drop files, and wait until they are checked."""
    await page.evaluate("delete document.documentElement.dataset.checked")
    await page.evaluate(DROP, files)
    await page.wait_for_selector("html[data-checked]")


async def choose(page: Page, name: str, data: bytes) -> None:
    """Choose a file, and wait until it is checked."""
    await page.evaluate("delete document.documentElement.dataset.checked")
    await page.set_input_files("#files", files=[{"name": name, "mimeType": "", "buffer": data}])
    await page.wait_for_selector("html[data-checked]")


async def opened(visit: Visit, served: str) -> Page:
    """The page of checking, reached from the first page."""
    await visit.page.goto(served)
    await visit.page.tap("a[href='check.html']")
    await visit.page.wait_for_selector("#check")
    return visit.page


@visits
async def test_a_broken_log_is_dropped_mended_by_a_tap_and_saved(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    text = SIXTH.read_text(encoding="utf-8")
    await drop(page, {SIXTH.name: text, "legal.tiro": LEGAL})
    assert await page.inner_text("#totals") == "1 illegal, 1 legal"
    assert await page.inner_text("#broken mark:not(.other)") == "3C"
    assert "a sixth card" in await page.inner_text("#broken")
    known = mended(text, SIXTH.name)["repairs"]
    await page.wait_for_selector(".meant li")
    assert [await each.inner_text() for each in await page.locator(".meant li b").all()] == [
        "; ".join(repair["words"]) for repair in known
    ]
    await page.tap(".meant li:nth-child(2) button")
    await page.wait_for_selector("#broken .verdict.legal")
    assert await page.inner_text("#totals") == "2 legal"
    async with page.expect_download() as saved:
        await page.tap("#broken .edit button:nth-child(2)")
    assert (await saved.value).suggested_filename == SIXTH.name
    assert Path(await (await saved.value).path()).read_text(encoding="utf-8") == known[1]["text"]
    await page.tap("#broken .edit button:nth-child(1)")
    await page.wait_for_selector("#broken .verdict.illegal")
    await page.tap("#broken .edit summary")
    assert await page.input_value("#broken textarea") == text
    assert not visit.complaints
    assert all(url.startswith((served, "blob:")) for url in visit.requests)
    await context.close()


@visits
async def test_what_is_typed_is_checked_again_with_every_key(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    head, last = LEGAL.rstrip().rsplit("\n", 1)
    await page.fill("#typed", f"{head}\n")
    await page.wait_for_selector("#broken .verdict.legal")
    await page.focus("#typed")
    await page.keyboard.press("Control+End")
    await page.keyboard.type("1X")
    await page.wait_for_selector("#broken .verdict:not(.legal)")
    for _ in "1X":
        await page.keyboard.press("Backspace")
    await page.keyboard.type(last)
    await page.wait_for_selector("#broken .verdict.legal")
    assert await page.input_value("#typed") == f"{head}\n{last}"
    await page.fill("#typed", SIXTH.read_text(encoding="utf-8"))
    await page.wait_for_selector("#broken .verdict.illegal")
    await page.tap(".meant button")
    await page.tap(".meant li:first-child button")
    await page.wait_for_selector("#broken .verdict.legal")
    assert "repaired, a wrong group" in await page.input_value("#typed")
    assert not visit.complaints
    await context.close()


@visits
async def test_a_packed_file_is_checked_without_a_network(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    await page.evaluate(KEPT)
    await context.set_offline(True)
    await page.reload()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(12):
            archive.writestr(f"{number}.tiro", LEGAL)
        archive.writestr("broken.tiro", SIXTH.read_text(encoding="utf-8"))
    await choose(page, "games.zip", out.getvalue())
    assert await page.inner_text("#totals") == "12 legal, 1 illegal"
    assert await page.inner_text("#fine summary b") == "12"
    assert await page.inner_text("#broken .log:not([hidden]) summary bdi") == "games.zip/broken.tiro"
    await choose(page, "bytes.tiro", b"\x89PNG\r\n")
    assert "1 unchecked" in await page.inner_text("#totals")
    await context.close()


OPEN = "for (const each of document.querySelectorAll('#check details')) each.open = true"
HOSTILE_NAME = "<img src=x onerror=harmed=1>.tiro"


@visits
async def test_no_record_becomes_a_program(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    script = SIXTH.read_text(encoding="utf-8").replace("13R x4A 3C", "13R x4A 3C {<script>harmed=1</script>}")
    words = "<img src=x onerror=window.harmed=1> javascript:harmed=1 \u202e\u200b"
    await drop(
        page, {HOSTILE_NAME: HOSTILE, "<svg onload=harmed=1>.tiro": script, "words.tiro": f"1E {words}\n{words}"}
    )
    await page.wait_for_selector(".meant li")
    await page.evaluate(OPEN)
    await page.tap(".meant li button")
    assert HOSTILE_NAME in (await page.text_content("#check") or "")
    assert await page.locator("#check img, #check script, #check svg").count() == 0
    assert await page.evaluate("window.harmed ?? null") is None
    assert await page.evaluate(INJECTED) is None
    assert not asked
    assert not visit.complaints
    await context.close()


@pytest.mark.parametrize(("size", "scheme"), crossed(SIZES, ["light", "dark"]))
@visits
async def test_nothing_keeps_anybody_from_checking(running: Running, served: str, size: str, scheme: Any):
    width, height = SIZES[size]
    context, visit = await window(running, served, viewport={"width": width, "height": height}, color_scheme=scheme)
    page = await opened(visit, served)
    assert await faults(page) == []
    long = f"{SIXTH.read_text(encoding='utf-8')}\n1R {'x' * 300}\n"
    await drop(page, {SIXTH.name: SIXTH.read_text(encoding="utf-8"), f"{'long' * 40}.tiro": long, "legal.tiro": LEGAL})
    await page.wait_for_selector(".meant li")
    await page.evaluate(OPEN)
    await page.locator(".edit:not([hidden]) textarea").nth(2).wait_for(state="attached")
    await page.evaluate(OPEN)
    assert await faults(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert await page.evaluate(f"{ALL};{SMALL}") == []
    await context.close()
