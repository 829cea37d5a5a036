"""A program that dies, at whatever moment, takes nothing along that was kept."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from journals import entries, journal_of, names, opened, recorded
from scale import scaled
from tironian import parse
from tironian.tools.recorder.storage import NotKept, RecordStorage

pytestmark = pytest.mark.process
forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
HEADER = '[Rules "2024"]\n[Event "Crash"]\n\n'

RECORDER = """
import sys
from itertools import count
from tironian.tools.recorder.storage import RecordStorage

with RecordStorage(sys.argv[1]) as storage:
    if not storage.text:
        storage.keep('[Rules "2024"]\\n[Event "Crash"]\\n\\n', "entry")
    for number in count(storage.text.count("5A")):
        word = " 5A" if number % 4 else f"\\n{number // 4 + 1}E 5A"
        storage.keep((storage.text.removesuffix("\\n") + word).lstrip("\\n") + "\\n", "entry")
        print(number + 1, flush=True)
"""

DYING = """
import os, shutil, sys
from pathlib import Path
from tironian.tools.recorder.storage import RecordStorage

begun, half, acts, left = Path(sys.argv[1]), sys.argv[2] == "half", sys.argv[3:], 0

def dying(call):
    def called(*args, **kwargs):
        global left
        if not left:
            if half and call.__name__ == "write":
                call(args[0], args[1][: len(args[1]) // 2])
            os._exit(9)
        left -= 1
        return call(*args, **kwargs)
    return called

def record(path):
    with path.with_name("done").open("w") as done:
        for name in ("write", "fsync", "replace", "ftruncate", "open", "chmod"):
            setattr(os, name, dying(getattr(os, name)))
        with RecordStorage(path) as storage:
            for act in acts:
                does = {"undo": storage.undo, "redo": storage.redo, "undo all": lambda: storage.undo(lambda _: False)}
                does.get(act, lambda: storage.keep(act, "entry"))()
                print(act, file=done, end="|", flush=True)

for number in range(200):
    path = begun.parent.with_name(f"{number:03}") / begun.name
    shutil.copytree(begun.parent, path.parent)
    if not os.fork():
        left = number
        record(path)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.wait()[1])
    if code != 9:
        sys.exit(code)
"""


def deaths(begun: Path, *more: str) -> list[tuple[Path, int]]:
    """Let a recorder die at its first call, another one at the next, until one comes to the end of his acts.

    They begin with copies of one folder. Return each one's record, and how many acts he had done.
    """
    subprocess.run([sys.executable, "-c", DYING, begun, *more], check=True)
    paths = [folder / begun.name for folder in sorted(begun.parents[1].glob("[0-9]*"))]
    return [(path, path.with_name("done").read_text().count("|")) for path in paths]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.tiro"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing can be killed like that on this system")
@pytest.mark.parametrize("seed", range(scaled(1, 33)))
def test_a_recorder_that_is_killed(path, seed):
    """Each recorder goes on where the last one was killed; what it had printed is there, and no more than one more."""
    chance = random.Random(seed)
    seen = 0
    for _ in range(15):
        printed = killed(path, chance.randrange(20))
        assert seen < printed
        on_disk = path.read_text().count("5A")
        text, told = opened(path)
        assert told == []
        assert text == path.read_text()
        seen = text.count("5A")
        assert on_disk <= seen
        assert printed <= seen <= printed + 1
        (game,) = parse(text)
        assert [len(turn.tokens) for turn in game.record.turns] == [4] * (seen // 4) + [seen % 4] * (seen % 4 > 0)
    # Nothing is left behind but what a killed program could not clear away any more.
    assert {"game.tiro", "game.tiro.trail"} == {name for name in names(path) if not name.startswith(".game.tiro.")}
    with RecordStorage(path) as storage:
        for _ in range(len(entries(path)) - 1):
            assert storage.undo()
        assert storage.text == ""


def killed(path: Path, further: int) -> int:
    """Let somebody record, and kill him that many entries after his first; return how many words he had printed.

    He never stops by himself, and so he is killed at whatever he does behind that entry.
    """
    with subprocess.Popen([sys.executable, "-c", RECORDER, path], stdout=subprocess.PIPE, text=True) as recorder:
        assert recorder.stdout is not None
        printed = [recorder.stdout.readline()]
        with pytest.raises(NotKept, match="someone else is recording"):
            RecordStorage(path)
        printed += [recorder.stdout.readline() for _ in range(further)]
        recorder.send_signal(signal.SIGKILL)
        printed += recorder.stdout
    assert recorder.returncode == -signal.SIGKILL
    return max(int(line) for line in printed if line.endswith("\n"))


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A record in a folder of its own."""
    (tmp_path / "begun").mkdir()
    return tmp_path / "begun" / "game.tiro"


@forks
@pytest.mark.parametrize("half", ["", "half"])
@pytest.mark.parametrize(
    "acts", [("b\n",), ("undo", "redo", "undo"), ("undo all", "redo")], ids=["keep", "undo", "all"]
)
def test_a_recorder_that_dies_at_each_call(begun, half, acts):
    """The states are those before and after each act; the one that stands is the last finished one or the next."""
    after = {("b\n",): ["b\n"], ("undo", "redo", "undo"): ["0\n", "1\n", "0\n"], ("undo all", "redo"): ["", "1\n"]}
    states = ["1\n", *after[acts]]
    recorded(begun, "0\n", "1\n")
    found = deaths(begun, half, *acts)
    assert 6 < len(found) - 1 < 199
    assert found[-1][1] == len(acts)
    for path, done in found:
        text, told = opened(path)
        assert text == path.read_text()
        assert text in states[done : done + 2]
        assert told == []
        with RecordStorage(path) as storage:
            while storage.undo():
                pass
            assert storage.text == ""


@forks
def test_a_trail_is_begun_or_not(begun):
    """Who dies over the first line of a trail leaves the record as it was."""
    begun.write_text(HEADER)
    found = deaths(begun, "")
    assert len(found) > 6
    for path, _ in found:
        assert path.read_text() == HEADER
        assert opened(path) == (HEADER, [])
        assert journal_of(path).exists()
