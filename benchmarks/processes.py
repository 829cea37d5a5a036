"""The speed of whole processes, including start-up: the commands as a user runs them, compared with others over as many
plies.

    .venv/bin/python benchmarks/processes.py --games 5000 --seed 1

One file of simulated games, of the four rule sets in turn, is checked by `tiro check`; python-chess (a process that
calls read_game until none is left) and pgn-extract read a file with as many plies as ours has tokens. Then `tiro
check` of one game, a bare interpreter, and `tiro simulate`. All take turns, round after round, and what is timed is
processor time of the process and those that it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from peers import CHESS_SHARE, EDITIONS, children_time, pgn_games, run_pgn_extract, tiro_records
from tironian import write

TIRO: Final = str(Path(sys.executable).with_name("tiro"))
READ_GAME: Final = """
import sys, chess.pgn
with open(sys.argv[1], encoding="utf-8") as file:
    while game := chess.pgn.read_game(file):
        if game.errors:
            raise SystemExit(f"python-chess refuses its own game: {game.errors[0]}")
"""
ONE_GAME_RUNS: Final = 10
CHECK, CHECK_TWO, CHESS, PGN = "tiro check -j 1", "tiro check -j 2", "python-chess, read_game", "pgn-extract -r"
SIMULATE, ONE, BARE = "tiro simulate -j 1", "tiro check, one game", "python -c pass"


class Taken(NamedTuple):
    """The seconds of one run: the processor time of all its processes, and the elapsed time."""

    processor: float
    wall: float


class Process:
    """A measured command; ``events`` is the number of events in one run."""

    def __init__(self, name: str, event: str, events: int, run: Callable[[], object], runs: int = 1) -> None:
        self.name, self.event, self.events = name, event, events
        self._run, self._runs = run, runs
        self.taken: list[Taken] = []

    def measure(self) -> None:
        """Run it once more; a short command is run several times, and the mean counts."""
        processor, wall = children_time(), perf_counter()
        for _ in range(self._runs):
            self._run()
        self.taken.append(Taken((children_time() - processor) / self._runs, (perf_counter() - wall) / self._runs))

    @property
    def seconds(self) -> float:
        """Return the mean processor time of a run."""
        return sum(taken.processor for taken in self.taken) / len(self.taken)

    @property
    def pace(self) -> float:
        """Return the events per second of processor time."""
        return self.events / self.seconds


def run(*command: str | Path) -> None:
    """Run a command to its end, and discard its output; a failing command ends the measurement."""
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stderr[-500:]}")


def ours(folder: Path, games: int, seed: int) -> list[Process]:
    """Return our commands, with the files that they read."""
    many, one, events = folder / "games.tiro", folder / "game.tiro", 0
    with open(many, "w", encoding="utf-8") as file:
        for number, record in enumerate(tiro_records(games, seed)):
            events += sum(len(turn.tokens) for turn in record.turns)
            text = write(record)
            file.write("\n" * bool(number) + text)
            if not number:
                one.write_text(text, encoding="utf-8")
    each = max(1, games // 10)

    def simulate() -> None:
        for name in EDITIONS:
            run(TIRO, "simulate", "--rules", name, "-n", str(each), "--seed", str(seed), "-j", "1")

    return [
        Process(CHECK, "tokens", events, lambda: run(TIRO, "check", "-j", "1", many)),
        Process(CHECK_TWO, "tokens", events, lambda: run(TIRO, "check", "-j", "2", many)),
        Process(SIMULATE, "games", each * len(EDITIONS), simulate),
        Process(ONE, "games", 1, lambda: run(TIRO, "check", one), ONE_GAME_RUNS),
        Process(BARE, "runs", 1, lambda: run(sys.executable, "-c", "pass"), ONE_GAME_RUNS),
    ]


def theirs(folder: Path, plies: int, longest: int, seed: int) -> list[Process]:
    """Return python-chess and, if installed, pgn-extract, over this many plies: some games, each several times."""
    path, share = folder / "games.pgn", max(1, plies // CHESS_SHARE)
    path.write_text("\n".join(pgn_games(share, longest, seed) * CHESS_SHARE), encoding="utf-8")
    found = [Process(CHESS, "plies", share * CHESS_SHARE, lambda: run(sys.executable, "-c", READ_GAME, path))]
    program = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")
    if program:
        found.append(Process(PGN, "plies", share * CHESS_SHARE, lambda: run_pgn_extract(program, path)))
    return found


# ----------------------------------------------------------------------------------------------------------- the report


def as_dict(processes: list[Process]) -> dict[str, object]:
    """Everything that was measured."""
    return {
        process.name: {
            "event": process.event,
            "events": process.events,
            "seconds": [taken.processor for taken in process.taken],
            "wall_seconds": [taken.wall for taken in process.taken],
            "events_per_second": process.pace,
        }
        for process in processes
    }


def ratios(processes: list[Process]) -> list[str]:
    """Return our check compared with the others: overall, and the smallest and largest ratio of a round."""
    named = {process.name: process for process in processes}
    found = []
    for name in (CHESS, PGN):
        if name in named:
            mine, other = named[CHECK], named[name]
            scale = mine.events / other.events
            rounds = [
                scale * beside.processor / own.processor for own, beside in zip(mine.taken, other.taken, strict=True)
            ]
            whole = mine.pace / other.pace
            found.append(f"{CHECK} ÷ {name:<26}{whole:>8.2f}   ({min(rounds):.2f} to {max(rounds):.2f} in a round)")
    found.append(f"{SIMULATE}, games/s ÷ plies/s of {CHESS}: {named[SIMULATE].pace / named[CHESS].pace:.5f}")
    return found


def as_text(processes: list[Process]) -> list[str]:
    """Return the same as a table, and the ratios."""
    lines = [f"{'':<28}{'events/s':>12}{'CPU, s':>10}{'wall, s':>10}"]
    for process in processes:
        wall = sum(taken.wall for taken in process.taken) / len(process.taken)
        figures = f"{process.pace:>12,.0f}{process.seconds:>10.3f}{wall:>10.3f}"
        lines.append(f"{process.name:<28}{figures}   {process.events:,} {process.event}")
    return [*lines, "", *ratios(processes)]


def main() -> None:
    """Write the files, run every command in turn, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=5000, help="games in the file; the others go by it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="everything that was measured, for programs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        mine = ours(Path(name), options.games, options.seed)
        tokens = mine[0].events
        processes = [*mine, *theirs(Path(name), tokens, tokens // options.games, options.seed)]
        mine[3].measure()  # for the compiled files and the disk's cache
        mine[3].taken.clear()
        for _ in range(options.rounds):
            for process in processes:
                process.measure()
    about = {"python": platform.python_version(), "processors": os.cpu_count()}
    about |= {key: getattr(options, key) for key in ("games", "seed", "rounds")}
    if options.json:
        print(json.dumps(about | {"processes": as_dict(processes)}, indent=2))
    else:
        print(", ".join(f"{key} {value}" for key, value in about.items()), end="\n\n")
        print(*as_text(processes), sep="\n")


if __name__ == "__main__":
    main()
