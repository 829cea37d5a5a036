"""Files at addresses such as ``s3://bucket/games``, through fsspec.

The library for each kind of store raises its own errors. Here they all become StoreErrors, whose message is a sentence
for people.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, Final, NamedTuple

from ...notation.basics import install
from ...notation.language import phrase
from . import CannotRun

BLOCK: Final = 8 << 20
"""Bytes fetched at once; the libraries' own default can be 50 MB for each open file."""
MAX_DEPTH: Final = 8
"""The most levels of folders on a web server, whose pages can link to each other for ever."""
TIMEOUT: Final = 60
"""Seconds for which a web server may stay silent."""
MAX_LENGTH: Final = 300
"""The number of characters of a store's own message that are repeated."""
_PATTERN: Final = re.compile(r"[*?\[]")
_NO_BUCKET: Final = re.compile("NoSuchBucket|specified bucket")
_WEB: Final = ("http://", "https://")
_STAMPS: Final = ("ETag", "etag", "Last-Modified", "LastModified", "last_modified", "mtime", "updated")
"""Names that stores use for a value that changes when a file does."""


class StoreError(Exception):
    """A store failed. The message says why, without the address."""


class Missing(StoreError):
    """There is nothing at the address, but in a store that is there."""


def is_address(path: str) -> bool:
    """Return whether a path is an address, such as ``s3://bucket/games``, and not on this machine."""
    return "://" in path


def is_web(path: str) -> bool:
    """Return whether a path is a web address, which can only be read, and only from its beginning."""
    return path.startswith(_WEB)


class InputFile(NamedTuple):
    """A file to read, or the ``problem`` that prevents it.

    ``size`` is in bytes as stored, 0 if unknown; ``stamp`` changes when the file does, and is empty if that can't be
    told.
    """

    path: str
    size: int = 0
    stamp: str = ""
    problem: str = ""


@contextmanager
def store_errors() -> Iterator[None]:
    """Raise a StoreError for any error of a store's library."""
    try:
        yield
    except (StoreError, CannotRun, MemoryError):
        raise
    except Exception as error:
        raise _explained(error) from error


def _explained(error: BaseException) -> StoreError:
    """Return a StoreError, in words, for an error of a store's library."""
    if isinstance(error, FileNotFoundError) and isinstance(error.__cause__, Exception):
        error = error.__cause__  # over HTTP every error is reported as this one
    status, words = _status(error), _words(error)
    if isinstance(error, FileNotFoundError | NotADirectoryError) or status == 404:
        if _NO_BUCKET.search(words):
            return StoreError(phrase("there is no such bucket"))
        return Missing(phrase("there is no such file or folder"))
    if isinstance(error, OSError) and error.strerror:
        return StoreError(_words(error.strerror).rstrip(".").lower())
    if isinstance(error, PermissionError) or status in (401, 403):
        return StoreError(phrase("access is denied ({error})", error=words))
    if isinstance(error, ImportError):
        return StoreError(phrase("a library for it is not installed ({error})", error=words))
    if isinstance(error, NotImplementedError):
        return StoreError(phrase("this kind of store can't do that"))
    return StoreError(phrase("the store answered with an error, or not at all ({error})", error=words))


def _status(error: BaseException) -> int | None:
    response = getattr(error, "response", None)
    if isinstance(response, dict):  # from botocore
        return response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return getattr(error, "status", None)


def _words(error: object) -> str:
    """Return a library's message on one line, without control characters, and cut off after MAX_LENGTH characters."""
    from ...notation.basics import visible

    words = visible(" ".join(str(error).split())) or type(error).__name__
    return words if len(words) <= MAX_LENGTH else f"{words[:MAX_LENGTH]}…"


def system_of(path: str) -> tuple[Any, str]:
    """Return fsspec's file system for a path, and the path within it. Raise StoreError if there is none."""
    try:
        import fsspec
    except ImportError:
        why = phrase("addresses need fsspec") if is_address(path) else phrase("tables need fsspec")
        raise StoreError(f"{why}: {install('fsspec')}") from None
    try:
        return fsspec.core.url_to_fs(path, **(_web_options() if is_web(path) else {}))
    except ValueError as error:  # an unknown kind of address
        raise StoreError(_words(error)) from None
    except ImportError as error:
        raise _explained(error) from None


