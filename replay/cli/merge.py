"""``tiro merge``: the logs of several people as one record of what any of them knew."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ...notation.safe_text import on_screen
from ..report import FORMATS, reporter
from .common import STDIN, Trouble, format_option, games_in, name_of, open_output, output_options, pairs, say

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ..merging.merge import Merged
    from ..report.model import GameReport


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG LOG...")
@format_option("How the report on standard error is written.", *FORMATS)
@click.option(
    "--pick", "picks", multiple=True, metavar="TURN=LOG", help="Whom to believe where logs differ: 5E=caesar."
)
@output_options
def merge(logs: tuple[str, ...], form: str, picks: tuple[str, ...], output: str | None, force: bool) -> None:
    """Join several people's LOGs of one game into one record with everything that any of them knew.

    Differences between the logs, and the check of the joined record, go to standard error. Where logs contradict each
    other, the word of the card's owner is taken, and the other is kept in a comment; --pick takes that of another LOG,
    by its view or its number.

    The exit code is 1 if the logs contradict each other, have unreadable parts, or their record has errors, and 2 if
    they are of different games.
    \f\b
    Examples:
      tiro merge caesar.tiro cleopatra.tiro -o game.tiro
      tiro merge caesar.tiro cleopatra.tiro -o game.tiro --force --pick 5E=caesar
      tiro merge caesar.tiro cleopatra.tiro table.tiro --format json >game.tiro 2>report.json
    """
    if len(logs) < 2:
        raise click.UsageError("give at least two logs; `tiro fmt` brings one into canonical form")
    if logs.count(STDIN) > 1:
        raise click.UsageError("standard input can be read only once")
    from ...notation.writer import write_all
    from ..merging.merge import DifferentGames, merge_all

    chosen, files = pairs(picks, "--pick", "is not written as TURN=LOG"), [_games(path) for path in logs]
    if chosen and max(map(len, files)) > 1:
        raise click.UsageError("--pick is for logs of a single game")
    try:
        joined, by_headers = merge_all(files, output or "<joined>", chosen)
    except (DifferentGames, LookupError) as error:
        raise Trouble(f"{error.args[0]}; nothing was written") from None
    with open_output(output, force, errors="surrogateescape", inputs=logs) as out:
        out.write(on_screen(write_all(merged.record for merged in joined), out))
    report = reporter(form, sys.stderr)
    report.begin()
    if len(joined) > 1 and form == "text":
        how = "their round and players" if by_headers else "their order"
        say(f"{len(joined)} games, matched by {how}", "")
    for number, merged in enumerate(joined, 1):
        report.game(_report(merged, number))
    report.end()
    if report.tally.severities["error"]:
        raise SystemExit(1)


def _games(path: str) -> list[Game]:
    """Return the games of a file. Raise Trouble where there is none."""
    games = list(games_in(path))
    for problem in [game.problems[-1] for game in games if game.missing]:
        raise Trouble(f"{name_of(path)}: {problem.message}; {problem.help}")
    return games


def _report(merged: Merged, number: int) -> GameReport:
    """Return a report of what was found in the logs of one game and by checking the joined record."""
    from ..archive.chunk_reports import ChunkChecker

    # What can't be read has been told where it stands in its log.
    checked = [diagnostic for diagnostic in merged.verdict.diagnostics if diagnostic.code[0] != "N"]
    report = ChunkChecker().report(merged.game, merged.verdict, (*merged.diagnostics, *checked))
    return replace(report, game=number)
