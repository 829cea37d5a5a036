"""Honest logs of what somebody saw are never called illegal, and what explains them is a game that he can have seen."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
import tironian
from left_out_views import VIEWS, broken_off, read
from scale import scaled
from tironian import (
    EDITION_NAMES,
    Edition,
    Result,
    check,
    load_edition,
    parse,
    score,
    simulate,
    token_text,
    write,
)
from tironian import tokens as t
from tironian.notation.cards import GROUP_LETTERS
from tironian.replay.diagnostics.registry import LEGAL, POSSIBLE
from tironian.replay.engine.headers import read_headers
from tironian.replay.engine.run import run_record
from tironian.replay.knowledge.witness import witness_of

CHUNKS = 4
GAMES = scaled(2, 500)
STEP = scaled(3, 1)
"""Turns from one moment at which a log is broken off to the next."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_an_honest_log_is_never_illegal(name: str, chunk: int):
    edition = load_edition(name)
    for number in range(GAMES):
        record = simulate(edition, 10_000 * chunk + number)
        for view in VIEWS:
            log = tironian.view(read(record), view).record
            for turns in range(2 + number % STEP, len(log.turns) + 1, STEP):
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
        log = tironian.view(read(record), view).record
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
        assert write(tironian.view(read(again), view).record) == write(log)
    assert met[POSSIBLE]


def any_mission(edition: Edition, rng: random.Random) -> t.Mission:
    """A mission of any form that the notation has and the edition allows, rare ones too."""
    if edition.mission_groups:
        return t.Mission("majority", rng.choice(edition.mission_groups))
    kind = rng.choice(("majority", "all", "each", "majorities", "patricians", "text"))
    match kind:
        case "majority" | "all":
            return t.Mission(kind, rng.choice([*edition.groups]))
        case "majorities":
            return t.Mission(kind, count=rng.randint(1, len(edition.groups)))
        case "patricians":
            return t.Mission(kind, count=rng.choice((1, 2, rng.randint(3, sum(edition.groups.values())))))
        case "text":
            return t.Mission(kind, text="as few as can be")
        case _:
            return t.Mission(kind)


def finished(edition: Edition, view: str, rng: random.Random) -> str:
    """The end of a game as ``view`` has it: the points were told, and of missions he knows his own, if any.

    Patricians are divided unevenly, so that a side may have hardly any, and nobody may have won some.
    """
    luck = rng.choice((0.02, 0.5, 0.98))
    won = ["", "", ""]
    for group, size in edition.groups.items():
        for _ in range(size):
            won[2 if rng.random() < 0.1 else rng.random() < luck] += GROUP_LETTERS[group]
    missions = [any_mission(edition, rng) for _ in (0, 1)]
    deck = "".join(str(value) * edition.influence_copies for value in range(1, 6)) + "p" * edition.philosophers
    head = [f'[Rules "{edition.name}"]', '[Setup "position"]', ""]
    lines = [f"0{'RE'[side]} g({won[side]}) h(xs) d({deck})" for side in (0, 1)]
    whole = [f"{line} {token_text(t.Missions((mission,)))}" for line, mission in zip(lines, missions, strict=True)]
    verdicts = tuple((side, (rng.random() < 0.5,)) for side in (0, 1) if missions[side].kind == "text")
    record = parse("\n".join([*head, *whole]))[0].record
    state = run_record(record, read_headers(record)).state
    assert state is not None
    told = replace(record, result=Result(score(state, verdicts).points, None, verdicts))
    return write(tironian.view(read(told), view).record)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_witness_explains_the_points(name: str, view: str):
    """Whatever the missions were that made them: also those that hardly any game has."""
    edition, rng = load_edition(name), random.Random(f"points {name} {view}")
    for _ in range(scaled(40, 2000)):
        log = parse(finished(edition, view, rng))[0]
        assert check(log).verdict in (LEGAL, POSSIBLE), write(log.record)
        found = witness_of(log.record)
        assert found is not None
        whole = check(read(found))
        assert whole.verdict == LEGAL, (write(log.record), write(found), whole.diagnostics)
