"""The state file of ``tiro drill``."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from .common import STDIN, Trouble, read_input, refuse_address, replacing, telling

if TYPE_CHECKING:
    from ..insight.drill import Drill


class DrillFile:
    """A state file, and what it holds. Raise Trouble where it is there and is none: it is never overwritten then."""

    def __init__(self, path: str) -> None:
        if path == STDIN or os.path.isdir(path):
            raise Trouble(f"{path}: the state is kept in a file: name one with --state")
        refuse_address(path, "the state is kept in a local file; name one with --state")
        self.path = path
        self._kept = self._on_disk()
        self.drill = self._read()

    def keep(self) -> None:
        """Write what has changed. Raise Trouble where that fails, or another program has written the file meanwhile."""
        from ..export.data import json_lines
        from ..insight.drill import drill_data

        data = json_lines(drill_data(self.drill), "games").encode()
        if data == self._kept:
            return
        if self._on_disk() != self._kept:
            raise Trouble(
                f"{self.path}: another program has changed it meanwhile, so that nothing was written; try again"
            )
        with telling(self.path):
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.path) as stream:
            stream.write(data)
        self._kept = data

    def _on_disk(self) -> bytes:
        return read_input(self.path) if os.path.lexists(self.path) else b""

    def _read(self) -> Drill:
        from ...schemas import parsed
        from ..insight.drill import Drill, drill_of

        if not self._kept:
            return Drill()
        with suppress(ValueError, RecursionError):
            if (data := parsed("drill", self._kept)) is not None:
                return drill_of(data)
        raise Trouble(
            f"{self.path}: this is no state of tiro drill, or it is damaged; it is left as it is. "
            "Name another with --state, or move it away"
        )
