"""Reading undoes writing, in the notation and in JSON, for whatever a record can hold and a file can say."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from scale import scaled
from strategies import records, soup
from tironian import InvalidJsonError, Record, from_json, parse, to_json, write, write_all
from tironian.notation.jsonform import JsonProblem
from tironian.notation.parser import Misfit, parse_file, parse_item
from tironian.notation.tokens import Token
from tironian.notation.word_cache import WORDS
from tironian.schemas import load_schema

many = settings(max_examples=scaled(100, 3_000))
some = settings(max_examples=scaled(60, 600))


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(load_schema("record"))


def records_of(text: str) -> list[Record]:
    return [game.record for game in parse(text)]


@many
@given(records)
def test_reading_undoes_writing(record):
    text = write(record)
    assert records_of(text) == [record]
    assert write(records_of(text)[0]) == text


@many
@given(soup)
def test_what_was_read_stays(text):
    games = records_of(text)
    again = write_all(games)
    assert records_of(again) == games
    assert write_all(records_of(again)) == again


@many
@given(soup)
def test_nothing_is_lost(text):
    """Every sign that is no space or bracket of a comment is still there, as often as before."""

    def signs(lines: str) -> list[str]:
        return sorted(sign for sign in lines.lower() if not sign.isspace() and sign not in "0;{}\\\ufeff")

    got = write_all(records_of(text))
    lost = set(signs(text)) - set(signs(got))
    assert not lost


@many
@given(soup)
def test_quick_reading_reports_what_lark_cannot_read(text):
    text = text.replace("\ufeff", "")  # a byte order mark is no part of the text, wherever files were joined
    if isinstance(parse_file(text), Misfit):
        assert any(game.problems for game in parse(text))
    else:
        codes = {problem.code for game in parse(text) for problem in game.problems}
        assert codes <= {"N106", "N107", "N112"}


@some
@given(records)
def test_json_comes_back(record):
    data = to_json(record)
    assert not list(validator().iter_errors(data))
    assert from_json(json.loads(json.dumps(data))) == record
    assert to_json(records_of(write(from_json(data)))[0]) == data


@some
@given(soup)
def test_json_of_what_was_read_comes_back(text):
    for record in records_of(text):
        data = to_json(record)
        assert not list(validator().iter_errors(data))
        assert from_json(data) == record


strange = st.sampled_from([None, 0, 1.0, -1, True, "", " ", "a\n", "\0", "}", "x", [], {}, "\ud800", "5R"])


@st.composite
def bent(draw):
    """The JSON of a record with one value, deep within, replaced by another."""
    data = json.loads(json.dumps(to_json(draw(records))))
    place, value = data, draw(strange)
    while True:
        key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[key], dict | list) or not place[key] or draw(st.integers(0, 4)) == 0:
            place[key] = value
            return data
        place = place[key]


shaped = st.from_regex(
    r"(=|\*)[ACKPQSo]([1-5pi]{0,4}:?[1-5pi]{0,4})?(>[REx-])?|[+-][1-5pxswcyviao]{0,4}"
    r"|c[ACKPQS](\([1-5pi]{0,3}\))?[ACKPQS1](\([1-5pi]{0,3}\))?|a\([1-5pxswcyvia]{0,4}\)?",
    fullmatch=True,
)


@settings(max_examples=scaled(400, 20_000))
@given(shaped | st.text("=*+-cxAQ12345pi:>RE()[]o#v", min_size=1, max_size=8))
def test_words_of_a_shape_are_what_the_grammar_says(word):
    """The cards that are put back into a shape are those that Lark would have read."""
    value = parse_item(word)
    WORDS.clear()
    if isinstance(value, Token):
        assert WORDS[word] == value
    else:
        with pytest.raises(KeyError):
            WORDS[word]


def test_zero_is_not_false():
    data = {"format": "tironian-record", "version": 1, "headers": [], "turns": []}
    data["result"] = {"verdicts": [{"side": "R", "fulfilled": [0]}]}
    with pytest.raises(InvalidJsonError) as caught:
        from_json(data)
    assert caught.value.problems


@some
@given(bent())
def test_json_that_is_taken_is_kept(data):
    """Whatever JSON is accepted comes back the same by way of text; the rest is refused with a place and a reason."""
    problems: list[JsonProblem] = []
    try:
        (again,) = records_of(write(from_json(data)))
    except InvalidJsonError as error:
        problems = error.problems
    assert all(problem.path.startswith("$") and problem.message for problem in problems)
    assert problems or to_json(again) == data
