"""The folder of a club's event: one server at a time, and copies of it, also while it is served."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from ...notation.language import phrase
from ..event.api import EventJournal, event_text
from ..storage.api import CannotRun, files, lock
from ..storage.sources import reason
from .store import ClubStore
from .tables import STORE

LOCK: Final = "club.lock"
"""Locked while a server runs. It stays, since only the lock counts, which ends with the server, however that ends."""
_TRIES: Final = 100
"""How often a copy is tried while somebody is changing the event, every tenth of a second."""


@contextmanager
def only_server(folder: Path) -> Iterator[None]:
    """Be the only server of an event. Raise CannotRun if there is one already, or if this is no event."""
    event_text(str(folder))
    try:
        held = open(folder / LOCK, "ab")  # noqa: SIM115  # closed at the end of the with
    except OSError as error:
        raise CannotRun(f"{folder / LOCK}: {reason(error)}") from None
    with held:
        try:
            lock(held.fileno())
        except BlockingIOError:
            why = phrase("another club is serving this folder: use the addresses that it has printed, or end it")
            raise CannotRun(f"{folder}: {why}") from None
        yield


def back_up(folder: Path, out: Path) -> None:
    """Write a copy of an event to a new folder, which is whole from the moment it is there.

    Raise CannotRun if there is something of that name, if it is within the event, or if it can't be written.
    """
    if os.path.lexists(out):
        raise CannotRun(phrase("{path}: there is such a file or folder already; name a new one", path=out))
    if out.resolve().is_relative_to(folder.resolve()):
        raise CannotRun(phrase("{path}: this is inside the event's folder; name another place", path=out))
    try:
        part = Path(mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        try:
            with _locked(folder):
                unfinished = shutil.ignore_patterns(LOCK, f"{STORE}*", f"*{files.UNFINISHED}")
                shutil.copytree(folder, part, symlinks=True, ignore=unfinished, dirs_exist_ok=True)
                if (folder / STORE).exists():
                    with ClubStore(folder / STORE) as store:
                        store.backup(part / STORE)
            part.rename(out)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        why = error.args[0][0][2] if isinstance(error, shutil.Error) else reason(error)
        raise CannotRun(phrase("{path}: the copy can't be written ({why})", path=out, why=why)) from None


def _locked(folder: Path) -> EventJournal:
    """Return the journal of an event, so that nobody else changes it; a server does so for a moment only.

    Raise CannotRun if it can't be had.
    """
    for _ in range(_TRIES):
        with suppress(CannotRun):
            return EventJournal(str(folder))
        time.sleep(0.1)
    return EventJournal(str(folder))
