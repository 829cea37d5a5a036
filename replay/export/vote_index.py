"""The page that shows the votes of a game, each in a file beside it."""

from __future__ import annotations

from collections.abc import Sequence

from ...notation.cards import TIE
from ...notation.safe_text import visible
from ..analysis.timeline import Timeline
from ..analysis.vote_tree import VoteTree
from . import symbols
from .page_steps import page_steps
from .page_votes import page_votes
from .synopsis import SEEN_BY
from .templating import asset, template
from .timeline_text import title


def index(timeline: Timeline, trees: Sequence[VoteTree], files: Sequence[str]) -> str:
    """Return the page in HTML, with each tree in it; ``files`` are the names of their files in the page's folder."""
    from markupsafe import Markup

    votes = [vote for vote in page_votes(timeline, page_steps(timeline), trees) if vote.tree]
    for vote, name in zip(votes, files, strict=True):
        vote.file, vote.why = name, _why(vote.tree)
    return template("votes.html.j2").render(
        title=visible(title(timeline)),
        frame=f"{timeline.edition.title} · seen by {SEEN_BY[timeline.view]}",
        votes=votes,
        sheet=symbols.sheet({vote.turner for vote in votes} - {""}),
        style=Markup("".join(map(asset, ("symbols.css", "page.css", "tree.css", "votes.css")))),
    )


def _why(tree: VoteTree) -> str:
    """Return why a side wins without the higher sum, since that looks like a mistake; empty where it has it."""
    if tree.winner == TIE:
        return ""
    if not tree.by_rules:
        return "according to the record"
    ahead = tree.sums[tree.winner] - tree.sums[1 - tree.winner]
    if ahead < 0:
        return "a philosopher: the lower sum wins"
    return "a philosopher alone wins" if ahead == 0 else ""
