"""Archives as ``tar`` writes them, read from the first byte to the last: what is damaged ends nothing, and is told.

Python's own reader takes a damaged header for the end of the archive, and says nothing.
"""

from __future__ import annotations

import tarfile
from typing import Any, Final

DAMAGED: Final = "a part of it is damaged, so that files in it may be missing"
CUT: Final = "the file ends too early: a part of it is missing"


END: Final = 2
"""Blocks of zeros that end a tar."""


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
                tarfile.note(DAMAGED)
            raise _INVALID(str(error)) from None  # some faults would end it
        if tarfile.noise or 0 < tarfile.zeros < END:
            tarfile.note(DAMAGED)
        tarfile.zeros, tarfile.noise = 0, False
        return found


# The library gives them no public names.
_ZEROS: Final[Any] = tarfile.EOFHeaderError  # type: ignore[attr-defined]
_CUT: Final[Any] = (tarfile.EmptyHeaderError, tarfile.TruncatedHeaderError)  # type: ignore[attr-defined]
_INVALID: Final[Any] = tarfile.InvalidHeaderError  # type: ignore[attr-defined]
_FAULT: Final[Any] = tarfile.HeaderError


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
    noise = False
    """Whether anything else has that is no header."""

    def note(self, problem: str) -> None:
        """Something is wrong with it; the first thing is told."""
        self.problem = self.problem or problem
