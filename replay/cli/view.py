"""``tiro view``: records as a player or a spectator would have written them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ...notation.record import Record
from ...notation.safe_text import on_screen
from ...notation.writer import write_all
from ..engine.headers import VIEWS
from .common import Problems, format_option, games_in, name_of, open_output, output_options, say, telling
from .convert import refuse_unread, write_json
from .moment import rules_option

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ..views.redaction import Redaction


@click.command()
@click.argument("file")
@click.option("--as", "view", type=click.Choice(VIEWS), required=True, help="Whose record it becomes.")
@click.option(
    "--keep-remarks",
    "keep",
    is_flag=True,
    help="Keep comments, own headers, alternatives and the words of rulings, which may reveal hidden cards.",
)
@format_option("The form.", "text", "json")
@rules_option
@output_options
def view(file: str, view: str, keep: bool, form: str, rules: str | None, output: str | None, force: bool) -> None:
    """Write the games of FILE (- for standard input) as that person would have written them.

    Unseen cards are i and a; what was shown is filled in where the record leaves it out. Comments, alternatives, the
    recorder's own headers and the words of rulings may name hidden cards and are left out; standard error says so.

    The exit code is 1 if a word or line can't be read, or shown cards can't be filled in, and 2 if that person saw more
    than the writer of the record.
    \f\b
    Examples:
      tiro view game.tiro --as table -o spectators.tiro
      tiro view season.tiro --as caesar --format json
    """
    problems = Problems()
    redactions = list(_redactions(file, view, rules or "", keep, problems))
    records = (redaction.record for _, redaction in redactions)
    with open_output(output, force, errors="surrogateescape", inputs=[file]) as stream:
        if form == "json":
            write_json(records, stream, jsonl=False)
        else:
            stream.write(on_screen(write_all(records), stream))
    _tell(file, view, keep, redactions)
    problems.finish()
    if any(redaction.unfollowed for _, redaction in redactions):
        raise SystemExit(1)


def _redactions(file: str, view: str, rules: str, keep: bool, problems: Problems) -> Iterator[tuple[Game, Redaction]]:
    """Yield each game with its record for a point of view. Raise Trouble where it has none, or the file is no text."""
    from ..views.redaction import Unseen
    from ..views.redaction import view as record_view

    for game in games_in(file):
        refuse_unread(game)
        problems.add(game)
        if game.record == Record():
            continue
        with telling(f"{name_of(file)}, game {game.number}", Unseen):
            redaction = record_view(game, view, rules, keep_remarks=keep)
        yield game, redaction


def _tell(file: str, view: str, keep: bool, redactions: list[tuple[Game, Redaction]]) -> None:
    from ..views.redaction import left_out

    for game, redaction in redactions:
        if redaction.unfollowed:
            say(f"{name_of(file)}, game {game.number}: {redaction.unfollowed}")
    if sentence := left_out(sum([redaction.left_out for _, redaction in redactions]), view):
        kept = "" if keep else "; --keep-remarks keeps those that can be read"
        say(f"{name_of(file)}: {sentence}{kept}")
