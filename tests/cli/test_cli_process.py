"""The command as a process of its own: full disks, closed pipes, Ctrl-C, and how each of them ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from moments import tiro_where
from tironian.tools.cli.command_line import main

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
GAME = str(ROOT / "examples" / "2024" / "tie-break.tiro")
BROKEN = str(ROOT / "examples" / "broken" / "sixth-card.tiro")
TIRO = [sys.executable, "-m", "tironian.tools.cli"]
COMMANDS = [
    ("check", GAME), ("check", BROKEN), ("check", GAME, "--format", "json"), ("simulate",), ("simulate", "--stats"),
    ("schema",), ("schema", "record"), ("rules",), ("rules", "2024", "--format", "json"), ("show", GAME),
    ("explain", "R204"), ("explain", "--list"), ("fmt", "-"), ("convert", GAME), ("convert", GAME, "--jsonl"),
    ("view", GAME, "--as", "table"), ("--help",), ("check", "--help"), ("--version",),
]  # fmt: skip


def tiro(*args: str, unbuffered: str = "", **more) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    return subprocess.run([*TIRO, *args], capture_output="stdout" not in more, text=True, check=False, env=env, **more)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file of several hundred games, more than any pipe holds."""
    path = tmp_path_factory.mktemp("season") / "season.tiro"
    path.write_text("\n".join([Path(GAME).read_text(encoding="utf-8")] * 600), encoding="utf-8")
    return str(path)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
@pytest.mark.parametrize(("unbuffered", "args"), [*(("", each) for each in COMMANDS), ("1", COMMANDS[0])])
def test_a_full_disk_is_one_sentence(unbuffered: str, args: tuple[str, ...]):
    with open("/dev/full", "w") as full, open(GAME, encoding="utf-8") as given:
        done = tiro(*args, unbuffered=unbuffered, stdout=full, stderr=subprocess.PIPE, stdin=given)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1] == "Error: standard output: no space left on device"
    assert "Traceback" not in done.stderr
    assert "ignored" not in done.stderr


@pytest.mark.parametrize(
    "args",
    [("convert",), ("convert", "--jsonl"), ("check", "--format", "json"), ("check", "--verbose", "-j", "2", BROKEN)],
    ids=" ".join,
)
def test_a_closed_pipe_ends_quietly(season: str, args: tuple[str, ...]):
    command = [*TIRO, *args, season]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        told = run.stderr.read()
    assert told == b""
    assert run.returncode == 141


@pytest.mark.parametrize("args", [("rules", "2024"), ("schema", "record"), ("show", GAME), ("explain", "R204")])
def test_nobody_reads_at_all(args: tuple[str, ...]):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as pipe:
        done = tiro(*args, stdout=pipe, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(("jobs", "name"), [("1", "SIGINT"), ("2", "SIGINT"), ("1", "SIGHUP"), ("2", "SIGTERM")])
def test_an_interrupt_is_obeyed_in_the_middle(season: str, tmp_path: Path, jobs: str, name: str):
    """What it reads never ends, so that it has not come to an end by itself."""
    report = tmp_path / "report"
    command = [*TIRO, "check", "-j", jobs, "--strict", season, "-", "-o", str(report)]
    text = Path(season).read_bytes() + b"\n"
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as run:
        assert run.stdin is not None
        assert run.stderr is not None
        run.stdin.write(text)  # more than a pipe holds, so that it has begun to read when this is done
        os.killpg(run.pid, getattr(signal, name))
        told = run.stderr.read().decode()
        assert run.wait() == 128 + getattr(signal, name)
    assert re.fullmatch(r"Interrupted after ([\d,]+|no) games.* The rest was not checked; .*\n", told)
    # What was found up to then is a report that ends as any other does.
    ended = report.read_text(encoding="utf-8").rstrip().splitlines()[-2:]
    assert told.removeprefix("Interrupted after ").partition(". The rest")[0] in ended


def test_what_becomes_of_games_that_were_being_made_is_told(tmp_path: Path):
    shown = "tironian.tools.cli.common:Meter.show"
    command = [*tiro_where(f"at_call(3, '{shown}', SIGINT)"), "simulate", "-n", "1000", "-j", "2", "-o", "games.tiro"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, start_new_session=True, check=False)
    assert run.returncode == 130
    assert run.stderr.strip() == "Interrupted; games.tiro was not written."
    assert not any(tmp_path.iterdir())


def test_standard_streams_may_be_closed():
    done = subprocess.run(
        f"{' '.join(TIRO)} schema record >&-", shell=True, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "Error: standard output is closed\n")
    done = subprocess.run(f"{' '.join(TIRO)} check - <&-", shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "Error: standard input is closed\n")


# ------------------------------------------------------------------------------------------- outputs and inputs


@pytest.mark.parametrize("command", ["check", "convert", "show"])
def test_an_output_never_takes_the_place_of_an_input(tmp_path: Path, command: str):
    mine = tmp_path / "mine.tiro"
    mine.write_bytes(Path(GAME).read_bytes())
    (tmp_path / "link").hardlink_to(mine)
    for output in (mine, tmp_path / "link"):
        done = CliRunner().invoke(main, [command, str(mine), "-o", str(output), "-f"])
        assert done.exit_code == 2
        assert "is being read" in done.stderr
        assert mine.read_bytes() == Path(GAME).read_bytes()


def test_nor_of_standard_input_or_a_file_in_a_folder(tmp_path: Path):
    mine = tmp_path / "mine.tiro"
    mine.write_bytes(Path(GAME).read_bytes())
    with mine.open("rb") as given:
        done = tiro("check", "-", "-o", str(mine), "-f", stdin=given)
    assert done.returncode == 2
    assert CliRunner().invoke(main, ["check", str(tmp_path), "-o", str(mine), "-f"]).exit_code == 2
    assert mine.read_bytes() == Path(GAME).read_bytes()
