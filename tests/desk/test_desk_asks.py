"""The desk asks in words, asks only what has more than one answer, and has a button for each answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from scale import crossed
from tapping import begun, start_of, tapped, written_by
from test_tournament import by_taps
from tironian import EDITION_NAMES, VIEWS, parse
from tironian.notation.cards import GROUP_LETTERS
from tironian.tools.desk.desk import Desk
from tironian.tools.desk.taps import ORDER, tap_of

GAMES = [
    *[(rules, view, False) for rules, view in crossed(EDITION_NAMES, VIEWS)],
    *[(rules, view, True) for rules, view in crossed(EDITION_NAMES, [view for view in VIEWS if view != "arbiter"])],
]
"""Rules, point of view, tournament mode."""
NOTATION = re.compile(
    r"[=*+#<>?]\w|\w[=*+#(<>\[]|\([^\s()]*\)|\b[a-z]+[A-Z]|\b(?!\d+[RE]\b|\d+s\b)\d+[A-Za-z]|(?<!['’])\b[b-zB-Z]\b"
)
"""A word of the notation; the label of a turn is its name."""


def card_of(*letters: str) -> Callable[[dict[str, Any]], bool]:
    return lambda offers: any(each["card"] in letters for each in offers["cards"])


def choice_of(*keys: str) -> Callable[[dict[str, Any]], bool]:
    return lambda offers: all(any(each["key"].startswith(key) for each in offers["choices"]) for key in keys)


ANSWERS: dict[str, Callable[[dict[str, Any]], bool]] = {
    r"At which group|special vote at|[Ss]pecial vote:": lambda offers: bool(offers["groups"]),
    r"[Ww]hich (of \w+’s )?cards? |face-down card at|draws|first action card": lambda offers: bool(offers["cards"]),
    r"places the \w+ card": card_of(*"12345pi"), r"plays an action": card_of(*"xswcy"),
    r"exchanges cards": choice_of("exchange"),
    r"reveals the|(bust|vote card) that came": lambda offers: bool(offers["busts"]), r"it (was )?vetoed": card_of("v"),
    r"the turn ends|then end the turn": choice_of("end"),
    r"What was the effect": lambda offers: bool(offers["cards"] or offers["numbers"]),
    r"after the castling": lambda offers: bool(offers["cards"] or offers["groups"]),
    r"mission( was| is)|’s (first |second )?mission": choice_of("m"), r"pile shuffled": choice_of("end", "ordered"),
    r"Which of these": choice_of("as "),
    r"What was the result|Which missions were": lambda offers: len(offers["choices"]) > 1,
    r"confirm": choice_of("/sign"),
}  # fmt: skip
"""What a prompt asks for, and how it can be answered."""


class Watched(Desk):
    """A desk that notes its screens, each with the taps that are offered."""

    def __init__(self, start: Any, version: int = 2) -> None:
        super().__init__(start, version)
        self.seen = [self.screen()]

    def take(self, tap: Any) -> dict[str, Any]:
        self.seen.append(super().take(tap))
        return self.seen[-1]


@cache
def screens(rules: str, view: str, tournament: bool) -> list[dict[str, Any]]:
    record = written_by(view, rules, 11)
    if tournament:
        return by_taps(record, view, Watched)[0].seen
    desk = Watched(start_of(record, view))
    assert [*tapped(desk, record)]
    return desk.seen


def count(offers: dict[str, Any]) -> int:
    return sum(len(offered) for kind, offered in offers.items() if kind != "deeds")


@pytest.mark.parametrize(("rules", "view", "tournament"), GAMES)
def test_what_is_asked_and_what_buttons_say_is_no_notation(rules: str, view: str, tournament: bool):
    for screen in screens(rules, view, tournament):
        labels = [each["text"] for kind in ("choices", "deeds") for each in screen["offers"][kind]]
        for said in (screen["prompt"], *labels):
            assert not NOTATION.search(said), (said, screen["turn"])
            assert said[0].isupper() or re.fullmatch(r"\d+ (influence|action)", said)


@pytest.mark.parametrize(("rules", "view", "tournament"), GAMES)
def test_what_is_asked_has_buttons_that_answer_it(rules: str, view: str, tournament: bool):
    for screen in screens(rules, view, tournament):
        prompt, offers = screen["prompt"], screen["offers"]
        if "Checksum" in screen["record"]:
            continue
        if screen["prompt"].startswith(("Go on", "This ")):  # a word by its form, which may go on in many ways
            assert count(offers)
            continue
        asked = [is_answered for asks, is_answered in ANSWERS.items() if re.search(asks, prompt)]
        assert asked, prompt
        if "draws" in prompt or not tournament:
            assert all(is_answered(offers) for is_answered in asked), (prompt, offers, screen["turn"])
        assert count(offers)


@pytest.mark.parametrize(("rules", "view", "tournament"), [game for game in GAMES if not game[2]])
def test_what_has_one_answer_is_not_asked_unless_it_was_done(rules: str, view: str, tournament: bool):
    """A player's own card and the signing of the record are tapped all the same: the tap says that it was done."""
    for screen in screens(rules, view, tournament):
        if count(offers := screen["offers"]) == 1:
            is_deed = not screen["word"] and re.search("places|plays|exchanges", screen["prompt"])
            assert is_deed or choice_of("/sign")(offers), (screen["prompt"], offers, screen["word"], screen["turn"])


