"""The record of a device's game as a file of the event's folder: what its journal says, whoever ends when."""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from ..desk.api import Desk
from ..recorder.api import encoded, normalized
from ..storage.api import replacing, sync_folder
from ..storage.sources import RECORD
from .store import ClubStore, Refused


class Filed(NamedTuple):
    """The file that has the record now, and whether it was written just now; ``kept`` is the file that somebody else
    had changed, so that the record has been written beside it; else it is empty.
    """

    file: str
    written: bool
    kept: str


def told_by(journal: dict[str, Any]) -> str:
    """Return the record that a journal tells."""
    return Desk.of(journal).kept[0]


def file_record(
    store: ClubStore, device: int, folder: Path, name: str, tell: Callable[[dict[str, Any]], str] = told_by
) -> Filed:
    """Write the record of a device's game, which ``tell`` makes of its journal, to a file in a folder. Names are
    relative to the folder, and the file is called ``name``.

    A file that is not as the server left it stays as it is: the record goes into a new file beside it, and from then
    on into that one. Raise Refused if no game has begun or if the name is not one of a record in the folder; what
    ``tell`` raises, such as DeskError if the journal can't begin a game; OSError or CannotRun if something can't be
    read or written. Nothing is lost then, and it can be tried again.
    """
    with store.filing:
        journal = store.journal(device)
        if journal is None:
            raise Refused("no game")
        data = encoded(normalized(tell(journal)))
        intended = store.intended(device)
        if intended not in (None, store.written(device)) and _digest(_read(folder, intended[0])) == intended[1]:
            store.note_written(device, *intended)  # the server ended before it could
        written = store.written(device)
        file, known = written or (name, "")
        there, kept = _read(folder, file), ""
        if there not in (None, data) and _digest(there) != known:
            kept, there = file, None
            others = (f"{name.removesuffix(RECORD)}.ours-{number}{RECORD}" for number in count(1))
            file = next(each for each in others if not os.path.lexists(folder / each))
        new = file, _digest(data)
        if there != data:
            place = _place(folder, file)
            store.note_intended(device, *new)
            place.parent.mkdir(parents=True, exist_ok=True)
            with replacing(place) as stream:
                stream.write(data)
            sync_folder(place.parent)
        if new != written:
            store.note_written(device, *new)
        store.note_filed(device, len(journal["taps"]))
        return Filed(file, there != data, kept)


def _place(folder: Path, name: str) -> Path:
    """Return where a file is. Raise Refused if that is not in the folder, through whatever links, or not a record."""
    try:
        name.encode()
        place = (folder / name).resolve()
    except (ValueError, RuntimeError):  # a name that can be none, links in a circle
        raise Refused("name") from None
    if not place.is_relative_to(folder.resolve()) or not name.endswith(RECORD):
        raise Refused("name")
    return folder / name


def _read(folder: Path, name: str) -> bytes | None:
    """Return what a file says; None if there is none."""
    try:
        return _place(folder, name).read_bytes()
    except FileNotFoundError:
        return None


def _digest(data: bytes | None) -> str:
    return sha256(data or b"").hexdigest()
