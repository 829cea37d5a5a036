"""What if, on the page: every option and every recorded alternative with the table that the engine would have."""

from __future__ import annotations

import base64
import json
import re
import zlib
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from browser import Running, visits
from pages import ANNOTATED, EXAMPLES, WHOLE, opening_of, timelines, words_of
from scale import FULL
from tironian import Decision, Timeline, parse, what_if
from tironian.replay.knowledge.table_view import view_table
from tironian.replay.story.timeline import NOT_FOLLOWED
from tironian.replay.story.vote_tree import trees
from tironian.replay.story.what_if import foresights
from tironian.replay.words.vote_tree import option_words
from tironian.tools.render.page import page
from tironian.tools.render.page_steps import page_steps
from tironian.tools.render.page_what_if import WhatIf

CHOSEN = EXAMPLES / "rulebook" / "scoring-2024.tiro"
"""A game in which there is a choice of special votes."""
SOME = WHOLE if FULL else [path for path in WHOLE if path.stem == "annotated"]


@cache
def page_of(text: str, *, odds: bool = False) -> tuple[list[Timeline], list[list[Decision]], str]:
    """The timelines of a game, its decisions from all points of view, and its page."""
    game = parse(text)[0]
    told = timelines(text)
    made = [what_if(game, each.view) for each in told]
    seen = [
        WhatIf(found, foresights(found, game, each.view) if odds else ())
        for each, found in zip(told, made, strict=True)
    ]
    return told, made, page(told, trees(told[0]), None, seen)


def unpacked(html: str) -> list[dict[str, Any]]:
    """What the page holds of each point of view."""
    (text,) = re.findall(r'<script type="text/plain" id="options">(.*?)</script>', html)
    told = json.loads(zlib.decompress(base64.b64decode(text)))
    return [{**view, "words": told["words"], "parts": told["parts"]} for view in told["views"]]


def all_words(table: Any) -> dict[str, str]:
    words = {key: words for key, words in words_of(table).items() if key != "turn"}
    return words | {f"{group.letter}.lead": lead_of(group) for group in table.groups}


def lead_of(group: Any) -> str:
    """Who would win there, said here anew."""
    (rome, egypt), (ours, theirs) = group.sums, group.cards
    if None in (rome, egypt) or not group.left:
        return ""
    if not (ours or theirs):
        return "empty"
    if rome == egypt:
        return "◇ level"
    is_turned = str(ours).count("p") != str(theirs).count("p")
    if is_turned and not (ours and theirs):
        return ""
    return f"{'▲' if (rome > egypt) != is_turned else '▼'} {'lower' if is_turned else f'+{abs(rome - egypt)}'}"


