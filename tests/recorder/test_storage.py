"""What is kept is on disk, whatever else happens to the files meanwhile; and undo reaches back over it."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journals import entries, journal_of, names, opened, recorded
from jsonschema import Draft202012Validator
from scale import scaled
from schema_parts import closed_schema
from tironian.tools.recorder.journal import Journal, SavedText
from tironian.tools.recorder.storage import NotKept, RecordStorage

HEADER = '[Rules "2024"]\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.tiro"


# ------------------------------------------------------------------------------------------------ keeping


def test_what_is_kept_is_on_disk(path):
    with RecordStorage(path) as storage:
        assert (storage.text, storage.messages) == ("", [])
        assert not path.exists()
        storage.keep(HEADER, "entry")
        assert path.read_text() == storage.text == HEADER
        storage.keep(HEADER + "1E 5A\n", "insisted", "1E")
        assert path.read_text() == storage.text == HEADER + "1E 5A\n"
    assert names(path) == ["game.tiro", "game.tiro.trail"]
    assert opened(path) == (HEADER + "1E 5A\n", [])


def test_the_trail_is_as_published(path):
    judge = Draft202012Validator(closed_schema("trail"))
    judge.check_schema(closed_schema("trail"))
    path.write_bytes(b"; J\xfcrgen\n")
    with RecordStorage(path) as storage:
        storage.keep("; J\udcfcrgen\n1E 5A\n", "entry", "1E")
        storage.undo()
        storage.redo()
        storage.undo(lambda _: False)
    head, *rest = entries(path)
    note = journal_of(path).read_bytes().rpartition(b"\n")[2]
    for line in (head, *rest, json.loads(note)):
        judge.validate(line)
        assert not judge.is_valid({**line, "luck": 1})
    assert (head["format"], head["version"], head["text"]) == ("tironian-trail", 1, "; J\udcfcrgen\n")
    assert [(each["what"], each["turn"], each["line"], each["was"], each["now"]) for each in rest] == [
        ("entry", "1E", 2, [], ["1E 5A"]),
        ("undo", "", 2, ["1E 5A"], []),
        ("redo", "", 2, [], ["1E 5A"]),
        ("undo", "", 2, ["1E 5A"], []),
    ]


def test_the_same_text_is_no_entry(path):
    recorded(path, "a\n", "a\n")
    assert [each["what"] for each in entries(path)[1:]] == ["entry"]


def test_undo_is_not_done_by_its_word(path):
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        with pytest.raises(ValueError, match="undo"):
            storage.keep("b\n", "undo")
    assert opened(path) == ("a\n", [])


def test_permissions_and_links_stay(path, tmp_path):
    path.write_text("a\n")
    path.chmod(0o640)
    link = tmp_path / "link.tiro"
    link.symlink_to(path)
    recorded(link, "b\n")
    assert link.is_symlink()
    assert path.read_text() == "b\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert stat.S_IMODE(journal_of(path).stat().st_mode) & 0o007 == 0
    assert names(path) == ["game.tiro", "game.tiro.trail", "link.tiro"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbf; a\r\n; b\r; c", "; a\n; b\n; c"),
        (b"; caf\xe9 \xed\xa0\x80 \x00\n", "; caf\udce9 \udced\udca0\udc80 \x00\n"),
    ],
)
def test_bytes_that_were_there_survive(path, data, text):
    path.write_bytes(data)
    assert opened(path) == (text, [])
    assert path.read_bytes() == data
    recorded(path, text + "1E 5A\n")
    assert path.read_bytes() == text.encode("utf-8", "surrogateescape") + b"1E 5A\n"
    assert entries(path)[0]["text"].encode("utf-8", "surrogateescape") == data
    with RecordStorage(path) as storage:
        assert storage.messages == []
        assert storage.undo()
        assert storage.text == text


@pytest.mark.parametrize(
    "text", ["\ufeffa", "a\r\nb\rc", "\udcc3\udca9", "\ud83d \ude00", "a\u2028b\x0cc\x85d", "\n\n", ""]
)
def test_any_text_is_found_again(path, text):
    with RecordStorage(path) as storage:
        storage.keep("x\n", "entry")
        storage.keep(text, "entry")
        kept = storage.text
    assert opened(path) == (kept, [])


# ------------------------------------------------------------------------------------------------ undo and redo


def test_undo_reaches_back_across_restarts(path):
    path.write_text("0\n")
    recorded(path, "0\n1\n", "0\n1\n2\n")
    with RecordStorage(path) as storage:
        assert storage.undo()
        assert storage.text == path.read_text() == "0\n1\n"
    with RecordStorage(path) as storage:
        assert storage.undo()
        assert storage.text == "0\n"
        assert not storage.undo()
        assert storage.redo()
    with RecordStorage(path) as storage:
        assert storage.redo()
        assert storage.text == path.read_text() == "0\n1\n2\n"
        assert not storage.redo()


def test_what_is_entered_after_an_undo_ends_the_redo(path):
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        storage.undo()
        storage.keep("b\n", "entry")
        assert not storage.redo()
        assert storage.undo()
        assert storage.text == ""


def test_several_entries_are_undone_and_done_again_in_one_step(path):
    texts = ["a\n", "a\nb\n", "a\nB\n", "a\nB\nc\n"]
    recorded(path, *texts)
    with RecordStorage(path) as storage:
        assert storage.undo(lambda text: "b" not in text.lower())
        assert storage.text == path.read_text() == "a\n"
    assert [(each["what"], each.get("steps")) for each in entries(path)[4:]] == [("entry", None), ("undo", 3)]
    with RecordStorage(path) as storage:
        assert storage.redo()
        assert storage.text == path.read_text() == texts[-1]
        assert not storage.redo()
        assert storage.undo()
        assert storage.text == texts[-2]
        assert storage.undo(lambda _: False)
        assert storage.text == ""
        assert not storage.undo(lambda _: False)
    with RecordStorage(path) as storage:
        assert storage.redo()
        assert storage.redo()
        assert storage.text == texts[-1]
    assert opened(path) == (texts[-1], [])


def test_steps_that_come_to_nothing_can_be_undone_together(path):
    recorded(path, "a\n", "b\n", "")
    with RecordStorage(path) as storage:
        assert storage.undo(lambda _: False)
        assert storage.text == ""
        assert storage.redo()
        assert storage.undo()
        assert storage.text == "b\n"


def test_a_trail_in_which_the_beginning_was_taken_back_is_read_as_before(path):
    journal = Journal("")
    for text, what in [("a\n", "begun"), ("", "undo"), ("b\n", "begun"), ("c\n", "entry")]:
        entry = journal.entry(SavedText(text), what)
        assert entry is not None
        journal.add(entry)
    journal_of(path).write_bytes(journal.lines())
    path.write_text("c\n")
    with RecordStorage(path) as storage:
        assert (storage.undo(), storage.text, storage.undo(), storage.messages) == (True, "b\n", False, [])


LINES = st.lists(
    st.sampled_from(["a", "b", "", "é", "\udce9", "\udcc3", "\udca9", "\ud800", "\r", "\ufeff"]), max_size=4
)
STEPS = st.lists(st.one_of(st.builds("\n".join, LINES), st.sampled_from(["undo!", "redo!", "reopen!"])), max_size=15)


@settings(max_examples=scaled(60, 3000), deadline=None)
@given(STEPS)
def test_a_desk_is_a_stack_of_texts(steps):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.tiro")
        storage = RecordStorage(path)
        past, future = [""], list[str]()
        for step in steps:
            if step == "reopen!":
                storage.close()
                storage = RecordStorage(path)
            elif step == "undo!":
                assert storage.undo() == (len(past) > 1)
                future += [past.pop()] if len(past) > 1 else []
            elif step == "redo!":
                assert storage.redo() == bool(future)
                past += [future.pop()] if future else []
            else:
                storage.keep(step, "entry")
                if storage.text != past[-1]:
                    past.append(storage.text)
                    future.clear()
            assert storage.text == past[-1]
            assert storage.messages == []
            if path.exists():
                assert path.read_bytes() == storage.text.encode("utf-8", "surrogateescape")
        storage.close()


# ------------------------------------------------------------------------------------------------ under its feet


def test_what_somebody_else_writes_is_saved_beside(path):
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        for number, theirs in enumerate((b"b\n", b"c\xff\r\n"), 1):
            path.write_bytes(theirs)
            storage.keep(f"a\n{number}\n", "entry")
            assert path.read_text() == storage.text == f"a\n{number}\n"
            assert path.with_name(f"game.theirs-{number}.tiro").read_bytes() == theirs
            assert f"game.theirs-{number}.tiro" in storage.messages[-1]
        assert len(storage.messages) == 2
        storage.undo()
        storage.undo()
        assert storage.text == "a\n"
    assert opened(path) == ("a\n", [])


def test_a_change_at_once_and_of_the_same_size_is_seen(path):
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        before = path.stat()
        path.write_text("b\n")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        storage.keep("c\n", "entry")
    assert path.with_name("game.theirs-1.tiro").read_text() == "b\n"


def test_other_line_ends_are_no_change(path):
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        path.write_bytes(b"a\r\n")
        storage.keep("a\nb\n", "entry")
        assert storage.messages == []
    assert names(path) == ["game.tiro", "game.tiro.trail"]


def test_a_file_that_appears_is_saved_beside(path):
    with RecordStorage(path) as storage:
        path.write_text("theirs\n")
        storage.keep("ours\n", "entry")
    assert path.with_name("game.theirs-1.tiro").read_text() == "theirs\n"
    assert path.read_text() == "ours\n"


def test_a_file_that_is_deleted_is_written_anew(path):
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        path.unlink()
        storage.keep("a\nb\n", "entry")
        assert path.read_text() == "a\nb\n"
        assert ["gone" in sentence for sentence in storage.messages] == [True]


@pytest.mark.parametrize("stranger", [None, b"", b"something else\n"])
def test_a_trail_that_is_taken_away_is_written_anew(path, stranger):
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        journal_of(path).unlink()
        if stranger is not None:
            journal_of(path).write_bytes(stranger)
        storage.keep("b\n", "entry")
        assert len(storage.messages) == 1
        with pytest.raises(NotKept, match="someone else is recording"):
            RecordStorage(path)
    if stranger:
        assert path.with_name("game.tiro.trail.damaged-1").read_bytes() == stranger
    with RecordStorage(path) as storage:
        assert (storage.text, storage.messages) == ("b\n", [])
        assert storage.undo()
        assert storage.undo()
        assert storage.text == ""


def test_a_trail_that_is_emptied_is_written_anew(path):
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        journal_of(path).write_bytes(b"")
        storage.keep("b\n", "entry")
    with RecordStorage(path) as storage:
        assert storage.undo()
        assert storage.text == "a\n"


def test_a_folder_that_goes_and_comes_back(tmp_path):
    path = tmp_path / "stick" / "game.tiro"
    path.parent.mkdir()
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        path.parent.rename(tmp_path / "elsewhere")
        with pytest.raises(NotKept, match=r"folder .*nothing was changed, and the last entry was not kept"):
            storage.keep("b\n", "entry")
        assert storage.text == "a\n"
        assert storage.messages == []
        (tmp_path / "elsewhere").rename(path.parent)
        storage.keep("c\n", "entry")
        assert storage.messages == []
    assert opened(path) == ("c\n", [])


def test_after_closing_nothing_is_kept(path):
    storage = RecordStorage(path)
    storage.close()
    storage.close()
    with pytest.raises(NotKept):
        storage.keep("a\n", "entry")
    assert not path.exists()
