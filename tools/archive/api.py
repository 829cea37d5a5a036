"""Many games at once: texts cut into chunks, checked by many processes, sorted, and remembered."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .batch import Batch, Runner, local_runner, reports_of
from .checker import LOST, ChunkChecker
from .chunks import CHUNK_SIZE, WHOLE_TEXT, split
from .register import Register
from .sorting import GOOD, Sorter
