"""The questions before a game, on the screen."""

from __future__ import annotations

import asyncio

from recorder_screens import press, type_in
from textual.pilot import Pilot
from textual.widgets import Input
from tironian import load_edition
from tironian.replay.recording.questions import questions
from tironian.replay.screen.recorder_screen import FormApp

QUESTIONS = questions(load_edition("2024"), "2026.05.31")


def answers(keys: str, size: tuple[int, int] = (80, 24)) -> dict[str, str] | None:
    """What comes of keys that are pressed faster than the screen is drawn."""

    async def run() -> dict[str, str] | None:
        app = FormApp(QUESTIONS, "game.tiro: a new game", lambda _: [])
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await type_in(pilot, keys)
            await pilot.pause()
        return app.return_value

    return asyncio.run(run())


def test_a_quick_hand_answers_the_question_that_it_means():
    given = answers("caesar\n\n\n\n\nLivia\nMarcus\n" + "\n" * (len(QUESTIONS) - 7))
    assert given is not None
    assert given["View"] == "caesar"
    assert (given["Event"], given["Caesar"], given["Cleopatra"], given["Table"]) == ("?", "Livia", "Marcus", "")


def test_what_was_there_is_replaced_and_what_was_mistyped_is_mended():
    given = answers("Rome Cup\n")
    assert given is None
    keys = [
        "enter",
        "R",
        "o",
        "m",
        "w",
        "backspace",
        "e",
        "enter",
        "T",
        "i",
        "r",
        "home",
        "delete",
        "t",
        "up",
        "down",
        "down",
    ]

    async def run() -> None:
        async with FormApp(QUESTIONS, "game.tiro", lambda _: []).run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await press(pilot, *keys)
            assert [line.value for line in pilot.app.query(Input)][1:4] == ["Rome", "tir", "2026.05.31"]

    asyncio.run(run())


def test_what_may_stay_empty_is_said_to_be_so_until_something_is_typed():
    async def do(pilot: Pilot[dict[str, str]]) -> None:
        for line in pilot.app.query(Input):
            assert (line.placeholder == "(optional)") == (line.value == "")
        await press(pilot, *["down"] * (len(QUESTIONS) - 1))
        await type_in(pilot, "Tiro")
        assert pilot.app.query(Input).last().value == "Tiro"

    async def run() -> None:
        async with FormApp(QUESTIONS, "game.tiro", lambda _: []).run_test(size=(80, 24)) as pilot:
            await do(pilot)

    asyncio.run(run())


def test_all_questions_are_on_a_usual_screen():
    async def run() -> None:
        async with FormApp(QUESTIONS, "game.tiro", lambda _: []).run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert all(0 < line.region.bottom <= 24 and line.region.width > 20 for line in pilot.app.query(Input))

    asyncio.run(run())


def test_what_is_wrong_is_said_and_nothing_begins():
    async def run() -> None:
        app = FormApp(QUESTIONS, "game.tiro", lambda given: ["that is no date"] * (given["Date"] != "2026.05.31"))
        async with app.run_test(size=(80, 24)) as pilot:
            await type_in(pilot, "\n\n\nsoon" + "\n" * (len(QUESTIONS) - 3))
            assert app.return_value is None
            assert "that is no date" in str(app.query_one("#wrong").render())

    asyncio.run(run())
