"""``tiro drill``: a player's own mistakes as positions to play again when they are due."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click

from ...notation.cards import EGYPT, PLAYER_NAMES, ROME
from ..diagnostics.names import counted
from ..engine.headers import PLAYERS
from .analyse import judged, level_option
from .common import (
    STDIN,
    Problems,
    Trouble,
    expand,
    games_in,
    need_numpy,
    open_output,
    or_empty,
    read_input,
    refuse_address,
    replacing,
    rules_option,
    say,
    telling,
)
from .look import beyond
from .play import QUIT, listed, talk, telling_of, wanted
from .record import at_keyboard, full_screen, typed_lines

if TYPE_CHECKING:
    from ...notation.reader import Game
    from ...notation.record import Record
    from ..insight.drill import Drill, DrilledGame, Exercise
    from ..insight.drill_lines import Asking

NAMED: Final = 10
"""How many players are named if nobody has the requested name."""
HELP: Final = (
    "a move, or its number in the list    ? or list: the legal moves    hint: a few moves, one of them the best",
    "show: the solution                   table: draw it again          quit: leave; your answers are kept",
)


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
@click.option("--plain", is_flag=True, help="Ask line by line, without the full screen.")
@click.option(
    "--state", metavar="FILE", help="The file for positions and answers, instead of the one in your own folder."
)
@rules_option
def drill(
    paths: tuple[str, ...],
    view: str,
    player: str,
    due: bool,
    new: int,
    listing: bool,
    level: str,
    plain: bool,
    state: str | None,
    rules: str,
) -> None:
    """Practise your own mistakes, each when it is due.

    The games of PATH (files, or folders with *.tiro files) are judged one after another, each only once, until there
    are enough new positions. Every decision with a mark becomes a question: you see the table as you saw it in the
    game, and your answer is measured. Wrong answers come back the next day, right ones after longer and longer
    intervals (FSRS).

    On a terminal this is a full screen in which the position stays in sight; it needs Textual.

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
    from ..insight.drill import waiting
    from ..insight.drill_lines import Asking, end_lines, list_lines

    file = DrillFile(state or os.path.join(click.get_app_dir("tironian"), "drill.json"))
    gathering = Gathering(file, view, " ".join(player.split()), level, rules)
    gathering.room = None if listing else new
    games = [*{(game.moves, game.side): game for game in gathering.games(paths)}.values()]
    if due or not paths:
        games = [game for game in file.drill.games.values() if gathering.is_wanted(game.log, game.side)]
    today = date.today()
    tasks = waiting(games, today, new)
    if not games and not paths:
        say(f"{file.path}: there is nothing to ask yet; name a record", err=False)
    elif listing:
        say(*list_lines(games, today), err=False)
    elif games:
        asking = Asking(today)
        full, lacking = full_screen(plain, "the full screen") if tasks else (False, [])
        say(*lacking)
        if full:
            from ..screen.drill_screen import DrillApp

            DrillApp(asking, tasks, telling_of(file.keep)).run()
            file.keep()
        else:
            with open_output(None) as stream:
                Session(file, asking, stream).ask(tasks)
        say("", *end_lines(asking.ratings, games, today), err=False)
    if gathering.unjudged:
        say(f"Not judged yet, as there are enough new positions: {counted(gathering.unjudged, 'game')}.", err=False)
    gathering.problems.finish()
    if gathering.faulty:
        raise SystemExit(1)


class DrillFile:
    """A state file and its contents. Raise Trouble if the file exists but is not a state: it is never overwritten."""

    def __init__(self, path: str) -> None:
        if path == STDIN or os.path.isdir(path):
            raise Trouble(f"{path}: this is not a file; name one for the state with --state")
        refuse_address(path, "the state is kept in a local file; name one with --state")
        self.path = path
        self._kept = self._on_disk()
        self.drill = self._read()

    def keep(self) -> None:
        """Write the changes. Raise Trouble if that fails, or if another program has written the file in the
        meantime.
        """
        from ..export.data import json_lines
        from ..insight.drill import drill_data

        data = json_lines(drill_data(self.drill), "games").encode()
        if data == self._kept:
            return
        if self._on_disk() != self._kept:
            raise Trouble(
                f"{self.path}: another program has changed it in the meantime, so nothing was written; try again"
            )
        with telling(self.path):
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.path) as stream:
            stream.write(data)
        self._kept = data

    def _on_disk(self) -> bytes:
        return read_input(self.path) if os.path.lexists(self.path) else b""

    def _read(self) -> Drill:
        from ...schemas import parsed, whole_numbers
        from ..insight.drill import Drill, drill_of

        if not self._kept:
            return Drill()
        with suppress(ValueError, RecursionError):
            if (data := parsed("drill", self._kept)) is not None:
                return drill_of(whole_numbers(data))
        raise Trouble(
            f"{self.path}: this is not a state of tiro drill, or it is damaged; it is left as it is. "
            "Name another with --state, or move it away"
        )


