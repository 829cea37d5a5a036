"""``tiro timeline``: a game turn by turn, in notation and in words, with annotations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

import click

from ..analysis.annotation_kinds import KINDS
from .common import format_option, open_output, output_options, telling
from .moment import ChosenGame, beyond, game_options, odds_option
from .report_file import kept_data

if TYPE_CHECKING:
    from types import SimpleNamespace

    from ..analysis.timeline import Timeline
    from ..engine.replay import Replay
    from ..export.page_what_if import WhatIf
    from ..repair.likely import LikelyRepairs


@click.command()
@format_option("The form.", "text", "md", "html", "json", "csv", "svg")
@click.option(
    "--only", "kinds", type=click.Choice(list(KINDS)), multiple=True, help="Only annotations of this kind; repeatable."
)
@click.option("--full", is_flag=True, help="Text: each token in words, comments, and both players' hands and piles.")
@odds_option
@game_options
@output_options
def timeline(
    chosen: ChosenGame,
    form: str,
    kinds: tuple[str, ...],
    full: bool,
    odds: bool,
    output: str | None,
    force: bool,
) -> None:
    """Show the game of FILE (- for standard input) turn by turn.

    Text has a line for each turn; --full tells each token, with hands and piles. With --only, text and Markdown hold
    only the turns that have such an annotation, the other forms all turns but only such annotations.

    The page (html) offers every point of view that knew no more than the recorder; with --as it has only one point of
    view and contains nothing that is hidden from it. If the JSON of tiro analyse lies beside game.tiro, as
    game.insight.json, the page says how well the game was played. The picture (svg) shows all of it at a glance.

    The exit code is 1 if the cards can be followed only part of the way, and the timeline says where.
    \f\b
    Examples:
      tiro timeline game.tiro                          a line a turn
      tiro timeline game.tiro --full                   each token in words
      tiro timeline game.tiro --format html -o game.html
      tiro timeline game.tiro --as table --only tie --only veto
      tiro timeline game.tiro --odds                   what was to be expected of each vote
    """
    from ..views.redaction import views_for

    played = chosen.played
    shown = timeline_of(chosen, chosen.view, odds, played)
    eyes = [] if chosen.view else [other for other in views_for(shown.view) if other != shown.view]
    others = (filtered(timeline_of(chosen, other, odds, played), kinds) for other in eyes)
    with open_output(output, force, inputs=[chosen.file]) as stream:
        if form == "html":
            _write_page(chosen, [filtered(shown, kinds), *others], stream, odds=odds)
        elif form in ("text", "md"):
            _write_text(selected(shown, kinds), stream, form, full=full, explain=bool(kinds))
        else:
            _write(form, filtered(shown, kinds), stream)
    chosen.end(beyond(shown.stopped))


def _write_text(shown: Timeline, stream: TextIO, form: str, *, full: bool, explain: bool) -> None:
    if form == "text" and not full:
        from ..export.timeline_brief import write_brief

        write_brief(shown, stream, explain=explain)
        return
    from ..export.timeline_text import markdown, text

    stream.writelines(f"{line}\n" for line in (markdown if form == "md" else text)(shown))


def _write(form: str, shown: Timeline, stream: TextIO) -> None:
    match form:
        case "json":
            from ..export.data import json_lines, timeline_data

            stream.write(json_lines(timeline_data(shown), "turns"))
        case "csv":
            from ..export.data import write_csv

            write_csv(shown, stream)
        case "svg":
            from ..export.picture import picture

            stream.write(picture(shown))


def _write_page(chosen: ChosenGame, views: Sequence[Timeline], stream: TextIO, *, odds: bool) -> None:
    """Write the page of a game for the points of view of ``views``, the first one that it opens with."""
    from ..analysis.vote_tree import trees
    from ..export.page import page

    what_ifs = [_what_if(chosen, shown.view, odds) for shown in views]
    judged: list[list[SimpleNamespace]] = []
    if report := kept_data(chosen.file, chosen.game):
        from ..insight.page_insight import insight_blocks  # late: few games are judged

        judged = [insight_blocks(report, shown) for shown in views]
    stream.write(page(views, trees(views[0]), _repairs(chosen, views[0].view), what_ifs, judged))


def _what_if(chosen: ChosenGame, view: str, odds: bool) -> WhatIf:
    """Return what could have been played, with what it does to the votes where ``odds`` are wanted; nothing for a
    ``view`` that saw more than the writer.
    """
    from ..analysis.what_if import foresights, what_if
    from ..export.page_what_if import WhatIf
    from ..views.redaction import Unseen

    game, rules, played = chosen.game, chosen.rules, chosen.played
    try:
        decisions = what_if(game, view, rules, played)
    except Unseen:
        return WhatIf()
    return WhatIf(decisions, foresights(decisions, game, view, rules, played) if odds else ())


def _repairs(chosen: ChosenGame, view: str) -> LikelyRepairs | None:
    """Return the repairs of a broken game; None for other games, and where ``view`` is not that of the record."""
    from ..checking.check import ILLEGAL, UNREADABLE, check
    from ..engine.headers import read_headers

    game, rules = chosen.game, chosen.rules
    if view != read_headers(game.record, rules).view or check(game, rules).verdict not in (ILLEGAL, UNREADABLE):
        return None
    from ..repair.likely import likely_repairs  # late: the search is for broken games alone

    return likely_repairs(game, rules)


def timeline_of(chosen: ChosenGame, view: str, odds: bool, played: Replay | None = None) -> Timeline:
    """Return the timeline of a game, with ``odds`` if they are wanted; ``played`` is its replay, if there is one
    already.

    Raise Trouble where there is none.
    """
    from ..analysis.timeline import Untold, with_odds
    from ..analysis.timeline import timeline as tell

    with telling(chosen.game.source.name, Untold):
        made = tell(chosen.game, view, chosen.rules, played=played)
    chosen.warn_if_writer_saw_less(made.view)
    return with_odds(made, chosen.game, chosen.rules, played=played) if odds else made


def filtered(whole: Timeline, kinds: tuple[str, ...]) -> Timeline:
    """Return the timeline with annotations of these kinds alone; of all kinds where none is named."""
    if not kinds:
        return whole
    entries = (
        replace(entry, annotations=tuple(annotation for annotation in entry.annotations if annotation.kind in kinds))
        for entry in whole.entries
    )
    return replace(whole, entries=tuple(entries))


def selected(whole: Timeline, kinds: tuple[str, ...]) -> Timeline:
    """Return the timeline with the turns that have annotations of these kinds; the whole where none is named."""
    if not kinds:
        return whole
    entries = tuple(entry for entry in filtered(whole, kinds).entries if entry.annotations)
    return replace(whole, entries=entries, preface=(), epilogue=())
