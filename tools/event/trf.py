"""Events as FIDE's tournament report files (TRF16, Handbook C.04.A annex 2), in which other programs read and write
tournaments; and lists of players.

White is Caesar. A round of several games is written as so many rounds.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, log2
from typing import Any, Final

from ...notation.basics import install
from ...notation.language import phrase
from ..storage.api import CannotRun
from .facts import Decided
from .pairing import PACKAGE, entrants, virtual_points
from .plan import FORMAT, VERSION, EventPlan
from .standings import StandingsTable, gained

_RESULTS: Final = {"1": "caesar", "W": "caesar", "0": "cleopatra", "L": "cleopatra", "=": "draw", "D": "draw"}
"""What the letters of a game that was played say, where the player is Caesar."""
_FORFEITS: Final = {"+": "forfeit caesar", "-": "forfeit cleopatra"}
_OTHERS: Final = {"caesar": "cleopatra", "cleopatra": "caesar"}
_HEADS: Final = ("012", "001", "022", "032", "042")
"""The lines with which report files begin."""


def trf_text(plan: EventPlan, decided: Sequence[Decided], table: StandingsTable) -> str:
    """Return an event as a report file. Raise CannotRun if the package that writes it is not installed."""
    write_trf = _package().write_trf
    seeds = {one.name: one.seed for one in entrants(plan, (), 1)}
    results: dict[str, dict[int, dict[str, Any]]] = {name: {} for name in seeds}
    last = max([plan.rounds, *[one.pairing.round for one in decided]])
    count: dict[tuple[int, str], int] = defaultdict(int)

    def add(name: str, number: int, opponent: str, side: int, result: str) -> None:
        at = (number - 1) * plan.games + 1 + count[number, name]
        count[number, name] += 1
        if count[number, name] <= plan.games and name in results:
            colour = "wb"[side] if opponent else None
            results[name][at] = {"opponent": seeds.get(opponent), "color": colour, "result": result}

    for one in decided:
        pairing = one.pairing
        if pairing.kind == "game":
            for side, letter in enumerate(_letters(one)):
                add(pairing.names[side], pairing.round, pairing.names[1 - side], side, letter)
        else:
            left = plan.points[pairing.kind] * plan.games if pairing.points is None else pairing.points
            full = "U" if pairing.kind == "bye" and pairing.points is None else "F"
            for _ in range(plan.games):
                letter = full if left >= plan.points["win"] else "H" if left and left >= plan.points["draw"] else "Z"
                left -= {full: plan.points["win"], "H": plan.points["draw"]}.get(letter, 0)
                add(pairing.caesar, pairing.round, "", 0, letter)
    known = {one.name: one for one in plan.players}
    played = max((one.pairing.round for one in decided if one.pairing.kind == "game"), default=0)
    for number in range(1, played + 2):
        for name, player in known.items():
            is_away = number <= played or not player.first <= number <= (player.last or number)
            while is_away and count[number, name] < plan.games:
                add(name, number, "", 0, "Z")
    points: dict[str, Fraction] = defaultdict(Fraction)
    for one in decided:
        for name, score in gained(plan, one) if one.winner is not None or one.pairing.kind != "game" else ():
            points[name] += score.points
    ranks = {one.name: one.rank for one in table.scores}
    players = [
        {
            "starting_number": seed,
            "name": name,
            "rating": known[name].rating,
            "fide_id": known[name].id if known[name].id.isdigit() else "",
            "score": float(points[name]),
            "rank": ranks.get(name, seed),
            "results": results[name],
        }
        for name, seed in seeds.items()
    ]
    about = {"name": plan.name, "location": plan.data.get("place"), "start_date": plan.data.get("dates")}
    lines = [write_trf({**about, "color_method": "white1"}, players, last * plan.games)]
    for seed in seeds.values() if plan.accelerated else ():
        extra = [virtual_points(plan, seed - 1, at) for at in range(1, last + 1) for _ in range(plan.games)]
        lines.append(f"XXA {seed:>4}{''.join(f' {float(each):4.1f}' for each in extra)}")
    return "\n".join([*lines, ""])


def _letters(one: Decided) -> tuple[str, str]:
    """Return the letters of a game's result for Caesar and Cleopatra; a blank if it does not count yet."""
    if one.winner is None:
        return " ", " "
    if one.winner == 2:
        return "=", "="
    won, lost = "+-" if one.forfeit else "10"
    letters = [won if one.winner == side else lost for side in (0, 1)]
    return letters[0], letters[1]


