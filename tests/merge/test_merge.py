"""``tiro merge``: what two words come to, and what logs disagree about. What is joined is in
``tests/transcripts/commands/merge.md``.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from tironian import MergeResult, merge, parse, write
from tironian.notation.cards import GROUP_LETTERS
from tironian.tools.cli.command_line import main
from tironian.tools.merge.joined_turns import join
from tironian.tools.merge.logs import open_words

SHEETS = Path(__file__).parents[2] / "examples" / "scoresheets" / "thursday"
HEAD = """[Rules "2024"]
[Event "Thursday table"]
[Site "Trier"]
[Date "2026.03.12"]
[Round "{round}"]
[Caesar "Livia"]
[Cleopatra "Marcus"]
[Result "*"]
[View "{view}"]
"""
ROME = """0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v
0E (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
1E (i)A 5Q +ia
1R (4)A 2P =A43:53>E +1s
2E (i)C 1Q =o +ii
*
"""
EGYPT = """0R (i)P (i)Q (i)A (i)K (i)C m(?,?) +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v
1E (3)A 5Q +3x
1R (i)A 2P =A43:53>E +ia
2E (4)C 1Q =o +51
*
"""


def log(view: str, text: str, *headers: str, round_: str = "1") -> str:
    return "\n".join([HEAD.format(view=view, round=round_) + "".join(f"{each}\n" for each in headers), text])


def joined(*texts: str) -> MergeResult:
    return merge([parse(text, f"{number}.tiro")[0] for number, text in enumerate(texts, 1)])


def turns(merged: MergeResult) -> str:
    """The joined record without headers and set-up."""
    return "1E" + write(merged.record).partition("\n1E")[2]


# ----------------------------------------------------------------------------------------------------- words


def word(text: str):
    (game,) = parse(f"1E {text}\n")
    return game.record.turns[0].tokens[0]


@pytest.mark.parametrize(
    ("one", "two", "known"),
    [
        ("(3)A", "(i)A", "(3)A"),
        ("+i", "+4", "+4"),
        ("+ix", "+4a", "+4x"),
        ("+ai", "+4x", "+4x"),
        ("+3ii", "+i4i", "+34i"),
        ("cA(ii)Q(i)", "cA(53)Q(1)", "cA(53)Q(1)"),
        ("cAQ", "cA(53)Q(1)", "cA(53)Q(1)"),
        ("sA", "sA(52)", "sA(52)"),
        ("sA(5i)", "sA(52)", "sA(52)"),
        ("y[3345x]4+i", "y4+2", "y[3345x]4+2"),
        ("y[x5433]4", "y[3345x]4", "y[x5433]4"),
        ("y", "y4", "y4"),
        ("v", "v+3", "v+3"),
        ("v+i", "v+3", "v+3"),
        ("x(i)P", "x(2)P#2", "x(2)P#2"),
        ("xP", "x(2)P", "x(2)P"),
        ("=A>R", "=A433:52", "=A433:52>R"),
        ("*A43i:52>-", "*A433:52", "*A433:52>-"),
        ("mE?", "mE2", "mE2"),
        ("m(?,?)", "m(12,A*)", "m(12,A*)"),
        ("m(?,A*)", "m(12,?)", "m(12,A*)"),
        ("a(aavw)", "a(cvaw)", "a(cvvw)"),
        ("h(ii3a)", "h(345v)", "h(345v)"),
        ("-34", "-43", "-34"),
        ("cA(ii)Q(i)", "cQ(1)A(53)", "cA(53)Q(1)"),
        ("cA(53)Q(1)", "cQ(i)A(ii)", "cA(53)Q(1)"),
        ("cAQ", "cQ(1)A(53)", "cA(53)Q(1)"),
        ("cAQ", "cQA", "cAQ"),
        ("g(AAQ)", "g(QAA)", "g(AAQ)"),
        ("b(APor)", "b(PAor)", "b(APor)"),
    ],
)
def test_a_word_says_what_any_log_knows(one: str, two: str, known: str):
    assert join(word(one), word(two)) == (word(known), True, True)
    there = join(word(two), word(one))
    assert there.agree
    assert len(repr(there.token)) == len(repr(word(known)))


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("(3)A", "(4)A"), ("(3)A", "3A"), ("(3)A", "(3)P"), ("=A>R", "=A>E"), ("=A43:5>R", "=A42:5>R"),
        ("=A43:5>R", "=A433:5>R"), ("=o", "=r"), ("=o", "=A43:5>R"), ("+3", "+4"), ("+3", "+x"), ("+33", "+3"),
        ("+3i", "+xi"), ("cA(53)Q(1)", "cA(35)Q(1)"), ("sA()", "sA(5)"), ("y4+1", "y4+2"), ("v+1", "v+2"),
        ("mE1", "mE2"), ("m(A,P)", "m(A,Q)"), ("h(34)", "h(35)"), ("x4P", "x(4)P"), ("wA", "sA"),
        ("cA(5)Q(1)", "cQ(5)A(1)"), ("g(AAQ)", "g(QQA)"), ("b(APor)", "b(APoor)"),
    ],
)  # fmt: skip
def test_words_contradict_each_other(one: str, two: str):
    for first, second in ((one, two), (two, one)):
        found = join(word(first), word(second))
        assert not found.agree
        assert found.token == word(first)


# -------------------------------------------------------------------------------------------------- the command


def tiro(*args: object, stdin: str | None = None):
    return CliRunner().invoke(main, ["merge", *map(str, args)], input=stdin)


def test_the_scoresheets_of_the_example(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(SHEETS)
    done = tiro("caesar.tiro", "cleopatra.tiro")
    if os.environ.get("TIRO_UPDATE"):
        Path("joined.tiro").write_bytes(done.stdout_bytes)
        Path("report.txt").write_bytes(done.stderr_bytes)
    assert done.exit_code == 1
    assert done.stdout == Path("joined.tiro").read_text(encoding="utf-8")
    assert done.stderr == Path("report.txt").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------------ whom to believe

POSSIBLE, IMPOSSIBLE = (EGYPT.replace("2E (4)C 1Q", f"2E (4)C {card}Q") for card in "25")


def test_a_disagreement_says_what_each_log_has_and_what_the_rules_allow():
    games = [parse(log(who, text), who)[0] for who, text in (("caesar", ROME), ("cleopatra", IMPOSSIBLE))]
    for picks, taken in (({}, ["", "taken: these are Cleopatra's cards"]), ({"2E": "1"}, ["taken: it was picked", ""])):
        (found,) = merge(games, picks=picks).disagreements
        assert found.name == "2E"
        assert [(said.who, said.number, said.allowed) for said in found.versions] == [
            ("Caesar's log", 1, True),
            ("Cleopatra's log", 2, False),
        ]
        assert [said.taken for said in found.versions] == taken
        lines = [(place.source, place.span) for said in found.versions for place in said.places]
        assert [source.text(span.line)[span.start : span.end] for source, span in lines if source] == ["1Q", "5Q"]


@pytest.mark.parametrize("letter", GROUP_LETTERS)
def test_words_at_each_group_are_open_to_all_who_sit_at_the_table(letter: str):
    assert open_words(f"1E 5{letter} (4){letter} ={letter}5:4>R +12") == [f"5{letter}", f"={letter}5:4>R"]
