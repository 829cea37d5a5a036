"""Where texts come from: the files that paths name, and the texts in each, packed or not.

:class:`InputFiles` finds the files that paths name: files, folders, patterns, standard input and addresses.
:func:`texts` opens one of them and yields each text in it: a file is a text, a compressed text, or an archive of
several, recognised by its content, not its name. Neither raises for what can't be read: that is yielded with its
problem, and the rest follows.

Archives may come from strangers, so nothing in one is trusted: the size of a file limits how much it may unpack to, an
archive within an archive stays closed, and damage ends only the text that contains it.
"""

from __future__ import annotations

import glob
import io
import json
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from importlib import import_module
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple
from unicodedata import normalize
from zlib import crc32

from ...notation.basics import install
from ...notation.language import Messages, phrase
from ...notation.records import HEAD, document, seems_record
from . import stores
from .files import links_outside
from .stores import InputFile, is_address

if TYPE_CHECKING:
    import zipfile

STDIN: Final = "-"
_LINK: Final[Messages] = {
    "link": "this is a link out of the folder, which is not followed; to follow it, name it as a PATH"
}
LINK: Final[str] = _LINK["link"]
"""The problem of such a file, which is translated when somebody wants to read it."""
RATIO: Final = 250
"""How many times a file's size may come out of it. Games shrink to a tenth, a single game repeated to a 200th."""
FLOOR: Final = 8 << 20
"""The number of bytes that may come out of any file, however small."""
_MAX_LENGTH: Final = 200
DIRECTORY: Final = 8 << 20
"""The most bytes of a zip's directory, about a hundred thousand files; it takes ten times as much memory."""
BLOCK: Final = 1 << 16
STEP: Final = 256
"""Bytes of zstd that are unpacked at once: they yield at most 64 blocks of 128 kB, and one from before."""
SMALL_BLOCK: Final = 32
"""Bytes of bzip2 or LZMA in a zip that are unpacked at once: one block of bzip2, which has up to 45 MB, takes more."""
_IN_UTF8: Final = 0x800
_UNICODE_NAME: Final = 0x7075
_DOS: Final = 0
"""In a zip: the flag of a name in UTF-8, the kind of field that has one, and the system that wrote neither."""
_COMPRESSED_SUFFIXES: Final = ("", ".gz", ".zst", ".bz2", ".xz")
RECORD: Final = ".tiro"
"""The suffix of a record."""
TEXT_SUFFIXES: Final = tuple(f"{RECORD}{suffix}" for suffix in _COMPRESSED_SUFFIXES)
"""The suffixes of texts, in a folder and in an archive."""
ARCHIVE_SUFFIXES: Final = (".zip", ".tgz", *(f".tar{suffix}" for suffix in _COMPRESSED_SUFFIXES))
"""The suffixes of archives in a folder."""
PLAIN_SUFFIXES: Final = (".tiro", ".txt", ".text", ".pgn")
"""The suffixes of texts that are not packed. Behind all but the first there may be anything: what is in it decides."""
SYSTEM_FILE: Final = "not a record: a file that the system or an editor leaves behind"
SITE: Final = "site.json"
"""The file that says from what each page of an event's site was made; the pages lie beside it and in folders there."""
MAX_PAGE_SIZE: Final = 1 << 25
"""The most bytes of a page that are searched for its record; a page of a long game has 2 MB."""
_PAGE: Final = re.compile(
    rb"""(?i:\s*<!doctype html>).*?default-src (?:'|&#39;)none(?:'|&#39;); style-src""", re.DOTALL
)
"""How pages of games begin, whether as they were made or as a browser has saved them."""


