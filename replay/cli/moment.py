"""Which game of a file is meant, seen by whom, and which moment of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from ..edition import EDITION_NAMES
from ..headers import VIEWS
from .common import Command, Trouble, name_of, open_input, say

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ..replayer import Replay, Step


rules_option: Final = click.option(
    "--rules", type=click.Choice(EDITION_NAMES), help="The rule set of a record that names no known one."
)


def game_options(command: Command) -> Command:
    """Give a command ``--as`` (parameter ``view``), ``--game`` (``number``) and ``--rules``."""
    options = (
        rules_option,
        click.option("--game", "number", type=click.IntRange(min=1), default=1, help="Which game of the file."),
        click.option(
            "--as",
            "view",
            type=click.Choice(VIEWS),
            help="Whose eyes to look through; the record's own point of view if not given.",
        ),
    )
    for option in options:
        command = option(command)
    return command


def odds_option(command: Command) -> Command:
    """Give a command ``--odds`` (parameter ``odds``)."""
    return click.option(
        "--odds",
        is_flag=True,
        help="Say of each vote what was to be expected by who did not see all cards; unseen ones equally likely.",
    )(command)


def game_of(file: str, number: int) -> Game:
    """The game of that number in a file. Trouble where there is none, or no text to read."""
    from ...notation.reader import read_bytes

    with open_input(file) as stream:
        for game in read_bytes(stream, name_of(file)):
            if game.missing and (game.number == number or not game.too_large):
                raise Trouble(f"{name_of(file)}: {game.problems[-1].message}; {game.problems[-1].help}")
            if game.number == number:
                return game
    raise Trouble(f"{name_of(file)}: there is no game {number} in it")


def replay_of(game: Game, rules: str) -> Replay:
    """A game replayed as far as its cards can be followed. Trouble where it does not even begin."""
    from ..replayer import as_announced, replay

    try:
        played = as_announced(replay(game, rules))
    except ValueError as error:
        raise Trouble(f"{game.source.name}: {error}; give --rules") from None
    if not played.steps:
        raise Trouble(f"{game.source.name}: the set-up can't be followed; tiro check says why")
    return played


def mind_the_writer(game: Game, view: str, rules: str) -> None:
    """Say on standard error that ``view`` saw more than whoever wrote the record, so that unknown cards stay so."""
    from ..analysis.eyes import saw_less, views_for
    from ..headers import read_headers

    own = read_headers(game.record, rules).view
    if view not in views_for(own):
        say(f"{game.source.name}: {saw_less(own, view)}; what is not in it stays unknown")


def step_of(game: Game, played: Replay, at: str | None) -> tuple[Step, str]:
    """The moment that is meant, the last one for None.

    Beside it what is to be said where the record went on but the replay could not. Trouble where there is no such
    moment.
    """
    from ..findings import END
    from ..replayer import read_moment, step_at

    if at is None:
        step = played.steps[-1]
        where = "the set-up" if step.turn is None else step.turn.label
        return step, f"the cards can't be followed beyond {where}" * played.course.stopped
    wanted = read_moment(at)
    if wanted is None:
        raise click.BadParameter(f"“{at}” is no turn: write 7E, or 7E.2 for its second token", param_hint="--at")
    label, tokens = wanted
    step = step_at(played, label, tokens)
    if step is None:
        raise Trouble(f"{game.source.name}: {_why_not(game, label, tokens or 0)}")
    whole = tokens is not None or step.at == END
    return step, "" if whole else f"the cards can't be followed to the end of {label}"


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
