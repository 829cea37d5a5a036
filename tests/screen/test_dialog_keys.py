"""Keys that come faster than a screen is drawn: over each dialog of each full screen, and behind what ends a screen."""

from __future__ import annotations

import asyncio
import os
import string
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules

import pytest
from drills import TODAY, tasks
from duels import duel_of
from recorder_screens import on_screen, press, recorder_at
from recorders import TIRO, Screen
from scale import FULL
from terminals import terminal
from textual.app import App
from textual.binding import Binding
from textual.events import Key, Paste
from textual.pilot import Pilot
from tironian.replay import screen
from tironian.replay.insight.drill_lines import Asking
from tironian.replay.recording.questions import Question
from tironian.replay.screen.drill_screen import DrillApp
from tironian.replay.screen.play_screen import PlayApp
from tironian.replay.screen.recorder_screen import FormApp, RecordApp
from tironian.replay.screen.step_screen import StepApp
from tironian.replay.screen.widgets import EDITING, INTERRUPTED, SCROLLING, Dialog, SafeApp
from tironian.replay.storage import Unable
from typed_records import EXAMPLES
from walks import ANNOTATED, walk_of

TIE_BREAK = EXAMPLES / "2024" / "tie-break.tiro"
LEAVING = {"ctrl+q", "ctrl+c", "ctrl+z", "q"}
"""Keys that leave a screen or put it to sleep, and so are pressed at the end."""


def screen_of(kind: type[App]) -> App:
    if kind is RecordApp:
        return RecordApp(recorder_at(TIE_BREAK, "5E"), "game.tiro")
    if kind is DrillApp:
        return DrillApp(Asking(TODAY), tasks(), str)
    return (
        StepApp(walk_of(ANNOTATED)) if kind is StepApp else PlayApp(duel_of("2024", 1), "game.tiro", str, hints=False)
    )


OPENED: dict[type[App], Sequence[Sequence[str]]] = {
    RecordApp: [["f1"], [*"/help", "enter"]],
    StepApp: [["f1"], ["g"]],
    PlayApp: [["f1"]],
    DrillApp: [["f1"]],
    FormApp: [],
}
"""Screens, and the keys with which each of their dialogs is opened."""


def kinds(base: type) -> Iterator[type]:
    """All classes of the screens under ``base`` that have none under themselves."""
    for module in iter_modules(screen.__path__):
        import_module(f"{screen.__name__}.{module.name}")
    for each in base.__subclasses__():
        if each.__module__.startswith(screen.__name__):
            yield from [*kinds(each)] or [each]


def keys_of(app: App) -> list[str]:
    """Every key that means something somewhere, and all that can be typed."""
    bound = [key for binding in app.BINDINGS if isinstance(binding, Binding) for key in binding.key.split(",")]
    tables = [getattr(app, "KEYS", {}), getattr(app, "MORE_KEYS", {}), SCROLLING, EDITING]
    named = {key for table in [bound, *tables] for key in table} | {"enter", "tab", "f2"}
    signs = string.printable[:95] if FULL else "a5/(+ ?"
    return sorted(named - LEAVING) + sorted({*signs} - LEAVING)


def test_no_screen_and_no_dialog_is_left_out():
    found: set[type] = set()

    async def open_all(app: App, ways: Sequence[Sequence[str]]) -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            for way in ways:
                await press(pilot, *way)
                found.add(type(app.screen))
                await press(pilot, "escape")
                assert len(app.screen_stack) == 1

    for kind, ways in OPENED.items():
        if ways:
            asyncio.run(open_all(screen_of(kind), ways))
    assert found == {*kinds(Dialog)}
    assert {*OPENED} == {*kinds(SafeApp)}


@pytest.mark.parametrize("kind", [kind for kind, ways in OPENED.items() if ways])
def test_quick_keys_over_a_dialog_end_nothing(kind: type[App]):
    """Each key is pressed over each dialog, two others close behind it; in full runs also twice and three times."""

    async def run() -> None:
        app = screen_of(kind)
        keys = keys_of(app)
        bursts = [[key] * times for key in keys for times in (2, 3)] if FULL else [*batched(keys[::-1])]
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            for way in OPENED[kind]:
                with app.batch_update():  # nothing is drawn, which takes most of the time
                    await press(pilot, *chain(*([*way, *burst, *["escape"] * 3] for burst in bursts)))
                assert len(app.screen_stack) == 1
            await press(pilot, *OPENED[kind][0], "ctrl+c", "ctrl+c", *"abc")
        assert app.return_value == INTERRUPTED

    asyncio.run(run())


