"""Screens of ``tiro record`` as they are seen: the score sheet before it is signed, and the list of draws."""

from __future__ import annotations

import pytest
from recorder_screens import on_screen, press, recorder_at, screen_text, type_in
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot
from tironian import write
from tironian.replay.recording.recorder import Recorder
from tironian.replay.recording.score_sheet import score_sheet
from tironian.replay.screen.recorder_screen import RecordApp
from typed_records import EXAMPLES, MemoryStorage, record_of

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"
SIZES = [(80, 24), (100, 30), (120, 40), (160, 45)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_sheet_is_seen_whole_before_it_is_signed(size: tuple[int, int], snapshot: SnapshotAssertion):
    recorder = Recorder(MemoryStorage(write(record_of(TIE_BREAK))))

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "/sheet\n")
        await pilot.pause()
        picture = screen_text(app)
        for line in score_sheet(recorder.draft, width=recorder.width):
            assert line in picture
        assert picture == snapshot

    on_screen(recorder, do, size)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_list_of_draws(size: tuple[int, int], snapshot: SnapshotAssertion):
    recorder = recorder_at(TIE_BREAK, "5E")

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P (5)K =r ")
        await press(pilot, "down")
        assert screen_text(app) == snapshot
        await press(pilot, "3")
        assert "\n5E 5P (5)K =r\n" in recorder.draft.text, "a key alone records nothing"
        await press(pilot, "enter")
        assert "\n5E 5P (5)K =r +3\n" in recorder.draft.text

    on_screen(recorder, do, size)
