"""``tiro timeline``: a game turn by turn, in notation and in words, with annotations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TextIO

import click

from ..analysis.kinds import KINDS
from .common import Trouble, format_option, name_of, open_output, output_options, say
from .moment import game_of, game_options, mind_the_writer, odds_option, replay_of

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ..analysis.timeline import Timeline
    from ..replayer import Replay

EXAMPLE = """
\b
Examples:
  tiro timeline game.tiro                          as text
  tiro timeline game.tiro --format html -o game.html
  tiro timeline game.tiro --as table --only tie --only veto
  tiro timeline game.tiro --odds                   what was to be expected of each vote
"""


Others = Callable[[], "list[Timeline]"]
"""Gives the timelines of the other points of view that a page may offer."""


def _text(told: Timeline, _others: Others, stream: TextIO) -> None:
    from ..export.timeline_text import text

    stream.writelines(f"{line}\n" for line in text(told))


def _markdown(told: Timeline, _others: Others, stream: TextIO) -> None:
    from ..export.timeline_text import markdown

    stream.writelines(f"{line}\n" for line in markdown(told))


def _json(told: Timeline, _others: Others, stream: TextIO) -> None:
    from ..export.data import json_lines
    from ..export.timeline_json import timeline_data

    stream.write(json_lines(timeline_data(told), "turns"))


def _csv(told: Timeline, _others: Others, stream: TextIO) -> None:
    from ..export.timeline_csv import write_csv

    write_csv(told, stream)


def _html(told: Timeline, others: Others, stream: TextIO) -> None:
    from ..analysis.tree import trees
    from ..export.page import page

    stream.write(page([told, *others()], trees(told)))


def _svg(told: Timeline, _others: Others, stream: TextIO) -> None:
    from ..export.picture import picture

    stream.write(picture(told))


FORMATS: Final[dict[str, Callable[[Timeline, Others, TextIO], None]]] = {
    "text": _text,
    "md": _markdown,
    "html": _html,
    "json": _json,
    "csv": _csv,
    "svg": _svg,
}


@click.command(epilog=EXAMPLE)
@click.argument("file")
@format_option("The form.", *FORMATS)
@click.option(
    "--only", "kinds", type=click.Choice(list(KINDS)), multiple=True, help="Only annotations of this kind; repeatable."
)
@odds_option
@game_options
@output_options
def timeline(
    file: str,
    form: str,
    view: str | None,
    kinds: tuple[str, ...],
    odds: bool,
    number: int,
    rules: str | None,
    output: str | None,
    force: bool,
) -> None:
    """Tell the game of FILE (- for standard input) turn by turn.

    The page (html) can be looked at with the eyes of everybody who knew no more than the recorder; with --as it shows
    one point of view and holds nothing that is hidden from it. The picture (svg) shows the whole game at a glance.

    Ends with 1 where the cards can be followed only so far, and the timeline says where.
    """
    game = game_of(file, number)
    played = replay_of(game, rules or "")
    told = told_of(game, view or "", rules or "", played, odds=odds)

    def others() -> list[Timeline]:
        """Who names a point of view wants nothing of the others in the page."""
        from ..analysis.eyes import views_for

        eyes = [] if view else [each for each in views_for(told.view) if each != told.view]
        return [filtered(told_of(game, each, rules or "", played, odds=odds), kinds) for each in eyes]

    with open_output(output, force, inputs=[file]) as stream:
        FORMATS[form](filtered(told, kinds), others, stream)
    end_where_stopped(told, file)


def told_of(game: Game, view: str, rules: str, played: Replay | None = None, *, odds: bool = False) -> Timeline:
    """The timeline of a game, with ``odds`` if they are wanted; ``played`` is its replay, where there is one already.

    Trouble where there is none.
    """
    from ..analysis.timeline import Untold
    from ..analysis.timeline import timeline as tell

    try:
        told = tell(game, view, rules, played=played)
    except Untold as error:
        raise Trouble(f"{game.source.name}: {error}") from None
    mind_the_writer(game, told.view, rules)
    if not odds:
        return told
    from ..analysis.with_odds import with_odds

    return with_odds(told, game, rules)


def filtered(told: Timeline, kinds: tuple[str, ...]) -> Timeline:
    """The timeline with annotations of these kinds alone; of all kinds where none is named."""
    if not kinds:
        return told
    entries = (
        replace(entry, annotations=tuple(each for each in entry.annotations if each.kind in kinds))
        for entry in told.entries
    )
    return replace(told, entries=tuple(entries))


def end_where_stopped(told: Timeline, file: str) -> None:
    """End with 1, and say so, where the cards could not be followed to the end."""
    if told.stopped:
        say(f"{name_of(file)}: the cards can't be followed beyond {told.stopped}; tiro check says why")
        raise SystemExit(1)
