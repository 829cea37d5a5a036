"""Bad input is reported with its place and kept, and the reading goes on."""

from __future__ import annotations

import io
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tironian import BadLine, Comment, parse, write, write_all
from tironian.notation.reader import read_bytes, read_games
from tironian.notation.source import MAX_LINE_LENGTH
from tironian.notation.tokens import Place, Unread
from tironian.notation.word_cache import fragments

TEXT = '[Rules "2024"]\n\n1E 5Q ; Grüße\n17-13\n'


def read(data: bytes):
    return list(read_bytes(io.BytesIO(data), "x.tiro"))


def told(text: str) -> list[tuple[str, int, int, int]]:
    """Code, line in the text, and columns of every problem."""
    return [
        (problem.code, problem.source.first + problem.span.line, problem.span.start, problem.span.end)
        for game in parse(text)
        for problem in game.problems
    ]


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(), b"\xef\xbb\xbf" + TEXT.encode(), TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(), TEXT.rstrip("\n").encode(),
        TEXT.replace(" ", "\t").replace("\n", "\t\n\t").encode(), TEXT.replace("Rules", "RULES").encode(),
        b"\n\n" + TEXT.encode() + b"\n\n",
    ],
)  # fmt: skip
def test_dialects_read_the_same(data):
    (game,) = read(data)
    assert not game.problems
    assert write(game.record) == TEXT
    assert [turn.line >= 0 for turn in game.record.turns] == [True]


def test_text_with_a_byte_order_mark():
    assert [game.record for game in parse("\ufeff" + TEXT)] == [game.record for game in parse(TEXT)]
    joined = parse(TEXT + "\ufeff" + TEXT)
    assert [write(game.record) for game in joined] == [TEXT, TEXT]


@pytest.mark.parametrize(
    ("data", "word"), [(TEXT.encode("utf-16"), "UTF-16"), (b"PK\0\0", "NUL bytes"), (TEXT.encode("utf-16-le"), "NUL")]
)
def test_no_text(data, word):
    (game,) = read(data)
    assert [problem.code for problem in game.problems] == ["N101"]
    assert word in game.problems[0].message


def test_bytes_that_are_no_text_are_kept():
    (game,) = read(b'[Rules "2024"]\n1E 5Q\n   ; caf\xe9\n   ; \xc3\xa9\n')
    (problem,) = game.problems
    assert (problem.code, problem.span.line, problem.span.start, problem.span.end) == ("N102", 2, 8, 9)
    assert "0xe9" in problem.message
    assert b"; caf\xe9\n   ; \xc3\xa9\n" in write(game.record).encode("utf-8", "surrogateescape")


@pytest.mark.parametrize(
    ("data", "word"), [(b"J\xfcrgen", "“Jürgen”"), (b"\xe9", "“é”"), (b"a\x81b", ""), (b"\xa7", "")]
)
def test_bytes_that_windows_wrote_are_read_as_it_would(data, word):
    (game,) = read(b'[Caesar "' + data + b'"]\n1E 5Q\n')
    assert ("windows-1252" in game.problems[0].help) == bool(word)
    assert word in game.problems[0].help


def test_a_zero_byte_far_inside_is_reported():
    (game,) = read(b"1E 5Q\n" * 2000 + b"2E 5Q ; a\0b\n")
    assert [(problem.code, problem.span.start) for problem in game.problems] == [("N102", 9)]
    assert write(game.record).endswith("; a\0b\n")


def test_the_stream_stays_open():
    stream = io.BytesIO(TEXT.encode())
    list(read_bytes(stream, "x"))
    assert not stream.closed


