"""Events to try: their pairings, the records of their games, and troubles planted in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

from tironian import Record, check, find_repairs, load_edition, parse, simulate, view, write
from tironian.notation.writer import quote
from tironian.tools.event.plan import plan_text

RULES = "2024"


def names(count: int) -> list[str]:
    """Names of which no two are alike."""
    rng = Random(7)
    syllables = [f"{first}{second}" for first in "bdfgklmnprstvz" for second in "aeiou"]
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(rng.sample(syllables, 4)).capitalize()] = None
    return list(found)


def circle(players: list[str], rounds: int) -> Iterator[tuple[int, int, str, str]]:
    """Pairings by the circle method: round, table, Caesar, Cleopatra."""
    ring = [*players]
    for number in range(1, rounds + 1):
        for table, (one, other) in enumerate(zip(ring[: len(ring) // 2], reversed(ring), strict=False), 1):
            yield (number, table, one, other) if (number + table) % 2 else (number, table, other, one)
        ring = [ring[0], ring[-1], *ring[1:-1]]


def headed(record: Record, **headers: object) -> str:
    """The text of a record with these headers."""
    named = dict(record.headers) | {name: str(value) for name, value in headers.items()}
    return write(Record(tuple(named.items()), record.preface, record.turns, record.result))


class Event:
    """An event in a folder, whose records are all there and right until a trouble is planted."""

    def __init__(self, folder: Path, players: int = 12, rounds: int = 3, seed: int = 0) -> None:
        self.folder, self.rng = folder, Random(seed)
        self.players = names(players)
        self.games = list(circle(self.players, rounds))
        self.texts: dict[str, str] = {}
        self.data = {
            "format": "tironian-event",
            "version": 1,
            "name": "Open",
            "rules": RULES,
            "rounds": rounds,
            "players": [{"name": name} for name in self.players],
            "pairings": [
                {"round": number, "table": table, "caesar": caesar, "cleopatra": cleopatra}
                for number, table, caesar, cleopatra in self.games
            ],
        }
        for place, (round_, _, caesar, cleopatra) in enumerate(self.games):
            named = {"Event": "Open", "Round": round_, "Caesar": caesar, "Cleopatra": cleopatra}
            self.texts[self.file(place)] = headed(finished(1000 * seed + place), **named)

    def file(self, place: int) -> str:
        number, table, *_ = self.games[place]
        return f"round{number}/table{table:03}.tiro"

    def written(self) -> Path:
        """Write everything, and return the folder."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "event.toml").write_text(plan_text(self.data), encoding="utf-8")
        for name, text in self.texts.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return self.folder

    def touches(self, place: int, places: list[int]) -> bool:
        """Whether another one of some games is of its round and of who would be paired twice."""
        number, _, caesar, _ = self.games[place]
        busy = {
            name for each in places if self.games[each][0] == number and each != place for name in self.games[each][2:]
        }
        return caesar in busy or opponent(self, place) in busy

    def rename(self, old: str, new: str) -> None:
        """Give a player another name, in the pairings and in the records."""
        for entry in (*self.data["players"], *self.data["pairings"]):
            entry |= {key: new for key, value in entry.items() if value == old}
        self.texts = {file: text.replace(f'"{old}"', quote(new)) for file, text in self.texts.items()}

    def edit(self, place: int, old: str, new: str) -> None:
        file = self.file(place)
        assert old in self.texts[file]
        self.texts[file] = self.texts[file].replace(old, new)


@cache
def finished(number: int) -> Record:
    """A simulated game that came to its end; most do."""
    record = simulate(load_edition(RULES), number)
    return record if record.result and record.result.points else finished(number + 10_000)


@cache
def broken(text: str) -> str:
    """The text with a card at a group that its player does not hold, and that a repair finds."""
    lines = text.splitlines(keepends=True)
    for place in range(len(lines) - 8, 0, -1):
        word = re.search(r"^\d+[RE] \(?([1-5])\)?[PQAKC]", lines[place])
        for card in "12345" if word else "":
            tried = f"{lines[place][: word.start(1)]}{card}{lines[place][word.end(1) :]}" if word else ""
            whole = "".join([*lines[:place], tried, *lines[place + 1 :]])
            faults = check(parse(whole)[0]).diagnostics
            if faults and faults[0].code == "R203" and find_repairs(parse(whole)[0]):
                return whole
    raise AssertionError("nothing could be broken")


def _missing(event: Event, place: int) -> None:
    del event.texts[event.file(place)]


def _sheets(event: Event, place: int) -> None:
    record = parse(event.texts.pop(event.file(place)))[0]
    for name in ("caesar", "cleopatra"):
        event.texts[event.file(place).replace(".tiro", f"-{name}.tiro")] = write(view(record, name).record)


def _illegal(event: Event, place: int) -> None:
    file = event.file(place)
    event.texts[file] = broken(event.texts[file])


def _result(event: Event, place: int) -> None:
    text = event.texts[event.file(place)]
    stated = next(line for line in text.splitlines() if line.startswith("[Result "))
    event.edit(place, stated, '[Result "99-0"]')


def _unfinished(event: Event, place: int) -> None:
    record = parse(event.texts[event.file(place)])[0].record
    short = Record(record.headers, record.preface, record.turns[: len(record.turns) // 2], None)
    event.texts[event.file(place)] = headed(short, Result="*") + "*\n"


def _name(event: Event, place: int) -> None:
    name = event.games[place][2]
    event.edit(place, f'[Caesar "{name}"]', f'[Caesar "{name[:3]}h{name[3:]}"]')


def opponent(event: Event, place: int) -> str:
    """The last player of the round who is not in this game."""
    number, _, caesar, _ = event.games[place]
    return [game[3] for game in event.games if game[0] == number and caesar not in game][-1]


def _twice(event: Event, place: int) -> None:
    number, _, caesar, _ = event.games[place]
    other = opponent(event, place)
    event.data["pairings"].append({"round": number, "table": 900, "caesar": caesar, "cleopatra": other})


def _unpaired(event: Event, place: int) -> None:
    event.edit(place, f'[Round "{event.games[place][0]}"]', '[Round "77"]')


def _sides(event: Event, place: int) -> None:
    pairing = event.data["pairings"][place]
    pairing["caesar"], pairing["cleopatra"] = pairing["cleopatra"], pairing["caesar"]


def _rules(event: Event, place: int) -> None:
    event.edit(place, f'[Rules "{RULES}"]', '[Rules "1997"]')


def _copy(event: Event, place: int) -> None:
    event.texts[f"copies/{place}.tiro"] = event.texts[event.file(place)]


def _unread(event: Event, place: int) -> None:
    event.texts[f"photos/{place}.tiro"] = "\x00\x01\x02 JFIF"


PLANTS: dict[str, Callable[[Event, int], None]] = {
    "unread": _unread, "missing": _missing, "sheets": _sheets, "illegal": _illegal, "result": _result,
    "unfinished": _unfinished, "name": _name, "twice": _twice, "unpaired": _unpaired, "sides": _sides, "rules": _rules,
    "copy": _copy,
}  # fmt: skip
"""Each kind of trouble, and what plants it at a game."""
