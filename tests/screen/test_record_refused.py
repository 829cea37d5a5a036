"""A refused word on the recorder's line: it is recorded only where somebody insists on it, and told from others."""

from __future__ import annotations

import pytest
from recorder_screens import on_screen, press, recorder_at, shown, type_in
from textual.pilot import Pilot
from textual.widgets import Static
from tironian.replay.recording.commands import enter
from tironian.replay.screen.recorder_screen import RecordApp
from typed_records import EXAMPLES

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"


def test_only_what_stands_refused_is_insisted_upon():
    recorder = recorder_at(TIE_BREAK, "5E")
    before = recorder.draft.text

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "4S")
        await press(pilot, "ctrl+t")
        assert recorder.draft.text == before
        assert "there are no Senators" in shown(app, "#below")
        await press(pilot, *["backspace"] * 3)
        await type_in(pilot, "5S")
        await press(pilot, "ctrl+t")
        assert recorder.draft.text == before
        await type_in(pilot, "(5)K")
        await press(pilot, "ctrl+t")
        assert "\n5E 5S (5)K\n" in recorder.draft.text
        assert app.line.value == ""

    on_screen(recorder, do, (100, 34))


def test_what_is_legal_is_recorded_without_a_ruling():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P")
        await press(pilot, "ctrl+t", "ctrl+t")
        assert app.recorder.draft.text.endswith("\n5E 5P\n*\n")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_what_was_cleared_from_the_line_is_not_insisted_upon():
    recorder = recorder_at(TIE_BREAK, "5E")
    before = recorder.draft.text

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5S\n")
        await press(pilot, "escape", "ctrl+t")
        assert recorder.draft.text == before
        assert shown(app, "#below").startswith("nothing on the line was refused")

    on_screen(recorder, do, (100, 34))


def test_the_end_of_a_turn_that_was_refused_is_insisted_upon():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P\n\n")
        assert app.recorder.refusal
        await press(pilot, "ctrl+t")
        assert "\n5E 5P\n   % E stands" in app.recorder.draft.text

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_an_undo_first_clears_what_was_refused():
    recorder = recorder_at(TIE_BREAK, "5E")
    before = recorder.draft.text

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P 5S ")
        after = recorder.draft.text
        await press(pilot, "ctrl+z")
        assert (app.line.value, recorder.draft.text) == ("", after)
        assert shown(app, "#below").startswith("cleared: 5S, which was refused; nothing recorded was taken back")
        await press(pilot, "ctrl+z")
        assert recorder.draft.text == before
        await type_in(pilot, "5P 5S ")
        await press(pilot, *["backspace"] * 3)
        await type_in(pilot, "(5)")
        await press(pilot, "ctrl+z")  # what stands there now was not refused
        assert recorder.draft.text == before

    on_screen(recorder, do, (100, 34))


def test_who_leaves_is_told_that_a_word_was_refused():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5S\n")
        await press(pilot, "ctrl+q")
        assert shown(app, "#below").startswith("“5S” was refused and is not recorded; ^Q again leaves without it")
        await press(pilot, "escape")
        await type_in(pilot, "5P")
        await press(pilot, "ctrl+q")
        assert shown(app, "#below").startswith("“5P” is not entered: Enter records it; ^Q again leaves without it")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_why_something_was_refused_goes_when_a_line_of_the_list_is_chosen():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        for keys in (["down"], ["up", "down", "5"], ["down", "right"]):
            await press(pilot, "escape")
            await type_in(pilot, "5S\n")
            assert "there are no Senators" in shown(app, "#below")
            await press(pilot, *keys)
            assert "there are no Senators" not in shown(app, "#below")
        await press(pilot, "f5")
        assert "there are no clocks" in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def red(app: RecordApp, name: str) -> str:
    """What is said in red in the first line of a part."""
    segments = app.query_one(name, Static).render_line(0)
    return "".join(
        part.text
        for part in segments
        if part.style and part.style.bold and part.style.color and part.style.color.number == 1
    )


