"""How long it takes on the screen of ``tiro record`` from a key to what it changes, late in a long game.

    python benchmarks/recording.py [--turns 60] [--games 3]

Types three turns of the longest of some simulated games, from that turn or their fourth last on, key by key, on a
screen of 120 by 40 without a terminal, and takes the time until the screen has been drawn for the last time after each
key: by the clock on the wall, and of it what the program itself took of the processor and what it waited for the disk.
Where these two are much less than the whole, the machine did something else. Needs the extra ``step``.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from textual.events import Key
from textual.keys import _character_to_key
from tironian import EDITION_NAMES, Record, Result, Turn, load_edition, simulate, token_text, write
from tironian.replay.recording.recorder import Recorder
from tironian.replay.recording.storage import RecordStorage
from tironian.replay.screen.recorder_screen import RecordApp

SEEDS = 400
TOO_EARLY = "+5\n\x1b"
"""A card drawn before anything else is done, which is refused, and the key that removes it."""
KEYS = {"\n": "enter", "\x1b": "escape"}
KINDS = {"\n": "a word entered", "\x1b": "taken away"}
QUIET = 0.12
"""The seconds without a key after which a screen counts as drawn."""
AIM = 50
"""Milliseconds."""


class Took(NamedTuple):
    """The milliseconds from a key to the screen: in total, for our own work, and for the disk."""

    wall: float
    work: float
    disk: float


class Disk:
    """Counts the seconds spent waiting for the disk."""

    def __init__(self) -> None:
        self.waited = 0.0
        self._sync = os.fsync
        os.fsync = self._timed

    def _timed(self, file: int) -> None:
        start = time.perf_counter()
        try:
            self._sync(file)
        finally:
            self.waited += time.perf_counter() - start


def long_games(name: str, count: int) -> list[Record]:
    """Return the longest of some simulated games."""
    games = [simulate(load_edition(name), seed) for seed in range(SEEDS)]
    return sorted(games, key=lambda record: len(record.turns))[-count:]


def type_turn(recorder: Recorder, record: Record, place: int) -> None:
    """Type a turn without a screen."""
    turn = record.turns[place]
    for token in turn.tokens:
        recorder.enter(token_text(token))
    cursor = recorder.draft.cursor
    if cursor.label == turn.label and not cursor.fresh:
        recorder.enter("")


def keys_of(recorder: Recorder, turns: tuple[Turn, ...]) -> Iterator[str]:
    """Return the keys that type turns, each once the one before it has been obeyed, with a premature word before each
    turn.
    """
    for turn in turns:
        yield from TOO_EARLY
        for token in turn.tokens:
            yield from f"{token_text(token)}\n"
        cursor = recorder.draft.cursor
        if cursor.label == turn.label and not cursor.fresh:
            yield "\n"


async def measure(recorder: Recorder, turns: tuple[Turn, ...], times: dict[str, list[Took]], disk: Disk) -> None:
    """Add the milliseconds of every key to its kind."""
    app = RecordApp(recorder, "game.tiro")
    display = app._display

    def now() -> Took:
        return Took(time.perf_counter(), time.process_time(), disk.waited)

    drawn = now()

    def noted(*args: object, **more: object) -> None:
        nonlocal drawn
        display(*args, **more)  # type: ignore[arg-type]
        drawn = now()

    app._display = noted  # type: ignore[method-assign]
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for letter in keys_of(recorder, turns):
            await asyncio.sleep(QUIET)
            start = now()
            key = KEYS.get(letter)
            app.post_message(Key(key or _character_to_key(letter), None if key else letter))
            await asyncio.sleep(2 * QUIET)
            kind = KINDS.get(letter, "a letter")
            if letter == "\n" and recorder.refusal:
                kind = "a word refused"
            times[kind].append(Took(*(1000 * (end - begin) for begin, end in zip(start, drawn, strict=True))))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=60)
    options.add_argument("--games", type=int, default=3)
    args = options.parse_args()
    disk = Disk()
    for name in EDITION_NAMES:
        kinds: dict[str, list[Took]] = defaultdict(list)
        for record in long_games(name, args.games):
            begin = min(args.turns, len(record.turns) - 4)
            with tempfile.TemporaryDirectory() as folder, RecordStorage(Path(folder) / "game.tiro") as storage:
                head = tuple((key, "*" if key == "Result" else value) for key, value in record.headers)
                storage.keep(write(Record(head, (), (), Result())), "begun")
                recorder = Recorder(storage)
                for place in range(begin):
                    type_turn(recorder, record, place)
                asyncio.run(measure(recorder, record.turns[begin : begin + 3], kinds, disk))
                assert recorder.refusal is None
        for what, times in kinds.items():
            walls = sorted(took.wall for took in times)
            print(
                f"{name:>6}  {what:<14}  median {statistics.median(walls):4.0f} ms, "
                f"95 % {walls[int(0.95 * len(walls))]:4.0f} ms, slowest {walls[-1]:4.0f} ms, {len(walls)} keys; "
                f"own work at most {max(took.work for took in times):3.0f} ms"
            )
            for took in times:
                if took.wall >= AIM:
                    print(f"{'':24}{took.wall:.0f} ms: {took.work:.0f} own work, {took.disk:.0f} the disk")


if __name__ == "__main__":
    main()
