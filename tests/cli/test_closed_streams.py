"""Every command where the shell has closed standard streams: it does what it can, and no fault of its own is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from archives import tiro
from commands import NAMES, choices, parameters
from scale import FULL

pytestmark = [pytest.mark.process, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that forks")]

EXAMPLES = Path(__file__).parents[2] / "examples"
GAME, OUT = "game.tiro", "out"
OPEN: Final = ()
CLOSED: Final = ((0,), (1,), (2,), (0, 1, 2)) if FULL else ((2,), (0, 1, 2))
WORDS: Final = {
    "record": ("new.tiro", "--rules", "2024", "--plain"),
    "desk": ("--output", OUT),
    "explain": ("R204",),
    "merge": ("caesar.tiro", "cleopatra.tiro"),
    "analyse": (GAME, "--players", "--level", "quick", "-j", "1"),
    "event": (".", "-j", "1"),
    "export": (GAME, "-o", OUT, "-j", "1"),
    "query": ("-d", "tables", "SELECT 1"),
    "play": ("new.tiro", "--rules", "2024", "--level", "1", "--seed", "3"),
    "drill": (GAME, "--as", "caesar", "--level", "quick", "--list", "--state", OUT),
}
"""The words of commands that a game for each required parameter does not suit."""
RUNNING = """
import json, os, shutil, sys
import click, duckdb, fsspec, numpy, pyarrow.parquet, rich.console, rich.table
from tironian.replay.cli.__main__ import main
from tironian.replay.cli.command_line import main as group

def begin(words, closed):
    '''Run the command as Python would, which takes long to start.'''
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), number)
    for number in closed:
        os.close(number)
        setattr(sys, ("stdin", "stdout", "stderr")[number], None)
    sys.argv = ["tiro", *words]
    try:
        main()
    except SystemExit as end:
        # No file has got the number of a stream, to which libraries may write.
        os._exit(end.code if all(os.path.samestat(os.fstat(each), os.stat(os.devnull)) for each in closed) else 99)

told, cases = os.fdopen(os.dup(1), "w"), json.loads(sys.argv[1])
for name in group.list_commands(click.Context(group)):
    group.get_command(click.Context(group), name)
for number, case in enumerate(cases):
    here = shutil.copytree("begin", str(number))
    if not (child := os.fork()):
        os.chdir(here)
        begin(*case)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=told)
"""


def words(name: str) -> tuple[str, ...]:
    """A command that has something to do, however new it is."""
    if name in WORDS:
        return name, *WORDS[name]
    needed = [each for each in parameters(name) if each.required]
    options = [each.opts[0] for each in needed if isinstance(each, click.Option)]
    chosen = [word for option in options for word in (option, next(iter(choices(name, option)), GAME))]
    return name, *[GAME] * (len(needed) - len(options)), *chosen


def commands() -> Iterator[tuple[str, ...]]:
    """All commands, with a file for the output if they have one; in the full run, without it as well."""
    for name in NAMES:
        writes = {"output", "force"} <= {each.name for each in parameters(name)} and OUT not in words(name)
        if writes:
            yield *words(name), "-o", OUT
        if FULL or not writes:
            yield words(name)


Ran = tuple[int, bytes, dict[str, bytes]]
"""An exit code, what was said, and the files that are there afterwards."""


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[tuple[str, ...], tuple[int, ...]], Ran]:
    """What came of each command with each of the streams closed."""
    top = tmp_path_factory.mktemp("closed")
    begin = top / "begin"
    begin.mkdir()
    short = (EXAMPLES / "2024" / "tie-break.tiro").read_text(encoding="utf-8").partition("\n2E ")[0]
    (begin / GAME).write_text(f"{short}\n", encoding="utf-8")
    for name in ("caesar.tiro", "cleopatra.tiro"):
        shutil.copy(EXAMPLES / "scoresheets/thursday" / name, begin)
    assert tiro("export", begin / GAME, "-o", begin / "tables", "-j", "1").exit_code == 0
    tried = [(each, closed) for each in commands() for closed in (OPEN, *CLOSED)]
    run = [sys.executable, "-c", RUNNING, json.dumps(tried)]
    done = subprocess.run(run, cwd=top, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    found = {}
    for number, (case, code) in enumerate(zip(tried, done.stdout.split(), strict=True)):
        files = {str(path.relative_to(top / str(number))): path for path in (top / str(number)).rglob("*")}
        kept = {name: path.read_bytes() for name, path in files.items() if path.is_file()}
        found[case] = int(code), kept.pop("stdout") + kept.pop("stderr"), kept
    return found


@pytest.mark.parametrize("closed", CLOSED, ids=str)
@pytest.mark.parametrize("command", [*commands()], ids=" ".join)
def test_a_command_does_what_it_can(ran: dict[object, Ran], command: tuple[str, ...], closed: tuple[int, ...]):
    code, said, files = ran[command, closed]
    wanted, _, whole = ran[command, OPEN]
    assert b"T001" not in said
    assert b"Traceback" not in said
    assert wanted in (0, 1, 2)
    if code != wanted:  # what it was to write has nowhere to go
        assert (code, 1 in closed, "-o" in command) == (2, True, False)
    else:
        assert files.keys() == whole.keys()
        assert [name for name in ("out", GAME) if files.get(name) != whole.get(name)] == []
