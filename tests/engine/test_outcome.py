"""How a game came out: who won, by what, and whether the game is over, as a table of results needs it."""

from __future__ import annotations

import pytest
from tironian import EDITION_NAMES, Outcome, check, load_edition, parse, replay_game, simulate, timeline, write
from tironian.notation.cards import EGYPT, ROME
from tironian.replay.diagnostics.fact_words import ENDINGS
from tironian.replay.rules.scoring import DRAWN, so_far

HANDS = "0R h(12345v)\n0E h(12345v)\n8E 5P (1)A\n"
SPENT = "d(1111111222222233333334444444555555pp) h(5xxsy)"
OVER = """0R d(11111112222222333333344444445555555pp) h(xxxsss) g(PPPPPKKKQQ)
0E d(11111112222222333333344444445555555pp) h(xxxsss) g(QQQAACC)
7E =o
"""


def came(result: str, termination: str = "", moves: str = HANDS, more: str = "") -> tuple[Outcome, str]:
    """The outcome of a position with this result line, and the summary of it."""
    why = f'[Termination "{termination}"]\n' if termination else ""
    (game,) = parse(f'[Rules "2024"]\n[Result "{result}"]\n[Setup "position"]\n{why}{more}\n{moves}{result}\n')
    verdict = check(game)
    return verdict.outcome, verdict.summary


@pytest.mark.parametrize(
    ("result", "termination", "winner", "summary"),
    [
        ("*>R", "resigned", ROME, "Rome wins, since Egypt resigned; points: Rome 0, Egypt 0"),
        ("*>E", "time forfeit", EGYPT, "Egypt wins on time; points: Rome 0, Egypt 0"),
        ("9-0>E", "rules infraction", EGYPT, "Egypt wins, since Rome broke the rules; points: Rome 0, Egypt 0"),
        ("7-9", "adjudicated", EGYPT, "Egypt wins by adjudication; points: Rome 0, Egypt 0"),
        ("*>-", "agreed", DRAWN, "a draw, agreed; points: Rome 0, Egypt 0"),
        ("3-3>-", "adjudicated", DRAWN, "a draw, adjudicated; points: Rome 0, Egypt 0"),
        ("*>R", "abandoned", ROME, "Rome wins, the game was abandoned; points: Rome 0, Egypt 0"),
    ],
)
def test_a_decision_has_a_winner(result: str, termination: str, winner: int, summary: str):
    outcome, told = came(result, termination)
    assert (outcome.winner, outcome.by, outcome.finished) == (winner, termination, True)
    assert (outcome.ending, outcome.termination) == (None, termination)
    assert told == summary


@pytest.mark.parametrize(
    ("result", "termination", "finished"),
    [
        ("*", "", False),
        ("*", "unterminated", False),
        ("4-2", "unterminated", False),
        ("4-2", "abandoned", False),
        ("*", "resigned", True),
        ("3-3", "agreed", True),
    ],
)
def test_nobody_is_called_the_winner_without_a_word_of_it(result: str, termination: str, finished: bool):
    outcome, told = came(result, termination)
    reason = f"{termination}, " if termination not in ("", "unterminated") else ""
    assert (outcome.winner, outcome.by, outcome.finished) == (None, None, finished)
    assert told == f"Rome 0, Egypt 0: {reason}{'no winner recorded' if finished else 'unfinished'}"


def test_a_winner_without_a_reason_is_the_word_of_the_record():
    outcome, told = came("*>E")
    assert (outcome.winner, outcome.by, outcome.finished) == (EGYPT, "statement", True)
    assert told == "Egypt wins; points: Rome 0, Egypt 0"


@pytest.mark.parametrize("result", ["14-9", "*", "*>E", "9-14"])
def test_a_game_over_by_the_rules_has_their_winner(result: str):
    outcome, _ = came(result, moves=OVER)
    assert outcome == Outcome(ROME, "points", (14, 9), "exhausted", "normal", True)


def test_a_decision_counts_also_where_the_game_was_over():
    outcome, _ = came("*>E", "resigned", moves=OVER)
    assert (outcome.winner, outcome.by, outcome.ending) == (EGYPT, "resigned", "exhausted")


