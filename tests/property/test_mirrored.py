"""Both sides play by the same rules: a game in which they change places is judged as it was.

All that is Caesar's is given to Cleopatra, and the other way round: turns, columns of votes, rulings, points. Whatever
a check finds has to be found of the other side then, at the same words, and the cards have to end in the other's hands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import pytest
from blocks import compose
from corpus import honest, spoilt
from left_out_views import read
from scale import scaled
from test_conformance import CASES, Case
from tironian import Alternative, Record, Ruling, SideCards, State, Turn, Verdict, check, parse, write
from tironian import tokens as t
from tironian.notation.cards import TIE
from tironian.replay.engine import run
from tironian.replay.engine.headers import read_headers
from tironian.replay.engine.run import run_record

GAMES = scaled(48, 2_000)
CHUNKS = 4
OTHERS: Final = {"Caesar": "Cleopatra", "Rome": "Egypt", "R": "E", "CaesarElo": "CleopatraElo"}
OTHERS.update({other: name for name, other in OTHERS.items()})
NAMES: Final = re.compile(r"Caesar|Cleopatra|Rome|Egypt|(?<![A-Za-z])[RE](?![A-Za-z\d])")
SLIPS: Final = re.compile("swap the two halves|these cards lie at")
EXAMPLES: Final = {"R", "E", "mR", "mE"}
"""Words of messages that stand for either side, as in ``*>R``."""


@pytest.fixture(autouse=True)
def anybody_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the old sets it is always Cleopatra, the one rule that speaks of a side."""
    monkeypatch.setattr(run, "starter_fault", lambda _edition, _starter: None)


def other_side(side: Any) -> Any:
    return side if side in (None, TIE) else 1 - side


def exchanged(text: str) -> str:
    """A text with the names of both sides exchanged, also in the labels of turns."""
    return NAMES.sub(lambda word: OTHERS[word[0]], text)


def mirrored_header(name: str, value: str) -> tuple[str, str]:
    if name in ("Starts", "View"):
        return name, {"caesar": "Cleopatra", "cleopatra": "Caesar"}.get(value.lower(), value)
    points = re.fullmatch(r"(\d+)-(\d+)(.*)", value)
    if name == "Result" and points:
        return name, f"{points[2]}-{points[1]}{exchanged(points[3])}"
    return OTHERS.get(name, name), exchanged(value) if name == "Result" else value


def mirrored_token(token: t.Token) -> t.Token:
    if isinstance(token, t.Vote | t.SpecialVote):
        return replace(token, rome=token.egypt, egypt=token.rome, winner=other_side(token.winner))
    return replace(token, side=1 - token.side) if isinstance(token, t.ChooseMission) else token


def mirrored_turn(turn: Turn) -> Turn:
    after: list[Any] = []
    for each in turn.after:
        if isinstance(each, Alternative):
            each = replace(each, turn=mirrored_turn(each.turn))
        after.append(replace(each, side=1 - each.side) if isinstance(each, Ruling) else each)
    tokens = tuple(map(mirrored_token, turn.tokens))
    return replace(turn, side=1 - turn.side, tokens=tokens, after=tuple(after))


def mirrored(record: Record) -> Record:
    """The record of the same game, in which the other side did everything."""
    headers = [mirrored_header(*header) for header in record.headers]
    if not record.header("Starts"):
        headers.append(("Starts", "Caesar"))
    result = record.result
    if result is not None:
        verdicts = tuple((1 - side, met) for side, met in result.verdicts)
        points = result.points and result.points[::-1]
        result = replace(result, points=points, winner=other_side(result.winner), verdicts=verdicts)
    return Record(tuple(headers), record.preface, tuple(map(mirrored_turn, record.turns)), result)


def told(verdict: Verdict, rename: Callable[[str], str] = str) -> Counter[tuple[object, ...]]:
    """What a check finds: the turn, the place in its line, the code, and the words of the message in no order.

    What is found in both lines of a set-up together is told of the second one, and a slip in both columns of a vote is
    told of Rome: whose it is says nothing there.
    """
    found: Counter[tuple[object, ...]] = Counter()
    for each in verdict.diagnostics:
        place = (each.span.start, each.span.end) if each.turn else None
        turn = "0" if each.turn[:1] == "0" else rename(each.turn)
        text = "" if SLIPS.search(each.help) else rename(f"{each.message} {each.underline_text} {each.help}")
        words = {*re.findall(r"\w+", text)} - EXAMPLES
        found[turn, place, each.code, each.severity, *sorted(words)] += 1
    return found


def facts_of(side: SideCards) -> tuple[object, ...]:
    piles = side.influence_pile, side.action_pile, side.order
    cards = side.hand, side.unseen, side.discards, side.up, side.hidden, side.won
    return cards, piles, side.missions, side.kept, side.has_unknown_cards


def facts(state: State) -> tuple[object, ...]:
    there = state.left, state.bag, state.out, state.blanks, state.blanks_out, state.due
    return there, state.number, state.ended, state.final, state.lone, state.draw_limit()


def differences(record: Record) -> Iterator[str]:
    """What is not alike where both sides change places."""
    game, other = read(record), read(mirrored(record))
    verdicts = check(game), check(other)
    first, second = told(verdicts[0], exchanged), told(verdicts[1])
    for each in first - second:
        yield f"not found: {each}"
    for each in second - first:
        yield f"found alone: {each}"
    if verdicts[0].verdict != verdicts[1].verdict:
        yield "another verdict"
    frames = read_headers(game.record), read_headers(other.record)
    if not (frames[0].edition and frames[1].edition):
        return
    one, two = run_record(game.record, frames[0]), run_record(other.record, frames[1])
    if one.state is None or two.state is None or one.stopped or two.stopped:
        return
    if facts(one.state) != facts(two.state) or one.state.active != 1 - two.state.active:
        yield f"{facts(one.state)}\n{facts(two.state)}"
    for side in (0, 1):
        mine, theirs = facts_of(one.state.sides[side]), facts_of(two.state.sides[1 - side])
        if mine != theirs:
            yield f"{mine}\n{theirs}"


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_case_says_the_same_of_the_other_side(case: Case) -> None:
    for block in case.blocks:
        (game,) = parse("\n".join(compose(block, case.edition)[0]))
        found = [*differences(game.record)]
        assert not found, "\n".join([write(mirrored(game.record)), *found])


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_so_does_a_game_at_random(chunk: int) -> None:
    for number in range(chunk, GAMES, CHUNKS):
        for made in (honest(number, 5), spoilt(number, 5)):
            for game in parse(made.text):
                if game.problems:
                    continue
                found = [*differences(game.record)]
                assert not found, "\n".join([made.name, write(mirrored(game.record)), *found])
