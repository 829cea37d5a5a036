"""Splits a text into chunks of whole games, which processes check side by side.

A text is split only where the reader would begin a new game in any context: before a header whose line follows a turn
or a result. So reading the chunks one by one gives the same games as reading the text, without ever holding all of it.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from ...notation.records import HEAD, MAX_GAME_LENGTH, foreign
from ..storage.api import InputFile
from ..storage.sources import Damaged, TextStream, texts

CHUNK_SIZE: Final = 1 << 18
"""Bytes that are read at once, and roughly the size of a chunk: about 250 games, a tenth of a second's work."""
MAX_GAP: Final = MAX_GAME_LENGTH + MAX_GAME_LENGTH // 4
"""The number of bytes without the end of a game after which they are given up: more than a game may have, whatever its
line ends.
"""
MOST: Final = MAX_GAME_LENGTH
ENDLESS: Final = "endless"
"""The problem of a text in which no game ends for so many bytes."""
_WINDOW: Final = 1 << 14
"""The bytes before a header that must show that a game begins there, if not all earlier ones are in memory."""
_LONG: Final = 19_000
"""In bytes; the reader does not accept a line of 20,000 characters as a turn."""
_HEAD_LINE: Final = re.compile(rb"[\r\n]\[(?=[^\r\n\"]*\")")
_TITLE: Final = re.compile(rb"\[[^\r\n\"]*\"")
_SURE: Final = re.compile(
    rb"(?:0|[1-9][0-9]{0,3})[RE](?:[ \t][^\"]*)?|(?:\*|[0-9]{1,3}-[0-9]{1,3})(?:>[RE-])?", re.DOTALL
)
"""A line that is a turn or a result, whatever may be wrong with it."""
_HEADER: Final = re.compile(rb"[^!-~]*\[")
"""The beginning of a line that may be a header: after whatever the reader treats as space, and more."""


class Chunk(NamedTuple):
    """Some whole games from the text ``name``: ``data`` as bytes, starting at line ``first``, counted from 1.

    ``last``: the text ends with it. ``has_carriage_returns``: a carriage return has occurred before it. ``problem``:
    why nothing more of the text, or nothing before the next chunk, can be read; then the data are not checked.
    ``bytes_read``: how many bytes of its file have been read so far.
    """

    name: str
    data: bytes
    first: int = 1
    last: bool = False
    has_carriage_returns: bool = False
    problem: str = ""
    bytes_read: int = 0


class TextRange(NamedTuple):
    """Whole games of a plain text: its bytes from ``begin`` up to ``stop``. The other fields are as in Chunk."""

    begin: int
    stop: int
    first: int = 1
    last: bool = True
    has_carriage_returns: bool = False


WHOLE_TEXT: Final = TextRange(0, sys.maxsize)


def chunks_of(file: InputFile, size: int = CHUNK_SIZE, part: TextRange = WHOLE_TEXT) -> Iterator[Chunk]:
    """Yield all texts of a file, or a range of its only text, chunk by chunk; a chunk says what can't be read."""
    for text in texts(file):
        for chunk in split(text, size, part):
            yield chunk._replace(bytes_read=text.bytes_read())


def split(text: TextStream, size: int = CHUNK_SIZE, part: TextRange = WHOLE_TEXT) -> Iterator[Chunk]:
    """Yield one text, or a range of a plain one, in chunks of about ``size`` bytes; only the first one has line 1."""
    if text.stream is None:
        yield Chunk(text.name, b"", last=True, problem=text.problem)
        return
    _, _, first, last, has_carriage_returns = part
    data, lost, searched, problem = bytearray(), False, 0, ""
    for block, problem in _blocks(text.stream, size, part):
        data += block
        if block and len(data) < max(searched + size, HEAD):
            continue
        is_end = not (block or problem)
        if first == 1 and not problem and foreign(bytes(data[:HEAD])):
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
        at = len(data) if is_end else last_game_start(data, max(0, searched - 1))
        whole = bytes(data[:at])
        if at or is_end:
            yield Chunk(text.name, whole, first, last and is_end, has_carriage_returns)
        elif len(data) > MAX_GAP:
            yield Chunk(text.name, b"", first, has_carriage_returns=has_carriage_returns, problem=ENDLESS)
            lost = True
        has_carriage_returns = has_carriage_returns or b"\r" in whole
        first += _line_count(whole)
        del data[:at]
        searched = len(data)
    if problem:  # the chunk has whatever there is of the last game
        yield Chunk(text.name, bytes(data), first, True, has_carriage_returns, problem)


