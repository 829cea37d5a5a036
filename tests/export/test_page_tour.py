"""A tour of the pages of all examples: every step and both scenes of every vote, by keys and by touch, at any size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browser import Opened, Running, browser, visits
from pages import BROKEN, EXAMPLES, NOTES, WHOLE, opening_of, page_of, place_of, timelines, words_of
from scale import FULL
from tironian import Timeline, Untold
from tironian.replay.analysis.telling import VoteScene, vote_scene
from tironian.replay.export.page_steps import PageStep, page_steps

pytestmark = [pytest.mark.slow, pytest.mark.process]

SIZES = {"phone": (360, 740), "tablet": (820, 1180), "laptop": (1280, 800), "projector": (1920, 1080)}
LOOKS = (
    [*product(SIZES, ("light", "dark"), ("keys", "touch"))]
    if FULL
    else [("phone", "dark", "touch"), ("laptop", "light", "keys")]
)
GAMES = [*WHOLE, *BROKEN] if FULL else [EXAMPLES / "1997" / "tie-break.tiro"]
KEYS = {"on": "ArrowRight", "first": "Home", "vote-on": "n"}


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with browser() as found:
        yield found


@cache
def made(game: Path, last: int) -> tuple[Timeline, str] | None:
    """The timeline and the page of a game up to those turns; none where it can't be told."""
    try:
        told = timelines(opening_of(game, last))
    except Untold:
        return None
    return told[0], page_of(told)


async def go(opened: Opened, way: str, by: str, times: int = 1) -> None:
    """Press a key, or tap a button, so many times."""
    if by == "keys":
        await opened.press(KEYS[way], times)
        return
    for _ in range(times):
        await opened.page.tap(f"[data-go={way}]")


def scene_of(told: Timeline, step: PageStep) -> VoteScene | None:
    """The vote of a step, in either of its two."""
    if step.entry is None or step.event is None:
        return None
    event = told.entries[step.entry].events[step.event]
    return vote_scene(event) if event.ballot else None


def compare(told: Timeline, steps: tuple[PageStep, ...], seen: list[dict[str, Any]], width: int) -> None:
    """Hold what was shown step by step against the engine."""
    cells: dict[str, str] = {}
    for step, shown in zip(steps, seen, strict=True):
        cells |= shown["fresh"]
        wanted = words_of(told.table(step.state))
        assert shown["place"] == place_of(step.address)
        assert {key: cells[key] for key in wanted} == wanted, step.address
        scene = scene_of(told, step)
        assert shown["turnedUp"] == (" ".join(scene.first) if scene and step.is_vote else ""), step.address
        assert (scene.verdict if scene else "") in shown["cameOfIt"] or step.is_vote, step.address
        assert not shown["sideways"], step.address
        assert shown["inSight"] or width < 820, f"{step.address}: both hands are in sight"
    assert len({shown["buttons"] for shown in seen}) == 1, "the buttons stay where they are"


@pytest.mark.parametrize(("size", "scheme", "by"), LOOKS)
@pytest.mark.parametrize("game", GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")
@visits
async def test_a_tour_of_a_game(running: Running, game: Path, size: str, scheme: str, by: str, tmp_path: Path):
    page = made(game, 8 if by == "touch" else 99)  # a tap takes longer than a key
    if page is None:
        return
    told, text = page
    file = tmp_path / "game.html"
    file.write_text(text, encoding="utf-8")
    width, height = SIZES[size]
    viewport = {"width": width, "height": height}
    opened = await running.open(file, viewport=viewport, color_scheme=scheme, has_touch=by == "touch")
    await opened.ask(NOTES)
    steps = page_steps(told)
    await go(opened, "on", by, len(steps) - 1)
    compare(told, steps, await opened.ask("window.seen"), width)
    await go(opened, "first", by)
    votes = [place_of(step.address) for step in steps if step.is_vote]
    before = len(await opened.ask("window.seen"))
    await go(opened, "vote-on", by, len(votes))
    assert [each["place"] for each in (await opened.ask("window.seen"))[before:]] == votes
    await opened.close()
