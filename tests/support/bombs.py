"""Small files of which much comes out, or that take much to read: what strangers could send.

Every bomb is made for a size, which is about that of its text. ``launched`` runs a command on one within limits, and
tells what it took.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import subprocess
import sys
import tarfile
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import zstandard
from archives import zipped

HEAD: Final = (
    b'[Rules "2024"]\n[Event "?"]\n[Result "*"]\n\n0R (1)P (2)Q (3)A (4)K (5)C m(12,A) +v\n'
    b"0E (3)P (1)Q (5)A (2)K (4)C m(each,Q) +v\n"
)
TURN: Final = b"1E (1)A 2Q +11\n"
GAMES: Final[dict[str, tuple[bytes, bytes]]] = {
    "comments": (HEAD, b";\n"), "turns": (HEAD, b"1E -\n"), "bad lines": (HEAD, b"x\n"), "blank lines": (HEAD, b"\n"),
    "alternatives": (HEAD + TURN, b"| 1E (1)A\n"), "rulings": (HEAD + TURN, b"% E stands\n"),
    "headers": (b'[Rules "2024"]\n', b'[A "x"]\n'), "games of a header": (b"", b'[Rules "2024"]\n\n'),
    "one line": (HEAD + b"1E ", b"x"), "one comment": (HEAD + b"; ", b"["),
}  # fmt: skip
"""How a text begins, and what it goes on with."""


def filled(head: bytes, unit: bytes, size: int) -> bytes:
    return head + unit * max(0, (size - len(head)) // len(unit)) + b"\n*\n"


def tarred(data: bytes, name: str = "a.tiro", before: bytes = b"") -> bytes:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    padding = -len(data) % tarfile.BLOCKSIZE
    return before + info.tobuf(tarfile.USTAR_FORMAT) + data + bytes(padding + 2 * tarfile.BLOCKSIZE)


def extended(kind: bytes, data: bytes) -> bytes:
    """A header of a tar that tells about the next one."""
    info = tarfile.TarInfo("about")
    info.type, info.size = kind, len(data)
    return info.tobuf(tarfile.USTAR_FORMAT) + data + bytes(-len(data) % tarfile.BLOCKSIZE)


def records(size: int) -> bytes:
    """Many short PAX records, each with a name of its own."""
    data = bytearray()
    for number in count():
        if len(data) >= size:
            return bytes(data)
        data += b"14 k%07x=x\n" % number
    raise AssertionError


def zstd_runs(size: int, letter: bytes = b"\n") -> bytes:
    """A frame of zstd in which four bytes stand for 128 kB."""
    block = 1 << 17
    left = max(1, size // block)
    heads = ((block << 3 | 2 | (each == 1)).to_bytes(3, "little") for each in range(left, 0, -1))
    return b"\x28\xb5\x2f\xfd\0\x38" + b"".join(head + letter for head in heads)


COMMENTS: Final = GAMES["comments"]
PACKED: Final[dict[str, Callable[[int], bytes]]] = {
    "a.tiro.bz2": lambda size: bz2.compress(filled(*COMMENTS, size)),
    "a.tiro.xz": lambda size: lzma.compress(filled(*COMMENTS, size)),
    "a.tiro.zst": lambda size: zstandard.compress(filled(*COMMENTS, size)),
    "runs.tiro.zst": zstd_runs,
    "a.zip": lambda size: zipped({"a.tiro": filled(*COMMENTS, size)}),
    "a.tar.gz": lambda size: gzip.compress(tarred(filled(*COMMENTS, size))),
    "gz in gz.tiro.gz": lambda size: gzip.compress(gzip.compress(filled(*COMMENTS, size))),
    "tar.gz in a.zip": lambda size: zipped({"a.tar.gz": gzip.compress(tarred(filled(*COMMENTS, size)))}),
    "gz in a.zip": lambda size: zipped({"a.tiro.gz": gzip.compress(filled(*COMMENTS, size))}),
    "pax.tar.gz": lambda size: gzip.compress(tarred(HEAD, before=extended(tarfile.XHDTYPE, records(size)))),
    "digits.tar.gz": lambda size: gzip.compress(tarred(HEAD, before=extended(tarfile.XHDTYPE, b"9" * size))),
    "many pax.tar.gz": lambda size: gzip.compress(extended(tarfile.XHDTYPE, b"") * (size // 512) + tarred(HEAD)),
    "global pax.tar.gz": lambda size: gzip.compress(
        b"".join(tarred(b"", before=extended(tarfile.XGLTYPE, records(1 << 16))) for _ in range(size >> 16))
        + tarred(HEAD)
    ),
    "long name.tar.gz": lambda size: gzip.compress(
        tarred(HEAD, before=extended(tarfile.GNUTYPE_LONGNAME, b"x" * size))
    ),
}


def _text(name: str, size: int) -> bytes:
    return filled(*GAMES[name], size)


BOMBS: Final[dict[str, Callable[[int], bytes]]] = {
    **{f"{name}.tiro": partial(_text, name) for name in GAMES},
    **{f"{name}.tiro.gz": lambda size, name=name: gzip.compress(_text(name, size)) for name in GAMES},
    **PACKED,
}
"""What a file is called → how it is made for a size."""


class Cost(NamedTuple):
    """What a command took: the memory of its largest process in MB, and processor time of all of them in seconds."""

    code: int
    memory: float
    seconds: float
    out: str
    errors: str


# The memory of a process is also that of the one that it came from, so it must come from a small one.
_LAUNCHER: Final = """
import json, os, resource, subprocess, sys
memory, seconds = map(int, sys.argv[1:3])
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
with open(sys.argv[4], "wb") as out, open(sys.argv[5], "wb") as errors:
    given = subprocess.Popen(["cat", sys.argv[3]], stdout=subprocess.PIPE)
    process = subprocess.Popen(sys.argv[6:], stdin=given.stdout, stdout=out, stderr=errors)
    given.stdout.close()
    _, status, used = os.wait4(process.pid, 0)
    given.wait()
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024, used.ru_utime + used.ru_stime]))
"""


def launched(folder: Path, *args: object, stdin: Path | str = "/dev/null", seconds: int = 120) -> Cost:
    """Run ``tiro`` with 2 GB of addresses and so much processor time for a process; ``stdin`` comes through a pipe."""
    out, errors = folder / "out", folder / "errors"
    command = [sys.executable, "-m", "tironian.tools.cli", *map(str, args)]
    limits = [str(2 << 30), str(seconds)]
    done = subprocess.run(
        [sys.executable, "-c", _LAUNCHER, *limits, str(stdin), str(out), str(errors), *command],
        capture_output=True,
        check=True,
    )
    code, memory, spent = json.loads(done.stdout)
    return Cost(code, memory, spent, out.read_text("utf-8", "replace"), errors.read_text("utf-8", "replace"))
