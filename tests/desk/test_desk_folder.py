"""A desk with a folder: each game is a file there, as `tiro record` would have written it, whatever happens to it."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from scale import FULL, scaled
from tapping import begun, start_of, tapped, written_by
from tironian import EDITION_NAMES, VIEWS, Record
from tironian.tools.cli.command_line import main
from tironian.tools.desk.desk import VERSION, Desk
from tironian.tools.desk.folder import GameFolder
from tironian.tools.desk.worker import DeskSession
from tironian.tools.recorder.commands import run_command
from tironian.tools.recorder.recorder import Recorder
from tironian.tools.recorder.storage import RecordStorage
from typed_records import entries, is_due


def begun_with(taps: list[Any]) -> Desk:
    return Desk.of({**journal_of(RECORD), "taps": taps})


class Page:
    """A page that records a game into a folder: it keeps each tap itself, then tells it."""

    def __init__(self, folder: Path, journal: dict[str, Any], game: str = "a") -> None:
        self.folder, self.journal, self.game = folder, journal, game
        self.again()

    def ask(self, **question: Any) -> dict[str, Any]:
        return json.loads(self.session.answer(json.dumps({"game": self.game, **question})))

    def again(self) -> None:
        """Open the game, as after each loss of the process that answers."""
        self.session = DeskSession(GameFolder(self.folder))
        self.said = self.ask(ask="open", journal=self.journal, keeps=True)
        self.said |= self.ask(ask="keep")
        if "found" in self.said:
            self.tap(self.said["found"])

    def tap(self, *taps: Any) -> dict[str, Any]:
        for tap in taps:
            self.journal["taps"].append(tap)
            self.said = self.ask(ask="take", tap=tap)
            self.said |= self.ask(ask="keep")
        return self.said

    @property
    def record(self) -> str:
        return self.said["screen"]["record"]


def journal_of(record: Record, view: str = "table", **headers: str) -> dict[str, Any]:
    start = start_of(record, view)
    return {"desk": VERSION, "start": start | {"headers": start["headers"] | headers}, "taps": []}


def taps_of(record: Record, view: str = "table") -> list[dict[str, Any]]:
    return [*tapped(begun(record, view), record)]


def only(folder: Path) -> Path:
    (found,) = folder.glob("*.tiro")
    return found


RECORD = written_by("table", "2024", 1)
TAPS = taps_of(RECORD)[: scaled(90, 100_000)]


@pytest.fixture
def page(tmp_path: Path) -> Page:
    """A page on which half a game has been recorded."""
    page = Page(tmp_path / "games", journal_of(RECORD, Caesar="Livia"))
    page.tap(*TAPS[: len(TAPS) // 2])
    return page


def lines_for(record: Record, view: str) -> Iterator[str]:
    """What is typed in `tiro record` for a game that was recorded by taps, up to its result."""
    recorder = begun(record, view).recorder
    for label, entry in entries(record):
        if entry.startswith("/") or is_due(recorder, label, entry):
            before = recorder.draft
            recorder.enter(entry)
            assert recorder.refusal is None, (entry, recorder.refusal)
            if recorder.draft is not before:
                yield entry


@pytest.mark.parametrize(("place", "rules"), [*enumerate(EDITION_NAMES)][:: scaled(2, 1)])
@pytest.mark.parametrize("seed", range(scaled(1, 25)))
def test_a_game_is_the_file_that_tiro_record_writes(place: int, rules: str, seed: int, tmp_path: Path):
    view = VIEWS[(place + seed) % len(VIEWS)]
    record = written_by(view, rules, seed)
    page = Page(tmp_path / "games", journal_of(record, view, Date="2026.11.29"))
    page.tap(*taps_of(record, view))
    assert page.said["told"] == ""
    written = only(page.folder)
    typed = tmp_path / "typed.tiro"
    headers = [part for name, value in (("Date", "2026.11.29"),) for part in ("--header", f"{name}={value}")]
    if record.header("Starts") == "Caesar":
        headers += ["--header", "Starts=Caesar"]
    command = ["record", str(typed), "--rules", rules, "--as", view, "--plain", *headers]
    run = CliRunner().invoke(main, command, input="\n".join([*lines_for(record, view), ""]))
    assert run.exit_code == 0, run.output
    assert written.read_bytes() == typed.read_bytes()
    assert page.record == written.read_text(encoding="utf-8")
    with RecordStorage(written) as storage:
        assert (Recorder(storage).draft.record.turns, storage.messages) == (record.turns, [])
        assert storage.undo()


DYING = """
import json, os, random, sys
from pathlib import Path
from tironian.tools.desk.worker import DeskSession
from tironian.tools.desk.folder import GameFolder

