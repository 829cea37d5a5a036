"""What the recorder sees at one glance: the last turns, what is asked for, what was taken back, what was refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest
from recorder_screens import on_screen, press, recorder_at, screen_text, shown, type_in
from rich.style import Style
from scale import FULL, scaled
from textual.pilot import Pilot
from textual.widgets import Static
from tironian import write
from tironian.replay.recording.clocks import Clocks
from tironian.replay.recording.recorder import Recorder
from tironian.replay.recording.score_sheet import score_sheet
from tironian.replay.screen.board import STYLES
from tironian.replay.screen.recorder_screen import RecordApp, written
from typed_records import EXAMPLES, MemoryStorage, bare, entries, is_due, record_of, recorder_of

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"
EGYPT = Style.parse(STYLES[1]).color
RED = 1
"""Among the terminal's own colours."""
WIDTHS = range(80, 161, 1 if FULL else 20)


def styles(app: RecordApp, name: str, line: int = 0) -> dict[str, Style]:
    """The parts of a line with their styles."""
    strip = app.screen_stack[0].query_one(name, Static).render_line(line)
    return {part.text.strip(): part.style for part in strip if part.style and part.text.strip()}


@pytest.mark.slow
def test_the_whole_table_and_the_last_turns_are_in_sight_at_80x24_through_a_whole_game():
    record = bare(record_of(TIE_BREAK))
    recorder = recorder_of(record)

    async def do(pilot: Pilot, app: RecordApp) -> None:
        for label, entry in islice(entries(record), scaled(50, 9999)):
            if not is_due(recorder, label, entry):
                continue
            await type_in(pilot, f"{entry}\n")
            await pilot.pause()
            assert not app.query_one("#table").max_scroll_y, label
            picture, cursor = shown(app, "#picture"), recorder.draft.cursor
            for what in ("Censors C", "hand", "piles", "missions", "discards", "to come"):
                assert what in picture, label
            turns = written(recorder.draft.record)
            if not cursor.fresh:
                assert turns[-1] in shown(app, "#turn")
                turns.pop()
            assert shown(app, "#last").lstrip("\n").splitlines()[-2:] == turns[-2:]

    on_screen(recorder, do, (80, 24))


def test_the_turn_that_is_being_written_is_marked_and_says_what_is_still_due():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P (5)K =r ")
        assert styles(app, "#turn")["5E 5P (5)K =r"].reverse
        assert shown(app, "#turn").endswith("✓ first card  ✓ second card  ✓ bust  ▸ draw 2")
        assert shown(app, "#asked").strip() == "▼ 5E · Cleopatra draws two cards"
        asked = styles(app, "#asked")["▼ 5E · Cleopatra draws two cards"]
        assert asked.reverse
        assert asked.color is not None
        assert EGYPT is not None
        assert asked.color.get_truecolor() == EGYPT.get_truecolor()

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_a_refusal_is_red_and_so_is_the_word_but_not_what_follows_it():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "2K (5)K\n")
        (said,) = styles(app, "#below").values()
        assert said.color is not None
        assert said.color.number == RED
        line = app.shown(app.line._value)
        assert {(line.plain[span.start : span.end], span.style) for span in line.spans} == {("2K", "bold red")}
        await press(pilot, "escape")
        await type_in(pilot, "5P ")
        (said,) = styles(app, "#below").values()
        assert said.color is None or said.color.number != RED

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_without_colours_there_are_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "2K ")
        assert app.no_color
        text = screen_text(app)
        assert "▲ Caesar" in text
        assert "▼ Cleopatra" in text
        assert "Cleopatra has no 2 in hand" in text

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_the_score_sheet_is_whole_at_every_width(width: int):
    recorder = Recorder(MemoryStorage(write(record_of(TIE_BREAK))))

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "/sheet\n")
        await pilot.pause()
        there = screen_text(app)
        assert [line for line in score_sheet(recorder.draft, width=recorder.width) if line not in there] == []
        assert "Cleopatra wins by the tie-break: 14-14, but 10 patricians to 9." in there

    on_screen(recorder, do, (width, 40))


def test_clocks_that_come_to_a_game_later_are_shown_and_noted_like_others(monkeypatch: pytest.MonkeyPatch):
    ticks: list[Callable[[], object]] = []
    monkeypatch.setattr(RecordApp, "set_interval", lambda _app, _seconds, do: ticks.append(do))
    recorder, time = recorder_at(TIE_BREAK, "5E"), 100.0

    async def do(pilot: Pilot, app: RecordApp) -> None:
        nonlocal time
        await type_in(pilot, "/header TimeControl 60\n")
        recorder.clocks = Clocks(60, 0, lambda: time)
        await press(pilot, "f5")
        time += 7
        for tick in ticks:
            tick()
        assert "Cleopatra 0:00:53" in shown(app, "#title")
        assert recorder.storage.clocks == "60.0 53.0"

    on_screen(recorder, do, (80, 24))


def test_what_was_probably_meant_is_not_shown_as_a_refusal(monkeypatch: pytest.MonkeyPatch):
    rung: list[str] = []
    monkeypatch.setattr(RecordApp, "bell", lambda app: rung.append(app.line.value))

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "(3)A ")
        assert told_in_red(app)
        await press(pilot, "ctrl+r")
        assert "1. (4)A (a wrong card)" in screen_text(app)
        assert not told_in_red(app)
        assert rung == ["(3)A"]

    def told_in_red(app: RecordApp) -> bool:
        return any(style.color is not None and style.color.number == RED for style in styles(app, "#below").values())

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (120, 40))
