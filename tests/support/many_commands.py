"""Runs every command, and the desk, on many records in one process, and says in one line each what they wrote.

    PYTHONHASHSEED=3 python tests/support/many_commands.py FOLDER PART PARTS

FOLDER has a copy of the examples, and everything is written there. Only every PARTS-th case is run, from PART on. A
line is the case, in JSON, and the hash of everything that was written: output, errors, files and exit code.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

import tironian
from click.testing import CliRunner
from tironian.replay.cli.command_line import COMMANDS, main
from tironian.replay.engine.headers import PLAYERS, VIEWS
from tironian.replay.recording.desk.worker import answer

NOT_RUN: Final = {
    "desk": "it writes a site of files that are part of the program; its messages are run below",
    "step": "it needs a terminal; what it shows is what show, timeline and votes show",
}
"""Commands that are not run here → why."""
SHEETS: Final = "sheets"
OUT: Final = "out"
_TIMES: Final = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)?|\d+\.\d{6,}")
"""Moments in what is written: the hour is another in each process."""

Case = tuple[tuple[str, ...], str]
"""The words of a command, and what is typed."""


def options(name: str, option: str) -> tuple[str, ...]:
    """The choices of an option of a command; none if it has no such option."""
    command = main.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None, name
    found = [parameter for parameter in command.params if option in parameter.opts]
    return tuple(getattr(found[0].type, "choices", ())) if found else ()


def forms(*words: str) -> Iterator[tuple[str, ...]]:
    """A command in each of its formats."""
    yield from ((*words, "--format", form) for form in options(words[0], "--format")) if options(
        words[0], "--format"
    ) else (words,)


def of_a_record(file: str) -> Iterator[tuple[str, ...]]:
    """All commands for a single record."""
    yield from forms("check", file, "-j", "1", "--suggest", "--strict", "--verbose")
    yield "check", file, "-j", "1", "--infer-rules", "--witness", f"{OUT}/witness.tiro", "-f"
    yield from forms("repair", file)
    yield "repair", file, "--diff", "--most", "9"
    yield "fmt", file, "--diff"
    yield "convert", file, "--to", "json"
    for view in options("view", "--as"):
        yield from forms("view", file, "--as", view)
        yield from forms("show", file, "--as", view)
    yield from forms("timeline", file)
    yield from forms("timeline", file, "--as", "table", "--odds")
    yield "timeline", file, "--full"
    yield from forms("votes", file, "--odds", "--vote", "1")
    yield "votes", file, "--folder", f"{OUT}/votes", "-f"
    yield from forms("analyse", file, "--level", "quick")
    yield "drill", file, "--as", "caesar", "--level", "quick", "--state", f"{OUT}/drill.json", "--list"


def of_many(files: Sequence[str]) -> Iterator[Case]:
    """All other commands."""
    for view in PLAYERS:
        for other in ("table", *PLAYERS):
            for words in forms("merge", f"{SHEETS}/{view}.tiro", f"{SHEETS}/{other}.tiro"):
                yield words, ""
    yield ("merge", *(f"{SHEETS}/other-{view}.tiro" for view in PLAYERS), f"{SHEETS}/table.tiro"), ""
    for words in forms("event", "examples/event"):
        yield words, ""
    yield ("event", "examples/event", "--standings"), ""
    yield ("event", "examples/event", "--site", f"{OUT}/site"), ""
    yield ("event", "init", "examples/2024"), ""
    yield ("export", "examples", "-o", f"{OUT}/tables", "-f", "-j", "1"), ""
    for name in ("players", "results"):
        for words in forms("query", "-d", f"{OUT}/tables", "--name", name):
            yield words, ""
    yield ("check", "examples", "-j", "2", "--verbose"), ""
    for words in forms("analyse", "examples/2024", "--players", "--level", "quick", "-j", "1"):
        yield words, ""
    for one in tironian.EDITION_NAMES:
        for words in forms("rules", one, "fr"):
            yield words, ""
        yield ("simulate", "2", "--rules", one, "--seed", "5"), ""
        yield ("play", f"{OUT}/game.tiro", "-f", "--rules", one, "--level", "1", "--seed", "3", "--plain"), "1\nhint\n" * 6
        for view in VIEWS:
            for more in ((), ("--tournament",)):
                typed = "2P\n?\n\n(i)P (i)Q\n\n1R\n5Q\n?\n/legal\n/repair\n/undo\n/sheet\n/quit\n"
                yield ("record", f"{OUT}/new.tiro", "-f", "--rules", one, "--as", view, "--plain", *more), typed
    for words in forms("simulate", "2", "--rules", "2024", "--stats"):
        yield words, ""
    for name in ("record", "desk"):
        yield ("schema", name), ""
    for code in ("R204", "C913", "D4"):
        yield ("explain", code), ""
    yield from (((file,), "") for file in files)


def cases(files: Sequence[str]) -> Iterator[Any]:
    """Everything that is run: commands, and talks with the desk."""
    for words, typed in of_many([]):
        yield words, typed
    for file in files:
        yield from ((words, "") for words in of_a_record(file))
        yield "desk", file
    for rules in tironian.EDITION_NAMES:
        for view in VIEWS:
            for tournament in (False, True):
                yield "taps", rules, view, tournament


def ran(words: Sequence[str], typed: str) -> list[bytes]:
    """What a command writes."""
    for path in sorted(Path(OUT).rglob("*"), reverse=True):
        if words[0] != "query":
            path.rmdir() if path.is_dir() else path.unlink()
    done = CliRunner().invoke(main, list(words), input=typed or None)
    files = [path for path in sorted(Path(OUT).rglob("*")) if path.is_file()] if words[0] != "query" else []
    written = [part for path in files for part in (str(path).encode(), path.read_bytes())]
    return [str(done.exit_code).encode(), done.stdout_bytes, done.stderr_bytes, *written]


def asked(**message: Any) -> bytes:
    return answer(json.dumps(message)).encode()


def talked_about(file: str) -> list[bytes]:
    """What the desk says about a record."""
    text = Path(file).read_text(encoding="utf-8", errors="surrogateescape")
    half = text[: 2 * len(text) // 3].rpartition(" ")[0]
    said = [asked(ask="check", name=file, text=text), asked(ask="repair", name=file, text=text)]
    said += [asked(ask="look", text=text, view=view) for view in ("", *VIEWS)]
    return [*said, *(asked(ask="complete", text=half + end) for end in ("", " "))]


def tapped(rules: str, view: str, tournament: bool) -> list[bytes]:
    """The screens of a game of random taps; which of the offers is tapped does not depend on their order."""
    rng = random.Random(f"{rules} {view} {tournament}")
    start = {"rules": rules, "view": view, "headers": {"Caesar": "Livia"}, "tournament": tournament}
    said = [asked(ask="open", game="a", journal={"desk": 1, "start": start, "taps": []})]
    for _ in range(40):
        offers = json.loads(said[-1])["screen"]["offers"]
        taps = [{"tap": "card", **each} for each in offers["cards"]]
        taps += [{"tap": "group", "group": each} for each in offers["groups"]]
        taps += [{"tap": "bust", "bust": each} for each in offers["busts"]]
        taps += [{"tap": "number", "n": each} for each in offers["numbers"]]
        taps += [{"tap": "choice", "choice": each["key"]} for each in offers["choices"]]
        if not taps:
            break
        said.append(asked(ask="take", game="a", tap=rng.choice(sorted(taps, key=json.dumps))))
    return said


def run(case: Any) -> list[bytes]:
    if case[0] == "desk":
        return talked_about(case[1])
    if case[0] == "taps":
        return tapped(*case[1:])
    return ran(*case)


def run_all(folder: str, part: int, parts: int) -> None:
    os.chdir(folder)
    Path(OUT).mkdir(exist_ok=True)
    files = sorted(str(path) for path in Path("examples").rglob("*.tiro")) + sorted(
        str(path) for path in Path(SHEETS).glob("*.tiro")
    )
    for case in islice(cases(files), part, None, parts):
        parts_ = [_TIMES.sub(b"TIME", each) for each in run(case)]
        print(json.dumps(case), *(sha256(each).hexdigest()[:12] for each in parts_), sep="\t", flush=True)
        if os.environ.get("KEEP"):
            name = sha256(json.dumps(case).encode()).hexdigest()[:16]
            Path(os.environ["KEEP"], name).write_bytes(b"\n----\n".join(parts_))


if __name__ == "__main__":
    run_all(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
