"""Codes that are worked out from a word's shape are those of the token that the grammar makes of it."""

from __future__ import annotations

from hypothesis import assume, example, given
from strategies import tokens
from tironian import token_text
from tironian import tokens as t
from tironian.notation.codes import MAX_COPIES, OTHER, decode, encode
from tironian.notation.parser import parse_item
from tironian.notation.shapes import codes_by_shape


@given(tokens)
@example(t.Draw(tuple(range(11))))
@example(t.Draw((3,) * 12))
@example(t.Discard(()))
@example(t.Vote(4, (5,) * 15, (), 0))
@example(t.Vote(4, (5,) * 16, (1,), 0))
@example(t.SpecialVote(2, (), (0,) * 16, 2))
def test_the_code_of_a_word_is_that_of_its_token(token: t.Token):
    word = token_text(token)
    assume(not isinstance(token, t.Unread) and '"' not in word and " " not in word)
    read = parse_item(word)
    codes = codes_by_shape(word)
    if codes[0] != OTHER:
        assert codes == encode(read)
        assert decode(*codes) == read
    elif word[0] in "+-" or ":" in word:
        assert encode(read)[0] == OTHER or len(word) > MAX_COPIES


def test_what_is_no_word_has_no_code():
    votes = "=P5z:1>R", "=P51:1z>R", "=P5:1>A", "=:", ":", "*", "=z5:1"
    for text in ("", "+", "+?", "-z", "+1z", "sA(x)", "sA(", "cA(1)", "cA(1)P(", "cA(x)P()", *votes):
        try:
            codes = codes_by_shape(text)
        except KeyError:
            assert not isinstance(parse_item(text), t.Token)
            continue
        assert codes == (OTHER, 0)
