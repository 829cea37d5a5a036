"""Whole games recorded by touch: what stands on the screen is what their recorder would have written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browser import Running, visits
from scale import FULL
from tapping import begun, tapped, written_by
from test_desk_browser import SIZES, Visit, window
from tironian import EDITION_NAMES, VIEWS, turn_text

pytestmark = [
    pytest.mark.slow,
    pytest.mark.process,
    pytest.mark.skipif(not FULL, reason="eighty whole games by touch take an hour: make full"),
]


async def put(visit: Visit, tap: dict[str, Any]) -> None:
    """Tap what a tap names, or type it, and wait until Python has read it."""
    taken = await visit.taken()
    if tap["tap"] == "text":
        await visit.type(tap["text"])
    else:
        await visit.lay(tap)
        await visit.page.tap(f"[data-tap='{json.dumps(tap, separators=(',', ':'))}']:enabled")
    await visit.page.wait_for_selector(f"#desk[data-read='{taken + 1}']")


@pytest.mark.parametrize(("place", "rules"), [*enumerate(EDITION_NAMES)])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("seed", range(5))
@visits
async def test_a_whole_game_is_recorded_by_touch(
    running: Running, served: str, place: int, rules: str, view: str, seed: int
):
    record = written_by(view, rules, seed)
    width, height = [*SIZES.values()][(place + seed) % 2]
    context, visit = await window(running, served, viewport={"width": width, "height": height})
    await visit.page.goto(served)
    await visit.page.tap("#start summary")
    await visit.page.check(f"input[name=rules][value='{rules}']")
    await visit.page.check(f"input[name=view][value='{view}']")
    if begins := record.header("Starts"):
        await visit.page.check(f"input[name=Starts][value={begins}]")
    await visit.page.tap("#start .main:visible")
    await visit.page.wait_for_selector("#desk[data-taken]")
    for tap in tapped(begun(record, view), record):
        await put(visit, tap)
    text = await visit.page.text_content("#record pre") or ""
    assert [line for line in text.splitlines() if line[:1].isdigit()][: len(record.turns)] == [
        *map(turn_text, record.turns)
    ]
    assert not visit.complaints
    await context.close()
