"""What the desk keeps on a device, in a browser: found, saved, deleted, put back and brought to another device."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Running, visits
from pages import EXAMPLES, HOSTILE
from test_desk_browser import INJECTED, OPENING, SMALL, faults, window
from test_desk_check_browser import ALL, HELD, HOSTILE_NAME, KEPT, LEGAL
from test_desk_kept import KEPT as TAPS
from test_desk_look_browser import shown

pytestmark = [pytest.mark.slow, pytest.mark.process]

FIRST_VERSION = """
(taps) => new Promise((resolve) => {
  indexedDB.deleteDatabase("tironian-desk");
  const opening = indexedDB.open("tironian-desk", 1);
  opening.onupgradeneeded = () => {
    const games = opening.result.createObjectStore("games", { keyPath: "id" });
    const kept = opening.result.createObjectStore("taps", { keyPath: ["game", "at"] });
    games.add({ id: "a", desk: 1, begun: 1, more: {},
                start: { rules: "2024", view: "table", headers: { Caesar: "Octavia", Date: "2026.03.12" } } });
    for (const [at, tap] of taps.entries()) kept.add({ game: "a", at, tap, when: 1 });
  };
  opening.onsuccess = () => { opening.result.close(); resolve(1); };
})
"""
"""Makes the store as the first version of the desk did, with a game."""


@visits
async def test_a_library_is_kept_and_goes_to_another_device(running: Running, served: str, tmp_path: Path):
    context, visit = await window(running, served)
    page = visit.page
    await page.goto(f"{served}icon.svg")
    await page.evaluate(FIRST_VERSION, OPENING)
    await page.goto(served)
    await page.wait_for_selector("#begin[data-games='1']")
    await page.tap("a[href='library.html']")
    await page.wait_for_selector("html[data-games='1'][data-told]")
    assert "Octavia" in await page.inner_text("#games")
    names = {"name": "sent.tiro", "mimeType": "", "buffer": f"{LEGAL}\n{HOSTILE}".encode()}
    empty = {"name": "<b>.json", "mimeType": "", "buffer": b"{}"}
    await page.set_input_files("#files", files=[names, empty, names])
    await page.wait_for_selector("html[data-games='3']")
    assert await page.inner_text("#said") == "Added: 2. Here already: 2."
    assert await page.inner_text(".trouble") == "<b>.json: this can’t be read"
    assert await page.locator("#library :is(img, script, b b)").count() == 0
    await page.fill("#search", "OCTAVIA 2026.03")
    await page.wait_for_selector("html[data-games='1']")
    await page.tap("#games button")
    await page.wait_for_selector("html[data-games='0']")
    assert await page.evaluate(TAPS) == []
    await page.fill("#search", "")
    await page.wait_for_selector("html[data-games='2']")
    await page.tap("#said button")
    await page.wait_for_selector("html[data-games='3']")
    assert await page.evaluate(TAPS) == OPENING
    async with page.expect_download() as download:
        await page.tap("#save-all")
    file = tmp_path / (await download.value).suggested_filename
    await (await download.value).save_as(file)
    assert file.suffix == ".zip"
    await context.close()

    context, visit = await window(running, served)
    page = visit.page
    for added in ("Added: 3. Here already: 0.", "Added: 0. Here already: 3."):
        await page.goto(f"{served}library.html")
        await page.set_input_files("#files", file)
        await page.wait_for_selector(f"#said:has-text('{added}')")
    assert await page.get_attribute("html", "data-games") == "3"
    await page.tap("#games li:has-text('Simulated') a")
    frame = await shown(page)
    assert "Simulated games" in await frame.inner_text(".occasion")
    await page.tap("#back")
    await page.tap("#games li:has-text('Octavia') a >> nth=0")
    await shown(page)
    await page.tap("#back")
    await page.tap("#games li:has-text('Octavia') .button")
    assert await visit.taken() == len(OPENING)
    assert await page.evaluate(INJECTED) is None
    assert not visit.complaints
    await context.close()


@visits
async def test_the_folder_of_an_event_is_opened(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await page.goto(f"{served}event.html")
    await page.set_input_files("#folder", EXAMPLES / "event")
    await page.wait_for_selector("html[data-told='event']")
    assert await page.inner_text("#said") == "Thursday Open · 8 to do; 13 of 19 games count"
    assert await page.locator("#standings tbody tr").count() == 12
    assert await faults(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    await page.evaluate(ALL)
    assert await page.evaluate(SMALL) == []
    await page.evaluate("window.opens = window.open, window.open = () => null, null")
    await page.tap("#games a >> nth=0")
    await page.wait_for_selector(".trouble:has-text('Allow this site to open tabs')")
    await page.evaluate("window.open = window.opens, null")
    async with context.expect_page() as opened:
        await page.tap("#games a >> nth=0")
    await page.wait_for_selector(".trouble", state="hidden")
    frame = await shown(await opened.value)
    assert await frame.inner_text("#place") == "Start"
    assert not visit.complaints
    await context.close()


@visits
async def test_what_is_left_out_of_an_event_is_said(running: Running, served: str, tmp_path: Path):
    """A game that runs in tournament mode, and what is not named as a record; pages show what is read anyway."""
    context, visit = await window(running, served)
    page = visit.page
    head, turns = LEGAL.split("\n\n")
    head = "\n".join(['[Mode "tournament"]', *[line for line in head.splitlines() if "[Result" not in line]])
    unfinished = "\n".join([head, "", *turns.splitlines()[:6], "*"])
    others = {"b.tiro": unfinished, "c.docx": "x", "a.html": "<html>"}
    await page.goto(f"{served}event.html")
    await page.set_input_files("#folder", small_event(tmp_path / "club", {"a.tiro": LEGAL, **others}))
    await page.wait_for_selector("html[data-told='club']")
    left_out, missed = (await page.inner_text(".trouble")).splitlines()
    assert left_out.startswith("b.tiro: This game is not over")
    assert missed.endswith("are read): club/c.docx")
    assert "b.tiro" not in await page.inner_text("#told")
    await page.set_input_files("#folder", small_event(tmp_path / "other", {"a.tiro": LEGAL}))
    await page.wait_for_selector("html[data-told='other']")
    assert await page.is_hidden(".trouble")
    await context.close()


@visits
async def test_reading_an_event_can_be_stopped(running: Running, offline: str):
    context, visit = await window(running, offline)
    page = visit.page
    await context.add_init_script(f"{HELD};window.holds = 'event file'")
    await page.goto(f"{offline}event.html")
    await page.set_input_files("#folder", EXAMPLES / "event")
    await page.wait_for_selector("html[data-held='1']")
    await page.tap("#stop")
    await page.evaluate("window.asked.shift()()")
    await page.wait_for_selector("html[data-told='event']")
    assert "Reading was stopped" in await page.inner_text(".trouble")
    assert await page.is_hidden("#told")
    assert await page.is_hidden("#progress")
    assert await page.is_hidden("#stop")
    assert await page.get_attribute("html", "data-held") == "1"
    assert not visit.complaints
    await context.close()


def small_event(folder: Path, records: dict[str, str], name: str = "Thursday Open") -> Path:
    """The folder of an event of two players with records."""
    folder.mkdir()
    plan = '[[players]]\nname = "Caesar"\n\n[[players]]\nname = "Cleopatra"\n'
    head = f'format = "tironian-event"\nversion = 1\nname = \'{name}\'\nrules = "2024"\nrounds = 1\n\n'
    (folder / "event.toml").write_text(head + plan, encoding="utf-8")
    for file, text in records.items():
        (folder / file).write_text(text, encoding="utf-8")
    return folder


@visits
async def test_library_and_event_need_no_network(running: Running, offline: str, tmp_path: Path):
    context, visit = await window(running, offline)
    page = visit.page
    await page.goto(f"{offline}library.html")
    await page.wait_for_selector("html[data-told]")
    await page.evaluate(KEPT)
    await context.set_offline(True)
    await page.reload()
    await page.wait_for_selector("html[data-told]")
    await page.set_input_files("#files", files=[{"name": "a.tiro", "mimeType": "", "buffer": LEGAL.encode()}])
    await page.wait_for_selector("html[data-games='1']")
    await page.tap("a[href='event.html']")
    await page.wait_for_selector("#event")
    await page.reload()
    await page.set_input_files("#folder", small_event(tmp_path / "club", {"a.tiro": LEGAL}))
    await page.wait_for_selector("html[data-told='club']")
    assert "Thursday Open" in await page.inner_text("#said")
    assert not visit.complaints
    await context.close()


@visits
async def test_no_name_of_a_file_becomes_a_program(running: Running, served: str, tmp_path: Path):
    context, visit = await window(running, served)
    page = visit.page
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    folder = f"<b onclick=harmed=1>{HOSTILE_NAME}"
    names = [HOSTILE_NAME, "javascript:harmed=1.tiro", "__proto__.tiro", "\u202e<svg onload=harmed=1>.tiro"]
    await page.goto(f"{served}event.html")
    records = dict(zip(names, [HOSTILE, LEGAL, "1E <script>harmed=1</script>\n", LEGAL], strict=True))
    event = small_event(tmp_path / folder, records, "<img src=x onerror=harmed=1>")
    await page.set_input_files("#folder", event)
    await page.wait_for_selector("html[data-told]")
    assert await page.get_attribute("html", "data-told") == folder
    assert "<img src=x onerror=harmed=1>" in await page.inner_text("#said")
    assert HOSTILE_NAME in await page.inner_text("#told")
    await page.goto(f"{served}library.html")
    texts = [*records.items(), ("<svg onload=harmed=1>.json", "{}")]
    given = [{"name": name, "mimeType": "", "buffer": text.encode()} for name, text in texts]
    await page.set_input_files("#files", files=given)
    await page.wait_for_selector(".trouble:has-text('<svg onload=harmed=1>.json')")
    for part in ("event", "library"):
        await page.goto(f"{served}{part}.html")
        if part == "event":
            await page.set_input_files("#folder", event)
        await page.wait_for_selector("html[data-told]")
        assert await page.locator("main :is(img, svg, script, b b, [onclick], [onload], [onerror])").count() == 0
        assert await page.evaluate("window.harmed ?? null") is None
        assert await page.evaluate(INJECTED) is None
    assert not asked
    assert not visit.complaints
    await context.close()
