"""``tiro timeline``: a game turn by turn, in notation and in words, with annotations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TextIO

import click

from ..analysis.annotation_kinds import KINDS
from .common import Trouble, format_option, open_output, output_options
from .moment import Chosen, beyond, game_options, odds_option

if TYPE_CHECKING:
    from ..analysis.timeline import Timeline
    from ..engine.replay import Replay

EXAMPLE = """
\b
Examples:
  tiro timeline game.tiro                          as text
  tiro timeline game.tiro --format html -o game.html
  tiro timeline game.tiro --as table --only tie --only veto
  tiro timeline game.tiro --odds                   what was to be expected of each vote
"""


FORMATS: Final = ("text", "md", "html", "json", "csv", "svg")


@click.command(epilog=EXAMPLE)
@format_option("The form.", *FORMATS)
@click.option(
    "--only", "kinds", type=click.Choice(list(KINDS)), multiple=True, help="Only annotations of this kind; repeatable."
)
@odds_option
@game_options
@output_options
def timeline(chosen: Chosen, form: str, kinds: tuple[str, ...], odds: bool, output: str | None, force: bool) -> None:
    """Tell the game of FILE (- for standard input) turn by turn.

    The page (html) can be looked at with the eyes of everybody who knew no more than the recorder; with --as it shows
    one point of view and holds nothing that is hidden from it. The picture (svg) shows the whole game at a glance.

    Ends with 1 where the cards can be followed only so far, and the timeline says where.
    """
    played = chosen.played
    told = told_of(chosen, chosen.view, odds, played)

    def others() -> list[Timeline]:
        """Who names a point of view wants nothing of the others in the page."""
        from ..views.redaction import views_for

        eyes = [] if chosen.view else [each for each in views_for(told.view) if each != told.view]
        return [filtered(told_of(chosen, each, odds, played), kinds) for each in eyes]

    with open_output(output, force, inputs=[chosen.file]) as stream:
        _write(form, filtered(told, kinds), others, stream)
    chosen.end(beyond(told.stopped))


def _write(form: str, told: Timeline, others: Callable[[], list[Timeline]], stream: TextIO) -> None:
    """Write a timeline; ``others`` gives those of the other points of view that a page may offer."""
    match form:
        case "md":
            from ..export.timeline_text import markdown

            stream.writelines(f"{line}\n" for line in markdown(told))
        case "json":
            from ..export.data import json_lines
            from ..export.timeline_json import timeline_data

            stream.write(json_lines(timeline_data(told), "turns"))
        case "csv":
            from ..export.timeline_csv import write_csv

            write_csv(told, stream)
        case "html":
            from ..analysis.vote_tree import trees
            from ..export.page import page

            stream.write(page([told, *others()], trees(told)))
        case "svg":
            from ..export.picture import picture

            stream.write(picture(told))
        case _:
            from ..export.timeline_text import text

            stream.writelines(f"{line}\n" for line in text(told))


def told_of(chosen: Chosen, view: str, odds: bool, played: Replay | None = None) -> Timeline:
    """The timeline of a game, with ``odds`` if they are wanted; ``played`` is its replay, where there is one already.

    Trouble where there is none.
    """
    from ..analysis.timeline import Untold
    from ..analysis.timeline import timeline as tell

    try:
        told = tell(chosen.game, view, chosen.rules, played=played)
    except Untold as error:
        raise Trouble(f"{chosen.game.source.name}: {error}") from None
    chosen.mind_the_writer(told.view)
    if not odds:
        return told
    from ..analysis.timeline import with_odds

    return with_odds(told, chosen.game, chosen.rules)


def filtered(told: Timeline, kinds: tuple[str, ...]) -> Timeline:
    """The timeline with annotations of these kinds alone; of all kinds where none is named."""
    if not kinds:
        return told
    entries = (
        replace(entry, annotations=tuple(each for each in entry.annotations if each.kind in kinds))
        for entry in told.entries
    )
    return replace(told, entries=tuple(entries))
