"""The page that shows the votes of a game, each in a file beside it."""

from __future__ import annotations

from collections.abc import Sequence

from ...notation.safe_text import visible
from ..analysis.timeline import Timeline
from ..analysis.vote_tree import VoteTree
from .templating import template
from .timeline_text import frame, title
from .vote_text import outline


def index(timeline: Timeline, trees: Sequence[VoteTree], names: Sequence[str]) -> str:
    """Return the page in HTML; ``names`` are the files of the trees, in the page's own folder."""
    outlines = ["\n".join(outline(tree)) for tree in trees]
    votes = list(zip(trees, names, outlines, strict=True))
    return template("votes.html.j2").render(title=visible(title(timeline)), frame=frame(timeline), votes=votes)
