"""However a run ends early, a sentence says so, and it leaves nothing behind for good."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from archives import games, tiro
from moments import tiro_where
from tironian.tools.archive.checker import ChunkChecker
from tironian.tools.processes.pool import Pool
from tironian.tools.storage import files

EXAMPLE = Path(__file__).parents[2] / "examples/2024/annotated.tiro"
IMPORTING = """
import os, signal, sys
from tironian.tools.cli.__main__ import main

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            signal.raise_signal(signal.SIGINT)

def modules():
    # In a process of its own, so that this one has imported nothing yet.
    reading, writing = os.pipe()
    if not os.fork():
        before = set(sys.modules)
        import tironian.tools.cli.command_line
        new = (name for name in set(sys.modules) - before if getattr(sys.modules[name], "__spec__", None))
        os.write(writing, " ".join(sorted(new)).encode())
        os._exit(0)
    os.close(writing)
    os.wait()
    return open(reading).read().split()

found = modules()
assert "click" in found and "tironian.tools.cli.command_line" in found, found
for wanted in [*found[::4], "tironian.tools.cli.command_line", "tironian.tools.cli.rules", "click"]:
    sys.stdout.flush()
    if not os.fork():
        sys.meta_path.insert(0, Interrupting())
        sys.argv = ["tiro", "rules", "2024"]
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        main()
    print(wanted, os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_an_interrupt_while_modules_are_imported_is_told():
    done = subprocess.run([sys.executable, "-c", IMPORTING], capture_output=True, text=True, check=False)
    codes = dict(line.split() for line in done.stdout.splitlines())
    assert len(codes) > 10, done.stderr
    assert set(codes.values()) == {"130"}, codes
    assert "Traceback" not in done.stderr
    assert set(done.stderr.split("\n")) <= {"Interrupted.", ""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.tiro").write_text(games(2), encoding="utf-8")
    assert tiro("export", tmp_path / "a.tiro", "-o", tmp_path / "t").exit_code == 0
    return tmp_path


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("can't start new thread")])
@pytest.mark.parametrize("command", ["export", "query", "check"])
def test_too_little_memory_is_told(folder: Path, command: str, error: Exception, monkeypatch: pytest.MonkeyPatch):
    def fail(*_args: object, **_more: object) -> None:
        raise error

    monkeypatch.setattr(ChunkChecker, "games", fail)
    monkeypatch.setattr("tironian.tools.archive.sql.ExportedTables.__init__", fail)
    args = {"query": ("-d", folder / "t", "SELECT 1"), "export": (folder / "a.tiro", "-o", folder / "u", "-j", "1")}
    done = tiro(command, *args.get(command, (folder / "a.tiro", "-j", "1")))
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1].startswith("Error: there is not enough memory to continue")
    assert "Traceback" not in done.output


def work(load: int) -> int:
    if load == 3:
        raise MemoryError
    return load


@pytest.mark.process
def test_a_load_for_which_the_memory_does_not_suffice_is_given_up_and_the_rest_is_done():
    pool = Pool(work, 2)
    try:
        assert dict(pool.map(range(9), lambda load: -load)) == {load: -3 if load == 3 else load for load in range(9)}
    finally:
        pool.close()


