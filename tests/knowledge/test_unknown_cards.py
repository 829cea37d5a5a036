"""What is left out of a record, in small: each case is one that was once judged wrongly, or broke the check."""

from __future__ import annotations

import pytest
import tironian
from tironian import Game, check, load_edition, parse, simulate, write
from tironian.replay.diagnostics.registry import ILLEGAL, LEGAL, POSSIBLE
from tironian.replay.knowledge.witness import witness_of


def log(rules: str, lines: str, *headers: str) -> Game:
    """What somebody wrote down at the table of a game that was broken off."""
    named = [("Rules", rules), ("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?")]
    named += [("Caesar", "?"), ("Cleopatra", "?"), ("Result", "*"), ("View", "table"), ("Termination", "abandoned")]
    head = "\n".join([*(f'[{name} "{value}"]' for name, value in named), *headers])
    (game,) = parse(f"{head}\n\n{lines.strip()}\n*\n")
    assert not game.problems
    return game


POSITION = '[Setup "position"]'
OPENING = """
0R (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
0E (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
"""


def test_an_alternative_that_leaves_out_the_cards_of_a_vote():
    game = log("2024", f"{OPENING}1E (i)A 5Q +ii\n1R (i)A 2P =o +ii\n   | 1R (i)A 2P =A +ii")
    assert check(game).verdict in (LEGAL, POSSIBLE)


# --------------------------------------------------------------------------------------------------- too little

CLASHES = {
    "an ordered pile": (
        "1997",
        """
0R h(i)
0E h(1ii) a(xw) d(xxxssvvccyy)
4E -1 +a
4R -
5E wS
""",
    ),
    "the first action card, which is the veto": (
        "2024",
        """
0R (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
0E (i)P (i)Q (i)A (i)K (i)C m(?,?) +a
1E wA
""",
    ),
    "a hand that a spy saw, of which only a part was written down": (
        "1997",
        """
0R h(ii) d(555555)
0E h(y1)
4E y[5i]i+i (1)S +iiiii =r
4R (i)S +5
""",
    ),
    "a scouted column, of which only a part was written down": (
        "1997",
        """
0R (i)A (i)A h(ci) d(555555)
0E h(s1)
4E sA(5i) (1)S +iiiii =r
4R cA(ii)Q() (i)S +5
""",
    ),
    "a vote of which only a part was written down": (
        "1997",
        """
0R (i)S (i)S h(i) d(555555)
0E h(1)
4E (1)Q +iiiii =S5i:>R
4R (i)S +5
""",
    ),
    "a vote that was left out, and a scout behind it": (
        "1997",
        """
0R (i)S (3)P h(i)
0E (1)S h(1s)
4E (1)Q +iiii =S>R
4R -
5E sP(2)
""",
    ),
}


@pytest.mark.parametrize("case", CLASHES)
def test_no_cards_explain_it(case: str):
    rules, lines = CLASHES[case]
    verdict = check(log(rules, lines, *([POSITION] if "h(" in lines else [])))
    assert verdict.verdict == ILLEGAL
    assert verdict.diagnostics[-1].code == "C913", verdict.diagnostics


# ----------------------------------------------------------------------------------------- enough, and told in full

HONEST = {
    "a victim that nobody named among known cards, and a castling of the others": (
        "2024",
        """
0E (5)A (3)A h(ci)
0R h(x1)
4E (i)P =r +iiiii
4R x(i)A (1)P =r +iiiiii
5E cA(i)Q()
""",
        "5E cA(",
    ),
    "a vote on a card that the writer missed, as one lies hidden elsewhere too": (
        "1997",
        """
0E h(1)
0R 5S (i)A h(i)
4E (1)C +iiiii =Si:>R
4R
""",
        "=S5:>R",
    ),
    "a card that a spy took, and a turn of which nothing was written": (
        "1997",
        """
0E h(y1)
0R h(ii)
4E yi+i (1)S +iiiii =r
4R
""",
        "4E y",
    ),
    "a hand that is named before the cards on the table": (
        "2024",
        "0R h(i)\n0E d(555555) h(5) (i)K",
        "0E d(555555) h(5) (",
    ),
}


@pytest.mark.parametrize("case", HONEST)
def test_a_witness_names_every_card(case: str):
    rules, lines, part = HONEST[case]
    game = log(rules, lines, POSITION)
    assert check(game).verdict in (LEGAL, POSSIBLE), check(game).diagnostics
    found = witness_of(game.record)
    assert found is not None
    (whole,) = parse(write(found))
    assert check(whole).verdict == LEGAL, write(found)
    assert part in write(found)
    assert "i" not in "".join(write(found).split("\n\n")[1:])


def test_the_missions_of_a_witness_leave_each_other_room():
    """Egypt has one mission left that brings her points; Rome's choice, which is free, must not take it away."""
    (game,) = parse(write(simulate(load_edition("2024"), 25_776)))
    (seen,) = parse(write(tironian.view(game, "table").record))
    found = witness_of(seen.record)
    assert found is not None
    (whole,) = parse(write(found))
    assert check(whole).verdict == LEGAL, check(whole).diagnostics
