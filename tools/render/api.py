"""What people see of a game: pages, pictures and texts, each as its point of view sees it.

A format is made by its own file, which is loaded once the format is asked for: few calls need two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ...notation.basics import json_lines
from ...notation.language import phrase
from ...notation.records import Game, Record, as_game, write
from ...replay.engine.api import ChosenView, Replay, Step, View, read_headers
from ...replay.knowledge.api import TableView, ViewNotAvailable, view_table, views_for
from ...replay.knowledge.api import view as redacted
from ...replay.story.api import Timeline, replayed, timeline

if TYPE_CHECKING:
    from ...replay.rules.api import State
    from ...replay.story.api import Sight
    from ...replay.story.votes import Costs, Swings, VoteTree
    from ..repair.api import LikelyRepairs
    from .page_insight import Insight
    from .page_what_if import WhatIf


def page(game: Game | Record, view: ChosenView = "", rules: str = "") -> str:
    """Return an HTML page for stepping through a game, as ``tiro timeline --format html`` writes it.

    It opens with the point of view of the record's writer, and includes all others that saw no more; ``view`` names a
    single one. ``rules`` names the rule set if the record's headers don't. Raise NoTimeline if the game can't be
    replayed.

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
    judged: Sequence[Insight | None] = (),
    *,
    odds: bool = False,
    costs: Costs | None = None,
    swings: Swings | None = None,
) -> str:
    """Return the page of a game for the points of view in ``views``; it opens with the first.

    The votes always say how likely they were; with ``odds`` the page shows what each option does to them, too.
    ``costs`` and ``swings`` are an analysis's results for options and votes; ``judged`` is as for
    :func:`tironian.tools.render.page.page`.
    """
    from ...replay.story.votes import trees
    from .page import page as written

    what_ifs = [_what_if(game, shown.view, rules, played, odds) for shown in views]
    records = [_record(game, shown.view, rules, played) for shown in views]
    grown = trees(views[0], game, rules, what_ifs[0].decisions, played=played, odds=True, costs=costs, swings=swings)
    return written(views, grown, _repairs(game, views[0].view, rules), what_ifs, judged, records)


def _what_if(game: Game, view: View, rules: str, played: Replay | None, odds: bool) -> WhatIf:
    """Return what could have been played; nothing for a ``view`` that saw more than the writer."""
    from ...replay.story.votes import foresights, what_if
    from .page_what_if import WhatIf

    try:
        decisions = what_if(game, view, rules, played)
    except ViewNotAvailable:
        return WhatIf()
    return WhatIf(decisions, foresights(decisions, game, view, rules, played) if odds else ())


def _record(game: Game, view: View, rules: str, played: Replay | None) -> str:
    """Return the record as ``view`` would have written it; nothing if ``view`` saw more than the writer."""
    try:
        return write(redacted(game, view, rules, played=played).record)
    except ViewNotAvailable:
        return ""


def _repairs(game: Game, view: str, rules: str) -> LikelyRepairs | None:
    """Return the repairs of a broken game; None for other games, and if ``view`` is not the record's own."""
    from ...replay.checking.api import check
    from ...replay.diagnostics.api import ILLEGAL, UNREADABLE

    if view != read_headers(game.record, rules).view or check(game, rules).verdict not in (ILLEGAL, UNREADABLE):
        return None
    from ..repair.api import likely_repairs  # late: the search is only for broken games

    return likely_repairs(game, rules)


def picture(
    shown: Game | Record | Timeline | Step | TableView | VoteTree, view: ChosenView = "", rules: str = ""
) -> str:
    """Return a picture, as SVG text, of a game, of the table after a step, or of a vote.

    For a game, ``view`` and ``rules`` are as for ``timeline``. Raise NoTimeline if the game has no timeline.

    >>> step = tironian.replay_game(record).at("1E")
    >>> [tironian.picture(shown)[:4] for shown in (record, step)]
    ['<svg', '<svg']
    """
    if isinstance(shown, TableView):
        return table_svg(shown)
    if isinstance(shown, Step):
        return _step_svg(shown)
    if not isinstance(shown, Game | Record | Timeline):
        from .vote_picture import vote_picture

        return vote_picture(shown)
    from .picture import picture as drawn

    return drawn(shown if isinstance(shown, Timeline) else timeline(shown, view, rules))


