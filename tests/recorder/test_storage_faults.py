"""Where the disk refuses, nothing is changed, the recorder is told, and what was entered can be entered again."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from journals import crashed, entries, journal_of, names, opened, recorded
from tironian.tools.recorder.storage import NotKept, RecordStorage
from tironian.tools.storage.files import save_beside

CALLS = ("write", "fsync", "replace", "ftruncate", "open", "chmod")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.tiro"


class Failing:
    """Lets the n-th of the calls of the system fail, counted from 0, and all behind it where it is ``lasting``."""

    def __init__(self, patch: pytest.MonkeyPatch, fails: int, code: int, lasting: bool = False, half: bool = False):
        self.calls, self.fails, self.code, self.lasting, self.half = 0, fails, code, lasting, half
        for name in CALLS:
            patch.setattr(os, name, self.around(getattr(os, name)))

    def around(self, call: Callable) -> Callable:
        def called(*args, **kwargs):
            count, self.calls = self.calls, self.calls + 1
            if count == self.fails or (self.lasting and count > self.fails):
                if self.half and call.__name__ == "write":
                    call(args[0], args[1][: len(args[1]) // 2])
                raise OSError(self.code, os.strerror(self.code))
            return call(*args, **kwargs)

        return called


def contents(path: Path) -> dict[str, bytes]:
    return {name: path.with_name(name).read_bytes() for name in names(path)}


def calls_of(act: Callable[[], object]) -> int:
    """How many calls of the system something takes where none fails."""
    with pytest.MonkeyPatch.context() as patch:
        counting = Failing(patch, -1, 0)
        act()
        return counting.calls


def told_by(act: Callable[[], object]) -> str:
    """What somebody is told for whom it fails; nothing where it does not."""
    try:
        act()
    except NotKept as told:
        return str(told)
    return ""


@pytest.mark.parametrize("code", ERRORS)
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("act", ["keep", "undo", "redo"])
def test_each_call_fails_once(path, code, half, act):
    with RecordStorage(path) as storage:
        for text in ("a\n", "a\nb\n", "a\nb\nc\n"):
            storage.keep(text, "entry")
        storage.undo()
        acts = {"keep": lambda: storage.keep("a\nb\nd\n", "entry", "1E"), "undo": storage.undo, "redo": storage.redo}
        whole = calls_of(acts[act])
        assert whole >= 6
        after = storage.text
        storage.redo() if act == "undo" else storage.undo()
        if act == "keep":
            storage.redo()
            storage.undo()
        failed = 0
        for call in range(whole):
            before, text = contents(path), storage.text
            with pytest.MonkeyPatch.context() as patch:
                Failing(patch, call, code, half=half)
                told = told_by(acts[act])
            if told:
                failed += 1
                assert "nothing was changed, and the last entry was not kept" in told
                assert (contents(path), storage.text) == (before, text)
                continue
            assert storage.text == path.read_text() == after
            assert not any(name.startswith(".") for name in names(path))
            storage.redo() if act == "undo" else storage.undo()
        assert failed >= 5
        acts[act]()
        assert storage.messages == []
    assert opened(path) == (after, [])


def test_what_somebody_else_wrote_survives_each_fault(path):
    """It is in the record's file, or beside it; never in neither, and never half."""
    with RecordStorage(path) as storage:
        storage.keep("ours\n", "entry")
        for call in range(40):
            theirs = f"theirs {call}\n".encode()
            path.write_bytes(theirs)
            with pytest.MonkeyPatch.context() as patch:
                failing = Failing(patch, call, errno.ENOSPC, half=True)
                told = told_by(lambda call=call: storage.keep(f"ours {call}\n", "entry"))
            found = [data for name, data in contents(path).items() if "trail" not in name]
            assert theirs in found
            assert all(data.startswith((b"ours", b"theirs")) for data in found)
            if told:
                assert path.read_bytes() == theirs
            else:
                assert path.read_text() == storage.text == f"ours {call}\n"
            if failing.calls <= call:
                break
        assert call > 10
    assert opened(path) == (f"ours {call}\n", [])


def test_what_somebody_else_wrote_is_saved_once(path, monkeypatch):
    with RecordStorage(path) as storage:
        storage.keep("ours\n", "entry")
        path.write_bytes(b"theirs\n")
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError(errno.EIO, "")))
            for _ in range(2):
                with pytest.raises(NotKept):
                    storage.keep("ours too\n", "entry")
        storage.keep("ours too\n", "entry")
        assert len(storage.messages) == 1
    assert names(path) == ["game.theirs-1.tiro", "game.tiro", "game.tiro.trail"]


def test_a_file_that_can_not_be_saved_beside_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.EIO, "")))
    with pytest.raises(OSError):
        save_beside(lambda number: tmp_path / str(number), b"theirs", 0o600)
    assert not list(tmp_path.iterdir())


def test_the_trail_is_on_disk_before_the_record(path, monkeypatch):
    """A machine whose power fails keeps what was synced, in this order."""
    with RecordStorage(path) as storage:
        known = {journal_of(path).stat().st_ino: "trail", path.parent.stat().st_ino: "folder"}
        done = []
        sync, replace = os.fsync, os.replace
        monkeypatch.setattr(
            os, "fsync", lambda file: done.append(known.get(os.fstat(file).st_ino, "new")) or sync(file)
        )
        monkeypatch.setattr(os, "replace", lambda *names: done.append("replace") or replace(*names))
        storage.keep("a\n", "entry")
    assert done == ["trail", "new", "replace", "folder"]


