"""The record under the pen: a text, what it comes to, and where it goes on. A value: nothing here changes it."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from ...notation.diagnostic import ERROR, Diagnostic
from ...notation.reader import Game, parse
from ...notation.record import Record
from ..checker import Verdict, check
from ..headers import Frame, read_headers
from .menu import Menu
from .spot import Spot, spot_of

NAME: Final = "the record"
"""What the text is called in messages."""


class Draft:
    """A text that holds one record. ``closed`` says that its last turn is over although it might go on."""

    def __init__(self, text: str, *, closed: bool = False) -> None:
        self.text = text
        self.closed = closed

    @cached_property
    def game(self) -> Game:
        """The record as it was read."""
        return parse(self.text, NAME)[-1]

    @property
    def record(self) -> Record:
        """The record itself."""
        return self.game.record

    @cached_property
    def frame(self) -> Frame:
        """What the headers say."""
        return read_headers(self.record)

    @property
    def view(self) -> str:
        """Whose record it is."""
        return self.frame.view

    @cached_property
    def verdict(self) -> Verdict:
        """What the checker says about it."""
        return check(self.game)

    @cached_property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The errors against rules and notation."""
        return tuple([each for each in self.verdict.diagnostics if each.severity == ERROR])

    @cached_property
    def spot(self) -> Spot:
        """Where the pen stands."""
        return spot_of(self.game, self.frame, self.closed)

    @cached_property
    def menu(self) -> Menu:
        """What may be typed next."""
        return Menu(self.spot.moves, self.spot.side, self.frame.edition)

    def new_errors(self, before: Draft) -> list[Diagnostic]:
        """The errors that were not there ``before``."""
        known = {(each.code, each.turn, each.message) for each in before.errors}
        return [each for each in self.errors if (each.code, each.turn, each.message) not in known]
