"""Several logs of a game as one record."""

# fmt: off
# ruff: noqa: F401
from __future__ import annotations

from .logs import are_alike, open_words
from .merge import DifferentGames, LogVersion, MergeResult, merge, merge_all
