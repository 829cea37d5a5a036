"""The page that shows the votes of a game, each in a file beside it."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

from ...notation.cards import GROUP_NAMES, SIDE_NAMES, SIGNS, TIE
from ...notation.safe_text import visible
from ..analysis.timeline import Timeline
from ..analysis.vote_tree import VoteTree
from .synopsis import SEEN_BY
from .templating import asset, template
from .timeline_text import title


def index(timeline: Timeline, trees: Sequence[VoteTree], files: Sequence[str]) -> str:
    """Return the page in HTML, with each tree in it; ``files`` are the names of their files in the page's folder."""
    from markupsafe import Markup

    votes = []
    for tree, name in zip(trees, files, strict=True):
        group, won, why = GROUP_NAMES[tree.group], _won(tree.winner), _why(tree)
        votes.append(SimpleNamespace(tree=tree, file=name, group=group, won=won, why=why))
    return template("votes.html.j2").render(
        title=visible(title(timeline)),
        frame=f"{timeline.edition.title} · seen by {SEEN_BY[timeline.view]}",
        votes=votes,
        style=Markup(asset("page.css") + asset("tree.css") + asset("votes.css")),
    )


def _won(winner: int) -> str:
    """Return ``▲ Rome``, or ``◇ nobody``."""
    return f"{SIGNS[winner]} {'nobody' if winner == TIE else SIDE_NAMES[winner]}"


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
