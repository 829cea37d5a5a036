"""A game is kept in two places: where either is damaged, nothing is lost or hidden, and the true reason is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser import Running, visits
from test_desk_browser import OPENING, SIZES, TURN, window

pytestmark = [pytest.mark.slow, pytest.mark.process]

START = {"rules": "2024", "view": "table", "headers": {"Caesar": "Livia"}}
ROW = {"id": "g", "desk": 1, "start": START, "more": {}, "begun": 5}
TEN = [*OPENING, *TURN[:4]]
OTHER = [OPENING[2], OPENING[3], *OPENING[:2]]
HUGE = {"tap": "text", "text": "x" * 5_000_000}
PUT = """
async ([game, taps, copy]) => {
  localStorage.clear();
  const asked = indexedDB.open("tironian-desk", 2);
  await new Promise((resolve) => { asked.onsuccess = resolve; });
  const transaction = asked.result.transaction(["games", "taps"], "readwrite");
  for (const name of ["games", "taps"]) transaction.objectStore(name).clear();
  if (game) transaction.objectStore("games").put(game);
  for (const row of taps) transaction.objectStore("taps").put({ game: "g", when: 1, ...row });
  await new Promise((resolve) => { transaction.oncomplete = resolve; });
  asked.result.close();
  if (copy !== null) localStorage.setItem("tironian-desk g", copy);
}
"""
ASK = """
async ([extra, known]) => {
  const { store } = await import("./store.js");
  const games = (await store.games()).map(({ id }) => id);
  const journal = await store.journal("g");
  const rest = await store.games();
  const others = await Promise.all(rest.filter(({ id }) => id !== "g").map(({ id }) => store.journal(id)));
  const told = [...store.told];
  const damaged = JSON.parse(JSON.stringify(store.damaged));
  if (journal) await store.keep("g", { ...journal, taps: [...journal.taps, extra] }, journal.taps.length);
  const after = journal && (await store.journal("g")).taps;
  store.told.clear();
  return { games, journal, others: others.map(({ taps }) => taps), told, damaged, after };
}
"""
LAST = {"tap": "undo"}


def rows(taps: list[Any], *left_out: int) -> list[dict[str, Any]]:
    return [{"at": at, "tap": tap} for at, tap in enumerate(taps) if at not in left_out]


def copy(taps: list[Any], **more: Any) -> str:
    return json.dumps({"desk": 1, "start": START, "taps": taps, **more})


GAP = [TEN[0], None, *TEN[2:]]
CASES: dict[str, tuple[Any, list[Any], str | None, list[Any] | None, set[str]]] = {
    "both alike": (ROW, rows(TEN), copy(TEN), TEN, set()),
    "the copy is longer": (ROW, rows(TEN[:5]), copy(TEN), TEN, {"restored"}),
    "the copy is shorter": (ROW, rows(TEN), copy(TEN[:5]), TEN, set()),
    "no copy": (ROW, rows(TEN), None, TEN, set()),
    "no game": (None, [], copy(TEN), TEN, {"restored"}),
    "no game, but taps": (None, rows(TEN[:3]), copy(TEN), TEN, {"restored"}),
    "only taps": (None, rows(TEN), None, None, set()),
    "the copy is cut off": (ROW, rows(TEN), copy(TEN)[:99], TEN, set()),
    "only a copy, cut off": (None, [], copy(TEN)[:99], None, set()),
    "the copy has no taps": (ROW, rows(TEN), '{"desk": 1, "start": {}}', TEN, set()),
    "they contradict each other": (ROW, rows(TEN), copy(OTHER), TEN, {"two_copies"}),
    "the longer contradicts": (ROW, rows(TEN[:5]), copy([*OTHER, *TEN]), TEN[:5], {"two_copies"}),
    "a row without start": ({**ROW, "start": None}, rows(TEN), None, None, set()),
    "a row without start, and a copy": ({"id": "g"}, rows(TEN[:5]), copy(TEN), TEN, {"restored"}),
    "a start that is a text": ({**ROW, "start": "x"}, rows(TEN), None, None, set()),
    "no version": ({**ROW, "desk": "1"}, rows(TEN), None, None, set()),
    "not begun": ({"id": "g", "desk": 1, "start": START}, rows(TEN), None, TEN, set()),
    **{f"no tap {at}": (ROW, rows(TEN, at), copy(TEN), TEN, {"restored"}) for at in range(10)},
    "no tap 1 anywhere": (ROW, rows(TEN, 1), None, GAP, {"gap"}),
    "no tap 1, and a shorter copy": (ROW, rows(TEN, 1), copy(TEN[:1]), GAP, {"gap"}),
    "a tap that is nothing": (ROW, [*rows(TEN, 1), {"at": 1}], None, GAP, {"gap", "damaged_taps"}),
    "a place that is a text": (ROW, [*rows(TEN), {"at": "x", "tap": LAST}], None, TEN, {"damaged_taps"}),
    "a place between two": (ROW, [*rows(TEN), {"at": 1.5, "tap": LAST}], None, TEN, {"damaged_taps"}),
    "a place after them": (ROW, [*rows(TEN), {"at": 10**9, "tap": LAST}], None, TEN, {"damaged_taps"}),
    "a place before them": (ROW, [*rows(TEN), {"at": -1, "tap": LAST}], None, TEN, {"damaged_taps"}),
    "a tap of another kind": (ROW, [*rows(TEN, 1), {"at": 1, "tap": 7}], None, [TEN[0], 7, *TEN[2:]], set()),
    "a huge tap": (ROW, rows([*TEN, HUGE]), None, [*TEN, HUGE], set()),
}


@visits
async def test_of_two_damaged_copies_all_that_is_left_is_kept(running: Running, served: str):
    context, visit = await window(running)
    await visit.page.goto(served)
    await visit.page.wait_for_selector("#begin[data-games]")
    for name, (game, taps, second, expected, told) in CASES.items():
        await visit.page.evaluate(PUT, [game, taps, second])
        found = await visit.page.evaluate(ASK, [LAST, 0])
        assert (found["journal"] or {}).get("taps") == expected, name
        assert set(found["told"]) == told, name
        assert bool(found["damaged"]) == (expected is None), name
        if expected is None:
            left = json.dumps(found["damaged"][0])
            assert all(json.dumps(row["tap"]) in left for row in taps), name
        else:
            assert found["games"] == ["g"] or "two_copies" in told, name
            assert found["after"] == [*expected, LAST], name
        assert found["others"] == ([json.loads(second or "")["taps"]] if "two_copies" in told else []), name
    assert not visit.complaints
    await context.close()


@visits
async def test_a_damaged_game_is_named_and_offered_as_a_file_beside_the_others(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await page.goto(served)
    await page.wait_for_selector("#begin[data-games]")
    await page.evaluate(PUT, [{"id": "g"}, rows(TEN), None])
    await page.evaluate(
        "import('./store.js').then(({ store }) => store.keep('whole', arguments[0], 0))".replace(
            "arguments[0]", copy(TEN)
        )
    )
    await page.reload()
    await page.wait_for_selector("#kept li:has-text('Livia')")
    async with page.expect_download() as saved:
        await page.tap("#kept li:has-text('Damaged') button")
    text = Path(await (await saved.value).path()).read_text(encoding="utf-8")
    assert [row["tap"] for row in json.loads(text)["rows"][1]] == TEN
    assert "free some space" not in await page.inner_text("body")
    # A journal that Python can't take in offers nothing, and can still be saved.
    await page.evaluate(PUT, [ROW, rows([*TEN, HUGE]), None])
    await page.goto(f"{served}?game=g")
    await page.wait_for_selector("#desk .trouble:has-text('This game can’t be read')")
    assert await page.locator("[data-tap]:enabled").locator("visible=true").count() == 0
    await page.tap("#more")
    async with page.expect_download() as saved:
        await page.tap("#save-journal")
    assert json.loads(Path(await (await saved.value).path()).read_text(encoding="utf-8"))["taps"] == [*TEN, HUGE]
    assert not visit.complaints
    await context.close()


HELD = """
const request = LockManager.prototype.request;
LockManager.prototype.request = function (...args) {
  return new Promise((resolve, reject) => {
    globalThis.letGo = () => request.apply(this, args).then(resolve, reject);
  });
};
"""


@visits
async def test_a_lock_that_comes_late_allows_no_taps_where_the_journal_cant_be_read(running: Running, served: str):
    context, visit = await window(running, served)
    page = visit.page
    await page.goto(served)
    await page.wait_for_selector("#begin[data-games]")
    await page.evaluate(PUT, [ROW, rows([*TEN, HUGE]), None])
    await context.add_init_script(HELD)
    asked: list[str] = []
    page.on("request", lambda said: asked.append(said.post_data or ""))
    async with page.expect_response(lambda said: "x-tiro-proof" in said.request.headers):
        await page.goto(f"{served}?game=g")
    await page.wait_for_function("Boolean(globalThis.letGo)")
    # Python is there. What the page asks it without the lock is asked by now, and its answer is waited for.
    await page.evaluate("async () => { for (let n = 0; n < 20; n += 1) await new Promise((go) => setTimeout(go)); }")
    if any('"ask":"open"' in each for each in asked):
        await page.wait_for_selector("#desk .trouble:not([hidden])", state="attached")
    await page.evaluate("void letGo()")
    await page.wait_for_selector("#desk .trouble:has-text('This game can’t be read')")
    assert await page.locator("[data-tap]:enabled").locator("visible=true").count() == 0
    await context.close()


@visits
@pytest.mark.parametrize("step", [-1800, 1800])
async def test_a_step_of_the_clock_of_the_system_is_said_and_moves_no_clock(running: Running, served: str, step: int):
    width, height = SIZES["phone"]
    context, visit = await window(running, served, viewport={"width": width, "height": height})
    page = visit.page
    await page.clock.install()
    await page.goto(served)
    await page.tap("#start summary")
    await page.fill("input[name=TimeControl]", "600+5")
    await page.tap("#start .main:visible")
    await visit.read()
    await page.tap("#more")
    await visit.tap({"tap": "choice", "choice": "/clock start"})
    await visit.read()
    await page.evaluate("(step) => { const real = Date.now.bind(Date); Date.now = () => real() + step * 1000; }", step)
    await page.clock.run_for(61_000)
    assert "▼ 0:08:5" in (await page.text_content("#clocks") or "")
    await visit.tap(*OPENING)
    (turn,) = await visit.read()
    assert " @0:09:0" in turn
    assert "was changed" in await page.inner_text("#desk .trouble")
    await context.close()
