"""The definition of an event: its file ``event.toml``, read, checked and written."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

from ....notation.fingerprint import folded
from ....notation.jsonform import problems_by_schema
from ....schemas import whole_numbers
from ...storage import Unable
from ...storage.files import links_outside
from ...storage.sources import reason

EVENT_FILE: Final = "event.toml"
FORMAT, VERSION = "tironian-event", 1
LARGEST: Final = 16 << 20
"""The most bytes of an ``event.toml``: a hundred thousand pairings need half of that."""
TIE_BREAKS: Final = ("buchholz", "sonneborn-berger", "direct-encounter")
"""The tie-breaks if an event names none."""
RESULTS: Final = ("caesar", "cleopatra", "draw", "forfeit caesar", "forfeit cleopatra", "forfeit both")
"""The possible results of a pairing: who won, then who won without playing."""
POINTS: Final = {"win": 1, "draw": 0.5, "loss": 0, "bye": 1, "absent": 0, "forfeit-win": 1, "forfeit-loss": 0}
"""The points, unless an event says otherwise."""
_TEXTS: Final = ("name", "place", "dates", "rules", "rulings", "secret-until")


class EventPlayer(NamedTuple):
    """A player of an event."""

    name: str
    aliases: tuple[str, ...] = ()
    id: str = ""
    club: str = ""


class Pairing(NamedTuple):
    """A game to be played, or a player without a game: then only ``caesar`` is given, with a ``bye`` or ``absent``.

    ``result``, a word of the schema, counts whatever the record says; ``place`` is the pairing's place in the file's
    list, -1 if it comes from a record.
    """

    round: int
    table: int
    caesar: str
    cleopatra: str = ""
    kind: str = "game"
    result: str = ""
    place: int = -1

    @property
    def players(self) -> frozenset[str]:
        """Return the names of the players."""
        return frozenset(filter(None, (self.caesar, self.cleopatra)))

    @property
    def title(self) -> str:
        """Return the pairing in words: ``round 2, table 1: Livia – Marcus``."""
        table = f", table {self.table}" if self.table else ""
        return f"round {self.round}{table}: {self.caesar}{f' – {self.cleopatra}' if self.cleopatra else ''}"


@dataclass(frozen=True)
class EventPlan:
    """What ``event.toml`` says: ``text`` is the text of the file, ``data`` are its values."""

    text: str
    data: dict[str, Any]
    players: tuple[EventPlayer, ...]
    pairings: tuple[Pairing, ...]
    points: Mapping[str, Fraction]
    tie_breaks: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the name of the event."""
        return self.data.get("name") or "Event"

    @property
    def rules(self) -> str:
        """Return the rule set of all games, with the agreed readings; empty if no rule set is named."""
        return f"{self.data.get('rules', '')} {self.data.get('rulings', '')}".strip()

    def names(self) -> dict[str, str]:
        """Return the player's name for each name and alias; case, accents and extra spaces are ignored."""
        return {folded(name): player.name for player in self.players for name in (player.name, *player.aliases)}


def event_text(folder: str) -> str:
    """Return the text of a folder's ``event.toml``. Raise Unable if it is missing or can't be read."""
    path = os.path.join(folder, EVENT_FILE)
    if not os.path.isdir(folder):
        raise Unable(f"{folder}: there is no such folder")
    if not os.path.lexists(path):
        raise Unable(f"{path}: there is no such file; `tiro event init {folder}` makes it from the records there")
    if links_outside(path, folder):
        raise Unable(f"{path}: this is a link out of the folder and is not followed; put the file itself there")
    try:
        with open(path, "rb") as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise Unable(f"{path}: it has more than {LARGEST >> 20} MB, which no event needs")
        return data.decode()
    except UnicodeDecodeError as error:
        raise Unable(f"{path}: it is not UTF-8, which TOML has to be, at byte {error.start}") from None
    except OSError as error:
        raise Unable(f"{path}: {reason(error)}") from None


