"""One game of a file as it was read, and how large it may be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from .diagnostic import ERROR, Diagnostic
from .record import Record
from .source import Source, Span

TOO_LARGE: Final = "N109"
_NO_GAME: Final = ("N101", "N107", "N108", TOO_LARGE, "N110")
LONGEST_LINE: Final = 20_000
"""Characters; no line of a record comes near it."""
LONGEST_WORD: Final = 200
"""Characters of a word without a text in quotes; no word can need as many. Comments are no words."""
LONGEST_GAME: Final = 1 << 20
"""Bytes of a game as UTF-8. Long games have 4 kB, and some hundred with a long comment on every turn."""
MOST_MENDED: Final = 2_000
"""Lines of a game up to which what happened to its text on its way is undone (N111)."""
MOST_LINES: Final = 20_000
"""Lines of a game. Long games have a hundred, and some thousand with comments and alternatives to every turn."""


@dataclass(slots=True, repr=False)
class Game:
    """One game of a file: its ``record``, the lines it came from (``source``), and what could not be read
    (``problems``). ``number`` counts the games of the file from 1.

    >>> (game,) = tironian.parse('[Event "Final"]\\n1E 5?A\\n')
    >>> game
    <Game 1 of <text>: turns=1, problems=1>
    """

    record: Record
    source: Source
    problems: list[Diagnostic] = field(default_factory=list)
    number: int = 1
    mended: Game | None = None
    """The game as it was before mail, a word processor, a keyboard or a spreadsheet changed its text (N111)."""

    def __repr__(self) -> str:
        counts = f"turns={len(self.record.turns)}, problems={len(self.problems)}"
        return f"<Game {self.number} of {self.source.name}: {counts}>"

    @property
    def missing(self) -> bool:
        """Return whether no game was read: there is none (N107, N110), the file holds no text (N101) or cannot be read
        (N108), or the game is too large (N109)."""
        nothing = not (self.record.headers or self.record.turns or self.record.result)
        return nothing and any(problem.code in _NO_GAME for problem in self.problems)

    @property
    def readable(self) -> bool:
        """Return whether all of it could be read; bytes that are no text (N102) are kept, and only warned of."""
        return not any(problem.severity == ERROR for problem in self.problems)

    @property
    def too_large(self) -> bool:
        """Return whether the game was too large to be read (N109)."""
        return any(problem.code == TOO_LARGE for problem in self.problems)


def too_large(source: Source, number: int) -> Game:
    """Return the game that stands for one with these lines that goes on beyond the limits; it keeps none of them."""
    most = f"{LONGEST_GAME >> 20} MB" if len(source.lines) < MOST_LINES else f"{MOST_LINES:,} lines"
    place = Source(source.name, [""], source.first)
    problem = Diagnostic(
        TOO_LARGE,
        f"this game has more than {most}, so it is not read",
        place,
        Span(0, 0, 0),
        help="remove what does not belong to the game, or divide the file; all other games are read",
        game=number,
    )
    return Game(Record(), Source(source.name, [], source.first), [problem], number)
