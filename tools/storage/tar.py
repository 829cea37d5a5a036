"""Archives as ``tar`` writes them, read from the first byte to the last: damage is reported, and reading goes on.

Python's own reader silently treats a damaged header as the end of the archive, and believes whatever a header says
about sizes. So only single headers are left to it.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ...notation.language import Messages, phrase

if TYPE_CHECKING:
    import io

DAMAGED, CUT, LARGE, SPARSE = "damaged", "cut", "large", "sparse"
_PROBLEMS: Final[Messages] = {
    DAMAGED: "part of it is damaged, so files may be missing",
    CUT: "the file ends too early: part of it is missing",
    LARGE: "the header of a file in it has more than 1 MB",
    SPARSE: "a file in it is stored as a sparse file; create the archive without --sparse",
}
STEP: Final = 1 << 16
MAX_HEADER_SIZE: Final = 1 << 20
"""The most bytes of extended headers, which hold the name, size and more, before a file."""
END: Final = 2
"""Blocks of zeros that end a tar."""
_RECORD: Final = re.compile(rb"([1-9][0-9]{0,6}) ")
_SIZE: Final = re.compile(r"[0-9]{1,18}")
_MAGIC: Final = 257
"""Where a header has ``ustar``."""
_PAX: Final = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
_EXTENDED: Final = (*_PAX, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)


class TarReader:
    """The names of the files of a tar, including those after damage; ``read1`` reads the one that came last.

    Data after the end, such as padding, are not damage unless more files follow; those are read.
    """

    problem = ""
    """The first thing found wrong with it so far."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream
        self._at = self._left = self._next = 0  # the place, how much of a file is left, where the next header is
        self._told = False  # that it ends within a file

    def __iter__(self) -> Iterator[str]:
        said = dict[str, str]()
        extended = zeros = 0
        noise = False  # anything but headers and zeros since the last file
        while self._go_on() and len(block := self._take(tarfile.BLOCKSIZE)) == tarfile.BLOCKSIZE:
            self._next = self._at
            try:
                if not block.strip(b"\0"):
                    zeros += 1
                    if not extended:
                        continue
                header = _header(block)
                if header.type in _EXTENDED:
                    # No file has as many as 16, each read within the last.
                    extended += max(header.size, MAX_HEADER_SIZE // 16)
                    if extended > MAX_HEADER_SIZE:
                        raise tarfile.HeaderError(LARGE)
                    self._next += _in_blocks(header.size)
                    said = _extended_header(header, self._take(_in_blocks(header.size))) | said
            except tarfile.HeaderError as error:
                if zeros < END:
                    self._note(LARGE if str(error) == LARGE else DAMAGED)
                said, extended, noise = {}, 0, True
                continue
            if noise or 0 < zeros < END:
                self._note(DAMAGED)
            zeros, noise = 0, False
            if header.type in _EXTENDED:
                continue
            if header.type == tarfile.GNUTYPE_SPARSE or said.keys() - {"path", "size"}:
                self._note(SPARSE)
            if header.isreg() or header.type not in tarfile.SUPPORTED_TYPES:
                self._left = int(said.get("size", header.size))
                self._next += _in_blocks(self._left)
            if header.isreg() and header.type != tarfile.GNUTYPE_SPARSE:  # a file with gaps is no text
                yield said.get("path", header.name).rstrip("/")
            said, extended = {}, 0
        if not zeros and not self._told:
            self._note(CUT)

    def read1(self, size: int) -> bytes:
        """Return at most ``size`` bytes of a file, none at its end. Raise EOFError if the archive ends before it does.

        If another file begins in it, its size is false, and it ends there.
        """
        ahead = self._stream.peek(STEP)
        begin = ahead.find(b"ustar") - _MAGIC
        if 0 <= begin < self._left and (self._at + begin) % tarfile.BLOCKSIZE == 0 and _is_header(ahead[begin:]):
            self._note(DAMAGED)
            self._next = self._at + begin
            ahead = ahead[:begin].rstrip(b"\0")
            self._left = len(ahead)
        data = self._take(len(ahead[: min(size, self._left)]))
        self._left -= len(data)
        if self._left and not data:
            self._told = True
            raise EOFError
        return data

    def _take(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._at += len(data)
        return data

    def _go_on(self) -> bool:
        """Read up to the next header; return whether the archive goes on so far."""
        while self._at < self._next and self._take(min(self._next - self._at, STEP)):
            pass
        return self._at == self._next

    def _note(self, problem: str) -> None:
        self.problem = self.problem or phrase(_PROBLEMS[problem])


def _header(block: bytes) -> tarfile.TarInfo:
    header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    if header.size < 0:
        raise tarfile.HeaderError(DAMAGED)
    return header


def _is_header(data: bytes) -> bool:
    try:
        return bool(_header(data[: tarfile.BLOCKSIZE]))
    except tarfile.HeaderError:
        return False


def _in_blocks(size: int) -> int:
    return -(-size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE


def _extended_header(header: tarfile.TarInfo, data: bytes) -> dict[str, str]:
    """Return what an extended header says about the next file: ``path``, ``size``, and whether it is sparse.

    It consists of records, each with its own length, a name and a value; GNU's contains only a name.
    """
    said: dict[str, str] = {}
    if header.type == tarfile.GNUTYPE_LONGNAME:  # whatever size it has: a zero ends it
        said["path"] = data.partition(b"\0")[0].decode("utf-8", "surrogateescape")
    if header.type not in _PAX:  # what applies to all files does not matter here
        return said
    at, data = 0, data[: header.size]
    while at < len(data):
        length = _RECORD.match(data, at)
        end = at + int(length.group(1)) if length else at
        name, equals, value = data[length.end() : end - 1].partition(b"=") if length else (b"", b"", b"")
        if not equals or data[end - 1 : end] != b"\n":
            raise tarfile.HeaderError(DAMAGED)
        if name in (b"path", b"size") or name.startswith(b"GNU.sparse."):
            said[name.decode("utf-8", "replace")] = value.decode("utf-8", "surrogateescape")
        at = end
    if not _SIZE.fullmatch(said.get("size", "0")):
        raise tarfile.HeaderError(DAMAGED)
    return said
