"""An event as its organiser sees it: what is to do, what was done, and the standings. It does what ``tiro event`` does.

The folder stays the truth. It is read again for each look, and only what changed in it costs anything. An action names
what its organiser saw of the thing that it is about, not the state of the whole event: while games are recorded, that
changes with every word.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import quote, urlsplit

from ...notation.basics import install
from ...notation.language import Language, Messages, phrase, plural, spoken
from ...replay.diagnostics.api import join
from ..event.api import (
    EVENT_FILE,
    EventJournal,
    EventPlan,
    EventState,
    FileEdit,
    Pairing,
    ToDo,
    added,
    chips,
    clashes,
    digits,
    edited_plan,
    endings,
    event_state,
    event_text,
    fact_key,
    figure,
    game_row,
    given_result,
    kind_of,
    plain,
    points_of,
    possible_values,
    problem_of,
    read_plan,
    refused_in,
    sent_record,
    solution_of,
    standing_changes,
    standings,
    standings_table,
    title_of,
)
from ..render.pages import template
from ..storage.api import CannotRun
from .store import ADMITTED, WAITING, SentRecord
from .tables import Presence, Table

ACCEPT, REFUSE, UNDO, RESULT, EDIT = "accept", "refuse", "undo", "result", "edit"
_OPEN: Final = ("missing", "unfinished")
"""What is to be expected of a round that is being played."""
_DOING: Final[Messages] = {
    "recording": ("{count} records", "{count} record", "{count} table records", "{count} tables record"),
    "finished": ("{count} is finished", "{count} are finished",
                 "{count} table is finished", "{count} tables are finished"),
    "stopped": ("{count} has an unfinished record", "{count} have unfinished records",
                "{count} table has an unfinished record", "{count} tables have unfinished records"),
    "wrong": ("{count} has a record that does not count", "{count} have records that do not count",
              "{count} table has a record that does not count", "{count} tables have records that do not count"),
    "empty": ("{count} has no device", "{count} have no device",
              "{count} table has no device", "{count} tables have no device"),
}  # fmt: skip
"""What goes on at a table, and at several; then the same where tables have not been named yet."""
_SHOWN: Final = 20
"""How many of the last changes are shown."""
T = TypeVar("T")


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


class Row(NamedTuple):
    """A pairing for the page: ``shown`` is what everybody sees of it, ``seen`` stands for that. Its ``stage`` is
    ``counts``, ``runs`` (the game may go on), ``wrong``, or ``open`` if there is no record.
    """

    pairing: Pairing
    key: str
    seen: str
    shown: Any
    stage: str
    devices: tuple[Presence, ...]

    @property
    def doing(self) -> str:
        """Return what goes on at the table, in a word."""
        if self.stage == "counts":
            return "finished"
        if any(each.device.state == ADMITTED for each in self.devices):
            return "recording"
        return {"runs": "stopped", "open": "empty"}.get(self.stage, self.stage)


class Organiser:
    """An event in a folder, for its organisers; safe for several threads."""

    def __init__(self, folder: str, jobs: int = 1) -> None:
        """Begin with an event. Raise CannotRun if its file can't be read."""
        self.folder, self.jobs = folder, jobs
        self._lock = threading.Lock()
        self._states = dict[Language, EventState]()
        self.plan()

    def plan(self) -> EventPlan:
        """Return the plan of the event. Raise CannotRun if it can't be read."""
        return read_plan(event_text(self.folder), os.path.join(self.folder, EVENT_FILE))

    def state(self) -> EventState:
        """Return the present state of the event. Raise CannotRun if it can't be read."""
        with self._lock:
            return self._read(refused_in(self.folder))

    def view(
        self, tables: Iterable[Table] = (), told: Sequence[str] = (), after: int = 0, sent: Iterable[SentRecord] = ()
    ) -> str:
        """Return what the organiser sees, as markup, with devices at the tables, what is ``told``, what was ``sent``
        in, and the standings after a round, by default the last one that is played. Raise CannotRun if the event can't
        be read.
        """
        state, done = self.state(), standing_changes(self.folder)
        table = standings(state.plan, state.decided, min(after, state.games.played_rounds()))
        heads, ties = standings_table(state.plan, table)
        rows, points, clash = [*rows_of(state, tables)], points_of(state), clashes(state)
        now = max(_current(state), *[row.pairing.round for row in rows if row.devices], 0)
        rounds = dict[int, list[Row]]()
        for row in rows:
            rounds.setdefault(row.pairing.round, []).append(row)
        entries = [each for each in entries_of(state) if each.one.proposes or not _is_played(each.one, now)]
        entries.sort(key=lambda each: each.one.kind != "twice")  # what is impossible comes first
        inbox = [*self._inbox(state, sent, points)]
        waiting = [(row, each) for row in rows for each in row.devices if each.device.state == WAITING]
        return template("club_view.html.j2").render(
            name=state.plan.name,
            situation=_situation(rows, now, len(entries) + len(waiting) + len(inbox)),
            waiting=waiting,
            inbox=inbox,
            entries=[(each, plain(state, each.one, points)) for each in entries],
            done=[(number, one) for number, one in enumerate(done)][: -_SHOWN - 1 : -1],
            heads=heads[: 3 + len(state.plan.tie_breaks)],
            ties=ties,
            lines=[(score, figure(score.points), [*chips(score, table, {})]) for score in table.scores],
            table=table,
            played=state.games.played_rounds(),
            rounds=sorted(rounds.items(), key=lambda each: (each[0] != now, -each[0])),
            now=now,
            clash={row.pairing: clash.get(row.pairing, ()) for row in rows},
            found={fact_key(each.one.pairing): each.one.key for each in entries if each.one.pairing},
            told=told,
            endings=endings,
            ago=_ago,
        )

    def sheets(self, number: int, address: str) -> str:
        """Return the sheets for the tables of a round, by default the one that is played, as markup; devices open the
        club at an ``address``. Raise CannotRun if the event can't be read, or if segno is not installed.
        """
        try:
            import segno
        except ImportError:
            need = phrase("the codes on the sheets need segno: {command}", command=install("segno"))
            raise CannotRun(need) from None
        state = self.state()
        rounds = sorted({each.round for each in state.plan.pairings if each.kind == "game"})
        number = number if number in rounds else _current(state)
        sheets = list[tuple[Pairing, str, str]]()
        for each in state.plan.pairings:
            if each.kind == "game" and each.round == number:
                place = f"{address}/table/#ask={quote(fact_key(each), safe='')}"
                sheets.append((each, place, segno.make(place, micro=False).svg_inline(omitsize=True, light="#fff")))
        values = {"plan": state.plan, "rounds": rounds, "number": number, "sheets": sheets}
        return template("club_sheets.html.j2").render(values, address=urlsplit(address))

    def file(self) -> str:
        """Return the text of the event's file, to be edited, as markup, even if it is wrong. Raise CannotRun if it
        can't be read.
        """
        text = event_text(self.folder)
        return template("club_file.html.j2").render(text=text, seen=digits(text))

    def act(self, what: str, key: str, seen: str = "", value: str = "") -> str:
        """Accept a proposal, perhaps with another value, refuse it, undo a change, give a pairing a result by hand, or
        edit the event's file; return in words what was done.

        ``seen`` is that of the entry, of the row, or of the file. To undo, ``key`` is the number of the change, and
        ``seen`` its key. Without a value, the result of a pairing is what its records say. Raise StaleError if it is no
        longer as it was seen, CannotRun if it can't be done.
        """
        with self._lock, EventJournal(self.folder) as journal:
            this = key, seen
            if what == UNDO:
                return journal.undo(_still(at for at, one in enumerate(journal.standing) if (f"{at}", one.key) == this))
            if what == EDIT:
                text = event_text(self.folder)
                if digits(text) != seen:
                    raise StaleError
                return journal.accept(edited_plan(text, value))
            state = self._read(journal.refused)
            if what == RESULT:
                row = _still(row for row in rows_of(state) if (row.key, row.seen) == this)
                return journal.accept(given_result(state.plan, row.pairing), value)
            one = _still(each.one for each in entries_of(state) if (each.one.key, each.seen) == this)
            if what == REFUSE:
                journal.refuse(one)
                return ""
            return journal.accept(one, value)

    def waiting(self, numbers: Iterable[int]) -> list[int]:
        """Return which of these records that were sent in have not been added."""
        return [each for each in numbers if not os.path.lexists(os.path.join(self.folder, sent_file(each)))]

    def _inbox(
        self, state: EventState, sent: Iterable[SentRecord], points: Mapping[str, Fraction]
    ) -> Iterator[tuple[SentRecord, list[str], str, str]]:
        """Yield records that were sent in, each with what it would change, what stands for that, and its text."""
        for one in sent:
            text = one.text.decode("utf-8", "surrogateescape")
            told = added(state, sent_file(one.number), text, points)
            yield one, told, digits(*told), text

    def add(self, one: SentRecord, seen: str) -> str:
        """Add a record that was sent in to the folder, and return in words what was done. Raise StaleError if it would
        change something else than what was ``seen``, CannotRun if it can't be done.
        """
        with self._lock, EventJournal(self.folder) as journal:
            state = self._read(journal.refused)
            ((_, _, now, text),) = self._inbox(state, [one], points_of(state))
            if now != seen or not self.waiting([one.number]):
                raise StaleError
            return journal.accept(sent_record(sent_file(one.number), text, one.number))

    def _read(self, refused: Iterable[str]) -> EventState:
        """Return the state, told in the language that is spoken."""
        last = self._states.get(spoken())
        self._states[spoken()] = event_state(self.folder, self.plan(), self.jobs, refused, last)
        return self._states[spoken()]


