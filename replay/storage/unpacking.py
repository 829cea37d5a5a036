"""What lies in a file: a text, a compressed one, or an archive of several. Told by its first bytes, not by its name.

Strangers send archives, so nothing in one is believed: what comes out of a file is bounded by its size, an archive
within an archive stays closed, and whatever breaks ends that text and not the work.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib import import_module
from typing import IO, Any, Final, NamedTuple

from . import stores

RATIO: Final = 250
"""How many times its size may come out of a file. Texts of games come to a tenth, of one game repeated to a 200th."""
FLOOR: Final = 8 << 20
"""Bytes that may come out of any file."""
DIRECTORY: Final = 8 << 20
"""Bytes of a zip's directory, which takes ten times as much memory: some hundred thousand files."""
BLOCK: Final = 1 << 16
STEP: Final = 256
"""Bytes of zstd that are unpacked at once: at most 64 blocks of 128 kB come out of them, and one from before."""
HEAD: Final = 512
"""Bytes that tell what something is."""
_PRESSED_SUFFIXES: Final = ("", ".gz", ".zst", ".bz2", ".xz")
TEXT_SUFFIXES: Final = tuple(f".tiro{each}" for each in _PRESSED_SUFFIXES)
"""What a text is called, in a folder and in an archive."""
ARCHIVE_SUFFIXES: Final = (".zip", ".tgz", *(f".tar{each}" for each in _PRESSED_SUFFIXES))
"""What an archive is called in a folder."""
INNER: Final = "an archive within an archive is not opened; unpack the outer one"
NOTHING: Final = "there is no .tiro file in this archive"
_TAR_AT: Final = 257


class Damaged(Exception):
    """A text that can't be read any further. Its message says why, as it is told to people."""


class Text(NamedTuple):
    """A text by its name, and the stream of its bytes; None with the ``problem`` where there is none.

    ``plain``: it is all of its file, just as it lies there. ``taken`` says how many bytes of that have been read.
    """

    name: str
    stream: io.BufferedReader | None
    problem: str = ""
    plain: bool = False
    taken: Callable[[], int] = int


def reason(error: BaseException) -> str:
    """Why something can't be read, as it is told to people."""
    if isinstance(error, Damaged | stores.StoreError):
        return str(error)
    if isinstance(error, FileNotFoundError):
        return "there is no such file or folder"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if isinstance(error, EOFError):
        return "the file ends too early: a part of it is missing"
    if type(error).__name__ == "BadGzipFile":  # not imported for its name alone
        return "it is damaged, or something that is not compressed stands behind what is"
    if isinstance(error, ImportError):
        return f"what it takes is not installed ({error})"
    if isinstance(error, MemoryError):
        return "this machine has not enough memory for it"
    return f"it is damaged ({str(error) or type(error).__name__})"


class _Blocks(io.RawIOBase):
    """Bytes in blocks, as they come; the first is never a short one, since what it is is told by its head.

    What is there before it breaks is to come out, so ``read`` is to ask for no more than comes at once. ``came`` is
    told how many bytes did.
    """

    _least = HEAD
    _error: Damaged | None = None
    """What comes behind what there still was."""

    def __init__(self, read: Callable[[int], bytes], came: Callable[[int], object] = int) -> None:
        self._read, self._came = read, came

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._error:
            raise self._error
        found = self._block(len(buffer))
        while found and len(found) < min(self._least, len(buffer)):
            try:
                more = self._block(len(buffer) - len(found))
            except Damaged as error:
                self._error = error
                break
            if not more:
                break
            found += more
        self._least = 0
        buffer[: len(found)] = found
        return len(found)

    def _block(self, size: int) -> bytes:
        """At most so many bytes; Damaged where there are no more, but not the end."""
        try:
            block = self._read(size)
        except Damaged:
            raise
        except Exception as error:
            raise Damaged(reason(error)) from error
        self._came(len(block))
        return block


