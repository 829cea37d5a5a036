"""The tables of an event: devices that record a game there, and send their taps.

A device asks for a pairing and gets a token. The first one of a pairing may record at once, any other waits for the
organiser. What begins its game is made here, so that names, round and rules are those of the event. A tap is confirmed
once it is on disk; the record is written from the journal before somebody reads the event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from operator import eq
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from ...notation.basics import PLAYER_NAMES
from ...notation.language import ENGLISH, Messages, phrase, speaking
from ...replay.engine.api import VIEWS
from ...replay.rules.api import EDITION_NAMES
from ..desk.api import Desk, DeskError
from ..event.api import EventJournal, EventPlan, Pairing, fact_key
from ..storage.api import CannotRun
from .filing import file_record
from .store import ADMITTED, ClubStore, Device, Refused

STORE: Final = "club.sqlite"
_TOLD: Final[Messages] = {
    "gone": "What device {number} records could not be written: its game is no longer in event.toml",
    "unread": "What device {number} records could not be written: {pairing.title}: it could not be read",
    "failed": "What device {number} records could not be written: {pairing.title}: {error}",
    "kept": "{kept} was changed elsewhere and stays; the record is in {file}",
}
"""What is told about records; the error is one of the system, or in English."""
_VERSION: Final = 2
"""The version of the journals that begin here."""
Clock: TypeAlias = Callable[[], float]
"""Gives seconds that never go back."""


class Presence(NamedTuple):
    """A device at a table, the number of its taps, and the seconds since it was seen, None if it was not since the club
    was opened.
    """

    device: Device
    taps: int
    since: float | None


class Table(NamedTuple):
    """A pairing for which a device may ask, and the devices that did."""

    key: str
    title: str
    devices: tuple[Presence, ...]


class Tables:
    """The tables of an event in a folder; safe for several threads."""

    def __init__(self, folder: str, plan: Callable[[], EventPlan], clock: Clock) -> None:
        """Open what is kept of them. Raise CannotRun if that can't be read."""
        self.folder, self._plan, self._clock = Path(folder), plan, clock
        self.store = ClubStore(self.folder / STORE)
        self.filed, self._told = 0, dict[tuple[int, str], tuple[str, dict[str, Any]]]()
        # By a clock that may have begun anew.
        self._before = {(each.number, each.seen) for each in self.store.devices()}

    def ask(self, key: str) -> tuple[Device, str]:
        """Return a new device for a pairing, and its token. Raise Refused if there is no such pairing, or too many
        devices wait.
        """
        if key not in self._pairings():
            raise Refused("pairing")
        _, token = self.store.ask(key, self._clock())
        device = self.device(token)
        assert device is not None
        return device, token

    def device(self, token: str) -> Device | None:
        """Return the device with a token, if there is one."""
        return self.store.device(token, self._clock()) if token else None

    def state(self, device: Device) -> dict[str, Any]:
        """Return what a device must know: whether it may record, and then its pairing, what its game begins with, and
        its journal so far (None if nobody has begun).
        """
        pairing = self._pairings().get(device.pairing)
        said = {"device": device.number, "state": device.state, "pairing": pairing.title if pairing else ""}
        if device.state != ADMITTED or pairing is None:
            return said
        return said | {"start": self._start(pairing), "journal": self.store.journal(device.number)}

    def begin(self, device: Device, view: str, starts: str) -> dict[str, Any]:
        """Begin the game of an admitted device that sees what ``view`` sees, with the player who ``starts`` where the
        rules leave that open, and return its journal. Raise Refused if it may not, or has begun otherwise.

        A player records in tournament mode.
        """
        pairing = self._pairings().get(device.pairing)
        if device.state != ADMITTED or pairing is None:
            raise Refused(device.state if pairing else "pairing")
        if view not in VIEWS or starts not in ("", *PLAYER_NAMES):
            raise Refused("form")
        start = self._start(pairing)
        start |= {"view": view, "headers": start["headers"] | ({"Starts": starts} if starts else {})}
        start |= {"tournament": True} if view in map(str.lower, PLAYER_NAMES) else {}
        if self.store.journal(device.number) is None:
            self.store.begin(device.number, {"desk": _VERSION, "start": start})
        journal = self.store.journal(device.number)
        assert journal is not None
        return journal

    def take(self, device: Device, first: int, taps: list[Any]) -> int:
        """Keep taps of an admitted device, and return how many are kept. Raise Refused if it may not record, or what
        :meth:`ClubStore.take` raises.
        """
        if device.state != ADMITTED:
            raise Refused(device.state)
        return self.store.take(device.number, first, taps)

    def add(self, journal: dict[str, Any]) -> Device:
        """Take the taps that a device gave as a file, and return that device: the one that has sent the first of them
        already, else a further one of the game that the file names.

        Raise Refused if the event has no such game, or if this is not a journal that can be kept.
        """
        try:
            Desk.of(journal)
        except DeskError as error:
            raise Refused("form") from error
        head, taps = {name: value for name, value in journal.items() if name != "taps"}, journal["taps"]
        names = [head["start"].get("headers", {}).get(name) for name in ("Round", *PLAYER_NAMES)]
        found = {[str(each.round), each.caesar, each.cleopatra] == names: key for key, each in self._pairings().items()}
        if True not in found:
            raise Refused("pairing")
        for device in self.store.devices():
            there = self.store.journal(device.number) if device.pairing == found[True] else None
            if there and all(map(eq, taps, there.pop("taps"))) and there == head:
                break
        else:
            number, token = self.store.ask(found[True], self._clock())
            self.store.admit(number)
            self.store.begin(number, head)
            device = self.store.device(token, self._clock())
            assert device is not None
        self.take(device._replace(state=ADMITTED), 0, taps)
        return device

    def file(self, tell: Callable[[int, dict[str, Any]], str]) -> None:
        """Write the records of all games that grew, which ``tell`` makes of their devices' journals.

        Raise CannotRun if the event can't be read, or if somebody is changing it right now: it can be tried again.
        """
        if not (due := self.store.unfiled()):
            return
        pairings, devices = self._pairings(), {each.number: each for each in self.store.devices()}
        with EventJournal(str(self.folder)), speaking(ENGLISH):
            for number in due:
                pairing = pairings.get(devices[number].pairing)
                told: tuple[str, dict[str, Any]] | None = None
                if pairing is None:
                    told = "gone", {"number": number}
                else:
                    try:
                        self._file(devices[number], pairing, lambda journal, number=number: tell(number, journal))
                    except (DeskError, Refused, EOFError, OSError, CannotRun) as error:
                        facts = {"number": number, "pairing": pairing, "error": str(error)}
                        told = "failed" if facts["error"] else "unread", facts
                self._told.pop((number, ""), None)
                if told:
                    self._told[number, ""] = told

    def _file(self, device: Device, pairing: Pairing, tell: Callable[[dict[str, Any]], str]) -> None:
        filed = file_record(self.store, device.number, self.folder, self._name(device, pairing), tell)
        self.filed += filed.written
        if filed.kept:
            self._told[device.number, filed.kept] = "kept", {"kept": filed.kept, "file": filed.file}

    def told(self) -> list[str]:
        """Return in words what could not be written, and, as long as the server runs, what was changed elsewhere."""
        return [phrase(_TOLD[what], **facts) for what, facts in self._told.values()]

    def all(self) -> Iterator[Table]:
        """Yield the tables of the games that have no result yet, or have devices."""
        devices = self.store.devices()
        for key, pairing in self._pairings().items():
            own = tuple(self._presence(each) for each in devices if each.pairing == key)
            if own or not pairing.result:
                yield Table(key, pairing.title, own)

    def _presence(self, device: Device) -> Presence:
        is_new = (device.number, device.seen) not in self._before
        return Presence(device, self.store.count(device.number), self._clock() - device.seen if is_new else None)

    def _pairings(self) -> dict[str, Pairing]:
        games = [each for each in self._plan().pairings if each.kind == "game"]
        return {fact_key(each): each for each in games}

    def _start(self, pairing: Pairing) -> dict[str, Any]:
        """Return what a game begins with: the rules and the headers are those of the event."""
        plan = self._plan()
        rules = plan.data.get("rules", "")
        headers = {
            "Event": plan.name, "Site": plan.data.get("place", ""), "Round": str(pairing.round),
            "Table": str(pairing.table or ""), "Date": f"{date.today():%Y.%m.%d}", "Caesar": pairing.caesar,
            "Cleopatra": pairing.cleopatra,
        }  # fmt: skip
        given = {name: value for name, value in headers.items() if value}
        return {"rules": rules or EDITION_NAMES[0], "headers": given}

    def _name(self, device: Device, pairing: Pairing) -> str:
        """Return the file of a device's record: that of the pairing, and for further devices one beside it."""
        first = min(each.number for each in self.store.devices() if each.pairing == device.pairing)
        table = f"table{pairing.table}" if pairing.table else f"game-{device.pairing}"
        return f"round{pairing.round}/{table}{'' if device.number == first else f'-device{device.number}'}.tiro"