def table_svg(table: TableView, words: str = "", **more: Any) -> str:
    """Return a table as a picture; ``words`` and ``more`` are those of :func:`table_picture.table_picture`."""
    from .table_picture import table_picture

    return table_picture(table, words, **more)


def _step_svg(step: Step) -> str:
    """Return the table after a step as a picture, with every card that the record names."""
    head = phrase("the set-up") if step.turn is None else phrase("after {turn}", turn=step.turn.label)
    if step.token is not None and step.turn is not None:
        head = phrase("{turn}, after token {number}", turn=step.turn.label, number=step.at + 1)
    return table_svg(view_table(step.state), head)


def timeline_html(told: Timeline) -> str:
    """Return a timeline as a title, an outcome, and turns that can be unfolded."""
    from ...replay.diagnostics.api import capital
    from .synopsis import occasion, outcome, seen_by, title
    from .templating import template

    return template("notebook.html.j2").render(
        timeline=told,
        title=title(told),
        occasion=occasion(told),
        outcome=outcome(told),
        seen_by=capital(seen_by(told.view)),
    )


def png(svg: str) -> bytes:
    """Return a picture as PNG. Raise CannotRun if resvg is not installed."""
    from .shapes import png as drawn

    return drawn(svg)


def write_timeline(shown: Timeline, form: str, stream: TextIO, *, full: bool = False, explain: bool = False) -> None:
    """Write a timeline as ``text``, ``md``, ``json``, ``csv`` or ``svg``. In text, ``full`` puts each token into words;
    otherwise ``explain`` adds what is remarkable about a turn.
    """
    match form:
        case "text" if not full:
            from .timeline_brief import write_brief

            write_brief(shown, stream, explain=explain)
        case "text" | "md":
            from .timeline_text import markdown, text

            stream.writelines(f"{line}\n" for line in (markdown if form == "md" else text)(shown))
        case "json":
            from .data import timeline_data

            stream.write(json_lines(timeline_data(shown), "turns"))
        case "csv":
            from .data import write_csv

            write_csv(shown, stream)
        case _:
            stream.write(picture(shown))


def sight_lines(seen: Sight, state: State) -> list[str]:
    """Return what somebody can tell of hidden cards, line by line."""
    from .timeline_text import lines

    return [*lines(seen, state)]


def votes_drawn(trees: Sequence[VoteTree], form: str, timeline: Timeline, *, narrow: bool = False) -> bytes:
    """Return votes as ``text``, ``dot``, ``mermaid`` or ``json``, or the first one as ``svg``, ``png`` or ``pdf``.

    Raise CannotRun if nothing is installed that can draw it.
    """
    from . import vote_graph

    match form:
        case "svg" | "png":
            from .vote_picture import framed_picture

            made = framed_picture(trees[0], timeline, narrow=narrow)
            if form == "png":
                return png(made)
        case "pdf":
            return vote_graph.pdf(trees[0])
        case "dot":
            made = "\n".join(map(vote_graph.graph, trees))
        case "mermaid":
            made = vote_graph.mermaid(trees[0]) if len(trees) == 1 else vote_graph.fenced(trees)
        case "json":
            from .data import votes_data

            made = json_lines(votes_data(trees, timeline.edition.name, timeline.view), "votes")
        case _:
            made = "".join(f"{line}\n" for line in vote_graph.text(trees))
    return made.encode("utf-8", "backslashreplace")


def votes_page(timeline: Timeline, trees: Sequence[VoteTree], files: Sequence[str]) -> str:
    """Return a page that shows the pictures of votes, which are kept in ``files`` beside it."""
    from .page import votes_page as written

    return written(timeline, trees, files)
