"""The page as a show: played by itself, what comes hidden, guesses, and what is passed on, in a browser."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browser import Opened, Running, visits
from click.testing import CliRunner
from pages import ANNOTATED, opening_of
from stores import web
from test_accessibility import serious
from test_analysis_page import quick
from tironian import parse, view, write
from tironian.tools.cli.command_line import main
from tironian.tools.insight.analysis_json import report_data

pytestmark = [pytest.mark.slow, pytest.mark.process]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a record beside which its report lies."""
    folder = tmp_path_factory.mktemp("show")
    (folder / "game.tiro").write_text(opening_of(ANNOTATED, 8), encoding="utf-8")
    (folder / "game.insight.json").write_text(json.dumps(report_data(quick(8))), encoding="utf-8")
    file = folder / "game.html"
    told = CliRunner().invoke(
        main, ["timeline", str(folder / "game.tiro"), "--odds", "--format", "html", "-o", str(file)]
    )
    assert told.exit_code == 0, told.stderr
    return file


async def opened_at(running: Running, file: Path, address: str, **options: object) -> Opened:
    opened = await running.open(file, **options)
    await opened.page.goto(f"{file.as_uri()}{address}")
    await opened.page.reload()
    return opened


TEN_IN_SIGHT = """() => {
  const { top, bottom } = document.getElementById("timeline").getBoundingClientRect();
  const rows = [...document.querySelectorAll(".turns:not([hidden]) .row")].map((row) => row.getBoundingClientRect());
  return rows.filter((row) => row.top >= top && row.bottom <= Math.min(bottom, innerHeight)).length >= 10;
}"""
LAST_ROW = """[...document.querySelectorAll(".turns:not([hidden]) .row")]
  .filter((row) => row.checkVisibility()).pop().querySelector("h3").textContent"""
MARKED = """[data.steps[step], all(".here").map((cell) => cell.dataset.group),
  ...[".new", ".lately"].map((mark) => all(`.groups .card${mark}`).map((card) => card.textContent))]"""
UNKNOWN_TRIALS = """async () => {
  const { decisions } = await options();
  const known = decisions.flatMap(([at, , , , found]) => found.map(([, written]) => `#${data.steps[at]}/${written}`));
  return [...document.querySelectorAll(".turns:not([hidden]) .try")].map((link) => link.getAttribute("href"))
    .filter((address) => !known.includes(address));
}"""
OVERLAPS = """
all(".turns:not([hidden]) .row").flatMap((row) => {
  const boxes = all("*", row).filter((each) => each.checkVisibility() && !each.closest(".sr, use")).flatMap((each) => {
    if (each.tagName === "svg") return [[each.outerHTML, each.getBoundingClientRect()]];
    return [...each.childNodes].filter((text) => text.nodeType === 3 && text.data.trim()).map((text) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [text.data, range.getBoundingClientRect()];
    });
  });
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 5; // of a line of words, some is blank
  const pairs = boxes.flatMap(([name, box], at) => boxes.slice(at + 1).filter(([, other]) => meet(box, other))
    .map(([other]) => [row.querySelector("h3").textContent, name, other]));
  return boxes.length > 2 ? pairs : [["a row without its words", "", ""]];
})
"""
"""What overlaps in the rows of the list of turns: cards, patricians, owls, marks and words."""
SMALL = """
const seen = (each) => each.checkVisibility({ visibilityProperty: true });
all("a, button, summary, input, textarea").filter(seen).map((each) => {
  const box = (each.closest("label") ?? each).getBoundingClientRect();
  const [around, sentence] = [getComputedStyle(each, "::after"), each.closest(".keys-of-course, .skip")];
  const more = ["width", "height"].map((way) => (around.position === "absolute" ? parseFloat(around[way]) : 0));
  const sizes = [Math.max(box.width, more[0]), Math.max(box.height, more[1])];
  return sentence || Math.min(...sizes) > 23.9 ? "" : `${each.outerHTML.slice(0, 90)} ${sizes}`;
}).filter(Boolean)
"""
"""What can be tapped and is less than 24 pixels wide or high; links within a sentence may be."""
MOVED = "go(0), go(1), new Promise((done) => requestAnimationFrame(() => done(document.getAnimations().length)))"
"""How many cards move with the first step."""


@visits
async def test_one_turn_is_unfolded_and_ten_are_in_sight(running: Running, game: Path):
    opened = await opened_at(running, game, "#6E.2", viewport={"width": 1280, "height": 800})
    assert await opened.ask("document.querySelectorAll('.turn.open').length") == 1
    assert await opened.text(".turn.open h3 a") == "6E"
    await opened.page.wait_for_function(TEN_IN_SIGHT)
    assert await opened.text("[data-k='K.lead']") == "◇ tie"
    assert await opened.text("[data-k='A.lead']") == "▼ +1"
    assert await opened.ask("[...document.querySelectorAll('.here')].map((cell) => cell.dataset.group)") == ["K"] * 3
    await opened.press("ArrowLeft", 2)
    assert await opened.ask(MARKED) == ["6E.1", ["K"] * 3, ["4"], []], "a card is new where it was placed"
    await opened.press("ArrowRight", 3)
    assert await opened.ask(MARKED) == ["6E.3", [], [], ["4"]], "and is marked for the rest of the turn"
    await opened.close()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (820, 1180)])
