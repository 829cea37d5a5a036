"""Who leaves out something that he saw is not accused of anything, and a complete game still explains his record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
import tironian
from scale import scaled
from test_knowledge import VIEWS, broken_off, read
from tironian import EDITION_NAMES, Record, check, load_edition, simulate, write
from tironian import tokens as t
from tironian.notation.cards import SOME_ACTION, SOME_INFLUENCE
from tironian.replay.diagnostics.registry import LEGAL, POSSIBLE
from tironian.replay.hidden_cards.witness import witness_of

CHUNKS = 4
GAMES = scaled(4, 200)
SEEN = 0.85
"""How many of the votes and scouts are written down whole."""


def without(record: Record, change: Callable[[t.Token], t.Token]) -> Record:
    turns = (replace(turn, tokens=tuple(map(change, turn.tokens))) for turn in record.turns)
    return replace(record, turns=tuple(turns))


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", EDITION_NAMES)
def test_votes_and_scouts_may_be_left_out(name: str, chunk: int):
    edition = load_edition(name)
    met: Counter[str | None] = Counter()
    for number in range(GAMES):
        rng = Random(f"{name} {chunk} {number}")
        log = tironian.view(read(simulate(edition, rng.randrange(10_000))), rng.choice(VIEWS)).record

        def forgotten(token: t.Token, rng: Random = rng) -> t.Token:
            if isinstance(token, t.Vote | t.SpecialVote) and rng.random() > SEEN:
                winner = token.winner if rng.random() < 0.8 else None
                return replace(token, rome=None, egypt=None, winner=winner)
            if isinstance(token, t.Scout) and rng.random() > SEEN:
                return replace(token, seen=None)
            return token

        part = broken_off(without(log, forgotten), rng.randrange(3, len(log.turns)))
        verdict = check(read(part))
        assert verdict.verdict in (LEGAL, POSSIBLE), (verdict.diagnostics, write(part))
        met[verdict.stopped] += 1
    assert GAMES < 100 or len(met) > 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", [name for name in EDITION_NAMES if load_edition(name).ordered_actions])
def test_cards_of_an_ordered_pile_need_no_name(name: str, chunk: int):
    edition = load_edition(name)
    ordered = 0
    for number in range(GAMES):
        rng = Random(f"{name} {chunk} {number}")
        log = tironian.view(read(simulate(edition, rng.randrange(10_000))), rng.choice(VIEWS[:2])).record
        ordered += any(isinstance(token, t.ActionOrder) for turn in log.turns[:2] for token in turn.tokens)

        def nameless(token: t.Token, rng: Random = rng) -> t.Token:
            if not isinstance(token, t.Draw):
                return token
            return t.Draw(
                tuple(SOME_ACTION if 5 < card < SOME_INFLUENCE and rng.random() < 0.6 else card for card in token.cards)
            )

        game = read(without(log, nameless))
        assert check(game).verdict in (LEGAL, POSSIBLE), write(game.record)
        found = witness_of(game.record)
        assert found is not None
        assert check(read(found)).verdict == LEGAL, write(found)
    assert ordered or GAMES < 100
