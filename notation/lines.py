"""The lines of a text, one after another, or many of its turns at once."""

from __future__ import annotations

import io
from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import Any, Final

from mypy_extensions import i64

from .arrays import COMPILED, read_i64_le
from .packed import Packed
from .scanner import PADDING, Scanner
from .source import MAX_GAME_LENGTH, MAX_LINE_LENGTH, MAX_LINES
from .word_cache import read_header

_BLOCK: Final = 1 << 16
"""How many bytes are read at a time, if that many are there."""
_BRACKET: Final = 91  # [
_FEED: Final = 10
_SCANNER: Final = Scanner()
"""Shared, since what the scanner has learnt holds for every text."""


class LineStream:
    """The lines of a text that comes as bytes, some whole lines at a time, followed by PADDING each time; every line
    except the last ends with a line feed.

    ``errors`` says how bytes that are not UTF-8 are handled.
    """

    def __init__(self, texts: Iterator[bytes], errors: str = "surrogateescape") -> None:
        self._texts = texts
        self._errors = errors
        self._data: bytes = PADDING
        self._pos: i64 = 0
        self._end: i64 = 0

    def _read_on(self) -> bool:
        """Read the next lines; return whether there are any."""
        self._data = next(self._texts, PADDING)
        self._pos, self._end = 0, len(self._data) - len(PADDING)
        return self._end > 0

    def next(self) -> str | None:
        """Return the next line; None after the last one."""
        if self._pos == self._end and not self._read_on():
            return None
        begin = self._pos
        self._pos = min(_line_end(self._data, begin), self._end)
        return self._data[begin : self._pos].decode("utf-8", self._errors)

    def at_header(self) -> bool:
        """Return whether the next line begins like a header, and has a text in quotes."""
        begin = self._pos
        if begin >= self._end or self._data[begin] != _BRACKET:
            return False
        return self._data.find(b'"', begin, _line_end(self._data, begin)) > 0

    def take_headers(self, headers: list[tuple[str, str]], parts: list[str | bytes], room: i64) -> i64:
        """Add the next headers to a game's headers, as long as they are plain, and add their lines to the parts of its
        source, which may have ``room`` bytes. Return how many were taken.
        """
        begin = self._pos
        while self._pos < self._end and self._data[self._pos] == _BRACKET:
            at = _line_end(self._data, self._pos)
            if at > self._end or at - begin > room:
                break
            line = self._data[self._pos : at]
            header: Any = _HEADERS.get(line)
            if header is None:
                header = _header(line)
                if header is None:
                    break
            headers.append(header)
            self._pos = at
        if self._pos > begin:
            parts.append(self._data[begin : self._pos])
        return self._pos - begin

    def take(self, packed: Packed, parts: list[str | bytes], line: i64, room: i64) -> i64:
        """Add turns to a game's turns as long as the lines hold only known words, and add the lines to the parts of its
        source, which may have ``room`` bytes. The first is line number ``line`` of the game. Return how many were
        taken.
        """
        taken: i64 = 0
        while self._pos < self._end or self._read_on():
            begin, before = self._pos, len(packed)
            stop = min(self._end, begin + room - taken)
            self._pos = _SCANNER.scan(self._data, begin, stop, packed, line, MAX_LINES - line)
            if self._pos > begin:
                parts.append(self._data[begin : self._pos])
                taken += self._pos - begin
                line += len(packed) - before
            if self._pos < self._end:
                break
        return taken


class StringLines(LineStream):
    """Lines that come as strings, each only when it is requested."""

    def __init__(self, lines: Iterator[str]) -> None:
        super().__init__(iter(()))
        self._lines = lines
        self._next: str | None = None

    def at_header(self) -> bool:
        """Return False: headers are read like any other line."""
        return False

    def next(self) -> str | None:
        """Return the next line; None after the last one."""
        line = next(self._lines, None) if self._next is None else self._next
        self._next = None
        return line

    def take(self, packed: Packed, parts: list[str | bytes], line: i64, room: i64) -> i64:
        """Add turns like :meth:`LineStream.take`, a line at a time."""
        taken: i64 = 0
        for text in self._lines:
            size: i64 = len(text)
            if not text.isascii() or not text.endswith("\n") or size > room - taken:
                self._next = text
                break
            data = text.encode("ascii") + PADDING
            if _SCANNER.scan(data, 0, size, packed, line, MAX_LINES - line) < size:
                self._next = text
                break
            parts.append(data[:size])
            taken += size
            line += 1
        return taken


def scan_line(text: str, packed: Packed, line: i64) -> bool:
    """Add a turn, in line number ``line`` of a game, to the game's turns if its text holds only words; return whether
    it does.
    """
    if not text.isascii():
        return False
    data = text.encode("ascii") + PADDING
    return _SCANNER.scan(data, 0, len(data), packed, line, 1) > 0


def _line_end(data: bytes, pos: i64) -> i64:
    """Return where the line ends, after its line feed; PADDING follows."""
    if not COMPILED:
        return data.index(b"\n", pos) + 1
    feeds: i64 = 0x0A0A0A0A0A0A0A0A
    ones: i64 = 0x0101010101010101
    while True:
        differs = read_i64_le(data, pos) ^ feeds
        if (differs - ones) & ~differs & ones << 7:
            while data[pos] != _FEED:
                pos += 1
            return pos + 1
        pos += 8


def _header(line: bytes) -> tuple[str, str] | None:
    """Return the header in a line that needs no parsing, and remember it for a while; otherwise None."""
    try:
        header = read_header(line.decode()) if len(line) <= MAX_LINE_LENGTH else None
    except UnicodeDecodeError:
        return None
    if header is not None:
        if len(_HEADERS) >= _MAX_HEADERS:
            _HEADERS.clear()
        _HEADERS[line] = header
    return header


_HEADERS: Final[dict[bytes, Any]] = {}
"""Header line → what it says: the games in a file share most header lines."""
_MAX_HEADERS: Final = 1 << 10


def texts_of(stream: Any, *, marked: bool = True) -> Iterator[bytes]:
    """Yield a binary stream in whole lines, some at a time and followed by PADDING; each line ends with a line feed,
    whatever its line end in the stream.

    If a line is longer than any game, only its beginning is returned. ``marked`` says that a byte order mark may come
    first.
    """
    mark = _MARK if marked else b""
    rest, passing, newlines = bytearray(), False, None
    while block := stream.read1(_BLOCK):
        if newlines is None and b"\r" in block:
            newlines = io.IncrementalNewlineDecoder(getincrementaldecoder("latin-1")(), translate=True)
        if newlines is not None:
            block = newlines.decode(block).encode("latin-1")
        if passing:
            _, end, block = block.partition(b"\n")
            passing = not end
        end = block.rfind(b"\n") + 1
        if end:
            yield b"".join((rest, memoryview(block)[:end], PADDING)).removeprefix(mark)
            rest, mark = bytearray(block[end:]), b""
        else:
            rest += block
        if len(rest) > MAX_GAME_LENGTH:
            yield bytes(rest[: MAX_GAME_LENGTH + 1] + PADDING)
            rest, passing = bytearray(), True
    if newlines is not None:
        rest += newlines.decode(b"", final=True).encode("latin-1")
    if rest:
        yield bytes(rest + PADDING).removeprefix(mark)


_MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8."""
