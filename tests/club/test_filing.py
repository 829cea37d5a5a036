"""Records of a club as files: what the journals say, to the byte, and nobody else's text is ever replaced."""

from __future__ import annotations

import errno
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from scale import scaled
from test_store import HEAD, at_once, begun, refused
from tironian.tools.club.filing import Filed, file_record
from tironian.tools.club.store import ClubStore
from tironian.tools.desk.desk import Desk
from tironian.tools.desk.taps import tap_of
from tironian.tools.storage import CannotRun

NAME = "livia-marcus.tiro"
BESIDE = "livia-marcus.ours-1.tiro"
CALLS = ("open", "fsync", "chmod", "replace", "mkdir")


@cache
def tapped(seed: int, number: int) -> list[dict[str, Any]]:
    """Tap at random on what is offered."""
    desk, chance, taps = Desk.of(HEAD), random.Random(seed), list[dict[str, Any]]()
    for _ in range(number):
        taps.append(tap_of(chance.choice(sorted(desk.offered()))))
        desk.put(taps[-1])
    return taps


TAPS = tapped(1, 30)


@cache
def told(number: int) -> bytes:
    return Desk.of(HEAD | {"taps": TAPS[:number]}).kept[0].encode()


CHANGES = [number for number in range(16, len(TAPS) + 1) if told(number) != told(number - 1)]
"""After how many taps the record says something new."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of an event, beside what is not of it."""
    folder = tmp_path / "open"
    folder.mkdir()
    (tmp_path / "elsewhere.tiro").write_text("theirs\n")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ClubStore]:
    with ClubStore(tmp_path / "club.sqlite") as store:
        yield store


@pytest.fixture
def device(store: ClubStore) -> int:
    """A device with half of a game."""
    device = begun(store)
    store.take(device, 0, TAPS[:15])
    return device


def texts(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_record_is_what_its_journal_says(store: ClubStore, folder: Path, device: int):
    assert file_record(store, device, folder, NAME) == Filed(NAME, True, "")
    assert texts(folder) == {NAME: told(15)}
    before = (folder / NAME).stat()
    for name in (NAME, "another.tiro"):  # it keeps the name that it has
        assert file_record(store, device, folder, name) == Filed(NAME, False, "")
    assert (folder / NAME).stat() == before
    store.take(device, 15, TAPS[15:])
    assert file_record(store, device, folder, NAME) == Filed(NAME, True, "")
    assert texts(folder) == {NAME: told(30)}


def test_strange_letters_are_written(store: ClubStore, folder: Path, device: int):
    store.take(device, 15, [{"tap": "text", "text": "/note Zoë \ud800 \udcff\x1b\r\n"}])
    file_record(store, device, folder, NAME)
    assert "Zoë" in (folder / NAME).read_text(encoding="utf-8", errors="surrogateescape")
    assert file_record(store, device, folder, NAME) == Filed(NAME, False, "")


def test_everything_is_on_disk_in_this_order(
    store: ClubStore, folder: Path, device: int, monkeypatch: pytest.MonkeyPatch
):
    """A machine whose power fails knows the file for its own, whether or not the record has come there."""
    done: list[str] = []

    def watch(owner: Any, name: str, called: Callable[..., str] = lambda *_: "") -> None:
        call = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *args: done.append(called(*args) or name) or call(*args))

    watch(os, "fsync", lambda file: "folder" if os.path.samestat(os.fstat(file), folder.stat()) else "file")
    watch(os, "replace")
    watch(ClubStore, "note_intended")
    watch(ClubStore, "note_written")
    file_record(store, device, folder, NAME)
    assert done == ["note_intended", "file", "replace", "folder", "note_written"]


def test_two_stores_write_the_same_bytes(store: ClubStore, folder: Path, device: int, tmp_path: Path):
    """However the taps came."""
    store.take(device, 15, TAPS[15:])
    file_record(store, device, folder, NAME)
    with ClubStore(tmp_path / "other.sqlite") as other:
        there = begun(other)
        for number in range(0, len(TAPS), 2):
            other.take(
                there,
                max(0, number - 3),
                [dict(reversed(tap.items())) for tap in TAPS[: number + 2]][max(0, number - 3) :],
            )
            file_record(other, there, tmp_path / "again", NAME)
    assert texts(folder) == texts(tmp_path / "again") == {NAME: told(30)}


