"""Pages as axe-core judges them: nothing serious that keeps somebody from reading them, at any size, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest
from browser import Opened, Running, browser, visits
from click.testing import CliRunner
from pages import ANNOTATED, BROKEN, WHOLE, page_of, timelines
from scale import FULL
from tironian.replay.cli.command_line import main

pytestmark = [pytest.mark.slow, pytest.mark.process]

SIZES = {"phone": (360, 740), "tablet": (820, 1180), "laptop": (1280, 800), "projector": (1920, 1080)}
SCHEMES = ("light", "dark")
LOOKS = [*product(SIZES, SCHEMES)] if FULL else [("phone", "light"), ("laptop", "dark")]
GAMES = WHOLE if FULL else [path for path in WHOLE if path.stem == "annotated" and path.parent.name in ("1997", "2024")]
NO_SCROLLING = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with browser() as found:
        yield found


async def serious(opened: Opened) -> list[str]:
    """What axe-core finds serious or worse, each with the first place where it does."""
    await opened.page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = await opened.ask("axe.run()")
    return [
        f"{each['id']}: {each['nodes'][0]['html'][:200]} ({len(each['nodes'])} places)"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


async def look_at(running: Running, path: Path, size: str, scheme: str, address: str = "") -> None:
    width, height = SIZES[size]
    opened = await running.open(path, viewport={"width": width, "height": height}, color_scheme=scheme)
    if address:
        await opened.ask(f"location.hash = {address!r}")
    assert await serious(opened) == []
    assert await opened.ask(NO_SCROLLING), "the page scrolls sideways"
    assert not opened.complaints
    assert all(url.startswith(path.parent.as_uri()) for url in opened.requests)
    await opened.context.close()


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
@pytest.mark.parametrize("game", GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")
@visits
async def test_the_page_of_a_game(running: Running, game: Path, size: str, scheme: str, tmp_path: Path):
    file = tmp_path / "game.html"
    file.write_text(page_of(timelines(game.read_text(encoding="utf-8"))), encoding="utf-8")
    await look_at(running, file, size, scheme)


@pytest.mark.parametrize("scheme", SCHEMES)
@visits
async def test_the_page_of_a_broken_log(running: Running, scheme: str, tmp_path: Path):
    file = tmp_path / "broken.html"
    log = next(path for path in BROKEN if path.stem == "card-not-in-hand")
    CliRunner().invoke(main, ["timeline", str(log), "--format", "html", "-o", str(file)])
    await look_at(running, file, "phone", scheme)


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
@visits
async def test_the_index_of_votes(running: Running, size: str, scheme: str, tmp_path: Path):
    CliRunner().invoke(main, ["votes", str(ANNOTATED), "--format", "svg", "--folder", str(tmp_path / "votes")])
    await look_at(running, tmp_path / "votes" / "index.html", size, scheme)
