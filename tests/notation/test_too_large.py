"""Games that are too large: each is told in one sentence, nothing of it is held, and all other games are read."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from tironian import Game, parse
from tironian.notation.reader import read_bytes, read_games
from tironian.notation.source import MAX_GAME_LENGTH, MAX_LINES

HEAD = '[Rules "2024"]\n[Event "Club"]\n\n'
SMALL = HEAD + "1E 4P\n1R 5Q\n*\n\n"
TURN = "1E 4P\n"
UNITS = {
    "comments": TURN + "; said\n", "comments at the end of turns": TURN + "1E 4P ; said\n",
    "comments before any turn": "; said\n", "turns": TURN, "turns with notes": "1E 4P ! @1:00 {said}\n",
    "bad lines": "what?\n", "blank lines": "\n", "lines of white space": " \t\n", "alternatives": TURN + "| 1E 5P\n",
    "rulings": TURN + "% E stands\n", "headers": '[A "x"]\n', "results": "*\n",
}  # fmt: skip


def codes(games: list[Game]) -> list[list[str]]:
    return [[each.code for each in game.problems] for game in games]


@pytest.mark.parametrize("name", UNITS)
def test_a_game_of_too_many_lines_is_told_and_the_next_one_read(name: str):
    head, unit = UNITS[name].removesuffix(last := UNITS[name].splitlines(keepends=True)[-1]), last
    text = HEAD + head + unit * MAX_LINES
    first, large, after = parse(SMALL + text + "\n" + SMALL)
    assert codes([first, large, after]) == [[], ["N109"], []]
    (told,) = large.problems
    assert told.message == "this game has more than 20,000 lines, so it is not read"
    assert large.missing
    assert large.source.lines == []
    assert [each.number for each in (first, large, after)] == [1, 2, 3]
    assert large.source.first == SMALL.count("\n") + 1
    assert after.source.first == (SMALL + text).count("\n") + 2
    assert after.record == first.record


LINES = ("; " + "said " * 3000, "1E 4P ; " + "geſagt " * 2000, "1E" + " 4P" * 5000, '[A "' + "x" * 15000 + '"]')


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("words", LINES)
def test_a_game_of_too_many_bytes_is_told(words: str, end: str):
    line = words + "\n"
    most = MAX_GAME_LENGTH // len(line.encode())
    assert most < MAX_LINES
    text = '[Rules "2024"]\n' + line * (most + 1) + TURN + SMALL
    large, after = read_bytes(io.BytesIO(text.replace("\n", end).encode()), "x")
    assert [each.message for each in large.problems] == ["this game has more than 1 MB, so it is not read"]
    assert codes([after]) == [[]]
    assert after.source.first == most + 4


def test_a_game_may_be_as_large_as_it_may_be():
    head = '[Rules "2024"]\n1E 4P\n'
    lines = "; said\n" * (MAX_LINES - 2)
    assert codes(parse(head + lines)) == [[]]
    assert codes(parse(head + lines + "\n")) == [["N109"]]
    line = "; " + "x" * 9997 + "\n"
    most, rest = divmod(MAX_GAME_LENGTH - len(head), len(line))
    whole = head + line * most + ";" + "x" * (rest - 2) + "\n"
    assert len(whole) == MAX_GAME_LENGTH
    assert codes(parse(whole)) == [[]]
    assert codes(parse(whole[:-1] + "x\n")) == [["N109"]]


def test_several_games_that_are_too_large():
    large = HEAD + TURN + "; said\n" * MAX_LINES + "*\n"
    games = parse(large + SMALL + large + large + SMALL + large)
    assert codes(games) == [["N109"], [], ["N109"], ["N109"], [], ["N109"]]
    assert [each.number for each in games] == [1, 2, 3, 4, 5, 6]


class Endless(io.RawIOBase):
    """A stream that begins somehow, and goes on with the same bytes until so many were read."""

    def __init__(self, head: bytes, unit: bytes, size: int) -> None:
        self._head, self._unit = head, unit * (1 << 16)
        self.left = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        some = (self._head or self._unit)[: min(len(buffer), self.left)]
        self._head = self._head[len(some) :]
        buffer[: len(some)] = some
        self.left -= len(some)
        return len(some)


@pytest.mark.parametrize("unit", [b"x", b"said\n", b"; said\n", b"1E 4P\n", b'[A "x"]\n', b"\n"])
def test_what_goes_on_and_on_is_told_before_it_ends(unit: bytes):
    stream = Endless(b'[Rules "2024"]\n\n', unit, 1 << 40)
    games: Iterator[Game] = read_bytes(io.BufferedReader(stream), "x")
    assert [each.code for each in next(games).problems] == ["N109"]
    assert (1 << 40) - stream.left < 2 * MAX_GAME_LENGTH


def test_a_line_longer_than_a_game_is_one_line():
    data = b'[Rules "2024"]\n1E 4P\n; ' + b"[ \xc3\xa4" * MAX_GAME_LENGTH + b"\r\n" + SMALL.encode()
    large, after = read_bytes(io.BytesIO(data), "x")
    assert codes([large, after]) == [["N109"], []]
    assert after.source.first == 4


def test_lines_without_ends_are_counted_as_well():
    lines = ['[Rules "2024"]', *["; said"] * MAX_LINES, '[Rules "2024"]', "1E 4P"]
    assert codes(list(read_games(lines))) == [["N109"], []]