def read_plan(text: str, path: str = EVENT_FILE) -> EventPlan:
    """Return what the text of an ``event.toml`` says. If it is not valid, raise Unable, with a line for each fault."""
    try:
        data = whole_numbers(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unable(f"{path}: this is not TOML: {error}") from None
    problems = [f"{path}: {_place(problem.path)}{problem.message}" for problem in problems_by_schema("event", data)]
    if problems:
        raise Unable(*problems[:20])
    players = tuple(
        EventPlayer(one["name"], tuple(one.get("aliases", ())), one.get("id", ""), one.get("club", ""))
        for one in data["players"]
    )
    pairings = tuple(_pairing(place, entry) for place, entry in enumerate(data.get("pairings", ())))
    points = {name: Fraction(str(value)) for name, value in (POINTS | data.get("points", {})).items()}
    plan = EventPlan(text, data, players, pairings, points, tuple(data.get("tie-breaks", TIE_BREAKS)))
    if faults := list(_faults(plan)):
        raise Unable(*[f"{path}: {fault}" for fault in faults[:20]])
    return plan


def _place(path: str) -> str:
    """Return where a problem is in the file, given its path in JSON: ``players[2].name: ``."""
    return f"{path[2:]}: " if path.startswith("$.") else f"{path[1:]}: " if path != "$" else ""


def _pairing(place: int, entry: dict[str, Any]) -> Pairing:
    alone = next((kind for kind in ("bye", "absent") if kind in entry), "")
    first, second = (entry[alone], "") if alone else (entry.get("caesar", ""), entry.get("cleopatra", ""))
    kind, result = alone or "game", entry.get("result", "")
    return Pairing(entry["round"], entry.get("table", 0), first, second, kind, result, place)


def _faults(plan: EventPlan) -> Iterator[str]:
    """Yield, in sentences, the faults that the schema can't express."""
    seen: dict[str, str] = {}
    for player in plan.players:
        for name in (player.name, *player.aliases):
            other = seen.setdefault(folded(name), player.name)
            if other != player.name or (name == player.name and plan.players.count(player) > 1):
                yield f"players: “{name}” is a name of both {other} and {player.name}; give each their own name"
    names, rounds = {player.name for player in plan.players}, plan.data.get("rounds")
    for pairing in plan.pairings:
        entry, where = plan.data["pairings"][pairing.place], f"pairings[{pairing.place}]"
        sides = [side for side in ("caesar", "cleopatra") if side in entry]
        if len(sides) != (2 if pairing.kind == "game" else 0) or {"bye", "absent"} <= entry.keys():
            yield f"{where}: give caesar and cleopatra, or only bye, or only absent"
        elif pairing.caesar == pairing.cleopatra:
            yield f"{where}: {pairing.caesar} can't play against themselves; name the opponent"
        elif pairing.result and pairing.kind != "game":
            yield f"{where}: a player without a game has no result; leave it out"
        for name in pairing.players - names:
            yield f"{where}: there is no player “{name}”; add them to players, or write the name as it stands there"
        if rounds is not None and pairing.round > rounds:
            yield f"{where}: this is round {pairing.round}, but there are {rounds} rounds"


def plan_text(data: Mapping[str, Any]) -> str:
    """Return the values of an event as the text of an ``event.toml``."""
    lines = [f'format = "{FORMAT}"', f"version = {VERSION}"]
    lines += [f"{name} = {_value(data[name])}" for name in (*_TEXTS, "rounds", "tie-breaks") if name in data]
    if "points" in data:
        lines += ["", "[points]", *_entries(data["points"])]
    for table in ("players", "pairings"):
        for entry in data.get(table, ()):
            lines += ["", f"[[{table}]]", *_entries(entry)]
    return "\n".join([*lines, ""])


def _entries(table: Mapping[str, Any]) -> Iterable[str]:
    return [f"{name} = {_value(value)}" for name, value in table.items()]


def _value(value: Any) -> str:
    """Return a value in TOML; invisible characters become their numbers, and bytes that are not text a replacement
    character.
    """
    if isinstance(value, str):
        plain = value.encode("utf-8", "replace").decode()
        chars = [char if char.isprintable() and char not in '"\\' else f"\\U{ord(char):08x}" for char in plain]
        return f'"{"".join(chars)}"'
    return f"[{', '.join(map(_value, value))}]" if isinstance(value, list) else str(value)
