"""The logs that are joined: whose each of them is, what it is called, and where its words stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ...notation.diagnostic import Label
from ...notation.reader import Game
from ...notation.record import Turn
from ...notation.source import Span
from ..engine.headers import read_headers
from ..engine.places import token_span

_NAMES: Final = {
    "arbiter": "the arbiter's log",
    "caesar": "Caesar's log",
    "cleopatra": "Cleopatra's log",
    "table": "the table's log",
}


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """One person's record of the game. ``who`` is what it is called; ``view`` is whose eyes saw what it says.

    ``late`` says that it begins as a position at which another log has arrived before.
    """

    game: Game
    view: str
    who: str
    late: bool = False
    places: dict[int, list[int]] = field(default_factory=dict)
    """Line → where the words of its turn stand among those that were written, if they were rewritten."""

    def is_of(self, side: int | None) -> bool:
        """Return whether that side's player wrote it."""
        return side is not None and self.view == ("caesar", "cleopatra")[side]

    def at(self, turn: Turn, word: int | None, text: str = "") -> Label:
        """Return the place of a word of one of its turns, of the turn's label for None, with a text about it."""
        places = self.places.get(turn.line)
        at = places[word] if places and word is not None and word < len(places) else word
        return Label(token_span(self.game.source, turn, at), text, self.game.source)

    def at_line(self, line: int, text: str = "") -> Label:
        """Return a whole line as a place."""
        return Label(Span(line, 0, len(self.game.source.text(line))), text, self.game.source)


def named_logs(games: Sequence[Game]) -> list[Log]:
    """Return the games as logs, called by their points of view; where two share one, by their numbers."""
    frames = [read_headers(game.record) for game in games]
    views = [frame.view for frame in frames]
    shared = Counter(views)
    labels = [next((turn.label for turn in game.record.turns if turn.number), "?") for game in games]
    starts = [label if frame.position else "" for label, frame in zip(labels, frames, strict=True)]
    return [
        Log(game, view, _NAMES[view] if shared[view] == 1 else f"log {number}", _is_late(number - 1, starts, games))
        for number, (game, view) in enumerate(zip(games, views, strict=True), 1)
    ]


def _is_late(log: int, starts: Sequence[str], games: Sequence[Game]) -> bool:
    """Return whether a log begins as a position where another begins with the game, or has turns before it.

    ``starts`` are the labels of the first turns of those that begin as positions, empty for others.
    """
    if not starts[log]:
        return False
    return "" in starts or any(
        start != starts[log] and any(turn.label == starts[log] for turn in game.record.turns)
        for start, game in zip(starts, games, strict=True)
    )