def _still(found: Iterator[T]) -> T:
    """Return what was found of what its organiser saw. Raise StaleError if there is nothing."""
    for each in found:
        return each
    raise StaleError


def sent_file(number: int) -> str:
    """Return the file, in the event's folder, to which a record that was sent in is added."""
    return f"sent/{number}.tiro"


def entries_of(state: EventState) -> Iterator[Entry]:
    """Yield what is to do in an event, the most urgent first."""
    for one in state.to_do:
        kind, problem, solution = kind_of(one), problem_of(one), solution_of(one)
        lines = tuple(line for edit in one.edits for line in _difference(edit)) if one.proposes else ()
        changed = [line for line in lines if line[0] in "+-"]  # the rest of a file may change meanwhile
        seen = digits(one.key, problem, solution, *one.places, *changed)
        takes, values = possible_values(one, state.plan)
        yield Entry(one, kind, title_of(one), problem, solution, seen, lines, takes, values)


def rows_of(state: EventState, tables: Iterable[Table] = ()) -> Iterator[Row]:
    """Yield the pairings of an event, with the devices at their tables. The players of a row are on the sides that they
    played; its pairing is that of the plan.
    """
    devices = {table.key: table.devices for table in tables}
    for one in state.decided:
        pairing, shown = one.pairing, game_row(one, "", {})
        if pairing.place >= 0:
            pairing = state.plan.pairings[pairing.place]
        key, seen = fact_key(pairing), digits(pairing.result, f"{shown.sides}")
        stage = "wrong" if one.places else "open"
        if one.winner is not None or pairing.kind != "game":
            stage = "counts"
        elif not one.is_over:
            stage = "runs"
        yield Row(pairing, key, seen, shown, stage, devices.get(key, ()))


