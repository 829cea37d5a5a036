"""The picture of a vote: well-formed, told in words as well, with nothing beyond its box, and in one look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
import tironian
from browser import Running, visits
from click.testing import CliRunner
from pages import ANNOTATED, HOSTILE, WHOLE
from scale import FULL, scaled
from tironian import EDITION_NAMES, VIEWS, VoteTree, load_edition, parse, simulate, timeline, write
from tironian.notation.cards import EGYPT, PLAYER_NAMES, ROME, SIDE_NAMES, TIE
from tironian.replay.story.vote_tree import trees
from tironian.replay.words.answers import vote_answers
from tironian.tools.cli.command_line import main
from tironian.tools.render.templating import asset
from tironian.tools.render.vote_graph import outline
from tironian.tools.render.vote_picture import framed_picture, vote_picture

SVG = "{http://www.w3.org/2000/svg}"
LONG = "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh the Younger"


def pictures(game: tironian.Game, view: str = "", *, narrow: bool = False) -> Iterator[tuple[VoteTree, str]]:
    told = timeline(game, view)
    for tree in trees(told, game, odds=True):
        yield tree, framed_picture(tree, told, narrow=narrow)


def had_a_choice(tree: VoteTree) -> set[int]:
    """The sides that could have done something else."""
    return {option.side for option in tree.instead if not option.was_played}


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_the_vote_is_told_and_drawn(path: Path) -> None:
    """Every card that lay there, both sums and the winner; in words, the whole outline."""
    shown = [*product(VIEWS, (False, True))]
    for number, game in enumerate(tironian.read(path)):
        for view, narrow in shown if FULL else [shown[(number + len(path.stem)) % len(shown)]]:
            for tree, svg in pictures(game, view, narrow=narrow):
                root = ElementTree.fromstring(svg)
                ids = [part.get("id") for part in root.iter() if part.get("id")]
                assert len({*ids}) == len(ids)
                assert {part.get("href", "")[1:] for part in root.iter(f"{SVG}use")} <= {*ids}
                assert root.get("role") == "img"
                assert root.get("aria-labelledby", "").split() == ids[:2]
                assert (root.findtext(f"{SVG}title") or "").startswith(tironian.words(tree))
                assert root.findtext(f"{SVG}desc") == "\n".join(outline(tree))
                words = [part.text or "" for part in root.iter(f"{SVG}text")]
                assert {str(each) for each in tree.sums} <= {*words}
                winner = "nobody wins" if tree.winner == TIE else f"{SIDE_NAMES[tree.winner]} wins"
                assert any(winner in line for line in words)
                titles = [part.text or "" for part in root.iter(f"{SVG}title")]
                turned = sum(card.turned for column in tree.scene.columns for card in column)
                assert sum(title.endswith("was face down") for title in titles) == turned
                frames = [part for part in root.iter(f"{SVG}rect") if part.get("class") == "vp-frame"]
                assert sum(part.get("height") != "14" for part in frames) == (  # 14 high are those of chances
                    any(lane.came for lane in tree.lanes) + len(had_a_choice(tree))
                )


def test_strangers_words_stay_words() -> None:
    for _, svg in pictures(next(iter(parse(HOSTILE)))):
        parts = {part.tag.removeprefix(SVG) for part in ElementTree.fromstring(svg).iter()}
        assert not parts & {"script", "img", "b", "a", "image", "foreignObject"}


def test_a_philosopher_turns_the_arrow() -> None:
    (game,) = tironian.read(ANNOTATED)
    for tree, svg in pictures(game):
        counts = [[card.card for card in column].count(0) for column in tree.scene.columns]
        lower = any(lane.lower for lane in tree.lanes) or any(option.lower for option in tree.instead)
        assert ("the lower sum wins" in svg) == (counts[0] != counts[1] or lower)
        assert ("with the lower sum" in svg) == (tree.sums[0] != tree.sums[1] and counts[0] != counts[1])


def test_owls_stand_at_the_options_that_a_lower_sum_wins() -> None:
    (game,) = tironian.read(ANNOTATED)
    shown = 0
    for tree, svg in pictures(game):
        drawn = svg.count("<title>the lower sum wins</title>")
        expected = tree.scene.is_turned + sum(lane.lower for lane in tree.lanes)
        assert expected <= drawn <= expected + sum(option.lower for option in tree.instead)
        shown += drawn > expected
    assert shown


def test_what_is_missing_says_why() -> None:
    """A side that had nothing else to do, one whose hand is not seen, and odds that nobody asked for."""
    (game,) = tironian.read(ANNOTATED)
    for tree in tironian.votes(game):
        for side in {ROME, EGYPT} - had_a_choice(tree):
            why = "no other way" if side == tree.winner else "nothing better"
            assert f"{PLAYER_NAMES[side]} had {why}." in vote_answers(tree)[1].words
        assert "The odds were not asked for." in vote_picture(tree)
    for _, svg in pictures(game):
        assert "not asked for" not in svg
    for _, svg in pictures(game, "table"):
        assert "What Caesar and Cleopatra could have done is shown only to those who see their cards." in svg


def test_what_an_option_takes_the_place_of_is_a_quiet_line() -> None:
    (game,) = tironian.read(ANNOTATED)
    tree = tironian.votes(game)[6]
    words = [
        (part.get("class"), part.text or "") for part in ElementTree.fromstring(vote_picture(tree)).iter(f"{SVG}text")
    ]
    (start,) = [place for place, (_, line) in enumerate(words) if line.startswith("plays an assassination")]
    said = [" ".join(line for each, line in words[start:] if each == style) for style in ("small", "small quiet")]
    assert said[0].startswith("plays an assassination of a philosopher does nothing here")
    assert said[1].startswith("in place of an assassination of a 4 at the Consuls, unless vetoed")


def test_one_look() -> None:
    """All colours are those of the pages, so that a vote looks alike wherever it is seen."""
    assert not re.search("#[0-9a-f]{3}", asset("vote.css"))
    (tree, *_) = tironian.votes(next(tironian.read(ANNOTATED)))
    assert "prefers-color-scheme: dark" in vote_picture(tree)
    assert "var(" not in vote_picture(tree)


def test_the_command_draws_for_a_telephone() -> None:
    call = ["votes", str(ANNOTATED), "--vote", "7", "--format"]
    wide, narrow = (
        ElementTree.fromstring(CliRunner().invoke(main, [*call, "svg", *more]).stdout) for more in ([], ["--narrow"])
    )
    assert narrow.get("width") == "360"
    assert float(wide.get("width", "0")) > float(wide.get("height", "0"))
    pytest.importorskip("resvg_py")
    png = CliRunner().invoke(main, [*call, "png", "--narrow"]).stdout_bytes
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20], "big") == 720
    assert "--narrow is for pictures" in CliRunner().invoke(main, [*call, "json", "--narrow"]).stderr


MEASURED = """
(() => {
  const found = [];
  const inside = (box, { x, y, width, height }) =>
    box.x >= x - 0.5 && box.right <= x + width + 0.5 && box.y >= y - 0.5 && box.bottom <= y + height + 0.5;
  for (const block of document.querySelectorAll("svg svg, .tree > svg")) {
    const frame = block.getBoundingClientRect();
    const texts = [...block.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    const scale = block.getScreenCTM().a;
    for (const text of block.querySelectorAll("text")) {
      const size = parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < 10.99) found.push(`${size} px: ${text.textContent}`);
    }
    for (const [number, [words, box]] of texts.entries()) {
      if (!inside(box, frame)) found.push(`beyond its block: ${words}`);
      for (const [others, other] of texts.slice(number + 1)) {
        const wide = Math.min(box.right, other.right) - Math.max(box.x, other.x);
        const high = Math.min(box.bottom, other.bottom) - Math.max(box.y, other.y);
        if (wide > 1 && high > 6 * scale) found.push(`one over the other: ${words} / ${others}`);
      }
    }
  }
  return [...new Set(found)];
})()
"""
"""What is too small to be read, lies beyond its block, or over other words."""


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("edition", EDITION_NAMES)
@visits
async def test_no_word_is_too_small_or_out_of_its_place(running: Running, edition: str, tmp_path: Path) -> None:
    made = []
    for seed in range(scaled(1, 12)):
        (game,) = parse(write(simulate(load_edition(edition), seed)).replace("\n", f'\n[Caesar "{LONG}"]\n', 1))
        for view, narrow in product(VIEWS, (False, True)):
            made += [svg for _, svg in pictures(game, view, narrow=narrow)][:: scaled(8, 1)]
    file = tmp_path / "votes.html"
    file.write_text("<!doctype html><meta charset=utf-8>" + "\n".join(made), encoding="utf-8")
    opened = await running.open(file, viewport={"width": 1000, "height": 800})
    assert await opened.ask(MEASURED) == []
    await opened.context.close()


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
@visits
async def test_the_index_shows_the_same_picture(running: Running, width: int, scheme: str, tmp_path: Path) -> None:
    CliRunner().invoke(main, ["votes", str(ANNOTATED), "--format", "svg", "--folder", str(tmp_path)])
    look = {"viewport": {"width": width, "height": 740}, "color_scheme": scheme}
    opened = await running.open(tmp_path / "index.html", **look)
    await opened.ask("for (const each of document.querySelectorAll('details')) each.open = true")
    assert await opened.ask(MEASURED) == []
    assert await opened.ask("document.documentElement.scrollWidth") == width
    fill = "getComputedStyle(document.querySelector('.tree text.rome')).fill"
    assert await opened.ask(fill) == {"dark": "rgb(255, 171, 115)", "light": "rgb(156, 64, 0)"}[scheme]
    await opened.close()


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(("width", "columns"), [(360, 1), (1280, 2)])
@visits
async def test_the_page_of_a_game_shows_it_beside_the_table(
    running: Running, width: int, columns: int, tmp_path: Path
) -> None:
    file = tmp_path / "game.html"
    CliRunner().invoke(main, ["timeline", str(ANNOTATED), "--format", "html", "-o", str(file)])
    opened = await running.open(file, viewport={"width": width, "height": 740})
    await opened.page.goto(f"{file.as_uri()}#5R.4")
    await opened.page.reload()
    await opened.page.wait_for_selector(".now-tree .tree svg", state="attached")
    await opened.ask("document.querySelector('.now-tree details').open = true")
    boxes = "[...document.querySelectorAll('.now-tree .tree > svg')].map((each) => each.getBoundingClientRect())"
    found = await opened.ask(f"{boxes}.map(({{ x, width }}) => [x, width])")
    assert len({x for x, _ in found}) == columns
    assert all(300 < each < 450 for _, each in found)
    assert await opened.ask("document.querySelector('.now-tree .tree ul').className") == "sr"
    await opened.context.close()