def test_unknown_missions_leave_it_to_points_that_are_possible():
    moves = OVER.replace("0R", "0R m(?)")
    view = '[View "cleopatra"]\n'
    assert came("*", moves=moves, more=view)[0].winner is None
    assert came("16-9", moves=moves, more=view)[0] == Outcome(ROME, "points", (16, 9), "exhausted", "normal", True)
    assert came("12-99", moves=moves, more=view)[0].winner is None


def test_it_is_known_without_a_replay_too():
    (unknown,) = parse('[Rules "9999"]\n[Termination "resigned"]\n\n1E 5P\n*>R\n')
    assert check(unknown).outcome == Outcome(ROME, "resigned", None, None, "resigned", True)


def test_a_result_counts_as_an_end_where_the_cards_could_not_be_followed():
    for text, finished in (("17-13", True), ("*", False)):
        (unknown,) = parse(f'[Rules "9999"]\n\n1E 5P\n{text}\n')
        assert (check(unknown).outcome.winner, check(unknown).outcome.finished) == (None, finished)


def test_a_reason_that_there_is_not_decides_nothing():
    assert came("9-14", "normally", moves=OVER)[0] == Outcome(ROME, "points", (14, 9), "exhausted", "normally", True)
    outcome, told = came("*>R", "eaten")
    assert (outcome.winner, outcome.by, told) == (ROME, "statement", "Rome wins; points: Rome 0, Egypt 0")


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
    ("edition", "moves", "ending"),
    [
        (
            '2024"]\n[Rulings "full_check=at_placement',
            "0R 1P 2P 3P 4P 5P h(1) g(QQQAAAKKK)\n0E g(QQAACCC)\n7E =o\n",
            "full",
        ),
        ("fr", f"0R 1P 2P 3P 4P 5P h(1) g(SSSQQQCCC)\n0E {SPENT} g(SSQQAAA)\n7E (5)P +x =o\n", "final_turn"),
    ],
)
@pytest.mark.parametrize("view", ["arbiter", "table"])
def test_a_timeline_knows_of_an_end_that_only_the_points_tell(edition: str, moves: str, ending: str, view: str):
    (game,) = parse(f'[Rules "{edition}"]\n[Result "13-9"]\n[Setup "position"]\n\n{moves}13-9\n')
    assert check(game).outcome.ending == ending
    told = timeline(game, view)
    assert (told.ended, told.summary) == (ENDINGS[ending], "Rome 13, Egypt 9: Rome wins")


@pytest.mark.parametrize(("header", "line"), [("14-9", "14-9>R"), ("14-9>R", "14-9"), ("14-9>R", "14-9>R")])
def test_a_right_winner_may_stand_in_the_header_and_on_the_last_line(header: str, line: str):
    (game,) = parse(f'[Rules "2024"]\n[Result "{header}"]\n[Setup "position"]\n\n{OVER}{line}\n')
    assert [each.code for each in check(game).diagnostics if each.severity == "error"] == []


def test_two_winners_are_a_contradiction():
    (game,) = parse(f'[Rules "2024"]\n[Result "14-9>E"]\n[Setup "position"]\n\n{OVER}14-9>R\n')
    assert [each.code for each in check(game).diagnostics if each.severity == "error"] == ["H207"]


@pytest.mark.parametrize(
    ("penalty", "points"),
    [("", (4, 1)), ("   % R penalty 9\n", (0, 1)), ("   % R penalty 3\n", (1, 1)), ("   % E penalty 3\n", (4, 0))],
)
def test_points_on_the_way_are_less_what_rulings_took_away(penalty: str, points: tuple[int, int]):
    moves = f"0R h(12345v) g(PPP)\n0E h(12345v) g(Q)\n8E 5P 4A\n{penalty}"
    (game,) = parse(f'[Rules "2024"]\n[Result "*"]\n[Setup "position"]\n\n{moves}*\n')
    assert so_far(replay_game(game).steps[-1].state) == points
