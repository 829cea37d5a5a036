"""The page that shows the votes of a game, each in a file beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Final

from ...notation.cards import GROUP_NAMES, SIDE_NAMES, SIGNS, TIE
from ...notation.safe_text import visible
from ..analysis.timeline import Timeline
from ..analysis.vote_tree import VoteTree
from .templating import asset, template
from .timeline_text import frame, title
from .vote_graph import EXPECTED

_SVG_SIZE: Final = re.compile(rb'<svg width="([\d.]+)pt" height="([\d.]+)pt"')
_POINT: Final = 1.2
"""Pixels of the page for a point of a picture."""


def index(timeline: Timeline, trees: Sequence[VoteTree], files: Sequence[tuple[str, bytes]]) -> str:
    """Return the page in HTML; ``files`` are the names and contents of the trees' files, in the page's own folder.

    All pictures are shown at one scale, so that their type has one size; one that is too wide can be scrolled.
    """
    from markupsafe import Markup

    votes = []
    for tree, (name, content) in zip(trees, files, strict=True):
        width, height = _size(content)
        group, won = GROUP_NAMES[tree.group], _won(tree.winner)
        votes.append(SimpleNamespace(tree=tree, file=name, width=width, height=height, group=group, won=won))
    return template("votes.html.j2").render(
        title=visible(title(timeline)),
        frame=frame(timeline),
        votes=votes,
        expected=EXPECTED,
        style=Markup(asset("page.css") + asset("votes.css")),
    )


def _won(winner: int) -> str:
    """Return ``▲ Rome``, or ``◇ nobody``."""
    return f"{SIGNS[winner]} {'nobody' if winner == TIE else SIDE_NAMES[winner]}"


def _size(content: bytes) -> tuple[int, int]:
    """Return the width and height of an SVG or PNG picture in pixels of the page; zeros for anything else."""
    if content.startswith(b"\x89PNG"):
        width, height = (int.from_bytes(content[at : at + 4], "big") * 72 / 96 for at in (16, 20))
    elif found := _SVG_SIZE.search(content):
        width, height = map(float, found.groups())
    else:
        return 0, 0
    return round(width * _POINT), round(height * _POINT)
