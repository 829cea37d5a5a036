"""``tiro show``: draws the table as it was at a moment of the game, as text or as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import click

from .common import Trouble, format_option, open_output, output_options, telling
from .moment import ChosenGame, game_options

if TYPE_CHECKING:
    from ...notation.record import Record
    from ..analysis.telling import VoteScene
    from ..engine.replay import Step
    from ..views.table_view import TableView


@click.command()
@click.option(
    "--at",
    metavar="TURN",
    help="A turn (7E), a token in it (7E.2), or a vote with its cards turned up (7E.2v); the end by default.",
)
@click.option("--odds", is_flag=True, help="Add what can be said about hidden cards, votes and draws; needs --as.")
@format_option("The form; png needs resvg.", "text", "svg", "png")
@click.option("--narrow", is_flag=True, help="Draw a picture for a telephone, taller than wide.")
@game_options
@output_options
def show(
    chosen: ChosenGame, at: str | None, odds: bool, form: str, narrow: bool, output: str | None, force: bool
) -> None:
    """Draw the table of FILE (- for standard input) at a moment of the game.

    The exit code is 1 if the cards can be followed only part of the way, and the table is then the last one before
    that; it is 2, without a table, if --at names a later moment.
    \f\b
    Example:
      tiro show game.tiro --at 7E            the table after turn 7E
      tiro show game.tiro --at 7E.2 --as table   after its second token, as a spectator sees it
      tiro show game.tiro --at 7E.3v         a vote with its cards turned up; 7E.3 says what came of it
      tiro show game.tiro --at 7E --as caesar --odds   and what Caesar can tell of the hidden cards
      tiro show game.tiro --at 7E --format svg -o table.svg   a picture of it, light or dark as its reader prefers
    """
    from ..engine.headers import read_headers
    from ..views.redaction import seen_tokens

    if odds and form != "text":
        raise click.UsageError("--odds says it in words; leave out --format")
    if narrow and form == "text":
        raise click.UsageError("--narrow is for pictures; add --format svg or png")
    step, cut = chosen.step(at)
    record = chosen.game.record
    view = chosen.view or read_headers(record, chosen.rules).view
    chosen.warn_if_writer_saw_less(view)
    scene, turned_up = chosen.vote(at) or (None, None)
    if odds and turned_up:
        raise click.UsageError("the cards of that vote are turned up; --odds is for the moment before")
    picture = chosen.table(at, view)
    head = "the set-up" if step.turn is None else f"after {step.turn.label}"
    if step.token is not None and step.turn is not None:
        from ...notation.writer import token_text

        shown = token_text(seen_tokens(step.turn, view)[step.at])
        head = f"{step.turn.label}, {'at' if turned_up else 'after'} {shown}"
    odds_lines = _odds(chosen, step, view) if odds else []
    decided, made = turned_up is None, b""
    if form != "text":
        from ..export.table_picture import table_picture

        words = _in_words(step, view, scene, is_decided=decided)
        svg = table_picture(picture, words, _people(record), narrow=narrow, vote=scene, is_decided=decided)
        made = _drawn(svg, form)
    with open_output(output, force, inputs=[chosen.file]) as stream:
        if form == "png" and stream.isatty():
            raise click.UsageError("a png can't be shown on a terminal; name a file with -o")
        if form == "text":
            draw_table(picture, head, stream)
            if scene:
                _tell(scene, stream, is_decided=decided)
        stream.buffer.write(made)
        stream.writelines(f"{line}\n" for line in odds_lines)
    chosen.end(cut)


def _in_words(step: Step, view: str, scene: VoteScene | None, *, is_decided: bool) -> str:
    """Return a moment for those who don't read the notation: ``7E, after Cleopatra draws a 2 and a 1``."""
    from ...notation.cards import PLAYER_NAMES
    from ...notation.tokens import Veto
    from ..analysis.telling import token_words
    from ..views.redaction import seen_tokens

    turn = step.turn
    if turn is None:
        return "the set-up"
    if step.token is None:
        return f"after {turn.label}"
    if scene:
        vote = f"{scene.title[:1].lower()}{scene.title[1:]}"
        return f"{turn.label}, after the {vote}" if is_decided else f"{turn.label}, {vote}"
    vetoed = isinstance(next(iter(turn.tokens[step.at + 1 :]), None), Veto)
    said = token_words(seen_tokens(turn, view)[step.at], turn.side, step.state.edition, vetoed=vetoed)
    return f"{turn.label}, after {PLAYER_NAMES[turn.side]} {said.partition(':')[0]}"


def draw_table(table: TableView, head: str, stream: TextIO) -> None:
    """Write the picture of the table, as wide as the terminal is; ``head`` says which moment it is."""
    from rich.console import Console
    from rich.text import Text

    from ..diagnostics.messages import ENDINGS
    from ..screen.board import picture

    console = Console(file=stream, highlight=False)
    moment = "over" if table.mover is None else f"{table.turn} to play"
    heading = Text(f"{head} · {table.edition} rules · {moment} · seen by {table.view}", style="bold")
    why = f" ({ENDINGS[table.ended]})" if table.ended else ""
    with console.capture() as drawn:
        for part in (heading, *[f"{table.summary}{why}"] * bool(table.summary), "", picture(table, console.width)):
            console.print(part)
    stream.writelines(f"{line.rstrip()}\n" for line in drawn.get().splitlines())


def _tell(scene: VoteScene, stream: TextIO, *, is_decided: bool) -> None:
    """Write a vote below the table: its cards and how they compare, or what came of it where it ``is_decided``."""
    from rich.console import Console

    from ..screen.board import vote_cards

    cards = [] if is_decided else vote_cards(scene, Console(file=stream).width)
    lines = ["", scene.title, *[line.plain for line in cards], *(scene.second if is_decided else scene.first)]
    stream.writelines(f"{line}\n" for line in lines)


def _people(record: Record) -> list[str]:
    """Return the names of Caesar's and Cleopatra's players, empty where the headers name nobody."""
    from ...notation.cards import PLAYER_NAMES

    headers = {name.lower(): value.strip() for name, value in record.headers}
    return [headers.get(name.lower(), "").removeprefix("?") for name in PLAYER_NAMES]


def _drawn(svg: str, form: str) -> bytes:
    """Return a picture in its form. Raise Trouble where nothing is installed that makes a png."""
    if form == "svg":
        return svg.encode()
    from ..export.table_picture import NoResvg, png

    try:
        return png(svg)
    except NoResvg as error:
        raise Trouble(str(error)) from None


def _odds(chosen: ChosenGame, step: Step, view: str) -> list[str]:
    """Return what can be told of hidden cards. Raise Trouble where nothing is hidden, or cards don't add up."""
    from ..analysis.expectation import sight
    from ..export.timeline_text import lines
    from ..views.redaction import Unseen

    if view == "arbiter":
        raise click.UsageError("nothing is hidden from the arbiter; name a point of view with --as")
    with telling(chosen.game.source.name, Unseen):
        seen = sight(chosen.game, view, step, chosen.rules, chosen.played)
    if seen is None:
        raise Trouble(f"{chosen.game.source.name}: the cards don't add up, so nothing can be said about hidden ones")
    return [*lines(seen, step.state)]