def test_the_disk_stays_full(path):
    """The trail can't even be cut back then; once there is room again, it is."""
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        whole = calls_of(lambda: storage.keep("b\n", "entry"))
        storage.undo()
        for call in range(whole - 3):  # the last ones sync the folder and note what is kept, where that can be done
            with pytest.MonkeyPatch.context() as patch:
                Failing(patch, call, errno.ENOSPC, lasting=True, half=True)
                for _ in range(2):
                    with pytest.raises(NotKept, match="disk is full"):
                        storage.keep("c\n", "entry")
            assert storage.text == path.read_text() == "a\n"
        storage.keep("d\n", "entry")
        assert storage.text == path.read_text() == "d\n"
    assert [each["what"] for each in entries(path)[1:]] == ["entry", "entry", "undo", "entry"]
    assert opened(path) == ("d\n", [])


@pytest.mark.parametrize("state", ["new", "without a trail", "not carried out", "found", "gone", "damaged", "torn"])
def test_opening_fails_at_each_call(path, state):
    """Whatever fails while somebody opens a record: afterwards everything is still there."""

    def prepare() -> None:
        for name in names(path):
            path.with_name(name).unlink()
        if state == "without a trail":
            path.write_text("a\nb\n")
        elif state != "new":
            recorded(path, "a\n", "a\nb\n")
        if state in ("not carried out", "found"):
            crashed(path, "a\n" if state == "not carried out" else "theirs\n")
        elif state == "gone":
            path.unlink()
        elif state in ("damaged", "torn"):
            journal_of(path).write_bytes(journal_of(path).read_bytes() + (b"{" if state == "torn" else b"{\n"))

    prepare()
    whole = calls_of(lambda: opened(path))
    assert whole >= 1
    for call in range(whole):
        prepare()
        before = contents(path)
        with pytest.MonkeyPatch.context() as patch:
            Failing(patch, call, errno.EIO, half=True)
            told = told_by(lambda: opened(path))
        assert not told or "the disk has failed, so nothing can be recorded" in told
        text, _ = opened(path)
        assert text == {"new": "", "found": "theirs\n"}.get(state, "a\nb\n")
        if state == "damaged":
            assert before["game.tiro.trail"] in contents(path).values()
        elif state in ("not carried out", "found", "gone", "torn"):
            with RecordStorage(path) as storage:
                assert storage.undo()
                assert storage.text == ("a\nb\n" if state == "found" else "a\n")


def test_what_interrupts_leaves_no_half_entry(path):
    """Ctrl-C comes wherever it likes."""
    with RecordStorage(path) as storage:
        storage.keep("a\n", "entry")
        for name in ("fsync", "replace"):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(os, name, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
                with pytest.raises(KeyboardInterrupt):
                    storage.keep("b\n", "entry")
            assert storage.text == path.read_text() == "a\n"
            assert len(entries(path)) == 2
    assert names(path) == ["game.tiro", "game.tiro.trail"]


def run(code: str, path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, sys.executable, "-c", code, str(path)], capture_output=True, text=True)


FILLING = """
import sys
from tironian.tools.storage.files import save_beside
from tironian.tools.recorder.storage import RecordStorage, NotKept
path = sys.argv[1]
text = kept = ""
with RecordStorage(path) as storage:
    for number in range(4000):
        text = storage.text + f"; line {number}\\n"
        try:
            storage.keep(text, "entry")
        except NotKept as told:
            print(told)
            break
        kept = text
    else:
        sys.exit("never full")
    assert storage.text == kept == open(path).read()
"""


@pytest.mark.process
def test_a_limit_of_size(path):
    """A limit that a shell sets is reached in the middle of a line of the trail."""
    pytest.importorskip("resource", reason="there are no such limits on this system")
    limit = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20011, 20011))
"""
    done = run(limit + FILLING, path)
    assert done.returncode == 0, done.stderr
    assert "the file size limit is reached" in done.stdout
    assert names(path) == ["game.tiro", "game.tiro.trail"]
    assert journal_of(path).stat().st_size < 20011
    assert opened(path) == (path.read_text(), [])


@pytest.mark.process
def test_a_disk_that_is_full(tmp_path):
    """A real one of 64 kilobytes, where the system lets us have it."""
    place = tmp_path / "disk"
    place.mkdir()
    out = tmp_path / "out"
    script = f'mount -t tmpfs -o size=64k none "{place}" || exit 77; "$@" || exit 1; cp -r "{place}" "{out}"'
    try:
        done = run(FILLING, place / "game.tiro", "unshare", "-rm", "sh", "-c", script, "sh")
    except FileNotFoundError:
        pytest.skip("there is no unshare on this system")
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("this system gives us no disk of our own")
    assert done.returncode == 0, done.stderr
    assert "the disk is full" in done.stdout
    path = out / "game.tiro"
    assert names(path) == ["game.tiro", "game.tiro.trail"]
    assert opened(path) == (path.read_text(), [])