class _Raw(_Blocks):
    """The bytes of a file as they lie there, counted, with what has come out of them."""

    def __init__(self, stream: IO[bytes], size: int) -> None:
        super().__init__(stream.read)
        self._stream, self._size = stream, size
        self._taken = self._out = 0

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def _block(self, size: int) -> bytes:
        block = super()._block(size)
        self._taken += len(block)
        return block

    def taken(self) -> int:
        return self._taken

    def give(self, count: int) -> None:
        """So many bytes come out of it. Damaged where that is more than may, by now; what is read twice counts once."""
        self._out += count
        if self._out > max(FLOOR, RATIO * (min(self._taken, self._size) if self._size else self._taken)):
            times = f"{RATIO} times as much as goes in, and more than {FLOOR >> 20} MB"
            raise Damaged(f"{times}, comes out of it, as out of no archive of games; unpack it yourself if it is one")


def _bounded(stream: Any, file: _Raw) -> io.BufferedReader:
    return io.BufferedReader(_Blocks(stream.read1, file.give), BLOCK)


def texts_of(path: str, size: int = 0) -> Iterator[Text]:
    """The texts in a file, ``-`` for standard input, or at an address."""
    name = "<stdin>" if path == "-" else path
    try:
        with _opened(path) as stream:
            file = _Raw(stream, size)
            yield from _unpacked(io.BufferedReader(file, BLOCK), name, file, inside=False)
    except Exception as error:  # noqa: BLE001  # each library has errors of its own
        yield Text(name, None, reason(error))


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    if path == "-":
        if sys.stdin is None:
            raise Damaged("standard input is closed")
        # Unbuffered: the buffered one hears no Ctrl-C between two of the reads that make up a block.
        yield getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    else:
        with stores.reading(path) if stores.is_address(path) else open(path, "rb", buffering=0) as stream:
            yield stream


def _unpacked(stream: io.BufferedReader, name: str, file: _Raw, *, inside: bool, layers: int = 0) -> Iterator[Text]:
    head = stream.peek(BLOCK)
    if press := next((press for sign, press in _PRESSED.items() if head.startswith(sign)), ""):
        if layers == 2:
            raise Damaged("it is compressed again and again")
        with nullcontext(_Frames(stream)) if press == "zstd" else import_module(press).open(stream) as opened:
            yield from _unpacked(_bounded(opened, file), name, file, inside=inside, layers=layers + 1)
        return
    opened = _zipped if head[:4] in (b"PK\3\4", b"PK\5\6") else None
    if head[_TAR_AT : _TAR_AT + 5] == b"ustar":
        opened = _tarred
    if opened is None:
        yield Text(name, stream, plain=not (inside or layers) and stream.seekable(), taken=file.taken)
    elif inside:
        raise Damaged(INNER)
    else:
        yield from opened(stream, name, file)


def _zipped(stream: io.BufferedReader, name: str, file: _Raw) -> Iterator[Text]:
    import shutil
    import tempfile
    import zipfile

    def unlocked(info: zipfile.ZipInfo) -> IO[bytes]:
        if info.flag_bits & 1:
            raise Damaged("it is encrypted; unpack it first")
        return archive.open(info)

    # In a zip one has to go back and forth, which not every stream can.
    with nullcontext(stream) if stream.seekable() else tempfile.TemporaryFile() as opened:
        if opened is not stream:
            shutil.copyfileobj(stream, opened)
        _look_at_directory(opened)
        with zipfile.ZipFile(opened) as archive:
            inside = ((info.filename, partial(unlocked, info)) for info in archive.infolist())
            yield from _members(inside, name, file, str)


def _tarred(stream: io.BufferedReader, name: str, file: _Raw) -> Iterator[Text]:
    from .tar import Tape

    def inside() -> Iterator[tuple[str, Callable[[], Any]]]:
        for info in archive:
            archive.members = []  # type: ignore[attr-defined]  # or it would remember every one
            if info.isfile():
                yield info.name, partial(archive.extractfile, info)

    with Tape.open(fileobj=stream, mode="r|") as archive:
        yield from _members(inside(), name, file, lambda: archive.problem)


