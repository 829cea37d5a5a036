"""Files that lie elsewhere, at addresses such as ``s3://bucket/games``, by way of fsspec.

The libraries for each kind of store raise errors of their own. Here they all become a StoreError, whose message is a
sentence for people.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any, Final

from . import Unable

BLOCK: Final = 8 << 20
"""Bytes that are fetched at once; the libraries' own default can be 50 MB for each open file."""
DEEPEST: Final = 8
"""Folders within a folder of a web server, whose pages can link to each other for ever."""
SILENCE: Final = 60
"""Seconds that a web server may say nothing."""
LONGEST: Final = 300
"""Characters of a store's own words that are repeated."""
READ_ONLY: Final = "over http files can be read, not written"
_PATTERN: Final = re.compile(r"[*?\[]")
_NO_BUCKET: Final = re.compile("NoSuchBucket|specified bucket")
_WEB: Final = ("http://", "https://")
_STAMPS: Final = ("ETag", "etag", "Last-Modified", "LastModified", "last_modified", "mtime", "updated")
"""What stores call that which changes when a file does."""


class StoreError(Exception):
    """A store did not do what it was asked to. The message says why, without the address."""


class Missing(StoreError):
    """There is nothing at the address."""


def is_address(path: str) -> bool:
    """Return whether a path is the address of something elsewhere, as ``s3://bucket/games``."""
    return "://" in path


def is_web(path: str) -> bool:
    """Return whether a path is the address of a web page, which can be read from its beginning and not written."""
    return path.startswith(_WEB)


@contextmanager
def explained() -> Iterator[None]:
    """Raise a StoreError for whatever goes wrong."""
    try:
        yield
    except (StoreError, Unable, MemoryError):
        raise
    except Exception as error:
        raise _explained(error) from error


def _explained(error: BaseException) -> StoreError:
    if isinstance(error, FileNotFoundError) and isinstance(error.__cause__, Exception):
        error = error.__cause__  # over http every error is told as this one
    status, told = _status(error), _words(error)
    if isinstance(error, FileNotFoundError | NotADirectoryError) or status == 404:
        return Missing("there is no such bucket" if _NO_BUCKET.search(told) else "there is no such file or folder")
    if isinstance(error, OSError) and error.strerror:
        return StoreError(_words(error.strerror).rstrip(".").lower())
    if isinstance(error, PermissionError) or status in (401, 403):
        return StoreError(f"access is denied ({told})")
    if isinstance(error, ImportError):
        return StoreError(f"what it takes is not installed ({told})")
    if isinstance(error, NotImplementedError):
        return StoreError("this kind of store can't do that")
    return StoreError(f"the store answers with an error, or not at all ({told})")


def _status(error: BaseException) -> int | None:
    """Return the HTTP status that an error is about, where it is about one."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):  # of botocore
        return response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return getattr(error, "status", None)


def _words(error: object) -> str:
    """Return what a library says about an error, in one line and with nothing in it that a terminal would obey."""
    from ...notation.safe_text import visible

    told = visible(" ".join(str(error).split())) or type(error).__name__
    return told if len(told) <= LONGEST else f"{told[:LONGEST]}…"


def system_of(path: str) -> tuple[Any, str]:
    """Return what reads and writes where a path lies, as fsspec has it, and the path there."""
    try:
        import fsspec
    except ImportError:
        raise StoreError("addresses need fsspec: pip install 'tironian[archive]'") from None
    try:
        return fsspec.core.url_to_fs(path, **(_web_options() if is_web(path) else {}))
    except ValueError as error:  # a kind of address that nobody knows
        raise StoreError(_words(error)) from None
    except ImportError as error:
        raise _explained(error) from None


def _web_options() -> dict[str, Any]:
    try:
        import aiohttp
    except ImportError:
        raise StoreError("addresses of the web need aiohttp: pip install aiohttp") from None
    # A big file takes as long as it takes to check it; and what is packed is unpacked here, where that is bounded.
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=SILENCE, sock_read=SILENCE)
    return {"client_kwargs": {"timeout": timeout}, "headers": {"Accept-Encoding": "identity"}}


class _Stream(io.RawIOBase):
    """The bytes of a file elsewhere. Whatever goes wrong is a StoreError."""

    def __init__(self, stream: Any, *, forward: bool) -> None:
        self._stream, self._forward = stream, forward

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return not self._forward

    def readinto(self, buffer: Any) -> int:
        with explained():
            block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def seek(self, offset: int, whence: int = 0) -> int:
        with explained():
            return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()


@contextmanager
def reading(path: str) -> Iterator[Any]:
    """Open the file at an address.

    A web page can only be read from its beginning to its end, since not every server sends parts of one.
    """
    system, place = system_of(path)
    web = is_web(path)
    with explained():
        opened = system.open(place, "rb", block_size=0 if web else BLOCK)
    with closing(opened) as stream:
        yield _Stream(stream, forward=web)


def write(path: str, data: bytes) -> None:
    """Write a file to an address, in one step."""
    if is_web(path):
        raise StoreError(READ_ONLY)
    system, place = system_of(path)
    with explained():
        system.pipe_file(place, data)


def spelt_out(path: str) -> list[str]:
    """Return the addresses that a pattern stands for, sorted; itself where nothing matches, or nobody can tell."""
    if not _PATTERN.search(path):
        return [path]
    try:
        system, place = system_of(path)
        with explained():
            system.invalidate_cache()
            return sorted(map(system.unstrip_protocol, system.glob(place))) or [path]
    except StoreError:  # whoever opens it is told
        return [path]


def files(path: str, suffixes: tuple[str, ...]) -> Iterator[tuple[str, int, str, str]]:
    """Give the file at an address, or those in a folder whose names end so: address, size, stamp and problem.

    They are what :class:`tironian.replay.storage.sources.Found` has. StoreError where nothing can be found out. On a
    web server a folder is what has a slash at the end of its address, if need be by way of a redirection.
    """
    from urllib.parse import urlsplit

    system, place = system_of(path)
    web = is_web(path)
    with explained():
        system.invalidate_cache()  # others may have written there since it was listed
        about = system.info(place) if web or not system.isdir(place) else None
        if about and not (web and urlsplit(about.get("url", path)).path[-1:] in ("", "/")):
            yield path, *_seen(about), ""
            return
        inside = _on_web(system, place) if web else system.find(place, detail=True)
    for name in sorted(name for name in inside if name.lower().endswith(suffixes)):
        address = system.unstrip_protocol(name)
        try:
            with explained():
                about = _seen(inside[name] or system.info(name))
        except StoreError as error:
            yield address, 0, "", str(error)
        else:
            yield address, *about, ""


def _on_web(system: Any, place: str) -> dict[str, None]:
    """Return what the pages of a folder list, nothing outside of it; what it is like has to be asked for each."""
    inside = system.find(f"{place.rstrip('/')}/", maxdepth=DEEPEST)
    return dict.fromkeys(name for name in inside if "/../" not in name)


def _seen(about: dict[str, Any]) -> tuple[int, str]:
    """Return the size of a file, 0 where nobody knows, and what changes when it does, empty where nothing tells."""
    size = about.get("size") or 0
    stamps = [str(about[name]) for name in _STAMPS if about.get(name)]
    return size, ":".join([str(size), *stamps]) if stamps else ""
