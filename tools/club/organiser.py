"""An event as its organiser sees it: what is to do, what was done, and the standings. It does what ``tiro event`` does.

The folder stays the truth. It is read again for each look, and only what changed in it costs anything. An action names
what its organiser saw of the thing that it is about, not the state of the whole event: while games are recorded, that
changes with every word.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from typing import Final, NamedTuple

from ..event.api import (
    EVENT_FILE,
    EventJournal,
    EventPlan,
    EventState,
    FileEdit,
    ToDo,
    count_line,
    digits,
    event_state,
    event_text,
    game_rows,
    kind_of,
    possible_values,
    problem_of,
    read_plan,
    refused_in,
    solution_of,
    standing_changes,
    standings,
    standings_table,
    title_of,
)
from ..render.pages import template
from .tables import Table

ACCEPT, REFUSE, UNDO = "accept", "refuse", "undo"
_SHOWN: Final = 20
"""How many of the last changes are shown."""


class StaleError(Exception):
    """Raised for an action on something that is no longer as its organiser saw it."""


class Entry(NamedTuple):
    """Something to do, for the page: ``seen`` stands for what it says, ``lines`` are the differences in its files,
    ``values`` what may be given (a text may be, if ``takes`` a value but there are none).
    """

    one: ToDo
    kind: str
    title: str
    problem: str
    solution: str
    seen: str
    lines: tuple[str, ...]
    takes: bool
    values: tuple[str, ...]


class Organiser:
    """An event in a folder, for its organisers; safe for several threads."""

    def __init__(self, folder: str, jobs: int = 1) -> None:
        """Begin with an event. Raise CannotRun if its file can't be read."""
        self.folder, self.jobs = folder, jobs
        self._lock = threading.Lock()
        self._state: EventState | None = None
        self.plan()

    def plan(self) -> EventPlan:
        """Return the plan of the event. Raise CannotRun if it can't be read."""
        return read_plan(event_text(self.folder), os.path.join(self.folder, EVENT_FILE))

    def state(self) -> EventState:
        """Return the present state of the event. Raise CannotRun if it can't be read."""
        with self._lock:
            return self._read(refused_in(self.folder))

    def view(self, tables: Iterable[Table] = (), told: Sequence[str] = ()) -> str:
        """Return what the organiser sees, as markup, with the devices at the tables and what is ``told``.

        Raise CannotRun if the event can't be read.
        """
        state, done = self.state(), standing_changes(self.folder)
        heads, rows = standings_table(state.plan, standings(state.plan, state.decided))
        return template("club_view.html.j2").render(
            name=state.plan.name,
            count=count_line(state),
            entries=[*entries_of(state)],
            done=[(number, one) for number, one in enumerate(done)][: -_SHOWN - 1 : -1],
            heads=heads,
            rows=rows,
            games=game_rows(state),
            tables=[*tables],
            told=told,
        )

    def act(self, what: str, key: str, seen: str = "", value: str = "") -> str:
        """Accept a proposal, perhaps with another value, refuse it, or undo a change; return in words what was done.

        ``seen`` is that of the entry. To undo, ``key`` is the number of the change, and ``seen`` its key. Raise
        StaleError if it is no longer as it was seen, CannotRun if it can't be done.
        """
        with self._lock, EventJournal(self.folder) as journal:
            if what == UNDO:
                standing = dict(enumerate(journal.standing))
                number = next((number for number in standing if str(number) == key), None)
                if number is None or standing[number].key != seen:
                    raise StaleError
                return journal.undo(number)
            entries = entries_of(self._read(journal.refused))
            named = next((one for one in entries if (one.one.key, one.seen) == (key, seen)), None)
            if named is None:
                raise StaleError
            if what == REFUSE:
                journal.refuse(named.one)
                return ""
            return journal.accept(named.one, value)

    def _read(self, refused: Iterable[str]) -> EventState:
        self._state = event_state(self.folder, self.plan(), self.jobs, refused, self._state)
        return self._state


def entries_of(state: EventState) -> Iterator[Entry]:
    """Yield what is to do in an event, the most urgent first."""
    for one in state.to_do:
        kind, problem, solution = kind_of(one), problem_of(one), solution_of(one)
        lines = tuple(line for edit in one.edits for line in _difference(edit)) if one.proposes else ()
        changed = [line for line in lines if line[0] in "+-"]  # the rest of a file may change meanwhile
        seen = digits(one.key, problem, solution, *one.places, *changed)
        takes, values = possible_values(one, state.plan)
        yield Entry(one, kind, title_of(one), problem, solution, seen, lines, takes, values)


def _difference(edit: FileEdit) -> Iterator[str]:
    """Yield the lines that an edit takes away (``-``) and adds (``+``), with their neighbours."""
    was, now = edit.was.splitlines(), (edit.text or "").splitlines()
    yield from list(unified_diff(was, now, edit.file, edit.file, n=1, lineterm=""))[2:]
