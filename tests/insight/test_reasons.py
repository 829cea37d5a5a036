"""Every sentence that a report gives as a reason, with a position of which it is true, and some where it is not."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tironian import LuckLedger, parse, replay_game
from tironian.notation.cards import GROUPS
from tironian.replay.diagnostics.names import group_name
from tironian.replay.words.reasons import reason_words
from tironian.tools.insight.analysis import account_of, logs_of
from tironian.tools.insight.analysis_text import balance, deed
from tironian.tools.insight.judgement import HORIZON, Judge, Plan, Trial, reasons
from tironian.tools.insight.offered_moves import move_token, text_of

WORLDS = 20


def record(rome: str, egypt: str, turn: str = "", rules: str = "2024") -> str:
    return f'[Rules "{rules}"]\n[Setup "position"]\n[Starts "Caesar"]\n\n0R {rome}\n0E {egypt}\n{turn}\n*\n'


def trial_of(text: str, side: int, played: str, best: str) -> Trial:
    """A move that was played in a record beside a better one, in some worlds that are dealt at random."""
    (game,) = parse(text)
    log = logs_of(game)[1][side]
    assert log is not None
    account = account_of(log, side, 0)
    assert account is not None
    told = lambda option: text_of(move_token(*account.batch.move(option)))  # noqa: E731
    choice = next(each for each in account.choices if told(each.played) == played)
    other = next(option for option in range(choice.first, choice.end) if told(option) == best)
    trial = Trial(Judge(account, 0), choice, HORIZON, [Plan(choice.played), Plan(other)])
    trial.worlds = [choice.belief.deal(Random(number), 1)[0] for number in range(WORLDS)]
    trial.reached, trial.states = np.zeros((2, WORLDS)), [trial.worlds, trial.worlds]
    return trial


def told(trial: Trial) -> list[str]:
    return [*map(reason_words, reasons(trial, 1, 0))]


TABLE = "3A 4A 1A g(PPQ) h(2345ps) m(each) b(Por)", "5A 4A 2A 1A g(PKCC) h(1134sv) m(12)"
OLD = "3A 4A 1A g(PPQ) h(2345s) m(A) b(Po)", "5A 4A 2A 1A g(PSCC) h(1134s) m(P)"
EIGHTH = "it was the eighth card at the Aediles, which calls a special vote there"
EVERY, AEDILES = "“a patrician of every group”", "“the majority of the Aediles”"
CHOICE = "3C h(1234ps) m(A,each) b(C) g(CCPQ)", "2C h(1134sv) m(12,K) g(AAA)", "9R 4C (3)P =C43:2>R mR1 mE1"


OPEN_CHOICE = CHOICE[0].replace("PQ)", "PQ)"), CHOICE[1].replace("AAA", "A"), CHOICE[2]


@pytest.mark.parametrize(
    ("text", "played", "best", "said"),
    [
        (record(*TABLE, "9R 5A"), "5A", "5Q", [EIGHTH]),
        (record(*TABLE, "9R 5A"), "5A", "(2)A", []),  # which is the eighth as well
        (record(TABLE[0].replace("1A ", ""), TABLE[1], "9R 5A"), "5A", "5Q", []),
        (record(TABLE[0], f"1A {TABLE[1]}", "9R 5A"), "5A", "5Q", []),
        (record(*TABLE, "9R 5Q sA"), "sA", "(2)K", ["after the action no second card could be placed"]),
        (record(*TABLE, "9R 5Q (3)P sA"), "(3)P", "sA", []),
        (record(*OLD, "9R 5Q sA 2Q", "fr"), "sA", "2Q", []),
        (record(*CHOICE), "mR1", "mR2", [f"{EVERY} needs two more groups; {AEDILES} can no longer be fulfilled"]),
        (record(*OPEN_CHOICE), "mR1", "mR2", [f"{EVERY} needs two more groups; {AEDILES} needs three more patricians"]),
    ],
)
def test_what_is_plain_to_see(text: str, played: str, best: str, said: list[str]):
    assert told(trial_of(text, 0, played, best)) == said


VOTES = "3A 5Q h(1245cs) m(each) b(Aor)", "4A h(1134s) d(v) m(12)"
UNSEEN = "3A 5Q h(1245cs) m(each) b(Aor)", "(4)A h(1134s) d(v) m(12)"
SUMS = "1A h(1245cs) m(each) b(Aor)", "3A pA h(1134s) d(v) m(12)"
CASTLED = "5Q 5Q h(1245cs) m(each) b(Aor)", "4A 1Q h(1134s) d(v) m(12)"
VETOED = "5Q 5A h(1245cw) m(each) b(Aor)", "4A 3A h(1134sv) m(12)"
WON = "right after the better move a vote at the Aediles would be won"


@pytest.mark.parametrize(
    ("text", "side", "played", "best", "said"),
    [
        (record(*VOTES, "9R 1K"), 0, "1K", "5A", [f"{WON} 100 % of the time, not 0 %"]),
        (record(*UNSEEN, "9R 1K"), 0, "1K", "2A", [f"{WON} 80 % of the time, not 45 %"]),
        (record(VOTES[0].replace("Aor", "or"), VOTES[1], "9R 1K"), 0, "1K", "5A", []),
        (record(*VOTES, "9R 5A"), 0, "5A", "1K", []),
        (
            record(*SUMS, "9R 5A"), 0, "5A", "5K",
            [f"{WON} 100 % of the time, not 0 %, when a philosopher lets the lower sum win"],
        ),
        (
            record(*TABLE, "9R 5Q"), 0, "5Q", "5A",
            ["the eighth card at the Aediles calls a special vote there, which would be won 100 % of the time"],
        ),
        (record(*VETOED, "9R 1K (2)K wA"), 1, "/", "v+i", [f"{WON} 100 % of the time, not 0 %"]),
    ],
)  # fmt: skip
def test_votes_that_can_come_next(text: str, side: int, played: str, best: str, said: list[str]):
    assert told(trial_of(text, side, played, best)) == said


def test_a_castling_is_laid_out_before_a_vote_is_counted():
    """The net lays the cards out, so that the figure depends on it."""
    (said,) = told(trial_of(record(*CASTLED, "9R 1K (2)K sA"), 0, "sA", "cQA"))
    assert said.startswith(WON)
    assert said.endswith(" of the time, not 0 %")


NOW = record("3A (4)Q h(12345s) g(PPQ) m(each,P)", "5A (4)Q h(1134sv) g(PK) m(12)")
LEADS = "two turns later the player has won or would win a vote at"


def came(made: tuple[str, str], best: tuple[str, str], group: str = "A") -> Trial:
    """A trial of a 1 face up at a ``group`` beside one face down, which is as good for a vote. The former leads to a
    table that differs from NOW in ``made``; the latter does so in half of the worlds, and in the other half it leads to
    one that differs in ``best``.
    """
    trial = trial_of(NOW.replace("\n\n*", f"\n9R 1{group}\n*"), 0, f"1{group}", f"(1){group}")
    here, there = (replay_game(parse(NOW.replace(*edit))[0]).steps[0].state for edit in (made, best))
    trial.states = [[here] * WORLDS, [here, there] * (WORLDS // 2)]
    return trial


SAME = "", ""


@pytest.mark.parametrize(
    ("made", "best", "said"),
    [
        (
            SAME, ("g(PPQ)", "g(PPQA)"),
            "within two turns the player wins a vote at the Aediles 50 % of the time, not 0 %",
        ),
        (
            ("g(PK)", "g(PKA)"), SAME,
            "within two turns the other side wins a vote at the Aediles 50 % of the time, not 100 %",
        ),
        (SAME, ("5A", "1A"), f"{LEADS} the Aediles 50 % of the time, not 0 %"),
        (SAME, ("3A", "3A 4A"), f"{LEADS} the Aediles 50 % of the time, not 0 %"),
        (
            ("5A", "5A 1K"), SAME,
            "two turns later the player is without defence at the Consuls 50 % of the time, not 100 %",
        ),
        (
            SAME, ("(4)Q h(1134sv)", "h(1134sv)"),
            "two turns later the other side is without defence at the Quaestors 50 % of the time, not 0 %",
        ),
        (SAME, ("1134sv", "11334s"), "two turns later the other side holds a veto 50 % of the time, not 100 %"),
        (("1134sv", "113psv"), SAME, "two turns later the other side holds a philosopher 50 % of the time, not 100 %"),
        (SAME, ("g(PPQ)", "g(PAQCK)"), f"two turns later {EVERY} is fulfilled 50 % of the time, not 0 %"),
        (
            ("g(PK)", "g(PPPK)"), SAME,
            "two turns later “the majority of the Praetors” can still be fulfilled 50 % of the time, not 0 %",
        ),
    ],
)  # fmt: skip
def test_what_comes_of_it(made: tuple[str, str], best: tuple[str, str], said: str):
    """In half of the worlds the position differs from that which the move that was made leads to."""
    group = next((name for name in "QK" if group_name(GROUPS[name]) in said), "A")
    trial = came(made, best, group)
    assert said in told(trial)
    trial.states = [trial.states[1], trial.states[0]]
    assert not any(reason.startswith(said[: said.index("50 %")]) for reason in told(trial))


def test_a_card_that_the_player_keeps_is_no_reason():
    """It only says what they did not play."""
    assert told(came(("12345s", "12345"), SAME)) == []


def test_a_group_that_no_move_touches_is_no_reason():
    assert told(came(SAME, ("5A", "1A"), "K")) == []


def test_what_the_turn_did_later_counts_as_done():
    """After 1A the player placed another card there: with that, as much comes of the move as of the better one."""
    trial = came(SAME, ("5A", "1A"))
    assert told(trial)
    rest = (trial.judge.account.batch.move(trial.lines[1].option),)
    trial.judge.rest = lambda _: [*rest]  # pyright: ignore[reportAttributeAccessIssue]
    trial.lines.append(Plan(trial.choice.played, rest))
    trial.states.append(trial.states[1])
    assert told(trial) == []


@pytest.mark.parametrize(("theirs", "is_bare"), [("(4)Q", True), ("(4)Q pQ", False)])
def test_a_philosopher_beside_numbers_lets_the_empty_side_win(theirs: str, is_bare: bool):
    text = NOW.replace("(4)Q h(1134sv)", "h(1134sv)").replace("(4)Q h(12345s)", f"{theirs} h(12345s)")
    trial = came(SAME, SAME, "Q")
    trial.states[1] = [replay_game(parse(text)[0]).steps[0].state] * WORLDS
    assert ("without defence" in "".join(told(trial))) is is_bare


def test_a_difference_in_few_worlds_is_no_reason():
    trial = came(SAME, ("5A", "1A"))
    trial.states[1] = [trial.states[1][place < 2] for place in range(WORLDS)]
    assert told(trial) == []


def test_each_group_is_named_once():
    """The player wins there more often, and the other side less often."""
    (said,) = told(came(("g(PK)", "g(PKA)"), ("g(PPQ)", "g(PPQA)")))
    assert said.startswith("within two turns")


def test_missions_and_passes_are_named():
    trial = trial_of(record(*CHOICE), 0, "mR1", "mR2")
    there = trial.judge.at_a_glance(trial.choice)
    assert there.played_words == "keeps the mission: the majority of the Aediles"
    assert deed(there) == there.played_words
    trial = trial_of(record(*OLD, "9R -", "fr"), 0, "-", "2Q")
    assert deed(trial.judge.at_a_glance(trial.choice)) == "passes"


CANCELLED = (
    "together −63: a part can be larger, since each is summed over all turns and the parts cancel each other out"
)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ((-1.23, 0.1, 0.3, 0.0, 0.2, 0.0), CANCELLED),
        ((-0.6, -0.03, 0.0, 0.0, 0.0, 0.0), ""),
    ],
)  # fmt: skip
def test_parts_that_are_larger_than_the_whole_are_explained(parts: tuple[float, ...], said: str):
    assert balance(LuckLedger(0.63, parts, 0.0, complete=True)) == said
