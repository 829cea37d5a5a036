"""The page on which a table of a club is recorded: in a browser, with and without a connection, by several devices."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from browser import PATIENCE, Running, visits
from imports import ROOT
from playwright.async_api import BrowserContext, Page
from test_club_server import OWN, act, send, served, tables, taps
from tironian.tools.event.plan import read_plan

pytestmark = [pytest.mark.slow, pytest.mark.process]


def card(of: str, letter: str, face: str = "up") -> dict[str, Any]:
    return {"tap": "card", "of": of, "card": letter, "face": face}


def group(letter: str) -> dict[str, Any]:
    return {"tap": "group", "group": letter}


def bust(letter: str) -> dict[str, Any]:
    return {"tap": "bust", "bust": letter}


END, DRAW = ({"tap": "choice", "choice": choice} for choice in ("end", "draw"))
OPENING = [card("E", "1"), group("C"), card("E", "i", "down"), group("A"), card("E", "a"), card("E", "i")]
TURN = [card("R", "4"), group("P"), bust("C"), card("R", "1"), card("E", "1"), card("R", "i")]
BY_FORM = [
    card("R", "4"),
    group("P"),
    bust("C"),
    card("R", "1"),
    card("E", "1"),
    card("E", "1"),
    DRAW,
    card("R", "i"),
    END,
]
RECORDED = ["1E 1C (i)A +ai", "1R 4P =C1:11>E +i"]


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """An event whose last round has not been played."""
    folder = Path(copytree(ROOT / "examples/event", tmp_path / "open"))
    for path in (folder / "round3").iterdir():
        path.unlink()
    return folder


@pytest.fixture
def club(event: Path) -> Iterator[str]:
    with served(event) as address:
        yield address


class Table:
    """A device at a table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def begin(self, club: str, key: str, who: str = "table") -> None:
        await self.page.goto(f"{club}/table/#ask={key}")
        await self.page.wait_for_selector("#start", state="visible")
        await self.page.check(f"#start [name=view][value={who}]")
        await self.page.tap("#start .main")
        await self.page.wait_for_selector("#desk", state="visible")

    async def tap(self, *taps: dict[str, Any]) -> None:
        """Tap things, each once the one before is kept."""
        for each in taps:
            taken = await self.taken()
            if each["tap"] == "card":
                await self.page.wait_for_selector(f"[data-hand={each['of']}]:enabled")
                if await self.page.get_attribute(f"[data-hand={each['of']}]", "aria-pressed") == "false":
                    await self.page.tap(f"[data-hand={each['of']}]")
            await self.page.tap(f"[data-tap='{json.dumps(each, separators=(',', ':'))}']:enabled")
            await self.page.wait_for_selector(f"#desk:not([data-taken='{taken}'])")

    async def taken(self) -> int:
        await self.page.wait_for_selector("#desk[data-taken]")
        return int(await self.page.get_attribute("#desk", "data-taken") or 0)

    async def all_sent(self) -> list[str]:
        """The turns of the record, once all taps are at the server's and read."""
        await self.page.wait_for_selector("#desk[data-waits='0'] .board:not(.unknown)", state="attached")
        text = await self.page.text_content("#record pre") or ""
        return [line for line in text.splitlines() if line[:1].isdigit() and not line.startswith("0")]


async def device(running: Running, **options: Any) -> tuple[BrowserContext, Table]:
    context = await running.browser.new_context(
        **{"viewport": {"width": 390, "height": 844}, "has_touch": True, **options}
    )
    context.set_default_timeout(PATIENCE)
    return context, Table(await context.new_page())


def key_of(place: int) -> str:
    """The key of a game of the last round."""
    plan = read_plan((ROOT / "examples/event/event.toml").read_text(encoding="utf-8"))
    rounds = [each.round for each in plan.pairings if each.kind == "game"]
    return tables("")[rounds.index(3) + place]


def record(club: str, event: Path, table: int = 1) -> str:
    """The record of a table in the folder, once somebody has looked at the event."""
    send(club, "/")
    place = event / f"round3/table{table}.tiro"
    return place.read_text(encoding="utf-8") if place.exists() else ""


