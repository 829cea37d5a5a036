"""The full screen of ``tiro record`` in tests: a screen of some size, keys, and what is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path

from textual.app import App
from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.widgets import Static
from tironian.replay.recording.recorder import Recorder
from tironian.replay.screen.recorder_screen import RecordApp
from typed_records import MemoryStorage, bare, entries, is_due, record_of, recorder_of

KEYS = {" ": "space", "\n": "enter"}


def on_screen(recorder: Recorder, do: Callable[[Pilot, RecordApp], Awaitable[None]], size: tuple[int, int]) -> None:
    """Record on a screen of that size, and do something with it."""

    async def run() -> None:
        app = RecordApp(recorder, "game.tiro")
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await do(pilot, app)

    asyncio.run(run())


async def press(pilot: Pilot, *keys: str) -> None:
    """As the pilot's own, but one key behind the other, as a quick hand does it."""
    for key in keys:
        name = KEYS.get(key) or (_character_to_key(key) if len(key) == 1 else key)
        pilot.app.post_message(Key(name, key if len(key) == 1 and key != "\n" else None))
    await pilot.pause()


async def type_in(pilot: Pilot, text: str) -> None:
    await press(pilot, *text)


def shown(app: App, name: str) -> str:
    """What a part of the screen shows, without the styles."""
    part = app.screen_stack[0].query_one(name, Static)
    return "\n".join(part.render_line(y).text.rstrip() for y in range(part.size.height)).rstrip()


def screen_text(app: App) -> str:
    """The whole screen, with whatever lies over it, without the styles."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def recorder_at(path: Path, label: str) -> Recorder:
    """A recorder in the middle of an example game, where a turn begins."""
    text, aside, done = recorded_until(path, label)
    storage = MemoryStorage(text)
    storage.aside, storage.done = aside, [*done]
    return Recorder(storage)


@cache
def recorded_until(path: Path, label: str) -> tuple[str, str, list[tuple[str, str]]]:
    """What a storage holds where a turn begins: the text, what lies beside it, and all that was there before."""
    record = bare(record_of(path))
    recorder = recorder_of(record)
    for each, entry in entries(record):
        if each == label:
            assert isinstance(recorder.storage, MemoryStorage)
            return recorder.storage.text, recorder.storage.aside, recorder.storage.done
        if is_due(recorder, each, entry):
            assert recorder.enter(entry), recorder.refusal
    raise AssertionError(label)
