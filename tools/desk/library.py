"""What a device keeps, as one zip: records, and the journals of games recorded by taps."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from contextlib import suppress
from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from .check import encoded
from .desk import DeskError, sentence

JOURNAL: Final = ".desk.json"
"""The ending of a journal's name."""
MAX_FILES, MAX_SIZE = 20_000, 4 << 20
"""The most files of a zip that are looked at, and the most bytes that a journal may have."""
MAX_BYTES: Final = 64 << 20
"""The most bytes that are read from all journals in a zip together."""


def zipped(files: Iterable[tuple[str, str]]) -> bytes:
    """Return files, each a name and its text, as a zip. If several have the same name, the later ones are numbered."""
    out, seen = BytesIO(), dict[str, int]()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, text in files:
            seen[name] = number = seen.get(name, 0) + 1
            stem, dot, kind = name.rpartition(JOURNAL if name.endswith(JOURNAL) else ".")
            archive.writestr(name if number == 1 else f"{stem}-{number}{dot}{kind}", encoded(text))
    return out.getvalue()


def journals_in(data: bytes) -> list[Any]:
    """Return the journals in a zip; none if it is not a zip. Records in it are read as in any file that is checked.

    Raise NoJournal if it holds more than a library would.
    """
    found: list[Any] = []
    if data.count(b"PK\1\2") > MAX_FILES:
        raise DeskError(sentence("library", "too_many"))
    try:
        with ZipFile(BytesIO(data)) as archive:
            left = MAX_BYTES
            for info in archive.infolist():
                if not info.filename.endswith(JOURNAL) or info.flag_bits & 1:
                    continue
                with archive.open(info) as stream:
                    text = stream.read(min(MAX_SIZE, left) + 1)
                left -= len(text)
                if len(text) > MAX_SIZE or left < 0:
                    raise DeskError(sentence("library", "too_many"))
                with suppress(ValueError, RecursionError):  # named as a journal, but not one
                    found.append(json.loads(text))
    except (BadZipFile, OSError, EOFError, NotImplementedError, zlib.error):
        pass  # the damage is reported when its records are read
    return found
