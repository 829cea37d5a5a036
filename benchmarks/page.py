"""How long the script of a page takes to open and to step through it, on a processor four times slower than this one.

    python benchmarks/page.py [--rounds 5]

Two games, each seen by all four points of view: the largest page of the examples, and a simulated game of 40 turns,
with the odds of their votes and what else could have been played. Sizes are in kB, times in milliseconds: the median
over the rounds. It needs Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import CDPSession, sync_playwright
from tironian import VIEWS, Game, load_edition, parse, replay_game, simulate, timeline, what_if, write
from tironian.replay.story.timeline import with_odds
from tironian.replay.story.vote_tree import trees
from tironian.replay.story.what_if import foresights
from tironian.tools.render.page import page
from tironian.tools.render.page_what_if import WhatIf

EXAMPLES = Path(__file__).parents[1] / "examples"
SLOWER = 4
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
TURNS = 40


def made(game: Game) -> str:
    """Return the page of a game from every point of view, with odds and with what else could have been played."""
    played = replay_game(game)
    views = [with_odds(timeline(game, view, played=played), game) for view in VIEWS]
    what_ifs = []
    for view in VIEWS:
        decisions = what_if(game, view, played=played)
        what_ifs.append(WhatIf(decisions, foresights(decisions, game, view, played=played)))
    return page(views, trees(views[0]), None, what_ifs)


def long_game() -> Game:
    """Return the first simulated game by the 2024 rules with this many turns."""
    for seed in range(1, 10_000):
        game = parse(write(simulate(load_edition("2024"), seed)))[0]
        if len(game.record.turns) >= TURNS:
            return game
    raise SystemExit(f"no simulated game has {TURNS} turns")


def pages() -> dict[str, str]:
    """Return the pages to open, by name."""
    examples = [parse(path.read_text(encoding="utf-8"))[0] for path in EXAMPLES.glob("*/annotated.tiro")]
    return {"largest example": max(map(made, examples), key=len), f"game of {TURNS} turns": made(long_game())}


def spent(session: CDPSession) -> dict[str, float]:
    """Return the milliseconds since the page was opened, by what they were spent on."""
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return {name: 1000 * metrics[f"{name}Duration"] for name in ("Script", "Layout", "RecalcStyle", "Task")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        chromium = play.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        print(f"{'':<20}{'kB':>6}{'script':>8}{'layout':>8}{'style':>8}{'all':>8}{'a step':>8}")
        for name, text in pages().items():
            file = Path(folder) / "game.html"
            file.write_text(text, encoding="utf-8")
            rounds = []
            for _ in range(options.rounds):
                opened = chromium.new_page(viewport={"width": 360, "height": 740})
                session = opened.context.new_cdp_session(opened)
                session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
                session.send("Performance.enable")
                opened.goto(file.as_uri())
                first = spent(session)
                steps = int(opened.get_attribute("#slider", "max") or 0)
                for _ in range(steps):
                    opened.keyboard.press("ArrowRight")
                rounds.append([*first.values(), (spent(session)["Script"] - first["Script"]) / steps])
                opened.close()
            times = [statistics.median(column) for column in zip(*rounds, strict=True)]
            print(f"{name:<20}{len(text.encode()) / 1000:>6.0f}" + "".join(f"{each:>8.1f}" for each in times))
        chromium.close()


if __name__ == "__main__":
    main()