def test_a_removed_file_is_written_again(store: ClubStore, folder: Path, device: int):
    file_record(store, device, folder, f"round-1/{NAME}")
    (folder / "round-1" / NAME).unlink()
    (folder / "round-1").rmdir()
    assert file_record(store, device, folder, f"round-1/{NAME}") == Filed(f"round-1/{NAME}", True, "")
    assert texts(folder) == {f"round-1/{NAME}": told(15)}


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_changed_file_is_kept(store: ClubStore, folder: Path, device: int, goes_on: bool):
    file_record(store, device, folder, NAME)
    theirs = told(15) + b"% by an editor\n"
    (folder / NAME).write_bytes(theirs)
    number = 30 if goes_on else 15
    store.take(device, 0, TAPS[:number])
    assert file_record(store, device, folder, NAME) == Filed(BESIDE, True, NAME)
    for _ in range(2):
        assert texts(folder) == {NAME: theirs, BESIDE: told(number)}
        assert file_record(store, device, folder, NAME) == Filed(BESIDE, False, "")
    (folder / BESIDE).write_bytes(b"theirs too\n")
    assert file_record(store, device, folder, NAME) == Filed("livia-marcus.ours-2.tiro", True, BESIDE)
    assert [*texts(folder).values()].count(told(number)) == 1
    assert {theirs, b"theirs too\n"} < {*texts(folder).values()}


def test_a_file_of_somebody_else_is_kept(store: ClubStore, folder: Path, device: int):
    """Unless it says the very same."""
    (folder / NAME).write_bytes(b"theirs\n")
    (folder / BESIDE).symlink_to("nowhere.tiro")
    assert file_record(store, device, folder, NAME) == Filed("livia-marcus.ours-2.tiro", True, NAME)
    other = begun(store)
    store.take(other, 0, TAPS[:15])
    (folder / "same.tiro").write_bytes(told(15))
    assert file_record(store, other, folder, "same.tiro") == Filed("same.tiro", False, "")
    store.take(other, 15, TAPS[15:])
    assert file_record(store, other, folder, "same.tiro") == Filed("same.tiro", True, "")


def test_two_devices_have_files_of_their_own(store: ClubStore, folder: Path, device: int):
    other = begun(store)
    store.take(other, 0, tapped(2, 20))
    file_record(store, device, folder, NAME)
    assert file_record(store, other, folder, NAME) == Filed(BESIDE, True, NAME)
    assert file_record(store, device, folder, NAME) == Filed(NAME, False, "")


def test_threads_file_one_after_the_other(store: ClubStore, folder: Path, device: int, monkeypatch: pytest.MonkeyPatch):
    replace = os.replace

    def replaced(*names: str) -> None:
        assert store.filing.locked()
        replace(*names)

    monkeypatch.setattr(os, "replace", replaced)

    def send() -> None:
        for number in range(15, len(TAPS)):
            store.take(device, number, [TAPS[number]])
            assert not file_record(store, device, folder, NAME).kept

    at_once(*[send] * scaled(3, 8))
    assert texts(folder) == {NAME: told(30)}


# ---------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    [
        "../elsewhere.tiro", "round/../../elsewhere.tiro", "{}/elsewhere.tiro", "..", "", ".", "event.toml",
        "club.sqlite", "a\0.tiro", "\ud800.tiro", f"{chr(0xDC80)}.tiro", "out.tiro", "out/elsewhere.tiro",
        "round.tiro", "round.tiro/a.tiro",
    ],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(store: ClubStore, folder: Path, device: int, name: str):
    (folder / "out.tiro").symlink_to("../elsewhere.tiro")
    (folder / "out").symlink_to("..")
    (folder / "round.tiro").symlink_to("round.tiro")
    before = texts(folder.parent)
    assert refused(file_record, store, device, folder, name.format(folder.parent)) == "name"
    assert store.written(device) is None
    after = texts(folder.parent)
    assert {name: data for name, data in after.items() if "sqlite" not in name} == {
        name: data for name, data in before.items() if "sqlite" not in name
    }


def test_a_file_that_became_a_link_out_is_not_written(store: ClubStore, folder: Path, device: int):
    file_record(store, device, folder, NAME)
    (folder / NAME).unlink()
    (folder / NAME).symlink_to("../elsewhere.tiro")
    assert refused(file_record, store, device, folder, NAME) == "name"
    (folder / NAME).unlink()
    (folder / "within.tiro").write_bytes(told(15))
    (folder / NAME).symlink_to("within.tiro")
    store.take(device, 15, TAPS[15:])
    file_record(store, device, folder, NAME)
    assert (folder / "within.tiro").read_bytes() == told(30)


def test_without_a_game_there_is_no_record(store: ClubStore, folder: Path):
    device, _ = store.ask("1", 0)
    assert refused(file_record, store, device, folder, NAME) == "no game"
    assert texts(folder) == {}


# --------------------------------------------------------------------------------------------------------- faults


