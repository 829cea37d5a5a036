"""The page of a game: one file in which a person steps through it, with nothing to be fetched from anywhere.

The turns stand in it as a document, once for each point of view, and can be read without the script. The tables of the
steps are sent as what changes from one to the next.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

from ...notation.cards import PLAYER_NAMES, SIDE_NAMES
from ...notation.safe_text import visible
from ..analysis.annotation_kinds import KINDS
from ..analysis.timeline import SET_UP, Timeline
from ..analysis.vote_tree import VoteTree
from ..diagnostics.names import device_name
from .page_steps import PageStep, Words, flat, names, page_steps, patches, whole
from .page_turns import lines, notes
from .picture import Drawing
from .synopsis import SEEN_BY, occasion, outcome, player, title
from .templating import asset, plain, template

if TYPE_CHECKING:
    from markupsafe import Markup

VIEW_LABELS: Final = {"arbiter": "Arbiter", "caesar": "Caesar", "cleopatra": "Cleopatra", "table": "Spectator"}


def page(views: Sequence[Timeline], trees: Sequence[VoteTree]) -> str:
    """Return the page of a game in HTML, for the points of view of ``views``; it opens with the first.

    The timelines must be of the same game; ``trees`` are the decision trees of its votes from the first point of view.
    What is hidden from all of them is not in the page.
    """
    first = views[0]
    shown, words = [], []
    for timeline in views:
        steps = page_steps(timeline)
        tables = [timeline.table(step.state) for step in steps]
        shown.append(_view(timeline, steps, Drawing(timeline, steps, tables), trees))
        words.append([flat(table) for table in tables])
    return template("page.html.j2").render(
        views=shown,
        trees=trees,
        table=whole(words[0][0]),
        title=title(first),
        occasion=occasion(first),
        players=[plain(player(first, side)) for side in (0, 1)],
        names=PLAYER_NAMES,
        sides=SIDE_NAMES,
        device=device_name(first.edition),
        headers=[(visible(name), visible(value)) for name, value in first.headers],
        result=visible(first.result),
        kinds=_kinds(views),
        data=_data(first, shown, words, len(trees)),
        **_fixed(),
    )


def _view(timeline: Timeline, steps: Sequence[PageStep], drawn: Drawing, trees: Sequence[VoteTree]) -> SimpleNamespace:
    """Return a point of view that the page offers, for the template."""
    return SimpleNamespace(
        name=timeline.view,
        label=VIEW_LABELS[timeline.view],
        seen_by=SEEN_BY[timeline.view],
        outcome=outcome(timeline),
        lines=lines(timeline, steps, trees),
        drawing=drawn,
        preface=notes(timeline.preface),
        epilogue=notes(timeline.epilogue),
        left_out=timeline.left_out,
    )


def _kinds(views: Sequence[Timeline]) -> list[tuple[str, str, int]]:
    """Return the kinds of annotations that occur, in the order of the registry: name, words, and the largest number."""
    most: Counter[str] = Counter()
    for timeline in views:
        most |= Counter(annotation.kind for entry in timeline.entries for annotation in entry.annotations)
    return [(kind, words, most[kind]) for kind, words in KINDS.items() if most[kind]]


def _data(
    timeline: Timeline, shown: Sequence[SimpleNamespace], words: Sequence[list[tuple[Words, ...]]], trees: int
) -> Markup:
    """Return what the script needs: the steps, their turns, and what each step changes for each point of view."""
    steps = page_steps(timeline)
    named = zip(timeline.entries, names(timeline), strict=True)
    content: dict[str, Any] = {
        "steps": [step.address for step in steps],
        "turns": [-1 if step.entry is None else step.entry for step in steps],
        "names": ["" if entry.status == SET_UP else name for entry, name in named],
        "xs": shown[0].drawing.xs,
        "votes": [number for number, step in enumerate(steps) if step.is_vote],
        "views": [
            {"name": view.name, "seen": view.seen_by, "patches": patches(tables)}
            for view, tables in zip(shown, words, strict=True)
        ],
        "trees": trees,
    }
    return _script_data(content)


def _script_data(content: dict[str, Any]) -> Markup:
    """Return JSON for a script element; nothing in it, whatever a stranger wrote, ends the element."""
    from markupsafe import Markup

    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


@cache
def _fixed() -> dict[str, Any]:
    """Return what is the same on every page: style and script, and the policy that allows nothing else."""
    from markupsafe import Markup

    style = f"\n{asset('picture.css')}{asset('page.css')}"
    script = f"\n{asset('page.js')}"
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return {"style": Markup(style), "script": Markup(script), "policy": policy}


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
