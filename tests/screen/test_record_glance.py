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
    strip = app.query_one(name, Static).render_line(line)
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
            for what in ("Censors C", "hand", "piles", "missions", "discards", "still to come"):
                assert what in picture, label
            turns = written(recorder.draft.record)
            if not cursor.fresh:
                assert turns[-1] in shown(app, "#turn")
                turns.pop()
            assert shown(app, "#last").splitlines()[-2:] == turns[-2:]

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


def test_beside_the_table_it_is_marked_in_the_record():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P ")
        *_, last = shown(app, "#lines").splitlines()
        assert last.strip() == "5E 5P"
        assert styles(app, "#lines", len(app.recorder.draft.record.turns) - 1)["5E 5P"].reverse

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (120, 40))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_what_was_entered_is_told_and_so_is_what_was_taken_back(size: tuple[int, int]):
    async def do(pilot: Pilot, app: RecordApp) -> None:
        for typed, told in (
            ("(5)K ", "Cleopatra places a 5 face down at the Consuls"),
            ("5P ", "Cleopatra places a 5 face up at the Praetors"),
            ("=P ", "Vote at the Praetors: Egypt has more: 12 to 2."),
            ("+1 ", "Cleopatra draws a 1"),
            ("+2 ", "Cleopatra draws a 2"),
        ):
            await type_in(pilot, typed)
            assert told in shown(app, "#below").splitlines()[0]
            if typed == "=P ":
                why = "No philosopher lies there: the higher sum wins"
                assert why in " ".join(shown(app, "#below").split())
        for taken in ("5E +2", "5E +1", "5E =P2:552>E", "5E 5P", "5E (5)K"):
            await press(pilot, "ctrl+z")
            assert shown(app, "#below").splitlines()[0] == f"taken back: {taken}"
        await press(pilot, "ctrl+y")
        assert "Cleopatra places a 5 face down at the Consuls" in shown(app, "#below")
        await type_in(pilot, "/undo turn\n")
        assert "taken back: 5E (5)K" in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, size)


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
        assert [line for line in score_sheet(recorder.draft.record, width=recorder.width) if line not in there] == []
        assert "Cleopatra wins by the tie-break: 14-14, but 10 patricians to 9." in there

    on_screen(recorder, do, (width, 40))


def test_the_arrows_go_through_a_list_of_several_columns():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P (5)K =r ")
        await press(pilot, "down")
        below = shown(app, "#below").splitlines()
        assert below[1] == "Draws …"
        assert below[2].split()[:4] == ["▸1", "a", "1", "+1"]
        columns = below[2].count("+")
        assert columns > 1
        await press(pilot, "down")
        assert app.at == columns
        await press(pilot, "right", "right", "left")
        assert app.at == columns + 1
        await press(pilot, "up")
        assert app.at == 1
        await press(pilot, "up")
        assert app.at < 0

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_what_has_no_room_in_the_list_is_said_to_be_there():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P (5)K ")
        await press(pilot, "down")
        assert shown(app, "#below").splitlines()[-1].endswith("↓ more")
        await press(pilot, *["down"] * 20)
        last = shown(app, "#below").splitlines()
        assert "=r" in last[-1]
        assert any(line.endswith("↑ more") for line in last)

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_the_head_of_the_screen_is_never_cut_in_a_word():
    recorder = recorder_at(TIE_BREAK, "5E")
    text = recorder.draft.text.replace('[Rules "2024"]', '[Rules "2024"]\n[TimeControl "1800+10"]')
    clocks = "5E · Caesar 0:30:00   Cleopatra 0:30:00   (paused)"
    all_of_it = f"{clocks} · Ines Quemener – Piotr Zawadzki · 2024 rules"
    shows = {(60, 24): clocks, (100, 24): all_of_it, (120, 24): f"{all_of_it} · game.tiro"}

    async def do(pilot: Pilot, app: RecordApp) -> None:
        assert shown(app, "#title") == shows[pilot.app.size.width, pilot.app.size.height]

    for size in shows:
        on_screen(Recorder(MemoryStorage(text)), do, size)


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
        assert shown(app, "#below").startswith("1. (4)A (a wrong card)")
        assert not told_in_red(app)
        assert rung == ["(3)A"]

    def told_in_red(app: RecordApp) -> bool:
        return any(style.color is not None and style.color.number == RED for style in styles(app, "#below").values())

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (120, 40))


def test_the_head_says_who_sees_no_more():
    async def do(_pilot: Pilot, app: RecordApp) -> None:
        assert "seen by caesar" in shown(app, "#title")

    recorder = recorder_at(TIE_BREAK, "5E")
    on_screen(Recorder(MemoryStorage(recorder.draft.text.replace("]\n", ']\n[View "caesar"]\n', 1))), do, (80, 24))


def test_the_help_says_how_to_close_it():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await press(pilot, "f1")
        assert "Esc closes this" in screen_text(app)
        assert "↑ ↓ PgUp PgDn: more of it" in screen_text(app)
        await press(pilot, "escape")
        assert "Esc closes this" not in screen_text(app)

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_what_was_recorded_takes_the_lines_that_the_list_leaves_free():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "1K (4)Q =P ")
        below = " ".join(shown(app, "#below").split())
        assert "Rome has more: 15 to 9. No philosopher lies there: the higher sum wins, so Rome wins." in below
        assert "Egypt wins a patrician Draws …" in below

    on_screen(recorder_at(TIE_BREAK, "6R"), do, (80, 24))


def test_at_the_end_of_a_game_the_winner_comes_first_and_both_sides_are_whole():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "(1)P 4P x2P *P =r +54w ")
        lines = shown(app, "#below").splitlines()
        assert lines[0].startswith("Cleopatra wins by the tie-break: 14-14")
        assert [line.split(" = ")[0] for line in lines[1:]] == ["Caesar 14", "Cleopatra 14"]
        await press(pilot, "down")
        assert shown(app, "#below").splitlines() == lines

    on_screen(recorder_at(TIE_BREAK, "14R"), do, (80, 24))