class InputFiles:
    """The files that paths name, each once, found afresh in each iteration: for a folder, its texts and archives at any
    depth, sorted by name.

    ``-`` stays as it is; ``*``, ``?`` and ``**`` mean the same as in a shell. Only the paths themselves and one
    folder's names are held in memory.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = tuple(paths)
        self.passed_over: list[InputFile] = []
        """The files in folders that the last iteration did not yield though people may miss them, with the reasons."""

    def __iter__(self) -> Iterator[InputFile]:
        earlier: set[str] = set()
        self.passed_over = passed_over = []
        for path in _expanded(self._paths):
            for file in _files_of(path, passed_over):
                if earlier.isdisjoint(_with_parents(file.path)):
                    yield file
            earlier.add(next(_with_parents(path)))

    def overlaps(self, path: str) -> bool:
        """Return whether a path lies in one of the folders, or one of the files in it, through whatever links."""
        target = os.path.realpath(path)
        above = set(_with_parents(target))
        places = [os.path.realpath(path) for path in _expanded(self._paths) if not _is_elsewhere(path)]
        return any(place in above if os.path.isdir(place) else target in _with_parents(place) for place in places)

    def paths(self) -> Iterator[str]:
        """Yield the paths of the files."""
        return (file.path for file in self)


def _is_elsewhere(name: str) -> bool:
    return name == STDIN or is_address(name)


def exists(path: str) -> bool:
    """Return whether a path on this machine names something, itself or as a pattern; True for any address."""
    return _is_elsewhere(path) or os.path.lexists(path) or any(True for _ in glob.iglob(path, recursive=True))


def _files_of(path: str, passed_over: list[InputFile]) -> Iterator[InputFile]:
    """Yield the files of one path, which is not a pattern."""
    if path == STDIN:
        yield InputFile(STDIN)
    elif not is_address(path):
        yield from files_at(path, passed_over=passed_over)
    else:
        try:
            yield from stores.list_files(path, may_hold_games)
        except stores.StoreError as error:
            yield InputFile(path, problem=reason(error))


def _expanded(paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths, with patterns replaced by what they match."""
    for path in paths:
        if is_address(path):
            yield from stores.expand_pattern(path)
        elif path == STDIN or os.path.lexists(path) or not glob.has_magic(path):
            yield path
        else:
            # A file that happens to be named as standard input is written is meant as a file.
            yield from sorted("./-" if name == STDIN else name for name in glob.iglob(path, recursive=True))


def _with_parents(path: str) -> Iterator[str]:
    if path == STDIN:
        yield path
    elif is_address(path):
        path = path.rstrip("/")
        while is_address(path):
            yield path
            path = path.rpartition("/")[0]
    else:
        below, path = "", os.path.abspath(path)
        while path != below:
            yield path
            below, path = path, os.path.dirname(path)


def files_at(
    path: str, suffixes: tuple[str, ...] = TEXT_SUFFIXES + ARCHIVE_SUFFIXES, passed_over: list[InputFile] | None = None
) -> Iterator[InputFile]:
    """Yield a file on this machine, or the files in a folder with these suffixes, at any depth, sorted by name.

    With a list for those that are ``passed_over``, texts with other suffixes that look like records are files as well.
    """
    if not os.path.isdir(path):
        yield _file_at(path)
        return
    errors: list[OSError] = []
    for folder, subfolders, names in os.walk(path, onerror=errors.append):
        yield from _unlistable(errors)
        subfolders.sort()
        for name in sorted(names):
            place = os.path.join(folder, name)
            left = may_hold_games(os.path.relpath(place, path), suffixes)
            is_missed = left is None and re.match(REPORTED_FILES, name, re.IGNORECASE) is not None
            if is_missed and passed_over is not None and not _SYSTEM_FILES.search(name):
                left = _why_not(place)
                if left and not _shows_what_is_read(place, names):
                    passed_over.append(InputFile(place, problem=left))
                if left:
                    continue
            if left is not None:
                problem = left or (LINK if links_outside(place, path) else "")
                file = InputFile(place, problem=problem) if problem else _file_at(place)
                if file.problem or file.stamp:  # not a pipe or device
                    yield file
    yield from _unlistable(errors)


def _why_not(place: str) -> str:
    """Return why a file whose suffix is not that of a record is none; an empty text if it is one."""
    try:
        with open(place, "rb") as stream:
            head = stream.peek(HEAD)[:HEAD] if stat.S_ISREG(os.stat(place).st_mode) else b""
            if record_in_page(stream, "")[1]:
                return phrase("the page of a game: name it to read the record in it")
    except OSError as error:
        return reason(error)
    if place.lower().endswith(PLAIN_SUFFIXES) and seems_record(head):
        return ""
    kind = document(head)
    return f"{kind[0]}: {kind[1]}" if kind else phrase("it does not look like a record")


