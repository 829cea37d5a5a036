"""The definition of an event: its file ``event.toml``, read, checked and written."""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple

from ...notation.extra import problems_by_schema
from ...notation.language import clauses, labelled, phrase
from ...notation.records import Record, folded
from ...replay.engine.api import read_headers
from ...replay.rules.api import EDITION_NAMES, load_edition
from ...schemas import whole_numbers
from ..storage.api import CannotRun, links_outside
from ..storage.sources import reason

EVENT_FILE: Final = "event.toml"
FORMAT, VERSION = "tironian-event", 1
LARGEST: Final = 16 << 20
"""The most bytes of an ``event.toml``: a hundred thousand pairings need half of that."""
TIE_BREAKS: Final = ("buchholz", "sonneborn-berger", "direct-encounter")
"""The tie-breaks if an event names none."""
RESULTS: Final = ("caesar", "cleopatra", "draw", "forfeit caesar", "forfeit cleopatra", "forfeit both")
"""The possible results of a pairing, besides a score: who won, then who won without playing."""
SCORE: Final = re.compile(r"(\d{1,3})\s*[-–—:]\s*(\d{1,3})\s*(>\s*[RE-])?")
"""A score, Rome's points first; the side that won may follow."""
_WINNERS: Final = {"caesar": 0, "cleopatra": 1, "draw": 2, "both": 3, ">R": 0, ">E": 1, ">-": 2}
_DAYS: Final = ("dates", "secret-until")
"""The texts of an event that may be given as a date of TOML."""
POINTS: Final = {"win": 1, "draw": 0.5, "loss": 0, "bye": 1, "absent": 0, "forfeit-win": 1, "forfeit-loss": 0}
"""The points, unless an event says otherwise."""
_TEXTS: Final = ("name", "place", "dates", "rules", "rulings", "secret-until")
SYSTEMS: Final = ("swiss", "round-robin", "casual")
"""The ways to pair the next round."""


class EventPlayer(NamedTuple):
    """A player of an event, who plays ``first`` in this round, and for the ``last`` time in that one, 0 for the end."""

    name: str
    aliases: tuple[str, ...] = ()
    id: str = ""
    club: str = ""
    rating: int = 0
    first: int = 1
    last: int = 0


class Pairing(NamedTuple):
    """A game to be played, or a player without a game: then only ``caesar`` is given, with a ``bye`` or ``absent``.

    ``result``, as in the schema, counts whatever the record says; ``place`` is the pairing's place in the file's
    list, -1 if it comes from a record. ``again`` counts the equal pairings before it in that list. ``points`` are what
    a player without a game gets in this round, None for what all such players get.
    """

    round: int
    table: int
    caesar: str
    cleopatra: str = ""
    kind: str = "game"
    result: str = ""
    place: int = -1
    again: int = 0
    points: Fraction | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the players, Rome's first."""
        return tuple(filter(None, (self.caesar, self.cleopatra)))

    @property
    def players(self) -> frozenset[str]:
        """Return the names of the players without their order."""
        return frozenset(self.names)

    @property
    def facts(self) -> tuple[str, ...]:
        """Return what tells it from all other pairings, whatever becomes of these."""
        return tuple(map(str, (*self[:5], self.again)))

    @property
    def entry(self) -> dict[str, Any]:
        """Return the pairing as the event's file has it."""
        alone = {self.kind: self.caesar} | ({} if self.points is None else {"points": float(self.points)})
        seats = {"table": self.table, "caesar": self.caesar, "cleopatra": self.cleopatra}
        came = {"result": self.result} if self.result else {}
        return {"round": self.round} | (seats | came if self.cleopatra else alone)

    @property
    def title(self) -> str:
        """Return the pairing in words: ``round 2, table 1: Livia – Marcus``."""
        round_ = phrase("round {round}", round=self.round)
        if self.table:
            round_ = phrase("round {round}, table {table}", round=self.round, table=self.table)
        return labelled(round_, " – ".join((self.caesar, self.cleopatra) if self.cleopatra else (self.caesar,)))


