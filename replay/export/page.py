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
from .page_steps import Stop, Words, flat, names, patches, stops, whole
from .page_turns import lines, notes
from .picture import drawing
from .synopsis import SEEN_BY, occasion, outcome, player, title
from .templating import asset, plain, template

if TYPE_CHECKING:
    from markupsafe import Markup

VIEW_LABELS: Final = {"arbiter": "Arbiter", "caesar": "Caesar", "cleopatra": "Cleopatra", "table": "Spectator"}


def page(views: Sequence[Timeline], trees: Sequence[VoteTree]) -> str:
    """The page of a game, for the points of view of ``views``, the first of them shown at first.

    The timelines must be of the same game; ``trees`` are the decision trees of its votes as the first of them sees it.
    What none of them sees is not in the page.
    """
    told = views[0]
    found = stops(told)
    shown, steps = [], []
    for each in views:
        seen = stops(each)
        tables = [each.table(stop.state) for stop in seen]
        shown.append(_view(each, seen, drawing(each, seen, tables), trees))
        steps.append([flat(table) for table in tables])
    return template("page.html.j2").render(
        told=told,
        views=shown,
        trees=trees,
        table=whole(steps[0][0]),
        title=title(told),
        occasion=occasion(told),
        players=[plain(player(told, side)) for side in (0, 1)],
        names=PLAYER_NAMES,
        sides=SIDE_NAMES,
        device=device_name(told.edition),
        headers=[(visible(name), visible(value)) for name, value in told.headers],
        result=visible(told.result),
        kinds=_kinds(views),
        data=_data(told, found, shown, steps, trees),
        **_fixed(),
    )


def _view(told: Timeline, found: Sequence[Stop], drawn: SimpleNamespace, trees: Sequence[VoteTree]) -> SimpleNamespace:
    """A point of view that the page offers, as its template takes it."""
    return SimpleNamespace(
        name=told.view,
        label=VIEW_LABELS[told.view],
        seen_by=SEEN_BY[told.view],
        outcome=outcome(told),
        lines=lines(told, found, trees),
        drawing=drawn,
        preface=notes(told.preface),
        epilogue=notes(told.epilogue),
        left_out=told.left_out,
    )


def _kinds(views: Sequence[Timeline]) -> list[tuple[str, str, int]]:
    """The kinds of annotations that there are, in the order of the registry: name, words, and how many at most."""
    most: Counter[str] = Counter()
    for told in views:
        most |= Counter(each.kind for entry in told.entries for each in entry.annotations)
    return [(kind, words, most[kind]) for kind, words in KINDS.items() if most[kind]]


def _data(
    told: Timeline,
    found: Sequence[Stop],
    shown: Sequence[SimpleNamespace],
    steps: Sequence[list[tuple[Words, ...]]],
    trees: Sequence[VoteTree],
) -> Markup:
    """What the script needs: the steps, the turns they belong to, and what each changes for each point of view."""
    at = {(entry, event): number for number, (_, entry, event, _) in enumerate(found)}
    votes = []
    for place, entry in enumerate(told.entries):
        votes += [at[place, number] for number, event in enumerate(entry.events) if event.ballot]
    content: dict[str, Any] = {
        "steps": [stop.address for stop in found],
        "turns": [-1 if stop.entry is None else stop.entry for stop in found],
        "names": [
            "" if entry.status == SET_UP else name for entry, name in zip(told.entries, names(told), strict=True)
        ],
        "xs": shown[0].drawing.xs,
        "votes": votes,
        "views": [
            {"name": view.name, "seen": view.seen_by, "patches": patches(tables)}
            for view, tables in zip(shown, steps, strict=True)
        ],
        "trees": len(trees),
    }
    return _script_data(content)


def _script_data(content: dict[str, Any]) -> Markup:
    """JSON that can stand within a script element, whatever a stranger wrote: nothing in it ends the element."""
    from markupsafe import Markup

    text = json.dumps(content, separators=(",", ":"), ensure_ascii=True)
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


@cache
def _fixed() -> dict[str, Any]:
    """What is the same on every page: style and script, and the policy that allows these two and nothing else."""
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
