"""The desk in a browser: a game by taps, and what is kept whatever happens to page, Python and network."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from browser import PATIENCE, Running, visits
from desk_server import WITH_KEY, Offline, Remembering
from playwright.async_api import BrowserContext, Page
from scale import crossed, scaled
from tironian.tools.desk.desk import VERSION

pytestmark = [pytest.mark.slow, pytest.mark.process]

SIZES = {"phone": (360, 740), "tablet": (820, 1180)}


def card(of: str, letter: str, face: str = "up") -> dict[str, Any]:
    return {"tap": "card", "of": of, "card": letter, "face": face}


def group(letter: str) -> dict[str, Any]:
    return {"tap": "group", "group": letter}


def bust(letter: str) -> dict[str, Any]:
    return {"tap": "bust", "bust": letter}


OPENING = [card("E", "1"), group("C"), card("E", "i", "down"), group("A"), card("E", "a"), card("E", "i")]
TURN = [card("R", "4"), group("P"), bust("C"), card("R", "1"), card("E", "1"), card("R", "i")]
RECORDED = ["1E 1C (i)A +ai", "1R 4P =C1:11>E +i"]


class Visit:
    """A window in which the desk is used by touch."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.extend([said.text] * (said.type == "warning")))
        page.on("request", lambda request: self.requests.append(request.url))

    async def begin(self, address: str) -> None:
        """Begin a game that a spectator records."""
        await self.page.goto(address)
        await self.page.tap("#start summary")
        await self.page.fill("input[name=Caesar]", "Livia")
        await self.page.fill("input[name=Cleopatra]", "Marcus")
        await self.page.tap("#start .main:visible")
        await self.page.wait_for_selector("#desk", state="visible")

    async def tap(self, *taps: dict[str, Any]) -> None:
        """Tap things, each once the one before is kept."""
        for each in taps:
            taken = await self.taken()
            await self.lay(each)
            await self.page.tap(f"[data-tap='{json.dumps(each, separators=(',', ':'))}']:enabled")
            await self.page.wait_for_selector(f"#desk[data-taken='{taken + 1}']")

    async def lay(self, tap: dict[str, Any]) -> None:
        """Lay the hand open in which a card is to be tapped, where those of both sides can be."""
        if tap["tap"] == "card":
            await self.page.wait_for_selector(f"[data-hand={tap['of']}]:enabled")
            if await self.page.get_attribute(f"[data-hand={tap['of']}]", "aria-pressed") == "false":
                await self.page.tap(f"[data-hand={tap['of']}]")

    async def type(self, text: str) -> None:
        """Type a word, or a command."""
        if await self.page.is_hidden("#typing"):
            await self.page.tap("#type")
        await self.page.fill("#text", text)
        await self.page.press("#text", "Enter")

    async def taken(self) -> int:
        """How many taps are kept, once the game is open."""
        await self.page.wait_for_selector("#desk[data-taken]")
        return int(await self.page.get_attribute("#desk", "data-taken") or 0)

    async def read(self) -> list[str]:
        """The turns of the record, once Python has read all taps."""
        taken = await self.taken()
        await self.page.wait_for_selector(f"#desk[data-read='{taken}'] .board:not(.unknown)", state="attached")
        text = await self.page.text_content("#record pre") or ""
        return [line for line in text.splitlines() if line[:1].isdigit() and not line.startswith("0")]


REMEMBER = """(isFirst) => (async () => {
  const memories = await caches.open("tironian-python");
  if (isFirst) {
    let kept;
    while (!([kept] = await memories.keys()).length) await new Promise((resolve) => setTimeout(resolve, 50));
    await fetch("memory", { method: "POST", headers: { "x-key": kept.url.split("/").pop() },
                            body: await (await memories.match(kept)).blob() });
  } else {
    const found = await fetch("memory");
    await memories.put(found.headers.get("x-key"), found);
  }
})()"""
"""Keeps the memory of Python that a first start leaves, or hands it on."""


async def window(running: Running, served: str = "", **options: Any) -> tuple[BrowserContext, Visit]:
    """A window that has the key of the desk; at a site that is given, Python begins as on a device that knows it."""
    width, height = SIZES["tablet"]
    given = {"viewport": {"width": width, "height": height}, "has_touch": True} | options
    context = await running.browser.new_context(**given)
    context.set_default_timeout(PATIENCE)
    await context.add_init_script(WITH_KEY)
    page = await context.new_page()
    if isinstance(served, Offline):
        is_first = not Remembering.memory
        await page.goto(served if is_first else f"{served}icon.svg")
        await page.evaluate(REMEMBER, is_first)
    return context, Visit(page)


