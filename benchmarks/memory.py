"""Memory of checking a file, which must not grow with the number of games in it.

    .venv/bin/python benchmarks/memory.py --games 1000 10000

Every file is written and checked in a separate process, and this process imports nothing large: on some systems a
child's peak starts at its parent's memory.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

WRITE = """
import sys
from tironian import load_edition, simulate, write

editions = [load_edition(name) for name in ("2024", "1997", "fr", "taylor")]
with open(sys.argv[1], "w", encoding="utf-8") as file:
    for number in range(int(sys.argv[2])):
        print(write(simulate(editions[number % 4], number)), file=file)
"""

CHECK = """
import resource, sys
from tironian import check, read

with open(sys.argv[1], encoding="utf-8") as file:
    count = sum(1 for game in read(file) if not check(game).diagnostics)
unit = 1 if sys.platform == "darwin" else 1024
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


def python(code: str, *arguments: str) -> str:
    """Run a piece of Python in a fresh interpreter and return what it printed."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> None:
    """Write a file for each number of games, check it, and print the peak."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, nargs="+", default=[1000, 10_000])
    options = parser.parse_args()
    print(f"{'games':>8} {'file':>10} {'peak':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for games in options.games:
            path = Path(folder, f"{games}.tiro")
            python(WRITE, str(path), str(games))
            accepted, peak = map(int, python(CHECK, str(path)).split())
            if accepted != games:
                raise SystemExit(f"{games - accepted} of {games} simulated games are refused")
            print(f"{games:8,} {path.stat().st_size / 1e6:7.1f} MB {peak / 1e6:7.1f} MB")


if __name__ == "__main__":
    main()
