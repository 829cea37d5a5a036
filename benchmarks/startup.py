"""Start-up: the cost of importing the library and of short commands, compared with the bare interpreter.

    .venv/bin/python benchmarks/startup.py --runs 10

It measures the processor time of the process and its children, which a loaded machine affects less than elapsed time.
The commands run in turn, round after round; the medians are printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

GAME = Path(__file__).resolve().parent.parent / "examples" / "2024" / "tie-break.tiro"
TIRO = str(Path(sys.executable).with_name("tiro"))
COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import click": [sys.executable, "-c", "import click"],
    "import lark": [sys.executable, "-c", "import lark"],
    "import tironian": [sys.executable, "-c", "import tironian"],
    "from tironian import check": [sys.executable, "-c", "from tironian import check"],
    "tiro --help": [TIRO, "--help"],
    "tiro check, one game": [TIRO, "check", str(GAME)],
}


def milliseconds(command: list[str]) -> float:
    """Return how much processor time a process takes."""
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def main() -> None:
    """Run every command in turn, round after round, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    for command in COMMANDS.values():  # once for the compiled files and the disk's cache
        milliseconds(command)
    rounds = [[milliseconds(command) for command in COMMANDS.values()] for _ in range(options.runs)]
    medians = [median(column) for column in zip(*rounds, strict=True)]
    for name, time in zip(COMMANDS, medians, strict=True):
        print(f"{name:26}{time:8.0f} ms   {time / medians[0]:6.1f} times the first")


if __name__ == "__main__":
    main()
