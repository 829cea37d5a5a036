"""`tiro desk games/` in a browser: what is recorded is a file, and what is a file is the library."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from browser import Running, visits
from desk_server import local_desk
from test_desk_browser import OPENING, RECORDED, TURN, Visit, window
from test_desk_look_browser import shown
from tironian.tools.desk.desk import Desk
from tironian.tools.desk.folder import GameFolder

pytestmark = [pytest.mark.slow, pytest.mark.process]
EXAMPLES = Path(__file__).parents[2] / "examples"


async def filed(visit: Visit) -> list[str]:
    """The turns of the record, once all taps are in its file."""
    found = await visit.read()
    await visit.page.wait_for_selector(f"#desk[data-filed='{await visit.taken()}']")
    return found


def turns(place: Path) -> list[str]:
    return [line for line in place.read_text(encoding="utf-8").splitlines() if line[:1].isdigit() and line[0] != "0"]


@visits
async def test_a_game_is_a_file_that_another_browser_goes_on_with(running: Running, tmp_path: Path):
    place = tmp_path / "games" / "livia-marcus.tiro"
    with local_desk(folder=place.parent) as address:
        context, visit = await window(running)
        await visit.begin(address)
        await visit.tap(*OPENING)
        assert await filed(visit) == RECORDED[:1]
        (place,) = place.parent.glob("livia-marcus-*.tiro")
        assert turns(place) == RECORDED[:1]
        other_context, other = await window(running)
        await other.page.goto(address)
        await other.page.tap("#kept a")
        assert await filed(other) == RECORDED[:1]
        await other.tap(*TURN)
        assert await filed(other) == RECORDED
        assert turns(place) == RECORDED
        # The first window does not know that: its tap is kept, and both versions are there in the end.
        await visit.page.tap("#undo")
        await visit.page.wait_for_selector(".trouble:visible:has-text('another window')")
        assert turns(place) == RECORDED
        await visit.page.reload()
        assert await filed(visit) == RECORDED
        await visit.page.goto(address)
        await visit.page.wait_for_selector("#begin[data-games='2']")
        await visit.page.tap("#only-here button")
        await visit.page.wait_for_selector("#only-here", state="hidden")
        assert sorted(map(turns, place.parent.glob("*.tiro")), key=len) == [["1E 1C (i)A +a"], RECORDED]
        assert not visit.complaints
        assert not other.complaints
        await context.close()
        await other_context.close()


@visits
async def test_games_that_the_browser_has_are_offered_to_the_folder(running: Running, tmp_path: Path):
    folder = tmp_path / "games"
    with local_desk() as address:
        context, visit = await window(running)
        await visit.begin(address)
        await visit.tap(*OPENING)
        await visit.page.goto(f"{address}library.html")
        await visit.page.set_input_files("#files", EXAMPLES / "2024/annotated.tiro")
        await visit.page.wait_for_selector("html[data-games='2'][data-told]")
    port = int(address.rstrip("/").rpartition(":")[2])
    with local_desk(port, folder=folder):
        await visit.page.goto(f"{address}library.html")
        await visit.page.wait_for_selector("#only-here:has-text('2')")
        await visit.page.tap("#only-here button")
        await visit.page.wait_for_selector("#only-here", state="hidden")
        await visit.page.wait_for_selector("html[data-games='2']")
        assert len([*folder.glob("*.tiro")]) == 2
        (game,) = GameFolder(folder).games()
        assert turns(folder / game["file"]) == RECORDED[:1]
        await visit.page.evaluate("indexedDB.deleteDatabase('tironian-desk'); localStorage.clear()")
        await visit.page.goto(address)
        await visit.page.tap("#open")
        assert await filed(visit) == RECORDED[:1]
        assert not visit.complaints
    await context.close()


@visits
async def test_the_folder_is_the_library(running: Running, tmp_path: Path):
    """Files of others are found, looked at and gone on with; what is added or kept becomes a file."""
    folder = tmp_path / "games"
    (folder / "round1").mkdir(parents=True)
    shutil.copy(EXAMPLES / "2024/annotated.tiro", folder / "round1")
    begun = Desk({"rules": "2024", "view": "table", "headers": {"Caesar": "Ida"}})
    for tap in OPENING:
        begun.take(tap)
    (folder / "begun.tiro").write_text(begun.text, encoding="utf-8")
    with local_desk(folder=folder) as address:
        context, visit = await window(running)
        page = visit.page
        await page.goto(f"{address}library.html")
        await page.wait_for_selector("html[data-games='2'][data-told]")
        await page.fill("#search", "round1")
        await page.wait_for_selector("html[data-games='1']")
        await page.tap("#games a")
        await shown(page)
        await page.tap("#back")
        await page.tap("#games li:has-text('Ida') .button")
        assert await filed(visit) == RECORDED[:1]
        await visit.tap(*TURN)
        assert await filed(visit) == RECORDED
        assert turns(folder / "begun.tiro") == RECORDED
        await page.goto(f"{address}check.html")
        await page.fill("textarea", (EXAMPLES / "2024/tie-break.tiro").read_text(encoding="utf-8"))
        await page.wait_for_selector(".verdict")
        async with context.expect_page() as opening:
            await page.tap("text=Keep it, and look at it")
        await shown(await opening.value)
        assert len([*folder.rglob("*.tiro")]) == 3
        await page.goto(f"{address}library.html")
        await page.wait_for_selector("html[data-games='3'][data-told]")
        assert await page.is_hidden("#only-here")
        assert not visit.complaints
        await context.close()


@visits
async def test_a_first_page_that_nobody_touches_complains_of_nothing(running: Running, tmp_path: Path):
    """What it asks of the folder is no question over which Python could be lost, by the clock of the page."""
    with local_desk(folder=tmp_path) as address:
        context, visit = await window(running)
        await visit.page.clock.install()
        await visit.page.goto(address)
        await visit.page.wait_for_selector("#begin[data-games]")
        await visit.page.clock.run_for(600_000)
        assert await visit.page.is_hidden("#begin .trouble")
        await context.close()


@visits
async def test_a_record_that_was_changed_in_between_is_gone_on_with(running: Running, tmp_path: Path):
    with local_desk(folder=tmp_path) as address:
        context, visit = await window(running)
        await visit.begin(address)
        await visit.tap(*OPENING)
        assert await filed(visit) == RECORDED[:1]
        (place,) = tmp_path.glob("*.tiro")
        place.write_text(place.read_text(encoding="utf-8").replace("Livia", "Julia"), encoding="utf-8")
        await visit.page.reload()
        await visit.page.wait_for_selector("#said:has-text('changed outside the desk')")
        await visit.tap(*TURN)
        assert await filed(visit) == RECORDED
        text = place.read_text(encoding="utf-8")
        assert "Julia" in text
        assert "Livia" not in text
        assert turns(place) == RECORDED
        assert json.loads(Path(f"{place}.taps").read_bytes().splitlines()[len(OPENING) + 1])["tap"] == "found"
        assert not visit.complaints
        await context.close()
