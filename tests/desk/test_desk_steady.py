"""The front of the desk: nothing that is tapped moves within a turn or is cut off, whatever is said meanwhile; a game
begins and goes on with one tap."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from browser import Running, visits
from playwright.async_api import Page
from scale import crossed, scaled
from tapping import begun, start_of, tapped, written_by
from test_desk_browser import OPENING, RECORDED, faults, window
from test_desk_looks import shown
from tironian.tools.desk.desk import VERSION

pytestmark = [pytest.mark.slow, pytest.mark.process]

SIZES = {
    "phone": (390, 844), "phone on its side": (844, 390), "tablet": (820, 1180), "small desk": (1024, 768),
    "laptop": (1280, 800), "wide": (1920, 1080),
}  # fmt: skip
BOXES = """
(() => {
  scrollTo({ top: 0, behavior: "instant" });
  const there = "#desk :is([data-tap], #hands button, .deeds button, #more):enabled";
  const boxes = all(there).filter((each) => each.checkVisibility({ visibilityProperty: true })).map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const isOver = each.closest("#notes, #notice");
    const name = (each.closest("#choices") ? "as a choice " : "") + (each.dataset.tap || each.dataset.hand || each.id);
    return [isOver ? "" : name, [x, y, width, height].map(Math.round)];
  });
  const { scrollWidth, clientWidth } = document.documentElement;
  const cut = boxes.filter(([, [x,, width]]) => x < 0 || x + width > clientWidth + 1).map(([name]) => name);
  if (scrollWidth > clientWidth) cut.push("the page");
  const seen = all("#choices button").filter((each) => each.checkVisibility({ visibilityProperty: true }));
  cut.push(...seen.filter((each) => each.scrollHeight > each.clientHeight + 1).map((each) => each.textContent));
  const narrow = all("#heading, #prompt, #written .line, #more, #undo, #cards, .side h3")
    .filter((each) => each.checkVisibility())
    .filter((each) => each.getBoundingClientRect().width < 2.5 * parseFloat(getComputedStyle(each).fontSize));
  return [Object.fromEntries(boxes), cut, narrow.map((each) => each.id || each.textContent)];
})()
"""
"""Where everything is that can be tapped, what is cut off, and what has room for hardly a letter."""
PUT = """
(said) => {
  const there = () => document.querySelector(`[data-tap='${said}']:enabled`);
  if (!there()) document.querySelector(`[data-hand=${JSON.parse(said).of}]:enabled`).click();
  there().click();
}
"""
DRUM = """
(at) => {
  const [made, click] = [document.createElement("button"), new MouseEvent("click", { bubbles: true })];
  made.dataset.tap = '{"tap":"drum"}';
  document.body.append(made);
  if (at !== null) Object.defineProperty(click, "timeStamp", { value: at });
  made.dispatchEvent(click);
  made.remove();
}
"""
"""A tap that means nothing, at a time."""


async def put(page: Page, tap: dict[str, Any]) -> None:
    """Tap something, without a finger that scrolls the page; or type it."""
    taken = int(await page.get_attribute("#desk", "data-taken") or 0)
    if tap["tap"] == "text":
        if await page.is_hidden("#typing"):
            await page.evaluate("byId('type').click()")
        await page.fill("#text", tap["text"])
        await page.press("#text", "Enter")
    elif tap["tap"] in ("undo", "redo"):
        await page.evaluate(f"byId('{tap['tap']}').click()")
    elif tap["tap"] == "drum":
        await page.evaluate(DRUM, None)
    else:
        await page.evaluate(PUT, json.dumps(tap, separators=(",", ":")))
    await page.wait_for_selector(f"#desk[data-taken='{taken + 1}'][data-read='{taken + 1}']")


SAID = {
    ".trouble": {"tap": "drum"},
    "#refusal": {"tap": "text", "text": "9Z"},
    "#said": {"tap": "text", "text": "/end nothing"},
}
"""Each kind of message, and what brings it."""


@cache
def games() -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Games, each with how it begins, and its taps."""
    found: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    for rules, view, seed in [("2024", "table", 2), ("1997", "caesar", 1), ("2024", "arbiter", 1)][: scaled(2, 3)]:
        record = written_by(view, rules, seed)
        found.append((start_of(record, view), [*tapped(begun(record, view), record)]))
    return found


