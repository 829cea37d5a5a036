"""``tiro show``: draws the table as it was at a moment of the game."""

from __future__ import annotations

import click

from .common import name_of, open_output, output_options
from .moment import game_of, game_options, replay_of, step_of

EXAMPLE = """
\b
Example:
  tiro show game.tiro --at 7E            the table after turn 7E
  tiro show game.tiro --at 7E.2 --as table   after its second token, as a spectator sees it
"""


@click.command(epilog=EXAMPLE)
@click.argument("file")
@click.option("--at", metavar="TURN", help="A turn (7E), or a token in it (7E.2); the end of the record if not given.")
@game_options
@output_options
def show(
    file: str, at: str | None, view: str | None, number: int, rules: str | None, output: str | None, force: bool
) -> None:
    """Draw the table of FILE (- for standard input) at a moment of the game.

    Ends with 1 where the cards can be followed only so far, and the table is the last one before that.
    """
    from ..analysis.eyes import seen_tokens
    from ..headers import read_headers
    from ..table import look
    from .picture import draw

    game = game_of(file, number)
    step, cut = step_of(game, replay_of(game, rules or ""), at)
    view = view or read_headers(game.record).view
    picture = look(step.state, view, game.record.result.verdicts if game.record.result else ())
    head = "the set-up" if step.turn is None else f"after {step.turn.label}"
    if step.token is not None and step.turn is not None:
        from ...notation.writer import token_text

        head = f"{step.turn.label}, after {token_text(seen_tokens(step.turn, view)[step.at])}"
    with open_output(output, force, inputs=[file]) as stream:
        draw(picture, head, stream)
    if cut:
        click.echo(f"{name_of(file)}: {cut}; tiro check says why", err=True)
        raise SystemExit(1)
