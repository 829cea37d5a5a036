"""Codes that are worked out from a word's shape are those of the token that the grammar makes of it."""

from __future__ import annotations

from hypothesis import assume, example, given
from strategies import tokens
from tironian import token_text
from tironian import tokens as t
from tironian.notation.codes import OTHER, decode, encode
from tironian.notation.parser import parse_item
from tironian.notation.word_cache import codes_of


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
    code, more = codes_of([word])
    assert (code, more) == encode(read)
    assert code == OTHER or decode(code, more) == read


def test_what_is_no_word_has_no_code():
    for text in ("+", "+?", "-z", "+1z", "=P5z:1>R", "=P51:1z>R", "=P5:1>A", "=:", ":", "*", "=z5:1"):
        try:
            codes = codes_of([text])
        except KeyError:
            continue
        assert codes == list(encode(parse_item(text)))
