"""Recording at the table, without screen and disk: what is typed becomes the record that was played.

What the recorder answers is in ``tests/transcripts/recorder``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from journals import entries as journal_lines
from jsonschema import Draft202012Validator
from scale import FULL
from schema_parts import closed_schema
from tironian import VIEWS, load_edition, parse, write
from tironian.tools.cli.command_line import main
from tironian.tools.recorder.commands import Commands, enter, word_help
from tironian.tools.recorder.menu import help_texts
from tironian.tools.recorder.questions import blank, faults, questions
from tironian.tools.recorder.recorder import Recorder
from tironian.tools.recorder.storage import RecordStorage
from typed_records import COMPLETE, EXAMPLES, MemoryStorage, bare, due, record_of, recorder_at, recorder_of

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"


def named(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@cache
def typed(path: Path) -> tuple[Recorder, int]:
    """A recorder of a whole game, and the keys that its words take with one after each; commands don't count."""
    record, keys = record_of(path), 0
    recorder = recorder_of(record)
    for label, entry in due(recorder, record):
        enter(recorder, entry)
        if recorder.refusal:
            assert recorder.insist(), (label, entry, recorder.refusal)
        keys += (len(entry) + 1) * (not entry.startswith("/"))
    return recorder, keys


def reopened(recorder: Recorder) -> Recorder:
    """The recorder who opens the same files the next time."""
    storage = MemoryStorage(recorder.storage.text)
    storage.aside = recorder.storage.aside
    return Recorder(storage)


@pytest.mark.parametrize("path", COMPLETE, ids=named)
def test_a_game_that_is_typed_comes_out_as_its_record(path: Path):
    recorder, keys = typed(path)
    text = recorder.draft.text
    assert text == write(record_of(path)) == path.read_text(encoding="utf-8")
    assert not recorder.draft.errors
    letters = sum(len(line) + 1 for line in text.splitlines() if line and not line.startswith("["))
    assert keys <= 1.3 * letters, "typing takes about as many keys as the record has letters"


@pytest.mark.parametrize("path", COMPLETE if FULL else COMPLETE[::3], ids=named)
def test_undo_and_redo_and_reopening_come_back_to_the_same(path: Path):
    recorder, _ = typed(path)
    storage = recorder.storage
    stands = [(storage.text, storage.aside, recorder.draft.cursor)]
    while recorder.undo():
        stands.append((storage.text, storage.aside, recorder.draft.cursor))
    for place, (text, aside, cursor) in enumerate(stands[-2::-1]):
        assert recorder.redo()
        assert (storage.text, storage.aside, recorder.draft.cursor.label) == (text, aside, cursor.label)
        if FULL or not place % 7:  # to open a record is to replay it
            assert reopened(recorder).draft.cursor.label == cursor.label


def test_the_end_of_a_turn_is_on_disk(tmp_path: Path):
    """The next player still has a card, and then nobody."""
    path = tmp_path / "game.tiro"
    path.write_text(
        '[Rules "2024"]\n[Result "*"]\n[Setup "position"]\n\n'
        "0R h(xx) m(A) g(PPPP) d(1111111222222233333334444444555555pp5)\n"
        "0E h(4) m(K) d(111111122222223333333444444555555pp5)\n"
    )
    for line, was_over, is_over in (
        ("9E (4)A =o", False, False), ("", False, True), ("/undo", True, False), ("/redo", False, True),
    ):  # fmt: skip
        with RecordStorage(path) as storage:
            recorder = Recorder(storage)
            assert recorder.draft.is_over is was_over
            enter(recorder, line)
            assert recorder.draft.is_over is is_over
    judge = Draft202012Validator(closed_schema("trail"))
    lines = journal_lines(path)
    for line in lines:
        judge.validate(line)
    # Undo and redo know what was there.
    assert [line.get("aside", "") for line in lines[1:]] == ["", "", "", "/", "", ""]


@pytest.mark.parametrize("aside", ["nonsense {", "+99 x", "?? 1E"])
def test_what_cant_be_read_beside_a_record_does_no_harm(aside: str):
    storage = MemoryStorage(recorder_at(TIE_BREAK, "5E").draft.text)
    storage.aside = aside
    assert enter(Recorder(storage), "5P (5)K =r +12") == []
    assert storage.text.endswith("\n5E 5P (5)K =r +12\n*\n")


# ------------------------------------------------------------------------------------------------ every word counts

WORDS = (
    *("*P", "*K", "=P", "=A", "=o", "=r", "=A5:3>R", "*P5:3>E", "=A-", "+1", "+p", "+x", "5P", "(3)Q", "p", "-", "-2"),
    *("xP", "sA", "y", "v", "v+1", "cPQ", "pP(1)", "wP", "aa", "m1", "mR1", "1R", "5R", "2E", "*", "!"),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    COMPLETE if FULL else [EXAMPLES / "2024" / "annotated.tiro", EXAMPLES / "1997" / "tie-break.tiro"],
    ids=named,
)
def test_every_word_at_every_moment_is_recorded_or_answered(path: Path):
    record = bare(record_of(path))
    recorder = recorder_of(record)
    for number, (label, entry) in enumerate(due(recorder, record)):
        enter(recorder, entry)
        for word in WORDS if FULL else WORDS[number % 8 :: 8]:
            tried = recorder.scratch_copy()
            said = enter(tried, word)
            is_new = tried.draft.text != recorder.draft.text or tried.draft.closed != recorder.draft.closed
            assert is_new or said, (label, word)


# -------------------------------------------------------------------------------------------------- help, questions


def test_the_help_names_every_command():
    commands = [name.removeprefix("do_") for name in vars(Commands) if name.startswith("do_")]
    assert [usage.split()[0] for usage in help_texts()["commands"]] == [f"/{command}" for command in commands]
    assert "x assassination, s scout" in word_help()["sA cAQ y"]


def test_what_the_recorder_sees_is_asked_first():
    first = questions(load_edition("2024"), "2026.05.31")[0]
    assert (first.name, first.default) == ("View", "table")
    assert all(view in first.words for view in VIEWS)


@pytest.mark.parametrize(
    ("answer", "wanted", "told"),
    [
        ("", "table", ""), ("Caesar", "caesar", ""), ("arbiter", "", ""), ("table", "table", ""),
        ("spectator", "spectator", "use one of arbiter, caesar, cleopatra, table"),
    ],
)  # fmt: skip
def test_the_answer_is_the_view_or_it_is_told_what_to_write(answer: str, wanted: str, told: str):
    text = blank("2024", {"View": answer}, "2026.05.31")
    assert parse(text)[0].record.header("View") == wanted
    assert [told in fault for fault in faults(text)] == [True] * bool(told)


def test_a_command_is_no_answer_to_a_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tironian.tools.cli.record.at_keyboard", lambda: True)
    done = CliRunner().invoke(main, ["record", "game.tiro", "--rules", "2024"], input="/help\ntable\n" + "\n" * 20)
    assert "commands come after these questions" in done.stderr
    assert "/help" not in Path("game.tiro").read_text(encoding="utf-8")