@pytest.mark.parametrize(("size", "zoom"), crossed(SIZES, [1, 2]))
@visits
async def test_nothing_that_can_be_tapped_moves_within_a_turn(running: Running, served: str, size: str, zoom: int):
    width, height = (side // zoom for side in SIZES[size])
    context, visit = await window(
        running, served, viewport={"width": width, "height": height}, device_scale_factor=zoom
    )
    page, broken = visit.page, list[Any]()
    for start, taps in games():
        await page.goto(served)
        await page.wait_for_selector("#begin[data-games]")
        first = (zoom - 1) * scaled(35, 0)
        start["headers"] |= {"Caesar": "Livia Drusilla Augusta", "Cleopatra": "Marcus"}
        await shown(visit, {"desk": VERSION, "start": start, "taps": taps[:first]})
        turn, places = "", dict[str, Any]()

        async def measure(when: str) -> None:
            nonlocal turn, places
            heading = await page.inner_text("#heading")
            if heading != turn:
                turn, places = heading, {}
            boxes, cut, narrow = await page.evaluate(BOXES)
            boxes.pop("", None)
            moved = {name: (places[name], box) for name, box in boxes.items() if places.get(name, box) != box}
            places |= boxes
            if moved or cut or narrow:
                broken.append((turn, when, moved, cut, narrow))

        await measure("at first")
        for number, tap in enumerate(taps[first : first + scaled(10, 400)]):
            await put(page, tap)
            await measure(f"after {tap}")
            for place, message in SAID.items() if number % scaled(4, 2) == 0 else ():
                if message["tap"] == "text" and await page.is_visible("#word"):
                    continue  # what is typed would take the place of the word that is being tapped
                await put(page, message)
                await page.wait_for_selector(f"#desk {place}", state="visible")
                await measure(f"with {place} after {tap}")
                if place == "#refusal":
                    await put(page, {"tap": "undo"})
    assert not broken, "\n".join(map(str, broken[:8]))
    assert not visit.complaints
    await context.close()


@visits
async def test_a_tap_without_a_meaning_is_said_once_and_no_repeat_of_one_is(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await visit.begin(served)
    await visit.read()
    await put(page, {"tap": "drum"})
    assert "no meaning" in await page.inner_text("#notice")
    await page.reload()  # what was said before is not said again
    await visit.read()
    assert await page.is_hidden("#notice")
    for at, is_said in [(10_000, True), (10_399, False), (10_800, True), (10_900, False), (11_300, True)]:
        taken = await visit.taken()
        await page.evaluate(DRUM, at)
        await page.wait_for_selector(f"#desk[data-read='{taken + 1}']")
        assert await page.is_visible("#notice") == is_said, at
    await visit.tap(OPENING[0])  # with the next tap it is forgotten
    assert await page.is_hidden("#notice")
    await visit.tap(*OPENING[1:])
    assert await visit.read() == RECORDED[:1]
    await page.evaluate(DRUM, None)
    await page.tap("#notice .hush")
    assert await page.is_hidden("#notice")
    await context.close()


@visits
async def test_a_row_of_which_nothing_can_be_tapped_is_not_seen(running: Running, served: str):
    context, visit = await window(running, served)
    await visit.begin(served)
    await visit.read()
    rows = """all("#cards > div, #busts, #choices > *")
      .filter((each) => each.checkVisibility({ visibilityProperty: true }))
      .filter((each) => !each.matches("[data-tap]:enabled") && !each.querySelector("[data-tap]:enabled")).length"""
    for tap in OPENING:
        assert await visit.page.evaluate(rows) == 0
        await put(visit.page, tap)
    await context.close()


SHARED = """
navigator.canShare = () => true;
window.shared = new Promise((resolve) => {
  navigator.share = async ({ files: [file] }) => resolve([file.name, await file.text()]);
});
"""


@visits
async def test_the_record_is_shared_and_ending_the_game_stands_apart_from_saving_it(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await context.add_init_script(SHARED)
    await visit.begin(served)
    await visit.tap(*OPENING)
    await visit.read()
    await page.tap("#more")
    assert await page.locator("#ending button").count() == 4  # two resign, a draw, broken off
    assert not await page.locator("#ending :is(#save, #send)").count()
    await page.tap("#send")
    name, text = await page.evaluate("window.shared")
    assert name.startswith("livia-marcus")
    assert name.endswith(".tiro")
    assert RECORDED[0] in text.splitlines()
    await context.close()


@pytest.mark.parametrize("size", ["phone", "wide"])
@visits
async def test_a_game_begins_with_one_tap_as_the_last_one_did_and_goes_on_with_one(
    running: Running, served: str, size: str
):
    width, height = SIZES[size]
    context, visit = await window(running, served, viewport={"width": width, "height": height})
    page = visit.page
    await page.goto(served)
    await page.wait_for_selector("#begin[data-games]")
    assert await page.is_hidden("#open")
    assert await page.locator("#begin :is(input, textarea):visible:not(.sr)").count() == 0  # a choice, and no form
    assert await page.locator("#begin a.choice:visible").count() == 5
    assert await faults(page) == []
    await page.tap("#start summary")
    await page.check("input[value=caesar]")
    await page.fill("input[name=Caesar]", "Livia")
    await page.check("input[name=Starts][value=Caesar]")
    await page.check("input[name=tournament]")  # this is asked each time
    await page.tap("#start details .main")
    await visit.taken()
    for rules, starts in ("2024", "Caesar"), ("fr", None):
        await page.goto(served)
        await page.wait_for_selector("#open", state="visible")
        if rules == "fr":
            await page.tap("#start summary")
            await page.check("input[value=fr]")
            await page.tap("#start .main:visible")
            await visit.taken()
            await page.goto(served)
        assert "Caesar" in await page.inner_text("#last")
        assert "Livia" in await page.inner_text("#last")
        await page.tap("#start .main:visible")
        await visit.taken()
        game = page.url
        journal = await page.evaluate(f"localStorage.getItem('tironian-desk {game.partition('=')[2]}')")
        start = json.loads(journal)["start"]
        assert (start["rules"], start["view"]) == (rules, "caesar")
        assert (start["headers"]["Caesar"], start["headers"].get("Starts")) == ("Livia", starts)
        assert "tournament" not in start
    await page.goto(served)
    await page.wait_for_selector("#begin[data-games='4']")
    await page.tap("#open")
    await visit.taken()
    assert page.url == game
    assert not visit.complaints
    await context.close()
