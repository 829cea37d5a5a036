"""What people are shown of many games, as one line for each command and game, to hold two versions against each other.

    python tests/property/digests.py write FOLDER
    python tests/property/outputs.py FOLDER [--games 500] [--judged 200] > outputs.txt

The games are those that ``digests.py`` writes, so many of each kind. Each line has a game's name, the command, and a
digest of its exit code, of what it wrote to its streams, and of the file that it made; ``diff`` compares two versions.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

from click.testing import CliRunner
from digests import Text, texts

GAME, VIEW, OTHER, OUT = "game.tiro", "caesar.tiro", "cleopatra.tiro", "out"
COMMANDS = (
    f"check {GAME}",
    f"check {GAME} --format json",
    f"timeline {GAME} --full",
    f"timeline {GAME} --format md",
    f"timeline {GAME} --format svg -o {OUT}",
    f"timeline {GAME} --format html -o {OUT}",
    f"votes {GAME}",
    f"votes {GAME} --vote 1 --format svg -o {OUT}",
    f"show {GAME} --at 5E",
    f"view {GAME} --as caesar -o {VIEW}",
    f"view {GAME} --as cleopatra -o {OTHER}",
    f"view {GAME} --as table",
    f"merge {VIEW} {OTHER}",
    f"repair {GAME}",
    f"convert {GAME}",
)
JUDGED = f"analyse {GAME} --level quick"
MADE = (OUT, VIEW, OTHER)


def of_game(made: Text, commands: tuple[str, ...]) -> Iterator[str]:
    """Yield the line of each command for a game."""
    (start,) = entry_points(group="console_scripts", name="tiro")
    main = import_module(start.module.replace("__main__", "command_line")).main
    Path(GAME).write_text(made.text, encoding="utf-8", errors="surrogateescape")
    for command in commands:
        done = CliRunner().invoke(main, [*command.split(), *["-f"] * ("-o" in command)], env={"COLUMNS": "100"})
        out = Path(command.split()[-1]) if "-o" in command else None
        made_file = out.read_bytes() if out and out.exists() else b""
        fault = "" if done.exception is None or isinstance(done.exception, SystemExit) else repr(done.exception)
        told = f"{done.exit_code}{done.stdout}\0{done.stderr}\0{fault}".encode(errors="surrogatepass")
        yield f"{made.name.split(' ')[0]}\t{command}\t{sha256(told + made_file).hexdigest()[:16]}"
    for name in MADE:
        Path(name).unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--judged", type=int, default=200)
    options = parser.parse_args()
    every = texts(options.folder)
    chosen = [made for kind in "hs" for made in [each for each in every if each.name[0] == kind][: options.games // 2]]
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for number, made in enumerate(chosen):
            print(*of_game(made, COMMANDS), sep="\n")
            if number < options.judged:
                print(*of_game(made, (JUDGED,)), sep="\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
