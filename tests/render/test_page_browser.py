"""The page in a browser: every step by keyboard, the table as the engine has it, and nothing fetched, run or hidden."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from browser import Opened, Running, visits
from pages import ANNOTATED, BROKEN, EXAMPLES, HOSTILE, NOTES, WHOLE, opening_of, page_of, place_of, timelines, words_at
from scale import FULL, scaled
from tironian import NoTimeline, Timeline, parse
from tironian.notation.cards import letters
from tironian.replay.story.events import VoteScene, vote_scene
from tironian.replay.words.events import event_words
from tironian.replay.words.notes import annotation_words
from tironian.replay.words.vote_tree import vote_words
from tironian.tools.render.page import page
from tironian.tools.render.page_steps import PageStep, page_steps
from tironian.tools.repair.likely import likely_repairs

pytestmark = [pytest.mark.slow, pytest.mark.process]

PHONE = {"viewport": {"width": 360, "height": 740}}


def written(folder: Path, text: str, views: tuple[str, ...] = ()) -> Path:
    path = folder / "game.html"
    path.write_text(drawn(text, views), encoding="utf-8")
    return path


@cache
def drawn(text: str, views: tuple[str, ...]) -> str:
    return page_of(timelines(text, views))


STEPPED = WHOLE if FULL else [path for path in WHOLE if path.stem == "annotated"][:1]
"""Rule sets differ in nothing that a page knows: in an ordinary run one game, of the old edition, stands for all."""


@pytest.mark.parametrize("path", STEPPED, ids=lambda path: f"{path.parent.name}/{path.stem}")
@visits
async def test_every_step_by_keyboard_shows_the_table_of_the_engine(running: Running, path: Path, tmp_path: Path):
    told = timelines(opening_of(path, 8))
    file = tmp_path / "game.html"
    file.write_text(page_of(told), encoding="utf-8")
    opened = await running.open(file)
    await opened.ask(NOTES)
    steps = [page_steps(each) for each in told]
    for number, found in enumerate(steps):
        if number:
            await opened.press("v")
        # There with one pair of eyes, back again with the next.
        await opened.press("ArrowLeft" if number % 2 else "ArrowRight", len(found) - 1)
    seen = iter(await opened.ask("window.seen"))
    await opened.close()
    cells: dict[str, str] = {}
    for number, (each, found) in enumerate(zip(told, steps, strict=True)):
        for at in reversed(range(len(found))) if number % 2 else range(len(found)):
            stop, shown = found[at], next(seen)
            cells |= shown["fresh"]
            assert (shown["place"], shown["view"]) == (place_of(stop.address), each.view if len(told) > 1 else "")
            wanted = words_at(each, found, at)
            assert {key: cells[key] for key in wanted} == wanted, (stop.address, each.view)
    assert next(seen, None) is None


@visits
async def test_keys_go_by_turns_votes_and_to_the_ends(running: Running, tmp_path: Path):
    opened = await running.open(written(tmp_path, ANNOTATED.read_text(encoding="utf-8")))
    places = []
    for key in ("ArrowDown", "ArrowDown", "n", "n", "p", "ArrowUp", "End", "Home", "PageDown", "x"):
        await opened.press(key)
        places.append(await opened.text("#place"))
    assert places == ["1E.3", "1R.4", "2R.3v", "3E.3v", "2R.3v", "2E.4", "15E.3", "Start", "Start", "Start"]
    await opened.press("?")
    assert await opened.ask("document.getElementById('help').open")
    await opened.page.click("#letters")
    await opened.press("Escape")
    await opened.press("n")
    assert await opened.text("#place") == "Start", "letter keys are off"
    await opened.close()


async def shows(opened: Opened, place: str) -> None:
    """Wait until a step is shown: a browser tells of a new address a little later."""
    await opened.page.wait_for_function("place => document.getElementById('place').innerText === place", arg=place)


@visits
async def test_an_address_opens_its_step_and_links_lead_to_steps(running: Running, tmp_path: Path):
    file = written(tmp_path, ANNOTATED.read_text(encoding="utf-8"))
    opened = await running.open(file)
    found = ("7E.2", "7E.2"), ("7E", "7E.4"), ("7R.4", "7R.4"), ("7R.4v", "7R.4v"), ("start", "Start"), ("99E", "Start")
    for address, place in found:
        await opened.page.goto(f"{file.as_uri()}#{address}")
        await shows(opened, place)
    await opened.page.goto(f"{file.as_uri()}#4R.5")
    await opened.page.close()
    opened.page = await opened.context.new_page()
    await opened.page.goto(f"{file.as_uri()}#4R.5")
    await shows(opened, "4R.5")
    assert await opened.ask("scrollY") == 0, "the table is in sight, and not the line in the list"
    await opened.page.click(".scroll:not([hidden]) a[href='#10E.3']")
    await shows(opened, "10E.3")
    assert await opened.ask("document.querySelectorAll('[aria-current=step]').length") == 1
    await opened.page.wait_for_url("**#10E.3")
    await opened.close()


@pytest.mark.parametrize("size", [{"viewport": {"width": 1280, "height": 800}}, PHONE], ids=["wide", "phone"])
@visits
async def test_a_link_moves_table_turn_and_tree_together(running: Running, size: dict, tmp_path: Path):
    opened = await running.open(written(tmp_path, ANNOTATED.read_text(encoding="utf-8")), **size)
    await opened.page.click(".turns:not([hidden]) a[href='#3E']")
    await opened.page.click(".turns:not([hidden]) [data-vote='3']")
    assert await opened.text("#place") == "3E.3v"
    assert "Vote at the Censors" in await opened.text("[aria-current=step]")
    assert await opened.ask("document.querySelector('.now-tree details').open")
    assert (await opened.text(".now-tree")).count("What could have come") == 1
    await opened.ask("for (const part of document.querySelectorAll('.part')) part.open = true")
    await opened.page.click("#votes .vote-line[href='#6E.2v']")
    assert await opened.text("#place") == "6E.2v"
    assert await opened.ask("document.getElementById('scene').getBoundingClientRect().bottom < innerHeight")
    await opened.page.click("#vote-1 summary")
    await shows(opened, "1R.3v")
    await opened.close()


@visits
async def test_the_list_of_votes_shows_sums_and_winner(running: Running, tmp_path: Path):
    opened = await running.open(written(tmp_path, ANNOTATED.read_text(encoding="utf-8")))
    lines = [" ".join(line.split()) for line in await opened.page.locator("#votes .vote-line").all_inner_texts()]
    assert lines[0] == "1R Consuls Rome 5 : Egypt 4 ▲ Rome wins"
    assert "4R Praetors special vote Rome 11 : Egypt 12 ▼ Egypt wins" in lines
    assert "6E Consuls Rome 5 : Egypt 5 ◇ nobody wins" in lines
    await opened.close()


@visits
async def test_eyes_and_side_of_the_table_are_in_the_address(running: Running, tmp_path: Path):
    file = written(tmp_path, ANNOTATED.read_text(encoding="utf-8"))
    opened = await running.open(file)
    await opened.press("n")
    await opened.press("v", 2)
    await opened.press("f")
    await opened.page.wait_for_url("**#1R.3v?as=cleopatra&flipped")
    url = opened.page.url
    await opened.page.close()
    opened.page = await opened.context.new_page()
    await opened.page.goto(url)
    assert await opened.text("#place") == "1R.3v"
    assert await opened.ask("document.querySelector('[aria-pressed=true][data-view-button]').dataset.viewButton") == (
        "cleopatra"
    )
    await opened.press("ArrowRight")
    tops = await opened.ask(
        "['.side-1', '.groups tr.egypt', '.groups tr.rome', '.side-0']"
        ".map((part) => document.querySelector(part).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops), "Egypt sits above"
    await opened.press("f")
    await opened.page.wait_for_url("**#1R.3?as=cleopatra")
    await opened.close()


@visits
async def test_an_unfolded_tree_stays_so_when_the_page_is_drawn_anew(running: Running, tmp_path: Path):
    """As it is when the packed pictures arrive: the event of the unfolding may still be to come then."""
    opened = await running.open(written(tmp_path, ANNOTATED.read_text(encoding="utf-8")))
    await opened.press("n")
    await opened.press("ArrowRight")
    fold = "document.querySelector('.now-tree details')"
    for unfolded in (True, False):
        assert await opened.ask(f"{fold}.open = {str(unfolded).lower()}, draw(), {fold}.open") is unfolded
    await opened.ask("document.querySelector('.turns:not([hidden]) [data-vote=\"3\"]').click()")
    assert await opened.ask(f"{fold}.open"), "a link to a tree unfolds it, though the one before was folded"
    await opened.close()


@visits
async def test_the_eyes_that_were_asked_for_last_count_while_they_are_unpacked(running: Running, tmp_path: Path):
    """Unpacking is held up, by keys and by links, until the test lets it go on."""
    file = written(tmp_path, ANNOTATED.read_text(encoding="utf-8"))
    opened = await running.open(file)
    await opened.context.add_init_script("""
        const let_go = new Promise((resolve) => (window.unpack_now = resolve)), { json } = Response.prototype;
        Response.prototype.json = async function () { await let_go; return json.call(this); };
    """)
    pressed = "document.querySelector('[aria-pressed=true][data-view-button]').dataset.viewButton"
    for asked, viewpoint in (("", "cleopatra"), ("location.hash = '#1E?as=arbiter'", "arbiter")):
        await opened.page.goto("about:blank")
        await opened.page.goto(file.as_uri())
        await opened.press("v", 2)
        if asked:
            await opened.ask(
                f"new Promise((heard) => {{ addEventListener('hashchange', heard); {asked}; }}).then(() => 0)"
            )
        assert await opened.ask(pressed) == "arbiter"
        await opened.ask("unpack_now()")
        assert await opened.ask(f"ready.then(() => new Promise(setTimeout)).then(() => {pressed})") == viewpoint
    await opened.close()


@visits
async def test_an_address_that_is_written_over_is_followed_nevertheless(running: Running, tmp_path: Path):
    """The page writes the address of its step a little later: perhaps before it hears of a link."""
    opened = await running.open(written(tmp_path, ANNOTATED.read_text(encoding="utf-8")))
    await opened.ask("""() => {
        const link = new URL("#7E", location.href).href;
        history.replaceState(null, "", "#start");
        dispatchEvent(new HashChangeEvent("hashchange", { newURL: link }));
    }""")
    assert await opened.text("#place") == "7E.4"
    await opened.close()


@visits
async def test_a_vote_shows_its_tree_and_annotations_are_filtered(running: Running, tmp_path: Path):
    opened = await running.open(written(tmp_path, ANNOTATED.read_text(encoding="utf-8")))
    await opened.press("n")
    await opened.page.click(".now-tree summary")
    assert "What could have come" in await opened.text(".now-tree")
    await opened.press("n")
    assert await opened.ask("document.querySelector('.now-tree details').open"), "it stays open from vote to vote"
    shown = "[...document.querySelectorAll('.turns:not([hidden]) .narrow')].filter((note) => !note.hidden).length"
    assert await opened.ask(shown) > 3
    await opened.page.click(".filter summary")
    await opened.page.click("[data-filter=narrow]")
    assert await opened.ask(shown) == 0
    await opened.page.click("[data-all=on]")
    assert await opened.ask(shown) > 3
    await opened.close()


@visits
async def test_strangers_text_is_shown_and_never_run(running: Running, tmp_path: Path):
    opened = await running.open(written(tmp_path, HOSTILE))
    await opened.press("ArrowRight", 3)
    assert await opened.ask("window.harmed") is None
    text = await opened.ask("document.body.textContent")
    for part in ("<script>harmed=1</script>", "</script>", "{{7*7}}", "${harmed=1}", "&lt;b&gt;", "\\u202e"):
        assert part in text, part
    assert await opened.ask("document.querySelectorAll('img, iframe, main script, h1 b').length") == 0
    assert "onerror=harmed" in await opened.page.title()
    await opened.page.set_viewport_size(PHONE["viewport"])
    assert await opened.ask("document.documentElement.scrollWidth") == 360
    await opened.close()


@visits
async def test_every_vote_is_a_scene_of_two_steps(running: Running, tmp_path: Path):
    """By keyboard: the cards as the engine has them, turned up and compared; then the table as it is after the vote."""
    text = ANNOTATED.read_text(encoding="utf-8")
    told = timelines(text)[0]
    opened = await running.open(written(tmp_path, text))
    votes = [(entry, event) for entry in told.entries for event in entry.events if event.ballot]
    for entry, event in votes[: scaled(9, 99)]:
        assert event.ballot
        await opened.press("n")
        assert await opened.text("#place") == f"{entry.label}.{event.at + 1}v"
        for side, name in enumerate(("rome", "egypt")):
            shown = await opened.page.locator(f"#scene .{name} .card").all_inner_texts()
            assert tuple(shown) == tuple(letters(event.ballot.columns[side]))
            assert await opened.text(f"#scene .{name} .total") == str(sum(event.ballot.columns[side]))
        assert await opened.page.locator("#scene .gone").count() == 0
        assert "discards" not in await opened.text("[aria-current=step]"), "the list does not tell more than the scene"
        assert await opened.page.locator(".undecided li:has([aria-current]) .note:visible").count() == 0
        await opened.press("ArrowRight")
        assert await opened.text("#place") == f"{entry.label}.{event.at + 1}"
        assert not await opened.page.is_visible("#scene")
        assert "; " in await opened.text("[aria-current=step]")
        assert await opened.page.locator(".events .note:visible").count() == 0, "what stands below is not said twice"
        assert await opened.page.is_visible(".groups")
        gone = sum(map(len, event.ballot.outcome.discarded))
        assert await opened.page.locator(".now-tree .gone").count() == gone
    assert len(votes) == 22
    await opened.close()


SIZES = {"phone": (360, 740), "tablet": (820, 1180), "laptop": (1280, 800), "projector": (1920, 1080)}


@pytest.mark.parametrize("size", SIZES.values(), ids=lambda size: f"{size[0]}x{size[1]}")
@visits
async def test_nothing_scrolls_sideways_and_both_hands_are_in_sight(
    running: Running, size: tuple[int, int], tmp_path: Path
):
    width, height = size
    viewport = {"width": width, "height": height}
    opened = await running.open(written(tmp_path, ANNOTATED.read_text(encoding="utf-8")), viewport=viewport)
    for key in ("Home", "n", "ArrowRight", "n", "f", "End"):
        await opened.press(key)
        assert await opened.ask("document.documentElement.scrollWidth") == width, key
        hands = await opened.ask(
            "[0, 1].map((side) => document.querySelector(`[data-k='hand.${side}']`).getBoundingClientRect().bottom)"
        )
        bar = await opened.ask("document.querySelector('.bar').getBoundingClientRect().top")
        assert max(hands) <= (bar if width < 700 else height), key
    await opened.close()


@visits
async def test_a_phone_scrolls_down_only(running: Running, tmp_path: Path):
    games = (*sorted(EXAMPLES.glob("*/annotated.tiro")), EXAMPLES / "broken" / "eighth-copy.tiro")
    for path in games if FULL else games[-2:]:
        opened = await running.open(written(tmp_path, path.read_text(encoding="utf-8")), **PHONE, has_touch=True)
        for key in ("Home", "n", "End"):
            await opened.press(key)
            assert await opened.ask("document.documentElement.scrollWidth") == 360, (path.name, key)
        bar = await opened.ask(
            "(({ top, bottom }) => [top, bottom])(document.querySelector('.bar').getBoundingClientRect())"
        )
        assert 500 < bar[0] < bar[1] <= 740, "the buttons are under the thumb wherever the page is scrolled to"
        scored = "[...document.querySelectorAll('.scored')].map((each) => each.getBoundingClientRect().bottom)"
        assert max(await opened.ask(scored), default=0) <= bar[0], "the points are not under the message"
        heights = await opened.ask(
            "[...document.querySelectorAll('.controls button')].map((each) => each.offsetHeight)"
        )
        assert not [height for height in heights if 0 < height < 40]
        await opened.close()


@visits
async def test_print_shows_every_turn_and_no_buttons(running: Running, tmp_path: Path):
    text = ANNOTATED.read_text(encoding="utf-8")
    opened = await running.open(written(tmp_path, text))
    await opened.page.emulate_media(media="print")
    told = timelines(text)[0]
    shown = await opened.ask("[...document.querySelectorAll('.turn')].filter((each) => each.offsetHeight).length")
    assert shown == len(told.entries)
    assert await opened.ask("[...document.querySelectorAll('button')].filter((each) => each.offsetHeight).length") == 0
    assert await opened.ask("getComputedStyle(document.getElementById('timeline')).overflowY") == "visible"
    await opened.close()


@visits
async def test_without_a_script_the_game_is_there_to_read(running: Running, tmp_path: Path):
    opened = await running.open(written(tmp_path, ANNOTATED.read_text(encoding="utf-8")), java_script_enabled=False)
    told = timelines(ANNOTATED.read_text(encoding="utf-8"))[0]
    text = " ".join((await opened.text("main")).split())
    for entry in told.entries:
        assert entry.written in text
        for event in entry.events:
            assert event_words(event)[1:] in text
        for other in entry.alternatives:
            assert other.written.removeprefix(other.label).strip() in text
            for event in other.events:
                assert event_words(event)[1:] in text
        assert all(annotation_words(note) in text for note in entry.annotations)
        for note in entry.remarks:
            assert note.text in text or (entry.alternatives and note.kind == "alternative")
    assert await opened.page.locator("button:visible").count() == 0
    assert await opened.page.locator(".vote details .scene").count() == 22
    await opened.close()


@pytest.mark.parametrize("size", [{"viewport": {"width": 1280, "height": 800}}, PHONE], ids=["wide", "phone"])
@visits
async def test_repairs_lie_beside_the_fault_and_move_the_table(running: Running, size: dict, tmp_path: Path):
    text = (EXAMPLES / "broken" / "sixth-card.tiro").read_text(encoding="utf-8")
    file = tmp_path / "game.html"
    file.write_text(page(timelines(text), (), likely_repairs(next(iter(parse(text))))), encoding="utf-8")
    opened = await running.open(file, **size)
    await opened.page.click(".broken:not([hidden]) a")
    assert await opened.text("#place") == "13R.5"
    shown = "[...document.querySelectorAll('.repairs')].filter((block) => block.checkVisibility()).length"
    block = "#now .repairs" if size is PHONE else ".turns .repairs"
    assert await opened.ask(shown) == (2 if size is PHONE else 1)
    assert await opened.page.is_visible(block)
    await opened.page.click(f"{block} a[href='#12R.1']")
    assert await opened.text("#place") == "12R.1"
    await opened.press("v")
    assert await opened.ask(shown) == 0, "Caesar can't know what the arbiter does"
    await opened.close()


@visits
async def test_where_the_cards_cannot_be_followed_the_page_says_why(running: Running, tmp_path: Path):
    text = (EXAMPLES / "broken" / "card-not-in-hand.tiro").read_text(encoding="utf-8")
    file = tmp_path / "game.html"
    file.write_text(page(timelines(text), (), likely_repairs(next(iter(parse(text))))), encoding="utf-8")
    opened = await running.open(file)
    await opened.press("End")
    assert await opened.text("#place") == "2R"
    said = "Probably Caesar places a 2 face up at the Aediles, not a 3 (3A should be 2A)."
    assert await opened.text("#words") == f"not followed. Error in 1R: Caesar has no 3 in hand. {said}"
    assert await opened.text("[data-k='A.0'] .suspect") == "3"
    await opened.press("v")
    assert await opened.text("#words") == "not followed", "what another point of view may not know"
    assert await opened.ask("document.querySelectorAll('.suspect').length") == 0
    await opened.press("Home")
    await opened.press("v", 3)
    assert await opened.ask("document.querySelectorAll('.suspect').length") == 0, "it does not lie there yet"
    await opened.close()


@visits
async def test_an_address_of_no_moment_says_so(running: Running, tmp_path: Path):
    file = written(tmp_path, ANNOTATED.read_text(encoding="utf-8"))
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


LOOKS = (
    [*product(SIZES, ("light", "dark"), ("keys", "touch"))]
    if FULL
    else [("phone", "dark", "touch"), ("laptop", "light", "keys")]
)
GAMES = [*WHOLE, *BROKEN] if FULL else [EXAMPLES / "1997" / "tie-break.tiro"]
KEYS = {"on": "ArrowRight", "first": "Home", "vote-on": "n"}


@cache
def made(game: Path, last: int) -> tuple[Timeline, str] | None:
    """The timeline and the page of a game up to those turns; none where it can't be told."""
    try:
        told = timelines(opening_of(game, last))
    except NoTimeline:
        return None
    return told[0], page_of(told)


