"""Whoever opens a record finds everything that was recorded, and is told what happened to it meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from journals import crashed, entries, journal_of, opened, recorded
from tironian.tools.recorder.storage import NotKept, RecordStorage


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.tiro"


def test_an_entry_that_was_not_carried_out_is(path):
    recorded(path, "a\n", "b\n")
    crashed(path, "a\n")
    assert opened(path) == ("b\n", [])
    assert path.read_text() == "b\n"


def test_the_first_entry_that_was_not_carried_out_is(path):
    recorded(path, "a\n")
    crashed(path, None)
    assert opened(path) == ("a\n", [])
    assert path.read_text() == "a\n"


@pytest.mark.parametrize("backup", ["a\n", "a\nb\n", "a\nb\nc\n"])
def test_a_word_that_was_taken_out_by_hand_stays_out(path, backup):
    """A backup that was brought back is such an edit too, also where it is the record before the last word."""
    recorded(path, *("a\nb\nc\n"[:size] for size in (2, 4, 6)), "a\nb\nc\nd\n")
    path.write_text(backup)
    with RecordStorage(path) as storage:
        assert storage.text == path.read_text() == backup
        (sentence,) = storage.messages
        assert "its present text is kept; /undo goes back" in sentence
        assert storage.undo()
        assert storage.text == "a\nb\nc\nd\n"
        assert storage.redo()
    assert opened(path) == (backup, [])


def test_an_editor_that_ends_the_last_line_of_a_trail_does_not_damage_it(path):
    recorded(path, "a\n", "b\n")
    trail = journal_of(path)
    trail.write_bytes(trail.read_bytes() + b"\n")
    with RecordStorage(path) as storage:
        assert storage.messages == []
        assert storage.undo()
        assert storage.text == "a\n"
    assert opened(path) == ("a\n", [])


@pytest.mark.parametrize("undone", [False, True])
def test_an_edit_behind_a_recorder_that_was_killed_is_seen(path, undone):
    """It had brought its last entry to the record, and so what differs is no crash."""
    with RecordStorage(path) as storage:
        for text in ("a\n", "a\nb\n"):
            storage.keep(text, "entry")
        if undone:
            storage.undo()
        trail = journal_of(path).read_bytes()
    journal_of(path).write_bytes(trail)
    path.write_text("a\nb\n" if undone else "a\n")
    text, told = opened(path)
    assert text == path.read_text() == ("a\nb\n" if undone else "a\n")
    assert len(told) == 1


def test_an_edit_of_what_a_crash_left_is_kept_and_so_is_the_last_entry(path):
    recorded(path, "a\n", "a\nb\n")
    crashed(path, "A\n")
    with RecordStorage(path) as storage:
        assert storage.text == path.read_text() == "A\n"
        assert len(storage.messages) == 1
        assert storage.undo()
        assert storage.text == "a\nb\n"


def test_a_record_that_is_gone_is_written_anew(path):
    recorded(path, "a\n", "b\n")
    path.unlink()
    text, told = opened(path)
    assert text == path.read_text() == "b\n"
    (sentence,) = told
    assert "game.tiro was gone" in sentence
    assert opened(path) == ("b\n", [])


def test_what_somebody_else_wrote_meanwhile_is_found(path):
    recorded(path, "a\nb\n", "a\nb\nc\n")
    path.write_text("a\nB\nc\n")
    with RecordStorage(path) as storage:
        assert storage.text == "a\nB\nc\n"
        (sentence,) = storage.messages
        assert "undo" in sentence
        assert entries(path)[-1]["what"] == "found"
        assert storage.undo()
        assert storage.text == path.read_text() == "a\nb\nc\n"
        assert storage.redo()
    assert opened(path) == ("a\nB\nc\n", [])


def test_other_line_ends_are_no_other_text(path):
    recorded(path, "a\n", "a\nb\n")
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    assert opened(path) == ("a\nb\n", [])


@pytest.mark.parametrize("cut", [1, 20, 1000])
def test_a_torn_last_line_is_dropped(path, cut):
    recorded(path, "a\n")
    whole = journal_of(path).read_bytes()
    recorded(path, "a\n" + "b" * 2000)
    crashed(path, "a\n")
    torn = journal_of(path).read_bytes()[:-cut]
    journal_of(path).write_bytes(torn)
    assert opened(path) == ("a\n", [])
    assert journal_of(path).read_bytes() == whole


def test_a_trail_that_was_only_just_made_begins(path):
    path.write_text("a\n")
    journal_of(path).touch()
    assert opened(path) == ("a\n", [])
    assert entries(path)[0]["text"] == "a\n"


DAMAGE = {
    "an undo of too much": lambda lines: [*lines[:3], lines[2].replace(b'"entry"', b'"undo","steps":9')],
    "an undo of less than nothing": lambda lines: [*lines[:3], lines[2].replace(b'"entry"', b'"undo","steps":-1')],
    "no JSON": lambda lines: [*lines[:2], b"{", *lines[3:]],
    "a line is missing": lambda lines: [*lines[:2], *lines[3:]],
    "another sum": lambda lines: [*lines[:2], lines[2].replace(b'"sum":"', b'"sum":"0'), *lines[3:]],
    "another type": lambda lines: [*lines[:2], b"7", *lines[3:]],
    "lines that are none": lambda lines: [*lines[:2], lines[2].replace(b'["c"]', b'"c"'), *lines[3:]],
    "no text": lambda lines: [*lines[:2], lines[2].replace(b'["c"]', b"[3]"), *lines[3:]],
    "no number": lambda lines: [*lines[:2], lines[2].replace(b'"line":3', b'"line":1e999'), *lines[3:]],
    "no line": lambda lines: [*lines[:2], lines[2].replace(b'"line":3', b'"line":-3'), *lines[3:]],
    "zeros": lambda lines: [*lines[:2], b"\0" * 100, *lines[3:]],
    "deep": lambda lines: [*lines[:2], b"[" * 100_000, *lines[3:]],
    "an undo of nothing": lambda lines: [*lines[:2], lines[2].replace(b'"entry"', b'"undo"'), *lines[3:]],
    "a redo of nothing": lambda lines: [*lines[:2], lines[2].replace(b'"entry"', b'"redo"'), *lines[3:]],
    "a later version": lambda lines: [lines[0].replace(b'"version":1', b'"version":2'), *lines[1:]],
    "no head": lambda lines: lines[1:],
    "another file": lambda lines: [b"my dear diary"],
    "an unfinished file": lambda lines: [b"my dear diary", b""],
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_trail_is_set_aside(path, damage):
    recorded(path, "a\nb\n", "a\nb\nc\n", "a\nb\nc\nd\n")
    whole = DAMAGE[damage](journal_of(path).read_bytes().splitlines())
    data = whole[0] if damage == "an unfinished file" else b"\n".join([*whole, b""])
    for number in (1, 2):
        journal_of(path).write_bytes(data)
        with RecordStorage(path) as storage:
            assert storage.text == path.read_text() == "a\nb\nc\nd\n"
            (sentence,) = storage.messages
            assert f"game.tiro.trail.damaged-{number}" in sentence
            with pytest.raises(NotKept, match="someone else is recording"):
                RecordStorage(path)
            assert not storage.undo()
            storage.keep("e\n", "entry")
            storage.undo()
        assert path.with_name(f"game.tiro.trail.damaged-{number}").read_bytes() == data
        assert opened(path) == ("a\nb\nc\nd\n", [])


def test_a_damaged_trail_gives_back_what_it_can(path):
    recorded(path, "a\n", "a\nb\n", "a\nb\nc\n")
    crashed(path, None)
    journal_of(path).write_bytes(journal_of(path).read_bytes()[:-10] + b"\n")
    text, told = opened(path)
    assert text == path.read_text() == "a\nb\n"
    assert len(told) == 2


# ------------------------------------------------------------------------------------------------ who may not sit down


def test_a_second_recorder_is_told(path, tmp_path):
    (tmp_path / "link.tiro").symlink_to(path)
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        for other in (path, tmp_path / "link.tiro"):
            with pytest.raises(NotKept, match="someone else"):
                RecordStorage(other)
    assert opened(path) == ("a\n", [])


@pytest.mark.parametrize("name", ["", "none/game.tiro"])
def test_no_file_can_be_there(tmp_path, name):
    with pytest.raises(NotKept, match="nothing can be recorded"):
        RecordStorage(tmp_path / name)
    assert not list(tmp_path.iterdir())
    assert not journal_of(tmp_path).exists()


@pytest.mark.parametrize("when", ["before", "behind a word"])
def test_by_a_hard_link_nobody_else_gets_in(path, when):
    """The links part with the first word; another name of either file is locked all the same."""
    recorded(path, "a\n")
    other = path.with_name("other.tiro")
    os.link(path, other)
    with RecordStorage(path) as storage:
        if when != "before":
            storage.keep("b\n", "entry")
            newer = path.with_name("newer.tiro")
            os.link(path, newer)
            with pytest.raises(NotKept, match=r"newer.tiro: someone else is recording in this file"):
                RecordStorage(newer)
        else:
            with pytest.raises(NotKept, match=r"other.tiro: someone else is recording in this file"):
                RecordStorage(other)
    assert opened(other)[0] == "a\n"
