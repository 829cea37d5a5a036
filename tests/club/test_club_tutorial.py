"""The evening of the documentation, step by step in browsers: what it says is there, and happens."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest
from browser import PATIENCE, Running, visits
from imports import ROOT
from test_club_server import OWN, served
from test_club_table import card, device, group

pytestmark = [pytest.mark.slow, pytest.mark.process]

STEPS = (ROOT / "docs/club.md").read_text(encoding="utf-8").partition("step by step\n")[2].partition("\n## ")[0]
TAPS = [card("E", "1"), group("C"), card("E", "a")]


@visits
async def test_the_evening_of_the_documentation(running: Running, tmp_path: Path):
    assert "cp -r examples/club evening" in STEPS
    evening = Path(copytree(ROOT / "examples/club", tmp_path / "evening"))
    labels = {label for step in re.findall(r"^\d\. .*(?:\n   .*)*", STEPS, re.MULTILINE) for label in bold(step)}
    seen = set[str]()

    def look(text: str) -> None:
        seen.update(label for label in labels if label in text)

    with served(evening) as club:
        window = await running.browser.new_context(viewport={"width": 1280, "height": 800})
        window.set_default_timeout(PATIENCE)
        organiser = await window.new_page()
        await organiser.goto(f"{club}/organiser#key={OWN}")
        await organiser.wait_for_selector("#view:has-text('no device')")
        look(await organiser.inner_text("body"))
        await organiser.click("text=Sheets for the tables")
        await organiser.wait_for_selector("#view svg")
        look(await organiser.inner_text("body"))
        sheet = await organiser.inner_text("#view")
        address = re.findall(r"https?://\S+/table/#ask=\S+", sheet)[0]

        context, table = await device(running)
        await table.page.goto(address)
        await table.page.wait_for_selector("#start", state="visible")
        look(await table.page.inner_text("body"))
        await table.page.tap("#start .main")
        await table.tap(*TAPS)
        assert "1E 1C +a" in await table.all_sent()
        await organiser.click("#club nav a:first-child")
        await organiser.wait_for_selector(".stage:has-text('recording')")
        look(await table.page.inner_text("body"))
        await table.page.tap("#more")
        look(await table.page.inner_text("#menu"))
        await table.page.tap("#deeds button:has-text('Caesar resigns')")
        await table.page.wait_for_selector("#prompt:has-text('The game is over')")
        await table.page.wait_for_selector("#desk[data-waits='0']")
        await organiser.wait_for_selector(".won:has-text('Ben')")

        clara = organiser.locator(".row:has-text('Clara'):visible").first
        await clara.locator("details.result summary").click()
        await clara.locator("input[data-value]").fill("20-7")
        look(await organiser.inner_text("body"))
        await clara.locator("button[data-what=result]").click()
        await organiser.wait_for_selector(".won:has-text('Clara')", state="attached")
        assert (evening / "round1/table1.tiro").exists()
        assert not labels - seen
        public = await window.new_page()
        await public.goto(club)
        assert "Clara" in await public.inner_text("body")
        await context.close()
        await window.close()


def bold(step: str) -> list[str]:
    return [re.sub(r"\s+", " ", label) for label in re.findall(r"\*\*(.+?)\*\*", step, re.DOTALL)]
