"""``tiro record`` killed at random moments: what was accepted is in the file, and goes on from there."""

from __future__ import annotations

import random
import signal
from pathlib import Path

import pytest
from journals import opened
from recorders import TIRO, WIDE, Entry, accepted, begun, quiet, script, typed
from scale import scaled
from terminals import terminal
from tironian import check, parse, write
from typed_records import COMPLETE, record_of

pytestmark = pytest.mark.process

GAMES = [path for path in COMPLETE if path.stem != "annotated"]
FINISHED = 5
"""Of so many recordings one is brought to its end."""


def killed(folder: Path, lines: list[Entry], chance: random.Random) -> int:
    """Record on, and be killed; return how many lines the terminal had shown to be accepted.

    More is typed than is waited for, so that he is killed at whatever he does behind the line that is waited for.
    """
    with terminal(*TIRO, size=WIDE, cwd=folder) as there:
        quiet(there)
        if chance.random() < 0.9:  # else perhaps before anything is asked
            there.wait_until(lambda: begun(there))
            some = lines[: chance.randrange(2, 30)]
            rest = typed(lines[len(some) : len(some) + 1])
            there.press(typed(some[1:]) + rest[: chance.randrange(len(rest) + 1)])
            wanted = chance.randrange(len(some))
            there.wait_until(lambda: accepted(there.output) >= wanted)
        there.run.send_signal(signal.SIGKILL)
        assert there.end() == -signal.SIGKILL
        assert b"Traceback" not in there.output
        return accepted(there.output)


def finish(path: Path, lines: list[Entry]) -> None:
    """Record the rest, a handful of lines at a time."""
    with terminal(*TIRO, size=WIDE, cwd=path.parent) as there:
        quiet(there)
        there.wait_until(lambda: begun(there))
        for at in range(1, len(lines), 20):
            some = lines[at : at + 20]
            there.press(typed(some))
            there.wait_until(lambda text=some[-1].text: path.read_text(encoding="utf-8") == text)
        there.press("/quit\r")
        assert there.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(scaled(1, 25)))
def test_a_recorder_that_is_killed(tmp_path: Path, seed: int):
    """Each one goes on where the last one was killed; some do so until the game is over."""
    chance = random.Random(seed)
    path = tmp_path / "game.tiro"
    record = record_of(GAMES[seed % len(GAMES)])
    lines = script(record)
    states = [entry.text for entry in lines]
    begun = at = states.index(chance.choice(states[: len(states) // 2]))
    path.write_text(states[at], encoding="utf-8")
    moments = 0
    for _ in range(scaled(2, 10)):
        accepted = killed(tmp_path, lines[at:], chance)
        moments += accepted > 0
        shown = at + accepted
        on_disk = path.read_text(encoding="utf-8")
        text, told = opened(path)
        assert told == []
        # A line that changes nothing in the text is typed again, so a place is the first with its text.
        at = states.index(text)
        assert states.index(states[shown]) <= at
        assert on_disk in states[max(0, at - 1) : at + 1]
        (game,) = parse(text)
        assert not [each for each in check(game).diagnostics if each.code[0] == "N"]
    assert moments
    print(f"seed {seed}: {moments} killed behind something accepted, lines {begun} to {at}")
    if seed % FINISHED == 0:
        finish(path, lines[at:])
        assert path.read_text(encoding="utf-8") == write(record)