@visits
async def test_a_game_reaches_the_event_from_a_phone_without_a_file(running: Running, club: str, event: Path):
    context, table = await device(running)
    await table.begin(club, key_of(0))
    assert "ask=" not in table.page.url
    await table.tap(*OPENING)
    assert await table.all_sent() == RECORDED[:1]
    assert RECORDED[0] in record(club, event).splitlines()
    await table.page.reload()
    await table.tap(*TURN)
    assert await table.all_sent() == RECORDED
    assert f"{RECORDED[0]}\n{RECORDED[1]}\n" in record(club, event)
    assert '[Caesar "Livia"]' in record(club, event)
    await context.close()


@visits
async def test_a_table_goes_on_by_form_without_a_network_and_all_arrives(running: Running, club: str, event: Path):
    context, table = await device(running, service_workers="block")
    await table.begin(club, key_of(0))
    await table.tap(*OPENING)
    assert await table.all_sent() == RECORDED[:1]
    await context.set_offline(True)
    await table.tap(BY_FORM[0])
    await table.page.wait_for_selector("#prompt:has-text('No connection')")
    await table.tap(*BY_FORM[1:])
    assert "not yet" in await table.page.inner_text("#sent")
    assert RECORDED[1] not in record(club, event)
    await context.set_offline(False)
    assert await table.all_sent() == RECORDED
    assert f"{RECORDED[0]}\n{RECORDED[1]}\n" in record(club, event)
    assert "tournament" not in record(club, event)
    await context.close()


@visits
async def test_what_did_not_fit_is_shown_on_return_and_corrected(running: Running, club: str, event: Path):
    context, table = await device(running, service_workers="block")
    await table.begin(club, key_of(0))
    await table.tap(*OPENING)
    await table.all_sent()
    await context.set_offline(True)
    await table.tap(BY_FORM[0])
    await table.page.wait_for_selector("#prompt:has-text('No connection')")
    await table.tap(*[tap for tap in BY_FORM[1:] if tap != card("E", "1")])
    await context.set_offline(False)
    await table.page.wait_for_selector("#refusal:has-text('1R: Cleopatra showed')")
    assert "1R 4P =C1: +i" in record(club, event), "nothing is lost"
    await table.page.tap("#refusal button:has-text('Correct 1R')")
    assert await table.page.input_value("#text") == "/edit 1R 4P =C1: +i"
    await table.page.fill("#text", "/edit 1R 4P =C1:11 +i")
    await table.page.press("#text", "Enter")
    assert await table.all_sent() == RECORDED
    await context.close()


@visits
async def test_another_device_waits_and_is_a_second_sheet(running: Running, club: str, event: Path):
    one, first = await device(running)
    await first.begin(club, key_of(0))
    await first.tap(*OPENING)
    await first.all_sent()
    two, second = await device(running, color_scheme="dark")
    await second.page.goto(f"{club}/table/#ask={key_of(0)}")
    await second.page.wait_for_selector("#told:has-text('Ask the organiser to admit this one')")
    assert await second.page.is_hidden("#start")
    assert act(club, "admit", "2").status == 200
    await second.page.wait_for_selector("#start", state="visible")
    await second.page.tap("#start .main")
    await second.tap(OPENING[0])
    await second.page.wait_for_selector("#desk[data-waits='0']")
    assert RECORDED[0] in record(club, event), "the first sheet stays as it is"
    assert "1E 1C" not in (event / "round3/table1-device2.tiro").read_text(encoding="utf-8")
    assert act(club, "revoke", "2").status == 200
    await second.tap(OPENING[1])
    await second.page.wait_for_selector(".trouble:has-text('waits for the organiser'):visible")
    await one.close()
    await two.close()


@visits
async def test_a_device_whose_store_is_gone_goes_on_from_the_server(running: Running, club: str):
    context, table = await device(running, service_workers="block")
    await table.begin(club, key_of(0))
    await table.tap(*OPENING)
    await table.all_sent()
    await table.page.goto("about:blank")
    page = await context.new_page()
    await page.goto(f"{club}/table/icon.svg")
    await page.evaluate(
        """() => new Promise((resolve) => {
          const copies = Object.keys(localStorage).filter((name) => name.startsWith("tironian-desk "));
          for (const name of copies) localStorage.removeItem(name);
          indexedDB.deleteDatabase("tironian-desk").onsuccess = resolve;
        })"""
    )
    again = Table(page)
    await page.goto(f"{club}/table/")
    assert await again.all_sent() == RECORDED[:1]
    await again.tap(*TURN)
    assert await again.all_sent() == RECORDED
    await context.close()