WRITING = """
import os, signal, sys
from tironian.tools.storage.files import replacing
with replacing(sys.argv[1]) as stream:
    stream.write(b"half")
    stream.flush()
    if sys.argv[2] == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    print("open", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def untidied(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "_CLEANED", set())


@pytest.mark.process
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a system that kills")
def test_what_a_killed_program_leaves_is_taken_away_by_the_next_one(tmp_path: Path, untidied: None):
    path, other = tmp_path / "a.tiro", tmp_path / "b.tiro"
    path.write_bytes(b"old")
    subprocess.run([sys.executable, "-c", WRITING, str(path), "die"], check=False)
    left = [each.name for each in tmp_path.iterdir() if each != path]
    assert len(left) == 1
    assert left[0].startswith(".a.tiro.")
    names = (".a.tiro.abcdefgh", ".a.tiro.tironian", "x.abcdefgh.tironian", ".x.a.tironian")
    mine = [tmp_path / name for name in names]
    for each in mine:
        each.write_bytes(b"mine")
    link = tmp_path / ".a.tiro.abcdefgh.tironian"
    link.symlink_to(path)
    run = [sys.executable, "-c", WRITING, str(other), "live"]
    with subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as busy:
        assert busy.stdout
        assert busy.stdout.readline() == b"open\n"
        with files.replacing(path) as stream:
            stream.write(b"new")
        there = {each.name for each in tmp_path.iterdir()}
        assert not set(left) & there
        assert {each.name for each in mine} | {link.name} <= there
        busy.communicate(b"")
    assert busy.returncode == 0
    assert (path.read_bytes(), other.read_bytes()) == (b"new", b"half")
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".b.tiro.")]


SIDES = """
import os, signal
from tironian.tools.cli import analyse
from tironian.tools.insight import analysis
analyse.cores = lambda: 2
there, here = os.pipe()

def of_side(*task, told):
    if not task[1]:
        os.write(here, b"done")
        return None
    os.read(there, 4)
    {then}

analysis._of_side = of_side
"""
"""Something happens when one side is judged and the other one is not."""


def judging(then: str) -> subprocess.CompletedProcess[str]:
    """A game is judged; something happens in the process of the second side. All processes have ended behind it."""
    return analysing(SIDES.replace("{then}", then), str(EXAMPLE))


def analysing(arranged: str, *args: str) -> subprocess.CompletedProcess[str]:
    """``tiro analyse`` after some Python statements."""
    command = [*tiro_where(arranged), "analyse", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False, start_new_session=True)


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_an_interrupt_ends_the_processes_of_both_sides():
    done = judging("os.killpg(0, signal.SIGINT); signal.pause()")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.split("\n") == [f"Interrupted; {EXAMPLE} was not judged.", "", ""]


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_an_interrupt_while_one_side_is_looked_at():
    arranged = "at_call(2, 'tironian.tools.insight.judgement:Judge.look', SIGINT)"
    done = analysing(arranged, str(EXAMPLE), "--as", "cleopatra", "--level", "deep", "--keep")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip() == f"Interrupted; {EXAMPLE} was not judged."


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_an_interrupt_between_games_leaves_the_report_of_those_that_were_judged(tmp_path: Path):
    """It comes before the second game is counted, and waits until that is done."""
    for number in range(4):
        (tmp_path / f"{number}.tiro").write_text(games(1), encoding="utf-8")
    arranged = "import tironian.tools.cli.analyse as command; command.SIZE = 1\n"
    arranged += "at_call(2, 'tironian.tools.insight.player_sums:PlayerSums.add', SIGINT)"
    done = analysing(arranged, str(tmp_path), "--players", "--level", "quick", "--format", "json", "-j", "1")
    assert done.returncode == 130
    assert done.stderr.splitlines()[-1] == "Interrupted after two games; the rest was not judged."
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["games"] == 2


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_no_process_of_a_side_outlives_the_command(name: str):
    done = judging(f"os.kill(os.getppid(), signal.{name}); signal.pause()")
    number, said = getattr(signal, name), f"Interrupted; {EXAMPLE} was not judged.\n\n"
    ended = (-number, "", "") if name == "SIGKILL" else (128 + number, "", said)
    assert (done.returncode, done.stdout, done.stderr) == ended


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")
def test_a_side_whose_process_is_killed_is_judged_by_another(tmp_path: Path):
    once = tmp_path / "once"
    once.touch()
    die = "os.write(here, b'done'); os.kill(os.getpid(), signal.SIGKILL)"
    done = judging(f"if os.path.exists({str(once)!r}): os.unlink({str(once)!r}); {die}")
    assert done.returncode == 0, done.stderr
    done = judging(die)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the process that judged a side was killed twice" in done.stderr
    assert "Traceback" not in done.stderr
