"""Records checked and mended on the desk, in a browser."""

from __future__ import annotations

import io
import re
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from browser import PATIENCE, Running, visits
from pages import BROKEN, HOSTILE
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Route, expect
from scale import scaled
from test_desk_browser import INJECTED, Visit, window
from tironian import load_edition, merge, parse, simulate, write
from tironian import page as page_of
from tironian.tools.desk.check import likely_repairs

pytestmark = [pytest.mark.slow, pytest.mark.process]

SIXTH = next(path for path in BROKEN if path.stem == "sixth-card")
LEGAL = write(simulate(load_edition("2024"), 1))
ALL = "window.all = (selector) => [...document.querySelectorAll(selector)]"
KEPT = "navigator.serviceWorker.ready.then((found) => found.active.state)"
"""Waits until the site is kept. A page that was opened just then may have to be loaded again until that serves it."""
DONE = "#broken .log:not([hidden]) .done"
"""What was done last to the first game with problems."""
LEAVING = "window.leaving = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
"""Whether a browser would ask before it leaves the page."""
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


THURSDAY = Path(__file__).parents[2] / "examples" / "scoresheets" / "thursday"
SHEETS = {f"{name}.tiro": (THURSDAY / f"{name}.tiro").read_text(encoding="utf-8") for name in ("caesar", "cleopatra")}


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
    await visit.page.wait_for_load_state()  # what is dropped before is lost
    return visit.page