@pytest.mark.parametrize("words", ["5S", "5S (3)A", "5S (3)A {seen /by all}"])
def test_it_is_said_how_many_words_are_not_recorded(words: str):
    count = len(words.split())

    async def do(pilot: Pilot, app: RecordApp) -> None:
        assert not red(app, "#prompt")
        await type_in(pilot, f"{words} ")
        told = f"{count} word{'s' * (count > 1)} not recorded"
        assert (red(app, "#prompt").strip(), shown(app, "#prompt")) == (told, f"{told} >")
        await press(pilot, "escape")
        assert shown(app, "#prompt") == ">"

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


@pytest.mark.parametrize("behind", ["5S (3)A /note seen", "5S (3)A {and /or} /note seen", "/note seen"])
def test_a_slash_at_the_start_of_a_word_is_a_command(behind: str):
    words = behind.partition(" /note")[0] if not behind.startswith("/") else ""

    async def do(pilot: Pilot, app: RecordApp) -> None:
        app._write(behind)
        await press(pilot, "enter")
        assert "\n   ; seen\n" in app.recorder.draft.text
        assert app.line.value.strip() == words

    recorder = recorder_at(TIE_BREAK, "5E")
    on_screen(recorder, do, (80, 50))
    assert "\n5E" not in recorder.draft.text
    twin = recorder_at(TIE_BREAK, "5E")
    enter(twin, behind)
    assert (twin.draft.text, twin.left) == (recorder.draft.text, words)


@pytest.mark.parametrize("keys", [["down", "right", "enter"], ["down", "2", "enter"]], ids=str)
def test_a_draw_that_was_forgotten_is_told_first_and_picked_from_the_list(keys: list[str]):
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "(5)K 5P =r +1 3C (1)P sQ ")
        told = shown(app, "#below").splitlines()
        assert told[0] == "Cleopatra still has to draw one card: write + and the cards drawn"
        assert any("a 2   " in line and "+2" in line for line in told)
        assert app.line.value == "3C (1)P sQ "
        await press(pilot, *keys)
        assert app.line.value == ""

    recorder = recorder_at(TIE_BREAK, "5E")
    on_screen(recorder, do, (80, 24))
    assert "\n5E (5)K 5P =r +12\n5R 3C (1)P sQ" in recorder.draft.text


def test_words_that_wait_for_what_is_picked_are_not_lost_where_something_else_is_typed():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "(5)K 5P =r 3C (1)P sQ ")
        await press(pilot, "down", "1")
        assert app.line.value == "+1"
        await type_in(pilot, "9\n")
        assert app.line.value == "+19 3C (1)P sQ "
        await press(pilot, "backspace", *["left"] * 11, "backspace")
        await type_in(pilot, "2\n")
        assert app.line.value == ""

    recorder = recorder_at(TIE_BREAK, "5E")
    on_screen(recorder, do, (80, 24))
    assert "\n5E (5)K 5P =r +12\n5R 3C (1)P sQ" in recorder.draft.text


def test_words_behind_a_refused_one_wait_and_are_not_judged_again(monkeypatch: pytest.MonkeyPatch):
    recorder = recorder_at(TIE_BREAK, "5E")
    judged: list[str] = []
    entered = recorder.enter
    monkeypatch.setattr(recorder, "enter", lambda typed: judged.append(typed) or entered(typed))

    async def do(pilot: Pilot, app: RecordApp) -> None:
        with app.batch_update():
            await type_in(pilot, "5P 5S 4Q ")
            before = len(judged)
            await type_in(pilot, "4Q " * 99)
        assert (len(judged), app.line.value.split()) == (before, ["5S", *["4Q"] * 100])
        await pilot.pause()
        assert shown(app, "#prompt").startswith("101 words not recorded")
        app._write("5S (4)Q =r ")
        await type_in(pilot, "/insist\n")
        assert app.line.value == ""

    on_screen(recorder, do, (80, 24))
    assert "\n5E 5P 5S (4)Q =r\n" in recorder.draft.text


def test_the_list_is_drawn_once_behind_keys_that_wait(monkeypatch: pytest.MonkeyPatch):
    drawn: list[str] = []
    draw = RecordApp.show_list
    monkeypatch.setattr(RecordApp, "show_list", lambda app: drawn.append(app.line.value) or draw(app))

    async def do(pilot: Pilot, app: RecordApp) -> None:
        drawn.clear()
        await type_in(pilot, "{" + "a" * 200)
        assert len(drawn) < 10
        assert drawn[-1] == app.line.value == "{" + "a" * 200

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))
