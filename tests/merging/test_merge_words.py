"""Two people's words for one thing: what they come to together, and where they contradict each other."""

from __future__ import annotations

import pytest
from tironian import parse
from tironian.replay.merging.joined_tokens import join


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
        ("(3)A", "(4)A"),
        ("(3)A", "3A"),
        ("(3)A", "(3)P"),
        ("=A>R", "=A>E"),
        ("=A43:5>R", "=A42:5>R"),
        ("=A43:5>R", "=A433:5>R"),
        ("=o", "=r"),
        ("=o", "=A43:5>R"),
        ("+3", "+4"),
        ("+3", "+x"),
        ("+33", "+3"),
        ("+3i", "+xi"),
        ("cA(53)Q(1)", "cA(35)Q(1)"),
        ("sA()", "sA(5)"),
        ("y4+1", "y4+2"),
        ("v+1", "v+2"),
        ("mE1", "mE2"),
        ("m(A,P)", "m(A,Q)"),
        ("h(34)", "h(35)"),
        ("x4P", "x(4)P"),
        ("wA", "sA"),
    ],
)
def test_words_contradict_each_other(one: str, two: str):
    for first, second in ((one, two), (two, one)):
        found = join(word(first), word(second))
        assert not found.agree
        assert found.token == word(first)
