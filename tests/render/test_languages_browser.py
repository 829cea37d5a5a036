"""Longer words find room: in no language is anything cut off or drawn over something else that isn't in English."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Running, visits
from click.testing import CliRunner
from tironian import picture, read, replay_game, timeline, votes
from tironian.notation.language import language, languages, speaking
from tironian.tools.cli.command_line import main
from tironian.tools.render.page import page
from tironian.tools.render.vote_picture import vote_picture

pytestmark = [pytest.mark.slow, pytest.mark.process]
ROOT = Path(__file__).parents[2]
GAMES = [ROOT / "examples" / name / "annotated.tiro" for name in ("2024", "1997")]
CODES = [code for code in languages() if code != "en"]
SHEETS = sorted((ROOT / "docs" / "pictures").glob("**/score-sheet-*.svg"))
PICTURE = """() => {
  const seen = (text) => text.textContent.trim() && getComputedStyle(text).visibility !== "hidden";
  const texts = [...document.querySelectorAll("text")].filter(seen).map((text) => [text.textContent.trim(),
    text.getBoundingClientRect()]).filter(([, box]) => box.width > 0);
  const whole = document.querySelector("svg").getBoundingClientRect();
  const beyond = (box) => box.right > whole.right + 1 || box.left < whole.left - 1;
  const wrong = texts.filter(([, box]) => beyond(box)).map(([text]) => text);
  texts.forEach(([text, a], at) => texts.slice(at + 1).forEach(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 0.45 * Math.min(a.height, b.height)) wrong.push(`${text} | ${other}`);
  }));
  return wrong;
}"""
"""What is beyond the edge of a picture, or drawn over another text."""
PAGE = """() => [...document.querySelectorAll("body *")].filter((place) => place.offsetParent && place.clientWidth &&
  ["hidden", "clip"].includes(getComputedStyle(place).overflowX) && place.scrollWidth > place.clientWidth + 1 &&
  !place.closest(".sr") && !place.querySelector("svg") && /[^\\d\\s]/.test(place.innerText))
  .map((place) => place.innerText)
  .concat(document.documentElement.scrollWidth > innerWidth ? ["wider than the screen"] : [])"""
"""Texts that are cut off."""


def drawn(code: str) -> dict[str, str]:
    """Return pictures in a language, by what they show."""
    found: dict[str, str] = {}
    spoken = language(code)
    assert spoken is not None
    with speaking(spoken):
        for path in GAMES:
            (game,) = read(path)
            name = path.parent.name
            found[f"{name} game"] = picture(game)
            found[f"{name} table"] = picture(replay_game(game).at("5R"))
            for number, tree in enumerate(votes(game, odds=True)):
                found[f"{name} vote {number}"] = vote_picture(tree)
                found[f"{name} narrow vote {number}"] = vote_picture(tree, narrow=True)
    return found


@pytest.mark.parametrize("code", CODES)
@visits
async def test_no_text_of_a_picture_is_cut_or_covered(running: Running, tmp_path: Path, code: str) -> None:
    wrong: list[str] = []
    for name, picture_ in drawn(code).items():
        path = tmp_path / "picture.svg"
        path.write_text(picture_, encoding="utf-8")
        opened = await running.open(path, viewport={"width": 1200, "height": 900})
        wrong += [f"{name}: {each}" for each in await opened.ask(PICTURE)]
        await opened.close()
    assert not wrong, "\\n".join(wrong)


@visits
async def test_no_text_of_a_printed_sheet_is_cut_or_covered(running: Running) -> None:
    wrong: list[str] = []
    for path in SHEETS:
        opened = await running.open(path, viewport={"width": 1200, "height": 900})
        wrong += [f"{path.parent.name}/{path.name}: {each}" for each in await opened.ask(PICTURE)]
        await opened.close()
    assert not wrong, "\\n".join(wrong)


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
