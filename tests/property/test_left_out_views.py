"""Whatever is left out of an honest log, it is accused of nothing, and the work on it is bounded."""

from __future__ import annotations

from pathlib import Path

import pytest
from left_out_views import judge, log, read
from scale import scaled
from tironian import check, parse
from tironian.replay.diagnostics.registry import LEGAL, POSSIBLE
from tironian.replay.engine.headers import read_headers
from tironian.replay.hidden_cards import explanation
from tironian.replay.hidden_cards.verdict import POSSIBLE as WEIGHED_POSSIBLE
from tironian.replay.hidden_cards.verdict import weigh

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
    found = [weigh(game.record, frame).kind for game, frame in zip(logs, frames, strict=True)]
    monkeypatch.setattr(explanation, "STEPS", 400)
    fewer = [weigh(game.record, frame).kind for game, frame in zip(logs, frames, strict=True)]
    for whole, hurried in zip(found, fewer, strict=True):
        assert hurried in (whole, WEIGHED_POSSIBLE)