def _is_played(one: ToDo, now: int) -> bool:
    """Return whether something is to be expected of a round that is being played."""
    return one.kind in _OPEN and one.pairing is not None and one.pairing.round == now


def _situation(rows: Sequence[Row], now: int, count: int) -> str:
    """Return in a few sentences what goes on, with the number of things that wait for the organiser."""
    games = [row for row in rows if row.pairing.kind == "game"]
    doing = Counter(row.doing for row in games if row.pairing.round == now)
    told = list[str]()
    for each, forms in _DOING.items():
        if several := doing[each]:
            told.append(phrase(forms[(several > 1) + 2 * (not told)], count=several))
    said = [phrase("Round {round}.", round=now)]
    if told:
        said = [phrase("Round {round}: {told}.", round=now, told=join(told))]
    if late := sum(row.pairing.round < now and row.stage != "counts" for row in games):
        said.append(plural("{count} earlier game does not count yet.", "{count} earlier games do not count yet.", late))
    if count:
        said.append(plural("{count} thing waits for you.", "{count} things wait for you.", count))
    return " ".join(said)


def _current(state: EventState) -> int:
    """Return the round that is played: the last one of which anything is known, or the next one if all of it counts."""
    played = state.games.played_rounds()
    waiting = [each.pairing.round for each in state.decided if each.winner is None and each.pairing.kind == "game"]
    return min([number for number in waiting if number >= played], default=max(played, 1))


def _ago(seconds: float | None) -> str:
    """Return how long ago a device was seen, in steps so coarse that the page seldom changes."""
    if seconds is None:
        return phrase("not seen since the start")
    hours, minutes = divmod(int(seconds // 60), 60)
    if hours:
        return phrase("{count} h ago", count=hours)
    return phrase("{count} min ago", count=minutes) if minutes else phrase("now")


def _difference(edit: FileEdit) -> Iterator[str]:
    """Yield the lines that an edit takes away (``-``) and adds (``+``), with their neighbours."""
    was, now = edit.was.splitlines(), (edit.text or "").splitlines()
    yield from list(unified_diff(was, now, edit.file, edit.file, n=1, lineterm=""))[2:]