class Failing:
    """Lets the n-th call of the system fail, counted from 0, and all behind it if it is ``lasting``."""

    def __init__(self, patch: pytest.MonkeyPatch, fails: int, lasting: bool):
        self.left, self.lasting = fails, lasting
        for name in CALLS:
            patch.setattr(os, name, self.around(getattr(os, name)))

    def around(self, call: Callable) -> Callable:
        def called(*args: Any, **options: Any) -> Any:
            self.left -= 1
            if self.left == -1 or (self.lasting and self.left < 0):
                raise OSError(errno.ENOSPC, "No space left on device")
            return call(*args, **options)

        return called


@pytest.mark.parametrize("lasting", [False, True])
@pytest.mark.parametrize("begins", [False, True])
def test_a_full_disk_changes_nothing(store: ClubStore, folder: Path, begins: bool, lasting: bool):
    failed = 0
    for call in count():
        device = begun(store)
        name = f"{device}/{NAME}"
        store.take(device, 0, TAPS[:15])
        if not begins:
            file_record(store, device, folder, name)
        store.take(device, 15, TAPS[15:])
        before = texts(folder)
        with pytest.MonkeyPatch.context() as patch:
            failing = Failing(patch, call, lasting)
            try:
                file_record(store, device, folder, name)
            except OSError:
                failed += 1
                assert texts(folder) in (before, before | {name: told(30)})
        assert not file_record(store, device, folder, name).kept
        assert texts(folder) == before | {name: told(30)}
        if failing.left >= 0:
            break
    assert failed > 2


@pytest.mark.parametrize("note", ["note_intended", "note_written"])
def test_a_store_that_is_full_loses_nothing(
    store: ClubStore, folder: Path, device: int, note: str, monkeypatch: pytest.MonkeyPatch
):
    """What was written and not noted is known again, though the game has gone on since."""
    file_record(store, device, folder, NAME)
    for at, number in enumerate(CHANGES):
        store.take(device, 0, TAPS[:number])
        with monkeypatch.context() as patch:
            patch.setattr(ClubStore, note, lambda *_: (_ for _ in ()).throw(CannotRun("full")))
            with pytest.raises(CannotRun):
                file_record(store, device, folder, NAME)
        if at % 3 == 0:
            assert file_record(store, device, folder, NAME).kept == ""
    assert file_record(store, device, folder, NAME).kept == ""
    assert texts(folder) == {NAME: told(CHANGES[-1])}


KILLED = """
import os, random, signal, sys
from pathlib import Path
from test_filing import HEAD, NAME, TAPS, told
from tironian.tools.club.filing import file_record
from tironian.tools.club.store import ClubStore

path, folder, kills, chance = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), random.Random(1)
left = 0

def moment(name, *_):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

def around(call):
    def called(*args, **options):
        moment(call)
        done = call(*args, **options)
        moment(call)
        return done
    return called

def play(device):
    for name in ("open", "fsync", "chmod", "replace"):
        setattr(os, name, around(getattr(os, name)))
    for name in ("take", "note_intended", "note_written"):
        setattr(ClubStore, name, around(getattr(ClubStore, name)))
    with ClubStore(path) as store:
        kept = store.take(device, 1_000_000, [])
        while kept < len(TAPS):
            kept = store.take(device, kept, TAPS[kept : kept + chance.randrange(1, 4)])
            if file_record(store, device, folder, f"{device}.tiro").kept:
                os._exit(1)

device = done = 0
while done < kills:
    if not device:
        with ClubStore(path) as store:
            device, _ = store.ask(f"game {done}", 0)
            store.begin(device, HEAD)
    left = chance.randrange(1, 60)
    if not (child := os.fork()):
        chance.seed(done)
        play(device)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == -signal.SIGKILL:
        done += 1
        with ClubStore(path) as store:
            there = [told(number) for number in range(len(store.journal(device)["taps"]) + 1)]
        record = folder / f"{device}.tiro"
        if record.exists() and record.read_bytes() not in there:
            sys.exit(f"{record} is not whole")
    elif code:
        sys.exit(f"a record was taken for somebody else's, or {code}")
    else:
        device = 0
print(done)
"""


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_a_record_is_whole_whenever_the_server_is_killed(folder: Path, tmp_path: Path):
    """Before or after any call, between the file and the note of it as well; and it is filed again from there."""
    kills = scaled(8, 200)
    command = [sys.executable, "-c", KILLED, str(tmp_path / "club.sqlite"), str(folder), str(kills)]
    run = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    assert (run.returncode, run.stdout) == (0, f"{kills}\n"), run.stderr
    with ClubStore(tmp_path / "club.sqlite") as store:
        for device in store.devices():
            store.take(device.number, 0, TAPS)
            assert not file_record(store, device.number, folder, f"{device.number}.tiro").kept
        assert texts(folder) == {f"{device.number}.tiro": told(len(TAPS)) for device in store.devices()}
