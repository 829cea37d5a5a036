"""Whatever is done to a valid file, reading and checking it ends in diagnostics or a valid record, and soon.

Some 1,600 mutations in every run, a million with TIRO_FULL=1 (``make full``).
"""

from __future__ import annotations

import io
import random
from collections import Counter
from time import process_time

import pytest
from scale import FULL, scaled
from tironian import EDITION_NAMES, Game, check, load_edition, parse, simulate, write
from tironian.notation.reader import read_bytes
from tironian.replay.diagnostics.registry import NOTHING, VERDICTS
from tironian.tools.report.text import plain

CHUNKS = 16
SLOWEST = 1.0
"""Seconds of processor time that a file under 100 kB may take: twenty times as many as the slowest does."""
ODD_BYTES = b'\x00\xff\xc3\xa9\t\r\n "{}[]()|%;:*=+-#>@$!?0159EREAQxyvwcsmaihgdb\\'
ODD_LINES = (
    b"", b"   ", b"| 1R", b"% R stands", b"% E back: so", b"; note", b"{note}", b"*", b"17-13>E", b'[Rules "fr"]',
)  # fmt: skip


def corpus() -> list[bytes]:
    """Short games and beginnings of games, of every rule set."""
    found = []
    for name in EDITION_NAMES:
        for seed in range(12):
            lines = write(simulate(load_edition(name), seed)).splitlines()
            cut = len(lines) if seed < 2 else 14 + 2 * seed
            found.append("\n".join(lines[:cut]).encode() + b"\n")
    return found


def change_bytes(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        place = rng.randrange(len(out) + 1)
        end = place + rng.choice((0, 1, 1, 2, 8))
        out[place:end] = bytes(rng.choice(ODD_BYTES) for _ in range(rng.choice((0, 1, 1, 2))))
    return bytes(out)


def change_tokens(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    words = data.split()
    for _ in range(rng.choice((1, 1, 2, 4))):
        line = rng.randrange(len(lines))
        parts = lines[line].split(b" ")
        place = rng.randrange(len(parts))
        parts[place : place + rng.choice((0, 1, 1))] = [rng.choice(words)] * rng.choice((0, 1, 1, 2))
        lines[line] = b" ".join(parts)
    return b"\n".join(lines)


def change_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 1, 2, 4))):
        place = rng.randrange(len(lines))
        new = rng.choice((rng.choice(lines), rng.choice(ODD_LINES), lines[place] * 2))
        lines[place : place + rng.choice((0, 1, 1, 3))] = [new] * rng.choice((0, 1, 1))
    return b"\n".join(lines) or b"\n"


def judged(data: bytes) -> list[Game]:
    """Everything that ``tiro check`` does with a file."""
    games = list(read_bytes(io.BytesIO(data), "fuzz.tiro"))
    for game in games:
        verdict = check(game)
        assert verdict.verdict in VERDICTS or (verdict.verdict == NOTHING and game.missing)
        assert verdict.verdict == "legal" or verdict.diagnostics
        for diagnostic in verdict.diagnostics[:3]:
            assert diagnostic.code[0] not in "RC" or "{" not in diagnostic.message
            plain(diagnostic)
    return games


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_mutations_end_in_diagnostics_or_a_record(chunk: int) -> None:
    rng = random.Random(f"fuzz {chunk}")
    files = corpus()
    slowest = 0.0
    seen: Counter[str] = Counter()
    for _ in range(scaled(100, 1_000_000 // CHUNKS)):
        data = rng.choice((change_bytes, change_tokens, change_lines))(rng.choice(files), rng)
        began = process_time()
        try:
            games = judged(data)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}\n{data!r}") from error
        slowest = max(slowest, process_time() - began)
        assert slowest < SLOWEST or not FULL, data
        for game in games[:1]:
            seen["unread" if game.problems else "read"] += 1
            if not game.problems:
                assert parse(write(game.record))[0].record == game.record, data
    assert seen["read"]
    assert seen["unread"]
