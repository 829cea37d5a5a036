"""Nothing that was shown as taken is lost: whatever fails, and however often the browser is killed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from browser import ARGUMENTS, PATIENCE, Running, chromium, visits
from desk_server import KEY, Handler, offline_site
from playwright.async_api import BrowserType, Page, Route
from playwright.async_api import Error as PlaywrightError
from scale import scaled
from test_desk_browser import OPENING, RECORDED, SIZES, TURN, Visit, window
from tironian.tools.desk.desk import VERSION

pytestmark = [pytest.mark.slow, pytest.mark.process]

KEPT = """
new Promise((resolve) => {
  window.isHonest = true;
  indexedDB.open("tironian-desk").onsuccess = ({ target }) => {
    const asked = target.result.transaction("taps").objectStore("taps").getAll();
    asked.onsuccess = () => {
      target.result.close();
      window.isHonest = false;
      resolve(asked.result.map(({ tap }) => tap));
    };
  };
})
"""
"""All taps that the browser has, read past the desk."""
SILENT = "postMessage({ ready: true }); onmessage = () => {};"
"""A worker that says that it is ready, and never answers."""
WORKERS = {
    "never ready": "onmessage = () => {};", "silent": SILENT, "does not load": "postMessage({ failed: 'no' });",
    "is no program": "(", "crashes": "postMessage({ ready: true }); onmessage = () => { throw new Error('gone'); };",
}  # fmt: skip


async def trouble(page: Page) -> str:
    return "\n".join(await page.locator(".trouble:visible").all_inner_texts())


@pytest.mark.parametrize("fault", [*WORKERS][:: scaled(2, 1)])
@visits
async def test_a_worker_that_fails_is_started_anew_from_the_journal(running: Running, offline: str, fault: str):
    context, visit = await window(running, offline, service_workers="block")
    started: list[str] = []

    async def bad_at_first(route: Route) -> None:
        started.append(route.request.url)
        if len(started) > 1:
            await route.continue_()
        else:
            await route.fulfill(body=WORKERS[fault], content_type="text/javascript")

    await context.route("**/worker.js", bad_at_first)
    await visit.page.clock.install()
    await visit.begin(offline)
    await visit.tap(*OPENING)
    if len(started) == 1:
        assert await visit.page.locator("#taps > *").count() == len(OPENING)
        await visit.page.clock.fast_forward(121_000)
    assert await visit.read() == RECORDED[:1]
    assert len(started) == 2
    assert await visit.page.locator("#taps > *").count() == 0
    assert not await trouble(visit.page)
    await context.close()


@visits
async def test_a_worker_that_is_killed_in_mid_game_is_started_anew(running: Running, offline: str):
    context, visit = await window(running, offline)
    await context.add_init_script("""
      const Real = Worker;
      window.Worker = class extends Real { constructor(...given) { super(...given); window.python = this; } };
    """)
    await visit.page.clock.install()
    await visit.begin(offline)
    await visit.tap(*OPENING)
    assert await visit.read() == RECORDED[:1]
    await visit.page.evaluate("window.python.terminate()")
    await visit.tap(*TURN[:2])
    await visit.page.clock.fast_forward(1_500)  # it seems slow: anything can be tapped
    await visit.tap(*TURN[2:])
    await visit.page.clock.fast_forward(31_000)
    assert await visit.read() == RECORDED
    await context.close()


@visits
async def test_a_later_start_begins_with_the_memory_of_the_first(running: Running, offline: str):
    context, visit = await window(running, offline)
    await visit.begin(offline)
    await visit.tap(*OPENING)
    assert await visit.read() == RECORDED[:1]
    assert not visit.complaints
    await context.close()


DAMAGED = {
    "empty": "memory.slice(0, 0)", "cut off": "memory.slice(0, memory.length / 2)", "something else": "memory.fill(1)",
    "overwritten": "memory.fill(0xff, memory.length / 4)", "cleared": "memory.fill(0, memory.length / 4)",
}  # fmt: skip
"""What may have become of the memory that Python begins with."""


@pytest.mark.parametrize("damage", [*DAMAGED][:: scaled(3, 1)])
@visits
async def test_python_starts_whatever_has_become_of_its_memory(running: Running, offline: str, damage: str):
    context, visit = await window(running, offline)
    await visit.page.evaluate(f"""caches.open("tironian-python").then(async (memories) => {{
      const [key] = await memories.keys();
      const memory = new Uint8Array(await (await memories.match(key)).arrayBuffer());
      await memories.put(key, new Response({DAMAGED[damage]}));
    }})""")
    await visit.page.clock.install()
    await visit.begin(offline)
    await visit.tap(*OPENING)
    assert await visit.read() == RECORDED[:1]
    assert not await trouble(visit.page)
    await context.close()


# ------------------------------------------------------------------------------------------------------- the store

FAILING = """
sessionStorage.calls ??= 0;
for (const [kind, name] of [[IDBFactory, "open"], [IDBDatabase, "transaction"],
                            ...["add", "get", "getAll", "count"].map((each) => [IDBObjectStore, each])]) {
  const real = kind.prototype[name];
  kind.prototype[name] = function (...given) {
    if (window.isHonest || Number(sessionStorage.calls++) !== FAILS) return real.apply(this, given);
    if (HOW === "throws" || kind !== IDBObjectStore) throw new DOMException("it fails", "UnknownError");
    const asked = real.apply(this, given);
    if (HOW === "refused") this.transaction.abort();
    else asked.addEventListener("success", () => asked.transaction.abort());
    return asked;
  };
}
"""
"""One call of the store fails: at once, when it is carried out, or when all of it is to be written to disk."""


@pytest.mark.parametrize("how", ["throws", "refused", "not written"][scaled(2, 0) :])
@visits
async def test_each_call_of_the_store_fails_once(running: Running, offline: str, how: str):
    number, wanted = 0, OPENING[: scaled(1, 6)]
    while True:
        context, visit = await window(running, service_workers="block")
        await context.route("**/worker.js", lambda route: route.fulfill(body=SILENT, content_type="text/javascript"))
        await context.add_init_script(FAILING.replace("FAILS", str(number)).replace("HOW", json.dumps(how)))
        complaints = await recorded_all_the_same(visit.page, offline, wanted)
        calls = int(await visit.page.evaluate("sessionStorage.calls"))
        await context.close()
        if calls <= number:
            assert not complaints
            return
        assert len(complaints) == 1, (number, complaints)
        number += scaled(3, 1)


async def recorded_all_the_same(page: Page, address: str, wanted: list[dict[str, Any]]) -> list[str]:
    """Record some taps, and load the page in the middle of them; return what the page complained of."""
    complaints: list[str] = []

    async def reached(selector: str) -> bool:
        """Return whether it went on; where not, the page says so, and then it does go on."""
        await page.wait_for_selector(f"{selector}, .trouble:visible" if not complaints else selector)
        if (said := await trouble(page)) and not complaints:
            complaints.append(said)
        return await page.locator(selector).count() > 0

    async def loaded(selector: str) -> None:
        while not await reached(selector):
            await page.reload()

    begun = "#desk[data-taken]:visible"
    await page.goto(address)
    await loaded("#begin[data-games]:visible")
    await page.tap("#start .main:visible")
    if not await reached(begun):
        await (page.reload() if "game=" in page.url else page.tap("#start .main:visible"))
    await loaded(begun)
    for taken, tap in enumerate(wanted):
        if taken == len(wanted) - 1:
            await page.reload()
            await loaded(begun)
        button = f"[data-tap='{json.dumps(tap, separators=(',', ':'))}']:enabled"
        await page.tap(button)
        if not await reached(f"#desk[data-taken='{taken + 1}']"):
            assert await page.get_attribute("#desk", "data-taken") == str(taken)
            await page.tap(button)
            await page.wait_for_selector(f"#desk[data-taken='{taken + 1}']")
        assert not await trouble(page)
        assert await page.evaluate(KEPT) == wanted[: taken + 1]
    return complaints


@visits
async def test_what_the_browser_has_lost_is_written_again_with_the_next_tap(running: Running, offline: str):
    context, visit = await window(running, offline)
    await visit.begin(offline)
    await visit.tap(*OPENING)
    # Chromium drops the whole store where its disk was full, and so does anybody who clears the data of the site.
    await visit.page.evaluate(
        "new Promise((resolve) => { indexedDB.deleteDatabase('tironian-desk').onsuccess = () => resolve(1); })"
    )
    await visit.tap(*TURN)
    assert await visit.page.evaluate(KEPT) == [*OPENING, *TURN]
    await visit.page.reload()
    assert await visit.read() == RECORDED
    assert await visit.page.text_content(".side-0 .person") == "Livia"
    await context.close()


FULL = """() => {
  for (let size = 1 << 22; size; size >>= 1) {
    for (let number = 0; number < 3; number += 1) {
      try { localStorage.setItem(`x ${size} ${number}`, "x".repeat(size)); } catch { }
    }
  }
}"""
"""Fills the place of the second copies, so that not even a letter more finds room."""


@visits
async def test_a_game_that_the_browser_has_lost_comes_back_from_its_second_copy(running: Running, offline: str):
    context, visit = await window(running, offline)
    await visit.begin(offline)
    await visit.tap(*OPENING)
    address = visit.page.url
    for place in (offline, address):
        await visit.page.goto(f"{offline}icon.svg")
        await visit.page.evaluate(
            "new Promise((resolve) => { indexedDB.deleteDatabase('tironian-desk').onsuccess = () => resolve(1); })"
        )
        await visit.page.goto(place)
        if place == offline:
            await visit.page.wait_for_selector("#kept li:has-text('Livia')")
        else:
            assert await visit.read() == RECORDED[:1]
        assert await visit.page.evaluate(KEPT) == OPENING
    await visit.page.evaluate(FULL)
    await visit.tap(*TURN)
    assert await visit.read() == RECORDED
    await context.close()


# ----------------------------------------------------------------------------------------------- versions of the site

NEWER = {
    "desk": VERSION + 1,
    "start": {"rules": "2031", "view": "everybody", "names": ["Livia"]},
    "taps": [*OPENING, {"tap": "drum", "beats": [1, 2]}, None],
    "seal": {"of": "a later desk"},
}


@visits
async def test_the_journal_of_a_newer_desk_is_kept_and_marked(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await page.goto(served)
    for journal in NEWER, {**NEWER, "start": {"rules": "2024", "view": "table", "headers": {"Caesar": "Livia"}}}:
        file = {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(journal).encode()}
        await page.set_input_files("#journal", files=[file])
        await page.wait_for_selector("#desk .trouble:has-text('with a newer version')")
        await page.wait_for_selector(f"#desk[data-read='{len(NEWER['taps'])}']")
        assert await page.locator("[data-tap]:enabled").count() == 0
        await page.tap("#more")
        async with page.expect_download() as saved:
            await page.tap("#save-journal")
        assert json.loads(Path(await (await saved.value).path()).read_text(encoding="utf-8")) == journal
        known = (await page.text_content("#record pre") or "").splitlines()
        assert (RECORDED[0] in known) == (journal is not NEWER)
        await page.goto(served)
        await page.wait_for_selector("#kept li >> nth=0 >> text=from a newer version")
    assert await page.locator("#kept li").count() == 2
    assert not visit.complaints
    await context.close()


@visits
async def test_games_that_a_newer_desk_keeps_are_left_alone(running: Running, offline: str):
    context, visit = await window(running, offline)
    await visit.begin(offline)
    await visit.tap(*OPENING[:2])
    await visit.page.wait_for_selector("#desk[data-read='2']")  # what is enabled now stays so
    # A newer desk does it in another tab. For the store that is the same; a tab behind another may get no taps.
    await visit.page.evaluate(
        "new Promise((resolve) => { indexedDB.open('tironian-desk', 9).onsuccess = resolve; }).then(() => 1)"
    )
    await visit.page.tap("[data-tap]:enabled")
    await visit.page.wait_for_selector("#desk .trouble:has-text('newer version')")
    assert await visit.page.get_attribute("#desk", "data-taken") == "2"
    await visit.page.goto(offline)
    await visit.page.wait_for_selector("#begin .trouble:has-text('newer version')")
    assert await visit.page.evaluate(KEPT) == OPENING[:2]
    await context.close()


@visits
async def test_a_game_goes_on_when_the_site_is_updated(running: Running, site: Path, tmp_path: Path):
    newer = tmp_path / "newer"
    shutil.copytree(site, newer)
    for name, old, new in (
        ("game.js", "let taps = [];", "let taps = []; window.isNewer = 1;"),
        ("sw.js", '"version":"', '"version":"n'),
    ):
        text = (site / name).read_text(encoding="utf-8")
        assert old in text
        (newer / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        later = (site / name).stat().st_mtime + 1  # the server knows a newer file by its second
        os.utime(newer / name, (later, later))
    offline = tmp_path / "offline"
    offline.symlink_to(site)
    with offline_site(offline, Handler) as address:
        context, visit = await window(running)
        await visit.begin(address)
        await visit.tap(*OPENING)
        assert await visit.read() == RECORDED[:1]
        page = visit.page
        await page.evaluate("navigator.serviceWorker.ready.then((found) => found.active.state)")
        offline.unlink()
        offline.symlink_to(newer)
        await page.evaluate("""navigator.serviceWorker.ready.then((found) => found.update()).then((found) =>
          new Promise((resolve) => {
            const worker = found.installing ?? found.waiting;
            const look = () => worker.state === "installed" && resolve(1);
            worker.onstatechange = look;
            look();
          }))""")
        await page.reload()  # the page of the old site is still in use, or has just been: its game goes on
        await visit.tap(*TURN[:2])
        address = page.url
        waiting = context.service_workers[-1]
        await page.close()
        # A page that is opened before the new worker is at work can hang, though only under a debugger.
        await waiting.evaluate("""new Promise((resolve) => {
          const look = () => serviceWorker.state === "activated" && resolve(1);
          serviceWorker.onstatechange = look;
          look();
        })""")
        other = Visit(await context.new_page())
        await other.page.goto(address)
        assert await other.page.evaluate("window.isNewer")
        await other.tap(*TURN[2:])
        assert await other.read() == RECORDED
        await context.close()


# ------------------------------------------------------------------------------------------------- a killed browser

MOMENTS = ("tapped", "asked", "written", "shown")
"""When a browser is killed: at a touch, when the store is asked to keep it, once it says so, once the page shows it."""
WATCHED = """
const tell = (moment, what) => window.told(moment, what);
addEventListener("click", ({ target }) => {
  const made = target.closest("[data-tap]:enabled");
  if (made) tell("tapped", JSON.parse(made.dataset.tap));
}, { capture: true });
const add = IDBObjectStore.prototype.add;
IDBObjectStore.prototype.add = function (value) {
  tell("asked", null);
  this.transaction.addEventListener("complete", () => tell("written", null));
  return add.call(this, value);
};
const desk = document.querySelector("#desk");
const shown = () => tell("shown", Number(desk.dataset.taken));
new MutationObserver(shown).observe(desk, { attributeFilter: ["data-taken"] });
"""
OPEN = """
() => [...document.querySelectorAll("#offers [data-tap]:enabled, .groups .take:enabled")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}).filter(([x, y]) => x > 0 && y > 0 && y < innerHeight)
"""
"""Where a finger can touch something."""


class Life:
    """What a browser told until it was killed: the taps that it was given, and how many it showed as taken."""

    def __init__(self, profile: Path, moment: str, times: int) -> None:
        self.profile = profile
        self.moment = moment
        self.left = times
        self.tapped: list[Any] = []
        self.shown = 0

    def hear(self, moment: str, what: Any) -> None:
        if moment == "tapped":
            self.tapped.append(what)
        elif moment == "shown":
            self.shown = max(self.shown, what)
        self.left -= moment == self.moment
        if not self.left:
            os.kill(self.process, signal.SIGKILL)

    @property
    def process(self) -> int:
        """The browser: of the processes with this profile the one that is no part of another."""
        for place in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                command = place.read_bytes().split(b"\0")
                if f"--user-data-dir={self.profile}".encode() in command and not any(
                    word.startswith(b"--type=") for word in command
                ):
                    return int(place.parent.name)
        raise ProcessLookupError(self.profile)

    async def live(self, kind: BrowserType, address: str, chance: random.Random) -> tuple[str, list[Any]]:
        """Take up a game, or begin one, and tap until the browser is killed; return where the game is, and which taps
        were kept at first."""
        width, height = SIZES["tablet"]
        context = await kind.launch_persistent_context(
            self.profile,
            executable_path=chromium(),
            args=ARGUMENTS,
            viewport={"width": width, "height": height},
            has_touch=True,
        )
        context.set_default_timeout(PATIENCE)
        gone = asyncio.Event()
        context.on("close", lambda _: gone.set())
        visit = Visit(context.pages[0])
        if "game=" in address:
            await visit.page.goto(address)
        else:
            await visit.begin(address)
            address = visit.page.url
        await visit.taken()
        kept = await visit.page.evaluate(KEPT)
        await context.expose_function("told", self.hear)
        await visit.page.evaluate(WATCHED)
        with suppress(PlaywrightError):
            while True:
                for x, y in chance.choices(await visit.page.evaluate(OPEN), k=2):
                    await visit.page.touchscreen.tap(x, y)
        await gone.wait()
        return address, kept


@pytest.mark.parametrize("seed", range(scaled(1, 20)))
@visits
async def test_a_browser_may_be_killed_at_any_moment(running: Running, served: str, tmp_path: Path, seed: int):
    chance, address = random.Random(seed), f"{served}#key={KEY}"
    tapped: list[Any] = []
    shown = 0
    for number in range(scaled(4, 10) + 1):
        life = Life(tmp_path / "profile", MOMENTS[number % len(MOMENTS)], chance.randint(1, 8))
        address, kept = await life.live(running.browser.browser_type, address, chance)
        # All that was shown as taken is there, and nothing but what was tapped, in its order.
        assert len(kept) >= shown
        assert all(one == other for one, other in zip(kept, tapped, strict=False))
        tapped, shown = [*kept, *life.tapped], max(life.shown, len(kept))
    assert shown
