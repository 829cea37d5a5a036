"""What the tools make of the examples, to the byte. After a change that is meant: ``pytest tests/test_goldens.py
--snapshot-update``, and read what has changed in ``tests/__snapshots__/test_goldens``."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex
from tironian.replay.cli.command_line import main

HOME = Path(__file__).parents[1] / "examples"
GAMES = [path for path in sorted(HOME.glob("*/*.tiro")) if path.parent.name != "broken"]
STOPPED = [HOME / "broken" / f"{name}.tiro" for name in ("missing-turn", "castling-loses-a-card")]
"""Records that can be followed only so far."""
FORMATS = {
    "timeline.txt": ("timeline",),
    "timeline.md": ("timeline", "--format", "md"),
    "timeline.json": ("timeline", "--format", "json"),
    "timeline.csv": ("timeline", "--format", "csv"),
    "votes.txt": ("votes",),
    "votes.json": ("votes", "--format", "json"),
    "votes.dot": ("votes", "--format", "dot"),
    "votes.md": ("votes", "--format", "mermaid"),
    "table.timeline.txt": ("timeline", "--as", "table"),
    "table.view.tiro": ("view", "--as", "table"),
}


class Golden(SingleFileSnapshotExtension):
    """One file for each output, named after its game."""

    _write_mode = WriteMode.TEXT
    file_extension = "golden"

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        return str(index)


def shown_id(value: object) -> str:
    return value.relative_to(HOME).with_suffix("").as_posix() if isinstance(value, Path) else str(value)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("path", GAMES + STOPPED, ids=shown_id)
def test_golden(path: Path, form: str, snapshot: SnapshotAssertion):
    name, *options = FORMATS[form]
    result = CliRunner().invoke(main, [name, str(path), *options])
    assert result.exit_code == (path in STOPPED), result.output
    assert result.stdout == snapshot(extension_class=Golden, name=f"{shown_id(path)}.{form}".replace("/", "-"))
