"""How far the other side is trusted to hide cards well: by what it gives away in the open, and by nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tironian import Record, load_edition, replay_game, view
from tironian.replay.insight.net import evaluator
from tironian.replay.insight.players import games, player
from tironian.replay.insight.worlds import MOST_TRUST, trusts

EDITION = load_edition("2024")
VALUE = evaluator(EDITION)


def played_at(level: int, count: int) -> list[Record]:
    picks = player(level, VALUE, 1), player(level, VALUE, 2)
    return [record for record, _ in games(EDITION, range(70, 70 + count), VALUE.net, picks)]


def trusted(record: Record, side: int) -> list[float]:
    """How far a player trusts the other side, turn by turn of his own log."""
    log = view(record, ("caesar", "cleopatra")[side]).record
    return trusts(log, replay_game(log), side, VALUE)


def test_a_strong_player_is_trusted_more_than_a_weak_one():
    strong, weak = (
        [each for record in played_at(level, 2) for side in (0, 1) for each in trusted(record, side)[12:]]
        for level in (4, 1)
    )
    assert all(-1e-9 <= each <= MOST_TRUST + 1e-9 for each in strong + weak)
    assert sum(strong) / len(strong) > sum(weak) / len(weak) + 0.5


@pytest.mark.parametrize("turns", [8, 15])
def test_nothing_that_comes_later_changes_it(turns: int):
    (record,) = played_at(1, 1)
    begun = replace(record, turns=tuple(record.turns)[:turns], result=None)
    # The sums of a batch of another size may be rounded in another way.
    assert trusted(begun, 0) == pytest.approx(trusted(record, 0)[:turns], abs=1e-3)
