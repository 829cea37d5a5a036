"""The pages of an event in a browser: from files and from a server, and with players who would like to be scripts."""

from __future__ import annotations

from pathlib import Path

import pytest
from archives import tiro
from browser import Opened, Running, visits
from events import PLANTS, Event
from stores import web

pytestmark = [pytest.mark.slow, pytest.mark.process]
NAMES = (
    "<img src=x onerror=harmed=1><b>Livia</b>",
    "</title></script><script>harmed=1</script> \u05e9\u05dc\u05d5\u05dd",
    "{{7*7}} ${harmed=1} \u202eenog\u202c",
    "w" * 150,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of an event in which some players and the event itself have such names."""
    folder = tmp_path_factory.mktemp("event")
    event = Event(folder / "open", 6, 2)
    PLANTS["unfinished"](event, 1)
    for old, new in zip(event.players, NAMES, strict=False):
        event.rename(old, new)
    event.data["name"] = event.data["place"] = NAMES[1]
    assert tiro("event", event.written(), "-j", 1, "--site", folder / "site").exit_code == 0
    return folder / "site"


async def harmless(opened: Opened) -> None:
    """Nothing of a stranger was run, nothing was fetched from elsewhere, and nothing scrolls sideways."""
    assert await opened.ask("typeof harmed") == "undefined"
    assert await opened.ask("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert not opened.complaints


@visits
async def test_names_are_names(running: Running, site: Path):
    pages = [site / "index.html", *sorted((site / "players").iterdir()), *sorted((site / "games").iterdir())]
    assert len(pages) == 1 + 6 + 6
    for page in pages:
        opened = await running.open(page, viewport={"width": 360, "height": 740})
        await harmless(opened)
        assert {url.partition("#")[0] for url in opened.requests} == {page.as_uri()}
        await opened.context.close()
    opened = await running.open(pages[0])
    shown = await opened.ask("[...document.querySelectorAll('th a')].map(link => link.textContent)")
    assert {*NAMES[:2], NAMES[3]} <= {*shown}
    await opened.close()


@pytest.mark.parametrize("place", ["files", "server"])
@visits
async def test_one_finds_the_way_there_and_back(running: Running, site: Path, place: str):
    with web(site) as address:
        opened = await running.open(site / "index.html")
        if place == "server":
            await opened.page.goto(f"{address}/index.html")
        home = opened.page.url
        for link, back in (("th a", "nav a"), ("a.game", "nav.home a")):
            count = await opened.page.locator(link).count()
            assert count
            for number in range(count):
                await opened.ask("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
                await opened.page.locator(link).nth(number).click()
                await opened.page.wait_for_load_state()
                assert opened.page.url != home
                await opened.page.locator(back).first.click()
                await opened.page.wait_for_load_state()
                assert opened.page.url == home
        await harmless(opened)
        await opened.context.close()