@visits
async def test_marks_say_whose_they_are_and_nothing_overlaps_in_a_row(
    running: Running, game: Path, size: tuple[int, int]
):
    opened = await opened_at(running, game, "#start", viewport={"width": size[0], "height": size[1]})
    assert await opened.ask(OVERLAPS) == []
    rows = opened.page.locator(".turns:not([hidden]) .row")
    assert await rows.locator(".ballots svg[viewBox$='62']").count() > 0, "a philosopher turned a vote"
    for who in ("annotator", "engine"):
        titles = await rows.locator(f".{who} .glyph").evaluate_all("them => them.map((each) => each.title)")
        read = await rows.locator(f".{who} .sr").all_text_contents()
        assert titles == read
        assert titles
        assert all(title.startswith(f"{who}: ") for title in titles)
    places = await rows.locator(".engine").evaluate_all("them => them.map((each) => each.getBoundingClientRect().left)")
    assert len(set(places)) == 1, "the engine's marks stand below each other, beside the annotator's or without"
    await opened.close()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@visits
async def test_what_can_be_tapped_is_large_enough_and_goes_by_time(running: Running, game: Path, size: tuple[int, int]):
    opened = await opened_at(running, game, "#6E.2", viewport={"width": size[0], "height": size[1]})
    await opened.ask("for (const each of all('details')) each.open = true")
    await opened.press("ArrowRight")
    assert await opened.ask(SMALL) == []
    for links in ("#course > :not([hidden]) .point", "#insight > .part > :not([hidden]) .chart .turn-label"):
        places = await opened.page.locator(links).evaluate_all(
            "them => them.map((each) => each.getBoundingClientRect().x)"
        )
        assert places == sorted(places)
        assert places
    places = await opened.ask("all('.turns:not([hidden]) [data-step]').map((link) => Number(link.dataset.step))")
    turns = await opened.ask("all('.turns:not([hidden]) .row [data-step]').map((link) => Number(link.dataset.step))")
    assert sorted(turns) == turns
    assert [place for place in places if place not in turns] == sorted(set(places) - set(turns))
    await opened.close()


@visits
async def test_the_head_of_the_picture_stays_where_it_is(running: Running, game: Path):
    opened = await opened_at(running, game, "#start", viewport={"width": 390, "height": 844})
    head = "document.querySelector('.account:not([hidden])').getBoundingClientRect()"
    before = await opened.ask(f"[{head}.x, {head}.width]")
    await opened.ask("document.querySelector('.scroll:not([hidden])').scrollLeft = 300")
    assert await opened.ask(f"[{head}.x, {head}.width]") == before
    assert before[0] >= 0
    assert sum(before) <= 390
    assert await opened.ask("document.querySelector('.scroll:not([hidden])').scrollLeft") > 0
    await opened.close()


@visits
async def test_a_mistake_is_told_where_it_was_made_and_the_better_move_can_be_tried(running: Running, game: Path):
    opened = await opened_at(running, game, "#start")
    steps = await opened.ask("found().mistakes.map((number) => data.steps[number])")
    assert steps
    await opened.press("m")
    assert await opened.text("#place") == steps[0]
    assert "points of W. Better: " in await opened.text("#now-judged")
    await opened.page.click("#now-judged .try")
    await opened.page.wait_for_selector("#leave:visible")
    assert (await opened.text("#now")).count("no moment") == 0
    assert await opened.ask(UNKNOWN_TRIALS) == [], "no link promises a move that is not offered"
    await opened.press("Escape")
    await opened.press("End")
    await opened.press("b")
    assert await opened.text("#place") == steps[-1]
    await opened.page.click(".course", position={"x": 9, "y": 40})
    assert await opened.text("#place") == "Start"
    await opened.close()


@visits
async def test_what_comes_is_hidden_and_a_guess_is_answered(running: Running, game: Path):
    opened = await opened_at(running, game, "#6E.1?hide")
    assert (await opened.text(".turn.open h3")).split() == ["6E", "Cleopatra"]
    assert (await opened.ask(LAST_ROW)).startswith("6E")
    for part in (".outcome", "#overview", "#votes", "#insight", ".turn.open .ballots"):
        assert await opened.page.locator(f"{part}:visible").count() == 0, part
    await opened.page.click(".what-if > summary")
    await opened.page.wait_for_selector(".options button")
    assert await opened.page.locator(".options .played").count() == 0
    await opened.page.click(".options button[title='Cleopatra places a 3 face down at the Consuls']")
    said = "Your guess: places a 3 face down at the Consuls. Cleopatra places and plays nothing more in the game."
    assert await opened.text("#words") == said
    await opened.page.click(".kept button")
    assert await opened.page.is_visible(".outcome:not([hidden])")
    await opened.close()


