"""A game of which a part is recorded without a connection: nothing is lost, and what does not fit is said on return."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from scale import scaled
from tapping import assert_same, begun, result_taps, tapped, written_by
from test_tournament import tapped_by_form
from tironian import EDITION_NAMES, Record, Turn, token_text, turn_text
from tironian import tokens as t
from tironian.tools.desk.desk import Desk
from tironian.tools.desk.taps import AGAIN, DONE, DRAW, END, card, tap_of

OFFLINE: dict[str, Any] = {"tap": "offline"}
ONLINE: dict[str, Any] = {"tap": "online"}


def by_form(desk: Desk, record: Record, turns: int) -> None:
    """Tap whole turns without seeing what the desk says; each tap has a meaning."""
    there = len(desk.recorder.draft.record.turns)
    for turn in record.turns[there : there + turns]:
        if desk.recorder.draft.cursor.label != turn.label and not isinstance(turn.tokens[0], t.Place):
            desk.put(tap_of(AGAIN))  # a card says it, too
        for token in turn.tokens:
            if isinstance(token, t.Castle) and token.cards_first == token.cards_second == ():
                keys = [("text", token_text(token))]
            else:
                keys = [*tapped_by_form(token, turn.side), DONE]
            for key in keys:
                if key != DONE or desk.word:
                    desk.put(tap_of(key))
        desk.put(tap_of(END))
    assert desk.unread == 0


def to_the_next_turn(desk: Desk, record: Record, turns: int) -> None:
    """Tap as the screen offers it until so many turns are there, and a new one begins."""
    for _ in tapped(desk, record):
        draft = desk.recorder.draft
        if len(draft.record.turns) >= turns and draft.cursor.fresh and draft.cursor.number:
            return


@pytest.mark.parametrize("rules", EDITION_NAMES)
@pytest.mark.parametrize("view", ["table", "caesar", "arbiter"])
@pytest.mark.parametrize("seed", range(scaled(1, 50)))
def test_a_legal_game_is_the_same_whatever_part_was_recorded_without_a_connection(rules: str, view: str, seed: int):
    record, chance = written_by(view, rules, seed), random.Random(seed)
    if any(isinstance(token, t.ActionOrder) for turn in record.turns for token in turn.tokens if turn.number):
        pytest.skip("a pile that is put in order is typed")
    desk = begun(record, view)
    while len(desk.recorder.draft.record.turns) < len(record.turns) - 4:
        to_the_next_turn(desk, record, len(desk.recorder.draft.record.turns) + chance.randrange(1, 4))
        there = len(desk.recorder.draft.record.turns)
        desk.put(OFFLINE)
        by_form(desk, record, min(chance.randrange(4), len(record.turns) - 2 - there))
        screen = desk.take(ONLINE)
        assert screen["refusal"] is None
        there = len(desk.recorder.draft.record.turns)
        assert desk.recorder.draft.record.turns[: there - 1] == record.turns[: there - 1]
        assert not desk.recorder.draft.by_form
    assert [*tapped(desk, record)]
    assert_same(desk, record)


def slipped(token: t.Token) -> t.Token:
    """A vote in which somebody has tapped one card too many."""
    return replace(token, rome=(*token.rome, 1)) if isinstance(token, t.Vote) and token.rome is not None else token


@pytest.mark.parametrize("rules", EDITION_NAMES)
@pytest.mark.parametrize("seed", range(scaled(1, 50)))
def test_a_game_recorded_wholly_by_form_keeps_each_slip_and_shows_it_on_return(rules: str, seed: int):
    record, chance = written_by("table", rules, seed), random.Random(seed)
    voted = [place for place, turn in enumerate(record.turns) if any(map(is_counted, turn.tokens))]
    places = {*chance.sample(voted, min(5, len(voted)))}
    turns = [
        replace(turn, tokens=(*map(slipped, turn.tokens),)) if place in places else turn
        for place, turn in enumerate(record.turns)
    ]
    desk = begun(record, "table")
    desk.put(OFFLINE)
    by_form(desk, replace(record, turns=tuple(turns)), len(turns))
    written = desk.recorder.draft.record.turns
    assert [shown(turn) for turn in written] == [shown(turn) for turn in turns]
    screen = desk.take(ONLINE)
    assert desk.recorder.draft.record.turns == written, "nothing is lost"
    for place in sorted(places):
        said, label = screen["refusal"], turns[place].label
        assert said["choices"] == [{"key": f"/edit {turn_text(written[place])}", "text": f"Correct {label}"}]
        assert f"\n{label}: " in said["text"]
        assert desk.recorder.draft.by_form, "somebody who corrects nothing can go on"
        screen = desk.take({"tap": "text", "text": f"/edit {turn_text(record.turns[place])}"})
        written = desk.recorder.draft.record.turns
    assert screen["refusal"] is None
    assert not desk.recorder.draft.by_form
    while more := result_taps(desk, record):
        desk.take(more[0])
    assert_same(desk, record)


def is_counted(token: t.Token) -> bool:
    return slipped(token) != token


def shown(turn: Turn) -> str:
    """A turn without who won its votes: that is counted once it is judged."""
    return re.sub(r">[-RE=]\w*", "", turn_text(turn))


@pytest.mark.parametrize("draws", [True, False])
def test_a_card_drawn_for_a_veto_may_be_tapped_as_any_other_drawn_card(draws: bool):
    desk = Desk({"rules": "2024", "view": "table"})
    desk.put(OFFLINE)
    for key in (("text", "1E 1C (i)A +ai"), END, card(0, 1), ("group", "P"), card(0, 8), ("group", "C")):
        desk.put(tap_of(key))
    veto, drawn, own = ("card", "E", "v", "up"), ("card", "E", "i", "up"), ("card", "R", "i", "up")
    for key in (veto, *([DRAW] * draws), drawn, ("bust", "o"), DRAW, own, END):
        desk.put(tap_of(key))
    assert desk.unread == 0
    assert turn_text(desk.recorder.draft.record.turns[-1]).endswith(" v+i =o +i")


def test_a_draw_after_a_veto_is_the_draw_of_the_turn():
    desk = Desk({"rules": "2024", "view": "table"})
    desk.put(OFFLINE)
    for key in (("text", "1E 1C (i)A +ai"), END, card(0, 1), ("group", "P"), card(0, 8), ("group", "C")):
        desk.put(tap_of(key))
    for key in (("card", "E", "v", "up"), DRAW, ("card", "R", "i", "up"), END):
        desk.put(tap_of(key))
    assert desk.unread == 0
    assert turn_text(desk.recorder.draft.record.turns[-1]).endswith(" v +i")


def test_a_game_that_ended_without_a_connection_shows_its_slips_too():
    desk = Desk({"rules": "2024", "view": "table"})
    desk.put(OFFLINE)
    for text in ("1E 1C (i)A +ai", "1R 4P =C1:1 +i", "/end resigned by Caesar"):
        desk.put({"tap": "text", "text": text})
    screen = desk.take(ONLINE)
    assert [each["text"] for each in screen["refusal"]["choices"]] == ["Correct 1R"]
    screen = desk.take(tap_of(("choice", "/sign Caesar, Cleopatra")))
    assert "judge" in [each["key"] for each in screen["offers"]["deeds"]] or screen["refusal"]
    screen = desk.take({"tap": "text", "text": "/edit 1R 4P =C1:11 +i"})
    assert screen["refusal"] is None
    assert desk.recorder.draft.verdict.verdict == "possible"
    assert "tournament" not in desk.text


def test_only_what_was_taken_without_a_connection_is_judged_after_it():
    """Somebody who has written the mode themselves keeps it."""
    desk = Desk({"rules": "2024", "view": "table"})
    desk.put({"tap": "text", "text": "/header Mode tournament"})
    for tap in ({"tap": "text", "text": "/note late"}, ONLINE, tap_of(("choice", "judge"))):
        desk.put(tap)
        assert '[Mode "tournament"]' in desk.text
