"""Twice as much of the same takes no more than about twice the work, whatever is said over and over.

Some twenty inputs in every run, counted in calls of functions. With TIRO_FULL=1 (``make full``) two thousand of nearly
100 kB, timed as well; the slowest are printed.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from time import process_time

import pytest
from counting import calls
from repetition import LIMIT, checked, repetition
from scale import FULL, scaled
from tironian import DifferentGames, merge, parse

CHUNKS = 10
EACH = scaled(1, 200)
SIZE = 6_000
MOST = 2.8
"""How many times the calls twice the text may take; what is quadratic comes to nearly four."""
LIMITED = 1_000_000
"""Calls of what is bounded by a number of its own: pairs of words compared, turns replayed to ask the rules."""
SLOWEST = 10.0
"""Seconds of processor time that any machine should do with; the aim is one."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_work_grows_no_faster_than_the_text(chunk: int):
    for seed in range(chunk * EACH, chunk * EACH + EACH):
        made = repetition(seed)
        once, twice = (calls(partial(checked, made.text(size))) for size in (SIZE, 2 * SIZE))
        if twice > MOST * once:  # where a limit lies between the two sizes, the next step shows it
            once, twice = twice, calls(partial(checked, made.text(4 * SIZE)))
        assert twice < MOST * once, f"{made.name}: {once:,} calls, then {twice:,}"


HEAD = """[Rules "2024"]

0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
"""
TWO_LOGS = {
    "words of a turn": (lambda size: "1E" + " zz" * size, lambda size: "1E" + " zy" * size),
    "equal words": (lambda size: "1E" + " =A" * size, lambda size: "1E 5Q" + " =A" * size),
    "turns of one label": (lambda size: "1E -\n" * size, lambda size: "1E 5Q\n" * size),
    "turns": (
        lambda size: "".join(f"{at // 2 + 1}{'ER'[at % 2]} 5Q (3)A\n" for at in range(size)),
        lambda size: "".join(f"{at // 2 + 1}{'ER'[at % 2]} 4Q (3)A\n" for at in range(size)),
    ),
    "remarks": (
        lambda size: "1E -\n" + "".join(f"; {at}\n" for at in range(size)),
        lambda size: "1E -\n" + "".join(f"; a{at}\n" for at in range(size)),
    ),
    "remarks in a line": (
        lambda size: "1E" + "".join(f" {{{at}}}" for at in range(size)),
        lambda size: "1E" + "".join(f" {{a{at}}}" for at in range(size)),
    ),
}


@pytest.mark.parametrize("name", TWO_LOGS)
def test_two_logs_are_joined_in_about_linear_time(name: str):
    def joined(text: str) -> None:
        with suppress(DifferentGames):
            merge([*parse(HEAD + text.partition("\0")[0], "one"), *parse(HEAD + text.partition("\0")[2], "two")])

    one, two = TWO_LOGS[name]
    once, twice = (calls(partial(joined, f"{one(size)}\0{two(size)}")) for size in (800, 1600))
    assert twice < MOST * once + LIMITED, (once, twice)


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
