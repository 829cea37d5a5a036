"""``tiro play``: a game against a player that chooses its moves with the net."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from ...notation.language import PLAYERS as PEOPLE
from ...notation.language import Messages, phrase
from ...replay.engine.api import PLAYERS
from ...replay.rules.api import EDITION_NAMES, load_edition
from .common import CliError, Output, games_in, need_numpy, options_given, or_empty, say
from .record import plain_option, refuse_elsewhere, typed_lines

if TYPE_CHECKING:
    from ...replay.rules.api import Edition
    from ..insight.playing import Begun, Duel, Happening, Offer

HIGHEST_SEED: Final = 999_999_999
"""The highest seed that can be drawn if none is given."""
SHORT: Final = 6
"""Up to this many moves are listed without a request."""
LAST: Final = 2
"""How many turns are shown again when a game continues."""
SINGLE_COLUMN_MAX: Final = 12
"""A list of moves with more lines than this is split into columns."""
QUIT: Final = ("quit", "q")
HELP: Final[Messages] = {"play": (
    "a move, or its number     ? or list: the moves      hint: what the net thinks",
    "undo: take it back        table: draw it again      quit: leave, and continue later",
)}  # fmt: skip
FIXED_OPTIONS: Final = {"rules": "--rules", "view": "--as", "level": "--level", "seed": "--seed", "name": "--name"}
"""Options that have no effect when a game continues."""


@click.command()
@click.argument("file")
@click.option(
    "--rules", type=click.Choice(EDITION_NAMES), default=EDITION_NAMES[0], show_default=True, help="The rule set."
)
@click.option(
    "--as",
    "view",
    type=click.Choice(PLAYERS),
    callback=or_empty,
    help="The side you play; by default Caesar, or with --from the side whose turn it is.",
)
@click.option(
    "--level",
    type=click.IntRange(1, 5),
    default=3,
    show_default=True,
    help="How strong the other side is; 5 is the strongest.",
)
@click.option("--hints", is_flag=True, help="Show the net's best moves at every decision.")
@click.option("--name", default="You", show_default=True, help="Your name in the record.")
@click.option("--seed", type=click.IntRange(min=0), help="Use this seed for all random choices instead of a new one.")
@click.option(
    "--from", "source", metavar="GAME", help="Start from a turn of this record, in which all cards must be known."
)
@click.option("--at", metavar="TURN", help="That turn: 7E.")
@plain_option
@click.option("-f", "--force", is_flag=True, help="Start a new game even if FILE exists, and overwrite it.")
def play(
    file: str,
    rules: str,
    view: str,
    level: int,
    hints: bool,
    name: str,
    seed: int | None,
    source: str | None,
    at: str | None,
    force: bool,
) -> None:
    """Play a game against the program and write its record to FILE. A game that you left unfinished continues.

    You see what your side may know. FILE holds all cards, as an arbiter's record does, and is saved after every move.
    The same seed and the same moves give the same game, even if you left it in between.

    Type a word of the notation or the number of a move; ? lists the moves, hint says what the net thinks of them, undo
    takes a move back, and quit or the end of the input leaves the game. To play by taps, use tiro desk.
    \f\b
    Examples:
      tiro play game.tiro                            as Caesar against level 3
      tiro play game.tiro --as cleopatra --level 5   against the strongest; it thinks for a few seconds
      tiro play game.tiro --hints                    with the best moves
      tiro play game.tiro                            continues where you left off
      tiro play new.tiro --from game.tiro --at 7E    plays on differently from that turn
    """
    need_numpy()
    refuse_elsewhere(file)
    if (at is None) != (source is None):
        raise click.UsageError(phrase("--from GAME and --at TURN go together: --from game.tiro --at 7E"))
    goes_on = os.path.isfile(file) and not (force or source)
    if goes_on:
        duel = _unfinished_game(file)
    else:
        Output(file, force).refuse()
        duel = _new_game(source, at or "", rules, view, level, seed, " ".join(name.split()) or "You")
        if source and os.path.exists(file) and os.path.samefile(source, file):
            why = phrase("the game starts from this record; name another file for the game itself")
            raise CliError(f"{file}: {why}")
    keep = _keeper(duel, file, force or goes_on)
    keep()
    with Output().open() as stream:
        LineGame(duel, keep, hints, stream).play()
    keep()
    _print_end(duel, file)


def _unfinished_game(file: str) -> Duel:
    """Return the game that was left in a file. Raise CliError if there is none."""
    from ..insight.playing import NotContinuable, game_until, has_remarks, is_over, settings_of

    games = [*games_in(file, to_change=True)]
    record = games[0].record if len(games) == 1 else None
    settings = settings_of(record) if record else None
    try:
        if record is None or settings is None:
            raise NotContinuable(phrase("it is not an unfinished game of tiro play"))
        if is_over(record):
            raise NotContinuable(phrase("the game in it is over"))
        if has_remarks(record):
            raise NotContinuable(phrase("it has comments or marks, which would be lost if the game continued"))
        edition, begun, _ = game_until(games[0])
    except NotContinuable as error:
        why = phrase(
            "this file already exists, and {fault}: name a new file; --from {file} --at TURN starts from a turn of "
            "this one, --force overwrites it",
            fault=error,
            file=file,
        )
        raise CliError(f"{file}: {why}") from None
    if given := options_given(FIXED_OPTIONS):
        say(phrase("the game continues as it was begun; these have no effect: {options}", options=" ".join(given)))
    # A player who has not moved yet lays the opening cards again.
    return _duel(edition, *settings, begun._replace(laid=bool(begun.moves or begun.pending), headers=record.headers))


def _new_game(source: str | None, at: str, rules: str, view: str, level: int, seed: int | None, name: str) -> Duel:
    """Return a new game, or one that starts from a turn of another."""
    from random import randrange

    from ..insight.playing import NotContinuable, game_until, level_of

    if level_of(name):
        raise CliError(phrase("“{name}” is the other side's name in the record; choose another --name", name=name))
    number, begun, edition, to_move = randrange(1, HIGHEST_SEED) if seed is None else seed, None, load_edition(rules), 0
    if source:
        games = [*games_in(source)]
        try:
            if len(games) != 1:
                raise NotContinuable(phrase("it does not hold exactly one game"))
            edition, begun, to_move = game_until(games[0], at)
        except NotContinuable as error:
            raise CliError(f"{source}: {phrase('no game can start from this record: {fault}', fault=error)}") from None
    return _duel(edition, PLAYERS.index(view) if view else to_move, level, number, name, begun)


def _duel(edition: Edition, side: int, level: int, seed: int, name: str, begun: Begun | None) -> Duel:
    """Return a game. Raise CliError if the program can't play by its rules."""
    from ..insight.playing import Duel

    try:
        return Duel(edition, side, level, seed, name, begun)
    except LookupError as error:
        raise CliError(phrase("{fault}, which the other side needs to play", fault=error.args[0])) from None


