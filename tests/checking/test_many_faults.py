"""So many faults of one game are told; what has more is no record, and nobody would read on."""

from __future__ import annotations

from tironian import Verdict, check, parse
from tironian.replay.diagnostics.registry import ILLEGAL, LEGAL
from tironian.replay.engine.findings import MAX_FAULTS

HEAD = """[Rules "2024"]
[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[Caesar "?"]
[Cleopatra "?"]
[Result "*"]

0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
"""


def judged(turns: str) -> Verdict:
    (game,) = parse(HEAD + turns)
    return check(game)


def test_the_faults_of_one_turn_are_told_up_to_a_number():
    verdict = judged(f"1E{' =A' * 1000}\n1R (3)A (4)Q =o +3\n")
    assert verdict.verdict == ILLEGAL
    assert len(verdict.diagnostics) == MAX_FAULTS
    assert "what comes after this one was not judged" in verdict.diagnostics[-1].help
    assert not any("not judged" in each.help for each in verdict.diagnostics[:-1])
    assert verdict.stopped == "1E"


def test_so_are_words_that_the_rules_do_not_have():
    verdict = judged(f"1E{' =S' * 1000}\n".replace("2024", "taylor"))
    assert len(verdict.diagnostics) <= MAX_FAULTS


def test_faults_of_alternatives_are_told_up_to_a_number_and_hide_nothing_of_the_game():
    played = "1E (1)A 3Q +32\n" + "| 1E (3)A (4)Q =A =A\n" * 1000
    verdict = judged(played)
    assert sum(each.severity == "warning" for each in verdict.diagnostics) == MAX_FAULTS
    assert sum("no alternative after this one was judged" in each.help for each in verdict.diagnostics) == 1
    assert (verdict.verdict, verdict.stopped) == (LEGAL, None)
    assert judged(played + "1R =S\n").verdict == ILLEGAL
