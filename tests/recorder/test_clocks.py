"""Two chess clocks with a time that stands still unless it is told to go on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journals import journal_of
from jsonschema import Draft202012Validator
from tironian import Record, parse
from tironian.notation.cards import EGYPT, ROME
from tironian.schemas import load_schema
from tironian.tools.recorder.clocks import Clocks, parse_control
from tironian.tools.recorder.commands import run_command
from tironian.tools.recorder.recorder import Recorder
from tironian.tools.recorder.storage import RecordStorage


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
        ("1800", (1800, 0)), ("1800+10", (1800, 10)), ("30:00", (1800, 0)), ("0:30:00+5", (1800, 5)),
        (" 1:00:00+0:10 ", (3600, 10)), ("100:00:00", (360000, 0)),
    ],
)  # fmt: skip
def test_a_control_that_clocks_can_be_set_to(text: str, meant: tuple[float, float]):
    assert parse_control(text) == meant


@pytest.mark.parametrize(
    "text", ["", "?", "-", "half an hour", "40/7200:3600", "*180", "1800+", "+10", "30:60", "-5", "1 800", "1e3", "٣٠"]
)
def test_any_other_control_is_for_people(text: str):
    assert parse_control(text) is None


def test_who_goes_on_alone_is_started_again(clocks: Clocks, watch: Watch):
    clocks.start(ROME)
    watch.passes(10)
    clocks.press()
    clocks.start(ROME)
    watch.passes(10)
    assert (clocks.left(ROME), clocks.left(EGYPT)) == (45, 60)


@pytest.mark.parametrize(
    ("left", "mark"),
    [
        (0.9, "@0:00:00"), (59.999, "@0:00:59"), (3600, "@1:00:00"), (3753.5, "@1:02:33"), (-40, "@0:00:00"),
        (1e9, "@999:59:59"),
    ],
)  # fmt: skip
def test_a_mark_is_one_of_the_notation(clocks: Clocks, left: float, mark: str):
    clocks.set(ROME, left)
    assert clocks.mark(ROME) == mark
    (game,) = parse(f"1R 5A {mark}\n")
    assert game.record.turns[0].marks == (mark,)
    assert not game.problems


def resumed(turns: str, control: str = "1800+10") -> Clocks | None:
    (game,) = parse(f'[TimeControl "{control}"]\n\n{turns}')
    return Clocks.from_record(game.record, now=Watch())


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
    assert (clocks.has_run_out(EGYPT), clocks.has_run_out(ROME)) == (True, False)


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
            due += 3 if clocks.turn is not None and clocks.is_running and not clocks.has_run_out(clocks.turn) else 0
            clocks.press()
        elif act in ("Rome", "Egypt"):
            clocks.start(ROME if act == "Rome" else EGYPT)
        else:
            getattr(clocks, act)()
        assert clocks.left(ROME) + clocks.left(EGYPT) == due


# ---------------------------------------------------------------------------------- the recording ends and goes on


FIRST = "4K (i)P +ii"
"""The first turn."""


@contextmanager
def recording(path: Path, watch: Watch) -> Iterator[Recorder]:
    """A recorder whose clocks go by that watch; who leaves it in good order has noted how they stand."""
    with RecordStorage(path) as storage:
        recorder = Recorder(storage)
        recorder.clocks = Clocks.from_record(recorder.draft.record, storage.clocks, lambda: watch.time)
        yield recorder
        recorder.note_clocks()


def times(recorder: Recorder) -> tuple[float, float]:
    assert recorder.clocks is not None
    return recorder.clocks.left(ROME), recorder.clocks.left(EGYPT)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    there = tmp_path / "game.tiro"
    there.write_text('[Rules "2024"]\n[View "table"]\n[TimeControl "60+5"]\n[Result "*"]\n\n*\n')
    return there


@pytest.mark.parametrize("leaves", ["", "/clock pause", "killed"])
def test_time_that_was_thought_is_not_given_back(game: Path, watch: Watch, leaves: str):
    with recording(game, watch) as recorder:
        run_command(recorder, "/clock start")
        watch.passes(20)
        assert recorder.enter("4K")
        watch.passes(3.5)
        if leaves.startswith("/"):
            run_command(recorder, leaves)
            watch.passes(100)
        recorder.note_clocks()  # as the screen does every second
        there = {each: each.read_bytes() for each in (game, journal_of(game))}
    for each, data in there.items() if leaves == "killed" else ():
        each.write_bytes(data)
    watch.passes(1000)
    with recording(game, watch) as recorder:
        assert times(recorder) == (60, 36.5)
        assert recorder.undo()
        assert times(recorder) == (60, 36.5)
        watch.passes(10)
        assert times(recorder) == (60, 36.5), "they stand until one is started"


def test_an_end_of_a_turn_that_was_taken_back_earns_no_second_increment(game: Path, watch: Watch):
    with recording(game, watch) as recorder:
        run_command(recorder, "/clock start")
        watch.passes(20)
        assert recorder.enter(FIRST)
        assert times(recorder) == (60, 45)
        watch.passes(2)
        assert recorder.undo()
    with recording(game, watch) as recorder:
        assert times(recorder) == (58, 45)
        run_command(recorder, "/clock start")
        assert recorder.redo()
        assert recorder.undo()
        watch.passes(1)
        assert recorder.enter("+ii")
        assert times(recorder) == (58, 44)


def test_times_that_were_set_or_paused_at_the_end_of_a_turn_are_kept(game: Path, watch: Watch):
    with recording(game, watch) as recorder:
        run_command(recorder, "/clock set 0:12:30")
        run_command(recorder, "/clock start")
        watch.passes(30)
        run_command(recorder, "/clock pause")
        assert recorder.enter(FIRST)
    with recording(game, watch) as recorder:
        assert times(recorder) == (60, 720)


@pytest.mark.parametrize("note", ["", "60.0", "nan 1.0", "60.0 36.5 1X", "1e9 2.0"])
def test_without_a_note_of_times_the_marks_count(game: Path, watch: Watch, note: str):
    with recording(game, watch) as recorder:
        run_command(recorder, "/clock start")
        watch.passes(20)
        assert recorder.enter(FIRST)
        watch.passes(10)
        recorder.storage.clocks = note or "1.0 1.0"
        trail = journal_of(game).read_text()
    journal_of(game).write_text(trail if note else trail.replace(',"clocks":"1.0 1.0"', ""))
    with recording(game, watch) as recorder:
        assert times(recorder) == (60, 45)


def test_marks_that_were_written_by_hand_count_more_than_the_note(game: Path, watch: Watch):
    with recording(game, watch) as recorder:
        run_command(recorder, "/clock start")
        assert recorder.enter(FIRST)
    game.write_text(game.read_text().replace("@0:01:05", "@0:00:50"))
    with recording(game, watch) as recorder:
        assert times(recorder) == (60, 50)


@pytest.mark.parametrize(
    ("control", "left"), [("90+5", (90, 35)), ("1:00+1", (60, 5)), ("30", (30, -25)), ("60+5", (60, 5))]
)
def test_another_control_gives_nobody_the_time_back_that_they_thought(
    game: Path, watch: Watch, control: str, left: tuple[float, float]
):
    with recording(game, watch) as recorder:
        assert recorder.clocks
        run_command(recorder, "/clock start")
        watch.passes(20)
        assert recorder.enter("4K")
        watch.passes(35)
        run_command(recorder, f"/header TimeControl {control}")
        assert times(recorder) == left
        assert recorder.clocks.is_running
        run_command(recorder, "/undo")
        assert times(recorder) == (60, 5)
        run_command(recorder, "/redo")
        watch.passes(1)
        assert times(recorder) == (left[0], left[1] - 1)
    with recording(game, watch) as recorder:
        assert times(recorder) == (left[0], left[1] - 1)


def test_the_trail_with_its_note_is_as_its_schema_says(game: Path, watch: Watch):
    with recording(game, watch) as recorder:
        run_command(recorder, "/clock start")
        watch.passes(70)
        assert recorder.enter(FIRST)
    judge = Draft202012Validator(load_schema("trail"))
    note = json.loads(journal_of(game).read_bytes().splitlines()[-1])
    assert note["clocks"] == "60.0 -10.0 1E"
    judge.validate(note)
