"""A text cut into pieces of whole games, so that several processes can share it and none ever holds all of it.

A cut is made only where the reader would begin a new game whatever stands around it: before a header whose line
follows a turn or a result. Reading the pieces one by one therefore gives the same games as reading the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader
from typing import Final, NamedTuple

from ...notation.foreign import HEAD, foreign
from ...notation.game import LONGEST_GAME
from ..storage.sources import Found, texts
from ..storage.unpacking import Damaged, Text

SIZE: Final = 1 << 18
"""Bytes that are read at once, and so about those of a piece: some 250 games, a tenth of a second's work."""
LONGEST: Final = LONGEST_GAME + LONGEST_GAME // 4
"""Bytes without the end of a game, after which what was read is given up: more than a game may have, however it ends
its lines."""
ENDLESS: Final = f"no game ends within {LONGEST_GAME >> 20} MB from here, so nothing up to the next game is read"
_WINDOW: Final = 1 << 14
"""Bytes before a header in which it has to show that a game begins, where not all of them are at hand."""
_LONG: Final = 19_000
"""Bytes; the reader takes no line of 20,000 characters for a turn."""
_HEAD_LINE: Final = re.compile(rb"[\r\n]\[")
_SURE: Final = re.compile(rb"(?:0|[1-9][0-9]{0,3})[RE](?:[ \t].*)?|(?:\*|[0-9]{1,3}-[0-9]{1,3})(?:>[RE-])?", re.DOTALL)
"""A line that is a turn or a result, whatever else may be wrong with it."""
_HEADER: Final = re.compile(rb"[^!-~]*\[")
"""How a line begins that may be a header: in whatever the reader takes for space, and more."""


class Piece(NamedTuple):
    """Some whole games of the text ``name``: ``data`` as bytes, beginning with its line ``first``, from 1.

    ``last``: nothing of the text comes behind it. ``returns``: a carriage return has come before it.
    ``problem``: why nothing more of the text, or what comes before the next piece, can be read; the data are not
    judged then. ``taken``: how many bytes of its file had been read by then.
    """

    name: str
    data: bytes
    first: int = 1
    last: bool = False
    returns: bool = False
    problem: str = ""
    taken: int = 0


class Stretch(NamedTuple):
    """Whole games of a plain text: its bytes from ``begin`` to ``stop``. The rest is as in Piece."""

    begin: int
    stop: int
    first: int = 1
    last: bool = True
    returns: bool = False


WHOLE: Final = Stretch(0, sys.maxsize)


def pieces(found: Found, size: int = SIZE, stretch: Stretch | None = None) -> Iterator[Piece]:
    """All texts in a file, or a stretch of it, piece by piece. What cannot be read is a piece that says so."""
    for text in texts(found):
        for piece in cut(text, size, stretch):
            yield piece._replace(taken=text.taken())


def cut(text: Text, size: int = SIZE, stretch: Stretch | None = None) -> Iterator[Piece]:
    """One text, piece by piece; the first begins with line 1, and no other does. Of a plain one also a stretch."""
    if text.stream is None:
        yield Piece(text.name, b"", last=True, problem=text.problem)
        return
    begin, stop, first, last, returns = stretch or WHOLE
    if begin:
        text.stream.seek(begin)
    data, lost = bytearray(), False
    known, problem, more = 0, "", True
    while more:
        try:
            # No more than comes at once, so that what comes before it breaks is not lost.
            block = text.stream.read1(min(size, stop - begin))
        except Damaged as error:
            block, problem = b"", str(error)
        data += block
        begin += len(block)
        more = bool(block)
        if more and len(data) < max(known + size, HEAD):
            continue
        if first == 1 and foreign(bytes(data[:HEAD])):
            yield Piece(text.name, bytes(data[:HEAD]), last=True)
            return
        if lost:
            at = _next_game(data)
            lost, at = not at, at or _droppable(data)
            first += _lines(data[:at])
            del data[:at]
            known = 0
            if lost:
                continue
        at = last_cut(data, max(0, known - 1)) if more or problem else len(data)
        if at or not (more or problem):
            yield Piece(text.name, bytes(data[:at]), first, last and not more and not problem, returns)
        elif len(data) > LONGEST:
            yield Piece(text.name, b"", first, returns=returns, problem=ENDLESS)
            lost = True
        returns = returns or b"\r" in data[:at]
        first += _lines(data[:at])
        del data[:at]
        known = len(data)
    if problem:
        yield Piece(text.name, bytes(data), first, True, returns, problem)  # with what there is of its last game


def last_cut(data: bytes | bytearray, known: int = 0) -> int:
    """Where the last game of some bytes begins, if that is certain; 0 where it is not.

    In the first ``known`` bytes no such place is looked for.
    """
    other, at = b"\r" in data, len(data)
    while (end := max(data.rfind(b"\n[", known, at), data.rfind(b"\r[", known, at) if other else -1)) > 0:
        if _is_played(data, end, other):
            return end + 1
        at = end + 1
    return 0


def _is_played(data: bytes | bytearray, end: int, other: bool) -> bool:
    """Whether the game whose last line ends there has a turn or a result, so that a header begins the next one.

    ``other``: whether lines may end with a carriage return.
    """
    while end > 0:
        begin = max(data.rfind(b"\n", 0, end), data.rfind(b"\r", 0, end) if other else -1) + 1
        line = bytes(data[begin:end]).strip()
        if _HEADER.match(line):
            return False
        if len(line) < _LONG and _SURE.fullmatch(line):
            return True
        end = begin - 1
    return False


def _next_game(data: bytes | bytearray, start: int = 0) -> int:
    """Where the first game begins, from a place on, that is certain to; 0 where none does."""
    other = b"\r" in data
    for found in _HEAD_LINE.finditer(data, max(0, start - 1)):
        if _is_played(data, found.start(), other):
            return found.end() - 1
    return 0


def stretches(found: Found, size: int) -> list[Stretch | None]:
    """A plain text as stretches of about ``size`` bytes; of anything else a single None, for all of it."""
    for text in texts(found):
        if text.stream is None or not text.plain or foreign(text.stream.peek(HEAD)[:HEAD]):
            break
        with suppress(Damaged):
            return list(_stretches(text.stream, size))
    return [None]


def _stretches(stream: BufferedReader, size: int) -> Iterator[Stretch]:
    begin, first, returned = 0, 1, False
    base, line, data = 0, 1, bytearray()  # what is at hand begins at that byte, in that line
    returns = False
    while block := stream.read1(SIZE):
        data += block
        enough = begin + size - base
        at = _next_game(data, max(0, enough)) if len(data) > enough else 0
        if at:
            yield Stretch(begin, base + at, first, False, returned)
        drop = at or _droppable(data)
        line, returns = line + _lines(data[:drop]), returns or b"\r" in data[:drop]
        del data[:drop]
        base += drop
        if at:
            begin, first, returned = base, line, returns
    yield Stretch(begin, base + len(data), first, True, returned)


def _droppable(data: bytearray) -> int:
    """How much may go of what no game is certain to begin in: all but what may show it soon, in whole line ends."""
    drop = max(0, len(data) - _WINDOW)
    return drop - 1 if drop and data[drop - 1 : drop] == b"\r" else drop


def _lines(data: bytes | bytearray) -> int:
    """How many lines end in some bytes, by whatever sign."""
    if b"\r" not in data:
        return data.count(b"\n")
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