async def go(opened: Opened, way: str, by: str, times: int = 1) -> None:
    """Press a key, or tap a button, so many times."""
    if by == "keys":
        await opened.press(KEYS[way], times)
        return
    for _ in range(times):
        if not await opened.page.is_visible(f"[data-go={way}]"):
            await opened.page.tap("[data-go=more]")
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
    for number, (step, shown) in enumerate(zip(steps, seen, strict=True)):
        cells |= shown["fresh"]
        wanted = words_at(told, steps, number)
        assert shown["place"] == place_of(step.address)
        assert {key: cells[key] for key in wanted} == wanted, step.address
        scene = scene_of(told, step)
        assert shown["turnedUp"] == (" ".join(vote_words(scene).first) if scene and step.is_vote else ""), step.address
        assert (vote_words(scene).verdict if scene else "") in shown["cameOfIt"] or step.is_vote, step.address
        assert not shown["sideways"], step.address
        assert shown["inSight"] or width < 820, f"{step.address}: both hands are in sight"
    assert len({shown["buttons"] for shown in seen}) == 1, "the buttons stay where they are"


@pytest.mark.parametrize(("size", "scheme", "by"), LOOKS)
@pytest.mark.parametrize("game", GAMES, ids=lambda path: f"{path.parent.name}/{path.stem}")
@visits
async def test_a_tour_of_a_game(running: Running, game: Path, size: str, scheme: str, by: str, tmp_path: Path):
    page = made(game, 8 if by == "touch" else 16)  # a tap takes longer than a key
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
