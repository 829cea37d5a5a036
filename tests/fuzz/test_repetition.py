"""Twice as much of the same takes no more than about twice the work, whatever is said over and over.

Some sixty inputs in every run, counted in calls of functions. With TIRO_FULL=1 (``make full``) two thousand of nearly
100 kB, timed as well; the slowest are printed.
"""

from __future__ import annotations

import cProfile
import pstats
from time import process_time

import pytest
from repetition import LIMIT, checked, repetition
from scale import FULL, scaled

CHUNKS = 10
EACH = scaled(6, 200)
SIZE = 6_000
MOST = 2.8
"""How many times the calls twice the text may take; what is quadratic comes to nearly four."""
SLOWEST = 10.0
"""Seconds of processor time that any machine should do with; the aim is one."""


def calls(text: str) -> int:
    """How many functions are called to check a text, once its words are known."""
    checked(text)
    profile = cProfile.Profile()
    profile.runcall(checked, text)
    return pstats.Stats(profile).total_calls  # type: ignore[attr-defined]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_work_grows_no_faster_than_the_text(chunk: int):
    for seed in range(chunk * EACH, chunk * EACH + EACH):
        made = repetition(seed)
        found = [calls(made.text(SIZE)), calls(made.text(2 * SIZE))]
        if found[1] > MOST * found[0]:  # where a limit lies between the two sizes, the next step shows it
            found = [found[1], calls(made.text(4 * SIZE))]
        assert found[1] < MOST * found[0], f"{made.name}: {found[0]:,} calls, then {found[1]:,}"


@pytest.mark.skipif(not FULL, reason="two thousand inputs take some minutes")
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_input_below_100_kb_takes_long(chunk: int, capsys: pytest.CaptureFixture[str]):
    taken = []
    for seed in range(chunk * EACH, chunk * EACH + EACH):
        made = repetition(seed)
        text = made.text(LIMIT)
        began = process_time()
        checked(text)
        taken.append((process_time() - began, made.name))
    taken.sort(reverse=True)
    with capsys.disabled():
        print("", *(f"{seconds:6.2f} s  {name}" for seconds, name in taken[:10]), sep="\n")
    assert taken[0][0] < SLOWEST, taken[0]