def _shows_what_is_read(place: str, names: Collection[str]) -> bool:
    """Return whether a web page is made of records that are read: one lies beside it, or it is part of a site."""
    folder, name = os.path.split(place)
    stem, suffix = os.path.splitext(name)
    return suffix.lower() in (".html", ".htm") and (
        any(f"{stem}{text}" in names for text in ("", *TEXT_SUFFIXES))
        or any(os.path.exists(os.path.join(part, SITE)) for part in (folder, os.path.dirname(folder)))
    )


def record_in_page(stream: io.BufferedReader, name: str) -> tuple[io.BufferedReader, str]:
    """Return the record in the page of a game, named as if the page were an archive of it; anything else unchanged.

    A page has the record as its first point of view would have written it.
    """
    if not _PAGE.match(stream.peek(HEAD)[:HEAD]):
        return stream, name
    page, record = stream.read(MAX_PAGE_SIZE), b""
    with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):  # another page of ours
        data = page.rpartition(b'<script type="application/json" id="data">')[2].partition(b"</script>")[0]
        record = json.loads(data)["views"][0]["record"].encode("utf-8", "surrogateescape")
    return io.BufferedReader(io.BytesIO(record or page)), f"{name}/record-in-page.tiro" if record else name


def _unlistable(errors: list[OSError]) -> Iterator[InputFile]:
    """Remove and yield the errors of folders that could not be listed."""
    while errors:
        error = errors.pop()
        yield InputFile(str(error.filename), problem=reason(error))


def _file_at(path: str) -> InputFile:
    """Return a file on this machine with its size and stamp, or with what is wrong with it."""
    try:
        info = os.stat(path)
    except OSError as error:
        return InputFile(path, problem=reason(error))
    if not stat.S_ISREG(info.st_mode):
        return InputFile(path)
    return InputFile(path, info.st_size, f"{info.st_size}:{info.st_mtime_ns}:{info.st_ino}")


class Damaged(Exception):
    """A text can't be read any further. The message tells people why."""


def may_hold_games(path: str, suffixes: tuple[str, ...] = TEXT_SUFFIXES + ARCHIVE_SUFFIXES) -> str | None:
    """Return whether to read a file that nobody named, but a folder, an archive or a store holds, judged by its path.

    An empty text means yes, LEFT_ASIDE that it only looks like a record, and None that it does not even do that.
    """
    if not path.lower().endswith(suffixes):
        return None
    return SYSTEM_FILE if _SYSTEM_FILES.search(path) else ""


_SYSTEM_FILES: Final = re.compile(r"(?:^|[\\/])(?:__MACOSX[\\/]|\.AppleDouble[\\/]|(?:\._|\.#|\.~|~\$)[^\\/]*$)")
"""AppleDouble files of a Mac, and lock files of editors and office programs."""
REPORTED_FILES: Final = (
    r"^[^.].*\.(?:txt|text|pgn|docx?|odt|rtf|pdf|pages|html?|epub|eml|xlsx?|ods|jpe?g|heic|7z|rar"
    r"|tiro\.(?!bak|trail|taps)[^.~]+)$"
)
"""Files that people may miss if nobody says that they are not read."""


class TextStream(NamedTuple):
    """A text's name and the stream of its bytes; no stream if a ``problem`` says why not.

    ``plain``: the text is the whole file, as stored. ``bytes_read`` returns how many bytes of the file have been read.
    """

    name: str
    stream: io.BufferedReader | None
    problem: str = ""
    plain: bool = False
    bytes_read: Callable[[], int] = int


def reason(error: BaseException) -> str:
    """Return why something can't be read, in words for people to read."""
    if isinstance(error, Damaged | stores.StoreError):
        return str(error)
    if isinstance(error, FileNotFoundError):
        return phrase("there is no such file or folder")
    if isinstance(error, IsADirectoryError):
        return phrase("this is a folder; name a file in it")
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror[:1].lower()}{error.strerror[1:]}"
    if isinstance(error, EOFError):
        return phrase("the file ends too early: part of it is missing")
    if type(error).__name__ == "BadGzipFile":  # not worth an import for its name
        return phrase("it is damaged, or uncompressed data follows the compressed data")
    if isinstance(error, ImportError):
        return phrase("a library for it is not installed ({error})", error=error)
    if isinstance(error, MemoryError):
        return phrase("this machine does not have enough memory for it")
    # Libraries quote the file itself.
    return phrase("it is damaged ({error})", error=str(error)[:_MAX_LENGTH] or type(error).__name__)


