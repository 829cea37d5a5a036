"""The page on which a table of a club is recorded: in a browser, with and without a connection, by several devices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from browser import PATIENCE, Running, visits
from imports import ROOT
from playwright.async_api import BrowserContext, Page
from test_club_server import send, served, tables
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
