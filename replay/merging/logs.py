"""The logs that are joined: whose each of them is, what it is called, and where its words stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...notation.cards import ROME
from ...notation.diagnostic import Label
from ...notation.reader import Game
from ...notation.record import Turn
from ...notation.source import Span
from ..headers import read_headers
from ..places import token_span
from ..table import SEES

_NAMES: Final = {
    "arbiter": "the arbiter's log",
    "caesar": "Caesar's log",
    "cleopatra": "Cleopatra's log",
    "table": "the table's log",
}


@dataclass(frozen=True, slots=True)
class Log:
    """One person's record of the game. ``who`` is what it is called; ``view`` is whose eyes saw what it says."""

    game: Game
    view: str
    who: str

    def is_of(self, side: int | None) -> bool:
        """Whether it is that side's player who wrote it."""
        return side is not None and self.view == ("caesar", "cleopatra")[side]

    def at(self, turn: Turn, word: int | None, text: str = "") -> Label:
        """The place of a word of one of its turns, of the turn's label for None, with what is said about it."""
        return Label(token_span(self.game.source, turn, word), text, self.game.source)

    def at_line(self, line: int, text: str = "") -> Label:
        """A whole line as a place."""
        return Label(Span(line, 0, len(self.game.source.text(line))), text, self.game.source)


def named_logs(games: Sequence[Game]) -> list[Log]:
    """The games as logs, called by their points of view; where two share one, by their numbers."""
    views = [read_headers(game.record).view for game in games]
    shared = Counter(views)
    return [
        Log(game, view, _NAMES[view] if shared[view] == 1 else f"log {number}")
        for number, (game, view) in enumerate(zip(games, views, strict=True), 1)
    ]


def joined_view(logs: Sequence[Log]) -> str:
    """The point of view of whoever knows what all of them know."""
    known = tuple(any(SEES[log.view][side] for log in logs) for side in (ROME, 1 - ROME))
    return next(view for view, sees in SEES.items() if sees == known)
