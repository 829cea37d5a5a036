"""A record: what was written about one game, in the order in which it was written, legal or not; and a game as read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Final, TypeAlias

from .classes import dataclass, require_type
from .diagnostic import ERROR, Diagnostic
from .source import Source
from .tokens import Token, Veto


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: its text, and ``after``, the number of its turn's tokens before it; None if it ends the line.

    In a result, where comments come after the score and the verdicts, ``after`` is 0 or None.

    >>> tironian.parse("1E {first} 5A ; last\\n")[0].record.turns[0].notes
    (Comment(text='first', after=0), Comment(text='last', after=None))
    """

    text: str
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One line of the movetext: a turn, a line of the set-up, or an alternative.

    ``marks`` are clocks (``@1:02:33``) and glyphs (``!``, ``$4``) as written; ``notes`` the comments on the line;
    ``after`` the lines that follow the turn and belong to it; ``line`` is the line's index in its game's source, 0 for
    the first, and does not count for equality. ``number`` is 0 for the lines of the set-up; ``side`` is 0 or 1.

    A turn never changes; ``dataclasses.replace`` makes a changed copy.

    >>> turn = tironian.Turn(7, tironian.Side.EGYPT, (tironian.tokens.Place(5, tironian.Group.QUAESTOR, False),))
    >>> turn.label, tironian.turn_text(turn)
    ('7E', '7E 5Q')
    """

    number: int
    side: int
    tokens: tuple[Token, ...]
    marks: tuple[str, ...] = ()
    notes: tuple[Comment, ...] = ()
    after: tuple[Follower, ...] = ()
    line: int = field(default=-1, compare=False, repr=False)

    @property
    def label(self) -> str:
        """Return the turn's number and side: ``12E``."""
        return f"{self.number}{'RE'[self.side]}"

    def is_vetoed(self, at: int) -> bool:
        """Return whether a veto follows the token at this place: what it announces does not happen.

        >>> turn = tironian.parse("4R xP v\\n")[0].record.turns[0]
        >>> turn.is_vetoed(0), turn.is_vetoed(1)
        (True, False)
        """
        return -1 <= at < len(self.tokens) - 1 and self.tokens[at + 1].__class__ is Veto


