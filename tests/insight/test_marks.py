"""Which token of a turn bears the mark, by games in which another one seemed to be at fault."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tironian import Judged, analyse, parse, violations
from tironian.replay.rules.core import MOVE, make_move
from tironian.replay.rules.game.legal import as_move
from tironian.tools.insight.account import Account, OwnChoice
from tironian.tools.insight.analysis import account_of, logs_of
from tironian.tools.insight.analysis_text import decision
from tironian.tools.insight.judgement import HORIZON, Judge, is_hiding, is_placing
from tironian.tools.insight.offered_moves import move_token

GAMES = Path(__file__).parent / "games"


@cache
def judged(name: str, side: int, turn: str) -> dict[str, Judged]:
    """Return the decisions of a side in a turn by what was played."""
    (game,) = parse((GAMES / f"{name}.tiro").read_text(encoding="utf-8"))
    report = analyse(game, side).sides[side]
    assert report is not None
    return {each.played: each for each in report.decisions if game.record.turns[each.turn].label == turn}


def asked(name: str, side: int, turn: str, at: int) -> tuple[Account, OwnChoice]:
    """Return what there is to ask about a side, and the move that was its token ``at`` in a turn."""
    (game,) = parse((GAMES / f"{name}.tiro").read_text(encoding="utf-8"))
    account = account_of(logs_of(game)[1][side] or game.record, side, 0)
    assert account is not None
    place = [turn.label for turn in game.record.turns].index(turn)
    (choice,) = [each for each in account.choices if (each.turn, each.at, each.kind) == (place, at, MOVE)]
    return account, choice


@pytest.mark.parametrize(
    ("name", "turn", "blameless", "at_fault", "better"),
    [
        ("the-wrath-came-one-card-too-early", "4R", ["(3)C"], "wK", "2A"),
        ("the-wrath-was-vetoed", "4R", ["3P"], "wA", "(4)Q"),
        ("both-cards-came-first", "10R", ["(5)P", "2A"], "sQ", "x5K"),
    ],
)
def test_the_token_that_spoilt_the_turn_bears_the_mark(
    name: str, turn: str, blameless: list[str], at_fault: str, better: str
):
    """As good a turn began with each of the cards; what came after them spoilt it."""
    there = judged(name, 0, turn)
    assert not any(there[played].is_mistake for played in blameless)
    assert there[at_fault].is_mistake
    assert there[at_fault].best == better


@pytest.mark.parametrize("name", ["the-wrath-came-one-card-too-early", "the-wrath-was-vetoed"])
def test_an_action_that_ended_placing_is_told_as_such(name: str):
    (at_fault,) = [each for each in judged(name, 0, "4R").values() if each.is_mistake]
    assert at_fault.reasons[0].kind == "closed"


@pytest.mark.parametrize("name", sorted(path.stem for path in GAMES.glob("*.tiro")))
def test_cards_that_are_tried_out_one_after_the_other_may_lie_there(name: str):
    """The law is asked, which the lines are not made by."""
    (game,) = parse((GAMES / f"{name}.tiro").read_text(encoding="utf-8"))
    tried = 0
    for side, log in enumerate(logs_of(game)[1]):
        account = account_of(log or game.record, side, 0)
        assert account is not None
        for choice in account.choices:
            own = Judge(account, 0).rest(choice)
            for line in Judge(account, 0).lines(choice):
                state = choice.belief.state.copy()
                for move in (account.batch.move(line.option), *line.rest):
                    if choice.kind != MOVE or not is_placing(move) or tuple(own) == line.rest:
                        break
                    token = as_move(*move).token
                    assert not violations(state, token)
                    make_move(state, *move)
                    tried += 1
    assert tried > 100


def test_a_card_that_decides_the_next_vote_is_no_matter_of_deception():
    """With a philosopher face down, a vote that could come next is nearly always won; with a 1 never."""
    account, choice = asked("a-philosopher-was-not-laid", 1, "15E", 1)
    there = Judge(account, 0).look(choice, 256, HORIZON)
    assert (there.played, there.best) == ("(1)A", "(p)A")
    assert is_hiding(*(move_token(*account.batch.move(option)) for option in (choice.played, best_of(account, choice))))
    assert there.is_mistake
    assert not there.hiding
    assert any(reason.kind in ("vote", "calls") for reason in there.reasons)


def best_of(account: Account, choice: OwnChoice) -> int:
    """Return the option that lays the philosopher at the same group."""
    moves = account.batch.moves_from(choice.first, choice.end)
    played = account.batch.move(choice.played)[0]
    return choice.first + next(at for at, (code, _) in enumerate(moves) if code == played & ~0xF0)


def test_moves_are_compared_and_the_best_comes_first():
    there = judged("the-wrath-came-one-card-too-early", 0, "4R")["wK"]
    wins = [each.win for each in there.moves]
    assert wins == sorted(wins, reverse=True)
    assert (there.moves[0].text, there.moves[0].then) == (there.best, there.then)
    assert "wK" in {each.text for each in there.moves}
    assert wins[0] - dict(zip([each.text for each in there.moves], wins, strict=True))["wK"] > 0.05


@pytest.mark.parametrize(("kind", "said"), [("move", "W with nothing more 50 %"), ("veto", "W with no veto 50 %")])
def test_what_is_no_token_is_compared_in_words(kind: str, said: str):
    (game,) = parse((GAMES / "the-wrath-came-one-card-too-early.tiro").read_text(encoding="utf-8"))
    there = judged("the-wrath-came-one-card-too-early", 0, "4R")["wK"]
    nothing = there.moves[0]._replace(text="/", then="", win=0.5)
    lines = decision(there._replace(kind=kind, moves=(nothing,)), game.record, 0.5)
    assert said in "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "side", "turn", "played"),
    [
        ("the-game-was-won", 1, "14E", "-41p"),
        ("the-game-was-won", 1, "17E", "4A"),
        ("the-vote-was-won-after-castling", 0, "3R", "cP(1)K(55)"),
    ],
)
def test_where_the_net_knows_least_a_mark_needs_more(name: str, side: int, turn: str, played: str):
    """Played to the end hundreds of times, these moves cost nothing."""
    assert not judged(name, side, turn)[played].mark


def test_a_real_mistake_in_a_won_game_is_still_marked():
    assert judged("the-game-was-won", 1, "10E")["-xv"].is_mistake
