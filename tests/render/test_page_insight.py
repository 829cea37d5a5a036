"""How well a game was played, on the page that steps through it: from the report beside the record, and no other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import Running, visits
from click.testing import CliRunner
from pages import ANNOTATED, EXAMPLES, opening_of, whole_of
from scale import FULL
from test_accessibility import NO_SCROLLING, serious
from test_analysis_page import Elements, quick
from tironian.tools.cli.command_line import main
from tironian.tools.insight.analysis_json import report_data


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A record beside which its report lies."""
    file = tmp_path / "game.tiro"
    file.write_text(opening_of(ANNOTATED, 8), encoding="utf-8")
    (tmp_path / "game.insight.json").write_text(json.dumps(report_data(quick(8))), encoding="utf-8")
    return file


def page_of(game: Path, *words: str) -> tuple[str, str]:
    """The page of a record, and what was said on standard error."""
    result = CliRunner().invoke(main, ["timeline", str(game), "--format", "html", *words])
    assert result.exit_code == 0
    return result.stdout, result.stderr


def charts(page: str) -> list[str]:
    """Whose curves are in the charts of a page, in their order."""
    lines = [each.get("class", "") for each in Elements(whole_of(page)).all("polyline")]
    return [each.removeprefix("line ") for each in lines]


@pytest.mark.parametrize(
    ("words", "whose"),
    [
        # Each curve is drawn twice: small, and in the chart. A spectator sees none.
        ([], ["rome", "egypt", "rome", "egypt", "rome", "rome", "egypt", "egypt"]),
        (["--as", "caesar"], ["rome"] * 2),
        (["--as", "cleopatra"], ["egypt"] * 2),
        (["--as", "table"], []),
    ],
)
def test_a_point_of_view_is_shown_its_own_side(game: Path, words: list[str], whose: list[str]):
    page, _ = page_of(game, *words)
    assert charts(page) == whose


def test_a_page_without_a_report_has_no_such_section(game: Path):
    (game.parent / "game.insight.json").unlink()
    page, said = page_of(game)
    assert 'id="insight"' not in page
    assert not said


def test_the_report_of_another_game_is_left_out(game: Path):
    shutil.copy(EXAMPLES / "2024" / "tie-break.tiro", game)
    page, said = page_of(game)
    assert 'id="insight"' not in page
    assert "judges another game" in said


def _no_curve(data: Any) -> None:
    data["sides"][0]["curve"] = []


def _no_chance(data: Any) -> None:
    data["sides"][0]["curve"][3]["win"] = float("nan")


def _endless(data: Any) -> None:
    data["sides"][0]["decisions"][0]["loss"] = 1e308 * 10


@pytest.mark.parametrize("harm", [_no_curve, _no_chance, _endless, lambda data: data.clear()])
def test_what_is_no_report_is_left_out(game: Path, harm: Callable[[Any], None]):
    file = game.parent / "game.insight.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    harm(data)
    file.write_text(json.dumps(data), encoding="utf-8")
    page, said = page_of(game)
    assert 'id="insight"' not in page
    assert "not a report by tiro analyse" in said
    file.write_bytes(b"\xff[" * 100_000)
    assert "not a report by tiro analyse" in page_of(game)[1]


def test_what_a_report_says_stays_text(game: Path):
    file = game.parent / "game.insight.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    before = len(Elements(page_of(game)[0]).all("script"))
    for each in data["sides"][0]["decisions"]:
        each["best_words"], each["reasons"] = (
            "</script><script>harmed=1</script>",
            ["\u202e<img src=x onerror=harmed=1>"],
        )
    file.write_text(json.dumps(data), encoding="utf-8")
    page, _ = page_of(game)
    assert "&lt;script&gt;harmed" in page
    assert len(Elements(page).all("script")) == before
    assert not Elements(page).all("img")
    assert "\u202e" not in page


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")] if FULL else [(360, "dark")])
@visits
async def test_a_mistake_leads_to_its_step(running: Running, width: int, scheme: str, game: Path):
    file = game.parent / "game.html"
    file.write_text(page_of(game)[0], encoding="utf-8")
    opened = await running.open(file, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert await serious(opened, "#insight") == []
    assert await opened.ask(NO_SCROLLING)
    link = "document.querySelector('#insight .brief a')"
    wanted = (await opened.ask(f"{link}.hash"))[1:]
    await opened.ask(f"{link}.click()")
    assert await opened.text("#place") == wanted
    await opened.close()
