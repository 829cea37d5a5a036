"""Pages as axe-core judges them: nothing serious that keeps somebody from reading them, at any size, light and dark."""

from __future__ import annotations

from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest
from browser import Opened, Running, visits
from click.testing import CliRunner
from events import PLANTS, Event
from pages import ANNOTATED, BROKEN, WHOLE, opening_of, page_of, timelines
from scale import FULL, crossed
from tironian.tools.cli.command_line import main

pytestmark = [pytest.mark.slow, pytest.mark.process]

SIZES = {"phone": (360, 740), "tablet": (820, 1180), "laptop": (1280, 800), "projector": (1920, 1080)}
SCHEMES = ("light", "dark")
LOOKS = [f"{size}-{scheme}" for size, scheme in product(SIZES, SCHEMES)] if FULL else ["phone-light", "laptop-dark"]
GAMES = WHOLE if FULL else [path for path in WHOLE if path.stem == "annotated" and path.parent.name in ("1997", "2024")]
NO_SCROLLING = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def name_of(thing: object) -> str | None:
    """The name of a game in that of its test."""
    return f"{thing.parent.name}/{thing.stem}" if isinstance(thing, Path) else None


async def serious(opened: Opened, within: str = "html") -> list[str]:
    """What axe-core finds serious or worse, and headings out of order, each with the first place where it does."""
    await opened.page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = await opened.ask(f"axe.run({within!r})")
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]} ({len(each['nodes'])} places)"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical") or each["id"] in ("heading-order", "skip-link")
    ]


async def look_at(
    running: Running, path: Path, look: str, address: str = "", actual: str = "", shown: str = "html"
) -> None:
    """Judge a page; at an ``address`` only what changes there, once ``actual`` was done and ``shown`` is to be seen."""
    size, scheme = look.split("-")
    width, height = SIZES[size]
    opened = await running.open(path, viewport={"width": width, "height": height}, color_scheme=scheme)
    if address:
        await opened.page.goto(f"{path.as_uri()}#{address}")
        await opened.page.reload()
    await opened.ask(actual)
    await opened.page.wait_for_selector(shown)
    assert await serious(opened, CHANGING if address else "html") == []
    assert await opened.ask(NO_SCROLLING), "the page scrolls sideways"
    assert not opened.complaints
    assert all(url.startswith(path.parent.as_uri()) for url in opened.requests)
    await opened.context.close()


@pytest.mark.parametrize(("game", "look"), crossed(GAMES, LOOKS), ids=name_of)
@visits
async def test_the_page_of_a_game(running: Running, game: Path, look: str, tmp_path: Path):
    file = tmp_path / "game.html"
    last = 8 if look.startswith("phone") else 99
    file.write_text(page_of(timelines(opening_of(game, last))), encoding="utf-8")
    await look_at(running, file, look)


@pytest.fixture(scope="module")
def event_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of an event, with an unfinished game and a long name."""
    folder = tmp_path_factory.mktemp("event")
    event = Event(folder / "open", 12, 2)
    PLANTS["unfinished"](event, 1)
    event.rename(event.players[0], "w" * 150)
    call = ["event", str(event.written()), "-j", "1", "--site", str(folder / "site")]
    assert CliRunner().invoke(main, call).exit_code == 0
    return folder / "site"


@pytest.mark.parametrize(("page", "look"), crossed(("index", "players/1", "games/r1-1"), LOOKS))
@visits
async def test_the_pages_of_an_event(running: Running, event_site: Path, page: str, look: str):
    await look_at(running, event_site / f"{page}.html", look)


CHANGING = "#player, .what-if, .line"
MOMENTS = {
    "a vote before it is decided": ("1R.3v", "", "#scene .card"),
    "a vote with its tree": (
        "1R.3",
        "document.querySelector('.now-tree details').open = true",
        ".now-tree details[open]",
    ),
    "an open fold": ("5E", "document.querySelector('.what-if').open = true", ".options button"),
    "a possibility": ("5E/(3)A", "", "#leave"),
    "a possibility in its fold": ("5E/(3)A", "isAsking = true; tell()", ".options [aria-pressed=true]"),
    "a recorded alternative": ("5R/1.2", "", "#leave"),
}
"""What may be looked at besides the page as it opens: where, what is done there, and what is to be seen then."""


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with odds and all that could have been played."""
    file = tmp_path_factory.mktemp("pages") / "what-if.html"
    told = ["timeline", "-", "--odds", "--format", "html", "-o", str(file)]
    CliRunner().invoke(main, told, opening_of(ANNOTATED, 6))
    return file


@pytest.mark.parametrize(("kind", "look"), crossed(MOMENTS, LOOKS))
@visits
async def test_a_moment(running: Running, asking: Path, kind: str, look: str):
    await look_at(running, asking, look, *MOMENTS[kind])


@pytest.mark.parametrize("look", ["phone-dark", "tablet-light"])
@visits
async def test_the_picture_of_the_game_scrolled_to_its_end(running: Running, look: str, tmp_path: Path):
    """Links that lie beyond its edge then are none by which to skip something."""
    file = tmp_path / "game.html"
    file.write_text(page_of(timelines(ANNOTATED.read_text(encoding="utf-8"))), encoding="utf-8")
    size, scheme = look.split("-")
    width, height = SIZES[size]
    opened = await running.open(file, viewport={"width": width, "height": height}, color_scheme=scheme)
    await opened.ask("document.querySelector('#overview details').open = true")
    await opened.ask("document.querySelector('#overview .scroll').scrollLeft = 9999")
    assert await serious(opened, "#overview") == []
    await opened.context.close()


@pytest.mark.parametrize("scheme", SCHEMES)
@visits
async def test_the_page_of_a_broken_log(running: Running, scheme: str, tmp_path: Path):
    file = tmp_path / "broken.html"
    log = next(path for path in BROKEN if path.stem == "card-not-in-hand")
    CliRunner().invoke(main, ["timeline", str(log), "--format", "html", "-o", str(file)])
    await look_at(running, file, f"phone-{scheme}")


@pytest.mark.parametrize("look", LOOKS if FULL else LOOKS[-1:])
@visits
async def test_the_index_of_votes(running: Running, look: str, tmp_path: Path):
    folder = tmp_path / "votes"
    told = ["votes", "-", "--odds", "--format", "svg", "--folder", str(folder)]
    CliRunner().invoke(main, told, opening_of(ANNOTATED, 6))
    opened = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
    await look_at(running, folder / "index.html", look, actual=opened)