@visits
async def test_the_server_is_started_again_in_the_middle_of_a_game(running: Running, event: Path):
    context, table = await device(running, service_workers="block")
    with served(event) as club:
        await table.begin(club, key_of(0))
        await table.tap(*OPENING)
        await table.all_sent()
    await table.tap(BY_FORM[0])
    await table.page.wait_for_selector("#prompt:has-text('No connection')")
    await table.tap(*BY_FORM[1:])
    with served(event, port=int(club.rpartition(":")[2])) as club:
        assert await table.all_sent() == RECORDED
        assert RECORDED[1] in record(club, event)
    await context.close()


@visits
async def test_a_copy_that_contradicts_becomes_a_sheet_of_its_own(running: Running, club: str, event: Path):
    """Two windows of a browser that can't lock, as over plain http: both have the token, and go apart."""
    context, table = await device(running, service_workers="block")
    await table.begin(club, key_of(0))
    await table.tap(OPENING[0])
    await table.page.wait_for_selector("#desk[data-waits='0']")
    token = json.loads(await table.page.evaluate(f"localStorage['tironian-device {key_of(0)}']"))["token"]
    assert taps(club, token, 1, [{"tap": "undo"}]).text == '{"kept":2}'
    await table.tap(OPENING[1])
    await table.page.wait_for_selector(".trouble:has-text('second sheet'):visible")
    assert act(club, "admit", "2").status == 200
    await table.page.wait_for_selector("#desk[data-waits='0']")
    assert "1C" in (await table.page.text_content("#turn") or "")
    record(club, event)
    assert "1E 1C" in (event / "round3/table1-device2.tiro").read_text(encoding="utf-8")
    await context.close()


@visits
async def test_a_player_records_in_tournament_mode(running: Running, club: str, event: Path):
    context, table = await device(running)
    await table.begin(club, key_of(0), "cleopatra")
    await table.tap(card("E", "1", "down"), group("P"))
    await table.page.wait_for_selector("#desk[data-waits='0']")
    for _ in range(2):
        await table.page.tap("#more")
        await table.page.tap("#menu .hush")
        await table.page.wait_for_selector("#menu", state="hidden")
    assert '[Mode "tournament"]' in record(club, event)
    assert await table.page.locator(".board.unknown").count() == 1
    await context.close()


@visits
async def test_the_page_of_a_table_looks_right(running: Running, club: str):
    for width, height, scheme, place in ((390, 844, "light", 0), (1280, 800, "dark", 1)):
        size = {"width": width, "height": height}
        context, table = await device(running, viewport=size, color_scheme=scheme, reduced_motion="reduce")
        await table.page.goto(f"{club}/table/#ask={key_of(place)}")
        await table.page.wait_for_selector("#start", state="visible")
        for wanted in ("#start", "#desk"):
            found = await Axe().run(table.page)
            assert not found.violations_count, found.generate_report()
            await faultless(table.page)
            if wanted == "#start":
                await table.page.tap("#start .main")
                await table.tap(*OPENING)
                await table.all_sent()
        await context.close()


async def faultless(page: Page) -> None:
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@visits
async def test_a_page_without_a_table_says_what_to_do(running: Running, club: str):
    context, table = await device(running)
    await table.page.goto(f"{club}/table/")
    await table.page.wait_for_selector("#told:has-text('Scan the code')")
    await table.page.goto("about:blank")
    await table.page.goto(f"{club}/table/#ask=nonsense")
    await table.page.wait_for_selector("#told:has-text('no such game')")
    await context.close()


