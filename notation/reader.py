"""Text to records, game by game, as a stream. Whatever can't be read is reported, kept, and the reading goes on."""

from __future__ import annotations

import io
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any, BinaryIO, Final

from .diagnostic import ERROR, Diagnostic
from .game import LONGEST_GAME, MOST_MENDED, Game, too_large
from .game_builder import GameBuilder, start_of
from .record import Record
from .sniff import HEAD, foreign, joined_problems, no_game
from .source import Source, Span

_BLOCK: Final = 1 << 16
"""Bytes that are read at once, where so many are there."""


def parse(text: str, name: str = "<text>") -> list[Game]:
    """Return all games of a text. Nothing in it raises: what cannot be read is in each game's ``problems``.

    ``name`` is what diagnostics call the text. A text without a game gives one game without turns that says so.

    >>> (game,) = tironian.parse("1E (3)A 5Q =o +3x\\n")
    >>> game.record.turns[0].label, len(game.problems)
    ('1E', 0)
    """
    return list(read_games(io.StringIO(text, newline=None), name))


def as_game(game: Game | Record) -> Game:
    """Return a game as it is; return a record as a game whose source is the record's canonical text."""
    if isinstance(game, Game):
        return game
    from .writer import write  # late: most records come as games

    return parse(write(game), "<record>")[0]


def read_bytes(stream: BinaryIO, name: str, first: int = 1) -> Iterator[Game]:
    """Yield the games of a binary stream; bytes that are no UTF-8 are kept and reported.

    ``first`` is the number of its first line, where the stream is part of a text.
    """
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)  # type: ignore[arg-type, type-var]
    strange = foreign(buffered.peek(HEAD)[:HEAD]) if first == 1 else None
    try:
        if strange:
            source = Source(name, [""])
            problem = Diagnostic("N101", strange[0], source, Span(0, 0, 0), help=strange[1])
            yield Game(Record(), source, [problem])
        else:
            yield from read_games(_lines(buffered), name, first)
    finally:
        if buffered is not stream and not buffered.closed:
            buffered.detach()  # the stream stays open: it is the caller's


def _lines(stream: io.BufferedReader[Any]) -> Iterator[str]:
    """Yield the lines of a text; of a line that is longer than any game only the beginning.

    This is quicker than reading a text stream line by line.
    """
    decoder = io.IncrementalNewlineDecoder(getincrementaldecoder("utf-8-sig")("surrogateescape"), translate=True)
    text, given = "", False
    while block := stream.read1(_BLOCK):
        text += decoder.decode(block)
        end = text.rfind("\n") + 1
        if given and end:  # the rest of a line whose beginning was given
            text, end, given = text[text.index("\n") + 1 :], end - text.index("\n") - 1, False
        if end:
            yield from io.StringIO(text[:end], newline="\n")
            text = text[end:]
        if given or len(text) > LONGEST_GAME:
            if not given:
                yield text[: LONGEST_GAME + 1]
            text, given = "", True
    text += decoder.decode(b"", final=True)
    if text and not given:
        yield text


def read_games(lines: Iterable[str], name: str = "<text>", first: int = 1) -> Iterator[Game]:
    """Yield the games that lines of text hold, each as soon as its last line has been read.

    A game begins with its headers. Only the present game is held in memory, and nothing of a game that is too large
    (N109). A text without any game yields one game without turns that says so. ``first`` is the number of the first
    line.
    """
    for each in _builders(lines, GameBuilder(name, first, 1)):
        if isinstance(each, Game):
            yield each
        else:
            yield from _finished(each)


def _builders(lines: Iterable[str], builder: GameBuilder) -> Iterator[GameBuilder | Game]:
    """Yield what builds each game, ``builder`` the first, with all of its lines; as a game one that is too large."""
    lines = iter(lines)
    line: str | None = next(lines, "").removeprefix("\ufeff")
    while line is not None:
        if builder.is_over(line):
            whole, builder = builder.split()
            yield whole
        if builder.has_room(line):
            builder.read(line)
            line = builder.take(lines)
            continue
        yield too_large(builder.source, builder.number)
        passed, line = _behind(line, lines)
        if line is None:
            return
        builder = builder.next_game(passed)
    yield builder


def _finished(builder: GameBuilder) -> list[Game]:
    """Return the game that was read; where it is none, it says so.

    It may be several, which nobody could tell apart before what happened to the text on its way was undone.
    """
    game = builder.finish()
    source = game.source
    if not game.readable and len(source.lines) <= MOST_MENDED:
        from .manglings import mend

        def read(lines: list[str]) -> list[Game]:
            """Read lines in place of those of the game, without advice."""
            built = _builders(lines, GameBuilder(source.name, source.first, game.number, 0))
            return [each if isinstance(each, Game) else each.finish() for each in built]

        if len(games := mend(game, read)) > 1:
            return [each for one in games for each in _apart(builder, one.source, one.number)]
        if games:
            return [game]
    game.problems = joined_problems(game, empty=builder.empty)
    if builder.empty and not any(problem.severity == ERROR for problem in game.problems):
        game.problems.append(no_game(game.source, game.number))
    return [game]


def _apart(builder: GameBuilder, mended: Source, number: int) -> list[Game]:
    """Return what of a game's lines is a game of its own, as it was written."""
    one = GameBuilder(mended.name, mended.first, number, builder.advice)
    begin = mended.first - builder.source.first
    for line in builder.source.lines[begin : begin + len(mended.lines)]:
        one.read(line)
    return _finished(one)


def _behind(line: str, lines: Iterator[str]) -> tuple[int, str | None]:
    """Skip the rest of a game that is too large; return its number of lines, from this one on, and the next game's
    first line.

    A header begins the next game after any line that is none, even an empty one.
    """
    for passed, (last, follower) in enumerate(pairwise(chain((line,), lines)), 1):
        if _is_header(follower) and not _is_header(last):
            return passed, follower
    return 0, None


def _is_header(line: str) -> bool:
    return line.startswith("[", start_of(line))
