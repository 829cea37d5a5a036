"""What the tests of the storage share: where the journal is, and what somebody finds who opens a record."""

from __future__ import annotations

import json
from pathlib import Path

from tironian.tools.recorder.storage import RecordStorage

NOTE = b'{"kept":'
"""How the note begins that the record holds what the trail says."""


def journal_of(path: Path) -> Path:
    return path.with_name(path.name + ".trail")


def entries(path: Path) -> list[dict]:
    """The lines of a record's trail, the head first, without the note behind them."""
    return [json.loads(line) for line in journal_of(path).read_bytes().splitlines() if not line.startswith(NOTE)]


def crashed(path: Path, text: str | None) -> None:
    """Leave what a program leaves that died behind its last entry to the trail: the record as it was before that."""
    trail = journal_of(path).read_bytes()
    journal_of(path).write_bytes(trail[: trail.rindex(b"\n") + 1])
    path.unlink() if text is None else path.write_text(text)


def names(path: Path) -> list[str]:
    """Everything that lies in the folder of a record."""
    return sorted(each.name for each in path.parent.iterdir())


def recorded(path: Path, *texts: str) -> None:
    """Open a record, enter these texts one after the other, and close it."""
    with RecordStorage(path) as storage:
        for text in texts:
            storage.keep(text, "entry")


def opened(path: Path) -> tuple[str, list[str]]:
    """Return the text and the messages that somebody finds who opens a record."""
    with RecordStorage(path) as storage:
        return storage.text, storage.messages
