"""``tiro play``: a game against a player who chooses by the net."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from ..editions.edition import EDITION_NAMES, load_edition
from ..engine.headers import PLAYERS
from .common import Trouble, need, open_output, refuse_output, say
from .record import full_screen, refuse_elsewhere, typed_lines

if TYPE_CHECKING:
    from ..insight.duel import Duel
    from ..insight.offered_moves import Offer

HIGHEST_SEED: Final = 999_999_999
"""The highest seed that is drawn where none is given."""
ROOM: Final = 12
"""A list of moves that has more lines is set in more columns."""
QUIT: Final = ("quit", "q")
HELP: Final = (
    "number or word: make that move    hint: the best moves by the net",
    "table: draw the table again       quit: leave; the record is saved",
)


@click.command()
@click.argument("file")
@click.option(
    "--rules", type=click.Choice(EDITION_NAMES), default=EDITION_NAMES[0], show_default=True, help="The rule set."
)
@click.option("--as", "view", type=click.Choice(PLAYERS), default=PLAYERS[0], show_default=True, help="Whom you play.")
@click.option(
    "--level", type=click.IntRange(1, 5), default=3, show_default=True, help="How strong the other side is, 5 the most."
)
@click.option("--hints", is_flag=True, help="Show the best moves by the net at every decision.")
@click.option("--name", default="You", show_default=True, help="Your name in the record.")
@click.option("--seed", type=click.IntRange(min=0), help="Draw everything from this seed instead of a new one.")
@click.option("--plain", is_flag=True, help="Line by line, without a full screen.")
@click.option("-f", "--force", is_flag=True, help="Overwrite FILE if it exists.")
def play(
    file: str, rules: str, view: str, level: int, hints: bool, name: str, seed: int | None, plain: bool, force: bool
) -> None:
    """Play a game against the program and write its record to FILE.

    You see what your side may know. FILE holds all cards, as an arbiter's record does, and is saved after every turn.
    The same seed and the same moves give the same game.

    The full screen needs Textual. Line by line, type the number of a move or its word in the notation; hint names the
    best moves, quit or the end of the input ends it.
    \f\b
    Examples:
      tiro play game.tiro                            as Caesar against level 3
      tiro play game.tiro --as cleopatra --level 5   against the strongest; it thinks for some seconds
      tiro play game.tiro --hints --plain            line by line, with the best moves
    """
    need("numpy")
    from random import randrange

    from ..insight.duel import Duel

    refuse_elsewhere(file)
    refuse_output(file, force, ())
    number = randrange(1, HIGHEST_SEED) if seed is None else seed
    try:
        duel = Duel(load_edition(rules), PLAYERS.index(view), level, number, " ".join(name.split()) or "You")
    except LookupError as error:
        raise Trouble(f"{error.args[0]}, by which the other side plays") from None
    keep = _keeper(duel, file, force)
    keep()
    full, lacking = full_screen(plain, "the full screen")
    say(*lacking)
    try:
        if full:
            _on_screen(duel, file, keep, hints)
        else:
            with open_output(None) as stream:
                Lines(duel, keep, hints, stream).play()
    finally:
        keep()
    _tell_end(duel, file)


def _keeper(duel: Duel, file: str, force: bool) -> Callable[[], None]:
    """Return what saves the record, if it has changed since it was last saved."""
    from ...notation.writer import write

    kept = ""

    def keep() -> None:
        nonlocal kept, force
        text = write(duel.record())
        if text != kept:
            with open_output(file, force) as stream:
                stream.write(text)
            kept, force = text, True

    return keep


def _on_screen(duel: Duel, file: str, keep: Callable[[], None], hints: bool) -> None:
    from ..screen.play_screen import PlayApp

    def kept() -> str:
        try:
            keep()
        except Trouble as trouble:
            return trouble.format_message()
        return ""

    PlayApp(duel, file, kept, hints).run()


def _tell_end(duel: Duel, file: str) -> None:
    from ..recording.draft import Draft
    from ..recording.score_sheet import score_sheet

    draft = Draft(duel.record())
    if duel.is_over:
        say("", *score_sheet(draft), err=False)
        if draft.frame.termination:
            say("The game stands still: nobody places, plays or draws any more. The points so far decide.", err=False)
    say("", f"{file} is saved: {draft.verdict.summary}", err=False)


def talk(
    lines: Iterator[str], commands: dict[str, Callable[[], None]], move: Callable[[str], None], open: Callable[[], Any]
) -> bool:
    """Obey what is typed for as long as a move is ``open``: commands, and moves; return False if somebody leaves."""
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


class Lines:
    """A game played line by line."""

    def __init__(self, duel: Duel, keep: Callable[[], None], hints: bool, stream: TextIO) -> None:
        self.duel, self.keep, self.hints, self.stream = duel, keep, hints, stream
        self.drawn = ""
        """The turn at which the table was last drawn."""
        self.turns: int = 0
        """Turns that had ended when the record was last saved."""

    def play(self) -> None:
        """Play until the game is over, or nothing more is typed."""
        from ...notation.cards import PLAYER_NAMES

        duel = self.duel
        other, begins = PLAYER_NAMES[1 - duel.side], PLAYER_NAMES[duel.starter]
        say(f"{duel.edition.name} rules, seed {duel.seed}", err=False)
        say(f"You are {PLAYER_NAMES[duel.side]}, {other} is level {duel.level}. {begins} begins.", *HELP, err=False)
        self._ask()

        tell_help = partial(say, *HELP, err=False)
        commands = {"hint": self._tell_hints, "table": self._table, "help": tell_help, "?": tell_help, "": self._ask}
        if talk(typed_lines(), commands, self._choose, duel.offers):
            self._draw()

    def _table(self) -> None:
        self._draw()
        self._ask()

    def _choose(self, typed: str) -> None:
        """Make the moves that are typed: one, but for the set-up, in which nothing comes in between."""
        duel, wrong = self.duel, ""
        for word in typed.split() if duel.is_laying else [typed]:
            place = duel.place_of(word)
            if place is None:
                wrong = word
                break
            duel.choose(place)
            if not duel.is_laying:
                break
        if wrong:
            last = len(duel.offers())
            say(f"“{wrong}” is no move now: type a number from 1 to {last}, or a word of the list", err=False)
            if wrong == typed:
                return
        if duel.match.turns != self.turns:
            self.turns = int(duel.match.turns)
            self.keep()
        self._ask()

    def _ask(self) -> None:
        from ..screen.duel_lines import news_lines

        duel = self.duel
        if news := duel.news():
            say("", *news_lines(news), err=False)
        if not duel.offers():
            return
        if not duel.is_laying and duel.label != self.drawn:
            self._draw()
        say("", duel.asked(), *listed(duel.offers(), self.stream), err=False)
        if self.hints:
            self._tell_hints()

    def _tell_hints(self) -> None:
        from ..screen.duel_lines import hint_lines

        say("", *hint_lines(self.duel), err=False)

    def _draw(self) -> None:
        from .look import draw_table

        self.drawn = self.duel.label
        say("", err=False)
        draw_table(self.duel.table(), "the table", self.stream)


def listed(offers: Sequence[Offer], stream: TextIO) -> list[str]:
    """Return moves as a numbered list, as wide as the stream."""
    from rich.console import Console

    from ..screen.duel_lines import menu_lines
    from ..screen.pick_list import numbered

    return numbered(menu_lines(offers), ROOM, Console(file=stream).width)