def _blocks(stream: io.BufferedReader, size: int, part: TextRange) -> Iterator[tuple[bytes, str]]:
    """Yield a range of a text in blocks of at most ``size`` bytes, and finally an empty one, with the reason if it ends
    too early.
    """
    begin, problem = part.begin, ""
    if begin:
        stream.seek(begin)
    while True:
        try:
            # No more than arrives at once, so that what comes before a damaged part is not lost.
            block = stream.read1(min(size, part.stop - begin))
        except Damaged as error:
            block, problem = b"", str(error)
        yield block, problem
        if not block:
            return
        begin += len(block)


def last_game_start(data: bytes | bytearray, searched: int = 0) -> int:
    """Return where the last game of some bytes certainly begins, 0 if that is not certain.

    The first ``searched`` bytes are not searched again.
    """
    has_carriage_returns, at = b"\r" in data, len(data)
    while (
        end := max(data.rfind(b"\n[", searched, at), data.rfind(b"\r[", searched, at) if has_carriage_returns else -1)
    ) > 0:
        if _TITLE.match(data, end + 1) and _is_played(data, end, has_carriage_returns):
            return end + 1
        at = end + 1
    return 0


def _is_played(data: bytes | bytearray, end: int, has_carriage_returns: bool) -> bool:
    """Return whether the game whose last line ends at a place has a turn or a result, so that a header begins the next.

    ``has_carriage_returns``: whether lines may end with a carriage return.
    """
    while end > 0:
        begin = max(data.rfind(b"\n", 0, end), data.rfind(b"\r", 0, end) if has_carriage_returns else -1) + 1
        line = bytes(data[begin:end]).strip()
        if _HEADER.match(line):
            return False
        if len(line) < _LONG and _SURE.fullmatch(line):
            return True
        end = begin - 1
    return False


def _next_game(data: bytes | bytearray) -> int:
    """Return the first place where a game certainly begins, 0 if there is none."""
    has_carriage_returns = b"\r" in data
    for match in _HEAD_LINE.finditer(data):
        if _is_played(data, match.start(), has_carriage_returns):
            return match.end() - 1
    return 0


def text_ranges(file: InputFile, size: int) -> list[TextRange]:
    """Return a plain text as ranges of about ``size`` bytes; any other file as a single range."""
    for text in texts(file):
        if text.stream is None or not text.plain or foreign(text.stream.peek(HEAD)[:HEAD]):
            break
        ranges: list[TextRange] = []
        begin = 0
        for chunk in split(text, min(size // 8 + 1, CHUNK_SIZE)):
            if chunk.problem:
                return [WHOLE_TEXT]
            if not ranges or begin - ranges[-1].begin >= size:
                ranges.append(
                    TextRange(begin, sys.maxsize, chunk.first, has_carriage_returns=chunk.has_carriage_returns)
                )
            begin += len(chunk.data)
        return [*(one._replace(stop=two.begin, last=False) for one, two in pairwise(ranges)), ranges[-1]]
    return [WHOLE_TEXT]


def _droppable(data: bytearray) -> int:
    """Return how many bytes without a certain game may be dropped: all but the window, without splitting a line end."""
    drop = max(0, len(data) - _WINDOW)
    return drop - 1 if drop and data[drop - 1 : drop] == b"\r" else drop


def _line_count(data: bytes | bytearray) -> int:
    """Return how many lines end in some bytes, whatever the line end."""
    return data.count(b"\n") + (data.count(b"\r") - data.count(b"\r\n") if b"\r" in data else 0)
