"""``tiro analyse``: how well a game was played, and who was lucky."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TextIO

import click

from .analyse_players import PARQUET, paths_options
from .common import Trouble, format_option, open_output, output_options
from .look import ChosenGame
from .report_file import judged, keep, need

if TYPE_CHECKING:
    from ..insight.analysis import Report

LEVELS: Final = ("quick", "default", "deep")
MARKS: Final = ("??", "?", "?!")


@click.command()
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="default",
    show_default=True,
    help="How closely: quick asks the net alone and marks nothing; deep takes a minute.",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0), help="Stop looking closely after this time; the rest is judged quickly."
)
@click.option("--top", type=click.IntRange(min=0), default=3, show_default=True, help="How many mistakes are told.")
@click.option("--only", "marks", metavar="MARKS", help="All decisions with these marks: '?,??'.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same report.")
@click.option("--keep", "kept", is_flag=True, help="Keep the report beside FILE, as FILE.insight.json, and reuse it.")
@click.option("--page", metavar="FILE", help="The page of this game (tiro timeline --format html) to which html links.")
@format_option("The form.", "text", "json", "csv", "html", "tiro", PARQUET)
@paths_options
@output_options
def analyse(
    chosen: ChosenGame,
    level: str,
    seconds: float | None,
    top: int,
    marks: str | None,
    seed: int,
    kept: bool,
    page: str | None,
    form: str,
    output: str | None,
    force: bool,
) -> None:
    """Say how well the game of a file (- for standard input) was played, and who was lucky.

    With --players: what all games of every PATH, as `tiro check` takes them, say of those who played them.

    Each player is judged by what he could know. Of a player's own record only he is judged, of an arbiter's both;
    --as caesar or --as cleopatra chooses one. Marks ?! ? ?? are given where a decision cost 5, 10 or 15 points of the
    chance of winning, and only where that is certain.

    A report that lies beside FILE (--keep) is used where it was made in the same way, and `tiro timeline --format html`
    shows it on the game's page.

    Illegal games are judged up to where their cards can be followed. The exit code is 1 if that is not the end.
    \f\b
    Examples:
      tiro analyse game.tiro
      tiro analyse game.tiro --as caesar --level deep
      tiro analyse game.tiro --keep
      tiro analyse game.tiro --format html --page game.html -o insight.html
      tiro analyse season/ --players --level quick --keep
    """
    wanted = _marks(marks)
    if kept and chosen.number > 1:
        raise click.UsageError("--keep is for the first game of a file; use --format json -o FILE for another")
    report = _report(chosen, level, seed, seconds or 0.0)
    if kept:
        keep(chosen.file, report, force)
    with open_output(output, force, inputs=[chosen.file]) as stream:
        if form == "text":
            from ..insight.analysis_text import text

            stream.writelines(f"{line}\n" for line in text(report, top, wanted))
        else:
            _write(report, chosen, form, page or "", stream)
    chosen.end(chosen.step(None)[1])


def _write(report: Report, chosen: ChosenGame, form: str, page: str, stream: TextIO) -> None:
    """Write a report in a form that is not for a terminal."""
    match form:
        case "csv":
            from ..insight.analysis_json import write_table

            write_table(report, stream)
        case "json":
            from ..export.data import json_lines
            from ..insight.analysis_json import report_data

            stream.write(json_lines(report_data(report), "sides"))
        case "tiro":
            from ...notation.writer import write
            from ..insight.analysis_text import annotated

            stream.write(write(annotated(chosen.game.record, report)))
        case "html":
            from ..insight.analysis_page import analysis_page

            stream.write(analysis_page(report, page))


def _report(chosen: ChosenGame, level: str, seed: int, seconds: float) -> Report:
    need("numpy")
    from ..insight.analysis import VIEWS

    if chosen.view and chosen.view not in VIEWS:
        raise click.BadParameter("only players are judged: caesar or cleopatra", param_hint="--as")
    side = VIEWS.index(chosen.view) if chosen.view else None
    try:
        return judged(chosen.file, chosen.game, side, level, seed, seconds, chosen.rules)
    except (ValueError, LookupError) as error:
        raise Trouble(f"{chosen.game.source.name}: {error}") from None


def _marks(text: str | None) -> tuple[str, ...]:
    marks = tuple(part.strip() for part in (text or "").split(",") if part.strip())
    for mark in marks:
        if mark not in MARKS:
            raise click.BadParameter(f"“{mark}” is no mark; there are {', '.join(MARKS)}", param_hint="--only")
    return marks
