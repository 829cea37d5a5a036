"""Which game of a file is meant, seen by whom, and which moment of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, wraps
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final

import click

from ...notation import tokens as t
from ..editions.edition import EDITION_NAMES
from ..engine.findings import END
from ..engine.headers import VIEWS
from .common import Command, Trouble, games_in, name_of, say

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ..analysis.telling import VoteScene
    from ..engine.replay import Replay, Step
    from ..rules.state import State
    from ..views.table_view import TableView


MOST_COUNTED: Final = 1000
"""Games that are read in order to say how many there are."""
rules_option: Final = click.option(
    "--rules", type=click.Choice(EDITION_NAMES), help="The rule set of a record that does not name a known one."
)
odds_option: Final = click.option(
    "--odds",
    is_flag=True,
    help="Say what was to be expected of each vote without seeing all cards; unseen cards are equally likely.",
)


@dataclass(frozen=True)
class ChosenGame:
    """The game number ``number`` of a file, or for 0 the first, with ``view`` and ``rules`` as the call names them,
    else empty.
    """

    file: str
    number: int
    view: str
    rules: str

    @cached_property
    def game(self) -> Game:
        """The game itself. Raise Trouble where there is none, or no text to read.

        Where the call names no number and there are several, say on standard error that this is the first.
        """
        name, number = name_of(self.file), self.number or 1
        games = games_in(self.file)
        for game in games:
            if game.missing and (game.number == number or not game.too_large):
                raise Trouble(f"{name}: {game.problems[-1].message}; {game.problems[-1].help}")
            if game.number == number:
                more = 0 if self.number else _count(games)
                if more:
                    many = f"more than {MOST_COUNTED}" if more == MOST_COUNTED else f"{more + 1}"
                    say(f"{name}: game 1 of {many}; --game N shows another")
                return game
        raise Trouble(f"{name}: there is no game {number} in it")

    @cached_property
    def played(self) -> Replay:
        """The game replayed as far as its cards can be followed. Raise Trouble where it does not even begin."""
        from ..engine.headers import read_headers
        from ..engine.replay import as_announced, replay_game
        from ..engine.result import nothing_shown

        try:
            played = as_announced(replay_game(self.game, self.rules))
        except ValueError as error:
            raise Trouble(f"{self.game.source.name}: {error}; give --rules") from None
        if not played.steps:
            why = nothing_shown(self.game.record, read_headers(self.game.record, self.rules), played.run)
            raise Trouble(f"{self.game.source.name}: {why}")
        return played

    def warn_if_writer_saw_less(self, view: str) -> None:
        """Say on standard error that ``view`` saw more than whoever wrote the record: unknown cards stay so."""
        from ..engine.headers import read_headers
        from ..views.redaction import saw_less, views_for

        own = read_headers(self.game.record, self.rules).view
        if view not in views_for(own):
            say(f"{self.game.source.name}: {saw_less(own, view)}; what the record lacks stays unknown")

    def step(self, at: str | None) -> tuple[Step, str]:
        """Return the step at a moment, the last one for None, and a sentence where the record goes on but the replay
        does not.

        Raise Trouble where there is no such moment.
        """
        from ..engine.replay import read_moment, step_at

        if at is None:
            step = self.played.steps[-1]
            return step, beyond("the set-up" if step.turn is None else step.turn.label) * self.played.run.stopped
        wanted = read_moment(at)
        if wanted is None:
            how = "write 7E, 7E.2 for its second token, or 7E.2v for a vote before it is decided"
            raise click.BadParameter(f"“{at}” is not a turn: {how}", param_hint="--at")
        label, tokens, turned_up = wanted
        step = step_at(self.played, label, tokens)
        if step is None:
            raise Trouble(f"{self.game.source.name}: {_why_not(self.game, label, tokens or 0)}")
        if turned_up and not isinstance(step.token, t.Vote | t.SpecialVote):
            raise Trouble(f"{self.game.source.name}: {label}.{tokens} is no vote, so no cards are turned up there")
        whole = tokens is not None or step.at == END
        return step, "" if whole else f"the cards can't be followed to the end of {label}"

    def vote(self, at: str | None) -> tuple[VoteScene, State | None] | None:
        """Return the vote at a moment, and where that is before it is decided the state with its cards turned up.

        Return None where the moment is no vote, or a whole turn.
        """
        from ..analysis.telling import scene_between, turned_up
        from ..engine.replay import read_moment
        from ..engine.shown import ballot

        step, moment = self.step(at)[0], read_moment(at or "")
        if moment is None or moment.tokens is None or not isinstance(step.token, t.Vote | t.SpecialVote):
            return None
        before = next(last.state for last, each in pairwise(self.played.steps) if each is step)
        scene = scene_between(before, ballot(before, step.token), step.state)
        return scene, turned_up(before, step.token) if moment.turned_up else None

    def table(self, at: str | None, view: str) -> TableView:
        """Return the table at a moment, as ``view`` sees it; before a vote is decided its cards are turned up."""
        from ..engine.headers import read_headers
        from ..engine.replay import settled
        from ..engine.result import closing
        from ..views.table_view import look

        record, steps, step = self.game.record, self.played.steps, self.step(at)[0]
        turned_up = (self.vote(at) or (None, None))[1]
        end = next((last.state for last, each in pairwise(reversed(steps)) if each is step and last.at == END), None)
        closed = closing(record, read_headers(record, self.rules), self.played.run, steps[-1].state)
        return look(turned_up or settled(step.state, end), view, closed)

    def end(self, cut: str) -> None:
        """Say that the cards could not be followed to the end, and exit with 1; do nothing where ``cut`` is empty."""
        if cut:
            say(f"{self.game.source.name}: {cut}; tiro check says why")
            raise SystemExit(1)


def _count(games: Iterator[Game]) -> int:
    """Return how many games follow, counted up to MOST_COUNTED and up to where they can't be read."""
    count = 0
    with suppress(Trouble):
        for _ in islice(games, MOST_COUNTED):
            count += 1
    return count


def beyond(turn: str) -> str:
    """Return the sentence that a turn is the last one that could be followed."""
    return f"the cards can't be followed beyond {turn}" if turn else ""


def game_options(command: Command) -> Command:
    """Give a command FILE, ``--as``, ``--game`` and ``--rules``, as its first parameter, a :class:`ChosenGame`."""

    @wraps(command)
    def with_game(file: str, view: str | None, number: int | None, rules: str | None, **more: Any) -> None:
        command(ChosenGame(file, number or 0, view or "", rules or ""), **more)

    return click.argument("file")(choice_options(with_game))


def choice_options(command: Command) -> Command:
    """Give a command ``--as``, ``--game`` and ``--rules``, its parameters ``view``, ``number`` and ``rules``."""
    for option in (
        rules_option,
        click.option(
            "--game", "number", type=click.IntRange(min=1), help="Which game of the file; the first by default."
        ),
        click.option("--as", "view", type=click.Choice(VIEWS), help="The point of view; the record's own by default."),
    ):
        option(command)
    return command


def _why_not(game: Game, label: str, tokens: int) -> str:
    turns = [turn for turn in game.record.turns if turn.label == label]
    if not turns:
        last = f", which ends with {game.record.turns[-1].label}" if game.record.turns else ""
        return f"there is no turn {label} in this record{last}"
    count = max(len(turn.tokens) for turn in turns)
    if tokens > count:
        return f"{label} has only {count} token{'s' * (count != 1)}"
    return f"the replay does not reach {label}; tiro check says why"