def _keeper(duel: Duel, file: str, force: bool) -> Callable[[], None]:
    """Return a function that saves the record if it has changed since it was last saved."""
    from ...notation.records import write

    kept = ""

    def keep() -> None:
        nonlocal kept, force
        text = write(duel.record())
        if text != kept:
            with Output(file, force).open() as stream:
                stream.write(text)
            kept, force = text, True

    return keep


def _print_end(duel: Duel, file: str) -> None:
    from ..recorder.api import Draft, score_sheet

    draft = Draft(duel.record())
    if duel.is_over:
        say("", *score_sheet(draft), err=False)
        if draft.frame.termination:
            told = phrase(
                "The game has come to a standstill: nobody places, plays or draws any more. The points so far decide."
            )
            say(told, err=False)
    saved = phrase("{file} is saved: {summary}", file=file, summary=draft.verdict.summary)
    more = "" if duel.is_over else f"; {phrase('tiro play {file} continues it', file=file)}"
    say("", f"{saved}{more}", err=False)


def run_commands(
    lines: Iterator[str], commands: dict[str, Callable[[], None]], move: Callable[[str], None], open: Callable[[], Any]
) -> bool:
    """Carry out typed commands and moves as long as a move is ``open``; return False if the person leaves."""
    while open():
        typed = next(lines, QUIT[0]).strip()
        command = typed.lower().lstrip("/") if len(typed) > 1 else typed
        if command in QUIT:
            return False
        if command in commands:
            commands[command]()
        else:
            move(typed)
    return True


def _help() -> None:
    say(*map(phrase, HELP["play"]), err=False)


