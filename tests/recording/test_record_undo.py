"""How far ``/undo`` goes back: a word, a turn, or to the beginning of an earlier turn; anything else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from journals import journal_of
from tironian.replay.cli.command_line import main
from tironian.replay.recording.journal import Journal, Standing
from tironian.replay.recording.storage import RecordStorage


@pytest.mark.parametrize("view", ["arbiter", "table"])
def test_nothing_is_taken_back_of_how_a_record_began(tmp_path: Path, view: str):
    there, run = tmp_path / "game.tiro", CliRunner()
    named = ["--rules", "fr", "--as", view, "--header", "Caesar=Ada", "--header", "Cleopatra=Bo", "--plain"]
    assert run.invoke(main, ["record", str(there), *named], input="").exit_code == 0
    begun = there.read_text()
    done = run.invoke(main, ["record", str(there), "--plain"], input="/undo\n/redo\n/undo turn\n")
    assert (there.read_text(), done.output.count("there is nothing to undo")) == (begun, 2)
    run.invoke(main, ["record", str(there), "--plain"], input="/header Site Rome\n/undo\n/undo\n")
    assert there.read_text() == begun
    assert '[Caesar "Ada"]' in begun


def test_a_trail_in_which_the_beginning_was_taken_back_is_read_as_before(tmp_path: Path):
    there = tmp_path / "game.tiro"
    journal = Journal("")
    for text, what in [("a\n", "begun"), ("", "undo"), ("b\n", "begun"), ("c\n", "entry")]:
        entry = journal.entry(Standing(text), what)
        assert entry is not None
        journal.add(entry)
    journal_of(there).write_bytes(journal.lines())
    there.write_text("c\n")
    with RecordStorage(there) as storage:
        assert (storage.undo(), storage.text, storage.undo(), storage.messages) == (True, "b\n", False, [])
