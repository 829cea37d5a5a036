"""``tiro drill``: a player's own mistakes as positions to play again when they are due."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final, TextIO

import click

from ...notation.basics import PLAYER_NAMES
from ...notation.language import PLAYERS as PEOPLE
from ...notation.language import Messages, phrase
from ...replay.diagnostics.api import capital, counted
from ...replay.engine.api import PLAYERS
from .analyse import judged, level_option
from .common import (
    STDIN,
    CliError,
    Output,
    Problems,
    Texts,
    as_cli_errors,
    expand,
    games_in,
    need_numpy,
    or_empty,
    refuse_address,
    rules_option,
    say,
)
from .play import QUIT, input_hint, listed, run_commands
from .record import at_keyboard, plain_option, typed_lines

if TYPE_CHECKING:
    from ...notation.records import Game
    from ..insight.api import Report
    from ..insight.playing import Asking, DrilledGame, DrillFile, Exercise

NAMED: Final = 10
"""How many players are named if nobody has the requested name."""
HELP: Final[Messages] = {"drill": (
    "a move, or its number in the list    ? or list: the legal moves    hint: a few moves, one of them the best",
    "show: the solution                   table: draw it again          quit: leave; your answers are kept",
    "W is your chance of winning; one point is one game in a hundred.",
)}  # fmt: skip


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--as", "view", type=click.Choice(PLAYERS), callback=or_empty, help="Whose mistakes.")
@click.option("--player", metavar="NAME", default="", help="Whose mistakes, by the name in the record's headers.")
@click.option(
    "--due",
    is_flag=True,
    help="Ask everything that is due, including games judged before; this is the default without PATH.",
)
@click.option(
    "--new", type=click.IntRange(min=0), default=10, show_default=True, help="At most this many new positions."
)
@click.option("--list", "listing", is_flag=True, help="List the positions and when they are due, and ask nothing.")
@level_option("How closely to judge games, as in tiro analyse; quick uses only the net.")
@plain_option
@click.option(
    "--state", metavar="FILE", help="The file for positions and answers, instead of the one in your own folder."
)
@rules_option
def drill(
    paths: Texts, view: str, player: str, due: bool, new: int, listing: bool, level: str, state: str | None, rules: str
) -> None:
    """Practise your own mistakes, each when it is due.

    The games of PATH (files, or folders with *.tiro files) are judged one after another, each only once, until there
    are enough new positions. Every decision with a mark becomes a question: you see the table as you saw it in the
    game, and your answer is measured. Wrong answers come back the next day, right ones after longer and longer
    intervals (FSRS).

    To practise by taps, with the position in sight, use tiro desk.

    With a player's own record, the mistakes are that player's; with a complete record, --as or --player says whose.

    The exit code is 1 if a record has a problem; a wrong answer does not count as one.
    \f\b
    Examples:
      tiro drill game.tiro --as caesar
      tiro drill games/ --player Livia --new 5
      tiro drill                        whatever is due today
      tiro drill --list
    """
    need_numpy("fsrs")
    from ..insight.playing import Asking, end_lines, list_lines, waiting

    file = _state_file(state or os.path.join(click.get_app_dir("tironian"), "drill.json"))
    gathering = ExerciseCollector(file, view, player, level, rules)
    gathering.practice.room = None if listing else new
    games = [*{(game.moves, game.side): game for game in gathering.games(paths)}.values()]
    if due or not paths:
        games = [*gathering.practice.wanted_games()]
    today = date.today()
    tasks = waiting(games, today, new)
    if not games and not paths:
        say(f"{file.path}: {phrase('there is nothing to ask yet; name a record')}", err=False)
    elif listing:
        say(*list_lines(games, today), err=False)
    elif games:
        asking = Asking(today)
        with Output().open() as stream:
            Session(file, asking, stream).ask(tasks)
        say("", *end_lines(asking.ratings, games, today), err=False)
    if gathering.practice.unjudged:
        games = counted(gathering.practice.unjudged, "game")
        say(phrase("Not judged yet, as there are enough new positions: {games}.", games=games), err=False)
    gathering.problems.finish()
    if gathering.faulty:
        raise SystemExit(1)


def _state_file(path: str) -> DrillFile:
    """Return a state file and its contents. Raise CliError if it is not one."""
    if path == STDIN or os.path.isdir(path):
        raise CliError(f"{path}: {phrase('this is not a file; name one for the state with --state')}")
    refuse_address(path, phrase("the state is kept in a local file; name one with --state"))
    from ..insight.playing import DrillFile

    with _state_errors(path):
        return DrillFile(path)


def _keep(file: DrillFile) -> None:
    """Write the changes. Raise CliError if that fails."""
    with _state_errors(file.path):
        file.keep()


@contextmanager
def _state_errors(path: str) -> Iterator[None]:
    """Raise CliError for what is wrong with a state file."""
    from ..insight.playing import Unusable

    try:
        with as_cli_errors(path):
            yield
    except Unusable as error:
        raise CliError(f"{path}: {error}") from None


class ExerciseCollector:
    """Finds the mistakes in games, and keeps them in the state file."""

    def __init__(self, file: DrillFile, view: str, player: str, level: str, rules: str) -> None:
        from ..insight.playing import Practice

        def judge(path: str, game: Game, side: int) -> Report:
            return judged(path or STDIN, game, side, level, 0, rules=rules)

        self.practice = Practice(file, judge, view, player, level, rules)
        self.problems = Problems()
        self.faulty = False

    def games(self, paths: Texts) -> Iterator[DrilledGame]:
        """Judge the games at some paths for the requested sides, and yield them; report games that can't be judged."""
        names: set[str] = set()
        found = False
        for path in expand(paths) if paths else ():
            for game in games_in(path):
                self.problems.add(game)
                names.update(filter(None, map(game.record.header, PLAYER_NAMES)))
                for side in () if game.missing else self._sides(game):
                    found = True
                    with self.problems.isolate_errors(game):
                        yield from [*self._judged(path, game, side)]
        if self.practice.player and names and not found:
            known = ", ".join(sorted(names)[:NAMED])
            why = phrase("no record has the cards of a player with that name; the players are {names}", names=known)
            raise CliError(why)

    def _sides(self, game: Game) -> list[int]:
        practice, sides = self.practice, self.practice.seen(game)
        view = practice.view
        if len(sides) > 1 and not (view or practice.player):
            one, other = [f"--as {PLAYERS[side]} ({game.record.header(PLAYER_NAMES[side]) or '?'})" for side in sides]
            both = phrase("this record has the cards of both; whose mistakes? {one} or {other}", one=one, other=other)
            raise CliError(f"{game.source.name}: {both}")
        if view and PLAYERS.index(view) not in sides:
            held = phrase("this record does not show what {player.name} held", player=PEOPLE[PLAYERS.index(view)])
            self._report(f"{game.source.name}: {held}")
        elif not sides:
            self._report(f"{game.source.name}: {phrase('this record does not show what anybody held')}")
        return [side for side in sides if practice.is_wanted(game.record, side)]

    def _judged(self, path: str, game: Game, side: int) -> Iterator[DrilledGame]:
        try:
            if label := self.practice.followed_until(game):
                from ...replay.story.api import beyond

                self._report(f"{game.source.name}: {phrase('{fault}; tiro check says why', fault=beyond(label))}")
            found = self.practice.judged(path, game, side)
        except (ValueError, LookupError) as error:
            self._report(f"{game.source.name}: {error}")
            return
        if found is not None:
            yield found

    def _report(self, line: str) -> None:
        say(line)
        self.faulty = True


