"""Games from wherever they lie: files and folders, packed or not, standard input, and streams that are open."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import BinaryIO, TextIO, cast

from .notation.diagnostic import Diagnostic
from .notation.reader import read_bytes, read_games
from .notation.record import Game, Record
from .notation.source import Source, Span
from .replay.storage.sources import LEFT_ASIDE, Damaged, exists, input_files, texts


def read(source: str | os.PathLike[str] | TextIO | BinaryIO) -> Iterator[Game]:
    """Yield each game of a file, a folder or an open stream, in order, as soon as it has been read.

    ``source`` is one of these:

    - the path of a file: a text, a compressed text (gzip, zstd, bzip2, xz) or an archive (zip, tar);
    - the path of a folder: all ``.tiro`` files and archives in it, at any depth, sorted by name;
    - a pattern such as ``games/*.tiro``, the address of a store such as ``s3://…``, or ``-`` for standard input;
    - an open file, in text or binary mode, which is not unpacked and stays open.

    Raise FileNotFoundError if a path names nothing. Nothing else raises: a file that cannot be read, or only in part,
    yields a game without turns whose ``problems`` say why (N101, N108), and the other files follow.

    >>> import io
    >>> [game.record.header("Event") for game in tironian.read(io.StringIO('[Event "Final"]\\n1E 5A\\n*\\n'))]
    ['Final']
    """
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        if not exists(path):
            raise FileNotFoundError(f"{path}: there is no such file or folder")
        return _read(path)
    if isinstance(source, io.TextIOBase):
        return read_games(cast(TextIO, source), _name_of(source))
    return read_bytes(cast(BinaryIO, source), _name_of(source))


def _read(path: str) -> Iterator[Game]:
    for file in input_files([path]):
        for text in texts(file):
            problem = text.problem
            if text.stream is not None:
                try:
                    yield from read_bytes(text.stream, text.name)
                except Damaged as error:
                    problem = str(error)
            if problem and problem != LEFT_ASIDE:
                yield _unread(text.name, problem)


def _unread(name: str, problem: str) -> Game:
    source = Source(name, [""])
    return Game(Record(), source, [Diagnostic("N108", f"this can't be read: {problem}", source, Span(0, 0, 0))])


def _name_of(stream: object) -> str:
    name = getattr(stream, "name", "")
    return name if isinstance(name, str) and name else "<stream>"
