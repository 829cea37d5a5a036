"""The full screen of ``tiro play``: moves chosen with keys, hints, and what may be seen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from duels import RULES, decisions, duel_of, words_of
from recorder_screens import press, screen_text
from scale import FULL
from textual.pilot import Pilot
from textual.widgets import Static
from tironian import parse, write
from tironian.replay.insight.begun import game_until
from tironian.replay.insight.duel import Duel
from tironian.replay.screen.pick_list import CHOOSE, keys
from tironian.replay.screen.play_screen import LEAVE, THINKING, PlayApp
from tironian.replay.screen.widgets import INTERRUPTED

SIZES = [(40, 12), (60, 20), (80, 24), (120, 40)]


def on_screen(
    duel: Duel,
    do: Callable[[Pilot, PlayApp], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
    keep: Callable[[], str] = str,
    hints: bool = False,
) -> PlayApp:
    """Play on a screen of that size, and do something with it."""
    app = PlayApp(duel, "game.tiro", keep, hints)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await do(pilot, app)

    asyncio.run(run())
    return app


async def answered(pilot: Pilot, app: PlayApp) -> None:
    """Wait until the other side has answered."""
    await app.workers.wait_for_complete()
    await pilot.pause()


async def pick(pilot: Pilot, app: PlayApp, text: str) -> None:
    """Choose a move by the keys before its lines, or with arrows."""
    while True:
        found = app.choices
        place = next(
            at for at, each in enumerate(found) if (text == each.text if each.whole else text.startswith(each.text))
        )
        key = keys(found, app.typed)[place]
        is_whole = found[place].whole
        if key.strip():
            await press(pilot, key)
        else:
            await press(pilot, *["right"] * (place + 1), *["enter"] * (not is_whole))
        if is_whole:
            assert app.at == place
            return


async def make(pilot: Pilot, app: PlayApp, text: str) -> None:
    """Make a move; one that is warned of, too."""
    await pick(pilot, app, text)
    place = app.duel.place_of(text)
    assert place is not None
    await press(pilot, *["enter"] * (1 + app.duel.closes_placing(place)))
    await answered(pilot, app)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES if FULL else RULES[:1])
def test_a_whole_game_with_keys(rules: str):
    """In an ordinary run the keys come in for its last moves."""
    quiet = duel_of(rules, 5)
    texts = words_of(quiet)
    duel, kept = duel_of(rules, 5), []
    if not FULL:
        texts = texts[len([*decisions(duel, len(texts) - 8)]) :]

    async def do(pilot: Pilot, app: PlayApp) -> None:
        for text in texts:
            await make(pilot, app, text)
        assert "The game is over" in screen_text(app)
        await press(pilot, "h", "enter", "down", "q")

    app = on_screen(duel, do, (120, 40), lambda: kept.append(write(duel.record())) or "")
    assert app.return_value == ""
    assert kept[-1] == write(duel.record()) == write(quiet.record())
    assert len(kept) == len(texts)


def test_nothing_is_done_that_nobody_chose():
    duel = duel_of("2024", 3)

    async def do(pilot: Pilot, app: PlayApp) -> None:
        await press(pilot, "enter")
        assert CHOOSE in screen_text(app)
        await press(pilot, "/")
        assert duel.is_laying
        await press(pilot, "escape", "enter")
        assert duel.is_laying
        await press(pilot, "/", "enter")
        await answered(pilot, app)
        assert not duel.is_laying
        before = len(duel.match.moves)
        await press(pilot, "(", "1", "up", "up", "enter", "x", "backspace", "down", "left", "right")
        assert len(duel.match.moves) == before

    on_screen(duel, do)


def test_keys_wait_while_the_other_side_thinks():
    duel = duel_of("2024", 3)

    async def do(pilot: Pilot, app: PlayApp) -> None:
        await press(pilot, "/", "enter")
        await answered(pilot, app)
        app.is_thinking = True
        app.show_title()
        before, moves = app.at, len(duel.match.moves)
        assert THINKING in screen_text(app) or await shows(pilot, app, THINKING)
        await press(pilot, "down", "enter", "(", "h", "escape")
        assert (app.at, app.typed, len(duel.match.moves)) == (before, "", moves)

    on_screen(duel, do)


async def shows(pilot: Pilot, app: PlayApp, text: str) -> bool:
    await pilot.pause()
    return text in screen_text(app)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_part_has_its_place(size: tuple[int, int]):
    duel = duel_of("2024", 4)

    async def do(pilot: Pilot, app: PlayApp) -> None:
        for _ in range(8):
            await make(pilot, app, duel.offers()[0].text)
        for name in ("#title", "#table", "#asked", "#below", "#keys"):
            part = app.query_one(name)
            assert part.region.height >= 1, name
            assert app.screen.region.contains_region(part.region), name
        for other in SIZES:
            await pilot.resize_terminal(*other)
            await pilot.pause()
        for key in ("pageup", "pagedown", "f1", "down", "escape"):
            await press(pilot, key)
            await pilot.pause()
        assert len(app.screen_stack) == 1

    on_screen(duel, do, size)


@pytest.mark.parametrize("hints", [False, True])
def test_hints(hints: bool):
    duel = duel_of("2024", 3)

    async def do(pilot: Pilot, app: PlayApp) -> None:
        await press(pilot, "/", "enter")
        await answered(pilot, app)
        assert (" %  " in screen_text(app)) == hints
        await press(pilot, "h")
        best = duel.offers()[duel.hint()[0][0][0]]
        assert f"%  {best.text}" in screen_text(app)
        await press(pilot, "escape")
        assert " %  " not in screen_text(app)

    on_screen(duel, do, hints=hints)


def test_a_move_is_taken_back():
    duel, kept = duel_of("2024", 3), list[str]()

    async def do(pilot: Pilot, app: PlayApp) -> None:
        await make(pilot, app, "/")
        before, record = screen_text(app), write(duel.record())
        text = next(offer.text for offer in duel.offers())
        await make(pilot, app, text)
        assert screen_text(app) != before
        await press(pilot, "ctrl+z")
        assert f"Taken back: {text}" in screen_text(app)
        await press(pilot, "escape")
        assert screen_text(app) == before
        assert write(duel.record()) == record == kept[-1]
        await press(pilot, "ctrl+z")
        assert "can be taken back" in " ".join(screen_text(app).split())
        app.is_thinking = True
        await press(pilot, "escape", "ctrl+z")
        assert write(duel.record()) == record

    on_screen(duel, do, (120, 40), lambda: kept.append(write(duel.record())) or "")


def test_an_action_that_closes_the_second_card_is_asked_once():
    duel = duel_of("2024", 3)
    for _ in decisions(duel):
        warned = [offer.text for place, offer in enumerate(duel.offers()) if duel.closes_placing(place)]
        if warned:
            break

    async def do(pilot: Pilot, app: PlayApp) -> None:
        moves = len(duel.match.moves)
        await pick(pilot, app, warned[0])
        await press(pilot, "enter")
        assert f"{warned[0]}: after it no further card can be placed" in screen_text(app)
        await press(pilot, "escape")
        assert "no further card" not in screen_text(app)
        await pick(pilot, app, warned[0])
        await press(pilot, "enter")
        assert len(duel.match.moves) == moves
        assert not duel.match.pending
        await press(pilot, "enter")
        await answered(pilot, app)
        assert len(duel.match.moves) > moves or duel.match.pending

    on_screen(duel, do)


def test_a_game_that_goes_on_shows_what_was_before():
    record = duel_of("2024", 3)
    for _ in decisions(record, 12):
        pass
    (game,) = parse(write(record.record()))
    begun = game_until(game)[1]

    async def do(_pilot: Pilot, app: PlayApp) -> None:
        last = record.story[-1] if record.news() else None
        assert last is not None
        assert last.words.split(";")[0] in " ".join(screen_text(app).split())

    on_screen(Duel(record.edition, record.side, record.level, record.seed, "You", begun), do, (80, 40))


def test_leaving_is_asked_once_and_ctrl_c_goes_at_once():
    duel = duel_of("2024", 3)

    async def do(pilot: Pilot, app: PlayApp) -> None:
        await press(pilot, "q")
        assert LEAVE in screen_text(app)
        assert app.return_value is None
        await press(pilot, "escape", "q")
        assert app.return_value is None
        await press(pilot, "ctrl+q")

    assert on_screen(duel, do).return_value == ""

    async def interrupt(pilot: Pilot, _app: PlayApp) -> None:
        await press(pilot, "ctrl+c")

    assert on_screen(duel_of("2024", 3), interrupt).return_value == INTERRUPTED


def test_a_record_that_can_not_be_saved_is_told():
    async def do(pilot: Pilot, app: PlayApp) -> None:
        await press(pilot, "/", "enter")
        await answered(pilot, app)
        assert "the disk is full" in screen_text(app)
        assert "q leaves; tiro play continues before it" in " ".join(screen_text(app).split())
        assert not app.duel.story

    on_screen(duel_of("2024", 2), do, keep=lambda: "the disk is full")


def test_no_hidden_card_is_on_the_screen():
    """Two games that differ only in cards of the other side which nobody has seen look the same."""
    pictures = []
    for swapped in (False, True):
        duel = duel_of("2024", 3)

        async def do(pilot: Pilot, app: PlayApp, duel: Duel = duel, swapped: bool = swapped) -> None:
            if swapped:
                one, two, *rest = duel.lines[1 - duel.side]
                cards = (type(one)(two.card, one.group, True), type(two)(one.card, two.group, True))  # pyright: ignore
                duel.lines[1 - duel.side] = (*cards, *rest)
            await press(pilot, "escape")
            pictures.append(screen_text(app))
            panel = app.query_one("#picture", Static)
            assert "(?)" in "\n".join(panel.render_line(y).text for y in range(panel.size.height))

        on_screen(duel, do)
    assert pictures[0] == pictures[1]