folder, chance = Path(sys.argv[1]), random.Random(sys.argv[2])
journal, taps = json.load(sys.stdin)
left = 0

def dying(call):
    def called(*args, **kwargs):
        global left
        left -= 1
        if not left:
            if call.__name__ == "write" and chance.random() < .5:
                call(args[0], args[1][: len(args[1]) // 2])
            os._exit(9)
        return call(*args, **kwargs)
    return called

def ask(session, **question):
    said = json.loads(session.answer(json.dumps({"game": "a", "keeps": True, **question})))
    said |= json.loads(session.answer('{"ask": "keep", "game": "a"}'))
    (record,) = folder.glob("*.tiro")
    if said["told"] or "found" in said or said["screen"]["unread"] or said["screen"]["record"] != record.read_text():
        sys.exit(str(said))

def play(done):
    for name in ("write", "fsync", "replace", "ftruncate", "open"):
        setattr(os, name, dying(getattr(os, name)))
    session = DeskSession(GameFolder(folder))
    ask(session, ask="open", journal=journal)
    for tap in taps[len(journal["taps"]) :]:
        done.write("+")  # the page has kept it
        done.flush()
        ask(session, ask="take", tap=tap)

code, deaths = 9, 0
while code == 9:
    left, (read, write) = chance.randrange(1, 200), os.pipe()
    if not os.fork():
        play(os.fdopen(write, "w"))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as done:
        told = done.read().count("+")
    journal["taps"] = taps[: len(journal["taps"]) + told]
    code = os.waitstatus_to_exitcode(os.wait()[1])
    deaths += code == 9
    if code not in (0, 9):
        sys.exit(code)
print(deaths)
"""


@pytest.mark.process
@pytest.mark.parametrize("seed", range(scaled(1, 40)))
def test_whenever_the_process_ends_the_file_catches_up(seed: int, tmp_path: Path):
    """It dies at any call that opens or writes, also in the middle of one; the page has kept the tap, and goes on."""
    given = json.dumps([journal_of(RECORD), TAPS])
    command = [sys.executable, "-c", DYING, str(tmp_path), str(seed)]
    run = subprocess.run(command, input=given, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 3
    assert GameFolder(tmp_path).journal("a") == {**journal_of(RECORD), "taps": TAPS}
    with RecordStorage(only(tmp_path)) as storage:
        assert storage.messages == []
        assert storage.text == begun_with(TAPS).kept[0]


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_is_said_until_all_is_written(page: Page, call: str, monkeypatch: pytest.MonkeyPatch):
    before = only(page.folder).read_bytes()

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as fault:
        fault.setattr(os, call, full)
        for tap in TAPS[len(page.journal["taps"]) :][:6]:
            told = page.tap(tap)["told"]
        assert "disk is full" in told
        assert "make room" in told
        assert only(page.folder).read_bytes() == before
    assert page.tap(TAPS[len(page.journal["taps"])])["told"] == ""
    assert only(page.folder).read_text(encoding="utf-8") == page.record
    assert GameFolder(page.folder).journal("a") == page.journal


def test_a_game_begins_although_its_folder_can_not_be_written(tmp_path: Path):
    folder = tmp_path / "file"
    folder.touch()
    page = Page(folder, journal_of(RECORD))
    assert str(folder) in page.said["told"]
    folder.unlink()
    page.tap(*TAPS[:9])
    assert only(folder).read_text(encoding="utf-8") == page.record


def test_an_editor_who_changes_the_open_record_loses_nothing(page: Page):
    """As in `tiro record`: that version stays beside it, and recording continues with what was recorded."""
    place = only(page.folder)
    theirs = place.read_text(encoding="utf-8") + "% by an editor\n"
    place.write_text(theirs, encoding="utf-8")
    page.tap(*TAPS[len(page.journal["taps"]) :][:6])
    assert f"{place.stem}.theirs-1.tiro" in page.said["told"]
    assert place.with_name(f"{place.stem}.theirs-1.tiro").read_text(encoding="utf-8") == theirs
    assert place.read_text(encoding="utf-8") == page.record
    page.again()
    assert page.said["told"] == ""


@pytest.mark.parametrize("way", ["editor", "recorder", "undo"])
def test_a_record_that_was_changed_while_no_page_had_it_counts(page: Page, way: str):
    """It may be changed by an editor, or by `tiro record`. Undo goes back to what had been recorded."""
    place, before = only(page.folder), page.record
    if way == "editor":
        place.write_text(before.replace("Livia", "Julia"), encoding="utf-8")
    else:
        with RecordStorage(place) as storage:
            recorder = Recorder(storage)
            assert recorder.undo() if way == "undo" else run_command(recorder, "/note x") == []
    changed = place.read_text(encoding="utf-8")
    page.again()
    if changed != before:
        assert "changed outside the desk" in page.said["screen"]["said"]
    assert page.record == changed == place.read_text(encoding="utf-8")
    page.tap({"tap": "undo"})
    assert page.record == before == place.read_text(encoding="utf-8") or changed == before
    page.tap({"tap": "redo"})
    assert page.record == changed
    page.again()
    assert (page.record, page.said["told"]) == (changed, "")


def test_a_record_that_was_removed_is_written_again(page: Page):
    place = only(page.folder)
    place.unlink()
    page.tap(*TAPS[len(page.journal["taps"]) :][:6])
    assert "gone" in page.said["told"]
    assert place.read_text(encoding="utf-8") == page.record


def test_a_game_that_was_moved_goes_on_there(page: Page):
    for place in [*page.folder.iterdir()]:
        place.rename(
            place.with_name(place.name.replace(only(page.folder).stem if place.suffix == "" else "livia", "b"))
        )
    page.tap(*TAPS[len(page.journal["taps"]) :][:6])
    assert page.said["told"] == ""
    assert [place.name for place in page.folder.glob("*.tiro")] == ["b.tiro"]
    assert (page.folder / "b.tiro").read_text(encoding="utf-8") == page.record


def test_another_recorder_keeps_the_record(page: Page):
    """While `tiro record` has it open, taps stay in the browser, and reach the file afterwards."""
    place = only(page.folder)
    with RecordStorage(place):
        page.tap(*TAPS[len(page.journal["taps"]) :][:6])
        assert "someone else is recording" in page.said["told"]
    page.tap(TAPS[len(page.journal["taps"])])
    assert page.said["told"] == ""
    assert place.read_text(encoding="utf-8") == page.record


def test_of_two_windows_the_second_is_told_that_the_game_went_on(page: Page):
    other = Page(page.folder, json.loads(json.dumps(page.journal)))
    assert other.said["told"] == ""
    page.tap(*TAPS[len(page.journal["taps"]) :][:4])
    assert "another window" in other.tap({"tap": "undo"})["told"]
    assert only(page.folder).read_text(encoding="utf-8") == page.record
    assert GameFolder(page.folder).journal("a") == page.journal
    apart = Page(page.folder, other.journal, "b")
    assert (apart.said["told"], len([*page.folder.glob("*.tiro")])) == ("", 2)
    assert {each["id"] for each in GameFolder(page.folder).games()} == {"a", "b"}


def test_games_of_the_same_players_get_names_of_their_own(tmp_path: Path):
    headers = {"Caesar": "Anna / ../..", "Cleopatra": "Бен", "Date": "2026.11.29"}
    for game in "abc":
        Page(tmp_path, journal_of(RECORD, **headers), game).tap(*TAPS[:6])
    names = sorted(place.name for place in tmp_path.glob("*.tiro"))
    assert names == [f"anna-бен-2026.11.29{more}.tiro" for more in ("-2", "-3", "")]


def damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """A file of taps with one thing wrong, and what is wrong with it."""
    lines = data.splitlines(keepends=True)
    yield "torn", data[:-5]
    yield "a tap", b"".join([*lines[:3], b"?\n", *lines[4:]])
    yield "head", b"?" + data
    yield "empty", b""
    yield "zeros", data + bytes(100)


@pytest.mark.parametrize("what", ["torn", "a tap", "head", "empty", "zeros"])
def test_damaged_taps_cost_nothing_that_the_page_knows(page: Page, what: str):
    taps = Path(f"{only(page.folder)}.taps")
    damaged = dict(damages(taps.read_bytes()))[what]
    taps.write_bytes(damaged)
    page.again()
    page.tap(*TAPS[len(page.journal["taps"]) :][:6])
    assert page.said["told"] == ""
    folder = GameFolder(page.folder)
    assert folder.journal("a") == page.journal
    (place,) = [page.folder / each["file"] for each in folder.games()]
    assert place.read_text(encoding="utf-8") == page.record
    kept = [other.read_bytes() for other in page.folder.iterdir() if ".taps" in other.name]
    assert what in ("torn", "zeros") or damaged in kept, "what can't be read is kept beside it"


def test_what_is_in_the_folder_is_the_library(page: Page, tmp_path: Path):
    """Records of others, in subfolders and packed, too; and no name leads outside."""
    (page.folder / "round1").mkdir()
    example = (Path(__file__).parents[2] / "examples/2024/annotated.tiro").read_text(encoding="utf-8")
    (page.folder / "round1/two.tiro").write_text(example * 2, encoding="utf-8")
    (tmp_path / "secret.tiro").write_text(example, encoding="utf-8")
    (page.folder / "link.tiro").symlink_to(tmp_path / "secret.tiro")
    said, games = page.ask(ask="folder"), []
    faults = []
    while True:
        games += said["games"]
        faults += [said["fault"]] if "fault" in said else []
        if not said["more"]:
            break
        said = page.ask(ask="more")
    known = [(each["file"], each["place"], each["game"]) for each in games]
    assert known == [("livia.tiro", 0, "a"), ("round1/two.tiro", 0, None), ("round1/two.tiro", 1, None)]
    assert ["link.tiro" in fault for fault in faults] == [True]
    for game in games:
        assert page.ask(ask="text", name=game["file"], place=game["place"]) == {"text": game["text"]}
    for name in ("../secret.tiro", str(tmp_path / "secret.tiro"), "link.tiro", "nowhere.tiro", "livia.tiro.taps", ""):
        assert page.ask(ask="text", name=name, place=0) == {"fault": "There is no such game on this device."}
        assert "no such game" in page.ask(ask="go on", name=name)["fault"]
    assert "fault" in page.ask(ask="text", name="round1/two.tiro", place=2)
    assert "single record" in page.ask(ask="go on", name="round1/two.tiro")["fault"]
    assert page.ask(ask="put", name="x/../y.tiro", text=example)["name"] == "y.tiro"
    assert page.ask(ask="put", name="y.tiro", text=example)["name"] == "y.tiro"
    assert page.ask(ask="put", name="y.tiro", text=example + "\n")["name"] == "y-2.tiro"


@pytest.mark.parametrize("rules", EDITION_NAMES if FULL else EDITION_NAMES[1:2])
def test_a_record_of_tiro_record_is_gone_on_with(rules: str, tmp_path: Path):
    record = written_by("table", rules, 3)
    taps = taps_of(record)
    half = begun(record, "table")
    for tap in islice(taps, len(taps) // 2):
        half.take(tap)
    place = tmp_path / "theirs.tiro"
    place.write_text(half.kept[0], encoding="utf-8")
    session = DeskSession(GameFolder(tmp_path))
    taken = json.loads(session.answer(json.dumps({"ask": "go on", "name": "theirs.tiro"})))
    page = Page(tmp_path, taken["journal"], taken["game"])
    assert (page.record, page.said["told"], page.said["screen"]["said"]) == (half.kept[0], "", "")
    assert not page.said["screen"]["can"]["undo"], "what was there before is not taken back"
    page.tap(*tapped(Desk.of(page.journal), record))
    assert [*tmp_path.glob("*.tiro")] == [place]
    assert place.read_text(encoding="utf-8") == page.record
    assert page.said["screen"]["over"]
    again = json.loads(session.answer(json.dumps({"ask": "go on", "name": "theirs.tiro"})))
    assert again == {"game": page.game, "journal": page.journal}


def test_hostile_messages_write_nothing_outside_the_folder(tmp_path: Path):
    """Names, journals and messages of any kind."""
    chance, folder = random.Random(3), tmp_path / "games"
    page = Page(folder, journal_of(RECORD))
    odd = [
        "../x.tiro", "/tmp/x.tiro", "", None, 7, [], {}, "a" * 9000, "\0", "\ud800", "con.tiro", {"file": "../x.tiro"},
    ]  # fmt: skip
    for _ in range(scaled(300, 10_000)):
        start = {**page.journal["start"], "file": chance.choice(odd), "headers": {"Caesar": chance.choice(odd)}}
        journal = {
            "desk": chance.choice([2, 1, 99, "x"]),
            "start": start,
            "taps": [{"tap": "found", "text": chance.choice(odd)}],
        }
        kind = chance.choice(
            ["games", "journal", "go on", "folder", "more", "text", "put", "open", "take", "keep", "close"]
        )
        message = {
            "ask": kind,
            "name": chance.choice(odd),
            "text": chance.choice(odd),
            "place": chance.choice([*odd, -1]),
        }
        page.ask(**message, game=chance.choice(["a", "b", *odd]), journal=chance.choice([journal, None]), keeps=True)
    assert [*tmp_path.iterdir()] == [folder]
    assert all(place.is_relative_to(folder.resolve()) for place in (each.resolve() for each in folder.rglob("*")))
