"""Recording at the table, without screen and disk: what is typed becomes the record that was played."""

from __future__ import annotations

from pathlib import Path

import pytest
from tironian import Record, write
from tironian.replay.recording.commands import Commands, obey, word_help
from tironian.replay.recording.menu import help_texts
from tironian.replay.recording.recorder import Recorder
from typed_records import COMPLETE, entries, is_due, record_of, recorder_of


def typed(recorder: Recorder, record: Record) -> int:
    """Type a record in; insist on what is refused.

    Return the number of keys that its words take, with one after each; commands, after a ``/``, don't count.
    """
    keys = 0
    for label, entry in entries(record):
        if entry.startswith("/"):
            obey(recorder, entry)
        elif is_due(recorder, label, entry):
            if not recorder.enter(entry):
                assert recorder.insist(), (label, entry, recorder.refusal)
            keys += len(entry) + 1
    return keys


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_game_that_is_typed_comes_out_as_its_record(path: Path):
    record = record_of(path)
    recorder = recorder_of(record)
    keys = typed(recorder, record)
    assert recorder.draft.text == write(record) == path.read_text(encoding="utf-8")
    assert not recorder.draft.errors
    letters = sum(len(line) + 1 for line in write(record).splitlines() if line and not line.startswith("["))
    assert keys <= 1.3 * letters, "typing takes about as many keys as the record has letters"


# ------------------------------------------------------------------------------------- slips, rulings, clocks, the end


def test_the_help_names_every_command():
    commands = [name.removeprefix("do_") for name in vars(Commands) if name.startswith("do_")]
    assert [usage.split()[0] for usage in help_texts()["commands"]] == [f"/{command}" for command in commands]


def test_the_notation_in_short_names_the_actions():
    assert "x assassination, s scout" in word_help()["sA cAQ y"]