def test_a_line_too_long_is_kept():
    long = "1E " + "5Q " * (MAX_LINE_LENGTH // 2)
    assert told(f"1E 4P\n  {long}\n2E 5Q\n") == [("N103", 2, 2, MAX_LINE_LENGTH + 2)]
    (game,) = parse(f"1E 4P\n{long}\n2E 5Q\n")
    assert game.record.turns[0].after == (BadLine(long.strip()),)
    assert game.record.turns[1].number == 2


def test_a_line_of_a_million_characters():
    (game,) = parse("1E 4P\n" + "x" * 1_000_000 + "\n2E 5Q\n")
    assert [problem.code for problem in game.problems] == ["N103"]
    assert len(write(game.record)) > 1_000_000


@pytest.mark.parametrize("text", ["", "\n", "  \n\t\n", "; only a comment\n", "{a}\n; b"])
def test_no_game(text):
    (game,) = parse(text)
    assert [problem.code for problem in game.problems] == ["N107"]
    assert write(game.record).split() == text.replace("{a}", "; a").split()


def test_headers_alone_are_a_game():
    (game,) = parse('[Rules "2024"]\n[Result "*"]\n')
    assert not game.problems
    assert write(game.record) == '[Rules "2024"]\n[Result "*"]\n'


def test_comments_before_headers_belong_to_the_game():
    (game,) = parse('; first\nsecond\n[Rules "2024"]\n[bad\n[Event "x"]\n\n1E 5Q\n')
    assert game.record.preface == (BadLine("[bad"), Comment("first"), BadLine("second"))
    assert parse(write(game.record))[0].record == game.record


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (TEXT + TEXT, 2), (TEXT + "; about the first\n" + TEXT, 2), (TEXT + "  " + TEXT, 2), (TEXT + "\xa0" + TEXT, 2),
        ('[Rules "2024"]\n[Event "x"]\n\n[Rules "2024"]\n', 2), ('[Rules "2024"]\n\n[Event "x"]\n', 1),
        ('[Rules "2024"]\n[Rules "1997"]\n1E 5Q\n', 1), ("1E 5Q\n[Rules \"2024\"\n2E 4P\n", 2),
    ],
)  # fmt: skip
def test_games_begin_with_their_headers(text, count):
    games = parse(text)
    assert len(games) == count
    assert [game.number for game in games] == list(range(1, count + 1))
    assert sum(len(game.source.lines) for game in games) == len(text.splitlines())
    lines = text.split("\n")
    assert all(lines[game.source.first - 1] + "\n" == game.source.lines[0] for game in games)
    assert [game.record for game in parse(write_all(game.record for game in games))] == [game.record for game in games]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1E 5Q\n17-13\n2E 4P\n", [("N112", 2, 0, 5)]),
        ("1E 5Q\n17-13\n 17-13\n", [("N112", 3, 1, 6)]),
        ("1E 5Q\n17-13\n| 1E 4P\n", [("N112", 3, 0, 7)]),
        ("% E stands\n1E 5Q\n", [("N106", 1, 0, 10)]),
        ("  | 1E 5Q\n", [("N112", 1, 2, 9), ("N107", 1, 0, 0)]),
        ("1E 5Q\n  what is this\n2E 5Q\n", [("N112", 2, 2, 14)]),
        ("1E 5Q zz  5q ! x(2)P#p ; z\n", [("N105", 1, 6, 8), ("N105", 1, 10, 12), ("N105", 1, 15, 22)]),
        ("   | 1E zz\n", [("N112", 1, 8, 10), ("N112", 1, 3, 10), ("N107", 1, 0, 0)]),
        ("1E 5Q\n   | 1E zz\n", [("N112", 2, 8, 10)]),
        ("1E {a}5Q ; b\n", [("N105", 1, 6, 7)]),
        ("1 E zz\n", [("N105", 1, 4, 6)]),
        ("1E 5Q {never closed\n", [("N105", 1, 6, 19)]),
        ("1E 5Q\n17-13 zz\n", [("N112", 2, 0, 8)]),
        ('[Rules 2024]\n[Event "x"]\n1E\n', [("N104", 1, 7, 8)]),
        ("\u0661E 5Q\n", [("N104", 1, 0, 1)]),
    ],
)
def test_problems_have_their_place(text, wanted):
    assert told(text) == wanted
    again = write_all(game.record for game in parse(text))
    for line in filter(str.strip, text.splitlines()):
        assert all(word in again for word in line.replace("1 E", "1E").replace("}", "} ").split())


def test_the_good_words_of_a_bad_line_are_read():
    turn = parse("1E 5Q zz (3)A\n")[0].record.turns[0]
    assert turn.tokens == (Place(5, 4, hidden=False), Unread("zz"), Place(3, 0, hidden=True))


def test_a_way_out_is_offered():
    (problem,) = parse("1E 5q\n")[0].problems
    assert (problem.help, problem.turn) == ("did you mean 5Q?", "1E")
    assert "a group's letter" in problem.message


def test_messages_stay_short():
    (problem,) = parse("1E " + "z" * 500 + "\n")[0].problems
    assert len(problem.message) < 120


