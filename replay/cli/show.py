"""``tiro show``: draws the table as it was at a moment of the game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from ..edition import EDITION_NAMES
from ..headers import VIEWS
from .common import Trouble, name_of, open_output, output_options
from .moment import game_of

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ..replayer import Step

EXAMPLE = """
\b
Example:
  tiro show game.tiro --at 7E            the table after turn 7E
  tiro show game.tiro --at 7E.2 --as table   after its second token, as a spectator sees it
"""


@click.command(epilog=EXAMPLE)
@click.argument("file")
@click.option("--at", metavar="TURN", help="A turn (7E), or a token in it (7E.2); the end of the record if not given.")
@click.option(
    "--as",
    "view",
    type=click.Choice(VIEWS),
    help="Whose eyes to look through; the record's own point of view if not given.",
)
@click.option("--game", "number", type=click.IntRange(min=1), default=1, help="Which game of the file.")
@click.option("--rules", type=click.Choice(EDITION_NAMES), help="The rule set of a record that names no known one.")
@output_options
def show(
    file: str, at: str | None, view: str | None, number: int, rules: str | None, output: str | None, force: bool
) -> None:
    """Draw the table of FILE (- for standard input) at a moment of the game.

    Ends with 1 where the cards can be followed only so far, and the table is the last one before that.
    """
    from ..headers import read_headers
    from ..table import look
    from .picture import draw

    game = game_of(file, number)
    step, cut = _step(game, at, rules or "")
    view = view or read_headers(game.record).view
    picture = look(step.state, view)
    head = "the set-up" if step.turn is None else f"after {step.turn.label}"
    if step.token is not None and step.turn is not None:
        from ...notation.writer import token_text

        # The token may name a card that this person has not seen.
        word = token_text(step.token) if view == "arbiter" else f"token {step.at + 1}"
        head = f"{step.turn.label}, after {word}"
    with open_output(output, force, inputs=[file]) as stream:
        draw(picture, head, stream)
    if cut:
        click.echo(f"{name_of(file)}: {cut}; tiro check says why", err=True)
        raise SystemExit(1)


def _step(game: Game, at: str | None, rules: str) -> tuple[Step, str]:
    """The moment that is meant, and what is to be said where the record went on but the replay could not."""
    from ..course import END
    from ..replayer import replay, step_at

    try:
        played = replay(game, rules)
    except ValueError as error:
        raise Trouble(f"{game.source.name}: {error}; give --rules") from None
    if not played.steps:
        raise Trouble(f"{game.source.name}: the set-up can't be followed; tiro check says why")
    if at is None:
        step = played.steps[-1]
        where = "the set-up" if step.turn is None else step.turn.label
        return step, f"the cards can't be followed beyond {where}" * played.course.stopped
    wanted = re.fullmatch(r"(\d{1,4}[RE])(?:\.(\d{1,3}))?", "".join(at.split()).upper())
    if wanted is None:
        raise click.BadParameter(f"“{at}” is no turn: write 7E, or 7E.2 for its second token", param_hint="--at")
    step = step_at(played, wanted[1], int(wanted[2]) if wanted[2] else None)
    if step is None:
        raise Trouble(f"{game.source.name}: {_why_not(game, wanted[1], int(wanted[2] or 0))}")
    whole = wanted[2] or step.at == END
    return step, "" if whole else f"the cards can't be followed to the end of {wanted[1]}"


def _why_not(game: Game, label: str, tokens: int) -> str:
    """Why there is nothing to show of a turn, or of a token in it."""
    turns = [turn for turn in game.record.turns if turn.label == label]
    if not turns:
        last = f", which ends with {game.record.turns[-1].label}" if game.record.turns else ""
        return f"there is no turn {label} in this record{last}"
    count = max(len(turn.tokens) for turn in turns)
    if tokens > count:
        return f"{label} has only {count} token{'s' * (count != 1)}"
    return f"the replay does not get to {label}; tiro check says why"
