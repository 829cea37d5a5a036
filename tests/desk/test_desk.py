"""A game recorded by taps is the record that its recorder would have written, and nothing that was tapped is lost."""

from __future__ import annotations

import json
import random
import re
from itertools import islice
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from scale import scaled
from tapping import assert_same, assert_told_apart, begun, start_of, tapped, written_by
from tironian import EDITION_NAMES, VIEWS, parse
from tironian.schemas import load_schema
from tironian.tools.desk import worker
from tironian.tools.desk.desk import VERSION, Desk, DeskError
from tironian.tools.desk.taps import tap_of
from tironian.tools.desk.worker import DeskSession

answer = DeskSession().answer

MOST_TAPS = 7.5
"""The most taps that a spectator needs for a turn on average."""
MOST_OF_A_GAME = 10
"""The most taps for a turn on average of a single game, in which many cards may be shown, whoever records it."""


@pytest.mark.parametrize(
    ("rules", "view", "seed"),
    [("1997", "cleopatra", 9003), ("fr", "table", 9001), ("fr", "cleopatra", 4), ("taylor", "cleopatra", 19)][
        :: scaled(2, 1)
    ],
)
def test_spies_that_are_drawn_and_the_ends_of_last_turns_are_recorded(rules: str, view: str, seed: int):
    record = written_by(view, rules, seed)
    desk = begun(record, view)
    assert [*tapped(desk, record)]
    assert_same(desk, record)


@pytest.mark.parametrize(("place", "rules"), [*enumerate(EDITION_NAMES)])
@pytest.mark.parametrize("seed", range(scaled(1, 250)))
def test_a_game_is_recorded_by_taps(place: int, rules: str, seed: int):
    view = VIEWS[(place + seed) % len(VIEWS)]
    record = written_by(view, rules, seed)
    desk = begun(record, view)
    taps = [*tapped(desk, record)]
    assert_same(desk, record)
    assert len(taps) <= MOST_OF_A_GAME * len(record.turns)
    begins = {"desk": VERSION, "start": start_of(record, view), "taps": []}
    answer(json.dumps({"ask": "open", "game": "a", "journal": begins}))
    screens = [json.loads(answer(json.dumps({"ask": "take", "game": "a", "tap": tap})))["screen"] for tap in taps]
    assert (screens[-1], screens[-1]["record"]) == (desk.screen(), desk.text)


def test_a_turn_takes_few_taps():
    records = [written_by("table", rules, seed) for rules in EDITION_NAMES for seed in range(scaled(1, 25))]
    taps = sum(len([*tapped(begun(record, "table"), record)]) for record in records)
    assert taps <= MOST_TAPS * sum(len(record.turns) for record in records)


@pytest.mark.parametrize(("rules", "view"), [("2024", "table"), ("1997", "arbiter")])
def test_undo_brings_back_the_screen_before_each_tap_and_redo_the_one_after_it(rules: str, view: str):
    record = written_by(view, rules, 5)
    desk = begun(record, view)
    screens = [desk.screen(), *(desk.screen() for _ in islice(tapped(desk, record), scaled(80, 1000)))]
    told = {"can": None, "filled": []}  # what was filled in is told of the last tap alone
    seen = [screen | told for screen in screens]
    for expected in reversed(seen[:-1]):
        assert desk.take({"tap": "undo"}) | told == expected
    assert not desk.screen()["can"]["undo"]
    for expected in seen[1:]:
        assert desk.take({"tap": "redo"}) | told == expected


@pytest.mark.parametrize(("place", "view"), [*enumerate(VIEWS)])
@pytest.mark.parametrize("seed", range(scaled(1, 25)))
def test_what_is_offered_at_random_is_taken(place: int, view: str, seed: int):
    chance = random.Random(seed)
    desk = Desk({"rules": EDITION_NAMES[(place + seed) % len(EDITION_NAMES)], "view": view})
    for _ in range(scaled(80, 400)):
        if not (offered := [*desk.offered()]):
            break
        before, key = desk.screen(), chance.choice(offered)
        after = desk.take(tap_of(key))
        assert after["refusal"] is None, (before, key, after["refusal"])
        assert not after["unread"]
        assert after != before
        assert_told_apart(after)


def test_every_prefix_of_a_journal_opens_as_it_stood():
    record = written_by("table", "2024", 3)
    desk = begun(record, "table")
    taps, screens = [], [desk.screen()]
    for tap in islice(tapped(desk, record), scaled(80, 1000)):
        taps.append(tap)
        screens.append(desk.screen())
    for count in range(0, len(taps) + 1, 23):
        assert (
            Desk.of({"desk": VERSION, "start": start_of(record, "table"), "taps": taps[:count]}).screen()
            == screens[count]
        )


