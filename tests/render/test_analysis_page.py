"""The page of a judged game: what it says, that nobody's words harm it, and how a browser shows it."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import Opened, Running, visits
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from marks import unmarked, words_of
from pages import ANNOTATED, HOSTILE, opening_of, timelines
from scale import crossed
from test_accessibility import NO_SCROLLING, SCHEMES, serious
from tironian import LuckLedger, Report, SideReport, analyse, parse, view
from tironian.notation.language import PSEUDO, language, speaking
from tironian.tools.cli.command_line import main
from tironian.tools.insight.analysis_page import NAME, WIDTHS, analysis_page, chart, head_of, turn_sums
from tironian.tools.render.page_steps import page_steps

chance = st.floats(0, 1)
SIZES = {"phone": (360, 740), "laptop": (1280, 800)}


class Elements(HTMLParser):
    """The elements of a page, each with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.found if name == tag]


@cache
def quick(last: int = 99) -> Report:
    """A game up to those turns judged by the net alone, four of each side's decisions with a mark, each another one."""
    report = analyse(parse(opening_of(ANNOTATED, last))[0], level="quick")
    return report._replace(sides=(marked(report.sides[0]), marked(report.sides[1])))


def marked(side: SideReport | None) -> SideReport:
    assert side is not None
    costly = sorted((each for each in side.decisions if not each.is_forced), key=lambda each: -each.loss)
    marks = {id(costly[0]): "??", id(costly[1]): "?", id(costly[2]): "?!", id(costly[-1]): "!"}
    decisions = tuple(each._replace(mark=marks.get(id(each), "")) for each in side.decisions)
    return side._replace(decisions=decisions)


def folds(page: str) -> list[dict[str, str]]:
    """The folds of decisions."""
    return [each for each in Elements(page).all("details") if each.get("class") != "numbers"]


def test_every_decision_is_folded_and_open_only_where_a_mark_stands():
    page = analysis_page(quick())
    count = sum(not each.is_forced for side in quick().sides if side for each in side.decisions)
    assert len(folds(page)) == count
    assert sum("open" in each for each in folds(page)) == 8


def test_every_word_of_a_page_is_in_the_catalogues():
    typed = {*re.findall(r"\w+", " ".join(value for _, value in parse(opening_of(ANNOTATED, 99))[0].record.headers))}
    marking = language(PSEUDO)
    assert marking is not None
    with speaking(marking):
        assert not unmarked(words_of(analysis_page(quick())), typed)


def test_links_lead_to_steps_of_the_step_page_and_to_what_is_on_this_one():
    steps = {step.address for step in page_steps(timelines(ANNOTATED.read_text(encoding="utf-8"))[0])}
    elements = Elements(analysis_page(quick(), "my game.html"))
    there = {each["id"] for _, each in elements.found if "id" in each}
    links = [each["href"].partition("#") for each in elements.all("a")]
    assert {file for file, _, _ in links} == {"", "my%20game.html"}
    assert len(there) == sum("id" in each for _, each in elements.found)
    labels = {step.partition(".")[0] for step in steps}
    for file, _, address in links:
        assert address in (steps | labels if file else there)


def test_without_a_step_page_nothing_leads_out():
    page = analysis_page(quick())
    assert all(each["href"].startswith("#") for each in Elements(page).all("a"))
    assert "http" not in page.replace("http-equiv", "")


def test_a_turn_in_numbers_adds_up():
    """The luck of all turns is what the ledger books under chance."""
    side, log = quick().sides[0], quick().log[0]
    assert side
    assert log
    luck = sum(sum(turn.luck) for turn in turn_sums(side, log))
    assert luck == pytest.approx(side.ledger["draws"] + side.ledger["busts"], abs=1e-4)


@given(start=chance, end=chance, parts=st.lists(st.floats(-2, 2), min_size=6, max_size=6))
def test_the_parts_that_are_shown_add_up_to_the_change(start: float, end: float, parts: list[float]):
    """Even if each of them alone would be rounded to another number."""
    side = quick().sides[0]
    assert side
    head = head_of(side._replace(ledger=LuckLedger(start, (*parts,), end, complete=True)))
    shown = {name: number(points) for name, _, points, _ in head.parts}
    assert sum(shown.values()) == number(head.change) == round(100 * end) - round(100 * start)
    [luck] = [detail for _, detail, _, _ in head.parts if "draws" in detail]
    assert sum(map(number, re.findall(r"[+−]?\d+", luck))) == shown["luck"]


