"""Commands from the list of all commands, each run in a process of its own that is forked, since Python takes long to
start. What they do there to themselves and to their folder harms nobody.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import click
from commands import NAMES, choices, parameters
from moments import BEGIN
from scale import FULL

EXAMPLES = Path(__file__).parents[2] / "examples"
GAME, OUT = "game.tiro", "out"
WORDS: Final = {
    "record": ("new.tiro", "--rules", "2024", "--plain"), "desk": ("-o", "site"), "explain": ("R204",),
    "merge": ("caesar.tiro", "cleopatra.tiro"), "analyse": (GAME, "--players", "--level", "quick", "-j", "1"),
    "event": ("event", "-j", "1"), "export": (GAME, "-o", "exported", "-j", "1"),
    "query": ("-d", "tables", "SELECT 1"), "play": ("new.tiro", "--rules", "2024", "--level", "1", "--seed", "3"),
    "drill": (GAME, "--as", "caesar", "--level", "quick", "--list", "--state", "state"),
}  # fmt: skip
"""The words of commands that a game for each required parameter does not suit."""
RUNNING = f"""{BEGIN}
import json, os, shutil, sys
import click, duckdb, fsspec, numpy, pyarrow.parquet, rich.console, rich.table
from tironian.tools.cli.command_line import main as group

def done(here, words, closed=(), arranged=""):
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.chdir(here)
    os.setsid()
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    for number in closed:
        os.close(number)
        setattr(sys, ("stdin", "stdout", "stderr")[number], None)
    sys.argv = ["tiro", *words]
    exec(arranged)
    try:
        main()
    except SystemExit as end:
        # No file has got the number of a stream, to which libraries may write.
        os._exit(end.code if all(os.path.samestat(os.fstat(each), os.stat(os.devnull)) for each in closed) else 99)

told, cases = os.fdopen(os.dup(1), "w"), json.loads(sys.argv[1])
for name in group.list_commands(click.Context(group)):
    group.get_command(click.Context(group), name)
assert done("begin", ["export", "game.tiro", "-o", "tables", "-j", "1"]) == 0
for number, case in enumerate(cases):
    print(done(shutil.copytree("begin", str(number)), *case), file=told)
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
        writes = {"output", "force"} <= {each.name for each in parameters(name)} and "-o" not in words(name)
        if writes:
            yield *words(name), "-o", OUT
        if FULL or not writes:
            yield words(name)


class Case(NamedTuple):
    """A command, the numbers of the streams that are closed to it, and Python statements that come first."""

    words: tuple[str, ...]
    closed: tuple[int, ...] = ()
    arranged: str = ""


class Ran(NamedTuple):
    """An exit code, what was said, and the files that are there afterwards."""

    code: int
    said: str
    files: dict[str, bytes]


def run_all(top: Path, cases: Sequence[Case], **there: str) -> dict[Case, Ran]:
    """What comes of each case, in a folder with records, tables, and files of these names and texts."""
    begin = top / "begin"
    begin.mkdir()
    short = (EXAMPLES / "2024" / "tie-break.tiro").read_text(encoding="utf-8").partition("\n2E ")[0]
    (begin / GAME).write_text(f"{short}\n\n", encoding="utf-8")  # fmt has something to do
    (begin / "event").mkdir()
    shutil.copy(EXAMPLES / "event" / "event.toml", begin / "event")  # not one game has come yet
    for name in ("caesar.tiro", "cleopatra.tiro"):
        shutil.copy(EXAMPLES / "scoresheets/thursday" / name, begin)
    for name, text in there.items():
        (begin / name).write_text(text, encoding="utf-8")
    run = [sys.executable, "-c", RUNNING, json.dumps(cases)]
    done = subprocess.run(run, cwd=top, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
    return {
        case: _left(top / str(number), int(code))
        for number, (case, code) in enumerate(zip(cases, done.stdout.split(), strict=True))
    }


def _left(folder: Path, code: int) -> Ran:
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return Ran(code, (files.pop("stdout") + files.pop("stderr")).decode(), files)
