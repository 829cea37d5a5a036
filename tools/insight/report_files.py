"""Where a report on a game is kept: beside its record."""

from __future__ import annotations

from pathlib import Path


def report_path(file: str | Path) -> Path:
    """Return the path of the report on a file's first game, whether it exists or not."""
    return Path(file).with_suffix(".insight.json")
