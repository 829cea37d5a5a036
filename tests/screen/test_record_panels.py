"""The recorder's screen at every size: nothing to type on or to read falls off it, and what was typed stays."""

from __future__ import annotations

import pytest
from recorder_screens import on_screen, press, recorder_at, screen_text, shown, type_in
from textual.pilot import Pilot
from tironian import write
from tironian.replay.recording.questions import blank
from tironian.replay.recording.recorder import Recorder
from tironian.replay.recording.storage import NotKept
from tironian.replay.screen.recorder_screen import RecordApp
from tironian.replay.screen.widgets import ReadingScreen
from typed_records import EXAMPLES, MemoryStorage, headers_only, record_of

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"
SIZES = [(60, 16), (60, 34), (66, 30), (80, 24), (80, 30), (100, 34), (112, 30), (113, 30), (114, 30), (120, 40)]


class Disk(MemoryStorage):
    """A storage that can be full."""

    full = False

    def keep(self, text: str, what: str, turn: str = "", aside: str = "") -> None:
        if self.full:
            raise NotKept("there is no room")
        super().keep(text, what, turn, aside)


def finished() -> Recorder:
    return Recorder(MemoryStorage(write(record_of(TIE_BREAK))))


@pytest.mark.parametrize("size", SIZES)
def test_the_line_is_on_every_screen(size: tuple[int, int]):
    async def do(_pilot: Pilot, app: RecordApp) -> None:
        for name in ("#turn", "#asked", "#typing", "#below", "#keys"):
            region = app.query_one(name).region
            assert region.height
            assert region.bottom <= size[1]
        assert app.query_one("#below").size.height >= 3
        assert "▼ 5E · Cleopatra places the first card" in shown(app, "#asked")
        assert "card face down" in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, size)


def test_a_long_mission_pushes_no_line_away():
    recorder = recorder_at(TIE_BREAK, "5E")
    recorder = Recorder(MemoryStorage(recorder.draft.text.replace("m(K,C)", f'm(K,"{"so many words " * 150}")')))

    async def do(_pilot: Pilot, app: RecordApp) -> None:
        assert app.query_one("#typing").region.bottom < 40

    on_screen(recorder, do, (120, 40))


def test_another_size_is_drawn_anew():
    wide, narrow = "▲ Caesar · 2 points", "▲ Caesar · 2   "

    async def do(pilot: Pilot, app: RecordApp) -> None:
        assert wide in shown(app, "#picture")
        for size, there in (((60, 34), narrow), ((120, 40), wide)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.pause()
            assert there in shown(app, "#picture")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (120, 40))


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
def test_the_whole_score_sheet_can_be_read(size: tuple[int, int]):
    async def do(pilot: Pilot, app: RecordApp) -> None:
        below = shown(app, "#below")
        assert "Cleopatra wins" in below or "/sheet shows all of it" in below
        if "/sheet shows all groups" in below:
            parts = "Caesar 14 = patricians 9 + majorities 3 + missions 2 Cleopatra 14 = "
            assert below.startswith("Cleopatra wins")
            assert parts in " ".join(below.split())
        await type_in(pilot, "/sheet\n")
        assert isinstance(app.screen, ReadingScreen) or "Cleopatra wins" in shown(app, "#below")
        if isinstance(app.screen, ReadingScreen):
            await press(pilot, "end")
            await pilot.wait_for_scheduled_animations()  # it glides there
            assert "Cleopatra wins" in screen_text(app)
            await press(pilot, "q")
        assert not isinstance(app.screen, ReadingScreen)

    on_screen(finished(), do, size)


def test_what_lies_over_the_screen_is_not_told_below_it_as_well():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "/sheet\n")
        assert isinstance(app.screen, ReadingScreen)
        await press(pilot, "escape")
        assert "Score sheet" not in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


@pytest.mark.parametrize("typed", ["/note a long remark", "5P", "5P (5)K", "/header Site Rome"])
@pytest.mark.parametrize("key", ["enter", "ctrl+t"])
def test_what_there_was_no_room_for_stays_on_the_line(typed: str, key: str):
    text = recorder_at(TIE_BREAK, "5E").draft.text
    storage = Disk(text)
    recorder = Recorder(storage)

    async def do(pilot: Pilot, app: RecordApp) -> None:
        storage.full = True
        app._write(typed)
        await press(pilot, key)
        assert app.line.value.strip() == typed
        assert "there is no room" in shown(app, "#below")
        assert recorder.draft.text == text
        storage.full = False
        await press(pilot, key)
        assert app.line.value == ""
        assert recorder.draft.text != text

    on_screen(recorder, do, (100, 34))


def test_no_control_character_reaches_the_screen():
    text = headers_only(record_of(TIE_BREAK)).replace('[Result "*"]', '[Result "*"]\n[Termination "aban\x1b[2Jdoned"]')
    recorder = Recorder(MemoryStorage(text))

    async def do(_pilot: Pilot, app: RecordApp) -> None:
        assert not any("\x1b" in strip.text for strip in app.screen._compositor.render_strips())

    on_screen(recorder, do, (120, 40))


def test_while_the_list_has_the_keys_the_line_says_so():
    def line_of(app: RecordApp) -> str:
        return app.query_one("#typing").render_line(0).text

    async def do(pilot: Pilot, app: RecordApp) -> None:
        assert "keys" not in line_of(app)
        await press(pilot, "down")
        await pilot.pause()
        assert "a key chooses its line, Enter takes it; Esc to type" in line_of(app)
        await press(pilot, "escape")
        await pilot.pause()
        assert "keys" not in line_of(app)

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_in_tournament_mode_there_is_no_table_no_list_and_no_step_of_the_turn():
    recorder = Recorder(MemoryStorage(blank("2024", {"View": "caesar", "Mode": "tournament"}, "?")))

    async def do(pilot: Pilot, app: RecordApp) -> None:
        for line in ("(5)P (5)P m(A,K)\n\n", "5P 5P +ii\n\n"):  # nothing of this is legal
            await type_in(pilot, line)
            assert (shown(app, "#picture"), shown(app, "#below")) == ("", "")
        assert shown(app, "#turn") == "1R"
        assert "not judged" in shown(app, "#asked")
        await type_in(pilot, "/end normal\n")
        assert "[R" in screen_text(app)

    on_screen(recorder, do, (100, 34))
