"""Start-up: what importing the library and ``tiro --help`` cost on top of the bare interpreter.

    .venv/bin/python benchmarks/startup.py --runs 10

The commands run in turn, round after round; the medians are printed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "import tironian.notation": [sys.executable, "-c", "import tironian.notation"],
    "import tironian.replay": [sys.executable, "-c", "import tironian.replay"],
    "tiro --help": [str(Path(sys.executable).with_name("tiro")), "--help"],
}


def milliseconds(command: list[str]) -> float:
    """How long a process lives."""
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (perf_counter() - start) * 1000


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
        print(f"{name:26}{time:8.0f} ms   {time - medians[0]:+6.0f} ms")


if __name__ == "__main__":
    main()