@visits
async def test_a_broken_log_is_dropped_mended_by_a_tap_and_saved(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    text = SIXTH.read_text(encoding="utf-8")
    await drop(page, {SIXTH.name: text, "legal.tiro": LEGAL})
    assert await page.inner_text("#totals") == "1 illegal 1 legal"
    assert await page.inner_text("#broken mark:not(.other)") == "3C"
    assert "a sixth card" in await page.inner_text("#broken")
    known = likely_repairs(text, SIXTH.name)["repairs"]
    await page.wait_for_selector(".meant li")
    assert [await each.inner_text() for each in await page.locator(".meant ol:first-of-type b").all()] == [
        "; ".join(repair["words"]) for repair in known
    ]
    await page.dblclick(".meant li:nth-child(2) button")
    await page.wait_for_selector("#broken .verdict.legal")
    assert await page.inner_text(f"{DONE} [role=status]") == f"Changed: {'; '.join(known[1]['words'])}"
    assert await page.inner_text("#totals") == "2 legal"
    await page.evaluate(LEAVING)
    assert await page.evaluate("leaving()"), "what was mended is not kept"
    async with page.expect_download() as saved:
        await page.tap("#broken .edit button:nth-child(1)")
    assert (await saved.value).suggested_filename == SIXTH.name
    assert Path(await (await saved.value).path()).read_text(encoding="utf-8") == known[1]["text"]
    assert not await page.evaluate("leaving()")
    await page.tap(f"{DONE} button")
    await page.wait_for_selector("#broken .verdict.illegal")
    assert await page.inner_text(DONE) == ""
    await page.tap("#broken .edit summary")
    assert await page.input_value("#broken textarea") == text
    await page.tap(".meant h2 + ol:last-child button")
    await page.wait_for_selector("#broken .verdict.legal")
    assert "   % R stands R204: It was played that way\n" in await page.input_value("#broken textarea")
    assert await page.evaluate("leaving()")
    async with context.expect_page() as opening:
        await page.tap("#broken .edit button:nth-child(3)")
    looked = await opening.value
    await looked.wait_for_selector("html[data-shown]")
    async with looked.expect_event("close"):
        with suppress(PlaywrightError):  # the page may be gone before the tap has ended
            await looked.tap("#back")
    assert "Kept in the library" in await page.inner_text(DONE)
    assert not await page.evaluate("leaving()")
    await page.tap("#keep-all")
    await expect(page.locator("#kept")).to_have_text("In the library: 2.", timeout=PATIENCE)
    await page.goto(f"{served}library.html")
    await page.wait_for_selector("html[data-games='2']")
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
    await page.fill("#typed", LEGAL.replace('[Rules "2024"]', ""))
    await page.wait_for_selector("#broken .verdict.unchecked")
    await page.select_option("#rules", "2024")
    await page.wait_for_selector("#broken .verdict.legal")
    await page.evaluate("window.opens = window.open, window.open = () => null, null")
    await page.tap("#broken .edit button:nth-child(3)")
    await page.wait_for_selector(".trouble:has-text('Allow this site to open tabs')")
    await page.evaluate("window.open = window.opens, null")
    async with context.expect_page() as looked:
        await page.tap("#broken .edit button:nth-child(3)")
    await page.wait_for_selector(".trouble", state="hidden")
    await (await looked.value).wait_for_selector("html[data-shown]")
    assert not visit.complaints
    await context.close()


@visits
async def test_a_packed_file_is_checked_without_a_network(running: Running, offline: str):
    context, visit = await window(running, offline)
    page = await opened(visit, offline)
    await page.evaluate(KEPT)
    await context.set_offline(True)
    await page.reload()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(12):
            archive.writestr(f"{number}.tiro", LEGAL)
        archive.writestr("broken.tiro", SIXTH.read_text(encoding="utf-8"))
    await choose(page, "games.zip", out.getvalue())
    assert await page.inner_text("#totals") == "12 legal 1 illegal"
    assert await page.inner_text("#fine summary b") == "12"
    assert await page.inner_text("#broken .log:not([hidden]) summary bdi") == "games.zip/broken.tiro"
    await choose(page, "bytes.tiro", b"\x89PNG\r\n")
    assert "1 nothing" in await page.inner_text("#totals")
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
    sheets = {
        f"<b onclick=harmed=1>{name}": text.replace("Trier", words.replace('"', "")) for name, text in SHEETS.items()
    }
    sheets = {name: f"{text}   ; <script>harmed=1</script>\n" for name, text in sheets.items()}
    await drop(page, sheets)
    await page.tap("#joins button.main")
    await page.wait_for_selector(".versions")
    await page.locator(".said").nth(1).tap()
    await page.wait_for_selector(".said:nth-child(2)[aria-pressed=true]")
    assert words.split()[0] in (await page.text_content(".versions") or "")
    assert await page.locator("#check img, #check script, #check svg").count() == 0
    assert await page.evaluate("window.harmed ?? null") is None
    assert await page.evaluate(INJECTED) is None
    assert not asked
    assert not visit.complaints
    await context.close()


# ---------------------------------------------------------------------------------------------------------------- join


def joined(picks: dict[str, str] | None = None) -> str:
    """The record of the two sheets."""
    return write(merge([parse(text)[0] for text in SHEETS.values()], picks=picks).record)


@visits
async def test_two_sheets_are_joined_and_a_tap_decides_where_they_disagree(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    another = re.sub(r"(?m)^\[Date .*", '[Date "1999.01.02"]', SHEETS["caesar.tiro"])
    await drop(page, SHEETS | {"legal.tiro": LEGAL, "another.tiro": another})
    assert await page.locator("#joins bdi").all_inner_texts() == [*SHEETS]
    await page.tap("#joins button.main")
    await page.wait_for_selector(".versions")
    assert await page.locator("#joins section").count() == 0
    assert await page.locator(".versions h3").all_inner_texts() == ["Site", "8R"]
    turn = page.locator(".versions").nth(1)
    assert await turn.locator("mark").all_inner_texts() == ["5P", "4P"]
    assert "taken: these are Caesar's cards · the rules allow it" in await turn.locator(".said").nth(0).inner_text()
    assert "the rules don’t allow it" in await turn.locator(".said").nth(1).inner_text()
    record = page.locator("#broken .log").first
    assert "M201" in await record.inner_text()
    assert "M101" not in await record.inner_text()
    await turn.locator(".said").nth(1).tap()
    await page.wait_for_selector("#broken .log:first-child .verdict.illegal")
    async with page.expect_download() as saved:
        await record.locator(".edit > .buttons button").nth(0).tap()
    assert (await saved.value).suggested_filename == "joined.tiro"
    assert Path(await (await saved.value).path()).read_text(encoding="utf-8") == joined({"8R": "cleopatra"})
    pressed = "document.querySelectorAll('.versions')[1].querySelector('[aria-pressed=true] b').textContent"
    assert await page.evaluate(pressed) == "Cleopatra's log"
    await expect(record.locator(".done [role=status]")).to_have_text("8R: Cleopatra's log was taken. ")
    await record.locator(".done button").tap()
    await page.wait_for_selector("#broken .log:first-child .verdict.possible")
    assert await page.evaluate(pressed) == "Caesar's log"
    await record.locator(".edit summary").tap()
    assert await record.locator("textarea").input_value() == joined()
    await record.locator("textarea").fill(joined().replace("Trier", "Essen"))
    await page.wait_for_selector("text=The text was changed after the sheets were joined")
    assert not visit.complaints
    await context.close()


@visits
async def test_sheets_are_chosen_and_whose_they_are_is_asked(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    bare = {name: re.sub(r'\[(View|Round) ".*"\]\n', "", text) for name, text in SHEETS.items()}
    await drop(page, {**bare, "legal.tiro": LEGAL})
    await page.evaluate(OPEN)
    assert await page.locator("#joins section").count() == 0
    join = page.locator("button.join")
    for name in ("caesar.tiro", "legal.tiro"):
        await page.locator(f".log:has(summary bdi:text-is('{name}')) button.join").tap()
    await page.tap("#joins button.main")
    await page.wait_for_selector(".trouble:has-text('these are different games')")
    await page.locator(".log:has(summary bdi:text-is('legal.tiro')) button.join").tap()
    assert await page.locator("#joins button.main").is_disabled()
    await page.locator(".log:has(summary bdi:text-is('cleopatra.tiro')) button.join").tap()
    for view, select in zip(("caesar", "cleopatra"), await page.locator("#joins select").all(), strict=True):
        await select.select_option(view)
    await page.tap("#joins button.main")
    await page.wait_for_selector(".versions")
    assert "taken: these are Caesar's cards" in await page.inner_text(".versions:last-of-type")
    assert await join.count() > 3
    assert not visit.complaints
    await context.close()


# ----------------------------------------------------------------------------------------------------- what is typed


@visits
async def test_tab_completes_a_word_and_keys_write_it(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    lines = LEGAL.splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if line[0] == "3")
    await page.fill("#typed", "".join(lines[:first]))
    await page.focus("#typed")
    await page.keyboard.press("Control+End")
    await page.keyboard.press("Tab")
    label = lines[first].split()[0]
    await expect(page.locator("#typed")).to_have_value(re.compile(rf"\n{label} $"), timeout=PATIENCE)
    await page.keyboard.press("Tab")
    await page.wait_for_selector("#offers button")
    offered = await page.locator("#offers code").all_inner_texts()
    await page.keyboard.press("Tab")
    assert await page.evaluate("document.activeElement.querySelector('code').textContent") == offered[0]
    await page.keyboard.press("Enter")
    assert (await page.input_value("#typed")).rstrip().endswith(f"{label} {offered[0]}")
    await page.tap("#keys")
    for key in ("5", "A", "New line"):
        await page.locator("#letters button", has_text=re.compile(f"^{key}$")).tap()
    assert (await page.input_value("#typed")).endswith("5A\n")
    assert await page.get_attribute("#typed", "inputmode") == "none"
    assert not visit.complaints
    await context.close()


# ------------------------------------------------------------------------------------------------------------- limits

HELD = """
window.asked = [];
window.held = 0;
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (told, ...rest) {
  const { ask, name } = JSON.parse(told.message);
  const isDeadly = name?.includes("deadly") || ask === window.kills;
  const go = () => (isDeadly ? this.onerror(new Event("error")) : post.call(this, told, ...rest));
  if (ask !== window.holds) return go();
  window.asked.push(go);
  document.documentElement.dataset.held = ++window.held;
};
"""
"""Holds questions of the kind that `holds` names until they are let go; those of the kind that `kills` names end
Python, and so does a file with a deadly name."""


ASKED = """
const post = Worker.prototype.postMessage;
const count = (name) => {
  const { dataset } = document.documentElement;
  dataset[name] = Number(dataset[name] ?? 0) + 1;
};
Worker.prototype.postMessage = function (...told) {
  this.addEventListener("message", ({ data }) => data.alive && setTimeout(() => count("alive")));
  post.apply(this, told);
  setTimeout(() => count("asked"));
};
"""
"""Counts questions, once their deadline runs, and signs of life, once they were heard."""
SLOW = """
postMessage({ ready: true });
new BroadcastChannel("slow").onmessage = ({ data }) => postMessage(data);
"""
"""A worker that says what it is told to say."""
SILENT = "postMessage({ ready: true });"


LENGTHEN = """
const area = document.getElementById("typed");
area.value += ";".repeat(4_000_000);
area.dispatchEvent(new Event("input"));
"""


def many(count: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("all.tiro", "\n".join([LEGAL] * count))
    return out.getvalue()


@visits
async def test_a_long_work_shows_how_far_it_is_and_stops(running: Running, offline: str):
    context, visit = await window(running, offline)
    await context.add_init_script(f"{HELD};window.holds = 'more'")
    page = await opened(visit, offline)
    files = [{"name": name, "mimeType": "", "buffer": many(scaled(40, 1000))} for name in ("a.zip", "b.zip")]
    await page.set_input_files("#files", files=files)
    await page.wait_for_selector("#progress", state="visible")
    for held in 1, 2:
        await page.wait_for_selector(f"html[data-held='{held}']")
        await page.evaluate("window.asked.shift()()")
    await page.wait_for_selector("html[data-held='3']")
    progress = await page.evaluate("document.getElementById('progress').position")
    assert 0 < progress < 1
    await page.evaluate("delete document.documentElement.dataset.checked")
    await page.tap("#stop")
    await page.evaluate("window.asked.shift()(), window.holds = ''")
    await page.wait_for_selector("html[data-checked]")
    assert await page.is_hidden("#progress")
    shown = await page.locator("#fine .log").count()
    assert 0 < shown < scaled(40, 1000)
    assert "b.zip" not in (await page.text_content("#check") or "")
    await drop(page, {"more.tiro": LEGAL})
    assert await page.locator("#fine .log").count() == shown + 1
    assert not visit.complaints
    await context.close()


@visits
async def test_every_file_is_checked_before_a_repair_is_searched(running: Running, offline: str):
    context, visit = await window(running, offline)
    await context.add_init_script(f"{HELD};window.holds = 'repair'")
    page = await opened(visit, offline)
    await drop(page, {SIXTH.name: SIXTH.read_text(encoding="utf-8"), "legal.tiro": LEGAL})
    assert (await page.inner_text("#totals")).split() == ["1", "illegal", "1", "legal"]
    await page.wait_for_selector("html[data-held='1']")
    await page.evaluate("window.asked.shift()()")
    await page.wait_for_selector("#broken .meant .main")
    assert not visit.complaints
    await context.close()


@visits
async def test_a_file_on_which_python_dies_is_given_up_and_the_next_one_follows(running: Running, offline: str):
    context, visit = await window(running, offline)
    await context.add_init_script(HELD)
    page = await opened(visit, offline)
    await drop(page, {"deadly.tiro": LEGAL, "legal.tiro": LEGAL})
    assert await page.inner_text("#totals") == "1 legal"
    assert "deadly.tiro: this took too long to check here" in await page.inner_text("#broken")
    await context.close()


@visits
async def test_when_python_dies_over_something_else_the_rest_of_a_file_is_missed_aloud(running: Running, offline: str):
    context, visit = await window(running, offline)
    await context.add_init_script(f"{HELD};window.holds = 'more';window.kills = 'complete'")
    page = await opened(visit, offline)
    await page.set_input_files("#files", files=[{"name": "a.zip", "mimeType": "", "buffer": many(40)}])
    await page.wait_for_selector("html[data-held='1']")
    await page.fill("#typed", "1E 3")
    await page.press("#typed", "Tab")
    await page.evaluate("window.holds = '', window.asked.shift()()")
    await page.wait_for_selector("html[data-checked]")
    assert 0 < await page.locator("#fine .log").count() < 40
    assert "a.zip: the rules were restarted" in await page.inner_text("#broken")
    await choose(page, "b.tiro", LEGAL.encode())
    assert "b.tiro" in (await page.text_content("#fine") or "")
    await context.close()


@visits
async def test_a_file_on_which_python_is_silent_is_given_up_however_many_there_are(running: Running, offline: str):
    context, visit = await window(running, offline, service_workers="block")
    started: list[str] = []

    async def silent_at_first(route: Route) -> None:
        started.append(route.request.url)
        await (route.continue_() if len(started) > 4 else route.fulfill(body=SILENT, content_type="text/javascript"))

    await context.add_init_script(ASKED)
    await context.route("**/worker.js", silent_at_first)
    await visit.page.clock.install()
    await visit.page.goto(f"{offline}check.html")
    await visit.page.evaluate(DROP, {f"{number}.tiro": LEGAL for number in range(5)})
    for number in range(4):
        await visit.page.wait_for_selector(f"html[data-asked='{number + 1}']")
        await visit.page.clock.fast_forward(31_000)
    await visit.page.wait_for_selector("html[data-checked]")
    assert await visit.page.inner_text("#totals") == "1 legal"
    for number in range(4):
        assert f"{number}.tiro: this took too long to check here" in await visit.page.inner_text("#broken")
    await context.close()


@visits
async def test_where_python_can_not_be_had_whoever_asks_is_told(running: Running, offline: str):
    context, visit = await window(running, service_workers="block")
    await context.route("**/tironian.zip", lambda route: route.abort())
    await visit.page.goto(f"{offline}check.html")
    for name in ("a.tiro", "b.tiro"):
        await drop(visit.page, {name: LEGAL})
        assert f"{name}: The rules can’t be loaded here." in await visit.page.inner_text("#broken")
    assert await visit.page.is_hidden("#progress")
    await context.close()


@visits
async def test_python_may_take_long_as_long_as_it_tells_that_it_goes_on(running: Running, offline: str):
    context, visit = await window(running, service_workers="block")
    await context.add_init_script(ASKED)
    await context.route("**/worker.js", lambda route: route.fulfill(body=SLOW, content_type="text/javascript"))
    page = visit.page
    await page.clock.install()
    await page.goto(f"{offline}check.html")
    await page.evaluate(DROP, {"a.tiro": LEGAL})
    await page.wait_for_selector("html[data-asked='1']")
    for number in range(3):
        await page.clock.fast_forward(29_000)
        await page.evaluate("new BroadcastChannel('slow').postMessage({ alive: true })")
        await page.wait_for_selector(f"html[data-alive='{number + 1}']")
    assert not await page.inner_text("#broken")
    await page.clock.fast_forward(31_000)
    await page.wait_for_selector("html[data-checked]")
    assert "a.tiro: this took too long to check here" in await page.inner_text("#broken")
    await context.close()


@visits
async def test_a_text_that_is_too_long_is_refused_in_a_sentence(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    await page.fill("#typed", LEGAL)
    await page.wait_for_selector("#broken .verdict.legal")
    await page.evaluate(LEAVING)
    await page.evaluate(LENGTHEN)
    await page.wait_for_selector(".trouble:has-text('longer than 4,000,000 characters')")
    await page.tap("#keep-all")
    await expect(page.locator("#kept")).to_have_text("In the library: 1.", timeout=PATIENCE)
    assert await page.evaluate("leaving()"), "what is typed now is not kept"
    await page.fill("#typed", LEGAL.replace("1E ", "1E 9"))
    await page.wait_for_selector("#broken .verdict:not(.legal)")
    assert await page.is_hidden(".trouble")
    await context.close()


@visits
async def test_what_is_too_large_or_too_many_is_not_shown(running: Running, offline: str):
    context, visit = await window(running, service_workers="block")

    async def lowered(route: Any) -> None:
        answer = await route.fetch()
        text = (await answer.text()).replace('"games":5000', '"games":20').replace('"bytes":67108864', '"bytes":200000')
        assert '"games":20' in text
        assert '"bytes":200000' in text
        await route.fulfill(response=answer, body=text)

    await context.route("**/check.html", lowered)
    page = await opened(visit, offline)
    await drop(page, {"large.tiro": ";" * 200001})
    assert "large.tiro: this file is larger than 0 MB" in await page.inner_text("#broken")
    await choose(page, "many.zip", many(100))
    assert "there are more than 20 games" in await page.inner_text("#broken")
    assert 20 <= await page.locator("#fine .log").count() < 40
    await context.close()


@visits
async def test_a_folder_is_checked(running: Running, served: str, tmp_path: Path):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    (tmp_path / "round" / "one").mkdir(parents=True)
    for name, text in {"round/a.tiro": LEGAL, "round/one/b.tiro": LEGAL, "round/notes.txt": "x"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    await page.set_input_files("#folder", tmp_path / "round")
    await page.wait_for_selector("html[data-checked]")
    assert await page.inner_text("#totals") == "2 legal"
    assert sorted(await page.locator("#fine .log bdi").all_text_contents()) == ["round/a.tiro", "round/one/b.tiro"]
    assert (await page.inner_text(".trouble")).endswith("are read): round/notes.txt")
    await context.close()


@visits
async def test_the_page_of_a_game_is_checked_as_its_record(running: Running, served: str):
    context, visit = await window(running, served)
    page = await opened(visit, served)
    await choose(page, "game.html", page_of(parse(LEGAL)[0]).encode())
    assert await page.inner_text("#totals") == "1 legal"
    assert await page.locator("#fine .log bdi").all_text_contents() == ["game.html/record-in-page.tiro"]
    await choose(page, "other.html", b"<!doctype html><title>x</title>")
    assert "N101" in await page.locator("#broken").inner_text()
    await context.close()
