"""What a file says about itself is never believed: each number in it is held against what is there.

Each one becomes huge, negative, too small, or no number at all. Then there is the right answer, or a sentence.
"""

from __future__ import annotations

import copy
import json
import sqlite3
import struct
import tarfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
import tironian
from archives import checked, games, tarred, tiro
from scale import FULL, scaled
from tironian.tools.recorder import journal

EXAMPLES = Path(__file__).parents[2] / "examples"
WRONG: list[Any] = [10**14, -1, 0, "x", 10**400, 7, 1e300, float("nan"), None, True, [], 2**31, -(10**14)]
FEW = WRONG[: scaled(5, len(WRONG))]
Place = tuple[str | int, ...]


def numbers(value: Any, place: Place = ()) -> Iterator[Place]:
    """Every place of a number in JSON."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from numbers(each, (*place, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place


def kinds(value: Any) -> dict[str, Place]:
    """Every kind of number in JSON, with the place of the first one."""
    found: dict[str, Place] = {}
    for place in numbers(value):
        found.setdefault(".".join(key if isinstance(key, str) else "#" for key in place), place)
    return found


def saying(data: Any, place: Place, value: Any) -> Any:
    """The same data with another value at a place."""
    data = at = copy.deepcopy(data)
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    return data


# ------------------------------------------------------------------------------------------------------ --resume

COLUMNS = [("files", "pieces"), ("files", "whole"), ("files", "texts"), ("files", "games"), ("texts", "file"),
           ("moves", "text"), ("moves", "game"), ("kept", "bytes"), ("kept", "old")]  # fmt: skip
TALLY = '[2, 318, 74, {"legal": 2}, {}, 0]'
DAMAGED = "Error: st: this --resume file is damaged; name a new one\n"


@pytest.fixture
def resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a second run says, in a folder with what the first one knows."""
    monkeypatch.chdir(tmp_path)
    Path("g.tiro").write_text(games(2), encoding="utf-8")
    assert resume()[0] == 0
    return resume()[2]


def resume() -> tuple[int, str, str]:
    done = tiro("check", "g.tiro", "-j", 1, "--keep-good", "good", "--resume", "st")
    return done.exit_code, done.stdout, done.stderr


def set_to(column: str, value: object, more: str = "") -> None:
    table, name = column.split(".")
    with closing(sqlite3.connect("st")) as base:
        base.execute(f"UPDATE {table} SET {name} = ?{more}", (value,))
        base.commit()


@pytest.mark.parametrize("whole", [0, 1])
def test_a_register_is_right_or_damaged(resumed: str, whole: int):
    kept = Path("st").read_bytes()
    for table, name in COLUMNS:
        for value in (10**14, -1, 0, "x", 2, 1.5, None, 2**63 - 1)[whole : None if FULL else 4 : 1 if FULL else 2]:
            Path("st").write_bytes(kept)
            set_to("files.whole", whole)
            with suppress(sqlite3.IntegrityError):
                set_to(f"{table}.{name}", value)
            done = resume()
            right = done[0] == 0 and ("2 games, 318 events: 2 legal" in "".join(done[1:]))
            assert right or (done[0], done[2]) == (2, DAMAGED), (table, name, value, done)
            assert Path("good/g.tiro").read_text(encoding="utf-8") == Path("g.tiro").read_text(encoding="utf-8")


@pytest.mark.parametrize("said", [2, 10**7, 10**14])
def test_chunks_that_are_not_there_are_not_taken_for_checked(resumed: str, said: int):
    set_to("files.pieces", said, ", whole = 0")
    assert resume() == (2, "", DAMAGED)


@pytest.mark.parametrize("at", range(6))
def test_more_than_a_file_can_hold_is_not_in_it(resumed: str, at: int):
    tally = json.loads(TALLY)
    tally[at] = {next(iter(tally[at]), "error"): 10**14} if isinstance(tally[at], dict) else 10**14
    set_to("files.tally", json.dumps(tally))
    assert resume() == (2, "", DAMAGED)


# --------------------------------------------------------------------------------------------------- kept reports


