"""Archives as ``tar`` writes them, read from the first byte to the last: what is damaged ends nothing, and is told.

Python's own reader takes a damaged header for the end of the archive, and says nothing.
"""

from __future__ import annotations

import re
import tarfile
from typing import Any, Final

DAMAGED: Final = "a part of it is damaged, so that files in it may be missing"
CUT: Final = "the file ends too early: a part of it is missing"
LARGE: Final = "the header of a file in it has more than 1 MB"
SPARSE: Final = "a file in it is stored with its gaps left out; write it without --sparse"
MOST: Final = 1 << 20
"""Bytes of what is written before a file about its name, size and more."""
END: Final = 2
"""Blocks of zeros that end a tar."""
_RECORD: Final = re.compile(rb"([1-9][0-9]{0,6}) ")
_SIZE: Final = re.compile(r"[0-9]{1,18}")


class _Header(tarfile.TarInfo):
    """What stands before each file; one that can't be read is noted."""

    @classmethod
    def fromtarfile(cls, tarfile: Any) -> Any:
        """What the library asks for."""
        try:
            found = super().fromtarfile(tarfile)
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
            raise _INVALID(str(error)) from None  # some faults would end it
        if tarfile.noise or 0 < tarfile.zeros < END:
            tarfile.note(DAMAGED)
        tarfile.zeros, tarfile.noise = 0, False
        return found

    def _proc_member(self, tarfile: Any) -> Any:
        """Go on to the file that a header is about; what is written about it in extended headers is bounded."""
        if self.type not in _EXTENDED:
            tarfile.about = 0
            return super()._proc_member(tarfile)  # type: ignore[misc]
        tarfile.about += max(self.size, MOST // 16)  # no file has so many, and each is read within the one before
        if tarfile.about > MOST:
            raise _INVALID(LARGE)
        return super()._proc_member(tarfile)  # type: ignore[misc]

    def _proc_pax(self, tarfile: Any) -> Any:
        """Take a file's name and size from an extended header.

        The library takes all that stands there, and for some of it time that grows with the square of its length.
        """
        data = tarfile.fileobj.read(self._block(self.size))[: self.size]  # type: ignore[attr-defined]
        records = {} if self.type == _GLOBAL else _records(data)  # nothing that holds for all files matters here
        try:
            found = self.fromtarfile(tarfile)
        except _FAULT as error:
            raise _INVALID(str(error)) from None
        if self.type == _GLOBAL:
            return found
        if any(name.startswith("GNU.sparse.") for name in records):
            tarfile.note(SPARSE)
        found.name = records.get("path", str(found.name)).rstrip("/")
        found.offset = self.offset
        if "size" in records:
            if not _SIZE.fullmatch(records["size"]):
                raise _INVALID(DAMAGED)
            found.size = int(records["size"])
            tarfile.offset = found.offset_data + found._block(found.size)
        return found


def _records(data: bytes) -> dict[str, str]:
    """What an extended header says: each record is its own length, a name and a value."""
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


# The library gives them no public names.
_ZEROS: Final[Any] = tarfile.EOFHeaderError  # type: ignore[attr-defined]
_CUT: Final[Any] = (tarfile.EmptyHeaderError, tarfile.TruncatedHeaderError)  # type: ignore[attr-defined]
_INVALID: Final[Any] = tarfile.InvalidHeaderError  # type: ignore[attr-defined]
_FAULT: Final[Any] = tarfile.HeaderError
_GLOBAL: Final = tarfile.XGLTYPE
_EXTENDED: Final = (
    tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE, _GLOBAL, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK
)  # fmt: skip


class Tape(tarfile.TarFile):
    """The files of a tar one after the other, also those behind a damaged place. To be opened with ``mode="r|"``.

    What stands behind the end, as padding does, is no damage, unless there are more files behind it; those are read.
    """

    tarinfo = _Header
    ignore_zeros = True
    problem = ""
    """What is wrong with it, as far as it has been read."""
    zeros = 0
    """How many blocks of zeros have come since the last file."""
    about = 0
    """How many bytes about the next file have been read."""
    noise = False
    """Whether anything else has that is no header."""

    def note(self, problem: str) -> None:
        """Something is wrong with it; the first thing is told."""
        self.problem = self.problem or problem
