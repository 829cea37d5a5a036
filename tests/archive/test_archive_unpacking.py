"""Archives and streams of odd make: what can be read of them is, and nothing goes missing without a word."""

from __future__ import annotations

import gzip
import io
import os
import struct
import tarfile
import threading
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
import zstandard
from archives import checked, game, games, tarred, tiro, verdicts, zipped
from bombs import zstd_runs
from tironian.tools.storage import sources
from tironian.tools.storage.sources import DIRECTORY

BLOCK = 512


def tape(count: int, *, end: bool = True, prefix: str = "", form: int = tarfile.USTAR_FORMAT) -> bytes:
    """A tar with a game in each of its files."""
    data = tarred({f"{prefix}g{seed}.tiro": game(seed) for seed in range(count)}, format=form)
    # Two blocks of zeros end it, and more fill it up.
    return data if end else data[: -(-len(data.rstrip(b"\0")) // BLOCK) * BLOCK]


def starts(data: bytes) -> list[int]:
    """Where the headers of a tar stand."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return [info.offset for info in archive]


TAPE = tape(5)
AT = starts(TAPE)
LONG = "x" * 150
PAX, GNU = (tape(4, prefix=LONG, form=form) for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT))
ZERO = bytes(BLOCK)


def named(data: bytes, number: int) -> int:
    """Where the header of a file stands whose long name comes before it."""
    return data.index(b"ustar", starts(data)[number] + 2 * BLOCK) - 257


TAPES = {
    "a header of zeros": (TAPE[: AT[2]] + ZERO + TAPE[AT[2] + BLOCK :], 4, "part of it is damaged"),
    "the last one of zeros": (TAPE[: AT[4]] + ZERO + TAPE[AT[4] + BLOCK :], 4, "part of it is damaged"),
    "a lost sector": (TAPE[: AT[2]] + ZERO * 2 + TAPE[AT[2] + 2 * BLOCK :], 4, "part of it is damaged"),
    "two in one, damaged": (tape(2) + TAPE[:1] + b"\xff" * 9 + TAPE[10:], 6, "part of it is damaged"),
    "long names": (PAX, 4, ""),
    "a file behind its long name": (
        PAX[: named(PAX, 1)] + b"\xff" + PAX[named(PAX, 1) + 1 :],
        3,
        "part of it is damaged",
    ),
    "the same as GNU has it": (GNU[: named(GNU, 1)] + b"\xff" + GNU[named(GNU, 1) + 1 :], 3, "part of it is damaged"),
    "a damaged header": (TAPE[: AT[2]] + b"\xff" + TAPE[AT[2] + 1 :], 4, "part of it is damaged"),
    "cut in a header": (TAPE[: AT[2] + 100], 2, "part of it is missing"),
    "cut before a header": (TAPE[: AT[2]], 2, "part of it is missing"),
    "without an end": (tape(5, end=False), 5, "part of it is missing"),
    "whole": (TAPE, 5, ""),
    "padded": (TAPE + bytes(20 * BLOCK), 5, ""),
    "with something behind it": (TAPE + b"\xff" * 3 * BLOCK, 5, ""),
    "two in one": (TAPE + tape(2), 7, ""),
}


@pytest.mark.parametrize("name", TAPES)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_tar_is_read_to_its_end_and_what_is_missing_is_told(tmp_path: Path, name: str, pack):
    data, legal, problem = TAPES[name]
    path = tmp_path / "a.tar"
    path.write_bytes(pack(data))
    found = checked([path])
    assert sum(each.verdict == "legal" for each in found) == legal
    messages = [each.message for report in found for each in report.diagnostics if each.code == "N108"]
    assert len(messages) == bool(problem)
    assert all(problem in each for each in messages)
    assert tiro("check", path).exit_code == (2 if problem else 0)


def zip64(members: int, directory: int | None = None) -> bytes:
    """A zip whose sizes stand in the record for large ones; ``directory`` is what that says of its directory."""
    data = zipped({f"g{seed}.tiro": game(seed) for seed in range(members)})
    size, offset = struct.unpack_from("<LL", data, len(data) - 22 + 12)
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, members, members, directory or size, offset)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(data) - 22, 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:-22] + record + locator + end


def test_a_large_zip_is_one_with_a_large_directory(tmp_path: Path):
    (tmp_path / "a.zip").write_bytes(zip64(3))
    assert verdicts(tmp_path / "a.zip") == ["legal"] * 3
    (tmp_path / "b.zip").write_bytes(zip64(3, DIRECTORY + 1))
    (found,) = checked([tmp_path / "b.zip"])
    assert "its directory of files has more than 8 MB" in found.diagnostics[0].message


def test_a_zip_with_a_comment(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.tiro", game(1))
        archive.comment = b"of last season, PK\3\4"
    assert verdicts(tmp_path / "a.zip") == ["legal"]


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name here")
@pytest.mark.parametrize("first", [1, 100])
@pytest.mark.parametrize("make", [lambda: gzip.compress(games(2).encode()), lambda: tape(2)], ids=["gz", "tar"])
def test_a_stream_that_begins_slowly_is_what_it_is(tmp_path: Path, make, first: int):
    termios, fcntl = pytest.importorskip("termios"), pytest.importorskip("fcntl")
    pipe, data = tmp_path / "pipe", make()
    os.mkfifo(pipe)

    def write() -> None:
        with open(pipe, "wb", buffering=0) as stream:
            stream.write(data[:first])
            while any(fcntl.ioctl(stream, termios.FIONREAD, bytes(4))):  # until all that was there has been read
                time.sleep(0)
            stream.write(data[first:])

    writer = threading.Thread(target=write)
    writer.start()
    found = checked([pipe])
    writer.join()
    assert [each.verdict for each in found] == ["legal"] * 2


def test_a_stream_of_small_pieces_is_what_it_is(tmp_path: Path):
    data = tape(3)
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(data[:100]) + gzip.compress(data[100:]))
    assert verdicts(tmp_path / "a.tar.gz") == ["legal"] * 3


BLOCK_OF_ZSTD = 1 << 17


def runs(count: int) -> bytes:
    """A frame of zstd in which four bytes stand for one block, so many times."""
    return zstd_runs(count * BLOCK_OF_ZSTD)


def test_what_comes_out_of_zstd_at_once_is_bounded():
    out, frames = 0, sources._ZstdStream(io.BufferedReader(io.BytesIO(runs(500))))
    tracemalloc.start()
    while block := frames.read1(1 << 16):
        out += len(block)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert out == 500 * BLOCK_OF_ZSTD
    assert peak < 32 << 20


def test_frames_of_zstd_follow_each_other_and_a_torn_one_is_told():
    def read(data: bytes) -> int:
        out, frames = 0, sources._ZstdStream(io.BufferedReader(io.BytesIO(data)))
        while block := frames.read1(1 << 16):
            out += len(block)
        return out

    skipped = struct.pack("<LL", 0x184D2A50, 300) + bytes(300)
    many = skipped + runs(3) + zstandard.compress(b"x" * 1000) * 500 + skipped + runs(70) + skipped
    assert read(many) == 73 * BLOCK_OF_ZSTD + 500_000
    for torn in (
        runs(70)[:-4],
        runs(70)[:-2],
        many[:-301],
        many + skipped[:4],
    ):
        with pytest.raises(EOFError):
            read(torn)


def test_zstd_may_begin_with_a_frame_to_be_skipped(tmp_path: Path):
    skipped = struct.pack("<LL", 0x184D2A53, 4) + b"note"
    (tmp_path / "a.tiro.zst").write_bytes(skipped + zstandard.compress(games(3).encode()))
    assert verdicts(tmp_path / "a.tiro.zst") == ["legal"] * 3


def test_what_stands_behind_a_compressed_text_is_told(tmp_path: Path):
    (tmp_path / "a.tiro.gz").write_bytes(gzip.compress(games(3).encode()) + b"garbage")
    *legal, told = checked([tmp_path / "a.tiro.gz"])
    assert [each.verdict for each in legal] == ["legal"] * 2
    assert "uncompressed data follows" in told.diagnostics[0].message