@dataclass(frozen=True)
class EventPlan:
    """What ``event.toml`` says: ``text`` is the text of the file, ``data`` are its values."""

    text: str
    data: dict[str, Any]
    players: tuple[EventPlayer, ...]
    pairings: tuple[Pairing, ...]
    points: Mapping[str, Fraction]
    tie_breaks: tuple[str, ...]
    system: str = ""
    """How rounds are paired, one of SYSTEMS; empty if the organiser pairs them."""
    games: int = 1
    """How many games two players play in a round, on alternating sides."""
    by_order: bool = False
    """Whether the players are seeded in their order, not by rating."""
    accelerated: bool = False

    @property
    def name(self) -> str:
        """Return the name of the event."""
        return self.data.get("name") or "Event"

    @property
    def rules(self) -> str:
        """Return the rule set of all games, with the agreed readings; empty if no rule set is named."""
        name = self.data.get("rules", "")
        return name and f"{name} {self.data.get('rulings', '')}".strip()

    @property
    def rounds(self) -> int:
        """Return how many rounds there are, 0 if nothing says it; in a round robin each player meets each other."""
        all_ = len(self.players) + len(self.players) % 2 - 1 if self.system == "round-robin" else 0
        return self.data.get("rounds", all_)

    def names(self) -> dict[str, str]:
        """Return the player's name for each name and alias; case, accents and extra spaces are ignored."""
        return {folded(name): player.name for player in self.players for name in (player.name, *player.aliases)}

    def with_pairing(self, place: int, **values: object) -> str:
        """Return the text of the file with other values in the pairing at a place, in a new one at -1; None leaves a
        value out.
        """
        pairings = dict(enumerate(self.data.get("pairings", ())))
        entry = pairings.get(place, {}) | values
        pairings[place] = {name: value for name, value in entry.items() if value is not None}
        return plan_text({**self.data, "pairings": [*pairings.values()]})

    def with_round(self, pairings: Iterable[Pairing]) -> str:
        """Return the text of the file with these pairings added."""
        return plan_text({**self.data, "pairings": [*self.data.get("pairings", ()), *[one.entry for one in pairings]]})

    def with_alias(self, player: str, alias: str) -> str:
        """Return the text of the file in which a player has one more name. Raise CannotRun for an unknown player."""
        players = [dict(entry) for entry in self.data["players"]]
        entry = next((one for one in players if folded(one["name"]) == folded(player)), None)
        if entry is None:
            raise no_player(player)
        entry["aliases"] = [*entry.get("aliases", ()), alias]
        return plan_text({**self.data, "players": players})


def no_player(name: str) -> CannotRun:
    """Return the error that nobody has this name."""
    facts = {"name": name, "file": EVENT_FILE}
    return CannotRun(phrase("there is no player “{name}”; write the name as it stands in {file}", **facts))


def event_text(folder: str) -> str:
    """Return the text of a folder's ``event.toml``. Raise CannotRun if it is missing or can't be read."""
    path = os.path.join(folder, EVENT_FILE)
    if not os.path.isdir(folder):
        raise CannotRun(phrase("{folder}: there is no such folder", folder=folder))
    if not os.path.lexists(path):
        said = phrase("there is no such file; `tiro event init {dir}` makes it from the records there", dir=folder)
        raise CannotRun(f"{path}: {said}")
    if links_outside(path, folder):
        said = phrase("this is a link out of the folder and is not followed; put the file itself there")
        raise CannotRun(f"{path}: {said}")
    try:
        with open(path, "rb") as stream:
            data = stream.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise CannotRun(
                f"{path}: {phrase('it has more than {most} MB, the limit for an event', most=LARGEST >> 20)}"
            )
        return data.decode()
    except UnicodeDecodeError as error:
        said = phrase("it is not UTF-8 at byte {place}, but TOML must be", place=error.start)
        raise CannotRun(f"{path}: {said}") from None
    except OSError as error:
        raise CannotRun(f"{path}: {reason(error)}") from None


