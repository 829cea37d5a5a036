"""Text comes back: every form there is, and the quick reader reads what Lark reads from the whole text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lark import Lark
from tironian import Alternative, Comment, Record, Result, Ruling, Turn, from_json, parse, to_json, write, write_all
from tironian.grammar import advice, grammar_text
from tironian.notation.parser import parse_file
from tironian.notation.reader import read_bytes

CASES = [
    line.strip("\n")
    for line in Path(__file__).with_name("roundtrip.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
READABLE = CASES[: CASES.index("1R zz")]
HOST = "1E 5Q\n"
GAME = """[Rules "2024"]
[Rules "1997"]
[Event "A \\"quoted\\" \\\\ open"]
[Site "Köln"]
[House "own"]
[House "own"]

; before the first turn
0R (1)P (2)Q (3)A (4)K (5)C m(12,"a ; b") +v
0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v {dealt} @0:00:10
1E (3)A 5Q +3x
   ; a line of its own
   | 1E (3)A 4P
   % E stands R203 R204: as it lies
1R (p)A {why?} 4P =A3p:53>R +4s ! ; at last
17-13 mR+ {close} ; thanks
; goodbye
"""


def split(case: str) -> tuple[str, str]:
    given, arrow, canonical = case.partition(" => ")
    return given, canonical if arrow else given


def text_of(line: str) -> str:
    """The case behind a turn, as a turn's line in the place where it may stand."""
    return HOST + line + "\n"


LIKE_OTHER_FILES = ("[]", "{}", '{"a": 1}', '{ "a": 1 } b', "[{", " [[1]]", "\udcff\udcfea", "\udcfe\udcff")


@pytest.mark.parametrize("line", LIKE_OTHER_FILES)
def test_a_record_that_begins_as_another_kind_of_file_does(line, tmp_path):
    """Inside a file it is read, so it is also read where it stands alone."""
    (record,) = (game.record for game in parse("\n" + line))
    assert from_json(to_json(record)) == record
    file = tmp_path / "alone.tiro"
    file.write_bytes(write(record).encode("utf-8", "surrogateescape"))
    with file.open("rb") as lines:
        assert [game.record for game in read_bytes(lines, file.name)] == [record]


@pytest.mark.parametrize("case", CASES)
def test_a_case(case):
    given, canonical = split(case)
    (game,) = parse(text_of(given))
    assert [line.strip() for line in write(game.record).splitlines()[1:]] == [canonical]
    (again,) = parse(write(game.record))
    assert again.record == game.record
    assert write(again.record) == write(game.record)
    assert from_json(to_json(game.record)) == game.record
    assert bool(game.problems) == (case not in READABLE)


def as_lines(records: list[Record]) -> list[object]:
    """What Lark gives for a whole file: its lines, one after the other."""
    lines: list[object] = []
    for record in records:
        lines += [*record.headers, *record.preface]
        for host in (*record.turns, record.result):
            if isinstance(host, Turn):
                lines.append(Turn(host.number, host.side, host.tokens, host.marks, host.notes))
            elif isinstance(host, Result):
                lines.append(Result(host.points, host.winner, host.verdicts, host.notes))
            lines += host.after if host else ()
    return lines


@pytest.mark.parametrize("case", READABLE)
def test_quick_reading_is_lark_s_for_a_line(case):
    text = text_of(split(case)[0])
    assert as_lines([game.record for game in parse(text)]) == parse_file(text)


@pytest.mark.parametrize("text", [GAME, GAME + "\n" + GAME, "\n\n  " + GAME.replace("\n", "  \n\n"), "", "\n"])
def test_quick_reading_is_lark_s_for_a_file(text):
    assert as_lines([game.record for game in parse(text)]) == [*parse_file(text)]


def test_canonical_text_stays_as_it_is():
    (game,) = parse(GAME)
    assert not game.problems
    assert write(game.record) == GAME
    games = parse(GAME + "\n" + GAME)
    assert len(games) == 2
    assert write_all(game.record for game in games) == GAME + "\n" + GAME


def test_headers_come_in_their_order_and_case():
    (game,) = parse('[own "1"]\n[event "E"]\n[RULES "2024"]\n[Event "F"]\n[own "0"]\n1R\n')
    assert write(game.record) == '[Rules "2024"]\n[Event "E"]\n[Event "F"]\n[own "1"]\n[own "0"]\n\n1R\n'


def test_every_line_becomes_its_kind():
    record = parse(GAME)[0].record
    assert record.preface == (Comment("before the first turn"),)
    assert [type(entry) for entry in record.turns[2].after] == [Comment, Alternative, Ruling]
    assert record.turns[3].notes == (Comment("why?", 1), Comment("at last"))
    assert record.result is not None
    assert record.result.notes == (Comment("close", 0), Comment("thanks"))
    assert record.result.after == (Comment("goodbye"),)


def test_every_terminal_has_words():
    names = set(re.findall(r"^(_?[A-Z][A-Z_]*)(?:\.\d+)?:", grammar_text(), re.MULTILINE))
    assert names | {"$END"} == set(advice()["terminals"])
    lark = Lark(grammar_text(), parser="lalr", start=["file", "line", "item"])
    assert {terminal.name for terminal in lark.terminals} == names
