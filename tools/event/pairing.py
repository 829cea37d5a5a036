"""The next round of an event: who plays whom, and on which side.

A Swiss round follows FIDE's Dutch system (Handbook C.04.3, in force since February 2026), accelerated by C.04.5.1
(Baku); a round robin follows the Berger tables (C.05). Both are carried out by the package caissify-pairings.
``docs/events.md`` says what was chosen where a round has several games.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil
from typing import Final, NamedTuple, TypeAlias

from ...notation.basics import install
from ...notation.language import clauses, phrase
from ...notation.records import folded
from ..storage.api import CannotRun
from .facts import Decided
from .plan import EVENT_FILE, EventPlan, Pairing, no_player
from .standings import HALF, ZERO, RoundScore, gained

PACKAGE: Final = "caissify-pairings"
_BYE, _ABSENT, _AGAIN = "bye", "absent", "(again)"
"""Words of a round that somebody writes: a player without a game, and opponents who have met before."""
_LINE: Final = re.compile(r"\s*(?:\d+[.)]?\s+)?(.+?)\s+[-–—]\s+(.+?)\s*")
"""A game in a round that somebody has changed: ``3. Livia – Marcus``, Caesar first."""
_COLOURS: Final = ("white", "black")
_REMATCH, _SECOND_BYE, _SAME_SIDE = 10**15, 10**14, 10**13
"""What breaking an absolute criterion costs, more than anything else can: the worst first."""
_NEAR: Final = 12
"""How many of the next players in the order each is compared with, if that is enough."""


class Entrant(NamedTuple):
    """A player who can be paired, with the ``seed`` from 1 and what the rounds before say (C.04.3, A).

    ``points`` are in wins of a whole round, with virtual ones in an accelerated event. ``sides`` are those of the first
    game of each round that was played, 0 for Caesar; ``floats`` have a number for each round: 1 down, -1 up, or 0.
    ``had_bye`` says whether the player once got all points of a round without playing.
    """

    name: str
    seed: int
    points: Fraction
    sides: tuple[int, ...] = ()
    floats: tuple[int, ...] = ()
    had_bye: bool = False
    met: frozenset[str] = frozenset()

    @property
    def lead(self) -> int:
        """Return how often more the player was Caesar than Cleopatra."""
        return len(self.sides) - 2 * sum(self.sides)

    @property
    def due(self) -> int | None:
        """Return the side that the player must get (C.04.3, A.6 a), or None."""
        if abs(self.lead) > 1:
            return int(self.lead > 0)
        return 1 - self.sides[-1] if len(self.sides) > 1 and self.sides[-1] == self.sides[-2] else None


Pair: TypeAlias = tuple[Entrant, Entrant | None]
"""Caesar and Cleopatra of the first game; nobody, if the player gets the bye."""


def next_round(plan: EventPlan, decided: Sequence[Decided]) -> list[Pairing]:
    """Return the pairings of the next round, the first table first, by what the rounds before have brought.

    Players who have an entry in that round already, such as a bye that they asked for, are left out. Raise CannotRun
    if the event does not say how to pair, if a game of an earlier round does not count yet, or all rounds are paired.
    """
    if not plan.system:
        said = phrase('{file} does not say how to pair: add [pairing], and below it system = "swiss"', file=EVENT_FILE)
        raise CannotRun(said)
    games = [one for one in decided if one.pairing.kind == "game"]
    number = 1 + max((one.pairing.round for one in games), default=0)
    if waiting := [one.pairing.title for one in games if one.winner is None]:
        said = phrase("round {round} can't be paired yet: these games do not count so far", round=number)
        raise CannotRun(said, *waiting[:20])
    if number > (plan.rounds or number):
        said = phrase("all {count} rounds are paired", count=number - 1)
        more = phrase("if there is another one, correct rounds in {file}", file=EVENT_FILE)
        raise CannotRun(clauses((said, more)))
    seated = {name for one in plan.pairings if one.round == number for name in one.names}
    every = entrants(plan, decided, number)
    away = seated | {one.name for one in plan.players if not one.first <= number <= (one.last or number)}
    there = [one for one in every if one.name not in away]
    if not there:
        said = phrase("round {round} has no players; correct from and until in {file}", round=number, file=EVENT_FILE)
        raise CannotRun(said)
    rounds = plan.rounds or number + 1
    if plan.system == "round-robin":
        pairs = _berger(every, number, away)
    else:
        pairs = _swiss(plan, there, number, rounds) if plan.system == "swiss" else matching(there, number == rounds)
    order = sorted(pairs, key=lambda pair: (pair[1] is None, *_standing(pair)))
    return [game for table, pair in enumerate(order, 1) for game in _games(plan, number, table, *pair)]


def _standing(pair: Pair) -> tuple[Fraction, Fraction, int]:
    """Return what orders the tables (C.04.3, D.9): the points of the better player, of both, and the better seed."""
    points = [one.points for one in pair if one]
    return -max(points), -sum(points, ZERO), min(one.seed for one in pair if one and one.points == max(points))


def _games(plan: EventPlan, number: int, table: int, one: Entrant, other: Entrant | None) -> list[Pairing]:
    if other is None:
        return [Pairing(number, 0, one.name, "", _BYE)]
    sides = [(one.name, other.name), (other.name, one.name)] * plan.games
    return [Pairing(number, table, *names) for names in sides[: plan.games]]


def entrants(plan: EventPlan, decided: Iterable[Decided], number: int) -> list[Entrant]:
    """Return all players, the first seed first, as they are before a round."""
    unit, rounds = plan.points["win"] * plan.games or Fraction(1), range(1, number)
    listed = sorted(plan.players, key=lambda one: 0 if plan.by_order else -one.rating)
    got: dict[tuple[str, int], list[RoundScore]] = defaultdict(list)
    for one in decided:
        for name, score in gained(plan, one):
            got[name, score.round].append(score)
    before: dict[str, list[Fraction]] = {}
    for seed, player in enumerate(listed):
        own = [sum((each.points for each in got[player.name, at]), ZERO) / unit for at in rounds]
        extra = [virtual_points(plan, seed, at) for at in range(1, number + 1)]
        before[player.name] = [sum(own[:at], ZERO) + extra[at] for at in range(number)]
    found = list[Entrant]()
    for seed, player in enumerate(listed, 1):
        sides, floats, met, had_bye = list[int](), list[int](), set[str](), False
        for at in rounds:
            some = got[player.name, at]
            played = next((each for each in some if each.is_played and each.opponent), None)
            gain = sum((each.points for each in some), ZERO) / unit
            if played:
                own, theirs = before[player.name][at - 1], before[played.opponent][at - 1]
                floats.append((own > theirs) - (own < theirs))
                sides.append(played.side)
                met.add(played.opponent)
            else:
                floats.append(int(gain > 0))
                had_bye |= gain >= 1
        points = before[player.name][-1]
        found.append(Entrant(player.name, seed, points, (*sides,), (*floats,), had_bye, frozenset(met)))
    return found


def virtual_points(plan: EventPlan, place: int, number: int) -> Fraction:
    """Return the virtual points of a seed, counted from 0, in a round (C.04.5.1): for the upper half, a point in the
    first half of the accelerated rounds, which are the first half of all, and half a point in the others.
    """
    fast = ceil(plan.rounds / 2) if plan.accelerated else 0
    if place >= 2 * ceil(len(plan.players) / 4) or number > fast:
        return ZERO
    return Fraction(1) if number <= ceil(fast / 2) else HALF


def _swiss(plan: EventPlan, there: Sequence[Entrant], number: int, rounds: int) -> list[Pair]:
    """Return the pairs by the Dutch system. Where no pairing keeps all absolute criteria, or the package misses one,
    those that break the fewest.
    """
    pairs = _dutch(there, number, rounds)
    is_last = number >= rounds
    if faults(pairs, is_last, len(there)):
        return min((pairs, matching(there, is_last)), key=lambda each: faults(each, is_last, len(there)))
    return pairs


def _dutch(there: Sequence[Entrant], number: int, rounds: int) -> list[Pair]:
    try:
        from caissify_pairings.engines.dutch import DutchEngine
    except ImportError:
        raise lacking() from None

    class Engine(DutchEngine):
        """Only an accelerated engine looks at points in the first round; it would add its own, by a simpler rule."""

        BAKU_VIRTUAL_POINT = 0.0

    seeds = {one.name: one.seed for one in there}
    players = [
        {
            "id": one.seed,
            "name": one.name,
            "score": float(one.points),
            "rating": 0,
            "starting_number": one.seed,
            "pairing_number": one.seed,
            "color_hist": [_COLOURS[side] for side in one.sides],
            "float_history": [("none", "down", "up")[each] for each in one.floats],
            "bye_count": int(one.had_bye),
        }
        for one in there
    ]
    met = {(one.seed, seeds[name]) for one in there for name in one.met if name in seeds}
    found = {one.seed: one for one in there}
    fast = any(one.points for one in there)
    paired = Engine(players, met, number, rounds, accelerated=number == 1 and fast).generate_pairings()
    return [(found[each["white_id"]], found.get(each["black_id"])) for each in paired]


def _berger(every: Sequence[Entrant], number: int, away: set[str]) -> list[Pair]:
    """Return the pairs of a round of a round robin; after each player has met each other, it begins again with the
    sides exchanged. Whose opponent is away gets the bye.
    """
    try:
        from caissify_pairings.engines.round_robin import berger_round
    except ImportError:
        raise lacking() from None
    count = len(every) + len(every) % 2
    again, at = divmod(number - 1, max(count - 1, 1))
    pairs = list[Pair]()
    for seats in berger_round(count, at + 1):
        ordered = [one for one in every if one.seed in seats]
        ordered.sort(key=lambda one: seats.index(one.seed), reverse=again % 2 == 1)
        here = [one for one in ordered if one.name not in away]
        if here:
            pairs.append((here[0], here[1] if len(here) > 1 else None))
    return pairs


def faults(pairs: Sequence[Pair], is_last: bool, count: int) -> tuple[int, ...]:
    """Return how often pairs of so many players break each absolute criterion (C.04.3, C.1 to C.3), the worst first:
    players without a game, rematches, second byes, players who must both get one side, if it is not the last round.
    Empty if none is broken.
    """
    byes = [one for one, other in pairs if other is None]
    games = [(one, other) for one, other in pairs if other]
    rematches = sum(other.name in one.met for one, other in games)
    same = sum(_is_one_side(one, other) for one, other in games) if not is_last else 0
    found = (len(byes) - count % 2, rematches, sum(one.had_bye for one in byes), same)
    return found if any(found) else ()


def _is_one_side(one: Entrant, other: Entrant) -> bool:
    return one.due is not None and one.due == other.due


def matching(there: Sequence[Entrant], is_last: bool) -> list[Pair]:
    """Return pairs in which as few as possible meet again, or get a second bye; then players with equal points meet,
    with neighbours in the order as far apart as they must, and sides alternate.
    """
    try:
        from networkx import Graph, max_weight_matching
    except ImportError:
        raise lacking() from None
    order = sorted(there, key=lambda one: (-one.points, one.seed))
    best = list[Pair]()
    for near in (_NEAR, len(order)):
        graph = Graph()
        graph.add_nodes_from(range(len(order)))
        for at, one in enumerate(order):
            for place, other in enumerate(order[at + 1 : at + 1 + near], at + 1):
                graph.add_edge(at, place, weight=-_cost(one, other, place - at, is_last))
            if len(order) % 2:
                cost = _SECOND_BYE * one.had_bye + int(4 * one.points) ** 2 * 10**6 - at
                graph.add_edge(at, -1, weight=-cost)
        found = [sorted(edge, reverse=True) for edge in max_weight_matching(graph, maxcardinality=True)]
        best = [_seated(order[at], order[one]) if one >= 0 else (order[at], None) for at, one in found]
        if not faults(best, is_last, len(order)):
            break
    return best


def _cost(one: Entrant, other: Entrant, apart: int, is_last: bool) -> int:
    broken = _REMATCH * (other.name in one.met) + _SAME_SIDE * (_is_one_side(one, other) and not is_last)
    wish = len(one.sides) > 0 < len(other.sides) and one.sides[-1] == other.sides[-1]
    return broken + int(4 * (one.points - other.points)) ** 2 * 10**6 + wish * 10**3 + apart


def _seated(one: Entrant, other: Entrant) -> Pair:
    """Return two players on their sides: who must get one, who had it less often, who had the other last, or, in turn,
    the better seed.
    """
    for each, against in ((one, other), (other, one)):
        if each.due is not None and each.due != against.due:
            return (each, against) if each.due == 0 else (against, each)
    if one.lead != other.lead:
        return (one, other) if one.lead < other.lead else (other, one)
    for last, theirs in zip(reversed(one.sides), reversed(other.sides), strict=False):
        if last != theirs:
            return (one, other) if last else (other, one)
    better, worse = sorted((one, other), key=lambda each: each.seed)
    return (better, worse) if better.seed % 2 else (worse, better)


def lacking() -> CannotRun:
    """Return the error that the package is not installed."""
    return CannotRun(phrase("pairing needs {package}: {command}", package=PACKAGE, command=install(PACKAGE)))


def round_text(pairings: Iterable[Pairing]) -> str:
    """Return a round as lines that can be changed and read again: ``1. Livia – Marcus``, ``bye: Gaius``."""
    lines = dict[str, None]()
    seen = set[tuple[int, frozenset[str]]]()
    for one in pairings:
        if (one.table, one.players) not in seen:  # one line for all games of two players
            players = f"{one.table}. {one.caesar} – {one.cleopatra}"
            lines[players if one.cleopatra else f"{one.kind}: {one.caesar}"] = None
        seen.add((one.table, one.players))
    return "\n".join(lines)


def read_round(text: str, plan: EventPlan, number: int) -> list[Pairing]:
    """Return the pairings of a round that somebody wrote, with a line, or a part between semicolons, for each table.

    Raise CannotRun if a line is neither a game nor a bye, if a name is not a player's, if a player is there twice or
    not at all, or if two meet again who are not said to.
    """
    known, found, table, seated = plan.names(), list[Pairing](), 0, set[str]()
    met = {one.players: one.round for one in plan.pairings if one.kind == "game"}
    for line in filter(str.strip, re.split(r"[\n;]", text)):
        plain, again = line.strip().removesuffix(_AGAIN), line.strip().endswith(_AGAIN)
        kind, colon, name = plain.partition(":")
        if colon and kind.strip().lower() in (_BYE, _ABSENT):
            names = [_known(known, name)]
            found.append(Pairing(number, 0, names[0], "", kind.strip().lower()))
        elif game := _LINE.fullmatch(plain):
            table += 1
            names = [_known(known, each) for each in game.groups()]
            sides = [(names[0], names[1]), (names[1], names[0])] * plan.games
            found += [Pairing(number, table, *seats) for seats in sides[: plan.games]]
            if (before := met.get(frozenset(names))) and not again:
                met_ = phrase("{one} and {other} met in round {round}", one=names[0], other=names[1], round=before)
                line = f"{names[0]} – {names[1]} {_AGAIN}"
                raise CannotRun(clauses((met_, phrase("if they are to meet again, write {line}", line=line))))
        else:
            text = line.strip()
            raise CannotRun(
                phrase("“{text}” is not a pairing: write Caesar – Cleopatra, or bye: and a name", text=text)
            )
        if twice := seated & {*names}:
            raise CannotRun(phrase("{name} is there twice; seat each player once", name=min(twice)))
        seated |= {*names}
    seated |= {name for one in plan.pairings if one.round == number for name in one.names}
    left = [one.name for one in plan.players if one.first <= number <= (one.last or number) and one.name not in seated]
    if left:
        who = ", ".join(left)
        raise CannotRun(phrase("these players have no opponent: {who}; write absent: and the name for each", who=who))
    return found


def _known(names: dict[str, str], written: str) -> str:
    if name := names.get(folded(written)):
        return name
    raise no_player(written.strip())
