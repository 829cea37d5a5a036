"""Reads games from files and folders (compressed or not), standard input and open streams, and a turn from a single
line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO, TextIO, cast

from .notation.language import phrase
from .notation.records import Diagnostic, Game, Record, Source, Span, Turn, misread, read_bytes, read_games, read_line
from .tools.storage.sources import SYSTEM_FILE, Damaged, InputFiles, exists, texts


def read(source: str | os.PathLike[str] | TextIO | BinaryIO) -> Iterator[Game]:
    """Yield each game of a file, a folder or an open stream, in order, as soon as it has been read.

    ``source`` is one of these:

    - the path of a file: a text, a compressed text (gzip, zstd, bzip2, xz), an archive (zip, tar),
      or the page of a game, which holds its record;
    - the path of a folder: all ``.tiro`` files, archives, and ``.txt`` files that look like records, at any depth,
      sorted by name;
    - a pattern such as ``games/*.tiro``, the address of a store such as ``s3://…``, or ``-`` for standard input;
    - an open file, in text or binary mode, which is not unpacked and stays open.

    Raise FileNotFoundError if a path does not exist. Nothing else about files raises: one that can't be read, or only
    in part, yields a game without turns whose ``problems`` say why (N101, N108); then the other files follow.

    >>> import io
    >>> [game.record.header("Event") for game in tironian.read(io.StringIO('[Event "Final"]\\n1E 5A\\n*\\n'))]
    ['Final']
    """
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        if not exists(path):
            raise FileNotFoundError(f"{path}: there is no such file or folder")
        return _read(path)
    if not callable(getattr(source, "readable", None)):
        raise TypeError("give the path of a file or folder, or an open file; tironian.parse reads a text")
    if isinstance(source.read(0), str):
        return read_games(cast(TextIO, source), _name_of(source))
    return read_bytes(cast(BinaryIO, source), _name_of(source))


def _read(path: str) -> Iterator[Game]:
    for file in InputFiles([path]):
        for text in texts(file):
            problem = text.problem
            if text.stream is not None:
                try:
                    yield from read_bytes(text.stream, text.name)
                except Damaged as error:
                    problem = str(error)
            if problem and problem != SYSTEM_FILE:
                yield _unread(text.name, problem)


def _unread(name: str, problem: str) -> Game:
    source, message = Source(name, [""]), phrase("this can't be read: {problem}", problem=problem)
    return Game(Record(), source, [Diagnostic("N108", message, source, Span(0, 0, 0))])


def parse_turn(text: str) -> Turn:
    """Return the turn in a line. Raise ValueError for anything else; its text says why.

    >>> turn = tironian.parse_turn("5R (3)P +2")
    >>> turn.label, turn.tokens == (tironian.parse_token("(3)P"), tironian.parse_token("+2"))
    ('5R', True)
    """
    value = read_line(text.strip())
    if not isinstance(value, Turn):
        raise misread(text.strip(), value, "the line of a turn, such as 5R (3)P +2")
    return value


def _name_of(stream: object) -> str:
    name = getattr(stream, "name", "")
    return name if isinstance(name, str) and name else "<stream>"