def test_a_kept_report_is_right_or_judged_anew(tmp_path: Path):
    file, kept = tmp_path / "game.tiro", tmp_path / "game.insight.json"
    text = (EXAMPLES / "2024" / "tie-break.tiro").read_text(encoding="utf-8")
    file.write_text(text.partition("\n4E ")[0] + "\n", encoding="utf-8")
    judge = ("analyse", file, "--level", "quick", "--format", "html")
    right = tiro(*judge, "--keep").stdout
    data = json.loads(kept.read_text(encoding="utf-8"))
    for kind, place in kinds(data).items():
        for value in [value for value in WRONG if value not in (-1, 0, 7)] if FULL else (10**400,):
            kept.write_text(json.dumps(saying(data, place, value)), encoding="utf-8")
            done = tiro(*judge)
            assert done.exit_code == 0, (kind, value, done.stderr)
            assert done.stdout == right, (kind, value)


# -------------------------------------------------------------------------------------------------------- journals


def test_a_journal_of_the_recorder_is_read_as_far_as_it_is_true():
    whole = journal.Journal("[Rules “2024”]\n")
    for text, what, steps in (("a\n", "begun", 1), ("a\nb\n", "turn", 1), ("a\nb\nc\n", "turn", 1), ("a\n", "undo", 2)):
        entry = whole.entry(journal.SavedText(text), what, "1E", steps)
        assert entry
        whole.add(entry)
    lines = [json.loads(line) for line in whole.lines().splitlines()]
    assert journal.read(whole.lines())[2] == ""
    for place in numbers(lines):
        for value in [*WRONG, lines[int(place[0])][place[1]] + 1]:
            told = [json.dumps(line).encode() + b"\n" for line in saying(lines, place, value)]
            got, size, damage, _ = journal.read(b"".join(told))
            same = value == lines[int(place[0])][place[1]] and not isinstance(value, bool)
            if not same and damage:
                assert damage == f"line {int(place[0]) + 1}"
                assert size == sum(map(len, told[: int(place[0])]))
                assert (got is None) == (place[0] == 0)
            else:  # a place of an empty change, or the same number
                assert got
                assert got.text == whole.text


@pytest.mark.parametrize("field", ["file", "was", "now"])
def test_a_journal_of_an_event_holds_texts(tmp_path: Path, field: str):
    (tmp_path / "originals").mkdir()
    (tmp_path / "event.toml").write_text('format = "tironian-event"\nversion = 1\nplayers = []\n', encoding="utf-8")
    for value in WRONG:
        swap = {"file": "a.tiro", "was": "", "now": ""} | {field: value}
        if swap["now"] is None or swap["was"] is None:
            continue
        line = json.dumps({"what": "accept", "key": "1", "says": "x", "swaps": [swap]})
        (tmp_path / "originals" / "journal.jsonl").write_text(f"{line}\n", encoding="utf-8")
        done = tiro("event", tmp_path, "-j", 1, "--undo")
        if field == "file" or not isinstance(value, str):
            assert (done.exit_code, "T001" in done.output) == (2, False), (field, value, done.output)
        assert not (tmp_path / "a.tiro").exists()


# ------------------------------------------------------------------------------------------------- records in JSON


def test_a_record_in_json_is_taken_or_refused_in_a_sentence():
    seen = set[str]()
    for path in sorted(EXAMPLES.glob("*/*.tiro"))[:: scaled(6, 1)]:
        for game in tironian.parse(path.read_text(encoding="utf-8")):
            data = json.loads(json.dumps(tironian.to_json(game.record)))
            for kind, place in kinds(data).items():
                if kind in seen:
                    continue
                seen.add(kind)
                for value in FEW:
                    wrong = saying(data, place, value)
                    if value in (0, 7):  # it may be right
                        with suppress(tironian.InvalidJsonError):
                            tironian.write(tironian.from_json(wrong))
                    else:
                        with pytest.raises(tironian.InvalidJsonError, match=r"^.{1,300}$"):
                            tironian.from_json(wrong)
    assert len(seen) > 5


# ---------------------------------------------------------------------------------------------------------- Parquet


def varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        number, shift, at = number | (data[at] & 127) << shift, shift + 7, at + 1
        if data[at - 1] < 128:
            return number, at


def as_varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


COUNTS = {(3,), (4, 0, 2), (4, 0, 3), *[(4, 0, 1, 0, 3, number) for number in (5, 6, 7, 9, 11)]}
"""Where a footer has the numbers of rows, of bytes, and where the first column lies."""
Field = tuple[tuple[int, ...], int, int, bool]


def fields(data: bytes, at: int, kind: int, place: tuple[int, ...], found: list[Field]) -> int:
    """Find every number in Thrift's compact form, with its place, and whether it is a length; return where it ends."""
    if kind in (3, 7):
        return at + (1 if kind == 3 else 8)
    if kind in (4, 5, 6, 8):
        number, end = varint(data, at)
        found.append((place, at, end, kind == 8))
        return end + (number if kind == 8 else 0)
    if kind == 9:
        count, inner, at = data[at] >> 4, data[at] & 15, at + 1
        if count == 15:
            count, at = varint(data, at)
        for each in range(count):
            at = fields(data, at, inner, (*place, each), found) if inner > 2 else at + 1
    if kind == 12:
        number = 0
        while data[at]:
            step, inner, at = data[at] >> 4, data[at] & 15, at + 1
            if not step:
                long, at = varint(data, at)
                number = 0
                step = (long >> 1) ^ -(long & 1)
            number += step
            at = fields(data, at, inner, (*place, number), found)
        at += 1
    return at


def footers(data: bytes) -> Iterator[tuple[object, bytes]]:
    """The same Parquet file with another number in its footer."""
    size = struct.unpack("<L", data[-8:-4])[0]
    for said in (0, 1, size - 1, size + 1, len(data), 2**31, 2**32 - 1):
        yield said, data[:-8] + struct.pack("<L", said) + data[-4:]
    foot, found = data[-8 - size : -8], list[Field]()
    fields(foot, 0, 12, (), found)
    for place, begin, end, is_length in found[::5] if FULL else [one for one in found if one[0] in COUNTS]:
        for said in (10**14, -1, 0, 2**31 - 1) if FULL else (10**14, -1, 0):
            number = max(said, 0) if is_length else said << 1 if said >= 0 else (-said << 1) - 1
            new = foot[:begin] + as_varint(number) + foot[end:]
            yield (place, said), data[: -8 - size] + new + struct.pack("<L", len(new)) + b"PAR1"


def test_a_table_gives_the_right_rows_or_is_damaged(tmp_path: Path):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    (tmp_path / "g.tiro").write_text(games(2), encoding="utf-8")
    out = tmp_path / "out"
    assert tiro("export", tmp_path / "g.tiro", "-o", out, "-j", 1).exit_code == 0
    (part,) = (out / "games").iterdir()
    data = part.read_bytes()

    def ask() -> tuple[int, str, list[str]]:
        done = tiro("query", "-d", out, "SELECT count(*), sum(events), min(file) FROM games")
        return done.exit_code, done.stdout, done.stderr.splitlines()

    right, tricks = ask(), list(footers(data))
    for trick, new in tricks:
        part.write_bytes(new)
        code, rows, told = ask()
        assert (code, rows) == right[:2] or (code, len(told)) == (2, 1), (trick, code, rows, told)
        if code and (not isinstance(trick, tuple) or trick[0] in COUNTS):
            assert "`tiro export --force` writes it again" in told[0], (trick, told)
    assert len(tricks) > 25


# -------------------------------------------------------------------------------------------------------------- tar


@pytest.mark.parametrize("said", [1, 5, 155, 500])
def test_the_long_name_of_a_file_in_a_tar_is_whole_whatever_its_length_is_said_to_be(tmp_path: Path, said: int):
    data = bytearray(tarred({f"{'x' * 150}.tiro": games(1)}, format=tarfile.GNU_FORMAT))
    data[124:136] = b"%011o\0" % said
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    (tmp_path / "a.tar").write_bytes(data)
    assert [each.verdict for each in checked([tmp_path / "a.tar"])] == ["legal"]