@pytest.mark.parametrize("row", [".rome", ".left", ".egypt"])
@visits
async def test_a_group_is_tapped_wherever_its_column_is_framed(running: Running, served: str, row: str):
    context, visit = await window(running, served)
    await visit.begin(served)
    await visit.tap(OPENING[0])
    await visit.read()
    await visit.page.tap(f".groups {row} [data-group=C].offered")
    await visit.page.wait_for_selector("#desk[data-read='2']")
    assert "1E 1C" in await visit.page.inner_text("#turn")
    await context.close()


@visits
async def test_a_spectator_records_a_game_by_taps_and_goes_on_after_a_reload(running: Running, served: str):
    context, visit = await window(running, served)
    await visit.begin(served)
    await visit.tap(*OPENING)
    assert await visit.read() == RECORDED[:1]
    await visit.page.reload()
    assert await visit.read() == RECORDED[:1]
    await visit.tap(*TURN)
    assert await visit.read() == RECORDED
    await visit.page.tap("#undo")
    await visit.page.wait_for_selector(f"#desk[data-taken='{len(OPENING + TURN) + 1}']")
    assert await visit.read() == [RECORDED[0], "1R 4P =C1:11>E"]
    await visit.page.tap("#more")
    async with visit.page.expect_download() as saved:
        await visit.page.tap("#save")
    name = (await saved.value).suggested_filename
    assert re.fullmatch(r"livia-marcus-[0-9.]{10}\.tiro", name)
    assert await visit.page.text_content(".saved") == f"Saved: {name}"
    text = Path(await (await saved.value).path()).read_text(encoding="utf-8")
    assert '[Caesar "Livia"]' in text
    assert RECORDED[0] in text.splitlines()
    async with visit.page.expect_download() as saved:
        await visit.page.tap("#save-journal")
    journal = json.loads(Path(await (await saved.value).path()).read_text(encoding="utf-8"))
    assert journal["desk"] == VERSION
    assert journal["taps"] == [*OPENING, *TURN, {"tap": "undo"}]
    assert not visit.complaints
    assert all(url.startswith((served, "blob:")) for url in visit.requests)
    await context.close()