@visits
async def test_a_table_that_never_reached_the_server_gives_its_taps_as_a_file(running: Running, event: Path):
    """The file says which game it is; to add it again, or after some of it was sent, changes nothing."""
    context, table = await device(running, service_workers="block")
    with served(event) as club:
        await table.begin(club, key_of(0))
    await table.tap(OPENING[0])
    await table.page.wait_for_selector("#prompt:has-text('No connection')")
    await table.tap(*OPENING[1:4], DRAW, *OPENING[4:], END, *BY_FORM)
    await table.page.tap("#more")
    async with table.page.expect_download() as saved:
        await table.page.tap("#save-journal")
    place = await (await saved.value).path()
    count = len(json.loads(Path(place).read_text(encoding="utf-8"))["taps"])
    with served(event) as club:  # under another address
        page = await context.new_page()
        await page.goto(f"{club}/organiser#key={OWN}")
        for _ in range(2):
            await page.set_input_files("[data-journal]", place)
            await page.wait_for_selector("#state:has-text('Added.')")
            await page.wait_for_selector(f".device:has-text('device 1: {count} taps')")
            assert await page.locator(".device").count() == 1
        assert f"{RECORDED[0]}\n1R 4P =C1:11 +i\n" in record(club, event)
        await page.set_input_files("[data-journal]", event / "event.toml")
        await page.wait_for_selector("#state.bad:has-text('not a file that the page of a table has saved')")
    await context.close()


@visits
async def test_a_device_goes_on_in_the_place_of_one_that_died(running: Running, club: str, event: Path):
    one, first = await device(running)
    await first.begin(club, key_of(0))
    await first.tap(*OPENING)
    await first.all_sent()
    two, second = await device(running, service_workers="block")
    await second.page.goto(f"{club}/table/#ask={key_of(0)}")
    await second.page.wait_for_selector("#told:has-text('Ask the organiser')")
    for old, new in (("2", "2"), ("9", "2"), ("1", "1"), ("1", "3"), ("1", "x"), ("1" * 99, "2")):
        assert act(club, "replace", new, old).status == 404
    assert act(club, "replace", "2", "1").status == 200
    assert await second.all_sent() == RECORDED[:1]
    await second.tap(*TURN)
    assert await second.all_sent() == RECORDED
    assert RECORDED[1] in record(club, event)
    await first.tap(TURN[0])
    await first.page.wait_for_selector(".trouble:has-text('waits for the organiser'):visible")
    await second.page.reload()
    assert await second.all_sent() == RECORDED
    await one.close()
    await two.close()


@visits
async def test_a_page_that_is_loaded_again_without_a_network_goes_on(running: Running, club: str, event: Path):
    context, table = await device(running)
    await table.begin(club, key_of(0))
    await table.tap(*OPENING)
    await table.all_sent()
    await table.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    await context.set_offline(True)
    await table.page.reload()
    await table.page.wait_for_selector("#prompt:has-text('No connection')")
    await table.tap(*BY_FORM)
    await context.set_offline(False)
    assert await table.all_sent() == RECORDED
    assert RECORDED[1] in record(club, event)
    await context.close()


@visits
async def test_over_plain_http_a_table_is_recorded_all_the_same(running: Running, event: Path):
    """In a hall without https, browsers have no ids, locks, caches and workers of a site."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            way.connect(("192.0.2.1", 9))  # nothing is sent
            own = way.getsockname()[0]
    except OSError:
        pytest.skip("this machine has no other address")
    with socket.create_server(("", 0)) as free:
        port = free.getsockname()[1]
    context, table = await device(running)
    with served(event, (f"http://{own}:{port}",), to="", port=port) as local:
        await table.begin(f"http://{own}:{port}", key_of(0))
        assert not await table.page.evaluate("isSecureContext")
        await table.tap(*OPENING)
        assert await table.all_sent() == RECORDED[:1]
        await table.page.reload()
        await table.tap(TURN[0])
        await table.page.wait_for_selector("#desk[data-waits='0']")
        await context.set_offline(True)
        await table.tap(BY_FORM[1])
        await table.page.wait_for_selector("#prompt:has-text('No connection')")
        await table.tap(*BY_FORM[2:])
        await context.set_offline(False)
        assert await table.all_sent() == RECORDED
        assert RECORDED[1] in record(local, event)
    await context.close()
