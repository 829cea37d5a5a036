"""Longer words find room: in no language is anything cut off or drawn over something else that isn't in English."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from browser import Running, visits
from click.testing import CliRunner
from tironian import Game, VoteTree, picture, read, replay_game, timeline, votes
from tironian.notation.language import language, languages, speaking
from tironian.tools.cli.command_line import main
from tironian.tools.render.page import page
from tironian.tools.render.vote_picture import vote_picture

pytestmark = [pytest.mark.slow, pytest.mark.process]
ROOT = Path(__file__).parents[2]
GAMES = [ROOT / "examples" / name / "annotated.tiro" for name in ("2024", "1997")]
CODES = [code for code in languages() if code != "en"]
SHEETS = sorted((ROOT / "docs" / "pictures").glob("**/score-sheet-*.svg"))
PICTURES = """() => [...document.querySelectorAll("body > svg")].flatMap((picture) => {
  const seen = (text) => text.textContent.trim() && getComputedStyle(text).visibility !== "hidden";
  const texts = [...picture.querySelectorAll("text")].filter(seen).map((text) => [text.textContent.trim(),
    text.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
  const whole = picture.getBoundingClientRect();
  const beyond = (box) => box.right > whole.right + 1 || box.left < whole.left - 1;
  const wrong = texts.filter(([, box]) => beyond(box)).map(([text]) => text);
  texts.forEach(([text, a], at) => texts.slice(at + 1).forEach(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 0.45 * Math.min(a.height, b.height)) wrong.push(`${text} | ${other}`);
  }));
  return wrong.map((each) => `${picture.id}: ${each}`);
})"""
"""What is beyond the edge of a picture, or drawn over another text."""
PAGE = """() => {
  document.querySelectorAll("details").forEach((each) => { each.open = true; });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const wrong = [], range = document.createRange();
  while (texts.nextNode()) {
    const { parentElement: place, data } = texts.currentNode;
    const isSeen = place.checkVisibility({ visibilityProperty: true }) && !place.closest(".sr, .skip");
    if (!isSeen || !/[^\\d\\s]/.test(data)) continue;
    range.selectNodeContents(texts.currentNode);
    for (const box of place instanceof SVGElement ? [place.getBoundingClientRect()] : range.getClientRects()) {
      const holders = [];
      for (let each = place; each && each !== document.body; each = each.parentElement) {
        if (getComputedStyle(each).overflowX !== "visible") holders.push(each);
      }
      const rolls = holders.some((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowX));
      const edge = holders.length ? holders[0].getBoundingClientRect() : { left: 0, right: innerWidth };
      if (!rolls && (box.right > edge.right + 1 || box.left < edge.left - 1)) wrong.push(data.trim());
    }
  }
  return wrong.concat(document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : []);
}"""
"""Texts that are cut off."""


@cache
def told() -> dict[str, tuple[Game, list[VoteTree]]]:
    """Return the games and their votes by the edition."""
    games = [(path.parent.name, *read(path)) for path in GAMES]
    return {name: (game, list(votes(game, odds=True))) for name, game in games}


def drawn(code: str) -> dict[str, str]:
    """Return pictures in a language, by what they show."""
    found: dict[str, str] = {}
    spoken = language(code)
    assert spoken is not None
    with speaking(spoken):
        for name, (game, trees) in told().items():
            found[f"{name} game"] = picture(game)
            found[f"{name} table"] = picture(replay_game(game).at("5R"))
            for number, tree in enumerate(trees):
                found[f"{name} vote {number}"] = vote_picture(tree)
                found[f"{name} narrow vote {number}"] = vote_picture(tree, narrow=True)
    return found


@visits
async def test_no_text_of_a_picture_is_cut_or_covered(running: Running, tmp_path: Path) -> None:
    shown = {f"{code} {name}": picture_ for code in CODES for name, picture_ in drawn(code).items()}
    shown |= {f"{path.parent.name} {path.stem}": path.read_text(encoding="utf-8") for path in SHEETS}
    named = [text.replace("<svg ", f'<svg id="{name}" ', 1) for name, text in shown.items()]
    path = tmp_path / "pictures.html"
    path.write_text('<!doctype html><meta charset="utf-8">' + "".join(named), encoding="utf-8")
    opened = await running.open(path, viewport={"width": 1200, "height": 900})
    assert await opened.ask("document.querySelectorAll('body > svg').length") == len(named) > 50
    assert await opened.ask(PICTURES) == []
    await opened.close()


@pytest.mark.parametrize("code", CODES)
@visits
async def test_no_text_of_a_page_is_cut_on_a_phone(running: Running, tmp_path: Path, code: str) -> None:
    spoken = language(code)
    assert spoken is not None
    for path in GAMES:
        (game,) = read(path)
        with speaking(spoken):
            text = page([timeline(game)], votes(game))
        (tmp_path / "page.html").write_text(text, encoding="utf-8")
        for width, height in ((390, 844), (1280, 900)):
            opened = await running.open(tmp_path / "page.html", viewport={"width": width, "height": height})
            assert await opened.ask(PAGE) == []
            await opened.close()


@pytest.mark.parametrize("code", CODES)
def test_a_terminal_of_80_columns_is_wide_enough(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where English needs no more."""
    monkeypatch.setenv("COLUMNS", "80")
    for words in (
        ("timeline", str(GAMES[0])),
        ("show", str(GAMES[0]), "--at", "5R"),
        ("votes", str(GAMES[0]), "--vote", "7"),
    ):
        english, other = (CliRunner().invoke(main, ["--lang", each, *words]).output for each in ("en", code))
        if max(map(len, english.splitlines())) <= 80:
            assert max(map(len, other.splitlines())) <= 80, words