class LineGame:
    """A game played line by line."""

    def __init__(self, duel: Duel, keep: Callable[[], None], hints: bool, stream: TextIO) -> None:
        self.duel, self.keep, self.hints, self.stream = duel, keep, hints, stream
        self.drawn = ""
        """The turn at which the table was last drawn."""
        self.warned = ""
        """What was typed last, if it must be repeated to count."""

    def play(self) -> None:
        """Play until the game is over, or nothing more is typed."""
        duel = self.duel
        who = {"player": PEOPLE[duel.side], "other": PEOPLE[1 - duel.side], "level": duel.level}
        said = phrase("You are {player.name}, {other.name} is level {level}.", **who)
        begins = phrase("{player.name} begins.", player=PEOPLE[duel.starter])
        whose = phrase("The game continues.") if duel.match.turns else begins
        say(phrase("{rules} rules, seed {seed}", rules=duel.edition.name, seed=duel.seed), err=False)
        say(f"{said} {whose}", *map(phrase, HELP["play"]), err=False)
        # When a game continues, show again what happened last.
        labels = [*dict.fromkeys(each.label for each in duel.news())][-LAST:]
        self._ask([each for each in duel.story if each.label in labels])

        told = {"?": self._list, "list": self._list, "help": _help, "": self._ask}
        commands = told | {"hint": self._print_hints, "table": self._table, "undo": self._undo}
        if run_commands(typed_lines(), commands, self._choose, duel.offers):
            self._draw()

    def _table(self) -> None:
        self._draw()
        self._ask()

    def _choose(self, typed: str) -> None:
        """Make the typed moves: one, or several in the set-up, where nothing comes in between."""
        from ..insight.playing import warning

        duel, wrong = self.duel, ""
        for word in typed.split() if duel.is_laying else [typed]:
            place = duel.place_of(word)
            if place is None:
                wrong = word
                break
            if duel.closes_placing(place) and self.warned != typed:
                self.warned = typed
                say(f"{warning(duel.offers()[place])} {phrase('Type it again to play it all the same.')}", err=False)
                return
            duel.choose(place)
            self.warned = ""
            if not duel.is_laying:
                break
        if wrong:
            why = duel.why_not(wrong) or input_hint(duel.offers())
            say(phrase("“{move}” is not a move now: {why}", move=wrong, why=why), err=False)
            if wrong == typed:
                return
        self._ask()

    def _undo(self) -> None:
        from ..insight.playing import nothing_back

        self.warned, move = "", self.duel.undo()
        say(phrase("Taken back: {move}", move=move) if move else nothing_back(), err=False)
        if move:
            self._ask()

    def _ask(self, story: Sequence[Happening] = ()) -> None:
        """Say what has happened, after a ``story`` of what went before, and ask for the next move."""
        from ..insight.playing import news_lines

        duel = self.duel
        self.keep()  # before anything is shown, or it could be played again differently
        if news := [*story, *duel.news()]:
            say("", *news_lines(news), err=False)
        offers = duel.offers()
        if not offers:
            return
        if not duel.is_laying and duel.label != self.drawn:
            self._draw()
        is_short = len(offers) <= SHORT
        many = "" if is_short else f" ({phrase('{count} moves: ? lists them', count=len(offers))})"
        say("", f"{duel.asked()}{many}", err=False)
        if is_short:
            self._list()
        if self.hints:
            self._print_hints()

    def _list(self) -> None:
        say(*listed(self.duel.offers(), self.stream), err=False)

    def _print_hints(self) -> None:
        from ..insight.playing import hint_lines

        say(*hint_lines(self.duel), err=False)

    def _draw(self) -> None:
        from .look import draw_table

        self.drawn = self.duel.label
        say("", err=False)
        draw_table(self.duel.table(), phrase("the table"), self.stream)


def listed(offers: Sequence[Offer], stream: TextIO) -> list[str]:
    """Return moves as a list with what may be typed for each, as wide as the stream allows."""
    from rich.console import Console

    from ..insight.playing import names
    from .screen.pick_list import menu_lines, numbered

    return numbered(menu_lines(offers), names(offers), SINGLE_COLUMN_MAX, Console(file=stream).width)


def input_hint(offers: Sequence[Offer]) -> str:
    """Return what can be typed."""
    from ..insight.playing import names

    called = names(offers)
    if offers[0].card:
        return phrase("type one of {names}, or a word from the list (?)", names=" ".join(called))
    return phrase("type a number from 1 to {last}, or a word from the list (?)", last=called[-1])
