"""What can't be read has a way out: the likeliest thing that was meant, tried before it is offered."""

from __future__ import annotations

import pytest
from tironian import Diagnostic, parse, write
from tironian.notation.reader import MOST_NAMED

WORDS = {
    "P(3)": "(3)P",
    "P3": "3P",
    "=0": "=o",
    "=O": "=o",
    "(3)P2A": "(3)P 2A",
    "(1)C,": "(1)C",
    "(5A": "(5)A",
    "3)A": "(3)A",
    "[3]A": "(3)A",
    "5k": "5K",
    "4a": "4A",
    "wa": "wA",
    "4s": "+4s",
    "34x": "+34x",
    "4c": "+4c or 4C",
    "5Consuls": "5K",
    "=A43-52>R": "=A43:52>R",
    "=A43:52R": "=A43:52>R",
    "m(Aediles,Q)": "m(A,Q)",
    "m(A Q)": "m(A,Q)",
    "m(a,q)": "m(A,Q)",
    "m(A, Q)": "m(A,Q)",
    "sA(5 2)": "sA(52)",
    "+ 34": "+34",
    "+3 4": "+34",
    "x 4P": "x4P",
    "=A 43:52>R": "=A43:52>R",
    "=A 43:52 > R": "=A43:52>R",
    "5P,(3)A": "5P (3)A",
}
"""Unreadable word → what was meant."""
HINTS = {
    "P": "5P face up",
    "3": "3P or (3)P",
    "bold": "{bold}",
    "(3)P5": "only a space can follow (3)P",
    "10A": "1 to 5",
    "=A43:52>": "the winner",
    "mR3": "1, 2 or ?",
    "@1": "write {@1}",
    "m(all A,12)": "with * all of it",
    "{late": "a comment ends with a brace",
    "5Q 2R (4)A": "a turn begins on a line of its own: 2R",
    "5Q he hesitated. (4)A": "{he hesitated.}",
}
LINES = {
    "2r 5A": "did you mean 2R?",
    "1. E 5A": "did you mean 1E?",
    "1 E: 5A": "did you mean 1E?",
    "E1 5A": "did you mean 1E?",
    "OR (1)P": "did you mean 0R?",
    "2 Egypt 5A": "did you mean 2E?",
    "1C 5A": "R for Rome",
    "1E5A": "a space after 1E",
    "17:13": "on a line of its own",
    "17 – 13>e": "on a line of its own",
    "17-13 Anna wins": "on a line of its own",
    "* unfinished": "semicolon",
    "Caesar: Anna": '[Caesar "Anna"]',
    "[Date 2026.05.02]": '[Date "2026.05.02"]',
    '[Event "the "Open""]': '[Event "the \\"Open\\""]',
    '[Event "Open"] x': "nothing can follow the ]",
    "% e stand": "% E stands R204",
    "| hm": "| 7E",
    "R 5A (3)C": "its number and its side",
    "4. 5A (3)C": "its number and its side",
    "Egypt wins 5-1": "on a line of its own",
    "Cleopatra takes her time.": "; Cleopatra takes her time.",
}


def problems(line: str) -> list[Diagnostic]:
    (game,) = parse(f'[Rules "2024"]\n{line}\n')
    return game.problems


@pytest.mark.parametrize(("word", "meant"), WORDS.items())
def test_a_word_is_offered_as_it_was_meant(word, meant):
    (found,) = problems(f"1E {word}")
    assert found.code == "N105"
    assert found.help == f"did you mean {meant}?"


@pytest.mark.parametrize(("word", "hint"), HINTS.items())
def test_a_word_of_which_nothing_is_known_has_a_hint(word, hint):
    (found,) = problems(f"1E {word}")
    assert hint in found.help
    assert "did you mean" not in found.help


@pytest.mark.parametrize(("line", "hint"), LINES.items())
def test_a_line_has_a_way_out(line, hint):
    found = problems(line)[0]
    assert (found.code, found.severity) in (("N104", "error"), ("N112", "warning"))
    assert hint in found.help


def test_the_likeliest_comes_first_and_not_all_is_told():
    (found,) = problems("5P Anna wins 4P")
    assert found.message.endswith(
        "expected a turn's number and side (12E), a result (17-13), […], a comment or something else"
    )


def test_a_text_that_is_no_record_is_named_line_by_line_and_kept():
    """Nobody reads advice on hundreds of problems, nor a list of thousands; working them out would take for ever."""
    lines = [f"{number}R zq! (5 {number:x}" for number in range(1, 2000)]
    (game,) = parse('[Rules "2024"]\n\n' + "\n".join(lines) + "\n")
    assert len(game.problems) == MOST_NAMED
    assert {problem.span.line for problem in game.problems} == set(range(2, 868))
    assert "kept as it is" in game.problems[-1].help
    assert write(game.record).splitlines()[-1500:] == lines[-1500:]


LONG = "3" * 5_000


@pytest.mark.parametrize(
    "line", [f"1E {LONG}", f"1E 5Q d({LONG}) +3", f"0E m(A,{'12,' * 2_000}?)", f"1E 5Q\n| 1E +{LONG}"]
)
def test_a_word_that_no_game_can_need_is_told_without_being_read(line: str):
    (game,) = parse(f'[Rules "2024"]\n\n{line}\n')
    (found,) = game.problems
    assert found.code == ("N112" if "|" in line else "N105")
    assert "can't be read: at “" in found.message
    assert LONG[:100] not in found.message


@pytest.mark.parametrize("said", ["x" * 5_000, "勝" * 300])
@pytest.mark.parametrize(
    "line", ['0E m(A,"{}")', "1E 5Q {{{}}}", "1E 5Q;{}", "; {}", "1E -\n% E stands:{}", '[Event "{}"]']
)
def test_texts_may_be_long(line: str, said: str):
    (game,) = parse(f'[Rules "2024"]\n\n{line.format(said)}\n')
    assert game.problems == []
    assert said in write(game.record)
