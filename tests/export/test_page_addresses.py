"""Addresses of moments that a game does not have: the page says so, where a reader hears it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Running, browser, visits
from pages import ANNOTATED, page_of, timelines

pytestmark = [pytest.mark.slow, pytest.mark.process]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with browser() as found:
        yield found


@visits
async def test_an_address_of_no_moment_says_so(running: Running, tmp_path: Path):
    file = tmp_path / "game.html"
    file.write_text(page_of(timelines(ANNOTATED.read_text(encoding="utf-8"))), encoding="utf-8")
    opened = await running.open(file)
    for place in ("99R", "4R.77", "nonsense"):
        await opened.page.goto(f"{file.as_uri()}#{place}")
        await opened.page.reload()
        assert await opened.text("#said b") == "Start"
        assert (await opened.text("#words")).startswith(f"This game has no moment {place}.")
        assert await opened.ask("document.querySelector('#words').closest('[role=status]') !== null")
    await opened.page.goto(f"{file.as_uri()}#4R")
    await opened.page.reload()
    await opened.page.evaluate("location.hash = '98E'")
    await opened.page.wait_for_function("document.getElementById('words').textContent.includes('no moment 98E')")
    assert await opened.text("#place") == "4R.6"
    await opened.page.goto(f"{file.as_uri()}#about")
    await opened.page.reload()
    assert "no moment" not in await opened.text("#words")
    await opened.close()
