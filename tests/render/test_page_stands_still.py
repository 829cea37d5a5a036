"""The table of a page stands still: from step to step nothing of it moves or changes its size, or is cut off."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest
from browser import Running, visits
from pages import ANNOTATED, BROKEN, EXAMPLES, WHOLE, timelines
from scale import FULL, scaled
from tironian import NoTimeline
from tironian.tools.render.page import page

pytestmark = [pytest.mark.slow, pytest.mark.process]

SIZES = {"laptop": (1280, 800), "phone": (390, 844), "tablet": (820, 1180), "projector": (1920, 1080)}
LOOKS = SIZES if FULL else ("laptop", "phone")
GAMES = [*WHOLE, *BROKEN] if FULL else [ANNOTATED, EXAMPLES / "broken" / "card-of-another-edition.tiro"]
STEPS = """
async () => {
  const parts = ".side h3, .person, .points b, .hand, .piles, .missions, .discards, .stage, .groups td, .devices";
  const places = all(`#player :is(.side, ${parts}), .bar, .controls, .controls *, #said, #now`);
  const held = all("#said, .missions, .discards, .bonus, .scored, .over, .stack, .band, #scene");
  const lies = (place) => {
    const { x, y, width, height } = place.getBoundingClientRect();
    return [x, y, width, place.id === "now" ? 0 : height]; // what is said there may be as long as it likes
  };
  const found = [];
  for (const number of data.views.keys()) {
    await look(number);
    const before = new Map();
    for (let at = 0; at <= LAST; at += 1) {
      go(at);
      await new Promise(requestAnimationFrame);
      const step = `${data.views[number].name} ${data.steps[at]}: `;
      for (const place of places.filter((each) => each.checkVisibility())) {
        // At the end the message takes a strip of the groups, within the same frame.
        if (place.matches("td") && document.querySelector(".board.ended")) continue;
        const now = lies(place);
        const then = before.get(place) ?? before.set(place, now).get(place);
        const by = Math.max(...now.map((value, which) => Math.abs(value - then[which])));
        if (by > 1) found.push(`${step}${place.id || place.className || place.tagName} by ${by}`);
      }
      for (const place of held.filter((each) => each.checkVisibility())) {
        const more = Math.max(place.scrollHeight - place.clientHeight, place.scrollWidth - place.clientWidth);
        if (more > 1) found.push(`${step}${place.id || place.className} is cut off by ${more}`);
      }
    }
  }
  return found;
}
"""


@cache
def drawn(game: Path) -> str:
    """The page of a game without trees, in the full run for all eyes; empty where it can't be told."""
    try:
        return page(timelines(game.read_text(encoding="utf-8"))[: scaled(1, 4)], ())
    except NoTimeline:
        return ""


@pytest.mark.parametrize(
    ("game", "look"),
    [*product(GAMES, LOOKS)],
    ids=lambda thing: f"{thing.parent.name}/{thing.stem}" if isinstance(thing, Path) else thing,
)
@visits
async def test_nothing_of_the_table_moves(running: Running, game: Path, look: str, tmp_path: Path):
    if not drawn(game):
        return
    file = tmp_path / "game.html"
    file.write_text(drawn(game), encoding="utf-8")
    width, height = SIZES[look]
    opened = await running.open(file, viewport={"width": width, "height": height}, reduced_motion="reduce")
    assert await opened.ask(STEPS) == []
    await opened.close()


@visits
async def test_the_list_of_turns_never_lies_over_what_stands_below_the_table(running: Running, tmp_path: Path):
    file = tmp_path / "game.html"
    file.write_text(drawn(ANNOTATED), encoding="utf-8")
    opened = await running.open(file, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    for part in ("overview", "votes", "about"):
        ends = await opened.ask(f"""(() => {{
          document.getElementById("{part}").scrollIntoView({{ behavior: "instant" }});
          const below = all("main > section").map((each) => each.getBoundingClientRect().top);
          return [document.querySelector(".beside").getBoundingClientRect().bottom, Math.min(...below), scrollY];
        }})()""")
        assert ends[0] <= ends[1], part
        assert ends[2] > 0
    await opened.close()