JOURNALS = [
    json.loads(line)
    for line in (Path(__file__).parent / "first-version.desk.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Journals that the first version has made, each with the record that came out, made of simulated games."""


@pytest.mark.parametrize("journal", JOURNALS)
def test_a_journal_of_the_first_version_is_read_as_it_was_written(journal: dict[str, Any]):
    desk = Desk.of(journal)
    assert (desk.text, desk.unread) == (journal["record"], 0)


@pytest.mark.parametrize("journal", [each for each in JOURNALS if "tournament" not in each["start"]])
def test_fewer_taps_make_the_same_record(journal: dict[str, Any]):
    record = parse(journal["record"])[0].record
    desk = begun(record, journal["start"]["view"])
    assert len([*tapped(desk, record)]) < len(journal["taps"])
    assert desk.text == journal["record"]


def taps(*words: str) -> Iterator[dict[str, Any]]:
    """Taps: ``R5`` a card, ``(R5)`` one face down, ``P`` a group."""
    for word in words:
        bare = word.strip("()")
        down = "down" if word != bare else "up"
        yield {"tap": "group", "group": word} if word in GROUP_LETTERS else tap_of(("card", *bare, down))


def test_a_tap_on_what_was_filled_in_says_so_and_changes_nothing():
    desk = Desk({"rules": "2024", "view": "caesar"})
    first, again = taps("(R5)", "P")
    after = desk.take(first)
    assert after["turn"] == "0R (5)P"
    assert desk.take(again) == {**after, "said": "That had been filled in already."}
    assert desk.take({"tap": "undo"})["turn"] == ""


def test_of_a_castling_the_cards_at_the_second_group_are_filled_in():
    record = written_by("table", "1997", 8)
    desk, seen = begun(record, "table"), [""]
    for _ in tapped(desk, record):
        seen.append(desk.screen()["turn"])
        if "cP(iiii)C(iiii)" in seen[-1]:
            break
    assert len(seen) - 1 - seen.index(seen[-2]) <= len("cPCiiii")


def test_of_a_finished_game_the_result_is_asked_first_and_then_that_both_confirm():
    record = written_by("table", "2024", 2)
    desk = Desk({**start_of(record, "table")})
    seen = [desk.screen() for _ in tapped(desk, record)]
    ends = [(screen["prompt"], [each["key"][0] for each in screen["offers"]["choices"]]) for screen in seen[-2:]]
    assert ends[0][0] == "Which missions were fulfilled?"
    assert "/" not in ends[0][1]
    assert (ends[1][0].split(".")[0], ends[1][1]) == ("The game is over", ["/"])
    assert "signed by" in desk.take({"tap": "choice", "choice": "/sign Caesar, Cleopatra"})["said"]


def test_of_a_game_that_needs_a_ruling_this_is_asked():
    desk = Desk({"rules": "2024", "view": "table"})
    for text in ("5P 4P", "/end resigned by Caesar"):
        desk.take({"tap": "text", "text": text})
        if desk.recorder.refusal:
            desk.take({"tap": "choice", "choice": "anyway"})
    screen = desk.screen()
    assert "1E" in screen["prompt"]
    assert [each["text"] for each in screen["offers"]["choices"]] == ["1E stands", "1E is taken back"]
    ruled = desk.take({"tap": "choice", "choice": "/rule 1E stands"})
    assert [each["key"] for each in ruled["offers"]["choices"]] == ["/sign Caesar, Cleopatra"]


@pytest.mark.parametrize("tournament", [False, True])
def test_an_action_pile_is_tapped_from_the_top(tournament: bool):
    pile = "xxxxsswccyyvv"
    desk = Desk({"rules": "1997", "view": "caesar", **({"tournament": True} if tournament else {})})
    desk.take({"tap": "text", "text": "(5)S (4)P (3)Q (2)C (1)A m(Q)"})
    for key in (ORDER, *[("card", "R", each, "up") for each in pile]):
        if "a(" not in desk.text:
            assert key in desk.offered()
            desk.take(tap_of(key))
    assert f"a({pile})" in desk.text
