"""The recorder's screen at every size: nothing to type on or to read falls off it, and what was typed stays."""

from __future__ import annotations

import pytest
from recorder_screens import on_screen, press, recorder_at, screen_text, shown, type_in
from textual.events import Paste
from textual.pilot import Pilot
from tironian import turn_text, write
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
    wide, narrow = "Praetors P   ■", "Praetors P ■"

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
            parts = "Caesar 14 = patricians 9 + majorities 3 + whole groups 0 + missions 2 Cleopatra 14 = "
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


def test_the_sheet_of_a_game_that_was_resigned_is_shown():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "/end resigned by Caesar\n")
        assert "/sign Caesar, Cleopatra" in shown(app, "#asked")
        assert "Egypt wins, Rome resigned, whatever the points are." in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (120, 40))


def test_what_lies_over_the_screen_is_not_told_below_it_as_well():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "/sheet\n")
        assert isinstance(app.screen, ReadingScreen)
        await press(pilot, "escape")
        assert "Score sheet" not in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_what_is_due_is_worth_more_than_how_the_turn_began():
    recorder = recorder_at(TIE_BREAK, "5E")
    recorder.enter("5S")
    recorder.insist()
    recorder.enter("{so much has been said about this turn that it is longer than any screen is wide}")

    async def do(_pilot: Pilot, app: RecordApp) -> None:
        assert "Enter ends the turn" in " ".join(shown(app, "#asked").split())
        assert "…" in shown(app, "#turn")

    on_screen(recorder, do, (80, 24))


def test_the_keys_of_the_list_are_shown_where_they_pick_and_a_digit_is_a_card():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        assert " 5  5…" not in shown(app, "#below")
        await press(pilot, "down")
        head, *lines = [line.split() for line in shown(app, "#below").removesuffix("  ↓ more").splitlines()]
        assert head[:2] == ["Places", "a"]
        assert [(line[0], line[-1]) for line in lines] == [
            ("▸(", "(…"), ("p", "p…"), ("1", "1…"), ("4", "4…"), ("5", "5…"),
        ]  # fmt: skip
        await press(pilot, "5", "K")
        assert "5E 5K" not in app.recorder.draft.text
        await press(pilot, "enter")
        assert "\n5E 5K\n" in app.recorder.draft.text

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


@pytest.mark.parametrize("typed", ["xS", "3P", "sA", "pC"])
def test_notation_typed_while_the_list_has_the_keys_records_nothing_else(typed: str):
    """Of draws, of which each begins with a plus, x is the key of a drawn assassination and 3 that of a 3."""
    recorder = recorder_at(TIE_BREAK, "5E")
    for word in ("5P", "(5)K", "=r"):
        assert recorder.enter(word)
    before = recorder.draft.text

    async def do(pilot: Pilot, app: RecordApp) -> None:
        assert app.choices
        assert {choice.text[:1] for choice in app.choices} == {"+"}
        await press(pilot, "down", *typed)
        assert recorder.draft.text == before
        assert typed in app.line.value
        await press(pilot, "enter")
        assert recorder.draft.text == before
        assert app.line.value.strip().endswith(typed)
        await press(pilot, "escape", "down", "1", "enter")
        assert recorder.draft.text != before

    on_screen(recorder, do, (80, 24))


def test_what_was_picked_goes_with_the_list():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await press(pilot, "down", "1")
        assert app.line.value
        await press(pilot, "escape")
        assert app.line.value == ""

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_what_is_typed_behind_a_refused_word_does_not_run_into_it():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5P\n4Q\n(5)K\n")
        assert app.line.value.split() == ["4Q", "(5)K"]
        assert app.choices
        await type_in(pilot, "/insist\n")
        assert app.line.value.split() in ([], ["(5)K"])
        assert "5P 4Q" in app.recorder.draft.text

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


