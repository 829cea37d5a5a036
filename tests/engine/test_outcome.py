"""How a game came out: who won, by what, and whether the game is over, as a table of results needs it."""

from __future__ import annotations

import pytest
from tironian import EDITION_NAMES, Outcome, check, load_edition, parse, replay_game, simulate, write
from tironian.notation.cards import ROME
from tironian.replay.rules.scoring import public_points

HANDS = "0R h(12345v)\n0E h(12345v)\n8E 5P (1)A\n"


def came(result: str, termination: str = "", moves: str = HANDS, more: str = "") -> tuple[Outcome, str]:
    """The outcome of a position with this result line, and the summary of it."""
    why = f'[Termination "{termination}"]\n' if termination else ""
    (game,) = parse(f'[Rules "2024"]\n[Result "{result}"]\n[Setup "position"]\n{why}{more}\n{moves}{result}\n')
    verdict = check(game)
    return verdict.outcome, verdict.summary


@pytest.mark.parametrize("name", EDITION_NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_simulated_game_has_the_winner_of_its_points(name: str, seed: int):
    record = simulate(load_edition(name), seed)
    (game,) = parse(write(record))
    verdict = check(game)
    assert verdict.score is not None
    assert record.result is not None
    expected = (verdict.score.winner, verdict.score.points) if record.result.points else (None, None)
    assert (verdict.outcome.winner, verdict.outcome.points) == expected


def test_a_stream_of_decided_games_is_cut_where_they_end():
    game = f'[Rules "2024"]\n[Result "*>R"]\n[Setup "position"]\n[Termination "resigned"]\n\n{HANDS}*>R\n'
    assert [check(each).outcome.winner for each in parse(game * 3)] == [ROME] * 3


@pytest.mark.parametrize(
    ("penalty", "points"),
    [("", (4, 1)), ("   % R penalty 9\n", (0, 1)), ("   % R penalty 3\n", (1, 1)), ("   % E penalty 3\n", (4, 0))],
)
def test_points_on_the_way_are_less_what_rulings_took_away(penalty: str, points: tuple[int, int]):
    moves = f"0R h(12345v) g(PPP)\n0E h(12345v) g(Q)\n8E 5P 4A\n{penalty}"
    (game,) = parse(f'[Rules "2024"]\n[Result "*"]\n[Setup "position"]\n\n{moves}*\n')
    assert public_points(replay_game(game).steps[-1].state) == points
