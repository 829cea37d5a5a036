"""The list on the recorder's screen: what is chosen in it, and that nothing is recorded that nobody chose."""

from __future__ import annotations

from recorder_screens import on_screen, press, recorder_at, shown, type_in
from textual.pilot import Pilot
from tironian.replay.screen.pick_list import CHOOSE
from tironian.replay.screen.recorder_screen import RecordApp
from typed_records import EXAMPLES

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"


def test_an_enter_too_many_records_nothing_and_says_what_to_do():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await press(pilot, "down", "5", "K", "enter")
        after = app.recorder.draft.text
        assert "\n5E 5K\n" in after
        assert "▸" not in shown(app, "#below")
        await press(pilot, *["enter"] * 5)
        assert app.recorder.draft.text == after
        first, second, *_ = shown(app, "#below").splitlines()
        assert first == CHOOSE
        assert second == "Cleopatra places a 5 face up at the Consuls"
        await press(pilot, "down", "enter")
        assert app.recorder.draft.text == after  # the first line opens another list
        assert app.line.value == "("
        await press(pilot, "5", "Q", "enter")
        assert "\n5E 5K (5)Q\n" in app.recorder.draft.text

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_a_list_that_opens_from_another_one_waits_for_a_choice():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        before = app.recorder.draft.text
        await press(pilot, "down", "5", *["enter"] * 3)
        assert app.recorder.draft.text == before
        await press(pilot, "escape", "down", "down", *["enter"] * 3)
        assert app.recorder.draft.text == before
        await press(pilot, "down", "enter")
        assert app.recorder.draft.text != before

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_what_was_chosen_is_chosen_no_more_after_an_undo_or_a_backspace():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        before = app.recorder.draft.text
        await press(pilot, "down", "5", "K", "enter", "down", "ctrl+z", "enter")
        assert app.recorder.draft.text == before
        await press(pilot, "5", "K", "backspace", "enter")
        assert app.recorder.draft.text == before

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_a_word_that_enter_would_take_is_not_called_impossible_while_it_is_typed():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P (5)K =r ")
        await type_in(pilot, "+43")
        assert "nothing" not in shown(app, "#below")
        await type_in(pilot, "2")
        assert "nothing that may come next begins with “+432”; Esc clears the line" in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))