class _BlockStream(io.RawIOBase):
    """Bytes in blocks, as they come; the first is never short, since a file's kind is recognised by how it begins.

    What comes before damage must not be lost, so ``read`` has to return what there is at once. ``came`` is called with
    the size of each block.
    """

    _least = HEAD
    _error: Damaged | None = None
    """The error that follows the last bytes returned."""

    def __init__(self, read: Callable[[int], bytes], came: Callable[[int], object] = int) -> None:
        self._read, self._came = read, came

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._error:
            raise self._error
        data, least, self._least = b"", min(self._least, len(buffer)), 0
        try:
            while block := self._block(len(buffer) - len(data)):
                data += block
                if len(data) >= least:
                    break
        except Damaged as error:
            if not data:
                raise
            self._error = error
        buffer[: len(data)] = data
        return len(data)

    def _block(self, size: int) -> bytes:
        """Read at most ``size`` bytes; raise Damaged if the stream breaks off early."""
        try:
            block = self._read(size)
        except Damaged:
            raise
        except Exception as error:
            raise Damaged(reason(error)) from error
        self._came(len(block))
        return block


class _CountedFile(_BlockStream):
    """The bytes of a file as stored, counted, and the number of bytes that unpacking made of them."""

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

    def bytes_read(self) -> int:
        return self._taken

    def count_unpacked(self, count: int) -> None:
        """Count ``count`` unpacked bytes; raise Damaged if they are too many for what was read of the file."""
        self._out += count
        if self._out > _most(min(self._taken, self._size) if self._size else self._taken):
            sizes = {"ratio": RATIO, "size": FLOOR >> 20}
            said = phrase("it unpacks to more than {ratio} times its size and more than {size} MB", **sizes)
            raise Damaged(f"{said}, {phrase('too much for an archive of games; if it is one, unpack it yourself')}")


def _most(size: int) -> int:
    return max(FLOOR, RATIO * size)


def most_in(file: InputFile) -> int:
    """Return the most bytes that may come out of a file, and so the most of anything that it can hold."""
    return _most(file.size)


def _bounded(stream: Any, file: _CountedFile) -> io.BufferedReader:
    return io.BufferedReader(_BlockStream(stream.read1, file.count_unpacked), BLOCK)


def texts(file: InputFile) -> Iterator[TextStream]:
    """Yield the texts in a file, in order; the stream of each is valid until the next one is asked for."""
    if file.problem:
        yield TextStream(file.path, None, phrase(LINK) if file.problem == LINK else file.problem)
        return
    name = "<stdin>" if file.path == STDIN else file.path
    try:
        with _raw(file.path) as stream:
            yield from texts_within(stream, name, file.size)
    except Exception as error:  # noqa: BLE001  # a library's own error when a store is closed
        yield TextStream(name, None, reason(error))


def texts_within(stream: IO[bytes], name: str, size: int = 0) -> Iterator[TextStream]:
    """Yield the texts in the bytes of an open file, as :func:`texts` does; ``size`` is 0 if unknown."""
    try:
        counted = _CountedFile(stream, size)
        yield from _unpacked(io.BufferedReader(counted, BLOCK), name, counted, inside=False)
    except Exception as error:  # noqa: BLE001  # each library has errors of its own
        yield TextStream(name, None, reason(error))


@contextmanager
def open_stored(path: str) -> Iterator[io.BufferedReader]:
    """Open a file, an address or, for ``-``, standard input, to read it as stored.

    Raise Damaged if that fails; the stream does the same when it can't be read any further.
    """
    with _raw(path) as stream:
        yield io.BufferedReader(_BlockStream(stream.read), BLOCK)