def test_a_label_may_hold_any_space():
    (game,) = parse("1\x1cE 5Q\n| 1\u2003E 4P\n")
    assert not game.problems
    assert write(game.record) == "1E 5Q\n   | 1E 4P\n"


def test_lines_may_lack_their_ends():
    (game,) = read_games(["1E 5Q", "", "2E 4P"])
    assert len(game.record.turns) == 2


def test_games_come_one_at_a_time():
    def endless():
        while True:
            yield from TEXT.splitlines(keepends=True)

    games = read_games(endless())
    assert [next(games).number for _ in range(3)] == [1, 2, 3]


def test_known_words_do_not_go_through_lark(monkeypatch):
    text = TEXT.replace("17-13", "   ; a comment\n   | 1E 5Q ! ; another\n17-13")
    parse(text)
    monkeypatch.setattr("tironian.notation.parser._value_parser", None)
    assert len(parse(text * 100)) == 100


@pytest.mark.parametrize("bad", ["Caesar: Anna", "[Caesar Anna]", "% R stands", "x" * 20_001])
def test_a_bad_line_among_headers_is_one_fault(bad):
    text = f'[Rules "2024"]\n[Event "x"]\n{bad}\n[Cleopatra "Berta"]\n\n; about it\n1E 5Q\n*\n\n[Rules "2024"]\n1E 5A\n'
    first, second = parse(text)
    assert [name for name, _ in first.record.headers] == ["Rules", "Event", "Cleopatra"]
    assert len(first.problems) == 1
    assert [type(entry) for entry in first.record.preface] == [BadLine, Comment]
    assert not second.problems
    again = write_all([first.record, second.record])
    assert [game.record for game in parse(again)] == [first.record, second.record]
    assert write_all(game.record for game in parse(again)) == again


def test_a_game_of_headers_and_a_bad_line_ends_where_a_header_comes_again():
    text = '[Rules "2024"]\n[Event "x"]\nnonsense\n\n[Rules "2024"]\n1E 5A\n'
    assert [len(game.record.headers) for game in parse(text)] == [2, 1]


def least_time(text: str) -> float:
    """Return the least processor time that reading a text takes in some attempts."""
    times = []
    for _ in range(3):
        began = time.process_time()
        list(parse(text))
        times.append(time.process_time() - began)
    return min(times)


@pytest.mark.parametrize("line", ["1E " + '\\"' * 9_000, "1E " + '\\" ' * 6_000, '0R m("' + '\\"' * 9_000])
def test_quotes_that_nothing_closes_take_no_time(line):
    """They take about as long as other signs, and not twenty times as long, as if each were followed."""
    text = f'[Rules "2024"]\n\n{line}\n'
    (game,) = parse(text)
    assert game.problems
    assert write(game.record) == f'[Rules "2024"]\n\n{line.rstrip()}\n'
    assert least_time(text) < 5 * least_time(text.replace('\\"', "5,"))


@given(st.text('a"\\ {};5', max_size=16))
def test_pieces_are_what_they_look_like(text):
    """Two ways to say it; the other one looks for the end of every quote, and so takes its time."""
    slow = re.compile(r'\{[^}]*\}?|;.*|(?:"(?:\\.|[^"\\])*"|[^\s{;])+')
    assert [found.group() for found in slow.finditer(text)] == [piece for _, _, piece in fragments(text, 0)]


@pytest.mark.parametrize("width", [0, 3, MAX_LINE_LENGTH + 1])
def test_a_line_of_nothing_but_space_is_empty_however_long(width):
    games = parse(f'[Event "one"]\n{" " * width}\n[Event "two"]\n')
    assert [game.record.header("Event") for game in games] == ["one", "two"]
    assert not any(game.problems for game in games)


@pytest.mark.parametrize("line", ["7E;2P", "7E{2P}", "7E7E", "E", "7"])
def test_what_is_glued_to_a_label_is_read_with_care(line: str):
    """Behind a turn, where lines are read as rows of known words."""
    (game,) = parse(f'[Rules "2024"]\n\n1E 2P\n{line} +3\n2E +4\n')
    assert [turn.label for turn in game.record.turns][:1] == ["1E"]
    assert f"{line} +3\n" in game.source.lines
    assert game.record.turns[-1].label == "2E"