@dataclass(frozen=True, slots=True)
class Alternative:
    """A line ``| 7E …``: what could have been played instead of the turn that it follows.

    >>> tironian.parse("7E 5Q\\n   | 7E 5A\\n")[0].record.turns[0].after[0].turn.label
    '7E'
    """

    turn: Turn
    line: int = field(default=-1, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A line such as ``% E stands R203: text``: an irregularity by ``side``, and the arbiter's decision.

    ``decision`` is ``stands``, ``back`` (the turn was taken back; the next line is what was played instead) or
    ``penalty`` (it stands, and the side loses ``points``). ``codes`` are the diagnostics that the ruling is about; none
    means all of them.

    >>> tironian.parse("7E 5Q\\n   % E stands R203: an old card\\n")[0].record.turns[0].after
    (Ruling(side=1, decision='stands', codes=('R203',), points=0, text='an old card'),)
    """

    side: int
    decision: str
    codes: tuple[str, ...] = ()
    points: int = 0
    text: str = ""
    line: int = field(default=-1, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that could not be read. It is kept as it was, and the reader reports it.

    >>> tironian.parse("1E 5A\\n???\\n")[0].record.turns[0].after
    (BadLine(text='???'),)
    """

    text: str
    line: int = field(default=-1, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """The last line: ``17-13``, ``17-17>E``, ``*`` (no points), ``*>R``, with verdicts on free missions (``mR+``).

    ``points`` is (Rome, Egypt) or None; ``winner`` the side after the ``>``, TIE for a draw, or None. It is the side
    that the tie-break named or, in a game that did not end by the rules, the side that was awarded the game.
    ``verdicts`` holds, for each side with a verdict, whether its mission (or each of its two) was fulfilled.

    >>> tironian.parse("1E 5A\\n17-13\\n")[0].record.result.points
    (17, 13)
    """

    points: tuple[int, int] | None = None
    winner: int | None = None
    verdicts: tuple[tuple[int, tuple[bool, ...]], ...] = ()
    notes: tuple[Comment, ...] = ()
    after: tuple[Follower, ...] = ()
    line: int = field(default=-1, compare=False, repr=False)


def sort_words(
    words: Iterable[Token | str | Comment],
) -> tuple[tuple[Token, ...], tuple[str, ...], tuple[Comment, ...]]:
    """Return the tokens, marks and comments among the words of a turn's line.

    A comment comes with its place among the tokens.
    """
    tokens: list[Token] = []
    marks: list[str] = []
    notes: list[Comment] = []
    for word in words:
        if isinstance(word, str):
            marks.append(word)
        elif isinstance(word, Comment):
            notes.append(word if word.after is None else Comment(word.text, len(tokens)))
        else:
            tokens.append(word)
    return tuple(tokens), tuple(marks), tuple(notes)


Follower: TypeAlias = Comment | Alternative | Ruling | BadLine
LineContent: TypeAlias = tuple[str, str] | Turn | Alternative | Ruling | Comment | Result
"""The possible contents of a line; two texts are a header."""


@dataclass(slots=True)
class Record:
    """What was written about one game, legal or not.

    ``headers`` keeps names and values as written, including repeated ones; ``preface`` is what comes before the turns.
    ``result`` is None if the record has no last line.

    >>> record = tironian.parse('[Rules "2024"]\\n1E 5A\\n*\\n')[0].record
    >>> record.header("Rules"), [turn.label for turn in record.turns], record.points
    ('2024', ['1E'], None)
    """

    headers: tuple[tuple[str, str], ...] = ()
    preface: tuple[Comment | BadLine, ...] = ()
    turns: Sequence[Turn] = ()
    result: Result | None = None

    def header(self, name: str, default: str = "") -> str:
        """Return the value of the first header with this name, in upper or lower case (names are ASCII), or the
        default.
        """
        require_type(name, str, "the name of a header")
        wanted, length = name.lower(), len(name)
        for key, value in self.headers:
            if len(key) == length and key.lower() == wanted:
                return value
        return default

    @property
    def points(self) -> tuple[int, int] | None:
        """Return Rome's and Egypt's points as the result line gives them, if it does.

        >>> tironian.parse("1E 5A\\n17-13\\n")[0].record.points
        (17, 13)
        """
        return self.result.points if self.result is not None else None

    def following_lines(self) -> Iterator[tuple[Turn | Result, Follower]]:
        """Yield each line that follows a turn or the result, with what it follows."""
        for host in (*self.turns, *((self.result,) if self.result else ())):
            for follower in host.after:
                yield host, follower


ASIDE: Final = "N112"
"""The code of text that can't be read and moves no card."""
TOO_LARGE: Final = "N109"
_NO_GAME: Final = ("N101", "N107", "N108", TOO_LARGE, "N110")


@dataclass(slots=True, repr=False)
class Game:
    """One game in a file: its ``record``, the lines that it came from (``source``), and what could not be read
    (``problems``). ``number`` counts the games in the file from 1.

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
        """Return whether no game was read: there is none (N107, N110), the file is not text (N101) or can't be read
        (N108), or the game is too large (N109).
        """
        nothing = not (self.record.headers or self.record.turns or self.record.result)
        return nothing and any(problem.code in _NO_GAME for problem in self.problems)

    @property
    def readable(self) -> bool:
        """Return whether the whole game could be read; bytes that are not text (N102) are kept and cause only a
        warning.
        """
        return not any(problem.severity == ERROR for problem in self.problems)

    @property
    def has_asides(self) -> bool:
        """Return whether there is unreadable text that moves no card; N110 and N111 may stand for many such lines."""
        return any(problem.code in (ASIDE, "N110", "N111") for problem in self.problems)

    @property
    def too_large(self) -> bool:
        """Return whether the game was too large to be read (N109)."""
        return any(problem.code == TOO_LARGE for problem in self.problems)
