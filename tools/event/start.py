"""The first ``event.toml`` of an event, derived from its records."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any, Final

from ...notation.language import phrase
from ...notation.records import folded
from ...replay.rules.api import EDITION_NAMES
from .plan import FORMAT, TIE_BREAKS, VERSION, fault_of_rulings, plan_text, read_plan
from .records import SIDES, Sheet, like, matched

_MOST_NAMES: Final = 2000
"""The most names that are all compared with each other; if there are more, only names that differ in case or accents
count as similar.
"""


def learnt(folder: str, sheets: Sequence[Sheet]) -> tuple[dict[str, Any], list[str]]:
    """Return what the records say about their event, as values for ``event.toml``, with remarks."""
    played = [sheet for sheet in sheets if sheet.report.turns or sheet.score]
    rounds, aliases = _rounds(played), _aliases(played)
    rules = _most(rules for rules in _headers(played, "Rules") if rules in EDITION_NAMES)
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "name": _most(_headers(played, "Event")) or os.path.basename(os.path.abspath(folder)),
        "place": _most(_headers(played, "Site")),
        "dates": _dates(played),
        "rules": rules,
        "rulings": _most(one for one in _headers(played, "Rulings") if not fault_of_rulings(rules, one)),
        "rounds": max(rounds),
        "tie-breaks": [*TIE_BREAKS],
        "players": [{"name": name} | ({"aliases": others} if others else {}) for name, others in aliases.items()],
    }
    found = matched(read_plan(plan_text(data)), played).meetings if aliases else []
    pairings = sorted(meeting.pairing for meeting in found if meeting.pairing.round in rounds)
    data["pairings"] = [{"round": one.round, "caesar": one.caesar, "cleopatra": one.cleopatra} for one in pairings]
    odd = phrase("its game is not paired: its Round header does not name a round of the event")
    notes = [f"{sheet.place}: {odd}" for sheet in played if sheet.round not in rounds]
    pairs = [(name, other) for name, others in aliases.items() for other in others]
    return data, notes + [phrase("“{other}” is taken to be “{name}”", other=other, name=name) for name, other in pairs]


def _headers(played: Sequence[Sheet], name: str) -> list[str]:
    return [sheet.header(name) for sheet in played]


def _aliases(played: Sequence[Sheet]) -> dict[str, list[str]]:
    """Return the players in order, each with the other names that records have for them."""
    named = [(sheet.round, sheet.header(SIDES[0]), sheet.header(SIDES[1])) for sheet in played]
    known = _one_name_each([game for game in named if game[1] and game[2] and folded(game[1]) != folded(game[2])])
    aliases: dict[str, list[str]] = {name: [] for name in sorted(set(known.values()))}
    for other, name in known.items():
        if folded(other) != folded(name):
            aliases[name].append(other)
    return aliases


def _rounds(played: Sequence[Sheet]) -> set[int]:
    """Return the rounds of the event: those that two records name, or that follow such a round; the first one always
    counts.
    """
    rounds = {1}
    for number, count in sorted(Counter(sheet.round for sheet in played).items()):
        if number and (count > 1 or number - 1 in rounds):
            rounds.add(number)
    return rounds


def _one_name_each(games: Sequence[tuple[int, str, str]]) -> dict[str, str]:
    """Return for each name the name under which its player is listed: the one that most records have.

    Similar names count as one player's, unless they met or played different opponents in the same round.
    """
    count = Counter(name for _, *names in games for name in names)
    met: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for round_, *names in games:
        for one, other in permutations(map(folded, names)):
            met[one].add((round_, other))
    known: dict[str, str] = {}
    listed: dict[str, str] = {}
    for name, _ in count.most_common():
        if (key := folded(name)) not in listed:
            near = like(name, [one for one in count if one != name], sure=True) if len(count) <= _MOST_NAMES else []
            others = [known[one] for one in near if one in known]
            listed[key] = next((one for one in others if not _are_two(key, folded(one), met)), name)
            met[folded(listed[key])] |= met[key]
        known[name] = listed[key]
    return known


def _are_two(one: str, other: str, met: dict[str, set[tuple[int, str]]]) -> bool:
    """Return whether two names belong to two players."""
    own, theirs = met[one], met[other]
    rounds = {at for at, _ in own if at} & {at for at, _ in theirs}
    clash = any({each for each in own if each[0] == at} != {each for each in theirs if each[0] == at} for at in rounds)
    return clash or any(against in (one, other) for _, against in own | theirs)


def _most(values: Iterable[str]) -> str:
    """Return what most records say, or an empty text if no record says anything."""
    return next((value for value, _ in Counter(filter(None, values)).most_common(1)), "")


def _dates(played: Sequence[Sheet]) -> str:
    dates = sorted({date for date in _headers(played, "Date") if date and "?" not in date})
    return " – ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else ""
