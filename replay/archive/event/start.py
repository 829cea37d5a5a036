"""The first ``event.toml`` of an event, derived from its records."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Final

from ....notation.fingerprint import folded
from ...editions.edition import EDITION_NAMES
from .plan import FORMAT, TIE_BREAKS, VERSION
from .records import SIDES, Sheet, round_of

_CLOSE: Final = 0.8
"""How similar two names must be to be proposed as one player's names."""
_MOST_NAMES: Final = 2000
"""The most names that are all compared with each other; if there are more, only names that differ in case or accents
count as similar.
"""


def learnt(folder: str, sheets: Sequence[Sheet]) -> tuple[dict[str, Any], list[str]]:
    """Return what the records say about their event, as values for ``event.toml``, with remarks."""
    played = [sheet for sheet in sheets if sheet.report.turns]
    rounds = _rounds(played)
    named = [(round_of(sheet), sheet.header(SIDES[0]), sheet.header(SIDES[1])) for sheet in played]
    games = [game for game in named if game[1] and game[2] and folded(game[1]) != folded(game[2])]
    known = _one_name_each(games)
    aliases: dict[str, list[str]] = {name: [] for name in sorted(set(known.values()))}
    for other, name in known.items():
        if folded(other) != folded(name):
            aliases[name].append(other)
    pairings: dict[tuple[int, frozenset[str]], tuple[str, str]] = {}
    for round_, *names in games:
        caesar, cleopatra = known[names[0]], known[names[1]]
        pairings.setdefault((round_, frozenset((caesar, cleopatra))), (caesar, cleopatra))
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": _most(sheet.header("Event") for sheet in played) or os.path.basename(os.path.abspath(folder)),
        "place": _most(sheet.header("Site") for sheet in played),
        "dates": _dates(played),
        "rules": _most(sheet.header("Rules") for sheet in played if sheet.header("Rules") in EDITION_NAMES),
        "rulings": _most(sheet.header("Rulings") for sheet in played),
        "rounds": max(rounds),
        "tie-breaks": [*TIE_BREAKS],
        "players": [{"name": name} | ({"aliases": others} if others else {}) for name, others in aliases.items()],
        "pairings": [
            {"round": round_, "caesar": caesar, "cleopatra": cleopatra}
            for (round_, _), (caesar, cleopatra) in sorted(pairings.items(), key=lambda one: (one[0][0], one[1]))
            if round_ in rounds
        ],
    }
    odd = [sheet for sheet in played if round_of(sheet) not in rounds]
    notes = [
        f"{sheet.place}: its game is not paired: its header Round does not name a round of the event" for sheet in odd
    ]
    return data, notes + [f"“{other}” is taken to be “{name}”" for name, others in aliases.items() for other in others]


def _rounds(played: Sequence[Sheet]) -> set[int]:
    """Return the rounds of the event: those that two records name, or that follow such a round; the first one always
    counts.
    """
    rounds = {1}
    for number, count in sorted(Counter(map(round_of, played)).items()):
        if number and (count > 1 or number - 1 in rounds):
            rounds.add(number)
    return rounds


def _one_name_each(games: Sequence[tuple[int, str, str]]) -> dict[str, str]:
    """Return for each name the name under which its player is listed: the one that most records have.

    Similar names count as one player's, unless they met or played different opponents in the same round.
    """
    count = Counter(name for _, *names in games for name in names)
    met: dict[str, set[tuple[int, str]]] = {name: set() for name in count}
    for round_, one, other in games:
        met[one].add((round_, folded(other)))
        met[other].add((round_, folded(one)))
    known: dict[str, str] = {}
    for name, _ in count.most_common():
        own = met[name]
        others = dict.fromkeys(known.values())
        like = [one for one in others if folded(one) == folded(name)]
        if len(count) <= _MOST_NAMES:
            like += [one for one in others if get_close_matches(folded(name), [folded(one)], 1, _CLOSE)]
        free = [one for one in like if folded(one) == folded(name) or not _are_two(name, own, one, met[one])]
        known[name] = free[0] if free else name
        met[known[name]] |= own
    return known


def _are_two(name: str, own: set[tuple[int, str]], other: str, theirs: set[tuple[int, str]]) -> bool:
    """Return whether two names belong to two players."""
    rounds = {round_ for round_, _ in own if round_} & {round_ for round_, _ in theirs}
    clash = any({one for one in own if one[0] == at} != {one for one in theirs if one[0] == at} for at in rounds)
    return clash or folded(other) in {against for _, against in own} or folded(name) in {one for _, one in theirs}


def _most(values: Iterable[str]) -> str:
    """Return what most records say, or an empty text if no record says anything."""
    return next((value for value, _ in Counter(filter(None, values)).most_common(1)), "")


def _dates(played: Sequence[Sheet]) -> str:
    dates = sorted({date for sheet in played if "?" not in (date := sheet.header("Date")) and date})
    return " – ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else ""