def number(points: str) -> int:
    return int(points.replace("−", "-"))


def test_names_at_the_ends_of_curves_stay_apart():
    rome, egypt = quick().sides
    assert rome
    assert egypt
    even = [side._replace(ledger=side.ledger._replace(end=0.5, complete=True)) for side in (rome, egypt)]
    for size in WIDTHS:
        drawn = chart(
            [(side, log, lambda *_: "", ()) for side, log in zip(even, quick().log, strict=True) if log], size
        )
        (_, first), (_, second) = drawn.ends
        assert abs(first - second) >= NAME - 0.2


def test_a_players_page_says_nothing_of_the_other():
    game = parse(ANNOTATED.read_text(encoding="utf-8"))[0]
    page = analysis_page(analyse(game, 0, "quick"))
    assert 'id="caesar"' in page
    assert re.search(r"their own decisions cost \d+\.", page)
    assert 'id="cleopatra"' not in page
    nobody = analysis_page(analyse(view(game, "table").record, level="quick"))
    assert "Nothing can be judged" in nobody
    assert not folds(nobody)


def test_what_strangers_wrote_stays_text():
    page = analysis_page(analyse(parse(HOSTILE)[0], level="quick"), '"><script>harmed=1</script>')
    elements = Elements(page)
    assert len(elements.all("script")) == 1
    assert not elements.all("img")
    assert "&lt;img src=x" in page
    assert not re.search("[\u202a-\u202e\u2028]", page)
    assert not [name for _, each in elements.found for name in each if name.startswith("on")]


def test_the_command(tmp_path: Path):
    file = tmp_path / "insight.html"
    words = ["analyse", str(ANNOTATED), "--level", "quick", "--format", "html", "--page", "game.html", "-o", str(file)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0
    assert 'href="game.html#2R' in file.read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------------------------- in a browser


async def opened_at(running: Running, folder: Path, page: str, size: str, scheme: str) -> Opened:
    file = folder / "insight.html"
    file.write_text(page, encoding="utf-8")
    width, height = SIZES[size]
    return await running.open(file, viewport={"width": width, "height": height}, color_scheme=scheme)


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(("size", "scheme"), crossed(SIZES, SCHEMES))
@visits
async def test_the_page_in_a_browser(running: Running, size: str, scheme: str, tmp_path: Path):
    opened = await opened_at(running, tmp_path, analysis_page(quick(), "game.html"), size, scheme)
    assert await serious(opened) == []
    await opened.ask("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert await opened.ask(NO_SCROLLING), "the page scrolls sideways"
    shown = "[...document.querySelectorAll('.chart')].filter((each) => each.checkVisibility()).length"
    assert await opened.ask(shown) == 2, "one of the curve and one of luck"
    bottom = await opened.ask("document.querySelector('.panel').getBoundingClientRect().bottom")
    assert bottom < SIZES[size][1], "the curve is on the first screen"
    await opened.close()


@pytest.mark.slow
@pytest.mark.process
@visits
async def test_the_slider_hides_what_cost_less_and_a_link_shows_it_again(running: Running, tmp_path: Path):
    opened = await opened_at(running, tmp_path, analysis_page(quick()), "laptop", "light")
    shown = "[...document.querySelectorAll('#caesar li[data-cost]')].filter((each) => each.checkVisibility())"
    before = await opened.ask(f"{shown}.length")
    await opened.page.focus("#rome-least")
    await opened.press("End")
    assert await opened.ask(f"{shown}.every((each) => Number(each.dataset.cost) >= 20)")
    assert await opened.ask(f"{shown}.length") < before
    await opened.page.click(".rome-side .brief a")
    await opened.page.wait_for_function("document.querySelector(location.hash || 'x')?.checkVisibility()")
    await opened.close()


@pytest.mark.slow
@pytest.mark.process
@visits
async def test_hostile_words_in_a_browser(running: Running, tmp_path: Path):
    opened = await opened_at(
        running, tmp_path, analysis_page(analyse(parse(HOSTILE)[0], level="quick")), "phone", "dark"
    )
    assert await opened.ask("typeof harmed") == "undefined"
    assert await opened.ask(NO_SCROLLING)
    await opened.close()