@pytest.mark.parametrize(
    "path", WHOLE if FULL else [*SOME[:2], CHOSEN], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_every_option_has_the_table_of_the_engine(path: Path):
    told, made, html = page_of(opening_of(path, 8))
    for timeline, decisions, data in zip(told, made, unpacked(html), strict=True):
        assert len(data["decisions"]) == len(decisions), "each has its step"
        tables = [all_words(timeline.table(step.state)) for step in page_steps(timeline)]
        for decision, (step, side, _, _, options) in zip(decisions, data["decisions"], strict=True):
            assert side == decision.side
            for option, (words, written, was_played, changes, _) in zip(decision.options, options, strict=True):
                assert (data["words"][words], written) == (option_words(decision, option), option.written)
                assert bool(was_played) == option.was_played
                state = decision.after(option)
                if state is None:
                    assert changes is None
                    continue
                shown = tables[step] | dict(data["parts"][number] for number in changes)
                # Cards that lie open on the discards without being written are known at the table, not in the record.
                before = all_words(view_table(decision.before, timeline.view))
                unsaid = {key for key in before if before[key] != tables[step][key]}
                assert all(key.startswith("discards") for key in unsaid)
                wanted = {
                    key: words
                    for key, words in all_words(view_table(state, timeline.view)).items()
                    if key not in unsaid
                }
                assert {key: shown[key] for key in wanted} == wanted, (timeline.view, decision.turn, option.written)


def test_a_recorded_alternative_is_told_event_by_event():
    told, _, html = page_of(ANNOTATED.read_text(encoding="utf-8"))
    data = unpacked(html)
    assert [*data[0]["lines"]] == ["5R/1", "8R/1"], "the second one goes on from the first"
    assert not data[1]["lines"], "the arbiter's words are not for players"
    for entry in told[0].entries:
        events = [event for other in entry.alternatives for event in other.events]
        if not events:
            continue
        step, *rows = data[0]["lines"][f"{entry.label}/1"]
        shown = all_words(told[0].table(page_steps(told[0])[step].state))
        turns = [other.label for other in entry.alternatives for _ in other.events]
        assert [turn for _, _, turn in rows] == turns
        for event, (_, changes, _) in zip(events, rows, strict=True):
            shown |= dict(data[0]["parts"][number] for number in changes)
            wanted = all_words(told[0].table(event.state))
            assert {key: shown[key] for key in wanted} == wanted
    assert "Cleopatra vetoes it and draws a 5</a>" in html


def test_what_an_option_does_to_a_vote_is_told_as_its_player_could_tell():
    text = ANNOTATED.read_text(encoding="utf-8")
    arbiter, caesar, cleopatra, table = unpacked(page_of(text, odds=True)[2])
    effects = {
        (step, written): effect
        for step, side, _, _, options in arbiter["decisions"]
        for _, written, _, _, effect in options
        if side == 0
    }
    own = {
        (step, written): effect
        for step, side, _, _, options in caesar["decisions"]
        for _, written, _, _, effect in options
        if side == 0
    }
    shared = effects.keys() & own.keys()
    assert len(shared) > 500
    assert all(effects[key] == own[key] for key in shared), "the arbiter is told what Caesar could know"
    assert not any(option[4] for row in table["decisions"] for option in row[4])
    assert not any(option[4] for row in cleopatra["decisions"] for option in row[4] if row[1] == 0)
    for share in (share for effect in effects.values() for _, *shares in effect for share in shares):
        assert 0 <= share <= 100


ALTERNATIVES = """[Rules "2024"]
[Caesar "A"]
[Cleopatra "B"]

0R (1)P (2)Q (3)A (4)K (5)C m(each,K) +v
0E (3)P (1)Q (5)A (2)K (4)C m(A,Q) +v
1E (3)A 5Q +3x
   | 1E (4)A (4)K =A53:3>E +3x
   | 2E 5P
1R (4)A (7)Z +1s
   | 1R x5Q 5A
2E 1P
   | 2E 2P +a
*
"""


def test_an_alternative_that_cant_be_followed_stays_as_written():
    told = timelines(ALTERNATIVES, ["arbiter"])[0]
    assert told.entries[-1].status == NOT_FOLLOWED
    made = page([told], [])
    for line in ("(4)A (4)K =A53:3>E +3x", "5P", "x5Q 5A", "2E 2P +a"):
        assert line in unescape(made), line
    assert "<ol></ol>" not in made


# ------------------------------------------------------------------------------------------------- in a browser


TRY_ALL = """
async (steps) => {
  const found = [];
  const cells = () => Object.fromEntries(
    [...document.querySelectorAll("[data-k]")].map((cell) => [cell.dataset.k, cell.textContent]));
  for (const at of steps) {
    go(at);
    for (const fold of document.querySelectorAll(".what-if")) fold.open = true;
    const { decisions } = await options();
    const due = decisions.filter(([step]) => step === at);
    while (document.querySelectorAll(".options").length < due.length) await new Promise(requestAnimationFrame);
    const made = [...document.querySelectorAll(".options")].map((list) => list.querySelectorAll("button").length);
    for (const [number, decision] of due.entries()) {
      found.push([at, made[number], decision[4].length]);
      for (const option of decision[4]) {
        tryOption(decision, option, await options());
        found.push([option[1], document.getElementById("words").textContent, cells()]);
      }
      go(at);
    }
  }
  return found;
}
"""


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("path", SOME if FULL else SOME[:1], ids=lambda path: f"{path.parent.name}/{path.stem}")
@visits
async def test_each_option_is_offered_and_shown_on_the_table(running: Running, path: Path, tmp_path: Path):
    told, made, html = page_of(opening_of(path, 8))
    file = tmp_path / "game.html"
    file.write_text(html, encoding="utf-8")
    opened = await running.open(file)
    for place, (timeline, decisions) in enumerate(zip(told, made, strict=True)):
        await opened.ask(f"look({place})")
        rows = unpacked(html)[place]["decisions"]
        steps = sorted({row[0] for row in rows})[:: 1 if FULL else 40]
        seen = iter(await opened.page.evaluate(TRY_ALL, steps))
        for step in steps:
            for decision in [each for each, row in zip(decisions, rows, strict=True) if row[0] == step]:
                assert next(seen) == [step, len(decision.options), len(decision.options)]
                for option in decision.options:
                    written, words, cells = next(seen)
                    assert (written, words.endswith(option_words(decision, option))) == (option.written, True)
                    if state := decision.after(option):
                        wanted = all_words(view_table(state, timeline.view))
                        wanted = {key: words for key, words in wanted.items() if not key.startswith("discards")}
                        assert {key: cells[key] for key in wanted} == wanted, (timeline.view, option.written)
        assert next(seen, None) is None
    await opened.close()


TO_PLAY = """[
  document.querySelector(".to-play").getAttribute("aria-label"), document.querySelector("[data-k=turn]").textContent
]"""
"""Whose turn it is, and which."""
SHADES = """[...document.querySelectorAll(".options td button")].map(
  (cell) => [parseInt(cell.textContent), getComputedStyle(cell).backgroundColor])"""
"""The chance in each cell of the grids, and its colour."""


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=["phone", "wide"])
@visits
async def test_options_are_reached_by_keyboard_and_touch_and_have_addresses(
    running: Running, size: tuple[int, int], tmp_path: Path
):
    file = tmp_path / "game.html"
    file.write_text(page_of(opening_of(ANNOTATED, 8), odds=True)[2], encoding="utf-8")
    opened = await running.open(file, viewport={"width": size[0], "height": size[1]}, has_touch=True)
    page = opened.page
    await page.goto(f"{file.as_uri()}#5E.4")
    await page.tap(".what-if > summary")
    await page.wait_for_selector(".options")
    shades = {(chance, colour) for chance, colour in await page.evaluate(SHADES)}
    assert 2 < len(shades) == len(dict(shades)) == len({colour for _, colour in shades}), "a shade for each chance"
    await page.tap(".options button[title='Caesar places a 3 face down at the Aediles']")
    assert await opened.text("#words") == "Caesar places a 3 face down at the Aediles"
    assert (await opened.text("[data-k='A.0']")).split() == ["2", "(3)"]
    assert await page.evaluate(TO_PLAY) == ["Caesar", "5R"], "his turn is to come"
    await page.wait_for_url("**#5E.4/(3)A")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await opened.press("Escape")
    assert await opened.text("#place") == "5E.4"
    assert (await opened.text("[data-k='A.0']")).split() == ["2"]
    assert await page.evaluate(TO_PLAY) == ["Caesar", "5R"], "the turn is over with its last token"
    await page.focus(".options button.played")
    await opened.press("Enter")
    assert await opened.text("#words") == "Caesar plays an assassination of a 4 at the Consuls"
    await opened.press("ArrowRight")
    assert await opened.text("#place") == "5E.4", "back to what was played"
    await page.close()
    opened.page = await opened.context.new_page()
    await opened.page.goto(f"{file.as_uri()}#8R/1.2")
    await opened.page.wait_for_function(
        "document.getElementById('words').textContent === 'Cleopatra vetoes it and draws a 5'"
    )
    for _ in range(4):
        await opened.press("ArrowRight")
    assert await opened.text("#words") == "Caesar draws a 5, a 3 and a 2"
    assert await opened.text("[aria-current=step]") == "Caesar draws a 5, a 3 and a 2"
    await opened.press("ArrowLeft", 6)
    assert await opened.text("#place") == "8E.2", "one step before the alternative began"
    await opened.close()


@pytest.mark.slow
@pytest.mark.process
@visits
async def test_a_player_whose_cards_don_t_add_up_is_told_why_he_has_no_percents(running: Running, tmp_path: Path):
    text = (
        '[Rules "2024"]\n[Setup "position"]\n[Result "*"]\n\n0R 4Q 3Q h(1234vv)\n0E 3Q h(12345x)\n'
        "6E (2)A =o +1\n6R 5A =Q43:3>R +1\n   % R stands R203: nobody minded\n7E 2A =o +1\n7R 1A =o +1\n*\n"
    )
    file = tmp_path / "game.html"
    file.write_text(page_of(text, odds=True)[2], encoding="utf-8")
    opened = await running.open(file)
    for address, said in (
        ("6E.1", "Cleopatra’s chance in a vote there"),
        ("6R.1", "No percents: what Caesar saw"),
        ("6E.2", "Draws an influence card"),
    ):
        await opened.page.goto(f"{file.as_uri()}#{address}")
        await opened.page.reload()
        await opened.page.click(".what-if > summary")
        await opened.page.wait_for_selector(".options")
        assert said in await opened.text(".options"), address
    await opened.close()
