"""Games, their timelines, and their pages, for the tests of what is made of them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from scale import FULL
from tironian import VIEWS, Timeline, parse, replay_game, timeline
from tironian.notation.cards import GROUP_LETTERS
from tironian.replay.engine.headers import read_headers
from tironian.replay.knowledge.table_view import SEES, TableView
from tironian.replay.story.vote_tree import trees
from tironian.tools.render.page import page
from tironian.tools.render.page_steps import PageStep

EXAMPLES = Path(__file__).parents[2] / "examples"
WHOLE = sorted(path for path in EXAMPLES.glob("*/*.tiro") if path.parent.name != "broken")
BROKEN = sorted(EXAMPLES.glob("broken/*.tiro"))
ANNOTATED = EXAMPLES / "2024" / "annotated.tiro"


def opening_of(path: Path, last: int) -> str:
    """A record up to the turns of that number in an ordinary run, all of it in the full run."""
    text = path.read_text(encoding="utf-8")
    later = re.search(rf"^{last + 1}[RE] ", text, re.MULTILINE)
    if FULL or later is None:
        return text
    return re.sub(r'(?m)^\[Result ".*"\]$', '[Result "*"]', text[: later.start()]) + "*\n"


def timelines(text: str, views: Sequence[str] = ()) -> list[Timeline]:
    """The timelines of the first game of a text; if no views are named, of all that its own point of view may show."""
    return _timelines(text, tuple(views))


@lru_cache(8)
def _timelines(text: str, views: tuple[str, ...]) -> list[Timeline]:
    game = next(iter(parse(text)))
    own = SEES[read_headers(game.record).view]
    may = [view for view in VIEWS if all(known or not sees for known, sees in zip(own, SEES[view], strict=True))]
    played = replay_game(game)
    return [timeline(game, view, played=played) for view in views or may]


def page_of(told: Sequence[Timeline]) -> str:
    """The page of a game."""
    return page(told, trees(told[0]))


def others_of(html: str) -> list[dict[str, Any]]:
    """What a page holds of all points of view but the first."""
    packed = re.findall(r'<script type="text/plain" id="others">(.*?)</script>', html)
    return json.loads(zlib.decompress(base64.b64decode(packed[0]))) if packed else []


def whole_of(html: str) -> str:
    """A page with what it holds for other eyes than the first in its text."""
    return html.replace("</main>", "".join(each["parts"] for each in others_of(html)) + "</main>", 1)


def words_of(table: TableView) -> dict[str, str]:
    """What the page must show of a table, by the names of its cells; said here anew, not as the page says it."""
    cells = {"bag": [*table.bag], "out": [*table.out]}
    for place, side in enumerate(table.sides):
        cells[f"hand.{place}"] = [*side.hand]
        cells[f"discards.{place}"] = [
            f"{card}×{side.discards.count(card)}" for card in "12345pixswcyva" if card in side.discards
        ]
        cells[f"missions.{place}"] = ["\n".join(_missions(side.missions))]
        cells[f"influence.{place}"] = [str(side.influence_pile)]
        cells[f"action.{place}"] = [str(side.action_pile)]
        cells[f"points.{place}"] = [str(side.points)]
        cells[f"unit.{place}"] = ["point" if side.points == 1 else "points"]
        for group in table.groups:
            total = group.sums[place]
            cells[f"{group.letter}.{place}"] = [*group.cards[place]]
            cells[f"{group.letter}.sum.{place}"] = [] if total is None else [str(total)]
            cells[f"{group.letter}.won.{place}"] = [str(group.won[place])]
    for group in table.groups:
        cells[f"{group.letter}.left"] = [str(group.left)]
    return {name: " ".join(parts) for name, parts in cells.items()} | {"turn": table.turn}


def words_at(told: Timeline, steps: Sequence[PageStep], number: int) -> dict[str, str]:
    """What the page shows at a step: at the group of a vote that ends there, what the vote was held with."""
    step = steps[number]
    table = told.table(step.state)
    cells = words_of(table)
    event = None if step.entry is None or step.event is None else told.entries[step.entry].events[step.event]
    if event is None or event.ballot is None or step.is_vote:
        return cells
    held = words_of(told.table(steps[number - 1].state))
    group = GROUP_LETTERS[event.ballot.group]
    for side in (0, 1):
        cells[f"{group}.sum.{side}"] = held[f"{group}.sum.{side}"]
        if table.summary or table.ended:
            continue
        left = [word.strip("()") for word in cells[f"{group}.{side}"].split()]
        for word in held[f"{group}.{side}"].split():
            if word in left:
                left.remove(word)
            else:
                cells[f"{group}.{side}"] = f"{cells[f'{group}.{side}']} {word}".lstrip()
    return cells


NOTES = """
// Notes what is shown once the page has answered a key or a click, of the cells only those that are new since then.
window.seen = [];
let before = {};
function note() {
  const fresh = {};
  for (const cell of document.querySelectorAll("[data-k]")) {
    if (before[cell.dataset.k] !== cell.textContent) before[cell.dataset.k] = fresh[cell.dataset.k] = cell.textContent;
  }
  const bar = document.querySelector(".bar");
  const floor = getComputedStyle(bar).position === "fixed" ? bar.getBoundingClientRect().top : innerHeight;
  const hands = [0, 1].map((side) => document.querySelector(`[data-k="hand.${side}"]`).getBoundingClientRect());
  const stage = document.getElementById("scene");
  window.seen.push({
    place: document.getElementById("place").textContent,
    view: document.querySelector("[aria-pressed=true]")?.dataset.viewButton ?? "",
    fresh,
    sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    inSight: hands.every(({ top, bottom }) => top >= 0 && bottom <= floor),
    buttons: document.querySelector("[data-go=on]").getBoundingClientRect().top,
    turnedUp: stage.checkVisibility() ? stage.querySelector(".first").textContent : "",
    cameOfIt: document.querySelector(".now-tree .scene") ? document.getElementById("words").textContent : "",
  });
}
for (const deed of ["keydown", "click"]) window.addEventListener(deed, note);
note();
"""
"""A script for a page in a browser, which notes what is shown step by step."""


def place_of(address: str) -> str:
    """What the page calls the step of an address."""
    return "Start" if address == "start" else address.replace("~", " ")


GROUP_NAMES = {
    "P": "Praetors", "Q": "Quaestors", "A": "Aediles", "K": "Consuls", "C": "Censors", "S": "Senators",
}  # fmt: skip


def _missions(missions: Sequence[str]) -> Iterator[str]:
    """Missions as the page must tell them."""
    if set(missions) == {"?"}:
        yield f"{('One mission', 'Two missions')[len(missions) - 1]}, not seen"
        return
    for mission in missions:
        if mission == "each":
            yield "A patrician of every group"
        elif mission == "12":
            yield "Twelve patricians"
        elif (group := mission.removesuffix("*")) in GROUP_NAMES:
            yield f"{'The majority of the' if group == mission else 'All'} {GROUP_NAMES[group]}"
        else:
            yield mission[0].upper() + mission[1:]


HOSTILE = """[Rules "2024"]
[Event "<script>harmed=1</script>"]
[Site "\u202eenog\u202c {{7*7}} ${harmed=1}"]
[Date "2026.03.12"]
[Round "1"]
[Caesar "<img src=x onerror=harmed=1><b>Livia</b>"]
[Cleopatra "</title></script><script>harmed=1</script> \u05e9\u05dc\u05d5\u05dd"]
[Result "*"]
[Strange "&lt;b&gt; ' onclick='harmed=1"]

; </script><script>harmed=1</script> <!-- <![CDATA[ ]]>
0R (1)P (2)Q (3)A (4)K (5)C m("</script><script>harmed=1</script>",A) +v
0E (3)P (1)Q (5)A (2)K (4)C m("{{7*7}} \u202etxet",Q) +v
1E (3)A {<script>harmed=1</script> \u2066\u2028} 5Q +3x
1R (4)A 2P =A43:53>E +1s ?
   ; LONG
*
""".replace("LONG", "x" * 5000)
"""A record whose every text wants to be something else."""
