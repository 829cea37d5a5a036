"""Walks through the examples, for the tests of ``tiro step``."""

from __future__ import annotations

from pathlib import Path

from tironian import VIEWS, parse, replay_game, timeline
from tironian.tools.cli.screen.walk import Walk

EXAMPLES = Path(__file__).parents[2] / "examples"
ANNOTATED = EXAMPLES / "2024" / "annotated.tiro"


def walk_of(text: str | Path, view: str = "arbiter", views: tuple[str, ...] = VIEWS) -> Walk:
    """Return a walk through the first game of a text or a file, for one point of view and the others to choose from."""
    game = parse(text.read_text(encoding="utf-8") if isinstance(text, Path) else text)[0]
    played = replay_game(game)
    return Walk(lambda viewpoint: timeline(game, viewpoint, played=played), view, views)