STRANGE: list[Any] = [
    None, 7, "5P", [], {}, {"tap": "card"}, {"tap": "wave", "at": 3}, {"tap": ["undo"]}, {"tap": "number", "n": True},
    {"tap": "number", "n": 10**30}, {"tap": "card", "of": "E", "card": "9", "face": "up"}, {"tap": "text", "text": 5},
    {"tap": "card", "of": "R", "card": "5", "face": "up"}, {"tap": "choice", "choice": "as 5P"},
    {"tap": "text", "text": "5" * 10_000},
]  # fmt: skip


def test_a_tap_that_means_nothing_changes_nothing_and_is_counted():
    desk = Desk({"rules": "2024", "view": "table"})
    before = desk.screen()
    for count, tap in enumerate(STRANGE, 1):
        assert desk.take(tap) == {**before, "unread": count}


def test_what_is_refused_is_said_and_can_be_recorded_all_the_same():
    desk = Desk({"rules": "2024", "view": "table"})
    before = desk.screen()
    refused = desk.take({"tap": "text", "text": "5P 4P"})
    assert "face up" in refused["refusal"]["text"]
    assert [choice["key"] for choice in refused["refusal"]["choices"]] == ["meant (i)P", "anyway"]
    assert desk.take({"tap": "choice", "choice": "meant (i)P"})["turn"].startswith("1E 5P (i)P")
    desk.take({"tap": "undo"})
    desk.take({"tap": "text", "text": "4P"})
    after = desk.take({"tap": "choice", "choice": "anyway"})
    assert after["refusal"] is None
    assert after["turn"].startswith("1E 5P 4P")
    assert "% E" in after["record"]
    assert desk.take({"tap": "undo"})["turn"] == "1E 5P"
    assert desk.take({"tap": "undo"})["record"] == before["record"]


def test_a_card_turned_over_is_the_word_begun_anew():
    desk = Desk({"rules": "2024", "view": "caesar"})
    for tap in ({"tap": "text", "text": "(5)P (4)Q (2)A (3)K (1)C m(12,Q*) +v"}, {"tap": "text", "text": "5P +i"}):
        desk.take(tap)
    card = {"tap": "card", "of": "R", "card": desk.screen()["offers"]["cards"][0]["card"], "face": "up"}
    assert desk.take(card)["word"] == [card]
    turned = {**card, "face": "down"}
    assert desk.take(turned)["word"] == [turned]


def test_a_game_is_resigned_ruled_on_and_confirmed():
    desk = Desk({"rules": "2024", "view": "table", "headers": {"Caesar": "Anna", "Cleopatra": "Ben"}})
    desk.take({"tap": "text", "text": "5P"})
    assert "nothing" not in desk.take({"tap": "text", "text": "/note Ben was late"})["said"]
    deeds = {each["key"]: each["text"] for each in desk.screen()["offers"]["deeds"]}
    assert deeds["/end resigned by Caesar"] == "Caesar resigns"
    ended = desk.take({"tap": "choice", "choice": "/end resigned by Caesar"})
    assert '[Termination "resigned"]' in ended["record"]
    assert [each["text"] for each in ended["offers"]["choices"]] == ["Both players confirm the record"]
    confirmed = desk.take({"tap": "choice", "choice": ended["offers"]["choices"][0]["key"]})
    assert "[Checksum" in confirmed["record"]
    assert not confirmed["offers"]["choices"]
    assert desk.take({"tap": "undo"})["record"] == ended["record"]
    assert "write /end and how" in desk.take({"tap": "text", "text": "/end somehow"})["said"]
    assert desk.take({"tap": "text", "text": "/quit"})["unread"] == 1


def test_clocks_go_by_the_times_of_the_taps():
    start = {"rules": "2024", "view": "table", "headers": {"TimeControl": "600+5"}}
    taps = [
        {"tap": "choice", "choice": "/clock start", "at": 1_000_000}, {"tap": "text", "text": "5P", "at": 1_010_000},
        {"tap": "text", "text": "+i", "at": 1_020_900}, {"tap": "undo", "at": 1_025_000},
        {"tap": "redo", "at": 1_025_000}, {"tap": "choice", "choice": "/clock pause", "at": 1_030_000},
    ]  # fmt: skip
    desk = Desk(start)
    assert "/clock start" in [each["key"] for each in desk.screen()["offers"]["deeds"]]
    assert desk.screen()["clocks"] == {"left": [600, 600], "runs": None, "at": 0}
    screens = [desk.take(tap) for tap in taps]
    assert screens[2]["turn"] == "1E 5P +i @0:09:44"
    assert screens[2]["clocks"] == {"left": [600, 584.1], "runs": 0, "at": 1_020_900}
    assert screens[3]["clocks"]["runs"] == 1  # the turn goes on, and time that is gone does not come back
    assert screens[-1]["clocks"] == {"left": [590.9, 584.1], "runs": None, "at": 1_030_000}
    assert Desk.of({"desk": VERSION, "start": start, "taps": taps}).screen() == screens[-1]


