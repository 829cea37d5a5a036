"""Changes to an event's files: each is written to a journal, from which it can be undone, and the old files are kept.

A change is written to the journal before any file is touched, and marked as done after the last one. If the program is
killed in between, its next run finishes the work: it changes the files that are still unchanged.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from ...notation.language import ENGLISH, clauses, labelled, phrase, spoken
from ...notation.records import read_bytes
from ..storage.api import CannotRun, links_outside, lock, replacing, sync_folder
from ..storage.sources import PLAIN_SUFFIXES, reason
from .facts import ALIAS, RESULT, ROUND, Fact, FileEdit, ToDo, Told, fact
from .pairing import read_round, round_text
from .plan import EVENT_FILE, RESULTS, SCORE, Pairing, read_plan
from .records import ORIGINALS, with_header
from .words import said, subject_of, title_of, without_words

REFUSED: Final = "refuse"
JOURNAL: Final = "journal.jsonl"
"""The journal in the folder of originals: a line in JSON for each change."""


class Swap(NamedTuple):
    """The text of a file before and after a change; None if there is no file."""

    file: str
    was: str | None
    now: str | None


class EventChange(NamedTuple):
    """A line of the journal: what was done (``accept``, ``refuse``, ``undo``) to the thing named by ``key``.

    ``says`` tells it in the words of a ``language``. ``facts`` tell it in any language: what it is about, and what
    became of that; the words about a record are missing in them.
    """

    what: str
    key: str
    says: str
    swaps: tuple[Swap, ...] = ()
    language: str = ENGLISH.code
    facts: Any = ()

    @property
    def told(self) -> str:
        """Return in words what was done; in those of its language if it has no facts that this version knows."""
        if self.facts and self.language != spoken().code:
            with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):
                return labelled(*map(said, map(_restored, self.facts)))
        return self.says


class EventJournal(AbstractContextManager["EventJournal"]):
    """The journal of an event, to be used in a ``with``. It finishes what a killed program began.

    ``standing`` are the changes that have not been undone. Raise CannotRun if another program is using the journal, or
    it is not this program's journal.
    """

    def __init__(self, folder: str) -> None:
        self._folder, self.standing = folder, list[EventChange]()
        home = os.path.join(folder, ORIGINALS)
        self._path = os.path.join(home, JOURNAL)
        if links_outside(home, folder) or links_outside(self._path, folder):
            raise CannotRun(f"{home}: {phrase('this is a link out of the folder and is not followed; remove it')}")
        try:
            os.makedirs(home, exist_ok=True)
            self._stream = open(self._path, "a+b")  # noqa: SIM115  # closed at the end of the with
            try:
                lock(self._stream.fileno())
                self._resume()
            except BaseException:
                self._stream.close()
                raise
        except BlockingIOError:
            said = phrase("another program is changing this event; wait until it has ended")
            raise CannotRun(f"{self._path}: {said}") from None
        except OSError as error:
            raise CannotRun(f"{self._path}: {reason(error)}") from None

    def __exit__(self, *_error: object) -> None:
        self._stream.close()

    @property
    def refused(self) -> set[str]:
        """Return the keys of the things that must stay unchanged."""
        return {one.key for one in self.standing if one.what == REFUSED}

    def refuse(self, one: ToDo) -> None:
        """Note that something must stay unchanged."""
        self._do(_change(REFUSED, one, one.problem, fact(one.kind)))

    def accept(self, one: ToDo, value: str = "") -> str:
        """Carry out a proposal, perhaps with another value; return in words what was done.

        Raise CannotRun if nothing is proposed, if the proposal takes no value, or if a file can't be changed or has
        changed since.
        """
        done = _with_value(one, value) if value else one
        if not done.proposes:
            raise CannotRun(phrase("{key}: nothing is proposed here; {order}", key=one.key, order=said(one.order)))
        change = _change("accept", one, done.proposes, without_words(done.proposes))
        self._do(change._replace(swaps=tuple(self._swaps(done.edits))))
        return said(done.proposes)

    def undo(self, number: int = -1) -> str:
        """Undo the last change, or the standing one with a number; return in words what it was, or an empty text if
        there is none.

        Raise CannotRun if a later change changed the same file again.
        """
        if not self.standing:
            return ""
        one, later = self.standing[number], self.standing[number:][1:]
        files = {swap.file for swap in one.swaps}
        for other in later:
            if files & {swap.file for swap in other.swaps} or other.key == one.key:
                told = phrase("{key} changed the same file after it; undo that first", key=other.key)
                raise CannotRun(labelled(one.key, told))
        back = tuple([Swap(file, now, was) for file, was, now in reversed(one.swaps)])
        self._do(one._replace(what="undo", swaps=back))
        return f"{one.what} {one.key}: {one.told}"

    def _resume(self) -> None:
        """Read the journal, ignoring an entry that was cut off, and finish the last change."""
        self._stream.seek(0)
        data = self._stream.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            self._stream.truncate(whole)
        self.standing, begun = _told(self._path, data[:whole])
        if begun:
            self._carry_out(begun, strictly=False)

    def _do(self, change: EventChange) -> None:
        for swap in change.swaps:
            path = self._place(swap.file)
            if _read(path) != swap.was:
                raise CannotRun(phrase("{path}: this file has changed since it was read; try again", path=path))
            kept = self._place(os.path.join(ORIGINALS, swap.file))
            if swap.was is not None and not os.path.lexists(kept):
                os.makedirs(os.path.dirname(kept), exist_ok=True)
                _write(kept, swap.was)
        self._append({**change._asdict(), "swaps": [swap._asdict() for swap in change.swaps]})
        _count(self.standing, change)
        self._carry_out(change)

    def _carry_out(self, change: EventChange, *, strictly: bool = True) -> None:
        for swap in change.swaps:
            path = self._place(swap.file)
            if not strictly and _read(path) != swap.was:
                continue  # done before the program was killed, or changed by somebody since
            if swap.now is None:
                os.unlink(path)
                sync_folder(Path(path).parent)
            else:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                _write(path, swap.now)
        self._append({"what": "done"})

    def _append(self, entry: dict[str, Any]) -> None:
        self._stream.write(json.dumps(entry).encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _place(self, file: str) -> str:
        """Return the path of a file of the event. Raise CannotRun if it is elsewhere."""
        home, path = os.path.realpath(self._folder), os.path.join(self._folder, file)
        if os.path.isabs(file) or os.path.commonpath((home, os.path.realpath(path))) != home:
            raise CannotRun(phrase("{path}: this is outside the folder and is not changed", path=path))
        return path

    def _swaps(self, edits: Iterable[FileEdit]) -> Iterable[Swap]:
        """Yield the changes as swaps of whole files."""
        by_file: dict[str, list[FileEdit]] = {}
        for edit in [edit for edit in edits if edit.text != edit.was]:
            by_file.setdefault(edit.file, []).append(edit)
        for file, some in by_file.items():
            path = self._place(file)
            if some[0].game == 0 and not some[0].was and not os.path.lexists(path):  # a new file
                yield Swap(file, None, some[0].text)
                continue
            if not os.path.isfile(path) or not file.endswith((*PLAIN_SUFFIXES, EVENT_FILE)):
                why = phrase("games in archives and packed files can't be changed; unpack them first")
                raise CannotRun(f"{path}: {why}")
            was = _read(path) or ""
            if some[0].game == 0:
                texts: list[str | None] = [was]
            else:
                texts = ["".join(game.source.lines) for game in read_bytes(io.BytesIO(_bytes(was)), file)]
            for edit in some:
                at = max(edit.game - 1, 0)
                if at >= len(texts) or texts[at] != edit.was:
                    raise CannotRun(phrase("{path}: this file has changed since it was read; try again", path=path))
                texts[at] = edit.text
            yield Swap(file, was, "".join(filter(None, texts)) or None)


def refused_in(folder: str) -> set[str]:
    """Return the keys of the things in an event that must stay unchanged, even if somebody is changing the event right
    now.
    """
    return {one.key for one in standing_changes(folder) if one.what == REFUSED}


def standing_changes(folder: str) -> list[EventChange]:
    """Return the changes of an event that have not been undone, even if somebody is changing the event right now."""
    path = os.path.join(folder, ORIGINALS, JOURNAL)
    data = _bytes(_read(path) or "")
    return _told(path, data[: data.rfind(b"\n") + 1])[0]


def _told(path: str, data: bytes) -> tuple[list[EventChange], EventChange | None]:
    """Return which changes of a journal are in force, and the one that was begun but not finished."""
    standing: list[EventChange] = []
    begun: EventChange | None = None
    for number, line in enumerate(data.splitlines(), 1):
        try:
            entry = json.loads(line)
            if entry == {"what": "done"}:
                begun = None
                continue
            swaps = tuple([_swap(**swap) for swap in entry["swaps"]])
            what, key, says = map(str, (entry["what"], entry["key"], entry["says"]))
            begun = EventChange(what, key, says, swaps, entry.get("language", ENGLISH.code), entry.get("facts", ()))
        except (ValueError, LookupError, TypeError, RecursionError):
            why = phrase("this line is not a change of an event; rename the file")
            raise CannotRun(f"{path}:{number}: {why}") from None
        _count(standing, begun)
    return standing, begun


def _count(standing: list[EventChange], change: EventChange) -> None:
    if change.what != "undo":
        standing.append(change)
    elif standing:  # the last change with this key; in old journals always the last of all
        keys = [one.key for one in standing]
        del standing[len(keys) - 1 - keys[::-1].index(change.key) if change.key in keys else -1]


def _change(what: str, one: ToDo, told: Told, told_anywhere: Told) -> EventChange:
    says, facts = labelled(title_of(one), said(told)), (subject_of(one), told_anywhere)
    return EventChange(what, one.key, says, (), spoken().code, facts)


def _restored(told: Any) -> Any:
    """Return a fact that was stored as JSON."""
    match told:
        case [str(kind), dict(facts)]:
            return Fact(kind, {name: _restored(each) for name, each in facts.items()})
        case [*several]:
            return tuple(map(_restored, several))
    return told


def _with_value(one: ToDo, value: str) -> ToDo:
    if not one.name or not one.edits:
        raise CannotRun(phrase("{key}: this takes no value; correct the file, or refuse it", key=one.key))
    first = one.edits[0]
    if one.name == ALIAS:
        text = read_plan(first.was).with_alias(value, one.alias)
    elif one.name == RESULT and one.pairing:
        value = _result_of(value, one.pairing)
        text = read_plan(first.was).with_pairing(one.pairing.place, result=value)
        read_plan(text)
    elif one.name == ROUND:
        plan = read_plan(first.was)
        pairings = read_round(value, plan, int(one.facts[0]))
        text = plan.with_round(pairings)
        read_plan(text)
        games = tuple(round_text(pairings).split("\n"))
        return one._replace(proposes=fact("round as follows", games=games), edits=(first._replace(text=text),))
    else:
        text = with_header(first.was, one.name, value)
    return one._replace(proposes=f"{one.name}: {value}", edits=(first._replace(text=text),))


def _result_of(value: str, pairing: Pairing) -> str:
    """Return a result as the event writes it; it may be given in any case, or with a player's name instead of a
    side.
    """
    said = f" {value.lower()} "
    for side, name in zip(RESULTS, (pairing.caesar, pairing.cleopatra), strict=False):
        said = said.replace(f" {name.lower()} ", f" {side} ")
    if score := SCORE.fullmatch(value.strip()):
        return f"{score[1]}-{score[2]}{''.join((score[3] or '').split())}"
    if said.strip() not in RESULTS:
        facts = {"won": ", ".join(RESULTS[:3]), "missed": ", ".join(RESULTS[3:])}
        told = phrase("say who won ({won}), the score (20-7, Rome first), or {missed}", **facts)
        raise CannotRun(clauses((phrase("“{value}” is not a result", value=value), told)))
    return said.strip()


def _swap(file: str, was: str | None, now: str | None) -> Swap:
    if not isinstance(file, str) or not all(isinstance(text, str | None) for text in (was, now)):
        raise TypeError(file)
    for text in (file, was or "", now or ""):
        _bytes(text)  # raises ValueError for half of a surrogate pair, which no file holds
    if "\0" in file:
        raise ValueError(file)
    return Swap(file, was, now)


def _read(path: str) -> str | None:
    try:
        with open(path, "rb") as stream:
            return stream.read().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def _write(path: str, text: str) -> None:
    with replacing(path) as stream:
        stream.write(_bytes(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