def _members(
    inside: Iterable[tuple[str, Callable[[], Any]]], archive: str, file: _Raw, problem: Callable[[], str]
) -> Iterator[Text]:
    """The texts among the files in an archive; two of one name are told apart by a number.

    Archives in it are opened as well, to be told of. ``problem`` says what is wrong with the whole at its end.
    """
    seen: set[int] = set()
    for called, open_ in inside:
        if not called.lower().endswith(TEXT_SUFFIXES + ARCHIVE_SUFFIXES):
            continue
        name, number = called, 1
        while (known := hash(name)) in seen:  # numbers, since an archive can have a million members
            number += 1
            name = f"{called} ({number})"
        seen.add(known)
        try:
            with open_() as opened:
                yield from _unpacked(_bounded(opened, file), f"{archive}/{name}", file, inside=True)
        except Exception as error:  # noqa: BLE001  # each library has errors of its own; it is this file's own matter
            yield Text(f"{archive}/{name}", None, reason(error))
    if told := problem() or ("" if seen else NOTHING):
        yield Text(archive, None, told)


def _look_at_directory(stream: IO[bytes]) -> None:
    """Damaged where the directory of a zip is so large that to read it would take too much memory."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - _LONGEST_END))
    tail = stream.read()
    at = len(tail) - _ZIP_END
    if tail[at : at + 4] != b"PK\5\6" or tail[-2:] != b"\0\0":  # there is a comment behind it
        at = tail.rfind(b"PK\5\6")
    directory = int.from_bytes(tail[at + 12 : at + 16], "little")
    large = at - _ZIP64_END
    if large >= 0 and tail[large : large + 4] == b"PK\6\6" and tail[at - 20 : at - 16] == b"PK\6\7":
        directory = int.from_bytes(tail[large + 40 : large + 48], "little")
    if at >= 0 and directory > DIRECTORY:
        raise Damaged(f"its directory of files has more than {DIRECTORY >> 20} MB; unpack it first")
    stream.seek(0)


_ZIP_END: Final = 22
"""Bytes at the end of a zip that tell where its directory is, without the comment that can follow."""
_ZIP64_END: Final = 56 + 20
"""Bytes before these that tell it of a large one, and where that stands."""
_LONGEST_END: Final = (1 << 16) + _ZIP_END + _ZIP64_END


class _Frames:
    """Frames of zstd one after the other; the library's own stream does not tell where the last one is torn."""

    def __init__(self, stream: io.BufferedReader) -> None:
        try:
            import zstandard
        except ImportError:
            raise Damaged("files compressed with zstd need: pip install 'tironian[archive]'") from None
        self._stream, self._make = stream, zstandard.ZstdDecompressor().decompressobj
        self._frame: Any = None
        self._in = self._out = memoryview(b"")

    def read1(self, size: int) -> bytes:
        """At most so many bytes, as soon as there are some; none at the end. EOFError where the end is missing."""
        while not self._out:
            self._in = self._in or memoryview(self._stream.read1(BLOCK))
            if not self._in:
                if self._frame is not None:
                    raise EOFError
                return b""
            if self._frame is None:
                self._frame = self._make()
            # The library sets no limit to what comes out at once, so what goes in is limited.
            some = self._in[:STEP]
            self._out = memoryview(self._frame.decompress(some))
            used = len(some)
            if self._frame.eof:
                used, self._frame = used - len(self._frame.unused_data), None
            self._in = self._in[used:]
        out, self._out = self._out[:size], self._out[size:]
        return bytes(out)


_PRESSED: Final = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    # Frames that are to be skipped can come first.
    **{bytes([sign]) + b"\x2a\x4d\x18": "zstd" for sign in range(0x50, 0x60)},
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "lzma",
}
"""How what is compressed begins → the module that takes it apart; ``zstd`` is none of Python's."""