@contextmanager
def _raw(path: str) -> Iterator[IO[bytes]]:
    """Open a file, an address or standard input as a raw stream; raise Damaged if that fails."""
    with ExitStack() as stack:
        try:
            if path == STDIN:
                if sys.stdin is None:
                    raise Damaged(phrase("standard input is closed"))
                # Unbuffered: a buffered one does not notice Ctrl-C between the reads that make up a block.
                stream = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
            elif stores.is_address(path):
                stream = stack.enter_context(stores.reading(path))
            else:
                stream = stack.enter_context(open(path, "rb", buffering=0))
        except Exception as error:
            raise Damaged(reason(error)) from error
        yield stream


def _unpacked(
    stream: io.BufferedReader, name: str, file: _CountedFile, *, inside: bool, layers: int = 0
) -> Iterator[TextStream]:
    """Yield the texts in a stream, whose first bytes tell its kind; ``inside`` an archive, no other is opened."""
    head = stream.peek(BLOCK)
    if module := next((module for magic, module in _COMPRESSED.items() if head.startswith(magic)), ""):
        if layers == 2:
            raise Damaged(phrase("it is compressed several times"))
        with nullcontext(_ZstdStream(stream)) if module == "zstd" else import_module(module).open(stream) as opened:
            # A file's name already shows that it is packed; locations refer to the unpacked text.
            shown = f"<stdin> (unpacked {module})" if name == "<stdin>" else name  # it stands for a file's name
            yield from _unpacked(_bounded(opened, file), shown, file, inside=inside, layers=layers + 1)
        return
    unpack = next((unpack for (at, magic), unpack in _ARCHIVES.items() if head.startswith(magic, at)), None)
    if unpack is None or document(head):
        text, called = record_in_page(stream, name)
        plain = text is stream and not (inside or layers) and stream.seekable()
        yield TextStream(called, text, plain=plain, bytes_read=file.bytes_read)
    elif inside:
        raise Damaged(phrase("an archive within an archive is not opened; unpack the outer one"))
    else:
        yield from unpack(stream, name, file)


def _zipped(stream: io.BufferedReader, name: str, file: _CountedFile) -> Iterator[TextStream]:
    import shutil
    import tempfile
    import zipfile

    def unlocked(info: zipfile.ZipInfo) -> Any:
        if info.flag_bits & 1:
            raise Damaged(phrase("it is encrypted; unpack it first"))
        member: Any = archive.open(info)
        if info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            return member
        member.MIN_READ_SIZE = SMALL_BLOCK
        return nullcontext(SimpleNamespace(read1=lambda size: member.read1(min(size, SMALL_BLOCK))))

    def is_there(info: zipfile.ZipInfo) -> bool:
        at = info.header_offset
        return at >= 0 and opened.seek(at) == at and opened.read(4) == b"PK\3\4"

    # Reading a zip means jumping back and forth, which not every stream allows.
    with nullcontext(stream) if stream.seekable() else tempfile.TemporaryFile() as opened:
        if opened is not stream:
            shutil.copyfileobj(stream, opened)
        # The library would read a directory of any size, and has no public name for finding out its size.
        library = import_module("zipfile")
        end = library._EndRecData(opened)
        if end and end[library._ECD_SIZE] > DIRECTORY:
            size = DIRECTORY >> 20
            raise Damaged(phrase("its directory of files has more than {size} MB; unpack it first", size=size))
        with zipfile.ZipFile(opened) as archive:
            # What the directory says of itself need not be true.
            files, count = archive.infolist(), end[library._ECD_ENTRIES_TOTAL] if end else 0
            first = min((info.header_offset for info in files), default=0)
            problem = ""
            if first or (len(files) - count) % (1 << 16):
                problem = phrase("its directory does not match its contents, so files may be missing")
            inside = ((_name_in_zip(info), partial(unlocked, info)) for info in files if not problem or is_there(info))
            yield from _members(inside, name, file, lambda: problem)


def _name_in_zip(info: zipfile.ZipInfo) -> str:
    """Return a file's name: in UTF-8, also if nothing says so, as on a Mac, or in the encoding of its system."""
    extra, length = info.extra, 0
    if info.flag_bits & _IN_UTF8:
        return info.filename
    raw = info.orig_filename.partition("\0")[0].encode("cp437")
    while len(extra) >= 4:
        kind, length = int.from_bytes(extra[:2], "little"), int.from_bytes(extra[2:4], "little")
        if kind == _UNICODE_NAME and int.from_bytes(extra[5:9], "little") == crc32(raw):
            raw = extra[9 : 4 + length]
        extra = extra[4 + length :]
    name = raw.decode("utf-8", "surrogateescape")
    return info.filename if info.create_system == _DOS and not name.isprintable() else name


