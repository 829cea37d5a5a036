"""Archives as ``tar`` writes them, read from the first byte to the last: damage is reported, and reading goes on.

Python's own reader silently treats a damaged header as the end of the archive.
"""

from __future__ import annotations

import re
import tarfile
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import io

DAMAGED: Final = "part of it is damaged, so files may be missing"
CUT: Final = "the file ends too early: part of it is missing"
LARGE: Final = "the header of a file in it has more than 1 MB"
SPARSE: Final = "a file in it is stored as a sparse file; create the archive without --sparse"
STEP: Final = 1 << 16
MOST: Final = 1 << 20
"""The most bytes of extended headers, which hold the name, size and more, before a file."""
END: Final = 2
"""Blocks of zeros that end a tar."""
_RECORD: Final = re.compile(rb"([1-9][0-9]{0,6}) ")
_SIZE: Final = re.compile(r"[0-9]{1,18}")


class _Header(tarfile.TarInfo):
    """The header of a file; damaged ones are noted in the :class:`TarReader`."""

    @classmethod
    def fromtarfile(cls, tarfile: Any) -> Any:
        """Return the next header; the library calls this."""
        try:
            header = super().fromtarfile(tarfile)
        except _ZEROS:
            tarfile.zeros += 1
            raise
        except _CUT:
            if not tarfile.zeros:
                tarfile.note(CUT)
            raise
        except _FAULT as error:
            tarfile.noise = True
            if tarfile.zeros < END:
                tarfile.note(LARGE if str(error) == LARGE else DAMAGED)
            raise _INVALID(str(error)) from None  # for some faults the library would stop
        if tarfile.noise or 0 < tarfile.zeros < END:
            tarfile.note(DAMAGED)
        tarfile.zeros, tarfile.noise = 0, False
        return header

    def _proc_member(self, tarfile: Any) -> Any:
        """Go on to a header's file; the size of its extended headers is limited."""
        if self.size < 0:
            raise _INVALID(DAMAGED)
        if self.type == _SPARSE:  # its parts are where the archive says; a file with gaps is no text
            tarfile.note(SPARSE)
            self.type = _UNKNOWN
        if self.type not in _EXTENDED:
            tarfile.extended = 0
            return super()._proc_member(tarfile)  # type: ignore[misc]
        tarfile.extended += max(self.size, MOST // 16)  # no file has as many as 16, and each is read within the last
        if tarfile.extended > MOST:
            raise _INVALID(LARGE)
        return super()._proc_member(tarfile)  # type: ignore[misc]

    def _proc_pax(self, tarfile: Any) -> Any:
        """Take a file's name and size from an extended header.

        The library takes everything in it, and parts of that cost time that grows with the square of its length.
        """
        data = tarfile.fileobj.read(self._block(self.size))[: self.size]  # type: ignore[attr-defined]
        records = {} if self.type == _GLOBAL else _records(data)  # what applies to all files does not matter here
        try:
            header = self.fromtarfile(tarfile)
        except _FAULT as error:
            raise _INVALID(str(error)) from None
        if self.type == _GLOBAL:
            return header
        if any(name.startswith("GNU.sparse.") for name in records):
            tarfile.note(SPARSE)
        header.name = records.get("path", str(header.name)).rstrip("/")
        header.offset = self.offset
        if "size" in records:
            if not _SIZE.fullmatch(records["size"]):
                raise _INVALID(DAMAGED)
            header.size = int(records["size"])
            tarfile.offset = header.offset_data + header._block(header.size)
        return header


def _records(data: bytes) -> dict[str, str]:
    """Return the records of an extended header; each is written as its own length, a name and a value."""
    records: dict[str, str] = {}
    at = 0
    while at < len(data):
        length = _RECORD.match(data, at)
        end = at + int(length.group(1)) if length else at
        name, equals, value = data[length.end() : end - 1].partition(b"=") if length else (b"", b"", b"")
        if not equals or data[end - 1 : end] != b"\n":
            raise _INVALID(DAMAGED)
        if name in (b"path", b"size") or name.startswith(b"GNU.sparse."):
            records[name.decode("utf-8", "replace")] = value.decode("utf-8", "surrogateescape")
        at = end
    return records


# The library has no public names for these.
_ZEROS: Final[Any] = tarfile.EOFHeaderError  # type: ignore[attr-defined]
_CUT: Final[Any] = (tarfile.EmptyHeaderError, tarfile.TruncatedHeaderError)  # type: ignore[attr-defined]
_INVALID: Final[Any] = tarfile.InvalidHeaderError  # type: ignore[attr-defined]
_FAULT: Final[Any] = tarfile.HeaderError
_GLOBAL: Final = tarfile.XGLTYPE
_SPARSE: Final = tarfile.GNUTYPE_SPARSE
_UNKNOWN: Final = b"?"
_MAGIC: Final = 257
"""Where a header has ``ustar``."""
_EXTENDED: Final = (
    tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, _GLOBAL, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK
)  # fmt: skip


class Forward:
    """A stream that is only read forward. What a file says about sizes may be any number, so a ``seek`` ends where the
    stream does. ``told`` says that somebody has been told that it ends too early.
    """

    told = False

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream, self._at = stream, 0

    def tell(self) -> int:
        """Return how many bytes have been read."""
        return self._at

    def peek(self) -> bytes:
        """Return some of the next bytes, none only at the end, and stay there."""
        return self._stream.peek(STEP)

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes, fewer only at the end."""
        data = self._stream.read(size)
        self._at += len(data)
        return data

    def seek(self, place: int) -> None:
        """Read up to a place, or to the end."""
        while self._at < place and self.read(min(place - self._at, STEP)):
            pass


class Member:
    """The next ``left`` bytes of an archive, which are a file in it. If another file begins among them, that is a false
    size, and this one ends there.
    """

    def __init__(self, archive: TarReader, stream: Forward, left: int) -> None:
        self._archive, self._stream, self._left = archive, stream, left

    def read1(self, size: int) -> bytes:
        """Return at most ``size`` bytes, none at the end. Raise EOFError if the archive ends before the file does."""
        ahead, at = self._stream.peek(), self._stream.tell()
        begin = ahead.find(b"ustar") - _MAGIC
        if 0 <= begin < self._left and (at + begin) % tarfile.BLOCKSIZE == 0 and _is_header(ahead[begin:]):
            self._archive.note(DAMAGED)
            self._archive.offset = at + begin  # type: ignore[attr-defined]
            ahead = ahead[:begin].rstrip(b"\0")
            self._left = len(ahead)
        data = self._stream.read(len(ahead[: min(size, self._left)]))
        self._left -= len(data)
        if self._left and not data:
            self._stream.told = True
            raise EOFError
        return data


def _is_header(data: bytes) -> bool:
    try:
        return bool(_Header.frombuf(data[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape"))
    except _FAULT:
        return False


class TarReader(tarfile.TarFile):
    """The files of a tar one after another, including those after damage. Open it on a :class:`Forward` stream.

    Data after the end, such as padding, are not damage unless more files follow; those are read.
    """

    tarinfo = _Header
    ignore_zeros = True
    problem = ""
    """The first thing found wrong with it so far."""
    zeros = 0
    """Blocks of zeros since the last file."""
    extended = 0
    """Bytes of extended headers for the next file."""
    noise = False
    """Whether anything but headers and zeros has come since the last file."""

    def note(self, problem: str) -> None:
        """Note that something is wrong with it."""
        self.problem = self.problem or problem
