"""A text split into chunks of whole games, so that several processes can share it and none ever holds all of it.

A split is made only where the reader would begin a new game whatever surrounds it: before a header whose line follows
a turn or a result. Reading the chunks one by one therefore gives the same games as reading the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ...notation.source import HEAD, LONGEST_GAME, foreign
from ..storage.sources import InputFile, texts
from ..storage.unpacking import Damaged, TextStream

CHUNK_SIZE: Final = 1 << 18
"""Bytes that are read at once, and about the size of a chunk: some 250 games, a tenth of a second's work."""
LONGEST_GAP: Final = LONGEST_GAME + LONGEST_GAME // 4
"""Bytes without the end of a game after which what was read is given up: more than a game may have, whatever its line
ends."""
ENDLESS: Final = f"no game ends within {LONGEST_GAME >> 20} MB from here, so nothing up to the next game is read"
_WINDOW: Final = 1 << 14
"""Bytes before a header that must show that a game begins there, where not all earlier ones are in memory."""
_LONG: Final = 19_000
"""Bytes; the reader takes no line of 20,000 characters for a turn."""
_HEAD_LINE: Final = re.compile(rb"[\r\n]\[")
_SURE: Final = re.compile(rb"(?:0|[1-9][0-9]{0,3})[RE](?:[ \t].*)?|(?:\*|[0-9]{1,3}-[0-9]{1,3})(?:>[RE-])?", re.DOTALL)
"""A line that is a turn or a result, whatever else may be wrong with it."""
_HEADER: Final = re.compile(rb"[^!-~]*\[")
"""The beginning of a line that may be a header: after whatever the reader takes for space, and more."""


class Chunk(NamedTuple):
    """Some whole games of the text ``name``: ``data`` as bytes, beginning with line number ``first``, from 1.

    ``last``: the text ends with it. ``returns``: a carriage return has occurred before it.
    ``problem``: why nothing more of the text, or nothing before the next chunk, can be read; the data are not checked
    then. ``taken``: how many bytes of its file had been read by then.
    """

    name: str
    data: bytes
    first: int = 1
    last: bool = False
    returns: bool = False
    problem: str = ""
    taken: int = 0


class TextRange(NamedTuple):
    """Whole games of a plain text: its bytes from ``begin`` up to ``stop``. The other fields are as in Chunk."""

    begin: int
    stop: int
    first: int = 1
    last: bool = True
    returns: bool = False


WHOLE_TEXT: Final = TextRange(0, sys.maxsize)


def chunks_of(file: InputFile, size: int = CHUNK_SIZE, part: TextRange = WHOLE_TEXT) -> Iterator[Chunk]:
    """Yield all texts of a file, or a range of its only text, chunk by chunk; a chunk says what can't be read."""
    for text in texts(file):
        for chunk in split(text, size, part):
            yield chunk._replace(taken=text.taken())


def split(text: TextStream, size: int = CHUNK_SIZE, part: TextRange = WHOLE_TEXT) -> Iterator[Chunk]:
    """Yield one text, or a range of a plain one, in chunks of about ``size`` bytes; only the first has line 1."""
    if text.stream is None:
        yield Chunk(text.name, b"", last=True, problem=text.problem)
        return
    begin, stop, first, last, returns = part
    if begin:
        text.stream.seek(begin)
    data, lost = bytearray(), False
    searched, problem, more = 0, "", True
    while more:
        try:
            # No more than comes at once, so that what comes before the damage is not lost.
            block = text.stream.read1(min(size, stop - begin))
        except Damaged as error:
            block, problem = b"", str(error)
        data += block
        begin += len(block)
        more = bool(block)
        if more and len(data) < max(searched + size, HEAD):
            continue
        if first == 1 and foreign(bytes(data[:HEAD])):
            yield Chunk(text.name, bytes(data[:HEAD]), last=True)
            return
        if lost:
            at = _next_game(data)
            lost, at = not at, at or _droppable(data)
            first += _line_count(data[:at])
            del data[:at]
            searched = 0
            if lost:
                continue
        at = last_game_start(data, max(0, searched - 1)) if more or problem else len(data)
        if at or not (more or problem):
            yield Chunk(text.name, bytes(data[:at]), first, last and not more and not problem, returns)
        elif len(data) > LONGEST_GAP:
            yield Chunk(text.name, b"", first, returns=returns, problem=ENDLESS)
            lost = True
        returns = returns or b"\r" in data[:at]
        first += _line_count(data[:at])
        del data[:at]
        searched = len(data)
    if problem:
        yield Chunk(text.name, bytes(data), first, True, returns, problem)  # with what there is of its last game


def last_game_start(data: bytes | bytearray, searched: int = 0) -> int:
    """Return where the last game of some bytes certainly begins, 0 where that is not certain.

    The first ``searched`` bytes are not looked at again.
    """
    returns, at = b"\r" in data, len(data)
    while (end := max(data.rfind(b"\n[", searched, at), data.rfind(b"\r[", searched, at) if returns else -1)) > 0:
        if _is_played(data, end, returns):
            return end + 1
        at = end + 1
    return 0


def _is_played(data: bytes | bytearray, end: int, returns: bool) -> bool:
    """Return whether the game whose last line ends there has a turn or a result, so that a header begins the next.

    ``returns``: whether lines may end with a carriage return.
    """
    while end > 0:
        begin = max(data.rfind(b"\n", 0, end), data.rfind(b"\r", 0, end) if returns else -1) + 1
        line = bytes(data[begin:end]).strip()
        if _HEADER.match(line):
            return False
        if len(line) < _LONG and _SURE.fullmatch(line):
            return True
        end = begin - 1
    return False


def _next_game(data: bytes | bytearray) -> int:
    """Return where the first game certainly begins, 0 where none does."""
    returns = b"\r" in data
    for match in _HEAD_LINE.finditer(data):
        if _is_played(data, match.start(), returns):
            return match.end() - 1
    return 0


def text_ranges(file: InputFile, size: int) -> list[TextRange]:
    """Return a plain text as ranges of about ``size`` bytes; for any other file a single one, for all of it."""
    for text in texts(file):
        if text.stream is None or not text.plain or foreign(text.stream.peek(HEAD)[:HEAD]):
            break
        ranges: list[TextRange] = []
        begin = 0
        for chunk in split(text, min(size // 8 + 1, CHUNK_SIZE)):
            if chunk.problem:
                return [WHOLE_TEXT]
            if not ranges or begin - ranges[-1].begin >= size:
                ranges.append(TextRange(begin, sys.maxsize, chunk.first, returns=chunk.returns))
            begin += len(chunk.data)
        return [*(one._replace(stop=two.begin, last=False) for one, two in pairwise(ranges)), ranges[-1]]
    return [WHOLE_TEXT]


def _droppable(data: bytearray) -> int:
    """Return how many bytes without a certain game may be dropped: all but the window, in whole line ends."""
    drop = max(0, len(data) - _WINDOW)
    return drop - 1 if drop and data[drop - 1 : drop] == b"\r" else drop


def _line_count(data: bytes | bytearray) -> int:
    """Return how many lines end in some bytes, by whatever line end."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