class Session:
    """Asks positions one by one, line by line, and saves every answer at once."""

    def __init__(self, file: DrillFile, asking: Asking, stream: TextIO) -> None:
        self.file, self.asking, self.stream = file, asking, stream
        self.lines = typed_lines()
        self.answered = False

    def ask(self, tasks: list[tuple[DrilledGame, Exercise]]) -> None:
        """Ask everything until somebody quits."""
        from ..insight.playing import title

        told = {"?": self._list, "list": self._list, "help": partial(say, *map(phrase, HELP["drill"]), err=False)}
        commands = told | {"hint": self._hint, "table": self._table, "show": partial(self._take, None)}
        for number, (game, exercise) in enumerate(tasks, 1):
            place = phrase("Position {number} of {count}", number=number, count=len(tasks))
            head = f"{place} · {title(game, exercise)}"
            try:
                self.asking.pose(game, exercise)
            except LookupError as error:
                say("", f"{head}: {error.args[0]}", err=False)
                continue
            say("", head, *(map(phrase, HELP["drill"]) if number == 1 else ()), err=False)
            self._table()
            self.answered = False
            if not run_commands(self.lines, commands, self._answer, lambda: not self.answered):
                break
            if number < len(tasks) and at_keyboard():  # so that the answer can be read before the next table
                say("", phrase("Enter: the next position    quit: leave"), err=False)
                if next(self.lines, QUIT[0]).strip().lower() in QUIT:
                    break

    def _answer(self, typed: str) -> None:
        from ..insight.playing import place_of

        offers = self.asking.posed.offers
        if (place := place_of(offers, typed)) is not None:
            self._take(place)
        else:
            way = input_hint(offers)
            said = phrase("“{move}” is not a move here: {why}", move=typed, why=self.asking.posed.why_not(typed) or way)
            say(said if typed else capital(way), err=False)

    def _list(self) -> None:
        say(*listed(self.asking.posed.offers, self.stream), err=False)

    def _table(self) -> None:
        from ...replay.knowledge.api import view_table
        from ..insight.playing import news_lines
        from .look import draw_table

        posed = self.asking.posed
        say("", err=False)
        draw_table(view_table(posed.state, posed.view), phrase("the table"), self.stream)
        say("", *news_lines(posed.news()), "", posed.asked(), err=False)

    def _hint(self) -> None:
        say(*self.asking.hint(numbered=True), err=False)

    def _take(self, place: int | None) -> None:
        """Say what an answer costs, or None if the solution was shown, and keep it."""
        told, self.answered = self.asking.take(place), True
        _keep(self.file)
        say(*told, err=False)
