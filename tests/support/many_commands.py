"""Runs commands, and asks the desk, in one process, and prints a line for each: what was run, and hashes of what came.

    PYTHONHASHSEED=3 python tests/support/many_commands.py FOLDER FILES PART PARTS

FOLDER has records to read, and everything is written there. Every FILES-th record is used, and of all cases every
PARTS-th from PART on.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

import tironian
from click.testing import CliRunner
from commands import in_all_formats
from events import PLANTS, Event
from tironian import EDITION_NAMES, VIEWS
from tironian.replay.engine.headers import PLAYERS
from tironian.tools.cli.command_line import main
from tironian.tools.desk.worker import DeskSession

answer = DeskSession().answer

NOT_RUN: Final = {
    "desk": "it writes files that are parts of the program, and what these ask Python is asked here",
    "club": "it serves until it is ended; its tests run it",
    "step": "it needs a terminal, and draws what timeline and votes tell",
}
"""Commands that are not run → why."""
ROOT: Final = Path(__file__).parents[2]
OUT, TABLES = "out", "tables"
_MOMENT: Final = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)?")
TYPED: Final = "2P\n?\n\n(i)P (i)Q\n\n1R\n5Q\n?\n/legal\n/repair\n/undo\n/sheet\n/end normal\n/quit\n"
"""What is typed into the recorder: some of it is refused."""


def prepared(folder: Path) -> Path:
    """A folder with the examples, sheets of a game that contradict each other, an event in which much is to be done,
    and one whose file has several faults.
    """
    shutil.copytree(ROOT / "examples", folder / "examples")
    game = next(tironian.read(folder / "examples" / "2024" / "annotated.tiro"))
    (folder / "sheets").mkdir()
    for view, old, new in (("caesar", "]", "]"), ("cleopatra", ":4", ":5"), ("table", "+ii", "+i")):
        text = tironian.write(tironian.view(game, view).record).replace(old, new, 2)
        (folder / "sheets" / f"{view}.tiro").write_text(text, encoding="utf-8")
    event = Event(folder / "troubled", 12, 3)
    for place, plant in enumerate(PLANTS.values()):
        plant(event, place)
    event.written()
    (folder / "unsound").mkdir()
    faults = 'format = 7\nversion = "x"\nname = 1\nrules = 2\nrounds = "y"\nplayers = 3\npairings = 4\n'
    (folder / "unsound" / "event.toml").write_text(faults, encoding="utf-8")
    return folder


def of_a_record(file: str) -> Iterator[tuple[str, ...]]:
    """All commands for one record."""
    yield from in_all_formats("check", file, "-j", "1", "--suggest", "--strict", "--verbose")
    yield "check", file, "-j", "1", "--infer-rules", "--witness", f"{OUT}/witness.tiro"
    yield from in_all_formats("repair", file)
    yield "repair", file, "--diff", "--most", "9"
    yield "fmt", file, "--diff"
    yield "convert", file, "--to", "json"
    for view in VIEWS:
        yield from in_all_formats("view", file, "--as", view)
        yield from in_all_formats("show", file, "--as", view)
    yield from in_all_formats("timeline", file)
    yield from in_all_formats("timeline", file, "--as", "table", "--odds")
    yield "timeline", file, "--full"
    yield from in_all_formats("votes", file, "--odds", "--vote", "1")
    yield "votes", file, "--folder", f"{OUT}/votes"
    yield from in_all_formats("analyse", file, "--level", "quick")
    yield "drill", file, "--as", "caesar", "--level", "quick", "--state", f"{OUT}/drill.json", "--list"


def of_many() -> Iterator[tuple[str, ...]]:
    """All other commands that ask nothing."""
    yield "check", "examples", "-j", "1", "--select", "YY,ZZ", "--ignore", "WW"
    yield "check", "examples", "-j", "2", "--verbose"
    for one in PLAYERS:
        for other in (*PLAYERS, "table"):
            yield from in_all_formats("merge", f"sheets/{one}.tiro", f"sheets/{other}.tiro")
    yield "merge", "sheets/caesar.tiro", "sheets/cleopatra.tiro", "sheets/table.tiro"
    for folder in ("examples/event", "troubled", "unsound"):
        yield from in_all_formats("event", folder, "-j", "1")
        yield "event", folder, "--standings", "-j", "1"
    yield "event", "examples/event", "--site", f"{OUT}/site", "-j", "1"
    yield "export", "examples", "-o", TABLES, "-f", "-j", "1"
    for name in ("players", "results", "verdicts"):
        yield from in_all_formats("query", "-d", TABLES, "--name", name)
    yield from in_all_formats("analyse", "examples/fr", "--players", "--level", "quick", "-j", "1")
    for rules in EDITION_NAMES:
        yield from in_all_formats("rules", rules, "fr")
        yield "simulate", "-n", "2", "--rules", rules, "--seed", "5"
    yield from in_all_formats("simulate", "-n", "2", "--rules", "2024", "--stats")
    for schema in ("record", "desk"):
        yield "schema", schema
    for code in ("R204", "C913", "D4", "ZZ"):
        yield "explain", code


def cases(files: Sequence[str]) -> Iterator[Any]:
    """Everything: a command's words with what is typed, the name of a record that the desk is asked about, or the start
    of a game that is recorded by taps.
    """
    for rules in EDITION_NAMES:
        for view in VIEWS:
            for tournament in (False, True):
                yield {"rules": rules, "view": view, "headers": {"Caesar": "Livia"}, "tournament": tournament}
                more = ("--tournament",) * tournament
                words = ("record", f"{OUT}/new.tiro", "--rules", rules, "--as", view, "--plain", *more)
                yield words, TYPED
        words = ("play", f"{OUT}/game.tiro", "--rules", rules, "--level", "1", "--seed", "3", "--plain")
        yield words, "1\nhint\n?\n" * 6
    yield from ((words, "") for words in of_many())
    for file in files:
        yield from ((words, "") for words in of_a_record(file))
        yield file


def ran(words: Sequence[str], typed: str) -> list[bytes]:
    """What a command writes: its exit code, its output, its errors, and files."""
    for path in sorted(Path(OUT).rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    done = CliRunner().invoke(main, [*words], input=typed or None)
    files = [path for path in sorted(Path(OUT).rglob("*")) if path.is_file()]
    written = [part for path in files for part in (str(path).encode(), path.read_bytes())]
    return [str(done.exit_code).encode(), done.stdout_bytes, done.stderr_bytes, *written]


def asked(**message: Any) -> bytes:
    return answer(json.dumps(message)).encode()


def told(file: str) -> list[bytes]:
    """What the desk says about a record."""
    text = Path(file).read_text(encoding="utf-8", errors="surrogateescape")
    half = text[: 2 * len(text) // 3].rpartition(" ")[0]
    sheets = [{"name": name, "text": Path(f"sheets/{name}.tiro").read_text(encoding="utf-8")} for name in PLAYERS]
    said = [asked(ask="check", name=file, text=text), asked(ask="repair", name=file, text=text)]
    said += [asked(ask="join", name=file, logs=[{"name": file, "text": text}, sheet]) for sheet in sheets]
    said += [asked(ask="look", text=text, view=view) for view in ("", *VIEWS)]
    return [*said, *(asked(ask="complete", text=half + end) for end in ("", " "))]


def tapped(start: dict[str, Any]) -> list[bytes]:
    """The screens of a game of taps at random; which of the offers is tapped does not depend on their order."""
    rng = random.Random(json.dumps(start))
    said = [asked(ask="open", game="a", journal={"desk": 1, "start": start, "taps": []})]
    for _ in range(40):
        offers = json.loads(said[-1])["screen"]["offers"]
        taps = [{"tap": "card", **each} for each in offers["cards"]]
        kinds = (("group", "groups", "group"), ("bust", "busts", "bust"), ("number", "numbers", "n"))
        taps += [{"tap": kind, field: each} for kind, listed, field in kinds for each in offers[listed]]
        taps += [{"tap": "choice", "choice": each["key"]} for each in offers["choices"]]
        if not taps:
            break
        said.append(asked(ask="take", game="a", tap=rng.choice(sorted(taps, key=json.dumps))))
    return said


def run(case: Any) -> list[bytes]:
    """What comes of a case."""
    return tapped(case) if isinstance(case, dict) else told(case) if isinstance(case, str) else ran(*case)


def run_all(folder: str, every: int, part: int, parts: int) -> None:
    """Print a line for each case: it, and the hash of each thing that was written."""
    os.chdir(folder)
    Path(OUT).mkdir()
    files = sorted(str(path) for room in ("examples", "sheets") for path in Path(room).rglob("*.tiro"))
    for case in islice(cases(files[::every]), part, None, parts):
        hashes = [sha256(_MOMENT.sub(b"", each)).hexdigest()[:12] for each in run(case)]
        print(json.dumps(case), *hashes, sep="\t")


if __name__ == "__main__":
    run_all(sys.argv[1], *map(int, sys.argv[2:]))
