"""Changes of an event: one by one, undone, and finished by the next program when one is killed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from archives import tiro
from click.testing import CliRunner
from events import PLANTS, Event
from tironian.tools.cli.command_line import main
from tironian.tools.event import changes
from tironian.tools.event.changes import EventJournal
from tironian.tools.event.facts import ToDo
from tironian.tools.event.plan import RESULTS, event_text, read_plan
from tironian.tools.event.todo import edited_plan, event_state, given_result
from tironian.tools.event.words import title_of
from tironian.tools.storage import CannotRun

MENDED = ("sheets", "name", "twice", "unpaired", "sides", "rules", "copy")


def to_do(folder: Path) -> list[ToDo]:
    return event_state(str(folder), read_plan(event_text(str(folder))), 1).to_do


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and "originals" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    event = Event(tmp_path / "open", 24, 1)
    for place, kind in enumerate(MENDED):
        PLANTS[kind](event, place)
    return event.written()


class Killed(BaseException):
    """What ends a program between two steps."""


@pytest.mark.parametrize("steps", range(6))
def test_a_change_is_whole_whenever_the_program_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int):
    event = Event(tmp_path / "open", 4, 1)
    PLANTS["sheets"](event, 0)
    folder = event.written()
    before = files(folder)
    (one,) = to_do(folder)
    left = [steps]

    def dying(act):
        def step(*args: object) -> object:
            if not left[0]:
                raise Killed
            left[0] -= 1
            return act(*args)

        return step

    with monkeypatch.context() as patched:
        for name in ("replacing", "sync_folder"):
            patched.setattr(changes, name, dying(getattr(changes, name)))
        patched.setattr("os.fsync", dying(lambda _handle: None))
        try:
            with EventJournal(str(folder)) as journal:
                journal.accept(one)
        except Killed:
            pass
    with EventJournal(str(folder)) as journal:
        done = bool(journal.standing)
        assert (files(folder) == before) is not done
        assert done == (to_do(folder) == [])
        while journal.undo():
            pass
    assert files(folder) == before


def test_an_entry_that_was_cut_off_was_not_begun(folder: Path):
    with EventJournal(str(folder)) as journal:
        journal.refuse(to_do(folder)[0])
    path = folder / "originals" / "journal.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"what": "accept", "key"')
    with EventJournal(str(folder)) as journal:
        assert len(journal.standing) == 1
    assert path.read_bytes() == whole


def test_a_file_that_was_changed_meanwhile_stays(folder: Path):
    one = next(each for each in to_do(folder) if each.kind == "name")
    path = folder / one.edits[0].file
    path.write_text(path.read_text() + "; a comment\n")
    mine = path.read_bytes()
    with EventJournal(str(folder)) as journal, pytest.raises(CannotRun, match="try again"):
        journal.accept(one)
    assert path.read_bytes() == mine


@pytest.mark.parametrize("name", ["../outside.tiro", "/tmp/outside.tiro", "link/outside.tiro"])
def test_a_journal_of_a_stranger_changes_nothing_outside(folder: Path, name: str):
    (folder / "link").symlink_to(folder.parent)
    (folder / "originals").mkdir()
    entry = {"what": "accept", "key": "1", "says": "", "swaps": [{"file": name, "was": None, "now": "gotcha"}]}
    (folder / "originals" / "journal.jsonl").write_text(json.dumps(entry) + "\n")
    with pytest.raises(CannotRun, match="outside"):
        EventJournal(str(folder))
    assert not (folder.parent / "outside.tiro").exists()


@pytest.mark.parametrize("line", ["[]", "{}", '{"swaps": [3]}', "nonsense", '{"swaps":[{"file":1,"was":"","now":""}]}'])
def test_a_journal_that_is_none_is_refused(folder: Path, line: str):
    (folder / "originals").mkdir()
    (folder / "originals" / "journal.jsonl").write_text(f"{line}\n")
    done = tiro("event", folder, "-j", 1)
    assert done.exit_code == 2
    assert "journal.jsonl:1" in done.output


def test_originals_that_lie_elsewhere_are_refused(folder: Path, tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (folder / "originals").symlink_to(tmp_path / "elsewhere")
    done = tiro("event", folder, "-j", 1, "--undo")
    assert done.exit_code == 2
    assert "a link out of the folder" in done.output


def test_only_one_program_changes_an_event(folder: Path):
    with EventJournal(str(folder)), pytest.raises(CannotRun, match="another program"):
        EventJournal(str(folder))


def test_who_only_looks_waits_for_nobody_and_writes_nothing(folder: Path):
    key = to_do(folder)[0].key
    assert tiro("event", folder, "-j", 1).exit_code == 1
    assert not (folder / "originals").exists()
    with EventJournal(str(folder)) as journal:
        journal.refuse(to_do(folder)[0])
        told = tiro("event", folder, "-j", 1)
    assert told.exit_code == 1
    assert key not in told.output


def test_originals_are_kept_in_the_folder(folder: Path, tmp_path: Path):
    one = next(each for each in to_do(folder) if each.kind == "name")
    (tmp_path / "elsewhere").mkdir()
    (folder / "originals").mkdir()
    (folder / "originals" / "round1").symlink_to(tmp_path / "elsewhere")
    before = files(folder)
    with EventJournal(str(folder)) as journal, pytest.raises(CannotRun, match="outside"):
        journal.accept(one)
    assert files(folder) == before
    assert not [*(tmp_path / "elsewhere").iterdir()]


def review(folder: Path, typed: str) -> str:
    return CliRunner().invoke(main, ["event", str(folder), "--review", "-j", "1"], input=typed).output


def test_a_review_goes_through_everything(folder: Path):
    before = files(folder)
    told = review(folder, "a\n" * len(MENDED))
    assert "nothing more to do" in told
    assert to_do(folder) == []
    for _ in MENDED:
        assert tiro("event", folder, "-j", 1, "--undo").exit_code == 0
    assert files(folder) == before


def test_a_review_goes_on_where_it_was(folder: Path):
    first, second, *_ = to_do(folder)
    told = review(folder, "r\n\nu\nq\n")
    assert f"{first.key}: {title_of(first)}: it stays as it is" in told
    assert f"undone: refuse {first.key}" in told
    assert [one.key for one in to_do(folder)][:2] == [first.key, second.key]
    review(folder, "r\nq\n")
    assert first.key not in tiro("event", folder, "-j", 1).output


def test_a_letter_that_means_nothing_is_no_value(folder: Path):
    before = files(folder)
    assert "y: answer a accept" in review(folder, "\n\n\n\ny\nq\n")
    assert files(folder) == before


def test_another_value_can_be_given(folder: Path):
    one = next(each for each in to_do(folder) if each.kind == "name")
    done = tiro("event", folder, "-j", 1, "--accept", f"{one.key}=Nobody")
    assert done.exit_code == 0
    assert '[Caesar "Nobody"]' in (folder / one.edits[0].file).read_text()


def test_several_are_accepted_at_once(tmp_path: Path):
    event = Event(tmp_path / "open", 8, 1)
    for place, kind in enumerate(("missing", "twice", "name")):
        PLANTS[kind](event, place)
    folder = event.written()
    before, found = files(folder), to_do(folder)
    values = {"missing": "=draw"}
    words = [word for one in found for word in ("--accept", one.key + values.get(one.kind, ""))]
    assert tiro("event", folder, "-j", 1, *words).exit_code == 0
    assert to_do(folder) == []
    for _ in found:
        assert tiro("event", folder, "--undo").exit_code == 0
    assert files(folder) == before


def test_a_result_that_is_none_is_refused(tmp_path: Path):
    event = Event(tmp_path / "open", 4, 1)
    PLANTS["missing"](event, 0)
    folder = event.written()
    (one,) = to_do(folder)
    done = tiro("event", folder, "-j", 1, "--accept", f"{one.key}=3-0-1")
    assert done.exit_code == 2
    assert "result" in done.output
    assert to_do(folder) == [one]


def test_a_review_says_by_its_exit_code_whether_something_is_left(tmp_path: Path):
    event = Event(tmp_path / "open", 6, 2)
    PLANTS["name"](event, 1)
    folder = event.written()
    for typed, code in (("q\n", 1), ("\n", 1), ("a\n", 0), ("", 0)):
        done = CliRunner().invoke(main, ["event", str(folder), "--review", "-j", "1"], input=typed)
        assert done.exit_code == code, (typed, done.output)


def test_an_event_can_not_begin_without_records(tmp_path: Path):
    done = tiro("event", "init", tmp_path)
    assert (done.exit_code, "no record here names its players" in done.output) == (2, True)
    assert not (tmp_path / "event.toml").exists()


@pytest.mark.parametrize("value", [*RESULTS, "20-7", "14 : 14 >E"])
def test_a_result_given_is_the_one_written_by_hand(folder: Path, value: str):
    text = event_text(str(folder))
    plan = read_plan(text)
    for place in (0, len(plan.pairings) - 1):
        begin, *tables = text.split("[[pairings]]")
        tables[place] = f'{tables[place].rstrip()}\nresult = "{value.replace(" : ", "-").replace(" >", ">")}"\n\n'
        by_hand = read_plan("[[pairings]]".join((begin, *tables)))
        with EventJournal(str(folder)) as journal:
            journal.accept(given_result(plan, plan.pairings[place]), value)
            given = read_plan(event_text(str(folder)))
            assert given.data == by_hand.data
            assert decided(folder) == [each.winner for each in event_state(str(folder), by_hand, 1).decided]
            journal.accept(given_result(given, given.pairings[place]))
            assert read_plan(event_text(str(folder))).data == plan.data
            journal.undo()
            journal.undo()
        assert event_text(str(folder)) == text


def decided(folder: Path) -> list[int | None]:
    return [each.winner for each in event_state(str(folder), read_plan(event_text(str(folder))), 1).decided]


def test_nothing_is_no_result_where_none_was_given(folder: Path):
    plan = read_plan(event_text(str(folder)))
    with EventJournal(str(folder)) as journal, pytest.raises(CannotRun, match="nothing is proposed"):
        journal.accept(given_result(plan, plan.pairings[0]))


def test_a_file_that_is_edited_has_to_be_right_and_can_be_undone(folder: Path):
    text = event_text(str(folder))
    for wrong in ("", "no event", text.replace("version = 1", "version = 2")):
        with pytest.raises(CannotRun):
            edited_plan(text, wrong)
    with EventJournal(str(folder)) as journal:
        journal.accept(edited_plan(text, f"{text}# mine\n"))
        assert event_text(str(folder)) == f"{text}# mine\n"
        with pytest.raises(CannotRun, match="has changed"):
            journal.accept(edited_plan(text, f"{text}# yours\n"))
        journal.undo()
    assert event_text(str(folder)) == text