@pytest.mark.parametrize("typed", ["/nte a long remark", "/edit 3E 9Z9", "/edit 99E 5P", "/header 5", "/rule 3E maybe"])
def test_a_command_that_was_not_carried_out_stays_on_the_line(typed: str):
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, f"{typed}\n")
        assert app.line.value == typed
        assert shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


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


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_what_was_probably_meant_is_listed_and_taken_behind_what_was_refused(size: tuple[int, int]):
    recorder = recorder_at(TIE_BREAK, "5E")
    before = recorder.draft.text

    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5S (5)K\n")
        assert "did you mean 5P, 5Q or 5A? /repair 1, 2 or 3" in shown(app, "#below")
        await press(pilot, "ctrl+r")
        is_over = isinstance(app.screen, ReadingScreen)  # where there is no room for it below
        assert "2. 5Q (a wrong group)" in (screen_text(app) if is_over else shown(app, "#below"))
        if is_over:
            await press(pilot, "enter")
        assert recorder.draft.text == before
        assert app.line.value == "5S (5)K "
        await type_in(pilot, "/repair 9\n")
        assert "/repair lists the proposals, and /repair 3 takes the last of them" in shown(app, "#below")
        assert recorder.draft.text == before
        app._write("5S (5)K ")
        await type_in(pilot, "/repair 2\n")
        assert "\n5E 5Q (5)K\n" in recorder.draft.text
        assert app.line.value == ""

    on_screen(recorder, do, size)


def test_what_followed_a_word_that_was_repaired_stays_on_the_line_where_it_is_refused():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5S 2K\n")
        await press(pilot, "escape")
        await type_in(pilot, "/repair 1\n")
        assert app.line.value == "2K "
        assert "Cleopatra has no 2 in hand" in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (120, 40))


def test_lines_that_are_pasted_are_words_of_one():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        app.post_message(Paste("5P\n(5)K\n=r"))
        await pilot.pause()
        await press(pilot, "enter")
        assert "5E 5P (5)K =r" in app.recorder.draft.text

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_no_control_character_reaches_the_screen():
    text = headers_only(record_of(TIE_BREAK)).replace('[Result "*"]', '[Result "*"]\n[Termination "aban\x1b[2Jdoned"]')
    recorder = Recorder(MemoryStorage(text))

    async def do(_pilot: Pilot, app: RecordApp) -> None:
        assert not any("\x1b" in strip.text for strip in app.screen._compositor.render_strips())

    on_screen(recorder, do, (120, 40))


def test_the_last_turn_is_put_on_the_line_to_be_changed():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        last = turn_text(app.recorder.draft.record.turns[-1])
        await press(pilot, "ctrl+e")
        assert app.line.value == f"/edit {last}"
        assert "or remove it: /drop 4R" in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (100, 34))


def test_the_notation_behind_a_line_is_never_cut_off():
    mission = Recorder(MemoryStorage(headers_only(record_of(TIE_BREAK))))
    assert mission.enter("(2)P (4)Q (1)A (3)K")

    async def narrow(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "m(A,")
        lines = shown(app, "#below").splitlines()
        assert any(line.rstrip().endswith("m(A,P…") for line in lines)
        assert any("the Praetors …" in line for line in lines)

    on_screen(mission, narrow, (80, 24))


def test_where_nothing_begins_as_typed_that_is_said():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "9")
        assert shown(app, "#below") == "nothing that may come next begins with “9”; Esc clears the line"
        await press(pilot, "escape")
        assert "nothing" not in shown(app, "#below")
        await type_in(pilot, "/no")
        assert "nothing" not in shown(app, "#below")

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


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


def test_a_refusal_is_worth_more_room_than_the_list():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "5S\n")
        below = " ".join(shown(app, "#below").split())
        assert "did you mean 5P, 5Q or 5A?" in below
        assert "/insist records it, for the arbiter to rule on" in below

    on_screen(recorder_at(TIE_BREAK, "5E"), do, (80, 24))


def test_a_veto_is_told_although_it_changes_the_word_before_it():
    async def do(pilot: Pilot, app: RecordApp) -> None:
        await type_in(pilot, "sP(2) ")
        await type_in(pilot, "v+1 ")
        assert shown(app, "#below").startswith("Cleopatra vetoes it and draws a 1")
        await press(pilot, "ctrl+z")
        assert "taken back: 7R v+1" in shown(app, "#below")

    on_screen(recorder_at(EXAMPLES / "2024" / "annotated.tiro", "7R"), do, (80, 24))
