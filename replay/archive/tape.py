"""Archives as ``tar`` writes them, read from the first byte to the last: what is damaged ends nothing, and is told.

Python's own reader takes a damaged header for the end of the archive, and says nothing.
"""

from __future__ import annotations

import tarfile
from typing import Any, Final

DAMAGED: Final = "a part of it is damaged, so that files in it may be missing"
CUT: Final = "the file ends too early: a part of it is missing"


class _Header(tarfile.TarInfo):
    """What stands before each file; one that can't be read is noted."""

    @classmethod
    def fromtarfile(cls, tarfile: Any) -> Any:
        """What the library asks for."""
        try:
            found = super().fromtarfile(tarfile)
        except _END:
            tarfile.over = True
            raise
        except _CUT:
            tarfile.note(CUT)
            raise
        except _FAULT:
            tarfile.note(DAMAGED)
            raise
        tarfile.over = False
        return found


# The library gives them no public names.
_END: Final[Any] = tarfile.EOFHeaderError  # type: ignore[attr-defined]
_CUT: Final[Any] = (tarfile.EmptyHeaderError, tarfile.TruncatedHeaderError)  # type: ignore[attr-defined]
_FAULT: Final[Any] = tarfile.HeaderError


class Tape(tarfile.TarFile):
    """The files of a tar one after the other, also those behind a damaged place. To be opened with ``mode="r|"``.

    What stands behind the end, as padding does, is no damage; files that stand there are read.
    """

    tarinfo = _Header
    ignore_zeros = True
    problem = ""
    """What is wrong with it, as far as it has been read."""
    over = False
    """Whether the end that a tar has was the last thing to be read."""

    def note(self, problem: str) -> None:
        """A header that can't be read; that is no matter behind the end."""
        if not self.over:
            self.problem = self.problem or problem
