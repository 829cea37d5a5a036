"""Archives and the command as a process of its own: a terminal, memory, files that vanish, one that never ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from archives import game, games
from scale import scaled

TIRO = [sys.executable, "-m", "tironian.replay.cli"]
GAMES = scaled(3_000, 40_000)
MOST = 300 << 20


def memory(pid: int) -> int:
    """The memory of a process and all its children, what they share counted once, in bytes."""
    total = 0
    for each in (
        pid,
        *map(int, subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()),
    ):
        try:
            found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{each}/smaps_rollup").read_text(), re.M)
        except OSError:
            continue
        total += int(found[1]) << 10 if found else 0
    return total


def highest(run: subprocess.Popen) -> int:
    most = 0
    while run.poll() is None:
        most = max(most, memory(run.pid))
        time.sleep(0.1)
    return most


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="memory can't be measured here")
@pytest.mark.parametrize("more", [(), ("--keep-good", "good", "--resume", "s")], ids=" ".join)
def test_memory_stays_flat(tmp_path: Path, more: tuple[str, ...]):
    part = games(300)
    peaks = []
    for name, count in (("few", GAMES // 6), ("many", GAMES)):
        (tmp_path / name).mkdir()
        with (tmp_path / name / "a.tiro").open("w", encoding="utf-8") as file:
            for _ in range(count // 300):
                file.write(part + "\n")
        with open(os.devnull, "w") as void:
            run = subprocess.Popen(
                [*TIRO, "check", "-j", "2", *more, "a.tiro"], cwd=tmp_path / name, stdout=void, stderr=void
            )
            peaks.append(highest(run))
        assert run.returncode == 0
    assert max(peaks) < MOST
    assert peaks[1] < peaks[0] * 1.5


def test_a_terminal_sees_how_far_it_is(tmp_path: Path):
    pty = pytest.importorskip("pty")
    (tmp_path / "a.tiro").write_text(games(300) * 20, encoding="utf-8")
    master, slave = pty.openpty()
    seen = []

    def read() -> None:
        try:
            while data := os.read(master, 1 << 16):
                seen.append(data)
        except OSError:
            return

    threading.Thread(target=read, daemon=True).start()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    run = [*TIRO, "check", "-j", "1", "-o", "report", "a.tiro"]
    done = subprocess.run(run, cwd=tmp_path, stderr=slave, stdout=subprocess.PIPE, check=False, env=env)
    os.close(slave)
    time.sleep(0.2)
    assert done.returncode == 0
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", b"".join(seen).decode())
    assert re.search(r"[1-9][\d,]* games, [1-9][\d,]* a second, \d:\d\d, \d:\d\d left", text), text[-500:]
    assert b"".join(seen).rstrip().endswith(b"\x1b[?25h") or b"\x1b[?25h" in seen[-1]  # the cursor is there again


def test_a_file_that_vanishes_while_others_are_read(tmp_path: Path):
    """Named, seen, and gone before its turn."""
    for number in range(40):
        (tmp_path / f"{number:02}.tiro").write_text(games(100), encoding="utf-8")
    run = subprocess.Popen([*TIRO, "check", "-j", "2", str(tmp_path)], stdout=subprocess.PIPE, text=True)
    time.sleep(0.6)
    (tmp_path / "39.tiro").unlink()
    out, _ = run.communicate(timeout=120)
    if run.returncode == 2:
        assert "this can't be read: there is no such file or folder" in out
        assert "3,900 legal" in out
    else:  # it was too quick, or the folder was listed only then
        assert run.returncode == 0


def test_a_pipe_is_read_as_it_comes(tmp_path: Path):
    """Nobody waits for the end of what may have none."""
    run = subprocess.Popen(
        [*TIRO, "check", "-v", "-j", "1", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=0
    )
    assert run.stdin is not None
    assert run.stdout is not None
    run.stdin.write(games(600))
    line = run.stdout.readline()
    assert line.startswith("legal       <stdin>, game 1 ")
    run.stdin.write("\n" + game(700))
    run.stdin.close()
    assert run.stdout.read().rstrip().splitlines()[-1].startswith("601 games, ")
    assert run.wait(20) == 0