def _readable(name: str) -> str:
    """Return the name of a file in an archive as text; older systems wrote it in Latin letters, a Mac in parts."""
    raw = name.encode("utf-8", "surrogateescape")
    try:
        return normalize("NFC", raw.decode())
    except UnicodeDecodeError:
        return raw.decode("cp1252", "backslashreplace")


def _tarred(stream: io.BufferedReader, name: str, file: _CountedFile) -> Iterator[TextStream]:
    from .tar import TarReader

    archive = TarReader(stream)
    inside = ((own_name, partial(nullcontext, archive)) for own_name in archive)
    yield from _members(inside, name, file, lambda: archive.problem)


def _members(
    inside: Iterable[tuple[str, Callable[[], Any]]], archive: str, file: _CountedFile, problem: Callable[[], str]
) -> Iterator[TextStream]:
    """Yield the texts among the files in an archive; files with the same name are told apart by a number.

    Archives in it are opened as well, so that they are reported. ``problem`` returns what is wrong with the archive.
    """
    seen: set[int] = set()
    for own_name, open_ in ((_readable(name), open_) for name, open_ in inside):
        if problem_of_name := may_hold_games(own_name):
            yield TextStream(f"{archive}/{own_name}", None, problem_of_name)
        is_text = problem_of_name is None and own_name.lower().endswith(PLAIN_SUFFIXES)
        if problem_of_name != "" and not is_text:
            continue
        name, number = own_name, 1
        while (key := hash(name)) in seen:  # hashes, since an archive can have a million members
            number += 1
            name = f"{own_name} ({number})"
        seen.add(key)
        try:
            with open_() as opened:
                stream = _bounded(opened, file)
                if is_text and not seems_record(stream.peek(HEAD)[:HEAD]):
                    seen.discard(key)
                    continue
                yield from _unpacked(stream, f"{archive}/{name}", file, inside=True)
        except Exception as error:  # noqa: BLE001  # each library has errors of its own; this one concerns only this file
            yield TextStream(f"{archive}/{name}", None, reason(error))
    if why := problem() or ("" if seen else phrase("there is no .tiro file in this archive")):
        yield TextStream(archive, None, why)


class _ZstdStream:
    """The content of successive zstd frames; the library's own stream does not report a last frame that is cut off."""

    def __init__(self, stream: io.BufferedReader) -> None:
        try:
            import zstandard
        except ImportError:
            command = install("zstandard")
            raise Damaged(phrase("files compressed with zstd need zstandard: {command}", command=command)) from None
        self._stream, self._make = stream, zstandard.ZstdDecompressor().decompressobj
        self._frame: Any = None
        self._in = self._out = memoryview(b"")

    def read1(self, size: int) -> bytes:
        """Return at most ``size`` bytes, as soon as there are some, or none at the end. Raise EOFError if cut off."""
        while not self._out:
            self._in = self._in or memoryview(self._stream.read1(BLOCK))
            if not self._in:
                if self._frame is not None:
                    raise EOFError
                return b""
            if self._frame is None:
                self._frame = self._make()
            # The library sets no limit to what comes out at once, so what goes in is limited.
            block = self._in[:STEP]
            self._out = memoryview(self._frame.decompress(block))
            used = len(block)
            if self._frame.eof:
                used, self._frame = used - len(self._frame.unused_data), None
            self._in = self._in[used:]
        out, self._out = self._out[:size], self._out[size:]
        return bytes(out)


_ARCHIVES: Final = {(257, b"ustar"): _tarred, (0, b"PK\3\4"): _zipped, (0, b"PK\5\6"): _zipped}
"""Bytes that mark an archive, and where they are → what opens it."""
_COMPRESSED: Final = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    # Skippable frames can come first.
    **{bytes([sign]) + b"\x2a\x4d\x18": "zstd" for sign in range(0x50, 0x60)},
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "lzma",
}
"""First bytes of compressed data → the module that unpacks it; ``zstd`` does not come with Python."""