def read_trf(text: str) -> dict[str, Any]:
    """Return what a report file says, as values for ``event.toml``. Raise CannotRun if it is not one."""
    package = _package()
    try:
        found = package.parse_trf(text)
    except package.TRFError as error:
        raise CannotRun(phrase("this is not a tournament report: {error}", error=error)) from None
    about, players = found["tournament"], found["players"]
    names = {each["starting_number"]: each["name"] for each in players}
    pairings: dict[tuple[int, object], dict[str, Any]] = {}
    for each in players:
        for number, said in each["results"].items():
            _add(pairings, names, each["name"], number, said)
    listed = sorted(players, key=lambda each: each["starting_number"])
    about.setdefault("total_rounds", max([1, *[number for number, _ in pairings]]))
    said = {"name": "name", "place": "location", "dates": "start_date", "rounds": "total_rounds"}
    fast = {"accelerated": True} if "accelerated_rounds" in about else {}
    return {
        "format": FORMAT,
        "version": VERSION,
        **{name: about[key] for name, key in said.items() if about.get(key)},
        "pairing": {"system": "swiss", "seeds": "order"} | fast,
        "players": [
            {"name": each["name"]}
            | ({"id": str(each["fide_id"])} if each["fide_id"] else {})
            | ({"rating": each["rating"]} if each["rating"] else {})
            for each in listed
        ],
        "pairings": [each for _, each in sorted(pairings.items(), key=lambda one: one[0][0])],
    }


def _add(pairings: dict[Any, dict[str, Any]], names: dict[int, str], name: str, number: int, said: Any) -> None:
    """Add what a player's line says of a round; the same game stands in the opponent's line, too."""
    letter = said["result"].upper()
    if (opponent := names.get(said["opponent"])) is None:
        kind = "absent" if letter in "HZ-=" else "bye"
        points = {"points": 0.5} if letter in "H=" else {}
        pairings[number, name] = {"round": number, kind: name} | points
        return
    key = (number, frozenset((name, opponent)))
    is_white = said["color"] == "w"
    seats = (name, opponent) if is_white else (opponent, name)
    result = _RESULTS.get(letter) or _FORFEITS.get(letter, "")
    if not is_white:
        word = result.split()[-1:]
        result = result.replace(word[0], _OTHERS.get(word[0], word[0])) if word else ""
    before = pairings.get(key, {}).get("result", "")
    if before.startswith("forfeit") and result.startswith("forfeit") and before != result:
        result = "forfeit both"
    came = {"result": result or before} if result or before else {}
    pairings[key] = {"round": number, "caesar": seats[0], "cleopatra": seats[1]} | came


def read_players(text: str) -> dict[str, Any]:
    """Return a list of players as values for the ``event.toml`` of a Swiss. There is a line for each, ``Name; rating;
    club; id``, of which only the name must be there. Raise CannotRun if there is no name.
    """
    divider = next((each for each in ";\t" if each in text), ",")
    players = [*_listed(csv.reader(text.splitlines(), delimiter=divider))]
    if not players:
        raise CannotRun(phrase("this list names no player: write a line for each, Name; rating; club; id"))
    rounds = max(1, ceil(log2(len(players))))
    return {"format": FORMAT, "version": VERSION, "rounds": rounds, "pairing": {"system": "swiss"}, "players": players}


def _listed(rows: Iterator[list[str]]) -> Iterator[dict[str, Any]]:
    for row in rows:
        name, *others = [each.strip() for each in row] or [""]
        if not name or (name.casefold() in ("name", "player") and not any(each.isdigit() for each in others)):
            continue
        player: dict[str, Any] = {"name": name}
        for each in filter(None, others):
            key = "rating" if each.isdigit() and len(each) < 5 and "rating" not in player else "id"
            if not each.isdigit() and "club" not in player:
                key = "club"
            player[key] = int(each) if key == "rating" else each
        yield player


def read_list(data: bytes) -> dict[str, Any]:
    """Return a report file, or else a list of players, as values for ``event.toml``. Raise CannotRun as they do."""
    if b"\0" in data:
        said = phrase("this is not a text: give a list of players, with a line for each, or a tournament report")
        raise CannotRun(said)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return read_trf(text) if text.lstrip()[:3] in _HEADS else read_players(text)


def _package() -> Any:
    try:
        from caissify_pairings import trf
    except ImportError:
        said = phrase("report files need {package}: {command}", package=PACKAGE, command=install(PACKAGE))
        raise CannotRun(said) from None
    return trf
