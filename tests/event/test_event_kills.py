"""A review that is killed at any moment: what it was doing is done whole or not at all, and it goes on from there."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from archives import tiro
from events import PLANTS, Event
from scale import scaled
from test_event_changes import MENDED, files, review
from tironian.tools.event.plan import read_plan

MOMENTS = scaled(4, 100)
TROUBLES = [*enumerate(MENDED), *enumerate(MENDED, 20)]
ANSWERS = "a\n" * len(TROUBLES)
KILLED = """
import os, signal, sys
left, folder, sync = int(sys.argv[1]), sys.argv[2], os.fsync
def moment():
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
def audited(name, args):
    writes = name in ("os.rename", "os.remove", "os.mkdir", "os.link") or (name == "open" and args[2] & 3)
    if writes and folder in str(args[0]):
        moment()
def synced(handle):
    moment()
    sync(handle)
os.fsync = synced
sys.addaudithook(audited)
from tironian.tools.cli.command_line import main
try:
    main(["event", folder, "--review", "-j", "1"])
finally:
    print("left", left)
"""
"""A review that is killed before it touches a file, or waits for one to be on the disk, for the nth time."""


def killed(folder: Path, moments: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KILLED, str(moments), str(folder)]
    return subprocess.run(command, input=ANSWERS, capture_output=True, text=True, check=False)


def planted(folder: Path) -> Path:
    event = Event(folder, 60, 1)
    for place, kind in TROUBLES:
        PLANTS[kind](event, place)
    return event.written()


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="nothing can be killed like that on this system")
def test_a_review_goes_on_wherever_it_was_killed(tmp_path: Path):
    whole = planted(tmp_path / "whole")
    before = files(whole)
    unbroken = killed(whole, 10_000)
    assert "nothing more to do" in unbroken.stdout, unbroken.stderr
    all_moments = 10_000 - int(unbroken.stdout.split()[-1])
    after = files(whole)
    assert all_moments > 100
    for number in range(MOMENTS):
        folder = planted(tmp_path / str(number))
        moment = number * all_moments // MOMENTS
        assert killed(folder, moment).returncode == -signal.SIGKILL
        there = files(folder)
        read_plan(there.pop("event.toml").decode())  # it is changed several times, and whole each time
        for name, data in there.items():
            if name.endswith(".tironian"):
                continue  # what was to become a file, and is deleted the next time that one is written there
            assert data in (before.get(name), after.get(name)), (moment, name)
        assert "nothing more to do" in review(folder, ANSWERS), moment
        assert files(folder) == after, moment
        for name in before:
            kept = folder / "originals" / name
            assert (kept.read_bytes() if kept.exists() else after[name]) == before[name], (moment, name)
        for _ in TROUBLES:
            assert tiro("event", folder, "--undo").exit_code == 0
        assert files(folder) == before, moment
