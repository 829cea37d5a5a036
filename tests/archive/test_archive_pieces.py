"""A text cut into pieces is the same text: the same games, in the same places, with the same faults."""

from __future__ import annotations

import io
import random
import re

import pytest
from archives import BROKEN, ROOT, game, games, text
from counting import calls
from hypothesis import given, settings
from hypothesis import strategies as st
from scale import scaled
from strategies import soup
from tironian.notation.reader import read_bytes
from tironian.tools.archive.checker import ChunkChecker, ChunkGroup
from tironian.tools.archive.chunks import MAX_GAP, Chunk, chunks_of, split, text_ranges
from tironian.tools.report.model import GameReport
from tironian.tools.storage.sources import InputFile

EXAMPLES = [path.read_bytes() for path in sorted((ROOT / "examples").rglob("*.tiro"))]

STRANGE = ["*\n", "[Event\n", "[x]\n", "1E\n", "17-13>R \n", '\ufeff[Event "a"]\n', ' [Site "b"]\n', "\0\n"]
"""Lines where one might take a game for ended or begun."""


def in_pieces(data: bytes, size: int) -> list[tuple[int, list[str]]]:
    """Each game by its first line and its lines."""
    return [
        (each.source.first, each.source.lines)
        for piece in split(text(data), size)
        for each in read_bytes(io.BytesIO(piece.data), piece.name, piece.first)
    ]


def whole(data: bytes) -> list[tuple[int, list[str]]]:
    return [(each.source.first, each.source.lines) for each in read_bytes(io.BytesIO(data), "a.tiro")]


def shuffled(data: random.Random) -> bytes:
    """Examples one behind the other, with lines lost, doubled, moved and torn, and line ends of all kinds."""
    parts = [data.choice(EXAMPLES).decode("utf-8", "surrogateescape") for _ in range(data.randint(1, 5))]
    lines = data.choice(["\n", "", "\n\n", "\n; between games\n", "\n  \n"]).join(parts).splitlines(keepends=True)
    for _ in range(data.choice([0, 1, 3, 30])):
        place = data.randrange(len(lines) + 1)
        what = data.choice(["lose", "double", "tear", "put"])
        if what == "lose":
            del lines[place : place + 1]
        elif what == "double":
            lines[place:place] = lines[place : place + 1]
        elif what == "put":
            lines.insert(place, data.choice(STRANGE))
        elif place < len(lines):
            lines[place] = lines[place][: data.randrange(len(lines[place]) + 1)] + data.choice(["", "\n", "\r", "\r\n"])
    end = data.choice(["\n", "\n", "\r\n", "\r"])
    return "".join(lines).replace("\n", end).encode("utf-8", "surrogateescape")


@settings(max_examples=scaled(300, 30_000), deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([1, 7, 64, 500, 3000]))
def test_pieces_are_the_text(data: random.Random, size: int):
    bytes_ = shuffled(data)
    assert in_pieces(bytes_, size) == whole(bytes_)


@settings(max_examples=scaled(100, 10_000), deadline=None)
@given(soup, st.sampled_from([1, 16, 200]))
def test_pieces_of_any_text(words: str, size: int):
    data = words.encode("utf-8", "surrogateescape")
    assert in_pieces(data, size) == whole(data)


@settings(max_examples=scaled(150, 15_000), deadline=None)
@given(
    data=st.randoms(use_true_random=False),
    share=st.sampled_from([1, 64, 500, 3000]),
    size=st.sampled_from([16, 4000]),
)
def test_stretches_are_the_text(data: random.Random, share: int, size: int, tmp_path_factory: pytest.TempPathFactory):
    bytes_ = shuffled(data)
    path = tmp_path_factory.getbasetemp() / "text_ranges.tiro"
    path.write_bytes(bytes_)
    found = InputFile(str(path), len(bytes_))
    parts = text_ranges(found, share)
    read = [piece for part in parts for piece in chunks_of(found, size, part)]
    assert [
        (each.source.first, each.source.lines)
        for piece in read
        for each in read_bytes(io.BytesIO(piece.data), piece.name, piece.first)
    ] == whole(bytes_)
    returns = [b"\r" in b"".join(piece.data for piece in read[:place]) for place in range(len(read))]
    assert [piece.has_carriage_returns for piece in read] == returns
    assert [piece.last for piece in read] == [False] * (len(read) - 1) + [True]