def _web_options() -> dict[str, Any]:
    """Return the options for web addresses. Raise StoreError if aiohttp is not installed."""
    try:
        import aiohttp
    except ImportError:
        raise StoreError(f"{phrase('web addresses need aiohttp')}: {install('aiohttp')}") from None
    # Reading a big file takes as long as checking it; compressed data are unpacked here, where there are limits.
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=TIMEOUT, sock_read=TIMEOUT)
    return {"client_kwargs": {"timeout": timeout}, "headers": {"Accept-Encoding": "identity"}}


class _StoreStream(io.RawIOBase):
    """The bytes of a file in a store. Any error is a StoreError."""

    def __init__(self, stream: Any, *, forward: bool) -> None:
        self._stream, self._forward = stream, forward

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return not self._forward

    def readinto(self, buffer: Any) -> int:
        with store_errors():
            block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def seek(self, offset: int, whence: int = 0) -> int:
        with store_errors():
            return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()


@contextmanager
def reading(path: str) -> Iterator[Any]:
    """Open the file at an address as a binary stream. Raise StoreError if that fails.

    A web page can only be read from beginning to end, since not every server sends parts.
    """
    system, place = system_of(path)
    web = is_web(path)
    with store_errors():
        opened = system.open(place, "rb", block_size=0 if web else BLOCK)
    with closing(opened) as stream:
        yield _StoreStream(stream, forward=web)


def write(path: str, data: bytes) -> None:
    """Write a file to an address, in one step. Raise StoreError if that fails."""
    if is_web(path):
        raise StoreError(phrase("files can't be written over http"))
    system, place = system_of(path)
    with store_errors():
        system.pipe_file(place, data)


def expand_pattern(path: str) -> list[str]:
    """Return the addresses that match a pattern, sorted; the pattern itself if none do or the store fails."""
    if not _PATTERN.search(path):
        return [path]
    try:
        system, place = system_of(path)
        with store_errors():
            system.invalidate_cache()
            return sorted(map(system.unstrip_protocol, system.glob(place))) or [path]
    except StoreError:  # opening it will say why
        return [path]


def list_files(path: str, problem_of: Callable[[str], str | None]) -> Iterator[InputFile]:
    """Yield the file at an address, or those in a folder.

    ``problem_of`` is called with each path within a folder, and returns None if the path should not be read. On a web
    server an address that ends with a slash, perhaps after a redirection, is a folder. Raise StoreError if the store
    fails.
    """
    from urllib.parse import urlsplit

    system, place = system_of(path)
    web = is_web(path)
    with store_errors():
        system.invalidate_cache()  # others may have written there since the last listing
        info = system.info(place) if web or not system.isdir(place) else None
        if info and not (web and urlsplit(info.get("url", path)).path[-1:] in ("", "/")):
            yield _described(path, info)
            return
        inside = _listed_on_web(system, place) if web else system.find(place, detail=True)
    for name in sorted(inside):
        if (problem := problem_of(name.removeprefix(place))) is None:
            continue
        file = InputFile(system.unstrip_protocol(name), problem=problem)
        if not problem:
            try:
                with store_errors():
                    file = _described(file.path, inside[name] or system.info(name))
            except StoreError as error:
                file = file._replace(problem=str(error))
        yield file


def _listed_on_web(system: Any, place: str) -> dict[str, None]:
    """Return what the pages of a folder list within it; details have to be requested file by file."""
    inside = system.find(f"{place.rstrip('/')}/", maxdepth=MAX_DEPTH)
    return dict.fromkeys(name for name in inside if "/../" not in name)


def _described(address: str, info: dict[str, Any]) -> InputFile:
    """Return a file with what a store says of its size and of when it changed."""
    size = info.get("size") or 0
    stamps = [str(info[name]) for name in _STAMPS if info.get(name)]
    return InputFile(address, size, ":".join([str(size), *stamps]) if stamps else "")