class Gathering:
    """Finds the mistakes in games, and keeps them in the state file."""

    def __init__(self, file: DrillFile, view: str, player: str, level: str, rules: str) -> None:
        self.file, self.view, self.player, self.level, self.rules = file, view, player.casefold(), level, rules
        self.problems = Problems()
        self.faulty = False
        self.room: int | None = None
        """How many more new positions are wanted; None for all."""
        self.unjudged = 0
        """Games that were not judged because there were enough positions."""

    def games(self, paths: tuple[str, ...]) -> Iterator[DrilledGame]:
        """Judge the games at some paths for the requested sides, and yield them; report games that can't be judged."""
        names: set[str] = set()
        found = False
        for path in expand(paths) if paths else ():
            for game in games_in(path):
                self.problems.add(game)
                names.update(filter(None, map(game.record.header, PLAYER_NAMES)))
                for side in () if game.missing else self._sides(game):
                    found = True
                    with self.problems.bulkhead(game):
                        yield from [*self._judged(path, game, side)]
        if self.player and names and not found:
            known = ", ".join(sorted(names)[:NAMED])
            raise Trouble(f"no record has the cards of a player with that name; the players are {known}")

    def is_wanted(self, record: Record, side: int) -> bool:
        """Return whether the mistakes of a side are asked for."""
        name = " ".join(record.header(PLAYER_NAMES[side]).split()).casefold()
        return self.view in ("", PLAYERS[side]) and self.player in ("", name)

    def _sides(self, game: Game) -> list[int]:
        from ..engine.headers import read_headers
        from ..views.table_view import SEES

        seen = SEES[read_headers(game.record, self.rules).view]
        sides = list(compress((ROME, EGYPT), seen))
        if all(seen) and not (self.view or self.player):
            who = [f"--as {PLAYERS[side]} ({game.record.header(PLAYER_NAMES[side]) or '?'})" for side in sides]
            raise Trouble(f"{game.source.name}: this record has the cards of both; whose mistakes? {' or '.join(who)}")
        if not sides or (self.view and PLAYERS.index(self.view) not in sides):
            self._report(f"{game.source.name}: this record does not show what {self.view.title() or 'anybody'} held")
        return [side for side in sides if self.is_wanted(game.record, side)]

    def _judged(self, path: str, game: Game, side: int) -> Iterator[DrilledGame]:
        from ..engine.replay import replay_game
        from ..insight.analysis import logs_of

        try:
            played = replay_game(game, self.rules)
            last = played.steps[-1].turn if played.steps else None
            if played.run.stopped:
                self._report(f"{game.source.name}: {beyond(last.label if last else 'the set-up')}; tiro check says why")
            log = logs_of(game, self.rules, side)[1][side]
            assert log is not None
            found = self.file.drill.find(log, side, self.level)
            if found is None and self.room is not None and self.room <= 0:
                self.unjudged += 1
                return
            if found is None:
                # The report beside a file is about its first game.
                beside = path if game.number == 1 else STDIN
                found = self.file.drill.add(judged(beside, game, side, self.level, 0, rules=self.rules), side)
                self.file.keep()
        except (ValueError, LookupError) as error:
            self._report(f"{game.source.name}: {error}")
            return
        if found is None:
            self._report(f"{game.source.name}: the record has too little to judge {PLAYER_NAMES[side]}")
            return
        if self.room is not None:
            self.room -= sum(not each.reviews for each in found.exercises)
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
        from ..insight.drill_lines import MEANING, title

        told = {"?": self._list, "list": self._list, "help": partial(say, *HELP, MEANING, err=False)}
        commands = told | {"hint": self._hint, "table": self._table, "show": partial(self._take, None)}
        for number, (game, exercise) in enumerate(tasks, 1):
            head = f"Position {number} of {len(tasks)} · {title(game, exercise)}"
            try:
                self.asking.pose(game, exercise)
            except LookupError as error:
                say("", f"{head}: {error.args[0]}", err=False)
                continue
            say("", head, *((*HELP, MEANING) if number == 1 else ()), err=False)
            self._table()
            self.answered = False
            if not talk(self.lines, commands, self._answer, lambda: not self.answered):
                break
            if number < len(tasks) and at_keyboard():  # so that the answer can be read before the next table
                say("", "Enter: the next position    quit: leave", err=False)
                if next(self.lines, QUIT[0]).strip().lower() in QUIT:
                    break

    def _answer(self, typed: str) -> None:
        from ..insight.offered_moves import place_of

        offers = self.asking.posed.offers
        if (place := place_of(offers, typed)) is not None:
            self._take(place)
        else:
            way = wanted(offers)
            reason = self.asking.posed.why_not(typed) or way
            say(f"“{typed}” is not a move here: {reason}" if typed else way.capitalize(), err=False)

    def _list(self) -> None:
        say(*listed(self.asking.posed.offers, self.stream), err=False)

    def _table(self) -> None:
        from ..insight.duel_lines import news_lines
        from ..views.table_view import look
        from .look import draw_table

        posed = self.asking.posed
        say("", err=False)
        draw_table(look(posed.state, posed.view), "the table", self.stream)
        say("", *news_lines(posed.news()), "", posed.asked(), err=False)

    def _hint(self) -> None:
        say(*self.asking.hint(numbered=True), err=False)

    def _take(self, place: int | None) -> None:
        """Say what an answer costs, or None if the solution was shown, and keep it."""
        told, self.answered = self.asking.take(place), True
        self.file.keep()
        say(*told, err=False)
