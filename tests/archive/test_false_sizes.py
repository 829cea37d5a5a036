"""What a file says about its own sizes, counts and offsets is held against what is there: one word, and the rest is
read.
"""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard
from archives import checked, game, tarred, zipped
from tironian.tools.storage.sources import Damaged, texts_within

BLOCK = 512
TEXTS = {f"{name}.tiro": game(seed) for name, seed in (("p", 1), ("q", 2), ("r", 3))}
TEXT = game(1).encode()
SIZES = (10**14, 2**63, 2**87, 5 << 30, 9000, len(TEXT) + 700)
"""From what no disk holds to a few bytes too many."""


def with_header(data: bytes, at: int, begin: int, field: bytes) -> bytes:
    """A tar with another field in the header at a place, and with the right checksum."""
    head = bytearray(data[at : at + BLOCK])
    head[begin : begin + len(field)] = field
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return data[:at] + bytes(head) + data[at + BLOCK :]


def base256(size: int) -> bytes:
    return b"\x80" + size.to_bytes(11, "big") if size >= 0 else (256**12 + size).to_bytes(12, "big")


def pax(**said: str) -> bytes:
    """A tar whose first file has these PAX records."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, text in TEXTS.items():
            info, data = tarfile.TarInfo(name), text.encode()
            info.size = len(data)
            info.pax_headers = {key.replace("_", "."): value for key, value in said.items()} if name == "p.tiro" else {}
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def sparse(kind: bytes) -> bytes:
    """An old sparse file whose parts lie nowhere."""
    data = with_header(GNU, 0, 156, b"S")
    data = with_header(data, 0, 386, kind * 8)
    return with_header(data, 0, 482, b"\1" + base256(10**12))


GNU = tarred(TEXTS, format=tarfile.GNU_FORMAT)
LONG = tarred({"x" * 150 + ".tiro": TEXT, **TEXTS}, format=tarfile.GNU_FORMAT)
TARS: dict[str, tuple[bytes, int]] = {
    **{f"base 256 {size}": (with_header(GNU, 0, 124, base256(size)), 3) for size in SIZES},
    **{f"negative {size}": (with_header(GNU, 0, 124, base256(-size)), 2) for size in (1, 5, 512, 10**6, 10**20)},
    **{f"pax {size}": (pax(size=str(size)), 3) for size in (10**14, 9000)},
    **{f"pax {size[:9]}": (pax(size=size), 2) for size in ("-5", "abc", "9" * 400, "1e9", "٣", "")},
    "octal rubbish": (with_header(GNU, 0, 124, b"99999999999\0"), 2),
    "a smaller size": (with_header(GNU, 0, 124, b"%011o\0" % 100), 2),
    "a long name of 1 TB": (with_header(LONG, 0, 124, base256(1 << 40)), 3),
    "an extended header of 1 TB": (with_header(pax(comment="x"), 0, 124, base256(1 << 40)), 2),
    "sparse in pax": (pax(GNU_sparse_map="0,5,9999999999,5", GNU_sparse_size="9" * 12), 3),
    **{f"old sparse {kind[:1]!r}": (sparse(kind), 2) for kind in (base256(10**12), base256(-5), b"7" * 12)},
}
"""The trick → the tar, and how many of its games can be read."""
IN = {"tar": bytes, "gz": gzip.compress, "xz": lzma.compress, "zst": zstandard.compress}


class Steps(io.BytesIO):
    """A file that counts how often it is read."""

    steps = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.steps += 1
        return super().read(size)


def steps(data: bytes, name: str) -> int:
    stream = Steps(data)
    for text in texts_within(stream, name, len(data)):
        with suppress(Damaged):  # told elsewhere
            while text.stream and text.stream.read(1 << 16):
                pass
    return stream.steps


def told(folder: Path) -> list[str]:
    """Where each N108 stands, with the games of the folder's other file judged."""
    (folder / "z.tiro").write_text(game(9), encoding="utf-8")
    reports = checked([folder])
    assert reports[-1].verdict == "legal"
    return [one.source.name for each in reports for one in each.diagnostics if one.code == "N108"]


@pytest.mark.parametrize("pack", IN)
@pytest.mark.parametrize("trick", TARS)
def test_a_tar_is_read_to_its_end_whatever_it_says(tmp_path: Path, trick: str, pack: str):
    data, legal = TARS[trick]
    name = "a.tar" if pack == "tar" else f"a.tar.{pack}"
    (tmp_path / name).write_bytes(IN[pack](data))
    assert steps(IN[pack](data), name) < 100
    assert len(told(tmp_path)) == 1
    assert sum(each.verdict == "legal" for each in checked([tmp_path / name])) >= legal


