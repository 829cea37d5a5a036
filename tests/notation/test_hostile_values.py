"""Values made by programs: what can't be written is refused in a sentence, and what is written is read again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields, replace

import pytest
import tironian
from hypothesis import given, settings
from hypothesis import strategies as st
from scale import scaled
from strategies import records
from tironian import Alternative, BadLine, Card, Comment, Record, Result, Ruling, Turn, parse, token_text, tokens, write

many = settings(max_examples=scaled(60, 5_000))
STRANGE = ["a\nb", "a}b", "a{b", "; a", " a", "a ", "\r", "\u2028", "\0", "\\", '"', "5A", "17-13", '[A "b"]', "|", "!"]
text = st.text(max_size=4) | st.sampled_from(STRANGE)
number = st.integers(-2, 16) | st.integers()
cards = st.lists(st.integers(-1, 15), max_size=3).map(tuple)
anything = number | text | st.none() | st.booleans() | cards
mission = st.builds(
    tokens.Mission, text | st.sampled_from(["all", "each", "text", "patricians"]), anything, anything, text
)
token = st.one_of(
    [
        st.builds(cls, *[anything | st.tuples(mission) if cls is tokens.Missions else anything for _ in fields(cls)])
        for cls in tokens.KINDS
    ]
)
comment = st.builds(Comment, text, st.none() | st.integers(-1, 3))
turn = st.builds(
    Turn,
    st.integers(0, 12) | number,
    st.integers(0, 1) | number,
    st.lists(token, max_size=2).map(tuple),
    st.lists(text, max_size=1).map(tuple),
    st.lists(comment, max_size=2).map(tuple),
)
follower = st.one_of(
    comment,
    st.builds(Alternative, turn),
    st.builds(BadLine, text),
    st.builds(Ruling, number, text | st.just("stands"), st.lists(text, max_size=1).map(tuple), number, text),
)
followed = st.builds(lambda turn, after: replace(turn, after=tuple(after)), turn, st.lists(follower, max_size=2))
result = st.builds(
    Result,
    st.none() | st.tuples(number, number),
    st.none() | number,
    st.lists(st.tuples(number, st.lists(st.booleans(), max_size=2).map(tuple)), max_size=1).map(tuple),
    st.lists(comment, max_size=1).map(tuple),
)
made = st.builds(
    Record,
    st.lists(st.tuples(st.sampled_from(["Event", "event", "A b"]) | text, text), max_size=2).map(tuple),
    st.lists(comment | st.builds(BadLine, text), max_size=2).map(tuple),
    st.lists(followed, max_size=2).map(tuple),
    st.none() | result,
)


def is_written_or_refused(record: Record) -> None:
    try:
        told = write(record)
    except ValueError:
        return
    (game,) = parse(told)
    order = tironian.parse(write(Record(record.headers)))[0].record.headers
    assert game.record == replace(record, headers=order)


@many
@given(made)
def test_a_record_of_strange_values(record):
    is_written_or_refused(record)


@many
@given(records, st.data())
def test_a_record_with_one_strange_part(record, data):
    part, strategy = data.draw(
        st.sampled_from(
            [
                ("headers", st.tuples(st.tuples(text, text))),
                ("preface", st.tuples(comment)),
                ("turns", st.tuples(followed)),
                ("result", result),
            ]
        )
    )
    read = parse(write(record))[0].record
    for one in (record, read):
        is_written_or_refused(replace(one, **{part: data.draw(strategy)}))


@many
@given(token)
def test_a_strange_token(token):
    state = tironian.replay_game(GAME).at("1E.0").state
    for ask in (
        token_text,
        lambda each: tironian.violations(state, each),
        lambda each: tironian.apply(state.copy(), each),
    ):
        with suppress(ValueError, tironian.ImpossibleMoveError, tironian.MissingCardsError):
            ask(token)


REFUSED = r"is not a token|can't be written"
GAME = tironian.simulate(tironian.load_edition("2024"), seed=1)


@pytest.mark.parametrize(
    "strange",
    [
        None.__class__,
        tokens.Place(99, 0, False),
        tokens.Place(-1, 0, False),
        tokens.Draw((10**20,)),
        tokens.Draw([5]),
        # Each of these equals a token that is right, which may have been asked about before.
        tokens.Place(0, 0, 0),
        tokens.Place(5.0, 0, False),
        tokens.Place(5, 0.0, False),
        tokens.NoVote(1),
        tokens.Draw((5.0,)),
        tokens.Missions((tokens.Mission("majority", 0.0),)),
        tokens.Missions((tokens.Mission("patricians", count=12.0),)),
        tokens.Missions((tokens.Mission("majority", -1),)),
        tokens.Bag((), 1.0, 0),
        tokens.ChooseMission(0, 1.0),
        # Of these something else would be read, or nothing.
        tokens.Assassinate(4, 1, True, 0),
        tokens.Assassinate(4, 1, True, 10),
        tokens.Assassinate(4, 1, True, 300),
        tokens.ChooseMission(0, 0),
        tokens.ChooseMission(0, 3),
        tokens.Missions((tokens.Mission("patricians", count=100),)),
    ],
)
def test_what_is_no_token_is_refused_in_a_sentence(strange):
    state = tironian.replay_game(GAME).at("1E.0").state
    for ask in (tironian.apply, tironian.violations):
        with pytest.raises(ValueError, match=REFUSED):
            ask(state, strange)
    with pytest.raises(ValueError, match=REFUSED):
        token_text(strange)
    with pytest.raises(ValueError, match=REFUSED):
        write(Record(turns=(Turn(1, 0, (strange,)),)))
    with pytest.raises(ValueError, match=REFUSED):
        tironian.start(state.edition, 0, (strange,), ())


def test_a_hidden_card_that_no_word_names_is_not_offered():
    """A table that nobody stopped has ten cards face down at one group."""
    lines = ['[Rules "2024"]', '[Setup "position"]', "0R " + "(1)P (2)P " * 5 + "h(5)", "0E 5A h(x5)", "1E xP#2", "*"]
    state = tironian.replay_game(parse("\n".join(lines))[0]).steps[0].state
    offered = [move for move in tironian.legal_moves(state) if isinstance(move.token, tokens.Assassinate)]
    assert [move.token.position for move in offered] == [*range(1, 10)]
    for move in offered:
        assert parse(f"1E {move}\n")[0].record.turns[0].tokens == (move.token,)
        tironian.apply(state.copy(), *move)


def test_a_word_is_no_token_where_tokens_are_written():
    with pytest.raises(ValueError, match=REFUSED):
        token_text("5A")
    with pytest.raises(ValueError, match=REFUSED):
        write(Record(turns=(Turn(1, 0, ("5A",)),)))


def test_a_turn_of_which_something_else_would_be_read_is_refused():
    for note in (Comment("a}b", 0), Comment("a\nb"), Comment(" a", 0)):
        with pytest.raises(ValueError, match="can't be written"):
            tironian.turn_text(Turn(1, 0, (), notes=(note,)))
    with pytest.raises(ValueError, match="can't be written"):
        tironian.turn_text(Turn(1, 0, (), marks=("5A",)))


@many
@given(records)
def test_the_lines_of_turns_that_were_read_are_written(record):
    for turn in parse(write(record))[0].record.turns:
        assert tironian.turn_text(turn) in write(record)


def test_a_header_that_no_reader_would_read_is_refused():
    with pytest.raises(ValueError, match="this record can't be written: its headers"):
        write(Record(headers=(("A b", "x\ny"),)))
    with pytest.raises(ValueError, match="this record can't be written: its headers"):
        write(Record(headers=(("Event", "x\ny"),)))


def test_as_many_orgies_as_a_line_holds_are_read_and_written():
    told = f"0R b({'o' * 5_000})\n"
    assert write(parse(told)[0].record) == told
    assert write(Record(turns=tuple(parse(told)[0].record.turns))) == told


def test_lists_and_cards_in_any_order_are_written_as_they_are_read():
    """Programs make records of lists, and show the cards of a column in no order."""
    record = parse("1E 5P (1)A sA(521) =P52i:31>R\n")[0].record
    turn = record.turns[0]
    scout, vote = turn.tokens[2:4]
    words = [*turn.tokens[:2], replace(scout, seen=(1, 5, 2)), replace(vote, rome=(Card.SOME_INFLUENCE, 2, 5))]
    assert write(replace(record, turns=[replace(turn, tokens=words)], headers=[], preface=[])) == write(record)
