"""The folder of an event for a page in a browser, in the words of ``tiro event``, the only command that changes it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from ..event.api import (
    EVENT_FILE,
    EventState,
    count_line,
    event_data,
    event_state,
    event_text,
    lines_of,
    read_plan,
    refused_in,
    standings,
    standings_table,
)
from ..storage.api import CannotRun
from .check import is_running
from .desk import DeskError, sentence


class SentEvent:
    """An event whose files arrive one after another; its present state can be reported at any time."""

    def __init__(self, name: str) -> None:
        """Begin an event, whose folder has this ``name``."""
        self._name, self._held = name, TemporaryDirectory()
        self._state: EventState | None = None
        self._running: list[str] = []
        """What is said of files that were left out since a game in them is not over."""

    def put(self, name: str, data: bytes) -> None:
        """Take a file, by its path within the folder. Raise NoJournal if the path leads elsewhere."""
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\0" in name:
            raise DeskError(name)
        place = Path(self._held.name, *path.parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)

    def status(self) -> dict[str, Any]:
        """Return the event as in ``tiro event --format json``, what to do next in words, and the standings.

        Raise NoJournal if its file can't be read.
        """
        folder = self._held.name
        try:
            plan = read_plan(event_text(folder), EVENT_FILE)
            while True:
                state = self._state = event_state(folder, plan, 1, refused_in(folder), self._state)
                running = next((sheet.file for sheet in self._sheets() if is_running(sheet.report.text)), "")
                if not running:
                    break
                while not Path(folder, running).is_file():  # in an archive
                    running = str(PurePosixPath(running).parent)
                Path(folder, running).unlink()
                self._running.append(f"{running}: {sentence('look', 'not_over')}")
        except CannotRun as error:
            raise DeskError("\n".join(error.lines).replace(folder, self._name)) from None
        table = standings(plan, state.decided)
        heads, rows = standings_table(plan, table)
        return {
            "event": event_data(state, table),
            "count": count_line(state),
            "to_do": [{"lines": lines_of(one, self._name), "places": one.places} for one in state.to_do],
            "pairings": [one.pairing.title for one in state.decided],
            "standings": [[long for _, long in heads], *rows],
            "verdicts": {sheet.place: sheet.report.verdict for sheet in self._sheets()},
            "left_out": self._running,
        }

    def text(self, place: str) -> str:
        """Return the text of the record at a place."""
        return next((sheet.report.text for sheet in self._sheets() if sheet.place == place), "")

    def _sheets(self) -> list[Any]:
        known = self._state.known.values() if self._state else ()
        return [sheet for sheets in known for sheet in sheets]
