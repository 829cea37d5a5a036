"""Honest logs of what somebody saw are never called illegal, and what explains them is a game that he can have seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from scale import scaled
from tironian.notation import parse, write
from tironian.notation.reader import Game
from tironian.notation.record import Record, Result
from tironian.replay import check, load_edition, redacted, simulate
from tironian.replay.checker import LEGAL, POSSIBLE
from tironian.replay.edition import EDITION_NAMES
from tironian.replay.knowledge.witness import witness_of

CHUNKS = 4
GAMES = scaled(2, 500)
VIEWS = ("caesar", "cleopatra", "table")


def read(record: Record) -> Game:
    (game,) = parse(write(record))
    return game


def broken_off(record: Record, turns: int) -> Record:
    """The record as it would stand if the game had been broken off there."""
    headers = [header for header in record.headers if header[0] not in ("Result", "Termination")]
    headers += [("Result", "*"), ("Termination", "abandoned")]
    return replace(record, headers=tuple(headers), turns=record.turns[:turns], result=Result())


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_an_honest_log_is_never_illegal(name: str, chunk: int):
    edition = load_edition(name)
    for number in range(GAMES):
        record = simulate(edition, 10_000 * chunk + number)
        for view in VIEWS:
            log = redacted(read(record), view).record
            for turns in range(2, len(log.turns) + 1):
                part = log if turns == len(log.turns) else broken_off(log, turns)
                verdict = check(read(part))
                assert verdict.verdict in (LEGAL, POSSIBLE), (verdict.diagnostics, write(part))


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_witness_is_a_whole_game_that_looks_like_the_log(name: str, chunk: int):
    edition = load_edition(name)
    met: Counter[str] = Counter()
    for number in range(2 * GAMES):
        record = simulate(edition, 10_000 * chunk + number + 5_000)
        view = VIEWS[number % 3]
        log = redacted(read(record), view).record
        if number % 2:
            log = broken_off(log, 3 + number % (len(log.turns) - 2))
        log = read(log).record
        verdict = check(read(log))
        met[verdict.verdict] += 1
        found = witness_of(log)
        assert found is not None
        whole = check(read(found))
        assert whole.verdict == LEGAL
        assert not [each for each in whole.diagnostics if each.code in ("H208", "C908")]
        again = replace(found, headers=tuple(header for header in found.headers if header[0] != "View"))
        assert write(redacted(read(again), view).record) == write(log)
    assert met[POSSIBLE]
