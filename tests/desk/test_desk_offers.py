"""Whatever the desk offers is taken as what it was offered as, and Undo takes back exactly that tap."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from scale import FULL, scaled
from tironian import EDITION_NAMES, parse, token_text
from tironian.tools.desk.desk import VERSION, Desk
from tironian.tools.desk.taps import MEANT, ORDER, key_of
from tironian.tools.desk.worker import DeskSession

answer = DeskSession().answer

GAMES = scaled(16, 2000)
ASIDE = ("/note seen", "/header Site Cologne", "/rule 1E stands", "/rule 1E none")
"""What may be typed between two taps, and leaves the moves alone."""
KINDS = {"groups": "group", "busts": "bust"}
VOTES = {"group": "*", "bust": "="}


def ask(**message: Any) -> dict[str, Any]:
    return json.loads(answer(json.dumps({"game": "a", **message})))["screen"]


def taps_in(screen: dict[str, Any]) -> list[dict[str, Any]]:
    """Every single tap that a screen offers for a turn."""
    offers = screen["offers"]
    return [
        *({"tap": "card", **each} for each in offers["cards"]),
        *({"tap": kind, kind: each} for many, kind in KINDS.items() for each in offers[many]),
        *({"tap": "number", "n": each} for each in offers["numbers"]),
        *({"tap": "choice", "choice": each["key"]} for each in offers["choices"] if each["key"][0] != "/"),
    ]


TOLD = ("can", "said", "filled", "unread", "clocks", "away")
"""What a screen tells about the last tap."""


def standing(screen: dict[str, Any]) -> dict[str, Any]:
    """What Undo brings back."""
    return {name: each for name, each in screen.items() if name not in TOLD}


def words_of(record: str) -> Counter[str]:
    """All words of the turns; each drawn card is a word of its own."""
    words: Counter[str] = Counter()
    for turn in parse(record)[0].record.turns:
        for token in turn.tokens:
            text = token_text(token)
            words.update([f"+{each}" for each in text[1:]] if text.startswith("+") else [text])
    return words


def offered_as(desk: Desk, tap: dict[str, Any]) -> set[str]:
    """The words that a tap may enter: the one that it completes or names, or the one that it goes on from; or, as the
    rest is filled in, one that it begins.
    """
    key = key_of(tap)
    assert key is not None
    if key[0] == "choice" and key[1].startswith(MEANT):
        return {key[1].removeprefix(MEANT)}
    found = {text for taps in (desk.word, (*desk.word, key), (key,)) for text, _ in desk._complete(taps)}
    for taps in ((*desk.word, key), (key,)):
        found |= {word.text(()) for word, _ in desk._fitting(taps) if word.move is not None and word.move.token}
        found |= {VOTES[taps[0][0]] + taps[0][1]} if taps[0][0] in VOTES else set()
        found |= {"a("} if taps[0] == ORDER else set()
    return found


def words_as_drawn(texts: set[str]) -> set[str]:
    """Words as the record may have them: each drawn card is one."""
    return {part for text in texts for part in ([f"+{card}" for card in text[1:]] if text[:1] == "+" else [text])}


def begins(game: int) -> dict[str, Any]:
    cases = [*product(EDITION_NAMES, ("table", "caesar", "cleopatra"), (False, True))]
    rules, view, tournament = cases[(game * 5) % len(cases)]
    return {"rules": rules, "view": view, **({"tournament": True} if tournament else {})}


def test_a_bust_that_was_filled_in_at_the_end_of_a_turn_is_also_the_first_word_of_the_next():
    """Seldom in a random game: the last bust of a turn is the only one possible, and the next side turns it up, too."""
    desk = Desk.of(json.loads((Path(__file__).parent / "swallowed-tap.desk.json").read_text(encoding="utf-8")))
    before = desk.take({"tap": "undo"})
    assert before["record"].endswith("=r\n*\n")
    after = desk.take({"tap": "bust", "bust": "r"})
    assert after["record"].endswith("=r\n19R =r\n*\n")
    assert desk.take({"tap": "undo"})["record"] == before["record"]


@pytest.mark.parametrize("game", range(GAMES))
def test_every_offered_tap_does_what_it_was_offered_as(game: int):
    chance, taps = random.Random(game), list[dict[str, Any]]()
    start = begins(game)
    desk = Desk(start)
    screen = ask(ask="open", journal={"desk": VERSION, "start": start, "taps": []})
    for _ in range(scaled(30, 400)):
        offered = taps_in(screen)
        if not offered:
            break
        going = chance.choice(offered)
        probed = offered if FULL else chance.sample(offered, min(2, len(offered)))
        for tap in (*probed, going):
            after = ask(ask="take", tap=tap)
            assert standing(after) != standing(screen), (start, taps, tap)
            assert after["refusal"] is None, (start, taps, tap, after["refusal"])
            entered = words_of(after["record"]) - words_of(screen["record"])
            said = words_as_drawn(offered_as(desk, tap))
            # A vote gets its winner, an action what it turned up, a hidden card that the record knows its name; the end
            # of a turn brings what is due.
            entered.update(re.sub(r"\([1-5p]\)", "", word) for word in [*entered])
            assert not entered or any(word.startswith(each) for word in entered for each in said), (
                start,
                taps,
                tap,
                entered,
            )
            back = ask(ask="take", tap={"tap": "undo"})
            assert standing(back) == standing(screen), (start, taps, tap)
        screen = ask(ask="take", tap=going)
        desk.put(going)
        taps.append(going)