@visits
async def test_it_plays_by_itself_and_stops(running: Running, game: Path):
    opened = await opened_at(running, game, "#start", reduced_motion="no-preference")
    await opened.press(">", 2)
    assert await opened.text("#speed") == "4 ×"
    await opened.press("k")
    await opened.page.wait_for_function("() => step > 2")
    await opened.press("ArrowLeft")
    assert await opened.ask("playing") == 0
    assert await opened.ask(MOVED)
    await opened.close()


@visits
async def test_nothing_moves_for_whoever_wants_it_still(running: Running, game: Path):
    opened = await opened_at(running, game, "#start", reduced_motion="reduce")
    assert await opened.ask(MOVED) == 0
    await opened.close()


@visits
async def test_the_moment_is_passed_on(running: Running, game: Path, tmp_path: Path):
    opened = await opened_at(running, game, "#6E.2?as=cleopatra&hide")
    await opened.page.wait_for_function("() => data.views[view].name === 'cleopatra'")
    await opened.press("s")
    assert (await opened.page.input_value("#link")).endswith("#6E.2?as=cleopatra&hide")
    assert await serious(opened, "#share") == []
    saved = {}
    for kind in ("tiro", "svg", "png"):
        async with opened.page.expect_download() as loading:
            await opened.page.click(f"[data-save={kind}]")
        await (await loading.value).save_as(tmp_path / kind)
        saved[kind] = (tmp_path / kind).read_bytes()
    record = view(parse((game.parent / "game.tiro").read_text(encoding="utf-8"))[0], "cleopatra").record
    assert saved["tiro"].decode() == write(record), "with nothing that Cleopatra can't know"
    assert ElementTree.fromstring(saved["svg"]).tag.endswith("svg")
    assert b"light-dark" not in saved["svg"]
    assert saved["png"].startswith(b"\x89PNG")
    await opened.context.close()


@pytest.mark.parametrize("address", ["?embed#6E.2", "#6E.2?embed", "#embed"])
@visits
async def test_another_page_shows_table_and_buttons_alone(running: Running, game: Path, address: str):
    opened = await opened_at(running, game, address)
    for part in ("header", ".beside", "#overview", "#about"):
        assert await opened.page.locator(f"{part}:visible").count() == 0
    assert await opened.page.is_visible(".board")
    assert await opened.text("#place") == ("Start" if address == "#embed" else "6E.2")
    await opened.page.click("[data-go=on]")
    assert "no moment" not in await opened.text("#words")
    assert not opened.complaints
    await opened.context.close()


@visits
async def test_a_page_of_another_origin_shows_it(running: Running, game: Path, tmp_path: Path):
    """With the code that “Share” gives: it steps, answers keys once it was clicked, and asks for nothing else."""
    with web(game.parent) as there, web(tmp_path) as here:
        opened = await opened_at(running, game, "")
        await opened.page.goto(f"{there}/game.html#6E.2?as=cleopatra")
        await opened.page.click("[data-go=share]")
        code = await opened.page.input_value("#frame")
        icon = '<link rel="icon" href="data:,">'  # else the browser asks for one
        (tmp_path / "host.html").write_text(f"<!doctype html><title>A club</title>{icon}<p>Our game</p>{code}")
        opened.requests.clear()
        opened.complaints.clear()
        await opened.page.goto(f"{here}/host.html")
        handle = await opened.page.wait_for_selector("iframe")
        frame = await handle.content_frame()
        assert frame is not None
        await frame.wait_for_selector("#place:text-is('6E.2')")
        assert await frame.evaluate("origin") == there != await opened.ask("origin")
        viewpoint = "document.querySelector('[data-view-button][aria-pressed=true]').textContent"
        assert await frame.evaluate(viewpoint) == "Cleopatra"
        await opened.press("ArrowRight")
        assert await frame.inner_text("#place") == "6E.2", "keys are the host's until somebody clicks into the frame"
        await frame.click(".board")
        await opened.press("ArrowRight")
        await frame.wait_for_selector("#place:text-is('6E.3')")
        await frame.click("[data-go=on]")
        await frame.wait_for_selector("#place:text-is('6R.1')")
        assert opened.page.url == f"{here}/host.html"
        assert {url.partition("#")[0] for url in opened.requests} == {f"{here}/host.html", f"{there}/game.html"}
        assert not opened.complaints
        await opened.context.close()  # before its servers, which wait for their connections


@visits
async def test_light_and_dark_can_be_switched(running: Running, game: Path):
    opened = await opened_at(running, game, "#6E.2", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    day = await opened.ask(ground)
    await opened.press("t")
    assert await opened.ask(ground) != day
    assert await serious(opened) == []
    await opened.press("t")
    assert await opened.ask(ground) == day
    await opened.close()
