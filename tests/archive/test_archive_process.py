"""Archives and the command as a process of its own: a terminal, memory, files that vanish, one that never ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from archives import game, games, tiro
from moments import tiro_where
from scale import FULL, scaled
from tironian.tools.storage import sources

pytestmark = pytest.mark.process
TIRO = [sys.executable, "-m", "tironian.tools.cli"]
FEW = 1200
MANY = scaled(3_000, 40_000)
MOST = 300 << 20
FOR_EACH = 4_000
"""Bytes that memory may grow for a further game: some caches still fill. What is known of one takes ten times that."""


MEASURED = """
import os
from multiprocessing import active_children
from pathlib import Path
from tironian.tools.processes.pool import Pool

def peak(pid):
    (line,) = [line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) << 10

def measured(pool, close=Pool.close):
    Path("peak").write_text(str(sum(peak(each) for each in (os.getpid(), *(child.pid for child in active_children())))))
    close(pool)

Pool.close = measured
"""
"""Writes down, at the end of the work, the most memory that each of the processes has had, in bytes together."""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory can't be measured here")
@pytest.mark.parametrize("more", [("--keep-good", "good", "--resume", "s"), *([()] if FULL else [])], ids=" ".join)
def test_memory_stays_flat(tmp_path: Path, more: tuple[str, ...]):
    part = "\n".join([games(60)] * 5)
    peaks = []
    for name, count in (("few", FEW), ("many", MANY)):
        (tmp_path / name).mkdir()
        with (tmp_path / name / "a.tiro").open("w", encoding="utf-8") as file:
            for _ in range(count // 300):
                file.write(part + "\n")
        run = [*tiro_where(MEASURED), "check", "-j", "2", *more, "a.tiro"]
        subprocess.run(run, cwd=tmp_path / name, capture_output=True, check=True)
        peaks.append(int((tmp_path / name / "peak").read_text()))
    assert max(peaks) < MOST
    assert peaks[1] - peaks[0] < (MANY - FEW) * FOR_EACH


def test_a_terminal_sees_how_far_it_is(tmp_path: Path):
    pty = pytest.importorskip("pty")
    (tmp_path / "a.tiro").write_text(games(20), encoding="utf-8")
    master, slave = pty.openpty()
    seen = []

    def read() -> None:
        try:
            while data := os.read(master, 1 << 16):
                seen.append(data)
        except OSError:
            return

    reader = threading.Thread(target=read)
    reader.start()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    impatient = "step_by_step(); from tironian.tools.cli import common as p; p.METER_DELAY = p.STEP = -1.0"
    run = [*tiro_where(impatient), "check", "-j", "1", "-o", "report", "a.tiro"]
    done = subprocess.run(run, cwd=tmp_path, stderr=slave, stdout=subprocess.PIPE, check=False, env=env)
    os.close(slave)
    reader.join()
    os.close(master)
    assert done.returncode == 0
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", b"".join(seen).decode())
    assert re.search(r"\b[1-9]\d* games, [1-9][\d,]* a second, \d:\d\d, \d:\d\d left", text), text[-500:]
    assert b"".join(seen).rstrip().endswith(b"\x1b[?25h") or b"\x1b[?25h" in seen[-1]  # the cursor is there again


@pytest.mark.parametrize("seen", [False, True], ids=["named", "seen"])
def test_a_file_that_vanishes_while_others_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: bool):
    """Its folder has named it, or it has been seen there, and it is gone before its turn."""
    for name in "abc":
        (tmp_path / f"{name}.tiro").write_text(games(2), encoding="utf-8")
    look = sources._file_at

    def looked(path: str) -> sources.InputFile:
        found = look(path) if seen else None
        if path.endswith("b.tiro"):
            Path(path).unlink()
        return found or look(path)

    monkeypatch.setattr(sources, "_file_at", looked)
    done = tiro("check", "-j", 1, tmp_path)
    assert done.exit_code == 2
    assert f"{tmp_path / 'b.tiro'}" in done.stdout
    assert "this can't be read: there is no such file or folder" in done.stdout
    assert re.search(r"\b4 legal\b", done.stdout)


def test_a_pipe_is_read_as_it_comes(tmp_path: Path):
    """Nobody waits for the end of what may have none."""
    command = [*tiro_where("step_by_step()"), "check", "-v", "-j", "1", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=0) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(games(200))
        line = run.stdout.readline()
        assert line.startswith("legal       <stdin>, game 1 ")
        run.stdin.write("\n" + game(700))
        run.stdin.close()
        assert run.stdout.read().rstrip().splitlines()[-1].startswith("201 games, ")
    assert run.returncode == 0
