"""Whatever is left out of an honest log, it is accused of nothing, and the work on it is bounded."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import tironian
from left_out_views import VIEWS as SEATS
from left_out_views import judge, log, read, rewritten
from scale import FULL, scaled
from tironian import EDITION_NAMES, check, load_edition, parse, simulate, write
from tironian import tokens as t
from tironian.notation.cards import SOME_ACTION, SOME_INFLUENCE
from tironian.replay.diagnostics.registry import LEGAL, POSSIBLE
from tironian.replay.engine.headers import read_headers
from tironian.replay.knowledge import explanation
from tironian.replay.knowledge.verdict import POSSIBLE as WEIGHED_POSSIBLE
from tironian.replay.knowledge.verdict import judge_cards
from tironian.replay.knowledge.witness import witness_of

CHUNKS = 4
VIEWS = scaled(12, 5_000)
SLOW = Path(__file__).with_name("votes_left_out.tiro")
"""A log of which thousands of ways have to be looked at."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_an_honest_log_with_words_left_out_is_never_illegal(chunk: int):
    for number in range(chunk * VIEWS, chunk * VIEWS + VIEWS):
        seen = judge(number)
        assert seen.verdict in (LEGAL, POSSIBLE), seen.name


def test_all_of_the_work_is_counted(monkeypatch: pytest.MonkeyPatch):
    taken: dict[str, int] = {"branches": 0}
    branch = explanation._Search._branch  # pyright: ignore[reportPrivateUsage]

    def counted(self: object, *args: object) -> bool:
        taken["branches"] += 1
        return branch(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(explanation._Search, "_branch", counted)  # pyright: ignore[reportPrivateUsage]
    (game,) = parse(SLOW.read_text(encoding="utf-8"))
    assert check(game).verdict == POSSIBLE
    assert 0 < taken["branches"] < 2 * explanation.STEPS


@pytest.mark.parametrize("steps", [0, 1, 300, 3_000])
def test_where_the_budget_is_spent_a_log_gets_the_benefit_of_the_doubt(steps: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(explanation, "STEPS", steps)
    for number in range(8):
        name, record = log(number, 0, wrong=False)
        assert check(read(record)).verdict in (LEGAL, POSSIBLE), name


def test_a_smaller_budget_accuses_nobody_more(monkeypatch: pytest.MonkeyPatch):
    logs = [read(log(number, 0, wrong=True)[1]) for number in range(20)]
    frames = [read_headers(game.record) for game in logs]
    found = [judge_cards(game.record, frame).kind for game, frame in zip(logs, frames, strict=True)]
    monkeypatch.setattr(explanation, "STEPS", 400)
    fewer = [judge_cards(game.record, frame).kind for game, frame in zip(logs, frames, strict=True)]
    for whole, hurried in zip(found, fewer, strict=True):
        assert hurried in (whole, WEIGHED_POSSIBLE)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", [name for name in EDITION_NAMES if load_edition(name).ordered_actions])
def test_cards_of_an_ordered_pile_need_no_name(name: str, chunk: int):
    edition = load_edition(name)
    ordered = 0
    for number in range(scaled(4, 200)):
        rng = Random(f"{name} {chunk} {number}")
        log = tironian.view(read(simulate(edition, rng.randrange(10_000))), rng.choice(SEATS[:2])).record
        ordered += any(isinstance(token, t.ActionOrder) for turn in log.turns[:2] for token in turn.tokens)

        def nameless(token: t.Token, rng: Random = rng) -> t.Token:
            if not isinstance(token, t.Draw):
                return token
            known = range(6, SOME_INFLUENCE)
            return t.Draw(tuple(SOME_ACTION if card in known and rng.random() < 0.6 else card for card in token.cards))

        game = read(rewritten(log, nameless))
        assert check(game).verdict in (LEGAL, POSSIBLE), write(game.record)
        found = witness_of(game.record)
        assert found is not None
        assert check(read(found)).verdict == LEGAL, write(found)
    assert ordered or not FULL
