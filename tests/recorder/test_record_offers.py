"""What may be typed next: all that a legal game can go on with, whoever writes it down, and in no time."""

from __future__ import annotations

import random

import pytest
import tironian
from scale import scaled
from tironian import EDITION_NAMES, VIEWS, Move, Record, load_edition, parse, simulate, write
from tironian import tokens as t
from tironian.notation.cards import GROUP_LETTERS
from tironian.replay.knowledge.verdict import is_explained
from tironian.tools.recorder.cursor import PILE
from tironian.tools.recorder.editing import put
from tironian.tools.recorder.menu import Menu
from tironian.tools.recorder.recorder import Recorder
from typed_records import MemoryStorage, is_due, recorder_of, turn_entries

HEAD = '[Rules "{}"]\n[View "{}"]\n[Result "*"]\n'
OLD = "0R (1)S (2)P (3)Q (4)C (5)A m(S)\n0E (i)S (i)P (i)Q (i)C (i)A m(?)\n"


def recorder_at(rules: str, view: str, lines: str) -> Recorder:
    return Recorder(MemoryStorage(HEAD.format(rules, view) + lines))


def is_offered(menu: Menu, entry: str) -> bool:
    """Whether the list has a word: drawn cards one by one, and votes with too many outcomes by their group."""
    if entry.startswith("a("):
        return "a(" in menu
    return entry in menu or (entry[:1] in "+=*" and entry[:2] in menu)


def test_an_unknown_hand_may_give_away_whatever_it_can_hold():
    menu = recorder_at("1997", "caesar", f"{OLD}1E -345 +iia\n1R - +2\n").draft.menu
    assert all(entry in menu for entry in ("-", "-3", "-33", "-21", "-3321x", "-4321"))
    assert not any(entry in menu for entry in ("-333", "-xx", "-43321", "-22221"))


def test_a_known_hand_gives_away_what_it_holds():
    menu = recorder_at("1997", "caesar", OLD + "1E - +i\n").draft.menu
    assert len([text for text in menu.words if text.startswith("-")]) == 2**5


def test_a_vote_with_too_many_outcomes_to_list_is_to_be_typed_on():
    vote, edition = t.Vote(GROUP_LETTERS.index("Q")), load_edition("2024")
    listed = [Menu([Move(vote)], 1, edition, {}, unknown_cards).choices() for unknown_cards in (False, True)]
    assert [[line.label for line in lines] for lines in listed] == [["=Q"], ["=Q…"]]


def written_by(view: str, rules: str, seed: int) -> Record:
    record = simulate(load_edition(rules), seed)
    return record if view == "arbiter" else tironian.view(parse(write(record))[0], view).record


@pytest.mark.parametrize(("place", "rules"), [*enumerate(EDITION_NAMES)])
@pytest.mark.parametrize("seed", range(scaled(1, 60)))
def test_every_word_of_a_legal_game_is_offered_before_it_comes(place: int, rules: str, seed: int):
    record = written_by(VIEWS[(place + seed) % len(VIEWS)], rules, seed)
    recorder = recorder_of(record)
    for turn in record.turns:
        for entry in turn_entries(turn):
            text = recorder.draft.text
            if not is_due(recorder, turn.label, entry):
                continue
            menu = recorder.draft.menu
            assert recorder.enter(entry), (turn.label, entry, recorder.refusal)
            # What was filled in already needs no place in the list.
            assert recorder.draft.text == text or is_offered(menu, entry), (turn.label, entry)
    assert recorder.draft.record.turns == record.turns


def picked(recorder: Recorder, chance: random.Random) -> str | None:
    """A word that somebody picks from list to list; None where there is nothing to pick. Each list is looked at."""
    typed, menu = "", recorder.draft.menu
    # What is not whole and yet a word is to be typed on: there are too many ways to pick one.
    while found := [each for each in recorder.choices(typed) if each.whole or each.text not in menu]:
        choice = chance.choice(found)
        if choice.whole:
            return choice.text
        typed = choice.text
    assert not typed, "a list that leads nowhere"
    return None


@pytest.mark.parametrize(("place", "rules"), [*enumerate(EDITION_NAMES)])
@pytest.mark.parametrize("seed", range(scaled(1, 60)))
def test_no_offer_is_refused(place: int, rules: str, seed: int):
    """A game of offers, picked at random, as one sees it who does not see every card."""
    chance = random.Random(seed)
    recorder = recorder_of(written_by(VIEWS[1 + (place + seed) % (len(VIEWS) - 1)], rules, seed))
    for _ in range(scaled(30, 250)):
        if (word := picked(recorder, chance)) is None:
            break
        label = recorder.draft.cursor.label
        assert recorder.enter(word), (label, word, recorder.refusal)
    assert not recorder.draft.errors


@pytest.mark.parametrize("rules", EDITION_NAMES)
@pytest.mark.parametrize("seed", range(scaled(1, 60)))
def test_special_votes_that_are_due_need_not_be_typed(rules: str, seed: int):
    """Where an action could still come before one, it is filled in with the first word that comes behind it."""
    record = simulate(load_edition(rules), seed)
    recorder = recorder_of(record)
    for turn in record.turns:
        for entry in turn_entries(turn):
            if not entry.startswith("*") and is_due(recorder, turn.label, entry):
                assert recorder.enter(entry), (turn.label, entry, recorder.refusal)
    for mine, theirs in zip(recorder.draft.record.turns, record.turns, strict=True):
        assert {*mine.tokens} == {*theirs.tokens}  # several in one turn may be held in any order
    assert not recorder.draft.errors


@pytest.mark.parametrize(("place", "rules"), [*enumerate(EDITION_NAMES)][:: scaled(3, 1)])
@pytest.mark.parametrize("seed", range(scaled(1, 20)))
def test_a_word_stands_whether_or_not_the_game_before_it_is_played_again(place: int, rules: str, seed: int):
    record = written_by(["table", "caesar", "cleopatra"][(place + seed) % 3], rules, seed)
    recorder, judged = recorder_of(record), 0
    for turn in record.turns:
        for entry in turn_entries(turn):
            draft, cursor = recorder.draft, recorder.draft.cursor
            words = [move.token for move in draft.menu.words.values() if isinstance(move.token, t.Token)]
            for token in words[:: max(1, len(words) // 3)]:
                if isinstance(token, t.AnyVote) or draft.story is None or token == PILE or not cursor.number:
                    continue
                before = recorder.without_given(token)
                after = put(before, token)
                assert is_explained(after, draft.frame, before.story) == is_explained(after, draft.frame), entry
                judged += 1
            if is_due(recorder, turn.label, entry):
                assert recorder.enter(entry)
    assert judged