def read_plan(text: str, path: str = EVENT_FILE) -> EventPlan:
    """Return what the text of an ``event.toml`` says. Raise CannotRun, with a line for each fault, if it is wrong."""
    try:
        data = {name: _value_of(value, name in _DAYS) for name, value in tomllib.loads(text).items()}
        data = whole_numbers(data)
    except (ValueError, RecursionError) as error:
        long = None if isinstance(error, tomllib.TOMLDecodeError) else re.search(r"[\d_]{4000}", text)
        line = text.count("\n", 0, long.start()) + 1 if long else 0
        why = phrase("line {line}: a number has too many digits", line=line) if long else error
        raise CannotRun(phrase("{path}: this is not TOML: {why}", path=path, why=why)) from None
    problems = [f"{path}: {_place(problem.path)}{problem.message}" for problem in problems_by_schema("event", data)]
    if problems:
        raise CannotRun(*problems[:20])
    players = tuple(
        EventPlayer(
            one["name"],
            tuple(one.get("aliases", ())),
            *(one.get("id", ""), one.get("club", ""), one.get("rating", 0), one.get("from", 1), one.get("until", 0)),
        )
        for one in data["players"]
    )
    seen = Counter[Pairing]()
    pairings = tuple(_pairing(place, entry, seen) for place, entry in enumerate(data.get("pairings", ())))
    points = {name: Fraction(str(value)) for name, value in (POINTS | data.get("points", {})).items()}
    how = data.get("pairing", {})
    rules = how.get("system", ""), how.get("games", 1), how.get("seeds") == "order", how.get("accelerated", False)
    plan = EventPlan(text, data, players, pairings, points, tuple(data.get("tie-breaks", TIE_BREAKS)), *rules)
    if faults := list(_faults(plan)):
        raise CannotRun(*[f"{path}: {fault}" for fault in faults[:20]])
    return plan


def _place(path: str) -> str:
    """Return where a problem is in the file, given its path in JSON: ``players[2].name: ``."""
    return f"{path[2:]}: " if path.startswith("$.") else f"{path[1:]}: " if path != "$" else ""