@pytest.mark.parametrize("waited", [200, 0], ids=["alone", "at once after another"])
@visits
async def test_a_button_that_is_pressed_stays_until_it_is_let_go(running: Running, offline: str, waited: int):
    context, visit = await window(running, service_workers="block")
    await context.route("**/worker.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    clock = visit.page.clock
    await clock.install()
    await visit.begin(offline)
    await visit.lay(OPENING[0])
    await clock.pause_at(datetime.now() + timedelta(minutes=1))
    await visit.tap(OPENING[0])
    await clock.fast_forward(waited)  # the finger before has long gone, or has just gone up
    place = visit.page.locator(f"[data-tap='{json.dumps(OPENING[2], separators=(',', ':'))}']")
    await place.hover()
    await visit.page.mouse.down()
    await clock.fast_forward(2_000)  # Python seems slow, and all buttons are drawn anew
    await visit.page.mouse.up()
    await visit.page.wait_for_selector("#desk[data-taken='2']")
    await context.close()


async def touch(page: Page, fingers: list[dict[str, Any]], moved: int = 0) -> None:
    """Put a finger on each of these, one after the other, move them all, and lift them, the last one first."""
    session, points = await page.context.new_cdp_session(page), list[dict[str, float]]()

    async def send(kind: str, some: list[dict[str, float]]) -> None:
        await session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": some})

    for tap in fingers:
        box = await page.locator(f"[data-tap='{json.dumps(tap, separators=(',', ':'))}']").bounding_box()
        assert box
        points.append({"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": len(points)})
        await send("touchStart", points)
    if moved:
        points = [{**point, "x": point["x"] + moved} for point in points]
        await send("touchMove", points)
    for point in points[::-1]:
        await send("touchEnd", [point])


@visits
async def test_two_fingers_at_once_both_count_as_they_are_lifted(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await visit.begin(served)
    await visit.tap(OPENING[0])
    await visit.read()
    pair = [group("C"), group("A")]
    await touch(page, pair)
    await page.wait_for_selector("#desk[data-taken='3']")
    await visit.read()
    await visit.tap(OPENING[2])  # one alone taps as ever
    await touch(page, pair, moved=-300)  # those that were moved away tap nothing
    await page.click("#more")
    async with page.expect_download() as saved:
        await page.click("#save-journal")
    journal = json.loads(Path(await (await saved.value).path()).read_text(encoding="utf-8"))
    assert journal["taps"] == [OPENING[0], *pair[::-1], OPENING[2]]
    assert not visit.complaints
    await context.close()


@visits
async def test_where_python_can_not_be_had_taps_are_kept_and_leave_as_a_file(running: Running, offline: str):
    context, visit = await window(running, service_workers="block")
    await context.route("**/tironian.zip", lambda route: route.abort())
    await visit.begin(offline)
    await visit.tap(*OPENING)
    await visit.page.wait_for_selector("#desk .trouble:has-text('can’t be loaded')")
    await visit.tap(*TURN)
    await visit.page.tap("#more")
    async with visit.page.expect_download() as saved:
        await visit.page.tap("#save-journal")
    journal = json.loads(Path(await (await saved.value).path()).read_text(encoding="utf-8"))
    assert journal["taps"] == OPENING + TURN
    await context.close()


@visits
async def test_a_second_tab_only_reads_until_the_first_is_closed(running: Running, served: str):
    context, first = await window(running, served)
    await first.begin(served)
    await first.tap(*OPENING[:2])
    second = Visit(await context.new_page())
    await second.page.goto(first.page.url)
    await second.page.wait_for_selector("#desk .trouble:has-text('another tab')")
    await second.read()
    assert await second.page.locator("[data-tap]:enabled").count() == 0
    await first.page.bring_to_front()
    await first.tap(*OPENING[2:])
    await second.page.wait_for_selector(f"#desk[data-read='{len(OPENING)}']")
    assert await second.read() == RECORDED[:1]
    await first.page.close()
    await second.tap(*TURN)
    assert await second.read() == RECORDED
    await context.close()


@visits
async def test_the_desk_works_without_a_network(running: Running, offline: str):
    context, visit = await window(running, offline)
    await visit.begin(offline)
    await visit.tap(*OPENING)
    await visit.read()
    await visit.page.evaluate("navigator.serviceWorker.ready.then((found) => found.active.state)")
    await context.set_offline(True)
    await visit.page.reload()
    await visit.tap(*TURN)
    assert await visit.read() == RECORDED
    await context.close()


SMALL = """
all("button, summary, a").filter((each) => each.checkVisibility()).filter((each) => {
  const { width, height } = each.getBoundingClientRect();
  return width < 44 || height < 44;
}).map((each) => each.outerHTML.slice(0, 200))
"""
"""What is too small for a finger."""


async def faults(page: Page) -> list[str]:
    """What axe-core finds."""
    await page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = await page.evaluate("axe.run()")
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found["violations"]]


@pytest.mark.parametrize(("size", "scheme"), crossed(SIZES, ["light", "dark"])[:: scaled(2, 1)])
@visits
async def test_nothing_keeps_anybody_from_using_it(running: Running, served: str, size: str, scheme: str):
    width, height = SIZES[size]
    context, visit = await window(running, served, viewport={"width": width, "height": height}, color_scheme=scheme)
    await visit.page.goto(served)
    await visit.page.wait_for_selector("#start", state="visible")
    assert await faults(visit.page) == []
    await visit.begin(served)
    await visit.tap(*OPENING, *TURN[:4])
    await visit.read()
    assert await faults(visit.page) == []
    assert await visit.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert await visit.page.evaluate(SMALL) == []
    await visit.type("5Q")
    await visit.page.wait_for_selector("#refusal", state="visible")
    assert await faults(visit.page) == []
    await visit.page.tap("#more")
    assert await faults(visit.page) == []
    await context.close()


BROKEN = """
all("#begin :is(b, small, summary, button, .button, h1)").filter((each) => each.checkVisibility()).filter((each) => {
  const range = document.createRange();
  const isCut = (text) => [...text.data.matchAll(/\\S+/g)].some(({ 0: word, index }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  });
  const isWide = each.clientWidth && each.scrollWidth > each.clientWidth + 1;
  return isWide || [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && isCut(node));
}).map((each) => each.textContent)
"""
"""Labels of the first page that are broken within a word, or wider than their place."""


@visits
async def test_no_label_of_the_first_page_is_broken(running: Running, served: str):
    """Where no game is stored, nothing is said about what becomes of stored ones."""
    context, visit = await window(running, served, viewport={"width": 320, "height": 800})
    await visit.page.goto(served)
    for width in (320, 390, 480, 600, 768, 1000, 1024, 1280, 1600):
        await visit.page.set_viewport_size({"width": width, "height": 800})
        await visit.page.wait_for_selector("#start", state="visible")
        assert await visit.page.evaluate(BROKEN) == [], width
        assert await visit.page.evaluate("document.documentElement.scrollWidth") <= width
        assert await visit.page.evaluate(SMALL) == [], width
    assert await faults(visit.page) == []
    assert not await visit.page.is_visible("#begin .stored")
    assert await visit.page.locator(".choices svg").count() == await visit.page.locator(".choices a").count()
    await visit.begin(served)
    await visit.page.goto(served)
    await visit.page.wait_for_selector("#begin .stored", state="visible")
    assert await visit.page.evaluate(BROKEN) == []
    await context.close()


INJECTED = """
const made = document.createElement("script");
made.textContent = "window.ran = 1";
document.head.append(made);
window.ran ?? null
"""


@visits
async def test_a_journal_goes_on_elsewhere(running: Running, served: str):
    context, visit = await window(running, served)
    await visit.page.goto(served)
    start = {"rules": "2024", "view": "table", "headers": {"Caesar": "Livia"}}
    unknown = {"tap": "of a later desk"}
    journal = {"desk": 1, "start": start, "taps": [*OPENING, unknown, *TURN[:-1]]}
    file = {"name": "game.desk.json", "mimeType": "application/json", "buffer": json.dumps(journal).encode()}
    await visit.page.set_input_files("#journal", files=[{**file, "buffer": b"{}"}])
    await visit.page.wait_for_selector("#begin .trouble:has-text('not a saved game')")
    await visit.page.set_input_files("#journal", files=[file])
    await visit.read()
    await visit.tap(TURN[-1])
    assert await visit.read() == RECORDED
    await visit.page.tap("#more")
    async with visit.page.expect_download() as saved:
        await visit.page.tap("#save-journal")
    kept = json.loads(Path(await (await saved.value).path()).read_text(encoding="utf-8"))
    assert kept == {**journal, "taps": [*OPENING, unknown, *TURN]}
    await context.close()


@visits
async def test_a_game_goes_on_by_keys_alone(running: Running, served: str):
    context, visit = await window(running, served)
    await visit.begin(served)
    await visit.read()
    for number, each in enumerate([*OPENING, {"tap": "undo"}]):
        if each["tap"] == "undo":
            await visit.page.keyboard.press("Control+z")
        else:
            await visit.page.focus(f"[data-tap='{json.dumps(each, separators=(',', ':'))}']:enabled")
            await visit.page.keyboard.press("Enter")
        await visit.page.wait_for_selector(f"#desk[data-read='{number + 1}']")
        assert await visit.page.evaluate("document.activeElement.dataset.tap"), "the focus is lost"
    await visit.page.keyboard.press("/")
    await visit.page.keyboard.type("a")
    await visit.page.keyboard.press("Enter")
    await visit.page.wait_for_selector(f"#desk[data-read='{len(OPENING) + 2}']")
    await context.close()


@visits
async def test_the_table_has_the_groups_of_the_rules(running: Running, served: str):
    context, visit = await window(running, served)
    for rules, first in ("2024", "P"), ("1997", "S"):
        await visit.page.goto(served)
        await visit.page.tap("#start summary")
        await visit.page.check(f"input[value='{rules}']")
        await visit.page.tap("#start .main:visible")
        await visit.read()
        there = "all('.groups [data-group]').filter((each) => each.checkVisibility()).map((each) => each.dataset.group)"
        groups = await visit.page.evaluate(there)
        assert len(groups) == 15
        assert groups[0] == first
    await context.close()


@pytest.mark.parametrize("width", [992, 1280])
@visits
async def test_beside_the_cards_the_table_has_room_for_its_names(running: Running, served: str, width: int):
    context, visit = await window(running, served, viewport={"width": width, "height": 800})
    await visit.begin(served)
    await visit.read()
    broken = """all(".groups th, .groups td").flatMap((each) => {
      const named = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), range = document.createRange();
      const found = [];
      for (let text; (text = named.nextNode());) {
        range.selectNodeContents(text);
        if (/^\\p{L}+$/u.test(text.data.trim()) && range.getClientRects().length > 1) found.push(text.data);
      }
      return found;
    })"""
    assert await visit.page.evaluate(broken) == []
    await context.close()
