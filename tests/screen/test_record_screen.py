"""The full screen of ``tiro record``: games typed and picked on it come out as their records."""

from __future__ import annotations

import asyncio
import gc
import re
from dataclasses import replace
from pathlib import Path

import pytest
from recorder_screens import on_screen, press, recorder_at, shown, type_in
from scale import FULL
from textual.pilot import Pilot
from tironian import Record, Result, Turn, token_text, write
from tironian import tokens as t
from tironian.replay.recording.commands import enter
from tironian.replay.recording.cursor import Phase
from tironian.replay.screen import widgets
from tironian.replay.screen.pick_list import keys
from tironian.replay.screen.recorder_screen import RecordApp
from typed_records import COMPLETE, EXAMPLES, bare, entries, is_due, record_of, recorder_of

TYPED = [EXAMPLES / "taylor" / "alone.tiro"]
PICKED = [EXAMPLES / "fr" / "drawn.tiro"]
IRREGULAR = {EXAMPLES / edition / "annotated.tiro" for edition in ("2024", "1997")}
"""Irregularities can't be picked."""
if FULL:
    TYPED, PICKED = COMPLETE, [path for path in COMPLETE if path not in IRREGULAR]


@pytest.mark.slow
@pytest.mark.parametrize("path", TYPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_game_typed_on_the_screen_comes_out_as_its_record(path: Path):
    """In an ordinary run its end alone is typed on the screen."""
    record = record_of(path)
    recorder = recorder_of(record)
    typed = [*entries(record)]
    first = 0 if FULL else len(typed) * 3 // 4
    for label, entry in typed[:first]:
        if is_due(recorder, label, entry):
            enter(recorder, entry)

    async def do(pilot: Pilot, _app: RecordApp) -> None:
        for label, entry in typed[first:]:
            if not entry.startswith("/") and not is_due(recorder, label, entry):
                continue
            await type_in(pilot, f"{entry}\n")
            if recorder.refusal:
                await press(pilot, "ctrl+t")

    on_screen(recorder, do, (120, 40))
    assert recorder.draft.text == path.read_text(encoding="utf-8")


async def pick(pilot: Pilot, app: RecordApp, text: str) -> None:
    """Choose a word from the list with its key and Enter, or with arrows."""
    before = app.recorder.draft.text, app.recorder.draft.closed
    while (app.recorder.draft.text, app.recorder.draft.closed) == before:
        if app.at < 0:
            await press(pilot, "down")
        found = app.choices
        way = [n for n, each in enumerate(found) if each.whole and each.text == text]
        way += [n for n, each in enumerate(found) if not each.whole and text.startswith(each.text)]
        assert way, (text, found, app.line.value)
        if (key := keys(found, app.word)[way[0]]) != " ":
            await press(pilot, key, *["enter"] * found[way[0]].whole)
        else:
            await press(pilot, *["down"] * (way[0] - app.at), "enter")


@pytest.mark.slow
@pytest.mark.parametrize("path", PICKED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_game_picked_from_the_list_comes_out_as_its_record(path: Path):
    record = bare(record_of(path))
    if not FULL:  # the set-up and three turns
        headers = [(name, "*" if name == "Result" else value) for name, value in record.headers]
        record = replace(record, headers=tuple(headers), turns=tuple(record.turns)[:5], result=Result())
    recorder = recorder_of(record)

    async def do(pilot: Pilot, app: RecordApp) -> None:
        for turn in record.turns:
            for place in range(len(turn.tokens)):
                await pick_token(pilot, app, turn, place)
            cursor = recorder.draft.cursor
            if cursor.label == turn.label and not cursor.fresh:
                await pick(pilot, app, "")
        while recorder.draft.cursor.phase is Phase.OVER and app.choices:
            (wanted,) = [each for each in ends(record) if each in [choice.text for choice in app.choices]]
            await pick(pilot, app, wanted)

    on_screen(recorder, do, (120, 40))
    assert recorder.draft.record.turns == record.turns
    if not record.header("Termination"):
        assert recorder.draft.text == write(record)


def ends(record: Record) -> list[str]:
    return [entry for label, entry in entries(record) if label == "end"]


def test_a_spectator_is_shown_no_hidden_card():
    path = EXAMPLES / "2024" / "seen-from-the-table.tiro"
    recorder = recorder_at(path, "9E")

    async def do(_pilot: Pilot, app: RecordApp) -> None:
        table = shown(app, "#picture")
        assert "(?)" in table
        assert re.search(r"^hand +(\d influence(, \d action)? *){2}$", table, re.MULTILINE)
        assert "(i)" in shown(app, "#below") or "(…" in shown(app, "#below")

    on_screen(recorder, do, (140, 45))


def test_memory_is_looked_through_while_nobody_types_and_never_between_a_key_and_the_screen(
    monkeypatch: pytest.MonkeyPatch,
):
    path = EXAMPLES / "2024" / "seen-from-the-table.tiro"
    looks: list[str] = []
    now = [100.0]
    monkeypatch.setattr(widgets, "monotonic", lambda: now[0])  # the clock stands still until it is set
    monkeypatch.setattr(widgets, "REST", 0.01)

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] == 2:
            looks.append(phase)

    async def do(pilot: Pilot, app: RecordApp) -> None:
        ticks: list[int] = []
        app.set_interval(widgets.REST, lambda: ticks.append(1))

        async def look_often() -> None:
            ticks.clear()
            while len(ticks) < 5:
                await asyncio.sleep(widgets.REST)

        gc.callbacks.append(note)
        for _ in range(2):
            now[0] += 1
            for letter in "/help no such":
                await press(pilot, letter)
                # As much as some hours of recording leave behind, in cycles that only such a look finds.
                rings: list[list[object]] = [[] for _ in range(20_000)]
                for ring in rings:
                    ring.append(ring)
            await press(pilot, "escape")
            await look_often()
            assert not looks
            now[0] += 1
            await look_often()
            assert len(looks) == 1
            looks.clear()
        assert app.line.value == ""

    before = gc.get_threshold()
    try:
        on_screen(recorder_at(path, "9E"), do, (140, 45))
    finally:
        gc.callbacks.remove(note)
    assert gc.get_threshold() == before


async def pick_token(pilot: Pilot, app: RecordApp, turn: Turn, place: int) -> None:
    """Cards are drawn one by one; what is filled in need not be picked; missions in words and orders are typed."""
    token, there = turn.tokens[place], written(app, turn)[place:]
    if isinstance(token, t.Draw):
        while (known := len(drawn(written(app, turn)[place:]))) < len(token.cards):
            await pick(pilot, app, token_text(t.Draw((token.cards[known],))))
    elif isinstance(token, t.ActionOrder) or (isinstance(token, t.Missions) and '"' in token_text(token)):
        await press(pilot, "escape")  # in the list a alone is the key of a(
        await type_in(pilot, f"{token_text(token)}\n")
    elif not there:
        await pick(pilot, app, token_text(token))


def written(app: RecordApp, turn: Turn) -> tuple[t.Token, ...]:
    """What the record has of a turn by now."""
    lines = app.recorder.draft.record.turns
    return next((each.tokens for each in lines if each.label == turn.label), ())


def drawn(tokens: tuple[t.Token, ...]) -> t.Cards:
    return tokens[0].cards if tokens and isinstance(tokens[0], t.Draw) else ()
