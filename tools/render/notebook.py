"""Games, tables and votes as pages and pictures, and how notebooks show them, each as its point of view sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...notation.reader import Game, as_game
from ...notation.record import Record
from ...notation.writer import write
from ...replay.engine.headers import ChosenView, View, read_headers
from ...replay.engine.replay import Replay, Step
from ...replay.knowledge.redaction import Unseen, views_for
from ...replay.knowledge.redaction import view as redacted
from ...replay.knowledge.table_view import TableView, look
from ...replay.story.instead import Costs
from ...replay.story.timeline import Timeline, replayed, timeline
from ...replay.story.vote_tree import VoteTree, trees
from ...replay.story.what_if import foresights, what_if
from .page_insight import InsightBlock
from .page_what_if import WhatIf
from .synopsis import SEEN_BY, occasion, outcome, title
from .table_picture import table_picture
from .templating import template
from .vote_picture import vote_picture

if TYPE_CHECKING:
    from ..repair.likely import LikelyRepairs


def page(game: Game | Record, view: ChosenView = "", rules: str = "") -> str:
    """Return an HTML page for stepping through a game, as ``tiro timeline --format html`` writes it.

    It opens with the point of view of the record's writer, and includes all others that saw no more; ``view`` names a
    single one. ``rules`` names the rule set if the record's headers don't. Raise Untold if the game has no timeline.

    >>> print(tironian.page(record)[:31])
    <!doctype html>
    <html lang="en"
    """
    game = as_game(game)
    played = replayed(game, rules)
    first = timeline(game, view, rules, played=played)
    others = () if view else views_for(first.view)
    more = [timeline(game, other, rules, played=played) for other in others if other != first.view]
    return page_of(game, [first, *more], rules, played)


def page_of(
    game: Game,
    views: Sequence[Timeline],
    rules: str = "",
    played: Replay | None = None,
    judged: Sequence[Sequence[InsightBlock]] = (),
    *,
    odds: bool = False,
    costs: Costs | None = None,
) -> str:
    """Return the page of a game for the points of view in ``views``; it opens with the first.

    With ``odds`` it shows what each option does to the votes; ``costs`` are an analysis's results for options;
    ``judged`` is as for :func:`tironian.tools.render.page.page`.
    """
    from . import page as form

    what_ifs = [_what_if(game, shown.view, rules, played, odds) for shown in views]
    records = [_record(game, shown.view, rules, played) for shown in views]
    grown = trees(views[0], game, rules, what_ifs[0].decisions, played=played, odds=odds, costs=costs)
    return form.page(views, grown, _repairs(game, views[0].view, rules), what_ifs, judged, records)


def _what_if(game: Game, view: View, rules: str, played: Replay | None, odds: bool) -> WhatIf:
    """Return what could have been played; nothing for a ``view`` that saw more than the writer."""
    try:
        decisions = what_if(game, view, rules, played)
    except Unseen:
        return WhatIf()
    return WhatIf(decisions, foresights(decisions, game, view, rules, played) if odds else ())


def _record(game: Game, view: View, rules: str, played: Replay | None) -> str:
    """Return the record as ``view`` would have written it; nothing if ``view`` saw more than the writer."""
    try:
        return write(redacted(game, view, rules, played=played).record)
    except Unseen:
        return ""


def _repairs(game: Game, view: str, rules: str) -> LikelyRepairs | None:
    """Return the repairs of a broken game; None for other games, and if ``view`` is not the record's own."""
    from ...replay.checking.check import check
    from ...replay.diagnostics.registry import ILLEGAL, UNREADABLE

    if view != read_headers(game.record, rules).view or check(game, rules).verdict not in (ILLEGAL, UNREADABLE):
        return None
    from ..repair.likely import likely_repairs  # late: the search is only for broken games

    return likely_repairs(game, rules)


def picture(
    shown: Game | Record | Timeline | Step | TableView | VoteTree, view: ChosenView = "", rules: str = ""
) -> str:
    """Return a picture, as SVG text, of a game, of the table after a step, or of a vote.

    For a game, ``view`` and ``rules`` are as for ``timeline``. Raise Untold if the game has no timeline.

    >>> step = tironian.replay_game(record).at("1E")
    >>> [tironian.picture(shown)[:4] for shown in (record, step)]
    ['<svg', '<svg']
    """
    from . import picture as form

    if isinstance(shown, TableView):
        return table_picture(shown)
    if isinstance(shown, Step):
        return step_svg(shown)
    if isinstance(shown, VoteTree):
        return vote_picture(shown)
    return form.picture(shown if isinstance(shown, Timeline) else timeline(shown, view, rules))


def step_svg(step: Step) -> str:
    """Return the table after a step as a picture, with every card that the record names."""
    head = "the set-up" if step.turn is None else f"after {step.turn.label}"
    if step.token is not None and step.turn is not None:
        head = f"{step.turn.label}, after token {step.at + 1}"
    return table_picture(look(step.state), head)


def timeline_html(told: Timeline) -> str:
    """Return a timeline as a title, an outcome, and turns that can be unfolded."""
    return template("notebook.html.j2").render(
        timeline=told, title=title(told), occasion=occasion(told), outcome=outcome(told), seen_by=SEEN_BY[told.view]
    )
