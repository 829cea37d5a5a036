"""A line that was written twice, or taken back, changes no verdict, whoever wrote the record."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
import tironian
from scale import scaled
from tironian import EDITION_NAMES, VIEWS, Record, Ruling, Turn, check, load_edition, parse, simulate, write

GAMES = scaled(1, 200)


def written_by(view: str, name: str, seed: int) -> Record:
    whole = parse(write(simulate(load_edition(name), seed + 900)))[0]
    return whole.record if view == "arbiter" else tironian.view(whole, view).record


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_line_that_is_written_twice_is_one(name: str, view: str):
    for seed in range(GAMES):
        rng = Random(f"{name} {view} {seed}")
        record = written_by(view, name, seed)
        turns = [turn for turn in record.turns for _ in range(1 + (rng.random() < (0.6 if not turn.number else 0.05)))]
        again = check(parse(write(replace(record, turns=tuple(turns))))[0])
        once = check(parse(write(record))[0])
        found = Counter(each.code for each in again.diagnostics) - Counter(each.code for each in once.diagnostics)
        assert (again.verdict, again.summary) == (once.verdict, once.summary), (seed, found)
        assert found == Counter(["R608"] * (len(turns) - len(record.turns))), seed


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_a_line_that_was_taken_back_does_not_count(name: str, view: str):
    for seed in range(GAMES):
        rng, record = Random(f"back {name} {view} {seed}"), written_by(view, name, seed)
        turns: list[Turn] = []
        for turn in record.turns:
            if rng.random() < (0.6 if not turn.number else 0.05):
                cut = turn.tokens[rng.randrange(len(turn.tokens) + 1) :]
                turns.append(replace(turn, tokens=cut, notes=(), after=(Ruling(turn.side, "back", ()),)))
            turns.append(turn)
        again = check(parse(write(replace(record, turns=tuple(turns))))[0])
        once = check(parse(write(record))[0])
        found = Counter(each.code for each in again.diagnostics) - Counter(each.code for each in once.diagnostics)
        assert (again.verdict, again.summary, found) == (once.verdict, once.summary, Counter()), seed