def batched(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[at : at + 3] for at in range(0, len(keys), 3))


def test_what_is_typed_over_something_to_read_is_typed_on_the_line():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        for typed in ("/", "/undo", "q", "(5)K"):
            await press(pilot, "f1", *typed)
            assert (app.line.value, len(app.screen_stack)) == (typed, 1)
            await press(pilot, "escape")
        await press(pilot, "f1", "f1", "f1", *"5P")
        app.post_message(Paste(" {a\nb}"))
        await pilot.pause()
        assert app.line.value == "5P {a b}"
        await press(pilot, "left", "X", "home", "ctrl+right", "ctrl+k", "f1", "down", "enter")
        assert (app.line.value, len(app.screen_stack)) == ("5P {", 1)

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


@pytest.mark.parametrize("typed", ["5Zz " * 2000, "{5Zz; " * 2000])
def test_a_paste_that_the_terminal_does_not_mark_is_written_at_once(typed: str, monkeypatch: pytest.MonkeyPatch):
    """What stands behind a refused word, or in a comment, is judged and drawn once for all the keys that wait."""
    written: list[int] = []
    follow = RecordApp.follow
    monkeypatch.setattr(RecordApp, "follow", lambda app: (written.append(len(app.line.value)), follow(app))[1])

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await press(pilot, *typed)
        assert app.line.value == typed
        assert len(written) <= 8
        await press(pilot, "left", "left", "X", "home", *"5P")
        assert app.line.value == f"5P{typed[:-2]}X{typed[-2:]}"

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_joiners_and_signs_of_direction_are_typed():
    remark = "{نمی\u200cدانم \u200f👩\u200d⚖️}"

    async def do(pilot: Pilot, app: RecordApp) -> None:
        for sign in f"5P{remark}":
            app.post_message(Key(sign, sign))
        await press(pilot, "enter")

    recorder = recorder_at(TIE_BREAK, "5E")
    on_screen(recorder, do, (80, 24))
    assert f"\n5E 5P {remark}\n" in recorder.draft.text


# ------------------------------------------------------------------------------------------- screens that are ended


@pytest.mark.parametrize(
    ("keys", "told"),
    [("a", ", KeyError: 'a' (screen/test_dialog_keys.py:"), ("b", "; no file was changed"), ("lab", "")],
)
def test_a_screen_that_a_fault_ended_has_no_result(keys: str, told: str, capfd: pytest.CaptureFixture[str]):
    app = FormApp([Question("Event", "the event", "")], "", lambda _: [])

    async def pressed(key: Key) -> None:
        if key.key == "a":
            raise KeyError("a")
        app.panic("the terminal is gone") if key.key == "b" else app.exit({"left": ""})

    app.pressed = pressed

    async def post(pilot: Pilot) -> None:
        for key in keys:
            pilot.app.post_message(Key(key, key))

    run = partial(app.run, headless=True, auto_pilot=post)
    if not told:
        assert run() == {"left": ""}
        return
    with pytest.raises(Unable) as caught:
        run()
    assert caught.value.lines[0].startswith(f"a fault of tiro ended the screen{told}")
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.process
def test_a_burst_and_bytes_that_are_no_text_in_a_terminal(tmp_path: Path):
    there = tmp_path / "game.tiro"
    there.write_text(recorder_at(TIE_BREAK, "5E").draft.text)
    with terminal(*TIRO, cwd=tmp_path) as it:
        it.wait_until(lambda: Screen.begun(it))
        it.press("5P \x1bOP{aa\x1bOP\x1bOP")
        os.write(it.ours, b"\xe9\xff")
        it.press("} \x1bOP!?\r/quit\r")
        assert it.end() == 0
    assert "\n5E 5P {aa\ufffd\ufffd} !?\n" in there.read_text()


@pytest.mark.process
def test_a_fault_is_told_in_a_sentence(tmp_path: Path):
    there = tmp_path / "game.tiro"
    there.write_text(recorder_at(TIE_BREAK, "5E").draft.text)
    faulty = (
        "import sys; from tironian.replay.screen.recorder_screen import RecordApp as R; R.undo = lambda _: 1 / 0; "
        "from tironian.replay.cli.command_line import main; main()"
    )
    with terminal(sys.executable, "-c", faulty, "record", "game.tiro", cwd=tmp_path) as it:
        it.wait_until(lambda: Screen.begun(it))
        it.press("5P \x1a")
        assert it.end() == 2
    assert "\n5E 5P\n" in there.read_text()
    assert "what was recorded is safe in game.tiro, and tiro record game.tiro continues" in it.text
    assert "Traceback" not in it.text
