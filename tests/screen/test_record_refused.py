"""A refused word on the recorder's line: it is recorded only where somebody insists on it, and told from others."""

from __future__ import annotations

import pytest
from recorder_screens import on_screen, press, recorder_at, shown, type_in
from textual.pilot import Pilot
from textual.widgets import Static
from tironian.replay.screen.recorder_screen import RecordApp
from typed_records import EXAMPLES

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"


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