def test_leaving_the_page_is_noted_and_changes_nothing_else():
    desk = Desk({"rules": "2024", "view": "caesar", "tournament": True})
    desk.take({"tap": "card", "of": "R", "card": "5", "face": "down"})
    before = desk.screen()
    for tap in ("left", "back", "back"):
        after = desk.take({"tap": tap, "at": 7 if tap == "left" else 9})
    away = [{"turn": "0R", "from": 7, "to": 9}, {"turn": "0R", "from": None, "to": 9}]
    assert after == {**before, "away": away}
    assert desk.take({"tap": "undo"})["away"] == away


def test_names_and_headers_are_those_of_the_record():
    headers = {"Caesar": "Anna", "Cleopatra": 'B"en\n% E stands', "Date": "2026.05.31", "Nonsense": "x"}
    record = parse(Desk({"rules": "1997", "view": "caesar", "headers": headers}).text)[0].record
    assert (record.header("Caesar"), record.header("Date"), record.header("View")) == ("Anna", "2026.05.31", "caesar")
    assert "Nonsense" not in dict(record.headers)
    assert len(record.turns) == 2 or not record.turns


@pytest.mark.parametrize(
    ("journal", "said"),
    [
        (None, "not a journal"),
        ({"desk": VERSION, "start": {"rules": "2031", "view": "table"}, "taps": []}, "names no rules"),
        ({"desk": VERSION, "start": {"rules": ["2024"], "view": "table"}, "taps": []}, "names no rules"),
        ({"desk": VERSION, "start": {"rules": "2024", "view": "god"}, "taps": []}, "who records"),
        (
            {"desk": VERSION, "start": {"rules": "2024", "view": "table", "headers": {"Site": 3}}, "taps": []},
            "not text",
        ),
        ({"desk": VERSION, "start": {"rules": "2024", "view": "table"}, "taps": {}}, "not a journal"),
    ],
)
def test_what_is_no_journal_is_refused_in_a_sentence(journal: Any, said: str):
    with pytest.raises(DeskError, match=said):
        Desk.of(journal)
    assert said in json.loads(answer(json.dumps({"ask": "open", "game": "a", "journal": journal})))["fault"]


def test_of_the_journal_of_a_newer_desk_what_is_known_is_read():
    tap = {"tap": "card", "of": "E", "card": "5", "face": "up"}
    journal = {
        "desk": VERSION + 1,
        "start": {"rules": "2024", "view": "table"},
        "taps": [{"tap": "drum"}, None, tap],
        "seal": 1,
    }
    screen = ask(ask="open", game="a", journal=journal)["screen"]
    assert screen["word"] == [tap]
    assert screen["unread"] == 2


def ask(**message: Any) -> dict[str, Any]:
    answered = json.loads(answer(json.dumps(message)))
    if "screen" in answered:
        Draft202012Validator(load_schema("desk")).validate(answered["screen"])
    return answered


def test_messages_are_answered_by_screens():
    journal = {"desk": VERSION, "start": {"rules": "2024", "view": "table"}, "taps": []}
    opened = ask(ask="open", game="a", journal=journal)
    assert opened["screen"]["heading"] == "1E · Egypt"
    tap = {"tap": "card", "of": "E", "card": "5", "face": "up"}
    taken = ask(ask="take", game="a", tap=tap)["screen"]
    assert taken["word"] == [tap]
    assert taken["prompt"] == "At which group?"
    assert ask(ask="close", game="a") == {}
    assert "not open" in ask(ask="take", game="a", tap=tap)["fault"]


def test_each_question_that_is_answered_is_described():
    described = re.findall(r'^    {"ask": "([a-z ]+)"', worker.__doc__ or "", re.MULTILINE)
    assert dict.fromkeys(described).keys() == worker.QUESTIONS.keys()


def test_a_long_work_tells_again_and_again_that_it_goes_on():
    taps = [{"tap": "card", "of": "E", "card": "5", "face": "up"}, {"tap": "drum"}] * 5
    journal = {"desk": VERSION, "start": {"rules": "2024", "view": "table"}, "taps": taps}
    for asked in {"ask": "open", "game": "a"}, {"ask": "record"}:
        signs: list[int] = []
        answer(json.dumps(asked | {"journal": journal}), on_progress=lambda signs=signs: signs.append(1))
        assert len(signs) >= len(taps)


def test_what_was_read_by_a_python_that_is_gone_must_be_given_again():
    for kind in "more", "event file", "event told", "event text":
        said = json.loads(DeskSession().answer(json.dumps({"ask": kind, "name": "a"})))
        assert "choose the file or folder again" in said["fault"]


@pytest.mark.parametrize(
    "message",
    ["", "{", "[]", "7", "[" * 100_000, '{}', '{"ask": "sing", "game": "a"}', '{"ask": []}',
     '{"ask": "open", "game": 5}', "x" * 5_000_000],
)  # fmt: skip
def test_a_hostile_message_gets_a_sentence(message: str):
    answered = json.loads(answer(message))
    assert answered["fault"][0].islower() or answered["fault"][0].isupper()
    assert "Traceback" not in answered["fault"]