def test_long_texts_do_come_in_pieces():
    data = games(40).encode()
    some = list(split(text(data), 4000))
    assert len(some) > 8
    assert b"".join(piece.data for piece in some) == data
    assert [piece.last for piece in some] == [False] * (len(some) - 1) + [True]


def reports(pieces: list[Chunk], **how) -> list[GameReport]:
    return [report for judged in ChunkChecker(**how)(ChunkGroup("", pieces)) for report in judged.reports]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("unended", [False, True])
def test_strictness_sees_the_text_and_not_the_pieces(end: str, unended: bool):
    lines = "\n".join([game(1), BROKEN, game(2), game(3), "", game(4)]).replace("\n", end)
    data = (lines.rstrip() if unended else lines).encode()
    told = [
        sorted((each.source.first + each.span.line, each.message, each.help) for each in found.diagnostics)
        for pieces in (list(split(text(data), size)) for size in (1, 1500, 1 << 20))
        for found in [reports(pieces, strict=True)][0]
    ]
    count = len(told) // 3
    assert told[:count] == told[count : 2 * count] == told[2 * count :]
    assert any(told)


@pytest.mark.parametrize(
    "last", [" ; signed by both", " mR+ mE-", "\n(see the photo)\n\n", "\n% E stands: late", "\n\n; the end"]
)
def test_games_are_told_apart_whatever_they_end_with(last: str):
    lines = re.sub(r"(?m)^\d+-\d+(>[RE])?$", lambda result: f"  {result[0]}{last}", games(30))
    data = lines.encode()
    some = list(split(text(data), 2000))
    assert len(some) > 5
    assert in_pieces(data, 2000) == whole(data)


@pytest.mark.parametrize("line", ["\r\n", "; a comment\n", "(see the photo)\r\n", "[Event\n", " \r"])
def test_twice_the_text_between_games_takes_no_more_than_about_twice_the_work_to_cut(line: str):
    once, twice = (
        "".join(f'{game(1)}{line * lines}[Event "a"]\n' for _ in range(3)).encode() for lines in (1500, 3000)
    )
    assert in_pieces(twice, 4000) == whole(twice)
    assert calls(lambda: list(split(text(twice), 4000))) < 2.5 * calls(lambda: list(split(text(once), 4000)))


def test_a_file_of_another_kind_is_not_read_on():
    class Endless(io.RawIOBase):
        read_bytes = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:
            self.read_bytes += len(buffer)
            buffer[:] = bytes(len(buffer))
            return len(buffer)

    stream = Endless()
    (piece,) = split(text(b"")._replace(stream=io.BufferedReader(stream)))
    (report,) = reports([piece])
    assert [each.code for each in report.diagnostics] == ["N101"]
    assert stream.read_bytes < 1 << 20


def test_what_has_no_end_is_given_up_and_the_next_game_is_read():
    filler = b"; no game at all, but comments and comments and nothing else\n" * (2 * MAX_GAP // 60)
    data = game(1).encode() + b'\n[Event "x"]\n' + filler + game(2).encode() + b"\n" + game(3).encode()
    some = list(split(text(data)))
    assert max(len(piece.data) for piece in some) <= MAX_GAP
    (problem,) = [piece for piece in some if piece.problem]
    assert problem.first == game(1).count("\n") + 2
    found = reports([piece for piece in some if not piece.problem])
    assert [each.verdict for each in found] == ["legal", "legal"]
    assert found[1].line == data.decode().partition(game(3))[0].count("\n") + 1


@pytest.mark.parametrize("most", [9_999, 50_000])
def test_a_game_of_a_hundred_thousand_turns(most: int):
    turns = "".join(f"{number % most + 1}{side} 5A\n" for number in range(50_000) for side in "RE")
    data = f"{game(1)}\n{re.sub('(?ms)^1[RE] .*', turns + '*', game(2))}\n\n{game(3)}".encode()
    found = reports(list(split(text(data))))
    assert [each.verdict == "legal" for each in found] == [True, False, True]