ZIP = zipped(TEXTS)
CENTRAL, END, LOCAL = b"PK\1\2", b"PK\5\6", b"PK\3\4"
FIELDS = {
    "stored size": (CENTRAL, 20, "<L"), "size": (CENTRAL, 24, "<L"), "name": (CENTRAL, 28, "<H"),
    "extra": (CENTRAL, 30, "<H"), "comment": (CENTRAL, 32, "<H"), "place": (CENTRAL, 42, "<L"),
    "name before": (LOCAL, 26, "<H"), "extra before": (LOCAL, 28, "<H"), "count": (END, 10, "<H"),
    "directory": (END, 12, "<L"), "where": (END, 16, "<L"), "last comment": (END, 20, "<H"),
}  # fmt: skip


def zip_saying(field: str, value: int, data: bytes = ZIP) -> bytes:
    sign, at, form = FIELDS[field]
    new = bytearray(data)
    struct.pack_into(form, new, data.index(sign) + at, value % (1 << 8 * struct.calcsize(form)))
    return bytes(new)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", [0, 1, 60, -2, 0x7FFF])
def test_a_zip_is_read_whatever_it_says(tmp_path: Path, field: str, value: int):
    data = zip_saying(field, value)
    (tmp_path / "a.zip").write_bytes(data)
    assert steps(data, "a.zip") < 200
    places = told(tmp_path)
    legal = sum(each.verdict == "legal" for each in checked([tmp_path / "a.zip"]))
    assert places or legal == 3, "a game is lost without a word"
    assert len(places) <= 1


def test_two_zips_in_one_file_are_not_taken_for_the_second(tmp_path: Path):
    (tmp_path / "a.zip").write_bytes(zipped({"p.tiro": TEXT}) + zipped({"q.tiro": game(2)}))
    assert told(tmp_path) == [str(tmp_path / "a.zip")]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_little_comes_out_of_a_zip_at_once(method: int):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        archive.writestr("a.tiro", b"\n" * (200 << 20))
    stream.seek(0)
    tracemalloc.start()
    (text, *_) = texts_within(stream, "a.zip", len(stream.getvalue()))
    assert text.stream
    assert tracemalloc.get_traced_memory()[1] < 120 << 20
    tracemalloc.stop()


FRAME = b"\x28\xb5\x2f\xfd"
RAW = (len(TEXT) << 3 | 1).to_bytes(3, "little") + TEXT
"""The last block of a frame, as it is."""


def gz(flag: int = 0, field: bytes = b"", size: int | None = None) -> bytes:
    data = bytearray(gzip.compress(TEXT))
    data[3] |= flag
    data[10:10] = field
    if size is not None:
        data[-4:] = struct.pack("<L", size)
    return bytes(data)


def xz(window: int) -> bytes:
    """A text whose packer says that it needs so large a window."""
    data = bytearray(lzma.compress(TEXT))
    end = 12 + (data[12] + 1) * 4
    data[data.index(b"\x21\1") + 2] = window
    data[end - 4 : end] = struct.pack("<L", zlib.crc32(data[12 : end - 4]))
    return bytes(data)


PACKED: dict[str, Callable[[], bytes]] = {
    "size.tiro.gz": lambda: gz(size=0xFFFFFFFF),
    "no size.tiro.gz": lambda: gz(size=0),
    "extra.tiro.gz": lambda: gz(4, b"\xff\xff"),
    "name.tiro.gz": lambda: gz(8, b"x" * 5000)[:5010],
    "window.tiro.zst": lambda: FRAME + bytes([0, (41 - 10) << 3]) + RAW,
    "content.tiro.zst": lambda: FRAME + b"\xc0\x38" + struct.pack("<Q", 1 << 50) + RAW,
    "whole.tiro.zst": lambda: FRAME + b"\xe0" + struct.pack("<Q", 1 << 50) + RAW,
    "dictionary.tiro.zst": lambda: FRAME + b"\x03\x38" + struct.pack("<L", 77) + RAW,
    "skipped.tiro.zst": lambda: struct.pack("<LL", 0x184D2A50, 0xFFFFFFFF) + FRAME + RAW,
    "block.tiro.zst": lambda: FRAME + b"\0\x38" + ((1 << 17) << 3 | 1).to_bytes(3, "little") + TEXT,
    "index.tiro.xz": lambda: lzma.compress(TEXT)[:-8] + b"\xff" * 4 + lzma.compress(TEXT)[-4:],
    "level.tiro.bz2": lambda: b"BZh9" + b"\x31\x41\x59\x26\x53\x59" + b"\xff" * 100,
}


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_text_is_read_whatever_it_says(tmp_path: Path, name: str):
    data = PACKED[name]()
    (tmp_path / name).write_bytes(data)
    assert steps(data, name) < 100
    assert told(tmp_path) == [str(tmp_path / name)]
    (tmp_path / name).unlink()
    (tmp_path / "a.zip").write_bytes(zipped({name: data, **TEXTS}))
    (tmp_path / "b.tar").write_bytes(tarred({name: data, **TEXTS}))
    assert told(tmp_path) == [str(tmp_path / "a.zip" / name), str(tmp_path / "b.tar" / name)]


def test_a_window_that_a_text_does_not_need_costs_nothing(tmp_path: Path):
    (tmp_path / "a.tiro.xz").write_bytes(xz(40))
    assert told(tmp_path) == []
