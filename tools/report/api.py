"""Reports of checked games, and the formats in which they are written."""

# fmt: off
# ruff: noqa: F401, I001
from __future__ import annotations

from . import FORMATS, Format, reporter
from .model import (
    INTERNAL_ERROR, SIDES, TRACEBACK, CountedGame, GameReport, Reporter, Selection, Tally, failed_report,
    exception_text,
)
