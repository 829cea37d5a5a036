"""How far ``/undo`` goes back: a word, a turn, or to the beginning of an earlier turn; anything else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from journals import journal_of
from recorder_screens import recorder_at
from tironian.replay.cli.command_line import main
from tironian.replay.recording.commands import Unheeded, obey
from tironian.replay.recording.journal import Journal, Standing
from tironian.replay.recording.recorder import Recorder
from tironian.replay.recording.storage import RecordStorage
from typed_records import EXAMPLES, MemoryStorage

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"


def test_everything_from_a_turn_on_is_taken_back_in_one_step():
    recorder, wanted = recorder_at(TIE_BREAK, "8E"), recorder_at(TIE_BREAK, "6R").draft.text
    obey(recorder, "/note 5E a remark")
    assert recorder.enter("1K")
    before = recorder.draft.text
    (told,) = obey(recorder, "/undo 6r")
    assert recorder.draft.text == wanted
    assert told == "taken back: 6R, 7E, 7R and 8E; /redo reverses that"
    assert recorder.draft.cursor.label == "6R"
    assert recorder.redo()
    assert recorder.draft.text == before


def test_of_one_turn_its_words_are_told():
    recorder = recorder_at(TIE_BREAK, "6R")
    before = recorder.draft.text
    assert recorder.enter("1K (4)Q")
    obey(recorder, "/undo 6R")
    assert recorder.draft.text == before


@pytest.mark.parametrize("typed", ["banana", "turns", "6", "6R 7E", "2"])
def test_what_else_is_typed_behind_it_is_refused(typed: str):
    recorder = recorder_at(TIE_BREAK, "6R")
    before = recorder.draft.text
    with pytest.raises(Unheeded, match=r"write /undo for the last entry, /undo turn, or /undo 7E"):
        obey(recorder, f"/undo {typed}")
    assert recorder.draft.text == before


def test_a_turn_that_is_not_there_is_named():
    with pytest.raises(Unheeded, match="there is no turn 9R"):
        obey(recorder_at(TIE_BREAK, "6R"), "/undo 9R")


def test_what_was_recorded_elsewhere_can_only_be_removed():
    recorder = Recorder(MemoryStorage(recorder_at(TIE_BREAK, "6R").draft.text))
    assert recorder.enter("1K")
    before = recorder.draft.text
    with pytest.raises(Unheeded, match="the journal does not reach back to 5E; /drop 5E removes that turn"):
        obey(recorder, "/undo 5E")
    assert recorder.draft.text == before
    assert obey(recorder, "/undo") == []
    with pytest.raises(Unheeded, match="the journal does not reach back"):
        obey(recorder, "/undo 5E")


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