def _value_of(value: Any, is_day: bool = False) -> Any:
    """Return a value of TOML as the schema knows it, a date as a text where a day is expected. What JSON does not have
    becomes a tuple, which is refused everywhere.
    """
    if isinstance(value, dict):
        return {name: _value_of(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_value_of(each) for each in value]
    if isinstance(value, date) and is_day:
        return value.isoformat()[:10].replace("-", ".")
    if isinstance(value, str) or (isinstance(value, int | float) and abs(value) < 1e15):
        return value
    return (f"{value:#x}" if isinstance(value, int) else str(value),)


def _pairing(place: int, entry: dict[str, Any], seen: Counter[Pairing]) -> Pairing:
    alone = next((kind for kind in ("bye", "absent") if kind in entry), "")
    first, second = (entry[alone], "") if alone else (entry.get("caesar", ""), entry.get("cleopatra", ""))
    kind, result = alone or "game", entry.get("result", "")
    pairing = Pairing(entry["round"], entry.get("table", 0), first, second, kind)
    seen[pairing] += 1
    points = Fraction(str(entry["points"])) if "points" in entry else None
    return pairing._replace(result=result, place=place, again=seen[pairing] - 1, points=points)


class Came(NamedTuple):
    """How a game ended: ``winner`` is a side, 2 for a draw, 3 for nobody; None if the points do not tell."""

    winner: int | None
    points: tuple[int, int] | None = None
    forfeit: bool = False


def came_of(result: str, rules: str) -> Came:
    """Return what a result says. Equal points do not tell who won if ``rules`` have a tie-break by the cards."""
    score = SCORE.fullmatch(result.strip())
    if not score:
        *forfeit, word = result.split() or [""]
        return Came(_WINNERS.get(word), forfeit=bool(forfeit))
    rome, egypt, name = int(score[1]), int(score[2]), rules.partition(" ")[0]
    winner = int(rome < egypt) if rome != egypt else None
    if score[3]:
        winner = _WINNERS["".join(score[3].split())]
    elif winner is None and name in EDITION_NAMES and not load_edition(name).tie_break:
        winner = _WINNERS["draw"]
    return Came(winner, (rome, egypt))


def _faults(plan: EventPlan) -> Iterator[str]:
    """Yield, in sentences, the faults that the schema can't express."""
    seen: dict[str, str] = {}
    for player in plan.players:
        for name in (player.name, *player.aliases):
            other = seen.setdefault(folded(name), player.name)
            if other != player.name:
                both = {"name": name, "one": other, "other": player.name}
                told = phrase("“{name}” is a name of both {one} and {other}; give each their own name", **both)
                yield f"players: {told}"
    names = Counter(player.name for player in plan.players)
    for name, count in names.items():
        if count > 1:
            often = phrase("twice") if count == 2 else phrase("{count} times", count=count)
            yield f"players: {phrase('“{name}” is listed {often}; list each player once', name=name, often=often)}"
    for player in plan.players:
        if player.last and player.last < player.first:
            facts = player._asdict()
            yield f"players: {phrase('{name} plays from round {first} until {last}; correct one of them', **facts)}"
    if fault := fault_of_rulings(plan.data.get("rules", ""), plan.data.get("rulings", "")):
        yield f"rulings: {fault}"
    rounds, add = plan.data.get("rounds"), phrase("add them to players, or write the name as it stands there")
    for pairing in plan.pairings:
        where = f"pairings[{pairing.place}]"
        if fault := _fault_of(pairing, plan):
            yield f"{where}: {fault}"
        for name in dict.fromkeys(name for name in pairing.names if name not in names):
            yield f"{where}: {clauses((phrase('there is no player “{name}”', name=name), add))}"
        if rounds is not None and pairing.round > rounds:
            both = {"round": pairing.round, "rounds": rounds}
            yield f"{where}: {phrase('this is round {round}, but the event has {rounds}', **both)}"


def _fault_of(pairing: Pairing, plan: EventPlan) -> str:
    """Return the fault of a pairing by itself, or an empty text."""
    entry = plan.data["pairings"][pairing.place]
    sides = [side for side in ("caesar", "cleopatra") if side in entry]
    if len(sides) != (2 if pairing.kind == "game" else 0) or {"bye", "absent"} <= entry.keys():
        return phrase("give caesar and cleopatra, or only bye, or only absent")
    if pairing.caesar == pairing.cleopatra:
        return phrase("{name} can't play against themselves; name the opponent", name=pairing.caesar)
    if pairing.result and pairing.kind != "game":
        return phrase("a player without a game has no result; leave it out")
    if pairing.points is not None and (pairing.kind == "game" or pairing.points > plan.points["win"] * plan.games):
        return phrase("points are for a bye or an absence, and not more than those of a win")
    if pairing.result and came_of(pairing.result, plan.rules).winner is None:
        return phrase("{result} does not say who won; write {result}>R, >E or, for a draw, >-", result=pairing.result)
    return ""


def fault_of_rulings(rules: str, rulings: str) -> str:
    """Return what a header Rulings with these words would be blamed for, in every rule set if none is named."""
    names = [rules] if rules else EDITION_NAMES
    faults = [read_headers(Record((("Rules", name), ("Rulings", rulings)))).faults for name in names]
    said = [[one.fault.facts["problem"] for one in some if one.fault.code == "H205"] for some in faults]
    return said[0][0] if all(said) else ""


def plan_text(data: Mapping[str, Any]) -> str:
    """Return the values of an event as the text of an ``event.toml``."""
    lines = [f'format = "{FORMAT}"', f"version = {VERSION}"]
    lines += [f"{name} = {_value(data[name])}" for name in (*_TEXTS, "rounds", "tie-breaks") if name in data]
    for table in ("points", "pairing"):
        if table in data:
            lines += ["", f"[{table}]", *_entries(data[table])]
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
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(_value, value))}]" if isinstance(value, list) else str(value)
