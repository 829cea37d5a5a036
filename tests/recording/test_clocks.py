"""Two chess clocks with a time that stands still unless it is told to go on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tironian import Record, parse
from tironian.notation.cards import EGYPT, ROME
from tironian.replay.recording.clocks import Clocks, parse_control


class Watch:
    """The time, as far as a test has let it go."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time

    def passes(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def clocks(watch: Watch) -> Clocks:
    return Clocks(60, 5, watch)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1800", (1800, 0)),
        ("1800+10", (1800, 10)),
        ("30:00", (1800, 0)),
        ("0:30:00+5", (1800, 5)),
        (" 1:00:00+0:10 ", (3600, 10)),
        ("100:00:00", (360000, 0)),
    ],
)
def test_a_control_that_clocks_can_be_set_to(text: str, meant: tuple[float, float]):
    assert parse_control(text) == meant


@pytest.mark.parametrize(
    "text", ["", "?", "-", "half an hour", "40/7200:3600", "*180", "1800+", "+10", "30:60", "-5", "1 800", "1e3", "٣٠"]
)
def test_any_other_control_is_for_people(text: str):
    assert parse_control(text) is None


def test_clocks_stand_until_one_is_started(clocks: Clocks, watch: Watch):
    watch.passes(100)
    assert (clocks.left(ROME), clocks.left(EGYPT), clocks.turn, clocks.is_running) == (60, 60, None, False)
    for act in (clocks.press, clocks.pause):
        act()
        watch.passes(1)
    assert (clocks.left(ROME), clocks.left(EGYPT), clocks.is_running) == (60, 60, False)


def test_a_press_stops_one_with_its_increment_and_starts_the_other(clocks: Clocks, watch: Watch):
    clocks.start(EGYPT)
    watch.passes(20)
    assert (clocks.left(EGYPT), clocks.left(ROME)) == (40, 60)
    clocks.press()
    assert clocks.turn == ROME
    watch.passes(7)
    assert (clocks.left(EGYPT), clocks.left(ROME)) == (45, 53)
    clocks.press()
    assert (clocks.turn, clocks.left(ROME)) == (EGYPT, 58)


def test_who_goes_on_alone_is_started_again(clocks: Clocks, watch: Watch):
    clocks.start(ROME)
    watch.passes(10)
    clocks.press()
    clocks.start(ROME)
    watch.passes(10)
    assert (clocks.left(ROME), clocks.left(EGYPT)) == (45, 60)


def test_a_pause_takes_nobodys_time_and_gives_nobody_an_increment(clocks: Clocks, watch: Watch):
    clocks.start(ROME)
    watch.passes(10)
    clocks.pause()
    clocks.pause()
    watch.passes(500)
    clocks.press()
    assert (clocks.left(ROME), clocks.turn, clocks.is_running) == (50, ROME, False)
    clocks.start(ROME)
    watch.passes(1)
    clocks.start(ROME)
    assert (clocks.left(ROME), clocks.is_running) == (49, True)


def test_a_flag_falls_and_the_clock_goes_on_below_zero(clocks: Clocks, watch: Watch):
    clocks.start(ROME)
    watch.passes(59.5)
    assert (clocks.fell(ROME), clocks.mark(ROME)) == (False, "@0:00:00")
    watch.passes(2.5)
    assert (clocks.fell(ROME), clocks.left(ROME), clocks.mark(ROME)) == (True, -2, "@0:00:00")
    clocks.press()
    # No increment brings it back.
    assert (clocks.fell(ROME), clocks.left(ROME), clocks.fell(EGYPT)) == (True, -2, False)
    clocks.set(ROME, 30)
    assert (clocks.fell(ROME), clocks.turn) == (False, EGYPT)


def test_an_arbiter_puts_a_clock_right_while_it_runs(clocks: Clocks, watch: Watch):
    clocks.start(ROME)
    watch.passes(10)
    clocks.set(ROME, 300)
    clocks.set(EGYPT, 200)
    watch.passes(1)
    assert (clocks.left(ROME), clocks.left(EGYPT)) == (299, 200)


@pytest.mark.parametrize(
    ("left", "mark"),
    [
        (0.9, "@0:00:00"),
        (59.999, "@0:00:59"),
        (3600, "@1:00:00"),
        (3753.5, "@1:02:33"),
        (-40, "@0:00:00"),
        (1e9, "@999:59:59"),
    ],
)
def test_a_mark_is_one_of_the_notation(clocks: Clocks, left: float, mark: str):
    clocks.set(ROME, left)
    assert clocks.mark(ROME) == mark
    (game,) = parse(f"1R 5A {mark}\n")
    assert game.record.turns[0].marks == (mark,)
    assert not game.problems


def resumed(turns: str, control: str = "1800+10") -> Clocks | None:
    (game,) = parse(f'[TimeControl "{control}"]\n\n{turns}')
    return Clocks.from_record(game.record, Watch())


def test_clocks_go_on_from_the_last_marks_of_the_game():
    taken_back = "2E 5A @0:28:00\n   % E back R210\n2E 4A ? @0:27:30\n"
    clocks = resumed(f"1E 5A @0:29:00 !\n1R 5A @62:33.5\n   | 1R 4A @0:00:01\n{taken_back}2R 4A\n")
    assert clocks is not None
    assert (clocks.left(EGYPT), clocks.left(ROME), clocks.increment) == (1650, 3753.5, 10)
    assert (clocks.turn, clocks.is_running) == (None, False)


def test_a_side_without_a_mark_has_all_its_time():
    clocks = resumed("1E 5A @0:29:00\n1R 5A\n")
    assert clocks is not None
    assert (clocks.left(EGYPT), clocks.left(ROME)) == (1740, 1800)


def test_a_flag_that_fell_has_fallen_for_who_goes_on():
    clocks = resumed("1E 5A @0:00:00\n")
    assert clocks is not None
    assert (clocks.fell(EGYPT), clocks.fell(ROME)) == (True, False)


@pytest.mark.parametrize("control", ["", "as long as it takes"])
def test_without_a_control_there_are_no_clocks(control: str):
    assert resumed("1E 5A @0:29:00\n", control) is None
    assert Clocks.from_record(Record()) is None


ACTS = st.sampled_from(["press", "pause", "Rome", "Egypt"]) | st.integers(0, 40)


@given(st.lists(ACTS, max_size=40))
def test_no_time_is_lost_or_made(acts: list[str | int]):
    """What both have left is what they had, less the time that a clock ran, and more for each turn ended in time."""
    watch = Watch()
    clocks = Clocks(100, 3, watch)
    due = 200.0
    for act in acts:
        if isinstance(act, int):
            due -= act if clocks.is_running else 0
            watch.passes(act)
        elif act == "press":
            due += 3 if clocks.turn is not None and clocks.is_running and not clocks.fell(clocks.turn) else 0
            clocks.press()
        elif act in ("Rome", "Egypt"):
            clocks.start(ROME if act == "Rome" else EGYPT)
        else:
            getattr(clocks, act)()
        assert clocks.left(ROME) + clocks.left(EGYPT) == due
