"""What the tools make of the examples, to the byte: text and JSON for one game of each rule set, every other format for
one game, and text for the rest.

After an intended change run ``pytest tests/test_goldens.py --snapshot-update``, and read what has changed in
``tests/__snapshots__/test_goldens``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex
from tironian.tools.cli.command_line import main

HOME = Path(__file__).parents[1] / "examples"
GAMES = [path for path in sorted(HOME.glob("*/*.tiro")) if path.parent.name != "broken"]
STOPPED = [HOME / "broken" / f"{name}.tiro" for name in ("missing-turn", "castling-loses-a-card")]
"""Records that can't be followed to their end."""
FORMATS = {
    "timeline.txt": ("timeline",), "timeline.full.txt": ("timeline", "--full"),
    "timeline.md": ("timeline", "--format", "md"), "timeline.json": ("timeline", "--format", "json"),
    "timeline.csv": ("timeline", "--format", "csv"), "votes.txt": ("votes",),
    "votes.json": ("votes", "--format", "json"), "votes.dot": ("votes", "--format", "dot"),
    "votes.md": ("votes", "--format", "mermaid"), "table.timeline.txt": ("timeline", "--full", "--as", "table"),
    "table.view.tiro": ("view", "--as", "table"),
}  # fmt: skip

IN_EVERY_FORMAT = HOME / "2024" / "tie-break.tiro"
AS_DATA = {HOME / f"{name}.tiro" for name in ("1997/annotated", "fr/last-turn", "taylor/alone")}
DATA = ("timeline.json", "votes.json", "votes.txt")
AS_TEXT = ("timeline.txt", "table.view.tiro")
MORE = {
    *((STOPPED[0], form) for form in ("votes.dot", "votes.md")),  # a short game: each vote takes a hundred lines
    (HOME / "2024" / "seen-from-the-table.tiro", "votes.txt"),  # votes of which the record does not know every card
    (HOME / "rulebook" / "vote-1997-fr.tiro", "table.timeline.txt"),  # a single vote, for other eyes than the record's
}
CASES = [
    (path, form)
    for path in GAMES + STOPPED
    for form in FORMATS
    if (path == IN_EVERY_FORMAT and form not in ("votes.dot", "votes.md"))
    or form in AS_TEXT
    or (path in AS_DATA and form in DATA)
    or (path, form) in MORE
]


class Golden(SingleFileSnapshotExtension):
    """One file for each output, named after its game."""

    _write_mode = WriteMode.TEXT
    file_extension = "golden"

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        return str(index)


def golden_name(path: Path, form: str) -> str:
    return f"{shown_id(path)}.{form}".replace("/", "-")


def shown_id(value: object) -> str:
    return value.relative_to(HOME).with_suffix("").as_posix() if isinstance(value, Path) else str(value)


@pytest.mark.parametrize(("path", "form"), CASES, ids=shown_id)
def test_golden(path: Path, form: str, snapshot: SnapshotAssertion):
    name, *options = FORMATS[form]
    result = CliRunner().invoke(main, [name, str(path), *options])
    assert result.exit_code == (path in STOPPED), result.output
    assert result.stdout == snapshot(extension_class=Golden, name=golden_name(path, form))


def test_no_golden_is_left_over():
    kept = {path.name for path in (Path(__file__).parent / "__snapshots__" / "test_goldens").iterdir()}
    assert kept == {f"{golden_name(path, form)}.golden" for path, form in CASES}
